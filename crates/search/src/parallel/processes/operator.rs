//! The operator: what a process does with the first state of its OPEN. The rules have the numbers
//! of PS*'s, in `best_first/operator.rs`.

use super::TRACE;
use super::process::{Process, Turn};
use crate::best_first::frames::FrameId;
use crate::best_first::merits::NOTHING;
use crate::best_first::operator::solved_leaf;
use crate::best_first::slot::SlotState;
use crate::prelude::*;
use crate::trace::Event;

impl<T: GameTree, M: Mode> Process<T, M> {
    /// Rules 1 and 2 for a LIVE MIN node: the next unopened slot of the frame, or the given one.
    pub(super) fn live_min(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        id: FrameId,
        slot: Option<usize>,
        low: Value,
    ) -> Result<(), Stop> {
        let frame = self.tree.frame(id);
        let hi = frame.high;
        let child = frame.child_of(slot.unwrap_or(frame.opened()));
        let n = self.tree.child_of_max(turn.search, id, &self.tree.max(id), child);
        let Some(children) = turn.search.generate(&n) else {
            TRACE.live(turn.search, &n, hi, "evaluate");
            let merit = (-turn.leaf(&n)?).min(hi).max(low);
            match slot {
                None => _ = self.tree.frames.open(id, SlotState::SolvedMin, merit),
                Some(slot) => self.tree.frames.set(id, slot, SlotState::SolvedMin, merit),
            }
            return Ok(());
        };
        let first = turn.search.child(&n, &children, 0);
        let grandchildren = turn.search.generate(&first);
        if self.is_too_wide(turn, grandchildren.as_ref()) {
            turn.search.emit(&n, || Event::Activity { active: false });
            self.open(id, slot, (SlotState::LiveMin(hi), NOTHING), &n, &children);
            self.may_share = true;
            return Ok(());
        }
        TRACE.live(turn.search, &n, hi, "push its first child");
        turn.search.count_expansion(&n, children.len())?;
        let slot = self.open(id, slot, (SlotState::SolvedMax, hi), &n, &children);
        self.live_max(turn, id, slot, (first, grandchildren), hi, low)
    }

    /// Stores an expanded MIN node: in the next unopened slot, or in the slot that it has.
    fn open(
        &mut self,
        id: FrameId,
        slot: Option<usize>,
        (state, merit): (SlotState, Value),
        n: &SearchNode<T, M>,
        children: &Children<T, M>,
    ) -> usize {
        let slot = match slot {
            None => self.tree.frames.open(id, state, merit),
            Some(slot) => {
                self.tree.frames.set(id, slot, state, merit);
                slot
            }
        };
        self.tree.set_min(id, slot, n, children);
        slot
    }

    /// Rules 1 and 2 for the LIVE MAX node `n` of a slot. An interior node is expanded without a
    /// test; a leaf is put back if no more may be evaluated.
    #[inline]
    fn live_max(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        id: FrameId,
        slot: usize,
        (n, grandchildren): (SearchNode<T, M>, Option<Children<T, M>>),
        hi: Value,
        low: Value,
    ) -> Result<(), Stop> {
        if let Some(grandchildren) = grandchildren {
            TRACE.live(turn.search, &n, hi, "push its partition");
            turn.search.count_expansion(&n, grandchildren.len())?;
            let (height, size) = (n.height, turn.settings.partitions.size(grandchildren.len(), 0));
            let below = self.tree.push((id, slot), &n, &grandchildren, hi, size);
            return self.enter(turn, below, height);
        }
        if turn.leaves == 0 {
            self.tree.frames.set(id, slot, SlotState::LiveMax(hi), hi);
            return Ok(());
        }
        TRACE.live(turn.search, &n, hi, "evaluate");
        let s = turn.leaf(&n)?.min(hi);
        if s < hi {
            self.tree.set_answer(id, slot);
        }
        let (state, merit) = solved_leaf(s, low);
        self.tree.frames.set(id, slot, state, merit);
        Ok(())
    }

    /// Makes a frame that was pushed for a MAX node of this height the current one.
    #[inline]
    pub(super) fn enter(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        below: FrameId,
        height: u32,
    ) -> Result<(), Stop> {
        self.descend(below);
        if height > turn.settings.spawn_height {
            self.note_shareable(below);
        }
        self.note_unstarted(below);
        self.count(turn)
    }

    /// Notes that a frame has a partition that was not started, if it has.
    #[inline]
    fn note_unstarted(&mut self, id: FrameId) {
        if self.tree.frame(id).has_partition_left() {
            self.unstarted.note(&self.tree.frames, id);
        }
    }

    /// Rules 1 and 2 for a node that was INACTIVE, or a leaf that was put back, and is the best
    /// again: it expands without the test, if M is enough by the formula.
    pub(super) fn expand_reactivated(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        id: FrameId,
        slot: usize,
        state: SlotState,
        low: Value,
    ) -> Result<(), Stop> {
        let hi = self.tree.frames.merit(id, slot);
        let min = self.tree.min(turn.search, id, slot);
        let min = min.expect("only interior MIN nodes become INACTIVE");
        if matches!(state, SlotState::LiveMin(_)) {
            turn.search.count_expansion(&min.n, min.width)?;
        }
        let n = self.tree.child_of_min(turn.search, &min, min.child);
        let grandchildren = turn.search.generate(&n);
        if self.is_too_wide(turn, grandchildren.as_ref()) && !self.may_exceed(turn) {
            return Err(self.locked(turn));
        }
        self.live_max(turn, id, slot, (n, grandchildren), hi, low)
    }

