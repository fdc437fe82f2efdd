//! Positions for experiments: from a file, built in, or made.

pub(super) mod make;

use std::path::Path;

use anyhow::{Context, bail, ensure};

use plyground_core::tree::mix;
use plyground_engine::door::AnyGame;
use plyground_engine::games::Games;
use plyground_engine::text_file::read_text;

/// The games of an experiment: the one that was named, else the game of the file of positions, else
/// all.
pub(super) fn games(
    games: &Games,
    game: Option<&'static dyn AnyGame>,
    file: Option<&Path>,
) -> anyhow::Result<Vec<&'static dyn AnyGame>> {
    if let Some(game) = game {
        return Ok(vec![game]);
    }
    let Some(file) = file else { return Ok(games.iter().collect()) };
    let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or("");
    match games.iter().find(|game| suite_extension(*game) == extension) {
        Some(game) => Ok(vec![game]),
        None => {
            let known: Vec<String> =
                games.iter().map(|game| format!(".{}", suite_extension(game))).collect();
            bail!(
                "{}: which game is it of? expected a name that ends in {}, or --game",
                file.display(),
                known.join(" or ")
            )
        }
    }
}

/// The file extension of a game's suites: the last one that the game lists.
fn suite_extension(game: &dyn AnyGame) -> &'static str {
    game.extensions().last().copied().unwrap_or("")
}

/// The positions to search: as many as were asked for, chosen by the seed, or all.
pub(super) fn positions(
    game: &dyn AnyGame,
    file: Option<&Path>,
    count: Option<usize>,
    seed: u64,
) -> anyhow::Result<Vec<String>> {
    let suite = match file {
        None => game.experiments()?,
        Some(file) => {
            let name = file.display().to_string();
            let text = read_text(file).with_context(|| format!("cannot read {name}"))?;
            game.suite(&text).context(name)?
        }
    };
    ensure!(!suite.is_empty(), "there are no positions; expected at least one");
    let count = count.map_or(suite.len(), |n| n.min(suite.len()));
    // One position from each stretch of the file, so that all phases of the game are included.
    let chosen = (0..count).map(|i| {
        let (start, end) = (i * suite.len() / count, (i + 1) * suite.len() / count);
        start + (mix(seed, i as u64) % (end - start) as u64) as usize
    });
    Ok(chosen.map(|i| suite[i].position.clone()).collect())
}
