//! Minimax: every leaf is evaluated. The reference for all others.

use crate::prelude::*;

/// Minimax without any cut-off: the reference for all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Minimax;

impl SearchAlgorithm for Minimax {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "minimax",
        usage: "minimax",
        name: "Minimax",
        about: "full width, every leaf: the reference",
        paper: "Marsland 1991, section 3",
        examples: &["minimax"],
        revisits: false,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<Minimax, String> {
        Ok(Minimax)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        minimax(search, root).map(Some)
    }
}

/// The value of `n` for its mover.
#[inline(always)]
pub(crate) fn minimax<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
) -> Result<Value, Stop> {
    search.visit(n, Window::FULL, interior)
}

fn interior<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
    siblings: &mut Siblings<T, M>,
    window: Window,
) -> Result<Value, Stop> {
    search.enter(n, Window::FULL);
    let mut picker = siblings.picker();
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
