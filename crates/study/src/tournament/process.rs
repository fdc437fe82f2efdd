//! Another program that plays, with line-by-line input and output.
//!
//! The program can neither block a match nor outlive it. One thread reads its lines and notes when each
//! came, another one writes; every wait, for a line or for the program to read one, has an end and hears
//! Ctrl-C; what it writes is kept in a queue that is bounded in bytes; and the program is killed together
//! with all processes that it has started.

mod family;
mod line_queue;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use super::opponent::OpponentError;
use super::record::FaultKind;
use family::Family;
pub use family::end_descendants;
use line_queue::{LineQueue, Taken};
use plyground_core::limits::StopFlag;
use plyground_core::memory;

/// How often a wait checks whether the match was interrupted.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// How long a program may take to end after `quit`.
const QUIT_TIMEOUT: Duration = Duration::from_millis(300);
/// How long to wait for the exit status of a program that has closed its output, and for the last lines
/// of one that has ended.
const EXIT_TIMEOUT: Duration = Duration::from_millis(200);
/// How long a program may take to read a line, once it has so many unread ones that there is no room.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest line, in bytes; the rest of a longer one is dropped.
const LONGEST_LINE: u64 = 64 << 10;

/// The stack of the threads that read and write.
const STACK: usize = 256 << 10;

/// A running program.
pub(crate) struct Process {
    child: Child,
    /// `None` when the program's input was closed.
    input: Option<Input>,
    lines: Arc<LineQueue>,
    family: Family,
    stop: StopFlag,
    /// When it was noticed that the program has ended.
    exited: Option<Instant>,
    /// Was the program killed already?
    killed: bool,
}

/// The way to the thread that writes.
struct Input {
    lines: Sender<String>,
    /// When the writing of a line began, or nothing if it failed.
    written: Receiver<Option<Instant>>,
}

impl Process {
    /// Starts a program with its arguments.
    pub(crate) fn start(command: &[String], stop: StopFlag) -> Result<Process, OpponentError> {
        let (program, arguments) = command.split_first().map_or(("", &[][..]), |(p, a)| (p, a));
        let mut starting = Command::new(program);
        starting.args(arguments);
        starting.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        Self::spawn(starting, stop).map_err(|error| {
            OpponentError::crash(format!("`{program}` cannot be started: {error}"))
        })
    }

