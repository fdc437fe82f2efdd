//! Polyglot's opening books: the key of a position and the number of a move.
//!
//! Polyglot is a program of Fabien Letouzey whose book files many chess programs read and write. A key
//! is the exclusive or of numbers that the format prescribes: one for each piece on its square, for each
//! right to castle, for the file of a pawn that may be taken en passant, and for White to move.

mod numbers;

use super::{Board, Castling, Move, MoveKind, Piece, Side};
use numbers::NUMBERS;

/// Where the numbers of the rights to castle, of en passant and of the side to move begin.
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE: usize = 780;

/// The key of a position in Polyglot's books.
///
/// ```
/// use plyground_games::chess::{Board, polyglot_key};
///
/// assert_eq!(polyglot_key(&Board::start()), 0x463b_9618_1691_fc9c);
/// ```
#[must_use]
pub fn polyglot_key(board: &Board) -> u64 {
    let mut key = 0;
    for (number, piece) in Piece::ALL.into_iter().enumerate() {
        for (side, white) in [(Side::Black, 0), (Side::White, 1)] {
            for square in board.pieces_of(side, piece) {
                key ^= NUMBERS[64 * (2 * number + white) + square.index()];
            }
        }
    }
    let rights =
        [Castling::WHITE_SHORT, Castling::WHITE_LONG, Castling::BLACK_SHORT, Castling::BLACK_LONG];
    for (number, right) in rights.into_iter().enumerate() {
        if board.castling().contains(right) {
            key ^= NUMBERS[CASTLING + number];
        }
    }
    // A board knows of en passant only where a pawn may take so. The format also counts pawns that may
    // not because they are pinned; no opening has one.
    if let Some(square) = board.en_passant() {
        key ^= NUMBERS[EN_PASSANT + square.index() % 8];
    }
    if board.side() == Side::White { key ^ NUMBERS[WHITE] } else { key }
}

/// The number of a move in Polyglot's books: castling is the king's move to the rook's square.
#[must_use]
pub fn polyglot_move(mv: Move) -> u16 {
    let (from, mut to) = (mv.from().index(), mv.to().index());
    if mv.kind() == MoveKind::Castling {
        to = if to > from { from + 3 } else { from - 4 };
    }
    let promoted = match mv.promotion() {
        None => 0,
        Some(Piece::Knight) => 1,
        Some(Piece::Bishop) => 2,
        Some(Piece::Rook) => 3,
        Some(_) => 4,
    };
    (to | from << 6 | promoted << 12) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The positions with which the format's description comes, and their keys.
    #[test]
    fn the_keys_are_those_of_the_format() {
        for (fen, key) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0x463b96181691fc9c_u64),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", 0x823c9b50fd114196),
            ("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2", 0x0756b94461c50fb0),
            ("rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2", 0x662fafb965db29d4),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", 0x22a48b5a8e47ff78),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652a607ca3f242c1),
            ("rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4", 0x00fdd303c946bdd9),
            ("rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3", 0x3c8123ea7b067637),
            ("rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4", 0x5c3f9b829b279560),
        ] {
            let board: Board = fen.parse().unwrap();
            assert_eq!(polyglot_key(&board), key, "{fen}");
        }
    }

    #[test]
    fn moves_are_numbered_as_the_format_has_it() {
        let number = |fen: &str, mv: &str| {
            let board: Board = fen.parse().unwrap();
            polyglot_move(board.uci_move(mv).unwrap())
        };
        let start = Board::start().to_string();
        assert_eq!(number(&start, "e2e4"), 0o1434);
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(number(castling, "e1g1"), 0o0407);
        assert_eq!(number(castling, "e1c1"), 0o0400);
        assert_eq!(number("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q"), 0o4_60_70);
        assert_eq!(number("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8n"), 0o1_60_70);
    }
}
