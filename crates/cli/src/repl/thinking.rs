//! Runs the engine on a thread of its own, shows its progress in a line of the terminal, and stops it
//! at Ctrl-C.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::clocks::shown;
use super::input::key_waits;
use crate::cli::console::Console;
use crate::protocol::engine_thread::STACK;
use plyground_core::memory;
use plyground_core::value::{LEAST_MATE, Value};
use plyground_engine::door::{AnyGame, Player, TextReport};
use plyground_engine::game::Seat;
use plyground_engine::session::{BoundKind, GoLimits, MoveChoice, ThinkOutcome, ThinkRequest};

/// How often the keyboard is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// How the engine's thinking is shown and stopped.
pub(super) struct ThinkingDisplay<'a> {
    pub(super) console: &'a Console,
    /// Is there a terminal?
    pub(super) live: bool,
    /// Does a key stop it too? The key is left for the line editor.
    pub(super) any_key: bool,
    /// Without a terminal: is every new line of play printed?
    pub(super) lines: bool,
    /// The beginning of the line on the terminal.
    pub(super) title: String,
    /// Does it think about its own move, which may come from its book?
    pub(super) plays: bool,
    /// The time on the engine's clock, which ticks on the terminal.
    pub(super) clock: Option<Duration>,
}

impl ThinkingDisplay<'_> {
    /// Lets the engine think within these limits. The result has a move unless the game is over; `None`
    /// if the search panicked.
    pub(super) fn think(
        &self,
        player: &mut dyn Player,
        limits: GoLimits,
        choice: Option<MoveChoice>,
    ) -> Option<ThinkOutcome<String>> {
        // An interruption of earlier work does not concern this search.
        self.console.clear_interrupt();
        let stop = self.console.flag();
        // A fixed depth is for games that can be repeated.
        let book = self.plays && limits.depth.is_none();
        let request = ThinkRequest { stop: stop.clone(), choice, book, ..ThinkRequest::on(limits) };
        let bar = self.console.live_line();
        let game = player.line().game();
        let mover = player.line().mover();
        let exact_only = player.profile().selective().is_some();
        let started = Instant::now();
        // The last value that an iteration settled on, and its depth.
        let settled = Mutex::new(None);
        // Keys that were pressed before do not concern this search.
        let watched = self.live && self.any_key && !key_waits();
        if self.live {
            bar.set_message(self.title.clone());
        }
        let (done, over) = channel::<()>();
        let thought = thread::scope(|scope| {
            let work = || {
                let mut before = None;
                let mut show = |report: &TextReport<'_>| {
                    if report.number > 0 || exact_only && report.bound != BoundKind::Exact {
                        return;
                    }
                    if report.bound == BoundKind::Exact {
                        let value = (report.value, report.depth);
                        *settled.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
                    }
                    let text = || {
                        let value = value(game, mover, report.value, report.bound);
                        line(
                            report.depth,
                            &value,
                            (report.nodes, report.time),
                            &report.line.shown(),
                        )
                    };
                    if self.live {
                        bar.set_message(format!("{}{}", self.title, text()));
                    } else if self.lines {
                        // A line shorter than the depth ends the game: deeper searches repeat it.
                        let ends = report.line.count() < report.depth as usize;
                        let now = Some((report.value, report.line.written()));
                        if std::mem::replace(&mut before, now.clone()) == now && ends {
                            return;
                        }
                        // If the output is closed, nobody needs the rest.
                        if self.console.print(&format!("{}\n", text())).is_err() {
                            stop.raise();
                        }
                    }
                };
                let thought = player.think(&request, &mut show);
                drop(done);
                thought
            };
            let thread = memory::thread(STACK).and_then(|thread| thread.spawn_scoped(scope, work));
            let thread = thread.ok()?;
            while over.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if watched && key_waits() {
                    stop.raise();
                }
                if let Some(clock) = self.clock {
                    bar.set_prefix(format!("{}  ", shown(clock.saturating_sub(started.elapsed()))));
                }
            }
            thread.join().ok()
        });
        bar.finish_and_clear();
        let settled = settled.into_inner().unwrap_or_else(PoisonError::into_inner);
        match thought {
            None => {
                player.clear();
                None
            }
            // An iteration that was cut short has no more than a bound to tell.
            Some(mut thought) => {
                if let (BoundKind::AtLeast | BoundKind::AtMost, Some((value, depth))) =
                    (thought.bound, settled)
                {
                    (thought.value, thought.depth) = (value, depth);
                    thought.bound = BoundKind::Exact;
                }
                Some(thought)
            }
        }
    }
}

/// One line about a search in progress; moves as people write them.
pub(super) fn line(
    depth: u32,
    value: &str,
    (nodes, time): (u64, Duration),
    moves: &[String],
) -> String {
    let speed = format!("{}/s", amount(nodes as f64 / time.as_secs_f64().max(1e-3)));
    format!("depth {depth:>2}  {value:>21}  {speed:>8}  {}", moves.join(" "))
}

/// A value for people: always for the side that begins, which it names, and with a sign if it is only a
/// bound. The value is given for the side to move.
pub(super) fn value(game: &dyn AnyGame, mover: Seat, value: Value, bound: BoundKind) -> String {
    let [first, second] = game.sides();
    let (value, bound) = match (mover, bound) {
        (Seat::First, bound) => (value, bound),
        (Seat::Second, BoundKind::Exact) => (-value, BoundKind::Exact),
        (Seat::Second, BoundKind::AtLeast) => (-value, BoundKind::AtMost),
        (Seat::Second, BoundKind::AtMost) => (-value, BoundKind::AtLeast),
    };
    let sign = match bound {
        BoundKind::Exact => "",
        BoundKind::AtLeast => ">= ",
        BoundKind::AtMost => "<= ",
    };
    // A mate is the winner's.
    match value <= -LEAST_MATE {
        true => format!("{} for {second}", game.value_text(-value)),
        false => format!("{sign}{} for {first}", game.value_text(value)),
    }
}

/// A large number in few characters: `1.25 M`.
pub(super) fn amount(number: f64) -> String {
    match number {
        1e9.. => format!("{:.2} G", number / 1e9),
        1e6.. => format!("{:.2} M", number / 1e6),
        1e4.. => format!("{:.0} k", number / 1e3),
        _ => format!("{number:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_for_the_side_that_begins() {
        use plyground_core::value::MATE;
        use plyground_engine::game::Game;
        use plyground_games::chess::Chess;
        let told = |mover, number, bound| value(Chess::door(), mover, number, bound);
        assert_eq!(told(Seat::First, 35, BoundKind::Exact), "+0.35 pawns for white");
        assert_eq!(told(Seat::Second, 35, BoundKind::Exact), "-0.35 pawns for white");
        assert_eq!(told(Seat::Second, 35, BoundKind::AtLeast), "<= -0.35 pawns for white");
        assert_eq!(told(Seat::Second, MATE - 3, BoundKind::Exact), "mate in 2 for black");
        assert_eq!(told(Seat::First, 4 - MATE, BoundKind::Exact), "mate in 2 for black");
        assert_eq!(told(Seat::Second, 4 - MATE, BoundKind::Exact), "mate in 2 for white");
    }

    #[test]
    fn great_numbers_are_short() {
        for (number, expected) in [
            (0.0, "0"),
            (9_999.0, "9999"),
            (12_345.0, "12 k"),
            (1_250_000.0, "1.25 M"),
            (3e9, "3.00 G"),
        ] {
            assert_eq!(amount(number), expected);
        }
    }
}
