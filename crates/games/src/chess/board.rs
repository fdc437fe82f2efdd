//! The board: the pieces, the side to move, and what the rules need to know about earlier moves.

use super::attacks::{BETWEEN, BISHOP_LINES, KNIGHT, PAWN, ROOK_LINES};
use super::castling::Castling;
use super::generate::{self, Finder, Lister};
use super::instructions::{Instructions, Task, dispatch};
use super::moves::{Move, Moves};
use super::piece::Piece;
use super::side::Side;
use super::zobrist;
use crate::grid::{Square, Squares};

/// The FEN of the position that every game starts from.
pub const START_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A legal position: pieces, side to move, castling rights, en passant square, clocks, and the key.
///
/// A board is small and is copied, never undone: [`Board::play`] returns the next one. Every board is
/// legal; [`Board::from_fen`] says what that means.
///
/// Two boards are equal only if their clocks are equal too. [`Board::same_position`] leaves the clocks
/// out, and so does the [key](Board::key).
///
/// ```
/// use plyground_games::chess::{Board, Piece, Side};
///
/// let board = Board::from_fen("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")?;
/// assert_eq!(board.side(), Side::White);
/// assert_eq!(board.pieces_of(Side::White, Piece::Knight).to_string(), "b1 f3");
/// assert_eq!(board.moves().len(), 27);
/// let next = board.play(board.san_move("Bb5")?);
/// assert_eq!(next.half_moves(), 3);
/// # Ok::<(), plyground_games::chess::TextError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    pub(super) pieces: [u64; 6],
    pub(super) sides: [u64; 2],
    pub(super) key: u64,
    /// The pieces that give check to the side to move.
    pub(super) checkers: u64,
    /// The side to move's pieces that may not leave the line between their king and an attacker.
    pub(super) pinned: u64,
    pub(super) half_moves: u16,
    pub(super) move_number: u16,
    pub(super) castling: u8,
    /// The square on which a pawn can be captured en passant, or [`NO_SQUARE`]. It is set only if such
    /// a capture is legal, so that boards with the same moves are equal and have the same key.
    pub(super) en_passant: u8,
    pub(super) side: Side,
}

pub(super) const NO_SQUARE: u8 = 64;

const _: () = assert!(size_of::<Board>() <= 96);

/// Whether the side to move has a move, and if not, how the game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// The side to move has a legal move.
    Ongoing,
    /// The side to move has no legal move and is in check: it has lost.
    Checkmate,
    /// The side to move has no legal move and is not in check: the game is drawn.
    Stalemate,
}

impl Board {
    /// The position every game starts from.
    #[must_use]
    pub fn start() -> Self {
        match Self::from_fen(START_FEN) {
            Ok(board) => board,
            Err(_) => unreachable!("the tests read this FEN"),
        }
    }

    /// The pieces of one kind, of both sides.
    #[must_use]
    #[inline(always)]
    pub const fn pieces(&self, piece: Piece) -> Squares {
        Squares::from_word(self.pieces[piece.index()])
    }

    /// The pieces of one side.
    #[must_use]
    #[inline(always)]
    pub const fn side_pieces(&self, side: Side) -> Squares {
        Squares::from_word(self.sides[side.index()])
    }

    /// The pieces of one kind and side.
    #[must_use]
    #[inline(always)]
    pub const fn pieces_of(&self, side: Side, piece: Piece) -> Squares {
        Squares::from_word(self.sides[side.index()] & self.pieces[piece.index()])
    }

    /// All squares with a piece on them.
    #[must_use]
    #[inline(always)]
    pub const fn occupied(&self) -> Squares {
        Squares::from_word(self.sides[0] | self.sides[1])
    }

