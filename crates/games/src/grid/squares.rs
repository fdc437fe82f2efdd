//! A set of squares in one word: a bitboard.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitXor, Not, Sub};

use super::square::Square;

/// An ordered set of squares, known as a bitboard: bit 0 is a1, bit 63 is h8.
///
/// It is its own iterator, from the lowest square to the highest, and has the operators of a set.
///
/// ```
/// use plyground_games::grid::{Square, Squares};
///
/// let corners: Squares = ["a1", "h1", "a8", "h8"].iter().flat_map(|text| text.parse()).collect();
/// let first_row = Squares::from_word(0xff);
/// assert_eq!((corners & first_row).to_string(), "a1 h1");
/// assert_eq!((corners | first_row).len(), 10);
/// assert_eq!((corners - first_row).first().map(Square::row), Some(7));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Squares(u64);

impl Squares {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// All 64.
    pub const ALL: Self = Self(u64::MAX);

    /// The set with a square for each bit that is set in the word.
    #[must_use]
    #[inline(always)]
    pub const fn from_word(word: u64) -> Self {
        Self(word)
    }

    /// The set as a word with a bit set for each member.
    #[must_use]
    #[inline(always)]
    pub const fn word(self) -> u64 {
        self.0
    }

    /// How many squares are in the set.
    #[must_use]
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether no square is in the set.
    #[must_use]
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the square is in the set.
    #[must_use]
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// The first square of the set in the order a1, b1, … h8.
    #[must_use]
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::wrapping(self.0.trailing_zeros() as usize)) }
    }
}

impl BitOr for Squares {
    type Output = Self;
    /// Union.
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for Squares {
    type Output = Self;
    /// Intersection.
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitXor for Squares {
    type Output = Self;
    /// Symmetric difference.
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Sub for Squares {
    type Output = Self;
    /// Difference.
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl Not for Squares {
    type Output = Self;
    /// Complement.
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = self.first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        // Not `self.len()`: that would be the iterator's, which asks for this hint.
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl FromIterator<Square> for Squares {
    fn from_iter<T: IntoIterator<Item = Square>>(squares: T) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.only())
    }
}

impl fmt::Display for Squares {
    /// The squares in order, separated by spaces: `d3 c4 f5 e6`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (count, square) in self.enumerate() {
            let space = if count == 0 { "" } else { " " };
            write!(f, "{space}{square}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behaves_as_a_set() {
        let corners: Squares = [0, 7, 56, 63].into_iter().filter_map(Square::new).collect();
        assert_eq!(corners.len(), 4);
        assert_eq!(corners.to_string(), "a1 h1 a8 h8");
        assert_eq!(corners | !corners, Squares::ALL);
        assert_eq!(corners - corners, Squares::EMPTY);
        assert!(Squares::EMPTY.first().is_none());
        assert_eq!(corners.collect::<Squares>(), corners);
        assert_eq!(Square::all().filter(|&square| corners.contains(square)).count(), 4);
    }
}
