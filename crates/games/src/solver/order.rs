//! The order of moves: the first to be tried should refute, and cheaply.
//!
//! Near the end the best guess is the fastest one (fastest first): the move that leaves the opponent
//! the fewest replies, since it makes the smallest tree whether or not it is best. Far from the end
//! a shallow search joins in; on FFO 40–44, giving the replies their full weight beside it saved a
//! quarter of the nodes.

use super::evaluate::{CORNERS, SCALE};
use super::search::{Candidates, Halt, Search};
use crate::othello::Instructions;

/// What a reply, a reply in a corner, an empty square beside our discs, a move into a quadrant with
/// an odd number of empties and a better square are worth.
const REPLY: i32 = 64;
const CORNER_REPLY: i32 = 64;
const EXPOSED: i32 = 12;
const PARITY: i32 = 28;
const PLACE: i32 = 2;

/// The worth of a move that the table remembers: before all others.
pub(super) const REMEMBERED: i32 = 1 << 29;

/// The least empties for shallow searches of depth 0, 1, 2, 3 and 4 before a move is chosen.
const LOOK_FROM: [u32; 5] = [12, 14, 16, 18, 21];

/// A move this many discs worse than the best guess need not be guessed exactly.
const LOOK_WINDOW: i32 = 5 * SCALE;

/// Squares in the order players learn them: corners good, the squares that give them away bad.
static PLACES: [i8; 64] = [
    18, 4, 16, 12, 12, 16, 4, 18, //
    4, 2, 6, 8, 8, 6, 2, 4, //
    16, 6, 14, 10, 10, 14, 6, 16, //
    12, 8, 10, 0, 0, 10, 8, 12, //
    12, 8, 10, 0, 0, 10, 8, 12, //
    16, 6, 14, 10, 10, 14, 6, 16, //
    4, 2, 6, 8, 8, 6, 2, 4, //
    18, 4, 16, 12, 12, 16, 4, 18, //
];

/// The discs' squares and those beside them.
#[inline(always)]
pub(super) fn around(discs: u64) -> u64 {
    let rows = discs | discs << 1 & 0xfefe_fefe_fefe_fefe | discs >> 1 & 0x7f7f_7f7f_7f7f_7f7f;
    rows | rows << 8 | rows >> 8
}

impl<I: Instructions> Search<'_, I> {
    /// How promising a move looks, given the board after it and the odd quadrants before it.
    #[inline(always)]
    pub(super) fn quick_worth(&self, mover: u64, other: u64, square: u32, odd: u64) -> i32 {
        let count = |set: u64| set.count_ones() as i32;
        let replies = self.instructions.moves(mover, other);
        let exposed = around(other) & !(mover | other);
        let parity = (odd >> square & 1) as i32;
        PLACE * i32::from(PLACES[square as usize & 63]) + PARITY * parity
            - REPLY * count(replies)
            - CORNER_REPLY * count(replies & CORNERS)
            - EXPOSED * count(exposed)
    }

    /// Adds to each move's worth what a shallow search expects of it.
    #[inline(always)]
    pub(super) fn look_ahead(
        &mut self,
        candidates: &mut Candidates,
        empties: u32,
    ) -> Result<(), Halt> {
        let Some(depth) = LOOK_FROM.iter().rposition(|&from| empties >= from) else {
            return Ok(());
        };
        let mut best = -65 * SCALE;
        // The most promising first: what is found for them bounds the guesses for the others.
        candidates.sort_unstable_by_key(|candidate| (-candidate.worth, candidate.square));
        for candidate in candidates {
            let remembered = candidate.worth >= REMEMBERED;
            // A remembered move comes first anyway; its guess only helps to bound the others'.
            if remembered && depth < 2 {
                continue;
            }
            let window = LOOK_WINDOW - best;
            let value =
                -self.guess(candidate.mover, candidate.other, -65 * SCALE, window, depth as u32)?;
            best = best.max(value);
            if !remembered {
                candidate.worth += value;
            }
        }
        Ok(())
    }
}
