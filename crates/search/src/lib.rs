//! The searches: one context, two modes, one catalogue.
//!
//! [`search`] runs any [`Algorithm`] of the [`catalogue()`] on any [`GameTree`]. A [`SearchSpec`]
//! says how: to which depth, with which memory functions, within which limits. [`best_move`] is the
//! short way to a move. [`play`] is the selective search of a playing engine. [`single_agent`] has the
//! searches for one player, on state spaces.
//!
//! ```
//! use plyground_core::tree::Explicit;
//! use plyground_search::{SearchSpec, search};
//!
//! let tree: Explicit = "((3 12 8) (2 4 6) (14 5 2))".parse()?;
//! let outcome = search(&tree, &SearchSpec::new(&"sss".parse()?, 2))?;
//! assert_eq!((outcome.value, outcome.best), (Some(3), Some(0)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[macro_use]
mod catalogue;

mod agreement;
mod best_first;
mod context;
mod depth_first;
pub mod distributed;
mod drivers;
mod factors;
mod frontier;
mod in_flight;
#[cfg(test)]
#[path = "in_flight/tests.rs"]
mod in_flight_tests;
mod keep;
pub mod laboratory;
mod memory;
mod memory_functions;
mod minimal;
mod mode;
mod node;
mod order;
mod outcome;
mod parallel;
mod paths;
pub mod play;
mod prelude;
mod rich;
pub mod single_agent;
mod spec;
pub mod table;
#[cfg(test)]
#[path = "table/tests.rs"]
mod table_tests;
mod tally;
mod trace;
mod variation;

pub use agreement::{Disagreement, check_against_minimax};
pub use catalogue::{
    Algorithm, CatalogueEntry, MAX_PROCESSES, MemoryNeeds, Parameters, ParseAlgorithmError,
    Partitions, Proves, SearchAlgorithm, catalogue,
};
pub use context::Search;
pub use factors::{
    Factors, GuessFrom, QuiescenceWindow, Replacement, Store, TableDepth, TableLeaves,
};
pub use frontier::mate;
pub use keep::{Keep, Keeps, Nothing};
pub use memory_functions::{MemoryFunctions, ParseMemoryFunctionsError};
pub use minimal::{MinimalTree, minimal_tree};
pub use mode::{Bare, Mode};
pub use node::{Children, Picker, SearchNode, Siblings};
pub use outcome::{Counts, Iteration, MemoryLock, Outcome, SearchError};
pub use parallel::{Costs, MAX_THREADS, Schedule, check_threads};
pub use paths::PATH_ALLOWANCE;
pub use rich::Rich;
pub use spec::{Options, SPAWN_HEIGHT, SearchSpec, SpecError, Update};
pub use trace::{Event, OpenState, OpenStatus, Trace, TraceLog, Watch, Watcher};
pub use variation::principal_variation;

/// The standard library's locks and atomics. Tests compile the files that use them once more, with a
/// model checker's in their place.
mod sync {
    pub(crate) use std::sync::*;
}

/// The algorithms by type, for code that means a particular one: a misspelt name does not compile.
pub mod algorithms {
    pub use crate::best_first::*;
    pub use crate::depth_first::*;
    pub use crate::drivers::*;
    pub use crate::frontier::*;
    pub use crate::parallel::*;
}

use std::sync::Arc;

use plyground_core::tree::GameTree;
use plyground_core::value::Bounds;

use memory::{Memory, SharedTree, StoredTree, TableRules};
use order::MoveOrder;
use paths::{PathSet, Paths};
use table::{TableSize, TranspositionTable};

// A cluster is a cache line. Under a model checker, whose atomics are larger, it is not.
const _: () = assert!(table::CLUSTER_BYTES == 64);

/// What successive searches can share: the table is made once and cleared, not made anew for each
/// search.
#[derive(Debug, Default)]
pub struct Workspace {
    table: Option<(TableSize, Arc<TranspositionTable>)>,
}

impl Workspace {
    /// A workspace that holds nothing yet.
    pub fn new() -> Workspace {
        Workspace::default()
    }

    /// An empty table of this size.
    fn table(&mut self, size: TableSize) -> Result<Arc<TranspositionTable>, SearchError> {
        if let Some((kept, table)) = &self.table
            && *kept == size
        {
            table.clear();
            return Ok(Arc::clone(table));
        }
        // The old table is dropped first: there may be no memory for both.
        self.table = None;
        let table = Arc::new(TranspositionTable::new(size).map_err(SearchError::Table)?);
        self.table = Some((size, Arc::clone(&table)));
        Ok(table)
    }
}

/// Searches `tree` as `spec` says. Errors are a memory-bounded algorithm that cannot continue, and
/// memory or threads that the system does not give; a search that reaches a limit has an outcome.
pub fn search<T: GameTree>(tree: &T, spec: &SearchSpec) -> Result<Outcome<T::Move>, SearchError> {
    search_in(&mut Workspace::new(), tree, spec, None)
}

