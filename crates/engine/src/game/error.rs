//! Errors in the texts of a game.

use thiserror::Error;

use plyground_core::memory::OutOfMemory;
use plyground_games::{chess, othello};
use plyground_search::SearchError;

/// What is wrong with a text about a game, and where.
#[derive(Debug, Error)]
pub enum GameError {
    /// A text about Othello is wrong.
    #[error(transparent)]
    Othello(#[from] othello::TextError),
    /// A text about chess is wrong.
    #[error(transparent)]
    Chess(#[from] chess::TextError),
    /// A text about any game is wrong: what is wrong, and what was expected.
    #[error("{0}")]
    Text(String),
    /// A line of a text is wrong.
    #[error("line {line}: {error}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong there.
        error: Box<GameError>,
    },
    /// A move is wrong.
    #[error("`{found}`: {reason}")]
    Move {
        /// The text of the move.
        found: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A file of weights is wrong.
    #[error("the evaluator: {0}")]
    Evaluator(String),
    /// There is no memory for the engine's table.
    #[error("the table: {0}")]
    Memory(OutOfMemory),
    /// There is no memory for the threads of the engine's algorithm.
    #[error("{0}")]
    Threads(SearchError),
    /// A text is empty.
    #[error("there is nothing in it; expected {expected}")]
    Nothing {
        /// What was expected.
        expected: &'static str,
    },
    /// A line is of another game.
    #[error("this is {expected}, and that is {found}")]
    OtherGame {
        /// The game of the line.
        found: &'static str,
        /// The game that was expected.
        expected: &'static str,
    },
}

impl GameError {
    /// What is wrong with a typed move, without its line and column: in a single move they are
    /// plain to see. `None` if the game's reader says no more than that the move is not legal.
    pub fn problem(&self) -> Option<String> {
        match self {
            GameError::Othello(error) => Some(error.problem.to_string()),
            GameError::Chess(error) => Some(error.problem.to_string()),
            GameError::Text(problem) => Some(problem.clone()),
            _ => None,
        }
    }
}

// Not by `#[from]`, which would make it the source: the message says it already, and the program prints
// sources too.
impl From<OutOfMemory> for GameError {
    fn from(shortage: OutOfMemory) -> GameError {
        GameError::Memory(shortage)
    }
}

impl From<SearchError> for GameError {
    fn from(error: SearchError) -> GameError {
        GameError::Threads(error)
    }
}
