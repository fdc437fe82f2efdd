//! A plan: the searches of an experiment on one game, done one after the other or side by side.

use std::time::Duration;

use super::jobs::side_by_side;
use super::record::{Record, Setup};
use plyground_core::limits::Stop;
use plyground_engine::door::{Count, Searched};
use plyground_engine::game::Game;
use plyground_engine::profile::Profile;
use plyground_search::{Functions, MemoryLock, Options};

/// A search that takes less than this is timed more than once.
const ENOUGH: Duration = Duration::from_millis(40);

/// One search to be made: a position by its number, an engine, a depth.
#[derive(Clone, Debug)]
pub struct Task {
    /// Everything that identifies it.
    pub setup: Setup,
    position: usize,
    engine: usize,
    options: Options,
}

/// The searches of an experiment on one game.
pub struct Plan<G: Game> {
    positions: Vec<(G::Position, G)>,
    engines: Vec<Profile>,
    counts_only: bool,
    /// The searches, position by position.
    pub tasks: Vec<Task>,
}

impl<G: Game> Plan<G> {
    /// Every engine on every position at every depth.
    pub fn new(
        positions: &[G::Position],
        engines: Vec<Profile>,
        depths: impl IntoIterator<Item = u32> + Clone,
        seed: u64,
    ) -> Result<Plan<G>, plyground_engine::game::GameError> {
        let mut tasks = Vec::new();
        let mut trees = Vec::new();
        // Engines with the same weights share a tree, and an experiment has one evaluator.
        let evaluator = match engines.first() {
            Some(engine) => engine.evaluator.evaluator::<G>()?,
            None => G::Evaluator::default(),
        };
        for (number, position) in positions.iter().enumerate() {
            trees.push((position.clone(), G::from_position(position, evaluator.clone())));
            for depth in depths.clone() {
                for (engine, profile) in engines.iter().enumerate() {
                    let options = profile.options(depth);
                    let setup = setup::<G>(position, profile, &options, seed);
                    tasks.push(Task { setup, position: number, engine, options });
                }
            }
        }
        Ok(Plan { positions: trees, engines, counts_only: false, tasks })
    }

    /// Parallel searches are simulated or not, and give no node below this height to a process.
    #[must_use]
    pub fn with_processes(mut self, simulate: bool, spawn_height: u32) -> Plan<G> {
        for task in &mut self.tasks {
            (task.options.simulate, task.options.spawn_height) = (simulate, spawn_height);
            task.setup.simulated = simulate;
            task.setup.spawn_height = task.setup.spawn_height.map(|_| spawn_height);
        }
        self
    }

    /// Each search is made once, for its counts: paths are not told apart, so that `leaves` are all
    /// evaluations and `interior` all expansions, and no time is taken. Much quicker, and without
    /// the memory that paths take; the width of the trees is counted as well.
    #[must_use]
    pub fn counts_only(self) -> Plan<G> {
        Plan { counts_only: true, ..self }
    }

    /// Makes one search. `None` if the flag was raised before it was over.
    ///
    /// A `timed` search is made once with a probe that tells paths apart, and again without, for the
    /// time.
    pub fn make(&self, task: &Task, timed: bool) -> Option<Record> {
        let (position, tree) = &self.positions[task.position];
        let algorithm = &self.engines[task.engine].algorithm;
        let mut record = Record { setup: task.setup.clone(), ..Record::default() };
        let Ok(Searched { outcome, width }) = self.count(task) else {
            record.stopped = Some(Stop::Locked.name().into());
            return Some(record);
        };
        let counts = outcome.counts;
        record.width = width;
        record.threads = algorithm.threads().map(|threads| threads as u64);
        record.value = outcome.value;
        record.best = G::written(position, outcome.best.as_slice()).pop();
        record.leaves = counts.leaves;
        record.evaluations = counts.evaluations;
        record.interior = counts.interior;
        record.visits = counts.visits;
        record.quiescence = counts.quiescence;
        record.peak_open = counts.peak_open;
        record.peak_backup = counts.peak_backup;
        record.peak_stored = counts.peak_stored;
        record.peak_bytes = counts.peak_bytes;
        record.calls = counts.calls;
        record.terminal_count = outcome.terminal_count;
        record.stopped = outcome.stopped.map(|stop| stop.name().to_owned());
        let simulated = task.options.simulate && algorithm.threads().is_some();
        if timed && !simulated && !self.counts_only && outcome.stopped.is_none() {
            // The least of several times is the one that was disturbed least.
            let (mut least, mut idle, mut spent) = (Duration::MAX, Duration::ZERO, Duration::ZERO);
            while spent < ENOUGH {
                let again = G::search(tree, algorithm, &task.options, Count::Nothing).ok()?.outcome;
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

    /// One search, for its counts, and the width of its tree.
    fn count(&self, task: &Task) -> Result<Searched<G::Move>, MemoryLock> {
        let (_, tree) = &self.positions[task.position];
        let algorithm = &self.engines[task.engine].algorithm;
        let count = if self.counts_only { Count::Widths } else { Count::Paths };
        G::search(tree, algorithm, &task.options, count)
    }

    /// Makes these searches with so many threads, and hands each record to `done` as soon as it is
    /// there. Times are taken only where there is one thread. Ends early if a search is interrupted
    /// or `done` fails; its first error is returned.
    pub fn run<E: Send>(
        &self,
        tasks: &[&Task],
        jobs: usize,
        done: impl FnMut(Record) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        side_by_side(tasks, jobs, |task| Ok(self.make(task, jobs == 1)), done)
    }
}

/// What identifies a search.
fn setup<G: Game>(
    position: &G::Position,
    profile: &Profile,
    options: &Options,
    seed: u64,
) -> Setup {
    let has_table = options.memory.contains(Functions::TABLE);
    Setup {
        game: G::NAME.to_string(),
        position: position.to_string(),
        algorithm: profile.algorithm.to_string(),
        depth: options.depth,
        memory: options.memory.to_string(),
        deepening: options.deepening,
        table: has_table.then_some(options.table.entries() as u64),
        update: options.update.to_string(),
        bytes: options.limits.bytes.map(|bytes| bytes as u64),
        evaluator: profile.evaluator.name(),
        version: env!("CARGO_PKG_VERSION").into(),
        seed,
        simulated: options.simulate,
        spawn_height: profile.algorithm.threads().map(|_| options.spawn_height),
    }
}
