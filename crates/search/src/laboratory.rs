//! Searches of the laboratory's trees. They are plain functions over [`LabTree`], so they are
//! compiled once, in this crate.

use plyground_core::tree::LabTree;

use crate::{MemoryLock, Outcome, SearchSpec, Watcher, Workspace, search_in};

/// Searches `tree` as `spec` says, and reports every step to `watch` if there is one.
///
/// ```
/// use plyground_core::tree::Explicit;
/// use plyground_search::{SearchSpec, laboratory};
///
/// let tree: Explicit = "((3 12 8) (2 4 6) (14 5 2))".parse()?;
/// let spec = SearchSpec::counted(&"alpha-beta".parse()?, 2);
/// let outcome = laboratory::search(&tree.into(), &spec, None)?;
/// assert_eq!((outcome.value, outcome.counts.leaves), (Some(3), Some(7)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search(
    tree: &LabTree,
    spec: &SearchSpec,
    watch: Option<Watcher>,
) -> Result<Outcome<u32>, MemoryLock> {
    search_in(&mut Workspace::new(), tree, spec, watch)
}
