//! Memory: what a search knows of nodes from earlier visits.
//!
//! The laboratory keeps bounds by path: the stored search tree of the solution-tree paper, in which
//! every node carries f⁻ and f⁺. Games keep them in a transposition table, by key.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use plyground_core::tree::{PathTree, mix};
use plyground_core::value::Bounds;

use crate::table::{NO_MOVE, Stored, TranspositionTable};

/// A store of bounds, which are from the view of the side to move. A slot is the store's own name for
/// a node: a path's number, a path's hash, a position's key. The root's is 0 but in a table.
#[derive(Debug)]
pub(crate) enum Memory {
    /// Nothing is kept.
    None,
    /// The stored search tree.
    Stored(StoredTree),
    /// The stored search tree of several threads.
    Shared(SharedTree),
    /// A transposition table. Bounds count only at equal height, else algorithms would search
    /// different trees; the best move counts at any.
    Table(Arc<TranspositionTable>),
}

/// What a memory knows of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recalled {
    /// Bounds that hold for the height asked about.
    pub(crate) bounds: Bounds,
    /// The code of the best move at this or another height, or [`NO_MOVE`].
    pub(crate) best: u16,
}

impl Recalled {
    /// Nothing is known.
    pub(crate) const NOTHING: Recalled = Recalled { bounds: Bounds::UNKNOWN, best: NO_MOVE };
}

impl Memory {
    /// Is anything kept at all?
    #[inline]
    pub(crate) fn keeps(&self) -> bool {
        !matches!(self, Memory::None)
    }

    /// Does a node share its slot with others, at other plies? Mates are then kept as seen from the
    /// node.
    #[inline]
    pub(crate) fn is_table(&self) -> bool {
        matches!(self, Memory::Table(_))
    }

    /// The slot of the root, whose key can be asked for.
    pub(crate) fn root(&self, key: impl FnOnce() -> u64) -> u64 {
        if self.is_table() { key() } else { 0 }
    }

    /// The slot of child `index` of `width`, whose key can be asked for.
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
            Memory::Table(_) => key(),
        }
    }

    /// What is known of a node at this distance from the horizon.
    #[inline]
    pub(crate) fn recall(&self, at: u64, height: u32) -> Recalled {
        let bounds = match self {
            Memory::None => return Recalled::NOTHING,
            Memory::Stored(tree) => tree.recall(at as u32),
            Memory::Shared(tree) => tree.recall(at, height),
            Memory::Table(table) => {
                let Some(stored) = table.get(at) else { return Recalled::NOTHING };
                let same = u32::from(stored.height) == height;
                let bounds = if same { stored.bounds } else { Bounds::UNKNOWN };
                return Recalled { bounds, best: stored.best };
            }
        };
        Recalled { bounds, best: NO_MOVE }
    }

    /// Replaces what is known.
    #[inline]
    pub(crate) fn store(&mut self, at: u64, height: u32, bounds: Bounds, best: u16) {
        match self {
            Memory::None => {}
            Memory::Stored(tree) => tree.store(at as u32, bounds),
            Memory::Shared(tree) => tree.store(at, height, bounds),
            Memory::Table(table) => {
                if let Ok(height) = u8::try_from(height) {
                    table.put(at, Stored { bounds, best, height });
                }
            }
        }
    }

    /// A node with `width` children is expanded, for the first time or again.
    #[inline]
    pub(crate) fn expand(&mut self, at: u64, width: usize) {
        if let Memory::Stored(tree) = self {
            tree.expand(at as u32, width);
        }
    }

    /// The bounds that follow from those of the `width` children; not in a table, where children may
    /// have lost their entries.
    pub(crate) fn of_children(&self, at: u64, width: usize) -> Bounds {
        match self {
            Memory::None | Memory::Table(_) => Bounds::UNKNOWN,
            Memory::Stored(tree) => tree.of_children(at as u32, width),
            Memory::Shared(tree) => tree.of_children(at, width),
        }
    }

    /// The next search goes to another horizon.
    pub(crate) fn change_horizon(&mut self) {
        match self {
            Memory::None => {}
            Memory::Stored(tree) => tree.change_horizon(),
            Memory::Shared(tree) => tree.change_horizon(),
            // What earlier iterations stored gives way first.
            Memory::Table(table) => table.grow_older(),
        }
    }

    /// Distinct nodes that were expanded, where the memory knows.
    pub(crate) fn expanded(&self) -> Option<u64> {
        match self {
            Memory::Stored(tree) => Some(tree.expanded),
            _ => None,
        }
    }

    /// Nodes with a stored bound.
    pub(crate) fn stored(&self) -> u64 {
        match self {
            Memory::None => 0,
            Memory::Stored(tree) => tree.stored(),
            Memory::Shared(tree) => tree.stored(),
            Memory::Table(table) => table.used(),
        }
    }

    /// Bytes in use.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Memory::None => 0,
            Memory::Stored(tree) => tree.bytes(),
            Memory::Shared(tree) => tree.bytes(),
            Memory::Table(table) => table.bytes(),
        }
    }

    /// The same memory for another thread. A stored tree of one's own is never shared: parallel
    /// algorithms ask for the shared one.
    pub(crate) fn share(&self) -> Memory {
        match self {
            Memory::None | Memory::Stored(_) => Memory::None,
            Memory::Shared(tree) => Memory::Shared(tree.clone()),
            Memory::Table(table) => Memory::Table(Arc::clone(table)),
        }
    }
}

