//! The paths that a search has visited, by which distinct leaves are told from evaluations.
//!
//! In the laboratory two nodes are the same only if the same moves in the same order lead to them.
//! A [`PathSet`] gives every such path a number, exactly and without hashing: the children of a
//! node get consecutive numbers when the first of them is visited. A path takes four bytes. The set
//! has an allowance of its own, apart from the memory of the algorithm. When it is used up, the set
//! is dropped, the number of distinct nodes is unknown, and the search continues.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The default allowance for counting distinct paths, in bytes: room for 16 million paths.
pub const PATH_ALLOWANCE: usize = 64 << 20;

/// The number of the path without moves.
pub(crate) const ROOT: u32 = 0;

/// Nodes counted by their paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Distinct {
    /// Leaves evaluated at least once: the papers' NBP, the number of bottom positions.
    pub(crate) leaves: u64,
    /// Interior nodes expanded at least once.
    pub(crate) interior: u64,
}

/// A growing set of paths.
#[derive(Debug)]
pub(crate) struct PathSet {
    /// For every path the number of its first child, 0 while it has none; and the bit [`SEEN`].
    paths: Vec<u32>,
    /// The most paths that the allowance has room for.
    most: usize,
    /// The allowance was used up.
    lost: bool,
    distinct: Distinct,
}

/// The node at the end of the path was expanded or evaluated.
const SEEN: u32 = 1 << 31;

impl PathSet {
    /// A set that may grow to this many bytes.
    pub(crate) fn new(allowance: usize) -> PathSet {
        let most = (allowance / size_of::<u32>()).clamp(1, SEEN as usize - 1);
        PathSet { paths: vec![0], most, lost: false, distinct: Distinct::default() }
    }

    /// The number of the path that continues from `parent` to child `index` of `width`, and whether
    /// the children got their numbers just now.
    #[inline]
    pub(crate) fn below(&mut self, parent: u32, index: usize, width: usize) -> (u32, bool) {
        if self.lost {
            return (ROOT, false);
        }
        let first = self.paths[parent as usize] & !SEEN;
        if first != 0 {
            return (first + index as u32, false);
        }
        match self.add_children(parent, width) {
            Some(first) => (first + index as u32, true),
            None => (ROOT, false),
        }
    }

    fn add_children(&mut self, parent: u32, width: usize) -> Option<u32> {
        let first = self.paths.len();
        let end = first + width;
        if end > self.most {
            self.lost = true;
            self.paths = Vec::new();
            return None;
        }
        if end > self.paths.capacity() {
            // Twice as many as before, but no more than are allowed.
            let capacity = (2 * end).clamp(end, self.most.max(end));
            self.paths.reserve_exact(capacity - first);
        }
        self.paths.resize(end, 0);
        self.paths[parent as usize] |= first as u32;
        Some(first as u32)
    }

    /// Marks a path as seen. Was this the first time?
    #[inline]
    fn first_time(&mut self, path: u32) -> bool {
        if self.lost {
            return false;
        }
        let seen = &mut self.paths[path as usize];
        let first = *seen & SEEN == 0;
        *seen |= SEEN;
        first
    }

    /// An interior node is expanded.
    #[inline]
    pub(crate) fn interior(&mut self, path: u32) {
        self.distinct.interior += u64::from(self.first_time(path));
    }

    /// A leaf is evaluated; `true` if it is the first time.
    #[inline]
    pub(crate) fn leaf(&mut self, path: u32) -> bool {
        let first = self.first_time(path);
        self.distinct.leaves += u64::from(first);
        first
    }

    /// How many distinct nodes there were; `None` if the allowance was used up.
    pub(crate) fn distinct(&self) -> Option<Distinct> {
        (!self.lost).then_some(self.distinct)
    }

    fn next_iteration(&mut self) {
        self.paths.iter_mut().for_each(|path| *path &= !SEEN);
    }
}

/// The paths of one context.
#[derive(Debug)]
pub(crate) enum Paths {
    /// Paths are not counted.
    Off,
    /// The context has a set of its own.
    Own(PathSet),
    /// Several threads share a set.
    Shared(Arc<Mutex<PathSet>>),
}

impl Paths {
    #[inline]
    fn with<R>(&mut self, act: impl FnOnce(&mut PathSet) -> R) -> Option<R> {
        match self {
            Paths::Off => None,
            Paths::Own(set) => Some(act(set)),
            Paths::Shared(set) => Some(act(&mut locked(set))),
        }
    }

    /// The number of a path, as [`PathSet::below`].
    #[inline]
    pub(crate) fn below(&mut self, parent: u32, index: usize, width: usize) -> (u32, bool) {
        self.with(|set| set.below(parent, index, width)).unwrap_or((ROOT, false))
    }

    /// Counts an interior node that is expanded.
    #[inline]
    pub(crate) fn interior(&mut self, path: u32) {
        self.with(|set| set.interior(path));
    }

    /// Counts a leaf that is evaluated; `true` if it is the first time.
    #[inline]
    pub(crate) fn leaf(&mut self, path: u32) -> bool {
        self.with(|set| set.leaf(path)).unwrap_or(false)
    }

    /// Begins the next iteration, in which every path is seen for the first time again.
    pub(crate) fn next_iteration(&mut self) {
        self.with(PathSet::next_iteration);
    }

    /// How many distinct nodes there were, over all iterations; `None` if they were not counted, or
    /// the allowance was used up.
    pub(crate) fn distinct(&mut self) -> Option<Distinct> {
        self.with(|set| set.distinct())?
    }

    /// The same paths for another thread.
    pub(crate) fn share(&mut self) -> Paths {
        match std::mem::replace(self, Paths::Off) {
            Paths::Off => Paths::Off,
            Paths::Own(set) => {
                let set = Arc::new(Mutex::new(set));
                *self = Paths::Shared(Arc::clone(&set));
                Paths::Shared(set)
            }
            Paths::Shared(set) => {
                *self = Paths::Shared(Arc::clone(&set));
                Paths::Shared(set)
            }
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_one_number_and_is_new_once() {
        let mut paths = Paths::Own(PathSet::new(PATH_ALLOWANCE));
        let (a, new) = paths.below(ROOT, 2, 3);
        assert!(new && !paths.below(ROOT, 1, 3).1);
        let (b, _) = paths.below(a, 0, 2);
        assert_eq!(paths.below(ROOT, 2, 3).0, a);
        assert_eq!(paths.below(a, 0, 2).0, b);
        assert_ne!(paths.below(a, 1, 2).0, b);
        paths.interior(a);
        paths.interior(a);
        assert!(paths.leaf(b) && !paths.leaf(b));
        assert_eq!(paths.distinct(), Some(Distinct { leaves: 1, interior: 1 }));
        paths.next_iteration();
        assert!(paths.leaf(b));
        let mut other = paths.share();
        assert!(!other.leaf(b));
        assert_eq!(paths.distinct(), Some(Distinct { leaves: 2, interior: 1 }));
    }

    #[test]
    fn a_set_that_is_too_large_is_dropped() {
        let mut paths = Paths::Own(PathSet::new(40));
        let (a, _) = paths.below(ROOT, 0, 5);
        assert!(paths.leaf(a));
        let (b, new) = paths.below(a, 3, 5);
        assert!(!new);
        assert!(!paths.leaf(b) && !paths.leaf(a));
        assert_eq!(paths.below(b, 1, 9), (ROOT, false));
        assert_eq!(paths.distinct(), None);
    }
}
