//! PGN, Portable Game Notation: games with their tags.
//!
//! `[White "Anderssen"] … 1. e4 e5 2. f4 exf4 … 1-0`. Tags and the moves of the game are read, and what is
//! said about the moves is kept: comments, annotation glyphs (`$1`, `!?`) and variations, whose moves are
//! not looked at. Written are the seven tags that every game has, the other tags, and the moves with all
//! that was said about them, in lines of at most 80 characters.

mod writing;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use super::board::Board;
use super::error::{Problem, TextError, excerpt};
use super::moves::Move;
use crate::text::Tags;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// White has won: `1-0`.
    WhiteWins,
    /// Black has won: `0-1`.
    BlackWins,
    /// The game is drawn: `1/2-1/2`.
    Draw,
    /// The game is not finished, or its result is unknown: `*`.
    #[default]
    Open,
}

impl GameResult {
    /// All results.
    pub const ALL: [Self; 4] = [Self::WhiteWins, Self::BlackWins, Self::Draw, Self::Open];

    /// The result as PGN writes it.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Open => "*",
        }
    }

    fn from_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|result| result.text() == text)
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.text())
    }
}

/// The tags that every game has, in their order, each with the value that means unknown.
const ROSTER: [(&str, &str); 6] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
];

/// Something that is said about a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PgnNote {
    /// A glyph by its number: 1 is `!`, 2 is `?`, 4 is `??`.
    Glyph(u8),
    /// A comment, without its braces.
    Comment(String),
    /// Another line of play, without its parentheses: moves, comments and further variations, as they
    /// were written.
    Variation(String),
}

impl PgnNote {
    fn is_glyph(&self) -> bool {
        matches!(self, PgnNote::Glyph(_))
    }

    /// A comment as words with single spaces between them, and without braces, which would end it; `None` if
    /// nothing is left.
    fn cleaned(self) -> Option<PgnNote> {
        let PgnNote::Comment(text) = self else { return Some(self) };
        let text = text.replace(['{', '}'], "");
        let words: Vec<&str> = text.split_whitespace().collect();
        (!words.is_empty()).then(|| PgnNote::Comment(words.join(" ")))
    }
}

/// The glyphs that are written behind a move, with their numbers.
const GLYPHS: [(&str, u8); 6] = [("!", 1), ("?", 2), ("!!", 3), ("??", 4), ("!?", 5), ("?!", 6)];

/// The tags that [`PgnGame`] writes itself.
const OWN_TAGS: [&str; 3] = ["Result", "SetUp", "FEN"];

/// A game of chess in PGN: its tags, its first position, its moves and its result. The moves are
/// legal.
///
/// ```
/// use plyground_games::chess::{GameResult, PgnGame};
///
/// let game: PgnGame = "[White \"Someone\"]\n\n1. f3 e5 2. g4 Qh4# 0-1".parse()?;
/// assert_eq!(game.tag("White"), Some("Someone"));
/// assert_eq!(game.moves().len(), 4);
/// assert_eq!(game.result, GameResult::BlackWins);
/// # Ok::<(), plyground_games::chess::TextError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnGame {
    tags: Tags,
    start: Board,
    moves: Vec<Move>,
    /// What is said about a move, by how many moves were played then; 0 is before the first.
    notes: BTreeMap<usize, Vec<PgnNote>>,
    end: Board,
    /// How the game ended.
    pub result: GameResult,
}

impl PgnGame {
    /// A game in which no move has been played yet.
    #[must_use]
    pub const fn new(start: Board) -> Self {
        Self {
            tags: Tags::new(),
            start,
            moves: Vec::new(),
            notes: BTreeMap::new(),
            end: start,
            result: GameResult::Open,
        }
    }

    /// The position that the game begins with.
    #[must_use]
    pub const fn start(&self) -> &Board {
        &self.start
    }

    /// The position after the last move.
    #[must_use]
    pub const fn end(&self) -> &Board {
        &self.end
    }

