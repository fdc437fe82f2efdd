//! One of the 64 squares.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::squares::Squares;

/// A square, numbered along the rows: a1 is 0, b1 is 1, h8 is 63.
///
/// ```
/// use plyground_games::grid::Square;
///
/// let square: Square = "c4".parse()?;
/// assert_eq!((square.column(), square.row(), square.index()), (2, 3, 26));
/// assert_eq!(Square::at(2, 3), Some(square));
/// # Ok::<(), plyground_games::grid::NotASquare>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// How many squares there are.
    pub const NUM: usize = 64;

    /// The square with this number, if it is below 64.
    #[must_use]
    pub const fn new(index: usize) -> Option<Self> {
        if index < Self::NUM { Some(Self(index as u8)) } else { None }
    }

    /// The square at a column (a is 0) and a row (row 1 is 0), if both are below 8.
    #[must_use]
    pub const fn at(column: usize, row: usize) -> Option<Self> {
        if column < 8 && row < 8 { Some(Self((row * 8 + column) as u8)) } else { None }
    }

    /// The square whose number is the low six bits of `index`: for numbers known to be squares.
    #[inline(always)]
    pub(crate) const fn wrapping(index: usize) -> Self {
        Self((index & 63) as u8)
    }

    /// The square's number, 0 to 63.
    #[must_use]
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The column, 0 (a) to 7 (h).
    #[must_use]
    pub const fn column(self) -> usize {
        (self.0 & 7) as usize
    }

    /// The row, 0 (the row written 1) to 7.
    #[must_use]
    pub const fn row(self) -> usize {
        (self.0 >> 3) as usize
    }

    /// The set with this square as its only member.
    #[must_use]
    #[inline(always)]
    pub const fn only(self) -> Squares {
        Squares::from_word(1 << self.0)
    }

    /// All squares from a1 to h8, row by row.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..Self::NUM as u8).map(Self)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + (self.0 & 7)) as char, (b'1' + (self.0 >> 3)) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that names no square.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is not a square: expected a letter a to h and a digit 1 to 8")]
pub struct NotASquare(String);

impl FromStr for Square {
    type Err = NotASquare;

    /// Reads a letter a to h, of either case, and a digit 1 to 8.
    fn from_str(text: &str) -> Result<Self, NotASquare> {
        let mut letters = text.chars();
        match (letters.next(), letters.next(), letters.next()) {
            (Some(column), Some(row), None) => Self::from_letters(column.to_ascii_lowercase(), row),
            _ => None,
        }
        .ok_or_else(|| NotASquare(text.chars().take(8).collect()))
    }
}

impl Square {
    /// The square of a letter a to h and a digit 1 to 8.
    pub(crate) fn from_letters(column: char, row: char) -> Option<Self> {
        let column = match column {
            'a'..='h' => column as usize - 'a' as usize,
            _ => return None,
        };
        let row = match row {
            '1'..='8' => row as usize - '1' as usize,
            _ => return None,
        };
        Self::at(column, row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_reads_back() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse::<Square>(), Ok(square));
            assert_eq!(square.to_string().to_uppercase().parse::<Square>(), Ok(square));
            assert_eq!(Square::at(square.column(), square.row()), Some(square));
        }
        assert_eq!("a1".parse::<Square>().map(Square::index), Ok(0));
        assert_eq!("h8".parse::<Square>().map(Square::index), Ok(63));
    }

    #[test]
    fn wrong_squares_are_told() {
        for text in ["", "a", "i1", "a9", "a0", "a1 ", "1a", "é1", "a1b2"] {
            assert!(text.parse::<Square>().is_err(), "{text:?} is not a square");
        }
        assert_eq!(Square::new(64), None);
    }

    #[test]
    fn letters_are_small() {
        assert_eq!(Square::from_letters('a', '1').map(Square::index), Some(0));
        for (column, row) in [('A', '1'), ('i', '1'), ('a', '9'), ('a', '0'), ('é', '1')] {
            assert_eq!(Square::from_letters(column, row), None);
        }
    }
}
