//! A copy of the program in a soak: its process, the last lines of the conversation, its memory.

use std::collections::VecDeque;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::dice::Dice;
use super::stopwatch::Stopwatch;
use super::{GivenUp, SoakFaultKind, SoakProtocol, SoakSettings};
use crate::tournament::process::Process;

/// How long to wait for an answer, without the time in which nothing could run.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(120);
/// How long a copy may take to end, counted in the same way.
const EXIT_TIMEOUT: Duration = Duration::from_secs(60);
/// How long anything is waited for, whatever the reason.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);
/// The pauses of a wait.
const PAUSE: Duration = Duration::from_millis(20);
/// An answer that comes longer than this after its time is late, if it could have come before. In two hours
/// beside seven compilers on two cores the latest one came after 0.93 s.
const LATE: Duration = Duration::from_secs(5);
/// The lines of the conversation that a fault shows.
const MOST_LINES: usize = 24;
/// The longest of them, in characters.
const LONGEST_LINE: usize = 200;
/// What a copy says when something broke down inside it.
const BREAKDOWNS: [&str; 2] = ["broke down", "the session was lost"];

/// A running copy.
pub(super) struct EngineCopy<'a> {
    settings: &'a SoakSettings,
    protocol: SoakProtocol,
    pub(super) process: Process,
    /// The last lines, in both directions.
    pub(super) lines: VecDeque<String>,
    /// The size of the largest table that it was told to have, in MiB.
    pub(super) hash: u64,
    /// How many moves of the game it knows.
    pub(super) known: usize,
    /// Runs since the last line was sent.
    watch: Stopwatch,
}

