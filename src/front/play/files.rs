//! Games and positions that come from files and texts, and go to files.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use anyhow::{Context, bail};

use crate::game::{Course, Game, GameError, GameName, Heading};

/// How the names of files end that games and positions are kept in.
const CHESS: [&str; 3] = ["pgn", "fen", "epd"];
const OTHELLO: [&str; 2] = ["ggf", "obf"];

fn ending(name: &str) -> String {
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str());
    ending.unwrap_or("").to_ascii_lowercase()
}

/// The game that a file's name, or a text that is no file, speaks of, if it is plain to see.
pub(super) fn game_of(text: &str) -> Option<GameName> {
    let ending = ending(text);
    let slashes = text.split_whitespace().next().is_some_and(|word| word.matches('/').count() == 7);
    if CHESS.contains(&ending.as_str()) || slashes {
        Some(GameName::Chess)
    } else if OTHELLO.contains(&ending.as_str()) {
        Some(GameName::Othello)
    } else {
        None
    }
}

/// The games of a file, at least one.
fn load<G: Game>(file: &str) -> anyhow::Result<Vec<Course<G>>> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {file}"))?;
    let text = String::from_utf8_lossy(&bytes);
    G::load(&text).with_context(|| file.to_owned())
}

/// The game of this number, from 1, of a file, and how many there are.
pub(super) fn load_one<G: Game>(
    file: &str,
    number: Option<usize>,
) -> anyhow::Result<(Course<G>, usize)> {
    let mut courses = load::<G>(file)?;
    let count = courses.len();
    let number = number.unwrap_or(1);
    if !(1..=count).contains(&number) {
        bail!("{file}: there is no game {number}; expected a number from 1 to {count}");
    }
    Ok((courses.swap_remove(number - 1), count))
}

/// The game or the position that a text describes: a file, a position, or moves.
pub(super) fn read<G: Game>(text: &str) -> anyhow::Result<Course<G>> {
    let known = CHESS.iter().chain(&OTHELLO).any(|known| *known == ending(text));
    if Path::new(text).is_file() || known {
        return Ok(load_one(text, None)?.0);
    }
    parse::<G>(text).context("the position")
}

/// The game or the position that a text spells out.
pub(super) fn parse<G: Game>(text: &str) -> Result<Course<G>, GameError> {
    let position = match G::position(text) {
        Ok(position) => position,
        // Moves of chess are no position, but lead to one.
        Err(error) => match G::load(text) {
            Ok(mut courses) if courses.len() == 1 => return Ok(courses.swap_remove(0)),
            _ => return Err(error),
        },
    };
    // Moves are worth more than where they lead: they can be taken back.
    Ok(match G::load(text) {
        Ok(mut courses) if courses.len() == 1 && *courses[0].position() == position => {
            courses.swap_remove(0)
        }
        _ => Course::new(position),
    })
}

/// Keeps the game, or the position, as the file's name says; returns which.
pub(super) fn save<G: Game>(
    course: &Course<G>,
    heading: &Heading,
    file: &str,
    replace: bool,
) -> anyhow::Result<&'static str> {
    let [games, positions] = G::ENDINGS;
    let ending = ending(file);
    let (what, text) = if ending == games {
        ("game", G::save(course, heading))
    } else if ending == positions || (ending == "epd" && G::NAME == GameName::Chess) {
        ("position", G::save_position(course.position()))
    } else {
        bail!(
            "{file}: expected a name that ends in .{games} (the game) or .{positions} (the position)"
        );
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
    use crate::chess::Chess;
    use crate::othello::Othello;

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
    fn the_game_shows_in_the_name() {
        assert_eq!(game_of("x/y.PGN"), Some(GameName::Chess));
        assert_eq!(game_of("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), Some(GameName::Chess));
        assert_eq!(game_of("a.obf"), Some(GameName::Othello));
        assert_eq!(game_of("f5d6"), None);
    }
}
