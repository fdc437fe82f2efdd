//! A solution tree that several processes search: which states can be delegated to another process,
//! and what comes back.
//!
//! A state that another process works on stays in its slot as [`SlotState::Delegated`]. It still
//! counts as a state on OPEN: its entry is reserved for its return.

use std::cell::RefCell;
use std::collections::BinaryHeap;

use super::frames::{Frame, FrameId, Frames, TOP};
use super::merits::NOTHING;
use super::runs::Run;
use super::slot::{Slot, SlotState};
use plyground_core::value::Value;

/// A LIVE MIN node that another process could take over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LiveMin {
    pub(crate) frame: FrameId,
    pub(crate) slot: usize,
    pub(crate) ply: u32,
    pub(crate) merit: Value,
    /// The effective low of its parent.
    pub(crate) low: Value,
    pub(crate) inactive: bool,
}

/// A frame together with the time of its push, which tells whether its number was used again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PushedFrame {
    frame: FrameId,
    pushed: u64,
}

/// Frames that may have a partition left: those of highest high first, and all of them.
#[derive(Default)]
pub(crate) struct UnstartedPartitions {
    /// Looked at where nothing changes, so what is stale is dropped behind a shared reference.
    by_high: RefCell<BinaryHeap<(Value, u64, FrameId)>>,
    pub(crate) all: Vec<PushedFrame>,
    /// How many there were when the stale ones were dropped last.
    checked: usize,
}

impl UnstartedPartitions {
    /// Notes that a frame has a partition left.
    pub(crate) fn note(&mut self, frames: &Frames, id: FrameId) {
        let PushedFrame { frame, pushed } = frames.pushed_frame(id);
        if self.all.len() > 64 + 2 * self.checked {
            let left = |id, pushed| frames.has_unstarted_partition(id, pushed);
            self.all.retain(|kept| left(kept.frame, kept.pushed));
            self.by_high.get_mut().retain(|&(_, pushed, id)| left(id, pushed));
            self.checked = self.all.len();
        }
        self.all.push(PushedFrame { frame, pushed });
        self.by_high.get_mut().push((frames.get(id).high, pushed, frame));
    }

    /// The highest high of an unsettled MAX node with partitions left, its frame, and when the frame was
    /// pushed. What is settled once stays so, because lows only rise.
    pub(crate) fn highest(&self, frames: &Frames, low: Value) -> Option<(Value, FrameId, u64)> {
        let mut by_high = self.by_high.borrow_mut();
        while let Some(&(high, pushed, id)) = by_high.peek() {
            if frames.has_unstarted_partition(id, pushed)
                && frames.low_if_unsettled(id, low).is_some()
            {
                return Some((high, id, pushed));
            }
            by_high.pop();
        }
        None
    }
}

impl Frames {
    /// Is the frame `id` below `top`, or the same?
    pub(crate) fn is_below(&self, mut id: FrameId, top: FrameId) -> bool {
        while id != top && id != TOP {
            id = self.get(id).parent;
        }
        id == top
    }

    /// A frame as it is now, to be found again later.
    pub(crate) fn pushed_frame(&self, frame: FrameId) -> PushedFrame {
        PushedFrame { frame, pushed: self.get(frame).pushed() }
    }

    /// LIVEMINS: the LIVE MIN nodes of these frames whose merit is above low, from left to right at
    /// each ply. Frames without any are dropped from the list: nearly all that were ever pushed.
    pub(crate) fn live_mins(&self, among: &mut Vec<PushedFrame>, low: Value) -> Vec<LiveMin> {
        self.forget_stale(among);
        let unsettled = |pushed: &PushedFrame| {
            let low = self.low_if_unsettled(pushed.frame, low)?;
            Some((self.slots_to(pushed.frame), pushed.frame, low))
        };
        let mut frames: Vec<_> = among.iter().filter_map(unsettled).collect();
        frames.sort_unstable();
        frames.dedup();
        let mut found = Vec::new();
        for (_, id, low) in frames {
            let frame = self.get(id);
            let ply = frame.ply;
            for slot in 0..frame.opened() {
                if let SlotState::LiveMin(h) = self.state(id, slot) {
                    let inactive = self.merit(id, slot) == NOTHING;
                    found.push(LiveMin { frame: id, slot, ply, merit: h, low, inactive });
                }
            }
            for slot in frame.opened()..frame.size() {
                let merit = frame.high;
                found.push(LiveMin { frame: id, slot, ply, merit, low, inactive: false });
            }
        }
        found
    }

    /// Removes the frames that are gone, and those without a LIVE MIN node.
    pub(crate) fn forget_stale(&self, among: &mut Vec<PushedFrame>) {
        among.retain(|pushed| {
            let frame = self.get(pushed.frame);
            frame.pushed() == pushed.pushed
                && (!frame.all_open()
                    || self.opened_slots(pushed.frame).iter().any(Slot::is_live_min))
        });
    }

    /// The same, found by a walk over the whole tree, of the frames whose MAX node is more than
    /// `height` plies from the horizon, which is `depth` plies from the root.
    #[cfg(any(test, debug_assertions))]
    pub(crate) fn live_mins_by_walk(&self, depth: u32, height: u32, low: Value) -> Vec<LiveMin> {
        let mut all = Vec::new();
        let mut next = vec![TOP];
        while let Some(id) = next.pop() {
            let frame = self.get(id);
            if id != TOP && depth - frame.ply < height {
                continue;
            }
            all.push(self.pushed_frame(id));
            next.extend(self.opened_slots(id).iter().filter_map(Slot::below));
        }
        self.live_mins(&mut all, low)
    }

