//! The work that is done on the engine's thread: searching and counting.

use std::time::{Duration, Instant};

use super::options::UciOptions;
use super::parse::GoCommand;
use super::strength::{self, UciStrength};
use super::{complain, say, score, written};
use crate::cli::bench;
use crate::protocol::engine_thread::{self, EngineThread};
use plyground_core::limits::StopFlag;
use plyground_engine::games::Games;
use plyground_engine::perft::divide;
use plyground_engine::session::{BoundKind, PonderHit, Session, ThinkReport, ThinkRequest};
use plyground_games::chess::{Board, Chess, Move};

/// How often a finished search checks whether it may report its move.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Bounds are reported only if a move takes longer than this.
const BOUNDS_AFTER: Duration = Duration::from_secs(1);

/// A search on the other side's time.
pub(super) struct Pondering {
    hit: PonderHit,
    stop: StopFlag,
}

impl Pondering {
    /// The expected move was played, and the clock runs from then on; `false` if the search was stopped
    /// already.
    pub(super) fn hit(self, since: Instant) -> bool {
        let ponders = !self.stop.is_raised();
        self.hit.make(since);
        ponders
    }
}

/// Starts thinking about a move; the clock runs since `asked`.
pub(super) fn begin(
    thread: &mut EngineThread<Chess>,
    go: GoCommand,
    options: UciOptions,
    strength: &UciStrength,
    asked: Instant,
) -> Option<Pondering> {
    let stop = StopFlag::new();
    let hit = go.ponder.then(PonderHit::new);
    // An analysis is at full strength.
    let plays = !go.infinite && !options.analyses && options.lines == 1;
    let (limits, choice) = match plays {
        true => strength.of_move(thread.session(), &go.limits, &options),
        false => (go.limits, None),
    };
    // Whoever asks for a depth or for nodes wants to see a search.
    let timed = limits.clock.is_some() || limits.move_time.is_some();
    let request = ThinkRequest {
        book: plays && timed && !go.ponder,
        limits,
        stop: stop.clone(),
        asked: Some(asked),
        ponder_hit: hit.clone(),
        moves: go.moves,
        lines: options.lines,
        choice,
    };
    let infinite = go.infinite;
    thread.begin(stop.clone(), move |session| {
        think(session, &request, infinite, options);
    });
    hit.map(|hit| Pondering { hit, stop })
}

/// Starts the bench; its total is that of `plyground bench`.
pub(super) fn begin_bench(thread: &mut EngineThread<Chess>, games: &Games) {
    let stop = StopFlag::new();
    let (flag, games) = (stop.clone(), games.clone());
    thread.begin(stop, move |_| match bench::all(&games, &flag) {
        Ok(lines) => lines.iter().for_each(|line| say(line)),
        Err(error) => complain(&error.to_string()),
    });
}

/// Starts counting positions.
pub(super) fn begin_perft(thread: &mut EngineThread<Chess>, depth: u32) {
    let stop = StopFlag::new();
    let flag = stop.clone();
    thread.begin(stop, move |session| count(session.position(), depth, &flag));
}

/// Searches, and reports the best move as soon as the protocol allows.
fn think(
    session: &mut Session<Chess>,
    request: &ThinkRequest<Move>,
    infinite: bool,
    options: UciOptions,
) {
    let board = *session.position();
    let mut reported = None;
    let mut on_report = |report: &ThinkReport<'_, Move>| {
        if report.bound == BoundKind::Exact || options.analyses || report.time > BOUNDS_AFTER {
            say(&info(&board, report, options.wdl));
            if report.number == 0 && report.bound != BoundKind::AtMost {
                reported = report.line.first().copied();
            }
        }
    };
    // A move is reported even if the search panics.
    let (best, ponder) = match engine_thread::think(session, request, &mut on_report) {
        Some(thought) => {
            if let Some(failure) = thought.failure {
                complain(&format!("{failure}; any move will do"));
            }
            if thought.best.is_none() {
                say(&format!("info depth 0 score {}", score(thought.value)));
            } else if thought.best != reported {
                // An unfinished iteration found this move.
                say(&info(&board, &thought.report(session.permille_full()), options.wdl));
            }
            (thought.best, thought.ponder)
        }
        None => {
            complain("the search broke down; any move will do");
            (session.legal_moves().first().copied(), None)
        }
    };
    let pondering = || request.ponder_hit.as_ref().is_some_and(|hit| hit.made().is_none());
    while (infinite || pondering()) && !request.stop.is_raised() {
        std::thread::sleep(POLL_INTERVAL);
    }
    let best = best.map_or_else(|| "0000".into(), |mv| written(session, &[mv]));
    match ponder {
        Some(ponder) => say(&format!("bestmove {best} ponder {ponder}")),
        None => say(&format!("bestmove {best}")),
    }
}

/// An `info` line.
fn info(board: &Board, report: &ThinkReport<'_, Move>, wdl: bool) -> String {
    use plyground_engine::game::Game;
    let bound = match report.bound {
        BoundKind::Exact => "",
        BoundKind::AtLeast => " lowerbound",
        BoundKind::AtMost => " upperbound",
    };
    let wdl = if wdl { format!(" wdl {}", strength::wdl(report.value)) } else { String::new() };
    let speed = (report.nodes as f64 / report.time.as_secs_f64().max(1e-6)) as u64;
    format!(
        "info depth {} seldepth {} multipv {} score {}{bound}{wdl} nodes {} nps {speed} hashfull {} time {} pv {}",
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

/// Counts the positions below each move.
fn count(board: &Board, depth: u32, stop: &StopFlag) {
    let mut sum = u64::from(depth == 0);
    if depth > 0 {
        for (mv, below) in divide::<Chess>(board, depth, stop) {
            say(&format!("{mv}: {below}"));
            sum += below;
        }
    }
    if stop.is_raised() {
        return complain("perft: stopped");
    }
    say(&format!("\nNodes searched: {sum}"));
}
