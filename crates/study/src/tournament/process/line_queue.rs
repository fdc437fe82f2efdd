//! The lines that a program has written and nobody has read yet: at most so many bytes of them.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The most bytes in the queue; the program has to wait while it is full.
const MOST_BYTES: usize = 4 << 20;
/// The bytes that a line costs besides its text: a queue of empty lines has a bound as well.
const LINE_COST: usize = 64;

/// What a wait for a line came to.
pub(super) enum Taken {
    /// A line, and when it came.
    Line(Instant, String),
    /// No line within the time.
    Nothing,
    /// There will be no more lines.
    Ended,
}

/// A queue between the thread that reads a program's output and the one that uses it.
#[derive(Default)]
pub(super) struct LineQueue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    lines: VecDeque<(Instant, String)>,
    bytes: usize,
    /// Set when the program's output has ended.
    ended: bool,
    /// Set when nobody will take a line any more.
    abandoned: bool,
}

impl LineQueue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a line as soon as there is room for it; `false` if nobody will take it.
    pub(super) fn push(&self, came: Instant, line: String) -> bool {
        let cost = line.len() + LINE_COST;
        let full = |state: &mut State| {
            state.bytes + cost > MOST_BYTES && !state.lines.is_empty() && !state.abandoned
        };
        let waiting = self.changed.wait_while(self.state(), full);
        let mut state = waiting.unwrap_or_else(PoisonError::into_inner);
        if state.abandoned {
            return false;
        }
        state.bytes += cost;
        state.lines.push_back((came, line));
        self.changed.notify_all();
        true
    }

    /// No more lines will come.
    pub(super) fn end(&self) {
        self.state().ended = true;
        self.changed.notify_all();
    }

    /// No more lines will be taken.
    pub(super) fn abandon(&self) {
        let mut state = self.state();
        (state.abandoned, state.bytes) = (true, 0);
        state.lines.clear();
        self.changed.notify_all();
    }

    /// The next line; waits at most this long.
    pub(super) fn take(&self, patience: Duration) -> Taken {
        let empty = |state: &mut State| state.lines.is_empty() && !state.ended;
        let waiting = self.changed.wait_timeout_while(self.state(), patience, empty);
        let (mut state, _) = waiting.unwrap_or_else(PoisonError::into_inner);
        let Some((came, line)) = state.lines.pop_front() else {
            return if state.ended { Taken::Ended } else { Taken::Nothing };
        };
        state.bytes -= line.len() + LINE_COST;
        self.changed.notify_all();
        Taken::Line(came, line)
    }

    #[cfg(test)]
    fn bytes(&self) -> usize {
        self.state().bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A writer that is quicker than the reader waits; every line arrives, in order.
    #[test]
    fn the_queue_is_bounded_in_bytes() {
        for (length, count) in [(0, 100_000), (1 << 20, 20), (5 << 20, 3)] {
            let queue = LineQueue::default();
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    for number in 0..count {
                        let line = " ".repeat(length) + &number.to_string();
                        let most = MOST_BYTES.max(line.len() + LINE_COST);
                        assert!(queue.push(Instant::now(), line));
                        assert!(queue.bytes() <= most);
                    }
                    queue.end();
                });
                for number in 0..count {
                    let Taken::Line(_, line) = queue.take(Duration::from_secs(1000)) else {
                        panic!("line {number} of {count}")
                    };
                    assert_eq!(line.trim(), number.to_string());
                }
                assert!(matches!(queue.take(Duration::from_secs(1000)), Taken::Ended));
            });
            assert_eq!(queue.bytes(), 0);
        }
    }

    /// A writer that waits for room goes home when nobody will read.
    #[test]
    fn an_abandoned_queue_takes_no_lines() {
        let queue = LineQueue::default();
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| while queue.push(Instant::now(), "x".repeat(1 << 20)) {});
            assert!(matches!(queue.take(Duration::from_secs(1000)), Taken::Line(..)));
            queue.abandon();
            writer.join().unwrap();
        });
        assert!(matches!(queue.take(Duration::ZERO), Taken::Nothing));
    }
}
