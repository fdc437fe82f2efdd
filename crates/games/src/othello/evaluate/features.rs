//! What the evaluator looks at: counts a player would make, and the four edges whole.

use crate::othello::{Edges, Instructions};

const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The squares diagonal to a corner.
const X_SQUARES: u64 = 0x0042_0000_0000_4200;
/// The squares beside a corner on the edge.
const C_SQUARES: u64 = 0x4281_0000_0000_8142;
/// The squares that are on no edge.
const INNER: u64 = 0x007e_7e7e_7e7e_7e00;
const COLUMN: u64 = 0x0101_0101_0101_0101;
/// Multiplied by a column, puts its squares into the highest byte.
const COLLECT: u64 = 0x0102_0408_1020_4080;

/// How many counts there are.
pub(super) const COUNTS: usize = 17;
/// A stage of the game lasts for four discs: 4 to 7, 8 to 11, … 60 to 63.
pub(super) const STAGES: usize = 15;
pub(super) const DISCS_A_STAGE: usize = 4;
/// How many states an edge has: each of its eight squares is empty, the mover's or the other's.
pub(super) const EDGE_STATES: usize = 3usize.pow(8);

/// The term that each of the counts belongs to, in their order.
pub(super) const TERMS: [&str; COUNTS] = [
    "mobility",
    "mobility",
    "mobility",
    "potential mobility",
    "potential mobility",
    "frontier",
    "corners",
    "corners",
    "corners",
    "X squares",
    "C squares",
    "stable discs",
    "stable edges",
    "parity",
    "parity",
    "discs",
    "move",
];

/// A position as the evaluator sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Features {
    /// The stage of the game, by the discs on the board.
    pub(super) stage: usize,
    /// The counts; [`TERMS`] says what they are about.
    pub(super) counts: [i32; COUNTS],
    /// The states of the four edges: see [`edge`].
    pub(super) edges: [usize; 4],
}

impl Features {
    /// The features of a position.
    #[inline(always)]
    pub(super) fn of<I: Instructions>(instructions: I, player: u64, opponent: u64) -> Self {
        let count = |set: u64| set.count_ones() as i32;
        let difference = |mask: u64| count(player & mask) - count(opponent & mask);
        let empties = !(player | opponent);
        let left = count(empties);
        let ours = instructions.moves(player, opponent);
        let theirs = instructions.moves(opponent, player);
        let open = around(empties & CORNERS);
        let stability = Edges::get();
        let stable = [stability.stable(player, opponent), stability.stable(opponent, player)];
        let counts = [
            // Mobility, and who must pass: the last move is worth more than the others.
            count(ours),
            count(theirs),
            i32::from(theirs == 0) - i32::from(ours == 0),
            // Potential mobility: empty squares beside the other side's discs.
            count(around(opponent) & empties),
            count(around(player) & empties),
            // The frontier: discs beside empty squares.
            difference(around(empties)),
            // Corners that can be taken, corners taken, and the squares that give them away.
            count(ours & CORNERS),
            count(theirs & CORNERS),
            difference(CORNERS),
            difference(X_SQUARES & open),
            difference(C_SQUARES & open),
            // Discs that stay, and those of them on the edges.
            count(stable[0]) - count(stable[1]),
            count(stable[0] & !INNER) - count(stable[1] & !INNER),
            // Whether the mover would have the last move if nobody passed, and how many quadrants
            // have a last move for the side that plays into them first.
            (left & 1) * 2 - 1,
            odd_quadrants(empties),
            difference(u64::MAX),
            // What the move itself is worth.
            1,
        ];
        // Fewer discs than the start's, or all 64, come only from boards that no guess is asked of
        // in a game, but they are boards.
        let discs = (64 - left as usize).clamp(4, 63);
        let column = |shift: u32| edge(gather(player >> shift), gather(opponent >> shift));
        Self {
            stage: (discs - 4) / DISCS_A_STAGE,
            counts,
            edges: [
                edge(player as u8, opponent as u8),
                edge((player >> 56) as u8, (opponent >> 56) as u8),
                column(0),
                column(7),
            ],
        }
    }

    /// Whether neither side can move.
    #[inline(always)]
    pub(super) fn game_over(&self) -> bool {
        self.counts[0] == 0 && self.counts[1] == 0
    }
}

/// The discs' squares and those beside them.
#[inline(always)]
fn around(discs: u64) -> u64 {
    let rows = discs | discs << 1 & 0xfefe_fefe_fefe_fefe | discs >> 1 & 0x7f7f_7f7f_7f7f_7f7f;
    rows | rows << 8 | rows >> 8
}

/// How many quadrants have an odd number of empty squares.
#[inline(always)]
fn odd_quadrants(empties: u64) -> i32 {
    // The parity of every half row falls on its lowest bit, and then that of four half rows.
    let mut parity = empties ^ empties >> 1;
    parity ^= parity >> 2;
    parity ^= parity >> 8;
    parity ^= parity >> 16;
    (parity & 0x0000_0011_0000_0011).count_ones() as i32
}

/// The first column as a byte, its first square lowest.
#[inline(always)]
fn gather(discs: u64) -> u8 {
    ((discs & COLUMN).wrapping_mul(COLLECT) >> 56) as u8
}

/// Each byte's bits read as digits to the base three.
static TERNARY: [u16; 256] = {
    let mut ternary = [0; 256];
    let mut line = 1;
    while line < 256 {
        ternary[line] = 3 * ternary[line / 2] + (line & 1) as u16;
        line += 1;
    }
    ternary
};

/// The state of an edge: its squares as digits to the base three, the first square lowest, 0 for an
/// empty square, 1 for the mover's disc and 2 for the other's.
#[inline(always)]
pub(super) fn edge(ours: u8, theirs: u8) -> usize {
    usize::from(TERNARY[usize::from(ours)]) + 2 * usize::from(TERNARY[usize::from(theirs)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quadrants_are_counted() {
        assert_eq!(odd_quadrants(0), 0);
        assert_eq!(odd_quadrants(u64::MAX), 0);
        assert_eq!(odd_quadrants(CORNERS), 4);
        for square in 0..64 {
            assert_eq!(odd_quadrants(1 << square), 1, "{square}");
        }
        assert_eq!(odd_quadrants(0b1001), 0);
        assert_eq!(odd_quadrants(0b1_1000), 2);
    }

    #[test]
    fn columns_are_gathered() {
        assert_eq!(gather(COLUMN), 255);
        for row in 0..8 {
            assert_eq!(gather(1 << (8 * row)), 1 << row);
            assert_eq!(gather(0xfe << (8 * row)), 0);
        }
    }
}
