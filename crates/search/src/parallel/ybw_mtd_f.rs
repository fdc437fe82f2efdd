//! MTD(f) by several processors, with young brothers wait. See `alpha_beta.rs`.

use super::SchemeMemory;
use super::alpha_beta::{Policy, RootSearch};
use crate::prelude::*;

scheme! {
    /// MTD(f) that shares the siblings of a first child once that has been searched.
    YbwMtdF: Policy::YOUNG_BROTHERS_WAIT.driven_by(RootSearch::MtdF),
    SchemeMemory::AllNodes,
    CatalogueEntry {
        id: "ybw-mtd-f",
        usage: "ybw-mtd-f:N",
        name: "YBW MTD(f,N)",
        about: "MTD(f) by N threads: young brothers wait for the eldest, then are shared",
        paper: "Feldmann and others 1990; Plaat, Schaeffer, Pijls and de Bruin 1994",
        examples: &["ybw-mtd-f:1", "ybw-mtd-f:2"],
        serial: Some("mtd-f"),
        needs_memory: true,
        guesses: true,
        ..CatalogueEntry::SERIAL
    },
}
