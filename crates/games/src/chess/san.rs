//! SAN, Standard Algebraic Notation, the moves as people write them: `Nbd7`, `exd5`, `O-O`, `e8=Q+`.
//!
//! Reading is tolerant where the meaning stays clear: `+`, `#`, `!` and `?` at the end are optional,
//! castling may be written with zeros, the `=` of a promotion and the `x` of a capture may be missing,
//! `e.p.` may follow, and the origin may be more precise than necessary. The text must fit exactly
//! one legal move. Written moves have the standard form.

use std::fmt;

use super::board::{Board, Status};
use super::error::{Problem, TextError, excerpt};
use super::moves::{Move, MoveKind, Moves};
use super::piece::Piece;
use crate::grid::Square;

const WANTED: &str = "a move such as e4, Nbd7, exd5, e8=Q or O-O";

/// A legal move of a board that is displayed in SAN: see [`Board::san`].
#[derive(Clone, Copy, Debug)]
pub struct San<'a> {
    board: &'a Board,
    mv: Move,
}

impl Board {
    /// A legal move in standard SAN, with `+` or `#` if it gives check or mate.
    ///
    /// ```
    /// use plyground_games::chess::Board;
    ///
    /// let board = Board::start();
    /// assert_eq!(board.san(board.uci_move("g1f3")?).to_string(), "Nf3");
    /// # Ok::<(), plyground_games::chess::TextError>(())
    /// ```
    #[must_use]
    pub const fn san(&self, mv: Move) -> San<'_> {
        San { board: self, mv }
    }

    /// Reads a legal move in SAN.
    ///
    /// ```
    /// use plyground_games::chess::Board;
    ///
    /// let board = Board::start();
    /// assert_eq!(board.san_move("Nf3")?.to_string(), "g1f3");
    /// assert!(board.san_move("Nf4").is_err());
    /// # Ok::<(), plyground_games::chess::TextError>(())
    /// ```
    pub fn san_move(&self, text: &str) -> Result<Move, TextError> {
        let wrong = || TextError::at(0, Problem::Move { found: excerpt(text), expected: WANTED });
        let parsed = ParsedSan::read(text).ok_or_else(wrong)?;
        let fitting: Moves = self.moves().into_iter().filter(|&mv| parsed.fit(self, mv)).collect();
        match fitting[..] {
            [mv] => Ok(mv),
            [] => Err(TextError::at(0, self.illegal(text))),
            _ => {
                let legal = self.names(&fitting);
                Err(TextError::at(0, Problem::Ambiguous { found: excerpt(text), legal }))
            }
        }
    }
}

/// What the text of a move says.
#[derive(Clone, Copy)]
pub(super) enum ParsedSan {
    Castling {
        short: bool,
    },
    Piece {
        piece: Piece,
        file: Option<usize>,
        rank: Option<usize>,
        capture: bool,
        to: Square,
        promotion: Option<Piece>,
    },
}

impl ParsedSan {
    pub(super) fn read(text: &str) -> Option<Self> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        let text = text.strip_suffix("e.p.").unwrap_or(text);
        match text {
            "O-O" | "0-0" => return Some(Self::Castling { short: true }),
            "O-O-O" | "0-0-0" => return Some(Self::Castling { short: false }),
            _ => {}
        }
        let piece_letter = |letter: u8| match letter {
            b'N' | b'B' | b'R' | b'Q' | b'K' => Piece::from_letter(letter as char),
            _ => None,
        };
        let mut rest = text.as_bytes();
        let mut piece = Piece::Pawn;
        if let [letter, tail @ ..] = rest
            && let Some(named) = piece_letter(*letter)
        {
            (piece, rest) = (named, tail);
        }
        let mut promotion = None;
        if let [head @ .., letter] = rest
            && let Some(named) = piece_letter(*letter)
        {
            promotion = Some(named);
            rest = head.strip_suffix(b"=").unwrap_or(head);
        }
        let [origin @ .., file, rank] = rest else { return None };
        let to = Square::from_letters(*file as char, *rank as char)?;
        let (origin, capture) = match origin {
            [origin @ .., b'x'] => (origin, true),
            [origin @ .., b'-'] if !origin.is_empty() => (origin, false),
            _ => (origin, false),
        };
        let of_file = |letter: u8| (letter as usize).checked_sub(b'a' as usize).filter(|&n| n < 8);
        let of_rank = |digit: u8| (digit as usize).checked_sub(b'1' as usize).filter(|&n| n < 8);
        let (file, rank) = match origin {
            [] => (None, None),
            [one] if of_file(*one).is_some() => (of_file(*one), None),
            [one] => (None, Some(of_rank(*one)?)),
            [file, rank] => (Some(of_file(*file)?), Some(of_rank(*rank)?)),
            _ => return None,
        };
        Some(Self::Piece { piece, file, rank, capture, to, promotion })
    }

    /// Whether a legal move fits the text.
    fn fit(self, board: &Board, mv: Move) -> bool {
        match self {
            Self::Castling { short } => {
                mv.kind() == MoveKind::Castling && (mv.to().column() == 6) == short
            }
            Self::Piece { piece, file, rank, capture, to, promotion } => {
                mv.to() == to
                    && mv.kind() != MoveKind::Castling
                    && mv.promotion() == promotion
                    && board.piece_on(mv.from()) == Some(piece)
                    && file.is_none_or(|file| mv.from().column() == file)
                    && rank.is_none_or(|rank| mv.from().row() == rank)
                    && (!capture || board.is_capture(mv))
            }
        }
    }
}

