//! Quiet moves that give check at once: what quiescence in play looks at beside captures.
//!
//! Checks by a piece that moves out of another one's way are left out: they are rare, and the search
//! above sees them.

use super::attacks::{KNIGHT, LAST_RANKS, PAWN};
use super::board::Board;
use super::generate::{self, Visitor};
use super::instructions::Instructions;
use super::moves::{DOUBLE_STEP, Move, Moves, PLAIN};

/// Lists those of the moves that it is shown.
struct Checks<'a> {
    board: &'a Board,
    /// For each kind of piece the free squares from which it attacks the other king.
    from: [u64; 6],
    moves: &'a mut Moves,
}

impl Checks<'_> {
    #[inline(always)]
    fn add(&mut self, mut targets: u64, from: impl Fn(usize) -> usize, kind: u16) {
        while targets != 0 {
            let to = targets.trailing_zeros() as usize;
            let _ = self.moves.try_push(Move::pack(from(to), to, kind));
            targets &= targets - 1;
        }
    }
}

impl Visitor for Checks<'_> {
    #[inline(always)]
    fn piece(&mut self, from: usize, targets: u64) {
        let piece = self.board.piece_index(from);
        self.add(targets & self.from[piece], |_| from, PLAIN);
    }

    #[inline(always)]
    fn pawns(&mut self, step: usize, targets: u64) {
        let targets = targets & self.from[0] & !LAST_RANKS;
        self.add(targets, |to| to.wrapping_sub(step), PLAIN);
    }

    #[inline(always)]
    fn double_steps(&mut self, step: usize, targets: u64) {
        self.add(targets & self.from[0], |to| to.wrapping_sub(2 * step), DOUBLE_STEP);
    }

    #[inline(always)]
    fn special(&mut self, _: usize, _: usize, _: u16) {}
}

/// Adds the checks to a list.
#[inline(always)]
pub(super) fn add_checks<I: Instructions>(i: I, board: &Board, moves: &mut Moves) {
    let other = board.side.other();
    let king = board.king_index(other);
    let occupied = board.sides[0] | board.sides[1];
    let (rook, bishop) = (i.rook(king, occupied), i.bishop(king, occupied));
    let from = [PAWN[other.index()][king], KNIGHT[king], bishop, rook, bishop | rook, 0];
    let from = from.map(|squares| squares & !occupied);
    generate::generate::<I, _, false>(i, board, &mut Checks { board, from, moves });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::instructions::{Task, dispatch};
    use crate::chess::testing::positions;

    struct Add<'a>(&'a Board, &'a mut Moves);

    impl Task for Add<'_> {
        type Output = ();
        #[inline(always)]
        fn run<I: Instructions>(self, i: I) {
            add_checks(i, self.0, self.1);
        }
    }

    #[test]
    fn they_are_the_quiet_moves_whose_piece_gives_check() {
        let mut sum = 0;
        for board in positions(60) {
            let mut found = Moves::new();
            dispatch(Add(&board, &mut found));
            sum += found.len();
            for mv in board.moves() {
                let next = board.play(mv);
                let direct = next.checkers().contains(mv.to()) && board.taken(mv) == 0;
                assert_eq!(found.contains(&mv), direct, "{board} {mv}");
            }
        }
        assert!(sum > 200, "{sum}");
    }
}
