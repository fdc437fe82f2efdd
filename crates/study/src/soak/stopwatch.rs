//! How long a copy was waited for, without the time in which nothing could run.
//!
//! On a starved machine an answer comes late and nobody is to blame: the copy wants to run and gets no
//! processor, or the soak itself stands still, with all that it has started, because somebody has frozen it
//! or the machine was asleep. Both are seen. A pause that took longer than it should was the soak's own;
//! and Linux tells how long each thread has waited for a processor. What is left is the copy's own time. A
//! copy whose threads wait for each other, or run for ever, gets nothing for it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How long a pause may take that is none of the soak's own standing still.
const USUAL_PAUSE: Duration = Duration::from_millis(100);

/// Counts the time of one wait.
#[derive(Debug)]
pub(super) struct Stopwatch {
    began: Instant,
    looked: Instant,
    /// What nobody is to blame for.
    starved: Duration,
    /// How long each thread of the copy had waited for a processor when it was last looked at.
    threads: BTreeMap<u32, Duration>,
}

impl Stopwatch {
    /// Begins to wait for this process.
    pub(super) fn start(process: u32) -> Stopwatch {
        let began = Instant::now();
        let starved = Duration::ZERO;
        Stopwatch { began, looked: began, starved, threads: waits(process) }
    }

    /// A pause is over: looks how long it took, and what the process has waited for a processor meanwhile.
    pub(super) fn look(&mut self, process: u32) {
        let now = waits(process);
        let gap = self.looked.elapsed();
        self.looked += gap;
        // A thread that is new has waited since it is there.
        let grown = |(thread, waited): (&u32, &Duration)| {
            waited.saturating_sub(self.threads.get(thread).copied().unwrap_or_default())
        };
        // Threads wait at the same time; the longest wait is all that one can be sure of.
        let waited = now.iter().map(grown).max().unwrap_or_default();
        self.add(gap, waited);
        self.threads = now;
    }

    /// What such a pause adds: the two may be the same time.
    fn add(&mut self, gap: Duration, waited: Duration) {
        let stood_still = if gap > USUAL_PAUSE { gap } else { Duration::ZERO };
        self.starved += stood_still.max(waited);
    }

    /// The time in which nothing could run.
    pub(super) fn starved(&self) -> Duration {
        self.starved.min(self.looked - self.began)
    }

    /// How long the process was waited for, without that.
    pub(super) fn waited(&self) -> Duration {
        self.looked - self.began - self.starved()
    }
}

/// How long each thread of a process has waited for a processor, on systems that tell it. A wait that goes
/// on is told when it is over.
#[cfg(target_os = "linux")]
fn waits(process: u32) -> BTreeMap<u32, Duration> {
    let Ok(threads) = std::fs::read_dir(format!("/proc/{process}/task")) else {
        return BTreeMap::new();
    };
    let wait = |thread: std::io::Result<std::fs::DirEntry>| {
        let thread = thread.ok()?;
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        let nanoseconds = text.split_whitespace().nth(1)?.parse().ok()?;
        let number = thread.file_name().to_str()?.parse().ok()?;
        Some((number, Duration::from_nanos(nanoseconds)))
    };
    threads.filter_map(wait).collect()
}

#[cfg(not(target_os = "linux"))]
fn waits(_: u32) -> BTreeMap<u32, Duration> {
    BTreeMap::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    /// A stopwatch that was started so long ago.
    fn started(ago: Duration) -> Stopwatch {
        let looked = Instant::now();
        let began = looked.checked_sub(ago).unwrap();
        Stopwatch { began, looked, starved: Duration::ZERO, threads: BTreeMap::new() }
    }

    #[test]
    fn time_in_which_nothing_could_run_does_not_count() {
        let mut watch = started(ms(10_000));
        // Usual pauses, in which nobody waited for a processor, are the copy's.
        watch.add(ms(20), ms(0));
        watch.add(ms(100), ms(0));
        assert_eq!((watch.starved(), watch.waited()), (ms(0), ms(10_000)));
        // Its thread got no processor; the soak stood still; both at the same time.
        watch.add(ms(20), ms(2_500));
        assert_eq!(watch.waited(), ms(7_500));
        watch.add(ms(3_000), ms(0));
        watch.add(ms(1_500), ms(1_400));
        assert_eq!((watch.starved(), watch.waited()), (ms(7_000), ms(3_000)));
        // Nobody has waited for less than nothing.
        watch.add(ms(60_000), ms(60_000));
        assert_eq!((watch.starved(), watch.waited()), (ms(10_000), ms(0)));
    }

    /// A process that sleeps wants no processor: all of the time is its own.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_that_waits_for_nothing_has_no_excuse() {
        let mut child = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
        std::thread::sleep(ms(200));
        let mut watch = Stopwatch::start(child.id());
        let before = watch.threads.clone();
        assert_eq!(before.len(), 1);
        for _ in 0..10 {
            std::thread::sleep(ms(5));
            watch.look(child.id());
        }
        assert_eq!(watch.threads, before);
        child.kill().unwrap();
        child.wait().unwrap();
        watch.look(child.id());
        assert!(watch.threads.is_empty());
    }

    /// Of two threads on one processor one waits while the other runs.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_without_a_processor_is_seen() {
        let busy = "taskset -cp 0 $$ > /dev/null; (while :; do :; done) & while :; do :; done";
        let mut command = std::process::Command::new("sh");
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.args(["-c", busy]).spawn().unwrap();
        let mut watch = Stopwatch::start(child.id());
        let first = Instant::now();
        while watch.starved() < ms(50) && first.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(ms(20));
            watch.look(child.id());
        }
        let group = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
        rustix::process::kill_process_group(group, rustix::process::Signal::KILL).unwrap();
        child.wait().unwrap();
        assert!(watch.starved() >= ms(50), "{watch:?}");
    }
}
