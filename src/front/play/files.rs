//! Games and positions that come from files and texts, and go to files.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use anyhow::{Context, anyhow, bail};

use plyground_engine::game::{Game, GameError, GameLine, GameName, GameTask, SavedGame};
use plyground_games::chess::Chess;
use plyground_games::othello::Othello;

fn ending(name: &str) -> String {
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
    ending.unwrap_or("").to_ascii_lowercase()
}

/// The game that a file's name, or a text that is no file, speaks of, if it is plain to see.
pub(super) fn game_of(text: &str) -> Option<GameName> {
    let ending = ending(text);
    let first = text.split_whitespace().next().unwrap_or("");
    let fen = first.matches('/').count() == 7 || ["startpos", "fen"].contains(&first);
    if Chess::EXTENSIONS.contains(&ending.as_str()) || fen {
        Some(GameName::Chess)
    } else if Othello::EXTENSIONS.contains(&ending.as_str()) {
        Some(GameName::Othello)
    } else {
        None
    }
}

/// Can a text be read as one of a game?
struct Reads<'a>(&'a str);

impl GameTask for Reads<'_> {
    type Output = bool;

    fn run<G: Game>(self) -> bool {
        G::games(self.0).is_ok()
    }
}

/// The other game, if a file's name or its text is of that one.
fn other_game<G: Game>(file: &str, text: &str) -> Option<GameName> {
    let mut others = GameName::ALL.into_iter().filter(|game| game.name() != G::NAME);
    others.find(|game| game_of(file) == Some(*game) || game.dispatch(Reads(text)))
}

/// The games of a file, at least one.
fn load<G: Game>(file: &str) -> anyhow::Result<Vec<SavedGame<GameLine<G>>>> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {file}"))?;
    let text = String::from_utf8_lossy(&bytes);
    G::games(&text).map_err(|error| match other_game::<G>(file, &text) {
        None => anyhow::Error::new(error).context(file.to_owned()),
        Some(game) => {
            let name = if file.contains(' ') { format!("\"{file}\"") } else { file.to_owned() };
            let (this, opens) = (G::NAME, format!("plyground play {game} --from {name}"));
            anyhow!("{file} is a file of {game}, and this is {this}; `{opens}` opens it")
        }
    })
}

/// The game of this number, from 1, of a file, and how many there are.
pub(super) fn load_one<G: Game>(
    file: &str,
    number: Option<usize>,
) -> anyhow::Result<(SavedGame<GameLine<G>>, usize)> {
    let mut games = load::<G>(file)?;
    let count = games.len();
    let number = number.unwrap_or(1);
    if !(1..=count).contains(&number) {
        bail!("{file}: there is no game {number}; expected a number from 1 to {count}");
    }
    Ok((games.swap_remove(number - 1), count))
}

/// The game or the position that a text describes: a file, a position, or moves.
pub(super) fn read<G: Game>(text: &str) -> anyhow::Result<SavedGame<GameLine<G>>> {
    let known =
        Chess::EXTENSIONS.iter().chain(Othello::EXTENSIONS).any(|known| *known == ending(text));
    if Path::new(text).is_file() || known {
        return Ok(load_one(text, None)?.0);
    }
    Ok(parse::<G>(text).context("the position")?.into())
}

/// The game or the position that a text spells out.
pub(super) fn parse<G: Game>(text: &str) -> Result<GameLine<G>, GameError> {
    if let Some((start, moves)) = as_in_uci(text) {
        return replayed(G::position(&start)?, &moves);
    }
    let position = match G::position(text) {
        Ok(position) => position,
        // Moves of chess are no position, but lead to one.
        Err(error) => match G::load(text) {
            Ok(mut lines) if lines.len() == 1 => return Ok(lines.swap_remove(0)),
            _ => return Err(error),
        },
    };
    // Moves are worth more than where they lead: they can be taken back.
    Ok(match G::load(text) {
        Ok(mut lines) if lines.len() == 1 && *lines[0].position() == position => {
            lines.swap_remove(0)
        }
        _ => GameLine::new(position),
    })
}

