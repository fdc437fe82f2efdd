//! Bound-and-branch (Ferguson and Korf 1988): distributed tree search with alpha-beta.
//!
//! Where no bound exists, all processors of a node go to its left-most child; when that has returned one,
//! they are shared among the other children, breadth first. A processor that finds no child left is given
//! to another that still works at the node and shares a node below; when the node is done, all return
//! to the processor that shared it.

use super::SchemeMemory;
use super::alpha_beta::{Helpers, Owner, Policy};
use crate::prelude::*;

scheme! {
    /// Bound-and-branch: alpha-beta that shares a node's children when a first bound exists.
    BoundAndBranch: Policy {
        may_share: |candidate| candidate.searched > 0,
        owner: Owner::Waits,
        helpers: Helpers::Reserve { reallocated: true },
        ..Policy::ALPHA_BETA
    },
    SchemeMemory::Nothing,
    CatalogueEntry {
        id: "bound-and-branch",
        usage: "bound-and-branch:N",
        name: "Bound-and-branch(N)",
        about: "αβ by N processors: all at the left-most child until a bound exists, then shared out",
        paper: "Ferguson and Korf 1988; Marsland 1991, section 4.3",
        examples: &["bound-and-branch:1", "bound-and-branch:2"],
        serial: Some("alpha-beta"),
        ..CatalogueEntry::SERIAL
    },
}
