//! Processes on threads.

use std::thread;
use std::time::Instant;

use super::minproc::Minproc;
use super::process::{Pause, Process, Turn};
use super::{Job, Rules};
use crate::{Search, Setting};
use plyground_core::limits::Stop;
use plyground_core::value::{Bounds, Value};

/// The first process, and with it the search: the root's value.
pub(super) fn first<S: Setting>(
    search: &mut Search<'_, S>,
    minproc: &Minproc<Job<S>>,
    rules: &Rules,
    job: Job<S>,
) -> Result<Value, Stop>
where
    Job<S>: Send,
{
    let _over = Over { minproc, always: true };
    let desk = std::sync::Arc::clone(&job.desk);
    process(search, minproc, rules, job)?;
    let (value, _) = desk.result().expect("nobody kills the first process");
    Ok(value)
}

/// Takes one job after the other, until all is over.
pub(super) fn help<S: Setting>(
    search: &mut Search<'_, S>,
    minproc: &Minproc<Job<S>>,
    rules: &Rules,
) -> Result<(), Stop> {
    let _over = Over { minproc, always: false };
    minproc.give(1);
    loop {
        search.give_back_shares();
        let since = Instant::now();
        let job = minproc.job();
        has_waited(search, since);
        let Some(job) = job else { return Ok(()) };
        process(search, minproc, rules, job)?;
    }
}

/// One process from its beginning to its end. If it is stopped, everybody is.
fn process<S: Setting>(
    search: &mut Search<'_, S>,
    minproc: &Minproc<Job<S>>,
    rules: &Rules,
    job: Job<S>,
) -> Result<(), Stop> {
    search.set_speaker(job.desk.number);
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
            search.learnt(known);
        }
        // The reason first, then the wake-up.
        if let Some(crew) = &search.crew {
            crew.stop(stop);
        }
        minproc.close();
    }
    result
}

fn take_turns<S: Setting>(
    process: &mut Process<S>,
    turn: &mut Turn<'_, '_, S>,
) -> Result<(), Stop> {
    loop {
        match process.run(turn)? {
            Pause::Ended => return Ok(()),
            Pause::Leaf => {}
            Pause::Waits => {
                process.count_exactly(turn);
                turn.search.give_back_shares();
                let since = Instant::now();
                // Those above one that is not the first may wait for its h-value.
                let wakes_at = match process.waits {
                    Some((_, low)) if process.desk.is_first() => low,
                    _ => Value::MAX,
                };
                let can_go_on = || process.can_go_on(turn);
                let goes_on = turn.minproc.wait(&process.desk, wakes_at, can_go_on);
                has_waited(turn.search, since);
                if !goes_on {
                    let crew = turn.search.crew.as_ref();
                    return Err(crew.and_then(|crew| crew.stopped()).unwrap_or(Stop::Flag));
                }
            }
        }
    }
}

fn has_waited<S: Setting>(search: &Search<'_, S>, since: Instant) {
    if let Some(crew) = &search.crew {
        crew.has_waited(since);
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
