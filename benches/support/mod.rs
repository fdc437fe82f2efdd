//! What the benches share: arguments, rounds in turns, and the table of ratios.
//!
//! Machines are shared and noisy, so nothing is promised about a time. What is promised is a ratio of
//! times within one run: its two sides are timed in turns, and the least time of each is compared, for
//! a disturbance can only make a round slower. What runs on one thread is timed by the thread's own
//! clock, where the system has one: it stands still while another process has the processor.

use std::process::ExitCode;
use std::time::Instant;

/// By this share of itself a limit may be missed with `--quick`: few rounds need not find the least
/// time on a machine that others use.
const TOLERANCE: f64 = 0.1;

/// What was typed after `cargo bench --bench NAME --`.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    /// `--check`: a limit that does not hold is an error.
    pub check: bool,
    /// `--quick`: fewer rounds.
    pub quick: bool,
    /// The numbers, in their order.
    pub numbers: Vec<usize>,
}

impl Arguments {
    /// Reads the command line, and says what the bench does and about how many seconds that takes, in
    /// full and with `--quick`.
    pub fn begin(about: &str, [full, quick]: [u32; 2]) -> Arguments {
        let arguments = Arguments::read(std::env::args().skip(1));
        println!("{about}: takes about {} s", arguments.choose(full, quick));
        arguments
    }

    /// Cargo and criterion add words of their own, and criterion's benches are chosen by filters: all
    /// that is ignored.
    fn read(words: impl Iterator<Item = String>) -> Arguments {
        let mut arguments = Arguments::default();
        // A number after somebody else's option is its value.
        let mut foreign = false;
        for word in words {
            match (word.as_str(), word.parse()) {
                ("--check", _) => arguments.check = true,
                ("--quick", _) => arguments.quick = true,
                ("--bench", _) => {}
                (_, Ok(number)) if !foreign => arguments.numbers.push(number),
                _ => {
                    foreign = word.starts_with("--");
                    continue;
                }
            }
            foreign = false;
        }
        arguments
    }

    /// The first, or with `--quick` the second.
    pub fn choose<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }
}

/// Something that is timed: it is done once, and the seconds it took are returned.
pub type Timed<'a> = Box<dyn FnMut() -> f64 + 'a>;

/// Times `run`, which has no other thread.
pub fn timed<'a>(mut run: impl FnMut() + 'a) -> Timed<'a> {
    Box::new(move || {
        let started = thread_seconds();
        run();
        thread_seconds() - started
    })
}

/// For a `run` without other threads that times a part of itself by the common clock: the same by the
/// thread's clock, if the thread was running as much of that part as of the whole.
pub fn timed_within<'a>(mut run: impl FnMut() -> f64 + 'a) -> Timed<'a> {
    Box::new(move || {
        let (started, clock) = (thread_seconds(), Instant::now());
        let part = run();
        part * (thread_seconds() - started) / clock.elapsed().as_secs_f64()
    })
}

/// For how long this thread has been running.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn thread_seconds() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// The time by the common clock.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn thread_seconds() -> f64 {
    static BEGIN: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);
    BEGIN.elapsed().as_secs_f64()
}

/// When there have been enough rounds.
#[derive(Clone, Copy, Debug)]
pub enum Rounds {
    /// After this many; at least one.
    Count(usize),
    /// After this time, and three rounds at least. What is short then has many rounds, and one of them
    /// is undisturbed even on a machine that others use.
    Seconds(f64),
}

impl Rounds {
    fn are_enough(self, rounds: usize, seconds: f64) -> bool {
        match self {
            Rounds::Count(count) => rounds >= count.max(1),
            Rounds::Seconds(least) => rounds >= 3 && seconds >= least,
        }
    }
}

