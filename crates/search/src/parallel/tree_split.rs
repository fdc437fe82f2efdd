//! Tree splitting (Fishburn and Finkel 1982): a tree of processors, the naive way to search in parallel.
//!
//! A master shares the children of its node among its slaves at once, without waiting for a first bound,
//! and they share their own children among slaves of theirs. A slave that finds no child left waits
//! until its master's node is done. Bounds that improve count for children that are begun later.
//!
//! The first processor begins with all others in reserve. At a node, as many of a reserve as there are
//! children lead the search of one each, and the rest are divided among them.

use super::SchemeMemory;
use super::alpha_beta::{Helpers, Owner, Policy};
use crate::prelude::*;

scheme! {
    /// Tree splitting: alpha-beta that shares every node at once, by a tree of processors.
    TreeSplit: Policy {
        may_share: |_| true,
        owner: Owner::Waits,
        helpers: Helpers::Reserve { reallocated: false },
        ..Policy::ALPHA_BETA
    },
    SchemeMemory::Nothing,
    CatalogueEntry {
        id: "tree-split",
        usage: "tree-split:N",
        name: "Tree splitting(N)",
        about: "αβ by a tree of N processors: masters share all children among slaves at once",
        paper: "Fishburn and Finkel 1982; Marsland 1991, section 4.2",
        examples: &["tree-split:1", "tree-split:2"],
        serial: Some("alpha-beta"),
        ..CatalogueEntry::SERIAL
    },
}
