//! What goes into thinking about a move, and what comes out of it.

use std::ops::Deref;
use std::time::{Duration, Instant};

use super::{BoundKind, GoLimits, MoveChoice, PonderHit};
use plyground_core::limits::StopFlag;
use plyground_core::value::Value;
use plyground_search::SearchError;

/// What to think about and for how long.
#[derive(Clone, Debug)]
pub struct ThinkRequest<M> {
    /// When to stop.
    pub limits: GoLimits,
    /// Stops the search when it is raised.
    pub stop: StopFlag,
    /// When the clock began to run: when the request was read. `None` if it begins to run when the
    /// thinking does. On a busy machine a thread may wait for a long time between the two.
    pub asked: Option<Instant>,
    /// If there is one, the engine *ponders*: it thinks while the other side's clock runs. When the
    /// hit is made its own clock starts, and the time counts from then on.
    pub ponder_hit: Option<PonderHit>,
    /// The moves to choose from; if it is empty, all legal moves. Illegal moves are ignored.
    pub moves: Vec<M>,
    /// How many of the best lines to report: 1, or more for *multi-PV*.
    pub lines: usize,
    /// How to choose a move that need not be the best; `None` for the best.
    pub choice: Option<MoveChoice>,
    /// May the move come from the engine's book? In a game, but not in an analysis.
    pub book: bool,
}

impl<M> ThinkRequest<M> {
    /// A request for the best of all moves within these limits.
    pub fn on(limits: GoLimits) -> ThinkRequest<M> {
        let (stop, moves) = (StopFlag::default(), Vec::new());
        ThinkRequest {
            limits,
            stop,
            asked: None,
            ponder_hit: None,
            moves,
            lines: 1,
            choice: None,
            book: false,
        }
    }
}

/// How far a search has come: a [report](ThinkReport) without its moves.
#[derive(Clone, Copy, Debug)]
pub struct ThinkProgress {
    /// The depth of the iteration.
    pub depth: u32,
    /// The deepest ply that the search has reached, extensions and quiescence included.
    pub deepest: u32,
    /// The number of the line, with several lines: 0 is the best.
    pub number: usize,
    /// The value of the line for the side to move.
    pub value: Value,
    /// Whether the value is exact or a bound.
    pub bound: BoundKind,
    /// How many positions were searched, those of quiescence included.
    pub nodes: u64,
    /// The time so far.
    pub time: Duration,
    /// How much of the table is full, in thousandths.
    pub full: u32,
}

/// A report of a search in progress: a line that it has found.
#[derive(Clone, Copy, Debug)]
pub struct ThinkReport<'a, M> {
    /// How far the search has come.
    pub progress: ThinkProgress,
    /// The moves of the line.
    pub line: &'a [M],
}

impl<M> Deref for ThinkReport<'_, M> {
    type Target = ThinkProgress;

    fn deref(&self) -> &ThinkProgress {
        &self.progress
    }
}

/// The outcome of thinking about a move.
#[derive(Clone, Debug)]
pub struct ThinkOutcome<M> {
    /// The best move; `None` only if the game is over.
    pub best: Option<M>,
    /// The answer that is expected from the other side.
    pub ponder: Option<M>,
    /// What the best move is worth to the side to move.
    pub value: Value,
    /// Whether the value is exact or a bound.
    pub bound: BoundKind,
    /// The depth of the last iteration that was finished.
    pub depth: u32,
    /// The deepest ply that the search has reached.
    pub deepest: u32,
    /// How many positions were searched.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
    /// Why nothing could be searched; the move is then any one.
    pub failure: Option<SearchError>,
    /// The best line, which begins with the best move.
    pub line: Vec<M>,
}

impl<M> ThinkOutcome<M> {
    /// The outcome in the form of a report; `full` is how much of the table is full, in
    /// thousandths.
    pub fn report(&self, full: u32) -> ThinkReport<'_, M> {
        let progress = ThinkProgress {
            depth: self.depth.max(1),
            deepest: self.deepest,
            number: 0,
            value: self.value,
            bound: self.bound,
            nodes: self.nodes,
            time: self.time,
            full,
        };
        ThinkReport { progress, line: &self.line }
    }
}
