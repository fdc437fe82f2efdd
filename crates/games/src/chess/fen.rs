//! FEN, Forsyth-Edwards Notation: a position on one line.
//!
//! `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1`: the ranks from the eighth down, the
//! side to move, castling rights, the en passant square, the halfmove clock (moves by either side
//! since the last capture or pawn move), and the fullmove number. The last two may be left out.
//!
//! Reading is strict, so that the rules work on every [`Board`]. The en passant square must be one
//! that a pawn has just passed; it is kept, and written, only if a capture there is legal.

use std::fmt;
use std::str::FromStr;

use super::attacks::LAST_RANKS;
use super::board::{Board, NO_SQUARE};
use super::castling::{Castling, WAYS};
use super::error::{Problem, TextError, excerpt};
use super::instructions::{Instructions, Task, dispatch};
use super::piece::Piece;
use super::side::Side;
use crate::grid::{Square, Squares};

/// Reads the fields of a line, each with the number of characters before it.
pub(super) struct Fields<'a> {
    line: &'a str,
    /// The place in the line, in bytes and in characters.
    byte: usize,
    pub(super) column: usize,
}

impl<'a> Fields<'a> {
    pub(super) fn new(line: &'a str) -> Self {
        Self { line, byte: 0, column: 0 }
    }

    /// The part of the line that has not been read, without the spaces before it.
    pub(super) fn rest(&mut self) -> &'a str {
        let rest = &self.line[self.byte..];
        let trimmed = rest.trim_start();
        let spaces = &rest[..rest.len() - trimmed.len()];
        self.byte += spaces.len();
        self.column += spaces.chars().count();
        trimmed
    }

    /// The next field, if there is one, and the number of characters before it.
    pub(super) fn next(&mut self) -> Option<(usize, &'a str)> {
        let rest = self.rest();
        let field = rest.split(char::is_whitespace).next().filter(|field| !field.is_empty())?;
        let column = self.column;
        self.byte += field.len();
        self.column += field.chars().count();
        Some((column, field))
    }

    fn expect(&mut self, expected: &'static str) -> Result<(usize, &'a str), TextError> {
        self.next().ok_or_else(|| TextError::at(self.column, Problem::Missing { expected }))
    }

    /// The next field, which may be missing only where errors are forgiven; nothing is said about it.
    fn required(
        &mut self,
        expected: &'static str,
        errors: &Errors<'_>,
    ) -> Result<Option<(usize, &'a str)>, TextError> {
        match errors {
            Errors::Refused => self.expect(expected).map(Some),
            Errors::Forgiven(_) => Ok(self.next()),
        }
    }
}

/// What becomes of an error that leaves the meaning of a FEN clear.
pub(super) enum Errors<'a> {
    /// The text is refused.
    Refused,
    /// What is wrong is left out, and the error is kept.
    Forgiven(&'a mut Vec<TextError>),
}

impl Errors<'_> {
    /// What was read; `None` if it was wrong and that is forgiven.
    fn unless_forgiven<T>(&mut self, read: Result<T, TextError>) -> Result<Option<T>, TextError> {
        match (read, self) {
            (Ok(read), _) => Ok(Some(read)),
            (Err(error), Errors::Refused) => Err(error),
            (Err(error), Errors::Forgiven(forgiven)) => {
                forgiven.push(error);
                Ok(None)
            }
        }
    }
}

impl Board {
    /// Reads a FEN, with or without its clocks.
    ///
    /// A position is legal if each side has exactly one king and no more pieces than a game can bring
    /// about, no pawn is on the first or last rank, the side not to move is not in check, at most two
    /// pieces give check, kings and rooks are where the castling rights require them, and a pawn can
    /// just have passed the en passant square. Any other position is refused.
    ///
    /// ```
    /// use plyground_games::chess::Board;
    ///
    /// let error = Board::from_fen("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1").unwrap_err();
    /// assert_eq!(error.to_string(), "line 1, column 25: castling right Q: expected the rook on a1");
    /// ```
    pub fn from_fen(text: &str) -> Result<Self, TextError> {
        Self::read_fen(text, &mut Errors::Refused)
    }

