//! Young brothers wait (Feldmann, Monien, Mysliwietz and Vornberger 1989): at any node, once the first
//! child has been searched, its siblings may be shared with processors that have no work. The first
//! child often cuts off, and then nothing else needs to be searched. A processor that waits for its
//! helpers helps below the node it shares (the *helpful master*).

use super::SchemeMemory;
use super::alpha_beta::Policy;
use crate::prelude::*;

scheme! {
    /// Young brothers wait: PVS that shares the siblings of a first child once that has been searched.
    Ybw: Policy::YOUNG_BROTHERS_WAIT,
    SchemeMemory::Nothing,
    CatalogueEntry {
        id: "ybw",
        usage: "ybw:N",
        name: "YBW(N)",
        about: "PVS by N threads: young brothers wait for the eldest, then are shared",
        paper: "Feldmann, Monien, Mysliwietz and Vornberger 1990; Marsland 1991, section 5",
        examples: &["ybw:1", "ybw:2"],
        serial: Some("pvs"),
        ..CatalogueEntry::SERIAL
    },
}
