//! Hsu's scheme for a thousand processors (1990), as far as Marsland's survey (1991, sections 4.2 and
//! 4.4) tells it: the tree is split down to a *common depth*, below which each processor searches alone.
//!
//! The common depth is the least height of a node that may be shared, the spawn height. Above it the
//! minimal tree decides what may start when: at an ALL node all children at once, at the others only
//! when the first child has been searched. The survey tells no more, and gives the prediction of a
//! 350-fold speed-up on 1,000 processors; that machine's processors were chips that searched the last
//! plies in hardware.

use super::SchemeMemory;
use super::alpha_beta::{NodeKind, Owner, Policy};
use crate::prelude::*;

scheme! {
    /// Hsu: PVS that shares ALL nodes at once and others after their first child, down to a common depth.
    Hsu: Policy {
        may_share: |candidate| candidate.kind == NodeKind::All || candidate.searched > 0,
        owner: Owner::Leaves,
        ..Policy::PVS
    },
    SchemeMemory::Nothing,
    CatalogueEntry {
        id: "hsu",
        usage: "hsu:N",
        name: "Hsu(N)",
        about: "PVS by N threads down to a common depth: children of ALL nodes start at once",
        paper: "Hsu 1990, as told by Marsland 1991, sections 4.2 and 4.4",
        examples: &["hsu:1", "hsu:2"],
        serial: Some("pvs"),
        ..CatalogueEntry::SERIAL
    },
}
