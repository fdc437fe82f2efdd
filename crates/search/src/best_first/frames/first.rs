//! FIRST: the way to the first state of OPEN, from where the last one was.

use plyground_core::value::Value;

use super::{BEST_BITS, BEST_UNKNOWN, Frame, FrameId, Frames, TOP};
use crate::best_first::merits;
use crate::best_first::slot::SlotState;

/// The frames from the top down to the current one, each with its effective low.
pub(crate) type Path = Vec<(FrameId, Value)>;

impl Frames {
    /// Goes up from the current frame until the best state there has the merit `hi` of the one taken last: it
    /// is the best of all then, because all to the left have less and none has more. Otherwise to the frame
    /// below the top, which has no other: its best state is the best of all. Returns the frame, its best slot and
    /// the merit.
    #[inline(always)]
    pub(crate) fn ascend(&mut self, path: &mut Path, hi: Value) -> (FrameId, usize, Value) {
        let mut id = path[path.len() - 1].0;
        let (mut frame, mut merits) = self.with_merits(id);
        let (mut slot, mut merit) = merits::best(merits, frame.size());
        while merit != hi && path.len() > 2 {
            frame.keep_best(slot);
            let parent_slot = frame.parent_slot as usize;
            id = frame.parent;
            path.pop();
            (frame, merits) = self.with_merits(id);
            merits::set(merits, frame.size(), parent_slot, merit);
            (slot, merit) = merits::best(merits, frame.size());
        }
        (id, slot, merit)
    }

    /// A frame, and the merits of its slots.
    #[inline(always)]
    fn with_merits(&mut self, id: FrameId) -> (&mut Frame, &mut [Value]) {
        let frame = self.frames.get_mut(id, 0);
        let merits = self.merits.slice_mut(frame.slots, merits::places(frame.size()));
        (frame, merits)
    }

    /// Goes down from a slot along best slots to the first state: its frame, its slot, and the state, `None`
    /// for a slot that is not opened. The frames on the way join the path.
    #[inline(always)]
    pub(crate) fn descend(
        &self,
        path: &mut Path,
        (mut id, mut slot): (FrameId, usize),
        merit: Value,
    ) -> (FrameId, usize, Option<SlotState>) {
        let mut low = path[path.len() - 1].1;
        let mut frame = self.frames.get(id, 0);
        loop {
            if slot == frame.opened() {
                return (id, slot, None);
            }
            let chosen = self.slots.get(frame.slots, slot);
            let Some(below) = chosen.below() else {
                return (id, slot, Some(chosen.state(|| merit)));
            };
            id = below;
            frame = self.frames.get(id, 0);
            low = low.max(frame.low);
            path.push((id, low));
            slot = frame.known_best().unwrap_or_else(|| self.best(id).0);
            debug_assert_eq!(slot, self.best(id).0);
        }
    }

    /// Reports the best merit of `id` to the frame above, and returns that frame.
    pub(crate) fn report_up(&mut self, id: FrameId) -> FrameId {
        let (best, merit) = self.best(id);
        let frame = self.get_mut(id);
        frame.keep_best(best);
        let (parent, slot) = (frame.parent, frame.parent_slot as usize);
        self.set_merit(parent, slot, merit);
        parent
    }

    /// Reports the best merit of `id` to all frames above.
    pub(crate) fn report_up_to_top(&mut self, mut id: FrameId) {
        while id != TOP {
            id = self.report_up(id);
        }
    }
}

impl Frame {
    /// When it was pushed on BACKUP; 0 if it is free.
    #[inline]
    pub(crate) fn pushed(&self) -> u64 {
        self.pushed_and_best >> BEST_BITS
    }

    /// Its best slot, ties leftmost, if that is known. That of a frame on the path to the current state may be
    /// an older one.
    #[inline(always)]
    pub(super) fn known_best(&self) -> Option<usize> {
        let best = self.pushed_and_best & BEST_UNKNOWN;
        (best != BEST_UNKNOWN).then_some(best as usize)
    }

    /// Keeps its best slot.
    #[inline(always)]
    pub(super) fn keep_best(&mut self, slot: usize) {
        let best = (slot as u64).min(BEST_UNKNOWN);
        self.pushed_and_best = self.pushed_and_best & !BEST_UNKNOWN | best;
    }

    #[inline(always)]
    pub(super) fn forget_best(&mut self) {
        self.pushed_and_best |= BEST_UNKNOWN;
    }
}
