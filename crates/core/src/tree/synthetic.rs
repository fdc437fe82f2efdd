//! Uniform trees T(w, d), generated as they are searched.
//!
//! A node is a 64-bit key from which its children's keys are mixed, so a tree takes no memory and
//! is the same on every machine. There are two kinds:
//!
//! - trees of *independent* leaves, drawn uniformly from the values;
//! - *ordered* trees, whose values are handed down from the root: an interior node with value v has
//!   one best child of value v; every other child draws an independent value on the worse side of v
//!   (v included). The answer is known without a search. Where the best child stands decides how
//!   well the tree is ordered: see [`TreeOrdering`].

use std::ops::RangeInclusive;

use thiserror::Error;

use super::{GameTree, MoveList};
use crate::value::{MAX_LEAF, Value};

/// The greatest width of a generated tree.
pub const MAX_WIDTH: usize = 256;
/// The greatest depth of a generated tree.
pub const MAX_DEPTH: usize = 64;

/// Where the best child of an interior node stands: how well a tree is ordered.
///
/// Alpha-beta visits far fewer leaves when the best child comes first, so published counts always
/// name the ordering of their trees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TreeOrdering {
    /// Leaves are independent; no child is made the best.
    Independent,
    /// The best child is among the first max(1, ⌊w/R⌋) with probability p, else among the rest.
    /// R = 1 is the papers' random tree, R = w with p = 1 the minimal tree.
    Probable {
        /// R, the order of the tree.
        order: usize,
        /// p, the probability that the best child is among the first.
        probability: f64,
    },
    /// Marsland and Campbell's strongly ordered trees: the first child is best with probability
    /// 0.7, and the best child is in the first quarter with probability 0.9.
    Strong,
}

/// Why a tree cannot be generated.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SyntheticError {
    /// The width is not in 1..=256.
    #[error("the width is {0}: expected 1 to {MAX_WIDTH}")]
    Width(usize),
    /// The depth is not in 0..=64.
    #[error("the depth is {0}: expected 0 to {MAX_DEPTH}")]
    Depth(usize),
    /// There must be at least one value.
    #[error("the number of values is {0}: expected 1 to {MAX_LEAF}")]
    Values(Value),
    /// The root's value is not one of the values.
    #[error("the root's value is {root}: expected 0 to {greatest}")]
    Root {
        /// The value that was asked for.
        root: Value,
        /// The greatest value of the tree.
        greatest: Value,
    },
    /// The order is not in 1..=w.
    #[error("the order R is {order}: expected 1 to the width, {width}")]
    Order {
        /// The order that was asked for.
        order: usize,
        /// The width of the tree.
        width: usize,
    },
    /// The probability is not in 0..=1.
    #[error("the probability is {0}: expected 0 to 1")]
    Probability(f64),
    /// A worst-ordered tree has more leaves than there are values.
    #[error(
        "the worst-ordered tree T({width},{depth}) needs a value for each leaf: expected at most \
         {MAX_LEAF} leaves"
    )]
    Leaves {
        /// The width of the tree.
        width: usize,
        /// The depth of the tree.
        depth: usize,
    },
}

/// A uniform tree T(w, d) of width w and depth d over the values 0..n, generated as it is searched.
#[derive(Clone, Debug)]
pub struct Synthetic {
    width: usize,
    depth: usize,
    values: Value,
    root: Value,
    seed: u64,
    segments: Option<Segments>,
    /// The leaves below a child of a node at each ply, if the tree is worst-ordered.
    worst: Option<Box<[Value]>>,
}

/// How the best child is drawn: segment i ends before child `ends[i]` and is chosen when 32 random
/// bits are below `thresholds[i]` but not below an earlier threshold.
#[derive(Clone, Copy, Debug)]
struct Segments {
    ends: [u32; 3],
    thresholds: [u64; 3],
}

/// A node of a [`Synthetic`] tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SyntheticNode {
    key: u64,
    value: Value,
    best: u16,
    ply: u16,
}

