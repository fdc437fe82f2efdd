//! Minimax: every leaf is evaluated. The reference for all others.

use crate::limits::Stop;
use crate::search::{Place, Search, Setting};
use crate::value::{INFINITY, Value, Window};

/// The value of `n` for its mover.
pub(in crate::search) fn minimax<S: Setting>(
    search: &mut Search<'_, S>,
    n: &Place<S>,
) -> Result<Value, Stop> {
    let Some(mut brothers) = search.expand(n)? else { return search.leaf(n) };
    search.enter(n, Window::FULL);
    let mut best = -INFINITY;
    while let Some(c) = search.next_child(n, &mut brothers) {
        let merit = -minimax(search, &c)?;
        if merit > best {
            best = merit;
            search.sure_of(n, &brothers, best);
        }
    }
    search.leave(n, best)
}