    /// Reads a FEN as people and programs really write it: clocks that are missing or not numbers are
    /// reset, and impossible castling rights and en passant squares and further fields are ignored.
    /// Returns the position and the errors that were forgiven.
    ///
    /// ```
    /// use plyground_games::chess::Board;
    ///
    /// let (board, forgiven) = Board::from_lenient_fen("4k3/8/8/8/8/8/8/4K2R w KQkq - 3")?;
    /// assert_eq!(board.to_string(), "4k3/8/8/8/8/8/8/4K2R w K - 3 1");
    /// assert_eq!(forgiven.len(), 3);
    /// # Ok::<(), plyground_games::chess::TextError>(())
    /// ```
    pub fn from_lenient_fen(text: &str) -> Result<(Self, Vec<TextError>), TextError> {
        let mut forgiven = Vec::new();
        let board = Self::read_fen(text, &mut Errors::Forgiven(&mut forgiven))?;
        Ok((board, forgiven))
    }

    /// Reads a FEN field by field, each once, however many errors there are to forgive.
    fn read_fen(text: &str, errors: &mut Errors<'_>) -> Result<Self, TextError> {
        let mut fields = Fields::new(text);
        let mut board = Self::from_fields(&mut fields, errors)?;
        if let Some((column, field)) = fields.next() {
            let read = number(column, field, "moves since a capture, 0 to 65535");
            board.half_moves = errors.unless_forgiven(read)?.unwrap_or(0);
            if let Some((column, field)) = fields.required("the number of the move", errors)? {
                let read = number(column, field, "the move's number, 1 to 65535");
                // Some databases count from 0 and mean the first move.
                board.move_number = errors.unless_forgiven(read)?.unwrap_or(1).max(1);
            }
        }
        let trailing = match fields.rest() {
            "" => Ok(()),
            rest => {
                let problem = Problem::Trailing { found: excerpt(rest) };
                Err(TextError::at(fields.column, problem))
            }
        };
        errors.unless_forgiven(trailing)?;
        Ok(board)
    }

    /// Reads the four fields that FEN and EPD share.
    pub(super) fn from_fields(
        fields: &mut Fields<'_>,
        errors: &mut Errors<'_>,
    ) -> Result<Self, TextError> {
        let mut board = Self {
            pieces: [0; 6],
            sides: [0; 2],
            key: 0,
            checkers: 0,
            pinned: 0,
            half_moves: 0,
            move_number: 1,
            castling: 0,
            en_passant: NO_SQUARE,
            side: Side::White,
        };
        let (column, field) = fields.expect("a board of 8 ranks such as 8/8/8/4k3/8/8/8/4K3")?;
        board.read_ranks(field).map_err(|error| error.shifted(column))?;
        board.check_pieces().map_err(|problem| TextError::at(column, problem))?;

        let (column, field) = fields.expect("the side to move, w or b")?;
        board.side = match field {
            "w" => Side::White,
            "b" => Side::Black,
            _ => return Err(expected(column, field, "the side to move, w or b")),
        };
        board.check_checks().map_err(|problem| TextError::at(column, problem))?;

        let castling = fields.required("castling rights such as KQkq, or -", errors)?;
        if let Some((column, field)) = castling {
            board.read_castling(column, field, errors)?;
        }
        board.key = board.recomputed_key();

        let en_passant = fields.required("an en passant square, or -", errors)?;
        if let Some((column, field)) = en_passant.filter(|(_, field)| *field != "-") {
            let square = field
                .parse::<Square>()
                .ok()
                // FEN writes its squares in small letters.
                .filter(|square| square.to_string() == field)
                .ok_or_else(|| Problem::Square { found: excerpt(field) });
            let read = square.and_then(|square| {
                let wrong = |expected| Problem::EnPassant { square, expected };
                board.read_en_passant(square).map_err(wrong)
            });
            errors.unless_forgiven(read.map_err(|problem| TextError::at(column, problem)))?;
        }
        Ok(board)
    }

    fn read_ranks(&mut self, field: &str) -> Result<(), TextError> {
        let ranks = field.split('/').count();
        if ranks != 8 {
            return Err(TextError::at(0, Problem::Ranks { found: ranks }));
        }
        let mut column = 0;
        for (rank, text) in (0..8).rev().zip(field.split('/')) {
            let mut file = 0;
            for (place, letter) in text.chars().enumerate() {
                if let Some(piece) = Piece::from_letter(letter) {
                    if let Some(square) = Square::at(file, rank) {
                        let white = letter.is_ascii_uppercase();
                        let side = if white { Side::White } else { Side::Black };
                        self.pieces[piece.index()] |= 1 << square.index();
                        self.sides[side.index()] |= 1 << square.index();
                    }
                    file += 1;
                } else if let Some(empty @ 1..=8) = letter.to_digit(10) {
                    file += empty as usize;
                } else {
                    let wanted = "a piece (PNBRQK or pnbrqk) or empty squares (1 to 8)";
                    return Err(expected(column + place, &letter.to_string(), wanted));
                }
            }
            if file != 8 {
                return Err(TextError::at(column, Problem::Rank { rank: rank + 1, found: file }));
            }
            column += text.chars().count() + 1;
        }
        Ok(())
    }

