//! Searches of the laboratory's trees. They are plain functions over [`LabTree`], so they are
//! compiled once, in this crate.

use plyground_core::memory;
use plyground_core::tree::LabTree;

use crate::{Outcome, SearchError, SearchSpec, Watcher, Workspace, search_in, search_richly};

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
#[inline(never)]
pub fn search(
    tree: &LabTree,
    spec: &SearchSpec,
    watch: Option<Watcher>,
) -> Result<Outcome<u32>, SearchError> {
    let run = |watch| match tree {
        // Generated trees are many and small, and their searches are timed: they have searches of their
        // own, bare and rich. The others ask at every node which of the three the tree is.
        LabTree::Uniform(tree) => search_in(&mut Workspace::new(), tree, spec, watch),
        tree => search_richly(tree, spec, watch),
    };
    if spec.depth() <= DEEP {
        return run(watch);
    }
    // Searches recurse, and a written tree may be deeper than a thread's usual stack.
    std::thread::scope(|scope| {
        let thread = memory::thread(STACK).and_then(|t| t.spawn_scoped(scope, move || run(watch)));
        match thread {
            Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            // Without it, the search might overflow its stack.
            Err(_) => Err(SearchError::Threads { threads: 2, started: 1 }),
        }
    })
}

/// Deeper searches have a stack of their own.
const DEEP: u32 = 200;

/// Memory that is not used costs nothing.
const STACK: usize = 64 << 20;
