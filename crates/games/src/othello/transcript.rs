//! Transcripts: games as strings of moves, `f5d6c3…`.
//!
//! A pass is forced, so it is usually left out. Where one is written (`pa`, `ps`, `pass` or `--`), the
//! side to move must have no move. Spaces between moves are allowed, and numbers before them, as in
//! `1.f5 2.d6`. Every move must be legal.

use std::fmt;
use std::str::FromStr;

use super::error::{Problem, TextError};
use super::position::Position;
use crate::grid::Square;

/// A sequence of legal moves, from the start position or from another one.
///
/// ```
/// use plyground_games::othello::{Disc, Transcript};
///
/// let game: Transcript = "F5 d6 c3".parse()?;
/// assert_eq!(game.to_string(), "f5d6c3");
/// assert_eq!(game.end().side, Disc::White);
/// assert!("f5a1".parse::<Transcript>().is_err());
/// # Ok::<(), plyground_games::othello::TextError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transcript {
    start: Position,
    moves: Vec<Square>,
    end: Position,
}

impl Transcript {
    /// A game in which no move has been played yet.
    #[must_use]
    pub const fn new(start: Position) -> Self {
        Self { start, moves: Vec::new(), end: start }
    }

    /// Reads moves from a position other than the start.
    pub fn parse_from(start: Position, text: &str) -> Result<Self, TextError> {
        let mut game = Self::new(start);
        let mut passed = false;
        let mut letters =
            text.chars().enumerate().filter(|(_, letter)| !letter.is_whitespace()).peekable();
        while let Some((column, letter)) = letters.next() {
            if letter.is_ascii_digit() {
                let mut found = String::from(letter);
                while let Some((_, digit)) = letters.next_if(|(_, next)| next.is_ascii_digit()) {
                    found.push(digit);
                }
                if letters.next_if(|(_, next)| *next == '.').is_none() {
                    found.truncate(9);
                    return Err(TextError::within(text, column, Problem::Move { found }));
                }
                while letters.next_if(|(_, next)| *next == '.').is_some() {}
                continue;
            }
            let second = letters.next().map(|(_, letter)| letter);
            let found: String = std::iter::once(letter).chain(second).collect();
            if ["pa", "ps", "--"].iter().any(|pass| found.eq_ignore_ascii_case(pass)) {
                // The word may also be written out.
                for expected in ['s', 's'] {
                    letters.next_if(|(_, letter)| {
                        found.eq_ignore_ascii_case("pa") && letter.eq_ignore_ascii_case(&expected)
                    });
                }
                if passed {
                    let found = found.clone();
                    return Err(TextError::within(text, column, Problem::Over { found }));
                }
                game.pass().map_err(|problem| TextError::within(text, column, problem))?;
                passed = true;
                continue;
            }
            let square =
                second.and_then(|row| Square::from_letters(letter.to_ascii_lowercase(), row));
            let Some(square) = square else {
                return Err(TextError::within(text, column, Problem::Move { found }));
            };
            game.play(square).map_err(|problem| TextError::within(text, column, problem))?;
            passed = false;
        }
        Ok(game)
    }

    /// Plays a move, after a pass if the side to move must pass.
    pub fn play(&mut self, square: Square) -> Result<(), Problem> {
        let before = self.end.after_pass();
        let Some(next) = before.play(square) else {
            if before.board.is_over() {
                return Err(Problem::Over { found: square.to_string() });
            }
            let legal = before.board.moves().to_string();
            return Err(Problem::Illegal { square, side: before.side, legal });
        };
        self.moves.push(square);
        self.end = next;
        Ok(())
    }

    /// Passes, if the side to move must pass.
    fn pass(&mut self) -> Result<(), Problem> {
        if self.end.board.must_pass() {
            self.end = self.end.pass();
            return Ok(());
        }
        if self.end.board.is_over() {
            return Err(Problem::Over { found: "a pass".to_owned() });
        }
        Err(Problem::Pass { side: self.end.side, legal: self.end.board.moves().to_string() })
    }

    /// The position that the game begins with.
    #[must_use]
    pub const fn start(&self) -> Position {
        self.start
    }