    /// Checks the numbers and the places of the pieces.
    fn check_pieces(&self) -> Result<(), Problem> {
        for side in Side::ALL {
            let found = self.pieces_of(side, Piece::King).len();
            if found != 1 {
                return Err(Problem::Kings { side, found });
            }
        }
        let last = self.pieces(Piece::Pawn) & Squares::from_word(LAST_RANKS);
        if let Some(square) = last.first() {
            return Err(Problem::PawnRank { square });
        }
        for side in Side::ALL {
            let beyond =
                |piece, first: usize| self.pieces_of(side, piece).len().saturating_sub(first);
            let promoted = beyond(Piece::Knight, 2)
                + beyond(Piece::Bishop, 2)
                + beyond(Piece::Rook, 2)
                + beyond(Piece::Queen, 1);
            if self.pieces_of(side, Piece::Pawn).len() + promoted > 8 {
                return Err(Problem::TooMany { side });
            }
        }
        Ok(())
    }

    /// Checks that the side not to move is not in check, and finds the pieces that give check to the
    /// side to move.
    fn check_checks(&mut self) -> Result<(), Problem> {
        self.side = self.side.other();
        self.find_pins_and_checkers();
        let (side, kings_touch) = (self.side, self.kings_touch());
        let taken = self.in_check() || kings_touch;
        self.side = self.side.other();
        if taken {
            return Err(Problem::OtherInCheck { side });
        }
        self.find_pins_and_checkers();
        match self.checkers().len() {
            0..=2 => Ok(()),
            found => Err(Problem::Checks { found }),
        }
    }

    fn kings_touch(&self) -> bool {
        let [white, black] = Side::ALL.map(|side| self.king(side));
        white.column().abs_diff(black.column()) <= 1 && white.row().abs_diff(black.row()) <= 1
    }

    fn read_castling(
        &mut self,
        column: usize,
        field: &str,
        errors: &mut Errors<'_>,
    ) -> Result<(), TextError> {
        if field == "-" {
            return Ok(());
        }
        let wanted = "each of K, Q, k and q at most once, or -";
        let (mut rights, mut impossible) = (Castling::empty(), Castling::empty());
        for (place, letter) in field.chars().enumerate() {
            let way = WAYS.iter().find(|way| way.letter == letter && !rights.contains(way.right));
            let way = way.ok_or_else(|| expected(column + place, &letter.to_string(), wanted))?;
            // One error a right is enough, however often the field repeats it.
            if impossible.contains(way.right) {
                continue;
            }
            let places = [(Piece::King, way.king.0), (Piece::Rook, way.rook.0)];
            let places = places.map(|(piece, square)| (piece, Square::wrapping(square)));
            let missing =
                places.iter().find(|&&(piece, at)| !self.pieces_of(way.side, piece).contains(at));
            let Some(&(piece, square)) = missing else {
                rights |= way.right;
                continue;
            };
            let problem = Problem::Castling { right: letter, piece, square };
            errors.unless_forgiven(Err::<(), _>(TextError::at(column + place, problem)))?;
            impossible |= way.right;
        }
        self.castling = rights.bits();
        Ok(())
    }

