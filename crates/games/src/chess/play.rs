//! Playing a move: the next board from this one.

use super::attacks::{KING, KNIGHT, PAWN};
use super::board::{Board, NO_SQUARE};
use super::castling::{KEEP, WAYS};
use super::instructions::Instructions;
use super::moves::{CASTLING, DOUBLE_STEP, EN_PASSANT, Move, PROMOTION};
use super::piece::Piece;
use super::side::Side;
use super::zobrist;

const PAWN_INDEX: usize = Piece::Pawn.index();
const ROOK_INDEX: usize = Piece::Rook.index();

impl Board {
    /// Puts a piece on a square or takes it off, in the sets and in the key.
    #[inline(always)]
    pub(super) fn toggle(&mut self, side: Side, piece: usize, square: usize) {
        let bit = 1 << (square & 63);
        self.pieces[piece] ^= bit;
        self.sides[side.index()] ^= bit;
        self.key ^= zobrist::PIECES[side.index()][piece][square & 63];
    }

    /// The board after a legal move.
    #[inline(always)]
    pub(super) fn play_with<I: Instructions>(&self, i: I, mv: Move) -> Self {
        let mut next = *self;
        let (us, them) = (self.side, self.side.other());
        let (from, to, kind) = (mv.from().index(), mv.to().index(), mv.number());
        let piece = self.piece_index(from);

        if self.en_passant != NO_SQUARE {
            next.key ^= zobrist::EN_PASSANT[self.en_passant as usize & 7];
            next.en_passant = NO_SQUARE;
        }
        next.half_moves = if piece == PAWN_INDEX { 0 } else { self.half_moves.saturating_add(1) };
        next.move_number = self.move_number.saturating_add(us as u16);

        if self.sides[them.index()] >> to & 1 != 0 {
            next.toggle(them, self.piece_index(to), to);
            next.half_moves = 0;
        }
        next.toggle(us, piece, from);
        next.toggle(us, piece, to);

        let castling = self.castling & KEEP[from] & KEEP[to];
        if castling != self.castling {
            next.key ^= zobrist::CASTLING[((castling ^ self.castling) & 15) as usize];
            next.castling = castling;
        }

        next.side = them;
        next.key ^= zobrist::BLACK;
        if kind != 0 {
            match kind {
                // Handled below: whether a capture is legal depends on the finished board.
                DOUBLE_STEP => {}
                CASTLING => {
                    let way = &WAYS[us.index() * 2 + usize::from(to < from)];
                    next.toggle(us, ROOK_INDEX, way.rook.0);
                    next.toggle(us, ROOK_INDEX, way.rook.1);
                }
                EN_PASSANT => next.toggle(them, PAWN_INDEX, to ^ 8),
                _ => {
                    next.toggle(us, PAWN_INDEX, to);
                    next.toggle(us, (kind.wrapping_sub(PROMOTION) as usize).min(4), to);
                }
            }
        }
        next.find_pins_and_checkers();
        if kind == DOUBLE_STEP {
            next.allow_en_passant(i, to ^ 8);
        }
        next
    }

    /// Notes that the pawn behind `square` has made two steps, if it can really be captured.
    #[inline(always)]
    pub(super) fn allow_en_passant<I: Instructions>(&mut self, i: I, square: usize) {
        let mut capturers = self.capturers_en_passant(square);
        while capturers != 0 {
            if self.en_passant_is_legal(i, capturers.trailing_zeros() as usize, square) {
                self.en_passant = square as u8;
                self.key ^= zobrist::EN_PASSANT[square & 7];
                return;
            }
            capturers &= capturers - 1;
        }
    }

    /// The side to move's pawns that stand beside a pawn which has passed `square`.
    #[inline(always)]
    pub(super) fn capturers_en_passant(&self, square: usize) -> u64 {
        PAWN[self.side.other().index()][square & 63]
            & self.pieces[PAWN_INDEX]
            & self.sides[self.side.index()]
    }

    /// Whether the side to move's king is safe after an en passant capture: two pawns leave the rank
    /// at once, so pins do not tell.
    #[inline(always)]
    pub(super) fn en_passant_is_legal<I: Instructions>(
        &self,
        i: I,
        from: usize,
        square: usize,
    ) -> bool {
        let [pawns, knights, bishops, rooks, queens, _] = self.pieces;
        let king = self.king_index(self.side);
        let captured = 1u64 << ((square ^ 8) & 63);
        let occupied = (self.sides[0] | self.sides[1]) ^ captured ^ 1 << from | 1 << square;
        let them = self.sides[self.side.other().index()] & !captured;
        i.rook(king, occupied) & (rooks | queens) & them == 0
            && i.bishop(king, occupied) & (bishops | queens) & them == 0
            && self.checkers & (knights | pawns) & !captured == 0
    }

    /// All pieces of both sides that attack a square when these squares are occupied.
    #[inline(always)]
    pub(super) fn attackers_with<I: Instructions>(
        &self,
        i: I,
        square: usize,
        occupied: u64,
    ) -> u64 {
        let [pawns, knights, bishops, rooks, queens, kings] = self.pieces;
        let square = square & 63;
        let [white, black] = self.sides;
        PAWN[0][square] & pawns & black
            | PAWN[1][square] & pawns & white
            | KNIGHT[square] & knights
            | KING[square] & kings
            | i.rook(square, occupied) & (rooks | queens)
            | i.bishop(square, occupied) & (bishops | queens)
    }
}
