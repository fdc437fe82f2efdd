//! Dual-2 by several processors, with young brothers wait. See `alpha_beta.rs`.
//! This is DUAL* in parallel by hashing instead of lists, which Marsland (1991, section 4.3) calls
//! not fully exploited: the memory is a table, or where none is asked for a stored search tree.

use super::SchemeMemory;
use super::alpha_beta::{Policy, RootSearch};
use crate::prelude::*;

scheme! {
    /// Dual-2 that shares the siblings of a first child once that has been searched.
    YbwDual2: Policy::YOUNG_BROTHERS_WAIT.driven_by(RootSearch::Dual2),
    SchemeMemory::AllNodes,
    CatalogueEntry {
        id: "ybw-dual-2",
        usage: "ybw-dual-2:N",
        name: "YBW Dual-2(N)",
        about: "Dual-2 by N threads: young brothers wait for the eldest, then are shared",
        paper: "Feldmann and others 1990; de Bruin, Pijls and Plaat 1994",
        examples: &["ybw-dual-2:1", "ybw-dual-2:2"],
        serial: Some("dual-2"),
        needs_memory: true,
        ..CatalogueEntry::SERIAL
    },
}
