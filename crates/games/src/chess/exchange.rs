//! Static exchange: what a move wins or loses if both sides go on capturing on its square.
//!
//! Each side captures with its least valuable piece and may stop when it likes; pieces behind the
//! capturing ones join in. A king captures only where nothing can take it. The mover's pieces that
//! are pinned before the move take no part unless the square is on their line; the other side's pins
//! are not looked at.

use super::attacks::LINE;
use super::board::Board;
use super::instructions::{Instructions, Task, dispatch};
use super::moves::{CASTLING, EN_PASSANT, Move, PROMOTION};
use super::piece::Piece;
use plyground_core::value::Value;

/// What pieces are worth in an exchange, the king nothing: it cannot be taken.
pub(super) const WORTH: [Value; 6] = [100, 320, 330, 500, 950, 0];

const PAWN: usize = Piece::Pawn.index();
const KNIGHT: usize = Piece::Knight.index();
const KING: usize = Piece::King.index();

impl Board {
    /// Whether a legal move wins at least `threshold` hundredths of a pawn by the captures on its
    /// square, however the other side captures back.
    ///
    /// ```
    /// use plyground_games::chess::Board;
    ///
    /// // The pawn is defended by a pawn: the rook would be lost for it.
    /// let board = Board::from_fen("4k3/8/3p4/4p3/8/8/8/4RK2 w - - 0 1")?;
    /// let takes = board.uci_move("e1e5")?;
    /// assert!(board.see_at_least(takes, -400));
    /// assert!(!board.see_at_least(takes, -399));
    /// # Ok::<(), plyground_games::chess::TextError>(())
    /// ```
    #[must_use]
    pub fn see_at_least(&self, mv: Move, threshold: Value) -> bool {
        dispatch(AtLeast(self, mv, threshold))
    }

    /// What a move takes, and gains by a promotion.
    #[inline(always)]
    pub(super) fn taken(&self, mv: Move) -> Value {
        let to = mv.to().index();
        let captured = if self.sides[self.side.other().index()] >> to & 1 != 0 {
            WORTH[self.piece_index(to)]
        } else {
            0
        };
        match mv.number() {
            EN_PASSANT => WORTH[PAWN],
            PROMOTION.. => captured + WORTH[promoted(mv)] - WORTH[PAWN],
            _ => captured,
        }
    }

    /// Whether a capture by a piece could lose material at all: it cannot where the piece is worth
    /// no more than what it takes. A promotion puts more at risk than a pawn.
    #[inline(always)]
    pub(super) fn risks(piece: usize, mv: Move, taken: Value) -> bool {
        taken < WORTH[piece] || mv.number() > PROMOTION
    }

    #[inline(always)]
    pub(super) fn see_with<I: Instructions>(&self, i: I, mv: Move, threshold: Value) -> bool {
        let (from, to, kind) = (mv.from().index(), mv.to().index(), mv.number());
        if kind == CASTLING {
            return threshold <= 0;
        }
        // The surplus over the threshold if the exchange stopped now, and then if the piece that
        // has captured last were lost for nothing.
        let mut surplus = self.taken(mv) - threshold;
        if surplus < 0 {
            return false;
        }
        let standing = if kind > PROMOTION { promoted(mv) } else { self.piece_index(from) };
        surplus -= WORTH[standing];
        if surplus >= 0 {
            return true;
        }

        let [_, _, bishops, rooks, queens, _] = self.pieces;
        let mut occupied = (self.sides[0] | self.sides[1]) & !(1 << from) | 1 << to;
        if kind == EN_PASSANT {
            occupied ^= 1 << (to ^ 8);
        }
        let bound = self.bound(to);
        let mut attackers = self.attackers_with(i, to, occupied);
        let mut side = self.side;
        loop {
            // `surplus` is below zero: the side to capture now, if it can, is content.
            side = side.other();
            attackers &= occupied;
            let mut ours = attackers & self.sides[side.index()];
            if side == self.side {
                ours &= !bound;
            }
            if ours == 0 {
                break;
            }
            let piece = (0..KING).find(|&piece| ours & self.pieces[piece] != 0).unwrap_or(KING);
            let set = ours & self.pieces[piece];
            occupied ^= set & set.wrapping_neg();
            if piece != KNIGHT {
                attackers |= i.bishop(to, occupied) & (bishops | queens)
                    | i.rook(to, occupied) & (rooks | queens);
            }
            if piece == KING {
                // Not where it would be taken.
                if attackers & occupied & self.sides[side.other().index()] == 0 {
                    side = side.other();
                }
                break;
            }
            surplus = -surplus - 1 - WORTH[piece];
            if surplus >= 0 {
                // Content even if this piece is lost too.
                side = side.other();
                break;
            }
        }
        // `side` is the one that had to stop.
        side != self.side
    }

    /// The mover's pieces that a pin keeps from a square.
    #[inline(always)]
    fn bound(&self, to: usize) -> u64 {
        let king = self.king_index(self.side);
        let mut pinned = self.pinned;
        let mut bound = 0;
        while pinned != 0 {
            let square = pinned.trailing_zeros() as usize & 63;
            if LINE[king][square] >> to & 1 == 0 {
                bound |= 1 << square;
            }
            pinned &= pinned - 1;
        }
        bound
    }
}

/// The index of what a pawn becomes.
#[inline(always)]
fn promoted(mv: Move) -> usize {
    (mv.number().wrapping_sub(PROMOTION) as usize).min(4)
}

