//! The modes of a search: bare and rich.
//!
//! Every algorithm is written once, against [`Search`](crate::Search), and compiled twice for a
//! tree. [`Bare`] is the algorithm and nothing else: no watch, moves in the tree's own order, and no
//! memory but what the algorithm is made of. Ratios and times are measured with it.
//! [`Rich`](crate::rich::Rich) adds everything else, decided at run time: a memory, an order of moves
//! that is learnt, counting of distinct paths, a watch. It pays a branch where it is about to touch a
//! table anyway.
//!
//! A bare search may [keep](crate::keep) one thing, for the algorithms that need it and for no other:
//! a stored search tree, or the set of the paths that it has been on.

use plyground_core::tree::GameTree;
use plyground_core::value::{Bounds, Value};

use crate::keep::{Keep, Keeps, Nothing};
use crate::memory::Recalled;
use crate::node::SearchNode;
use crate::order::DecidingMove;
use crate::paths::Distinct;
use crate::trace::Event;

/// The mode of a search: [`Bare`] or [`Rich`](crate::Rich). Only this crate implements it; an
/// algorithm reaches its mode through [`Search`](crate::Search).
#[allow(private_interfaces)]
pub trait Mode: Sized + Send + 'static {
    /// Is everything decided at run time?
    const RICH: bool;
    /// What a mode that is not rich keeps: it is compiled for the algorithms that this is for.
    const KEEPS: Keeps = Keeps::Nothing;
    /// What the mode knows a node by: the number of its path, its slot in the memory, what led to
    /// it.
    type Tag: Copy + Send;
    /// The moves of one node, ranked, and sorted as far as they were asked for.
    type Ranks: Default + Send;
    /// The moves of one node, sorted.
    type Sorted: Clone + Send;
    /// The place of a move in the tree's list, beside a move that is kept in the order of search.
    type Place: Copy + Send;

    /// The tag of the root.
    #[doc(hidden)]
    fn root<T: GameTree>(&mut self, tree: &T, node: &T::Node) -> Self::Tag;
    /// The tag of `child`, the position after `mv` at the node `at`; `place` is the place of the
    /// move in the tree's list and the length of that list.
    #[doc(hidden)]
    fn below<T: GameTree>(
        &mut self,
        tree: &T,
        at: &SearchNode<T, Self>,
        mv: T::Move,
        place: (usize, usize),
        child: &T::Node,
    ) -> Self::Tag;
    /// The number of a node's path, if paths have numbers.
    #[doc(hidden)]
    fn path(tag: Self::Tag) -> u32;

    /// What the memory knows of a node.
    #[doc(hidden)]
    fn recall(&self, at: Self::Tag, height: u32) -> Recalled;
    /// Where a mode [keeps](Mode::KEEPS) bounds, the first child of an expanded node, for
    /// [`recall_sibling`](Mode::recall_sibling).
    #[doc(hidden)]
    #[inline(always)]
    fn first_below(&self, _at: Self::Tag) -> u32 {
        0
    }
    /// What is known of the child at `place` in the list, beside the first: without its position.
    #[doc(hidden)]
    #[inline(always)]
    fn recall_sibling(&self, _first: u32, _place: usize) -> Bounds {
        Bounds::UNKNOWN
    }
    /// Replaces what the memory knows of a node.
    #[doc(hidden)]
    fn store(&mut self, at: Self::Tag, height: u32, bounds: Bounds, best: u16);
    /// The bounds that follow from those of the children.
    #[doc(hidden)]
    fn bounds_from_children(&self, at: Self::Tag, width: usize) -> Bounds;
    /// Forgets what is irrelevant below a node at `ply` whose search has ended; `narrows` says whether the
    /// calls of the root are narrowed to its bounds.
    #[doc(hidden)]
    fn forget_irrelevant(&mut self, _at: Self::Tag, _ply: u32, _narrows: bool) {}
    /// Is there a memory?
    #[doc(hidden)]
    fn has_memory(&self) -> bool;
    /// Is the memory a table, in which a position is the same whichever moves led to it?
    #[doc(hidden)]
    fn has_table(&self) -> bool;

    /// Ranks the moves of `at`; `best` is the best move of an earlier visit.
    #[doc(hidden)]
    fn rank<T: GameTree>(
        &self,
        tree: &T,
        at: &SearchNode<T, Self>,
        moves: &T::Moves,
        best: u16,
        ranks: &mut Self::Ranks,
    );
    /// The place in the tree's list of move `number` in the order of search, asked for in sequence.
    #[doc(hidden)]
    fn pick(ranks: &mut Self::Ranks, number: usize) -> usize;
    /// Sorts all moves.
    #[doc(hidden)]
    fn sort(ranks: Self::Ranks) -> Self::Sorted;
    /// The place in the tree's list of move `number` in the order of search.
    #[doc(hidden)]
    fn place(sorted: &Self::Sorted, number: usize) -> usize;
    /// The place in the tree's list, which the move `leads` or not, to be kept beside the move.
    #[doc(hidden)]
    fn keep_place(place: usize, leads: bool) -> Self::Place;
    /// The place of a move that is kept as move `number`, and whether it leads the tree's list.
    #[doc(hidden)]
    fn kept_place(kept: Self::Place, number: usize) -> (usize, bool);
    /// Is anything learnt from which moves were good?
    #[doc(hidden)]
    fn learns(&self) -> bool;
    /// Notes that the node at `ply` has found a better move.
    #[doc(hidden)]
    fn improve(&mut self, ply: u32, code: impl FnOnce() -> u16);
    /// Learns from the finished search of a node.
    #[doc(hidden)]
    fn settle(&mut self, at: Self::Tag, ply: u32, height: u32, decided: Option<DecidingMove>);

    /// Notes that a node with `width` children is expanded.
    #[doc(hidden)]
    fn expanded(&mut self, at: Self::Tag, width: usize);
    /// Notes that a leaf is evaluated; `value` is from MAX's view.
    #[doc(hidden)]
    fn leaf(&mut self, at: Self::Tag, value: Value);
    /// Reports an event to the watch, if there is one.
    #[doc(hidden)]
    fn emit(&mut self, path: u32, event: impl FnOnce() -> Event);
    /// Is there a watch? An algorithm then takes every step singly.
    #[doc(hidden)]
    fn is_watched(&self) -> bool;
    /// Says which process of a parallel search events belong to from now on; 0 is the search
    /// itself.
    #[doc(hidden)]
    fn set_process(&mut self, process: u32);

    /// Begins the next iteration, to another depth, with the move `first`.
    #[doc(hidden)]
    fn next_iteration(&mut self, first: u16);
    /// How many distinct nodes there were, if paths were counted.
    #[doc(hidden)]
    fn distinct(&mut self) -> Option<Distinct>;
    /// How many distinct interior nodes there were, if the memory knows.
    #[doc(hidden)]
    fn expanded_nodes(&self) -> Option<u64>;
    /// The most nodes that had a stored bound at once.
    #[doc(hidden)]
    fn stored(&self) -> u64;
    /// The bytes that the memory takes.
    #[doc(hidden)]
    fn bytes(&self) -> usize;
    /// The mode of another thread of the same search.
    #[doc(hidden)]
    fn fork(&mut self) -> Self;
    /// Takes back what the calling thread's fork has learnt.
    #[doc(hidden)]
    fn join(&mut self, fork: Self);
}

