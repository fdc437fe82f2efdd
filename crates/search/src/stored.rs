//! The bare mode of algorithms that are nothing without a stored search tree: the tree, and nothing
//! else.

use plyground_core::tree::GameTree;
use plyground_core::value::{Bounds, Value};

use crate::memory::{Recalled, StoredTree};
use crate::mode::Mode;
use crate::node::SearchNode;
use crate::order::Decided;
use crate::paths::{Distinct, ROOT};
use crate::table::NO_MOVE;
use crate::trace::Event;

/// A stored search tree, and moves in the tree's own order.
pub struct Stored {
    tree: StoredTree,
}

impl Stored {
    pub(crate) fn new(tree: StoredTree) -> Stored {
        Stored { tree }
    }
}

#[allow(private_interfaces)]
impl Mode for Stored {
    const RICH: bool = false;
    const STORED: bool = true;
    /// The number of a node's path, which is its place in the tree.
    type Tag = u32;
    type Ranks = ();
    type Sorted = ();

    #[inline(always)]
    fn root<T: GameTree>(&mut self, _: &T, _: &T::Node) -> u32 {
        ROOT
    }

    #[inline(always)]
    fn below<T: GameTree>(
        &mut self,
        _: &T,
        at: &SearchNode<T, Self>,
        _: T::Move,
        (place, width): (usize, usize),
        _: &T::Node,
    ) -> u32 {
        self.tree.below(at.tag, place, width)
    }

    #[inline(always)]
    fn path(tag: u32) -> u32 {
        tag
    }

    #[inline(always)]
    fn recall(&self, at: u32, _: u32) -> Recalled {
        Recalled { bounds: self.tree.recall(at), best: NO_MOVE }
    }

    #[inline(always)]
    fn store(&mut self, at: u32, _: u32, bounds: Bounds, _: u16) {
        self.tree.store(at, bounds);
    }

    fn of_children(&self, at: u32, width: usize) -> Bounds {
        self.tree.of_children(at, width)
    }

    #[inline(always)]
    fn keeps(&self) -> bool {
        true
    }

    #[inline(always)]
    fn has_table(&self) -> bool {
        false
    }

    #[inline(always)]
    fn rank<T: GameTree>(&self, _: &T, _: &SearchNode<T, Self>, _: &T::Moves, _: u16, (): &mut ()) {
    }

    #[inline(always)]
    fn pick((): &mut (), number: usize) -> usize {
        number
    }

    #[inline(always)]
    fn sort((): ()) {}

    #[inline(always)]
    fn place((): &(), number: usize) -> usize {
        number
    }

    #[inline(always)]
    fn learns(&self) -> bool {
        false
    }

    #[inline(always)]
    fn improve(&mut self, _: u32, _: impl FnOnce() -> u16) {}

    #[inline(always)]
    fn settle(&mut self, _: u32, _: u32, _: u32, _: Option<Decided>) {}

    #[inline(always)]
    fn expanded(&mut self, at: u32, width: usize) {
        self.tree.expand(at, width);
    }

    #[inline(always)]
    fn leaf(&mut self, _: u32, _: Value) {}

    #[inline(always)]
    fn tell(&mut self, _: u32, _: impl FnOnce() -> Event) {}

    #[inline(always)]
    fn listens(&self) -> bool {
        false
    }

    fn set_process(&mut self, _: u32) {}

    fn next_iteration(&mut self, _: u16) {
        self.tree.change_horizon();
    }

    fn distinct(&mut self) -> Option<Distinct> {
        None
    }

    fn expanded_nodes(&self) -> Option<u64> {
        Some(self.tree.expanded())
    }

    fn stored(&self) -> u64 {
        self.tree.stored()
    }

    fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    fn fork(&mut self) -> Stored {
        unreachable!("a parallel algorithm shares its tree, and is searched richly")
    }

    fn join(&mut self, _: Stored) {}
}
