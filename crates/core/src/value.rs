//! Values, windows and bounds: the numbers that every search works with.
//!
//! A [`Value`] is seen from the side to move unless a name says otherwise. `±INFINITY` are finite
//! numbers outside the range of leaf values, so that `INFINITY + 1` and `INFINITY - 1` make sense:
//! the SSS* family starts with the null window `(∞ - 1, ∞)`.

use std::fmt;

/// What a position is worth, in the tree's own unit: higher is better. The papers also say *merit*.
pub type Value = i32;

/// Larger than every leaf value, small enough that `INFINITY + 1` cannot overflow.
pub const INFINITY: Value = 1 << 30;

/// The largest magnitude that a leaf's value may have.
pub const MAX_LEAF: Value = 1_000_000_000;

/// What a won game is worth to its winner, in trees that have
/// [mates](crate::tree::GameTree::MATES); a mate in n plies is worth `MATE - n`.
pub const MATE: Value = 32_000;

/// Values of at least this, on either side, are mates; every evaluation stays below.
pub const LEAST_MATE: Value = 31_000;

/// Turns a value as seen from a node, `ply` moves below the root, into the value as seen from the
/// root: a mate is `ply` moves farther from there. Other values stay as they are.
#[inline]
pub fn mate_from_root(value: Value, ply: u32) -> Value {
    match value {
        LEAST_MATE..=MATE => value - ply as Value,
        _ if (-MATE..=-LEAST_MATE).contains(&value) => value + ply as Value,
        _ => value,
    }
}

/// Turns a value as seen from the root into the value as seen from a node `ply` moves below: the
/// reverse of [`mate_from_root`].
#[inline]
pub fn mate_from_node(value: Value, ply: u32) -> Value {
    match value {
        LEAST_MATE..=MATE => value + ply as Value,
        _ if (-MATE..=-LEAST_MATE).contains(&value) => value - ply as Value,
        _ => value,
    }
}

/// A search window: the range of values that a search must find exactly.
///
/// A value strictly between `alpha` and `beta` comes back exactly. For a value outside, a bound on
/// the same side of the window is enough, and finding a bound takes less work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Values at or below `alpha` come back as upper bounds.
    pub alpha: Value,
    /// Values at or above `beta` come back as lower bounds.
    pub beta: Value,
}

impl Window {
    /// The window that contains every value.
    pub const FULL: Window = Window { alpha: -INFINITY, beta: INFINITY };

    /// The window `(alpha, beta)`.
    #[inline]
    pub const fn new(alpha: Value, beta: Value) -> Window {
        Window { alpha, beta }
    }

    /// The null window that asks "is it more than `v`?": `(v, v + 1)`.
    #[inline]
    pub const fn above(v: Value) -> Window {
        Window { alpha: v, beta: v + 1 }
    }

    /// The same window as the opponent sees it.
    #[inline]
    #[must_use]
    pub const fn flip(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// The window with `alpha` raised to `v`, if that is higher.
    #[inline]
    #[must_use]
    pub fn raised(self, v: Value) -> Window {
        Window { alpha: self.alpha.max(v), beta: self.beta }
    }

    /// The part of the window where a value within these bounds can lie.
    #[inline(always)]
    #[must_use]
    pub fn clipped(self, bounds: Bounds) -> Window {
        Window::new(self.alpha.max(bounds.lower), self.beta.min(bounds.upper))
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", ShownValue(self.alpha), ShownValue(self.beta))
    }
}

/// What is known of a value: `lower ≤ value ≤ upper`. The papers write f⁻ and f⁺.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// f⁻, the lower bound.
    pub lower: Value,
    /// f⁺, the upper bound.
    pub upper: Value,
}

impl Bounds {
    /// Nothing is known.
    pub const UNKNOWN: Bounds = Bounds { lower: -INFINITY, upper: INFINITY };

    /// The value is exactly `v`.
    #[inline]
    pub const fn exact(v: Value) -> Bounds {
        Bounds { lower: v, upper: v }
    }

    /// Is the value itself known?
    #[inline]
    pub const fn is_exact(self) -> bool {
        self.lower == self.upper
    }

    /// Is the value at least `least`? `None` if the bounds do not tell.
    #[inline]
    pub const fn answer(self, least: Value) -> Option<bool> {
        match (self.lower >= least, self.upper < least) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    /// What a search with this window would return, if the bounds tell: the value, or a bound outside the
    /// window.
    #[inline]
    pub const fn answer_within(self, window: Window) -> Option<Value> {
        if self.lower >= window.beta {
            Some(self.lower)
        } else if self.upper <= window.alpha || self.is_exact() {
            Some(self.upper)
        } else {
            None
        }
    }

    /// The same bounds as the opponent sees them.
    #[inline]
    #[must_use]
    pub const fn flip(self) -> Bounds {
        Bounds { lower: -self.upper, upper: -self.lower }
    }
}

/// Writes a value as people read it: `∞` for infinity.
#[derive(Clone, Copy, Debug)]
pub struct ShownValue(pub Value);

impl fmt::Display for ShownValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            INFINITY => f.pad("∞"),
            v if v == INFINITY - 1 => f.pad("∞-1"),
            v if v == INFINITY + 1 => f.pad("∞+1"),
            v if v == -INFINITY => f.pad("-∞"),
            v if v == -INFINITY + 1 => f.pad("-∞+1"),
            v if v == -INFINITY - 1 => f.pad("-∞-1"),
            v => fmt::Display::fmt(&v, f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infinity_leaves_room() {
        const { assert!(MAX_LEAF < INFINITY - 1) };
        let w = Window::above(INFINITY);
        assert_eq!(w.flip().flip(), w);
        assert_eq!(Window::FULL.flip(), Window::FULL);
        assert_eq!(Window::new(3, 9).flip(), Window::new(-9, -3));
    }

    #[test]
    fn infinities_are_written_as_such() {
        assert_eq!(Window::FULL.to_string(), "(-∞, ∞)");
        assert_eq!(Window::new(INFINITY - 1, INFINITY).to_string(), "(∞-1, ∞)");
        assert_eq!(Window::new(4, 5).to_string(), "(4, 5)");
    }
}
