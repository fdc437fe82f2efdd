//! Staged move generation for play: whether the move of a hash table is legal, then the captures, then
//! the quiet moves. Most nodes cut off before the last stage, so no stage does the work of the next.

use arrayvec::ArrayVec;

use super::attacks::{FILE_A, FILE_H};
use super::board::Board;
use super::generate::{self, Lister, Seeker};
use super::instructions::{Instructions, Task};
use super::moves::{CASTLING, MAX_MOVES, Move, PROMOTION};
use super::node::{Node, Placement};
use super::order::Ordered;
use super::piece::Piece;
use super::see::PIECE_VALUES;
use super::side::Side;
use plyground_core::value::Value;

/// The distance between the priorities of losing captures and of the others.
const APART: Value = 20_000;

/// What castling adds: it moves a rook too, and brings the king to safety.
const CASTLED: Value = 60;

/// Finds out whether a move is legal.
pub(super) struct IsLegal<'a>(pub(super) &'a Board, pub(super) Move);

impl Task for IsLegal<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<I: Instructions>(self, i: I) -> bool {
        let mut seeker = Seeker::new(self.1);
        generate::generate::<I, _, false>(i, self.0, &mut seeker);
        seeker.found
    }
}

/// Fills a list with captures and promotions: those that do not lose material first, ordered by the
/// most valuable victim and the least valuable attacker (MVV-LVA).
pub(super) struct Noisy<'a>(pub(super) &'a Board, pub(super) &'a mut Ordered);

impl Task for Noisy<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Instructions>(self, i: I) {
        let Self(board, ordered) = self;
        let moves = &mut ordered.moves;
        generate::generate::<I, _, true>(i, board, &mut Lister(moves));
        let queen = PROMOTION + Piece::Queen.index() as u16;
        let mut keys: ArrayVec<u32, MAX_MOVES> = ArrayVec::new();
        for &mv in moves.iter() {
            let piece = board.piece_index(mv.from().index());
            let taken = board.taken(mv);
            let loses = mv.number() > PROMOTION && mv.number() != queen
                || Board::can_lose(piece, mv, taken) && !board.see_with(i, mv, 0);
            let priority = taken * 8 + 5 - piece as Value + if loses { 0 } else { APART };
            ordered.leading += usize::from(!loses);
            keys.push((priority as u32) << 16 | u32::from(mv.code()));
        }
        keys.sort_unstable_by(|a, b| b.cmp(a));
        for (mv, &key) in moves.iter_mut().zip(&keys) {
            *mv = Move::from_code(key as u16);
        }
    }
}

/// Fills a list with all other moves, in no particular order.
pub(super) struct Quiet<'a>(pub(super) &'a Board, pub(super) &'a mut Ordered);

impl Task for Quiet<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Instructions>(self, i: I) {
        let Self(board, ordered) = self;
        generate::generate::<I, _, false>(i, board, &mut Lister(&mut ordered.moves));
        ordered.moves.retain(|mv| board.taken(*mv) == 0);
    }
}

/// The priority of a quiet move: what its piece gains in the piece-square tables, and whether pawns
/// attack the square that it leaves or the one that it reaches.
#[inline]
pub(super) fn quiet_score(node: &Node, placement: &impl Placement, mv: Move) -> Value {
    let board = &node.board;
    let side = board.side;
    let (from, to) = (mv.from(), mv.to());
    let piece = Piece::ALL[board.piece_index(from.index())];
    let gain = placement.placed(side, piece, to) - placement.placed(side, piece, from);
    let gain = gain.middle() + gain.end();
    let mut priority = 4 * if side == Side::White { gain } else { -gain };
    if piece != Piece::Pawn {
        let pawns = board.pieces[Piece::Pawn.index()] & board.sides[side.other().index()];
        let (west, east) = ((pawns & !FILE_A) >> 1, (pawns & !FILE_H) << 1);
        let attacked = match side {
            Side::White => (west | east) >> 8,
            Side::Black => (west | east) << 8,
        };
        let bit = |index: usize| (attacked >> index & 1) as Value;
        priority += (bit(from.index()) - bit(to.index())) * PIECE_VALUES[piece.index()] * 4;
    }
    if mv.number() == CASTLING {
        priority += 4 * CASTLED;
    }
    priority.clamp(-4_000, 4_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::instructions::dispatch;
    use crate::chess::testing::positions;
    use plyground_core::tree::MoveList;

    #[test]
    fn the_stages_together_are_all_moves_once() {
        for board in positions(30) {
            let (mut noisy, mut quiet) = (Ordered::default(), Ordered::default());
            dispatch(Noisy(&board, &mut noisy));
            dispatch(Quiet(&board, &mut quiet));
            for place in 0..noisy.len() {
                let mv = noisy.at(place);
                let good = board.see_at_least(mv, 0);
                assert!(place >= noisy.leading() || good, "{board} {mv}");
                assert!(
                    place < noisy.leading() || !good || mv.promotion().is_some(),
                    "{board} {mv}"
                );
            }
            let mut staged: Vec<Move> = noisy.moves.iter().chain(&quiet.moves).copied().collect();
            let mut legal: Vec<Move> = board.moves().into_iter().collect();
            staged.sort();
            legal.sort();
            assert_eq!(staged, legal, "{board}");
        }
    }

    #[test]
    fn a_move_is_legal_if_it_is_listed() {
        for board in positions(6) {
            let legal = board.moves();
            for code in 0..=u16::MAX {
                let mv = Move::from_code(code);
                assert_eq!(dispatch(IsLegal(&board, mv)), legal.contains(&mv), "{board} {mv}");
            }
        }
    }
}
