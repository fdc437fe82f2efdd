//! Generation of legal moves, as sets of target squares.
//!
//! A board knows its pins and checkers, so that every set is legal from the start: the targets of a
//! piece are its attacks, restricted to the line of its pin and to the squares that answer a check.
//! Pawns move together, with one set for each direction. A [`Visitor`] receives the sets: one lists the
//! moves, one counts them, one finds out whether there is any, and one whether a given move is legal.

use super::attacks::{
    BETWEEN, BISHOP_LINES, FALLING, FILE_A, FILE_H, KING, KNIGHT, LAST_RANKS, LINE, RISING,
    ROOK_LINES,
};
use super::board::{Board, NO_SQUARE};
use super::castling::WAYS;
use super::instructions::Instructions;
use super::moves::{CASTLING, DOUBLE_STEP, EN_PASSANT, Move, Moves, PLAIN, PROMOTION};
use super::piece::Piece;
use super::side::Side;

/// Receives the sets of moves.
pub(super) trait Visitor {
    /// A piece other than a pawn, and its target squares.
    fn piece(&mut self, from: usize, targets: u64);
    /// The target squares of pawns that all move by `step` squares. On the last rank they are
    /// promoted.
    fn pawns(&mut self, step: usize, targets: u64);
    /// The target squares of pawns that move by two steps of `step` squares.
    fn double_steps(&mut self, step: usize, targets: u64);
    /// One move of a special kind.
    fn special(&mut self, from: usize, to: usize, kind: u16);
    /// Whether the visitor has seen enough.
    #[inline(always)]
    fn is_done(&self) -> bool {
        false
    }
}

/// Adds the moves to a list.
pub(super) struct Lister<'a>(pub(super) &'a mut Moves);

impl Lister<'_> {
    #[inline(always)]
    fn add(&mut self, from: usize, to: usize, kind: u16) {
        // The list can only be full if the caller's list was not empty, since no position has this many
        // moves: dropping a move is then better than a panic.
        let _ = self.0.try_push(Move::pack(from, to, kind));
    }
}

impl Visitor for Lister<'_> {
    #[inline(always)]
    fn piece(&mut self, from: usize, mut targets: u64) {
        while targets != 0 {
            self.add(from, targets.trailing_zeros() as usize, PLAIN);
            targets &= targets - 1;
        }
    }

    #[inline(always)]
    fn pawns(&mut self, step: usize, targets: u64) {
        let mut promotions = targets & LAST_RANKS;
        while promotions != 0 {
            let to = promotions.trailing_zeros() as usize;
            for piece in Piece::PROMOTIONS {
                self.add(to.wrapping_sub(step), to, PROMOTION + piece.index() as u16);
            }
            promotions &= promotions - 1;
        }
        let mut plain = targets & !LAST_RANKS;
        while plain != 0 {
            let to = plain.trailing_zeros() as usize;
            self.add(to.wrapping_sub(step), to, PLAIN);
            plain &= plain - 1;
        }
    }

    #[inline(always)]
    fn double_steps(&mut self, step: usize, mut targets: u64) {
        while targets != 0 {
            let to = targets.trailing_zeros() as usize;
            self.add(to.wrapping_sub(2 * step), to, DOUBLE_STEP);
            targets &= targets - 1;
        }
    }

    #[inline(always)]
    fn special(&mut self, from: usize, to: usize, kind: u16) {
        self.add(from, to, kind);
    }
}

/// Counts the moves.
pub(super) struct Counter(pub(super) u32);

impl Visitor for Counter {
    #[inline(always)]
    fn piece(&mut self, _: usize, targets: u64) {
        self.0 += targets.count_ones();
    }

    #[inline(always)]
    fn pawns(&mut self, _: usize, targets: u64) {
        self.0 += targets.count_ones();
        // Each promotion is four moves; few positions have one.
        if targets & LAST_RANKS != 0 {
            self.0 += 3 * (targets & LAST_RANKS).count_ones();
        }
    }

    #[inline(always)]
    fn double_steps(&mut self, _: usize, targets: u64) {
        self.0 += targets.count_ones();
    }

    #[inline(always)]
    fn special(&mut self, _: usize, _: usize, _: u16) {
        self.0 += 1;
    }
}

/// Finds out whether there is any move.
pub(super) struct Finder(pub(super) bool);

impl Visitor for Finder {
    #[inline(always)]
    fn piece(&mut self, _: usize, targets: u64) {
        self.0 |= targets != 0;
    }

    #[inline(always)]
    fn pawns(&mut self, _: usize, targets: u64) {
        self.0 |= targets != 0;
    }

    #[inline(always)]
    fn double_steps(&mut self, _: usize, targets: u64) {
        self.0 |= targets != 0;
    }

    #[inline(always)]
    fn special(&mut self, _: usize, _: usize, _: u16) {
        self.0 = true;
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        self.0
    }
}

