//! Positions to learn from, and what they are worth.
//!
//! The positions of the games come with the games' results. Where the game was solved from there on, the
//! result is exact; before that it is a mean of the result and of what the search thought, since the result
//! varies with every mistake that is made later. What the search thought is set right first by a
//! [line](Line): evaluators that learn shrink differences, and whoever has the last move was underrated.
//! Near the end, positions a random move or two away from the games are solved besides: a search judges
//! such positions too, and they cost little.

use std::collections::HashSet;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::regression::least_squares;
use super::{SOLVED_EMPTIES, positions};
use crate::shard::{NO_VALUE, RecordedGame};
use plyground_core::limits::Limits;
use plyground_games::othello::{Board, DISC};
use plyground_games::solver::Solver;

/// Positions away from the games have at most this number of empty squares.
const NEAR_EMPTIES: usize = 14;
/// How many random moves lead from a game to them: one of these, drawn by lot.
const RANDOM_MOVES: [usize; 3] = [1, 1, 2];
/// The discs of a stage.
const DISCS_PER_STAGE: usize = 4;
/// The table of the solver.
const TABLE_BYTES: usize = 1 << 20;

/// A position and what it was worth for the side to move, in hundredths of a disc.
pub(super) struct Labelled {
    pub(super) board: Board,
    /// By the result of the game.
    pub(super) result: f32,
    /// By the search; `None` if the result is exact.
    pub(super) searched: Option<f32>,
}

impl Labelled {
    /// Exact: the position was solved.
    fn solved(board: Board, score: f32) -> Labelled {
        Labelled { board, result: score, searched: None }
    }

    /// What is learnt, if a line sets right what the search thought.
    pub(super) fn label(&self, line: &Line) -> f32 {
        match self.searched {
            None => self.result,
            Some(value) => (self.result + line.at(value, &self.board)) / 2.0,
        }
    }
}

/// The positions of a game that were searched or solved.
pub(super) fn labelled(game: &RecordedGame) -> impl Iterator<Item = Labelled> + '_ {
    let searched = positions(game).filter(|(.., ply)| ply.value != NO_VALUE);
    searched.map(|(board, side, ply)| {
        let result = f32::from(side * game.result) * DISC as f32;
        let solved = board.empties().len() <= SOLVED_EMPTIES;
        Labelled { board, result, searched: (!solved).then_some(f32::from(ply.value)) }
    })
}

/// How results follow from values: a slope, and offsets for an odd and for an even number of empty squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) slope: f32,
    /// What an odd number adds.
    pub(super) odd: f32,
    pub(super) offset: f32,
}

impl Line {
    /// Fewer positions than these say nothing.
    const FEWEST: usize = 1000;

    /// The line through values and results that errs least, in squares; values stay as they are where there
    /// are too few.
    pub(super) fn through(values: impl Iterator<Item = (Board, f32, f32)>) -> Line {
        let row = |(board, value, result): (Board, f32, f32)| {
            ([f64::from(value), f64::from(odd(&board)), 1.0], f64::from(result))
        };
        let rows: Vec<_> = values.map(row).collect();
        let found = least_squares(&rows).map(|number| number as f32);
        let [slope, odd, offset] = match rows.len() >= Line::FEWEST {
            true if found.iter().all(|number| number.is_finite()) => found,
            _ => [1.0, 0.0, 0.0],
        };
        Line { slope, odd, offset }
    }

    fn at(&self, value: f32, board: &Board) -> f32 {
        self.slope * value + self.odd * odd(board) + self.offset
    }
}

/// 1 if the number of empty squares is odd, else 0.
fn odd(board: &Board) -> f32 {
    (board.empties().len() % 2) as f32
}

/// Different positions of a stage near the end that are no positions of the games, at most `count`, as a
/// seed chooses them, with their exact scores. `None` if `progress`, which hears
/// how much is done, returned `false`.
pub(super) fn solved_nearby(
    games: &[&RecordedGame],
    stage: usize,
    count: usize,
    seed: u64,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Option<Vec<Labelled>> {
    let mut random = StdRng::seed_from_u64(seed ^ (stage as u64) << 32);
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    let mut solver = Solver::with_table(TABLE_BYTES).ok()?;
    let limits = Limits::default();
    // With few games, positions come again and again: then fewer are found.
    for attempt in 0..count.saturating_mul(3) {
        let discs = 4 + DISCS_PER_STAGE * stage + random.random_range(0..DISCS_PER_STAGE);
        if found.len() >= count || games.is_empty() || discs < 64 - NEAR_EMPTIES {
            continue;
        }
        let moves = RANDOM_MOVES[random.random_range(0..RANDOM_MOVES.len())];
        let mut line = positions(games[attempt % games.len()]).map(|(board, ..)| board);
        let start = line.find(|board| board.empties().len() == 64 - (discs - moves));
        if let Some(board) = start.and_then(|board| wandered(board, moves, &mut random))
            && seen.insert(board)
        {
            let score = solver.solve(&board, &limits).ok()?.score;
            found.push(Labelled::solved(board, (score * DISC) as f32));
            if !progress(found.len() as f64 / count as f64) {
                return None;
            }
        }
    }
    Some(found)
}

/// The board after some random moves; `None` if the game is over by then, or the mover must pass.
fn wandered(mut board: Board, moves: usize, random: &mut StdRng) -> Option<Board> {
    for _ in 0..moves {
        if board.must_pass() {
            board = board.pass();
        }
        let legal = board.moves();
        let square = legal.into_iter().nth(random.random_range(0..legal.len().max(1)))?;
        board = board.play(square)?;
    }
    (!board.moves().is_empty()).then_some(board)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_found_where_there_is_enough_to_see() {
        let even = Board::start();
        let odd = even.play(even.moves().next().unwrap()).unwrap();
        let value = |number: usize| (number % 17) as f32 * 100.0 - 800.0;
        let points = |count| {
            (0..count).map(move |number| match number % 2 {
                0 => (even, value(number), 1.5 * value(number) - 40.0),
                _ => (odd, value(number), 1.5 * value(number) + 90.0),
            })
        };
        let line = Line::through(points(Line::FEWEST));
        for (found, wanted) in [(line.slope, 1.5), (line.odd, 130.0), (line.offset, -40.0)] {
            assert!((found - wanted).abs() < 0.01, "{line:?}");
        }
        let labelled = Labelled { board: odd, result: 400.0, searched: Some(100.0) };
        assert!((labelled.label(&line) - 320.0).abs() < 0.1, "{line:?}");
        assert_eq!(Labelled::solved(odd, 400.0).label(&line), 400.0);
        // Too few points, or all with the same number of empty squares, change nothing.
        let unchanged = Line { slope: 1.0, odd: 0.0, offset: 0.0 };
        assert_eq!(Line::through(points(Line::FEWEST - 1)), unchanged);
        let alike = (0..Line::FEWEST).map(|number| (even, value(number), value(number) - 40.0));
        assert_eq!(Line::through(alike), unchanged);
    }
}
