//! How to search: the options that were asked for, and the checked specification of a search.
//!
//! [`Options`] are what the user asked for. [`SearchSpec::check`] turns them into a [`SearchSpec`],
//! which says what will be done. An option that would have no effect is refused with the reason, so
//! that a record made from a spec cannot lie.

use std::fmt;

use plyground_core::limits::Limits;
use plyground_core::value::Value;
use serde::Deserialize;
use thiserror::Error;

use crate::catalogue::{Algorithm, MemoryNeeds};
use crate::factors::{Factors, GuessFrom, QuiescenceWindow, Store};
use crate::memory_functions::MemoryFunctions;
use crate::parallel::{Costs, MAX_THREADS, Schedule};
use crate::paths::PATH_ALLOWANCE;
use crate::table::TableSize;

/// How stored bounds are updated when the memory test leaves a node. The solution-tree paper leaves
/// this open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Update {
    /// From the value that was returned, by the window clipped to the bounds. SSS-2 then visits
    /// exactly the leaves of SSS*, in the same order.
    #[default]
    Clipped,
    /// Both bounds are recomputed from the children, as in the paper's Maxsearch. SSS-2 then visits
    /// a subset of those leaves.
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

/// The default for the least height of a node that may get a process, as in Bhattacharya and
/// Bagchi's experiments.
pub const SPAWN_HEIGHT: u32 = 4;

/// What a user asks for besides the tree and the algorithm.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The horizon: nodes at this ply are leaves.
    pub depth: u32,
    /// What may stop the search.
    pub limits: Limits,
    /// How the memory test updates bounds.
    pub update: Update,
    /// The value of an earlier search, for algorithms that start from a guess and have none as a
    /// parameter.
    pub guess: Option<Value>,
    /// A question: is the value at least this? Every outcome answers it as far as its bounds tell;
    /// algorithms that prove a goal ask nothing else.
    pub at_least: Option<Value>,
    /// Iterative deepening: searches to depth 1, 2, … up to `depth`. Each begins with the best move
    /// of the one before it, and with its value as the guess.
    pub deepening: bool,
    /// The memory functions that are switched on.
    pub memory: MemoryFunctions,
    /// The size of the table; the default size if the memory has a table and none is given.
    pub table: Option<TableSize>,
    /// Has every processor of a parallel search memory of its own, so that the table that they share is
    /// as many times as large?
    pub table_per_processor: bool,
    /// Simulate the processes of a parallel search: time is then counted in leaves, the outcome's
    /// terminal count.
    pub simulate: bool,
    /// Whose turn it is where several simulated processes are ready at once.
    pub schedule: Schedule,
    /// What a simulated search pays for besides leaves.
    pub costs: Costs,
    /// The least height of a node that may get a process; [`SPAWN_HEIGHT`] if none is given.
    pub spawn_height: Option<u32>,
    /// Choices that every algorithm of an experiment shares.
    pub factors: Factors,
    /// Count distinct leaves and interior nodes, with at most this many bytes for doing so.
    pub paths: Option<usize>,
}

impl Options {
    /// A search to this depth without limits.
    pub fn to_depth(depth: u32) -> Options {
        Options { depth, ..Options::default() }
    }
}

/// Why options do not go together with an algorithm.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SpecError {
    /// A way of updating bounds for an algorithm that stores none.
    #[error(
        "update maxsearch has no effect: {algorithm} stores no bounds; expected an algorithm such as \
         sss-2 or mtd-f, or update clipped"
    )]
    NoBounds {
        /// The algorithm.
        algorithm: String,
    },
    /// A way of updating bounds with a table.
    #[error(
        "update maxsearch has no effect with a table, whose entries get lost; expected a memory \
         without `table`, or update clipped"
    )]
    UpdateWithTable,
    /// A size for the table without a table.
    #[error("a size for the table, but the memory has no `table`; expected a memory with `table`")]
    NoTable,
    /// A table for each processor, for an algorithm that has one processor or no table.
    #[error(
        "a table per processor: {algorithm} has one processor or no table; expected a parallel \
         algorithm such as ybw:2, and a memory with `table`"
    )]
    NoTables {
        /// The algorithm.
        algorithm: String,
    },
    /// A spawn height for an algorithm that starts no process.
    #[error(
        "spawn height: {algorithm} starts no process; expected a parallel algorithm such as parsss:2 \
         or ybw:2"
    )]
    NoProcess {
        /// The algorithm.
        algorithm: String,
    },
    /// An order of turns, or costs, for a search that is not simulated.
    #[error(
        "{option}: the search is not simulated, so it has no effect; expected a simulated search"
    )]
    NotSimulated {
        /// What was asked for.
        option: &'static str,
    },
    /// A factor that would have no effect.
    #[error("{factor} has no effect: {reason}")]
    NoEffect {
        /// The factor, by the name of its key.
        factor: &'static str,
        /// Why it has none, and what was expected.
        reason: String,
    },
    /// More threads than a program can have.
    #[error("{algorithm}: {threads} threads are too many; expected at most {MAX_THREADS}")]
    TooManyThreads {
        /// The algorithm.
        algorithm: String,
        /// The number of threads that was asked for.
        threads: usize,
    },
}