    /// The moves.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The value of a tag such as `White`.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name)
    }

    /// All tags in order, except those of the result and the first position.
    pub fn tags(&self) -> impl Iterator<Item = (&str, &str)> {
        self.tags.iter()
    }

    /// Sets a tag. The tags of the result and the first position cannot be set: they are written from
    /// the game itself.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), Problem> {
        let word = name.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'_');
        if name.is_empty() || !word || OWN_TAGS.contains(&name) {
            let expected = "a tag of letters, digits and _, and not Result, SetUp or FEN";
            return Err(Problem::Expected { found: excerpt(name), expected });
        }
        self.tags.set(name, value);
        Ok(())
    }

    /// Plays a move of the side to move.
    pub fn play(&mut self, mv: Move) -> Result<(), Problem> {
        match self.end.try_play(mv) {
            Some(next) => {
                self.end = next;
                self.moves.push(mv);
                Ok(())
            }
            None => Err(self.end.illegal(&mv.to_string())),
        }
    }

    /// Says something about the last move, or about the game before its first move.
    pub fn note(&mut self, note: PgnNote) {
        self.note_at(self.moves.len(), note);
    }

    /// Says something about the move after which `plies` moves were played. A glyph stands next to
    /// its move, before all that is said already. A comment is kept as words with single spaces between
    /// them, and without braces, which would end it; if nothing is left, nothing is said.
    pub fn note_at(&mut self, plies: usize, note: PgnNote) {
        let Some(note) = note.cleaned() else { return };
        let notes = self.notes.entry(plies).or_default();
        let glyphs = notes.partition_point(PgnNote::is_glyph);
        notes.insert(if note.is_glyph() { glyphs } else { notes.len() }, note);
    }

    /// Adds what a text says about the last move; the glyphs come to their places in
    /// [`order_notes`](Self::order_notes).
    fn read_note(&mut self, note: PgnNote) {
        if let Some(note) = note.cleaned() {
            self.notes.entry(self.moves.len()).or_default().push(note);
        }
    }

    /// Puts the glyphs before all else that is said about their move. Once for a game: a file may say a
    /// million things about one move.
    fn order_notes(&mut self) {
        self.notes.values_mut().for_each(|notes| notes.sort_by_key(|note| !note.is_glyph()));
    }

    /// What is said about the move after which `plies` moves were played; 0 is before the first move.
    #[must_use]
    pub fn notes(&self, plies: usize) -> &[PgnNote] {
        self.notes.get(&plies).map_or(&[], Vec::as_slice)
    }

    /// Reads all games of a text.
    pub fn parse_all(text: &str) -> Result<Vec<Self>, TextError> {
        let mut reader = Reader::new(text);
        let mut games = Vec::new();
        loop {
            // What is said before a game belongs to it.
            let mut ahead = reader;
            ahead.skip()?;
            if ahead.peek().is_none() {
                return Ok(games);
            }
            games.push(reader.game()?);
        }
    }
}

impl FromStr for PgnGame {
    type Err = TextError;

    /// Reads a text that contains one game and nothing else.
    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut reader = Reader::new(text);
        let game = reader.game()?;
        reader.skip()?;
        match reader.peek() {
            None => Ok(game),
            Some(_) => Err(reader.error(Problem::Trailing { found: excerpt(reader.rest) })),
        }
    }
}