    /// The effective low of a frame, if neither it nor one above it is settled.
    fn low_if_unsettled(&self, id: FrameId, low: Value) -> Option<Value> {
        let frame = self.get(id);
        let above = if id == TOP { low } else { self.low_if_unsettled(frame.parent, low)? };
        let low = above.max(frame.low);
        (frame.high > low).then_some(low)
    }

    /// The slots that lead from the top down to a frame.
    fn slots_to(&self, mut id: FrameId) -> Vec<usize> {
        let mut slots = Vec::new();
        while id != TOP {
            let frame = self.get(id);
            slots.push(frame.parent_slot as usize);
            id = frame.parent;
        }
        slots.reverse();
        slots
    }

    /// The child numbers that lead from the MAX node just below the top down to that of the frame `id`:
    /// what another rank needs to find it.
    pub(crate) fn numbers_to(&self, mut id: FrameId) -> Vec<u32> {
        let mut numbers = Vec::new();
        while self.get(id).parent != TOP {
            let Frame { parent, parent_slot, .. } = *self.get(id);
            numbers.push(self.slot(parent, parent_slot as usize).child);
            numbers.push(self.get(parent).child_of(parent_slot as usize) as u32);
            id = parent;
        }
        numbers.reverse();
        numbers
    }

    /// The unsettled MAX nodes of these frames with partitions left whose children are at most `ply` plies
    /// from the root: their frames, plies and effective lows, from left to right. Frames that have none left
    /// are dropped from the list.
    pub(crate) fn with_partitions_left(
        &self,
        among: &mut Vec<PushedFrame>,
        ply: u32,
        low: Value,
    ) -> Vec<(FrameId, u32, Value)> {
        among.retain(|pushed| self.has_unstarted_partition(pushed.frame, pushed.pushed));
        let unsettled = |pushed: &PushedFrame| {
            let low = self.low_if_unsettled(pushed.frame, low)?;
            let frame = self.get(pushed.frame);
            let found = (pushed.frame, frame.ply, low);
            (frame.ply <= ply).then(|| (self.slots_to(pushed.frame), found))
        };
        let mut found: Vec<_> = among.iter().filter_map(unsettled).collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|(_, found)| found).collect()
    }

    /// The same, found by a walk over the whole tree.
    #[cfg(any(test, debug_assertions))]
    pub(crate) fn with_partitions_left_by_walk(
        &self,
        ply: u32,
        low: Value,
    ) -> Vec<(FrameId, u32, Value)> {
        let mut all = Vec::new();
        let mut next = vec![TOP];
        while let Some(id) = next.pop() {
            all.push(self.pushed_frame(id));
            next.extend(self.opened_slots(id).iter().filter_map(Slot::below));
        }
        self.with_partitions_left(&mut all, ply, low)
    }

    /// Does the frame that was pushed at this time still have a partition left?
    pub(crate) fn has_unstarted_partition(&self, id: FrameId, pushed: u64) -> bool {
        self.get(id).pushed() == pushed && self.get(id).has_partition_left()
    }

    /// Delegates the LIVE MIN node of a slot, opened or not, to another process.
    pub(crate) fn delegate(&mut self, id: FrameId, slot: usize) {
        self.open_rest(id);
        self.forget_moves(id, slot);
        self.slot_mut(id, slot).width = 0;
        self.set(id, slot, SlotState::Delegated, NOTHING);
        self.report_up_to_top(id);
    }

    /// Delegates the next partition of a frame, `size` children, to another process. Returns the
    /// slot that the result will be stored in, the number of its first child, and where the slots were
    /// before and are now.
    pub(super) fn delegate_partition(
        &mut self,
        id: FrameId,
        size: usize,
    ) -> (usize, usize, [Run; 2]) {
        self.open_rest(id);
        let (slot, from, to) = self.add_slot(id, SlotState::Delegated);
        let frame = self.get_mut(id);
        let first = frame.first_unstarted();
        frame.skip_partition(size);
        let exhausted = !frame.has_partition_left();
        self.open += 1;
        self.resumable -= usize::from(exhausted);
        self.report_up_to_top(id);
        (slot, first, [from, to])
    }

    /// Opens all slots that are left, so that each is a state of its own.
    fn open_rest(&mut self, id: FrameId) {
        let high = self.get(id).high;
        self.open_all(id, SlotState::LiveMin(high), high);
    }

    /// Stores the result of a delegated state.
    pub(crate) fn take_back(&mut self, id: FrameId, slot: usize, state: SlotState, h: Value) {
        self.set(id, slot, state, h);
        self.report_up_to_top(id);
    }

    /// The highest merit of an INACTIVE state, or [`NOTHING`].
    pub(crate) fn highest_inactive(&self, id: FrameId) -> Value {
        let merit = |slot| match self.state(id, slot) {
            SlotState::Expanded(below) => self.highest_inactive(below),
            SlotState::LiveMin(h) | SlotState::LiveMax(h) if self.merit(id, slot) == NOTHING => h,
            _ => NOTHING,
        };
        (0..self.get(id).opened()).map(merit).max().unwrap_or(NOTHING)
    }
}
