//! What a search in M entries of memory does with INACTIVE states, and the bounds that the states on OPEN
//! imply.

use plyground_core::value::Value;

use super::{FrameId, Frames};
use crate::best_first::merits::NOTHING;
use crate::best_first::slot::{Slot, SlotState};

impl Frames {
    /// Makes the LIVE state of a slot INACTIVE.
    pub(crate) fn deactivate(&mut self, id: FrameId, slot: usize, state: SlotState) {
        self.set(id, slot, state, NOTHING);
    }

    /// Makes an INACTIVE state ACTIVE again.
    pub(crate) fn reactivate(&mut self, id: FrameId, slot: usize) {
        let state = self.state(id, slot);
        self.set(id, slot, state, state.merit(NOTHING));
    }

    /// Drops all states below `id` with a merit of at most `h`, except the one in slot `keep` of
    /// `id` itself.
    pub(crate) fn drop_no_better(&mut self, id: FrameId, keep: Option<usize>, h: Value) {
        // h is the merit of the best ACTIVE state, and no unopened slot has more.
        let opened = self.get(id).opened();
        let unopened = (self.get(id).size() - opened) as u32;
        self.get_mut(id).lose(unopened);
        self.open -= u64::from(unopened);
        self.open_all(id, SlotState::Gone, NOTHING);
        for slot in (0..opened).filter(|&slot| Some(slot) != keep) {
            match self.state(id, slot) {
                SlotState::Gone | SlotState::Delegated => {}
                SlotState::Expanded(below) => {
                    self.drop_no_better(below, None, h);
                    if self.get(below).is_empty() {
                        self.get_mut(id).below -= 1;
                        self.release(below);
                        self.set(id, slot, SlotState::Gone, NOTHING);
                    } else {
                        let merit = self.best(below).1;
                        self.set_merit(id, slot, merit);
                    }
                }
                state if state.merit(self.merit(id, slot)) <= h => self.remove(id, slot),
                _ => {}
            }
        }
    }

    /// The deepest INACTIVE state below `id`, ties leftmost.
    pub(crate) fn deepest_inactive(&self, id: FrameId) -> Option<(FrameId, usize)> {
        let mut deepest = None;
        self.find_deepest_inactive(id, &mut deepest);
        deepest.map(|(_, frame, slot)| (frame, slot))
    }

    fn find_deepest_inactive(&self, id: FrameId, deepest: &mut Option<(u32, FrameId, usize)>) {
        for (slot, x) in self.opened_slots(id).iter().enumerate() {
            if let Some(below) = x.below() {
                self.find_deepest_inactive(below, deepest);
            } else if x.is_live() && self.merit(id, slot) == NOTHING {
                let ply = self.get(id).ply + u32::from(!x.is_live_min());
                if deepest.is_none_or(|(best, ..)| ply > best) {
                    *deepest = Some((ply, id, slot));
                }
            }
        }
    }

    /// How many states below `id` are INACTIVE.
    pub(crate) fn inactive(&self, id: FrameId) -> u64 {
        let count = |(slot, x): (usize, &Slot)| match x.below() {
            Some(below) => self.inactive(below),
            None => u64::from(x.is_live() && self.merit(id, slot) == NOTHING),
        };
        self.opened_slots(id).iter().enumerate().map(count).sum()
    }

    /// An upper bound on the value of the MAX node of `id`: the most that the states below it, and
    /// the children that are not yet searched, can be worth.
    pub(crate) fn upper_bound(&self, id: FrameId, low: Value) -> Value {
        let frame = self.get(id);
        let low = low.max(frame.low);
        if frame.has_partition_left() || !frame.all_open() {
            return frame.high;
        }
        let bound = |slot| match self.state(id, slot) {
            SlotState::Expanded(below) => self.upper_bound(below, low),
            state => state.merit(self.merit(id, slot)),
        };
        (0..frame.opened()).map(bound).fold(low, Value::max)
    }
}
