//! GGF, the Generic Game Format of the Othello servers.
//!
//! `(;GM[Othello]PB[black]PW[white]TY[8]BO[8 ---…--- *]B[F5/1.5/0.3]W[D6]…;)`: tags with values, the
//! first board, then the moves, each with an optional evaluation and an optional time in seconds.
//! Passes are written (`PA`); a pass that a file leaves out is inserted. A closing bracket or a
//! backslash inside a value has a backslash before it.

use std::fmt;
use std::str::FromStr;

use super::error::{Problem, TextError};
use super::notation::{excerpt, read_position};
use super::position::{Disc, Position};
use crate::grid::{NotASquare, Square};
use crate::text::Tags;

/// A move of a GGF game.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct GgfMove {
    /// The move; `None` is a pass.
    pub square: Option<Square>,
    /// The player's own evaluation of it, in discs.
    pub evaluation: Option<f64>,
    /// The time it took, in seconds.
    pub seconds: Option<f64>,
}

/// A game of Othello in GGF: its tags, its first position and its moves. The moves are legal, and
/// passes are among them.
///
/// ```
/// use plyground_games::othello::GgfGame;
///
/// let game: GgfGame = "(;GM[Othello]PB[first]PW[second]TY[8]B[F5/0.5/12]W[D6];)".parse()?;
/// assert_eq!(game.tag("PB"), Some("first"));
/// assert_eq!(game.moves()[0].seconds, Some(12.0));
/// assert_eq!(game.end().board.empties().len(), 58);
/// # Ok::<(), plyground_games::othello::TextError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct GgfGame {
    tags: Tags,
    start: Position,
    moves: Vec<GgfMove>,
    end: Position,
}

/// The tags that [`GgfGame`] writes itself.
const OWN_TAGS: [&str; 4] = ["GM", "BO", "B", "W"];

impl GgfGame {
    /// A game in which no move has been played yet.
    #[must_use]
    pub const fn new(start: Position) -> Self {
        Self { tags: Tags::new(), start, moves: Vec::new(), end: start }
    }

    /// The position that the game begins with.
    #[must_use]
    pub const fn start(&self) -> Position {
        self.start
    }

    /// The position after the last move.
    #[must_use]
    pub const fn end(&self) -> Position {
        self.end
    }

    /// The moves, passes included.
    #[must_use]
    pub fn moves(&self) -> &[GgfMove] {
        &self.moves
    }

    /// The value of a tag such as `PB`, the black player's name.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name)
    }

    /// All tags in order, except those of the game's kind, the board and the moves.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter()
    }

    /// Sets a tag, whose name must be in capital letters. The tags of the game's kind, the board and the
    /// moves cannot be set.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), Problem> {
        let letters = !name.is_empty() && name.bytes().all(|letter| letter.is_ascii_uppercase());
        if !letters || OWN_TAGS.contains(&name) {
            let found = format!("{:?}", excerpt(name));
            return Err(Problem::Expected {
                found,
                expected: "a tag such as PB, in capital letters",
            });
        }
        self.tags.set(name, value);
        Ok(())
    }

    /// Plays a move or a pass of the side to move.
    pub fn play(&mut self, played: GgfMove) -> Result<(), Problem> {
        let Position { board, side } = self.end;
        let next = match played.square {
            None if board.must_pass() => Some(self.end.pass()),
            None => None,
            Some(square) => self.end.play(square),
        };
        match (next, played.square) {
            (Some(next), _) => {
                self.end = next;
                self.moves.push(played);
                Ok(())
            }
            (None, square) if board.is_over() => {
                let found = square.map_or("a pass".to_owned(), |square| square.to_string());
                Err(Problem::Over { found })
            }
            (None, None) => Err(Problem::Pass { side, legal: board.moves().to_string() }),
            (None, Some(square)) => {
                Err(Problem::Illegal { square, side, legal: board.moves().to_string() })
            }
        }
    }

    /// Reads all games of a text. A number before a game, as servers write it, is skipped.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, TextError> {
        let mut cursor = Cursor::new(text);
        let mut games = Vec::new();
        loop {
            cursor.skip_spaces();
            while cursor.peek().is_some_and(|letter| letter.is_ascii_digit()) {
                cursor.next();
            }
            cursor.skip_spaces();
            if cursor.peek().is_none() {
                return Ok(games);
            }
            games.push(cursor.game()?);
        }
    }

    /// Plays a move of the side that the record names, after inserting a pass that it leaves out.
    fn play_by(&mut self, side: Disc, played: GgfMove) -> Result<(), Problem> {
        if side != self.end.side && self.end.board.must_pass() {
            self.play(GgfMove::default())?;
        }
        if side != self.end.side {
            return Err(Problem::Turn { found: side, expected: self.end.side });
        }
        self.play(played)
    }
}

impl FromStr for GgfGame {
    type Err = TextError;

    /// Reads a text that contains one game and nothing else.
    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut cursor = Cursor::new(text);
        cursor.skip_spaces();
        let game = cursor.game()?;
        cursor.skip_spaces();
        match cursor.peek() {
            None => Ok(game),
            Some(_) => Err(cursor.error(Problem::Trailing { found: excerpt(cursor.rest) })),
        }
    }
}

