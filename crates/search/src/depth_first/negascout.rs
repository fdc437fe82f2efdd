//! NegaScout (Reinefeld 1983, in the form of Marsland 1991, section 3.5).
//!
//! PVS as one fully recursive function: the test of a brother is a call of itself with a null
//! window. It keeps figure 3's question `merit ≤ alpha`; Reinefeld's own form lacks it and now and
//! then searches a brother again to no purpose.

use crate::{Brothers, Place, Search, Setting};
use plyground_core::limits::Stop;
use plyground_core::value::{INFINITY, Value, Window};

/// The value of `n` for its mover if it is inside the window, else a bound on it.
#[inline(always)]
pub(crate) fn negascout<S: Setting>(
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
    let Window { mut alpha, beta } = window;
    let mut best = -INFINITY;
    // The window that the next child is tested with: the whole one for the first.
    let mut tested = window;
    while best < beta
        && let Some(c) = search.next_child(n, &mut picker)
    {
        let merit = -negascout(search, &c, tested.flip())?;
        if merit > best {
            best = if merit <= alpha || merit >= beta || tested == window {
                merit
            } else {
                -negascout(search, &c, Window::new(merit, beta).flip())?
            };
            search.improve(n, &mut picker, best, alpha);
        }
        alpha = alpha.max(best);
        tested = Window::above(alpha);
    }
    search.leave(n, best)
}
