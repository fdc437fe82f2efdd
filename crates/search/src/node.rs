//! The nodes of a search: a position with its place in the search, and its children.

use plyground_core::tree::{GameTree, MoveList};
use plyground_core::value::{Bounds, Value, Window};

use crate::memory::Recalled;
use crate::mode::Mode;

/// A node of a search: the position, its distance from the horizon, its distance from the root.
pub struct SearchNode<T: GameTree, M: Mode> {
    /// The position.
    pub node: T::Node,
    /// Plies to the horizon: at 0 the node is a leaf.
    pub height: u32,
    /// Plies from the root.
    pub ply: u32,
    /// What the mode knows the node by: its path, its slot in the memory, the moves before it.
    pub(crate) tag: M::Tag,
}

impl<T: GameTree, M: Mode> Clone for SearchNode<T, M> {
    fn clone(&self) -> Self {
        SearchNode { node: self.node.clone(), ..*self }
    }
}

/// The children of an expanded node for a depth-first search, which visits them one after the
/// other.
pub struct Siblings<T: GameTree, M: Mode> {
    pub(crate) moves: T::Moves,
    pub(crate) ranks: M::Ranks,
    /// The place in the tree's list of the best child so far, if it is better than the window's
    /// lower end; kept only where the search learns from it.
    pub(crate) best: Option<usize>,
}

impl<T: GameTree, M: Mode> Siblings<T, M> {
    /// An empty list, to be filled in place.
    #[inline(always)]
    pub(crate) fn none() -> Self {
        Siblings { moves: Default::default(), ranks: Default::default(), best: None }
    }

    /// Hands the children out one after the other.
    #[inline]
    pub fn picker(&mut self) -> Picker<'_, T, M> {
        Picker { siblings: self, next: 0, current: 0 }
    }
}

/// Hands out the children of a node one after the other, sorting no more than it must.
pub struct Picker<'b, T: GameTree, M: Mode> {
    pub(crate) siblings: &'b mut Siblings<T, M>,
    pub(crate) next: usize,
    /// The place in the tree's list of the child that was handed out last.
    pub(crate) current: usize,
}

impl<T: GameTree, M: Mode> Picker<'_, T, M> {
    /// The move to the child that was handed out last.
    #[inline]
    pub(crate) fn current(&self) -> T::Move {
        self.siblings.moves.at(self.current)
    }
}

/// The children of an expanded node for an algorithm that keeps them, numbered in the order of
/// search.
pub struct Children<T: GameTree, M: Mode> {
    pub(crate) moves: T::Moves,
    pub(crate) sorted: M::Sorted,
}

impl<T: GameTree, M: Mode> Clone for Children<T, M> {
    fn clone(&self) -> Self {
        Children { moves: self.moves.clone(), sorted: self.sorted.clone() }
    }
}

impl<T: GameTree, M: Mode> Children<T, M> {
    /// How many children there are: at least one.
    #[inline]
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// The move to child `number`.
    #[inline]
    pub fn mv(&self, number: usize) -> T::Move {
        self.moves.at(self.place(number))
    }

    /// The place of child `number` in the tree's list.
    #[inline]
    pub(crate) fn place(&self, number: usize) -> usize {
        M::place(&self.sorted, number)
    }

    /// The move to child `number`, to be kept.
    #[inline]
    pub(crate) fn kept_move(&self, number: usize) -> KeptMove<T, M> {
        let place = self.place(number);
        let leads = M::RICH && place < self.moves.leading();
        KeptMove { mv: self.moves.at(place), place: M::keep_place(place, leads) }
    }
}

/// A move of a node whose moves are kept one by one, in the order of search.
pub(crate) struct KeptMove<T: GameTree, M: Mode> {
    pub(crate) mv: T::Move,
    pub(crate) place: M::Place,
}

impl<T: GameTree, M: Mode> Clone for KeptMove<T, M> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: GameTree, M: Mode> Copy for KeptMove<T, M> {}

/// What the beginning of a visit came to.
pub(crate) enum BegunVisit {
    /// The memory answers for the node.
    Answered(Value),
    /// The node is a leaf, which was evaluated; these bounds are still to be remembered.
    Leaf(Value, Bounds),
    /// The children are to be searched: what the memory knows of the node, and the window narrowed
    /// to it.
    Interior(Recalled, Window),
}
