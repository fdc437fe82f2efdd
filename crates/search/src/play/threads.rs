//! Thinking on several threads.
//!
//! All threads search the same root at the same depth with the same window, and share the table and
//! the histories: what one thread has searched the others find in the table, and all try moves in
//! about the same order. Left alone they would do much of the same work at the same time, so three
//! things keep them apart:
//!
//! - A thread says which moves it is searching, and another that comes to such a move defers it until
//!   it has searched the others; by then the table will know the move (Kerrigan's simplified ABDADA,
//!   after Weill's).
//! - Now and then a thread looks whether the table has come to know a node on its path, because another
//!   thread has searched that node to its end; then it unwinds to the node at once. This holds on the
//!   principal variation too, whose nodes take no other answer from the table: without it two threads
//!   came to a depth 1.5 times as fast as one, with it nearly twice.
//! - What is found at the root goes into a [`RootLog`] that all threads read.
//!
//! That is the default [scheme](PlayScheme). By lazy SMP they are left alone: they share the table and the
//! histories and nothing else, and every other helper is a ply ahead of the rest, so that not all do the
//! same. By young brothers wait and dynamic splitting the main thread alone searches the root, and helpers
//! join at [split points](super::split).
//!
//! The main thread, which is the caller's, alone looks at the clock, reports lines and decides when to
//! end. Helpers start when it has done the first iterations, which take less time than starting a
//! thread, and are gone when [`think`] returns.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::{Scope, ScopedJoinHandle};

use super::history::PlayHistory;
use super::interface::{PlayControl, PlayIteration, PlayLine, PlayOutcome, PlayRequest, Unwind};
use super::root::iterative_deepening;
use super::root_log::{NewBest, RootEvent, RootLog, RootLogCursor};
use super::split::{SplitNode, SplitView, help};
use super::state::PlaySearch;
use super::switches::PlayScheme;
use crate::in_flight::InFlight;
use crate::parallel::NodeKind;
use crate::table::TranspositionTable;
use plyground_core::limits::Stop;
use plyground_core::memory;
use plyground_core::split_points::{EndOnDrop, SplitPoints};
use plyground_core::tree::PlayTree;
use plyground_core::value::{Bounds, Value, Window};

/// Helpers start after the iteration of this depth.
const HELPERS_AFTER: u32 = 4;

/// Threads keep out of each other's way at nodes of at least this depth: nearer to the horizon, asking
/// costs more than it saves.
const SHARED_DEPTH: i32 = 4;

/// How often a helper looks whether it is to end, in nodes.
const HELPER_INTERVAL: u64 = 256;

/// The stack of a helper. A recursion of a hundred plies fits into less, but memory that is not used
/// costs nothing.
const STACK_BYTES: usize = 32 << 20;

/// What the threads of one search share besides the table and the histories.
struct SharedState<T: PlayTree> {
    /// Helpers are to end. Relaxed, as are the counts: each is a message by itself.
    ended: AtomicBool,
    /// The nodes of each helper, brought up to date now and then.
    nodes: Vec<AtomicU64>,
    in_flight: InFlight,
    root_log: RootLog<T::Move>,
    splits: SplitPoints<SplitNode<T>>,
}

impl<T: PlayTree> SharedState<T> {
    fn new(helpers: usize) -> SharedState<T> {
        SharedState {
            ended: AtomicBool::new(false),
            nodes: (0..helpers).map(|_| AtomicU64::new(0)).collect(),
            in_flight: InFlight::new(),
            root_log: RootLog::new(),
            splits: SplitPoints::new(),
        }
    }

    /// The nodes of all helpers.
    fn nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }

    /// The view of one more thread.
    fn view(&self, scheme: PlayScheme) -> SharedView<'_, T> {
        match (scheme, scheme.policy()) {
            (PlayScheme::Abdada, _) => {
                SharedView::SameTree(&self.in_flight, RootLogCursor::new(&self.root_log))
            }
            (_, Some(policy)) => {
                // Who splits nodes for those that may come later need not wait until they ask.
                let on_demand = scheme == PlayScheme::Ybw;
                SharedView::SplitPoints(SplitView::new(&self.splits, policy, on_demand))
            }
            (_, None) => SharedView::Nothing,
        }
    }
}

/// What one thread sees of the others.
pub(super) enum SharedView<'a, T: PlayTree> {
    /// There are none, or it does not look at them.
    Nothing,
    /// All search the same tree: which positions are in flight, and what was found at the root.
    SameTree(&'a InFlight, RootLogCursor<'a, T::Move>),
    /// Nodes that are searched together.
    SplitPoints(SplitView<'a, T>),
}

