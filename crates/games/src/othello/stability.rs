//! Stable discs: discs that no sequence of moves can turn over.
//!
//! The discs found here are stable, but not all stable discs are found: the test is cheap rather than
//! complete. A disc on an edge is stable if no sequence of moves along that edge turns it, and a table
//! says so for all 6561 states of an edge. Any other disc is stable if in each of the four directions
//! its line is full or a stable disc of its own colour is beside it.

use std::sync::LazyLock;

const LEFT: u64 = 0x0101_0101_0101_0101;
const INNER: u64 = 0x007e_7e7e_7e7e_7e00;
const COLLECT: u64 = 0x0102_0408_1020_4080;

/// For every state of an edge of eight squares, the stable discs of one side.
pub(crate) struct EdgeStability {
    stable: [u8; 6561],
    ternary: [u16; 256],
}

impl EdgeStability {
    /// The table, computed on first use.
    pub(crate) fn get() -> &'static Self {
        static EDGES: LazyLock<Box<EdgeStability>> =
            LazyLock::new(|| Box::new(EdgeStability::new()));
        &EDGES
    }

    fn new() -> Self {
        let mut edges = Self { stable: [0; 6561], ternary: [0; 256] };
        for (line, number) in edges.ternary.iter_mut().enumerate() {
            *number = (0..8).map(|i| (line as u16 >> i & 1) * 3u16.pow(i)).sum();
        }
        // An edge depends on the edges with one disc more: the full ones come first.
        for empties in 0..=8 {
            for ours in 0..=255u8 {
                for theirs in 0..=255u8 {
                    if ours & theirs == 0 && (ours | theirs).count_zeros() == empties {
                        let stable = edges.stay_stable(ours, theirs);
                        let index = edges.index(ours, theirs);
                        edges.stable[index] = stable;
                    }
                }
            }
        }
        edges
    }

    /// The discs of ours that stay stable whichever side plays on whichever empty square of the edge. A
    /// move that turns nothing along the edge may be legal because of another direction, so every
    /// empty square counts.
    fn stay_stable(&self, ours: u8, theirs: u8) -> u8 {
        let mut stable = ours;
        for place in 0..8 {
            let square = 1u8 << place;
            if (ours | theirs) & square == 0 {
                let turned = turned(place, ours, theirs);
                stable &= self.edge(ours | square | turned, theirs & !turned);
                let turned = turned_by_them(place, ours, theirs);
                stable &= self.edge(ours & !turned, theirs | square | turned);
            }
        }
        stable
    }

    #[inline(always)]
    fn index(&self, ours: u8, theirs: u8) -> usize {
        usize::from(self.ternary[usize::from(ours)])
            + 2 * usize::from(self.ternary[usize::from(theirs)])
    }

    #[inline(always)]
    fn edge(&self, ours: u8, theirs: u8) -> u8 {
        self.stable[self.index(ours, theirs)]
    }

    /// Our stable discs on the four edges.
    #[inline(always)]
    fn on_edges(&self, ours: u64, theirs: u64) -> u64 {
        let column =
            |discs: u64, shift: u32| ((discs >> shift & LEFT).wrapping_mul(COLLECT) >> 56) as u8;
        let top = u64::from(self.edge(ours as u8, theirs as u8));
        let bottom = u64::from(self.edge((ours >> 56) as u8, (theirs >> 56) as u8)) << 56;
        let left = spread(self.edge(column(ours, 0), column(theirs, 0)));
        let right = spread(self.edge(column(ours, 7), column(theirs, 7))) << 7;
        top | bottom | left | right
    }

    /// Discs of ours that can never be turned over.
    #[inline(always)]
    pub(crate) fn stable(&self, ours: u64, theirs: u64) -> u64 {
        let mut stable = self.on_edges(ours, theirs);
        let taken = ours | theirs;
        let lines = [
            full_rows(taken),
            full_diagonals::<7>(taken),
            full_columns(taken),
            full_diagonals::<9>(taken),
        ];
        let inner = ours & INNER;
        stable |= inner & lines[0] & lines[1] & lines[2] & lines[3];
        if stable == 0 {
            return 0;
        }
        loop {
            // Wrapping around the board does no harm: only inner squares are looked at.
            let beside = |step: u32| stable << step | stable >> step;
            let next = stable
                | inner
                    & (lines[0] | beside(1))
                    & (lines[1] | beside(7))
                    & (lines[2] | beside(8))
                    & (lines[3] | beside(9));
            if next == stable {
                return stable;
            }
            stable = next;
        }
    }
}

/// Spreads the bits of a byte over the left column.
#[inline(always)]
fn spread(line: u8) -> u64 {
    let line = u64::from(line);
    ((line & 0x7f).wrapping_mul(0x0002_0408_1020_4081) & LEFT) | line >> 7 << 56
}

