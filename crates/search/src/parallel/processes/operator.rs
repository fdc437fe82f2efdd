//! What a process does with the first state of its OPEN: the rules of `best_first/rules.rs`, and what others
//! have to do with them.

use std::ops::Range;

use super::minproc::{Minproc, MinprocEntry};
use super::process::{Process, Turn, TurnLeaves};
use super::{Job, Settings, TRACE};
use crate::best_first::frames::{FrameId, TOP};
use crate::best_first::merits::NOTHING;
use crate::best_first::rules::{
    Applies, Came, Held, MaxNode, NextStep, Raised, Rules, close, raise_low, resume, solved_leaf,
};
use crate::best_first::slot::SlotState;
use crate::prelude::*;
use crate::trace::Event;

/// A process in its turn, as one that applies the rules. What is asked for at every leaf stands here itself,
/// and not behind the turn. On a thread a turn may evaluate any number of leaves (`ENDLESS`), and others are
/// looked at between two frames: what is done at one is a few leaves, and the code is that of a search alone.
struct InTurn<'x, 'a, 't, T: GameTree, M: Mode, const ENDLESS: bool> {
    search: &'x mut Search<'t, T, M>,
    leaves: &'x mut TurnLeaves<'a, T, M>,
    entry: &'x MinprocEntry,
    minproc: &'x Minproc<Job<T, M>>,
    may_share: bool,
    delegated: u64,
}

impl<'x, 'a, 't, T: GameTree, M: Mode, const ENDLESS: bool> InTurn<'x, 'a, 't, T, M, ENDLESS> {
    #[inline(always)]
    fn new(
        turn: &'x mut Turn<'a, 't, T, M>,
        entry: &'x MinprocEntry,
        may_share: bool,
        delegated: usize,
    ) -> Self {
        let Turn { search, leaves, minproc, .. } = turn;
        let delegated = delegated as u64;
        InTurn { search, leaves, entry, minproc, may_share, delegated }
    }
}

impl<'t, T: GameTree, M: Mode, const ENDLESS: bool> Applies<'t, T, M>
    for InTurn<'_, '_, 't, T, M, ENDLESS>
{
    #[inline(always)]
    fn search(&mut self) -> &mut Search<'t, T, M> {
        self.search
    }

    #[inline(always)]
    fn leaf(&mut self, n: &SearchNode<T, M>) -> Result<Value, Stop> {
        self.leaves.value(self.search, n)
    }

    #[inline(always)]
    fn may_evaluate(&self) -> bool {
        ENDLESS || self.search.tally.may_evaluate()
    }

    /// A result came back, the process was killed, or it could delegate a state.
    #[inline(always)]
    fn is_interrupted(&self) -> bool {
        !ENDLESS && (self.entry.needs_attention() || (self.may_share && self.minproc.free() > 0))
    }

    /// The most that one process held is a part of what all held at that time.
    #[inline(always)]
    fn count_entries(&mut self, open: u64, backup: u64) {
        let tally = &mut self.search.tally;
        tally.count_entries(open, backup);
        tally.peak_process = tally.peak_process.max(open + self.delegated);
    }
}

