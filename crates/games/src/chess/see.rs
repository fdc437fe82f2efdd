//! Static exchange evaluation (SEE): what a move wins or loses if both sides go on capturing on its
//! target square.
//!
//! Each side captures with its least valuable piece and may stop at any time; pieces behind a
//! capturing piece join in. A king captures only if it cannot be taken there. The mover's pieces that
//! are pinned before the move take no part unless the square is on the line of their pin; pins of the
//! other side are ignored.

use super::attacks::LINE;
use super::board::Board;
use super::instructions::{Instructions, Task, dispatch};
use super::moves::{CASTLING, EN_PASSANT, Move, PROMOTION};
use super::piece::Piece;
use plyground_core::value::Value;

/// The values of the pieces in an exchange. The king's is 0: it is never taken.
pub(super) const PIECE_VALUES: [Value; 6] = [100, 320, 330, 500, 950, 0];

const PAWN: usize = Piece::Pawn.index();
const KNIGHT: usize = Piece::Knight.index();
const KING: usize = Piece::King.index();

impl Board {
    /// Static exchange evaluation: whether a legal move wins at least `threshold` hundredths of a pawn if
    /// both sides go on capturing on its target square as long as it pays.
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
        dispatch(SeeAtLeast(self, mv, threshold))
    }

    /// The value of the piece that a move captures, and of what a promotion gains.
    #[inline(always)]
    pub(super) fn taken(&self, mv: Move) -> Value {
        let to = mv.to().index();
        let captured = if self.sides[self.side.other().index()] >> to & 1 != 0 {
            PIECE_VALUES[self.piece_index(to)]
        } else {
            0
        };
        match mv.number() {
            EN_PASSANT => PIECE_VALUES[PAWN],
            PROMOTION.. => captured + PIECE_VALUES[promoted(mv)] - PIECE_VALUES[PAWN],
            _ => captured,
        }
    }

    /// Whether a capture by a piece can lose material: it cannot if the piece is worth no more than what
    /// it takes. A promotion risks the new piece, not a pawn.
    #[inline(always)]
    pub(super) fn can_lose(piece: usize, mv: Move, taken: Value) -> bool {
        taken < PIECE_VALUES[piece] || mv.number() > PROMOTION
    }

    #[inline(always)]
    pub(super) fn see_with<I: Instructions>(&self, i: I, mv: Move, threshold: Value) -> bool {
        let (from, to, kind) = (mv.from().index(), mv.to().index(), mv.number());
        if kind == CASTLING {
            return threshold <= 0;
        }
        // The surplus over the threshold: first if the exchange stopped now, then if the piece that
        // captured last were lost for nothing.
        let mut surplus = self.taken(mv) - threshold;
        if surplus < 0 {
            return false;
        }
        let standing = if kind > PROMOTION { promoted(mv) } else { self.piece_index(from) };
        surplus -= PIECE_VALUES[standing];
        if surplus >= 0 {
            return true;
        }

        let [_, _, bishops, rooks, queens, _] = self.pieces;
        let mut occupied = (self.sides[0] | self.sides[1]) & !(1 << from) | 1 << to;
        if kind == EN_PASSANT {
            occupied ^= 1 << (to ^ 8);
        }
        let pinned_away = self.pinned_away_from(to);
        let mut attackers = self.attackers_with(i, to, occupied);
        let mut side = self.side;
        loop {
            // `surplus` is negative: the side to capture now reaches its goal if it can capture.
            side = side.other();
            attackers &= occupied;
            let mut ours = attackers & self.sides[side.index()];
            if side == self.side {
                ours &= !pinned_away;
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
                // The king captures only if it cannot be taken.
                if attackers & occupied & self.sides[side.other().index()] == 0 {
                    side = side.other();
                }
                break;
            }
            surplus = -surplus - 1 - PIECE_VALUES[piece];
            if surplus >= 0 {
                // The side reaches its goal even if this piece is lost too.
                side = side.other();
                break;
            }
        }
        // `side` is the one that cannot go on.
        side != self.side
    }

    /// The mover's pieces that a pin keeps away from a square.
    #[inline(always)]
    fn pinned_away_from(&self, to: usize) -> u64 {
        let king = self.king_index(self.side);
        let mut pinned = self.pinned;
        let mut pinned_away = 0;
        while pinned != 0 {
            let square = pinned.trailing_zeros() as usize & 63;
            if LINE[king][square] >> to & 1 == 0 {
                pinned_away |= 1 << square;
            }
            pinned &= pinned - 1;
        }
        pinned_away
    }
}

/// The index of the piece that a pawn is promoted to.
#[inline(always)]
fn promoted(mv: Move) -> usize {
    (mv.number().wrapping_sub(PROMOTION) as usize).min(4)
}

struct SeeAtLeast<'a>(&'a Board, Move, Value);

impl Task for SeeAtLeast<'_> {
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

    /// The pieces by square, on boards that need not be legal.
    type Mailbox = [Option<(Side, Piece)>; 64];

    /// The pieces of a side that attack a square, tested one after the other.
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

    /// What `side` wins by capturing on a square; 0 if it had better not.
    fn swap(pieces: &Mailbox, to: usize, side: Side, pinned_away: Squares, mover: Side) -> Value {
        let free = |&(_, from): &(Piece, usize)| {
            side != mover || !pinned_away.contains(Square::new(from).unwrap())
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
        (PIECE_VALUES[victim.index()] - swap(&next, to, side.other(), pinned_away, mover)).max(0)
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
        let mut won = pieces[to].map_or(0, |(_, victim)| PIECE_VALUES[victim.index()]);
        pieces[to] = pieces[from].take();
        if mv.number() == EN_PASSANT {
            won = PIECE_VALUES[PAWN];
            pieces[to ^ 8] = None;
        }
        if let Some(piece) = mv.promotion() {
            won += PIECE_VALUES[piece.index()] - PIECE_VALUES[PAWN];
            pieces[to] = Some((board.side, piece));
        }
        let king = board.king(board.side).index();
        let pinned_away =
            board.pinned().filter(|square| LINE[king][square.index()] >> to & 1 == 0).collect();
        won - swap(&pieces, to, board.side.other(), pinned_away, board.side)
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
            // The king takes back only what is not defended.
            ("3k4/3p4/8/8/8/8/3R4/4K3 w - - 0 1", "d2d7", -400),
            ("3k4/3p4/8/8/8/3R4/3R4/4K3 w - - 0 1", "d3d7", 100),
        ] {
            let board = Board::from_fen(fen).unwrap();
            let mv = board.uci_move(mv).unwrap();
            assert!(board.see_at_least(mv, value) && !board.see_at_least(mv, value + 1), "{fen}");
        }
    }
}
