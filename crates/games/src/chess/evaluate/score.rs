//! Two values in one word: what something is worth in the middlegame and in the endgame.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use plyground_core::value::Value;

/// A value for the middlegame and one for the endgame, added and multiplied together.
///
/// The middlegame's is the upper half of a word and the endgame's the lower: one addition adds both,
/// and a borrow that the lower half takes is given back when the upper half is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Score(i64);

impl Score {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// The score of these two values.
    #[must_use]
    #[inline(always)]
    pub const fn new(middle: Value, end: Value) -> Self {
        Self(((middle as i64) << 32) + end as i64)
    }

    /// The middlegame's value.
    #[must_use]
    #[inline(always)]
    pub const fn middle(self) -> Value {
        ((self.0 + (1 << 31)) >> 32) as Value
    }

    /// The endgame's value.
    #[must_use]
    #[inline(always)]
    pub const fn end(self) -> Value {
        self.0 as Value
    }
}

impl Add for Score {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Score {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Score {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl SubAssign for Score {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<i32> for Score {
    type Output = Self;
    #[inline(always)]
    fn mul(self, times: i32) -> Self {
        Self(self.0 * i64::from(times))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_do_not_disturb_each_other() {
        let values = [-30_000, -1_001, -1, 0, 1, 7, 29_999];
        for (a, b) in values.into_iter().flat_map(|a| values.map(|b| (a, b))) {
            let score = Score::new(a, b);
            assert_eq!((score.middle(), score.end()), (a, b));
            assert_eq!(-score, Score::new(-a, -b));
            assert_eq!(score * -3, Score::new(-3 * a, -3 * b));
            for (c, d) in [(-5, 9), (1, -1), (123, 456)] {
                assert_eq!(score + Score::new(c, d), Score::new(a + c, b + d));
                assert_eq!(score - Score::new(c, d), Score::new(a - c, b - d));
            }
        }
    }
}
