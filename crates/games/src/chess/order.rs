//! Move ordering without search.
//!
//! Captures and promotions that do not lose material come first, ordered by the most valuable victim
//! and the least valuable attacker (MVV-LVA); then quiet moves, ordered by what their piece gains in
//! the piece-square tables; captures that lose material come last.

use arrayvec::ArrayVec;

use super::attacks::{FILE_A, FILE_H};
use super::board::Board;
use super::generate::{self, Lister};
use super::instructions::{Instructions, Task};
use super::moves::{CASTLING, MAX_MOVES, Move, Moves, PROMOTION};
use super::node::{Node, Placement};
use super::piece::Piece;
use super::see::PIECE_VALUES;
use super::side::Side;
use plyground_core::tree::MoveList;
use plyground_core::value::Value;

/// The moves of a node, ordered so that likely good ones come first: captures and promotions that do
/// not lose material, quiet moves, then captures that lose material.
#[derive(Clone, Debug, Default)]
pub struct Ordered {
    pub(super) moves: Moves,
    pub(super) leading: usize,
}

impl MoveList for Ordered {
    type Move = Move;

    #[inline]
    fn len(&self) -> usize {
        self.moves.len()
    }

    #[inline]
    fn at(&self, index: usize) -> Move {
        self.moves[index]
    }

    /// The number of captures and promotions that do not lose material.
    #[inline]
    fn leading(&self) -> usize {
        self.leading
    }
}

/// The base priorities of the three kinds of moves, far enough apart not to overlap.
const LOSING: Value = 2_000;
const QUIET: Value = 20_000;
const WINNING: Value = 40_000;

/// What castling adds: it moves a rook too, and brings the king to safety.
const CASTLED: Value = 40;

/// Fills a list with a node's moves in order.
pub(super) struct Order<'a, P>(pub(super) &'a Node, pub(super) &'a P, pub(super) &'a mut Ordered);

impl<P: Placement> Task for Order<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<I: Instructions>(self, i: I) {
        let Self(node, placement, ordered) = self;
        let board = &node.board;
        let moves = &mut ordered.moves;
        generate::generate::<I, _, false>(i, board, &mut Lister(moves));

        let side = board.side;
        let them = board.sides[side.other().index()];
        let pawns = board.pieces[Piece::Pawn.index()] & them;
        // The squares that the opponent's pawns attack: bad squares for a piece.
        let (west, east) = ((pawns & !FILE_A) >> 1, (pawns & !FILE_H) << 1);
        let attacked = match side {
            Side::White => (west | east) >> 8,
            Side::Black => (west | east) << 8,
        };
        let queen = PROMOTION + Piece::Queen.index() as u16;
        let mut keys: ArrayVec<u32, MAX_MOVES> = ArrayVec::new();
        let mut leading = 0;
        for &mv in moves.iter() {
            let (from, to, kind) = (mv.from(), mv.to(), mv.number());
            let piece = board.piece_index(from.index());
            let taken = board.taken(mv);
            let priority = if taken > 0 {
                let loses = kind > PROMOTION && kind != queen
                    || Board::can_lose(piece, mv, taken) && !board.see_with(i, mv, 0);
                if loses {
                    LOSING + taken - PIECE_VALUES[piece]
                } else {
                    leading += 1;
                    WINNING + taken * 8 + 5 - piece as Value
                }
            } else {
                let kinds = Piece::ALL[piece];
                let gain = placement.placed(side, kinds, to) - placement.placed(side, kinds, from);
                let gain = gain.middle() + gain.end();
                let gain = if side == Side::White { gain } else { -gain };
                let mut priority = QUIET + gain.clamp(-4_000, 4_000);
                if piece != Piece::Pawn.index() {
                    let bits = (attacked >> from.index() & 1) as Value
                        - (attacked >> to.index() & 1) as Value;
                    priority += bits * PIECE_VALUES[piece];
                }
                if kind == CASTLING {
                    priority += CASTLED;
                }
                priority
            };
            keys.push((priority as u32) << 16 | u32::from(mv.code()));
        }
        keys.sort_unstable_by(|a, b| b.cmp(a));
        for (mv, &key) in moves.iter_mut().zip(&keys) {
            *mv = Move::from_code(key as u16);
        }
        ordered.leading = leading;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::evaluate::Evaluator;
    use crate::chess::instructions::dispatch;
    use crate::chess::testing::positions;

    #[test]
    fn all_moves_once_and_the_winning_ones_first() {
        let evaluator = Evaluator::default();
        for board in positions(30) {
            let mut ordered = Ordered::default();
            dispatch(Order(&Node::new(board, &evaluator), &evaluator, &mut ordered));
            let mut listed: Vec<Move> = ordered.moves.iter().copied().collect();
            let mut legal: Vec<Move> = board.moves().into_iter().collect();
            let good = |mv: &Move| board.taken(*mv) > 0 && board.see_at_least(*mv, 0);
            let (front, rest) = listed.split_at(ordered.leading());
            assert!(front.iter().all(good), "{board}: {front:?}");
            assert!(rest.iter().all(|mv| !good(mv) || mv.promotion().is_some()), "{board}");
            listed.sort();
            legal.sort();
            assert_eq!(listed, legal);
        }
    }
}
