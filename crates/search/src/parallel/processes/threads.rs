//! Processes on threads.

use std::thread;
use std::time::Instant;

use super::minproc::Minproc;
use super::process::{Pause, Process, Turn, TurnLeaves};
use super::{Job, Settings};
use crate::prelude::*;

/// Runs the first process, whose end is the end of the search, and returns the root's value.
pub(super) fn first<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    minproc: &Minproc<Job<T, M>>,
    settings: &Settings,
    job: Job<T, M>,
) -> Result<Value, Stop> {
    let _close = CloseOnDrop { minproc, always: true };
    let entry = std::sync::Arc::clone(&job.entry);
    process(search, minproc, settings, job)?;
    let (value, _) = entry.result().expect("the first process is never killed");
    Ok(value)
}

/// Runs one job after the other, until the search ends.
pub(super) fn help<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    minproc: &Minproc<Job<T, M>>,
    settings: &Settings,
) -> Result<(), Stop> {
    let _close = CloseOnDrop { minproc, always: false };
    minproc.give_places(1);
    loop {
        search.tally.give_back_shares();
        let since = Instant::now();
        let job = minproc.job();
        search.has_waited(since);
        let Some(job) = job else { return Ok(()) };
        process(search, minproc, settings, job)?;
    }
}

/// Runs one process from its beginning to its end. If it is stopped, all processes are.
fn process<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    minproc: &Minproc<Job<T, M>>,
    settings: &Settings,
    job: Job<T, M>,
) -> Result<(), Stop> {
    search.set_process(job.entry.number);
    let first = job.entry.is_first();
    let leaves = TurnLeaves::new(None);
    let mut turn = Turn { search, minproc, settings, leaves, changed: false, cost: 0 };
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
        // The reason is set before the others are woken.
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
                // A process other than the first passes changes of its h-value on to the one above,
                // so every change below must wake it.
                let wakes_at = match process.waits {
                    Some((_, low)) if process.entry.is_first() => low,
                    _ => Value::MAX,
                };
                let can_go_on = || process.can_go_on(turn);
                let goes_on = turn.minproc.wait(&process.entry, wakes_at, can_go_on);
                turn.search.has_waited(since);
                if !goes_on {
                    return Err(turn.search.stop_reason());
                }
            }
        }
    }
}

/// Ends the search when it is dropped: always, for the first process, and by a panic for the
/// others.
struct CloseOnDrop<'m, J> {
    minproc: &'m Minproc<J>,
    always: bool,
}

impl<J> Drop for CloseOnDrop<'_, J> {
    fn drop(&mut self) {
        if self.always || thread::panicking() {
            self.minproc.close();
        }
    }
}
