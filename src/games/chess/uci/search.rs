//! What is done on a thread of its own: searching and counting.

use std::time::Duration;

use super::options::Options;
use super::parse::Go;
use super::{complain, say, score, written};
use crate::cli::bench;
use crate::protocol::engine_thread::{self, EngineThread};
use plyground_core::limits::StopFlag;
use plyground_engine::games::Games;
use plyground_engine::session::{BoundKind, Session, ThinkReport, ThinkRequest};
use plyground_games::chess::{self, Board, Chess, Move};

/// A search that is over before it may say so looks this often whether it may.
const WAIT: Duration = Duration::from_millis(1);

/// Bounds are told only when a move takes longer than this.
const LONG: Duration = Duration::from_secs(1);

/// A search on the other side's time.
pub(super) struct Pondering {
    hit: StopFlag,
    stop: StopFlag,
}

impl Pondering {
    /// The move that was pondered about was played; `false` if nobody ponders any more.
    pub(super) fn hit(self) -> bool {
        let ponders = !self.stop.is_raised();
        self.hit.raise();
        ponders
    }
}

/// Starts thinking about a move.
pub(super) fn begin(
    thread: &mut EngineThread<Chess>,
    go: Go,
    options: Options,
) -> Option<Pondering> {
    let stop = StopFlag::new();
    let hit = go.ponder.then(StopFlag::new);
    let request = ThinkRequest {
        limits: go.limits,
        stop: stop.clone(),
        ponder_hit: hit.clone(),
        moves: go.moves,
        lines: options.lines,
    };
    let infinite = go.infinite;
    let started = thread.begin(stop.clone(), move |session| {
        think(session, &request, infinite, options.analyses);
    });
    if !started && let Some(first) = thread.session().legal_moves().first() {
        say(&format!("bestmove {first}"));
    }
    hit.map(|hit| Pondering { hit, stop })
}

/// Starts the bench, whose total is that of the command.
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

/// Thinks, and says the best move when it is time to.
fn think(
    session: &mut Session<Chess>,
    request: &ThinkRequest<Move>,
    infinite: bool,
    analyses: bool,
) {
    let board = *session.position();
    let mut told = None;
    let mut tell = |report: &ThinkReport<'_, Move>| {
        if report.bound == BoundKind::Exact || analyses || report.time > LONG {
            say(&info(&board, report));
            if report.number == 0 && report.bound != BoundKind::AtMost {
                told = report.line.first().copied();
            }
        }
    };
    // A move has to be made whatever happens.
    let (best, ponder) = match engine_thread::think(session, request, &mut tell) {
        Some(thought) => {
            if thought.best.is_none() {
                say(&format!("info depth 0 score {}", score(thought.value)));
            } else if thought.best != told {
                // It was found in an iteration that did not come to its end.
                say(&info(&board, &thought.report(session.permille_full())));
            }
            (thought.best, thought.ponder)
        }
        None => {
            complain("the search broke down; any move will do");
            (session.legal_moves().first().copied(), None)
        }
    };
    let pondering = || request.ponder_hit.as_ref().is_some_and(|hit| !hit.is_raised());
    while (infinite || pondering()) && !request.stop.is_raised() {
        std::thread::sleep(WAIT);
    }
    let best = best.map_or_else(|| "0000".into(), |mv| written(session, &[mv]));
    match ponder {
        Some(ponder) => say(&format!("bestmove {best} ponder {ponder}")),
        None => say(&format!("bestmove {best}")),
    }
}

/// A line of what is told while thinking.
fn info(board: &Board, report: &ThinkReport<'_, Move>) -> String {
    use plyground_engine::game::Game;
    let bound = match report.bound {
        BoundKind::Exact => "",
        BoundKind::AtLeast => " lowerbound",
        BoundKind::AtMost => " upperbound",
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
