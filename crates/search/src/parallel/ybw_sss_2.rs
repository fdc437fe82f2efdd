//! SSS-2 by several processors, with young brothers wait. See `alpha_beta.rs`.
//! This is SSS* in parallel by hashing instead of lists, which Marsland (1991, section 4.3) calls
//! not fully exploited: the memory is a table, or where none is asked for a stored search tree.

use super::SchemeMemory;
use super::alpha_beta::{Policy, RootSearch};
use crate::prelude::*;

scheme! {
    /// SSS-2 that shares the siblings of a first child once that has been searched.
    YbwSss2: Policy::YOUNG_BROTHERS_WAIT.driven_by(RootSearch::Sss2),
    SchemeMemory::AllNodes,
    CatalogueEntry {
        id: "ybw-sss-2",
        usage: "ybw-sss-2:N",
        name: "YBW SSS-2(N)",
        about: "SSS-2 by N threads: young brothers wait for the eldest, then are shared",
        paper: "Feldmann and others 1990; de Bruin, Pijls and Plaat 1994",
        examples: &["ybw-sss-2:1", "ybw-sss-2:2"],
        serial: Some("sss-2"),
        needs_memory: true,
        ..CatalogueEntry::SERIAL
    },
}
