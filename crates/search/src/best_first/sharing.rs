//! A solution tree that is searched by several processes: what can be given away, and what comes
//! back.
//!
//! A state that another process works on stays in its slot as [`State::Away`]. It is still counted
//! among the states on OPEN: its place is reserved for its return.

use super::frames::{Frame, FrameId, Frames, TOP};
use super::winner_tree::{NOTHING, Slot, State};
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

/// A frame as it was when it was pushed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fresh {
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

    /// A frame that may have LIVE MIN nodes for others from now on.
    pub(crate) fn fresh(&self, frame: FrameId) -> Fresh {
        Fresh { frame, pushed: self.get(frame).pushed }
    }

    /// LIVEMINS: the LIVE MIN nodes of these frames that are worth more than low, from left to right
    /// at each ply. Frames that have none any more are forgotten: nearly all that were ever pushed.
    pub(crate) fn live_mins(&self, among: &mut Vec<Fresh>, low: Value) -> Vec<LiveMin> {
        self.forget_stale(among);
        let unsettled = |fresh: &Fresh| {
            let low = self.low_if_unsettled(fresh.frame, low)?;
            Some((self.way_to(fresh.frame), fresh.frame, low))
        };
        let mut frames: Vec<_> = among.iter().filter_map(unsettled).collect();
        frames.sort_unstable();
        frames.dedup();
        let mut found = Vec::new();
        for (_, id, low) in frames {
            let frame = self.get(id);
            let ply = frame.ply;
            for (slot, &Slot { state, merit }) in frame.slots.slots.iter().enumerate() {
                if let State::LiveMin(h) = state {
                    let inactive = merit == NOTHING;
                    found.push(LiveMin { frame: id, slot, ply, merit: h, low, inactive });
                }
            }
            for slot in frame.slots.slots.len()..frame.slots.size {
                let merit = frame.high;
                found.push(LiveMin { frame: id, slot, ply, merit, low, inactive: false });
            }
        }
        found
    }

    /// Forgets the frames that are gone, and those without a LIVE MIN node.
    pub(crate) fn forget_stale(&self, among: &mut Vec<Fresh>) {
        among.retain(|fresh| {
            let frame = self.get(fresh.frame);
            let is_live = |slot: &Slot| matches!(slot.state, State::LiveMin(_));
            frame.pushed == fresh.pushed
                && (frame.slots.slots.len() < frame.slots.size
                    || frame.slots.slots.iter().any(is_live))
        });
    }

    /// The same by a walk over the whole tree: the frames whose MAX node is more than `height` plies
    /// from the horizon.
    #[cfg(any(test, debug_assertions))]
    pub(crate) fn live_mins_by_a_walk(&self, height: u32, low: Value) -> Vec<LiveMin> {
        let mut all = Vec::new();
        let mut next = vec![TOP];
        while let Some(id) = next.pop() {
            let frame = self.get(id);
            if id != TOP && frame.height < height {
                continue;
            }
            all.push(self.fresh(id));
            for slot in &frame.slots.slots {
                if let State::Expanded(below) = slot.state {
                    next.push(below);
                }
            }
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

    /// The slots from the top down to a frame.
    fn way_to(&self, mut id: FrameId) -> Vec<usize> {
        let mut way = Vec::new();
        while id != TOP {
            let frame = self.get(id);
            way.push(frame.parent_slot);
            id = frame.parent;
        }
        way.reverse();
        way
    }

    /// The MAX nodes with partitions left that could still matter, whose children are at least
    /// `height` plies from the horizon: their frames, plies and effective lows, from left to right.
    pub(crate) fn with_partitions_left(
        &self,
        height: u32,
        low: Value,
    ) -> Vec<(FrameId, u32, Value)> {
        let mut found = Vec::new();
        self.find_partitions_left(TOP, height, low, &mut found);
        found
    }

    fn find_partitions_left(
        &self,
        id: FrameId,
        height: u32,
        low: Value,
        found: &mut Vec<(FrameId, u32, Value)>,
    ) {
        let frame = self.get(id);
        let low = low.max(frame.low);
        if id != TOP {
            if frame.height < height || frame.high <= low {
                return;
            }
            if frame.has_partition_left() {
                found.push((id, frame.ply, low));
            }
        }
        for slot in &frame.slots.slots {
            if let State::Expanded(below) = slot.state {
                self.find_partitions_left(below, height, low, found);
            }
        }
    }

    /// The highest high of a MAX node with partitions left that could still matter, its frame, and
    /// when that was pushed.
    pub(crate) fn highest_unbegun(&self, low: Value) -> Option<(Value, FrameId, u64)> {
        let left = self.with_partitions_left(0, low);
        let highest = left.iter().max_by_key(|&&(id, ..)| self.get(id).high)?;
        let frame = self.get(highest.0);
        Some((frame.high, highest.0, frame.pushed))
    }

    /// Has the frame that was pushed then a partition left that was not begun?
    pub(crate) fn is_unbegun(&self, id: FrameId, pushed: u64) -> bool {
        self.get(id).pushed == pushed && self.get(id).has_partition_left()
    }

    /// The LIVE MIN node at a slot, opened or not, goes to another process.
    pub(crate) fn give_away(&mut self, id: FrameId, slot: usize) {
        let frame = self.get_mut(id);
        frame.open_all();
        frame.set(slot, State::Away, NOTHING);
        self.report_up_to_top(id);
    }

    /// The next partition of a frame, `size` children, goes to another process. Returns the slot
    /// that it will come back to, and its first child.
    pub(crate) fn give_partition_away(&mut self, id: FrameId, size: usize) -> (usize, usize) {
        let frame = self.get_mut(id);
        frame.open_all();
        let (slot, first) = (frame.slots.size, frame.end);
        frame.slots.add(State::Away);
        frame.frontier += 1;
        frame.partition += 1;
        frame.end = frame.last.min(first + size);
        let exhausted = !frame.has_partition_left();
        self.open += 1;
        self.slot_bytes += size_of::<Slot>();
        self.resumable -= usize::from(exhausted);
        self.report_up_to_top(id);
        (slot, first)
    }

    /// What was away comes back.
    pub(crate) fn come_back(&mut self, id: FrameId, slot: usize, state: State, h: Value) {
        self.get_mut(id).set(slot, state, h);
        self.report_up_to_top(id);
    }

    /// The highest merit of an INACTIVE state, or [`NOTHING`].
    pub(crate) fn highest_inactive(&self, id: FrameId) -> Value {
        let merit = |slot: &Slot| match slot.state {
            State::Expanded(below) => self.highest_inactive(below),
            State::LiveMin(h) | State::LiveMax(h) if slot.merit == NOTHING => h,
            _ => NOTHING,
        };
        self.get(id).slots.slots.iter().map(merit).max().unwrap_or(NOTHING)
    }
}

impl Frame {
    /// Opens all slots that are left: each of them is then a state of its own.
    fn open_all(&mut self) {
        if !self.slots.all_open() {
            self.slots.open_all(self.high);
        }
    }

    /// The number of the first child that neither this process nor another has begun with.
    pub(crate) fn given_up_to(&self) -> usize {
        self.end
    }
}
