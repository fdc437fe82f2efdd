//! Principal variation search (Marsland 1991, figure 3).
//!
//! The first child is searched with the whole window. For each sibling the null-window search NWS
//! tries to prove that it is inferior; if that fails and the window allows, the sibling is searched
//! again with the window that is left.

use crate::play::PlayDriver;
use crate::prelude::*;

/// Principal variation search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pvs;

impl SearchAlgorithm for Pvs {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "pvs",
        usage: "pvs",
        name: "PVS",
        about: "principal variation search, siblings by null-window search NWS",
        paper: "Marsland 1991, figure 3",
        examples: &["pvs"],
        driver: Some(PlayDriver::Pvs),
        main: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<Pvs, String> {
        Ok(Pvs)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        pvs(search, root, Window::FULL).map(Some)
    }
}

/// The value of `n` for its mover if it is inside the window, else a bound on it.
#[inline(always)]
pub(crate) fn pvs<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
    window: Window,
) -> Result<Value, Stop> {
    search.visit(n, window, pv_node)
}

fn pv_node<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
    siblings: &mut Siblings<T, M>,
    window: Window,
) -> Result<Value, Stop> {
    search.enter(n, window);
    let mut picker = siblings.picker();
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
                search.search_again();
                -pvs(search, &c, Window::new(merit, beta).flip())?
            };
        }
        search.improve(n, &mut picker, best, alpha);
    }
    search.leave(n, best)
}

/// Is `n` worth `beta` or more to its mover? The answer is a bound on the right side of `beta`.
#[inline(always)]
pub(crate) fn nws<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
    beta: Value,
) -> Result<Value, Stop> {
    search.visit(n, Window::new(beta - 1, beta), cut_or_all_node)
}

fn cut_or_all_node<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
    siblings: &mut Siblings<T, M>,
    window: Window,
) -> Result<Value, Stop> {
    search.enter(n, window);
    let mut picker = siblings.picker();
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
