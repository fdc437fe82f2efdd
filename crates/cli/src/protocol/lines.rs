//! Reads lines from standard input on a thread of its own, and writes lines to standard output.

use std::io::{BufRead, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::cli::console::Console;
use plyground_core::memory;

/// How often a wait for a line checks for Ctrl-C.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Input that ends within this time after the start is a script, whose commands are all executed. If it
/// ends later, the client has gone.
const SCRIPT_TIME: Duration = Duration::from_millis(500);

/// How long to wait for the end of a script after its last line.
const END_WAIT: Duration = Duration::from_millis(20);

/// The stack of the thread that reads.
const STACK: usize = 256 << 10;

/// The longest line, in bytes; the rest of a longer one is dropped.
const LONGEST_LINE: u64 = 64 << 20;

/// A line of the input.
pub(crate) struct InputLine {
    /// Its text.
    pub(crate) text: String,
    /// When it was read: a client's clock runs from then on, however late the line is executed.
    pub(crate) read: Instant,
}

/// The lines of the input, which another thread reads.
pub(crate) struct Lines {
    receiver: Receiver<InputLine>,
    begun: Instant,
    shared: Arc<Shared>,
}

/// What the reading thread knows about the end of the input.
#[derive(Default)]
struct Shared {
    /// Set when the client has sent its last line.
    quits: OnceLock<()>,
    /// When the input ended.
    ended: OnceLock<Instant>,
}

/// The result of waiting for a line.
pub(crate) enum NextLine {
    /// A line.
    Line(InputLine),
    /// No line within the time.
    Timeout,
    /// The input has ended, or Ctrl-C was pressed.
    End,
}

impl Lines {
    /// Starts to read; `is_last` recognises the client's last line.
    pub(crate) fn read(is_last: fn(&str) -> bool) -> anyhow::Result<Lines> {
        let (sender, receiver) = channel();
        let lines = Lines { receiver, begun: Instant::now(), shared: Arc::default() };
        let shared = lines.shared.clone();
        let read = move || {
            send_all(&sender, is_last, &shared);
            // Set before the sender is dropped: the end is known when the channel closes.
            let _ = shared.ended.set(Instant::now());
        };
        let reading = memory::thread(STACK).and_then(|thread| thread.spawn(read));
        reading.context("cannot start the thread that reads the input")?;
        Ok(lines)
    }

    /// The next line; `None` after the end of the input or after Ctrl-C.
    pub(crate) fn next(&self, console: &Console) -> Option<InputLine> {
        loop {
            match self.wait(console, POLL_INTERVAL) {
                NextLine::Line(line) => return Some(line),
                NextLine::Timeout => {}
                NextLine::End => return None,
            }
        }
    }

    /// Waits at most this long for the next line.
    pub(crate) fn wait(&self, console: &Console, patience: Duration) -> NextLine {
        match self.receiver.recv_timeout(patience.min(POLL_INTERVAL)) {
            Ok(line) => NextLine::Line(line),
            Err(RecvTimeoutError::Timeout) if !console.interrupted() => NextLine::Timeout,
            Err(_) => NextLine::End,
        }
    }

    /// Was all input there from the beginning, as from a script? Then no client waits for a reply before
    /// its next command.
    pub(crate) fn are_a_script(&self) -> bool {
        let asked = Instant::now();
        loop {
            if let Some(ended) = self.shared.ended.get() {
                return ended.duration_since(self.begun) < SCRIPT_TIME;
            }
            if asked.elapsed() >= END_WAIT || self.begun.elapsed() >= SCRIPT_TIME {
                return false;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Has the client gone, or sent `quit`? Then nobody needs the result of a search in progress.
    pub(crate) fn client_has_gone(&self) -> bool {
        let Shared { quits, ended } = &*self.shared;
        (quits.get().is_some() || ended.get().is_some()) && !self.are_a_script()
    }
}

fn send_all(sender: &Sender<InputLine>, is_last: fn(&str) -> bool, shared: &Shared) {
    let mut input = std::io::stdin().lock();
    let mut bytes = Vec::new();
    // Bytes that are not UTF-8 make an unknown command, but no error.
    while matches!(input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes), Ok(1..)) {
        let read = Instant::now();
        if !bytes.ends_with(b"\n") && bytes.len() as u64 == LONGEST_LINE {
            let _ = input.skip_until(b'\n');
        }
        let line = InputLine { text: String::from_utf8_lossy(&bytes).into_owned(), read };
        if is_last(&line.text) {
            let _ = shared.quits.set(());
        }
        // Reads to the end even if the receiver is gone: the time of the end tells a script from a client.
        let _ = sender.send(line);
        bytes.clear();
    }
}

/// Prints a line. An output that was closed is ignored: the input ends as well then.
pub(crate) fn say(line: &str) {
    let mut output = std::io::stdout().lock();
    let _ = writeln!(output, "{line}").and_then(|()| output.flush());
}
