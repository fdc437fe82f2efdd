//! Histories: how well quiet moves did, kept from one move of the game to the next.
//!
//! A quiet move that cuts off at one node often cuts off at others too. So it gains credit, and the
//! quiet moves that were tried before it lose some; the laboratory's history table knows no such loss.
//! The farther a number is from 0, the less it grows and the more it shrinks, so that none grows
//! without end.
//!
//! The threads of a search share the histories. Each number is a relaxed atomic, read and then
//! written: if two threads do so at once, one of two small changes is lost, and nothing else.

use std::sync::atomic::{AtomicI16, AtomicU16, Ordering::Relaxed};

use super::correction::CORRECTION_ENTRIES;
use super::state::PlaySearch;
use crate::table::NO_MOVE;
use plyground_core::tree::{CORRECTIONS, PlayTree};

/// Histories of moves, alone and after the moves before them (*continuation history*), and
/// counter-moves.
#[derive(Debug)]
pub struct PlayHistory {
    /// How many history indices the tree has.
    size: usize,
    /// By side and index.
    alone: Vec<AtomicI16>,
    /// By the index of an earlier move and the index of this one; empty where there are too many.
    continuation: Vec<AtomicI16>,
    /// By correction key and side: how far static evaluations were off; see `correction`.
    pub(super) corrections: Vec<AtomicI16>,
    /// By side and index of a move: the code of the move that last cut off after it.
    counter_moves: Vec<AtomicU16>,
}

/// The index of a move that does not exist: a null move, or one before the root.
pub(super) const NO_INDEX: usize = usize::MAX;

/// Pairs of moves are kept for trees with at most this many indices.
const MAX_PAIRED: usize = 1024;

/// No history goes beyond this, on either side of 0.
const MAX_HISTORY: i32 = 8_192;

impl PlayHistory {
    /// Empty histories for a tree with `size` history indices, its
    /// [`HISTORY_SIZE`](plyground_core::tree::GameTree::HISTORY_SIZE).
    pub fn new(size: usize) -> PlayHistory {
        let pairs = if size <= MAX_PAIRED { size * size } else { 0 };
        PlayHistory {
            size,
            alone: (0..2 * size).map(|_| AtomicI16::new(0)).collect(),
            continuation: (0..pairs).map(|_| AtomicI16::new(0)).collect(),
            corrections: (0..2 * CORRECTIONS * CORRECTION_ENTRIES)
                .map(|_| AtomicI16::new(0))
                .collect(),
            counter_moves: (0..2 * size).map(|_| AtomicU16::new(NO_MOVE)).collect(),
        }
    }

    /// Forgets everything.
    pub fn clear(&self) {
        let numbers = self.alone.iter().chain(&self.continuation).chain(&self.corrections);
        numbers.for_each(|number| number.store(0, Relaxed));
        self.counter_moves.iter().for_each(|counter| counter.store(NO_MOVE, Relaxed));
    }

    /// A new search begins: what the last one has learnt of moves alone counts half. Pairs of moves are
    /// left as they are: there are half a million of them, and halving them all takes as long as
    /// searching a thousand nodes.
    pub(super) fn age(&self) {
        self.alone.iter().for_each(|history| history.store(history.load(Relaxed) / 2, Relaxed));
    }

    /// The place of `index` for the side that moves at `ply`.
    #[inline]
    fn by_side(&self, ply: usize, index: usize) -> usize {
        index + if ply.is_multiple_of(2) { 0 } else { self.size }
    }

    #[inline]
    fn pair(&self, before: usize, index: usize) -> Option<usize> {
        (before != NO_INDEX && !self.continuation.is_empty()).then(|| before * self.size + index)
    }

    /// How well the move with this index did, at this ply and after the moves `before` it.
    #[inline]
    pub(super) fn score(&self, ply: usize, before: [usize; 2], index: usize) -> i32 {
        let mut sum = i32::from(self.alone[self.by_side(ply, index)].load(Relaxed));
        for pair in before.iter().filter_map(|&before| self.pair(before, index)) {
            sum += i32::from(self.continuation[pair].load(Relaxed));
        }
        sum
    }

    /// The move with this index did well or, if `change` is below zero, badly.
    #[inline]
    pub(super) fn update(&self, ply: usize, before: [usize; 2], index: usize, change: i32) {
        let side = self.by_side(ply, index);
        add(&self.alone[side], change);
        for before in before {
            if let Some(pair) = self.pair(before, index) {
                add(&self.continuation[pair], change);
            }
        }
    }

    /// The code of the move that last cut off after the move with index `before`, for the side that
    /// moves at `ply`.
    #[inline]
    pub(super) fn counter_move(&self, ply: usize, before: usize) -> u16 {
        if before == NO_INDEX {
            NO_MOVE
        } else {
            self.counter_moves[self.by_side(ply, before)].load(Relaxed)
        }
    }

    /// The move with this code cut off after the move with index `before`.
    #[inline]
    pub(super) fn set_counter_move(&self, ply: usize, before: usize, code: u16) {
        if before != NO_INDEX {
            let side = self.by_side(ply, before);
            self.counter_moves[side].store(code, Relaxed);
        }
    }
}

/// Adds `change`, the more fully the farther the history is from the end it goes to.
#[inline]
pub(super) fn add(history: &AtomicI16, change: i32) {
    let change = change.clamp(-MAX_HISTORY, MAX_HISTORY);
    let now = i32::from(history.load(Relaxed));
    history.store((now + change - now * change.abs() / MAX_HISTORY) as i16, Relaxed);
}

impl<T: PlayTree> PlaySearch<'_, T> {
    /// A quiet move cut off: its histories gain, those of the quiet moves `tried` before it lose, and
    /// it becomes a killer and the counter-move.
    pub(super) fn update_history(
        &mut self,
        ply: usize,
        depth: i32,
        before: [usize; 2],
        index: usize,
        code: u16,
        tried: &[usize],
    ) {
        let change = (12 * depth * depth + 60 * depth).min(1_500);
        self.history.update(ply, before, index, change);
        for &other in tried {
            self.history.update(ply, before, other, -change);
        }
        self.history.set_counter_move(ply, before[0], code);
        let killers = &mut self.frames[ply].killers;
        if killers[0] != code {
            *killers = [code, killers[0]];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histories_stay_within_their_bounds() {
        let history = AtomicI16::new(0);
        for change in [1_000_000, 5_000, -9_000, -8_192, -1, 77] {
            for _ in 0..100 {
                add(&history, change);
                assert!(i32::from(history.load(Relaxed)).abs() <= MAX_HISTORY);
            }
            assert_eq!(history.load(Relaxed) > 0, change > 0);
        }
    }

    #[test]
    fn pairs_and_sides_are_kept_apart() {
        let history = PlayHistory::new(10);
        history.update(0, [3, NO_INDEX], 7, 100);
        assert_eq!(history.score(0, [3, NO_INDEX], 7), 200);
        assert_eq!(history.score(0, [4, NO_INDEX], 7), 100);
        assert_eq!(history.score(1, [NO_INDEX; 2], 7), 0);
        history.set_counter_move(1, 3, 5);
        history.set_counter_move(1, NO_INDEX, 6);
        assert_eq!(history.counter_move(1, 3), 5);
        assert_eq!(history.counter_move(0, 3), NO_MOVE);
        history.age();
        assert_eq!(history.score(2, [3, NO_INDEX], 7), 150);
        history.clear();
        assert_eq!(history.score(2, [3, NO_INDEX], 7), 0);
    }
}
