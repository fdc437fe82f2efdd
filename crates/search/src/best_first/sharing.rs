//! A solution tree that several processes search: which states can be delegated to another process,
//! and what comes back.
//!
//! A state that another process works on stays in its slot as [`SlotState::Delegated`]. It still
//! counts as a state on OPEN: its entry is reserved for its return.

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
        PushedFrame { frame, pushed: self.get(frame).pushed }
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
            frame.pushed == pushed.pushed
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

    /// The unsettled MAX nodes with partitions left whose children are at most `ply` plies from the
    /// root: their frames, plies and effective lows, from left to right.
    pub(crate) fn with_partitions_left(&self, ply: u32, low: Value) -> Vec<(FrameId, u32, Value)> {
        let mut found = Vec::new();
        self.find_partitions_left(TOP, ply, low, &mut found);
        found
    }

    fn find_partitions_left(
        &self,
        id: FrameId,
        ply: u32,
        low: Value,
        found: &mut Vec<(FrameId, u32, Value)>,
    ) {
        let frame = self.get(id);
        let low = low.max(frame.low);
        if id != TOP {
            if frame.ply > ply || frame.high <= low {
                return;
            }
            if frame.has_partition_left() {
                found.push((id, frame.ply, low));
            }
        }
        for below in self.opened_slots(id).iter().filter_map(Slot::below) {
            self.find_partitions_left(below, ply, low, found);
        }
    }

    /// The highest high of an unsettled MAX node with partitions left, its frame, and when the
    /// frame was pushed.
    pub(crate) fn highest_unstarted(&self, low: Value) -> Option<(Value, FrameId, u64)> {
        let left = self.with_partitions_left(u32::MAX, low);
        let highest = left.iter().max_by_key(|&&(id, ..)| self.get(id).high)?;
        let frame = self.get(highest.0);
        Some((frame.high, highest.0, frame.pushed))
    }

    /// Does the frame that was pushed at this time still have a partition left?
    pub(crate) fn has_unstarted_partition(&self, id: FrameId, pushed: u64) -> bool {
        self.get(id).pushed == pushed && self.get(id).has_partition_left()
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
