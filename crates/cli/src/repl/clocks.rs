//! The two clocks of a game. They remember the time left before every move, so that taking back a move
//! gives its time back.

use std::io::Write;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use plyground_engine::game::Seat;
use plyground_study::tournament::TimeControl;

pub(super) struct GameClocks {
    time: TimeControl,
    /// The time left of both sides before each move, and now.
    left: Vec<[Duration; 2]>,
    /// When the mover's clock started.
    since: Instant,
}

impl GameClocks {
    /// Full clocks in a game that has `plies` moves already.
    pub(super) fn new(time: TimeControl, plies: usize) -> GameClocks {
        GameClocks { time, left: vec![[time.base; 2]; plies + 1], since: Instant::now() }
    }

    /// Starts the mover's clock.
    pub(super) fn start(&mut self) {
        self.since = Instant::now();
    }

    fn stopped(&self, plies: usize) -> [Duration; 2] {
        let left = self.left.get(plies).or(self.left.last());
        left.copied().unwrap_or([self.time.base; 2])
    }

    /// The time left of both sides after `plies` moves, while `mover`'s clock runs.
    pub(super) fn left(&self, plies: usize, mover: Seat) -> [Duration; 2] {
        let mut left = self.stopped(plies);
        let own = &mut left[mover.index()];
        *own = own.saturating_sub(self.since.elapsed());
        left
    }

    /// Stops the mover's clock after its move; `false` if its time had run out.
    pub(super) fn press(&mut self, plies: usize, mover: Seat) -> bool {
        let mut next = self.stopped(plies);
        self.left.resize(plies + 1, next);
        let Some(left) = next[mover.index()].checked_sub(self.since.elapsed()) else {
            return false;
        };
        next[mover.index()] = left.saturating_add(self.time.increment);
        self.left.push(next);
        self.start();
        true
    }
}

/// A clock that ticks at the right end of the prompt's line while a person thinks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticker {
    /// The time that is left when it starts.
    pub(super) left: Duration,
    /// The columns of the terminal.
    pub(super) width: usize,
}

/// The columns that a clock takes.
const CLOCK: usize = 9;

impl Ticker {
    /// Shows the time until the returned sender is dropped, then ends; the handle waits for that.
    pub(super) fn start(self) -> Option<(Sender<()>, JoinHandle<()>)> {
        let column = self.width.checked_sub(CLOCK + 20)? + 20;
        let (running, stopped) = channel::<()>();
        let tick = move || {
            let since = Instant::now();
            loop {
                let left = self.left.saturating_sub(since.elapsed());
                // The cursor is kept, moved and put back, in one write: the line editor does not notice.
                let text = format!("\x1b7\x1b[{column}G{:>CLOCK$}\x1b8", shown(left));
                let mut out = std::io::stdout().lock();
                let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
                drop(out);
                let pause = if left < Duration::from_secs(20) { 100 } else { 1000 };
                let waited = stopped.recv_timeout(Duration::from_millis(pause));
                if written.is_err() || waited != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
        };
        Some((running, std::thread::Builder::new().spawn(tick).ok()?))
    }
}

/// A time as a clock shows it: `4:59`, or `9.3` where tenths matter.
pub(super) fn shown(time: Duration) -> String {
    if time < Duration::from_secs(20) {
        return format!("{}.{} s", time.as_secs(), time.subsec_millis() / 100);
    }
    // A started second is shown as a whole one.
    let seconds = time.as_millis().div_ceil(1000);
    match seconds {
        ..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(n: u64) -> Duration {
        Duration::from_secs(n)
    }

    #[test]
    fn a_move_taken_back_gives_its_time_back() {
        let time = TimeControl { base: seconds(100), increment: seconds(5) };
        let mut clocks = GameClocks::new(time, 2);
        assert!(clocks.press(2, Seat::First) && clocks.press(3, Seat::Second));
        let after = clocks.left(4, Seat::First);
        assert!(after.iter().all(|left| *left > seconds(100) && *left <= seconds(105)));
        assert!(clocks.left(2, Seat::First).iter().all(|left| *left <= seconds(100)));
        // Another move from there forgets what came after.
        assert!(clocks.press(2, Seat::First));
        assert_eq!(clocks.left(3, Seat::First)[1], seconds(100));
    }

    #[test]
    fn a_side_without_time_is_too_late() {
        let mut clocks =
            GameClocks::new(TimeControl { base: Duration::ZERO, increment: seconds(1) }, 0);
        std::thread::sleep(Duration::from_millis(1));
        assert!(!clocks.press(0, Seat::First));
        assert_eq!(clocks.left(0, Seat::First)[0], Duration::ZERO);
    }

    #[test]
    fn clocks_are_read_at_a_glance() {
        for (time, expected) in [(9_340, "9.3 s"), (64_300, "1:05"), (3_661_000, "1:01:01")] {
            assert_eq!(shown(Duration::from_millis(time)), expected);
        }
    }
}
