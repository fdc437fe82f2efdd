//! The opponent: an engine by its name or its file, or an algorithm.

use anyhow::bail;

use plyground_engine::door::AnyGame;
use plyground_engine::games::Games;
use plyground_engine::profile::{Profile, ProfileError};
use plyground_search::{Algorithm, catalogue};

/// The nodes for a move of an opponent that is only an algorithm, unless another limit is set.
const DEFAULT_NODES: u64 = 1_000_000;

/// The engine of this name. If no game is given, the engine's game is played.
pub(super) fn find(
    games: &Games,
    name: &str,
    game: Option<&'static dyn AnyGame>,
) -> anyhow::Result<Profile> {
    let base = name.split(':').next().unwrap_or(name);
    if ids().any(|id| id == base) {
        let game = game.map_or_else(|| games.first(), Ok)?;
        return of(name.parse::<Algorithm>()?, game);
    }
    let profile = match Profile::find(games, name) {
        Err(unknown @ ProfileError::Unknown { .. }) => {
            // A name that is forgiven: `SSS*`.
            if let Ok(algorithm) = name.parse::<Algorithm>() {
                return of(algorithm, game.map_or_else(|| games.first(), Ok)?);
            }
            bail!("{unknown}; or an algorithm: `plyground algorithms` lists them");
        }
        found => found?,
    };
    match game {
        Some(game) if game != profile.game => {
            bail!("the engine {} plays {}, not {game}", profile.name, profile.game)
        }
        _ => Ok(profile),
    }
}

/// The game's standard engine with this algorithm in it.
fn of(algorithm: Algorithm, game: &'static dyn AnyGame) -> anyhow::Result<Profile> {
    let mut profile = Profile::standard(game)?;
    profile.name = algorithm.to_string();
    profile.about = algorithm.name();
    profile.algorithm = algorithm;
    if profile.selective().is_none() {
        // Not every algorithm reaches the depth of the standard engine.
        profile.depth = None;
        profile.limits.nodes = Some(DEFAULT_NODES);
    }
    Ok(profile)
}

/// The algorithms' ids without their parameters.
fn ids() -> impl Iterator<Item = &'static str> {
    catalogue().map(|entry| entry.id)
}

/// The names that `engine` accepts, for completion.
pub(super) fn names(games: &Games, game: &'static dyn AnyGame) -> Vec<String> {
    let engines = Profile::built_in(games).flatten().filter(|profile| profile.game == game);
    engines.map(|profile| profile.name).chain(ids().map(String::from)).collect()
}

/// The engines of a game and all algorithms, for people.
pub(super) fn listed(games: &Games, game: &'static dyn AnyGame, present: &str) -> String {
    let mut text = format!("{present} plays. Engines (engine NAME):\n");
    for profile in Profile::built_in(games).flatten().filter(|profile| profile.game == game) {
        text += &format!("  {:<20} {}\n", profile.name, profile.about);
    }
    text += "Algorithms:\n";
    for entry in catalogue() {
        let usage = entry.usage.split(' ').next().unwrap_or(entry.id);
        text += &format!("  {usage:<20} {}\n", entry.about);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_engine::game::Game;
    use plyground_games::chess::Chess;
    use plyground_games::othello::Othello;

    fn games() -> Games {
        Games::new().with::<Othello>().with::<Chess>()
    }

    #[test]
    fn engines_and_algorithms_are_found() {
        let chess = Some(Chess::door());
        assert_eq!(find(&games(), "chess-mtd-f", None).unwrap().game, Chess::door());
        let sss = find(&games(), "sss", chess).unwrap();
        assert!(sss.selective().is_none() && sss.limits.nodes == Some(DEFAULT_NODES));
        assert!(find(&games(), "pvs", chess).unwrap().selective().is_some());
        assert_eq!(find(&games(), "ps:2", chess).unwrap().name, "ps:2");
        for (name, expected) in [
            ("othello", "plays othello, not chess"),
            ("nobody", "or an algorithm"),
            ("ps:0", "ps:0"),
            ("none.toml", "cannot be read"),
        ] {
            let message = find(&games(), name, chess).unwrap_err().to_string();
            assert!(message.contains(expected), "{name}: {message}");
        }
        for game in games().iter() {
            assert!(names(&games(), game).iter().any(|name| name == game.name()));
        }
    }
}
