//! Another program that plays, with line-by-line input and output.
//!
//! The program can neither block a match nor outlive it. A thread reads its lines and notes when each
//! came; every wait has a time limit; and the program is killed together with all processes that it
//! started.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use super::opponent::OpponentError;
use super::record::{Fault, FaultKind};
use plyground_core::limits::StopFlag;

/// How often a wait checks whether the match was interrupted.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// How long a program may take to end after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_millis(300);
/// How long to wait for the exit status of a program that has closed its output.
const EXIT_TIMEOUT: Duration = Duration::from_millis(200);
/// The longest line, in bytes; a longer one is split.
const LONGEST_LINE: u64 = 1 << 20;
/// The most lines in the queue; the program has to wait while it is full.
const MOST_QUEUED_LINES: usize = 4096;

pub(super) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    stop: StopFlag,
    /// Was the program killed already?
    killed: bool,
}

impl Process {
    /// Starts a program with its arguments.
    pub(super) fn start(command: &[String], stop: StopFlag) -> Result<Process, OpponentError> {
        let (program, arguments) = command.split_first().map_or(("", &[][..]), |(p, a)| (p, a));
        let mut starting = Command::new(program);
        starting.args(arguments);
        starting.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        // A process group of its own: Ctrl-C does not reach it, and its children can be killed with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut starting, 0);
        let mut child = starting.spawn().map_err(|error| {
            OpponentError::crash(format!("`{program}` cannot be started: {error}"))
        })?;
        let (sender, lines) = sync_channel(MOST_QUEUED_LINES);
        let input = child.stdin.take();
        if let Some(output) = child.stdout.take() {
            std::thread::spawn(move || read(output, &sender));
        }
        Ok(Process { child, input, lines, stop, killed: false })
    }

    /// Writes a line to the program.
    pub(super) fn send(&mut self, line: &str) -> Result<(), OpponentError> {
        let sent = self.input.as_mut().map(|input| {
            input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush())
        });
        match sent {
            Some(Ok(())) => Ok(()),
            _ => Err(self.ended()),
        }
    }

    /// The next line and the time when it came; waits until the deadline.
    pub(super) fn line(&mut self, deadline: Instant) -> Result<(Instant, String), OpponentError> {
        loop {
            if self.stop.is_raised() {
                return Err(OpponentError::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(POLL_INTERVAL)) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) if !left.is_zero() => {}
                Err(RecvTimeoutError::Timeout) => {
                    self.kill();
                    let reason = "no answer; it was given up and ended".into();
                    return Err(OpponentError::Fault(Fault { kind: FaultKind::Time, reason }));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
            }
        }
    }

    /// Reads lines until `wanted` returns something for one of them.
    pub(super) fn find<T>(
        &mut self,
        deadline: Instant,
        mut wanted: impl FnMut(Instant, &str) -> Option<T>,
    ) -> Result<T, OpponentError> {
        loop {
            let (came, line) = self.line(deadline)?;
            if let Some(found) = wanted(came, line.trim()) {
                return Ok(found);
            }
        }
    }

    /// The error of a program that has ended, or at least closed its output.
    fn ended(&mut self) -> OpponentError {
        if self.stop.is_raised() {
            return OpponentError::Interrupted;
        }
        match self.wait(EXIT_TIMEOUT) {
            Some(how) => OpponentError::crash(format!("the engine ended: {how}")),
            None => OpponentError::crash("the engine closed its output"),
        }
    }

    /// The exit status, if the program ends within this time.
    fn wait(&mut self, patience: Duration) -> Option<String> {
        let end = Instant::now() + patience;
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status.to_string());
            }
            if Instant::now() >= end {
                return None;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Kills the program and all processes that it started.
    fn kill(&mut self) {
        self.input = None;
        if std::mem::replace(&mut self.killed, true) {
            return;
        }
        #[cfg(unix)]
        {
            let group = format!("-{}", self.child.id());
            let mut kill = Command::new("kill");
            kill.args(["-KILL", "--", &group]).stdout(Stdio::null()).stderr(Stdio::null());
            let _ = kill.status();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Most programs end by themselves after `quit`, and close their files.
        if !self.stop.is_raised() && self.input.is_some() && self.send("quit").is_ok() {
            self.input = None;
            self.wait(QUIT_TIMEOUT);
        }
        self.kill();
    }
}

/// Drops an engine that crashed or did not reply, so that it is started again for the next game.
pub(super) fn drop_failed<T>(
    process: &mut Option<Process>,
    result: Result<T, OpponentError>,
) -> Result<T, OpponentError> {
    if matches!(&result, Err(OpponentError::Fault(fault)) if fault.kind != FaultKind::Illegal) {
        *process = None;
    }
    result
}

fn read(output: ChildStdout, sender: &SyncSender<(Instant, String)>) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if sender.send((Instant::now(), String::from_utf8_lossy(&line).into_owned())).is_err() {
            return;
        }
    }
}

/// Splits a command line as a shell would: quotes and backslashes keep spaces.
pub(super) fn split_command(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' | '"' => {
                let inside = word.get_or_insert_default();
                loop {
                    match letters.next() {
                        Some(end) if end == letter => break,
                        Some('\\') if letter == '"' => inside.extend(letters.next()),
                        Some(other) => inside.push(other),
                        None => return Err(format!("expected a closing {letter}")),
                    }
                }
            }
            '\\' => word.get_or_insert_default().extend(letters.next()),
            space if space.is_whitespace() => words.extend(word.take()),
            other => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    if words.is_empty() { Err("expected a command".into()) } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_shells_do() {
        let split = |text: &str| split_command(text).unwrap().join("|");
        assert_eq!(split("gtp-rhino -l 3  -b 0"), "gtp-rhino|-l|3|-b|0");
        assert_eq!(split("'a b' \"c \\\" d\" e\\ f ''"), "a b|c \" d|e f|");
        assert_eq!(split("a'b c'd"), "ab cd");
        for wrong in ["", "  ", "a 'b"] {
            assert!(split_command(wrong).is_err(), "{wrong}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_ends_or_is_silent_is_noticed() {
        let soon = || Instant::now() + Duration::from_millis(50);
        let start = |text: &str| Process::start(&split_command(text).unwrap(), StopFlag::new());
        let mut silent = start("sh -c 'sleep 1000'").unwrap();
        assert!(
            matches!(silent.line(soon()), Err(OpponentError::Fault(f)) if f.kind == FaultKind::Time)
        );
        let mut gone = start("sh -c 'exit 3'").unwrap();
        let end = Instant::now() + Duration::from_secs(20);
        let Err(OpponentError::Fault(fault)) = gone.line(end) else { panic!("it ended") };
        assert_eq!(fault.kind, FaultKind::Crash);
        assert!(fault.reason.contains('3'), "{}", fault.reason);
        let nothing = start("./there-is-no-such-program");
        assert!(matches!(nothing, Err(OpponentError::Fault(f)) if f.kind == FaultKind::Crash));
        let mut echo = start("cat").unwrap();
        echo.send("hello").unwrap();
        assert_eq!(echo.line(end).unwrap().1, "hello\n");
        let stop = StopFlag::new();
        let mut stopped = Process::start(&["cat".into()], stop.clone()).unwrap();
        stop.raise();
        assert!(matches!(stopped.line(end), Err(OpponentError::Interrupted)));
    }
}
