//! A board with the colours of its discs.

use std::fmt;

use super::board::Board;
use crate::grid::{Square, Squares};

/// The two sides of a disc: the colour of a disc on the board, and of the player it belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Disc {
    /// Black, written `X` (or `*`). Black begins.
    Black,
    /// White, written `O`.
    White,
}

impl Disc {
    /// Both colours, the one that begins first.
    pub const ALL: [Self; 2] = [Self::Black, Self::White];

    /// The other colour.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// The letter on 64-character boards: `X` or `O`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Black => 'X',
            Self::White => 'O',
        }
    }
}

impl fmt::Display for Disc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Black => "black",
            Self::White => "white",
        })
    }
}

/// A [`Board`] and the colour of the side to move.
///
/// ```
/// use plyground_games::othello::{Disc, Position};
///
/// let start: Position =
///     "---------------------------OX------XO--------------------------- X".parse()?;
/// assert_eq!(start, Position::start());
/// assert_eq!(start.disc("e4".parse()?), Some(Disc::Black));
/// let next = start.play("f5".parse()?).expect("f5 is legal at the start");
/// assert_eq!(next.side, Disc::White);
/// assert_eq!(next.discs(Disc::Black).len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The discs, without their colours.
    pub board: Board,
    /// The side to move.
    pub side: Disc,
}

impl Position {
    /// The position every game starts from, Black to move.
    #[must_use]
    pub const fn start() -> Self {
        Self { board: Board::start(), side: Disc::Black }
    }

    /// The discs of a colour.
    #[must_use]
    pub fn discs(&self, side: Disc) -> Squares {
        if side == self.side { self.board.player() } else { self.board.opponent() }
    }

    /// The colour of the disc on a square.
    #[must_use]
    pub fn disc(&self, square: Square) -> Option<Disc> {
        Disc::ALL.into_iter().find(|&side| self.discs(side).contains(square))
    }

    /// The position after a move; `None` if the move is against the rules.
    #[must_use]
    pub fn play(&self, square: Square) -> Option<Self> {
        Some(Self { board: self.board.play(square)?, side: self.side.other() })
    }

    /// The position with the other side to move.
    #[must_use]
    pub const fn pass(&self) -> Self {
        Self { board: self.board.pass(), side: self.side.other() }
    }

    /// The position in which the next move is made: this one, or the one after a pass if the mover must
    /// pass.
    #[must_use]
    pub fn after_pass(&self) -> Self {
        if self.board.must_pass() { self.pass() } else { *self }
    }
}
