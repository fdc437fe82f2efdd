//! The solver's own static evaluation: an estimate of the final score, for ordering moves far from
//! the end and for ProbCut.
//!
//! Eleven features and a constant are multiplied by weights that depend on how full the board is.
//! The features were chosen by hand. The weights are the least-squares fit to the exact scores of
//! 32,800 positions with 8 to 19 empties, which came from games of a two-ply search with random moves
//! mixed in and were solved with this solver. The error that remains has a standard deviation of 10
//! to 13 discs. Stable discs matter most: without them it grows by 0.7, without the frontier by 0.2.
//! Potential mobility has the sign opposite to a player's intuition, because this near the end the
//! frontier and the legal moves already say what it is meant to say.

use super::order::with_neighbours;
use super::search::Search;
use crate::othello::Instructions;

/// How many units make a disc.
pub(super) const SCALE: i32 = 32;
/// The largest value: a game won with 64 discs.
pub(super) const MAX_VALUE: i32 = 64 * SCALE;

pub(super) const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The squares diagonally beside a corner.
const X_SQUARES: u64 = 0x0042_0000_0000_4200;
/// The squares beside a corner on the edge.
const C_SQUARES: u64 = 0x4281_0000_0000_8142;

const FEATURES: usize = 12;

/// For 8 or 9 empties (or fewer), 10 or 11, 12 or 13, 14 or 15, and more: the weight of
/// [`features`](Search::features) in order.
static WEIGHTS: [[i32; FEATURES]; 5] = [
    [65, -63, -33, 52, -28, 148, -117, 87, 22, -44, 32, -69],
    [60, -64, -25, 48, -28, 146, -95, 108, -10, -47, 33, -90],
    [52, -59, -22, 41, -34, 176, -138, 132, 0, -40, 35, -62],
    [42, -65, -16, 35, -34, 188, -135, 155, -18, -33, 35, 13],
    [39, -55, -9, 31, -37, 184, -130, 182, -34, -45, 39, -43],
];

impl<I: Instructions> Search<'_, I> {
    /// The features of a board, a constant last.
    #[inline(always)]
    fn features(&self, player: u64, opponent: u64) -> [i32; FEATURES] {
        let count = |set: u64| set.count_ones() as i32;
        let difference = |mask: u64| count(player & mask) - count(opponent & mask);
        let empties = !(player | opponent);
        let ours = self.instructions.moves(player, opponent);
        let theirs = self.instructions.moves(opponent, player);
        let open = with_neighbours(empties & CORNERS);
        [
            // Mobility, and potential mobility: empty squares beside the opponent's discs.
            count(ours),
            count(theirs),
            count(with_neighbours(opponent) & empties),
            count(with_neighbours(player) & empties),
            // The frontier: discs beside empty squares.
            difference(with_neighbours(empties)),
            // Corners that can be taken, corners owned, and the squares that give an open corner away.
            count(ours & CORNERS),
            count(theirs & CORNERS),
            difference(CORNERS),
            difference(X_SQUARES & open),
            difference(C_SQUARES & open),
            // Stable discs.
            count(self.edges.stable(player, opponent)) - count(self.edges.stable(opponent, player)),
            // The right to move.
            1,
        ]
    }

    /// The mover's expected score, in units of 1/[`SCALE`] disc.
    #[inline(always)]
    pub(super) fn evaluate(&self, player: u64, opponent: u64) -> i32 {
        let empties = (!(player | opponent)).count_ones();
        let stage = (empties.saturating_sub(8) / 2).min(4) as usize;
        let features = self.features(player, opponent);
        let value: i32 =
            features.iter().zip(&WEIGHTS[stage]).map(|(count, weight)| count * weight).sum();
        // A finished game may be worth `MAX_VALUE`; an estimate never is.
        value.clamp(1 - MAX_VALUE, MAX_VALUE - 1)
    }
}
