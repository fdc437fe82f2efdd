//! ER on one processor (Steinberg and Solomon 1990): *e-nodes* are evaluated, *r-nodes* only refuted.
//!
//! At an e-node the first child of every child, an *elder grandchild*, is evaluated first. That ranks the
//! children: the one whose elder grandchild leaves it the most is searched to its end, then the others,
//! in the order of their rank, as long as the elder grandchild has not refuted them. The root and all
//! elder grandchildren of e-nodes are e-nodes; everything else is alpha-beta.
//!
//! The parallel form, [`Er`](crate::algorithms::Er), does the steps of an e-node at the same time.

use super::alpha_beta::alpha_beta;
use crate::node::{BegunVisit, Picker};
use crate::prelude::*;

/// The least height of an e-node: its grandchildren are not beyond the horizon.
pub(crate) const LEAST_HEIGHT: u32 = 2;

/// ER on one processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SerialEr;

impl SearchAlgorithm for SerialEr {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "serial-er",
        usage: "serial-er",
        name: "ER",
        about: "elder grandchildren rank the children; the best is evaluated, the others refuted",
        paper: "Steinberg and Solomon 1990",
        examples: &["serial-er"],
        revisits: false,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<SerialEr, String> {
        Ok(SerialEr)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        evaluate(search, root, Window::FULL).map(Some)
    }
}

/// The value of the e-node `n` for its mover if it is inside the window, else a bound on it.
pub(crate) fn evaluate<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
    window: Window,
) -> Result<Value, Stop> {
    if n.height < LEAST_HEIGHT {
        return alpha_beta(search, n, window);
    }
    search.visit(n, window, e_node)
}

fn e_node<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
    siblings: &mut Siblings<T, M>,
    window: Window,
) -> Result<Value, Stop> {
    search.enter(n, window);
    let mut picker = siblings.picker();
    let mut children = Vec::new();
    while let Some(c) = search.next_child(n, &mut picker) {
        let (worth, searched) = elder_grandchild(search, &c, window.flip())?;
        children.push(RankedChild { place: picker.current, most: -worth, searched });
    }
    best_first(&mut children);
    let mut best = -INFINITY;
    let mut before = best;
    let mut found = None;
    for (rank, child) in children.into_iter().enumerate() {
        if best >= window.beta {
            break;
        }
        let left = window.raised(best);
        let merit = match child.searched {
            // It has children that the elder grandchild does not make superfluous.
            Some(searched) if child.most > left.alpha => {
                let c = search.child_at(n, &picker.siblings.moves, child.place);
                -rest(search, &c, left.flip(), searched, -child.most)?
            }
            _ => child.most,
        };
        if merit > best {
            best = merit;
            found = (merit > window.alpha).then_some(child.place).or(found);
        }
        if rank == 0 {
            // The e-child: what follows is refuted against its value.
            improve(search, n, &mut picker, found.take(), best, window.alpha);
            before = best;
        }
    }
    improve(search, n, &mut picker, found, best, window.alpha.max(before));
    search.leave(n, best)
}

/// The child with the best elder grandchild first; ties keep the order. Not generic: a sort is much code.
fn best_first(children: &mut [RankedChild]) {
    children.sort_by_key(|child| -child.most);
}

/// A child of an e-node after its elder grandchild was evaluated.
struct RankedChild {
    /// Its place in the tree's list.
    place: usize,
    /// The most it can be worth to its parent's mover; its value if nothing else is to be searched.
    most: Value,
    /// The place of its child that was evaluated; `None` if there is nothing else to search.
    searched: Option<usize>,
}

fn improve<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
    picker: &mut Picker<'_, T, M>,
    place: Option<usize>,
    best: Value,
    alpha: Value,
) {
    if let Some(place) = place {
        picker.current = place;
        search.improve(n, picker, best, alpha);
    }
}

/// Evaluates the first child of `c`, and returns what it is worth to `c` and its place; for a leaf, or a
/// node that the memory answers for, the node's own value.
pub(crate) fn elder_grandchild<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    c: &SearchNode<T, M>,
    window: Window,
) -> Result<(Value, Option<usize>), Stop> {
    let mut siblings = Siblings::none();
    let clipped = match search.begin_visit(c, window, &mut siblings)? {
        BegunVisit::Answered(value) => return Ok((value, None)),
        BegunVisit::Leaf(value, bounds) => {
            search.remember_leaf(c, bounds);
            return Ok((value, None));
        }
        BegunVisit::Interior(_, clipped) => clipped,
    };
    search.enter(c, clipped);
    let mut picker = siblings.picker();
    let Some(g) = search.next_child(c, &mut picker) else { unreachable!("it has children") };
    let merit = -evaluate(search, &g, clipped.flip())?;
    search.improve(c, &mut picker, merit, clipped.alpha);
    Ok((search.leave(c, merit)?, Some(picker.current)))
}

/// The value of `c`, whose child at the place `searched` is worth `best` to it.
pub(crate) fn rest<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    c: &SearchNode<T, M>,
    window: Window,
    searched: usize,
    mut best: Value,
) -> Result<Value, Stop> {
    // It was expanded before, so it is not counted again.
    let Some(mut siblings) = search.generate_siblings(c) else { return Ok(best) };
    search.enter(c, window);
    let mut picker = siblings.picker();
    while best < window.beta
        && let Some(g) = search.next_child(c, &mut picker)
    {
        if picker.current == searched {
            continue;
        }
        let left = window.raised(best);
        let merit = -alpha_beta(search, &g, left.flip())?;
        if merit > best {
            best = merit;
            search.improve(c, &mut picker, best, left.alpha);
        }
    }
    search.leave(c, best)
}
