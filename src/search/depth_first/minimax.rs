//! Minimax: every leaf is evaluated. The reference for all others.

use crate::limits::Stop;
use crate::search::{Brothers, Place, Search, Setting};
use crate::value::{INFINITY, Value, Window};

/// The value of `n` for its mover.
#[inline(always)]
pub(in crate::search) fn minimax<S: Setting>(
    search: &mut Search<'_, S>,
    n: &Place<S>,
) -> Result<Value, Stop> {
    let mut brothers = Brothers::none();
    if search.expand_into(n, &mut brothers)? {
        interior(search, n, &brothers)
    } else {
        search.leaf(n)
    }
}

fn interior<S: Setting>(
    search: &mut Search<'_, S>,
    n: &Place<S>,
    brothers: &Brothers<S>,
) -> Result<Value, Stop> {
    search.enter(n, Window::FULL);
    let mut picker = brothers.picker();
    let mut best = -INFINITY;
    while let Some(c) = search.next_child(n, &mut picker) {
        let merit = -minimax(search, &c)?;
        if merit > best {
            best = merit;
            search.sure_of(n, &picker, best);
        }
    }
    search.leave(n, best)
}