impl<'a> EngineCopy<'a> {
    pub(super) fn start(
        settings: &'a SoakSettings,
        protocol: SoakProtocol,
    ) -> Result<EngineCopy<'a>, GivenUp> {
        let mut command = Command::new(&settings.program);
        command.arg(protocol.command());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let process = Process::spawn(command, settings.stop.clone()).map_err(|error| {
            let reason = format!("{} cannot be started: {error}", settings.program.display());
            GivenUp::Fault(SoakFaultKind::Crash, reason)
        })?;
        let (lines, watch) = (VecDeque::new(), Stopwatch::start(process.id()));
        let mut copy = EngineCopy { settings, protocol, process, lines, hash: 0, known: 0, watch };
        match protocol {
            SoakProtocol::Uci => copy.uci_greet()?,
            SoakProtocol::Gtp => copy.gtp_greet()?,
            SoakProtocol::Nboard => copy.nboard_greet()?,
        }
        Ok(copy)
    }

    /// Replaces a copy that has ended by a new one.
    pub(super) fn restart(&mut self) -> Result<(), GivenUp> {
        *self = EngineCopy::start(self.settings, self.protocol)?;
        Ok(())
    }

    fn note(&mut self, direction: char, line: &str) {
        if self.lines.len() == MOST_LINES {
            self.lines.pop_front();
        }
        let line: String = line.chars().take(LONGEST_LINE).collect();
        self.lines.push_back(format!("{direction} {line}"));
    }

    /// Sends a line; returns when.
    pub(super) fn send(&mut self, line: &str) -> Result<Instant, GivenUp> {
        self.note('>', line);
        self.watch = Stopwatch::start(self.process.id());
        Ok(self.process.send(line)?)
    }

    /// Reads lines until `wanted` returns something for one; returns when that one came as well.
    pub(super) fn find<T>(
        &mut self,
        mut wanted: impl FnMut(&str) -> Option<T>,
    ) -> Result<(Instant, T), GivenUp> {
        loop {
            let line = self.process.next_line(PAUSE)?;
            self.watch.look(self.process.id());
            let Some((came, line)) = line else {
                self.check_patience(ANSWER_TIMEOUT)?;
                continue;
            };
            let line = line.trim();
            self.note('<', line);
            if BREAKDOWNS.iter().any(|said| line.contains(said)) {
                return Err(GivenUp::Fault(SoakFaultKind::Panic, line.to_owned()));
            }
            if let Some(found) = wanted(line) {
                return Ok((came, found));
            }
            // Who writes without an end does not answer either.
            self.check_patience(ANSWER_TIMEOUT)?;
        }
    }

    /// Has the copy been waited for long enough? It is killed then.
    fn check_patience(&mut self, patience: Duration) -> Result<(), GivenUp> {
        let (waited, starved) = (self.watch.waited(), self.watch.starved());
        if waited < patience && waited + starved < LONGEST_WAIT {
            return Ok(());
        }
        let reason = format!(
            "no answer in {:.0} s, and {:.1} s in which nothing could run; it was killed",
            waited.as_secs_f64(),
            starved.as_secs_f64()
        );
        self.process.kill();
        Err(GivenUp::Fault(SoakFaultKind::Silent, reason))
    }

    /// How late an answer that was found last is; an error if it is too late, and could have come before.
    pub(super) fn lateness(&self, due: Instant, came: Instant) -> Result<Duration, GivenUp> {
        let late = came.saturating_duration_since(due);
        if late.saturating_sub(self.starved()) <= LATE {
            return Ok(late);
        }
        let reason = format!(
            "an answer {:.1} s after its time, of which nothing could run for at most {:.1} s",
            late.as_secs_f64(),
            self.starved().as_secs_f64()
        );
        Err(GivenUp::Fault(SoakFaultKind::Late, reason))
    }

    /// How long nothing could run since the last line was sent.
    pub(super) fn starved(&self) -> Duration {
        self.watch.starved()
    }

    /// Waits for the end of a copy that was told to end.
    pub(super) fn expect_exit(&mut self, after: &str, code: i32) -> Result<(), GivenUp> {
        let wrong = |found: String| {
            let reason = format!("{after}: {found}, expected exit code {code}");
            GivenUp::Fault(SoakFaultKind::Exit, reason)
        };
        self.watch = Stopwatch::start(self.process.id());
        loop {
            match self.process.wait(PAUSE) {
                Some(status) if status.code() == Some(code) => return Ok(()),
                Some(status) => return Err(wrong(status.to_string())),
                None => self.watch.look(self.process.id()),
            }
            if self.check_patience(EXIT_TIMEOUT).is_err() {
                return Err(wrong(format!(
                    "it still runs after {:.0} s",
                    self.watch.waited().as_secs_f64()
                )));
            }
        }
    }

    /// The memory that the copy has used at the most besides its table, in MiB; an error if it is too
    /// much.
    pub(super) fn check_memory(&self) -> Result<u64, GivenUp> {
        let Some(peak) = status(self.process.id(), "VmHWM:") else { return Ok(0) };
        let besides = (peak >> 10).saturating_sub(self.hash);
        if besides <= self.settings.memory {
            return Ok(besides);
        }
        let reason = format!(
            "{} MiB with a table of {} MiB; {} MiB more than the table are allowed",
            peak >> 10,
            self.hash,
            self.settings.memory
        );
        Err(GivenUp::Fault(SoakFaultKind::Memory, reason))
    }

    /// Limits the memory that the copy may have to what it has, and a little more.
    #[cfg(target_os = "linux")]
    pub(super) fn limit_memory(&self, dice: &mut Dice) -> bool {
        use rustix::process::{Pid, Resource, Rlimit, prlimit};
        let more = dice.between(1, 96) << 10;
        let Some(size) = status(self.process.id(), "VmSize:") else { return false };
        let limit = Some((size + more) << 10);
        let limits = Rlimit { current: limit, maximum: limit };
        prlimit(Pid::from_raw(self.process.id() as i32), Resource::As, limits).is_ok()
    }

    /// Limits nothing: this system cannot limit the memory of another process.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn limit_memory(&self, _: &mut Dice) -> bool {
        false
    }

    /// Which protocol it speaks.
    pub(super) fn protocol(&self) -> SoakProtocol {
        self.protocol
    }
}

/// A figure of a process in KiB, on systems that tell it.
fn status(process: u32, name: &str) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}