    /// Sets the en passant square, or says what would have to be so.
    fn read_en_passant(&mut self, square: Square) -> Result<(), &'static str> {
        struct Allow<'a>(&'a mut Board, usize);
        impl Task for Allow<'_> {
            type Output = ();
            #[inline(always)]
            fn run<I: Instructions>(self, i: I) {
                self.0.allow_en_passant(i, self.1);
            }
        }
        let (rank, wanted) = match self.side {
            Side::White => (5, "a square of rank 6, as White is to move"),
            Side::Black => (2, "a square of rank 3, as Black is to move"),
        };
        if square.row() != rank {
            return Err(wanted);
        }
        let pawn = Square::wrapping(square.index() ^ 8);
        if !self.pieces_of(self.side.other(), Piece::Pawn).contains(pawn) {
            return Err("a pawn of the other side that has passed it");
        }
        // The pawn came from the square behind it.
        let origin = match self.side {
            Side::White => square.index() + 8,
            Side::Black => square.index() - 8,
        };
        let way = square.only() | Square::wrapping(origin).only();
        if !(self.occupied() & way).is_empty() {
            return Err("it and the square behind it to be empty, as a pawn has passed both");
        }
        dispatch(Allow(self, square.index()));
        Ok(())
    }

    /// Writes the four fields that FEN and EPD share.
    pub(super) fn write_fields(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            let mut empty = 0;
            for square in (0..8).filter_map(|file| Square::at(file, rank)) {
                match (self.piece_on(square), self.side_on(square)) {
                    (Some(piece), Some(side)) => {
                        if empty > 0 {
                            write!(f, "{empty}")?;
                        }
                        empty = 0;
                        write!(f, "{}", piece.letter_of(side))?;
                    }
                    _ => empty += 1,
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        write!(f, " {} {} ", self.side.letter(), self.castling())?;
        match self.en_passant() {
            Some(square) => write!(f, "{square}"),
            None => f.write_str("-"),
        }
    }
}

fn expected(column: usize, found: &str, expected: &'static str) -> TextError {
    TextError::at(column, Problem::Expected { found: excerpt(found), expected })
}

/// Reads a count.
fn number(column: usize, field: &str, wanted: &'static str) -> Result<u16, TextError> {
    let digits = field.bytes().all(|digit| digit.is_ascii_digit());
    field.parse().ok().filter(|_| digits).ok_or_else(|| {
        TextError::at(column, Problem::Number { found: excerpt(field), expected: wanted })
    })
}

impl fmt::Display for Board {
    /// The FEN with its clocks.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_fields(f)?;
        write!(f, " {} {}", self.half_moves, self.move_number)
    }
}

impl FromStr for Board {
    type Err = TextError;

