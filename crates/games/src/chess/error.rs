//! What can be wrong with a text about chess.

use plyground_core::names::plural;
use thiserror::Error;

use super::piece::Piece;
use super::side::Side;
use crate::grid::Square;

/// A text about chess that could not be read.
pub type TextError = crate::text::TextError<Problem>;

/// What is wrong, and what was expected instead.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// A field that is not there.
    #[error("the text ends: expected {expected}")]
    Missing {
        /// What belongs there.
        expected: &'static str,
    },
    /// Something other than what belongs there.
    #[error("found {found:?}: expected {expected}")]
    Expected {
        /// What was there.
        found: String,
        /// What belongs there.
        expected: &'static str,
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
    /// A rank of a FEN with too few or too many squares.
    #[error("rank {rank} has {}: expected 8", plural(*found, "square"))]
    Rank {
        /// The rank, 1 to 8.
        rank: usize,
        /// How many squares it has.
        found: usize,
    },
    /// A FEN with too few or too many ranks.
    #[error("the board has {}: expected 8, with / between them", plural(*found, "rank"))]
    Ranks {
        /// How many there are.
        found: usize,
    },
    /// A side without a king or with several.
    #[error("{side} has {found} kings: expected one")]
    Kings {
        /// The side.
        side: Side,
        /// How many there are.
        found: usize,
    },
    /// A pawn on the first or the last rank.
    #[error("a pawn stands on {square}: expected none on the first and the last rank")]
    PawnRank {
        /// Where it stands.
        square: Square,
    },
    /// More pieces than a game can bring about.
    #[error(
        "{side} has more pieces than a game can have: expected at most 8 pawns and pieces made of \
         pawns"
    )]
    TooMany {
        /// The side.
        side: Side,
    },
    /// The side that has just moved is in check, so that its king could be taken.
    #[error("{side} is in check but not to move: expected the side to move to be the one in check")]
    OtherInCheck {
        /// The side in check.
        side: Side,
    },
    /// More pieces that give check than one move can lead to.
    #[error("{found} pieces give check: expected at most 2")]
    Checks {
        /// How many there are.
        found: usize,
    },
    /// A castling right although king or rook is not on its square.
    #[error("castling right {right}: expected the {piece} on {square}")]
    Castling {
        /// The letter of the right.
        right: char,
        /// The piece that is not on its square.
        piece: Piece,
        /// The square.
        square: Square,
    },
    /// An en passant square that no pawn has passed.
    #[error("{square} is not an en passant square here: expected {expected}")]
    EnPassant {
        /// The square.
        square: Square,
        /// What would have to be so.
        expected: &'static str,
    },
    /// Something other than a count.
    #[error("{found:?} is not a number: expected {expected}")]
    Number {
        /// What was there.
        found: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// Something other than a move.
    #[error("{found:?} is not a move: expected {expected}")]
    Move {
        /// What was there.
        found: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// A move against the rules.
    #[error("{found:?} is not a legal move for {side}: expected {legal}")]
    Illegal {
        /// The move.
        found: String,
        /// The side to move.
        side: Side,
        /// The legal moves.
        legal: String,
    },
    /// A text that fits several legal moves.
    #[error("{found:?} could be several moves: expected one of {legal}")]
    Ambiguous {
        /// The move.
        found: String,
        /// The moves that it fits.
        legal: String,
    },
    /// A quotation, a comment or a variation that does not end.
    #[error("{what} is not closed: expected {expected:?}")]
    Open {
        /// What is not closed.
        what: &'static str,
        /// What would close it.
        expected: char,
    },
}

/// The beginning of a text, for messages.
pub(super) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 24;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
