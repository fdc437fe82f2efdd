//! Dual-2 by several processors in the manner of ABDADA. See `abdada.rs`.
//! This is DUAL* in parallel by hashing instead of lists, which Marsland (1991, section 4.3) calls
//! not fully exploited: the memory is a table, or where none is asked for a stored search tree.

use super::SchemeMemory;
use super::alpha_beta::{Policy, RootSearch};
use crate::prelude::*;

scheme! {
    /// Dual-2 by all processors on one memory; each puts off what another is searching.
    AbdadaDual2: Policy::ABDADA.driven_by(RootSearch::Dual2),
    SchemeMemory::AllNodes,
    CatalogueEntry {
        id: "abdada-dual-2",
        usage: "abdada-dual-2:N",
        name: "ABDADA Dual-2(N)",
        about: "Dual-2 by N threads on one memory: a sibling that another searches is put off",
        paper: "Weill 1996; de Bruin, Pijls and Plaat 1994",
        examples: &["abdada-dual-2:1", "abdada-dual-2:2"],
        serial: Some("dual-2"),
        needs_memory: true,
        ..CatalogueEntry::SERIAL
    },
}
