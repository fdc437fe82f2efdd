//! EPD, Extended Position Description: a position with operations, the line format of test suites.
//!
//! A line is the first four fields of a FEN, then operations, each an opcode with operands and a
//! semicolon: `… w - - bm Qg6; id "WAC.001";`. The opcodes understood are `bm` (best moves), `am` (moves
//! to avoid), `dm` (the number of moves to mate), `D1`, `D2`, … (perft totals), `id` (a name), and the
//! clocks `hmvc` and `fmvn`. Other operations are kept as they are. The clocks of a FEN may precede the
//! operations.

use std::fmt;
use std::str::FromStr;

use super::board::Board;
use super::error::{Problem, TextError, excerpt};
use super::fen::{Errors, Fields};
use super::moves::Move;

/// An operand of an operation that is kept as it is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A word without spaces.
    Word(String),
    /// A text in quotation marks.
    Quoted(String),
}

impl Operand {
    /// The text, without quotation marks.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Word(text) | Self::Quoted(text) => text,
        }
    }
}

/// A position of a test suite and its operations.
///
/// ```
/// use plyground_games::chess::Epd;
///
/// let epd: Epd = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"back rank\";".parse()?;
/// assert_eq!(epd.best[0].to_string(), "d1d8");
/// assert_eq!(epd.id.as_deref(), Some("back rank"));
/// # Ok::<(), plyground_games::chess::TextError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Epd {
    /// The position.
    pub board: Board,
    /// The best moves (`bm`): each of them solves the position.
    pub best: Vec<Move>,
    /// The moves to avoid (`am`).
    pub avoid: Vec<Move>,
    /// The number of moves in which the side to move mates (`dm`).
    pub mate_in: Option<u32>,
    /// Depths, and the number of leaves that perft counts there (`D1`, `D2`, …).
    pub leaves: Vec<(u32, u64)>,
    /// The name of the position (`id`).
    pub id: Option<String>,
    /// All other operations: opcodes and operands.
    pub others: Vec<(String, Vec<Operand>)>,
}

impl From<Board> for Epd {
    /// The position without operations.
    fn from(board: Board) -> Self {
        Self {
            board,
            best: Vec::new(),
            avoid: Vec::new(),
            mate_in: None,
            leaves: Vec::new(),
            id: None,
            others: Vec::new(),
        }
    }
}

/// Reads a suite with one position on each line. Empty lines and lines that begin with `#` are
/// skipped.
pub fn parse_epd(text: &str) -> Result<Vec<Epd>, TextError> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
        .map(|(number, line)| line.parse().map_err(|error: TextError| error.on_line(number + 1)))
        .collect()
}

/// An operand and the number of characters before it.
type Placed = (usize, Operand);

impl Epd {
    fn operation(
        &mut self,
        column: usize,
        code: &str,
        operands: &[Placed],
    ) -> Result<(), TextError> {
        let depth = code.strip_prefix('D').filter(|digits| {
            !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
        });
        match code {
            "bm" => self.best.extend(moves(&self.board, column, operands)?),
            "am" => self.avoid.extend(moves(&self.board, column, operands)?),
            "dm" => self.mate_in = Some(number(column, operands, 1, "moves to mate, 1 or more")?),
            "hmvc" => self.board.half_moves = number(column, operands, 0, "0 to 65535")?,
            "fmvn" => self.board.move_number = number(column, operands, 1, "1 to 65535")?,
            "id" => match operands {
                [(_, operand)] => self.id = Some(operand.text().to_owned()),
                _ => {
                    let found = format!("{} operands", operands.len());
                    let problem = Problem::Expected { found, expected: "one name after id" };
                    return Err(TextError::at(column, problem));
                }
            },
            _ => match depth.and_then(|digits| digits.parse().ok()) {
                Some(depth) => {
                    let leaves = number(column, operands, 0, "a perft total")?;
                    self.leaves.push((depth, leaves));
                }
                None => {
                    let operands = operands.iter().map(|(_, operand)| operand.clone()).collect();
                    self.others.push((code.to_owned(), operands));
                }
            },
        }
        Ok(())
    }
}

fn moves(board: &Board, column: usize, operands: &[Placed]) -> Result<Vec<Move>, TextError> {
    if operands.is_empty() {
        return Err(TextError::at(column, Problem::Missing { expected: "moves such as Nf3" }));
    }
    operands
        .iter()
        .map(|(column, operand)| {
            board.san_move(operand.text()).map_err(|error| error.shifted(*column))
        })
        .collect()
}

fn number<N: FromStr + PartialOrd>(
    column: usize,
    operands: &[Placed],
    least: N,
    expected: &'static str,
) -> Result<N, TextError> {
    let (column, text) = match operands {
        [] => (column, ""),
        [(column, operand), ..] => (*column, operand.text()),
    };
    let only = operands.len() == 1 && text.bytes().all(|digit| digit.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|number| only && *number >= least)
        .ok_or_else(|| TextError::at(column, Problem::Number { found: excerpt(text), expected }))
}