struct AtLeast<'a>(&'a Board, Move, Value);

impl Task for AtLeast<'_> {
    type Output = bool;
    #[inline(always)]
    fn run<I: Instructions>(self, i: I) -> bool {
        self.0.see_with(i, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::attacks::{BISHOP_STEPS, ROOK_STEPS, slide};
    use crate::chess::side::Side;
    use crate::chess::testing::positions;
    use crate::grid::{Square, Squares};

    /// The pieces by square: boards that need not be legal.
    type Mailbox = [Option<(Side, Piece)>; 64];

    /// Who of a side attacks a square, looked at one piece after the other.
    fn attackers(pieces: &Mailbox, to: usize, side: Side) -> Vec<(Piece, usize)> {
        let occupied = (0..64).filter(|&s| pieces[s].is_some()).fold(0, |set, s| set | 1 << s);
        let attacks = |piece, from: usize| match piece {
            Piece::Pawn => crate::chess::attacks::PAWN[side.index()][from],
            Piece::Knight => crate::chess::attacks::KNIGHT[from],
            Piece::Bishop => slide(from, occupied, &BISHOP_STEPS),
            Piece::Rook => slide(from, occupied, &ROOK_STEPS),
            Piece::Queen => {
                slide(from, occupied, &BISHOP_STEPS) | slide(from, occupied, &ROOK_STEPS)
            }
            Piece::King => crate::chess::attacks::KING[from],
        };
        let mut found: Vec<_> = (0..64)
            .filter_map(|from| match pieces[from] {
                Some((owner, piece)) if owner == side && attacks(piece, from) >> to & 1 != 0 => {
                    Some((piece, from))
                }
                _ => None,
            })
            .collect();
        found.sort();
        found
    }

    /// What `side` wins by capturing on a square, or nothing if it had better not.
    fn swap(pieces: &Mailbox, to: usize, side: Side, bound: Squares, mover: Side) -> Value {
        let free = |&(_, from): &(Piece, usize)| {
            side != mover || !bound.contains(Square::new(from).unwrap())
        };
        let Some((piece, from)) = attackers(pieces, to, side).into_iter().find(free) else {
            return 0;
        };
        let mut next = *pieces;
        let (_, victim) = next[to].unwrap();
        next[to] = next[from].take();
        if piece == Piece::King && !attackers(&next, to, side.other()).is_empty() {
            return 0;
        }
        (WORTH[victim.index()] - swap(&next, to, side.other(), bound, mover)).max(0)
    }

    fn slow(board: &Board, mv: Move) -> Value {
        let (from, to) = (mv.from().index(), mv.to().index());
        if mv.number() == CASTLING {
            return 0;
        }
        let mut pieces: Mailbox = std::array::from_fn(|index| {
            let square = Square::new(index).unwrap();
            Some((board.side_on(square)?, board.piece_on(square)?))
        });
        let mut won = pieces[to].map_or(0, |(_, victim)| WORTH[victim.index()]);
        pieces[to] = pieces[from].take();
        if mv.number() == EN_PASSANT {
            won = WORTH[PAWN];
            pieces[to ^ 8] = None;
        }
        if let Some(piece) = mv.promotion() {
            won += WORTH[piece.index()] - WORTH[PAWN];
            pieces[to] = Some((board.side, piece));
        }
        let king = board.king(board.side).index();
        let bound =
            board.pinned().filter(|square| LINE[king][square.index()] >> to & 1 == 0).collect();
        won - swap(&pieces, to, board.side.other(), bound, board.side)
    }

    #[test]
    fn equals_the_obvious_recursion() {
        let (mut captures, mut lost) = (0, 0);
        for board in positions(60) {
            for mv in board.moves() {
                let value = slow(&board, mv);
                for threshold in [-950, -100, 0, 1, 100, value, value + 1] {
                    let expected = value >= threshold;
                    let found = board.see_at_least(mv, threshold);
                    assert_eq!(found, expected, "{board} {mv} {threshold}: {value}");
                }
                captures += usize::from(board.taken(mv) > 0);
                lost += usize::from(value < 0);
            }
        }
        assert!(captures > 1_000 && lost > 1_000, "{captures} {lost}");
    }

    #[test]
    fn exchanges_that_can_be_checked_by_eye() {
        for (fen, mv, value) in [
            // A free pawn; a pawn that a pawn defends; a rook behind a rook.
            ("3k4/8/8/4p3/8/8/8/4RK2 w - - 0 1", "e1e5", 100),
            ("3k4/8/3p4/4p3/8/8/8/4RK2 w - - 0 1", "e1e5", -400),
            ("3k4/4r3/8/4p3/8/8/4R3/4RK2 w - - 0 1", "e2e5", 100),
            // En passant and promotions, taken and not.
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
            ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 850),
            ("8/Pk6/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -100),
            // The king takes back only what nobody defends.
            ("3k4/3p4/8/8/8/8/3R4/4K3 w - - 0 1", "d2d7", -400),
            ("3k4/3p4/8/8/8/3R4/3R4/4K3 w - - 0 1", "d3d7", 100),
        ] {
            let board = Board::from_fen(fen).unwrap();
            let mv = board.uci_move(mv).unwrap();
            assert!(board.see_at_least(mv, value) && !board.see_at_least(mv, value + 1), "{fen}");
        }
    }
}
