//! Mandatory work first (Akl, Barnard and Doran 1982).
//!
//! A node whose value is needed has a left child, whose value is needed too, and right children,
//! each of which is at best refuted by its own first child. This much of the tree must be searched
//! whatever the values are, and all of it can be searched at the same time, though without bounds
//! from each other. When the value of the left child is known, alpha-beta searches the rest of
//! those right children that their first children do not refute. The processor that does so may have
//! learnt another order of moves than the one that chose the first child, so that child is known
//! by its place in the tree's own list.

use super::SchemeMemory;
use super::alpha_beta::{Mandatory, Policy};
use crate::prelude::*;

scheme! {
    /// Mandatory work first: alpha-beta after what has to be searched in any case.
    Mwf: Policy { mandatory: Mandatory::LeftChild, ..Policy::ALPHA_BETA },
    SchemeMemory::Nothing,
    CatalogueEntry {
        id: "mwf",
        usage: "mwf:N",
        name: "MWF(N)",
        about: "mandatory work first: left children and first children of right ones at once, then αβ",
        paper: "Akl, Barnard and Doran 1982; Marsland 1991, section 5",
        examples: &["mwf:1", "mwf:2"],
        serial: Some("alpha-beta"),
        ..CatalogueEntry::SERIAL
    },
}
