//! Memory: what a search knows of nodes from earlier visits.
//!
//! The laboratory keeps bounds by path, in the stored search tree of the solution-tree paper, in
//! which every node carries f⁻ and f⁺. Games keep them by key, in a transposition table.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use plyground_core::tree::{PathTree, ROOT, mix};
use plyground_core::value::Bounds;

use crate::factors::{Factors, Replacement, TableDepth};
use crate::table::{NO_MOVE, Stored, TranspositionTable};

/// A store of bounds, seen from the side to move. A slot is what the store knows a node by: a
/// path's number, a path's hash or a position's key. The root's slot is 0, except in a table.
#[derive(Debug)]
pub(crate) enum Memory {
    /// Nothing is kept.
    None,
    /// The stored search tree.
    Stored(StoredTree),
    /// The stored search tree that several threads share.
    Shared(SharedTree),
    /// A transposition table. Bounds count only at equal height unless an experiment is about that,
    /// because otherwise algorithms would search different trees; the best move counts at any height.
    Table(Arc<TranspositionTable>, TableRules),
}

/// How a table is used: the factors of an experiment that concern it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableRules {
    /// Are all rules at their defaults? Then the table does what it does for play.
    usual: bool,
    /// Do bounds count at a greater height too?
    deeper: bool,
    replacement: Replacement,
    /// The bits of a key that tell positions of the same cluster apart.
    mask: u64,
}

impl TableRules {
    pub(crate) fn of(factors: &Factors) -> TableRules {
        let Factors { table_depth, replacement, key_bits, .. } = *factors;
        let deeper = table_depth == TableDepth::Greater;
        let mask = u64::MAX.checked_shr(64 - u32::from(key_bits.min(64))).unwrap_or(0);
        let usual = replacement == Replacement::default() && mask == u64::MAX;
        TableRules { usual, deeper, replacement, mask }
    }

    #[inline]
    fn get(self, table: &TranspositionTable, key: u64) -> Option<Stored> {
        if self.usual { table.get(key) } else { table.get_by(key, key & self.mask) }
    }

    #[inline]
    fn put(self, table: &TranspositionTable, key: u64, stored: Stored) {
        if self.usual {
            return table.put(key, stored);
        }
        let new = u32::from(stored.height);
        // Clusters are chosen by the high bits, places by the low ones.
        let named = key as usize % 4;
        table.put_by((key, key & self.mask), stored, |place, written| {
            let Some((height, fresh)) = written else { return Some(0) };
            let height = u32::from(height);
            match self.replacement {
                Replacement::Aged => Some(1 + height + 512 * u32::from(fresh)),
                Replacement::Always => (place == named).then_some(1),
                Replacement::Deepest => (height <= new).then_some(1 + height),
            }
        });
    }
}

/// What a memory knows of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recalled {
    /// Bounds that hold for the height that was asked for.
    pub(crate) bounds: Bounds,
    /// The code of the best move at this or another height, or [`NO_MOVE`].
    pub(crate) best: u16,
}

impl Recalled {
    /// Nothing is known.
    pub(crate) const NOTHING: Recalled = Recalled { bounds: Bounds::UNKNOWN, best: NO_MOVE };
}

impl Memory {
    /// Is there a memory at all?
    #[inline]
    pub(crate) fn is_some(&self) -> bool {
        !matches!(self, Memory::None)
    }

    /// Is it a table? Nodes at different plies then share a slot, and mates are kept as seen from
    /// the node.
    #[inline]
    pub(crate) fn is_table(&self) -> bool {
        matches!(self, Memory::Table(..))
    }

    /// The slot of the root; `key` gives its key.
    pub(crate) fn root(&self, key: impl FnOnce() -> u64) -> u64 {
        if self.is_table() { key() } else { 0 }
    }

    /// The slot of child `index` of `width`; `key` gives its key.
    #[inline]
    pub(crate) fn below(
        &mut self,
        parent: u64,
        index: usize,
        width: usize,
        key: impl FnOnce() -> u64,
    ) -> u64 {
        match self {
            Memory::None => 0,
            Memory::Stored(tree) => tree.below(parent as u32, index, width).into(),
            Memory::Shared(_) => SharedTree::below(parent, index),
            Memory::Table(..) => key(),
        }
    }

