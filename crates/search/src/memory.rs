//! Memory: what a search knows of nodes from earlier visits.
//!
//! The laboratory keeps bounds by path: the stored search tree of the solution-tree paper, in which
//! every node carries f⁻ and f⁺. Games keep them in a transposition table, by key.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::table::{NO_MOVE, Stored, Table};
use plyground_core::tree::{PathTree, ROOT, mix};
use plyground_core::value::Bounds;

/// A store of bounds. A slot is the store's own name for a node. Bounds are from the view of the
/// side to move.
pub trait Memory: Clone + Send {
    /// What the store knows a node by.
    type Slot: Copy + Send;
    /// Does a node share its slot with others, at other plies? Mates are then kept as seen from the
    /// node.
    const SHARED: bool = false;
    /// Is it for threads alone, which share it?
    const CONCURRENT: bool = false;
    /// Is anything kept at all?
    const KEEPS: bool = true;
    /// The slot of the root, whose key can be asked for.
    fn root(&self, key: impl FnOnce() -> u64) -> Self::Slot;
    /// The slot of child `index` of `width`, whose key can be asked for.
    fn below(
        &mut self,
        parent: Self::Slot,
        index: usize,
        width: usize,
        key: impl FnOnce() -> u64,
    ) -> Self::Slot;
    /// What is known of a node so many plies from the horizon.
    fn recall(&self, at: Self::Slot, height: u32) -> Recalled;
    /// Replaces what is known.
    fn store(&mut self, at: Self::Slot, height: u32, bounds: Bounds, best: u16);
    /// The bounds that follow from those of the `width` children.
    fn of_children(&self, at: Self::Slot, width: usize) -> Bounds;
    /// The next search goes to another horizon.
    fn change_horizon(&mut self);
    /// Nodes with a stored bound.
    fn stored(&self) -> u64;
    /// Bytes in use.
    fn bytes(&self) -> usize;
}

/// What a memory knows of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recalled {
    /// Bounds that hold for the height asked about.
    pub bounds: Bounds,
    /// The code of the best move at this or another height, or [`NO_MOVE`].
    pub best: u16,
}

impl Recalled {
    /// Nothing is known.
    pub const NOTHING: Recalled = Recalled { bounds: Bounds::UNKNOWN, best: NO_MOVE };
}

/// Remembers nothing and costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMemory;

impl Memory for NoMemory {
    type Slot = ();
    const KEEPS: bool = false;
    #[inline(always)]
    fn root(&self, _: impl FnOnce() -> u64) {}
    #[inline(always)]
    fn below(&mut self, (): (), _: usize, _: usize, _: impl FnOnce() -> u64) {}
    #[inline(always)]
    fn recall(&self, (): (), _: u32) -> Recalled {
        Recalled::NOTHING
    }
    #[inline(always)]
    fn store(&mut self, (): (), _: u32, _: Bounds, _: u16) {}
    #[inline(always)]
    fn of_children(&self, (): (), _: usize) -> Bounds {
        Bounds::UNKNOWN
    }
    fn change_horizon(&mut self) {}
    fn stored(&self) -> u64 {
        0
    }
    fn bytes(&self) -> usize {
        0
    }
}

/// A transposition table, if there is one. Bounds count only at equal height, else algorithms would
/// search different trees; the best move counts at any.
#[derive(Clone, Copy, Debug)]
pub struct Transpositions<'a>(pub Option<&'a Table>);

impl Memory for Transpositions<'_> {
    type Slot = u64;
    const SHARED: bool = true;

    #[inline]
    fn root(&self, key: impl FnOnce() -> u64) -> u64 {
        key()
    }

    #[inline]
    fn below(&mut self, _: u64, _: usize, _: usize, key: impl FnOnce() -> u64) -> u64 {
        if self.0.is_some() { key() } else { 0 }
    }

    #[inline]
    fn recall(&self, at: u64, height: u32) -> Recalled {
        let Some(stored) = self.0.and_then(|table| table.get(at)) else { return Recalled::NOTHING };
        let same = u32::from(stored.height) == height;
        let bounds = if same { stored.bounds } else { Bounds::UNKNOWN };
        Recalled { bounds, best: stored.best }
    }

    #[inline]
    fn store(&mut self, at: u64, height: u32, bounds: Bounds, best: u16) {
        if let (Some(table), Ok(height)) = (self.0, u8::try_from(height)) {
            table.put(at, Stored { bounds, best, height });
        }
    }

    /// Not from children that may have lost their entries.
    fn of_children(&self, _: u64, _: usize) -> Bounds {
        Bounds::UNKNOWN
    }

    /// What earlier iterations stored gives way first.
    fn change_horizon(&mut self) {
        if let Some(table) = self.0 {
            table.grow_older();
        }
    }

    fn stored(&self) -> u64 {
        self.0.map_or(0, Table::used)
    }

    fn bytes(&self) -> usize {
        self.0.map_or(0, Table::bytes)
    }
}

/// The stored search tree: f⁻ and f⁺ for every path, nothing ever lost.
#[derive(Clone, Debug)]
pub struct SearchTree {
    nodes: PathTree<Known>,
    stored: u64,
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

impl Default for SearchTree {
    fn default() -> Self {
        SearchTree { nodes: PathTree::new(), stored: 0, peak: 0 }
    }
}

impl Memory for SearchTree {
    type Slot = u32;

    fn root(&self, _: impl FnOnce() -> u64) -> u32 {
        ROOT
    }

    #[inline]
    fn below(&mut self, parent: u32, index: usize, width: usize, _: impl FnOnce() -> u64) -> u32 {
        self.nodes.below(parent, index, width)
    }

    #[inline]
    fn recall(&self, at: u32, _: u32) -> Recalled {
        Recalled { bounds: self.nodes.get(at).0, best: NO_MOVE }
    }

    #[inline]
    fn store(&mut self, at: u32, _: u32, bounds: Bounds, _: u16) {
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
pub struct SharedTree {
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
    pub fn from_height(least: u32) -> SharedTree {
        let shelves = std::array::from_fn(|_| Mutex::default());
        let (stored, peak) = (AtomicU64::new(0), AtomicU64::new(0));
        SharedTree { shelves: Arc::new(Shelves { shelves, stored, peak }), least }
    }

    fn shelf(&self, at: u64) -> MutexGuard<'_, Shelf> {
        let shelf = &self.shelves.shelves[at as usize % SHELVES];
        shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Memory for SharedTree {
    type Slot = u64;
    const CONCURRENT: bool = true;

    fn root(&self, _: impl FnOnce() -> u64) -> u64 {
        0
    }

    #[inline]
    fn below(&mut self, parent: u64, index: usize, _: usize, _: impl FnOnce() -> u64) -> u64 {
        mix(parent, index as u64 + 1)
    }

    #[inline]
    fn recall(&self, at: u64, height: u32) -> Recalled {
        if height < self.least {
            return Recalled::NOTHING;
        }
        let bounds = self.shelf(at).get(&at).copied().unwrap_or(Bounds::UNKNOWN);
        Recalled { bounds, best: NO_MOVE }
    }

    /// Others may have found more meanwhile: both hold.
    #[inline]
    fn store(&mut self, at: u64, height: u32, bounds: Bounds, _: u16) {
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
            let seen = self.recall(mix(at, index as u64 + 1), self.least).bounds.flip();
            best.lower = best.lower.max(seen.lower);
            best.upper = best.upper.max(seen.upper);
        }
        best
    }

    fn change_horizon(&mut self) {
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