/// What `position` is followed by in UCI, and what people paste: the first position, nothing for the
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

/// The game that these moves make.
fn replayed<G: Game>(start: G::Position, moves: &[&str]) -> Result<GameLine<G>, GameError> {
    let mut line = GameLine::new(start);
    for text in moves {
        let mv = G::typed_move(line.position(), text)?;
        line.play(mv);
    }
    Ok(line)
}

/// Keeps the game, which is written so, or the position, as the file's name says; returns which.
pub(super) fn save<G: Game>(
    game: &str,
    position: &G::Position,
    file: &str,
    replace: bool,
) -> anyhow::Result<&'static str> {
    let ending = ending(file);
    let (what, text) = match G::EXTENSIONS.iter().position(|known| *known == ending) {
        Some(0) => ("game", game.to_owned()),
        Some(_) => ("position", G::save_position(position, &ending)),
        None => {
            let known: Vec<String> =
                G::EXTENSIONS.iter().map(|ending| format!(".{ending}")).collect();
            let (games, positions) = (&known[0], known[1..].join(" or "));
            bail!(
                "{file}: expected a name that ends in {games} (the game), {positions} (the position)"
            );
        }
    };
    let mut options = OpenOptions::new();
    match replace {
        true => options.write(true).create(true).truncate(true),
        false => options.write(true).create_new(true),
    };
    let opened = match options.open(file) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("{file} exists already and is left as it is; save! {file} replaces it")
        }
        opened => opened,
    };
    let written = opened.and_then(|mut out| out.write_all(text.as_bytes()));
    written.with_context(|| format!("cannot write {file}"))?;
    Ok(what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_all_kinds() {
        assert_eq!(parse::<Othello>("f5d6c3").unwrap().moves().len(), 3);
        let board = parse::<Othello>("f5").unwrap().position().to_string();
        assert!(parse::<Othello>(&board).unwrap().moves().is_empty());
        assert_eq!(parse::<Chess>("1. e4 e5 2. Nf3").unwrap().moves().len(), 3);
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        assert_eq!(parse::<Chess>(fen).unwrap().position().to_string(), fen);
        assert!(parse::<Chess>("startpos").unwrap().moves().is_empty());
        for wrong in ["nonsense", "8/8/8/8/8/8/8/8 w - - 0 1", "e5"] {
            assert!(parse::<Chess>(wrong).is_err(), "{wrong}");
        }
        assert!(parse::<Othello>("a1").is_err());
    }

    #[test]
    fn positions_are_understood_as_uci_has_them() {
        let told = |text: &str| {
            let line = parse::<Chess>(text).unwrap();
            (line.moves().len(), line.position().to_string())
        };
        let after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        assert_eq!(told("startpos moves e2e4 e7e5"), (2, after.into()));
        assert_eq!(told(&format!("fen {after}")), (0, after.into()));
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let castled = "4k3/8/8/8/8/8/8/5RK1 b - - 1 1";
        assert_eq!(told(&format!("fen {fen}  moves e1g1")), (1, castled.into()));
        assert_eq!(told(&format!("{fen} moves O-O")), (1, castled.into()));
        assert_eq!(told("startpos"), told("startpos moves"));
        assert_eq!(parse::<Othello>("startpos moves f5 d6").unwrap().moves().len(), 2);
        for wrong in ["startpos moves e2e5", "startpos e2e4", "fen 8/8 moves e2e4", "fen nonsense"]
        {
            assert!(parse::<Chess>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_game_shows_in_the_name() {
        assert_eq!(game_of("x/y.PGN"), Some(GameName::Chess));
        assert_eq!(game_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), Some(GameName::Chess));
        assert_eq!(game_of("a.obf"), Some(GameName::Othello));
        assert_eq!(game_of("f5d6"), None);
        assert_eq!(game_of("startpos moves e2e4"), Some(GameName::Chess));
    }
}