    /// What is known of a node at this height, its distance from the horizon.
    #[inline]
    pub(crate) fn recall(&self, at: u64, height: u32) -> Recalled {
        let bounds = match self {
            Memory::None => return Recalled::NOTHING,
            Memory::Stored(tree) => tree.recall(at as u32),
            Memory::Shared(tree) => tree.recall(at, height),
            Memory::Table(table, rules) => {
                let Some(stored) = rules.get(table, at) else { return Recalled::NOTHING };
                let there = u32::from(stored.height);
                let holds = there == height || rules.deeper && there > height;
                let bounds = if holds { stored.bounds } else { Bounds::UNKNOWN };
                return Recalled { bounds, best: stored.best };
            }
        };
        Recalled { bounds, best: NO_MOVE }
    }

    /// Replaces what is known of a node.
    #[inline]
    pub(crate) fn store(&mut self, at: u64, height: u32, bounds: Bounds, best: u16) {
        match self {
            Memory::None => {}
            Memory::Stored(tree) => tree.store(at as u32, bounds),
            Memory::Shared(tree) => tree.store(at, height, bounds),
            Memory::Table(table, rules) => {
                if let Ok(height) = u8::try_from(height) {
                    rules.put(table, at, Stored { bounds, best, height });
                }
            }
        }
    }

    /// Notes that a node with `width` children is expanded, for the first time or again.
    #[inline]
    pub(crate) fn expand(&mut self, at: u64, width: usize) {
        if let Memory::Stored(tree) = self {
            tree.expand(at as u32, width);
        }
    }

    /// The bounds that follow from those of the `width` children. A table knows none, because
    /// children may have lost their entries.
    pub(crate) fn bounds_from_children(&self, at: u64, width: usize) -> Bounds {
        match self {
            Memory::None | Memory::Table(..) => Bounds::UNKNOWN,
            Memory::Stored(tree) => tree.bounds_from_children(at as u32, width),
            Memory::Shared(tree) => tree.bounds_from_children(at, width),
        }
    }

    /// Forgets what is irrelevant below a node at `ply` whose search has ended; `narrows` says whether the
    /// calls of the root are narrowed to its bounds.
    pub(crate) fn forget_irrelevant(&mut self, at: u64, ply: u32, narrows: bool) {
        if let Memory::Stored(tree) = self {
            tree.forget_irrelevant(at as u32, ply, narrows);
        }
    }

    /// Prepares for a search to another horizon.
    pub(crate) fn change_horizon(&mut self) {
        match self {
            Memory::None => {}
            Memory::Stored(tree) => tree.change_horizon(),
            Memory::Shared(tree) => tree.change_horizon(),
            // What earlier iterations stored is then replaced first.
            Memory::Table(table, _) => table.grow_older(),
        }
    }

    /// How many distinct nodes were expanded, if the memory knows.
    pub(crate) fn expanded(&self) -> Option<u64> {
        match self {
            Memory::Stored(tree) => Some(tree.expanded),
            _ => None,
        }
    }

    /// The most nodes that had a stored bound at once.
    pub(crate) fn stored(&self) -> u64 {
        match self {
            Memory::None => 0,
            Memory::Stored(tree) => tree.stored(),
            Memory::Shared(tree) => tree.stored(),
            Memory::Table(table, _) => table.used(),
        }
    }

    /// The bytes that the memory takes.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Memory::None => 0,
            Memory::Stored(tree) => tree.bytes(),
            Memory::Shared(tree) => tree.bytes(),
            Memory::Table(table, _) => table.bytes(),
        }
    }

    /// The same memory for another thread. A [`StoredTree`] is never shared: parallel algorithms
    /// ask for a [`SharedTree`].
    pub(crate) fn share(&self) -> Memory {
        match self {
            Memory::None | Memory::Stored(_) => Memory::None,
            Memory::Shared(tree) => Memory::Shared(tree.clone()),
            Memory::Table(table, rules) => Memory::Table(Arc::clone(table), *rules),
        }
    }
}

