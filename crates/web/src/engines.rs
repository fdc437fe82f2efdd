//! The opponents that the page offers: the engines that come with a game, and every algorithm. No file is
//! read for the page.

use anyhow::bail;
use plyground_core::names::{did_you_mean, find};
use plyground_engine::door::AnyGame;
use plyground_engine::games::Games;
use plyground_engine::profile::Profile;
use plyground_search::table::TableSize;
use plyground_search::{Algorithm, catalogue};
use serde_json::{Value as Json, json};

/// The table of an engine, at most.
const TABLE_MEBIBYTES: usize = 32;

/// The nodes for a move of an opponent that is only an algorithm, unless another limit is set.
const LABORATORY_NODES: u64 = 500_000;

/// The engine of this name; the game's strongest if there is none.
pub(crate) fn opponent(game: &'static dyn AnyGame, name: &str) -> anyhow::Result<Profile> {
    let mut profile = named(game, name)?;
    let most = TableSize::of_mebibytes(TABLE_MEBIBYTES);
    if profile.table.entries() > most.entries() {
        profile.table = most;
    }
    profile.threads = 1;
    Ok(profile)
}

fn named(game: &'static dyn AnyGame, name: &str) -> anyhow::Result<Profile> {
    if name.is_empty() {
        return Ok(Profile::standard(game)?);
    }
    let of_game = Games::of(game);
    let engines: Vec<Profile> = Profile::built_in(&of_game).collect::<Result<_, _>>()?;
    let names = engines.iter().map(|engine| engine.name.as_str());
    if let Some(known) = find(name, names.clone()) {
        let known = known.to_owned();
        let found = engines.into_iter().find(|engine| engine.name == known);
        return found.ok_or_else(|| anyhow::anyhow!("there is no engine `{name}`"));
    }
    match name.parse::<Algorithm>() {
        Ok(algorithm) => {
            let mut profile = Profile::standard(game)?.with_algorithm(algorithm);
            if profile.selective().is_none() {
                // Not every algorithm reaches the depth of the standard engine.
                profile.depth = None;
                profile.limits.nodes = Some(LABORATORY_NODES);
            }
            Ok(profile)
        }
        Err(error) => {
            let known: Vec<&str> = names.clone().collect();
            let meant = did_you_mean(name, names);
            bail!(
                "there is no engine `{name}`; expected one of {}{meant}; or: {error}",
                known.join(", ")
            )
        }
    }
}

/// What the page must know of the games and the algorithms before it asks for anything.
pub(crate) fn info(games: &Games) -> anyhow::Result<Json> {
    let games = games.iter().map(described).collect::<anyhow::Result<Vec<Json>>>()?;
    let algorithms: Vec<Json> = catalogue()
        .map(|entry| {
            json!({
                "id": entry.id, "usage": entry.usage, "name": entry.name, "about": entry.about,
                "paper": entry.paper, "examples": entry.examples,
                "parallel": entry.is_parallel(), "simulated": true,
            })
        })
        .collect();
    Ok(json!({ "games": games, "algorithms": algorithms, "version": env!("CARGO_PKG_VERSION") }))
}

fn described(game: &'static dyn AnyGame) -> anyhow::Result<Json> {
    let of_game = Games::of(game);
    let engines: Vec<Json> = Profile::built_in(&of_game)
        .flatten()
        .map(|engine| json!({ "name": engine.name, "about": engine.about }))
        .collect();
    let levels = game.levels()?;
    let levels: Vec<Json> = levels
        .iter()
        .map(|(number, level)| json!({ "level": number, "about": level.about, "elo": level.elo }))
        .collect();
    Ok(json!({
        "name": game.name(), "sides": game.sides(), "extensions": game.extensions(),
        "engines": engines, "levels": levels, "depth": game.depths().quick,
        "deepest": game.deepest(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_engine::game::Game;
    use plyground_games::chess::Chess;
    use plyground_games::othello::Othello;

    #[test]
    fn engines_and_algorithms_are_opponents_and_files_are_not() {
        let chess = Chess::door();
        assert!(opponent(chess, "").unwrap().selective().is_some());
        assert_eq!(opponent(chess, "sss").unwrap().limits.nodes, Some(LABORATORY_NODES));
        for engine in Profile::names(Othello::door()) {
            let engine = opponent(Othello::door(), engine).unwrap();
            assert!(engine.table.bytes() <= TABLE_MEBIBYTES << 20 && engine.threads == 1);
        }
        for wrong in ["/etc/passwd", "engines/chess.toml", "nobody", "ps:0"] {
            let told = opponent(chess, wrong).unwrap_err().to_string();
            assert!(told.contains("there is no engine"), "{told}");
        }
    }
}
