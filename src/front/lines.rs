//! Lines in and out: what every protocol does with standard input and output.

use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::console::Console;

/// Ctrl-C is looked for this often.
const PATIENCE: Duration = Duration::from_millis(100);

/// Input that has ended by then was a script, all of whose commands are done; if it ends later, the
/// client has gone.
const SCRIPT: Duration = Duration::from_millis(500);

/// The lines of the input, read on another thread while this one works.
pub(super) struct Lines {
    receiver: Receiver<String>,
    begun: Instant,
    ended: Arc<OnceLock<Instant>>,
}

impl Lines {
    /// Reads on. Nothing is read after a line that `is_last`.
    pub(super) fn read(is_last: fn(&str) -> bool) -> Lines {
        let (sender, receiver) = channel();
        let lines = Lines { receiver, begun: Instant::now(), ended: Arc::default() };
        let ended = lines.ended.clone();
        std::thread::spawn(move || {
            send_all(&sender, is_last);
            // Set before the sender is dropped, and only here.
            let _ = ended.set(Instant::now());
        });
        lines
    }

    /// The next line; `None` when the input has ended, or at Ctrl-C.
    pub(super) fn next(&self, console: &Console) -> Option<String> {
        loop {
            match self.receiver.recv_timeout(PATIENCE) {
                Ok(line) => return Some(line),
                Err(RecvTimeoutError::Timeout) if !console.interrupted() => {}
                Err(_) => return None,
            }
        }
    }

    /// Was everything there from the beginning, and does nobody wait for an answer before asking
    /// on? Known soon after the beginning.
    pub(super) fn are_a_script(&self) -> bool {
        loop {
            if let Some(ended) = self.ended.get() {
                return ended.duration_since(self.begun) < SCRIPT;
            }
            if self.begun.elapsed() >= SCRIPT {
                return false;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Has the client gone, or asked to quit, so that whatever is under way is of no use?
    pub(super) fn client_has_gone(&self) -> bool {
        self.ended.get().is_some() && !self.are_a_script()
    }
}

fn send_all(sender: &Sender<String>, is_last: fn(&str) -> bool) {
    let mut input = std::io::stdin().lock();
    let mut bytes = Vec::new();
    // Not every byte is a letter: what is none is not understood, but no error either.
    while matches!(input.read_until(b'\n', &mut bytes), Ok(1..)) {
        let line = String::from_utf8_lossy(&bytes).into_owned();
        let last = is_last(&line);
        if sender.send(line).is_err() || last {
            return;
        }
        bytes.clear();
    }
}

/// Says a line. If nobody listens any more, the end of the input will tell.
pub(super) fn say(line: &str) {
    let mut output = std::io::stdout().lock();
    let _ = writeln!(output, "{line}").and_then(|()| output.flush());
}