/// The stored search tree: f⁻ and f⁺ for every path, and nothing is ever lost.
#[derive(Clone, Debug)]
pub(crate) struct StoredTree {
    nodes: PathTree<NodeBounds>,
    stored: u64,
    /// How many nodes were expanded, at all horizons so far.
    expanded: u64,
    /// The most nodes with bounds at an earlier horizon.
    peak: u64,
}

/// What a stored search tree keeps of a node: f⁻ and f⁺.
#[derive(Clone, Copy, Debug)]
struct NodeBounds(Bounds);

impl Default for NodeBounds {
    fn default() -> Self {
        NodeBounds(Bounds::UNKNOWN)
    }
}

impl Default for StoredTree {
    fn default() -> Self {
        StoredTree { nodes: PathTree::new(), stored: 0, expanded: 0, peak: 0 }
    }
}

impl StoredTree {
    #[inline]
    pub(crate) fn below(&mut self, parent: u32, index: usize, width: usize) -> u32 {
        self.nodes.below(parent, index, width)
    }

    #[inline]
    pub(crate) fn recall(&self, at: u32) -> Bounds {
        self.nodes.get(at).0
    }

    /// The first child of a node that is expanded.
    #[inline]
    pub(crate) fn first_below(&self, parent: u32) -> u32 {
        self.nodes.children(parent).unwrap_or(ROOT)
    }

    /// Notes that a node is expanded, for the first time or again.
    #[inline]
    pub(crate) fn expand(&mut self, at: u32, width: usize) {
        if self.nodes.children(at).is_none() {
            self.nodes.below(at, 0, width);
            self.expanded += 1;
        }
    }

    #[inline]
    pub(crate) fn store(&mut self, at: u32, bounds: Bounds) {
        let known = &mut self.nodes.get_mut(at).0;
        if *known == Bounds::UNKNOWN {
            self.stored += 1;
        }
        *known = bounds;
    }

    pub(crate) fn bounds_from_children(&self, at: u32, width: usize) -> Bounds {
        let Some(first) = self.nodes.children(at) else { return Bounds::UNKNOWN };
        let mut best = Bounds {
            lower: -plyground_core::value::INFINITY,
            upper: -plyground_core::value::INFINITY,
        };
        for child in first..first + width as u32 {
            let seen = self.nodes.get(child).0.flip();
            best.lower = best.lower.max(seen.lower);
            best.upper = best.upper.max(seen.upper);
        }
        best
    }

    /// Forgets what is below the children of `at` that their own bounds answer for from now on.
    ///
    /// A window is narrowed to the bounds of every node on its way down, and bounds only get narrower. So
    /// each window that `at` will ever be searched with is inside its own bounds and inside the root's, if
    /// that `narrows` its own. A
    /// child whose value is known to be no more than the lower of them can raise no alpha there, one that is
    /// worth no less than the upper cuts off at once, and one whose value is known is not searched: none of
    /// these is entered again, and what is stored below it is of no use.
    pub(crate) fn forget_irrelevant(&mut self, at: u32, ply: u32, narrows: bool) {
        let root = if narrows { self.recall(ROOT) } else { Bounds::UNKNOWN };
        let own = if at == ROOT { root } else { self.recall(at) };
        let root = if ply.is_multiple_of(2) { root } else { root.flip() };
        let (lower, upper) = (own.lower.max(root.lower), own.upper.min(root.upper));
        if own.is_exact() && at != ROOT {
            return self.forget_below(at);
        }
        let Some(first) = self.nodes.children(at) else { return };
        for child in first..first + self.nodes.width(at) {
            let seen = self.recall(child).flip();
            if self.nodes.children(child).is_some()
                && (seen.upper <= lower || seen.lower >= upper || seen.is_exact())
            {
                self.forget_below(child);
            }
        }
    }

    fn forget_below(&mut self, at: u32) {
        self.peak = self.stored();
        let stored = &mut self.stored;
        self.nodes.remove_below(at, |NodeBounds(bounds)| {
            *stored -= u64::from(bounds != Bounds::UNKNOWN);
        });
    }

