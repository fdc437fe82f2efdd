//! Scout (Pearl 1980).
//!
//! EVAL evaluates the first child of a node. Each sibling is first TESTed: a MAX node evaluates
//! child c if TEST(c > v), a MIN node if not TEST(c ≥ v). From the mover's view both ask whether
//! the child is better than the best so far, and values are whole numbers, so one TEST serves: n >
//! v. A TEST returns nothing but its answer, and EVAL takes no window.

use crate::context::for_max;
use crate::prelude::*;
use crate::trace::Event;

/// Pearl's Scout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scout;

impl SearchAlgorithm for Scout {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "scout",
        usage: "scout",
        name: "Scout",
        about: "tests whether a sibling is better before evaluating it",
        paper: "Pearl 1980",
        examples: &["scout"],
        main: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<Scout, String> {
        Ok(Scout)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        eval(search, root).map(Some)
    }
}

/// EVAL: the value of `n` for its mover.
#[inline(always)]
pub(crate) fn eval<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
) -> Result<Value, Stop> {
    search.visit(n, Window::FULL, eval_interior)
}

fn eval_interior<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
    siblings: &mut Siblings<T, M>,
    window: Window,
) -> Result<Value, Stop> {
    search.enter(n, Window::FULL);
    let mut picker = siblings.picker();
    let mut v = -INFINITY;
    while let Some(c) = search.next_child(n, &mut picker) {
        // The first child is evaluated. -c > v  ⇔  c < -v  ⇔  not c > -v - 1
        if v == -INFINITY || !test(search, &c, -v - 1)? {
            if v != -INFINITY {
                search.search_again();
            }
            v = -eval(search, &c)?;
            search.improve(n, &mut picker, v, window.alpha);
        }
    }
    search.leave(n, v)
}

/// TEST: is `n` worth more than `v` to its mover?
#[inline(always)]
fn test<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
    v: Value,
) -> Result<bool, Stop> {
    Ok(search.visit(n, Window::above(v), test_interior)? > v)
}

/// Returns `v + 1` for yes and `v` for no: a TEST knows nothing else of the value.
fn test_interior<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
    siblings: &mut Siblings<T, M>,
    window: Window,
) -> Result<Value, Stop> {
    let v = window.alpha;
    search.emit(n, || Event::Test { than: for_max(n.ply, v) });
    let mut picker = siblings.picker();
    while let Some(c) = search.next_child(n, &mut picker) {
        if !test(search, &c, -v - 1)? {
            search.improve(n, &mut picker, v + 1, v);
            return Ok(v + 1);
        }
    }
    Ok(v)
}
