//! Parallel window search (Powley and Korf 1989): each process searches a different bound.
//!
//! The iterations of IDA* do not depend on each other, so N processes search N bounds at once: the
//! least one that is left, the next, and so on. A process with a bound above the optimal cost may find a
//! solution long before the others are done with theirs. So there is soon a solution, it gets better,
//! and it is proved optimal when every lower bound has been searched in vain. The proof takes as long as
//! IDA*'s iterations before the last: the gain is the early solution, and the last iteration.
//!
//! The bounds ahead are guesses: the least f that an iteration cut off is known only at its end. They
//! are taken in steps of [`cost_step`](plyground_core::space::StateSpace::cost_step), 2 for the
//! 15-puzzle. When an iteration ends, bounds below its least f are skipped, and processes that search
//! them leave. A solution lowers every greater bound to less than its cost. Powley and Korf also order
//! states by the frontier of the iteration before; we keep the problem's own order.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

use plyground_core::space::Cost;

use super::depth_first::{DepthFirst, Done, Pause};
use super::processes::{SharedSolutions, locked, step_done};
use super::{SpaceAlgorithm, SpaceSearch};
use crate::parallel::scheduler::{Process, Scheme, Step, StepDone};
use crate::single_agent::prelude::*;

/// Parallel window search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParallelWindow {
    /// N, the number of processes.
    pub threads: NonZeroUsize,
}

impl SpaceAlgorithm for ParallelWindow {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "window",
        usage: "window:N",
        name: "window search(N)",
        about: "IDA* with N bounds at once: a solution early, then better ones, then the proof",
        paper: "Powley and Korf 1989",
        examples: &["window:1", "window:2", "window:8"],
        serial: Some("ida"),
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<ParallelWindow, String> {
        let threads = parameters.processes("a number of processes, as in `window:4`")?;
        Ok(ParallelWindow { threads })
    }

    fn threads(&self) -> Option<NonZeroUsize> {
        Some(self.threads)
    }

    fn with_threads(&self, threads: NonZeroUsize) -> ParallelWindow {
        ParallelWindow { threads }
    }

    fn run<S: StateSpace>(&self, search: &mut SpaceSearch<'_, S>) -> Result<(), Stop> {
        if search.starts_at_goal() {
            return Ok(());
        }
        let windows = Windows::new(search.space);
        let result = search.run_scheme(&windows, self.threads.get(), &windows.solutions);
        search.stores(windows.deepest.load(SeqCst), 0);
        result
    }
}

/// Which bounds are searched, and what is proved.
struct Bounds {
    /// The next bound that a process takes.
    next: Cost,
    /// No solution costs less than this.
    proved: Cost,
}

/// What all processes share.
struct Windows<'s, S: StateSpace> {
    space: &'s S,
    bounds: Mutex<Bounds>,
    /// The longest paths of all processes, summed.
    deepest: AtomicU64,
    solutions: SharedSolutions<S>,
}

/// One process.
struct WindowProcess<S: StateSpace> {
    below: DepthFirst<S>,
    works: bool,
    counted_depth: u64,
}

impl<'s, S: StateSpace> Windows<'s, S> {
    fn new(space: &'s S) -> Windows<'s, S> {
        let first = space.heuristic(&space.start());
        let solutions = SharedSolutions::new();
        solutions.raise_lower_bound(first);
        let bounds = Mutex::new(Bounds { next: first, proved: first });
        Windows { space, bounds, deepest: AtomicU64::new(0), solutions }
    }

    /// Notes what is proved, and whether that ends the search.
    fn prove(&self, bounds: &mut Bounds, proved: Cost) {
        bounds.proved = bounds.proved.max(proved);
        self.solutions.raise_lower_bound(bounds.proved.min(self.solutions.best()));
        if bounds.proved >= self.solutions.best().min(UNREACHABLE) {
            self.solutions.end();
        }
    }

    /// Takes the next bound; `false` if a solution is as cheap as whatever it could find.
    fn take_bound(&self, process: &mut WindowProcess<S>) -> bool {
        let mut bounds = locked(&self.bounds);
        let bound = bounds.next.max(bounds.proved);
        if bound >= self.solutions.best() {
            return false;
        }
        bounds.next = bound + self.space.cost_step();
        drop(bounds);
        process.works = true;
        process.below.begin(self.space, (self.space.start(), 0, None), bound);
        true
    }

    fn count(&self, process: &mut WindowProcess<S>) -> Done {
        let deepest = process.below.deepest();
        self.deepest.fetch_add(deepest - process.counted_depth, SeqCst);
        process.counted_depth = deepest;
        process.below.take_done()
    }
}

impl<S: StateSpace> Scheme for Windows<'_, S> {
    fn start(&self, _number: usize) -> Box<dyn Process + '_> {
        let below = DepthFirst::new();
        Box::new((self, WindowProcess { below, works: false, counted_depth: 0 }))
    }

    fn set_tick(&self, tick: u64) {
        self.solutions.set_tick(tick);
    }

    fn bytes(&self) -> usize {
        DepthFirst::<S>::bytes(self.deepest.load(SeqCst))
    }
}

impl<S: StateSpace> Process for (&Windows<'_, S>, WindowProcess<S>) {
    fn step(&mut self, budget: u64) -> StepDone {
        let (windows, process) = self;
        if windows.solutions.is_over() {
            return step_done(Step::Ended, Done::default());
        }
        if !process.works {
            let step = if windows.take_bound(process) { Step::Worked } else { Step::Idle };
            return step_done(step, windows.count(process));
        }
        // What others have found and proved lowers the bound, or makes it pointless.
        let best = windows.solutions.best();
        process.below.bound = process.below.bound.min(best - 1);
        if process.below.bound < locked(&windows.bounds).proved {
            process.works = false;
            return step_done(Step::Worked, Done::default());
        }
        match process.below.advance(windows.space, budget) {
            Pause::Budget => {}
            Pause::Goal { cost, last } => {
                windows.solutions.add(cost, process.below.path().chain([last]).collect());
                // A solution that costs no more than what is proved ends the search.
                windows.prove(&mut locked(&windows.bounds), 0);
            }
            Pause::Exhausted => {
                process.works = false;
                // What was cut off at a bound that a solution has lowered since costs at least as
                // much as the solution.
                let proved = process.below.least_cut.min(windows.solutions.best());
                windows.prove(&mut locked(&windows.bounds), proved);
            }
        }
        step_done(Step::Worked, windows.count(process))
    }
}
