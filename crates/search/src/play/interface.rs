//! What goes into a search in play, and what comes out of it.

use super::switches::PlaySwitches;
use plyground_core::limits::Stop;
use plyground_core::value::Value;

/// How an iteration finds the root's value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlayDriver {
    /// Principal variation search in an aspiration window.
    #[default]
    Pvs,
    /// MTD(f): null windows that begin at the value of the iteration before.
    MtdF,
}

/// What to search, besides the tree.
#[derive(Clone, Copy, Debug)]
pub struct PlayRequest<'a, M> {
    /// The steps that the search takes.
    pub switches: PlaySwitches,
    /// The driver.
    pub driver: PlayDriver,
    /// The greatest depth, in plies.
    pub depth: u32,
    /// How many of the best moves are wanted, each with its value (UCI calls this MultiPV).
    pub lines: usize,
    /// The moves to choose from, all legal, in the order to begin with.
    pub moves: &'a [M],
    /// The keys of the game's positions before the root, the oldest first, for draws by repetition.
    pub game: &'a [u64],
}

/// What a value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundKind {
    /// The value is the true one.
    Exact,
    /// The true value is at least this: a lower bound.
    AtLeast,
    /// The true value is at most this: an upper bound.
    AtMost,
}

/// One of the best lines, reported when it is found.
#[derive(Clone, Copy, Debug)]
pub struct PlayLine<'a, M> {
    /// The depth of the iteration.
    pub depth: u32,
    /// The deepest ply that was reached.
    pub deepest: u32,
    /// The line's number: 0 is the best.
    pub number: usize,
    /// Its value for the side that moves at the root.
    pub value: Value,
    /// What the value says.
    pub bound: BoundKind,
    /// The nodes of all iterations so far.
    pub nodes: u64,
    /// The moves of the line.
    pub moves: &'a [M],
}

/// An iteration that was finished.
#[derive(Clone, Copy, Debug)]
pub struct PlayIteration<M> {
    /// Its depth.
    pub depth: u32,
    /// Its best move.
    pub best: M,
    /// The value of that move.
    pub value: Value,
    /// The nodes of all iterations so far.
    pub nodes: u64,
}

/// What controls a search from outside: it looks at the clock, receives the lines, and says when the
/// search is to end. The search itself reads no clock and prints nothing.
pub trait PlayControl<M> {
    /// Called now and then with the nodes so far: stops the search at once, or says in how many nodes
    /// to ask again, at most [`CHECK_INTERVAL`](super::CHECK_INTERVAL).
    fn check(&mut self, nodes: u64) -> Result<u64, Stop>;

    /// A line was found.
    fn on_line(&mut self, line: PlayLine<'_, M>);

    /// Shall there be another iteration after this one?
    fn continues_after(&mut self, iteration: PlayIteration<M>) -> bool;
}

/// A move of the root, and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// Its value, from the last time that it was among the best.
    pub value: Value,
    /// What that value says.
    pub bound: BoundKind,
    /// The line that begins with the move.
    pub line: Vec<M>,
}

/// The outcome of a search in play.
#[derive(Clone, Debug)]
pub struct PlayOutcome<M> {
    /// The moves of the root, the best ones first.
    pub moves: Vec<RootMove<M>>,
    /// The depth of the last iteration that was finished.
    pub depth: u32,
    /// The deepest ply that was reached.
    pub deepest: u32,
    /// All nodes, those of quiescence included.
    pub nodes: u64,
    /// Why the search ended before the depth that was asked for, if it did.
    pub stopped: Option<Stop>,
}

/// Why the recursion unwinds before it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unwind {
    /// The whole search stops.
    Stop(Stop),
    /// Another thread has resolved the node at this ply.
    Resolved(u8),
    /// The split point that this thread works at is no longer needed.
    Cut,
}

impl From<Stop> for Unwind {
    fn from(stop: Stop) -> Unwind {
        Unwind::Stop(stop)
    }
}