/// As [`search`], with a table that successive searches use, and with a watch if there is one.
pub fn search_in<T: GameTree>(
    workspace: &mut Workspace,
    tree: &T,
    spec: &SearchSpec,
    watch: Option<Watcher>,
) -> Result<Outcome<T::Move>, SearchError> {
    let (memory, paths) = memory_and_paths(workspace, spec, watch.is_some())?;
    let usual = *spec.factors() == Factors::default();
    let rich_only = spec.algorithm().entry().rich_only;
    let plain =
        spec.memory().is_empty() && !spec.deepening() && watch.is_none() && usual && !rich_only;
    let parallel = spec.algorithm().threads().is_some();
    let (memory, paths) = match (memory, paths) {
        (Memory::None, Paths::Off) if plain => {
            return iterate(Search::new(tree, spec, Bare(Nothing)));
        }
        (Memory::Stored(stored), Paths::Off) if plain => {
            return iterate(Search::new(tree, spec, Bare(stored)));
        }
        (Memory::None, Paths::Own(paths)) if plain && !parallel => {
            return iterate(Search::new(tree, spec, Bare(paths)));
        }
        both => both,
    };
    iterate_richly(tree, spec, (memory, paths), watch)
}

/// As [`search_in`], always in the rich mode: for trees whose searches are not timed, and need not be
/// compiled for more than one mode.
fn search_richly<T: GameTree>(
    tree: &T,
    spec: &SearchSpec,
    watch: Option<Watcher>,
) -> Result<Outcome<T::Move>, SearchError> {
    let (memory, paths) = memory_and_paths(&mut Workspace::new(), spec, watch.is_some())?;
    iterate_richly(tree, spec, (memory, paths), watch)
}

/// Searches in the rich mode with this memory and these paths.
fn iterate_richly<T: GameTree>(
    tree: &T,
    spec: &SearchSpec,
    (memory, paths): (Memory, Paths),
    watch: Option<Watcher>,
) -> Result<Outcome<T::Move>, SearchError> {
    let order = MoveOrder::new(spec.memory(), spec.deepening(), T::HISTORY_SIZE);
    iterate(Search::new(tree, spec, Rich::new(memory, order, paths, watch)))
}

/// The memory of a search, and the set of its paths if they have to be told apart.
fn memory_and_paths(
    workspace: &mut Workspace,
    spec: &SearchSpec,
    watched: bool,
) -> Result<(Memory, Paths), SearchError> {
    let needs = spec.algorithm().needs(spec.spawn_height());
    let memory = match (spec.table(), needs) {
        (Some(size), _) => Memory::Table(workspace.table(size)?, TableRules::of(spec.factors())),
        (None, MemoryNeeds::Nothing) => Memory::None,
        (None, MemoryNeeds::StoredTree) => Memory::Stored(StoredTree::default()),
        (None, MemoryNeeds::SharedTree { from_height }) => {
            Memory::Shared(SharedTree::from_height(from_height))
        }
    };
    // Where the search tree is stored, or the algorithm never takes a path twice, the plain counts
    // already tell how many nodes are distinct.
    // A bound of a leaf does not always answer for it: then it may be evaluated again.
    let stores = matches!(memory, Memory::Stored(_)) && !spec.has_leaf_bounds();
    let counts_itself = stores || !spec.algorithm().entry().revisits;
    let paths = match (watched, spec.paths()) {
        (true, _) => Paths::Own(PathSet::new(usize::MAX)),
        (false, Some(allowance)) if !counts_itself => Paths::Own(PathSet::new(allowance)),
        _ => Paths::Off,
    };
    Ok((memory, paths))
}

/// Searches to the depth of the spec or, with deepening, to each depth up to it.
fn iterate<T: GameTree, M: Mode>(
    mut search: Search<'_, T, M>,
) -> Result<Outcome<T::Move>, SearchError> {
    let spec = search.spec;
    let last = spec.depth();
    let first = if spec.deepening() { last.min(1) } else { last };
    let mut outcome = search.outcome(first.saturating_sub(1));
    for depth in first..=last {
        if depth > first {
            search.begin_iteration(depth, &outcome);
        }
        search.depth = depth;
        if spec.deepening() {
            search.emit_at_root(|| Event::Iteration { depth });
        }
        let root = search.root();
        let result = spec.algorithm().run(&mut search, &root);
        if let Some(failure) = search.failure {
            return Err(failure);
        }
        let before = outcome;
        outcome = search.outcome(depth);
        outcome.iterations = before.iterations;
        match result {
            Ok(value) => {
                outcome.value = value;
                outcome.bounds = value.map_or(outcome.bounds, Bounds::exact);
                outcome.estimate = value.or(outcome.estimate);
                let Outcome { best, time, .. } = outcome;
                let visits = outcome.counts.visits;
                outcome.iterations.push(Iteration { depth, value, best, visits, time });
            }
            Err(stop) => {
                outcome.stopped = Some(stop);
                outcome.best = outcome.best.or(before.best);
                outcome.depth = before.depth;
                if depth < last {
                    outcome.bounds = search.widest();
                }
                break;
            }
        }
    }
    outcome.proved = spec.at_least().and_then(|least| outcome.bounds.answer(least));
    Ok(outcome)
}

/// The best move of `tree`'s root, found by principal variation search to `depth` plies with
/// deepening, a table and the history of moves; `None` if the game is over.
///
/// ```
/// use plyground_core::tree::Explicit;
/// let tree: Explicit = "((3 12 8) (2 4 6) (14 5 2))".parse().unwrap();
/// assert_eq!(plyground_search::best_move(&tree, 2), Some(0));
/// ```
pub fn best_move<T: GameTree>(tree: &T, depth: u32) -> Option<T::Move> {
    let options = Options {
        memory: MemoryFunctions::TABLE | MemoryFunctions::HISTORY,
        deepening: true,
        ..Options::to_depth(depth.max(1))
    };
    let spec = SearchSpec::check(&algorithms::Pvs.into(), options).ok()?;
    search(tree, &spec).ok()?.best
}
