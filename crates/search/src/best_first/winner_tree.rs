//! The slots of a frame, and the winner tree that finds the best of them.
//!
//! A slot is a child of an expanded MAX node: a MIN node of the solution tree.

use super::frames::FrameId;
use plyground_core::value::Value;

/// The merit of a slot that cannot be chosen, because its state has left OPEN or is INACTIVE: less
/// than any real merit.
pub(crate) const NOTHING: Value = Value::MIN;

/// The state of an opened slot. The *current child* of a MIN node is the one that is being
/// searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotState {
    /// The current child, a MAX node, is SOLVED.
    SolvedMax,
    /// The MIN node itself is SOLVED.
    SolvedMin,
    /// The current child is expanded; its frame.
    Expanded(FrameId),
    /// The MIN node is LIVE: INACTIVE before it was expanded, or just ACTIVE again; its merit.
    LiveMin(Value),
    /// The current child, a MAX node, is LIVE: INACTIVE, or just ACTIVE again; its merit.
    LiveMax(Value),
    /// Another process searches the MIN node, or a partition that has this slot.
    Delegated,
    /// Another process has SOLVED a partition; the number of the child that has the merit.
    Returned(u32),
    /// The state has left OPEN for good.
    Gone,
}

impl SlotState {
    /// The merit of a state, INACTIVE or not; `merit` is the one by which its slot is chosen.
    pub(crate) fn merit(self, merit: Value) -> Value {
        match self {
            SlotState::LiveMin(h) | SlotState::LiveMax(h) => h,
            _ => merit,
        }
    }
}

/// An opened slot: its state, and the merit by which it is chosen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    pub(crate) merit: Value,
    pub(crate) state: SlotState,
}

/// The slots of a frame, and which of them is the best.
///
/// Slots are opened from left to right. Those not yet opened are LIVE with the merit `high`, and no
/// slot of the frame has more. So while there are any, only the slot opened last can be as good.
/// When all are open, the best is the leader, which was kept up to date meanwhile. Many frames are
/// solved before any merit changes after that. The winners are computed only when one does, and
/// from then on a changed merit costs the logarithm of the width.
#[derive(Default)]
pub(crate) struct WinnerTree {
    pub(crate) slots: Vec<Slot>,
    /// How many slots there are; `slots` has those that are opened.
    pub(crate) size: usize,
    /// The best slot of those before the last opened, or of all once all are open.
    leader: usize,
    /// Is `leader` the best of all opened slots?
    led: bool,
    /// The winner tree itself: `winners[j]` is the better of `winners[2j]` and `winners[2j + 1]`.
    /// Empty until a merit changes.
    winners: Vec<u32>,
}

impl WinnerTree {
    /// Begins with `size` slots, none of them opened; returns the bytes that this took.
    pub(crate) fn start(&mut self, size: usize) -> usize {
        let before = self.slots.capacity();
        self.slots.clear();
        self.slots.reserve(size);
        self.winners.clear();
        self.size = size;
        self.leader = 0;
        self.led = false;
        // Each slot may need a place among the winners later.
        (self.slots.capacity() - before) * (size_of::<Slot>() + size_of::<u32>())
    }

    #[inline]
    pub(crate) fn all_open(&self) -> bool {
        self.slots.len() == self.size
    }

    /// Opens the next slot.
    #[inline]
    pub(crate) fn open(&mut self, state: SlotState, merit: Value) {
        self.settle_last();
        self.slots.push(Slot { merit, state });
        self.led = false;
    }

    /// Compares the slot that was opened last with the leader.
    #[inline]
    fn settle_last(&mut self) {
        if let Some(last) = self.slots.len().checked_sub(1)
            && !self.led
        {
            if self.slots[last].merit > self.slots[self.leader].merit {
                self.leader = last;
            }
            self.led = true;
        }
    }

    /// The best opened slot, ties leftmost, or `None` if one that is not yet opened is better.
    #[inline]
    pub(crate) fn best(&mut self, high: Value) -> Option<usize> {
        if self.all_open() {
            if self.winners.is_empty() {
                self.settle_last();
            }
            return Some(self.leader);
        }
        let last = self.slots.len().checked_sub(1)?;
        (self.slots[last].merit == high).then_some(last)
    }

