//! What every algorithm's file imports: the context, its nodes, values, and the catalogue's types.

pub(crate) use plyground_core::limits::Stop;
pub(crate) use plyground_core::tree::GameTree;
pub(crate) use plyground_core::value::{Bounds, INFINITY, Value, Window};

pub(crate) use crate::catalogue::{
    CatalogueEntry, MemoryNeeds, Parameters, Proves, SearchAlgorithm, guess_parameter,
};
pub(crate) use crate::context::Search;
pub(crate) use crate::mode::Mode;
pub(crate) use crate::node::{Children, SearchNode, Siblings};
