//! A frame with its slots, found once for several steps.

use plyground_core::value::Value;

use super::Frame;
use crate::best_first::merits;
use crate::best_first::runs::RunSpace;
use crate::best_first::slot::{Slot, SlotState};

/// A frame with its slots, found once for several steps.
pub(in crate::best_first) struct FrameView<'f> {
    pub(in crate::best_first) frame: &'f mut Frame,
    pub(super) merits: &'f mut [Value],
    pub(in crate::best_first) slots: &'f mut [Slot],
    pub(in crate::best_first) move_space: &'f mut RunSpace,
}

impl FrameView<'_> {
    /// Changes the merit of a slot.
    #[inline(always)]
    pub(in crate::best_first) fn set_merit(&mut self, slot: usize, merit: Value) {
        merits::set(self.merits, self.frame.size as usize, slot, merit);
    }

    /// Changes the state and the merit of an opened slot; the state is none that can be INACTIVE.
    #[inline(always)]
    pub(in crate::best_first) fn set(&mut self, slot: usize, state: SlotState, merit: Value) {
        self.slots[slot].set_state(state);
        self.set_merit(slot, merit);
    }

    /// Gives a slot a state and a merit; if it is not opened, it is the next one.
    #[inline(always)]
    pub(in crate::best_first) fn put(&mut self, slot: usize, state: SlotState, merit: Value) {
        match slot < self.frame.opened() {
            true => self.set(slot, state, merit),
            false => self.open(slot, state, merit),
        }
    }

    /// Opens the next slot, which this is, without a MIN node.
    #[inline(always)]
    pub(in crate::best_first) fn open(&mut self, slot: usize, state: SlotState, merit: Value) {
        debug_assert_eq!(slot, self.frame.opened());
        self.frame.opened += 1;
        self.slots[slot] = Slot::new(state);
        self.set_merit(slot, merit);
    }
}