/// The checked specification of a search: an algorithm and options, all of which have an effect.
///
/// ```
/// use plyground_search::{MemoryFunctions, Options, SearchSpec};
///
/// let options = Options { memory: MemoryFunctions::TABLE, ..Options::to_depth(6) };
/// let spec = SearchSpec::check(&"mtd-f".parse()?, options)?;
/// assert_eq!(spec.depth(), 6);
///
/// // PVS starts no process, so a spawn height would have no effect.
/// let options = Options { spawn_height: Some(2), ..Options::to_depth(6) };
/// assert!(SearchSpec::check(&"pvs".parse()?, options).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SearchSpec {
    algorithm: Algorithm,
    options: Options,
}

impl SearchSpec {
    /// A plain search to a depth: no limits, and no memory but what the algorithm itself needs.
    pub fn new(algorithm: &Algorithm, depth: u32) -> SearchSpec {
        SearchSpec { algorithm: algorithm.clone(), options: Options::to_depth(depth) }
    }

    /// The same, with distinct leaves counted besides evaluations.
    pub fn counted(algorithm: &Algorithm, depth: u32) -> SearchSpec {
        SearchSpec::new(algorithm, depth).counting_paths(true)
    }

    /// The search that `options` ask for, or an error if one of them would have no effect.
    pub fn check(algorithm: &Algorithm, options: Options) -> Result<SearchSpec, SpecError> {
        let has_table = options.memory.contains(MemoryFunctions::TABLE);
        let named = || algorithm.to_string();
        if options.update == Update::Maxsearch {
            if has_table {
                return Err(SpecError::UpdateWithTable);
            }
            if algorithm.needs(SPAWN_HEIGHT) == MemoryNeeds::Nothing {
                return Err(SpecError::NoBounds { algorithm: named() });
            }
        }
        if options.table.is_some() && !has_table {
            return Err(SpecError::NoTable);
        }
        check_factors(algorithm, &options, has_table)?;
        if options.table_per_processor && (algorithm.threads().is_none() || !has_table) {
            return Err(SpecError::NoTables { algorithm: named() });
        }
        if options.spawn_height.is_some() && algorithm.threads().is_none() {
            return Err(SpecError::NoProcess { algorithm: named() });
        }
        if !options.simulate {
            if options.schedule != Schedule::InTurn {
                return Err(SpecError::NotSimulated { option: "random schedules" });
            }
            if !options.costs.is_free() {
                return Err(SpecError::NotSimulated { option: "costs" });
            }
        }
        if let Some(threads) = algorithm.threads()
            && threads > MAX_THREADS
            && !options.simulate
        {
            return Err(SpecError::TooManyThreads { algorithm: named(), threads });
        }
        Ok(SearchSpec { algorithm: algorithm.clone(), options })
    }

    /// The same search, with or without counting distinct leaves.
    #[must_use]
    pub fn counting_paths(mut self, count: bool) -> SearchSpec {
        self.options.paths = count.then(|| self.options.paths.unwrap_or(PATH_ALLOWANCE));
        self
    }

    /// The same search, which is simulated, with its turns in another order.
    #[must_use]
    pub fn scheduled(mut self, schedule: Schedule) -> SearchSpec {
        self.options.schedule = schedule;
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

    /// What may stop the search.
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

    /// The question that the outcome answers: is the value at least this?
    pub fn at_least(&self) -> Option<Value> {
        self.options.at_least
    }

    /// Does it search to each depth in turn (iterative deepening)?
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
        let one = self.options.table.unwrap_or_default();
        let tables = match self.options.table_per_processor {
            true => self.algorithm.threads().unwrap_or(1),
            false => 1,
        };
        has_table.then(|| TableSize::of_entries(one.entries().saturating_mul(tables)))
    }

    /// The choices that every algorithm of an experiment shares.
    pub fn factors(&self) -> &Factors {
        &self.options.factors
    }

    /// May the value of a leaf be a bound?
    pub(crate) fn has_leaf_bounds(&self) -> bool {
        self.options.factors.quiescence_window == QuiescenceWindow::Search
    }

    /// Are its processes simulated?
    pub fn simulate(&self) -> bool {
        self.options.simulate
    }

    /// Whose turn it is where several simulated processes are ready at once.
    pub fn schedule(&self) -> Schedule {
        self.options.schedule
    }

    /// What a simulated search pays for besides leaves.
    pub fn costs(&self) -> Costs {
        self.options.costs
    }

