//! The operator: what a process does with the state that stands first on its OPEN. The rules are
//! numbered as those of PS*.

use super::TRACE;
use super::process::{Process, Turn};
use crate::best_first::frames::FrameId;
use crate::best_first::operator::solved_leaf;
use crate::best_first::solution_tree::{Min, SolutionTree};
use crate::best_first::winner_tree::{NOTHING, State};
use crate::prelude::*;
use crate::trace::Event;

impl<T: GameTree, M: Mode> Process<T, M> {
    /// Rules 1 and 2 for a LIVE MIN node: the next fresh child of the block, or the one at a slot.
    pub(super) fn live_min(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        block: FrameId,
        slot: Option<usize>,
        low: Value,
    ) -> Result<(), Stop> {
        let b = self.tree.frame(block);
        let hi = b.high;
        let child = b.child_of(slot.unwrap_or(b.opened()));
        let nodes = self.tree.nodes(block);
        let (max, children) = nodes.max.as_ref().expect("the top frame has no LIVE MIN node");
        let n = turn.search.child(max, children, child);
        let Some(children) = turn.search.generate(&n) else {
            TRACE.live(turn.search, &n, hi, "evaluate");
            let merit = (-turn.leaf(&n)?).min(hi).max(low);
            let b = self.tree.frame_mut(block);
            match slot {
                None => b.slots.open(State::SolvedMin, merit),
                Some(slot) => b.set(slot, State::SolvedMin, merit),
            }
            return Ok(());
        };
        let first = turn.search.child(&n, &children, 0);
        let sons = turn.search.generate(&first);
        if self.is_too_wide(turn, sons.as_ref()) {
            turn.search.emit(&n, || Event::Activity { active: false });
            self.open(block, slot, State::LiveMin(hi), NOTHING, Min::new(n, children));
            self.unshared = true;
            return Ok(());
        }
        TRACE.live(turn.search, &n, hi, "push its first child");
        turn.search.count_expansion(&n, children.len())?;
        let slot = self.open(block, slot, State::SolvedMax, hi, Min::new(n, children));
        self.live_max(turn, block, slot, (first, sons), hi, low)
    }

    /// A MIN node is expanded: on the next fresh slot, or on the one it stands at.
    fn open(
        &mut self,
        block: FrameId,
        slot: Option<usize>,
        state: State,
        merit: Value,
        min: Min<T, M>,
    ) -> usize {
        let (b, nodes) = self.tree.both_mut(block);
        match slot {
            None => SolutionTree::open_slot((b, nodes), state, merit, min),
            Some(slot) => {
                nodes.set_min(slot, min);
                b.set(slot, state, merit);
                slot
            }
        }
    }

    /// Rules 1 and 2 for the LIVE MAX node `n` at a slot: expanded without a test, or a leaf, which
    /// is put back if no more may be evaluated.
    #[inline]
    fn live_max(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        block: FrameId,
        slot: usize,
        (n, sons): (SearchNode<T, M>, Option<Children<T, M>>),
        hi: Value,
        low: Value,
    ) -> Result<(), Stop> {
        if let Some(sons) = sons {
            TRACE.live(turn.search, &n, hi, "push its partition");
            turn.search.count_expansion(&n, sons.len())?;
            let (height, size) = (n.height, turn.rules.partitions.size(sons.len(), 0));
            let below = self.tree.push(block, slot, (n, sons), hi, size);
            return self.enter(turn, below, height);
        }
        if turn.leaves == 0 {
            self.tree.frame_mut(block).set(slot, State::LiveMax(hi), hi);
            return Ok(());
        }
        TRACE.live(turn.search, &n, hi, "evaluate");
        let s = turn.leaf(&n)?.min(hi);
        let (b, nodes) = self.tree.both_mut(block);
        if s < hi
            && let Some(min) = nodes.min_mut(slot)
        {
            min.answer = min.child;
        }
        let (state, merit) = solved_leaf(s, low);
        b.set(slot, state, merit);
        Ok(())
    }

    /// A block has been pushed for a MAX node of this height.
    #[inline]
    pub(super) fn enter(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        below: FrameId,
        height: u32,
    ) -> Result<(), Stop> {
        self.descend(below);
        if height > turn.rules.spawn_height {
            self.note_fresh(below);
        }
        self.count(turn)
    }

    /// A node that was set aside is the best again, or a leaf that was put back: it expands without
    /// the test, if M is enough by the formula.
    pub(super) fn take_up_again(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        block: FrameId,
        slot: usize,
        state: State,
        low: Value,
    ) -> Result<(), Stop> {
        let b = self.tree.frame(block);
        let hi = b.merit(slot);
        let min = self.tree.nodes(block).min(slot).expect("only interior MIN nodes are set aside");
        if matches!(state, State::LiveMin(_)) {
            turn.search.count_expansion(&min.n, min.children.len())?;
        }
        let n = turn.search.child(&min.n, &min.children, min.child);
        let sons = turn.search.generate(&n);
        if self.is_too_wide(turn, sons.as_ref()) && !self.may_exceed(turn) {
            return Err(self.locked(turn));
        }
        self.live_max(turn, block, slot, (n, sons), hi, low)
    }

