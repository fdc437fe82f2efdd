//! Minimax: every leaf is evaluated. The reference for all others.

use crate::{Brothers, Place, Search, Setting};
use plyground_core::limits::Stop;
use plyground_core::value::{INFINITY, Value, Window};

/// The value of `n` for its mover.
#[inline(always)]
pub(crate) fn minimax<S: Setting>(search: &mut Search<'_, S>, n: &Place<S>) -> Result<Value, Stop> {
    search.visit(n, Window::FULL, interior)
}

fn interior<S: Setting>(
    search: &mut Search<'_, S>,
    n: &Place<S>,
    brothers: &mut Brothers<S>,
    window: Window,
) -> Result<Value, Stop> {
    search.enter(n, Window::FULL);
    let mut picker = brothers.picker();
    let mut best = -INFINITY;
    while let Some(c) = search.next_child(n, &mut picker) {
        let merit = -minimax(search, &c)?;
        if merit > best {
            best = merit;
            search.improve(n, &mut picker, best, window.alpha);
        }
    }
    search.leave(n, best)
}
