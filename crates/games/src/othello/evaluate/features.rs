//! The features of a position: counts that a player would make, and the state of each edge.

use crate::othello::{EdgeStability, Instructions};

const CORNERS: u64 = 0x8100_0000_0000_0081;
/// The squares diagonally beside a corner.
const X_SQUARES: u64 = 0x0042_0000_0000_4200;
/// The squares beside a corner on the edge.
const C_SQUARES: u64 = 0x4281_0000_0000_8142;
/// The squares that are on no edge.
const INNER: u64 = 0x007e_7e7e_7e7e_7e00;
const COLUMN: u64 = 0x0101_0101_0101_0101;
/// Multiplied by a column, puts its squares into the highest byte.
const COLLECT: u64 = 0x0102_0408_1020_4080;

/// The number of counts.
pub(super) const COUNTS: usize = 17;
/// The number of stages of the game, each four discs long: 4 to 7, 8 to 11, … 60 to 63.
pub(super) const STAGES: usize = 15;
pub(super) const DISCS_PER_STAGE: usize = 4;
/// The number of states of an edge: each of its eight squares is empty, the mover's or the
/// opponent's.
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
    /// The counts, each of which belongs to one of the [`TERMS`].
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
        let open = with_neighbours(empties & CORNERS);
        let stability = EdgeStability::get();
        let stable = [stability.stable(player, opponent), stability.stable(opponent, player)];
        let counts = [
            // Mobility, and whether a side must pass: the last move left is worth more than others.
            count(ours),
            count(theirs),
            i32::from(theirs == 0) - i32::from(ours == 0),
            // Potential mobility: empty squares beside the opponent's discs.
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
            // Stable discs, and those of them on the edges.
            count(stable[0]) - count(stable[1]),
            count(stable[0] & !INNER) - count(stable[1] & !INNER),
            // Parity: whether the mover has the last move if neither side passes, and the number of
            // quadrants where the side that plays first also plays last.
            (left & 1) * 2 - 1,
            odd_quadrants(empties),
            difference(u64::MAX),
            // The right to move.
            1,
        ];
        // Boards with fewer discs than the start position, or with all 64, are not evaluated by
        // weights in a game, but they are boards.
        let discs = (64 - left as usize).clamp(4, 63);
        let column = |shift: u32| edge(gather(player >> shift), gather(opponent >> shift));
        Self {
            stage: (discs - 4) / DISCS_PER_STAGE,
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

/// The squares of a set and all squares beside them.
#[inline(always)]
pub(in crate::othello) fn with_neighbours(discs: u64) -> u64 {
    let rows = discs | discs << 1 & 0xfefe_fefe_fefe_fefe | discs >> 1 & 0x7f7f_7f7f_7f7f_7f7f;
    rows | rows << 8 | rows >> 8
}

/// How many quadrants have an odd number of empty squares.
#[inline(always)]
pub(in crate::othello) fn odd_quadrants(empties: u64) -> i32 {
    // The parity of every half row is folded onto its lowest bit, and then that of four half rows.
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
/// empty square, 1 for the mover's disc and 2 for the opponent's.
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
