//! Lazy SMP, which today's engines use: all processors search the root, each by itself, and share nothing
//! but a memory, without even saying what they search.
//!
//! In an engine the processors drift apart by chance and by searching to different depths. Here every
//! search is to the same depth, so that the value is that of the depth: processors other than the first
//! take the younger siblings in an order of their own, turned by an amount that depends on the processor
//! and the ply. What one has searched, the memory answers for when another comes to it.

use super::SchemeMemory;
use super::alpha_beta::{Independence, Policy};
use crate::prelude::*;

scheme! {
    /// Lazy SMP: PVS by all processors on one memory, each in an order of its own.
    LazySmp: Policy { independence: Independence::OwnOrder, ..Policy::PVS },
    SchemeMemory::SharedNodes,
    CatalogueEntry {
        id: "lazy-smp",
        usage: "lazy-smp:N",
        name: "Lazy SMP(N)",
        about: "PVS by N threads that share a memory and nothing else, each in an order of its own",
        paper: "the practice of today's engines; Marsland 1991, section 4.3, on shared tables",
        examples: &["lazy-smp:1", "lazy-smp:2"],
        serial: Some("pvs"),
        ..CatalogueEntry::SERIAL
    },
}
