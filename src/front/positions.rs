//! Positions for experiments: of a file, or built in.

use std::path::Path;

use anyhow::{Context, bail, ensure};

use plyground_core::tree::mix;
use plyground_engine::game::{Game, GameName};

/// The games that are meant: the one that was named, else what the file of positions is of, else
/// both.
pub(super) fn games(game: Option<GameName>, file: Option<&Path>) -> anyhow::Result<Vec<GameName>> {
    if let Some(game) = game {
        return Ok(vec![game]);
    }
    let Some(file) = file else { return Ok(GameName::ALL.to_vec()) };
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("obf") => Ok(vec![GameName::Othello]),
        Some("epd") => Ok(vec![GameName::Chess]),
        _ => bail!(
            "{}: which game is it of? expected a name that ends in .obf or .epd, or --game",
            file.display()
        ),
    }
}

/// The positions to search: as many as were asked for, chosen by the seed, or all.
pub(super) fn positions<G: Game>(
    file: Option<&Path>,
    count: Option<usize>,
    seed: u64,
) -> anyhow::Result<Vec<G::Position>> {
    let suite = match file {
        None => G::suite(G::EXPERIMENTS)?,
        Some(file) => {
            let name = file.display().to_string();
            let text =
                std::fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
            G::suite(&text).context(name)?
        }
    };
    ensure!(!suite.is_empty(), "there are no positions; expected at least one");
    let count = count.map_or(suite.len(), |n| n.min(suite.len()));
    // One of each stretch of the file, so that all parts of the game are there.
    let chosen = (0..count).map(|i| {
        let (start, end) = (i * suite.len() / count, (i + 1) * suite.len() / count);
        start + (mix(seed, i as u64) % (end - start) as u64) as usize
    });
    Ok(chosen.map(|i| suite[i].position.clone()).collect())
}
