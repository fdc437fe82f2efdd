//! Aspiration search (Marsland 1991, section 3.2).
//!
//! Alpha-beta in a narrow window around a guess. If the value turns out to lie outside, the search
//! is repeated on that side, from the bound that fail-soft alpha-beta returned. One repetition is
//! enough: should the value be that bound itself, the second search fails too, and with it.

use super::alpha_beta::alpha_beta;
use crate::limits::Stop;
use crate::search::{Place, Search, Setting};
use crate::value::{Bounds, INFINITY, Value, Window};

/// The value of `n` for its mover.
pub(in crate::search) fn aspiration<S: Setting>(
    search: &mut Search<'_, S>,
    n: &Place<S>,
    guess: Value,
    epsilon: Value,
) -> Result<Value, Stop> {
    let (low, high) = (guess.saturating_sub(epsilon), guess.saturating_add(epsilon));
    let window = Window::new(low.max(-INFINITY), high.min(INFINITY));
    search.pass(n, window);
    let best = alpha_beta(search, n, window)?;
    let (learnt, again) = if best >= window.beta {
        (Bounds { lower: best, ..Bounds::UNKNOWN }, Window::new(best, INFINITY))
    } else if best <= window.alpha {
        (Bounds { upper: best, ..Bounds::UNKNOWN }, Window::new(-INFINITY, best))
    } else {
        return Ok(best);
    };
    search.learnt(learnt);
    search.pass(n, again);
    alpha_beta(search, n, again)
}