/// Reads the operations, character by character.
struct Reader<'a> {
    rest: &'a str,
    column: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Takes characters while they are wanted.
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|letter| !wanted(letter)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        self.column += taken.chars().count();
        taken
    }

    fn operand(&mut self) -> Result<Option<Placed>, TextError> {
        self.take(char::is_whitespace);
        let column = self.column;
        match self.peek() {
            None => Ok(None),
            Some(';') => {
                self.take_one();
                Ok(None)
            }
            Some('"') => {
                self.take_one();
                let text = self.take(|letter| !"\"\r\n".contains(letter)).to_owned();
                if self.peek() != Some('"') {
                    let problem = Problem::Open { what: "a quotation", expected: '"' };
                    return Err(TextError::at(column, problem));
                }
                self.take_one();
                Ok(Some((column, Operand::Quoted(text))))
            }
            Some(_) => {
                let word = self.take(|letter| !letter.is_whitespace() && !";\"".contains(letter));
                Ok(Some((column, Operand::Word(word.to_owned()))))
            }
        }
    }

    fn take_one(&mut self) {
        let mut letters = self.rest.chars();
        if letters.next().is_some() {
            self.rest = letters.as_str();
            self.column += 1;
        }
    }
}

impl FromStr for Epd {
    type Err = TextError;

    /// Reads one line.
    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut fields = Fields::new(text);
        let mut epd = Self::from(Board::from_fields(&mut fields, &mut Errors::Refused)?);
        let rest = fields.rest();
        let mut reader = Reader { rest, column: fields.column };
        if rest.starts_with(|letter: char| letter.is_ascii_digit()) {
            for (opcode, expected) in
                [("hmvc", "moves since a capture"), ("fmvn", "the move's number")]
            {
                reader.take(char::is_whitespace);
                let column = reader.column;
                let digits = reader.take(|letter| letter.is_ascii_digit()).to_owned();
                if digits.is_empty() {
                    return Err(TextError::at(column, Problem::Missing { expected }));
                }
                epd.operation(column, opcode, &[(column, Operand::Word(digits))])?;
            }
        }
        loop {
            reader.take(|letter| letter.is_whitespace() || letter == ';');
            let column = reader.column;
            let code = reader
                .take(|letter| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-')
                .to_owned();
            if !code.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
                if code.is_empty() && reader.rest.is_empty() {
                    return Ok(epd);
                }
                let found = excerpt(&format!("{code}{}", reader.rest));
                let expected = "an opcode such as bm or id";
                return Err(TextError::at(column, Problem::Expected { found, expected }));
            }
            let mut operands = Vec::new();
            while let Some(operand) = reader.operand()? {
                operands.push(operand);
            }
            epd.operation(column, &code, &operands)?;
        }
    }
}

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = &self.board;
        board.write_fields(f)?;
        if (board.half_moves(), board.move_number()) != (0, 1) {
            write!(f, " hmvc {}; fmvn {};", board.half_moves(), board.move_number())?;
        }
        for (code, moves) in [("bm", &self.best), ("am", &self.avoid)] {
            if !moves.is_empty() {
                write!(f, " {code}")?;
                moves.iter().try_for_each(|&mv| write!(f, " {}", board.san(mv)))?;
                f.write_str(";")?;
            }
        }
        if let Some(moves) = self.mate_in {
            write!(f, " dm {moves};")?;
        }
        for (depth, leaves) in &self.leaves {
            write!(f, " D{depth} {leaves};")?;
        }
        if let Some(id) = &self.id {
            write!(f, " id {};", Quoted(id))?;
        }
        for (code, operands) in &self.others {
            write!(f, " {code}")?;
            for operand in operands {
                match operand {
                    Operand::Word(word) => write!(f, " {word}")?,
                    Operand::Quoted(text) => write!(f, " {}", Quoted(text))?,
                }
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}

/// A text in quotation marks. EPD cannot express a quotation mark or the end of a line inside it.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.0.replace('"', "'").replace(['\n', '\r'], " "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn what_is_written_reads_back() {
        for operations in [
            "",
            " bm e4 d4;",
            " bm Nf3; am f3 g4; dm 5; D1 20; D2 400; id \"a name; with a mark\";",
            " hmvc 3; fmvn 9;",
            " c0 \"a comment\"; acd 12; pv e4 e5 Nf3; noop;",
        ] {
            let text = format!("{START}{operations}");
            let epd: Epd = text.parse().unwrap();
            assert_eq!(epd.to_string(), text);
        }
    }

    #[test]
    fn other_spellings() {
        let fen: Epd = format!("{START} 0 1").parse().unwrap();
        assert_eq!(fen, Epd::from(Board::start()));
        let perft: Epd = format!("{START} 0 1 ;D1 20 ;D2 400").parse().unwrap();
        assert_eq!(perft.leaves, [(1, 20), (2, 400)]);
        let clocks: Epd = format!("{START} 4 7 bm e4;").parse().unwrap();
        assert_eq!((clocks.board.half_moves(), clocks.board.move_number()), (4, 7));
        let suite = parse_epd(&format!("# a comment\n\n{START} id \"x\";\r\n")).unwrap();
        assert_eq!(suite[0].id.as_deref(), Some("x"));
    }

    #[test]
    fn wrong_lines_are_told() {
        for (operations, told) in [
            ("bm e5;", "line 3, column 57: \"e5\" is not a legal move for white"),
            ("bm;", "line 3, column 54: the text ends: expected moves"),
            ("dm 0;", "line 3, column 57: \"0\" is not a number: expected moves to mate"),
            ("D1 x;", "line 3, column 57: \"x\" is not a number: expected a perft total"),
            ("id \"x;", "line 3, column 57: a quotation is not closed"),
            ("=3;", "line 3, column 54: found \"=3;\": expected an opcode"),
            ("0 x", "line 3, column 56: the text ends: expected the move's number"),
        ] {
            let error = parse_epd(&format!("# one\n\n{START} {operations}")).unwrap_err();
            assert!(error.to_string().starts_with(told), "{operations}: {error}");
        }
    }
}
