//! What to search for: what was asked, and what will be done.
//!
//! [`Options`] are what somebody asked for. [`SearchSpec::check`] turns them into a [`SearchSpec`],
//! which can only say what will be done: what would have no effect is refused with the reason, so that
//! a record made from a spec cannot lie.

use std::fmt;

use plyground_core::limits::Limits;
use plyground_core::value::Value;
use serde::Deserialize;
use thiserror::Error;

use crate::catalogue::{Algorithm, Needs};
use crate::memory_functions::MemoryFunctions;
use crate::parallel::MAX_THREADS;
use crate::paths::PATH_ALLOWANCE;
use crate::table::TableSize;

/// How stored bounds are updated when the memory test leaves a node: the solution-tree paper does
/// not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Update {
    /// From the value returned, by the window clipped to the bounds: SSS-2 then visits exactly the
    /// leaves of SSS*, in the same order.
    #[default]
    Clipped,
    /// Both bounds are recomputed from the children: the paper's Maxsearch, which visits a subset.
    Maxsearch,
}

impl fmt::Display for Update {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Update::Clipped => "clipped",
            Update::Maxsearch => "maxsearch",
        })
    }
}

/// The least height of a node that may get a process, where nothing else is said: that of
/// Bhattacharya and Bagchi's experiments.
pub const SPAWN_HEIGHT: u32 = 4;

/// What is asked for besides the tree and the algorithm.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The horizon: nodes at this ply are leaves.
    pub depth: u32,
    /// What may stop the search.
    pub limits: Limits,
    /// How the memory test updates bounds.
    pub update: Update,
    /// The value of an earlier search, for algorithms that start from a guess and were given none.
    pub guess: Option<Value>,
    /// Searches to depth 1, 2, … up to `depth`, each beginning with the best move of the one before
    /// it and with its value for a guess.
    pub deepening: bool,
    /// The memory functions that are switched on.
    pub memory: MemoryFunctions,
    /// The size of the table; the default size if the memory has a table and none is given.
    pub table: Option<TableSize>,
    /// Searches with many processes are simulated: time is counted in leaves, the outcome's terminal
    /// count.
    pub simulate: bool,
    /// The least height of a node that may get a process; [`SPAWN_HEIGHT`] if none is given.
    pub spawn_height: Option<u32>,
    /// Are distinct leaves and interior nodes told apart, and with how many bytes at most?
    pub paths: Option<usize>,
}

impl Options {
    /// A search to this depth without limits.
    pub fn to_depth(depth: u32) -> Options {
        Options { depth, ..Options::default() }
    }
}

/// Why options and an algorithm do not go together.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SpecError {
    /// The way of updating bounds, where none are stored.
    #[error(
        "update maxsearch has no effect: {algorithm} stores no bounds; expected an algorithm such as \
         sss-2 or mtd-f, or update clipped"
    )]
    NoBounds {
        /// The algorithm.
        algorithm: String,
    },
    /// The way of updating bounds, with a table.
    #[error(
        "update maxsearch has no effect with a table, whose entries get lost; expected a memory \
         without `table`, or update clipped"
    )]
    UpdateWithTable,
    /// A size for a table that does not exist.
    #[error("a size for the table, but the memory has no `table`; expected a memory with `table`")]
    NoTable,
    /// A height for processes that nobody starts.
    #[error(
        "spawn height: {algorithm} starts no process; expected a parallel algorithm such as parsss:2 \
         or ybw:2"
    )]
    NoProcess {
        /// The algorithm.
        algorithm: String,
    },
    /// A simulation of what cannot be simulated.
    #[error(
        "{algorithm} cannot be simulated; expected an algorithm of the family of parsss, or a serial \
         one"
    )]
    NoSimulation {
        /// The algorithm.
        algorithm: String,
    },
    /// More threads than anybody can have.
    #[error("{algorithm}: {threads} threads are too many; expected at most {MAX_THREADS}")]
    TooManyThreads {
        /// The algorithm.
        algorithm: String,
        /// How many.
        threads: usize,
    },
}

/// A search that will be done as it says.
#[derive(Clone, Debug)]
pub struct SearchSpec {
    algorithm: Algorithm,
    options: Options,
}

impl SearchSpec {
    /// A plain search to a depth: no memory but what the algorithm is made of, no limits.
    pub fn new(algorithm: &Algorithm, depth: u32) -> SearchSpec {
        SearchSpec { algorithm: algorithm.clone(), options: Options::to_depth(depth) }
    }

    /// The same, with distinct leaves told apart from evaluations.
    pub fn counted(algorithm: &Algorithm, depth: u32) -> SearchSpec {
        SearchSpec::new(algorithm, depth).counting_paths(true)
    }

