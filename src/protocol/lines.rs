//! Lines in and out: what every protocol does with standard input and output.

use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::cli::console::Console;

/// Ctrl-C is looked for this often.
const PATIENCE: Duration = Duration::from_millis(100);

/// Input that has ended by then was a script, all of whose commands are done; if it ends later, the
/// client has gone.
const SCRIPT: Duration = Duration::from_millis(500);

/// The end of a script is seen so soon after its last line.
const GLIMPSE: Duration = Duration::from_millis(20);

/// The lines of the input, read on another thread while this one works.
pub(crate) struct Lines {
    receiver: Receiver<String>,
    begun: Instant,
    shared: Arc<Shared>,
}

/// What the reading thread tells of the input's end.
#[derive(Default)]
struct Shared {
    /// The client has said its last line.
    quits: OnceLock<()>,
    /// Nothing comes any more since then.
    ended: OnceLock<Instant>,
}

/// What came of waiting for a line.
pub(crate) enum NextLine {
    /// A line.
    Line(String),
    /// None so far.
    Timeout,
    /// None will come, or somebody has pressed Ctrl-C.
    End,
}

impl Lines {
    /// Reads on; `is_last` tells the client's last line.
    pub(crate) fn read(is_last: fn(&str) -> bool) -> Lines {
        let (sender, receiver) = channel();
        let lines = Lines { receiver, begun: Instant::now(), shared: Arc::default() };
        let shared = lines.shared.clone();
        std::thread::spawn(move || {
            send_all(&sender, is_last, &shared);
            // Set before the sender is dropped, and only here.
            let _ = shared.ended.set(Instant::now());
        });
        lines
    }

    /// The next line; `None` when the input has ended, or at Ctrl-C.
    pub(crate) fn next(&self, console: &Console) -> Option<String> {
        loop {
            match self.wait(console, PATIENCE) {
                NextLine::Line(line) => return Some(line),
                NextLine::Timeout => {}
                NextLine::End => return None,
            }
        }
    }

    /// Waits so long for the next line.
    pub(crate) fn wait(&self, console: &Console, patience: Duration) -> NextLine {
        match self.receiver.recv_timeout(patience.min(PATIENCE)) {
            Ok(line) => NextLine::Line(line),
            Err(RecvTimeoutError::Timeout) if !console.interrupted() => NextLine::Timeout,
            Err(_) => NextLine::End,
        }
    }

    /// Was everything there from the beginning, and does nobody wait for an answer before asking
    /// on?
    pub(crate) fn are_a_script(&self) -> bool {
        let asked = Instant::now();
        loop {
            if let Some(ended) = self.shared.ended.get() {
                return ended.duration_since(self.begun) < SCRIPT;
            }
            if asked.elapsed() >= GLIMPSE || self.begun.elapsed() >= SCRIPT {
                return false;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Has the client gone, or asked to quit, so that whatever is under way is of no use?
    pub(crate) fn client_has_gone(&self) -> bool {
        let Shared { quits, ended } = &*self.shared;
        (quits.get().is_some() || ended.get().is_some()) && !self.are_a_script()
    }
}

fn send_all(sender: &Sender<String>, is_last: fn(&str) -> bool, shared: &Shared) {
    let mut input = std::io::stdin().lock();
    let mut bytes = Vec::new();
    // Not every byte is a letter: what is none is not understood, but no error either.
    while matches!(input.read_until(b'\n', &mut bytes), Ok(1..)) {
        let line = String::from_utf8_lossy(&bytes).into_owned();
        if is_last(&line) {
            let _ = shared.quits.set(());
        }
        // Read on to the end even if nobody listens: whether it comes at once is of interest.
        let _ = sender.send(line);
        bytes.clear();
    }
}

/// Says a line. If nobody listens any more, the end of the input will tell.
pub(crate) fn say(line: &str) {
    let mut output = std::io::stdout().lock();
    let _ = writeln!(output, "{line}").and_then(|()| output.flush());
}
