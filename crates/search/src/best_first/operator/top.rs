//! The operator at the top of its tree: the root, and DUAL*'s MIN node there.

use super::{NextStep, Operator};
use crate::best_first::frames::TOP;
use crate::best_first::open_trace::Side;
use crate::best_first::slot::SlotState;
use crate::prelude::*;

impl<T: GameTree, M: Mode> Operator<'_, '_, T, M> {
    /// Rule 3 at the top: DUAL*'s root goes on with its next child; the root of SSS* or PS* is SOLVED.
    pub(super) fn solved_max_at_top(&mut self, low: Value) -> Result<NextStep, Stop> {
        let hi = self.tree.frames.merit(TOP, 0);
        let Some(min) = self.tree.min(self.search, TOP, 0) else {
            self.tree.frames.set(TOP, 0, SlotState::SolvedMin, hi);
            return Ok(NextStep::Find);
        };
        if self.ply == 0 && -hi > self.root_lower {
            // This child of the root has the least merit so far.
            self.root_lower = -hi;
            self.search.best = Some(self.tree.move_of_min(self.search, &min, min.child));
        }
        let child = min.child + 1;
        let goes_on = hi > low && child < min.width;
        self.trace().solved_max(self.search, &min, hi, goes_on);
        if !goes_on {
            self.tree.frames.set(TOP, 0, SlotState::SolvedMin, hi);
            return Ok(NextStep::Find);
        }
        let n = self.tree.child_of_min(self.search, &min, child);
        self.tree.set_child(TOP, 0, child);
        if let Some(grandchildren) = self.generate(&n) {
            return self.next_interior(TOP, 0, (n, grandchildren), (hi, low));
        }
        self.trace().live(self.search, &n, hi, "evaluate");
        let s = self.leaf(&n, true, hi)?;
        self.set_solved(TOP, 0, s, (hi, low));
        Ok(NextStep::Find)
    }

    /// Keeps the bounds on the root's value that the lists imply, when the search is stopped.
    pub(super) fn report_bounds(&mut self) {
        let upper = match (self.side, self.tree.frames.state(TOP, 0)) {
            (Side::Max, SlotState::Expanded(root)) => self.tree.frames.upper_bound(root, -INFINITY),
            _ => INFINITY,
        };
        self.search.narrow_root(Bounds { lower: self.root_lower, upper });
    }
}
