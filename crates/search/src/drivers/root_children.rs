//! The root's children with their bounds, for searches that prove the best move.
//!
//! To play, it is enough to know that a move is better than the others. These searches test the
//! root's children with null windows over stored bounds, and stop when the lower bound of one child
//! is no less than the upper bounds of all others.

use crate::depth_first::alpha_beta;
use crate::prelude::*;

/// Finds the root's best move by `prove`, which returns the number of the child. Returns the root's
/// value, if it is known after the proof.
pub(super) fn prove_best<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    root: &SearchNode<T, M>,
    prove: impl FnOnce(&mut RootChildren<'_, '_, T, M>) -> Result<usize, Stop>,
) -> Result<Option<Value>, Stop> {
    let Some(children) = search.expand(root)? else { return search.leaf(root).map(Some) };
    let nodes = (0..children.len())
        .map(|number| (search.child(root, &children, number), Bounds::UNKNOWN))
        .collect();
    let mut candidates = RootChildren { search, children, nodes };
    let best = prove(&mut candidates)?;
    candidates.search.best = Some(candidates.children.mv(best));
    let known = candidates.narrow_root();
    Ok(known.is_exact().then_some(known.lower))
}

/// The children of the root, each with f⁻ and f⁺ as the root's mover sees them.
pub(super) struct RootChildren<'s, 't, T: GameTree, M: Mode> {
    search: &'s mut Search<'t, T, M>,
    children: Children<T, M>,
    nodes: Vec<(SearchNode<T, M>, Bounds)>,
}

impl<T: GameTree, M: Mode> RootChildren<'_, '_, T, M> {
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn bounds(&self, c: usize) -> Bounds {
        self.nodes[c].1
    }

    /// Tests whether child `c` is worth `gamma` to the root's mover.
    pub(super) fn test(&mut self, c: usize, gamma: Value) -> Result<(), Stop> {
        let window = Window::new(gamma - 1, gamma);
        self.search.pass(window);
        let (n, bounds) = &mut self.nodes[c];
        let g = -alpha_beta(self.search, n, window.flip())?;
        if g < gamma {
            bounds.upper = g;
        } else {
            bounds.lower = g;
            if g > self.search.known.lower {
                self.search.best = Some(self.children.mv(c));
            }
        }
        self.narrow_root();
        Ok(())
    }

    /// The child that no other can surpass, if there is one.
    pub(super) fn proved(&self) -> Option<usize> {
        let lower = |&c: &usize| self.bounds(c).lower;
        let c = (0..self.len()).rev().max_by_key(lower)?;
        (lower(&c) >= self.highest_but(c)).then_some(c)
    }

    /// The child with the highest f⁺, the first of several.
    pub(super) fn highest(&self) -> usize {
        (0..self.len()).rev().max_by_key(|&c| self.bounds(c).upper).unwrap_or(0)
    }

    /// The highest f⁺ of all but child `c`.
    pub(super) fn highest_but(&self, c: usize) -> Value {
        let others = (0..self.len()).filter(|&other| other != c);
        others.map(|other| self.bounds(other).upper).max().unwrap_or(-INFINITY)
    }

    /// The second highest f⁻.
    pub(super) fn second_lower(&self) -> Option<Value> {
        let (mut first, mut second) = (None, None);
        for (_, bounds) in &self.nodes {
            let lower = Some(bounds.lower);
            if lower > first {
                (first, second) = (lower, first);
            } else if lower > second {
                second = lower;
            }
        }
        second
    }

    /// Narrows what is known of the root's value by the bounds of its children.
    fn narrow_root(&mut self) -> Bounds {
        let all = self.nodes.iter().map(|(_, bounds)| bounds);
        let known = all.fold(Bounds { lower: -INFINITY, upper: -INFINITY }, |known, bounds| {
            Bounds { lower: known.lower.max(bounds.lower), upper: known.upper.max(bounds.upper) }
        });
        self.search.narrow_root(known);
        known
    }
}
