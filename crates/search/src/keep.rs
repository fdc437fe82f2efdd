//! What a bare search may keep: nothing, a stored search tree, or the set of its paths.
//!
//! Each is for some algorithms only, and a search that keeps it is compiled for those alone: the stored
//! tree for drivers on one processor, which are nothing without one; the paths for serial algorithms that may come to a
//! path twice, so that distinct leaves can be told from evaluations.

use plyground_core::value::Bounds;

use crate::catalogue::CatalogueEntry;
use crate::memory::{Recalled, StoredTree};
use crate::paths::{Distinct, PathSet, ROOT};
use crate::table::NO_MOVE;

/// What a mode keeps, as a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeps {
    /// Nothing.
    Nothing,
    /// A stored search tree.
    Bounds,
    /// The set of the paths that the search has been on.
    Paths,
}

impl Keeps {
    /// Are there bounds?
    #[inline]
    pub(crate) const fn is_bounds(self) -> bool {
        matches!(self, Keeps::Bounds)
    }

    /// Is an algorithm compiled for a mode that keeps this?
    pub(crate) const fn is_for(self, entry: &CatalogueEntry) -> bool {
        if entry.rich_only {
            return false;
        }
        match self {
            Keeps::Nothing => !entry.needs_memory,
            // Parallel drivers among them, which have it on one processor.
            Keeps::Bounds => entry.needs_memory,
            Keeps::Paths => !entry.needs_memory && !entry.is_parallel() && entry.revisits,
        }
    }
}

/// Something that a bare search keeps.
#[allow(private_interfaces)]
pub trait Keep: Sized + Send + 'static {
    /// Which of the three it is.
    const KEEPS: Keeps;
    /// What it knows a node by.
    type Tag: Copy + Send;
    /// The root's tag.
    const ROOT: Self::Tag;

    /// The tag of child `place` of `width`.
    #[doc(hidden)]
    fn below(&mut self, parent: Self::Tag, place: usize, width: usize) -> Self::Tag;

    /// What is known of a node.
    #[doc(hidden)]
    #[inline(always)]
    fn recall(&self, _at: Self::Tag) -> Recalled {
        Recalled::NOTHING
    }

    /// The tag of the first child of an expanded node: those of its siblings follow.
    #[doc(hidden)]
    #[inline(always)]
    fn first_below(&self, _parent: Self::Tag) -> u32 {
        0
    }

    /// What is known of the child at `place` after the first, which has this tag.
    #[doc(hidden)]
    #[inline(always)]
    fn recall_sibling(&self, _first: u32, _place: usize) -> Bounds {
        Bounds::UNKNOWN
    }

    /// Replaces what is known of a node.
    #[doc(hidden)]
    #[inline(always)]
    fn store(&mut self, _at: Self::Tag, _bounds: Bounds) {}

    /// The bounds that follow from those of the children.
    #[doc(hidden)]
    #[inline(always)]
    fn bounds_from_children(&self, _at: Self::Tag, _width: usize) -> Bounds {
        Bounds::UNKNOWN
    }

    /// A node with `width` children is expanded.
    #[doc(hidden)]
    #[inline(always)]
    fn expanded(&mut self, _at: Self::Tag, _width: usize) {}

    /// A leaf is evaluated.
    #[doc(hidden)]
    #[inline(always)]
    fn leaf(&mut self, _at: Self::Tag) {}

    /// Distinct nodes, if it tells them apart.
    #[doc(hidden)]
    fn distinct(&self) -> Option<Distinct> {
        None
    }

    /// Distinct interior nodes, if it knows them.
    #[doc(hidden)]
    fn expanded_nodes(&self) -> Option<u64> {
        None
    }

    /// Nodes with a stored bound.
    #[doc(hidden)]
    #[inline(always)]
    fn stored(&self) -> u64 {
        0
    }

    /// The bytes of the memory that the algorithm is made of.
    #[doc(hidden)]
    #[inline(always)]
    fn bytes(&self) -> usize {
        0
    }

    /// The same for another thread; only where nothing is kept are there others.
    #[doc(hidden)]
    fn fork(&self) -> Self {
        unreachable!("a parallel algorithm that keeps something is searched richly")
    }
}

/// Nothing is kept.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nothing;

impl Keep for Nothing {
    const KEEPS: Keeps = Keeps::Nothing;
    type Tag = ();
    const ROOT: () = ();

    #[inline(always)]
    fn below(&mut self, (): (), _: usize, _: usize) {}

    fn fork(&self) -> Nothing {
        Nothing
    }
}

/// f⁻ and f⁺ for every path.
#[allow(private_interfaces)]
impl Keep for StoredTree {
    const KEEPS: Keeps = Keeps::Bounds;
    type Tag = u32;
    const ROOT: u32 = ROOT;

    #[inline(always)]
    fn below(&mut self, parent: u32, place: usize, width: usize) -> u32 {
        StoredTree::below(self, parent, place, width)
    }

    #[inline(always)]
    fn recall(&self, at: u32) -> Recalled {
        Recalled { bounds: StoredTree::recall(self, at), best: NO_MOVE }
    }

    #[inline(always)]
    fn first_below(&self, parent: u32) -> u32 {
        StoredTree::first_below(self, parent)
    }

    #[inline(always)]
    fn recall_sibling(&self, first: u32, place: usize) -> Bounds {
        StoredTree::recall(self, first + place as u32)
    }

    #[inline(always)]
    fn store(&mut self, at: u32, bounds: Bounds) {
        StoredTree::store(self, at, bounds);
    }

    fn bounds_from_children(&self, at: u32, width: usize) -> Bounds {
        StoredTree::bounds_from_children(self, at, width)
    }

    #[inline(always)]
    fn expanded(&mut self, at: u32, width: usize) {
        self.expand(at, width);
    }

    fn expanded_nodes(&self) -> Option<u64> {
        Some(StoredTree::expanded(self))
    }

    fn stored(&self) -> u64 {
        StoredTree::stored(self)
    }

    fn bytes(&self) -> usize {
        StoredTree::bytes(self)
    }
}

/// Distinct leaves are told from evaluations.
#[allow(private_interfaces)]
impl Keep for PathSet {
    const KEEPS: Keeps = Keeps::Paths;
    type Tag = u32;
    const ROOT: u32 = ROOT;

    #[inline(always)]
    fn below(&mut self, parent: u32, place: usize, width: usize) -> u32 {
        PathSet::below(self, parent, place, width).0
    }

    #[inline(always)]
    fn expanded(&mut self, at: u32, _: usize) {
        self.interior(at);
    }

    #[inline(always)]
    fn leaf(&mut self, at: u32) {
        PathSet::leaf(self, at);
    }

    fn distinct(&self) -> Option<Distinct> {
        PathSet::distinct(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is known of a child is the same, whether it is asked for beside the first or by its own tag.
    #[test]
    fn siblings_are_known_by_the_first() {
        let mut tree = StoredTree::default();
        tree.expand(ROOT, 3);
        let children = [0, 1, 2].map(|place| Keep::below(&mut tree, ROOT, place, 3));
        Keep::store(&mut tree, children[1], Bounds::exact(7));
        Keep::store(&mut tree, children[2], Bounds { lower: -3, upper: 5 });
        let first = Keep::first_below(&tree, ROOT);
        for (place, child) in children.into_iter().enumerate() {
            assert_eq!(
                Keep::recall_sibling(&tree, first, place),
                Keep::recall(&tree, child).bounds
            );
        }
        assert_eq!(Keep::recall_sibling(&tree, first, 2), Bounds { lower: -3, upper: 5 });
    }
}
