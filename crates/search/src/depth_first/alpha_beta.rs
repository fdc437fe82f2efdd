//! Alpha-beta, fail-soft (Marsland 1991, figure 1).
//!
//! Bounds are passed on to all depths, so that cut-offs can be deep. Fail-soft: `best` starts at -∞
//! and not at alpha, and a search outside its window still returns a bound.

use crate::{Brothers, Place, Search, Setting};
use plyground_core::limits::Stop;
use plyground_core::value::{INFINITY, Value, Window};

/// The value of `n` for its mover if it is inside the window, else a bound on it.
#[inline(always)]
pub(crate) fn alpha_beta<S: Setting>(
    search: &mut Search<'_, S>,
    n: &Place<S>,
    window: Window,
) -> Result<Value, Stop> {
    search.visit(n, window, interior)
}

fn interior<S: Setting>(
    search: &mut Search<'_, S>,
    n: &Place<S>,
    brothers: &mut Brothers<S>,
    window: Window,
) -> Result<Value, Stop> {
    search.enter(n, window);
    let mut picker = brothers.picker();
    let mut best = -INFINITY;
    while let Some(c) = search.next_child(n, &mut picker) {
        let merit = -alpha_beta(search, &c, window.raised(best).flip())?;
        if merit > best {
            best = merit;
            search.improve(n, &mut picker, best, window.alpha);
            if best >= window.beta {
                break;
            }
        }
    }
    search.leave(n, best)
}
