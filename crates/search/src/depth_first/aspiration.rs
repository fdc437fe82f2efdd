//! Aspiration search (Marsland 1991, section 3.2).
//!
//! A search in a narrow window around a guess. If the value turns out to lie outside, the search is
//! repeated on that side, from the bound that came back. One repetition is enough: should the value
//! be that bound itself, the second search fails too, and with it.
//!
//! The search inside is fail-soft: alpha-beta as in the survey, or NegaScout, which is what the
//! literature of MTD(f) measures against.

use crate::{Place, Search, Setting};
use plyground_core::limits::Stop;
use plyground_core::value::{Bounds, INFINITY, Value, Window};

/// A fail-soft search of a node in a window.
pub(super) type Inside<S> = fn(&mut Search<'_, S>, &Place<S>, Window) -> Result<Value, Stop>;

/// The value of `n` for its mover, by searches `inside` windows.
pub(crate) fn aspiration<S: Setting>(
    search: &mut Search<'_, S>,
    n: &Place<S>,
    guess: Value,
    epsilon: Value,
    inside: Inside<S>,
) -> Result<Value, Stop> {
    let (low, high) = (guess.saturating_sub(epsilon), guess.saturating_add(epsilon));
    let window = Window::new(low.max(-INFINITY), high.min(INFINITY));
    search.pass(n, window);
    let best = inside(search, n, window)?;
    let (learnt, again) = if best >= window.beta {
        (Bounds { lower: best, ..Bounds::UNKNOWN }, Window::new(best, INFINITY))
    } else if best <= window.alpha {
        (Bounds { upper: best, ..Bounds::UNKNOWN }, Window::new(-INFINITY, best))
    } else {
        return Ok(best);
    };
    search.learnt(learnt);
    search.pass(n, again);
    inside(search, n, again)
}
