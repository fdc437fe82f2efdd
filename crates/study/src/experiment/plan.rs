//! The plan of an experiment: all its searches on one game, run one after the other or in parallel.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use thiserror::Error;

use super::jobs::in_parallel_with;
use super::record::{Clock, Record, Setup};
use plyground_core::limits::{Limits, Stop};
use plyground_engine::door::{AnyGame, AnyTree};
use plyground_engine::game::GameError;
use plyground_engine::profile::Profile;
use plyground_search::table::TableSize;
use plyground_search::{
    Algorithm, MinimalTree, Outcome, SearchError, SearchSpec, SpecError, Workspace,
};

/// A search is timed repeatedly until the times add up to this.
const TIMED_ENOUGH: Duration = Duration::from_millis(40);

/// One search of a plan: a position by its number, and how to search it.
#[derive(Clone, Debug)]
pub struct PlannedSearch {
    /// What identifies the search in the records.
    pub setup: Setup,
    position: usize,
    spec: SearchSpec,
}

/// How parallel algorithms run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Processes {
    /// Are processes simulated? Then time is counted in leaves, and there may be any number of
    /// processes.
    pub simulate: bool,
    /// The least height of a node that may get a process of its own; `None` for the default.
    pub spawn_height: Option<u32>,
    /// Has every processor of a parallel search a table's worth of memory of its own?
    pub table_per_processor: bool,
}

/// Why searches cannot be compared.
#[derive(Debug, Error)]
pub enum PlanError {
    /// Two engines evaluate positions differently, so they would search different trees.
    #[error("{first} and {other} judge by different evaluators; expected the same weights")]
    Evaluators {
        /// The first engine.
        first: String,
        /// The engine that differs.
        other: String,
    },
    /// A position or an evaluator is wrong.
    #[error(transparent)]
    Game(#[from] GameError),
    /// An option that would have no effect.
    #[error("{engine}: {error}")]
    Spec {
        /// The engine with that option.
        engine: String,
        /// The option.
        error: SpecError,
    },
}

const NO_MEMORY: &str = "the machine has no more memory for it; expected a smaller limit on bytes, or fewer \
                         searches at once";

/// A search that this machine cannot make.
#[derive(Debug, Error)]
#[error("{search}: {reason}")]
pub struct MeasureError {
    search: String,
    reason: String,
}

/// The searches of an experiment on one game.
pub struct ExperimentPlan {
    trees: Vec<Box<dyn AnyTree>>,
    counts_only: bool,
    /// The minimal trees that were counted, by position and depth; `None` where it was interrupted.
    minimal: Mutex<HashMap<(usize, u32), Option<MinimalTree>>>,
    timed_once: bool,
    /// The searches, position by position.
    pub tasks: Vec<PlannedSearch>,
}

impl ExperimentPlan {
    /// Plans a search of every position to every depth by every engine. All engines must evaluate by the
    /// same weights: an experiment compares searches of the same trees.
    pub fn new(
        game: &'static dyn AnyGame,
        positions: &[String],
        engines: &[Profile],
        depths: impl IntoIterator<Item = u32> + Clone,
        processes: Processes,
        seed: u64,
    ) -> Result<ExperimentPlan, PlanError> {
        let mut plan = ExperimentPlan {
            trees: Vec::new(),
            counts_only: false,
            minimal: Mutex::default(),
            timed_once: false,
            tasks: Vec::new(),
        };
        let Some(first) = engines.first() else { return Ok(plan) };
        let weights = game.weights_hash(&first.evaluator);
        let differs = |engine: &&Profile| game.weights_hash(&engine.evaluator) != weights;
        if let Some(other) = engines.iter().find(differs) {
            let (first, other) = (first.name.clone(), other.name.clone());
            return Err(PlanError::Evaluators { first, other });
        }
        for (number, position) in positions.iter().enumerate() {
            let tree = game.tree(position, &first.evaluator)?;
            for depth in depths.clone() {
                for engine in engines {
                    let spec = spec(engine, depth, processes)?;
                    let setup = Setup {
                        game: game.name().into(),
                        position: tree.position(),
                        algorithm: spec.algorithm().to_string(),
                        depth,
                        memory: spec.memory().to_string(),
                        deepening: spec.deepening(),
                        table: spec.table().map(|size| size.entries() as u64),
                        update: spec.update().to_string(),
                        bytes: spec.limits().bytes.map(|bytes| bytes as u64),
                        evaluator: engine.evaluator.name(),
                        weights: format!("{weights:016x}"),
                        version: env!("CARGO_PKG_VERSION").into(),
                        seed,
                        factors: *spec.factors(),
                        simulated: spec.simulate(),
                        spawn_height: spec.algorithm().threads().map(|_| spec.spawn_height()),
                    };
                    plan.tasks.push(PlannedSearch { setup, position: number, spec });
                }
            }
            plan.trees.push(tree);
        }
        Ok(plan)
    }