    /// The search that `options` ask for, if all of them have an effect.
    pub fn check(algorithm: &Algorithm, options: Options) -> Result<SearchSpec, SpecError> {
        let has_table = options.memory.contains(MemoryFunctions::TABLE);
        let named = || algorithm.to_string();
        if options.update == Update::Maxsearch {
            if has_table {
                return Err(SpecError::UpdateWithTable);
            }
            if algorithm.needs(SPAWN_HEIGHT) == Needs::Nothing {
                return Err(SpecError::NoBounds { algorithm: named() });
            }
        }
        if options.table.is_some() && !has_table {
            return Err(SpecError::NoTable);
        }
        if options.spawn_height.is_some() && algorithm.threads().is_none() {
            return Err(SpecError::NoProcess { algorithm: named() });
        }
        if options.simulate && !algorithm.entry().is_simulated() {
            return Err(SpecError::NoSimulation { algorithm: named() });
        }
        if let Some(threads) = algorithm.threads()
            && threads > MAX_THREADS
            && !options.simulate
        {
            return Err(SpecError::TooManyThreads { algorithm: named(), threads });
        }
        Ok(SearchSpec { algorithm: algorithm.clone(), options })
    }

    /// The same search, with or without telling distinct leaves apart.
    #[must_use]
    pub fn counting_paths(mut self, count: bool) -> SearchSpec {
        self.options.paths = count.then(|| self.options.paths.unwrap_or(PATH_ALLOWANCE));
        self
    }

    /// The same search within other limits.
    #[must_use]
    pub fn within(mut self, limits: Limits) -> SearchSpec {
        self.options.limits = limits;
        self
    }

    /// The algorithm.
    pub fn algorithm(&self) -> &Algorithm {
        &self.algorithm
    }

    /// The horizon.
    pub fn depth(&self) -> u32 {
        self.options.depth
    }

    /// What may stop it.
    pub fn limits(&self) -> &Limits {
        &self.options.limits
    }

    /// How the memory test updates bounds.
    pub fn update(&self) -> Update {
        self.options.update
    }

    /// The value of an earlier search.
    pub fn guess(&self) -> Option<Value> {
        self.options.guess
    }

    /// Does it search to each depth in turn?
    pub fn deepening(&self) -> bool {
        self.options.deepening
    }

    /// The memory functions.
    pub fn memory(&self) -> MemoryFunctions {
        self.options.memory
    }

    /// The size of the table, if there is one.
    pub fn table(&self) -> Option<TableSize> {
        let has_table = self.options.memory.contains(MemoryFunctions::TABLE);
        has_table.then(|| self.options.table.unwrap_or_default())
    }

    /// Is it simulated?
    pub fn simulate(&self) -> bool {
        self.options.simulate
    }

    /// The least height of a node that may get a process.
    pub fn spawn_height(&self) -> u32 {
        self.options.spawn_height.unwrap_or(SPAWN_HEIGHT)
    }

    /// The bytes for telling paths apart, if they are.
    pub fn paths(&self) -> Option<usize> {
        self.options.paths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(id: &str, options: Options) -> Result<SearchSpec, SpecError> {
        SearchSpec::check(&id.parse().unwrap(), options)
    }

    #[test]
    fn what_has_no_effect_is_refused() {
        let maxsearch = Options { update: Update::Maxsearch, ..Options::default() };
        for id in ["sss-2", "mtd-f", "second-best", "ybw-mtd-f:2"] {
            assert_eq!(check(id, maxsearch.clone()).unwrap().update(), Update::Maxsearch, "{id}");
        }
        for id in ["pvs", "sss", "alpha-beta", "ybw:2"] {
            let error = check(id, maxsearch.clone()).unwrap_err();
            assert!(matches!(error, SpecError::NoBounds { .. }), "{id}: {error}");
        }
        let memory = MemoryFunctions::TABLE;
        let tabled = Options { memory, ..maxsearch };
        assert_eq!(check("mtd-f", tabled).unwrap_err(), SpecError::UpdateWithTable);
        let table = Some(TableSize::of_entries(8));
        let sized = Options { table, ..Options::default() };
        assert_eq!(check("pvs", sized.clone()).unwrap_err(), SpecError::NoTable);
        assert_eq!(check("pvs", Options { memory, ..sized }).unwrap().table(), table);
        let spawn = Options { spawn_height: Some(2), ..Options::default() };
        assert!(matches!(check("pvs", spawn.clone()), Err(SpecError::NoProcess { .. })));
        assert_eq!(check("parsss:2", spawn).unwrap().spawn_height(), 2);
        let simulated = Options { simulate: true, ..Options::default() };
        assert!(matches!(check("ybw:2", simulated.clone()), Err(SpecError::NoSimulation { .. })));
        assert!(check("parsss:2000", simulated.clone()).is_ok() && check("pvs", simulated).is_ok());
        let plain = check("parsss:2000", Options::default());
        assert!(matches!(plain, Err(SpecError::TooManyThreads { threads: 2000, .. })));
    }
}
