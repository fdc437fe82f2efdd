//! The positions of a game so far, and the draws that end it.
//!
//! Repetition depends on how a position was reached, so it is not part of a [`Board`]'s key. In
//! experiments it does not count, since a game tree must not depend on the path to its root.

use super::board::{Board, Status};

/// The reason why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Draw {
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Neither side can mate, not even with the other's help.
    InsufficientMaterial,
    /// The same position has occurred for the third time.
    Repetition,
    /// Both sides have made fifty moves without a capture or a pawn move.
    FiftyMoves,
}

/// The keys of the positions of a game, from the first to the last.
///
/// ```
/// use plyground_games::chess::{Board, Draw, History};
///
/// let mut board = Board::start();
/// let mut history = History::new();
/// history.push(&board);
/// for text in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
///     board = board.play(board.uci_move(text)?);
///     history.push(&board);
/// }
/// assert_eq!(history.draw(&board), Some(Draw::Repetition));
/// # Ok::<(), plyground_games::chess::TextError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct History {
    keys: Vec<u64>,
}

impl History {
    /// A history without positions.
    #[must_use]
    pub const fn new() -> Self {
        Self { keys: Vec::new() }
    }

    /// Adds the position that was reached.
    pub fn push(&mut self, board: &Board) {
        self.keys.push(board.key());
    }

    /// Removes the last position.
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// How often this position has occurred since the last capture or pawn move. The position itself
    /// counts if it has been [pushed](History::push).
    #[must_use]
    pub fn occurrences(&self, board: &Board) -> usize {
        let reach = usize::from(board.half_moves()) + 1;
        self.keys.iter().rev().take(reach).filter(|&&key| key == board.key()).count()
    }

    /// Why the game is drawn in its last position, which must have been pushed; `None` if it is not
    /// drawn.
    ///
    /// A mate with the last of the fifty moves is a mate, not a draw.
    #[must_use]
    pub fn draw(&self, board: &Board) -> Option<Draw> {
        match board.status() {
            Status::Checkmate => return None,
            Status::Stalemate => return Some(Draw::Stalemate),
            Status::Ongoing => {}
        }
        if board.insufficient_material() {
            Some(Draw::InsufficientMaterial)
        } else if self.occurrences(board) >= 3 {
            Some(Draw::Repetition)
        } else if board.fifty_moves() {
            Some(Draw::FiftyMoves)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knights_to_and_fro() {
        let mut board = Board::start();
        let mut history = History::new();
        history.push(&board);
        for (ply, mv) in ["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle().take(8).enumerate() {
            assert_eq!(history.draw(&board), None, "after {ply} plies");
            board = board.play(board.uci_move(mv).unwrap());
            history.push(&board);
        }
        assert_eq!(history.draw(&board), Some(Draw::Repetition));
        history.pop();
        assert_eq!(history.occurrences(&board), 2);
        assert!(board.same_position(&Board::start()));
        assert_ne!(board, Board::start());
    }

    #[test]
    fn other_draws() {
        for (fen, draw) in [
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(Draw::Stalemate)),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 90", None),
            ("7k/8/6K1/8/8/8/8/8 b - - 0 1", Some(Draw::InsufficientMaterial)),
            ("7k/8/6K1/8/8/8/8/5N2 b - - 0 1", Some(Draw::InsufficientMaterial)),
            ("7k/8/6K1/8/8/8/8/5NN1 b - - 0 1", None),
            ("7k/8/6K1/8/8/8/8/B1B1b3 b - - 0 1", Some(Draw::InsufficientMaterial)),
            ("7k/8/6K1/8/8/8/8/1BB5 b - - 0 1", None),
            ("7k/8/6K1/8/8/8/8/5R2 b - - 99 90", None),
            ("7k/8/6K1/8/8/8/8/5R2 b - - 100 90", Some(Draw::FiftyMoves)),
        ] {
            let board = Board::from_fen(fen).unwrap();
            assert_eq!(History::new().draw(&board), draw, "{fen}");
        }
    }
}
