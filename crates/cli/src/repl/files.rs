//! Reads games and positions from files and texts, and writes files.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, anyhow, bail};

use plyground_engine::door::{AnyGame, AnyLine};
use plyground_engine::game::{GameError, SavedGame};
use plyground_engine::games::Games;
use plyground_engine::text_file::read_bytes;
use plyground_study::files;

fn extension(name: &str) -> String {
    let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
    extension.unwrap_or("").to_ascii_lowercase()
}

/// The other game that a file belongs to, judging by its name or its text.
fn other_game(
    games: &Games,
    game: &'static dyn AnyGame,
    file: &str,
    text: &str,
) -> Option<&'static dyn AnyGame> {
    let mut others = games.iter().filter(|other| *other != game);
    others.find(|other| games.of_text(file) == Some(*other) || other.games(text).is_ok())
}

/// The games of a file, at least one.
fn load(games: &Games, game: &'static dyn AnyGame, file: &str) -> anyhow::Result<Vec<SavedGame>> {
    let bytes = read_bytes(Path::new(file)).map_err(|error| match error.kind() {
        ErrorKind::NotFound => anyhow!("there is no file {file}"),
        _ => anyhow::Error::new(error).context(format!("cannot read {file}")),
    })?;
    let text = String::from_utf8_lossy(&bytes);
    game.games(&text).map_err(|error| match other_game(games, game, file, &text) {
        None => anyhow::Error::new(error).context(file.to_owned()),
        Some(other) => {
            let name = if file.contains(' ') { format!("\"{file}\"") } else { file.to_owned() };
            let opens = format!("plyground play {other} --from {name}");
            anyhow!("{file} is a file of {other}, and this is {game}; `{opens}` opens it")
        }
    })
}

/// The game of this number, from 1, in a file, and the number of games in the file. It may be of another
/// of the program's games.
pub(super) fn load_any(
    games: &Games,
    game: &'static dyn AnyGame,
    file: &str,
    number: Option<usize>,
) -> anyhow::Result<(SavedGame, usize)> {
    let text = read_bytes(Path::new(file)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let own = game.games(&text).is_ok();
    let other = other_game(games, game, file, &text).filter(|other| other.games(&text).is_ok());
    load_one(games, if own { game } else { other.unwrap_or(game) }, file, number)
}

/// The game of this number, from 1, in a file, and the number of games in the file.
fn load_one(
    games: &Games,
    game: &'static dyn AnyGame,
    file: &str,
    number: Option<usize>,
) -> anyhow::Result<(SavedGame, usize)> {
    let mut saved = load(games, game, file)?;
    let count = saved.len();
    let number = number.unwrap_or(1);
    if !(1..=count).contains(&number) {
        bail!("{file}: there is no game {number}; expected a number from 1 to {count}");
    }
    Ok((saved.swap_remove(number - 1), count))
}

/// The game or the position that a text describes: a file, a position, or moves.
pub(super) fn read(
    games: &Games,
    game: &'static dyn AnyGame,
    text: &str,
) -> anyhow::Result<SavedGame> {
    let known = games.iter().any(|game| game.extensions().contains(&&*extension(text)));
    if Path::new(text).is_file() || known {
        return Ok(load_one(games, game, text, None)?.0);
    }
    let parsed = parse(game, text).map_err(|error| match text.contains(char::is_whitespace) {
        true => anyhow::Error::new(error).context("the position"),
        // A single word may be meant as a file.
        false => anyhow!("the position: {error}; and there is no file {text}"),
    });
    Ok(parsed?.into())
}

/// The game or the position that a text contains.
pub(super) fn parse(game: &dyn AnyGame, text: &str) -> Result<Box<dyn AnyLine>, GameError> {
    if let Some((start, moves)) = as_in_uci(text) {
        return replayed(game.start(&start)?, &moves);
    }
    let single = |mut games: Vec<SavedGame>| match games.len() {
        1 => games.pop().map(|game| game.line),
        _ => None,
    };
    let moves = game.games(text).ok().and_then(single);
    match (game.start(text), moves) {
        // A game with moves is preferred to its last position: the moves can be taken back.
        (Ok(start), Some(line)) if line.position() == start.position() => Ok(line),
        (Ok(start), _) => Ok(start),
        // Moves of chess are not a position, but lead to one.
        (Err(_), Some(line)) => Ok(line),
        (Err(error), None) => Err(error),
    }
}

/// Reads the arguments of UCI's `position`, which people paste: the first position, empty for the
/// start, and the moves. `None` if the text is something else.
fn as_in_uci(text: &str) -> Option<(String, Vec<&str>)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let end = words.iter().position(|word| *word == "moves");
    let (start, moves) = words.split_at(end.unwrap_or(words.len()));
    let start = match start {
        ["startpos"] => String::new(),
        ["fen", fen @ ..] => fen.join(" "),
        position => position.join(" "),
    };
    let given = end.is_some() || ["startpos", "fen"].contains(words.first()?);
    given.then(|| (start, moves.iter().skip(1).copied().collect()))
}

