//! A board with its piece-square sum, which is updated with every move.

use super::board::Board;
use super::castling::WAYS;
use super::evaluate::Score;
use super::instructions::{Instructions, Task, dispatch};
use super::moves::{CASTLING, EN_PASSANT, Move, PROMOTION};
use super::piece::Piece;
use super::side::Side;
use crate::grid::Square;

/// A node of a search: the board and its piece-square sum, that is what White's pieces are worth on
/// their squares minus what Black's are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    pub(super) board: Board,
    pub(super) placed: Score,
}

/// Piece-square tables: what a piece is worth on a square, positive for White.
pub trait Placement: Sync {
    /// The value of one piece; Black's pieces have negative values.
    fn placed(&self, side: Side, piece: Piece, square: Square) -> Score;
}

impl Node {
    /// A node for a board, with the sum computed from the board alone.
    #[must_use]
    pub fn new(board: Board, placement: &impl Placement) -> Self {
        let mut placed = Score::ZERO;
        for side in Side::ALL {
            for piece in Piece::ALL {
                for square in board.pieces_of(side, piece) {
                    placed += placement.placed(side, piece, square);
                }
            }
        }
        Self { board, placed }
    }

    /// The board.
    #[must_use]
    #[inline(always)]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The piece-square sum.
    #[must_use]
    #[inline(always)]
    pub const fn placed(&self) -> Score {
        self.placed
    }

    /// The node after a legal move.
    #[must_use]
    #[inline]
    pub fn play(&self, placement: &impl Placement, mv: Move) -> Self {
        dispatch(Play(self, placement, mv))
    }

    #[inline(always)]
    pub(super) fn play_with<I: Instructions>(
        &self,
        i: I,
        placement: &impl Placement,
        mv: Move,
    ) -> Self {
        Self { board: self.board.play_with(i, mv), placed: self.placed + self.gain(placement, mv) }
    }

    /// The difference that a move makes to the sum.
    #[inline(always)]
    fn gain(&self, placement: &impl Placement, mv: Move) -> Score {
        let board = &self.board;
        let (us, them) = (board.side, board.side.other());
        let (from, to, kind) = (mv.from(), mv.to(), mv.number());
        let piece = Piece::ALL[board.piece_index(from.index())];
        let mut gain = placement.placed(us, piece, to) - placement.placed(us, piece, from);
        if board.sides[them.index()] >> to.index() & 1 != 0 {
            gain -= placement.placed(them, Piece::ALL[board.piece_index(to.index())], to);
        }
        match kind {
            CASTLING => {
                let way = &WAYS[us.index() * 2 + usize::from(to < from)];
                let rook = |square| placement.placed(us, Piece::Rook, Square::wrapping(square));
                gain += rook(way.rook.1) - rook(way.rook.0);
            }
            EN_PASSANT => {
                let square = Square::wrapping(to.index() ^ 8);
                gain -= placement.placed(them, Piece::Pawn, square);
            }
            PROMOTION.. => {
                let piece = Piece::ALL[(kind.wrapping_sub(PROMOTION) as usize).min(4)];
                gain += placement.placed(us, piece, to) - placement.placed(us, Piece::Pawn, to);
            }
            _ => {}
        }
        gain
    }
}

struct Play<'a, P>(&'a Node, &'a P, Move);

impl<P: Placement> Task for Play<'_, P> {
    type Output = Node;
    #[inline(always)]
    fn run<I: Instructions>(self, i: I) -> Node {
        self.0.play_with(i, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::evaluate::Evaluator;
    use crate::chess::testing::positions;

    #[test]
    fn the_sum_that_is_kept_is_the_sum() {
        let evaluator = Evaluator::default();
        let mut special = [0; 9];
        for board in positions(40) {
            let node = Node::new(board, &evaluator);
            for mv in board.moves() {
                let next = node.play(&evaluator, mv);
                assert_eq!(next, Node::new(board.play(mv), &evaluator), "{board} {mv}");
                special[mv.number() as usize] += 1;
            }
        }
        assert!([0, 1, 2, 3, 5, 6, 7, 8].into_iter().all(|kind| special[kind] > 20), "{special:?}");
    }
}
