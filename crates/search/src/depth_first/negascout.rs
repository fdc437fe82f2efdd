//! NegaScout (Reinefeld 1983, in the form of Marsland 1991, section 3.5).
//!
//! PVS as one fully recursive function: the test of a sibling is a recursive call with a null
//! window. This form keeps the condition `merit ≤ alpha` of figure 3; Reinefeld's own form lacks it
//! and now and then searches a sibling again to no purpose.

use crate::prelude::*;

/// Reinefeld's NegaScout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NegaScout;

/// How near to the horizon a value that a null window brings back is exact: at this height all children of
/// a child are leaves, and a child that fails low has had all of them evaluated.
pub(crate) const FRONTIER: u32 = 2;

impl SearchAlgorithm for NegaScout {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "negascout",
        usage: "negascout",
        name: "NegaScout",
        about: "the test as a recursive null-window call, fail-soft",
        paper: "Reinefeld 1983; Marsland 1991, section 3.5",
        examples: &["negascout"],
        main: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<NegaScout, String> {
        Ok(NegaScout)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        negascout::<T, M, 0>(search, root, Window::FULL).map(Some)
    }
}

/// The value of `n` for its mover if it is inside the window, else a bound on it. At nodes that are not
/// higher than `EXACT` a null window's value is taken as it is.
#[inline(always)]
pub(crate) fn negascout<T: GameTree, M: Mode, const EXACT: u32>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
    window: Window,
) -> Result<Value, Stop> {
    search.visit(n, window, interior::<T, M, EXACT>)
}

fn interior<T: GameTree, M: Mode, const EXACT: u32>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
    siblings: &mut Siblings<T, M>,
    window: Window,
) -> Result<Value, Stop> {
    search.enter(n, window);
    let mut picker = siblings.picker();
    let Window { mut alpha, beta } = window;
    let mut best = -INFINITY;
    // The window that the next child is tested with: the whole one for the first.
    let mut tested = window;
    while best < beta
        && let Some(c) = search.next_child(n, &mut picker)
    {
        let merit = -negascout::<T, M, EXACT>(search, &c, tested.flip())?;
        if merit > best {
            let exact = tested == window || EXACT > 0 && n.height <= EXACT;
            best = if merit <= alpha || merit >= beta || exact {
                merit
            } else {
                search.search_again();
                -negascout::<T, M, EXACT>(search, &c, Window::new(merit, beta).flip())?
            };
            search.improve(n, &mut picker, best, alpha);
        }
        alpha = alpha.max(best);
        tested = Window::above(alpha);
    }
    search.leave(n, best)
}
