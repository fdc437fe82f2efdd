//! The operator: what a process does with the state that stands first on its OPEN. The rules are
//! numbered as those of PS*.

use super::TELLER;
use super::process::{Process, Turn};
use crate::best_first::contest::{NOTHING, State};
use crate::best_first::solution_tree::{BlockId, Min};
use crate::{Children, Event, Place, Probe, Setting};
use plyground_core::limits::Stop;
use plyground_core::value::{Bounds, Value};

/// Rule 2 for a MAX leaf worth `s`: it is SOLVED, or its parent is if that is no more than `low`.
#[inline]
fn solved_leaf(s: Value, low: Value) -> (State, Value) {
    if s > low { (State::SolvedMax, s) } else { (State::SolvedMin, low) }
}

impl<S: Setting> Process<S> {
    /// Rules 1 and 2 for a LIVE MIN node: the next fresh child of the block, or the one at a slot.
    pub(super) fn live_min(
        &mut self,
        turn: &mut Turn<'_, '_, S>,
        block: BlockId,
        slot: Option<usize>,
        low: Value,
    ) -> Result<(), Stop> {
        let b = self.tree.block(block);
        let hi = b.high;
        let child = b.child_of(slot.unwrap_or(b.opened()));
        let (max, brothers) = b.max.as_ref().expect("the top block has no LIVE MIN node");
        let n = turn.search.child(max, brothers, child);
        let Some(brothers) = turn.search.generate(&n) else {
            TELLER.live(turn.search, &n, hi, "evaluate");
            let merit = (-turn.leaf(&n)?).min(hi).max(low);
            let b = self.tree.block_mut(block);
            match slot {
                None => b.open_leaf(merit),
                Some(slot) => b.set(slot, State::SolvedMin, merit),
            }
            return Ok(());
        };
        let first = turn.search.child(&n, &brothers, 0);
        let sons = turn.search.generate(&first);
        if self.is_too_wide(turn, sons.as_ref()) {
            turn.search.tell(n.mark, || Event::Activity { active: false });
            self.open(block, slot, State::LiveMin(hi), NOTHING, Min::new(n, brothers));
            self.unshared = true;
            return Ok(());
        }
        TELLER.live(turn.search, &n, hi, "push its first child");
        turn.search.count_expansion(&n)?;
        let slot = self.open(block, slot, State::SolvedMax, hi, Min::new(n, brothers));
        self.live_max(turn, block, slot, (first, sons), hi, low)
    }