/// Finds out whether one move is among the legal ones.
pub(super) struct Seeker {
    from: usize,
    to: usize,
    kind: u16,
    pub(super) found: bool,
}

impl Seeker {
    #[inline(always)]
    pub(super) fn new(mv: Move) -> Self {
        Self { from: mv.from().index(), to: mv.to().index(), kind: mv.number(), found: false }
    }
}

impl Visitor for Seeker {
    #[inline(always)]
    fn piece(&mut self, from: usize, targets: u64) {
        self.found |= from == self.from && self.kind == PLAIN && targets >> self.to & 1 != 0;
    }

    #[inline(always)]
    fn pawns(&mut self, step: usize, targets: u64) {
        let promotes = LAST_RANKS >> self.to & 1 != 0;
        let kind = match self.kind {
            PLAIN => !promotes,
            5..=8 => promotes,
            _ => false,
        };
        // Black's steps lead to lower squares: they are taken modulo 64.
        let steps = self.to.wrapping_sub(step) & 63 == self.from;
        self.found |= kind && targets >> self.to & 1 != 0 && steps;
    }

    #[inline(always)]
    fn double_steps(&mut self, step: usize, targets: u64) {
        let steps = self.to.wrapping_sub(step.wrapping_mul(2)) & 63 == self.from;
        self.found |= self.kind == DOUBLE_STEP && targets >> self.to & 1 != 0 && steps;
    }

    #[inline(always)]
    fn special(&mut self, from: usize, to: usize, kind: u16) {
        self.found |= (from, to, kind) == (self.from, self.to, self.kind);
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        self.found
    }
}

/// The number of legal moves.
#[inline(always)]
pub(super) fn count<I: Instructions>(i: I, board: &Board) -> u64 {
    let mut counter = Counter(0);
    generate::<I, _, false>(i, board, &mut counter);
    u64::from(counter.0)
}

/// Passes every legal move to the visitor; if `NOISY`, only captures and promotions.
#[inline(always)]
pub(super) fn generate<I: Instructions, V: Visitor, const NOISY: bool>(
    i: I,
    board: &Board,
    visitor: &mut V,
) {
    let us = board.sides[board.side.index()];
    let them = board.sides[board.side.other().index()];
    let king = board.king_index(board.side);
    let wanted = if NOISY { them } else { !us };

    if board.checkers != 0 {
        // A double check can only be answered by a move of the king.
        if board.checkers & (board.checkers - 1) == 0 {
            let checker = board.checkers.trailing_zeros() as usize & 63;
            let answers = BETWEEN[king][checker] | board.checkers;
            pieces(i, board, king, wanted & answers, visitor);
            if visitor.is_done() {
                return;
            }
            pawns::<I, V, NOISY>(i, board, king, answers, visitor);
        }
    } else {
        pieces(i, board, king, wanted, visitor);
        if visitor.is_done() {
            return;
        }
        pawns::<I, V, NOISY>(i, board, king, u64::MAX, visitor);
        if !NOISY && board.castling != 0 {
            castlings(i, board, visitor);
        }
    }
    king_steps(i, board, king, wanted, visitor);
}

/// Knights, bishops, rooks and queens.
#[inline(always)]
fn pieces<I: Instructions>(
    i: I,
    board: &Board,
    king: usize,
    targets: u64,
    visitor: &mut impl Visitor,
) {
    let [_, knights, bishops, rooks, queens, _] = board.pieces;
    let us = board.sides[board.side.index()];
    let occupied = us | board.sides[board.side.other().index()];
    let free = us & !board.pinned;

    // A pinned knight can never move along the line of its pin.
    let mut from = knights & free;
    while from != 0 {
        let square = from.trailing_zeros() as usize & 63;
        visitor.piece(square, KNIGHT[square] & targets);
        from &= from - 1;
    }
    let mut from = bishops & free;
    while from != 0 {
        let square = from.trailing_zeros() as usize & 63;
        visitor.piece(square, i.bishop(square, occupied) & targets);
        from &= from - 1;
    }
    let mut from = rooks & free;
    while from != 0 {
        let square = from.trailing_zeros() as usize & 63;
        visitor.piece(square, i.rook(square, occupied) & targets);
        from &= from - 1;
    }
    let mut from = queens & free;
    while from != 0 {
        let square = from.trailing_zeros() as usize & 63;
        let attacks = i.bishop(square, occupied) | i.rook(square, occupied);
        visitor.piece(square, attacks & targets);
        from &= from - 1;
    }
    let mut from = (bishops | rooks | queens) & board.pinned;
    while from != 0 {
        let square = from.trailing_zeros() as usize & 63;
        let bit = 1u64 << square;
        let line = LINE[king][square];
        let mut attacks = 0;
        if (bishops | queens) & bit != 0 {
            attacks |= i.bishop(square, occupied);
        }
        if (rooks | queens) & bit != 0 {
            attacks |= i.rook(square, occupied);
        }
        visitor.piece(square, attacks & line & targets);
        from &= from - 1;
    }
}