impl<T: PlayTree> SharedView<'_, T> {
    /// Does it see other threads?
    #[inline]
    pub(super) fn has_others(&self) -> bool {
        !matches!(self, SharedView::Nothing)
    }

    /// Tells the other threads what was found at the root, and calls `on_best` with what they have
    /// found; if the pass is over, returns its value.
    pub(super) fn sync_root(
        &mut self,
        event: Option<RootEvent<T::Move>>,
        on_best: &mut dyn FnMut(&NewBest<T::Move>),
    ) -> Option<Value> {
        match (self, event) {
            (SharedView::SameTree(_, cursor), event) => cursor.sync(event, on_best),
            (_, Some(RootEvent::PassOver(value))) => Some(value),
            (_, Some(RootEvent::NewBest(found))) => {
                on_best(&found);
                None
            }
            (_, None) => None,
        }
    }
}

/// A node on the path that another thread may resolve.
#[derive(Clone, Copy, Debug)]
pub(super) struct WatchedNode {
    key: u64,
    window: Window,
    /// Beyond all depths, if the node is not watched.
    depth: i32,
}

impl WatchedNode {
    /// No node is watched.
    pub(super) const NONE: WatchedNode =
        WatchedNode { key: 0, window: Window::FULL, depth: i32::MAX };
}

impl<T: PlayTree> PlaySearch<'_, T> {
    /// Is another thread searching the position with this key at this depth?
    #[inline]
    pub(super) fn is_in_flight(&self, key: u64, depth: i32) -> bool {
        match &self.shared {
            SharedView::SameTree(in_flight, _) if depth >= SHARED_DEPTH => {
                in_flight.contains(key, depth as u32)
            }
            _ => false,
        }
    }

    /// Says that this thread begins to search a position, or has finished.
    #[inline]
    pub(super) fn set_in_flight(&self, key: u64, depth: i32, is_in_flight: bool) {
        if depth >= SHARED_DEPTH
            && let SharedView::SameTree(in_flight, _) = &self.shared
        {
            in_flight.set(key, depth as u32, is_in_flight);
        }
    }

    /// A node of the path is to be searched: if another thread `may_resolve` it and it is far enough
    /// from the horizon, this thread will look whether one has. Where nodes are split points, it will
    /// know what kind of node this one is.
    #[inline]
    pub(super) fn watch<const PV: bool>(
        &mut self,
        key: u64,
        window: Window,
        depth: i32,
        ply: usize,
        may_resolve: bool,
    ) {
        match &self.shared {
            SharedView::Nothing => {}
            SharedView::SameTree(..) => {
                let watched = WatchedNode { key, window, depth };
                self.watched[ply] =
                    if may_resolve && depth >= SHARED_DEPTH { watched } else { WatchedNode::NONE };
            }
            SharedView::SplitPoints(_) => {
                let parent = self.frames[ply - 1].kind;
                self.frames[ply].kind = if PV { NodeKind::Pv } else { parent.child(1) };
            }
        }
    }

    /// The value of the node at `ply`, if another thread has resolved it: a bound beyond the window, or
    /// the value itself.
    #[inline]
    pub(super) fn resolved(&self, ply: usize) -> Option<Value> {
        if !matches!(self.shared, SharedView::SameTree(..)) {
            return None;
        }
        let WatchedNode { key, window, depth } = self.watched[ply];
        if depth == i32::MAX {
            return None;
        }
        let stored =
            self.probe_table(key, ply).filter(|stored| i32::from(stored.height) >= depth)?;
        let Bounds { lower, upper } = stored.bounds;
        if lower >= window.beta {
            Some(lower)
        } else {
            (upper <= window.alpha || lower == upper).then_some(upper)
        }
    }

    /// What a move to the position with this key is worth to its mover, if a thread that was just
    /// searching it, `depth` plies deep or one less, has found that it is no better than `alpha`. One
    /// less, because the histories that both threads share have changed meanwhile, and with them the
    /// reductions.
    pub(super) fn found_by_another(
        &self,
        key: u64,
        alpha: Value,
        depth: i32,
        ply: usize,
    ) -> Option<Value> {
        let found = self.probe_table(key, ply)?;
        (i32::from(found.height) >= depth - 1 && found.bounds.lower >= -alpha)
            .then_some(-found.bounds.lower)
    }

    /// Looks whether other threads have resolved a node above the one at `ply`, the highest first, or cut
    /// off a split point there.
    pub(super) fn check_path(&mut self, ply: usize) -> Result<(), Unwind> {
        match &self.shared {
            SharedView::Nothing => return Ok(()),
            SharedView::SplitPoints(view) if view.is_cut() => return Err(Unwind::Cut),
            SharedView::SplitPoints(_) => return Ok(()),
            SharedView::SameTree(_, cursor) if cursor.is_behind() => {
                return Err(Unwind::Resolved(0));
            }
            SharedView::SameTree(..) => {}
        }
        for above in 1..ply {
            if let Some(value) = self.resolved(above) {
                self.resolved_value = value;
                return Err(Unwind::Resolved(above as u8));
            }
        }
        Ok(())
    }
}