    /// The kind of piece on a square.
    #[must_use]
    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        if !self.occupied().contains(square) {
            return None;
        }
        Some(Piece::ALL[self.piece_index(square.index())])
    }

    /// The side whose piece stands on a square.
    #[must_use]
    pub fn side_on(&self, square: Square) -> Option<Side> {
        Side::ALL.into_iter().find(|&side| self.side_pieces(side).contains(square))
    }

    /// The side to move.
    #[must_use]
    #[inline(always)]
    pub const fn side(&self) -> Side {
        self.side
    }

    /// Where a side's king stands.
    #[must_use]
    #[inline(always)]
    pub const fn king(&self, side: Side) -> Square {
        Square::wrapping(self.king_index(side))
    }

    /// The castling rights that are left.
    #[must_use]
    pub const fn castling(&self) -> Castling {
        Castling::from_bits_truncate(self.castling)
    }

    /// The square on which a pawn can be captured en passant: a pawn that has just made two steps may
    /// be captured as if it had made one. `None` if no such capture is legal.
    #[must_use]
    pub const fn en_passant(&self) -> Option<Square> {
        Square::new(self.en_passant as usize)
    }

    /// The pieces that give check to the side to move.
    #[must_use]
    #[inline(always)]
    pub const fn checkers(&self) -> Squares {
        Squares::from_word(self.checkers)
    }

    /// The side to move's pieces that may not leave the line between their king and an attacker.
    #[must_use]
    #[inline(always)]
    pub const fn pinned(&self) -> Squares {
        Squares::from_word(self.pinned)
    }

    /// Whether the side to move is in check.
    #[must_use]
    #[inline(always)]
    pub const fn in_check(&self) -> bool {
        self.checkers != 0
    }

    /// The halfmove clock: moves by either side since the last capture or pawn move.
    #[must_use]
    pub const fn half_moves(&self) -> u16 {
        self.half_moves
    }

    /// The fullmove number: 1 for the first move of both sides, 2 for the next, and so on.
    #[must_use]
    pub const fn move_number(&self) -> u16 {
        self.move_number
    }

    /// The Zobrist key: a hash of the position, without the clocks.
    #[must_use]
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Whether two boards differ at most in their clocks.
    #[must_use]
    pub fn same_position(&self, other: &Self) -> bool {
        self.key == other.key
            && Self { half_moves: other.half_moves, move_number: other.move_number, ..*self }
                == *other
    }

    /// All legal moves.
    #[must_use]
    pub fn moves(&self) -> Moves {
        let mut moves = Moves::new();
        self.add_moves(&mut moves);
        moves
    }

    /// Adds all legal moves to a list, which should be empty, so that there is room for them.
    #[inline]
    pub fn add_moves(&self, moves: &mut Moves) {
        dispatch(List::<false>(self, moves));
    }

    /// Adds the legal captures and promotions to a list: the moves of quiescence search.
    #[inline]
    pub fn add_noisy_moves(&self, moves: &mut Moves) {
        dispatch(List::<true>(self, moves));
    }

    /// The number of legal moves, which are counted without being listed.
    #[must_use]
    pub fn count_moves(&self) -> usize {
        dispatch(Count(self)) as usize
    }

    /// Whether there is a legal move: faster than counting them.
    #[must_use]
    pub fn has_moves(&self) -> bool {
        dispatch(Find(self))
    }

    /// Whether a move is legal here, wherever it comes from (a hash table, for example).
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        self.moves().contains(&mv)
    }

    /// The board after a legal move.
    ///
    /// A move that is not legal here gives a meaningless board, but no panic; [`Board::try_play`] is
    /// the checked version.
    #[must_use]
    #[inline]
    pub fn play(&self, mv: Move) -> Self {
        dispatch(Play(self, mv))
    }

    /// The board after a move; `None` if the move is against the rules.
    #[must_use]
    pub fn try_play(&self, mv: Move) -> Option<Self> {
        self.is_legal(mv).then(|| self.play(mv))
    }

    /// The board after a null move, that is with the other side to move; `None` in check, where the
    /// king could then be taken.
    #[must_use]
    pub fn pass(&self) -> Option<Self> {
        if self.in_check() {
            return None;
        }
        let mut next = *self;
        if let Some(square) = self.en_passant() {
            next.key ^= zobrist::EN_PASSANT[square.column()];
            next.en_passant = NO_SQUARE;
        }
        next.half_moves = next.half_moves.saturating_add(1);
        next.move_number = next.move_number.saturating_add(self.side as u16);
        next.side = self.side.other();
        next.key ^= zobrist::BLACK;
        next.find_pins_and_checkers();
        Some(next)
    }

    /// Whether the side to move has a move, is mated or is stalemated.
    #[must_use]
    pub fn status(&self) -> Status {
        match (self.has_moves(), self.in_check()) {
            (true, _) => Status::Ongoing,
            (false, true) => Status::Checkmate,
            (false, false) => Status::Stalemate,
        }
    }

    /// Whether one side has nothing but its king, and the other no pawns: all that is left is to mate.
    #[must_use]
    #[inline]
    pub const fn has_lone_king(&self) -> bool {
        let [pawns, ..] = self.pieces;
        pawns == 0 && (self.sides[0].is_power_of_two() || self.sides[1].is_power_of_two())
    }

    /// Whether neither side can mate, not even with the other's help: there are only the kings, or
    /// besides them one knight, or only bishops that are all on squares of one colour.
    #[must_use]
    pub fn insufficient_material(&self) -> bool {
        const DARK: u64 = 0xaa55_aa55_aa55_aa55;
        let [pawns, knights, bishops, rooks, queens, _] = self.pieces;
        if pawns | rooks | queens != 0 {
            return false;
        }
        if knights != 0 {
            return bishops == 0 && knights.is_power_of_two();
        }
        bishops & DARK == 0 || bishops & !DARK == 0
    }

    /// Whether both sides have made fifty moves without a capture or a pawn move: the game is drawn,
    /// unless the last of these moves gave mate.
    #[must_use]
    pub const fn fifty_moves(&self) -> bool {
        self.half_moves >= 100
    }

    /// Whether a side attacks a square, whatever is on it.
    #[must_use]
    pub fn is_attacked(&self, square: Square, by: Side) -> bool {
        !(self.attackers(square, self.occupied()) & self.side_pieces(by)).is_empty()
    }

    /// All pieces of both sides that attack a square if exactly the squares of `occupied` are occupied.
    #[must_use]
    pub fn attackers(&self, square: Square, occupied: Squares) -> Squares {
        dispatch(Attackers(self, square, occupied))
    }

    /// The key computed from the position alone, to check the one that is updated with every move.
    #[must_use]
    pub fn recomputed_key(&self) -> u64 {
        let mut key = zobrist::CASTLING[(self.castling & 15) as usize];
        for side in Side::ALL {
            for piece in Piece::ALL {
                for square in self.pieces_of(side, piece) {
                    key ^= zobrist::PIECES[side.index()][piece.index()][square.index()];
                }
            }
        }
        if let Some(square) = self.en_passant() {
            key ^= zobrist::EN_PASSANT[square.column()];
        }
        if self.side == Side::Black {
            key ^= zobrist::BLACK;
        }
        key
    }

    #[inline(always)]
    pub(super) const fn king_index(&self, side: Side) -> usize {
        (self.sides[side.index()] & self.pieces[Piece::King.index()]).trailing_zeros() as usize & 63
    }

    /// The index of the kind of piece on an occupied square, without a branch: on an empty one it
    /// is the pawn's.
    #[inline(always)]
    pub(super) const fn piece_index(&self, square: usize) -> usize {
        let [_, knights, bishops, rooks, queens, kings] = self.pieces;
        let shift = square & 63;
        let index = (knights >> shift & 1) as usize
            + (bishops >> shift & 1) as usize * 2
            + (rooks >> shift & 1) as usize * 3
            + (queens >> shift & 1) as usize * 4
            + (kings >> shift & 1) as usize * 5;
        // After an illegal move two pieces may share a square: the result must still be an index.
        if index > 5 { 5 } else { index }
    }

    /// Finds the pieces that give check and the pinned pieces, along the lines of the king of the side
    /// to move.
    #[inline(always)]
    pub(super) fn find_pins_and_checkers(&mut self) {
        let [pawns, knights, bishops, rooks, queens, _] = self.pieces;
        let king = self.king_index(self.side);
        let us = self.sides[self.side.index()];
        let them = self.sides[self.side.other().index()];
        let mut checkers = (KNIGHT[king] & knights | PAWN[self.side.index()][king] & pawns) & them;
        let mut pinned = 0;
        let mut snipers =
            (ROOK_LINES[king] & (rooks | queens) | BISHOP_LINES[king] & (bishops | queens)) & them;
        while snipers != 0 {
            let sniper = snipers.trailing_zeros() as usize;
            let blockers = BETWEEN[king][sniper] & (us | them);
            if blockers == 0 {
                checkers |= snipers & snipers.wrapping_neg();
            } else if blockers & (blockers - 1) == 0 {
                pinned |= blockers & us;
            }
            snipers &= snipers - 1;
        }
        self.checkers = checkers;
        self.pinned = pinned;
    }
}