    /// Reads a FEN.
    fn from_str(text: &str) -> Result<Self, TextError> {
        Self::from_fen(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::START_FEN;

    #[test]
    fn the_start_reads_back() {
        assert_eq!(Board::from_fen(START_FEN).map(|board| board.to_string()), Ok(START_FEN.into()));
        assert_eq!(
            Board::from_fen("4k3/8/8/8/8/8/8/4K3 b - -"),
            "4k3/8/8/8/8/8/8/4K3 b - - 0 1".parse()
        );
    }

    #[test]
    fn what_means_nothing_is_forgiven() {
        for (text, read, forgiven) in [
            ("k7/8/8/8/8/8/8/K7 b", "k7/8/8/8/8/8/8/K7 b - - 0 1", 0),
            ("k7/8/8/8/8/8/8/K7 w - - 0 0", "k7/8/8/8/8/8/8/K7 w - - 0 1", 0),
            ("k7/8/8/8/8/8/8/K7 w KQkq e3 -7 x", "k7/8/8/8/8/8/8/K7 w - - 0 1", 7),
            ("k7/8/8/8/8/8/8/K7 w - e9 4 5 bm Kb1;", "k7/8/8/8/8/8/8/K7 w - - 4 5", 2),
            ("4k3/8/8/8/8/8/8/4K2R w KQkq -", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", 3),
            (START_FEN, START_FEN, 0),
            // Signed clocks are no numbers of a FEN, although they are numbers.
            ("k7/8/8/8/8/8/8/K7 w - - +5 1", "k7/8/8/8/8/8/8/K7 w - - 0 1", 1),
            ("k7/8/8/8/8/8/8/K7 w - - 5 +1", "k7/8/8/8/8/8/8/K7 w - - 5 1", 1),
            ("k7/8/8/8/8/8/8/K7 w KKkK - +0 +0 +0", "k7/8/8/8/8/8/8/K7 w - - 0 1", 5),
        ] {
            let (board, left_out) = Board::from_lenient_fen(text).unwrap();
            assert_eq!((board.to_string().as_str(), left_out.len()), (read, forgiven), "{text}");
        }
        for wrong in ["", "k7/8/8/8/8/8/8/K7", "k7/8/8/8/8/8/8/8 w", "k7/8/8/8/8/8/8/K7 w x - 0 1"]
        {
            assert!(Board::from_lenient_fen(wrong).is_err(), "{wrong}");
        }
    }

    /// An error is forgiven where it is in the text, not where a repaired text would have it.
    #[test]
    fn forgiven_errors_say_where_they_are() {
        let text = "k7/8/8/8/8/8/8/K7  w  KQ  e9  -1  x  y";
        let (_, forgiven) = Board::from_lenient_fen(text).unwrap();
        let columns: Vec<usize> = forgiven.iter().map(|error| error.column).collect();
        assert_eq!(columns, [23, 24, 27, 31, 35, 38]);
    }

    /// Fields so long that reading one of them twice for each of its letters would not end.
    #[test]
    fn long_fields_are_read_once() {
        let long = 20_000_000;
        for (field, errors) in [
            (format!("{} - 0 1", "KQkq".repeat(long / 4)), Some(4)),
            (format!("{} - 0 1", "x".repeat(long)), None),
            (format!("- {} 0 1", "e3".repeat(long / 2)), Some(1)),
            (format!("- - {} 1", "+".repeat(long)), Some(1)),
            (format!("- - {}7 1", "0".repeat(long)), Some(0)),
            (format!("- - 0 1 {}", "y ".repeat(long / 2)), Some(1)),
        ] {
            let text = format!("k7/8/8/8/8/8/8/K7 w {field}");
            let read = Board::from_lenient_fen(&text).ok().map(|(_, forgiven)| forgiven.len());
            assert_eq!(read, errors, "{}", &text[..40]);
        }
        assert!(Board::from_lenient_fen(&"/".repeat(long)).is_err());
    }

    #[test]
    fn en_passant_is_kept_where_it_can_be_captured() {
        for (fen, kept) in [
            ("rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 3", true),
            ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", false),
            // Both pawns would leave the king's rank.
            ("8/8/8/8/k2Pp2Q/8/8/4K3 b - d3 0 1", false),
        ] {
            let board = Board::from_fen(fen).unwrap();
            assert_eq!(board.en_passant().is_some(), kept, "{fen}");
            assert_eq!(board.key(), board.recomputed_key());
        }
    }

    #[test]
    fn wrong_positions_are_told() {
        for (fen, told) in [
            ("", "line 1, column 1: the text ends: expected a board"),
            ("8/8/8/8/8/8/8 w - - 0 1", "column 1: the board has 7 ranks"),
            ("8/9/8/8/8/8/8/8 w - - 0 1", "column 3: found \"9\""),
            ("8/8p/8/8/8/8/8/8 w - - 0 1", "column 3: rank 7 has 9 squares"),
            ("8/8/8/8/8/8/8/K7 w - - 0 1", "black has 0 kings"),
            ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "black has 2 kings"),
            ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "a pawn stands on h8"),
            ("k7/8/8/8/8/QQQQQQQQ/QQ6/K7 w - - 0 1", "white has more pieces"),
            ("k7/8/8/8/8/8/8/K6r b - - 0 1", "column 20: white is in check"),
            ("8/8/8/8/8/8/kK6/8 b - - 0 1", "white is in check"),
            ("k7/8/8/8/8/8/8/K7 x - - 0 1", "column 19: found \"x\": expected the side"),
            ("k7/8/8/8/8/8/8/K7 w - E6 0 1", "column 23: \"E6\" is not a square"),
            ("k7/8/8/8/8/8/8/K7 w K - 0 1", "castling right K: expected the king on e1"),
            ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "column 25: found \"K\": expected each"),
            ("k7/8/8/8/8/8/8/K7 w - e9 0 1", "column 23: \"e9\" is not a square"),
            (
                "k7/8/8/8/8/8/8/K7 w - e3 0 1",
                "e3 is not an en passant square here: expected a square of rank 6",
            ),
            ("k7/8/8/8/8/8/8/K7 w - e6 0 1", "expected a pawn of the other side"),
            ("k7/4p3/8/4p3/8/8/8/K7 w - e6 0 1", "the square behind it"),
            ("k7/8/8/8/8/8/8/K7 w - - x 1", "column 25: \"x\" is not a number"),
            ("k7/8/8/8/8/8/8/K7 w - - 0", "column 26: the text ends: expected the number"),
            ("k7/8/8/8/8/8/8/K7 w - - 0 x", "\"x\" is not a number: expected the move's"),
            ("k7/8/8/8/8/8/8/K7 w - - 0 1 z", "column 29: \"z\" follows"),
            ("4k3/8/3N4/1B6/8/4R3/8/4K3 b - - 0 1", "3 pieces give check: expected at most 2"),
        ] {
            match Board::from_fen(fen) {
                Ok(_) => assert_eq!(told, "", "{fen} was read"),
                Err(error) => {
                    assert!(!told.is_empty() && error.to_string().contains(told), "{fen}: {error}")
                }
            }
        }
    }
}
