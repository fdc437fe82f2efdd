//! Othello: how it plays against itself, and how it learns from that.
//!
//! The middlegame is searched with a number of nodes. The ending is solved: from there on the game's
//! result is the exact value of every position, and before it a good estimate.

pub mod exact;
mod fit;
mod forecasts;
mod labels;
mod regression;
mod replay;

pub use fit::{PatternFit, PatternReport, StageReport};
pub use forecasts::ForecastFit;
pub use replay::positions;

use rand::RngExt;
use rand::rngs::StdRng;

use crate::self_play::SelfPlay;
use crate::shard::{NO_VALUE, RecordedGame, RecordedPly};
use plyground_core::limits::{Limits, StopFlag};
use plyground_core::value::Value;
use plyground_engine::game::{Game, GameError, Seat};
use plyground_engine::profile::Profile;
use plyground_engine::session::{GoLimits, Session, ThinkRequest};
use plyground_games::othello::{DISC, Othello, Position};
use plyground_games::solver::Solver;
use plyground_search::table::TableSize;
use replay::code;

/// An opening has from 4 to this number of moves drawn by lot.
const MAX_OPENING_PLIES: usize = 24;
/// An opening is played if neither side is ahead by more than this at first sight of the search.
const BALANCED: Value = 20 * DISC;
/// The ending is solved from this number of empty squares on.
const SOLVED_EMPTIES: usize = 18;
/// The tables: small, because they are cleared before every game.
const TABLE_MEBIBYTES: usize = 1;
const SOLVER_TABLE_BYTES: usize = 1 << 21;

/// Plays Othello against itself, with a number of nodes for a move.
pub struct OthelloAuthor {
    session: Session<Othello>,
    solver: Solver,
    nodes: u64,
}

impl SelfPlay for Othello {
    type Author = OthelloAuthor;
    const NODES: u64 = 2500;

    fn author(profile: &Profile, nodes: u64) -> Result<OthelloAuthor, GameError> {
        let table = TableSize::of_mebibytes(TABLE_MEBIBYTES);
        let profile = Profile { table, threads: 1, ..profile.clone() };
        let solver = Solver::with_table(SOLVER_TABLE_BYTES)?;
        Ok(OthelloAuthor { session: Session::new(profile)?, solver, nodes })
    }

    fn play(
        author: &mut OthelloAuthor,
        random: &mut StdRng,
        stop: &StopFlag,
    ) -> Option<RecordedGame> {
        let OthelloAuthor { session, solver, nodes } = author;
        session.clear();
        session.set_position(Position::start());
        let mut game = RecordedGame::default();
        for _ in 0..random.random_range(4..=MAX_OPENING_PLIES) {
            let moves = session.legal_moves();
            let mv = *moves.get(random.random_range(0..moves.len().max(1)))?;
            session.play(mv);
            game.plies.push(RecordedPly { code: code(mv), value: NO_VALUE });
        }
        let opening = game.plies.len();
        let limits = GoLimits { nodes: Some(*nodes), ..GoLimits::default() };
        let request = ThinkRequest { stop: stop.clone(), ..ThinkRequest::on(limits) };
        while session.position().board.empties().len() > SOLVED_EMPTIES {
            if session.legal_moves().is_empty() {
                break;
            }
            let outcome = session.think(&request, &mut |_| {});
            let best = outcome.best.filter(|_| !stop.is_raised())?;
            if game.plies.len() == opening && outcome.value.abs() > BALANCED {
                return None;
            }
            game.plies.push(RecordedPly { code: code(best), value: outcome.value as i16 });
            session.play(best);
        }
        let end = *session.position();
        solver.clear();
        let limits = Limits { flag: stop.clone(), ..Limits::default() };
        let solution = solver.solve(&end.board, &limits).ok()?;
        let mut value = solution.score * DISC;
        game.result = match Othello::mover(&end) {
            Seat::First => solution.score,
            Seat::Second => -solution.score,
        } as i16;
        for mv in solution.pv {
            game.plies.push(RecordedPly { code: code(mv), value: value as i16 });
            value = -value;
        }
        Some(game)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;
    use plyground_games::othello::Square;

    #[test]
    fn games_are_legal_and_depend_on_their_seed_alone() {
        let profile = Profile::standard(Othello::door()).unwrap();
        let mut author = Othello::author(&profile, 200).unwrap();
        let stop = StopFlag::new();
        let mut play = |seed| Othello::play(&mut author, &mut StdRng::seed_from_u64(seed), &stop);
        let games: Vec<_> = (0..4).map(&mut play).collect();
        assert_eq!((0..4).map(&mut play).collect::<Vec<_>>(), games);
        let games: Vec<_> = games.into_iter().flatten().collect();
        assert!(games.len() >= 2, "{}", games.len());
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
