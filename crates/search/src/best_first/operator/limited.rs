//! What the operator does where memory is limited: stages, INACTIVE states, and searches depth-first below
//! what does not fit.

use super::{Lists, NextStep, Operator};
use crate::best_first::capacity::WhenFull;
use crate::best_first::frames::{FrameId, TOP};
use crate::best_first::merits::NOTHING;
use crate::best_first::slot::SlotState;
use crate::depth_first::alpha_beta;
use crate::outcome::MemoryLock;
use crate::prelude::*;
use crate::trace::Event;

impl<T: GameTree, M: Mode> Operator<'_, '_, T, M> {
    /// What MAX has for certain, whatever the current state is worth: the best of the SOLVED MIN nodes whose
    /// parents are above it.
    pub(super) fn solved_elsewhere(&self) -> Value {
        let mut most = self.low;
        for &(id, low) in &self.path {
            most = most.max(low);
            for slot in 0..self.tree.frame(id).opened() {
                if self.tree.frames.state(id, slot) == SlotState::SolvedMin {
                    most = most.max(self.tree.frames.merit(id, slot));
                }
            }
        }
        most
    }

    /// Searches a node by the next stage, with lists of its own. The value for MAX, as far as it is between
    /// what MAX has elsewhere and `hi`; less than the former if it is no more.
    #[cold]
    pub(super) fn next_stage(
        &mut self,
        n: &SearchNode<T, M>,
        is_max: bool,
        hi: Value,
    ) -> Result<Value, Stop> {
        let stages = self.lists.stages;
        let rest = if stages.len() > 1 { &stages[1..] } else { stages };
        let lists = Lists { stages: rest, ..self.lists };
        let alpha = self.solved_elsewhere();
        let (open, backup, bytes) = self.above;
        let frames = &self.tree.frames;
        let above = (open + frames.open, backup + frames.backup, bytes + self.tree.bytes());
        let mut stage = Operator::new(self.search, n, self.side, lists, (hi, alpha));
        stage.above = above;
        let value = stage.solve(n, is_max)?;
        // Another state is worth alpha, and must be the first of OPEN before this one.
        Ok(if value <= alpha { alpha - 1 } else { value })
    }

    /// Searches a node by alpha-beta, for want of memory. The value for MAX, as far as it is between what
    /// MAX has elsewhere and `hi`; less than the former if it is no more.
    #[cold]
    pub(super) fn depth_first(
        &mut self,
        n: &SearchNode<T, M>,
        is_max: bool,
        hi: Value,
    ) -> Result<Value, Stop> {
        let alpha = self.solved_elsewhere();
        let window = Window::new(alpha, hi);
        let value = match is_max {
            true => alpha_beta(self.search, n, window)?,
            false => -alpha_beta(self.search, n, window.flip())?,
        };
        // Another state is worth alpha, and must be the first of OPEN before this one.
        Ok(if value <= alpha && n.ply > 0 { alpha - 1 } else { value.min(hi) })
    }

    /// What to do with the next LIVE MIN node of a frame, whose grandchildren do not fit: it becomes
    /// INACTIVE or is searched depth-first.
    #[cold]
    pub(super) fn no_room_for_min(
        &mut self,
        id: FrameId,
        n: &SearchNode<T, M>,
        children: &Children<T, M>,
        hi: Value,
    ) -> Result<NextStep, Stop> {
        match self.lists.capacity.when_full() {
            WhenFull::Deactivate => {
                self.search.emit(n, || Event::Activity { active: false });
                let slot = self.tree.frames.open(id, SlotState::LiveMin(hi), NOTHING);
                self.tree.set_min(id, slot, n, children);
            }
            WhenFull::SearchDepthFirst => {
                let merit = self.depth_first(n, false, hi)?;
                self.tree.frames.open(id, SlotState::SolvedMin, merit);
            }
        }
        Ok(NextStep::Find)
    }

    /// Is M enough by the formula?
    pub(super) fn may_be_exceeded(&self) -> bool {
        self.lists.capacity.may_be_exceeded(self.search.depth)
    }

    /// Makes the deepest INACTIVE state ACTIVE, where no state is.
    pub(super) fn reactivate_deepest(&mut self) -> Result<(), Stop> {
        match self.tree.frames.deepest_inactive(TOP) {
            Some((id, slot)) if self.may_be_exceeded() => {
                self.reactivate(id, slot);
                Ok(())
            }
            _ => Err(self.locked()),
        }
    }

    /// Makes an INACTIVE state ACTIVE again.
    pub(super) fn reactivate(&mut self, id: FrameId, slot: usize) {
        if self.search.is_watched()
            && let Some(min) = self.tree.min(self.search, id, slot)
        {
            self.search.emit(&min.n, || Event::Activity { active: true });
        }
        self.tree.frames.reactivate(id, slot);
        self.tree.frames.report_up_to_top(id);
        self.path.truncate(1);
    }

    /// Rules 1 and 2 for a state that was INACTIVE and is the best again: it expands without the
    /// test, if M is enough by the formula.
    pub(super) fn expand_reactivated(
        &mut self,
        id: FrameId,
        slot: usize,
        low: Value,
    ) -> Result<NextStep, Stop> {
        self.emit_open();
        let hi = self.tree.frames.merit(id, slot);
        let min = self.tree.min(self.search, id, slot);
        let min = min.expect("only interior MIN nodes become INACTIVE");
        if self.tree.frames.slot(id, slot).is_live_min() {
            self.search.count_expansion(&min.n, min.width)?;
        }
        let n = self.tree.child_of_min(self.search, &min, min.child);
        let Some(grandchildren) = self.generate(&n) else {
            self.trace().live(self.search, &n, hi, "evaluate");
            let s = self.leaf(&n, true, hi)?;
            self.set_solved(id, slot, s, (hi, low));
            return Ok(NextStep::Find);
        };
        let fits = self.lists.capacity.fits(self.tree.frames.open, grandchildren.len());
        if !fits && !self.may_be_exceeded() {
            return Err(self.locked());
        }
        self.search.count_expansion(&n, grandchildren.len())?;
        self.expand_max(id, slot, (n, grandchildren), hi)
    }

    /// Ends the search with a memory lock.
    pub(super) fn locked(&mut self) -> Stop {
        let capacity = &self.lists.capacity;
        let lock = MemoryLock {
            entries: capacity.entries(),
            held: self.tree.frames.open,
            inactive: self.tree.frames.inactive(TOP),
            width: capacity.widest(),
            depth: self.search.depth,
            least: capacity.least(self.search.depth),
        };
        self.search.failure = Some(lock.into());
        Stop::Locked
    }
}