impl fmt::Display for GgfGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(;GM[Othello]")?;
        for (tag, value) in self.tags.iter() {
            write!(f, "{tag}[{}]", value.replace('\\', "\\\\").replace(']', "\\]"))?;
        }
        // GGF writes black as an asterisk.
        write!(f, "BO[8 {}]", self.start.to_string().replace('X', "*"))?;
        let mut side = self.start.side;
        for played in &self.moves {
            let square = played.square.map_or("PA".to_owned(), |square| square.to_string());
            let letter = if side == Disc::Black { 'B' } else { 'W' };
            write!(f, "{letter}[{}", square.to_uppercase())?;
            match (played.evaluation, played.seconds) {
                (None, None) => f.write_str("]")?,
                (Some(evaluation), None) => write!(f, "/{evaluation}]")?,
                (None, Some(seconds)) => write!(f, "//{seconds}]")?,
                (Some(evaluation), Some(seconds)) => write!(f, "/{evaluation}/{seconds}]")?,
            }
            side = side.other();
        }
        f.write_str(";)")
    }
}

/// A place in a text with its line and column.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Cursor<'a> {
    const fn new(text: &'a str) -> Self {
        Self { rest: text, line: 1, column: 1 }
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.rest = &self.rest[letter.len_utf8()..];
        if letter == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(letter)
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    const fn error(&self, problem: Problem) -> TextError {
        TextError { line: self.line, column: self.column, problem }
    }

    /// The error that something else belongs here.
    fn unexpected(&self, expected: &'static str) -> TextError {
        let found =
            self.peek().map_or("the end of the text".to_owned(), |found| format!("{found:?}"));
        self.error(Problem::Expected { found, expected })
    }

    fn expect(&mut self, letter: char, expected: &'static str) -> Result<(), TextError> {
        if self.peek() != Some(letter) {
            return Err(self.unexpected(expected));
        }
        self.next();
        Ok(())
    }

    /// Reads `(;`, tags and `;)`.
    fn game(&mut self) -> Result<GgfGame, TextError> {
        self.expect('(', "(; at the beginning of a game")?;
        self.expect(';', "(; at the beginning of a game")?;
        // Servers leave the board out only if it is the usual start position.
        let mut game = GgfGame::new(Position::start());
        loop {
            self.skip_spaces();
            if self.peek() == Some(';') {
                self.next();
                self.expect(')', ";) at the end of a game")?;
                return Ok(game);
            }
            let at = *self;
            let mut name = String::new();
            while let Some(letter) = self.peek().filter(char::is_ascii_alphabetic) {
                name.push(letter.to_ascii_uppercase());
                self.next();
            }
            if name.is_empty() {
                return Err(self.unexpected("a tag such as PB, or ;) at the end of the game"));
            }
            self.skip_spaces();
            self.expect('[', "[ and the tag's value")?;
            let inside = *self;
            let value = self.value()?;
            read_tag(&mut game, &name, &value, &at, &inside)?;
        }
    }

    /// Reads up to the closing bracket, which is skipped.
    fn value(&mut self) -> Result<String, TextError> {
        let mut value = String::new();
        loop {
            match self.next() {
                Some(']') => return Ok(value),
                Some('\\') => value.extend(self.next()),
                Some(letter) => value.push(letter),
                None => return Err(self.unexpected("] at the end of a value")),
            }
        }
    }
}

fn read_tag(
    game: &mut GgfGame,
    name: &str,
    value: &str,
    at: &Cursor<'_>,
    inside: &Cursor<'_>,
) -> Result<(), TextError> {
    match name {
        "GM" if value.trim().eq_ignore_ascii_case("othello") => Ok(()),
        "GM" => Err(inside.error(Problem::Unsupported {
            tag: "GM",
            found: excerpt(value),
            expected: "Othello",
        })),
        "BO" if !game.moves.is_empty() => {
            let expected = "the board before the moves";
            Err(at.error(Problem::Expected { found: "BO after a move".to_owned(), expected }))
        }
        "BO" => {
            let position = board(value).map_err(|problem| inside.error(problem))?;
            (game.start, game.end) = (position, position);
            Ok(())
        }
        "B" | "W" => {
            let side = if name == "B" { Disc::Black } else { Disc::White };
            let played = played(value).map_err(|problem| inside.error(problem))?;
            game.play_by(side, played).map_err(|problem| inside.error(problem))
        }
        _ => {
            let size: String = value.chars().take_while(char::is_ascii_digit).collect();
            if name == "TY" && size != "8" {
                let found = excerpt(value);
                let problem =
                    Problem::Unsupported { tag: "TY", found, expected: "a board of size 8" };
                return Err(inside.error(problem));
            }
            game.set_tag(name, value).map_err(|problem| at.error(problem))
        }
    }
}

