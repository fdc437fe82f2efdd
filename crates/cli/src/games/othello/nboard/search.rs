//! The requests of the interface, on the engine's thread: hints, a move, the analysis of a game.

use std::time::Duration;

use super::{complain, say};
use crate::protocol::engine_thread::{self, EngineThread};
use plyground_core::limits::StopFlag;
use plyground_core::value::Value;
use plyground_engine::game::Game;
use plyground_engine::levels::Level;
use plyground_engine::session::{
    BoundKind, GoLimits, Session, ThinkOutcome, ThinkReport, ThinkRequest,
};
use plyground_games::othello::{DISC, Move, Othello, Position};

/// A request of the interface.
#[derive(Clone, Copy, Debug)]
pub(super) enum NboardRequest {
    /// This many of the best lines.
    Hints(usize),
    /// A move.
    Move,
    /// Every position of the game.
    Analysis,
}

/// How strong the engine is.
pub(super) struct NboardStrength {
    /// The depth that the interface has set.
    pub(super) depth: Option<u32>,
    /// The level of the moves that it plays; `None` for full strength.
    pub(super) level: Option<Level>,
    /// What the level's random choices follow from.
    pub(super) seed: u64,
}

/// The time for a search without a depth.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// An endgame is solved if that usually takes at most this long.
const QUICK_SOLVE: Duration = Duration::from_millis(500);

/// The limit of solving an endgame. It takes half of this at the most as a rule, and usually less.
const SOLVE_LIMIT: Duration = Duration::from_secs(4);

/// Starts to work on a request.
pub(super) fn begin(
    thread: &mut EngineThread<Othello>,
    request: NboardRequest,
    strength: NboardStrength,
) {
    let stop = StopFlag::new();
    let flag = stop.clone();
    thread.begin(stop, move |session| {
        let lines = if let NboardRequest::Hints(lines) = request { lines } else { 1 };
        let mut thinker = Thinker { session, strength, lines, stop: flag };
        say("status Thinking");
        match request {
            NboardRequest::Hints(_) => thinker.hint(),
            NboardRequest::Move => thinker.go(),
            NboardRequest::Analysis => thinker.analyze(),
        }
        say("status");
    });
}

/// The work on one request.
struct Thinker<'a> {
    session: &'a mut Session<Othello>,
    strength: NboardStrength,
    lines: usize,
    stop: StopFlag,
}

impl Thinker<'_> {
    fn hint(&mut self) {
        match self.think(true, false) {
            Some(thought) if thought.best.is_none() => complain("The game is over"),
            _ => {}
        }
    }

    /// Reports a move without playing it: the interface sends the move that was played.
    fn go(&mut self) {
        let board = self.session.position().board;
        if board.moves().is_empty() {
            return say("=== PA");
        }
        let first = self.session.legal_moves().first().copied().flatten();
        match self.think(true, true) {
            Some(thought) => say(&format!(
                "=== {}/{}/{:.2}",
                written(thought.best.unwrap_or(first)),
                discs(thought.value),
                thought.time.as_secs_f64()
            )),
            None => say(&format!("=== {}", written(first))),
        }
    }

    /// Analyses the positions from last to first: the results of later positions are in the table then.
    fn analyze(&mut self) {
        let line = self.session.line().clone();
        for (number, position) in line.positions().iter().enumerate().rev() {
            self.session.set_position(*position);
            let thought = self.think(false, false);
            if self.stop.is_raised() {
                break;
            }
            if let Some(thought) = thought {
                say(&format!("analysis {number} {}", discs(thought.value)));
            }
        }
        self.session.set_line(line);
    }

    /// Searches the position, at the level if it is to play; `None` if the search panicked.
    fn think(&mut self, shows_lines: bool, plays: bool) -> Option<ThinkOutcome<Move>> {
        let position = *self.session.position();
        let level = self.strength.level.as_ref().filter(|_| plays);
        let limits = match level {
            Some(level) => level.limits(),
            None => limits(&position, self.strength.depth, self.lines),
        };
        let choice = level.and_then(|level| level.choice(self.strength.seed));
        let solves = limits.depth.is_none();
        let stop = self.stop.clone();
        let (lines, book) = (self.lines, plays && level.is_none());
        let request = ThinkRequest { stop, lines, choice, book, ..ThinkRequest::on(limits) };
        let thought = engine_thread::think(self.session, &request, &mut |report| {
            if shows_lines && report.bound == BoundKind::Exact {
                say(&hint(&position, report, solves));
            }
        });
        match &thought {
            Some(thought) => say(&nodestats(thought.nodes, thought.time)),
            None => complain("the search broke down"),
        }
        thought
    }
}

/// The limits of a search: the depth that was set, or solving the endgame.
fn limits(position: &Position, depth: Option<u32>, lines: usize) -> GoLimits {
    let board = &position.board;
    let near = depth.is_none_or(|depth| board.empties().len() as u32 <= 2 * depth);
    let quick = Othello::endgame_solver()
        .and_then(|solver| solver.expected_time(position))
        .is_some_and(|time| time <= QUICK_SOLVE);
    if near && quick && lines == 1 && board.moves().len() > 1 {
        return GoLimits { move_time: Some(SOLVE_LIMIT), ..GoLimits::default() };
    }
    let move_time = if depth.is_none() { Some(DEFAULT_TIME) } else { None };
    GoLimits { depth, move_time, ..GoLimits::default() }
}

/// A line of a hint.
fn hint(position: &Position, report: &ThinkReport<'_, Move>, solves: bool) -> String {
    let line: String = report.line.iter().map(|&mv| written(mv)).collect();
    let mut end = *position;
    for &mv in report.line {
        end = Othello::played(&end, mv).unwrap_or(end);
    }
    // The value is exact if the line reaches the end of the game.
    let certain = solves && end.board.is_over() && report.depth as usize == report.line.len();
    let depth = if certain { "100%".into() } else { report.depth.to_string() };
    format!(
        "search {line} {} 0 {depth}\n{}",
        discs(report.value),
        nodestats(report.nodes, report.time)
    )
}

fn nodestats(nodes: u64, time: Duration) -> String {
    format!("nodestats {nodes} {:.2}", time.as_secs_f64())
}

/// A value in discs.
fn discs(value: Value) -> String {
    format!("{:.2}", f64::from(value) / f64::from(DISC))
}

/// A move in two letters.
fn written(mv: Move) -> String {
    mv.map_or_else(|| "PA".into(), |square| square.to_string().to_uppercase())
}
