//! Who works when: the same processes on threads, or simulated.
//!
//! A parallel search is written as a [`Scheme`]: processes that each take one small step after the
//! other, and what they share. A step does a part of the work (for searches of state spaces, at most
//! so many expansions), or finds that there is nothing to do at present, or that the search is over.
//! No step waits for another process: so any scheduler may choose who takes the next step. Schedulers
//! know nothing of what is searched, and are compiled once.
//!
//! - [`on_threads`] gives each process a thread and steps as long as the limits allow.
//! - [`simulate`] takes all steps on one thread, each of one unit of work. It counts *ticks*: in a tick
//!   every process has one turn, so the number of ticks is the time that as many real processors would
//!   take if the unit were all that costs time. A [`Schedule`] says in which order the turns come.
//!
//! A simulation is repeatable: the same schedule gives the same steps, counts and ticks. With random
//! schedules it is also how a scheme is tested: whatever order real threads may come in, some seed
//! comes near it.

use std::time::{Duration, Instant};

use plyground_core::limits::Stop;
use plyground_core::tree::mix;

use super::team::together_counted;
use crate::tally::Tally;

/// The order in which simulated processes have their turns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// In every tick each process has one turn, in the order of their numbers.
    #[default]
    InTurn,
    /// In every tick there are as many turns as processes, each of a process drawn by this seed: some
    /// are late, and some are ahead.
    Random(u64),
}

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Work was done, and there may be more.
    Worked,
    /// There is nothing to do until another process has done something.
    Idle,
    /// The search is over for this process.
    Ended,
}

/// What a step did, for the counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepDone {
    pub(crate) step: Step,
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
}

/// A parallel search as processes that take steps.
pub(crate) trait Scheme: Sync {
    /// Process number `number`, from 0; process 0 always exists.
    fn start(&self, number: usize) -> Box<dyn Process + '_>;

    /// Notes the time of what follows, for schemes that record when they find something: the tick of a
    /// simulation.
    fn set_tick(&self, tick: u64);

    /// The bytes that all processes hold.
    fn bytes(&self) -> usize;
}

/// One process of a scheme.
pub(crate) trait Process: Send {
    /// One step, of at most `budget` units of work. It never blocks.
    fn step(&mut self, budget: u64) -> StepDone;
}

/// A thread that finds nothing to do looks again after this long, at first and at last: a search may
/// be over in microseconds, or wait for the last process for minutes.
const FIRST_NAP: Duration = Duration::from_micros(2);
const LAST_NAP: Duration = Duration::from_micros(200);

/// Runs the processes on threads.
pub(crate) fn on_threads(
    scheme: &dyn Scheme,
    tally: &mut Tally,
    processes: usize,
) -> Result<(), Stop> {
    together_counted(tally, processes, &|number, tally| {
        let mut process = scheme.start(number);
        let mut nap = FIRST_NAP;
        loop {
            let budget = tally.next_burst(|| scheme.bytes())?;
            let done = process.step(budget);
            tally.count_burst(done.expanded, done.generated);
            match done.step {
                Step::Worked => nap = FIRST_NAP,
                Step::Ended => return Ok(()),
                Step::Idle => {
                    let since = Instant::now();
                    tally.check_while_waiting(scheme.bytes())?;
                    std::thread::sleep(nap);
                    nap = (2 * nap).min(LAST_NAP);
                    tally.has_waited(since);
                }
            }
        }
    })
}

/// Simulates the processes, and counts the ticks in the tally.
pub(crate) fn simulate(
    scheme: &dyn Scheme,
    tally: &mut Tally,
    processes: usize,
    schedule: Schedule,
) -> Result<(), Stop> {
    let mut all: Vec<Option<Box<dyn Process + '_>>> =
        (0..processes).map(|number| Some(scheme.start(number))).collect();
    let mut left = processes;
    let mut draws = 0;
    for tick in 1.. {
        scheme.set_tick(tick);
        tally.ticks = Some(tick);
        for turn in 0..processes {
            let number = match schedule {
                Schedule::InTurn => turn,
                Schedule::Random(seed) => {
                    draws += 1;
                    (mix(seed, draws) % processes as u64) as usize
                }
            };
            let Some(process) = &mut all[number] else { continue };
            tally.next_burst(|| scheme.bytes())?;
            let done = process.step(1);
            tally.count_burst(done.expanded, done.generated);
            if done.step == Step::Ended {
                all[number] = None;
                left -= 1;
            }
        }
        if left == 0 {
            break;
        }
    }
    Ok(())
}