    /// Rule 3.
    pub(super) fn solved_max(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        block: FrameId,
        slot: usize,
        low: Value,
    ) -> Result<(), Stop> {
        let (b, nodes) = self.tree.both_mut(block);
        let hi = b.merit(slot);
        let Some(min) = nodes.min_mut(slot) else {
            // The node this process is of: what stands above it is SOLVED too.
            b.set(slot, State::SolvedMin, hi);
            return Ok(());
        };
        let goes_on = hi > low && min.child + 1 < min.children.len();
        TRACE.solved_max(turn.search, min, hi, goes_on);
        if !goes_on {
            b.set(slot, State::SolvedMin, hi);
            return Ok(());
        }
        min.child += 1;
        let next = turn.search.child(&min.n, &min.children, min.child);
        let sons = turn.search.generate(&next);
        if self.is_too_wide(turn, sons.as_ref()) {
            turn.search.emit(&next, || Event::Activity { active: false });
            self.tree.frames.set_aside(block, slot, State::LiveMax(hi));
            return Ok(());
        }
        self.live_max(turn, block, slot, (next, sons), hi, low)
    }

    /// Rule 4, after what is away or set aside below the parent has been seen to; `true` if the
    /// process must wait.
    pub(super) fn solved_min(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        block: FrameId,
        slot: usize,
    ) -> Result<bool, Stop> {
        let top = self.path.len() - 1;
        let b = self.tree.frame(block);
        let hi = b.merit(slot);
        let child = match b.state(slot) {
            State::Returned(child) => child as usize,
            _ => b.child_of(slot),
        };
        let low = self.path[top].1.max(hi);
        if top == 1 && hi > self.path[top].1 {
            self.best = child;
            if let (true, Some((_, children))) = (self.desk.is_first(), &self.tree.nodes(block).max)
            {
                turn.search.best = Some(children.mv(child));
                turn.search.narrow_root(Bounds { lower: hi, ..Bounds::UNKNOWN });
            }
        }
        let others_are_left = self.kill_no_better(turn, block, low);
        if turn.rules.is_bounded() {
            self.tree.frames.drop_no_better(block, Some(slot), hi);
            if let Some((y, slot)) = self.tree.frames.deepest_inactive(block) {
                self.reactivate(turn, y, slot);
                return Ok(false);
            }
        }
        if others_are_left {
            // What has no more merit is of no use, whatever comes of the others.
            if turn.rules.is_phased() {
                self.tree.frame_mut(block).low = low;
                self.path[top].1 = low;
            } else {
                self.tree.frames.drop_no_better(block, Some(slot), hi);
            }
            self.waits = Some((block, low));
            turn.search.emit_at_root(|| Event::Waits);
            return Ok(true);
        }
        if let Some((max, _)) = &self.tree.nodes(block).max {
            TRACE.solved_min(turn.search, max, child, hi, "raise low of its parent");
        }
        self.tree.frames.remove(block, slot);
        let b = self.tree.frame_mut(block);
        b.low = low;
        let high = b.high;
        self.path[top].1 = low;
        if (low >= high || turn.rules.is_bounded())
            && let Some((max, children)) = &self.tree.nodes(block).max
        {
            turn.search.decide(max, children, child);
        }
        if low >= high {
            self.close(turn, block, high);
        } else if let Some(x) = self.tree.frames.last_resumable_below(block, low) {
            self.resume(turn, x)?;
        } else if self.tree.frame(block).has_partition_left() {
            self.resume(turn, block)?;
        } else {
            self.close(turn, block, low);
        }
        Ok(false)
    }

    /// The MAX node in hand is SOLVED.
    fn close(&mut self, turn: &mut Turn<'_, '_, T, M>, block: FrameId, merit: Value) {
        self.tree.record_decisions(block, turn.search);
        self.tree.solve(block, merit);
        self.path.pop();
    }

    fn resume(&mut self, turn: &mut Turn<'_, '_, T, M>, x: FrameId) -> Result<(), Stop> {
        let b = self.tree.frame(x);
        let nodes = self.tree.nodes(x);
        let (max, children) = nodes.max.as_ref().expect("the top frame is never resumed");
        let size = turn.rules.partitions.size(children.len(), b.next_partition());
        let (height, merit) = (max.height, b.high);
        turn.search.emit(max, || Event::Resumed { merit });
        if height > turn.rules.spawn_height {
            self.note_fresh(x);
        }
        self.tree.record_decisions(x, turn.search);
        self.tree.resume(x, size);
        // The new states may have more merit than any other: start from the top again.
        self.tree.frames.report_up_to_top(x);
        self.path.truncate(1);
        self.count(turn)
    }
}