/// The game after these moves.
fn replayed(mut line: Box<dyn AnyLine>, moves: &[&str]) -> Result<Box<dyn AnyLine>, GameError> {
    for text in moves {
        let mv = line.typed_move(text)?;
        line.play(&mv)?;
    }
    Ok(line)
}

/// Writes the game, whose text is `written`, or the position, depending on the file's extension; returns
/// which of the two.
pub(super) fn save(
    line: &dyn AnyLine,
    written: &str,
    file: &str,
    replace: bool,
) -> anyhow::Result<&'static str> {
    let extension = extension(file);
    let known = line.game().extensions();
    let (what, text) = match known.iter().position(|known| *known == extension) {
        Some(0) => ("game", written.to_owned()),
        Some(_) => ("position", line.save_position(&extension)),
        None => {
            let known: Vec<String> = known.iter().map(|known| format!(".{known}")).collect();
            let (games, positions) = (&known[0], known[1..].join(" or "));
            bail!(
                "{file}: expected a name that ends in {games} (the game), {positions} (the position)"
            );
        }
    };
    let path = Path::new(file);
    let written = match replace {
        true => files::replace(path, text.as_bytes()),
        false => files::create(path, text.as_bytes()),
    };
    match written {
        Err(error) if !replace && error.kind() == ErrorKind::AlreadyExists => {
            bail!("{file} exists already and is left as it is; save! {file} replaces it")
        }
        written => written.with_context(|| format!("cannot write {file}"))?,
    }
    Ok(what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_engine::game::Game;
    use plyground_games::chess::Chess;
    use plyground_games::othello::Othello;

    #[test]
    fn texts_of_all_kinds() {
        assert_eq!(parse(Othello::door(), "f5d6c3").unwrap().plies(), 3);
        let board = parse(Othello::door(), "f5").unwrap().position();
        assert!(parse(Othello::door(), &board).unwrap().plies() == 0);
        assert_eq!(parse(Chess::door(), "1. e4 e5 2. Nf3").unwrap().plies(), 3);
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        assert_eq!(parse(Chess::door(), fen).unwrap().position(), fen);
        assert!(parse(Chess::door(), "startpos").unwrap().plies() == 0);
        for wrong in ["nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", "e5"] {
            assert!(parse(Chess::door(), wrong).is_err(), "{wrong}");
        }
        assert!(parse(Othello::door(), "a1").is_err());
    }

    #[test]
    fn positions_are_read_as_uci_writes_them() {
        let parsed = |text: &str| {
            let line = parse(Chess::door(), text).unwrap();
            (line.plies(), line.position())
        };
        let after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        assert_eq!(parsed("startpos moves e2e4 e7e5"), (2, after.into()));
        assert_eq!(parsed(&format!("fen {after}")), (0, after.into()));
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let castled = "4k3/8/8/8/8/8/8/5RK1 b - - 1 1";
        assert_eq!(parsed(&format!("fen {fen}  moves e1g1")), (1, castled.into()));
        assert_eq!(parsed(&format!("{fen} moves O-O")), (1, castled.into()));
        assert_eq!(parsed("startpos"), parsed("startpos moves"));
        assert_eq!(parse(Othello::door(), "startpos moves f5 d6").unwrap().plies(), 2);
        for wrong in ["startpos moves e2e5", "startpos e2e4", "fen 8/8 moves e2e4", "fen nonsense"]
        {
            assert!(parse(Chess::door(), wrong).is_err(), "{wrong}");
        }
    }
}
