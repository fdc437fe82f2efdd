//! Are the cores free? A time by the clock on several threads says something of a search only where nothing
//! else runs.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use plyground_core::cpu_time::thread_cpu_time;

/// How long each thread of the trial runs on its core.
const TRIAL: Duration = Duration::from_millis(5);

/// Does the machine let so many threads run at once, each on a core of its own? They run for a moment, and from
/// the first that begins to the last that ends the clock must hardly tell more than the CPU time of one.
/// `false` where CPU time is not known.
pub(super) fn cores_are_free(threads: usize) -> bool {
    let start = Barrier::new(threads);
    let trial = || -> Option<(Instant, Instant, Duration)> {
        start.wait();
        let (clock, began) = (Instant::now(), thread_cpu_time()?);
        loop {
            let ran = thread_cpu_time()?.saturating_sub(began);
            if ran >= TRIAL {
                return Some((clock, Instant::now(), ran));
            }
        }
    };
    let found: Option<Vec<(Instant, Instant, Duration)>> = std::thread::scope(|scope| {
        let trials: Vec<_> = (0..threads).map(|_| scope.spawn(trial)).collect();
        trials.into_iter().map(|trial| trial.join().ok().flatten()).collect()
    });
    let Some(found) = found else { return false };
    let first = found.iter().map(|(began, ..)| began).min();
    let last = found.iter().map(|(_, ended, _)| ended).max();
    let ran = found.iter().map(|(.., ran)| *ran).max().unwrap_or(TRIAL);
    first.zip(last).is_some_and(|(first, last)| ran_alone(ran, last.duration_since(*first)))
}

/// Did threads that ran for so long wait for their cores for less than a tenth of the time?
fn ran_alone(ran: Duration, clock: Duration) -> bool {
    clock <= ran.mul_f64(1.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_waits_for_its_core_does_not_run_alone() {
        let ran = Duration::from_millis(5);
        assert!(ran_alone(ran, Duration::from_micros(5_400)));
        assert!(!ran_alone(ran, Duration::from_micros(5_600)));
        assert!(!ran_alone(ran, Duration::from_millis(10)));
    }

    #[test]
    fn more_threads_than_cores_are_never_free() {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        assert!(!cores_are_free(8 * cores));
    }
}
