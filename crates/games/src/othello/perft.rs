//! Perft: counting the leaves of the game tree, to check and to time the move generator.
//!
//! A pass is a move and takes a ply. A finished game counts as one leaf, however many plies remain.
//! So a board without a move counts as one leaf at the last ply, whether or not the opponent can move,
//! and the last ply can be counted without being played.

use super::board::Board;
use super::instructions::{Instructions, Portable, Task, dispatch};
use crate::grid::Square;

/// The number of leaves `depth` plies below the board: the usual check of a move generator, since the
/// right numbers are well known.
///
/// ```
/// use plyground_games::othello::{Board, perft};
/// assert_eq!(perft(&Board::start(), 7), 55_092);
/// ```
#[must_use]
pub fn perft(board: &Board, depth: u32) -> u64 {
    dispatch(Perft { board: *board, depth })
}

/// As [`perft`], with the portable code that every machine can run: for tests and benchmarks.
#[must_use]
pub fn perft_portable(board: &Board, depth: u32) -> u64 {
    Perft { board: *board, depth }.run(Portable)
}

/// The number of leaves below each move, in the order of the squares; a pass is `None`.
///
/// The list is empty at depth 0 and if the game is over.
#[must_use]
pub fn divide(board: &Board, depth: u32) -> Vec<(Option<Square>, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    if board.must_pass() {
        return vec![(None, perft(&board.pass(), depth - 1))];
    }
    board
        .moves()
        .filter_map(|square| Some((Some(square), perft(&board.play(square)?, depth - 1))))
        .collect()
}

struct Perft {
    board: Board,
    depth: u32,
}

impl Task for Perft {
    type Output = u64;

    fn run<I: Instructions>(self, instructions: I) -> u64 {
        if self.depth == 0 {
            return 1;
        }
        leaves(instructions, self.board.player().word(), self.board.opponent().word(), self.depth)
    }
}

/// The leaves `depth` plies down, at least one.
#[inline(always)]
fn leaves<I: Instructions>(i: I, player: u64, opponent: u64, depth: u32) -> u64 {
    i.enter(
        |i, player, opponent, _, depth| count(i, player, opponent, depth),
        i,
        player,
        opponent,
        0,
        depth,
    )
}

#[inline(always)]
fn count<I: Instructions>(i: I, player: u64, opponent: u64, depth: u32) -> u64 {
    let mut moves = i.moves(player, opponent);
    if depth == 1 {
        return last_ply(moves);
    }
    if moves == 0 {
        let replies = i.moves(opponent, player);
        return match (replies, depth) {
            (0, _) => 1,
            (_, 2) => last_ply(replies),
            _ => leaves(i, opponent, player, depth - 1),
        };
    }
    let mut total = 0;
    while moves != 0 {
        let square = moves.trailing_zeros() as usize;
        moves &= moves - 1;
        let flips = i.flips(square, player, opponent);
        let (mover, other) = (opponent ^ flips, player ^ flips ^ 1 << square);
        total += if depth == 2 {
            last_ply(i.moves(mover, other))
        } else {
            leaves(i, mover, other, depth - 1)
        };
    }
    total
}

/// Without a move the last ply is a pass or the game is over: one leaf either way.
#[inline(always)]
fn last_ply(moves: u64) -> u64 {
    u64::from(moves.count_ones().max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOTALS: [u64; 10] = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288];

    #[test]
    fn totals_from_the_start() {
        for (depth, &total) in TOTALS.iter().enumerate() {
            assert_eq!(perft(&Board::start(), depth as u32), total, "depth {depth}");
            if depth < 9 {
                assert_eq!(perft_portable(&Board::start(), depth as u32), total, "depth {depth}");
            }
        }
    }

    #[test]
    fn division_adds_up() {
        let parts = divide(&Board::start(), 7);
        assert_eq!(parts.len(), 4);
        assert_eq!(parts.iter().map(|(_, leaves)| leaves).sum::<u64>(), TOTALS[7]);
    }
}
