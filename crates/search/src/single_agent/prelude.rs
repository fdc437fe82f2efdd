//! What every algorithm's file imports.

pub(super) use plyground_core::limits::Stop;
pub(super) use plyground_core::space::{StateSpace, UNREACHABLE};

pub(super) use crate::catalogue::{CatalogueEntry, Parameters};
