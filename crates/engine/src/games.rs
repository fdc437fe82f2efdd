//! The registry of games: the games that a program has, by name.
//!
//! ```
//! use plyground_engine::games::Games;
//! use plyground_games::chess::Chess;
//! use plyground_games::othello::Othello;
//!
//! let games = Games::new().with::<Othello>().with::<Chess>();
//! assert_eq!(games.find("chess")?.sides(), ["white", "black"]);
//! let error = games.find("ches").unwrap_err();
//! assert_eq!(error.to_string(), "`ches` is no game; expected othello or chess; did you mean chess?");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use thiserror::Error;

use crate::door::AnyGame;
use crate::game::Game;

/// The registered games, in the order of their registration.
#[derive(Clone, Debug, Default)]
pub struct Games {
    doors: Vec<&'static dyn AnyGame>,
}

/// The error for a name that no game has.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{name}` is no game; expected {known}{suggestion}")]
pub struct UnknownGame {
    /// The name.
    name: String,
    /// The names of the games that there are.
    known: String,
    /// A similar name, as a question to the user; empty if there is none.
    suggestion: String,
}

impl Games {
    /// A registry without games.
    pub const fn new() -> Games {
        Games { doors: Vec::new() }
    }

    /// A registry with one game.
    pub fn of(game: &'static dyn AnyGame) -> Games {
        Games { doors: vec![game] }
    }

    /// The same registry with one more game.
    #[must_use]
    pub fn with<G: Game>(mut self) -> Games {
        self.register(G::door());
        self
    }

    /// Adds a game. It replaces a game of the same name.
    pub fn register(&mut self, game: &'static dyn AnyGame) {
        match self.doors.iter_mut().find(|known| **known == game) {
            Some(known) => *known = game,
            None => self.doors.push(game),
        }
    }

    /// The games, in the order of their registration.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn AnyGame> + Clone + '_ {
        self.doors.iter().copied()
    }

    /// The default game: the first one.
    pub fn first(&self) -> Result<&'static dyn AnyGame, UnknownGame> {
        self.iter().next().map_or_else(|| self.find(""), Ok)
    }

    /// The game of this name.
    pub fn find(&self, name: &str) -> Result<&'static dyn AnyGame, UnknownGame> {
        self.iter().find(|game| game.name() == name).ok_or_else(|| {
            let names = self.iter().map(AnyGame::name);
            let close = closest(&name.to_lowercase(), names.clone()).into_iter().next();
            UnknownGame {
                name: name.into(),
                known: either(names),
                suggestion: close
                    .map_or_else(String::new, |close| format!("; did you mean {close}?")),
            }
        })
    }

    /// The game that a text belongs to: the path of one of its files, or clearly one of its
    /// positions.
    pub fn of_text(&self, text: &str) -> Option<&'static dyn AnyGame> {
        let path = std::path::Path::new(text);
        let extension = path.extension().and_then(|extension| extension.to_str());
        let extension = extension.unwrap_or("").to_ascii_lowercase();
        self.iter().find(|game| game.recognises(text) || game.extensions().contains(&&*extension))
    }
}

/// Lists names for a message: `one, two or three`.
pub(crate) fn either<T: ToString>(names: impl IntoIterator<Item = T>) -> String {
    let mut names: Vec<String> = names.into_iter().map(|name| name.to_string()).collect();
    match names.pop() {
        None => "none".into(),
        Some(last) if names.is_empty() => last,
        Some(last) => format!("{} or {last}", names.join(", ")),
    }
}

/// At most three of the `known` names that are similar to `name`, the most similar first.
pub fn closest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name: Vec<char> = name.chars().take(20).collect();
    let mut close: Vec<(usize, &str)> = known
        .into_iter()
        .map(|known| (distance(&name, &known.chars().collect::<Vec<_>>()), known))
        .filter(|(far, _)| *far <= 2 && *far * 2 <= name.len())
        .collect();
    close.sort_by_key(|(far, _)| *far);
    close.into_iter().take(3).map(|(_, known)| known).collect()
}

/// The edit distance: how many letters have to be changed, inserted or removed.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_games::chess::Chess;
    use plyground_games::othello::Othello;

    #[test]
    fn games_are_found_by_name_and_by_their_texts() {
        let games = Games::new().with::<Othello>().with::<Chess>().with::<Othello>();
        let names: Vec<&str> = games.iter().map(AnyGame::name).collect();
        assert_eq!(names, ["othello", "chess"]);
        for game in games.iter() {
            assert_eq!(games.find(game.name()).unwrap(), game);
        }
        assert_eq!(games.first().unwrap(), Othello::door());
        assert!(Games::new().first().is_err());
        let told = |name: &str| games.find(name).unwrap_err().to_string();
        assert_eq!(told("go"), "`go` is no game; expected othello or chess");
        assert!(told("Chess").ends_with("did you mean chess?"));
        assert!(Games::new().find("chess").unwrap_err().to_string().ends_with("expected none"));
        let of = |text: &str| games.of_text(text).map(AnyGame::name);
        assert_eq!(of("x/y.PGN"), Some("chess"));
        assert_eq!(of("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), Some("chess"));
        assert_eq!(of("a.obf"), Some("othello"));
        assert_eq!(of("startpos moves e2e4"), Some("chess"));
        assert_eq!(of("f5d6"), None);
    }

    #[test]
    fn lists_read_as_people_write_them() {
        assert_eq!(either(["a"]), "a");
        assert_eq!(either(["a", "b"]), "a or b");
        assert_eq!(either(["a", "b", "c"]), "a, b or c");
    }
}
