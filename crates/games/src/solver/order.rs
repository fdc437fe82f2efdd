//! Move ordering: the move that is tried first should cut off, and at little cost.
//!
//! Near the end the rule is *fastest first*: the move that leaves the opponent the fewest replies
//! comes first, since its tree is the smallest whether or not it is the best move. Far from the end
//! the value of a shallow search is added. On the positions FFO 40 to 44, counting the replies with
//! their full weight beside that value saved a quarter of the nodes.

use super::evaluate::{CORNERS, SCALE};
use super::search::{Candidate, Candidates, Halt, Search};
use crate::othello::Instructions;

/// What each legal reply of the opponent takes from a move's priority,
const REPLY: i32 = 64;
/// and what a reply in a corner takes besides.
const CORNER_REPLY: i32 = 64;
/// What each empty square beside our discs takes: the opponent may come to play there.
const POTENTIAL_REPLY: i32 = 12;
/// What a move into a quadrant with an odd number of empties adds.
const PARITY: i32 = 28;
/// The weight of the value of the square itself.
const SQUARE: i32 = 2;

/// The priority of a best move from the table: it comes before all others.
pub(super) const TABLE_MOVE: i32 = 1 << 29;

/// The fewest empties at which moves are ordered by shallow searches of depth 0, 1, 2, 3 and 4.
const SHALLOW_MIN_EMPTIES: [u32; 5] = [13, 15, 17, 19, 21];

/// The value of a move that is this much worse than the best one need not be exact.
const SHALLOW_WINDOW: i32 = 3 * SCALE;

/// The value of each square: corners are best, and squares that give a corner away are bad.
static SQUARE_VALUES: [i8; 64] = [
    18, 4, 16, 12, 12, 16, 4, 18, //
    4, 2, 6, 8, 8, 6, 2, 4, //
    16, 6, 14, 10, 10, 14, 6, 16, //
    12, 8, 10, 0, 0, 10, 8, 12, //
    12, 8, 10, 0, 0, 10, 8, 12, //
    16, 6, 14, 10, 10, 14, 6, 16, //
    4, 2, 6, 8, 8, 6, 2, 4, //
    18, 4, 16, 12, 12, 16, 4, 18, //
];

/// The squares of a set and all squares beside them.
#[inline(always)]
pub(super) fn with_neighbours(discs: u64) -> u64 {
    let rows = discs | discs << 1 & 0xfefe_fefe_fefe_fefe | discs >> 1 & 0x7f7f_7f7f_7f7f_7f7f;
    rows | rows << 8 | rows >> 8
}

impl<I: Instructions> Search<'_, I> {
    /// A move's priority without search, from the board after it, the square and the quadrants that
    /// had an odd number of empties before it.
    #[inline(always)]
    pub(super) fn static_priority(&self, mover: u64, other: u64, square: u32, odd: u64) -> i32 {
        let count = |set: u64| set.count_ones() as i32;
        let replies = self.instructions.moves(mover, other);
        let potential = with_neighbours(other) & !(mover | other);
        let parity = (odd >> square & 1) as i32;
        SQUARE * i32::from(SQUARE_VALUES[square as usize & 63]) + PARITY * parity
            - REPLY * count(replies)
            - CORNER_REPLY * count(replies & CORNERS)
            - POTENTIAL_REPLY * count(potential)
    }

    /// Adds to each move's priority the value that a shallow search finds for it.
    #[inline(always)]
    pub(super) fn add_shallow_values(
        &mut self,
        candidates: &mut Candidates,
        player: u64,
        opponent: u64,
        empties: u32,
    ) -> Result<(), Halt> {
        let Some(depth) = SHALLOW_MIN_EMPTIES.iter().rposition(|&from| empties >= from) else {
            return Ok(());
        };
        if depth == 0 {
            let before = self.before_moves(player, opponent);
            for candidate in candidates.iter_mut().filter(|c| c.priority < TABLE_MOVE) {
                let Candidate { square, mover, other, .. } = *candidate;
                self.nodes += 1;
                candidate.priority -=
                    self.evaluate_after(&before, (square, opponent ^ mover), (mover, other));
            }
            return Ok(());
        }
        let mut best = -65 * SCALE;
        // The best ones first: their values narrow the windows of the others.
        candidates.sort_unstable_by_key(|candidate| (-candidate.priority, candidate.square));
        for candidate in candidates {
            let from_table = candidate.priority >= TABLE_MOVE;
            // A move from the table comes first anyway; its value only narrows the others' windows.
            if from_table && depth < 2 {
                continue;
            }
            let window = SHALLOW_WINDOW - best;
            let value =
                -self.pvs(candidate.mover, candidate.other, -65 * SCALE, window, depth as u32)?;
            best = best.max(value);
            if !from_table {
                candidate.priority += value;
            }
        }
        Ok(())
    }
}
