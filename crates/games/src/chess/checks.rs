//! Moves that give check: a test for one move before it is played, and a generator of quiet checks,
//! which quiescence tries in play besides captures.
//!
//! The generator leaves out discovered checks, where a piece moves out of another one's line: they
//! are rare, and the search above quiescence sees them.

use super::attacks::{BETWEEN, BISHOP_LINES, KNIGHT, LAST_RANKS, PAWN, ROOK_LINES};
use super::board::Board;
use super::generate::{self, Visitor};
use super::instructions::Instructions;
use super::moves::{DOUBLE_STEP, Move, Moves, PLAIN};

impl Board {
    /// Whether a legal move gives check: faster than playing it.
    #[must_use]
    #[inline]
    pub fn gives_check(&self, mv: Move) -> bool {
        if !matches!(mv.number(), PLAIN | DOUBLE_STEP) {
            return self.play(mv).in_check();
        }
        let (from, to) = (mv.from().index(), mv.to().index());
        let other = self.side.other();
        let king = self.king_index(other);
        let occupied = self.sides[0] | self.sides[1];
        let [_, _, bishops, rooks, queens, _] = self.pieces;
        let (left, reached) = (1 << from, 1 << to);
        let lines = BISHOP_LINES[king] | ROOK_LINES[king];
        let reaches = match self.piece_index(from) {
            0 => PAWN[other.index()][king],
            1 => KNIGHT[king],
            2 => BISHOP_LINES[king],
            3 => ROOK_LINES[king],
            4 => lines,
            _ => 0,
        };
        // A direct check. There is nothing between a pawn or a knight and a king that it attacks.
        if reaches & reached != 0 && BETWEEN[king][to] & occupied & !left == 0 {
            return true;
        }
        // A discovered check: the piece leaves the line of another one.
        if lines & left == 0 {
            return false;
        }
        let sliders = ROOK_LINES[king] & (rooks | queens) | BISHOP_LINES[king] & (bishops | queens);
        let mut snipers = sliders & self.sides[self.side.index()] & !left;
        while snipers != 0 {
            let way = BETWEEN[king][snipers.trailing_zeros() as usize];
            if way & occupied == left && way & reached == 0 {
                return true;
            }
            snipers &= snipers - 1;
        }
        false
    }
}

/// Lists those of the generated moves that give check directly.
struct Checks<'a> {
    board: &'a Board,
    /// For each kind of piece, the empty squares from which it attacks the opponent's king.
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

/// Adds the quiet moves that give check directly to a list.
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
    fn a_move_gives_check_if_the_other_side_is_in_check_then() {
        let mut kinds = [0; 3];
        for board in positions(300) {
            for mv in board.moves() {
                let next = board.play(mv);
                assert_eq!(board.gives_check(mv), next.in_check(), "{board} {mv}");
                let direct = next.checkers().contains(mv.to());
                kinds[usize::from(next.in_check()) + usize::from(next.in_check() && !direct)] += 1;
            }
        }
        assert!(kinds.iter().all(|&count| count > 20), "{kinds:?}");
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
