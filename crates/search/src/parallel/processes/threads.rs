//! Processes on threads.

use std::thread;
use std::time::Instant;

use super::minproc::Minproc;
use super::process::{Pause, Process, Turn};
use super::{Job, Rules};
use crate::prelude::*;

/// The first process, and with it the search: the root's value.
pub(super) fn first<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    minproc: &Minproc<Job<T, M>>,
    rules: &Rules,
    job: Job<T, M>,
) -> Result<Value, Stop> {
    let _over = Over { minproc, always: true };
    let desk = std::sync::Arc::clone(&job.desk);
    process(search, minproc, rules, job)?;
    let (value, _) = desk.result().expect("nobody kills the first process");
    Ok(value)
}

/// Takes one job after the other, until all is over.
pub(super) fn help<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    minproc: &Minproc<Job<T, M>>,
    rules: &Rules,
) -> Result<(), Stop> {
    let _over = Over { minproc, always: false };
    minproc.give(1);
    loop {
        search.tally.give_back_shares();
        let since = Instant::now();
        let job = minproc.job();
        search.has_waited(since);
        let Some(job) = job else { return Ok(()) };
        process(search, minproc, rules, job)?;
    }
}

/// One process from its beginning to its end. If it is stopped, everybody is.
fn process<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    minproc: &Minproc<Job<T, M>>,
    rules: &Rules,
    job: Job<T, M>,
) -> Result<(), Stop> {
    search.set_process(job.desk.number);
    let first = job.desk.is_first();
    let mut turn = Turn { search, minproc, rules, leaves: u64::MAX, changed: false };
    let mut known = Bounds::UNKNOWN;
    let result = Process::new(job, &mut turn).and_then(|mut process| {
        let result = take_turns(&mut process, &mut turn);
        if result.is_err() {
            known.upper = process.upper_bound();
        }
        process.leave(&mut turn);
        result
    });
    if let Err(stop) = result {
        if first {
            search.narrow_root(known);
        }
        // The reason first, then the wake-up.
        search.stop_team(stop);
        minproc.close();
    }
    result
}

fn take_turns<T: GameTree, M: Mode>(
    process: &mut Process<T, M>,
    turn: &mut Turn<'_, '_, T, M>,
) -> Result<(), Stop> {
    loop {
        match process.run(turn)? {
            Pause::Ended => return Ok(()),
            Pause::Leaf => {}
            Pause::Waits => {
                process.count_exactly(turn);
                turn.search.tally.give_back_shares();
                let since = Instant::now();
                // Those above one that is not the first may wait for its h-value.
                let wakes_at = match process.waits {
                    Some((_, low)) if process.desk.is_first() => low,
                    _ => Value::MAX,
                };
                let can_go_on = || process.can_go_on(turn);
                let goes_on = turn.minproc.wait(&process.desk, wakes_at, can_go_on);
                turn.search.has_waited(since);
                if !goes_on {
                    return Err(turn.search.stop_reason());
                }
            }
        }
    }
}

/// When the first process is over, or a worker panics, all is over.
struct Over<'m, J> {
    minproc: &'m Minproc<J>,
    always: bool,
}

impl<J> Drop for Over<'_, J> {
    fn drop(&mut self) {
        if self.always || thread::panicking() {
            self.minproc.close();
        }
    }
}
