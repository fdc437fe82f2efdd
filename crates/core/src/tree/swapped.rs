//! Ordered trees from independent leaves, with the best children swapped into place.
//!
//! The other way to generate an ordered tree: all leaves are drawn independently, and the nodes are
//! visited from the leaves up. At each node the best child changes places with the first one with
//! probability q, else with one of the others. Values are not handed down, so the root's value is
//! whatever the leaves make it, and the tree has to be held in memory.

use std::ops::RangeInclusive;

use super::{ChildNumbers, GameTree, mix};
use crate::value::Value;

/// A uniform tree over a row of leaves, the best child first with a given probability.
#[derive(Clone, Debug)]
pub struct Swapped {
    width: usize,
    depth: usize,
    values: Value,
    leaves: Vec<Value>,
    value: Value,
}

/// A node of a [`Swapped`] tree: a run of its leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SwappedNode {
    start: usize,
    length: usize,
    min_to_move: bool,
}

/// The papers' trees are small, and all leaves are held in memory: larger trees are refused.
const MAX_LEAVES: usize = 1 << 28;

impl Swapped {
    /// The tree T(w, d) with values 0..`values`, the first child best with probability `q`. `None`
    /// if it is less than 2 wide, has no values, or has more than 2²⁸ leaves.
    pub fn new(width: usize, depth: usize, values: Value, q: f64, seed: u64) -> Option<Swapped> {
        let count = width.checked_pow(u32::try_from(depth).ok()?)?;
        if width < 2 || count > MAX_LEAVES || values < 1 {
            return None;
        }
        let draw = |i: usize| {
            let random = mix(seed, i as u64 + 1) >> 32;
            ((random * values as u64) >> 32) as Value
        };
        let mut leaves: Vec<Value> = (0..count).map(draw).collect();
        let threshold = (q.clamp(0.0, 1.0) * (1u64 << 32) as f64) as u64;
        let mut swaps = Swaps { width, threshold, state: mix(seed, 0x5A4B) };
        let value = swaps.order(&mut leaves, false);
        Some(Swapped { width, depth, values, leaves, value })
    }

    /// The minimax value of the tree.
    pub fn value(&self) -> Value {
        self.value
    }

    /// d, the depth of all leaves.
    pub fn depth(&self) -> usize {
        self.depth
    }
}

struct Swaps {
    width: usize,
    threshold: u64,
    state: u64,
}

impl Swaps {
    fn order(&mut self, leaves: &mut [Value], min_to_move: bool) -> Value {
        if leaves.len() == 1 {
            return leaves[0];
        }
        let length = leaves.len() / self.width;
        let mut best: Option<(usize, Value)> = None;
        for (i, child) in leaves.chunks_mut(length).enumerate() {
            let value = self.order(child, !min_to_move);
            let better = |v: Value| if min_to_move { value < v } else { value > v };
            if best.is_none_or(|(_, v)| better(v)) {
                best = Some((i, value));
            }
        }
        let (from, value) = best.unwrap_or((0, 0));
        self.state = mix(self.state, 0x0DD5);
        let to = if (self.state & 0xFFFF_FFFF) < self.threshold {
            0
        } else {
            1 + (((self.state >> 32) * (self.width as u64 - 1)) >> 32) as usize
        };
        if from != to && to < self.width {
            let (low, high) = (from.min(to), from.max(to));
            let (left, right) = leaves.split_at_mut(high * length);
            left[low * length..][..length].swap_with_slice(&mut right[..length]);
        }
        value
    }
}

impl GameTree for Swapped {
    type Node = SwappedNode;
    type Move = u32;
    type Moves = ChildNumbers;

    const JUDGES: bool = false;

    fn root(&self) -> SwappedNode {
        SwappedNode { start: 0, length: self.leaves.len(), min_to_move: false }
    }

    #[inline]
    fn moves(&self, node: &SwappedNode, moves: &mut ChildNumbers) {
        if node.length > 1 {
            *moves = ChildNumbers::new(self.width);
        }
    }

    #[inline]
    fn child(&self, node: &SwappedNode, mv: u32) -> SwappedNode {
        let length = node.length / self.width;
        SwappedNode {
            start: node.start + mv as usize * length,
            length,
            min_to_move: !node.min_to_move,
        }
    }

    /// A leaf's value; above the leaves, the value of the leftmost one.
    #[inline]
    fn evaluate(&self, node: &SwappedNode) -> Value {
        let value = self.leaves[node.start];
        if node.min_to_move { -value } else { value }
    }

    fn value_range(&self) -> RangeInclusive<Value> {
        0..=self.values - 1
    }

    fn key(&self, node: &SwappedNode) -> u64 {
        mix(node.start as u64, node.length as u64)
    }

    fn code(&self, mv: u32) -> u16 {
        mv as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impossible_trees_are_refused() {
        assert!(Swapped::new(0, 3, 10, 0.5, 1).is_none());
        assert!(Swapped::new(10, 9, 10, 0.5, 1).is_none());
        assert!(Swapped::new(2, 3, 0, 0.5, 1).is_none());
        assert!(Swapped::new(1, 3, 10, 0.5, 1).is_none());
    }
}
