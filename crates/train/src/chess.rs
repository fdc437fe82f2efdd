//! Chess: how it plays against itself, and how it learns from that.

mod learn;
mod tune;

pub use learn::{NetworkFit, NetworkReport};
pub use tune::{WeightFit, WeightReport};

use rand::RngExt;
use rand::rngs::StdRng;

use crate::self_play::SelfPlay;
use crate::shard::{NO_VALUE, RecordedGame, RecordedPly};
use plyground_core::limits::StopFlag;
use plyground_core::value::Value;
use plyground_engine::game::{Game, GameError, Seat};
use plyground_engine::profile::Profile;
use plyground_engine::session::{GoLimits, Session, ThinkRequest};
use plyground_games::chess::{Board, Chess, Move, PAWN};
use plyground_search::table::TableSize;

/// An opening has this number of moves drawn by lot, or one more.
const OPENING_PLIES: usize = 8;
/// An opening is played if neither side is ahead by more than this.
const BALANCED: Value = 2 * PAWN;
/// A game is won if one side is ahead by this much for some plies: playing it out would teach little.
const DECIDED: Value = 12 * PAWN;
const DECIDED_PLIES: usize = 5;
/// A longer game is a draw.
const MAX_PLIES: usize = 400;
/// The table: small, because it is cleared before every game.
const TABLE_MEBIBYTES: usize = 1;

/// Plays chess against itself, with a number of nodes for a move.
pub struct ChessAuthor {
    session: Session<Chess>,
    nodes: u64,
}

impl SelfPlay for Chess {
    type Author = ChessAuthor;
    const NODES: u64 = 2500;

    fn author(profile: &Profile, nodes: u64) -> Result<ChessAuthor, GameError> {
        let table = TableSize::of_mebibytes(TABLE_MEBIBYTES);
        let profile = Profile { table, threads: 1, ..profile.clone() };
        Ok(ChessAuthor { session: Session::new(profile)?, nodes })
    }

    fn play(
        author: &mut ChessAuthor,
        random: &mut StdRng,
        stop: &StopFlag,
    ) -> Option<RecordedGame> {
        let session = &mut author.session;
        session.clear();
        session.set_position(Board::start());
        let mut game = RecordedGame::default();
        for _ in 0..OPENING_PLIES + random.random_range(0..2) {
            let moves = session.legal_moves();
            let mv = *moves.get(random.random_range(0..moves.len().max(1)))?;
            session.play(mv);
            game.plies.push(RecordedPly { code: mv.code(), value: NO_VALUE });
        }
        let opening = game.plies.len();
        let limits = GoLimits { nodes: Some(author.nodes), ..GoLimits::default() };
        let request = ThinkRequest { stop: stop.clone(), ..ThinkRequest::on(limits) };
        let mut decided = 0;
        loop {
            if let Some(verdict) = Chess::verdict(session.line().positions()) {
                game.result = match verdict.winner {
                    Some(Seat::First) => 1,
                    Some(Seat::Second) => -1,
                    None => 0,
                };
                break;
            }
            if game.plies.len() >= MAX_PLIES {
                break;
            }
            let outcome = session.think(&request, &mut |_| {});
            let best = outcome.best.filter(|_| !stop.is_raised())?;
            if game.plies.len() == opening && outcome.value.abs() > BALANCED {
                return None;
            }
            game.plies.push(RecordedPly { code: best.code(), value: outcome.value as i16 });
            decided = if outcome.value.abs() < DECIDED { 0 } else { decided + 1 };
            if decided >= DECIDED_PLIES {
                let mover_wins = outcome.value > 0;
                let white_moves = Chess::mover(session.position()) == Seat::First;
                game.result = if mover_wins == white_moves { 1 } else { -1 };
                break;
            }
            session.play(best);
        }
        // An opening that ends at once teaches nothing.
        (game.plies.len() > opening).then_some(game)
    }
}

/// The positions of a recorded game before each of its moves, as far as its moves are legal.
pub fn positions(game: &RecordedGame) -> impl Iterator<Item = (Board, Move, RecordedPly)> + '_ {
    let mut board = Some(Board::start());
    game.plies.iter().map_while(move |&ply| {
        let before = board?;
        let mv = Move::from_code(ply.code);
        board = before.try_play(mv);
        board.map(|_| (before, mv, ply))
    })
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn games_are_legal_and_depend_on_their_seed_alone() {
        let profile = Profile::standard(Chess::door()).unwrap();
        let mut author = Chess::author(&profile, 200).unwrap();
        let stop = StopFlag::new();
        let mut play = |seed| Chess::play(&mut author, &mut StdRng::seed_from_u64(seed), &stop);
        let games: Vec<_> = (0..6).map(&mut play).collect();
        assert_eq!((0..6).map(&mut play).collect::<Vec<_>>(), games);
        let games: Vec<_> = games.into_iter().flatten().collect();
        assert!(games.len() >= 3, "{}", games.len());
        for game in &games {
            assert_eq!(positions(game).count(), game.plies.len());
            let searched = game.plies.iter().filter(|ply| ply.value != NO_VALUE).count();
            assert!(searched + OPENING_PLIES + 1 >= game.plies.len());
        }
    }
}
