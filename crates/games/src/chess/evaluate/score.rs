//! A middlegame and an endgame value in one word.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use plyground_core::value::Value;

/// A pair of values for a tapered evaluation: one for the middlegame and one for the endgame.
///
/// The middlegame value is the upper half of a word and the endgame value the lower half, so that one
/// addition adds both. A borrow of the lower half is corrected when the upper half is read.
///
/// ```
/// use plyground_games::chess::Score;
///
/// let knight = Score::new(320, 290) - Score::new(20, 30);
/// assert_eq!((knight.middle(), knight.end()), (300, 260));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Score(i64);

impl Score {
    /// Zero in both phases.
    pub const ZERO: Self = Self(0);

    /// A score from a middlegame and an endgame value.
    #[must_use]
    #[inline(always)]
    pub const fn new(middle: Value, end: Value) -> Self {
        Self(((middle as i64) << 32) + end as i64)
    }

    /// The middlegame value.
    #[must_use]
    #[inline(always)]
    pub const fn middle(self) -> Value {
        ((self.0 + (1 << 31)) >> 32) as Value
    }

    /// The endgame value.
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