    /// A MIN node is expanded: on the next fresh slot, or on the one it stands at.
    fn open(
        &mut self,
        block: BlockId,
        slot: Option<usize>,
        state: State,
        merit: Value,
        min: Min<S>,
    ) -> usize {
        let b = self.tree.block_mut(block);
        match slot {
            None => b.open_slot(state, merit, min),
            Some(slot) => {
                b.set_min(slot, min);
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
        turn: &mut Turn<'_, '_, S>,
        block: BlockId,
        slot: usize,
        (n, sons): (Place<S>, Option<Children<S>>),
        hi: Value,
        low: Value,
    ) -> Result<(), Stop> {
        if let Some(sons) = sons {
            TELLER.live(turn.search, &n, hi, "push its partition");
            turn.search.count_expansion(&n)?;
            let (height, size) = (n.height, turn.rules.partitions.size(sons.len(), 0));
            let below = self.tree.push(block, slot, (n, sons), hi, size);
            return self.enter(turn, below, height);
        }
        if turn.leaves == 0 {
            self.tree.block_mut(block).set(slot, State::LiveMax(hi), hi);
            return Ok(());
        }
        TELLER.live(turn.search, &n, hi, "evaluate");
        let s = turn.leaf(&n)?.min(hi);
        let b = self.tree.block_mut(block);
        if s < hi
            && let Some(min) = b.min_mut(slot)
        {
            min.answer = min.brother;
        }
        let (state, merit) = solved_leaf(s, low);
        b.set(slot, state, merit);
        Ok(())
    }

    /// A block has been pushed for a MAX node of this height.
    #[inline]
    pub(super) fn enter(
        &mut self,
        turn: &mut Turn<'_, '_, S>,
        below: BlockId,
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
        turn: &mut Turn<'_, '_, S>,
        block: BlockId,
        slot: usize,
        state: State,
        low: Value,
    ) -> Result<(), Stop> {
        let b = self.tree.block(block);
        let hi = b.merit(slot);
        let min = b.min(slot).expect("only interior MIN nodes are set aside");
        if matches!(state, State::LiveMin(_)) {
            turn.search.count_expansion(&min.n)?;
        }
        let n = turn.search.child(&min.n, &min.brothers, min.brother);
        let sons = turn.search.generate(&n);
        if self.is_too_wide(turn, sons.as_ref()) && !self.may_exceed(turn) {
            return Err(self.locked(turn));
        }
        self.live_max(turn, block, slot, (n, sons), hi, low)
    }

    /// Rule 3.
    pub(super) fn solved_max(
        &mut self,
        turn: &mut Turn<'_, '_, S>,
        block: BlockId,
        slot: usize,
        low: Value,
    ) -> Result<(), Stop> {
        let b = self.tree.block_mut(block);
        let hi = b.merit(slot);
        let Some(min) = b.min_mut(slot) else {
            // The node this process is of: what stands above it is SOLVED too.
            b.set(slot, State::SolvedMin, hi);
            return Ok(());
        };
        let goes_on = hi > low && min.brother + 1 < min.brothers.len();
        TELLER.solved_max(turn.search, min, hi, goes_on);
        if !goes_on {
            b.set(slot, State::SolvedMin, hi);
            return Ok(());
        }
        min.brother += 1;
        let next = turn.search.child(&min.n, &min.brothers, min.brother);
        let sons = turn.search.generate(&next);
        if self.is_too_wide(turn, sons.as_ref()) {
            turn.search.tell(next.mark, || Event::Activity { active: false });
            self.tree.set_aside(block, slot, State::LiveMax(hi));
            return Ok(());
        }
        self.live_max(turn, block, slot, (next, sons), hi, low)
    }

    /// Rule 4, after what is away or set aside below the parent has been seen to; `true` if the
    /// process must wait.
    pub(super) fn solved_min(
        &mut self,
        turn: &mut Turn<'_, '_, S>,
        block: BlockId,
        slot: usize,
    ) -> Result<bool, Stop> {
        let top = self.path.len() - 1;
        let b = self.tree.block(block);
        let hi = b.merit(slot);
        let child = match b.state(slot) {
            State::Returned(child) => child as usize,
            _ => b.child_of(slot),
        };
        let low = self.path[top].1.max(hi);
        if top == 1 && hi > self.path[top].1 {
            self.best = child;
            if let (true, Some((_, brothers))) = (self.desk.is_first(), &b.max) {
                turn.search.best = Some(brothers.mv(child));
                turn.search.learnt(Bounds { lower: hi, ..Bounds::UNKNOWN });
            }
        }
        let others_are_left = self.kill_no_better(turn, block, low);
        if turn.rules.is_bounded() {
            self.tree.drop_no_better(block, Some(slot), hi);
            if let Some((y, slot)) = self.tree.deepest_inactive(block) {
                self.reactivate(turn, y, slot);
                return Ok(false);
            }
        }
        if others_are_left {
            // What has no more merit is of no use, whatever comes of the others.
            if turn.rules.is_phased() {
                self.tree.block_mut(block).low = low;
                self.path[top].1 = low;
            } else {
                self.tree.drop_no_better(block, Some(slot), hi);
            }
            self.waits = Some((block, low));
            let root = turn.search.probe.root();
            turn.search.tell(root, || Event::Waits);
            return Ok(true);
        }
        let b = self.tree.block(block);
        if let Some((max, _)) = &b.max {
            TELLER.solved_min(turn.search, max, child, hi, "raise low of its parent");
        }
        self.tree.remove(block, slot);
        let b = self.tree.block_mut(block);
        b.low = low;
        let high = b.high;
        self.path[top].1 = low;
        if (low >= high || turn.rules.is_bounded())
            && let Some((max, brothers)) = &self.tree.block(block).max
        {
            turn.search.decide(max, brothers, child);
        }
        if low >= high {
            self.close(turn, block, high);
        } else if let Some(x) = self.tree.last_resumable_below(block, low) {
            self.resume(turn, x)?;
        } else if self.tree.block(block).has_partition_left() {
            self.resume(turn, block)?;
        } else {
            self.close(turn, block, low);
        }
        Ok(false)
    }

    /// The MAX node in hand is SOLVED.
    fn close(&mut self, turn: &mut Turn<'_, '_, S>, block: BlockId, merit: Value) {
        self.tree.learn(block, turn.search);
        self.tree.solve(block, merit);
        self.path.pop();
    }

    fn resume(&mut self, turn: &mut Turn<'_, '_, S>, x: BlockId) -> Result<(), Stop> {
        let b = self.tree.block(x);
        let (max, brothers) = b.max.as_ref().expect("the top block is never resumed");
        let size = turn.rules.partitions.size(brothers.len(), b.next_partition());
        let (mark, merit) = (max.mark, b.high);
        if max.height > turn.rules.spawn_height {
            self.note_fresh(x);
        }
        turn.search.tell(mark, || Event::Resumed { merit });
        self.tree.learn(x, turn.search);
        self.tree.resume(x, size);
        // The new states may have more merit than any other: start from the top again.
        self.tree.report_up_to_top(x);
        self.path.truncate(1);
        self.count(turn)
    }
}