/// Controls a helper: ends it when the main thread says so, and publishes its nodes.
struct HelperControl<'a> {
    ended: &'a AtomicBool,
    nodes: &'a AtomicU64,
}

impl<M> PlayControl<M> for HelperControl<'_> {
    fn check(&mut self, nodes: u64) -> Result<u64, Stop> {
        self.nodes.store(nodes, Relaxed);
        if self.ended.load(Relaxed) { Err(Stop::Flag) } else { Ok(HELPER_INTERVAL) }
    }

    fn on_line(&mut self, _: PlayLine<'_, M>) {}

    fn continues_after(&mut self, _: PlayIteration<M>) -> bool {
        true
    }
}

/// A helper's thread, which ends with the deepest ply it came to.
type Helper<'scope> = ScopedJoinHandle<'scope, u32>;

/// Controls the main thread: passes everything on to the caller's control, with the nodes of all
/// threads, and starts the helpers.
struct MainControl<'a, 'scope, 'env, T: PlayTree> {
    control: &'a mut dyn PlayControl<T::Move>,
    tree: &'env T,
    table: &'env TranspositionTable,
    request: PlayRequest<'env, T::Move>,
    shared: &'env SharedState<T>,
    history: &'env PlayHistory,
    scope: &'scope Scope<'scope, 'env>,
    /// How many helpers have not started.
    waiting: usize,
    running: Vec<Helper<'scope>>,
}

impl<T: PlayTree> MainControl<'_, '_, '_, T> {
    fn start_helpers(&mut self) {
        let (tree, table, history, request) = (self.tree, self.table, self.history, self.request);
        let shared = self.shared;
        let scheme = request.switches.scheme;
        for (number, nodes) in shared.nodes[..std::mem::take(&mut self.waiting)].iter().enumerate()
        {
            let mut control = HelperControl { ended: &shared.ended, nodes };
            let is_ahead = scheme == PlayScheme::LazySmp && number % 2 == 0;
            let work = move || {
                // Whatever goes wrong here, the main thread has a move.
                let deepest = catch_unwind(AssertUnwindSafe(|| {
                    let view = shared.view(scheme);
                    let memory = (table, history);
                    if scheme.policy().is_some() {
                        return help(tree, memory, request, view, &mut control);
                    }
                    let first = if is_ahead { 2 } else { 1 };
                    iterative_deepening(tree, memory, request, first, view, &mut control).deepest
                }));
                deepest.unwrap_or(0)
            };
            // Where the system gives no more threads, there are fewer helpers.
            match memory::thread(STACK_BYTES)
                .and_then(|thread| thread.spawn_scoped(self.scope, work))
            {
                Ok(helper) => self.running.push(helper),
                Err(_) => return,
            }
        }
    }
}

impl<T: PlayTree> PlayControl<T::Move> for MainControl<'_, '_, '_, T> {
    fn check(&mut self, nodes: u64) -> Result<u64, Stop> {
        let interval = self.control.check(nodes + self.shared.nodes())?;
        // The other threads count on while this one does.
        Ok(interval / (1 + self.running.len() as u64))
    }

    fn on_line(&mut self, line: PlayLine<'_, T::Move>) {
        self.control.on_line(PlayLine { nodes: line.nodes + self.shared.nodes(), ..line });
    }

    fn continues_after(&mut self, iteration: PlayIteration<T::Move>) -> bool {
        let nodes = iteration.nodes + self.shared.nodes();
        let continues = self.control.continues_after(PlayIteration { nodes, ..iteration });
        if continues && iteration.depth >= HELPERS_AFTER {
            self.start_helpers();
        }
        continues
    }
}