    /// The moves, without passes.
    #[must_use]
    pub fn moves(&self) -> &[Square] {
        &self.moves
    }

    /// The position after the last move, and after a pass if one is forced: unless the game is over,
    /// the side to move has a move.
    #[must_use]
    pub fn end(&self) -> Position {
        self.end.after_pass()
    }

    /// Every position in which a move was played, with the move.
    pub fn steps(&self) -> impl Iterator<Item = (Position, Square)> {
        self.moves.iter().scan(self.start, |position, &square| {
            let before = position.after_pass();
            *position = before.play(square)?;
            Some((before, square))
        })
    }
}

impl FromStr for Transcript {
    type Err = TextError;

    /// Reads a game from the start position.
    fn from_str(text: &str) -> Result<Self, TextError> {
        Self::parse_from(Position::start(), text)
    }
}

impl fmt::Display for Transcript {
    /// The moves without spaces and without passes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.moves.iter().try_for_each(|square| write!(f, "{square}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shortest game: Black takes every disc in nine moves, so White never moves again.
    const SHORTEST: &str = "e6f4e3f6g5d6e7f5c5";

    #[test]
    fn the_shortest_game() {
        let game: Transcript = SHORTEST.parse().unwrap();
        assert_eq!(game.to_string(), SHORTEST);
        assert_eq!(game.moves().len(), 9);
        assert!(game.end().board.is_over());
        assert_eq!(game.end().board.final_score().abs(), 64);
        assert_eq!(game.steps().count(), 9);
        assert_eq!("E6 f4\te3 F6 g5d6 e7f5c5".parse(), Ok(game));
    }

    #[test]
    fn moves_may_be_numbered() {
        let game: Transcript = "f5d6c3".parse().unwrap();
        for text in ["1.f5 2.d6 3.c3", "1. f5 2. d6 3. c3", "1. f5 d6\n2. c3", "1.f5d6 2... c3 3."]
        {
            assert_eq!(text.parse().as_ref(), Ok(&game), "{text}");
        }
        let told = |text: &str| text.parse::<Transcript>().unwrap_err().to_string();
        assert!(
            told("1.f5 2 d6").contains("column 6: \"2\" is not a move"),
            "{}",
            told("1.f5 2 d6")
        );
        assert!(told("f55").contains("\"5\" is not a move"));
        assert!(told(&"7".repeat(1000)).len() < 200);
    }

    #[test]
    fn passes_may_be_written() {
        // Each quiet move is the first legal one: such games soon contain passes.
        let mut position = Position::start();
        let (mut implied, mut explicit, mut passes) = (String::new(), String::new(), 0);
        while !position.board.is_over() {
            if position.board.must_pass() {
                explicit += ["pa", "--", "PS", "pass"][passes % 4];
                passes += 1;
                position = position.pass();
            }
            let square = position.board.moves().first().unwrap();
            implied += &square.to_string();
            explicit += &square.to_string();
            position = position.play(square).unwrap();
        }
        assert!(passes > 0);
        let game: Transcript = explicit.parse().unwrap();
        assert_eq!(game.to_string(), implied);
        assert_eq!(implied.parse(), Ok(game));
    }

    #[test]
    fn wrong_moves_are_told() {
        let told = |text: &str| text.parse::<Transcript>().unwrap_err().to_string();
        assert_eq!(
            told("f5d6 a1"),
            "line 1, column 6: a1 is not a legal move for black: expected one of c3 d3 e3 f3 g3"
                .replace(
                    "c3 d3 e3 f3 g3",
                    &"f5d6".parse::<Transcript>().unwrap().end().board.moves().to_string()
                )
        );
        assert!(told("f5pa").starts_with("line 1, column 3: white may not pass"));
        assert!(told("f5d").contains("\"d\" is not a move"));
        assert!(told("f5\u{1f600}6").contains("column 3"));
        assert!(told(&format!("{SHORTEST}a1")).contains("follows the end of the game"));
        assert!(told(&format!("{SHORTEST}--")).contains("follows the end of the game"));
    }
}
