//! Processes in a simulation: time is counted in leaves, the paper's terminal counts.
//!
//! In a tick the processes take turns in the order of their creation, those created in it included.
//! Each evaluates at most one leaf; it then goes on until a LIVE leaf stands first on its OPEN (which
//! is put back), until it waits, or until it ends. Rounds are repeated until nothing changes, and the
//! tick is over. Processes are started after FIRST has chosen a state x and before x is expanded; a
//! leaf that is put back starts none, but the h-value in MINPROC is updated when it was chosen.
//!
//! The paper leaves open where a process pauses, and its counts depend on it: this is our choice. A
//! process that takes the place of one that has ended or was killed in the same tick evaluates a
//! leaf in it too, as in the paper's example, where both processes begin at once.

use super::minproc::Minproc;
use super::process::{Pause, Process, Turn};
use super::{Job, Rules};
use crate::prelude::*;
use crate::trace::Event;

struct Seat<T: GameTree, M: Mode> {
    process: Process<T, M>,
    /// Leaves that it may still evaluate in this tick.
    leaves: u64,
    pause: Pause,
}

/// The root's value. The search's ticks are counted up.
pub(super) fn run<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    minproc: &Minproc<Job<T, M>>,
    rules: &Rules,
    job: Job<T, M>,
) -> Result<Value, Stop> {
    search.tally.ticks = Some(0);
    let mut crowd = Vec::new();
    let result = Simulation { search, minproc, rules }.run(&mut crowd, job);
    if result.is_err()
        && let Some(Seat { process, .. }) = crowd.first()
    {
        search.narrow_root(Bounds { upper: process.upper_bound(), ..Bounds::UNKNOWN });
    }
    result
}

struct Simulation<'a, 't, T: GameTree, M: Mode> {
    search: &'a mut Search<'t, T, M>,
    minproc: &'a Minproc<Job<T, M>>,
    rules: &'a Rules,
}

impl<'t, T: GameTree, M: Mode> Simulation<'_, 't, T, M> {
    fn run(&mut self, crowd: &mut Vec<Seat<T, M>>, job: Job<T, M>) -> Result<Value, Stop> {
        self.tick(1);
        self.seat(crowd, job)?;
        for count in 1.. {
            let before = self.search.tally.evaluations;
            let value = self.rounds(crowd)?;
            if self.search.tally.evaluations > before {
                self.search.tally.ticks = Some(count);
            }
            if let Some(value) = value {
                return Ok(value);
            }
            assert!(self.search.tally.evaluations > before, "all processes wait for each other");
            crowd.iter_mut().for_each(|seat| seat.leaves = 1);
            self.tick(count + 1);
        }
        unreachable!("a tree has an end")
    }

    fn tick(&mut self, count: u64) {
        self.search.set_process(0);
        self.search.emit_at_root(|| Event::Tick { count });
    }

    fn turn(&mut self, leaves: u64) -> Turn<'_, 't, T, M> {
        let Simulation { search, minproc, rules } = self;
        Turn { search, minproc, rules, leaves, changed: false }
    }

    fn seat(&mut self, crowd: &mut Vec<Seat<T, M>>, job: Job<T, M>) -> Result<(), Stop> {
        self.search.set_process(job.desk.number);
        let process = Process::new(job, &mut self.turn(1))?;
        crowd.push(Seat { process, leaves: 1, pause: Pause::Leaf });
        Ok(())
    }

    /// The rounds of one tick; the value if the first process has ended.
    fn rounds(&mut self, crowd: &mut Vec<Seat<T, M>>) -> Result<Option<Value>, Stop> {
        loop {
            let mut changed = false;
            let mut i = 0;
            while i < crowd.len() {
                let seat = &mut crowd[i];
                self.search.set_process(seat.process.desk.number);
                let mut turn = self.turn(seat.leaves);
                if seat.leaves > 0 && seat.pause == Pause::Leaf
                    || seat.process.has_something_to_do(&turn, seat.pause)
                {
                    seat.pause = seat.process.run(&mut turn)?;
                    if seat.pause != Pause::Ended {
                        seat.process.count_exactly(&mut turn);
                    }
                    seat.leaves = turn.leaves;
                    changed |= turn.changed;
                }
                while let Some(job) = self.minproc.try_job() {
                    self.seat(crowd, job)?;
                }
                if crowd[i].pause != Pause::Ended {
                    i += 1;
                    continue;
                }
                let Seat { mut process, .. } = crowd.remove(i);
                let result = process.desk.result();
                process.leave(&mut self.turn(0));
                if i == 0 {
                    return Ok(result.map(|(value, _)| value));
                }
            }
            if !changed {
                return Ok(None);
            }
        }
    }
}
