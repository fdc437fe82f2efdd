//! Moves as in the UCI protocol: `e2e4`, `e7e8q`, and castling as the king's two steps, `e1g1`.

use super::board::Board;
use super::error::{Problem, TextError, excerpt};
use super::moves::{Move, Moves};
use super::piece::Piece;
use crate::grid::Square;

const WANTED: &str = "two squares, and q, r, b or n for a promotion, such as e2e4 or e7e8q";

impl Board {
    /// Reads a legal move in the notation of UCI, the protocol of chess engines.
    ///
    /// ```
    /// use plyground_games::chess::Board;
    ///
    /// let board = Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")?;
    /// let castled = board.play(board.uci_move("e1g1")?);
    /// assert_eq!(castled.to_string(), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    /// # Ok::<(), plyground_games::chess::TextError>(())
    /// ```
    pub fn uci_move(&self, text: &str) -> Result<Move, TextError> {
        let wrong = || TextError::at(0, Problem::Move { found: excerpt(text), expected: WANTED });
        let (from, to, promotion) = read(text).ok_or_else(wrong)?;
        self.moves()
            .into_iter()
            .find(|mv| mv.from() == from && mv.to() == to && mv.promotion() == promotion)
            .ok_or_else(|| TextError::at(0, self.illegal(text)))
    }

    /// The problem that a text is not a legal move here, with the moves that are legal.
    pub(super) fn illegal(&self, text: &str) -> Problem {
        Problem::Illegal {
            found: excerpt(text),
            side: self.side,
            legal: match self.moves() {
                moves if moves.is_empty() => "none, as the game is over".to_owned(),
                moves => format!("one of {}", self.names(&moves)),
            },
        }
    }

    /// The names of moves, separated by spaces, for messages.
    pub(super) fn names(&self, moves: &Moves) -> String {
        moves.iter().map(|&mv| self.san(mv).to_string()).collect::<Vec<_>>().join(" ")
    }
}

pub(super) fn read(text: &str) -> Option<(Square, Square, Option<Piece>)> {
    let mut letters = text.chars();
    let mut square = || Square::from_letters(letters.next()?, letters.next()?);
    let (from, to) = (square()?, square()?);
    let promotion = match letters.next() {
        None => None,
        Some(letter @ ('q' | 'r' | 'b' | 'n')) => Some(Piece::from_letter(letter)?),
        Some(_) => return None,
    };
    letters.next().is_none().then_some((from, to, promotion))
}
