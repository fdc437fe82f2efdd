//! What every search for one player works with: the problem, the counts, and what was found.

use std::time::Duration;

use plyground_core::limits::Stop;
use plyground_core::space::{Cost, StateSpace, UNREACHABLE};

use super::depth_first::{DepthFirst, Done, Pause};
use super::outcome::{BoundIteration, Improvement, Solution, SolveCounts};
use super::spec::SolveSpec;
use crate::tally::Tally;

/// A search for one player in progress.
pub struct SpaceSearch<'s, S: StateSpace> {
    pub(super) space: &'s S,
    pub(super) spec: &'s SolveSpec,
    pub(super) tally: Tally,
    best: Option<(Cost, Vec<S::Action>)>,
    all: Vec<Vec<S::Action>>,
    lower_bound: Cost,
    iterations: Vec<BoundIteration>,
    improvements: Vec<Improvement>,
}

impl<'s, S: StateSpace> SpaceSearch<'s, S> {
    pub(super) fn new(space: &'s S, spec: &'s SolveSpec) -> SpaceSearch<'s, S> {
        SpaceSearch {
            space,
            spec,
            tally: Tally::new(spec.limits().clone()),
            best: None,
            all: Vec::new(),
            lower_bound: space.heuristic(&space.start()),
            iterations: Vec::new(),
            improvements: Vec::new(),
        }
    }

    /// Is the start a goal already? Then that is the solution.
    pub(super) fn starts_at_goal(&mut self) -> bool {
        let is_goal = self.space.is_goal(&self.space.start());
        if is_goal {
            self.found(0, Vec::new());
        }
        is_goal
    }

    /// Counts states that were expanded and generated outside of a depth-first search, and checks the
    /// limits before.
    pub(super) fn count_expansion(&mut self, held: usize) -> Result<(), Stop> {
        self.tally.count_expansion(|| held)
    }

    /// Goes on with a depth-first search until it comes to a goal, is exhausted, or a limit is reached.
    pub(super) fn advance(&mut self, below: &mut DepthFirst<S>) -> Result<Pause<S::Action>, Stop> {
        loop {
            let budget = self.tally.next_burst(|| DepthFirst::<S>::bytes(below.deepest()))?;
            let pause = below.advance(self.space, budget);
            self.count(below.take_done());
            if pause != Pause::Budget {
                self.stores(below.deepest(), DepthFirst::<S>::bytes(below.deepest()));
                return Ok(pause);
            }
        }
    }

    /// Searches depth-first below a bound on f that begins with the estimate of the start and grows until a
    /// goal is found. `next` makes the next bound of the last one and the least f that it cut off. At a goal,
    /// `onward` makes the bound for the rest of the iteration of the bound and the goal's cost; with `None`
    /// the search is over.
    pub(super) fn deepen(
        &mut self,
        next: impl Fn(Cost, Cost) -> Cost,
        onward: impl Fn(Cost, Cost) -> Option<Cost>,
    ) -> Result<(), Stop> {
        if self.starts_at_goal() {
            return Ok(());
        }
        let (space, start) = (self.space, self.space.start());
        let mut below = DepthFirst::new();
        let mut bound = space.heuristic(&start);
        loop {
            below.begin(space, (start.clone(), 0, None), bound);
            while let Pause::Goal { cost, last } = self.advance(&mut below)? {
                self.found(cost, below.path().chain([last]).collect());
                match onward(below.bound, cost) {
                    Some(bound) => below.bound = bound,
                    None => return Ok(()),
                }
            }
            if self.best_cost().is_some() || below.least_cut >= UNREACHABLE {
                return Ok(());
            }
            self.raise_lower_bound(below.least_cut);
            self.end_iteration(bound);
            bound = next(bound, below.least_cut);
        }
    }

    /// Adds what was done.
    pub(super) fn count(&mut self, done: Done) {
        self.tally.count_burst(done.expanded, done.generated);
    }

    /// Notes how many states are stored, in how many bytes.
    pub(super) fn stores(&mut self, states: u64, bytes: usize) {
        self.tally.peak_stored = self.tally.peak_stored.max(states);
        self.tally.list_bytes = self.tally.list_bytes.max(bytes);
    }

    /// Notes a solution. Only better ones replace the best; with all solutions, equal ones are added.
    pub(super) fn found(&mut self, cost: Cost, path: Vec<S::Action>) {
        let time = self.tally.time();
        self.found_at(cost, path, time, None);
    }

    /// The same, for a solution that was found earlier.
    pub(super) fn found_at(
        &mut self,
        cost: Cost,
        path: Vec<S::Action>,
        time: Duration,
        tick: Option<u64>,
    ) {
        let best = self.best.as_ref().map_or(Cost::MAX, |(cost, _)| *cost);
        if cost < best {
            self.all.clear();
            self.improvements.push(Improvement { cost, time, tick });
            self.best = Some((cost, path.clone()));
        }
        if self.spec.all() && cost <= best {
            self.all.push(path);
        }
    }

    /// The cost of the best solution so far.
    pub(super) fn best_cost(&self) -> Option<Cost> {
        self.best.as_ref().map(|(cost, _)| *cost)
    }

    /// Notes that every solution costs at least this.
    pub(super) fn raise_lower_bound(&mut self, bound: Cost) {
        self.lower_bound = self.lower_bound.max(bound);
    }

    /// Notes that an iteration with this bound found nothing.
    pub(super) fn end_iteration(&mut self, bound: Cost) {
        let SolveCounts { expanded, generated, .. } = self.counts();
        self.push_iteration(BoundIteration { bound, expanded, generated });
    }

    /// Notes an iteration whose counts were taken elsewhere.
    pub(super) fn push_iteration(&mut self, iteration: BoundIteration) {
        self.iterations.push(iteration);
    }

    fn counts(&self) -> SolveCounts {
        SolveCounts {
            expanded: self.tally.expansions,
            // The start is generated by nobody.
            generated: self.tally.children + 1,
            peak_stored: self.tally.peak_stored,
            peak_bytes: self.tally.list_bytes as u64,
        }
    }

    /// What is known when the algorithm has ended.
    pub(super) fn solution(self, result: Result<(), Stop>) -> Solution<S::Action> {
        let counts = self.counts();
        let (cost, path) = self.best.map_or((None, Vec::new()), |(cost, path)| (Some(cost), path));
        let ended = result.is_ok();
        Solution {
            cost,
            optimal: ended || cost.is_some_and(|cost| cost <= self.lower_bound),
            lower_bound: if ended { cost.unwrap_or(Cost::MAX) } else { self.lower_bound },
            path,
            all: (self.spec.all() && ended).then_some(self.all),
            stopped: result.err(),
            failure: self.tally.refused_threads,
            counts,
            iterations: self.iterations,
            improvements: self.improvements,
            time: self.tally.time(),
            idle: self.tally.idle,
            ticks: self.tally.ticks,
        }
    }
}
