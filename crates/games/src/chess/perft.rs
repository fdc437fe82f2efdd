//! Perft: counting the leaves of the game tree, to check and to time the move generator.
//!
//! A game that is over before the last ply has no leaf, as usual in chess. The moves of the last ply
//! are counted without being played.

use super::board::Board;
use super::generate::{self, Lister};
use super::instructions::{Instructions, Portable, Task, dispatch};
use super::moves::{Move, Moves};

/// The number of leaves `depth` plies below the board: the usual check of a move generator, since the
/// right numbers are well known.
///
/// ```
/// use plyground_games::chess::{Board, perft};
/// assert_eq!(perft(&Board::start(), 4), 197_281);
/// ```
#[must_use]
pub fn perft(board: &Board, depth: u32) -> u64 {
    dispatch(Perft(board, depth))
}

/// As [`perft`], with the portable code that every machine can run: for tests and benchmarks.
#[must_use]
pub fn perft_portable(board: &Board, depth: u32) -> u64 {
    Portable::new().enter(Perft(board, depth))
}

/// The number of leaves below each move. The list is empty at depth 0 and if the game is over.
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