// The operations on a board that are compiled for the machine's instructions.
struct List<'a, const NOISY: bool>(&'a Board, &'a mut Moves);
struct Count<'a>(&'a Board);
struct Find<'a>(&'a Board);
struct Play<'a>(&'a Board, Move);
struct Attackers<'a>(&'a Board, Square, Squares);

impl<const NOISY: bool> Task for List<'_, NOISY> {
    type Output = ();
    #[inline(always)]
    fn run<I: Instructions>(self, i: I) {
        generate::generate::<I, _, NOISY>(i, self.0, &mut Lister(self.1));
    }
}

impl Task for Count<'_> {
    type Output = u64;
    #[inline(always)]
    fn run<I: Instructions>(self, i: I) -> u64 {
        generate::count(i, self.0)
    }
}

impl Task for Find<'_> {
    type Output = bool;
    #[inline(always)]
    fn run<I: Instructions>(self, i: I) -> bool {
        let mut finder = Finder(false);
        generate::generate::<I, _, false>(i, self.0, &mut finder);
        finder.0
    }
}

impl Task for Play<'_> {
    type Output = Board;
    #[inline(always)]
    fn run<I: Instructions>(self, i: I) -> Board {
        self.0.play_with(i, self.1)
    }
}

impl Task for Attackers<'_> {
    type Output = Squares;
    #[inline(always)]
    fn run<I: Instructions>(self, i: I) -> Squares {
        Squares::from_word(self.0.attackers_with(i, self.1.index(), self.2.word()))
    }
}