    /// The least height of a node that may get a process.
    pub fn spawn_height(&self) -> u32 {
        self.options.spawn_height.unwrap_or(SPAWN_HEIGHT)
    }

    /// The most bytes for counting distinct paths, if they are counted.
    pub fn paths(&self) -> Option<usize> {
        self.options.paths
    }
}

/// An error if a factor would have no effect.
fn check_factors(
    algorithm: &Algorithm,
    options: &Options,
    has_table: bool,
) -> Result<(), SpecError> {
    let factors = &options.factors;
    let refused = |factor, reason: String| Err(SpecError::NoEffect { factor, reason });
    if factors.grain == 0 {
        return refused("grain", "values have no multiples of 0; expected at least 1".into());
    }
    if !(1..=64).contains(&factors.key_bits) {
        return refused("key-bits", "expected 1 to 64 bits".into());
    }
    if factors.guess == GuessFrom::Parity {
        if !options.deepening {
            let reason = "there is no earlier iteration; expected deepening";
            return refused("guess", reason.into());
        }
        if !algorithm.entry().guesses {
            let reason = format!("{algorithm} starts from no guess; expected one such as mtd-f");
            return refused("guess", reason);
        }
    }
    if factors.concern_table() && !has_table {
        let reason = "there is no table; expected a memory with `table`";
        return refused(factors.first_of_table(), reason.into());
    }
    if factors.quiescence_window == QuiescenceWindow::Search && !algorithm.searches_windows() {
        let reason = format!("{algorithm} has no window at a leaf; expected one such as pvs");
        return refused("quiescence", reason);
    }
    if factors.store == Store::Relevant {
        let needs = algorithm.needs(options.spawn_height.unwrap_or(SPAWN_HEIGHT));
        if has_table || needs != MemoryNeeds::StoredTree {
            let reason = format!(
                "{algorithm} stores no search tree of its own; expected one such as sss-2 or mtd-f, \
                 without a table"
            );
            return refused("store", reason);
        }
    }
    Ok(())
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
        let tables = Options { table_per_processor: true, table, memory, ..Options::default() };
        assert_eq!(
            check("ybw:3", tables.clone()).unwrap().table(),
            Some(TableSize::of_entries(24))
        );
        assert!(matches!(check("pvs", tables.clone()), Err(SpecError::NoTables { .. })));
        let without = Options { memory: MemoryFunctions::empty(), table: None, ..tables };
        assert!(matches!(check("ybw:3", without), Err(SpecError::NoTables { .. })));
        let spawn = Options { spawn_height: Some(2), ..Options::default() };
        assert!(matches!(check("pvs", spawn.clone()), Err(SpecError::NoProcess { .. })));
        assert_eq!(check("parsss:2", spawn).unwrap().spawn_height(), 2);
        let simulated = Options { simulate: true, ..Options::default() };
        for id in ["parsss:2000", "ybw:2000", "pvs"] {
            assert!(check(id, simulated.clone()).is_ok(), "{id}");
        }
        let random = Options { schedule: Schedule::Random(1), ..Options::default() };
        let costly =
            Options { costs: Costs { split: 1, ..Costs::default() }, ..Options::default() };
        for options in [random, costly] {
            let error = check("ybw:2", options.clone()).unwrap_err();
            assert!(matches!(error, SpecError::NotSimulated { .. }), "{error}");
            assert!(check("ybw:2", Options { simulate: true, ..options }).is_ok());
        }
        let with = |factors| Options { factors, deepening: true, ..Options::default() };
        let parity = Factors { guess: GuessFrom::Parity, ..Factors::default() };
        assert!(check("mtd-f", with(parity)).is_ok() && check("pvs", with(parity)).is_err());
        assert!(check("mtd-f", Options { deepening: false, ..with(parity) }).is_err());
        let short = Factors { key_bits: 16, ..Factors::default() };
        let error = check("pvs", with(short)).unwrap_err().to_string();
        assert_eq!(
            error,
            "key-bits has no effect: there is no table; expected a memory with `table`"
        );
        assert!(check("pvs", Options { memory, ..with(short) }).is_ok());
        let window = Factors { quiescence_window: QuiescenceWindow::Search, ..Factors::default() };
        for (id, has_windows) in
            [("pvs", true), ("mtd-f", true), ("ybw:2", true), ("sss", false), ("minimax", false)]
        {
            assert_eq!(check(id, with(window)).is_ok(), has_windows, "{id}");
        }
        for wrong in [Factors { grain: 0, ..parity }, Factors { key_bits: 65, ..short }] {
            assert!(check("mtd-f", Options { memory, ..with(wrong) }).is_err());
        }
        let plain = check("parsss:2000", Options::default());
        assert!(matches!(plain, Err(SpecError::TooManyThreads { threads: 2000, .. })));
    }
}
