//! The left-first minimal tree: the fewest leaves that prove a value, as the tree is ordered.
//!
//! That a root is worth at least v is proved by a *min solution tree* (one good move of MAX at each of its
//! nodes, all of MIN's), that it is worth at most v by a *max solution tree*. Together they are a *critical
//! tree*, and no search without transpositions can do with less than the least of them. The least is hard to
//! find; the *left-first* one takes at every node where one move is enough the first that is. That is what a
//! search visits that never tries a wrong move first. It is counted with the true widths of the tree, where
//! the formula of the minimal tree, w^⌈d/2⌉ + w^⌊d/2⌋ − 1, has to take them all for equal.
//!
//! Where different moves lead to the same position, one proof serves for all of them: the *minimal graph* has
//! as many leaves as the minimal tree has different positions among its leaves.

use plyground_core::limits::{Limits, Stop};
use plyground_core::tree::GameTree;
use plyground_core::value::Value;

use crate::algorithms::AlphaBeta;
use crate::context::Search;
use crate::keep::Nothing;
use crate::mode::Bare;
use crate::node::SearchNode;
use crate::spec::SearchSpec;

/// The leaves of the left-first minimal tree, and of the minimal graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MinimalTree {
    /// The leaves of the left-first minimal tree.
    pub leaves: u64,
    /// The different positions among them: the leaves of the left-first minimal graph.
    pub graph_leaves: u64,
}

/// The left-first minimal tree that proves the root's `value` to this depth; `None` if a limit is reached
/// first, or if that is not the value. It takes about the time of two null-window searches without memory.
///
/// ```
/// use plyground_core::tree::Explicit;
/// use plyground_search::minimal_tree;
///
/// // MAX's first move gets 3 (leaves 0, 1 and 2), and one answer to each of the others keeps it from more
/// // (leaves 3 and 8).
/// let tree: Explicit = "((3 12 8) (2 4 6) (14 5 2))".parse()?;
/// let minimal = minimal_tree(&tree, 2, 3, &Default::default()).ok_or("not the value")?;
/// assert_eq!(minimal.leaves, 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn minimal_tree<T: GameTree>(
    tree: &T,
    depth: u32,
    value: Value,
    limits: &Limits,
) -> Option<MinimalTree> {
    let spec = SearchSpec::new(&AlphaBeta.into(), depth).within(limits.clone());
    let mut proof = Proof { search: Search::new(tree, &spec, Bare(Nothing)), leaves: Vec::new() };
    let root = proof.search.root();
    // At least v for MAX, and not at least v + 1: the second is proved for the other side.
    let at_least = proof.find(&root, value).ok()?;
    let more = proof.find(&root, value + 1).ok()?;
    if !at_least || more {
        return None;
    }
    // The two trees have one leaf in common.
    let leaves = proof.leaves.len() as u64 - 1;
    proof.leaves.sort_unstable();
    proof.leaves.dedup();
    Some(MinimalTree { leaves, graph_leaves: proof.leaves.len() as u64 })
}

struct Proof<'t, T: GameTree> {
    search: Search<'t, T, Bare>,
    /// The keys of the leaves of the proof in hand.
    leaves: Vec<u64>,
}

impl<T: GameTree> Proof<'_, T> {
    /// Is `n` worth at least `v` to its mover? Keeps the leaves of the left-first proof or disproof.
    fn find(&mut self, n: &SearchNode<T, Bare>, v: Value) -> Result<bool, Stop> {
        let Some(children) = self.search.expand(n)? else {
            self.leaves.push(self.search.tree().key(&n.node));
            return Ok(self.search.leaf(n)? >= v);
        };
        let before = self.leaves.len();
        for number in 0..children.len() {
            let first = self.leaves.len();
            let child = self.search.child(n, &children, number);
            // The child is worth at most -v to its own mover, that is not at least 1 - v.
            if !self.find(&child, 1 - v)? {
                // One move is enough: the others that were tried are no part of the proof.
                self.leaves.drain(before..first);
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SearchSpec, catalogue, search};
    use plyground_core::tree::{Synthetic, mix};

    #[test]
    fn minimal_trees_are_minimal() {
        for (width, depth) in [(2usize, 7u32), (3, 5), (4, 4), (5, 1), (1, 6)] {
            let power = |d: u32| (width as u64).pow(d);
            let expected = power(depth.div_ceil(2)) + power(depth / 2) - 1;
            let tree = Synthetic::minimal(width, depth as usize, 100, 40, 7).unwrap();
            let found = minimal_tree(&tree, depth, 40, &Limits::default()).unwrap();
            assert_eq!(found, MinimalTree { leaves: expected, graph_leaves: expected });
        }
    }

    /// No search visits fewer leaves than a critical tree of a uniform tree has, and all proofs on such a
    /// tree are of one size.
    #[test]
    fn no_search_needs_less_on_uniform_trees() {
        for seed in 0..60 {
            let (width, depth) = (2 + mix(seed, 1) as usize % 3, 1 + mix(seed, 2) as u32 % 5);
            let tree = Synthetic::independent(width, depth as usize, 50, seed).unwrap();
            for entry in catalogue().filter(|entry| {
                !entry.is_parallel() && entry.is_comparable() && entry.tells_value()
            }) {
                for algorithm in entry.examples() {
                    let outcome = search(&tree, &SearchSpec::counted(&algorithm, depth));
                    // ITERSSS* may have too little memory.
                    let Ok(outcome) = outcome else { continue };
                    let value = outcome.value.unwrap();
                    let minimal = minimal_tree(&tree, depth, value, &Limits::default()).unwrap();
                    assert!(outcome.counts.leaves.unwrap() >= minimal.leaves, "{algorithm}");
                    assert_eq!(minimal_tree(&tree, depth, value + 1, &Limits::default()), None);
                }
            }
        }
    }
}