impl Board {
    /// Whether a legal move is a capture, en passant included.
    #[must_use]
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.side_pieces(self.side().other()).contains(mv.to()) || mv.kind() == MoveKind::EnPassant
    }
}

impl fmt::Display for San<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { board, mv } = *self;
        let (from, to) = (mv.from(), mv.to());
        let piece = board.piece_on(from).unwrap_or(Piece::Pawn);
        if mv.kind() == MoveKind::Castling {
            f.write_str(if to.column() == 6 { "O-O" } else { "O-O-O" })?;
        } else {
            let capture = board.is_capture(mv);
            let from_text = from.to_string();
            let (file, rank) = from_text.split_at(1);
            if piece == Piece::Pawn {
                f.write_str(if capture { file } else { "" })?;
            } else {
                write!(f, "{}", piece.letter())?;
                let moves = board.moves();
                let others = || {
                    moves.iter().map(|other| other.from()).zip(&moves).filter_map(
                        |(origin, other)| {
                            let rival = other.to() == to
                                && origin != from
                                && board.piece_on(origin) == Some(piece);
                            rival.then_some(origin)
                        },
                    )
                };
                if others().next().is_some() {
                    if others().all(|other| other.column() != from.column()) {
                        f.write_str(file)?;
                    } else if others().all(|other| other.row() != from.row()) {
                        f.write_str(rank)?;
                    } else {
                        f.write_str(&from_text)?;
                    }
                }
            }
            f.write_str(if capture { "x" } else { "" })?;
            write!(f, "{to}")?;
            if let Some(promotion) = mv.promotion() {
                write!(f, "={}", promotion.letter())?;
            }
        }
        let next = board.play(mv);
        match next.status() {
            Status::Checkmate => f.write_str("#"),
            _ if next.in_check() => f.write_str("+"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(fen: &str, cases: &[(&str, &str)]) {
        let board = Board::from_fen(fen).unwrap();
        for (text, expected) in cases {
            let told = match board.san_move(text) {
                Ok(mv) => format!("{mv} {}", board.san(mv)),
                Err(error) => error.to_string(),
            };
            assert!(told.starts_with(expected), "{text} in {fen}: {told}");
        }
    }

    #[test]
    fn words_for_moves() {
        check(
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            &[
                ("O-O", "e1g1 O-O"),
                ("0-0-0!?", "e1c1 O-O-O"),
                ("Kg1", "line 1, column 1: \"Kg1\" is not a legal move for white"),
                ("Rxa8+", "a1a8 Rxa8+"),
                ("Rxa8", "a1a8 Rxa8+"),
                ("Rxa7", "line 1, column 1: \"Rxa7\" is not a legal"),
                ("Ra1xa8", "a1a8 Rxa8+"),
                ("Ra1-a8", "a1a8 Rxa8+"),
                ("", "line 1, column 1: \"\" is not a move: expected a move such as"),
                ("Zf3", "line 1, column 1: \"Zf3\" is not a move"),
            ],
        );
        check(
            "5k2/2P5/8/Q6Q/8/8/8/Q3K3 w - - 0 1",
            &[
                ("c8", "line 1, column 1: \"c8\" is not a legal"),
                ("c8=Q+", "c7c8q c8=Q+"),
                ("c8N", "c7c8n c8=N"),
                (
                    "Qd5",
                    "line 1, column 1: \"Qd5\" could be several moves: expected one of Qad5 Qhd5",
                ),
                ("Qa1e5", "a1e5 Q1e5"),
                ("Qa5e5", "a5e5 Qa5e5"),
                ("Qa1a4", "a1a4 Q1a4"),
                ("Q1a4", "a1a4 Q1a4"),
            ],
        );
        check(
            "rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 3",
            &[("exd3", "e4d3 exd3"), ("ed3", "e4d3 exd3"), ("exd3e.p.", "e4d3 exd3")],
        );
    }
}
