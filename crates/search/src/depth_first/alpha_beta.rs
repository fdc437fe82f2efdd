//! Alpha-beta, fail-soft (Marsland 1991, figure 1).
//!
//! Bounds are passed on to all depths, so cut-offs can be deep. The search is fail-soft: `best`
//! starts at -∞ and not at alpha, so a bound that comes back may be tighter than the window.

use crate::prelude::*;

/// Fail-soft alpha-beta with deep cut-offs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlphaBeta;

impl SearchAlgorithm for AlphaBeta {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "alpha-beta",
        usage: "alpha-beta",
        name: "αβ",
        about: "fail-soft alpha-beta with deep cut-offs",
        paper: "Marsland 1991, figure 1; Knuth and Moore 1975",
        examples: &["alpha-beta"],
        revisits: false,
        main: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<AlphaBeta, String> {
        Ok(AlphaBeta)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        alpha_beta(search, root, Window::FULL).map(Some)
    }
}

/// The value of `n` for its mover if it is inside the window, else a bound on it.
#[inline(always)]
pub(crate) fn alpha_beta<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
    window: Window,
) -> Result<Value, Stop> {
    search.visit(n, window, interior)
}

fn interior<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
    siblings: &mut Siblings<T, M>,
    window: Window,
) -> Result<Value, Stop> {
    search.enter(n, window);
    let mut picker = siblings.picker();
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