/// A place in a text with its line and column.
#[derive(Clone, Copy)]
struct Reader<'a> {
    rest: &'a str,
    line: usize,
    /// The number of characters before it on its line.
    column: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text.strip_prefix('\u{feff}').unwrap_or(text), line: 1, column: 0 }
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let mut letters = self.rest.chars();
        let letter = letters.next()?;
        self.rest = letters.as_str();
        if letter == '\n' {
            self.line += 1;
            self.column = 0;
        } else {
            self.column += 1;
        }
        Some(letter)
    }

    /// Takes characters while they are wanted.
    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let before = self.rest;
        while self.peek().is_some_and(&wanted) {
            self.next();
        }
        &before[..before.len() - self.rest.len()]
    }

    fn error(&self, problem: Problem) -> TextError {
        TextError { line: self.line, column: self.column + 1, problem }
    }

    /// Skips spaces and comments.
    fn skip(&mut self) -> Result<(), TextError> {
        self.comments(&mut |_| {})
    }

    /// Skips spaces, and takes comments.
    fn comments(&mut self, found: &mut dyn FnMut(&str)) -> Result<(), TextError> {
        loop {
            match self.peek() {
                Some('%') if self.column == 0 => {
                    self.take(|letter| letter != '\n');
                }
                Some(';') => {
                    self.next();
                    found(&self.take(|letter| letter != '\n').replace(['{', '}'], ""));
                }
                Some('{') => {
                    let start = *self;
                    self.next();
                    found(self.take(|letter| letter != '}'));
                    if self.next().is_none() {
                        let problem = Problem::Open { what: "a comment", expected: '}' };
                        return Err(start.error(problem));
                    }
                }
                Some(letter) if letter.is_whitespace() => {
                    self.next();
                }
                _ => return Ok(()),
            }
        }
    }

    /// Takes a variation with the variations inside it, however deeply nested: its text without the
    /// outer parentheses, in words with single spaces between them.
    fn variation(&mut self) -> Result<String, TextError> {
        let start = *self;
        let mut depth = 0usize;
        let mut text = String::new();
        loop {
            let spaced = self.peek().is_some_and(|letter| letter.is_whitespace() || letter == ';');
            self.comments(&mut |comment| {
                let words: Vec<&str> = comment.split_whitespace().collect();
                text += &format!(" {{{}}} ", words.join(" "));
            })?;
            if spaced && !text.ends_with(' ') {
                text.push(' ');
            }
            match self.next() {
                Some('(') => {
                    depth += 1;
                    text.push('(');
                }
                Some(')') => {
                    depth = depth.saturating_sub(1);
                    text.push(')');
                }
                Some(letter) => text.push(letter),
                None => {
                    let problem = Problem::Open { what: "a variation", expected: ')' };
                    return Err(start.error(problem));
                }
            }
            if depth == 0 {
                let inner = text.get(1..text.len() - 1).unwrap_or("");
                let words: Vec<&str> = inner.split_whitespace().collect();
                return Ok(words.join(" ").replace("( ", "(").replace(" )", ")"));
            }
        }
    }

    /// Skips spaces, and keeps comments as notes on the last move.
    fn keep_comments(&mut self, game: &mut PgnGame) -> Result<(), TextError> {
        self.comments(&mut |comment| game.read_note(PgnNote::Comment(comment.into())))
    }

    fn game(&mut self) -> Result<PgnGame, TextError> {
        let mut game = self.unordered_game()?;
        game.order_notes();
        Ok(game)
    }

    /// A game whose notes are in the order of the text.
    fn unordered_game(&mut self) -> Result<PgnGame, TextError> {
        let mut game = PgnGame::new(Board::start());
        self.keep_comments(&mut game)?;
        while self.peek() == Some('[') {
            self.tag(&mut game)?;
            self.keep_comments(&mut game)?;
        }
        loop {
            self.keep_comments(&mut game)?;
            match self.peek() {
                // The next game begins. If the result is missing here, its tag may have given it.
                None | Some('[') => return Ok(game),
                Some('(') => {
                    let variation = self.variation()?;
                    game.read_note(PgnNote::Variation(variation));
                }
                Some('$') => {
                    self.next();
                    let number = self.take(|letter| letter.is_ascii_digit());
                    if let Ok(number) = number.parse() {
                        game.read_note(PgnNote::Glyph(number));
                    }
                }
                Some(')' | '}' | ']') => {
                    let found = excerpt(self.rest);
                    let expected = "a move or a result such as 1-0";
                    return Err(self.error(Problem::Expected { found, expected }));
                }
                Some(_) => {
                    if let Some(result) = self.word(&mut game)? {
                        game.result = result;
                        return Ok(game);
                    }
                }
            }
        }
    }

    /// A tag and its value: `[White "Anderssen"]`.
    fn tag(&mut self, game: &mut PgnGame) -> Result<(), TextError> {
        let spaces = |letter: char| letter.is_whitespace();
        let expected = |reader: &Self, expected| {
            let found = excerpt(reader.rest.lines().next().unwrap_or(""));
            reader.error(Problem::Expected { found, expected })
        };
        self.next();
        self.take(spaces);
        let start = *self;
        let name = self.take(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        if name.is_empty() {
            return Err(expected(self, "a tag such as White"));
        }
        self.take(spaces);
        if self.peek() != Some('"') {
            return Err(expected(self, "the tag's value in quotation marks"));
        }
        let quote = *self;
        self.next();
        let inside = *self;
        let mut value = String::new();
        loop {
            match self.next() {
                Some('"') => break,
                Some('\\') => value.extend(self.next()),
                Some(letter) => value.push(letter),
                None => {
                    let problem = Problem::Open { what: "a quotation", expected: '"' };
                    return Err(quote.error(problem));
                }
            }
        }
        self.take(spaces);
        if self.peek() != Some(']') {
            return Err(expected(self, "] after the tag's value"));
        }
        self.next();
        match name {
            "SetUp" => {}
            "Result" => game.result = GameResult::from_text(&value).unwrap_or_default(),
            "FEN" => {
                let board = Board::from_fen(&value)
                    .map_err(|error| error.shifted(inside.column).on_line(inside.line))?;
                (game.start, game.end) = (board, board);
            }
            _ => game.set_tag(name, &value).map_err(|problem| start.error(problem))?,
        }
        Ok(())
    }

    /// A move, a move number or a result; the result ends the game.
    fn word(&mut self, game: &mut PgnGame) -> Result<Option<GameResult>, TextError> {
        let mut start = *self;
        let mut word = self.take(|letter| !letter.is_whitespace() && !"{}()[];$".contains(letter));
        if let Some(result) = GameResult::from_text(word) {
            return Ok(Some(result));
        }
        // `12.e4` and `12...e5`: the move number is not needed.
        let digits = start.take(|letter| letter.is_ascii_digit());
        let dots = start.take(|letter| letter == '.' || letter == '…');
        let numbered = !dots.is_empty() || digits.len() == word.len();
        if numbered {
            word = &word[digits.len() + dots.len()..];
        } else if !digits.is_empty() {
            // Castling written with zeros: these digits belong to the word.
            start.column -= digits.len();
        }
        if word.is_empty()
            || word == "e.p."
            || word.trim_start_matches(['!', '?', '+', '#', '=']).is_empty()
        {
            return Ok(None);
        }
        let mv = game.end.san_move(word).map_err(|error| start.error(error.problem))?;
        game.end = game.end.play(mv);
        game.moves.push(mv);
        let said = &word[word.trim_end_matches(['!', '?']).len()..];
        if let Some((_, glyph)) = GLYPHS.iter().find(|(text, _)| *text == said) {
            game.read_note(PgnNote::Glyph(*glyph));
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests;
