//! A search on its own thread, which takes the session with it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread::JoinHandle;
use std::time::Duration;

use super::options::Options;
use super::words::Go;
use super::{complain, say, score, written};
use crate::chess::{self, Board, Chess, Move};
use crate::limits::StopFlag;
use crate::session::{Orders, Report, Session, Told};

/// A recursion of a hundred plies fits into less, but memory that is not used costs nothing.
const STACK: usize = 32 << 20;

/// A search that is over before it may say so looks this often whether it may.
const WAIT: Duration = Duration::from_millis(1);

/// Bounds are told only when a move takes longer than this.
const LONG: Duration = Duration::from_secs(1);

/// A search in progress.
pub(super) struct Running {
    thread: Option<JoinHandle<Box<Session<Chess>>>>,
    /// The session, if the thread could not be started.
    kept: Option<Box<Session<Chess>>>,
    stop: StopFlag,
    /// Raised by `ponderhit`, if this is pondering.
    hit: Option<StopFlag>,
    /// Can the search take `ponderhit` without a stop?
    selective: bool,
}

impl Running {
    /// Starts thinking about a move.
    pub(super) fn search(session: Box<Session<Chess>>, go: Go, options: Options) -> Running {
        let stop = StopFlag::new();
        let hit = go.ponder.then(StopFlag::new);
        let orders = Orders {
            terms: go.terms,
            stop: stop.clone(),
            ponder_hit: hit.clone(),
            moves: go.moves,
            lines: options.lines,
        };
        let infinite = go.infinite;
        let work = move |session: &mut Session<Chess>| {
            think(session, &orders, infinite, options.analyses);
        };
        Running::start(session, stop, hit, work)
    }

    /// Starts counting positions.
    pub(super) fn perft(session: Box<Session<Chess>>, depth: u32) -> Running {
        let stop = StopFlag::new();
        let flag = stop.clone();
        let work = move |session: &mut Session<Chess>| count(session.position(), depth, &flag);
        Running::start(session, stop, None, work)
    }

    fn start(
        session: Box<Session<Chess>>,
        stop: StopFlag,
        hit: Option<StopFlag>,
        work: impl FnOnce(&mut Session<Chess>) + Send + 'static,
    ) -> Running {
        let selective = session.is_selective();
        // Both the thread and, if there is none, this function can take it.
        let shared = std::sync::Arc::new(std::sync::Mutex::new(Some(session)));
        let theirs = shared.clone();
        let builder = std::thread::Builder::new().stack_size(STACK);
        let thread = builder.spawn(move || {
            let taken = theirs.lock().ok().and_then(|mut session| session.take());
            let mut session = taken.expect("the session was put there for this thread");
            work(&mut session);
            session
        });
        match thread {
            Ok(thread) => Running { thread: Some(thread), kept: None, stop, hit, selective },
            Err(error) => {
                complain(&format!("no thread could be started: {error}"));
                let kept = shared.lock().ok().and_then(|mut session| session.take());
                if let Some(first) = kept.as_ref().and_then(|s| s.legal_moves().first().copied()) {
                    say(&format!("bestmove {first}"));
                }
                Running { thread: None, kept, stop, hit, selective }
            }
        }
    }

    /// Asks it to come to an end.
    pub(super) fn stop(&self) {
        self.stop.raise();
    }

    /// The move that was pondered about was played; `false` if nobody ponders, or not any more.
    pub(super) fn ponder_hit(&self) -> bool {
        let Some(hit) = &self.hit else { return false };
        let first = !hit.is_raised() && !self.stop.is_raised();
        hit.raise();
        // A search of the laboratory has no clock that could begin to run now.
        if !self.selective {
            self.stop.raise();
        }
        first
    }

    /// Stops it and gives the session back.
    pub(super) fn end(self) -> Option<Box<Session<Chess>>> {
        self.stop.raise();
        match self.thread {
            Some(thread) => thread.join().ok(),
            None => self.kept,
        }
    }
}

/// Thinks, and says the best move when it is time to.
fn think(session: &mut Session<Chess>, orders: &Orders<Move>, infinite: bool, analyses: bool) {
    let board = *session.position();
    let mut tell = |report: &Report<'_, Move>| {
        if report.told == Told::Exact || analyses || report.time > LONG {
            say(&info(&board, report));
        }
    };
    // A move has to be made whatever happens.
    let thought = catch_unwind(AssertUnwindSafe(|| session.think(orders, &mut tell)));
    let (best, ponder) = match thought {
        Ok(thought) => {
            if thought.best.is_none() {
                say(&format!("info depth 0 score {}", score(thought.value)));
            }
            (thought.best, thought.ponder)
        }
        Err(_) => {
            complain("the search broke down; any move will do");
            session.clear();
            (session.legal_moves().first().copied(), None)
        }
    };
    let pondering = || orders.ponder_hit.as_ref().is_some_and(|hit| !hit.is_raised());
    while (infinite || pondering()) && !orders.stop.is_raised() {
        std::thread::sleep(WAIT);
    }
    let best = best.map_or_else(|| "0000".into(), |mv| written(session, &[mv]));
    match ponder {
        Some(ponder) => say(&format!("bestmove {best} ponder {ponder}")),
        None => say(&format!("bestmove {best}")),
    }
}

/// A line of what is told while thinking.
fn info(board: &Board, report: &Report<'_, Move>) -> String {
    use crate::game::Game;
    let bound = match report.told {
        Told::Exact => "",
        Told::AtLeast => " lowerbound",
        Told::AtMost => " upperbound",
    };
    let speed = (report.nodes as f64 / report.time.as_secs_f64().max(1e-6)) as u64;
    format!(
        "info depth {} seldepth {} multipv {} score {}{bound} nodes {} nps {speed} hashfull {} time {} pv {}",
        report.depth,
        report.deepest.max(report.depth),
        report.number + 1,
        score(report.value),
        report.nodes,
        report.full,
        report.time.as_millis(),
        Chess::written(board, report.line).join(" "),
    )
}

/// Below this depth a count is not interrupted: it takes a blink.
const BLINK: u32 = 4;

/// Counts the positions below each move.
fn count(board: &Board, depth: u32, stop: &StopFlag) {
    let mut sum = 0;
    if depth > 0 {
        for mv in board.moves() {
            let Some(below) = perft(&board.play(mv), depth - 1, stop) else {
                return complain("perft: stopped");
            };
            say(&format!("{mv}: {below}"));
            sum += below;
        }
    } else {
        sum = 1;
    }
    say(&format!("\nNodes searched: {sum}"));
}

fn perft(board: &Board, depth: u32, stop: &StopFlag) -> Option<u64> {
    if stop.is_raised() {
        return None;
    }
    if depth <= BLINK {
        return Some(chess::perft(board, depth));
    }
    board.moves().into_iter().map(|mv| perft(&board.play(mv), depth - 1, stop)).sum()
}