/// The algorithm and, at most, one thing that is kept. Without it every function here compiles to
/// nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bare<K = Nothing>(pub(crate) K);

#[allow(private_interfaces)]
impl<K: Keep> Mode for Bare<K> {
    const RICH: bool = false;
    const KEEPS: Keeps = K::KEEPS;
    type Tag = K::Tag;
    type Ranks = ();
    type Sorted = ();
    type Place = ();

    #[inline(always)]
    fn root<T: GameTree>(&mut self, _: &T, _: &T::Node) -> K::Tag {
        K::ROOT
    }

    #[inline(always)]
    fn below<T: GameTree>(
        &mut self,
        _: &T,
        at: &SearchNode<T, Self>,
        _: T::Move,
        (place, width): (usize, usize),
        _: &T::Node,
    ) -> K::Tag {
        self.0.below(at.tag, place, width)
    }

    #[inline(always)]
    fn path(_: K::Tag) -> u32 {
        0
    }

    #[inline(always)]
    fn recall(&self, at: K::Tag, _: u32) -> Recalled {
        self.0.recall(at)
    }

    #[inline(always)]
    fn first_below(&self, at: K::Tag) -> u32 {
        self.0.first_below(at)
    }

    #[inline(always)]
    fn recall_sibling(&self, first: u32, place: usize) -> Bounds {
        self.0.recall_sibling(first, place)
    }

    #[inline(always)]
    fn store(&mut self, at: K::Tag, _: u32, bounds: Bounds, _: u16) {
        self.0.store(at, bounds);
    }

    #[inline(always)]
    fn bounds_from_children(&self, at: K::Tag, width: usize) -> Bounds {
        self.0.bounds_from_children(at, width)
    }

    #[inline(always)]
    fn has_memory(&self) -> bool {
        K::KEEPS.is_bounds()
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
    fn keep_place(_: usize, _: bool) {}

    #[inline(always)]
    fn kept_place((): (), number: usize) -> (usize, bool) {
        (number, false)
    }

    #[inline(always)]
    fn learns(&self) -> bool {
        false
    }

    #[inline(always)]
    fn improve(&mut self, _: u32, _: impl FnOnce() -> u16) {}

    #[inline(always)]
    fn settle(&mut self, _: K::Tag, _: u32, _: u32, _: Option<DecidingMove>) {}

    #[inline(always)]
    fn expanded(&mut self, at: K::Tag, width: usize) {
        self.0.expanded(at, width);
    }

    #[inline(always)]
    fn leaf(&mut self, at: K::Tag, _: Value) {
        self.0.leaf(at);
    }

    #[inline(always)]
    fn emit(&mut self, _: u32, _: impl FnOnce() -> Event) {}

    #[inline(always)]
    fn is_watched(&self) -> bool {
        false
    }

    #[inline(always)]
    fn set_process(&mut self, _: u32) {}

    fn next_iteration(&mut self, _: u16) {
        unreachable!("iterations are searched richly")
    }

    fn distinct(&mut self) -> Option<Distinct> {
        self.0.distinct()
    }

    fn expanded_nodes(&self) -> Option<u64> {
        self.0.expanded_nodes()
    }

    #[inline(always)]
    fn stored(&self) -> u64 {
        self.0.stored()
    }

    #[inline(always)]
    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn fork(&mut self) -> Self {
        Bare(self.0.fork())
    }

    fn join(&mut self, _: Self) {}
}
