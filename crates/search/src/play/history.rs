//! What a selective search learns of quiet moves, and keeps from one move of the game to the next.
//!
//! Unlike the laboratory's history table, moves also lose credit: those that were tried before the
//! move that cut off. Credit and blame fade into each other, so that no number grows without end.
//!
//! The threads of a search learn together. Each number is a relaxed atomic, read and then written: if
//! two threads do so at once, one of two small changes is lost, and nothing else.

use std::sync::atomic::{AtomicI16, AtomicU16, Ordering::Relaxed};

use crate::table::NO_MOVE;

/// Histories of moves: alone, and after the moves before them; and counter-moves.
#[derive(Debug)]
pub struct Learnt {
    slots: usize,
    /// By side and slot.
    alone: Vec<AtomicI16>,
    /// By the slot of an earlier move and the slot of this one; empty where slots are too many.
    after: Vec<AtomicI16>,
    /// The code of what last cut off after the move with this slot.
    counters: Vec<AtomicU16>,
}

/// The slot of a move that there is not: a null move, or one before the root.
pub(super) const NO_SLOT: usize = usize::MAX;

/// Pairs of moves are kept where there are at most so many slots.
const MOST_PAIRED: usize = 1024;

/// No history goes beyond this.
const MOST: i32 = 8_192;

impl Learnt {
    /// Nothing learnt yet, for a tree with so many slots.
    pub fn new(slots: usize) -> Learnt {
        let pairs = if slots <= MOST_PAIRED { slots * slots } else { 0 };
        Learnt {
            slots,
            alone: (0..2 * slots).map(|_| AtomicI16::new(0)).collect(),
            after: (0..pairs).map(|_| AtomicI16::new(0)).collect(),
            counters: (0..2 * slots).map(|_| AtomicU16::new(NO_MOVE)).collect(),
        }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.histories().for_each(|history| history.store(0, Relaxed));
        self.counters.iter().for_each(|counter| counter.store(NO_MOVE, Relaxed));
    }

    /// A new search begins: what was learnt for the last one counts half.
    pub(super) fn fade(&self) {
        self.histories().for_each(|history| history.store(history.load(Relaxed) / 2, Relaxed));
    }

    fn histories(&self) -> impl Iterator<Item = &AtomicI16> {
        self.alone.iter().chain(&self.after)
    }

    #[inline]
    fn side(&self, ply: usize, slot: usize) -> usize {
        slot + if ply.is_multiple_of(2) { 0 } else { self.slots }
    }

    #[inline]
    fn pair(&self, before: usize, slot: usize) -> Option<usize> {
        (before != NO_SLOT && !self.after.is_empty()).then(|| before * self.slots + slot)
    }

    /// How well the move in `slot` did, at this ply and after these moves.
    #[inline]
    pub(super) fn history(&self, ply: usize, before: [usize; 2], slot: usize) -> i32 {
        let mut sum = i32::from(self.alone[self.side(ply, slot)].load(Relaxed));
        for pair in before.iter().filter_map(|&before| self.pair(before, slot)) {
            sum += i32::from(self.after[pair].load(Relaxed));
        }
        sum
    }

    /// The move in `slot` did well or, if `change` is below zero, badly.
    #[inline]
    pub(super) fn learn(&self, ply: usize, before: [usize; 2], slot: usize, change: i32) {
        let side = self.side(ply, slot);
        credit(&self.alone[side], change);
        for before in before {
            if let Some(pair) = self.pair(before, slot) {
                credit(&self.after[pair], change);
            }
        }
    }

    /// What last cut off at this ply's side after the move in `before`.
    #[inline]
    pub(super) fn counter(&self, ply: usize, before: usize) -> u16 {
        if before == NO_SLOT {
            NO_MOVE
        } else {
            self.counters[self.side(ply, before)].load(Relaxed)
        }
    }

    /// The move with this code cut off after the move in `before`.
    #[inline]
    pub(super) fn set_counter(&self, ply: usize, before: usize, code: u16) {
        if before != NO_SLOT {
            let side = self.side(ply, before);
            self.counters[side].store(code, Relaxed);
        }
    }
}

/// Adds `change` the more fully the farther the history is from the end it goes to.
#[inline]
fn credit(history: &AtomicI16, change: i32) {
    let change = change.clamp(-MOST, MOST);
    let now = i32::from(history.load(Relaxed));
    history.store((now + change - now * change.abs() / MOST) as i16, Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credit_stays_within_its_bounds() {
        let history = AtomicI16::new(0);
        for change in [1_000_000, 5_000, -9_000, -8_192, -1, 77] {
            for _ in 0..100 {
                credit(&history, change);
                assert!(i32::from(history.load(Relaxed)).abs() <= MOST);
            }
            assert_eq!(history.load(Relaxed) > 0, change > 0);
        }
    }

    #[test]
    fn pairs_and_sides_are_kept_apart() {
        let learnt = Learnt::new(10);
        learnt.learn(0, [3, NO_SLOT], 7, 100);
        assert_eq!(learnt.history(0, [3, NO_SLOT], 7), 200);
        assert_eq!(learnt.history(0, [4, NO_SLOT], 7), 100);
        assert_eq!(learnt.history(1, [NO_SLOT; 2], 7), 0);
        learnt.set_counter(1, 3, 5);
        learnt.set_counter(1, NO_SLOT, 6);
        assert_eq!(learnt.counter(1, 3), 5);
        assert_eq!(learnt.counter(0, 3), NO_MOVE);
        learnt.fade();
        assert_eq!(learnt.history(2, [3, NO_SLOT], 7), 100);
        learnt.clear();
        assert_eq!(learnt.history(2, [3, NO_SLOT], 7), 0);
    }
}
