//! What the parallel searches for one player share: solutions that any process may find.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use plyground_core::limits::Stop;
use plyground_core::space::{Cost, StateSpace};

use super::context::SpaceSearch;
use super::depth_first::Done;
use crate::parallel::scheduler::{Scheme, Step, StepDone, on_threads, simulate};

/// A solution and when it was found.
struct FoundSolution<A> {
    cost: Cost,
    path: Vec<A>,
    time: Duration,
    tick: Option<u64>,
}

/// The solutions that processes have found, and whether the search is over.
///
/// All of this is sequentially consistent: it is touched a few times in a burst of a thousand
/// expansions at the most.
pub(super) struct SharedSolutions<S: StateSpace> {
    began: Instant,
    tick: AtomicU64,
    best: AtomicU32,
    found: Mutex<Vec<FoundSolution<S::Action>>>,
    over: AtomicBool,
    lower_bound: AtomicU32,
}

impl<S: StateSpace> SharedSolutions<S> {
    pub(super) fn new() -> SharedSolutions<S> {
        SharedSolutions {
            began: Instant::now(),
            tick: AtomicU64::new(0),
            best: AtomicU32::new(Cost::MAX),
            found: Mutex::default(),
            over: AtomicBool::new(false),
            lower_bound: AtomicU32::new(0),
        }
    }

    /// The cost of the best solution so far, or [`Cost::MAX`].
    pub(super) fn best(&self) -> Cost {
        self.best.load(SeqCst)
    }

    pub(super) fn add(&self, cost: Cost, path: Vec<S::Action>) {
        let time = self.began.elapsed();
        let tick = Some(self.tick.load(SeqCst)).filter(|tick| *tick > 0);
        locked(&self.found).push(FoundSolution { cost, path, time, tick });
        self.best.fetch_min(cost, SeqCst);
    }

    /// Notes that every solution costs at least this.
    pub(super) fn raise_lower_bound(&self, bound: Cost) {
        self.lower_bound.fetch_max(bound, SeqCst);
    }

    /// Ends the search for all processes.
    pub(super) fn end(&self) {
        self.over.store(true, SeqCst);
    }

    pub(super) fn is_over(&self) -> bool {
        self.over.load(SeqCst)
    }

    pub(super) fn set_tick(&self, tick: u64) {
        self.tick.store(tick, SeqCst);
    }
}

/// Locks without minding a thread that has panicked: the panic ends the search anyway.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A step and what it did.
pub(super) fn step_done(step: Step, done: Done) -> StepDone {
    StepDone { step, expanded: done.expanded, generated: done.generated }
}

impl<S: StateSpace> SpaceSearch<'_, S> {
    /// Runs a scheme as the spec says, and takes over the solutions that its processes have found.
    pub(super) fn run_scheme(
        &mut self,
        scheme: &dyn Scheme,
        processes: usize,
        solutions: &SharedSolutions<S>,
    ) -> Result<(), Stop> {
        let result = match self.spec.simulate() {
            Some(schedule) => simulate(scheme, &mut self.tally, processes, schedule),
            None => on_threads(scheme, &mut self.tally, processes),
        };
        self.raise_lower_bound(solutions.lower_bound.load(SeqCst));
        for FoundSolution { cost, path, time, tick } in locked(&solutions.found).drain(..) {
            self.found_at(cost, path, time, tick);
        }
        self.tally.list_bytes = self.tally.list_bytes.max(scheme.bytes());
        // A limit that was reached while another process ended the search has stopped nothing.
        if solutions.is_over() { Ok(()) } else { result }
    }
}
