//! The solver's own static evaluation: an estimate of the final score, for ordering moves far from
//! the end and for ProbCut.
//!
//! It is the pattern evaluation with the weights that are built in.

use super::last_four::final_score;
use super::search::Search;
use crate::othello::{BeforeMoves, DISC, Instructions};
use plyground_core::value::Value;

/// How many units make a disc.
pub(super) const SCALE: i32 = 32;
/// The largest value: a game won with 64 discs.
pub(super) const MAX_VALUE: i32 = 64 * SCALE;

pub(super) const CORNERS: u64 = 0x8100_0000_0000_0081;

impl<I: Instructions> Search<'_, I> {
    /// The mover's expected score, in units of 1/[`SCALE`] disc.
    #[inline(always)]
    pub(super) fn evaluate(&self, player: u64, opponent: u64) -> i32 {
        let value = self.weights.value(self.instructions, player, opponent);
        in_units(value, player, opponent)
    }

    /// What evaluating the boards after a board's moves begins with.
    #[inline(always)]
    pub(super) fn before_moves(&self, player: u64, opponent: u64) -> BeforeMoves {
        self.weights.before_moves(self.instructions, player, opponent)
    }

    /// The opponent's expected score after a move that turned `flips`.
    #[inline(always)]
    pub(super) fn evaluate_after(
        &self,
        before: &BeforeMoves,
        (square, flips): (u32, u64),
        (mover, other): (u64, u64),
    ) -> i32 {
        let value =
            self.weights.value_after(self.instructions, before, (square, flips), (mover, other));
        in_units(value, mover, other)
    }
}

/// A value of the pattern evaluation in units of 1/[`SCALE`] disc.
#[inline(always)]
fn in_units(value: Option<Value>, player: u64, opponent: u64) -> i32 {
    match value {
        // A finished game may be worth `MAX_VALUE`; an estimate never is.
        Some(value) => (value * SCALE / DISC).clamp(1 - MAX_VALUE, MAX_VALUE - 1),
        None => final_score(player, opponent) * SCALE,
    }
}
