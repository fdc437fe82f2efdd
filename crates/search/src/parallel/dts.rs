//! Dynamic splitting (Schaeffer 1989; Hyatt, Suter and Nelson 1989): processors are re-allocated to
//! wherever a node looks like an ALL node, at which every child has to be searched.
//!
//! A node looks like one if it is expected to be ALL, or is on the principal variation, and its first
//! child has been searched; a node expected to be CUT does so when three children have not cut off. Of
//! such nodes anywhere in the tree, a free processor goes by kind first and by height second. Nobody
//! waits: a processor that finds no child left at its own node leaves its stack there, and the last one
//! that finishes takes it over.

use super::SchemeMemory;
use super::alpha_beta::{NodeKind, Owner, Policy};
use crate::prelude::*;

/// A CUT node looks like an ALL node when this many of its children have not cut off.
const CUT_CHILDREN: usize = 3;

/// More than any height: it parts ranks by the kind of node.
const KINDS: u32 = 1 << 16;

impl Policy {
    /// Dynamic splitting: PVS that shares nodes that look like ALL nodes.
    pub(crate) const DYNAMIC_SPLITTING: Policy = Policy {
        may_share: |candidate| match candidate.kind {
            NodeKind::Pv | NodeKind::All => candidate.searched > 0,
            NodeKind::Cut => candidate.searched >= CUT_CHILDREN,
        },
        rank: |candidate| match candidate.kind {
            NodeKind::All => 2 * KINDS + candidate.height,
            NodeKind::Pv => KINDS + candidate.height,
            NodeKind::Cut => candidate.height,
        },
        owner: Owner::Leaves,
        ..Policy::PVS
    };
}

scheme! {
    /// Dynamic splitting: PVS that shares nodes that look like ALL nodes, anywhere in the tree.
    Dts: Policy::DYNAMIC_SPLITTING,
    SchemeMemory::Nothing,
    CatalogueEntry {
        id: "dts",
        usage: "dts:N",
        name: "DTS(N)",
        about: "PVS by N threads: nodes that look like ALL nodes are shared, and nobody waits",
        paper: "Schaeffer 1989; Hyatt, Suter and Nelson 1989; Marsland 1991, section 4.3",
        examples: &["dts:1", "dts:2"],
        serial: Some("pvs"),
        ..CatalogueEntry::SERIAL
    },
}