/// The stored search tree: f⁻ and f⁺ for every path, nothing ever lost.
#[derive(Clone, Debug)]
pub(crate) struct StoredTree {
    nodes: PathTree<Known>,
    stored: u64,
    /// Nodes that were expanded, at all horizons so far.
    expanded: u64,
    /// The most nodes with bounds at an earlier horizon.
    peak: u64,
}

#[derive(Clone, Copy, Debug)]
struct Known(Bounds);

impl Default for Known {
    fn default() -> Self {
        Known(Bounds::UNKNOWN)
    }
}

impl Default for StoredTree {
    fn default() -> Self {
        StoredTree { nodes: PathTree::new(), stored: 0, expanded: 0, peak: 0 }
    }
}

impl StoredTree {
    #[inline]
    fn below(&mut self, parent: u32, index: usize, width: usize) -> u32 {
        self.nodes.below(parent, index, width)
    }

    #[inline]
    fn recall(&self, at: u32) -> Bounds {
        self.nodes.get(at).0
    }

    /// The node is expanded, for the first time or again.
    #[inline]
    fn expand(&mut self, at: u32, width: usize) {
        if self.nodes.children(at).is_none() {
            self.nodes.below(at, 0, width);
            self.expanded += 1;
        }
    }

    #[inline]
    fn store(&mut self, at: u32, bounds: Bounds) {
        let known = &mut self.nodes.get_mut(at).0;
        if *known == Bounds::UNKNOWN {
            self.stored += 1;
        }
        *known = bounds;
    }

    fn of_children(&self, at: u32, width: usize) -> Bounds {
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

    /// The bounds hold for the horizon they were found with.
    fn change_horizon(&mut self) {
        self.peak = self.stored();
        self.nodes = PathTree::new();
        self.stored = 0;
    }

    fn stored(&self) -> u64 {
        self.peak.max(self.stored)
    }

    fn bytes(&self) -> usize {
        self.nodes.bytes()
    }
}

/// The stored search tree of several threads: its clones are the same tree. A node is known by a hash
/// of its path.
#[derive(Clone, Debug)]
pub(crate) struct SharedTree {
    shelves: Arc<Shelves>,
    /// Nodes nearer to the horizon are not kept.
    least: u32,
}

/// One lock would be asked for all the time.
const SHELVES: usize = 64;

type Shelf = HashMap<u64, Bounds, BuildHasherDefault<Hashed>>;

#[derive(Debug)]
struct Shelves {
    shelves: [Mutex<Shelf>; SHELVES],
    stored: AtomicU64,
    /// The most nodes with bounds at an earlier horizon.
    peak: AtomicU64,
}

/// A slot is a hash already.
#[derive(Default)]
struct Hashed(u64);

impl Hasher for Hashed {
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
    /// A tree that keeps what is at least so far from the horizon.
    pub(crate) fn from_height(least: u32) -> SharedTree {
        let shelves = std::array::from_fn(|_| Mutex::default());
        let (stored, peak) = (AtomicU64::new(0), AtomicU64::new(0));
        SharedTree { shelves: Arc::new(Shelves { shelves, stored, peak }), least }
    }

    fn shelf(&self, at: u64) -> MutexGuard<'_, Shelf> {
        let shelf = &self.shelves.shelves[at as usize % SHELVES];
        shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SharedTree {
    #[inline]
    fn below(parent: u64, index: usize) -> u64 {
        mix(parent, index as u64 + 1)
    }

    #[inline]
    fn recall(&self, at: u64, height: u32) -> Bounds {
        if height < self.least {
            return Bounds::UNKNOWN;
        }
        self.shelf(at).get(&at).copied().unwrap_or(Bounds::UNKNOWN)
    }

    /// Others may have found more meanwhile: both hold.
    #[inline]
    fn store(&self, at: u64, height: u32, bounds: Bounds) {
        if height < self.least {
            return;
        }
        let mut shelf = self.shelf(at);
        let known = shelf.entry(at).or_insert_with(|| {
            self.shelves.stored.fetch_add(1, Relaxed);
            Bounds::UNKNOWN
        });
        known.lower = known.lower.max(bounds.lower);
        known.upper = known.upper.min(bounds.upper);
    }

    fn of_children(&self, at: u64, width: usize) -> Bounds {
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
        let Shelves { shelves, stored, peak } = &*self.shelves;
        peak.fetch_max(stored.swap(0, Relaxed), Relaxed);
        for shelf in shelves {
            *shelf.lock().unwrap_or_else(PoisonError::into_inner) = Shelf::default();
        }
    }

    fn stored(&self) -> u64 {
        self.shelves.stored.load(Relaxed).max(self.shelves.peak.load(Relaxed))
    }

    /// An entry and its byte of control, in a map that is three quarters full.
    fn bytes(&self) -> usize {
        self.shelves.stored.load(Relaxed) as usize * (size_of::<(u64, Bounds)>() + 1) * 4 / 3
    }
}
