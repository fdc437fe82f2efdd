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
use plyground_core::names::{did_you_mean, either, find};

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

    /// The game of this name, or of another that people know it by; case and marks do not matter.
    pub fn find(&self, name: &str) -> Result<&'static dyn AnyGame, UnknownGame> {
        let names = self.iter().map(AnyGame::name);
        let all = self.iter().flat_map(|game| game.aliases().iter().copied().chain([game.name()]));
        let meant = find(name, names.clone()).or_else(|| find(name, all.clone()));
        let is_meant = |game: &&'static dyn AnyGame| {
            meant.is_some_and(|meant| game.name() == meant || game.aliases().contains(&meant))
        };
        self.iter().find(is_meant).ok_or_else(|| UnknownGame {
            name: name.into(),
            known: either(names),
            suggestion: did_you_mean(name, all),
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
        assert_eq!(games.find("Chess").unwrap(), Chess::door());
        assert_eq!(games.find("reversi").unwrap(), Othello::door());
        assert!(told("Revesi").ends_with("; did you mean reversi?"), "{}", told("Revesi"));
        assert!(Games::new().find("chess").unwrap_err().to_string().ends_with("expected none"));
        let of = |text: &str| games.of_text(text).map(AnyGame::name);
        assert_eq!(of("x/y.PGN"), Some("chess"));
        assert_eq!(of("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), Some("chess"));
        assert_eq!(of("a.obf"), Some("othello"));
        assert_eq!(of("startpos moves e2e4"), Some("chess"));
        assert_eq!(of("f5d6"), None);
    }
}