    /// Forgets all bounds: they hold only for the horizon they were found with.
    pub(crate) fn change_horizon(&mut self) {
        self.peak = self.stored();
        self.nodes = PathTree::new();
        self.stored = 0;
    }

    /// Nodes that were expanded, at all horizons so far.
    pub(crate) fn expanded(&self) -> u64 {
        self.expanded
    }

    pub(crate) fn stored(&self) -> u64 {
        self.peak.max(self.stored)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.bytes()
    }
}

/// The stored search tree that several threads share; its clones are the same tree. A node is known
/// by a hash of its path.
#[derive(Clone, Debug)]
pub(crate) struct SharedTree {
    shards: Arc<Shards>,
    /// Nodes nearer to the horizon than this are not kept.
    least: u32,
}

/// How many maps the tree is divided into, each with its own lock: threads would wait for a single
/// one.
const SHARDS: usize = 64;

/// A part of the shared tree.
type Shard = HashMap<u64, Bounds, BuildHasherDefault<IdentityHasher>>;

#[derive(Debug)]
struct Shards {
    shards: [Mutex<Shard>; SHARDS],
    stored: AtomicU64,
    /// The most nodes with bounds at an earlier horizon.
    peak: AtomicU64,
}

/// Hashes a slot to itself: it is a hash already.
#[derive(Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = mix(self.0, byte.into());
        }
    }

    fn write_u64(&mut self, slot: u64) {
        self.0 = slot;
    }
}

impl SharedTree {
    /// A tree that keeps the nodes at least this far from the horizon.
    pub(crate) fn from_height(least: u32) -> SharedTree {
        let shards = std::array::from_fn(|_| Mutex::default());
        let (stored, peak) = (AtomicU64::new(0), AtomicU64::new(0));
        SharedTree { shards: Arc::new(Shards { shards, stored, peak }), least }
    }

    fn shard(&self, at: u64) -> MutexGuard<'_, Shard> {
        let shard = &self.shards.shards[at as usize % SHARDS];
        shard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn below(parent: u64, index: usize) -> u64 {
        mix(parent, index as u64 + 1)
    }

    #[inline]
    fn recall(&self, at: u64, height: u32) -> Bounds {
        if height < self.least {
            return Bounds::UNKNOWN;
        }
        self.shard(at).get(&at).copied().unwrap_or(Bounds::UNKNOWN)
    }

    /// Adds to what is known. Other threads may have stored bounds meanwhile, and both hold.
    #[inline]
    fn store(&self, at: u64, height: u32, bounds: Bounds) {
        if height < self.least {
            return;
        }
        let mut shard = self.shard(at);
        let known = shard.entry(at).or_insert_with(|| {
            self.shards.stored.fetch_add(1, Relaxed);
            Bounds::UNKNOWN
        });
        known.lower = known.lower.max(bounds.lower);
        known.upper = known.upper.min(bounds.upper);
    }

    fn bounds_from_children(&self, at: u64, width: usize) -> Bounds {
        let infinity = plyground_core::value::INFINITY;
        let mut best = Bounds { lower: -infinity, upper: -infinity };
        for index in 0..width {
            let seen = self.recall(mix(at, index as u64 + 1), self.least).flip();
            best.lower = best.lower.max(seen.lower);
            best.upper = best.upper.max(seen.upper);
        }
        best
    }

    fn change_horizon(&self) {
        let Shards { shards, stored, peak } = &*self.shards;
        peak.fetch_max(stored.swap(0, Relaxed), Relaxed);
        for shard in shards {
            *shard.lock().unwrap_or_else(PoisonError::into_inner) = Shard::default();
        }
    }

    fn stored(&self) -> u64 {
        self.shards.stored.load(Relaxed).max(self.shards.peak.load(Relaxed))
    }

    /// An estimate: an entry and its control byte, in maps that are three quarters full.
    fn bytes(&self) -> usize {
        self.shards.stored.load(Relaxed) as usize * (size_of::<(u64, Bounds)>() + 1) * 4 / 3
    }
}
