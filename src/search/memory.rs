//! Memory: what a search knows of nodes from earlier visits.
//!
//! The laboratory keeps bounds by path: the stored search tree of the solution-tree paper, in which
//! every node carries f⁻ and f⁺.

use crate::tree::{PathTree, ROOT};
use crate::value::Bounds;

/// A store of bounds. A slot is the store's own name for a path from the root. Bounds are from the
/// view of the side to move.
pub trait Memory {
    /// What the store knows a node by.
    type Slot: Copy;
    /// The slot of the root.
    fn root(&self) -> Self::Slot;
    /// The slot of child `index` of `width`.
    fn below(&mut self, parent: Self::Slot, index: usize, width: usize) -> Self::Slot;
    /// What is known.
    fn bounds(&self, at: Self::Slot) -> Bounds;
    /// Replaces what is known.
    fn store(&mut self, at: Self::Slot, bounds: Bounds);
    /// The bounds that follow from those of the `width` children.
    fn of_children(&self, at: Self::Slot, width: usize) -> Bounds;
    /// Nodes with a stored bound.
    fn stored(&self) -> u64;
    /// Bytes in use.
    fn bytes(&self) -> usize;
}

/// Remembers nothing and costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoMemory;

impl Memory for NoMemory {
    type Slot = ();
    #[inline(always)]
    fn root(&self) {}
    #[inline(always)]
    fn below(&mut self, (): (), _: usize, _: usize) {}
    #[inline(always)]
    fn bounds(&self, (): ()) -> Bounds {
        Bounds::UNKNOWN
    }
    #[inline(always)]
    fn store(&mut self, (): (), _: Bounds) {}
    #[inline(always)]
    fn of_children(&self, (): (), _: usize) -> Bounds {
        Bounds::UNKNOWN
    }
    fn stored(&self) -> u64 {
        0
    }
    fn bytes(&self) -> usize {
        0
    }
}

/// The stored search tree: f⁻ and f⁺ for every path, nothing ever lost.
#[derive(Clone, Debug)]
pub struct SearchTree {
    nodes: PathTree<Known>,
    stored: u64,
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
        SearchTree { nodes: PathTree::new(), stored: 0 }
    }
}

impl Memory for SearchTree {
    type Slot = u32;

    fn root(&self) -> u32 {
        ROOT
    }

    #[inline]
    fn below(&mut self, parent: u32, index: usize, width: usize) -> u32 {
        self.nodes.below(parent, index, width)
    }

    #[inline]
    fn bounds(&self, at: u32) -> Bounds {
        self.nodes.get(at).0
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
        let mut best = Bounds { lower: -crate::value::INFINITY, upper: -crate::value::INFINITY };
        for child in first..first + width as u32 {
            let seen = self.nodes.get(child).0.flip();
            best.lower = best.lower.max(seen.lower);
            best.upper = best.upper.max(seen.upper);
        }
        best
    }

    fn stored(&self) -> u64 {
        self.stored
    }

    fn bytes(&self) -> usize {
        self.nodes.bytes()
    }
}