impl<T: GameTree, M: Mode> Process<T, M> {
    /// The rules for states with this merit, and this effective low.
    #[inline(always)]
    fn rules<'l>(&self, settings: &'l Settings, hi: Value, low: Value) -> Rules<'l> {
        let own_open = self.tree.frames.open;
        let open = own_open - self.delegated.len() as u64;
        let backup = settings.phased.then_some(self.tree.frames.backup);
        let held = Held { own_open, open, backup };
        let &Settings { leaves_first, ref partitions, .. } = settings;
        Rules { trace: TRACE, horizon: 0, held, partitions, leaves_first, hi, low }
    }

    /// Rules 1 and 2 for the LIVE MIN nodes of a frame that are not opened.
    #[inline]
    pub(super) fn live_mins(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        id: FrameId,
        low: Value,
    ) -> Result<NextStep, Stop> {
        let frame = self.tree.frame(id);
        let slots = frame.opened()..frame.size();
        if M::RICH || !turn.settings.endless {
            return self.some_live_mins(turn, id, slots, low);
        }
        let rules = self.rules(turn.settings, frame.high, low);
        let Process { tree, capacity, entry, may_share, delegated, leaves, .. } = self;
        let mut who = InTurn::<_, _, true>::new(turn, entry, *may_share, delegated.len());
        let (slot, came) = rules.live_mins(&mut who, tree, (id, slots), capacity, leaves)?;
        self.after_rule(turn, id, slot, came, rules.hi)
    }

    /// The same in a turn that ends after some leaves, or for a slot that is opened but was never expanded.
    #[inline(never)]
    pub(super) fn some_live_mins(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        id: FrameId,
        slots: Range<usize>,
        low: Value,
    ) -> Result<NextStep, Stop> {
        let rules = self.rules(turn.settings, self.tree.frame(id).high, low);
        let Process { tree, capacity, entry, may_share, delegated, leaves, .. } = self;
        let mut who = InTurn::<_, _, false>::new(turn, entry, *may_share, delegated.len());
        let (slot, came) = rules.live_mins(&mut who, tree, (id, slots), capacity, leaves)?;
        self.after_rule(turn, id, slot, came, rules.hi)
    }

    /// Does what is left to do for a state after a rule.
    #[inline(always)]
    fn after_rule(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        id: FrameId,
        slot: usize,
        came: Came<T, M>,
        hi: Value,
    ) -> Result<NextStep, Stop> {
        match came {
            Came::Lowered => Ok(NextStep::Find),
            // It is still the first of OPEN.
            Came::Waits if slot < self.tree.frame(id).opened() => Ok(NextStep::Reactivated(slot)),
            Came::Waits => Ok(NextStep::LiveMins),
            Came::Solved => Ok(NextStep::SolvedMin(slot)),
            Came::Kept => Ok(NextStep::SolvedMax(slot)),
            Came::Interior(max) => {
                if self.capacity.fits(self.tree.frames.open, max.1.len()) {
                    turn.search.count_expansion(&max.0, max.1.len())?;
                    return self.expand_max(turn, id, slot, max, hi);
                }
                turn.search.emit(&max.0, || Event::Activity { active: false });
                self.tree.frames.deactivate(id, slot, SlotState::LiveMax(hi));
                Ok(NextStep::Find)
            }
            Came::Expanded(max) => self.expand_max(turn, id, slot, max, hi),
            Came::Leaves((n, children)) => {
                let at = (id, slot);
                let below = self.tree.push_leaves(at, &n, &children, hi, &self.leaves);
                self.note(turn, below, n.height);
                self.count(turn)?;
                Ok(NextStep::Find)
            }
            Came::NoRoom((n, children)) => {
                turn.search.emit(&n, || Event::Activity { active: false });
                if slot < self.tree.frame(id).opened() {
                    self.tree.frames.deactivate(id, slot, SlotState::LiveMin(hi));
                } else {
                    self.tree.frames.open(id, SlotState::LiveMin(hi), NOTHING);
                }
                self.tree.set_min(id, slot, &n, &children);
                self.may_share = true;
                Ok(NextStep::Find)
            }
            Came::StagedMin(_) | Came::StagedMax(_) => {
                unreachable!("processes have no stages")
            }
        }
    }

    /// Pushes the first partition of a MAX node that is counted as expanded.
    #[inline]
    fn expand_max(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        id: FrameId,
        slot: usize,
        (n, children): MaxNode<T, M>,
        hi: Value,
    ) -> Result<NextStep, Stop> {
        TRACE.live(turn.search, &n, hi, "push its partition");
        let size = turn.settings.partitions.size(children.len(), 0);
        let below = self.tree.push((id, slot), &n, &children, hi, size);
        self.enter(turn, below, n.height)?;
        Ok(NextStep::LiveMins)
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
        self.note(turn, below, height);
        self.count(turn)
    }

    /// Notes what of a frame that was pushed for a MAX node of this height others could do.
    #[inline]
    fn note(&mut self, turn: &Turn<'_, '_, T, M>, id: FrameId, height: u32) {
        if !turn.settings.alone {
            if height > turn.settings.spawn_height {
                self.note_shareable(id);
            }
            self.note_unstarted(id);
        }
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
        low: Value,
    ) -> Result<NextStep, Stop> {
        let hi = self.tree.frames.merit(id, slot);
        let min = self.tree.min(turn.search, id, slot);
        let min = min.expect("only interior MIN nodes become INACTIVE");
        if self.tree.frames.slot(id, slot).is_live_min() {
            turn.search.count_expansion(&min.n, min.width)?;
        }
        let n = self.tree.child_of_min(turn.search, &min, min.child);
        if let Some(grandchildren) = turn.search.generate(&n) {
            let fits = self.capacity.fits(self.tree.frames.open, grandchildren.len());
            if !fits && !self.may_exceed(turn) {
                return Err(self.locked(turn));
            }
            turn.search.count_expansion(&n, grandchildren.len())?;
            return self.expand_max(turn, id, slot, (n, grandchildren), hi);
        }
        if !turn.may_evaluate() {
            self.tree.frames.set(id, slot, SlotState::LiveMax(hi), hi);
            return Ok(NextStep::Reactivated(slot));
        }
        TRACE.live(turn.search, &n, hi, "evaluate");
        let s = turn.leaf(&n)?;
        if s < hi {
            self.tree.set_answer(id, slot);
        }
        let (state, merit) = solved_leaf(s.min(hi), low);
        self.tree.frames.set(id, slot, state, merit);
        match merit == hi {
            true => Ok(NextStep::of(slot, Some(state))),
            false => Ok(NextStep::Find),
        }
    }

    /// Rule 3.
    pub(super) fn solved_max(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        id: FrameId,
        slot: usize,
        low: Value,
    ) -> Result<NextStep, Stop> {
        let hi = self.hi;
        debug_assert_eq!(hi, self.tree.frames.merit(id, slot));
        if id == TOP {
            // The process's own node: the MIN node above it is SOLVED too.
            self.tree.frames.set(id, slot, SlotState::SolvedMin, hi);
            return Ok(NextStep::SolvedMin(slot));
        }
        if M::RICH || !turn.settings.endless {
            return self.solved_max_in_turn(turn, (id, slot), (hi, low));
        }
        let rules = self.rules(turn.settings, hi, low);
        let Process { tree, entry, may_share, delegated, leaves, .. } = self;
        let mut who = InTurn::<_, _, true>::new(turn, entry, *may_share, delegated.len());
        let came = rules.solved_max(&mut who, tree, (id, slot), leaves)?;
        self.after_rule(turn, id, slot, came, hi)
    }

    /// The same in a turn that ends after some leaves.
    #[inline(never)]
    fn solved_max_in_turn(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        (id, slot): (FrameId, usize),
        (hi, low): (Value, Value),
    ) -> Result<NextStep, Stop> {
        let rules = self.rules(turn.settings, hi, low);
        let Process { tree, entry, may_share, delegated, leaves, .. } = self;
        let mut who = InTurn::<_, _, false>::new(turn, entry, *may_share, delegated.len());
        let came = rules.solved_max(&mut who, tree, (id, slot), leaves)?;
        self.after_rule(turn, id, slot, came, hi)
    }

    /// Rule 4, which comes after the delegated and INACTIVE states below the parent; `None` if the
    /// process must wait for those.
    pub(super) fn solved_min(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        id: FrameId,
        slot: usize,
    ) -> Result<Option<NextStep>, Stop> {
        let (top, hi) = (self.path.len() - 1, self.hi);
        debug_assert_eq!(hi, self.tree.frames.merit(id, slot));
        let returned = self.tree.frames.slot(id, slot).returned();
        let child = returned.unwrap_or_else(|| self.tree.frame(id).child_of(slot));
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
                return Ok(Some(NextStep::Find));
            }
        }
        if others_are_left {
            // States with no more merit are of no use, whatever the others find.
            if turn.settings.phased {
                self.tree.frame_mut(id).low = low;
                self.path[top].1 = low;
            } else {
                self.tree.frames.drop_no_better(id, Some(slot), hi);
            }
            self.waits = Some((id, low));
            turn.search.emit_at_root(|| Event::Waits);
            return Ok(None);
        }
        if turn.search.is_watched() {
            let max = self.tree.max(id);
            TRACE.solved_min(turn.search, &max, child, hi, "raise low of its parent");
        }
        let decides = turn.settings.is_bounded();
        let Process { tree, path, .. } = self;
        match raise_low(turn.search, tree, path, (slot, child), low, decides) {
            Raised::Solved(merit) => Ok(Some(close(turn.search, tree, path, merit, hi))),
            Raised::GoesOn(x) => {
                self.resume(turn, x)?;
                Ok(Some(NextStep::Find))
            }
        }
    }

    /// Pushes the next partition of a frame.
    fn resume(&mut self, turn: &mut Turn<'_, '_, T, M>, x: FrameId) -> Result<(), Stop> {
        let frame = self.tree.frame(x);
        let (width, merit) = (frame.width as usize, frame.high);
        let size = turn.settings.partitions.size(width, frame.next_partition());
        let height = turn.search.depth + 1 - frame.ply;
        if turn.search.is_watched() {
            let max = self.tree.max(x);
            turn.search.emit(&max, || Event::Resumed { merit });
        }
        if height > turn.settings.spawn_height && !turn.settings.alone {
            self.note_shareable(x);
        }
        resume(turn.search, &mut self.tree, &self.path, x, size);
        self.count(turn)
    }
}
