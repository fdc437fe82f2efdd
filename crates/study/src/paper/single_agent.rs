//! The first half of Marsland 1991: search by one player.
//!
//! The paper prints no numbers of its own, but it says what to expect: A* runs out of memory where IDA*
//! does not; the bound of IDA* grows by 2 in the N-puzzle; IDA* behaves poorly on the travelling salesman;
//! PIDA*'s speed-up is about 0.93 N; window search finds a solution soon, improves it and proves it; PIA*
//! on one processor expands what A* expands. Each of these is a table here, and what the numbers say is
//! written below it.

mod bounds;
mod parallel;
mod sizes;

use super::{Findings, PaperRun};
use plyground_core::limits::{Limits, Stop};
use plyground_core::tree::mix;
use plyground_puzzles::sliding::Shape;
use plyground_puzzles::{Domain, Heuristic, Instance, ProblemError, ProblemSize, ProblemStep};
use plyground_search::Schedule;
use plyground_search::single_agent::{Ida, SingleAgent, Solution, SolveOptions, SolveSpec};

/// The experiments on searches for one player; `quick` ones take fewer and smaller problems.
pub fn single_agent(run: &PaperRun<'_>, quick: bool) -> anyhow::Result<Findings> {
    let mut found = Findings::default();
    let runner = Runner { run, quick };
    for experiment in [sizes::by_size, bounds::growth, bounds::salesman] {
        found.extend(experiment(&runner)?);
    }
    for experiment in [parallel::stealing, parallel::measured, parallel::windows, parallel::phases]
    {
        found.extend(experiment(&runner)?);
    }
    Ok(found)
}

/// The most states that one search expands: what takes more is given up, and the table says so.
const MOST_EXPANDED: u64 = 30_000_000;

/// Puzzles for parallel searches take at least this many expansions of IDA*.
const LEAST_EXPANDED: u64 = 50_000;

/// Runs searches on problems by chance.
struct Runner<'r, 'p> {
    run: &'r PaperRun<'p>,
    quick: bool,
}

/// A problem's outcome, or why there is none.
type Outcome = Result<Solution<ProblemStep>, Interrupted>;

/// The run was stopped.
struct Interrupted;

impl Runner<'_, '_> {
    /// Problems for each row of a table.
    fn count(&self) -> u64 {
        self.run.count.unwrap_or(if self.quick { 4 } else { 20 })
    }

    /// As many processes as this, doubling from 1.
    fn processes(&self) -> Vec<usize> {
        let most = if self.quick { 16 } else { 64 };
        std::iter::successors(Some(1), |n| Some(2 * n)).take_while(|n| *n <= most).collect()
    }

    fn problem(
        &self,
        domain: Domain,
        size: &ProblemSize,
        number: u64,
    ) -> Result<Instance, ProblemError> {
        Instance::make(domain, size, mix(self.run.seed, number))
    }

    /// Puzzles of 4x3 cells, the largest that A* can store on any machine. Those that IDA* solves with
    /// fewer than [`LEAST_EXPANDED`] states are left out: there is nothing to share.
    fn puzzles(&self) -> anyhow::Result<Vec<Instance>> {
        let mut found = Vec::new();
        for number in 0..50 * self.count() {
            let size = ProblemSize::default();
            let instance = self.problem(Domain::Sliding(twelve_cells()?), &size, number)?;
            let Ok(solution) = self.solve(&instance, &Ida.into(), (false, false))? else { break };
            if solution.stopped.is_none() && solution.counts.expanded >= LEAST_EXPANDED {
                found.push(instance);
            }
            if found.len() as u64 == self.count() {
                break;
            }
        }
        Ok(found)
    }

    fn solve(
        &self,
        instance: &Instance,
        algorithm: &SingleAgent,
        (all, simulate): (bool, bool),
    ) -> anyhow::Result<Outcome> {
        let nodes = Some(MOST_EXPANDED);
        let limits = Limits { nodes, bytes: Some(2 << 30), ..self.run.limits() };
        let simulate = simulate.then_some(Schedule::InTurn);
        let spec = SolveSpec::check(algorithm, SolveOptions { limits, all, simulate })?;
        let solution = instance.solve(Heuristic::Manhattan, &spec)?;
        let stopped = solution.stopped == Some(Stop::Flag) || self.run.flag.is_raised();
        Ok(if stopped { Err(Interrupted) } else { Ok(solution) })
    }
}

fn twelve_cells() -> Result<Shape, ProblemError> {
    Shape::new(4, 3)
}