    /// The size of the largest table of these searches, if one of them has a table.
    pub fn largest_table(&self) -> Option<TableSize> {
        self.tasks.iter().filter_map(|task| task.spec.table()).max_by_key(|size| size.entries())
    }

    /// Runs each search only once, for its counts, and measures no time. Distinct paths are counted only
    /// where that costs nothing. Much quicker; the records also have the width of the trees.
    #[must_use]
    pub fn counts_only(self) -> ExperimentPlan {
        ExperimentPlan { counts_only: true, ..self }
    }

    /// As [`counts_only`](ExperimentPlan::counts_only), but the one run is timed too, where searches do
    /// not run side by side.
    #[must_use]
    pub fn timed_once(self) -> ExperimentPlan {
        ExperimentPlan { timed_once: true, ..self.counts_only() }
    }

    /// Runs one search; `None` if the stop flag interrupted it. An error if the machine has not the memory
    /// or the threads for it: that would be a record of this machine, and not of the algorithm.
    ///
    /// A `timed` search runs once to count distinct paths, and again without counting, for the time.
    pub fn make(
        &self,
        workspace: &mut Workspace,
        task: &PlannedSearch,
        timed: bool,
    ) -> Result<Option<Record>, MeasureError> {
        let spec = &task.spec;
        let algorithm = spec.algorithm();
        let mut record = Record { setup: task.setup.clone(), ..Record::default() };
        let counted = spec.clone().counting_paths(!self.counts_only);
        let failed = |reason: String| MeasureError { search: task.setup.to_string(), reason };
        let outcome = match self.search(workspace, task, &counted) {
            Err(SearchError::Locked(_)) => {
                record.stopped = Some(Stop::Locked.name().into());
                return Ok(Some(record));
            }
            outcome => outcome.map_err(|error| failed(error.to_string()))?,
        };
        if outcome.stopped == Some(Stop::Memory) {
            return Err(failed(NO_MEMORY.into()));
        }
        record.counts = outcome.counts;
        record.width = outcome.width.filter(|_| self.counts_only);
        record.threads = algorithm.threads().map(|threads| threads as u64);
        record.value = outcome.value;
        record.best = outcome.best.clone();
        record.terminal_count = outcome.terminal_count;
        record.stopped = outcome.stopped.map(|stop| stop.name().to_owned());
        self.compare_with_minimal(task, &mut record);
        let simulated = spec.simulate() && algorithm.threads().is_some();
        if timed && !simulated && self.timed_once && outcome.stopped.is_none() {
            let SearchTime { seconds, clock, cpu_seconds, .. } =
                SearchTime::of(&outcome, algorithm);
            (record.seconds, record.clock) = (Some(seconds), Some(clock));
            record.cpu_seconds = cpu_seconds;
        }
        if timed && !simulated && !self.counts_only && outcome.stopped.is_none() {
            // The least of several times was disturbed least by other programs.
            let (mut least, mut spent) = (None, Duration::ZERO);
            while spent < TIMED_ENOUGH {
                let again = self.search(workspace, task, spec);
                let again = again.map_err(|error| failed(error.to_string()))?;
                match again.stopped {
                    Some(Stop::Flag) => return Ok(None),
                    Some(Stop::Memory) => return Err(failed(NO_MEMORY.into())),
                    _ => {}
                }
                // At most 20 times, however short the search.
                spent += again.time.max(TIMED_ENOUGH / 20);
                let took = SearchTime::of(&again, algorithm);
                if least.is_none_or(|least: SearchTime| took.seconds < least.seconds) {
                    least = Some(took);
                }
            }
            if let Some(SearchTime { seconds, clock, cpu_seconds, .. }) = least {
                (record.seconds, record.clock) = (Some(seconds), Some(clock));
                record.cpu_seconds = cpu_seconds;
            }
            if algorithm.threads().is_some() {
                record.idle = least.map(|least| least.idle);
                record.cores = std::thread::available_parallelism().ok().map(|n| n.get() as u64);
            }
        }
        Ok((outcome.stopped != Some(Stop::Flag)).then_some(record))
    }