    /// Rule 3.
    pub(super) fn solved_max(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        id: FrameId,
        slot: usize,
        low: Value,
    ) -> Result<(), Stop> {
        let hi = self.tree.frames.merit(id, slot);
        let Some(min) = self.tree.min(turn.search, id, slot) else {
            // The process's own node: the MIN node above it is SOLVED too.
            self.tree.frames.set(id, slot, SlotState::SolvedMin, hi);
            return Ok(());
        };
        let child = min.child + 1;
        let goes_on = hi > low && child < min.width;
        TRACE.solved_max(turn.search, &min, hi, goes_on);
        if !goes_on {
            self.tree.solve_min(id, slot, hi);
            return Ok(());
        }
        let next = self.tree.child_of_min(turn.search, &min, child);
        self.tree.set_child(id, slot, child);
        let grandchildren = turn.search.generate(&next);
        if self.is_too_wide(turn, grandchildren.as_ref()) {
            turn.search.emit(&next, || Event::Activity { active: false });
            self.tree.frames.deactivate(id, slot, SlotState::LiveMax(hi));
            return Ok(());
        }
        self.live_max(turn, id, slot, (next, grandchildren), hi, low)
    }

    /// Rule 4, which comes after the delegated and INACTIVE states below the parent; `true` if the
    /// process must wait for those.
    pub(super) fn solved_min(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        id: FrameId,
        slot: usize,
    ) -> Result<bool, Stop> {
        let top = self.path.len() - 1;
        let hi = self.tree.frames.merit(id, slot);
        let child = match self.tree.frames.state(id, slot) {
            SlotState::Returned(child) => child as usize,
            _ => self.tree.frame(id).child_of(slot),
        };
        let low = self.path[top].1.max(hi);
        if top == 1 && hi > self.path[top].1 {
            self.best = child;
            if self.entry.is_first() {
                turn.search.best = Some(self.tree.move_of_max(turn.search, id, child));
                turn.search.narrow_root(Bounds { lower: hi, ..Bounds::UNKNOWN });
            }
        }
        let others_are_left = self.kill_no_better(turn, id, low);
        if turn.settings.is_bounded() {
            self.tree.frames.drop_no_better(id, Some(slot), hi);
            if let Some((y, slot)) = self.tree.frames.deepest_inactive(id) {
                self.reactivate(turn, y, slot);
                return Ok(false);
            }
        }
        if others_are_left {
            // States with no more merit are of no use, whatever the others find.
            if turn.settings.is_phased() {
                self.tree.frame_mut(id).low = low;
                self.path[top].1 = low;
            } else {
                self.tree.frames.drop_no_better(id, Some(slot), hi);
            }
            self.waits = Some((id, low));
            turn.search.emit_at_root(|| Event::Waits);
            return Ok(true);
        }
        if turn.search.is_watched() {
            let max = self.tree.max(id);
            TRACE.solved_min(turn.search, &max, child, hi, "raise low of its parent");
        }
        self.tree.frames.remove(id, slot);
        let frame = self.tree.frame_mut(id);
        frame.low = low;
        let high = frame.high;
        self.path[top].1 = low;
        if low >= high || turn.settings.is_bounded() {
            self.tree.decide(turn.search, id, child);
        }
        if low >= high {
            self.close(turn, id, high);
        } else if let Some(x) = self.tree.frames.last_resumable_below(id, low) {
            self.resume(turn, x)?;
        } else if self.tree.frame(id).has_partition_left() {
            self.resume(turn, id)?;
        } else {
            self.close(turn, id, low);
        }
        Ok(false)
    }

    /// Makes the current MAX node SOLVED.
    fn close(&mut self, turn: &mut Turn<'_, '_, T, M>, id: FrameId, merit: Value) {
        self.tree.record_decisions(id, turn.search);
        self.tree.solve(id, merit);
        self.path.pop();
    }

    /// Pushes the next partition of a frame.
    fn resume(&mut self, turn: &mut Turn<'_, '_, T, M>, x: FrameId) -> Result<(), Stop> {
        let frame = self.tree.frame(x);
        let (width, merit) = (frame.width as usize, frame.high);
        let size = turn.settings.partitions.size(width, frame.next_partition());
        let max = self.tree.max(x);
        let height = max.height;
        turn.search.emit(&max, || Event::Resumed { merit });
        if height > turn.settings.spawn_height {
            self.note_shareable(x);
        }
        self.tree.record_decisions(x, turn.search);
        self.tree.resume(x, size);
        // The new states may have more merit than any other: start from the top again.
        self.tree.frames.report_up_to_top(x);
        self.path.truncate(1);
        self.count(turn)
    }
}