fn turned(place: usize, ours: u8, theirs: u8) -> u8 {
    let mut turned = 0;
    for run in [line_from(place, 1), line_from(place, -1)] {
        let mut between = 0;
        for square in run {
            if theirs & square != 0 {
                between |= square;
            } else {
                turned |= if ours & square != 0 { between } else { 0 };
                break;
            }
        }
    }
    turned
}

fn turned_by_them(place: usize, ours: u8, theirs: u8) -> u8 {
    turned(place, theirs, ours)
}

/// The squares of an edge beyond a place, in one direction.
fn line_from(place: usize, step: isize) -> impl Iterator<Item = u8> {
    (1..8)
        .map(move |distance| place as isize + step * distance)
        .take_while(|place| (0..8).contains(place))
        .map(|place| 1u8 << place)
}

/// The squares of full rows.
#[inline(always)]
fn full_rows(taken: u64) -> u64 {
    let mut full = taken & taken >> 1;
    full &= full >> 2;
    full &= full >> 4;
    (full & LEFT).wrapping_mul(0xff)
}

/// The squares of full columns.
#[inline(always)]
fn full_columns(taken: u64) -> u64 {
    let mut full = taken & taken.rotate_right(8);
    full &= full.rotate_right(16);
    full & full.rotate_right(32)
}

/// The squares of full diagonals, in steps of 7 or 9: those from which every square both ways is taken
/// up to the border, checked one, two and four steps away in turn.
#[inline(always)]
fn full_diagonals<const STEP: u32>(taken: u64) -> u64 {
    let (mut higher, mut lower) = (taken, taken);
    higher &= higher >> STEP | const { off_board(STEP, 1, 1) };
    lower &= lower << STEP | const { off_board(STEP, 1, -1) };
    higher &= higher >> (2 * STEP) | const { off_board(STEP, 2, 1) };
    lower &= lower << (2 * STEP) | const { off_board(STEP, 2, -1) };
    higher &= higher >> (4 * STEP) | const { off_board(STEP, 4, 1) };
    lower &= lower << (4 * STEP) | const { off_board(STEP, 4, -1) };
    higher & lower
}

/// The squares from which `distance` steps of 7 (down-left) or 9 (down-right), or as many steps the
/// other way, leave the board.
const fn off_board(step: u32, distance: u32, way: i32) -> u64 {
    let columns = (if step == 9 { 1 } else { -1 }) * way * distance as i32;
    let rows = way * distance as i32;
    let mut squares = 0;
    let mut square = 0;
    while square < 64 {
        let (column, row) = (square % 8 + columns, square / 8 + rows);
        if column < 0 || column > 7 || row < 0 || row > 7 {
            squares |= 1 << square;
        }
        square += 1;
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_stable() {
        let edges = EdgeStability::get();
        assert_eq!(edges.stable(1, 0), 1);
        assert_eq!(edges.stable(0b111, 0), 0b111);
        assert_eq!(edges.stable(0b10, 0), 0);
        assert_eq!(edges.stable(u64::MAX, 0), u64::MAX);
        assert_eq!(edges.stable(0, u64::MAX), 0);
        let left = 0x0101_0101;
        assert_eq!(edges.stable(left, 0), left);
        assert_eq!(edges.stable(left << 7, 0), 0x8080_8080);
    }

    /// No sequence of legal moves turns a disc called stable.
    #[test]
    fn stable_discs_are_never_turned() {
        use rand::rngs::StdRng;
        use rand::{RngExt, SeedableRng};

        use crate::othello::Board;

        let mut random = StdRng::seed_from_u64(5);
        let edges = EdgeStability::get();
        let mut seen = 0;
        for _ in 0..2000 {
            let mut board = Board::start();
            let (mut safe_player, mut safe_opponent) = (0, 0);
            while !board.is_over() {
                if board.must_pass() {
                    board = board.pass();
                    std::mem::swap(&mut safe_player, &mut safe_opponent);
                }
                let moves = board.moves();
                let square = moves.into_iter().nth(random.random_range(0..moves.len())).unwrap();
                board = board.play(square).unwrap();
                std::mem::swap(&mut safe_player, &mut safe_opponent);
                let (player, opponent) = (board.player().word(), board.opponent().word());
                assert_eq!(safe_player & !player, 0, "{board:?}");
                assert_eq!(safe_opponent & !opponent, 0, "{board:?}");
                safe_player |= edges.stable(player, opponent);
                safe_opponent |= edges.stable(opponent, player);
            }
            seen += (safe_player | safe_opponent).count_ones();
        }
        assert!(seen > 2000 * 30, "{seen}");
    }
}
