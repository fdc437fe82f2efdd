//! Correction history: how far the static evaluation was off.
//!
//! Positions with the same pawns, or with the same pieces of one side, tend to be misjudged alike: what a
//! search finds out about one of them is a correction for all. So the differences between values found
//! and static evaluations are kept as running means, by a few [keys](PlayTree::correction_keys) of the
//! position, and added to the static evaluations of others.

use super::history::{PlayHistory, add};
use super::state::PlaySearch;
use plyground_core::tree::{CORRECTIONS, PlayTree};
use plyground_core::value::{LEAST_MATE, Value};

use std::sync::atomic::Ordering::Relaxed;

/// The entries of a table of corrections for one key and one side.
pub(super) const CORRECTION_ENTRIES: usize = 1 << 14;

/// An entry counts in this part of the unit of values.
const GRAIN: Value = 64;

/// The most that one value changes an entry.
const MAX_CHANGE: Value = 2_000;

impl PlayHistory {
    fn correction_index(&self, ply: usize, number: usize, key: u64) -> usize {
        let entry = key as usize % CORRECTION_ENTRIES;
        (number * 2 + ply % 2) * CORRECTION_ENTRIES + entry
    }

    /// How much is to be added to the static evaluation of a position with these keys.
    fn correction(&self, ply: usize, keys: [u64; CORRECTIONS]) -> Value {
        let entries = keys.iter().enumerate();
        let sum: Value = entries
            .map(|(number, &key)| self.correction_index(ply, number, key))
            .map(|index| Value::from(self.corrections[index].load(Relaxed)))
            .sum();
        sum / (GRAIN * 2)
    }

    /// A search to `depth` has found a value that differs from the static evaluation by `error`.
    pub(super) fn correct(&self, ply: usize, keys: [u64; CORRECTIONS], error: Value, depth: i32) {
        let error = error.clamp(-MAX_CHANGE, MAX_CHANGE);
        let change = (error * depth).clamp(-MAX_CHANGE, MAX_CHANGE);
        for (number, &key) in keys.iter().enumerate() {
            add(&self.corrections[self.correction_index(ply, number, key)], change);
        }
    }
}

impl<T: PlayTree> PlaySearch<'_, T> {
    /// The static evaluation with what was learnt, and the keys to learn more with.
    #[inline]
    pub(super) fn corrected_eval(
        &self,
        node: &T::Node,
        ply: usize,
    ) -> (Value, Option<[u64; CORRECTIONS]>) {
        let eval = self.tree.static_eval(node);
        if !self.switches.correction_history {
            return (eval, None);
        }
        match self.tree.correction_keys(node) {
            Some(keys) if eval.abs() < LEAST_MATE => {
                let corrected = eval + self.history.correction(ply, keys);
                (corrected.clamp(1 - LEAST_MATE, LEAST_MATE - 1), Some(keys))
            }
            _ => (eval, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_that_repeat_are_corrected_for_their_keys_and_side_alone() {
        let history = PlayHistory::new(1);
        let keys = [1, 2, 3];
        for _ in 0..400 {
            history.correct(0, keys, 80, 8);
        }
        let learnt = history.correction(0, keys);
        assert!((40..=200).contains(&learnt), "{learnt}");
        assert_eq!(history.correction(1, keys), 0);
        assert_eq!(history.correction(0, [4, 5, 6]), 0);
        // One key in common is a third of it.
        assert_eq!(history.correction(0, [1, 5, 6]), learnt / 3);
        for _ in 0..400 {
            history.correct(0, keys, -80, 8);
        }
        assert!(history.correction(0, keys) < 0);
        history.clear();
        assert_eq!(history.correction(0, keys), 0);
    }

    #[test]
    fn no_error_is_too_large() {
        let history = PlayHistory::new(1);
        for error in [i32::from(i16::MAX), -40_000, 30_000] {
            (0..100).for_each(|_| history.correct(3, [u64::MAX; 3], error, 127));
            assert!(history.correction(3, [u64::MAX; 3]).abs() <= 200, "{error}");
        }
    }
}
