//! The trait that carries every tree, and the trees that can be written down or generated.
//!
//! [`GameTree`] is implemented on the *tree* (the rules and whatever the evaluation needs), not on a
//! position: a synthetic tree is then as natural as a board, and weights read from a file live in
//! `&self`.

mod explicit;
mod path;
mod swapped;
mod synthetic;

pub use explicit::{Explicit, ParseTreeError, TreeNode};
pub(crate) use path::{PathTree, ROOT};
pub use swapped::{Run, Swapped};
pub use synthetic::{
    ChildNumbers, MAX_DEPTH, MAX_WIDTH, Ordering, Synthetic, SyntheticError, SyntheticNode, mix,
};

use std::fmt;
use std::ops::RangeInclusive;

use crate::value::Value;

/// A game tree of two players who move alternately.
///
/// The root is at ply 0, and whoever moves there is MAX. A node without moves is a leaf at any
/// depth; so is every node at the search's horizon.
pub trait GameTree: Sync {
    /// A position, cheap to copy: children are made from it, never undone.
    type Node: Clone + Send;
    /// A move; for a tree that has none of its own, the child's number.
    type Move: Copy + Eq + Send + fmt::Debug;
    /// The moves of one node in the tree's own (static) order.
    type Moves: MoveList<Move = Self::Move>;

    /// The position at ply 0.
    fn root(&self) -> Self::Node;

    /// Fills `moves`, which arrives empty, with the moves of `node`. No moves means that the game is
    /// over.
    fn moves(&self, node: &Self::Node, moves: &mut Self::Moves);

    /// The position after `mv`.
    fn child(&self, node: &Self::Node, mv: Self::Move) -> Self::Node;

    /// What `node` is worth for the side to move, within ±[`MAX_LEAF`](crate::value::MAX_LEAF);
    /// exact where the game is over.
    fn evaluate(&self, node: &Self::Node) -> Value;

    /// The least and the greatest value that a leaf may have, from the view of the root's mover.
    /// Bisection starts from these ends, and a search that is stopped falls back on them.
    fn value_range(&self) -> RangeInclusive<Value>;
}

/// The moves of a node: a list whose order the tree chose.
pub trait MoveList: Default + Clone + Send {
    /// What the list holds.
    type Move: Copy;
    /// How many moves there are.
    fn len(&self) -> usize;
    /// The move at `index < len()`.
    fn get(&self, index: usize) -> Self::Move;
    /// Are there none?
    #[inline]
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
