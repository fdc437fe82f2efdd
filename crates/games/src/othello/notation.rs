//! Positions as text: 64 characters for the squares from a1 to h8, a space and the side to move.

use std::fmt;
use std::str::FromStr;

use super::board::Board;
use super::error::{Problem, TextError};
use super::position::{Disc, Position};
use crate::grid::{Square, Squares};

/// The beginning of what was found, for messages.
pub(super) fn excerpt(text: &str) -> String {
    text.chars().take(16).collect()
}

impl Disc {
    /// The colour that a letter stands for: `X`, `x` or `*` for black, `O` or `o` for white.
    pub(super) const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'X' | 'x' | '*' => Some(Self::Black),
            'O' | 'o' => Some(Self::White),
            _ => None,
        }
    }
}

impl FromStr for Disc {
    type Err = TextError;

    /// Reads `X` (or `x`, `*`) or `O` (or `o`).
    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut letters = text.chars();
        match (letters.next().and_then(Self::from_letter), letters.next()) {
            (Some(side), None) => Ok(side),
            _ => Err(TextError::at(0, Problem::Side { found: excerpt(text) })),
        }
    }
}

/// Reads 64 squares and a side from the beginning of a text. Returns the position, the rest of the
/// text, and the number of characters read.
pub(super) fn read_position(text: &str) -> Result<(Position, &str, usize), TextError> {
    let mut letters = text.char_indices();
    let mut column = 0;
    let mut skip_spaces = |column: &mut usize| {
        loop {
            let next = letters.next();
            match next {
                Some((_, letter)) if letter.is_whitespace() => *column += 1,
                other => return other,
            }
        }
    };
    let mut discs = [Squares::EMPTY; 2];
    let mut next = skip_spaces(&mut column);
    for (read, square) in Square::all().enumerate() {
        let Some((_, letter)) = next else {
            return Err(TextError::at(column, Problem::ShortBoard { found: read }));
        };
        match (letter, Disc::from_letter(letter)) {
            (_, Some(Disc::Black)) => discs[0] = discs[0] | square.only(),
            (_, Some(Disc::White)) => discs[1] = discs[1] | square.only(),
            ('-' | '.', None) => {}
            // A space or a semicolon means that the board is too short, not that a disc is wrong.
            (' ' | ';' | '\t', None) => {
                return Err(TextError::at(column, Problem::ShortBoard { found: read }));
            }
            (found, None) => return Err(TextError::at(column, Problem::Disc { found })),
        }
        column += 1;
        next = letters.next();
    }
    while let Some((_, letter)) = next
        && letter.is_whitespace()
    {
        column += 1;
        next = letters.next();
    }
    let side = next.and_then(|(_, letter)| Disc::from_letter(letter));
    let (Some(side), Some((at, letter))) = (side, next) else {
        let found = next.map_or(String::new(), |(at, _)| excerpt(&text[at..]));
        return Err(TextError::at(column, Problem::Side { found }));
    };
    let [black, white] = discs;
    let (player, opponent) = match side {
        Disc::Black => (black, white),
        Disc::White => (white, black),
    };
    // No square was read twice, so the two sets cannot overlap.
    let board = Board::from_words(player.word(), opponent.word());
    Ok((Position { board, side }, &text[at + letter.len_utf8()..], column + 1))
}

impl FromStr for Position {
    type Err = TextError;

    /// Reads 64 squares, each `X` (or `x`, `*`), `O` (or `o`) or `-` (or `.`), and the side to move.
    fn from_str(text: &str) -> Result<Self, TextError> {
        let (position, rest, column) = read_position(text)?;
        let spaces = rest.chars().take_while(|letter| letter.is_whitespace()).count();
        match rest.trim() {
            "" => Ok(position),
            found => {
                let found = excerpt(found);
                Err(TextError::at(column + spaces, Problem::Trailing { found }))
            }
        }
    }
}

impl fmt::Display for Position {
    /// 64 characters `X`, `O` or `-`, a space and the side to move.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in Square::all() {
            let letter = self.disc(square).map_or('-', Disc::letter);
            write!(f, "{letter}")?;
        }
        write!(f, " {}", self.side.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn the_start_is_written_as_usual() {
        assert_eq!(Position::start().to_string(), START);
        assert_eq!(START.parse(), Ok(Position::start()));
        let other = START.to_lowercase().replace('x', "*").replace('-', ".");
        assert_eq!(other.parse(), Ok(Position::start()));
        assert_eq!(format!("  {}\n", START.replace(" X", "X")).parse(), Ok(Position::start()));
    }

    #[test]
    fn wrong_boards_are_told() {
        let told = |text: &str| text.parse::<Position>().unwrap_err().to_string();
        assert_eq!(told(""), "line 1, column 1: the board ends after 0 squares: expected 64");
        assert_eq!(
            told("---Q"),
            "line 1, column 4: 'Q' is not a square's content: expected X (or *), O or - (or .)"
        );
        assert_eq!(told("---O X"), "line 1, column 5: the board ends after 4 squares: expected 64");
        assert_eq!(
            told(&START[..64]),
            "line 1, column 65: \"\" is not a side to move: expected X (black) or O (white)"
        );
        assert_eq!(
            told(&format!("{START} ;f5")),
            "line 1, column 68: \";f5\" follows where the text should end"
        );
    }
}
