//! Principal variation search (Marsland 1991, figure 3).
//!
//! The first child is searched with the whole window. For each brother the null-window search NWS
//! tries to prove that it is inferior; if that fails and the window allows, the brother is searched
//! again with the window that is left.

use crate::{Brothers, Place, Search, Setting};
use plyground_core::limits::Stop;
use plyground_core::value::{INFINITY, Value, Window};

/// The value of `n` for its mover if it is inside the window, else a bound on it.
#[inline(always)]
pub(crate) fn pvs<S: Setting>(
    search: &mut Search<'_, S>,
    n: &Place<S>,
    window: Window,
) -> Result<Value, Stop> {
    search.visit(n, window, pv_node)
}

fn pv_node<S: Setting>(
    search: &mut Search<'_, S>,
    n: &Place<S>,
    brothers: &mut Brothers<S>,
    window: Window,
) -> Result<Value, Stop> {
    search.enter(n, window);
    let mut picker = brothers.picker();
    let Window { mut alpha, beta } = window;
    let mut best = -INFINITY;
    let mut first = true;
    while best < beta
        && let Some(c) = search.next_child(n, &mut picker)
    {
        if first {
            best = -pvs(search, &c, window.flip())?;
            first = false;
        } else {
            alpha = alpha.max(best);
            let merit = -nws(search, &c, -alpha)?;
            if merit <= best {
                continue;
            }
            best = if merit <= alpha || merit >= beta {
                merit
            } else {
                -pvs(search, &c, Window::new(merit, beta).flip())?
            };
        }
        search.improve(n, &mut picker, best, alpha);
    }
    search.leave(n, best)
}

/// Is `n` worth `beta` or more to its mover? The answer is a bound on the right side of `beta`.
#[inline(always)]
fn nws<S: Setting>(search: &mut Search<'_, S>, n: &Place<S>, beta: Value) -> Result<Value, Stop> {
    search.visit(n, Window::new(beta - 1, beta), cut_or_all_node)
}

fn cut_or_all_node<S: Setting>(
    search: &mut Search<'_, S>,
    n: &Place<S>,
    brothers: &mut Brothers<S>,
    window: Window,
) -> Result<Value, Stop> {
    search.enter(n, window);
    let mut picker = brothers.picker();
    let Window { alpha, beta } = window;
    let mut best = -INFINITY;
    while best < beta
        && let Some(c) = search.next_child(n, &mut picker)
    {
        let merit = -nws(search, &c, -alpha)?;
        if merit > best {
            best = merit;
            search.improve(n, &mut picker, best, alpha);
        }
    }
    search.leave(n, best)
}
