//! The openings of a match without a file of openings.

use std::collections::HashSet;

use plyground_core::tree::mix;
use plyground_engine::door::{AnyGame, AnyLine};
use plyground_engine::game::GameError;

/// The number of random moves in an opening. It is even, so that the side that begins the game is to
/// move.
const RANDOM_PLIES: u64 = 4;

/// The greatest number of random openings. It does not depend on the length of the match, so a longer
/// match begins like a shorter one.
const RANDOM_OPENINGS: usize = 100;

/// Attempts for each random opening: some end the game, some reach the position of another.
const ATTEMPTS: u64 = 20;

/// The built-in openings of a game. A game that has none but the start gets openings of a few random
/// moves, which the seed chooses: deterministic engines would otherwise play the same game again and
/// again. There is at least one opening.
pub fn match_openings(
    game: &'static dyn AnyGame,
    seed: u64,
) -> Result<Vec<Box<dyn AnyLine>>, GameError> {
    let openings = game.standard_openings()?;
    match &openings[..] {
        [start] if start.is_from_start() && start.plies() == 0 => {
            let random = random_openings(&**start, seed)?;
            Ok(if random.is_empty() { openings } else { random })
        }
        _ => Ok(openings),
    }
}

/// Games of a few random moves that are not over and lead to different positions.
fn random_openings(start: &dyn AnyLine, seed: u64) -> Result<Vec<Box<dyn AnyLine>>, GameError> {
    let mut openings = Vec::new();
    let mut reached = HashSet::new();
    for attempt in 0..ATTEMPTS * RANDOM_OPENINGS as u64 {
        let mut line = start.boxed();
        for ply in 0..RANDOM_PLIES {
            let moves = line.legal_moves();
            let random = mix(mix(seed, attempt), ply);
            let Some(mv) = moves.get(random.checked_rem(moves.len() as u64).unwrap_or(0) as usize)
            else {
                break;
            };
            line.play(mv)?;
        }
        if line.verdict().is_none() && reached.insert(line.position()) {
            openings.push(line);
        }
        if openings.len() == RANDOM_OPENINGS {
            break;
        }
    }
    Ok(openings)
}
