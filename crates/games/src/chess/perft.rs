//! Counting the leaves of the game tree, to check and to time the rules.
//!
//! A finished game counts nothing where plies remain, as everybody counts in chess. The last ply is
//! counted by population, not played.

use super::board::Board;
use super::generate::{self, Lister};
use super::instructions::{Instructions, Portable, Task, dispatch};
use super::moves::{Move, Moves};

/// The number of leaves `depth` plies below the board.
///
/// ```
/// use plyground_games::chess::{Board, perft};
/// assert_eq!(perft(&Board::start(), 4), 197_281);
/// ```
#[must_use]
pub fn perft(board: &Board, depth: u32) -> u64 {
    dispatch(Perft(board, depth))
}

/// As [`perft`], with the code for machines without special instructions: for tests and benches.
#[must_use]
pub fn perft_portable(board: &Board, depth: u32) -> u64 {
    Portable::new().enter(Perft(board, depth))
}

/// The leaves below each move; empty at depth 0 and where the game is over.
#[must_use]
pub fn divide(board: &Board, depth: u32) -> Vec<(Move, u64)> {
    if depth == 0 {
        return Vec::new();
    }
    board.moves().into_iter().map(|mv| (mv, perft(&board.play(mv), depth - 1))).collect()
}

struct Perft<'a>(&'a Board, u32);

impl Task for Perft<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<I: Instructions>(self, i: I) -> u64 {
        let Self(board, depth) = self;
        match depth {
            0 => return 1,
            1 => return generate::count(i, board),
            _ => {}
        }
        let mut moves = Moves::new();
        generate::generate::<I, _, false>(i, board, &mut Lister(&mut moves));
        let mut total = 0;
        for &mv in &moves {
            let next = board.play_with(i, mv);
            total += match depth {
                2 => generate::count(i, &next),
                _ => i.enter(Perft(&next, depth - 1)),
            };
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOTALS: [u64; 6] = [1, 20, 400, 8_902, 197_281, 4_865_609];

    #[test]
    fn totals_from_the_start() {
        for (depth, &total) in TOTALS.iter().enumerate() {
            assert_eq!(perft(&Board::start(), depth as u32), total, "depth {depth}");
            assert_eq!(perft_portable(&Board::start(), depth as u32), total, "depth {depth}");
        }
    }

    #[test]
    fn division_adds_up() {
        let parts = divide(&Board::start(), 4);
        assert_eq!(parts.len(), 20);
        assert_eq!(parts.iter().map(|(_, leaves)| leaves).sum::<u64>(), TOTALS[4]);
    }
}
