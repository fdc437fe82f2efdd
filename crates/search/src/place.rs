//! Where a search is: a node with what the probe, the memory and the order know of it, and its
//! children.

use super::{Memory, Order, Probe, Setting};
use plyground_core::tree::{GameTree, MoveList};

/// A node on its way through a search: the position, how far the horizon is, where it stands.
pub struct Place<S: Setting> {
    pub(super) node: <S::Tree as GameTree>::Node,
    pub(super) height: u32,
    pub(super) ply: u32,
    pub(super) mark: <S::Probe as Probe>::Mark,
    pub(super) slot: <S::Memory as Memory>::Slot,
    pub(super) trail: <S::Order as Order>::Trail,
}

impl<S: Setting> Place<S> {
    /// The same node once more.
    pub(super) fn again(&self) -> Self {
        Place { node: self.node.clone(), ..*self }
    }
}

/// The children of an expanded node for a depth-first search, which takes them one after the other.
pub(super) struct Brothers<S: Setting> {
    pub(super) moves: <S::Tree as GameTree>::Moves,
    pub(super) ranks: <S::Order as Order>::Ranks,
    /// Where the best child so far stands in the tree's list, if it is better than the window's
    /// lower end; kept only where something is learnt from it.
    pub(super) best: Option<usize>,
}

impl<S: Setting> Brothers<S> {
    /// An empty list, to be filled in place.
    #[inline(always)]
    pub(super) fn none() -> Self {
        Brothers { moves: Default::default(), ranks: Default::default(), best: None }
    }

    /// Hands them out one after the other.
    #[inline]
    pub(super) fn picker(&mut self) -> Picker<'_, S> {
        Picker { brothers: self, next: 0, current: 0 }
    }
}

/// Hands out the children of a node one after the other, sorting no more than it must.
pub(super) struct Picker<'b, S: Setting> {
    pub(super) brothers: &'b mut Brothers<S>,
    pub(super) next: usize,
    /// Where the child that was handed out last stands in the tree's list.
    pub(super) current: usize,
}

impl<S: Setting> Picker<'_, S> {
    /// The move to the child that was handed out last.
    #[inline]
    pub(super) fn current(&self) -> <S::Tree as GameTree>::Move {
        self.brothers.moves.at(self.current)
    }
}

/// The children of an expanded node for an algorithm that keeps them: in the order in which they
/// are searched.
pub(super) struct Children<S: Setting> {
    pub(super) moves: <S::Tree as GameTree>::Moves,
    pub(super) sorted: <S::Order as Order>::Sorted,
}

impl<S: Setting> Children<S> {
    /// How many there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The move to child `number`.
    #[inline]
    pub(super) fn mv(&self, number: usize) -> <S::Tree as GameTree>::Move {
        self.moves.at(self.place(number))
    }

    /// Where child `number` stands in the tree's list.
    #[inline]
    pub(super) fn place(&self, number: usize) -> usize {
        S::Order::place(&self.sorted, number)
    }
}
