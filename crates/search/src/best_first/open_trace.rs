//! The trace of a best-first search: each state that is taken from OPEN, and what is done with it.

use super::solution_tree::MinNode;
use crate::prelude::*;
use crate::trace::{Event, OpenState, OpenStatus};

/// The side whose nodes are the operator's MAX nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The root's mover: SSS*, PS*.
    Max,
    /// The opponent: DUAL*.
    Min,
}

impl Side {
    /// A value of the operator's MAX player, for the root's mover.
    pub(crate) fn for_mover(self, value: Value) -> Value {
        match self {
            Side::Max => value,
            Side::Min => -value,
        }
    }
}

/// Reports the states taken from OPEN to a watch; without one it does nothing.
#[derive(Clone, Copy)]
pub(crate) struct OpenTrace {
    side: Side,
}

impl OpenTrace {
    pub(crate) const fn of(side: Side) -> OpenTrace {
        OpenTrace { side }
    }

    #[inline]
    fn taken<T: GameTree, M: Mode>(
        self,
        search: &mut Search<'_, T, M>,
        (path, child): (u32, Option<usize>),
        status: OpenStatus,
        merit: Value,
        action: &'static str,
    ) {
        let merit = self.side.for_mover(merit);
        let state = OpenState { path, child, status, merit, active: true };
        search.mode.emit(path, || Event::Taken { state, action });
    }

    #[inline]
    pub(crate) fn live<T: GameTree, M: Mode>(
        self,
        search: &mut Search<'_, T, M>,
        n: &SearchNode<T, M>,
        merit: Value,
        action: &'static str,
    ) {
        self.taken(search, (M::path(n.tag), None), OpenStatus::Live, merit, action);
    }

    #[inline]
    pub(crate) fn solved_max<T: GameTree, M: Mode>(
        self,
        search: &mut Search<'_, T, M>,
        min: &MinNode<T, M>,
        merit: Value,
        goes_on: bool,
    ) {
        let action = if goes_on { "push its sibling" } else { "its parent is SOLVED" };
        self.taken(
            search,
            (M::path(min.n.tag), Some(min.child)),
            OpenStatus::Solved,
            merit,
            action,
        );
    }

    pub(crate) fn solved_root<T: GameTree, M: Mode>(
        self,
        search: &mut Search<'_, T, M>,
        merit: Value,
    ) {
        self.taken(search, (0, None), OpenStatus::Solved, merit, "the search ends");
    }

    #[inline]
    pub(crate) fn solved_min<T: GameTree, M: Mode>(
        self,
        search: &mut Search<'_, T, M>,
        parent: &SearchNode<T, M>,
        child: usize,
        merit: Value,
        action: &'static str,
    ) {
        self.taken(search, (M::path(parent.tag), Some(child)), OpenStatus::Solved, merit, action);
    }
}
