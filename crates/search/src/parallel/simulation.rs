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
use crate::{Event, Probe, Search, Setting};
use plyground_core::limits::Stop;
use plyground_core::value::{Bounds, Value};

struct Seat<S: Setting> {
    process: Process<S>,
    /// Leaves that it may still evaluate in this tick.
    leaves: u64,
    pause: Pause,
}

/// The root's value. The search's ticks are counted up.
pub(super) fn run<S: Setting>(
    search: &mut Search<'_, S>,
    minproc: &Minproc<Job<S>>,
    rules: &Rules,
    job: Job<S>,
) -> Result<Value, Stop> {
    search.ticks = Some(0);
    let mut crowd = Vec::new();
    let result = Simulation { search, minproc, rules }.run(&mut crowd, job);
    if result.is_err()
        && let Some(Seat { process, .. }) = crowd.first()
    {
        search.learnt(Bounds { upper: process.upper_bound(), ..Bounds::UNKNOWN });
    }
    result
}

struct Simulation<'a, 't, S: Setting> {
    search: &'a mut Search<'t, S>,
    minproc: &'a Minproc<Job<S>>,
    rules: &'a Rules,
}

impl<'t, S: Setting> Simulation<'_, 't, S> {
    fn run(&mut self, crowd: &mut Vec<Seat<S>>, job: Job<S>) -> Result<Value, Stop> {
        self.tick(1);
        self.seat(crowd, job)?;
        for count in 1.. {
            let before = self.search.evaluations;
            let value = self.rounds(crowd)?;
            if self.search.evaluations > before {
                self.search.ticks = Some(count);
            }
            if let Some(value) = value {
                return Ok(value);
            }
            assert!(self.search.evaluations > before, "all processes wait for each other");
            crowd.iter_mut().for_each(|seat| seat.leaves = 1);
            self.tick(count + 1);
        }
        unreachable!("a tree has an end")
    }

    fn tick(&mut self, count: u64) {
        self.search.set_speaker(0);
        let root = self.search.probe.root();
        self.search.tell(root, || Event::Tick { count });
    }

    fn turn(&mut self, leaves: u64) -> Turn<'_, 't, S> {
        let Simulation { search, minproc, rules } = self;
        Turn { search, minproc, rules, leaves, changed: false }
    }

    fn seat(&mut self, crowd: &mut Vec<Seat<S>>, job: Job<S>) -> Result<(), Stop> {
        self.search.set_speaker(job.desk.number);
        let process = Process::new(job, &mut self.turn(1))?;
        crowd.push(Seat { process, leaves: 1, pause: Pause::Leaf });
        Ok(())
    }

    /// The rounds of one tick; the value if the first process has ended.
    fn rounds(&mut self, crowd: &mut Vec<Seat<S>>) -> Result<Option<Value>, Stop> {
        loop {
            let mut changed = false;
            let mut i = 0;
            while i < crowd.len() {
                let seat = &mut crowd[i];
                self.search.set_speaker(seat.process.desk.number);
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
