//! The rich mode: memory, learnt order of moves, counting of distinct paths and a watch, all
//! decided at run time.

use std::sync::PoisonError;

use plyground_core::tree::GameTree;
use plyground_core::value::{Bounds, Value};

use crate::memory::{Memory, Recalled};
use crate::mode::Mode;
use crate::node::SearchNode;
use crate::order::{DecidingMove, KeptPlace, MoveOrder, OrderContext, Ranks, Sorted};
use crate::paths::{Distinct, Paths, ROOT};
use crate::trace::{Event, Watcher};

/// The mode with everything that a search may have besides its algorithm.
pub struct Rich {
    memory: Memory,
    order: MoveOrder,
    paths: Paths,
    watch: Option<Watcher>,
    /// The process of a parallel search that events belong to.
    process: u32,
}

/// What the rich mode knows a node by: the number of its path, its slot in the memory, and what the
/// order of its moves depends on.
#[derive(Clone, Copy, Debug)]
pub struct Tag {
    path: u32,
    slot: u64,
    order: OrderContext,
}

impl Rich {
    pub(crate) fn new(
        memory: Memory,
        order: MoveOrder,
        paths: Paths,
        watch: Option<Watcher>,
    ) -> Rich {
        Rich { memory, order, paths, watch, process: 0 }
    }

    // Searches are rarely watched: these four are kept out of the hot code.

    #[cold]
    fn watch_children(&self, parent: u32, first: u32, width: usize) {
        if let Some(watch) = &self.watch {
            let mut watch = watch.lock().unwrap_or_else(PoisonError::into_inner);
            watch.children(parent, first, width);
        }
    }

    #[cold]
    fn watch_expanded(&self, path: u32) {
        if let Some(watch) = &self.watch {
            watch.lock().unwrap_or_else(PoisonError::into_inner).expanded(path);
        }
    }

    #[cold]
    fn watch_leaf(&self, path: u32, value: Value, first_time: bool) {
        if let Some(watch) = &self.watch {
            let mut watch = watch.lock().unwrap_or_else(PoisonError::into_inner);
            watch.leaf(self.process, path, value, first_time);
        }
    }

    #[cold]
    fn watch_event(&self, path: u32, event: Event) {
        if let Some(watch) = &self.watch {
            let mut watch = watch.lock().unwrap_or_else(PoisonError::into_inner);
            watch.event(self.process, path, event);
        }
    }
}

#[allow(private_interfaces)]
impl Mode for Rich {
    const RICH: bool = true;
    type Tag = Tag;
    type Ranks = Ranks;
    type Sorted = Sorted;
    type Place = KeptPlace;

    fn root<T: GameTree>(&mut self, tree: &T, node: &T::Node) -> Tag {
        Tag { path: ROOT, slot: self.memory.root(|| tree.key(node)), order: self.order.root() }
    }

    #[inline]
    fn below<T: GameTree>(
        &mut self,
        tree: &T,
        at: &SearchNode<T, Rich>,
        mv: T::Move,
        (place, width): (usize, usize),
        child: &T::Node,
    ) -> Tag {
        let (path, new) = self.paths.below(at.tag.path, place, width);
        if new && self.watch.is_some() {
            self.watch_children(at.tag.path, path - place as u32, width);
        }
        Tag {
            path,
            slot: self.memory.below(at.tag.slot, place, width, || tree.key(child)),
            order: self.order.follow(tree, &at.node, mv, at.tag.order, at.ply),
        }
    }

    #[inline]
    fn path(tag: Tag) -> u32 {
        tag.path
    }

    #[inline]
    fn recall(&self, at: Tag, height: u32) -> Recalled {
        self.memory.recall(at.slot, height)
    }

    #[inline]
    fn store(&mut self, at: Tag, height: u32, bounds: Bounds, best: u16) {
        self.memory.store(at.slot, height, bounds, best);
    }

    fn bounds_from_children(&self, at: Tag, width: usize) -> Bounds {
        self.memory.bounds_from_children(at.slot, width)
    }

    fn forget_irrelevant(&mut self, at: Tag, ply: u32, narrows: bool) {
        self.memory.forget_irrelevant(at.slot, ply, narrows);
    }

    #[inline]
    fn has_memory(&self) -> bool {
        self.memory.is_some()
    }

    #[inline]
    fn has_table(&self) -> bool {
        self.memory.is_table()
    }

    #[inline]
    fn rank<T: GameTree>(
        &self,
        tree: &T,
        at: &SearchNode<T, Rich>,
        moves: &T::Moves,
        best: u16,
        ranks: &mut Ranks,
    ) {
        self.order.rank(tree, &at.node, moves, (at.tag.order, at.ply), best, ranks);
    }

    #[inline]
    fn pick(ranks: &mut Ranks, number: usize) -> usize {
        MoveOrder::pick(ranks, number)
    }

    #[inline]
    fn sort(ranks: Ranks) -> Sorted {
        MoveOrder::sort(ranks)
    }

    #[inline]
    fn place(sorted: &Sorted, number: usize) -> usize {
        MoveOrder::place(sorted, number)
    }

    #[inline]
    fn keep_place(place: usize, leads: bool) -> KeptPlace {
        KeptPlace::new(place, leads)
    }

    #[inline]
    fn kept_place(kept: KeptPlace, number: usize) -> (usize, bool) {
        kept.place(number)
    }

    #[inline]
    fn learns(&self) -> bool {
        self.order.learns()
    }

    #[inline]
    fn improve(&mut self, ply: u32, code: impl FnOnce() -> u16) {
        self.order.improve(ply, code);
    }

    #[inline]
    fn settle(&mut self, at: Tag, ply: u32, height: u32, decided: Option<DecidingMove>) {
        self.order.settle((at.order, ply, height), decided);
    }

    #[inline]
    fn expanded(&mut self, at: Tag, width: usize) {
        self.paths.interior(at.path);
        self.memory.expand(at.slot, width);
        if self.watch.is_some() {
            self.watch_expanded(at.path);
        }
    }

    #[inline]
    fn leaf(&mut self, at: Tag, value: Value) {
        let first_time = self.paths.leaf(at.path);
        if self.watch.is_some() {
            self.watch_leaf(at.path, value, first_time);
        }
    }

    #[inline]
    fn emit(&mut self, path: u32, event: impl FnOnce() -> Event) {
        if self.watch.is_some() {
            self.watch_event(path, event());
        }
    }

    #[inline]
    fn is_watched(&self) -> bool {
        self.watch.is_some()
    }

    fn set_process(&mut self, process: u32) {
        self.process = process;
    }

    fn next_iteration(&mut self, first: u16) {
        self.paths.next_iteration();
        self.memory.change_horizon();
        self.order.next_iteration(first);
    }

    fn distinct(&mut self) -> Option<Distinct> {
        self.paths.distinct()
    }

    fn expanded_nodes(&self) -> Option<u64> {
        self.memory.expanded()
    }

    fn stored(&self) -> u64 {
        self.memory.stored()
    }

    fn bytes(&self) -> usize {
        self.memory.bytes()
    }

    fn fork(&mut self) -> Rich {
        Rich {
            memory: self.memory.share(),
            order: self.order.clone(),
            paths: self.paths.share(),
            watch: self.watch.clone(),
            process: self.process,
        }
    }

    fn join(&mut self, fork: Rich) {
        self.order = fork.order;
    }
}