    /// Starts a command whose input and output are pipes.
    pub(crate) fn spawn(mut command: Command, stop: StopFlag) -> std::io::Result<Process> {
        // A process group of its own: Ctrl-C does not reach it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let unborn = Family::prepare(&mut command);
        let mut child = command.spawn()?;
        let family = Family::new(child.id(), unborn);
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let lines = Arc::new(LineQueue::default());
        // From here on an error ends the program: what is dropped is killed.
        let (input, exited, killed) = (None, None, false);
        let mut process = Process { child, input, lines, family, stop, exited, killed };
        if let Some(input) = stdin {
            let (sender, lines) = channel();
            let (written, receiver) = channel();
            memory::thread(STACK)?.spawn(move || write(input, &lines, &written))?;
            process.input = Some(Input { lines: sender, written: receiver });
        }
        if let Some(output) = stdout {
            let queue = process.lines.clone();
            memory::thread(STACK)?.spawn(move || read(output, &queue))?;
        }
        Ok(process)
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Writes a line to the program. Returns when the writing began: a clock runs from then on, and not
    /// from when this function was called.
    pub(crate) fn send(&mut self, line: &str) -> Result<Instant, OpponentError> {
        self.send_within(line, WRITE_TIMEOUT)
    }

    fn send_within(&mut self, line: &str, patience: Duration) -> Result<Instant, OpponentError> {
        // What counts is the waiting, pause by pause, and not the clock: on a starved machine it is this process
        // that is late, its thread that writes or this one, and the program is not to blame.
        let mut left = patience;
        let Some(input) = &self.input else { return Err(self.ended()) };
        if input.lines.send(format!("{line}\n")).is_err() {
            return Err(self.ended());
        }
        loop {
            if self.stop.is_raised() {
                return Err(OpponentError::Interrupted);
            }
            let Some(input) = &self.input else { return Err(self.ended()) };
            let pause = left.min(POLL_INTERVAL);
            match input.written.recv_timeout(pause) {
                Ok(Some(began)) => return Ok(began),
                Ok(None) | Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if !left.is_zero() => left -= pause,
                Err(RecvTimeoutError::Timeout) => {
                    self.kill();
                    let reason = "it does not read what it is sent; it was given up and ended";
                    return Err(OpponentError::late(reason));
                }
            }
        }
    }

    /// The next line that came before the deadline, and when it came.
    pub(crate) fn line(&mut self, deadline: Instant) -> Result<(Instant, String), OpponentError> {
        loop {
            if self.stop.is_raised() {
                return Err(OpponentError::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.take(left.min(POLL_INTERVAL)) {
                // A line that waited for us was in time, but one that came later is not: who writes
                // without an end is late as well.
                Taken::Line(came, line) if came <= deadline => return Ok((came, line)),
                Taken::Nothing if !left.is_zero() => {
                    if self.has_ended() {
                        return Err(self.ended());
                    }
                }
                Taken::Line(..) | Taken::Nothing => {
                    self.kill();
                    return Err(OpponentError::late("no answer; it was given up and ended"));
                }
                Taken::Ended => return Err(self.ended()),
            }
        }
    }

    /// The next line, and when it came; nothing if none comes in this time, which is a short one.
    pub(crate) fn next_line(
        &mut self,
        pause: Duration,
    ) -> Result<Option<(Instant, String)>, OpponentError> {
        if self.stop.is_raised() {
            return Err(OpponentError::Interrupted);
        }
        match self.lines.take(pause) {
            Taken::Line(came, line) => Ok(Some((came, line))),
            Taken::Nothing if !self.has_ended() => Ok(None),
            Taken::Nothing | Taken::Ended => Err(self.ended()),
        }
    }

    /// Reads lines until `wanted` returns something for one of them.
    pub(crate) fn find<T>(
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

    /// Has the program ended, so long ago that its last lines have come? A child of it may keep its
    /// output open.
    fn has_ended(&mut self) -> bool {
        if self.exited.is_none() && matches!(self.child.try_wait(), Ok(Some(_))) {
            self.exited = Some(Instant::now());
        }
        self.exited.is_some_and(|exited| exited.elapsed() >= EXIT_TIMEOUT)
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
    pub(crate) fn wait(&mut self, patience: Duration) -> Option<ExitStatus> {
        let end = Instant::now() + patience;
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= end {
                return None;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Closes the program's input.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Kills the program and all processes that it has started.
    pub(crate) fn kill(&mut self) {
        self.input = None;
        self.lines.abandon();
        if std::mem::replace(&mut self.killed, true) {
            return;
        }
        self.family.end();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Most programs end by themselves after `quit`, and close their files.
        if !self.stop.is_raised() && self.input.is_some() {
            let sent = self.send_within("quit", QUIT_TIMEOUT);
            self.input = None;
            if sent.is_ok() {
                self.wait(QUIT_TIMEOUT);
            }
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

/// Writes lines until there are no more, or until the program does not take them.
fn write(mut input: ChildStdin, lines: &Receiver<String>, written: &Sender<Option<Instant>>) {
    for line in lines {
        let began = Instant::now();
        let sent = input.write_all(line.as_bytes()).and_then(|()| input.flush());
        if written.send(sent.ok().map(|()| began)).is_err() {
            return;
        }
    }
}

/// Reads lines until the program's output ends or nobody wants them.
fn read(output: ChildStdout, queue: &LineQueue) {
    let mut output = BufReader::new(output);
    let mut line = Vec::new();
    loop {
        line.clear();
        match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return queue.end(),
            Ok(_) => {}
        }
        let came = Instant::now();
        let whole = line.ends_with(b"\n") || (line.len() as u64) < LONGEST_LINE;
        let text = String::from_utf8_lossy(&line);
        // A name with control characters would disturb tables and files.
        let text = text.trim_end_matches(['\r', '\n']).replace(|c: char| c.is_control(), " ");
        if !queue.push(came, text) {
            return;
        }
        if !whole && output.skip_until(b'\n').is_err() {
            return queue.end();
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
        assert_eq!(echo.line(end).unwrap().1, "hello");
        let stop = StopFlag::new();
        let mut stopped = Process::start(&["cat".into()], stop.clone()).unwrap();
        stop.raise();
        assert!(matches!(stopped.line(end), Err(OpponentError::Interrupted)));
    }
}