/// Word number `b` of the random stream that starts at `a`: SplitMix64, in which every bit of the
/// result depends on every bit of both. A weaker mixer shows in results: siblings whose values are
/// spread too evenly change the counts by a percent.
#[inline]
pub fn mix(a: u64, b: u64) -> u64 {
    let mut x = a.wrapping_add(b.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// A number in 0..n from the upper half of a random word.
#[inline]
fn below(n: Value, random: u64) -> Value {
    (((random >> 32) * n as u64) >> 32) as Value
}

impl Synthetic {
    /// A tree of independent leaves, uniform in `0..values`.
    ///
    /// ```
    /// use plyground_core::tree::Synthetic;
    /// let tree = Synthetic::independent(8, 6, 1000, 1).unwrap();
    /// assert_eq!(tree.width(), 8);
    /// ```
    pub fn independent(
        width: usize,
        depth: usize,
        values: Value,
        seed: u64,
    ) -> Result<Synthetic, SyntheticError> {
        Synthetic::ordered(width, depth, values, 0, seed, TreeOrdering::Independent)
    }

    /// The minimal tree: the first child is best everywhere.
    pub fn minimal(
        width: usize,
        depth: usize,
        values: Value,
        root: Value,
        seed: u64,
    ) -> Result<Synthetic, SyntheticError> {
        let ordering = TreeOrdering::Probable { order: width.max(1), probability: 1.0 };
        Synthetic::ordered(width, depth, values, root, seed, ordering)
    }

    /// A tree over `0..values` whose root is worth `root` (unless its leaves are independent).
    pub fn ordered(
        width: usize,
        depth: usize,
        values: Value,
        root: Value,
        seed: u64,
        ordering: TreeOrdering,
    ) -> Result<Synthetic, SyntheticError> {
        if !(1..=MAX_WIDTH).contains(&width) {
            return Err(SyntheticError::Width(width));
        }
        if depth > MAX_DEPTH {
            return Err(SyntheticError::Depth(depth));
        }
        if !(1..=MAX_LEAF).contains(&values) {
            return Err(SyntheticError::Values(values));
        }
        let segments = Segments::new(ordering, width)?;
        let worst = None;
        Synthetic { width, depth, values, root, seed, segments, worst }.with_root(root)
    }

    /// The worst-ordered tree: every child is better for the mover than all before it, and all of its
    /// leaves are, so that alpha-beta cuts nothing off and visits every leaf. The leaves have the
    /// values from 0 up, each once; the seed changes only the keys.
    ///
    /// ```
    /// use plyground_core::tree::{GameTree, Synthetic};
    /// let tree = Synthetic::worst(2, 2, 1).unwrap();
    /// let leaf = |i, j| tree.child(&tree.child(&tree.root(), i), j);
    /// let value = |i, j| tree.evaluate(&leaf(i, j));
    /// assert_eq!([value(0, 0), value(0, 1), value(1, 0), value(1, 1)], [1, 0, 3, 2]);
    /// ```
    pub fn worst(width: usize, depth: usize, seed: u64) -> Result<Synthetic, SyntheticError> {
        let plain = Synthetic::independent(width, depth, 1, seed)?;
        let too_many = SyntheticError::Leaves { width, depth };
        let leaves = (width as u64).checked_pow(depth as u32);
        let leaves = leaves.and_then(|leaves| Value::try_from(leaves).ok());
        let Some(leaves) = leaves.filter(|leaves| *leaves <= MAX_LEAF) else {
            return Err(too_many);
        };
        let below = |ply: usize| (width as Value).pow((depth - ply - 1) as u32);
        let worst = Some((0..depth).map(below).collect());
        Ok(Synthetic { values: leaves, worst, ..plain })
    }

    /// The same tree from another seed.
    #[must_use]
    pub fn reseeded(&self, seed: u64) -> Synthetic {
        Synthetic { seed, ..self.clone() }
    }

    /// The same tree with another value at the root, which must be one of its values.
    pub fn with_root(&self, root: Value) -> Result<Synthetic, SyntheticError> {
        if !(0..self.values).contains(&root) {
            return Err(SyntheticError::Root { root, greatest: self.values - 1 });
        }
        Ok(Synthetic { root, ..self.clone() })
    }

    /// w, the number of children of every interior node.
    pub fn width(&self) -> usize {
        self.width
    }

    /// d, the depth of all leaves.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// The root's value if it was handed down, `None` for independent leaves.
    pub fn known_value(&self) -> Option<Value> {
        self.segments.map(|_| self.root)
    }
}

impl Segments {
    fn new(ordering: TreeOrdering, width: usize) -> Result<Option<Segments>, SyntheticError> {
        const ONE: u64 = 1 << 32;
        let threshold = |p: f64| (p * ONE as f64) as u64;
        let w = width as u32;
        Ok(match ordering {
            TreeOrdering::Independent => None,
            TreeOrdering::Probable { order, probability } => {
                if !(1..=width).contains(&order) {
                    return Err(SyntheticError::Order { order, width });
                }
                if !(0.0..=1.0).contains(&probability) {
                    return Err(SyntheticError::Probability(probability));
                }
                let first = (width / order) as u32;
                let thresholds = [threshold(probability), ONE, ONE];
                Some(Segments { ends: [first, w, w], thresholds })
            }
            TreeOrdering::Strong => {
                let quarter = (width / 4).max(1) as u32;
                let thresholds = [threshold(0.7), threshold(0.9), ONE];
                Some(Segments { ends: [1, quarter, w], thresholds })
            }
        })
    }

    /// Which child is the best, from one random word.
    #[inline]
    fn best(&self, random: u64) -> u16 {
        let chance = random & 0xFFFF_FFFF;
        let chosen = self.thresholds.iter().position(|&t| chance < t).unwrap_or(2);
        let end = self.ends[chosen];
        let start = if chosen == 0 { 0 } else { self.ends[chosen - 1] };
        // A segment may be empty, where the first one is the whole width. The draw is then among
        // all children before its end.
        let start = if start < end { start } else { 0 };
        (start + (((random >> 32) * u64::from(end - start)) >> 32) as u32) as u16
    }
}

impl Synthetic {
    /// The value of a child in a worst-ordered tree: of the values below the node, children of MAX have
    /// parts from the lowest up, and children of MIN from the highest down.
    #[inline(never)]
    fn worst_value(&self, node: &SyntheticNode, mv: u32, leaves: &[Value]) -> Value {
        let last = self.width as Value - 1;
        let part = if node.ply.is_multiple_of(2) { mv as Value } else { last - mv as Value };
        node.value + part * leaves[usize::from(node.ply)]
    }
}

/// Salt for the draw of the best child, which must not depend on the children's keys.
const BEST_CHILD: u64 = 0x5EED_BE57_0000_0000;

impl GameTree for Synthetic {
    type Node = SyntheticNode;
    type Move = u32;
    type Moves = ChildNumbers;

    const JUDGES: bool = false;

    #[inline]
    fn root(&self) -> SyntheticNode {
        let key = mix(self.seed, 0x0B0E_50F7_0000_0001);
        match &self.segments {
            None if self.worst.is_some() => SyntheticNode { key, value: 0, best: 0, ply: 0 },
            None => SyntheticNode { key, value: below(self.values, key), best: 0, ply: 0 },
            Some(segments) => {
                let best = segments.best(mix(key, BEST_CHILD));
                SyntheticNode { key, value: self.root, best, ply: 0 }
            }
        }
    }

    #[inline]
    fn moves(&self, node: &SyntheticNode, moves: &mut ChildNumbers) {
        if usize::from(node.ply) < self.depth {
            *moves = ChildNumbers::new(self.width);
        }
    }

    // A call costs a leaf as much as its value: always in line, and what is rare by a call.
    #[inline(always)]
    fn child(&self, node: &SyntheticNode, mv: u32) -> SyntheticNode {
        let key = mix(node.key, u64::from(mv) + 1);
        let ply = node.ply + 1;
        let Some(segments) = &self.segments else {
            let value = match &self.worst {
                None => below(self.values, key),
                Some(leaves) => self.worst_value(node, mv, leaves),
            };
            return SyntheticNode { key, value, best: 0, ply };
        };
        let value = if mv == u32::from(node.best) {
            node.value
        } else if node.ply.is_multiple_of(2) {
            below(node.value + 1, key)
        } else {
            node.value + below(self.values - node.value, key)
        };
        let leaf = usize::from(ply) == self.depth;
        let best = if leaf { 0 } else { segments.best(mix(key, BEST_CHILD)) };
        SyntheticNode { key, value, best, ply }
    }

    /// The node's own value. In an ordered tree it is the minimax value; with independent leaves it
    /// means nothing above the leaves.
    #[inline]
    fn evaluate(&self, node: &SyntheticNode) -> Value {
        if node.ply.is_multiple_of(2) { node.value } else { -node.value }
    }

    fn value_range(&self) -> RangeInclusive<Value> {
        0..=self.values - 1
    }

    #[inline]
    fn key(&self, node: &SyntheticNode) -> u64 {
        node.key
    }

    #[inline]
    fn code(&self, mv: u32) -> u16 {
        mv as u16
    }
}

/// The list of moves of a tree whose moves are the children's numbers, from 0 up to a count.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChildNumbers {
    count: u32,
}

impl ChildNumbers {
    /// The numbers below `count`.
    #[inline]
    pub fn new(count: usize) -> ChildNumbers {
        ChildNumbers { count: count as u32 }
    }
}

impl MoveList for ChildNumbers {
    type Move = u32;

    #[inline]
    fn len(&self) -> usize {
        self.count as usize
    }

    #[inline]
    fn at(&self, index: usize) -> u32 {
        debug_assert!(index < self.len());
        index as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minimax(tree: &Synthetic, node: &SyntheticNode) -> Value {
        let mut moves = ChildNumbers::default();
        tree.moves(node, &mut moves);
        (0..moves.len())
            .map(|i| -minimax(tree, &tree.child(node, moves.at(i))))
            .max()
            .unwrap_or_else(|| tree.evaluate(node))
    }

    #[test]
    fn ordered_trees_have_the_value_they_were_given() {
        let orderings = [
            TreeOrdering::Probable { order: 1, probability: 1.0 },
            TreeOrdering::Probable { order: 2, probability: 0.9 },
            TreeOrdering::Probable { order: 5, probability: 0.0 },
            TreeOrdering::Strong,
        ];
        for (seed, ordering) in orderings.into_iter().enumerate() {
            for (width, depth) in [(5, 4), (5, 5), (9, 3)] {
                let tree =
                    Synthetic::ordered(width, depth, 100, 37, seed as u64, ordering).unwrap();
                assert_eq!(minimax(&tree, &tree.root()), 37, "{ordering:?} T({width},{depth})");
            }
        }
    }

    #[test]
    fn the_best_child_stands_where_the_order_says() {
        let draws = 20_000u64;
        let count = |ordering, width, wanted: RangeInclusive<u16>| {
            let segments = Segments::new(ordering, width).unwrap().unwrap();
            let hits = (0..draws).filter(|&i| wanted.contains(&segments.best(mix(i, 7)))).count();
            hits as f64 / draws as f64
        };
        let near = |x: f64, y: f64| (x - y).abs() < 0.015;
        assert!(near(count(TreeOrdering::Strong, 20, 0..=0), 0.7));
        assert!(near(count(TreeOrdering::Strong, 20, 0..=4), 0.9));
        let p = TreeOrdering::Probable { order: 2, probability: 0.9 };
        assert!(near(count(p, 24, 0..=11), 0.9));
        assert!(near(count(p, 24, 12..=23), 0.1));
        assert!(near(count(p, 24, 3..=3), 0.075));
        let random = TreeOrdering::Probable { order: 1, probability: 1.0 };
        assert!(near(count(random, 8, 5..=5), 0.125));
        let minimal = TreeOrdering::Probable { order: 8, probability: 1.0 };
        assert!(near(count(minimal, 8, 0..=0), 1.0));
    }

    #[test]
    fn the_generator_is_the_same_everywhere() {
        // Changing these numbers changes every count that was ever published from a seed.
        let tree = Synthetic::independent(4, 3, 1000, 42).unwrap();
        let root = tree.root();
        let leaf = |i| tree.child(&tree.child(&tree.child(&root, i), 1), 2).value;
        assert_eq!([leaf(0), leaf(1), leaf(2), leaf(3)], [982, 216, 875, 238]);
    }

    #[test]
    fn impossible_trees_are_refused() {
        assert_eq!(Synthetic::independent(0, 3, 10, 0).unwrap_err(), SyntheticError::Width(0));
        assert_eq!(Synthetic::independent(257, 3, 10, 0).unwrap_err(), SyntheticError::Width(257));
        assert_eq!(Synthetic::independent(3, 65, 10, 0).unwrap_err(), SyntheticError::Depth(65));
        assert_eq!(Synthetic::independent(3, 3, 0, 0).unwrap_err(), SyntheticError::Values(0));
        let root = Synthetic::minimal(3, 3, 10, 10, 0).unwrap_err();
        assert_eq!(root, SyntheticError::Root { root: 10, greatest: 9 });
        let p = TreeOrdering::Probable { order: 1, probability: 1.5 };
        let probability = Synthetic::ordered(3, 3, 10, 5, 0, p).unwrap_err();
        assert_eq!(probability, SyntheticError::Probability(1.5));
    }
}
