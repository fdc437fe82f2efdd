//! PIDA*, parallel IDA* (Rao, Kumar and Ramesh 1987), with work stealing as in Kumar and Rao 1990.
//!
//! All processes search one iteration of IDA* together, each a part of the tree below the same bound.
//! A process that has nothing left asks another one, and that one gives away the untried siblings on
//! its path that are nearest to the start: the largest subtrees that it has. Whom to ask goes round: a
//! counter that all share names the next one (global round robin). When nobody has anything left, the
//! iteration is over, and whoever notices begins the next with the start.
//!
//! In an iteration without a solution every state is expanded once, so that exactly what IDA* expands
//! is expanded. In the last one processes may find a goal sooner than IDA* or later: the speed-up can be
//! above the number of processors or far below, and only the mean over many problems says something.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::SeqCst};

use plyground_core::space::Cost;

use super::depth_first::{DepthFirst, Done, Frame, Pause};
use super::outcome::BoundIteration;
use super::processes::{SharedSolutions, locked, step_done};
use super::{SpaceAlgorithm, SpaceSearch};
use crate::parallel::scheduler::{Process, Scheme, Step, StepDone};
use crate::single_agent::prelude::*;

/// Parallel IDA*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pida {
    /// N, the number of processes.
    pub threads: NonZeroUsize,
}

impl SpaceAlgorithm for Pida {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "pida",
        usage: "pida:N",
        name: "PIDA*(N)",
        about: "IDA* by N processes that share each iteration by stealing work",
        paper: "Rao, Kumar and Ramesh 1987; Kumar and Rao 1990",
        examples: &["pida:1", "pida:2", "pida:8"],
        serial: Some("ida"),
        ..CatalogueEntry::SERIAL
    };
    const FINDS_ALL: bool = true;

    fn parse(parameters: &mut Parameters<'_>) -> Result<Pida, String> {
        Ok(Pida { threads: parameters.processes("a number of processes, as in `pida:4`")? })
    }

    fn threads(&self) -> Option<NonZeroUsize> {
        Some(self.threads)
    }

    fn with_threads(&self, threads: NonZeroUsize) -> Pida {
        Pida { threads }
    }

    fn run<S: StateSpace>(&self, search: &mut SpaceSearch<'_, S>) -> Result<(), Stop> {
        if search.starts_at_goal() {
            return Ok(());
        }
        let stealing = Stealing::new(search.space, self.threads.get(), search.spec.all());
        let result = search.run_scheme(&stealing, self.threads.get(), &stealing.solutions);
        let deepest = stealing.deepest.load(SeqCst);
        search.stores(deepest, 0);
        locked(&stealing.iterations).drain(..).for_each(|it| search.push_iteration(it));
        result
    }
}

/// What a process gives away: the path from the start, and a frame with untried actions.
type Share<S> = (Vec<<S as StateSpace>::Action>, Frame<S>);

/// Where a process is asked for work, and where it gets its answer.
struct Desk<S: StateSpace> {
    /// The number of the process that asks this one, plus 1; 0 if none does.
    asked_by: AtomicUsize,
    /// The answer to this process's own question: a share, or that there is none.
    answer: Mutex<Option<Option<Share<S>>>>,
}

/// What all processes share.
struct Stealing<'s, S: StateSpace> {
    space: &'s S,
    all: bool,
    desks: Vec<Desk<S>>,
    /// The next process to ask.
    round_robin: AtomicUsize,
    bound: AtomicU32,
    /// The least f that was cut off in this iteration, of the processes that have reported it.
    least_cut: AtomicU32,
    /// How many processes have work, or will find it in their answer.
    active: AtomicUsize,
    expanded: AtomicU64,
    generated: AtomicU64,
    /// The longest paths of all processes, summed.
    deepest: AtomicU64,
    iterations: Mutex<Vec<BoundIteration>>,
    solutions: SharedSolutions<S>,
}

/// One process.
struct Thief<S: StateSpace> {
    number: usize,
    below: DepthFirst<S>,
    /// The actions from the start to where `below` began.
    path: Vec<S::Action>,
    works: bool,
    /// Has it asked and got no answer yet?
    waits: bool,
    counted_depth: u64,
}