/// All pawns together. A step forward is a rotation by a number that depends on the side: no pawn is
/// on the first or the last rank, so that nothing wraps around.
#[inline(always)]
fn pawns<I: Instructions, V: Visitor, const NOISY: bool>(
    i: I,
    board: &Board,
    king: usize,
    answers: u64,
    visitor: &mut V,
) {
    let us = board.sides[board.side.index()];
    let them = board.sides[board.side.other().index()];
    let empty = !(us | them);
    let ours = board.pieces[Piece::Pawn.index()] & us;
    let free = ours & !board.pinned;
    let pinned = ours & board.pinned;
    // The steps modulo 64, the diagonals of the captures through the king, and the rank from which a
    // pawn may make its second step.
    let (forward, west, east, west_line, east_line, third) = match board.side {
        Side::White => (8, 7, 9, FALLING[king], RISING[king], 0xffu64 << 16),
        Side::Black => (56, 55, 57, RISING[king], FALLING[king], 0xffu64 << 40),
    };

    let file = FILE_A << (king & 7);
    let single = (free | pinned & file).rotate_left(forward as u32) & empty;
    if NOISY {
        visitor.pawns(forward, single & answers & LAST_RANKS);
    } else {
        let double = (single & third).rotate_left(forward as u32) & empty;
        visitor.pawns(forward, single & answers);
        visitor.double_steps(forward, double & answers);
    }
    let targets = them & answers;
    let movers = (free | pinned & west_line) & !FILE_A;
    visitor.pawns(west, movers.rotate_left(west as u32) & targets);
    let movers = (free | pinned & east_line) & !FILE_H;
    visitor.pawns(east, movers.rotate_left(east as u32) & targets);

    if board.en_passant != NO_SQUARE {
        let square = board.en_passant as usize & 63;
        let mut from = board.capturers_en_passant(square);
        while from != 0 {
            let pawn = from.trailing_zeros() as usize;
            if board.en_passant_is_legal(i, pawn, square) {
                visitor.special(pawn, square, EN_PASSANT);
            }
            from &= from - 1;
        }
    }
}

/// The king's moves to squares that the opponent does not attack.
#[inline(always)]
fn king_steps<I: Instructions>(
    i: I,
    board: &Board,
    king: usize,
    wanted: u64,
    visitor: &mut impl Visitor,
) {
    let [pawns, knights, bishops, rooks, queens, kings] = board.pieces;
    let them = board.sides[board.side.other().index()];
    let mut steps = KING[king] & wanted;
    if steps == 0 {
        return;
    }
    // Pawns, king and knights first, which are cheap,
    let theirs = pawns & them;
    let (west, east) = match board.side {
        Side::White => (55, 57),
        Side::Black => (7, 9),
    };
    steps &= !((theirs & !FILE_A).rotate_left(west) | (theirs & !FILE_H).rotate_left(east));
    steps &= !KING[(kings & them).trailing_zeros() as usize & 63];
    let mut from = knights & them;
    while from != 0 {
        steps &= !KNIGHT[from.trailing_zeros() as usize & 63];
        from &= from - 1;
    }
    // then sliders, which attack through the square that the king leaves.
    let occupied = (board.sides[0] | board.sides[1]) ^ 1 << king;
    let straight = (rooks | queens) & them;
    let diagonal = (bishops | queens) & them;
    let mut unsure = steps;
    while unsure != 0 {
        let square = unsure.trailing_zeros() as usize & 63;
        let bit = unsure & unsure.wrapping_neg();
        if ROOK_LINES[square] & straight != 0 && i.rook(square, occupied) & straight != 0
            || BISHOP_LINES[square] & diagonal != 0 && i.bishop(square, occupied) & diagonal != 0
        {
            steps ^= bit;
        }
        unsure ^= bit;
    }
    visitor.piece(king, steps);
}

/// Castling, if not in check: the squares between are empty, and no square that the king passes or
/// reaches is attacked.
#[inline(always)]
fn castlings<I: Instructions>(i: I, board: &Board, visitor: &mut impl Visitor) {
    let occupied = board.sides[0] | board.sides[1];
    let them = board.sides[board.side.other().index()];
    let first = board.side.index() * 2;
    for way in &WAYS[first..first + 2] {
        let free = board.castling & way.right.bits() != 0 && way.empty & occupied == 0;
        if free {
            let (from, to) = way.king;
            let safe = |square| board.attackers_with(i, square, occupied) & them == 0;
            if safe(way.rook.1) && safe(to) {
                visitor.special(from, to, CASTLING);
            }
        }
    }
}