    /// Says how far the search is from the left-first minimal tree, which is counted once for a position and
    /// a depth.
    fn compare_with_minimal(&self, task: &PlannedSearch, record: &mut Record) {
        let (Some(value), depth) = (record.value, task.spec.depth()) else { return };
        // The minimal tree is that of the values as they are.
        let factors = task.spec.factors();
        let other = factors.grain != 1 || !factors.is_exact();
        if record.stopped.is_some() || self.counts_only || other {
            return;
        }
        let key = (task.position, depth);
        let known = self.minimal.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
        let minimal = known.unwrap_or_else(|| {
            let limits = Limits { flag: task.spec.limits().flag.clone(), ..Limits::default() };
            let minimal = self.trees[task.position].minimal_tree(depth, value, &limits);
            self.minimal.lock().unwrap_or_else(PoisonError::into_inner).insert(key, minimal);
            minimal
        });
        if let Some(MinimalTree { leaves, graph_leaves }) = minimal {
            record.minimal_leaves = Some(leaves);
            record.minimal_graph = Some(graph_leaves);
            record.over_minimal = Some(record.counts.evaluations as f64 / leaves as f64);
        }
    }

    fn search(
        &self,
        workspace: &mut Workspace,
        task: &PlannedSearch,
        spec: &SearchSpec,
    ) -> Result<Outcome<String>, SearchError> {
        self.trees[task.position].search(workspace, spec, None)
    }

    /// Runs these searches on `jobs` threads, and calls `done` for each record, or for what this machine
    /// cannot make, as soon as it is there. Each thread uses one table for all its searches. Times are
    /// measured only with one job. Ends early if a search is interrupted or if `done` fails; returns the
    /// first error.
    pub fn run<E: Send>(
        &self,
        tasks: &[&PlannedSearch],
        jobs: usize,
        done: impl FnMut(Result<Record, MeasureError>) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        let make = |workspace: &mut Workspace, task: &&PlannedSearch| {
            Ok(self.make(workspace, task, jobs == 1).transpose())
        };
        in_parallel_with(tasks, jobs, Workspace::new, make, done)
    }
}

/// How long a search took: the CPU time of its thread, which other programs disturb least; with several
/// threads the time on the wall, with their CPU time beside it.
#[derive(Clone, Copy)]
struct SearchTime {
    seconds: f64,
    clock: Clock,
    cpu_seconds: Option<f64>,
    idle: f64,
}

impl SearchTime {
    fn of(outcome: &Outcome<String>, algorithm: &Algorithm) -> SearchTime {
        let serial = algorithm.threads().is_none();
        SearchTime {
            seconds: outcome.search_time(algorithm).as_secs_f64(),
            clock: if serial && outcome.cpu.is_some() { Clock::Cpu } else { Clock::Wall },
            cpu_seconds: outcome.cpu.filter(|_| !serial).map(|cpu| cpu.as_secs_f64()),
            idle: outcome.idle.as_secs_f64(),
        }
    }
}

/// The search of an engine to a depth.
fn spec(engine: &Profile, depth: u32, processes: Processes) -> Result<SearchSpec, PlanError> {
    let mut options = engine.options(depth);
    options.simulate = processes.simulate;
    // An experiment may mix serial and parallel algorithms; the height concerns only the latter.
    let parallel = engine.algorithm.threads().is_some();
    options.spawn_height = processes.spawn_height.filter(|_| parallel);
    options.table_per_processor =
        processes.table_per_processor && parallel && options.table.is_some();
    SearchSpec::check(&engine.algorithm, options)
        .map_err(|error| PlanError::Spec { engine: engine.name.clone(), error })
}
