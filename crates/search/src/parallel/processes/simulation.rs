//! Processes in a simulation: time is counted in leaves, the paper's terminal counts.
//!
//! In a tick the processes take turns in the order of their creation, including those that are
//! created in it. Each evaluates at most one leaf. It then continues until a LIVE leaf is the first
//! of its OPEN (which is put back), until it waits, or until it ends. Rounds are repeated until
//! nothing changes; then the tick is over. Processes are started after FIRST has chosen a state x
//! and before x is expanded. A leaf that is put back starts none, but the h-value in MINPROC is
//! updated when the leaf was chosen.
//!
//! The paper leaves open where a process pauses, and its counts depend on it: this is our choice. A
//! process that takes the place of one that has ended or was killed in the same tick evaluates a
//! leaf in it too, as in the paper's example, where both processes begin at once.
//!
//! A leaf that is evaluated in a tick enters the table when the tick is over: processes that evaluate at the
//! same time cannot know of each other's leaves.
//!
//! A random [schedule](Schedule) draws the order of the turns anew in every round. What a process pays
//! for besides leaves ([`Costs`](crate::Costs): a process that is started or killed, an h-value that is
//! published, a look into the table) is a debt: it evaluates no leaf in as many ticks.

use plyground_core::tree::mix;

use super::minproc::Minproc;
use super::process::{LateLeaf, Pause, Process, Turn, TurnLeaves};
use super::{Job, Settings};
use crate::parallel::Schedule;
use crate::parallel::events::LEAF;
use crate::prelude::*;
use crate::trace::Event;

/// A process of the simulation.
struct SimulatedProcess<T: GameTree, M: Mode> {
    process: Process<T, M>,
    /// How many leaves it may still evaluate in this tick.
    leaves: u64,
    /// What it has to pay for before its next leaf, in thousandths of a leaf.
    debt: u64,
    /// Why its last turn ended.
    pause: Pause,
}

/// Simulates a search and returns the root's value. The ticks are counted in the search's tally.
pub(super) fn run<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    minproc: &Minproc<Job<T, M>>,
    settings: &Settings,
    job: Job<T, M>,
) -> Result<Value, Stop> {
    search.tally.ticks = Some(0);
    let mut processes = Vec::new();
    let schedule = search.spec.schedule();
    let result = Simulation { search, minproc, settings, schedule, draws: 0, late: Vec::new() }
        .run(&mut processes, job);
    search.tally.begin_turn(u64::MAX);
    if result.is_err()
        && let Some(simulated) = processes.iter().find(|one| one.process.entry.is_first())
    {
        let upper = simulated.process.upper_bound();
        search.narrow_root(Bounds { upper, ..Bounds::UNKNOWN });
    }
    result
}

struct Simulation<'a, 't, T: GameTree, M: Mode> {
    search: &'a mut Search<'t, T, M>,
    minproc: &'a Minproc<Job<T, M>>,
    settings: &'a Settings,
    schedule: Schedule,
    /// How often the schedule has drawn.
    draws: u64,
    /// The leaves of this tick that the table is still to know of.
    late: Vec<LateLeaf<T, M>>,
}

impl<'t, T: GameTree, M: Mode> Simulation<'_, 't, T, M> {
    fn run(
        &mut self,
        processes: &mut Vec<Box<SimulatedProcess<T, M>>>,
        job: Job<T, M>,
    ) -> Result<Value, Stop> {
        self.tick(1);
        self.start(processes, job)?;
        for count in 1.. {
            let before = self.search.tally.evaluations;
            let value = self.rounds(processes)?;
            let paid = processes.iter().any(|simulated| simulated.debt > 0);
            if self.search.tally.evaluations > before || paid {
                self.search.tally.ticks = Some(count);
            }
            if let Some(value) = value {
                return Ok(value);
            }
            let goes_on = self.search.tally.evaluations > before || paid;
            assert!(goes_on, "all processes wait for each other");
            for simulated in processes.iter_mut() {
                simulated.leaves = u64::from(simulated.debt < LEAF);
                simulated.debt = simulated.debt.saturating_sub(LEAF);
            }
            for (n, value) in self.late.drain(..) {
                self.search.remember_leaf(&n, Bounds::exact(value));
            }
            self.tick(count + 1);
        }
        unreachable!("a tree has an end")
    }

    /// Reports the beginning of a tick to the watch.
    fn tick(&mut self, count: u64) {
        self.search.set_process(0);
        self.search.emit_at_root(|| Event::Tick { count });
    }

    fn turn(&mut self, leaves: u64) -> Turn<'_, 't, T, M> {
        let Simulation { search, minproc, settings, late, .. } = self;
        search.tally.begin_turn(leaves);
        let leaves = TurnLeaves::new(Some(late));
        Turn { search, minproc, settings, leaves, changed: false, cost: 0 }
    }

    /// Adds the process of a job.
    fn start(
        &mut self,
        processes: &mut Vec<Box<SimulatedProcess<T, M>>>,
        job: Job<T, M>,
    ) -> Result<(), Stop> {
        self.search.set_process(job.entry.number);
        let process = Process::new(job, &mut self.turn(1))?;
        // In a box: processes end all the time, and the others move up.
        processes.push(Box::new(SimulatedProcess {
            process,
            leaves: 1,
            debt: 0,
            pause: Pause::Leaf,
        }));
        Ok(())
    }

    /// Draws the order of the turns, if the schedule is random.
    fn shuffle(&mut self, processes: &mut [Box<SimulatedProcess<T, M>>]) {
        let Schedule::Random(seed) = self.schedule else { return };
        for i in (1..processes.len()).rev() {
            self.draws += 1;
            processes.swap(i, (mix(seed, self.draws) % (i as u64 + 1)) as usize);
        }
    }

    /// The rounds of one tick; the value if the first process has ended.
    fn rounds(
        &mut self,
        processes: &mut Vec<Box<SimulatedProcess<T, M>>>,
    ) -> Result<Option<Value>, Stop> {
        loop {
            let mut changed = false;
            self.shuffle(processes);
            let mut i = 0;
            while i < processes.len() {
                let simulated = &mut processes[i];
                self.search.set_process(simulated.process.entry.number);
                let mut turn = self.turn(simulated.leaves);
                if simulated.leaves > 0 && simulated.pause == Pause::Leaf
                    || simulated.process.has_something_to_do(&turn, simulated.pause)
                {
                    simulated.pause = simulated.process.run(&mut turn)?;
                    if simulated.pause != Pause::Ended {
                        simulated.process.count_exactly(&mut turn);
                    }
                    simulated.leaves = turn.search.tally.leaves_left();
                    changed |= turn.changed;
                    let cost = turn.all_costs();
                    simulated.debt += cost;
                    self.search.tally.costs += cost;
                }
                while let Some(job) = self.minproc.try_job() {
                    self.start(processes, job)?;
                }
                if processes[i].pause != Pause::Ended {
                    i += 1;
                    continue;
                }
                let SimulatedProcess { mut process, .. } = *processes.remove(i);
                let (result, is_first) = (process.entry.result(), process.entry.is_first());
                process.leave(&mut self.turn(0));
                if is_first {
                    return Ok(result.map(|(value, _)| value));
                }
            }
            if !changed {
                return Ok(None);
            }
        }
    }
}
