//! What can be wrong with a text about Othello.

use plyground_core::names::plural;
use thiserror::Error;

/// A text about Othello that could not be read.
pub type TextError = crate::text::TextError<Problem>;

/// What is wrong, and what was expected instead.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// A character that stands neither for a disc nor for an empty square.
    #[error("{found:?} is not a square's content: expected X (or *), O or - (or .)")]
    Disc {
        /// The character.
        found: char,
    },
    /// A board with too few squares.
    #[error("the board ends after {}: expected 64", plural(*found, "square"))]
    ShortBoard {
        /// The number of squares there were.
        found: usize,
    },
    /// Something other than a side to move.
    #[error("{found:?} is not a side to move: expected X (black) or O (white)")]
    Side {
        /// What was there; empty at the end of the text.
        found: String,
    },
    /// Text after the end of what was asked for.
    #[error("{found:?} follows where the text should end")]
    Trailing {
        /// What follows.
        found: String,
    },
    /// Something other than a square.
    #[error("{found:?} is not a square: expected a letter a to h and a digit 1 to 8")]
    Square {
        /// What was there.
        found: String,
    },
    /// Something other than a move in a transcript.
    #[error("{found:?} is not a move: expected a square such as f5, or a pass (pa or --)")]
    Move {
        /// What was there.
        found: String,
    },
    /// A move against the rules.
    #[error("{square} is not a legal move for {side}: expected one of {legal}")]
    Illegal {
        /// The move.
        square: super::Square,
        /// The side to move.
        side: super::Disc,
        /// The legal moves.
        legal: String,
    },
    /// A pass by a side that has a move.
    #[error("{side} may not pass: expected one of {legal}")]
    Pass {
        /// The side to move.
        side: super::Disc,
        /// The legal moves.
        legal: String,
    },
    /// A move after the end of the game.
    #[error("{found:?} follows the end of the game: neither side has a move")]
    Over {
        /// The move or pass.
        found: String,
    },
    /// A move by the wrong side in a record that names the mover.
    #[error("{found} moves out of turn: expected a move by {expected}")]
    Turn {
        /// The side that the record names.
        found: super::Disc,
        /// The side to move.
        expected: super::Disc,
    },
    /// Something other than a score.
    #[error("{found:?} is not a score: expected a whole number from -64 to 64, such as +38")]
    Score {
        /// What was there.
        found: String,
    },
    /// Something other than an evaluation or a time.
    #[error("{found:?} is not a number")]
    Number {
        /// What was there.
        found: String,
    },
    /// A field of an OBF line that is not a move and its score.
    #[error(
        "{found:?} is not a scored move: expected a square, a colon and a score, such as A2:+38"
    )]
    ScoredMove {
        /// What was there.
        found: String,
    },
    /// A record with something else where punctuation or a tag belongs.
    #[error("found {found}: expected {expected}")]
    Expected {
        /// What was there.
        found: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// A game of something else, or on a board of another size.
    #[error("{tag}[{found}] is not supported: expected {expected}")]
    Unsupported {
        /// The tag.
        tag: &'static str,
        /// Its value.
        found: String,
        /// What is supported.
        expected: &'static str,
    },
}
