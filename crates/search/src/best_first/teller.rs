//! The story of a best-first search: which state is taken from OPEN, and what is done with it.

use super::solution_tree::Min;
use crate::{Event, OpenState, Place, Probe, Search, Setting, Status};
use plyground_core::value::Value;

/// Whose nodes are the operator's MAX nodes.
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

/// Tells the story of the states taken from OPEN; nothing at all when nobody listens.
#[derive(Clone, Copy)]
pub(crate) struct Teller {
    side: Side,
}

impl Teller {
    pub(crate) const fn of(side: Side) -> Teller {
        Teller { side }
    }

    #[inline]
    fn taken<S: Setting>(
        self,
        search: &mut Search<'_, S>,
        (mark, child): (<S::Probe as Probe>::Mark, Option<usize>),
        status: Status,
        merit: Value,
        action: &'static str,
    ) {
        let merit = self.side.for_mover(merit);
        let state = OpenState { mark, child, status, merit, active: true };
        search.tell(mark, || Event::Taken { state, action });
    }

    #[inline]
    pub(crate) fn live<S: Setting>(
        self,
        search: &mut Search<'_, S>,
        n: &Place<S>,
        merit: Value,
        action: &'static str,
    ) {
        self.taken(search, (n.mark, None), Status::Live, merit, action);
    }

    #[inline]
    pub(crate) fn solved_max<S: Setting>(
        self,
        search: &mut Search<'_, S>,
        min: &Min<S>,
        merit: Value,
        goes_on: bool,
    ) {
        let action = if goes_on { "push its brother" } else { "its parent is SOLVED" };
        self.taken(search, (min.n.mark, Some(min.brother)), Status::Solved, merit, action);
    }

    pub(crate) fn solved_root<S: Setting>(self, search: &mut Search<'_, S>, merit: Value) {
        let root = search.probe.root();
        self.taken(search, (root, None), Status::Solved, merit, "the search ends");
    }

    #[inline]
    pub(crate) fn solved_min<S: Setting>(
        self,
        search: &mut Search<'_, S>,
        parent: &Place<S>,
        child: usize,
        merit: Value,
        action: &'static str,
    ) {
        self.taken(search, (parent.mark, Some(child)), Status::Solved, merit, action);
    }
}
