//! A game in progress as the page draws it. The page keeps the moves; the server knows the rules.

use anyhow::{Context, ensure};
use plyground_engine::door::{AnyGame, AnyLine};
use plyground_engine::game::{Diagram, Surface};
use plyground_games::grid::Square;
use serde_json::{Map, Value as Json, json};

/// The most moves of a game that the page sends.
const MOST_MOVES: usize = 2_000;

/// The game that begins at `start` and has these moves, as programs write them.
pub(crate) fn line(
    game: &'static dyn AnyGame,
    start: &str,
    moves: &[String],
) -> anyhow::Result<Box<dyn AnyLine>> {
    ensure!(moves.len() <= MOST_MOVES, "{} moves: expected at most {MOST_MOVES}", moves.len());
    let mut line = game.start(start).context("the position")?;
    for (number, mv) in moves.iter().enumerate() {
        line.play(mv).with_context(|| format!("move {}", number + 1))?;
    }
    Ok(line)
}

/// Plays a move as a person types it.
pub(crate) fn play_typed(line: &mut dyn AnyLine, text: &str) -> anyhow::Result<()> {
    let mv = match line.typed_move(text) {
        Ok(mv) => mv,
        Err(error) => match line.why_illegal(text) {
            Some(why) => return Err(anyhow::anyhow!("{error}: {why}")),
            None => return Err(error.into()),
        },
    };
    Ok(line.play(&mv)?)
}

/// Everything that the page shows of a game in progress.
pub(crate) fn state(line: &dyn AnyLine) -> Json {
    let game = line.game();
    let legal: Vec<Json> = line
        .legal_moves()
        .into_iter()
        .zip(line.legal_moves_shown())
        .map(|(mv, shown)| json!([mv, shown]))
        .collect();
    let verdict = line.verdict();
    let verdict = verdict.map(|verdict| {
        json!({ "winner": verdict.winner.map(|seat| seat.index()), "text": verdict.text(game.sides()) })
    });
    json!({
        "game": game.name(),
        "start": line.start(),
        "usual_start": line.is_from_start(),
        "position": line.position(),
        "moves": line.written(),
        "shown": line.shown(),
        "numbered": line.numbered(),
        "mover": line.mover().index(),
        "legal": legal,
        "pass": line.forced_pass(),
        "verdict": verdict,
        "note": line.result_note(),
        "board": line.diagram().map(|diagram| board(&diagram)),
        "picture": line.picture(),
    })
}

fn board(diagram: &Diagram) -> Json {
    let mut pieces = Map::new();
    for square in Square::all() {
        if let Some(piece) = diagram.piece(square) {
            let drawn = json!([piece.owner.index(), piece.letter.to_string().to_lowercase()]);
            pieces.insert(square.to_string(), drawn);
        }
    }
    let listed = |squares: plyground_games::grid::Squares| -> Vec<String> {
        squares.into_iter().map(|square| square.to_string()).collect()
    };
    json!({
        "surface": match diagram.surface {
            Surface::Cloth => "cloth",
            Surface::Wood => "wood",
        },
        "pieces": pieces,
        "last": listed(diagram.last),
        "open": listed(diagram.open),
        "danger": listed(diagram.danger),
        "upward": diagram.upward,
        "tally": diagram.tally,
    })
}
