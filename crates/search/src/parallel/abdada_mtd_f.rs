//! MTD(f) by several processors in the manner of ABDADA. See `abdada.rs`.

use super::SchemeMemory;
use super::alpha_beta::{Policy, RootSearch};
use crate::prelude::*;

scheme! {
    /// MTD(f) by all processors on one memory; each puts off what another is searching.
    AbdadaMtdF: Policy::ABDADA.driven_by(RootSearch::MtdF),
    SchemeMemory::AllNodes,
    CatalogueEntry {
        id: "abdada-mtd-f",
        usage: "abdada-mtd-f:N",
        name: "ABDADA MTD(f,N)",
        about: "MTD(f) by N threads on one memory: a sibling that another searches is put off",
        paper: "Weill 1996; Plaat, Schaeffer, Pijls and de Bruin 1994",
        examples: &["abdada-mtd-f:1", "abdada-mtd-f:2"],
        serial: Some("mtd-f"),
        needs_memory: true,
        guesses: true,
        ..CatalogueEntry::SERIAL
    },
}
