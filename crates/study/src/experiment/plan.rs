//! A plan: the searches of an experiment on one game, done one after the other or side by side.

use std::time::Duration;

use thiserror::Error;

use super::jobs::in_parallel_with;
use super::record::{Record, Setup};
use plyground_core::limits::Stop;
use plyground_engine::door::{AnyGame, AnyTree};
use plyground_engine::game::GameError;
use plyground_engine::profile::Profile;
use plyground_search::{MemoryLock, Outcome, SearchSpec, SpecError, Workspace};

/// A search that takes less than this is timed more than once.
const ENOUGH: Duration = Duration::from_millis(40);

/// One search to be made: a position by its number, and how to search it.
#[derive(Clone, Debug)]
pub struct PlannedSearch {
    /// Everything that identifies it.
    pub setup: Setup,
    position: usize,
    spec: SearchSpec,
}

/// How searches with many processes are run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Processes {
    /// Are they simulated?
    pub simulate: bool,
    /// The least height of a node that may get a process, for parallel algorithms.
    pub spawn_height: Option<u32>,
}

/// Why searches cannot be compared.
#[derive(Debug, Error)]
pub enum PlanError {
    /// Two engines judge positions differently: their values would be of different trees.
    #[error("{first} and {other} judge by different evaluators; expected the same weights")]
    Evaluators {
        /// The first engine.
        first: String,
        /// The one that differs.
        other: String,
    },
    /// A position or an evaluator.
    #[error(transparent)]
    Game(#[from] GameError),
    /// An option that would have no effect.
    #[error("{engine}: {error}")]
    Spec {
        /// Whose.
        engine: String,
        /// Which.
        error: SpecError,
    },
}

/// The searches of an experiment on one game.
pub struct ExperimentPlan {
    trees: Vec<Box<dyn AnyTree>>,
    counts_only: bool,
    /// The searches, position by position.
    pub tasks: Vec<PlannedSearch>,
}

impl ExperimentPlan {
    /// Every engine on every position at every depth. All engines must judge by the same weights: an
    /// experiment compares searches of the same trees.
    pub fn new(
        game: &'static dyn AnyGame,
        positions: &[String],
        engines: &[Profile],
        depths: impl IntoIterator<Item = u32> + Clone,
        processes: Processes,
        seed: u64,
    ) -> Result<ExperimentPlan, PlanError> {
        let mut plan = ExperimentPlan { trees: Vec::new(), counts_only: false, tasks: Vec::new() };
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

    /// Each search is made once, for its counts: paths are told apart only where that costs nothing,
    /// and no time is taken. Much quicker; the width of the trees is kept as well.
    #[must_use]
    pub fn counts_only(self) -> ExperimentPlan {
        ExperimentPlan { counts_only: true, ..self }
    }

    /// Makes one search. `None` if the flag was raised before it was over.
    ///
    /// A `timed` search is made once with distinct paths told apart, and again without, for the time.
    pub fn make(
        &self,
        workspace: &mut Workspace,
        task: &PlannedSearch,
        timed: bool,
    ) -> Option<Record> {
        let spec = &task.spec;
        let algorithm = spec.algorithm();
        let mut record = Record { setup: task.setup.clone(), ..Record::default() };
        let counted = spec.clone().counting_paths(!self.counts_only);
        let Ok(outcome) = self.search(workspace, task, &counted) else {
            record.stopped = Some(Stop::Locked.name().into());
            return Some(record);
        };
        record.counts = outcome.counts;
        record.width = outcome.width.filter(|_| self.counts_only);
        record.threads = algorithm.threads().map(|threads| threads as u64);
        record.value = outcome.value;
        record.best = outcome.best;
        record.terminal_count = outcome.terminal_count;
        record.stopped = outcome.stopped.map(|stop| stop.name().to_owned());
        let simulated = spec.simulate() && algorithm.threads().is_some();
        if timed && !simulated && !self.counts_only && outcome.stopped.is_none() {
            // The least of several times is the one that was disturbed least.
            let (mut least, mut idle, mut spent) = (Duration::MAX, Duration::ZERO, Duration::ZERO);
            while spent < ENOUGH {
                let again = self.search(workspace, task, spec).ok()?;
                if again.stopped == Some(Stop::Flag) {
                    return None;
                }
                if again.time < least {
                    (least, idle) = (again.time, again.idle);
                }
                // A very short search would be repeated for ever.
                spent += again.time.max(ENOUGH / 20);
            }
            record.seconds = Some(least.as_secs_f64());
            if algorithm.threads().is_some() {
                record.idle = Some(idle.as_secs_f64());
                record.cores = std::thread::available_parallelism().ok().map(|n| n.get() as u64);
            }
        }
        (outcome.stopped != Some(Stop::Flag)).then_some(record)
    }

    fn search(
        &self,
        workspace: &mut Workspace,
        task: &PlannedSearch,
        spec: &SearchSpec,
    ) -> Result<Outcome<String>, MemoryLock> {
        self.trees[task.position].search(workspace, spec, None)
    }

    /// Makes these searches with `jobs` threads, each with one table for all its searches, and hands
    /// each record to `done` as soon as it is there. Times are taken only where there is one thread.
    /// Ends early if a search is interrupted or `done` fails; its first error is returned.
    pub fn run<E: Send>(
        &self,
        tasks: &[&PlannedSearch],
        jobs: usize,
        done: impl FnMut(Record) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        let make = |workspace: &mut Workspace, task: &&PlannedSearch| {
            Ok(self.make(workspace, task, jobs == 1))
        };
        in_parallel_with(tasks, jobs, Workspace::new, make, done)
    }
}

/// The search that an engine makes to a depth.
fn spec(engine: &Profile, depth: u32, processes: Processes) -> Result<SearchSpec, PlanError> {
    let mut options = engine.options(depth);
    options.simulate = processes.simulate;
    // Serial algorithms may stand beside parallel ones.
    let parallel = engine.algorithm.threads().is_some();
    options.spawn_height = processes.spawn_height.filter(|_| parallel);
    SearchSpec::check(&engine.algorithm, options)
        .map_err(|error| PlanError::Spec { engine: engine.name.clone(), error })
}