    #[inline]
    pub(crate) fn set(&mut self, slot: usize, merit: Value) {
        let before = std::mem::replace(&mut self.slots[slot].merit, merit);
        if before == merit || !self.led {
            return;
        }
        if self.winners.is_empty() {
            // A slot that does not lead and gets worse changes nothing.
            if slot != self.leader && merit < before {
                return;
            }
            self.build();
        } else {
            self.replay(slot);
        }
    }

    /// The better of two slots, ties leftmost (`left` is).
    #[inline]
    fn better(&self, left: usize, right: usize) -> usize {
        if self.slots[right].merit > self.slots[left].merit { right } else { left }
    }

    fn build(&mut self) {
        let size = self.size;
        if size < 2 {
            return;
        }
        let leaves = size.next_power_of_two();
        self.winners.resize(leaves, 0);
        for j in (1..leaves).rev() {
            // The first slot below j's children.
            let (mut left, mut right) = (2 * j, 2 * j + 1);
            if left < leaves {
                (left, right) = (self.winners[left] as usize, self.winners[right] as usize);
            } else {
                (left, right) = (left - leaves, right - leaves);
            }
            let winner = if right < size { self.better(left, right) } else { left };
            self.winners[j] = winner as u32;
        }
        self.leader = self.winners[1] as usize;
    }

    /// Recomputes the winners on the path of one slot.
    #[inline]
    fn replay(&mut self, slot: usize) {
        let leaves = self.winners.len();
        let mut winner = slot;
        let mut j = leaves + slot;
        while j > 1 {
            let rival = j ^ 1;
            let rival = if rival >= leaves { rival - leaves } else { self.winners[rival] as usize };
            if rival < self.size {
                winner = if rival < winner {
                    self.better(rival, winner)
                } else {
                    self.better(winner, rival)
                };
            }
            j /= 2;
            if self.winners[j] as usize == winner && winner != slot {
                return;
            }
            self.winners[j] = winner as u32;
        }
        self.leader = winner;
    }

    /// Opens all slots that are left, LIVE with the merit `high`, so that they can change one by
    /// one.
    pub(crate) fn open_all(&mut self, high: Value) {
        self.slots.resize(self.size, Slot { merit: high, state: SlotState::LiveMin(high) });
        self.close();
    }

    /// Adds a slot after all others.
    pub(crate) fn add(&mut self, state: SlotState) {
        self.slots.push(Slot { merit: NOTHING, state });
        self.close();
    }

    /// Drops the slots that are not opened.
    pub(crate) fn close(&mut self) {
        self.size = self.slots.len();
        self.winners.clear();
        let leftmost_best = |best: usize, slot: usize| self.better(best, slot);
        self.leader = (0..self.size).reduce(leftmost_best).unwrap_or(0);
        self.led = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_core::tree::mix;

    #[test]
    fn a_start_takes_the_bytes_that_are_new() {
        let each = size_of::<Slot>() + size_of::<u32>();
        let mut tree = WinnerTree::default();
        let taken = tree.start(10);
        assert_eq!(taken, each * tree.slots.capacity());
        assert!(taken >= 10 * each);
        assert_eq!(tree.start(7), 0);
        let more = tree.start(1000);
        assert_eq!(taken + more, each * tree.slots.capacity());
    }

    /// The winner tree against a linear search, over random openings and changes of merit.
    #[test]
    fn the_winner_tree_knows_the_best_slot() {
        for case in 0..2_000 {
            let random = |i: u64, n: u64| (mix(case, i) % n) as usize;
            let size = 1 + random(0, 20);
            let high = 50;
            let mut tree = WinnerTree::default();
            tree.start(size);
            for slot in 0..size {
                assert_eq!(tree.best(high), None);
                tree.open(SlotState::SolvedMax, high);
                assert_eq!(tree.best(high), Some(slot));
                tree.set(slot, random(1 + slot as u64, 50) as Value);
            }
            for step in 0..40 {
                let best = tree.best(high).unwrap();
                let expected = (0..size).max_by_key(|&s| (tree.slots[s].merit, size - s)).unwrap();
                assert_eq!(best, expected, "{:?}", tree.slots);
                // Mostly the best changes, as in a search; now and then another.
                let slot =
                    if random(100 + step, 4) == 0 { random(200 + step, size as u64) } else { best };
                tree.set(slot, random(300 + step, 51) as Value);
            }
        }
    }
}