/// Reads `8`, then 64 squares with or without spaces between the rows, and the side to move.
fn board(value: &str) -> Result<Position, Problem> {
    let Some(squares) = value.trim_start().strip_prefix('8') else {
        let found = excerpt(value);
        return Err(Problem::Unsupported { tag: "BO", found, expected: "a board of size 8" });
    };
    let squares: String = squares.chars().filter(|letter| !letter.is_whitespace()).collect();
    let (position, rest, _) = read_position(&squares).map_err(|error| error.problem)?;
    if !rest.is_empty() {
        return Err(Problem::Trailing { found: excerpt(rest) });
    }
    Ok(position)
}

/// Reads a square or a pass, then an evaluation and a time, which may be missing.
fn played(value: &str) -> Result<GgfMove, Problem> {
    let mut fields = value.splitn(3, '/');
    let text = fields.next().unwrap_or("").trim();
    let square = match text {
        pass if ["pa", "pass", "ps", "--"].iter().any(|word| pass.eq_ignore_ascii_case(word)) => {
            None
        }
        _ => Some(text.parse().map_err(|_: NotASquare| Problem::Move { found: excerpt(text) })?),
    };
    let mut number = || match fields.next().map(str::trim) {
        None | Some("") => Ok(None),
        Some(text) => match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Some(number)),
            _ => Err(Problem::Number { found: excerpt(text) }),
        },
    };
    Ok(GgfMove { square, evaluation: number()?, seconds: number()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "(;GM[Othello]PC[GGS/os]PB[one]PW[t\\]w\\\\o]RE[?]TI[5:00]TY[8]BO[8 \
        ---------------------------O*------*O--------------------------- *]\
        B[F5/1.5/0.25]W[D6//2]B[C3/-4]W[D3];)";

    #[test]
    fn games_read_back() {
        let game: GgfGame = GAME.parse().unwrap();
        assert_eq!(game.to_string(), GAME);
        assert_eq!(game.tag("PW"), Some("t]w\\o"));
        assert_eq!(game.moves().len(), 4);
        assert_eq!(game.moves()[0].seconds, Some(0.25));
        assert_eq!(game.end().side, Disc::Black);
        let two = format!("2 {GAME}\n 1 {GAME}\n");
        assert_eq!(GgfGame::parse_all(&two).map(|games| games.len()), Ok(2));
        let rows = GAME.replace("O*------*O", "O*--- ---*O").replace("B[F5/1.5/0.25]", " b[f5] ");
        assert_eq!(rows.parse::<GgfGame>().unwrap().end(), game.end());
    }

    /// So many tags, and so long ones, that looking at all of them for each would not end.
    #[test]
    fn many_tags_and_long_ones_are_read_once() {
        let letter = |number: u32| char::from(b'A' + (number % 26) as u8);
        let name = |n: u32| [n, n / 26, n / 676, n / 17_576].map(letter).iter().collect::<String>();
        let tags: String = (0..450_000).map(|number| name(number) + "[]").collect();
        let long = "x\\]".repeat(5_000_000);
        let game: GgfGame = format!("(;GM[Othello]{tags}LONGEST[{long}];)").parse().unwrap();
        assert_eq!(game.tags().count(), 450_001);
        assert_eq!(game.tag("LONGEST").map(str::len), Some(10_000_000));
    }

    #[test]
    fn passes_are_put_in() {
        // Each move is the first legal one: such a game soon contains passes.
        let mut game = GgfGame::new(Position::start());
        while !game.end().board.is_over() {
            let square = game.end().board.moves().first();
            game.play(GgfMove { square, ..GgfMove::default() }).unwrap();
        }
        let written = game.to_string();
        let implied = written.replace("B[PA]", "").replace("W[PA]", "");
        assert!(implied.len() < written.len(), "{written}");
        assert_eq!(implied.parse(), Ok(game));
    }

    #[test]
    fn wrong_games_are_told() {
        let told = |text: &str| text.parse::<GgfGame>().unwrap_err().to_string();
        assert!(told("").contains("found the end of the text: expected (;"));
        assert!(told("(;GM[Chess];)").contains("GM[Chess] is not supported: expected Othello"));
        assert!(told("(;TY[10];)").contains("size 8"));
        assert!(told("(;BO[6 --];)").contains("size 8"));
        assert!(told("(;BO[8 --- *];)").contains("the board ends after 4 squares"));
        assert_eq!(
            told("(;PB[x]\n  B[A1];)").split(": ").next(),
            Some("line 2, column 5"),
            "the place of the wrong move"
        );
        assert!(told("(;W[F5];)").contains("white moves out of turn: expected a move by black"));
        assert!(told("(;B[F5/x];)").contains("\"x\" is not a number"));
        assert!(told("(;B[F5/inf];)").contains("\"inf\" is not a number"));
        assert!(told("(;PB[x").contains("expected ] at the end of a value"));
        assert!(told("(;B[F5]B[D6];)").contains("out of turn"));
        assert!(told(&format!("{GAME}x")).contains("\"x\" follows"));
        let mut game = GgfGame::new(Position::start());
        assert!(game.set_tag("B", "f5").is_err() && game.set_tag("pb", "x").is_err());
    }
}