/// Searches the root of `tree` until `control` ends it, with `helpers` threads besides the caller's.
/// The table and the histories are kept for the next move of the game.
///
/// ```
/// use std::ops::RangeInclusive;
///
/// use plyground_core::limits::Stop;
/// use plyground_core::tree::{GameTree, PlayTree};
/// use plyground_core::value::Value;
/// use plyground_search::play::{
///     CHECK_INTERVAL, PlayControl, PlayDriver, PlayHistory, PlayIteration, PlayLine, PlayRequest,
///     PlaySwitches, think,
/// };
/// use plyground_search::table::{TranspositionTable, TableSize};
///
/// /// A heap of stones: a move takes one, two or three of them, and the last stone wins.
/// struct Nim(u32);
///
/// impl GameTree for Nim {
///     type Node = u32;
///     type Move = u32;
///     type Moves = Vec<u32>;
///     const HISTORY_SIZE: usize = 4;
///
///     fn root(&self) -> u32 {
///         self.0
///     }
///     fn moves(&self, &stones: &u32, moves: &mut Vec<u32>) {
///         moves.extend(1..=stones.min(3));
///     }
///     fn child(&self, &stones: &u32, taken: u32) -> u32 {
///         stones - taken
///     }
///     fn evaluate(&self, &stones: &u32) -> Value {
///         if stones == 0 { -1 } else { 0 }
///     }
///     fn value_range(&self) -> RangeInclusive<Value> {
///         -1..=1
///     }
///     fn key(&self, &stones: &u32) -> u64 {
///         plyground_core::tree::mix(1, stones.into())
///     }
///     fn code(&self, taken: u32) -> u16 {
///         taken as u16
///     }
/// }
///
/// // All defaults.
/// impl PlayTree for Nim {}
///
/// /// Lets the search go on to its greatest depth.
/// struct NoLimit;
///
/// impl PlayControl<u32> for NoLimit {
///     fn check(&mut self, _nodes: u64) -> Result<u64, Stop> {
///         Ok(CHECK_INTERVAL)
///     }
///     fn on_line(&mut self, _line: PlayLine<'_, u32>) {}
///     fn continues_after(&mut self, _iteration: PlayIteration<u32>) -> bool {
///         true
///     }
/// }
///
/// let table = TranspositionTable::new(TableSize::of_entries(1 << 10)).unwrap();
/// let history = PlayHistory::new(Nim::HISTORY_SIZE);
/// let request = PlayRequest {
///     switches: PlaySwitches::ALL,
///     driver: PlayDriver::Pvs,
///     depth: 12,
///     lines: 1,
///     moves: &[1, 2, 3],
///     game: &[],
/// };
/// let outcome = think(&Nim(10), &table, &history, 0, request, &mut NoLimit);
/// // A heap of four, eight, … is lost for the side to move: leave eight.
/// assert_eq!((outcome.moves[0].mv, outcome.moves[0].value), (2, 1));
/// ```
pub fn think<T: PlayTree>(
    tree: &T,
    table: &TranspositionTable,
    history: &PlayHistory,
    helpers: usize,
    request: PlayRequest<'_, T::Move>,
    control: &mut dyn PlayControl<T::Move>,
) -> PlayOutcome<T::Move> {
    const { assert!(T::UNIT > 0, "margins need a unit") };
    history.age();
    table.grow_older();
    if helpers == 0 {
        let alone = SharedView::Nothing;
        return iterative_deepening(tree, (table, history), request, 1, alone, control);
    }
    let shared = SharedState::new(helpers);
    let mut outcome = std::thread::scope(|scope| {
        let (shared, waiting, running) = (&shared, helpers, Vec::new());
        let mut main =
            MainControl { control, tree, table, request, shared, history, scope, waiting, running };
        // If the main thread panics, the helpers must not go on for ever.
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let view = shared.view(request.switches.scheme);
            iterative_deepening(tree, (table, history), request, 1, view, &mut main)
        }));
        shared.ended.store(true, Relaxed);
        drop(EndOnDrop(&shared.splits));
        let deepest = main.running.into_iter().filter_map(|helper| helper.join().ok()).max();
        match outcome {
            Ok(outcome) => {
                PlayOutcome { deepest: outcome.deepest.max(deepest.unwrap_or(0)), ..outcome }
            }
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    outcome.nodes += shared.nodes();
    outcome
}

#[cfg(test)]
mod tests;