impl<'s, S: StateSpace> Stealing<'s, S> {
    fn new(space: &'s S, processes: usize, all: bool) -> Stealing<'s, S> {
        let desk = |_| Desk { asked_by: AtomicUsize::new(0), answer: Mutex::default() };
        let bound = space.heuristic(&space.start());
        let solutions = SharedSolutions::new();
        solutions.raise_lower_bound(bound);
        Stealing {
            space,
            all,
            desks: (0..processes).map(desk).collect(),
            round_robin: AtomicUsize::new(0),
            bound: AtomicU32::new(bound),
            least_cut: AtomicU32::new(Cost::MAX),
            active: AtomicUsize::new(1),
            expanded: AtomicU64::new(0),
            generated: AtomicU64::new(1),
            deepest: AtomicU64::new(0),
            iterations: Mutex::default(),
            solutions,
        }
    }

    /// Begins an iteration with the start.
    fn begin(&self, thief: &mut Thief<S>) {
        thief.path.clear();
        thief.works = true;
        let start = (self.space.start(), 0, None);
        thief.below.begin(self.space, start, self.bound.load(SeqCst));
    }

    /// Answers the process that asks this one, if there is one.
    fn answer(&self, thief: &mut Thief<S>) {
        let asked_by = &self.desks[thief.number].asked_by;
        // A plain load is all it costs when nobody asks.
        let asking = match asked_by.load(SeqCst) {
            0 => return,
            number => number - 1,
        };
        let share = if thief.works { thief.below.split() } else { None };
        let share = share.map(|(path, frame)| {
            // Counted before it is handed over: the iteration is not over while it is on its way.
            self.active.fetch_add(1, SeqCst);
            (thief.path.iter().copied().chain(path).collect(), frame)
        });
        asked_by.store(0, SeqCst);
        *locked(&self.desks[asking].answer) = Some(share);
    }

    /// Looks for an answer, or asks the next process.
    fn look_for_work(&self, thief: &mut Thief<S>) {
        if thief.waits {
            let Some(answer) = locked(&self.desks[thief.number].answer).take() else { return };
            thief.waits = false;
            if let Some((path, frame)) = answer {
                thief.path = path;
                thief.works = true;
                thief.below.resume(frame, self.bound.load(SeqCst));
                return;
            }
        }
        let next = self.round_robin.fetch_add(1, SeqCst) % self.desks.len();
        if next != thief.number {
            let ask = &self.desks[next].asked_by;
            thief.waits = ask.compare_exchange(0, thief.number + 1, SeqCst, SeqCst).is_ok();
        }
    }

    /// The process has nothing left. If it was the last one, the iteration is over.
    fn leave(&self, thief: &mut Thief<S>) {
        thief.works = false;
        self.least_cut.fetch_min(thief.below.least_cut, SeqCst);
        if self.active.fetch_sub(1, SeqCst) > 1 {
            return;
        }
        let next = self.least_cut.swap(Cost::MAX, SeqCst);
        if self.solutions.best() < Cost::MAX || next >= UNREACHABLE {
            self.solutions.end();
            return;
        }
        let bound = self.bound.swap(next, SeqCst);
        let (expanded, generated) = (self.expanded.load(SeqCst), self.generated.load(SeqCst));
        locked(&self.iterations).push(BoundIteration { bound, expanded, generated });
        self.solutions.raise_lower_bound(next);
        self.active.store(1, SeqCst);
        self.begin(thief);
    }

    /// Adds what was done to the counts of the iteration.
    fn count(&self, thief: &mut Thief<S>) -> Done {
        let done = thief.below.take_done();
        self.expanded.fetch_add(done.expanded, SeqCst);
        self.generated.fetch_add(done.generated, SeqCst);
        let deepest = thief.below.deepest();
        self.deepest.fetch_add(deepest - thief.counted_depth, SeqCst);
        thief.counted_depth = deepest;
        done
    }
}

impl<S: StateSpace> Scheme for Stealing<'_, S> {
    fn start(&self, number: usize) -> Box<dyn Process + '_> {
        let thief = Thief {
            number,
            below: DepthFirst::new(),
            path: Vec::new(),
            works: false,
            waits: false,
            counted_depth: 0,
        };
        Box::new((self, thief))
    }

    fn set_tick(&self, tick: u64) {
        self.solutions.set_tick(tick);
    }

    fn bytes(&self) -> usize {
        DepthFirst::<S>::bytes(self.deepest.load(SeqCst))
    }
}

impl<S: StateSpace> Process for (&Stealing<'_, S>, Thief<S>) {
    fn step(&mut self, budget: u64) -> StepDone {
        let (stealing, thief) = self;
        if stealing.solutions.is_over() {
            return step_done(Step::Ended, Done::default());
        }
        if thief.number == 0 && thief.counted_depth == 0 {
            // The first step of all: this expands the start.
            stealing.begin(thief);
            return step_done(Step::Worked, stealing.count(thief));
        }
        stealing.answer(thief);
        if !thief.works {
            stealing.look_for_work(thief);
            if !thief.works {
                return step_done(Step::Idle, Done::default());
            }
        }
        match thief.below.advance(stealing.space, budget) {
            Pause::Budget => {}
            Pause::Goal { cost, last } => {
                let path = thief.path.iter().copied().chain(thief.below.path()).chain([last]);
                stealing.solutions.add(cost, path.collect());
                if !stealing.all {
                    stealing.solutions.end();
                }
            }
            Pause::Exhausted => {
                let done = stealing.count(thief);
                stealing.leave(thief);
                let begun = stealing.count(thief);
                let expanded = done.expanded + begun.expanded;
                let done = Done { expanded, generated: done.generated + begun.generated };
                return step_done(Step::Worked, done);
            }
        }
        step_done(Step::Worked, stealing.count(thief))
    }
}
