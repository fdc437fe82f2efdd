//! Moves and lists of moves.

use std::fmt;

use arrayvec::ArrayVec;

use super::piece::Piece;
use crate::grid::Square;

/// A move in 16 bits: the square it leaves, the square it reaches, and its kind.
///
/// It is displayed as in UCI, `e2e4` or `e7e8q`; castling is the king's move by two squares. A move has
/// a meaning only on the board that it was made for: get one from [`Board::moves`], or read one with
/// [`Board::uci_move`] or [`Board::san_move`].
///
/// [`Board::moves`]: super::Board::moves
/// [`Board::uci_move`]: super::Board::uci_move
/// [`Board::san_move`]: super::Board::san_move
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u16);

/// The capacity of a list of moves. No position is known with more than 218 moves, and a [`Board`] has
/// no more pieces than a game can bring about.
///
/// [`Board`]: super::Board
pub const MAX_MOVES: usize = 256;

/// A list of moves that is stored inline, without an allocation.
pub type Moves = ArrayVec<Move, MAX_MOVES>;

/// The kind of a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveKind {
    /// A move or a capture without anything special.
    Plain,
    /// A pawn's two steps.
    DoubleStep,
    /// The king's two steps, with the rook.
    Castling,
    /// A pawn's capture of a pawn that has just made two steps.
    EnPassant,
    /// A pawn that reaches the last rank, with or without a capture, and becomes this piece.
    Promotion(Piece),
}

pub(super) const PLAIN: u16 = 0;
pub(super) const DOUBLE_STEP: u16 = 1;
pub(super) const CASTLING: u16 = 2;
pub(super) const EN_PASSANT: u16 = 3;
/// Added to the index of the piece: 5 to 8.
pub(super) const PROMOTION: u16 = 4;

impl Move {
    #[inline(always)]
    pub(super) const fn pack(from: usize, to: usize, kind: u16) -> Self {
        Self((from & 63) as u16 | ((to & 63) as u16) << 6 | kind << 12)
    }

    /// The kind's number, 0 to 8.
    #[inline(always)]
    pub(super) const fn number(self) -> u16 {
        self.0 >> 12
    }

    /// The square that the piece leaves.
    #[must_use]
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::wrapping(self.0 as usize)
    }

    /// The square that the piece reaches.
    #[must_use]
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::wrapping((self.0 >> 6) as usize)
    }

    /// The kind of the move.
    #[must_use]
    pub const fn kind(self) -> MoveKind {
        match self.number() {
            DOUBLE_STEP => MoveKind::DoubleStep,
            CASTLING => MoveKind::Castling,
            EN_PASSANT => MoveKind::EnPassant,
            5 => MoveKind::Promotion(Piece::Knight),
            6 => MoveKind::Promotion(Piece::Bishop),
            7 => MoveKind::Promotion(Piece::Rook),
            8 => MoveKind::Promotion(Piece::Queen),
            _ => MoveKind::Plain,
        }
    }

    /// The piece that the pawn becomes, if the move is a promotion.
    #[must_use]
    pub const fn promotion(self) -> Option<Piece> {
        match self.kind() {
            MoveKind::Promotion(piece) => Some(piece),
            _ => None,
        }
    }

    /// The move as a number, for hash tables.
    #[must_use]
    #[inline(always)]
    pub const fn code(self) -> u16 {
        self.0
    }

    /// The move with this number, which need not be legal on any board.
    #[must_use]
    #[inline(always)]
    pub const fn from_code(code: u16) -> Self {
        Self(code)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(piece) => write!(f, "{}", piece.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
