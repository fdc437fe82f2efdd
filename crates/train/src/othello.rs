//! Othello: how it plays against itself, and how it learns from that.
//!
//! The middlegame is searched with a number of nodes. The ending is solved: from there on the game's
//! result is the exact value of every position, and before it a good estimate.
//!
//! Most games leave the line of best play once, by a random move or two in the middle: a search judges the
//! positions after bad moves too, and games of good moves alone never show them. What was played before
//! such a detour only leads to it and teaches nothing, since the result is not what it was worth.

pub mod exact;
mod fit;
mod forecasts;
mod labels;
mod regression;
mod replay;

pub use fit::{EarlierWeights, PatternFit, PatternReport, StageReport};
pub use forecasts::ForecastFit;
pub use replay::positions;

use std::ops::RangeInclusive;

use rand::RngExt;
use rand::rngs::StdRng;

use crate::self_play::SelfPlay;
use crate::shard::{NO_VALUE, RecordedGame, RecordedPly};
use plyground_core::checksum::checksum;
use plyground_core::limits::{Limits, StopFlag};
use plyground_core::value::Value;
use plyground_engine::game::GameError;
use plyground_engine::profile::Profile;
use plyground_games::othello::{Board, DISC, Move, Othello, PATTERN_WEIGHTS};
use plyground_games::solver::Solver;
use replay::code;

/// An opening has from 4 to this number of moves drawn by lot.
const MAX_OPENING_PLIES: usize = 24;
/// An opening is played if neither side is ahead by more than this at first sight of the search.
const BALANCED: Value = 20 * DISC;
/// The ending is solved from this number of empty squares on. Two more would take twice the time of a game:
/// more games teach more than better endings do.
const SOLVED_EMPTIES: usize = 14;
/// Three games of four make a detour,
const DETOURS: f64 = 0.75;
/// at a number of empty squares drawn from these,
const DETOUR_EMPTIES: RangeInclusive<usize> = 16..=36;
/// with one of these numbers of random moves.
const DETOUR_MOVES: [usize; 3] = [1, 1, 2];
/// The solver's table: small, because it is cleared before every game.
const SOLVER_TABLE_BYTES: usize = 1 << 19;

/// Plays Othello against itself: shallow searches of the solver with the built-in pattern weights, none of
/// which begins after a number of nodes, and then the solver itself.
pub struct OthelloAuthor {
    solver: Solver,
    nodes: u64,
}

impl SelfPlay for Othello {
    type Author = OthelloAuthor;
    const NODES: u64 = 200;

    fn author(_: &Profile, nodes: u64) -> Result<OthelloAuthor, GameError> {
        Ok(OthelloAuthor { solver: Solver::with_table(SOLVER_TABLE_BYTES)?, nodes })
    }

    fn settings(_: &Profile, nodes: u64) -> String {
        let weights = checksum(PATTERN_WEIGHTS);
        format!("patterns={weights:016x} nodes={nodes} solved={SOLVED_EMPTIES} detours={DETOURS}")
    }

    fn play(
        author: &mut OthelloAuthor,
        random: &mut StdRng,
        stop: &StopFlag,
    ) -> Option<RecordedGame> {
        let OthelloAuthor { solver, nodes } = author;
        let limits = Limits { flag: stop.clone(), ..Limits::default() };
        let mut line = Line { board: Board::start(), side: 1, plies: Vec::new() };
        for _ in 0..random.random_range(4..=MAX_OPENING_PLIES) {
            line.play_random(random)?;
        }
        let mut detour = random.random_bool(DETOURS).then(|| random.random_range(DETOUR_EMPTIES));
        solver.clear();
        let mut searched = false;
        while line.board.empties().len() > SOLVED_EMPTIES && !line.board.is_over() {
            if line.board.must_pass() {
                line.play(None, NO_VALUE)?;
                continue;
            }
            if detour.is_some_and(|empties| line.board.empties().len() <= empties) {
                detour = None;
                line.plies.iter_mut().for_each(|ply| ply.value = NO_VALUE);
                for _ in 0..DETOUR_MOVES[random.random_range(0..DETOUR_MOVES.len())] {
                    line.play_random(random)?;
                }
                continue;
            }
            let estimate = solver.estimate(&line.board, *nodes, &limits).ok()?;
            if !searched && estimate.value.abs() > BALANCED {
                return None;
            }
            searched = true;
            line.play(estimate.best, estimate.value as i16)?;
        }
        let solution = solver.solve(&line.board, &limits).ok()?;
        let mut value = solution.score * DISC;
        let result = line.side * solution.score as i16;
        for mv in solution.pv {
            line.play(mv, value as i16)?;
            value = -value;
        }
        Some(RecordedGame { result, plies: line.plies })
    }
}

/// Did a game make a detour? Then nothing of it before that has a value; without one it has values from
/// the opening on, which is never so long.
fn made_detour(game: &RecordedGame) -> bool {
    let first = positions(game).find(|(.., ply)| ply.value != NO_VALUE);
    first.is_some_and(|(board, ..)| board.empties().len() < *DETOUR_EMPTIES.end())
}

/// A game so far.
struct Line {
    board: Board,
    /// 1 if Black is to move, -1 if White is.
    side: i16,
    plies: Vec<RecordedPly>,
}

impl Line {
    /// Plays a move drawn by lot; `None` if the game is over.
    fn play_random(&mut self, random: &mut StdRng) -> Option<()> {
        let moves = self.board.moves();
        let drawn = moves.into_iter().nth(random.random_range(0..moves.len().max(1)));
        self.play(drawn, NO_VALUE)
    }

    /// Plays a move, `None` being a pass; `None` if it is not legal.
    fn play(&mut self, mv: Move, value: i16) -> Option<()> {
        self.board = match mv {
            Some(square) => self.board.play(square)?,
            None => self.board.must_pass().then(|| self.board.pass())?,
        };
        self.side = -self.side;
        self.plies.push(RecordedPly { code: code(mv), value });
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use plyground_engine::game::Game;
    use plyground_games::othello::Square;

    #[test]
    fn games_are_legal_and_depend_on_their_seed_alone() {
        let profile = Profile::standard(Othello::door()).unwrap();
        let mut author = Othello::author(&profile, 200).unwrap();
        let stop = StopFlag::new();
        let mut play = |seed| Othello::play(&mut author, &mut StdRng::seed_from_u64(seed), &stop);
        let games: Vec<_> = (0..12).map(&mut play).collect();
        assert_eq!((0..12).map(&mut play).collect::<Vec<_>>(), games);
        let games: Vec<_> = games.into_iter().flatten().collect();
        assert!(games.len() >= 2, "{}", games.len());
        let detours = games.iter().filter(|game| made_detour(game)).count();
        assert!((1..games.len()).contains(&detours), "{detours} of {}", games.len());
        for game in &games {
            let positions: Vec<_> = positions(game).collect();
            assert_eq!(positions.len(), game.plies.len());
            // The last move ends the game with the result that was recorded.
            let &(board, side, ply) = positions.last().unwrap();
            let end = board.play(Square::new(usize::from(ply.code)).unwrap()).unwrap();
            assert!(end.is_over());
            assert_eq!(end.final_score(), i32::from(-side * game.result));
        }
    }
}
