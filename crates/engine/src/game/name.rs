//! Games by name for code that is still generic over the game.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Game;
use crate::door::AnyGame;
use plyground_games::chess::Chess;
use plyground_games::othello::Othello;

/// The games that generic code is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum GameName {
    /// Othello, also known as Reversi.
    Othello,
    /// Chess.
    Chess,
}

/// Something to do with whichever game was named.
pub trait GameTask {
    /// What comes of it.
    type Output;
    /// Does it.
    fn run<G: Game>(self) -> Self::Output;
}

impl GameName {
    /// All of them.
    pub const ALL: [GameName; 2] = [GameName::Othello, GameName::Chess];

    /// The name.
    pub const fn name(self) -> &'static str {
        match self {
            GameName::Othello => Othello::NAME,
            GameName::Chess => Chess::NAME,
        }
    }

    /// The name of a game.
    pub fn of<G: Game>() -> GameName {
        if G::NAME == Chess::NAME { GameName::Chess } else { GameName::Othello }
    }

    /// The game's door.
    pub fn door(self) -> &'static dyn AnyGame {
        match self {
            GameName::Othello => Othello::door(),
            GameName::Chess => Chess::door(),
        }
    }

    /// Does `task` with the game of this name.
    pub fn dispatch<T: GameTask>(self, task: T) -> T::Output {
        match self {
            GameName::Othello => task.run::<Othello>(),
            GameName::Chess => task.run::<Chess>(),
        }
    }
}

impl fmt::Display for GameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text names no game.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{0}` is no game; expected othello or chess")]
pub struct ParseGameError(String);

impl FromStr for GameName {
    type Err = ParseGameError;

    fn from_str(text: &str) -> Result<GameName, ParseGameError> {
        let found = GameName::ALL.into_iter().find(|game| game.name() == text);
        found.ok_or_else(|| ParseGameError(text.into()))
    }
}
