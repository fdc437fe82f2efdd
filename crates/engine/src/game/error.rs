//! What can be wrong with a text about a game.

use thiserror::Error;

use plyground_games::{chess, othello};

/// What is wrong with a text about a game, and where.
#[derive(Debug, Error)]
pub enum GameError {
    /// In a text about Othello.
    #[error(transparent)]
    Othello(#[from] othello::TextError),
    /// In a text about chess.
    #[error(transparent)]
    Chess(#[from] chess::TextError),
    /// In a text about any game.
    #[error("{0}")]
    Text(String),
    /// In a line of a text.
    #[error("line {line}: {error}")]
    Line {
        /// Which, from 1.
        line: usize,
        /// What is wrong there.
        error: Box<GameError>,
    },
    /// In a move.
    #[error("`{found}`: {reason}")]
    Move {
        /// What was found.
        found: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// In an evaluator's file.
    #[error("the evaluator: {0}")]
    Evaluator(String),
    /// In a text that says nothing.
    #[error("there is nothing in it; expected {expected}")]
    Nothing {
        /// What was expected.
        expected: &'static str,
    },
    /// It is about another game.
    #[error("this is {expected}, and that is {found}")]
    OtherGame {
        /// The game that it is about.
        found: &'static str,
        /// The game that is played.
        expected: &'static str,
    },
}

impl GameError {
    /// What is wrong with a move that was typed, where the game's own reader says all there is to say;
    /// `None` if it says no more than that the move is not legal. Everybody sees where it stands.
    pub fn problem(&self) -> Option<String> {
        match self {
            GameError::Othello(error) => Some(error.problem.to_string()),
            GameError::Chess(error) => Some(error.problem.to_string()),
            GameError::Text(problem) => Some(problem.clone()),
            _ => None,
        }
    }
}