/// The least seconds of each, over rounds in which each has its turn.
pub fn least_in_turns<const N: usize>(rounds: Rounds, mut runs: [Timed<'_>; N]) -> [f64; N] {
    let started = Instant::now();
    let mut least = [f64::MAX; N];
    let mut count = 0;
    while !rounds.are_enough(count, started.elapsed().as_secs_f64()) {
        for (run, least) in runs.iter_mut().zip(&mut least) {
            *least = run().min(*least);
        }
        count += 1;
    }
    least
}

/// What is promised about a ratio.
#[derive(Clone, Copy, Debug)]
pub enum Limit {
    /// It is not above this.
    AtMost(f64),
    /// It is not below this.
    AtLeast(f64),
    /// Nothing: the ratio is for information.
    None,
}

impl Limit {
    /// How a ratio breaks the limit, if it does; `tolerance` is the share of the limit by which it
    /// may be missed.
    fn broken_by(self, ratio: f64, tolerance: f64) -> Option<&'static str> {
        match self {
            Limit::AtMost(most) => (ratio > most * (1.0 + tolerance)).then_some("ABOVE"),
            Limit::AtLeast(least) => (ratio < least * (1.0 - tolerance)).then_some("BELOW"),
            Limit::None => None,
        }
    }
}

/// The table of ratios. A line is printed when its ratio is known.
#[derive(Debug)]
pub struct Ratios {
    check: bool,
    tolerance: f64,
    held: usize,
    broken: usize,
}

impl Ratios {
    /// Prints the table's head.
    pub fn new(arguments: &Arguments) -> Ratios {
        let tolerance = arguments.choose(0.0, TOLERANCE);
        if arguments.quick {
            println!(
                "--quick: few rounds on a machine that may be noisy, so a limit may be missed by {:.0} %",
                100.0 * tolerance
            );
        }
        println!("{:<72} {:>6}  limit", "what", "ratio");
        Ratios { check: arguments.check, tolerance, held: 0, broken: 0 }
    }

    /// Prints a line.
    pub fn row(&mut self, what: &str, ratio: f64, limit: Limit) {
        let limit_text = match limit {
            Limit::AtMost(most) => format!("at most {most}"),
            Limit::AtLeast(least) => format!("at least {least}"),
            Limit::None => return println!("{what:<72} {ratio:>6.2}"),
        };
        let broken = limit.broken_by(ratio, self.tolerance);
        println!("{what:<72} {ratio:>6.2}  {limit_text:<13}  {}", broken.unwrap_or("ok"));
        match broken {
            Some(_) => self.broken += 1,
            None => self.held += 1,
        }
    }

    /// Sums up. With `--check`, a limit that does not hold is an error.
    pub fn finish(self) -> ExitCode {
        let verdict = if self.broken == 0 { "PASS" } else { "FAIL" };
        println!("{verdict}: {} of {} limits hold", self.held, self.held + self.broken);
        if self.check && self.broken > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Arguments {
        Arguments::read(line.split_whitespace().map(String::from))
    }

    #[test]
    fn words_that_are_not_ours_are_ignored() {
        assert_eq!(read("--bench"), Arguments::default());
        assert_eq!(read("alpha-beta --sample-size 10 --noplot --bench"), Arguments::default());
        let both = Arguments { check: true, quick: true, numbers: vec![4, 14] };
        assert_eq!(read("--check 4 --quick 14 --bench"), both);
        assert_eq!(read("4 --save-baseline 7 14 --bench --quick --check"), both);
    }

    #[test]
    fn every_run_has_its_turn_in_every_round() {
        let faster = |mut seconds: f64| {
            Box::new(move || {
                seconds /= 2.0;
                seconds
            }) as Timed<'_>
        };
        assert_eq!(least_in_turns(Rounds::Count(2), [faster(8.0), faster(2.0)]), [2.0, 0.5]);
        let once: [Timed<'_>; 1] = [Box::new(|| 7.0)];
        assert_eq!(least_in_turns(Rounds::Count(0), once), [7.0]);
        assert!(
            !Rounds::Seconds(1.0).are_enough(2, 1.5) && !Rounds::Seconds(1.0).are_enough(9, 0.5)
        );
        assert!(Rounds::Seconds(1.0).are_enough(3, 1.0));
    }

    #[test]
    fn a_limit_is_missed_by_more_than_the_tolerance() {
        assert_eq!(Limit::AtMost(1.1).broken_by(1.1, 0.0), None);
        assert_eq!(Limit::AtMost(1.1).broken_by(1.2, 0.0), Some("ABOVE"));
        assert_eq!(Limit::AtMost(1.1).broken_by(1.2, 0.1), None);
        assert_eq!(Limit::AtLeast(0.85).broken_by(0.8, 0.0), Some("BELOW"));
        assert_eq!(Limit::AtLeast(0.85).broken_by(0.8, 0.1), None);
        assert_eq!(Limit::None.broken_by(7.0, 0.0), None);
    }
}
