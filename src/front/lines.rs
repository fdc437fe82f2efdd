//! Lines in and out: what every protocol does with standard input and output.

use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::console::Console;
use crate::limits::StopFlag;

/// Ctrl-C is looked for this often.
const PATIENCE: Duration = Duration::from_millis(100);

/// The lines of the input, read on another thread while this one works.
pub(super) struct Lines {
    receiver: Receiver<String>,
    over: StopFlag,
}

impl Lines {
    /// Reads on. Nothing is read after a line that `is_last`.
    pub(super) fn read(is_last: fn(&str) -> bool) -> Lines {
        let (sender, receiver) = channel();
        let over = StopFlag::new();
        let flag = over.clone();
        std::thread::spawn(move || {
            send_all(&sender, is_last);
            flag.raise();
        });
        Lines { receiver, over }
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

    /// Has everything been read, if not yet been listened to?
    pub(super) fn are_over(&self) -> bool {
        self.over.is_raised()
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
