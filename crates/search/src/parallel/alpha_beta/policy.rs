//! What a scheme of parallel alpha-beta decides: everything else is the same for all of them.

use super::root_calls::RootSearch;

/// What kind of node a node is expected to be (Marsland and Popowich 1985): PV nodes are searched with
/// an open window; at a CUT node one child is likely to cut off; at an ALL node every child has to be
/// searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Pv,
    Cut,
    All,
}

impl NodeKind {
    /// The kind of child `number` in the order of search.
    #[inline]
    pub(crate) fn child(self, number: usize) -> NodeKind {
        match self {
            NodeKind::Pv if number == 0 => NodeKind::Pv,
            NodeKind::Pv | NodeKind::All => NodeKind::Cut,
            NodeKind::Cut => NodeKind::All,
        }
    }
}

/// A node in somebody's stack that might be shared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) height: u32,
    pub(crate) kind: NodeKind,
    /// Is it on the leftmost path of the tree?
    pub(crate) left: bool,
    /// How many of its children have been searched completely.
    pub(crate) searched: usize,
}

/// What a processor does that has no child left at a node it shares, while others still work there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::parallel) enum Owner {
    /// It waits.
    Waits,
    /// It helps, but only below that node (the *helpful master*): no work there takes longer than the
    /// wait itself.
    HelpsBelow,
    /// It leaves its stack there and is free for any work. The last to finish continues.
    Leaves,
}

/// Who may take a child of a shared node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::parallel) enum Helpers {
    /// Any free processor.
    Anyone,
    /// Those that the owner has in reserve. At the beginning the first processor has all others.
    Reserve {
        /// Does a processor that finds no child left help those that still work at the node? If not,
        /// it waits until the node is done.
        reallocated: bool,
    },
}

/// What is searched before anything else at a node whose value is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::parallel) enum Mandatory {
    Nothing,
    /// The first child, and the first child of each other child.
    LeftChild,
    /// The first child of each child.
    ElderGrandchildren,
}

/// How processors that search the whole tree, each by itself, keep out of each other's way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::parallel) enum Independence {
    /// They share nodes instead.
    None,
    /// A sibling that another processor searches is put off (ABDADA).
    PutsOff,
    /// Each takes the younger siblings in an order of its own (lazy SMP).
    OwnOrder,
    /// Each has a window of its own (parallel aspiration).
    OwnWindow,
}

/// A scheme of parallel alpha-beta.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policy {
    /// Are younger siblings first searched with a null window, as in PVS?
    pub(in crate::parallel) null_windows: bool,
    /// The calls of the root.
    pub(in crate::parallel) root: RootSearch,
    pub(in crate::parallel) independence: Independence,
    /// May the rest of this node's children be shared?
    pub(crate) may_share: fn(&Candidate) -> bool,
    /// Nodes at this ply and below are not shared.
    pub(in crate::parallel) common_depth: u32,
    /// Of the nodes that have children to give away, a free processor goes to one with the highest rank.
    pub(crate) rank: fn(&Candidate) -> u32,
    pub(in crate::parallel) owner: Owner,
    pub(in crate::parallel) helpers: Helpers,
    pub(in crate::parallel) mandatory: Mandatory,
}

impl Policy {
    /// PVS that shares nothing.
    pub(in crate::parallel) const PVS: Policy = Policy {
        null_windows: true,
        root: RootSearch::Once,
        independence: Independence::None,
        may_share: |_| false,
        common_depth: u32::MAX,
        rank: |candidate| candidate.height,
        owner: Owner::HelpsBelow,
        helpers: Helpers::Anyone,
        mandatory: Mandatory::Nothing,
    };

    /// Alpha-beta that shares nothing.
    pub(in crate::parallel) const ALPHA_BETA: Policy =
        Policy { null_windows: false, ..Policy::PVS };

    /// Young brothers wait: the siblings of a first child that has been searched, at any node.
    pub(crate) const YOUNG_BROTHERS_WAIT: Policy =
        Policy { may_share: |candidate| candidate.searched > 0, ..Policy::PVS };

    /// ABDADA: all search the root, and put off what another searches.
    pub(in crate::parallel) const ABDADA: Policy =
        Policy { independence: Independence::PutsOff, ..Policy::PVS };

    /// The same scheme below another sequence of root calls: the memory test with null windows.
    pub(in crate::parallel) const fn driven_by(self, root: RootSearch) -> Policy {
        Policy { root, null_windows: false, ..self }
    }
}
