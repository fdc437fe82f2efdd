//! ABDADA (Weill 1996), as Kerrigan simplified it: all processors search the root, each by itself, and
//! share nothing but a memory.
//!
//! At every node the first child is searched at once. A sibling that another processor is searching is
//! put off until the others have been searched. By then the memory may well answer for it; if not,
//! it is searched all the same. So no processor ever waits, and a slow one does not keep the others
//! from their work. The first that knows the value ends the search.
//!
//! Two or more processors have a memory even where none is asked for, as with `--memory none`: a stored
//! search tree that keeps the bounds of the nodes high enough for a processor, and their counts are
//! those of a search with a memory. One alone is plain PVS and keeps nothing.

use super::SchemeMemory;
use super::alpha_beta::Policy;
use crate::prelude::*;

scheme! {
    /// ABDADA: PVS by all processors on one memory; each puts off what another is searching.
    Abdada: Policy::ABDADA,
    SchemeMemory::SharedNodes,
    CatalogueEntry {
        id: "abdada",
        usage: "abdada:N",
        name: "ABDADA(N)",
        about: "PVS by N threads on one memory, a table or a stored tree: a sibling that another searches is put off",
        paper: "Weill 1996",
        examples: &["abdada:1", "abdada:2"],
        serial: Some("pvs"),
        ..CatalogueEntry::SERIAL
    },
}
