//! Positions to learn from, and what they are worth.
//!
//! The positions of the games come with the games' results. Where the game was solved from there on, the
//! result is exact; before that it is a mean of the result and of what the search thought, since the result
//! varies with every mistake that is made later. Near the end, positions a random move or two away from the
//! games are solved besides: a search judges such positions too, and they cost little.

use std::collections::HashSet;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

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

/// The positions of a game that were searched or solved, with their labels for the side to move in
/// hundredths of a disc.
pub(super) fn labelled(game: &RecordedGame) -> impl Iterator<Item = (Board, f32)> + '_ {
    let searched = positions(game).filter(|(.., ply)| ply.value != NO_VALUE);
    searched.map(|(board, side, ply)| {
        let result = f32::from(side * game.result) * DISC as f32;
        let solved = board.empties().len() <= SOLVED_EMPTIES;
        (board, if solved { result } else { (result + f32::from(ply.value)) / 2.0 })
    })
}

/// Different positions of a stage near the end that are no positions of the games, at most `count`, as a
/// seed chooses them, with their exact scores in hundredths of a disc. `None` if `progress`, which hears
/// how much is done, returned `false`.
pub(super) fn solved_nearby(
    games: &[&RecordedGame],
    stage: usize,
    count: usize,
    seed: u64,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Option<Vec<(Board, f32)>> {
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
            found.push((board, (score * DISC) as f32));
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
