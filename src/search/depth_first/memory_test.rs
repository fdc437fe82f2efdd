//! The memory test: S-alpha-beta (de Bruin, Pijls and Plaat 1994, figure 5), Plaat's MT.
//!
//! Alpha-beta on a search tree that is already there: every node carries the bounds f⁻ and f⁺ of
//! earlier visits. They answer for the node if they can, else they narrow the window; what the
//! search then shows is stored in them.

use crate::limits::Stop;
use crate::search::{Brothers, Place, Search, Setting};
use crate::value::{Bounds, INFINITY, Value, Window};

/// The value of `n` for its mover if it is inside the window, else a bound on it.
#[inline(always)]
pub(in crate::search) fn memory_test<S: Setting>(
    search: &mut Search<'_, S>,
    n: &Place<S>,
    window: Window,
) -> Result<Value, Stop> {
    let (known, answer) = search.bounds(n, window);
    if let Some(value) = answer {
        return Ok(value);
    }
    let mut brothers = Brothers::none();
    if search.expand_into(n, &mut brothers)? {
        return interior(search, n, &brothers, known, window);
    }
    let value = search.leaf(n)?;
    search.remember(n, Bounds::exact(value));
    Ok(value)
}

fn interior<S: Setting>(
    search: &mut Search<'_, S>,
    n: &Place<S>,
    brothers: &Brothers<S>,
    known: Bounds,
    window: Window,
) -> Result<Value, Stop> {
    search.enter(n, window);
    let mut picker = brothers.picker();
    let clipped = Window::new(window.alpha.max(known.lower), window.beta.min(known.upper));
    let mut g = -INFINITY;
    while g < clipped.beta
        && let Some(c) = search.next_child(n, &mut picker)
    {
        let merit = -memory_test(search, &c, clipped.raised(g).flip())?;
        if merit > g {
            g = merit;
            if g > clipped.alpha {
                search.sure_of(n, &picker, g);
            }
        }
    }
    search.refine(n, brothers, known, clipped, g);
    search.leave(n, g)
}
