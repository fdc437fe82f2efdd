//! The laboratory's trees as one type, so that a search is compiled once for all three kinds.

use std::ops::RangeInclusive;

use super::{
    ChildNumbers, Explicit, ExplicitNode, GameTree, Swapped, SwappedNode, Synthetic, SyntheticNode,
};
use crate::value::Value;

/// A tree of the laboratory: written out, or generated.
#[derive(Clone, Debug)]
pub enum LabTree {
    /// A tree that is written out.
    Written(Explicit),
    /// A uniform tree, generated as it is searched.
    Uniform(Synthetic),
    /// A uniform tree of independent leaves with the best children swapped into place, held in
    /// memory.
    Swapped(Swapped),
}

impl From<Explicit> for LabTree {
    fn from(tree: Explicit) -> LabTree {
        LabTree::Written(tree)
    }
}

impl From<Synthetic> for LabTree {
    fn from(tree: Synthetic) -> LabTree {
        LabTree::Uniform(tree)
    }
}

impl From<Swapped> for LabTree {
    fn from(tree: Swapped) -> LabTree {
        LabTree::Swapped(tree)
    }
}

impl LabTree {
    /// The length of the longest path.
    pub fn height(&self) -> usize {
        match self {
            LabTree::Written(tree) => tree.height(),
            LabTree::Uniform(tree) => tree.depth(),
            LabTree::Swapped(tree) => tree.depth(),
        }
    }

    /// The minimax value of the whole tree, where it is known without a search.
    pub fn known_value(&self) -> Option<Value> {
        match self {
            LabTree::Written(_) => None,
            LabTree::Uniform(tree) => tree.known_value(),
            LabTree::Swapped(tree) => Some(tree.value()),
        }
    }
}

/// A node of a [`LabTree`], of the same kind as the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabNode {
    /// A node of a tree that is written out.
    Written(ExplicitNode),
    /// A node of a uniform tree.
    Uniform(SyntheticNode),
    /// A node of a tree with the best children swapped into place.
    Swapped(SwappedNode),
}

// Searches copy nodes all the time, so a node must stay small.
const _: () = assert!(size_of::<LabNode>() <= 24);

/// Asks a tree of any kind about one of its nodes.
macro_rules! of_its_kind {
    ($tree:expr, $node:expr, |$t:ident, $n:ident| $answer:expr) => {
        match ($tree, $node) {
            (LabTree::Written($t), LabNode::Written($n)) => $answer,
            (LabTree::Uniform($t), LabNode::Uniform($n)) => $answer,
            (LabTree::Swapped($t), LabNode::Swapped($n)) => $answer,
            _ => unreachable!("a tree is asked about its own nodes"),
        }
    };
}

impl GameTree for LabTree {
    type Node = LabNode;
    type Move = u32;
    type Moves = ChildNumbers;

    const JUDGES: bool = false;

    #[inline]
    fn root(&self) -> LabNode {
        match self {
            LabTree::Written(tree) => LabNode::Written(tree.root()),
            LabTree::Uniform(tree) => LabNode::Uniform(tree.root()),
            LabTree::Swapped(tree) => LabNode::Swapped(tree.root()),
        }
    }

    #[inline]
    fn moves(&self, node: &LabNode, moves: &mut ChildNumbers) {
        of_its_kind!(self, node, |tree, node| tree.moves(node, moves));
    }

    #[inline]
    fn child(&self, node: &LabNode, mv: u32) -> LabNode {
        match (self, node) {
            (LabTree::Written(tree), LabNode::Written(node)) => {
                LabNode::Written(tree.child(node, mv))
            }
            (LabTree::Uniform(tree), LabNode::Uniform(node)) => {
                LabNode::Uniform(tree.child(node, mv))
            }
            (LabTree::Swapped(tree), LabNode::Swapped(node)) => {
                LabNode::Swapped(tree.child(node, mv))
            }
            _ => unreachable!("a tree is asked about its own nodes"),
        }
    }

    #[inline]
    fn evaluate(&self, node: &LabNode) -> Value {
        of_its_kind!(self, node, |tree, node| tree.evaluate(node))
    }

    #[inline]
    fn value_range(&self) -> RangeInclusive<Value> {
        match self {
            LabTree::Written(tree) => tree.value_range(),
            LabTree::Uniform(tree) => tree.value_range(),
            LabTree::Swapped(tree) => tree.value_range(),
        }
    }

    #[inline]
    fn key(&self, node: &LabNode) -> u64 {
        of_its_kind!(self, node, |tree, node| tree.key(node))
    }

    /// The child's number, as in each of the three kinds.
    #[inline]
    fn code(&self, mv: u32) -> u16 {
        mv as u16
    }
}

#[cfg(test)]
mod tests {
    use super::super::MoveList;
    use super::*;

    /// The leaves from left to right, each with its key.
    fn leaves<T: GameTree<Move = u32, Moves = ChildNumbers>>(
        tree: &T,
        node: &T::Node,
    ) -> Vec<(Value, u64)> {
        let mut moves = ChildNumbers::default();
        tree.moves(node, &mut moves);
        if moves.is_empty() {
            return vec![(tree.evaluate(node), tree.key(node))];
        }
        (0..moves.len()).flat_map(|i| leaves(tree, &tree.child(node, moves.at(i)))).collect()
    }

    #[test]
    fn a_tree_of_the_laboratory_is_the_tree_that_it_holds() {
        let written: Explicit = "((3 12 (8 1)) 7 (14 5 2))".parse().unwrap();
        let uniform = Synthetic::independent(3, 4, 50, 3).unwrap();
        let swapped = Swapped::new(3, 3, 50, 0.6, 1).unwrap();
        let expected = [
            leaves(&written, &written.root()),
            leaves(&uniform, &uniform.root()),
            leaves(&swapped, &swapped.root()),
        ];
        let trees = [LabTree::from(written), uniform.into(), swapped.into()];
        assert_eq!(trees.each_ref().map(LabTree::height), [3, 4, 3]);
        for (tree, expected) in trees.iter().zip(&expected) {
            assert_eq!(&leaves(tree, &tree.root()), expected);
        }
    }
}
