//! Split points in play: young brothers wait and dynamic splitting.
//!
//! One thread comes to a node and searches its first move alone. If that does not cut off and the
//! [policy](Policy) of the scheme allows it, the thread goes on through the node's steps, but notes the
//! moves that are to be searched, each with its depth and reduction, in place of searching them. Then it
//! opens a [split point](SplitPoints) with these *siblings* and searches them together with the threads
//! that join. A thread that joins takes over the path to the node: its keys, for repetitions, and its
//! frames, for killers and histories. When the last one has left, the thread that opened the split point
//! goes on with the best move, as if it had searched all of them itself.
//!
//! By young brothers wait a node becomes a split point when a thread is idle at that moment. By dynamic
//! splitting every node does that looks like an ALL node, and a thread that becomes idle later chooses
//! the best of all that are open, which may be far above the nodes where the others are now. Schaeffer's
//! and Hyatt's processors leave a node where nothing is left to take. A recursion cannot: a thread waits
//! at its own split point for the last worker, and helps below it meanwhile.
//!
//! Every wait has an end. A thread looks at its limits and at cut-offs above it every few nodes, so a
//! worker that is not needed leaves soon; a thread that waits looks at its limits as well, and cuts its
//! split point off when they stop it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::history::PlayHistory;
use super::interface::{PlayControl, PlayDriver, PlayRequest, Unwind};
use super::repetition::KeyStack;
use super::state::{Child, Frame, PlaySearch};
use super::threads::SharedView;
use crate::parallel::{Candidate, Policy};
use crate::table::TranspositionTable;
use plyground_core::limits::Stop;
use plyground_core::split_points::{Awaited, SplitJob, SplitPoint, SplitPoints};
use plyground_core::tree::PlayTree;
use plyground_core::value::{Value, Window};

/// Nodes of at least this depth become split points: nearer to the horizon the siblings are searched
/// before another thread is there.
const SPLIT_DEPTH: i32 = 5;

/// How long a thread waits at its split point before it looks at its limits.
const PATIENCE: Duration = Duration::from_millis(1);

/// A move of a split point: what the steps of its node have decided about it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sibling<M> {
    pub(super) mv: M,
    /// Its history index.
    pub(super) index: usize,
    pub(super) is_quiet: bool,
    /// The depth of its child, and by how much that is reduced at first.
    pub(super) depth: i32,
    pub(super) reduction: i32,
    /// 1 for the first move of the node, 2 for the second, and so on.
    pub(super) number: i32,
    /// How many quiet moves were tried before it.
    pub(super) tried_before: usize,
}

/// The best of the siblings with its value, if it is better than the moves before them.
type BestSibling<M> = Option<(Sibling<M>, Value)>;

/// The node of a split point, as its owner came to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SplitState {
    pub(super) window: Window,
    /// The best value of the moves before the siblings.
    pub(super) best: Value,
    pub(super) depth: i32,
    pub(super) ply: usize,
    pub(super) is_pv: bool,
}

/// A node that several threads search.
pub(super) struct SplitNode<T: PlayTree> {
    /// A node can be sent to another thread, but not shared: hence the lock.
    node: Mutex<T::Node>,
    siblings: Vec<Sibling<T::Move>>,
    state: SplitState,
    /// The depth of the iteration.
    iteration: i32,
    /// The path to the node.
    keys: KeyStack,
    frames: Vec<Frame>,
    found: Mutex<Found<T::Move>>,
}

/// What the workers have found.
struct Found<M> {
    best: Value,
    /// The number of the sibling with that value, if it is better than the moves before all of them.
    top: Option<usize>,
    /// The line after that sibling.
    line: Vec<M>,
}

fn locked<V>(mutex: &Mutex<V>) -> MutexGuard<'_, V> {
    // No thread panics between the two halves of a change.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T: PlayTree> SplitNode<T> {
    /// The window for the next sibling.
    fn window(&self) -> Window {
        let Window { alpha, beta } = self.state.window;
        Window { alpha: alpha.max(locked(&self.found).best), beta }
    }

    /// A sibling was searched: notes its value, with the line after it if it is the best. Does it cut off?
    fn note(&self, number: usize, value: Value, line: &[T::Move]) -> bool {
        let mut found = locked(&self.found);
        if value > found.best {
            (found.best, found.top) = (value, Some(number));
            found.line.clear();
            found.line.extend_from_slice(line);
        }
        value >= self.state.window.beta
    }
}

/// What one thread knows of the split points.
pub(super) struct SplitView<'a, T: PlayTree> {
    splits: &'a SplitPoints<SplitNode<T>>,
    policy: &'static Policy,
    /// Is a node split only when a thread is idle?
    on_demand: bool,
    /// The split point at whose siblings this thread works.
    at: Option<Arc<SplitPoint<SplitNode<T>>>>,
}

impl<'a, T: PlayTree> SplitView<'a, T> {
    pub(super) fn new(
        splits: &'a SplitPoints<SplitNode<T>>,
        policy: &'static Policy,
        on_demand: bool,
    ) -> SplitView<'a, T> {
        SplitView { splits, policy, on_demand, at: None }
    }

    /// Is the work of this thread no longer needed?
    pub(super) fn is_cut(&self) -> bool {
        self.at.as_ref().is_some_and(|split| split.is_cut())
    }
}

impl<'a, T: PlayTree> PlaySearch<'a, T> {
    fn candidate(&self, depth: i32, ply: usize, searched: usize) -> Candidate {
        let (height, kind) = (depth as u32, self.frames[ply].kind);
        Candidate { height, kind, left: false, searched }
    }

    /// Shall the moves of a node be shared from the one with this number on?
    pub(super) fn shares(&self, depth: i32, ply: usize, number: i32) -> bool {
        let SharedView::SplitPoints(view) = &self.shared else { return false };
        depth >= SPLIT_DEPTH
            && (!view.on_demand || view.splits.has_idle())
            && (view.policy.may_share)(&self.candidate(depth, ply, number as usize - 1))
    }

    /// Searches the siblings together with other threads. Returns the best of them with its value, if it
    /// is better than the moves before, and the line after it below that of `ply`; and why the search
    /// unwinds, if it does: some siblings were not searched then.
    #[cold]
    #[inline(never)]
    pub(super) fn split(
        &mut self,
        node: &T::Node,
        siblings: Vec<Sibling<T::Move>>,
        state: SplitState,
    ) -> (BestSibling<T::Move>, Result<(), Unwind>) {
        let SharedView::SplitPoints(view) = &self.shared else { return (None, Ok(())) };
        let (splits, ply) = (view.splits, state.ply);
        let rank = (view.policy.rank)(&self.candidate(state.depth, ply, 1));
        let count = siblings.len();
        let work = SplitNode {
            node: Mutex::new(node.clone()),
            siblings,
            state,
            iteration: self.depth,
            keys: self.keys.clone(),
            // The killers of the children are those that the first of them has left.
            frames: self.frames[..ply + 2].to_vec(),
            found: Mutex::new(Found { best: state.best, top: None, line: Vec::new() }),
        };
        let job = splits.open(view.at.as_ref(), work, count, rank);
        let own = Arc::clone(&job.split);
        let mut end = self.run_jobs(job);
        loop {
            if end.is_err() {
                own.cut();
            }
            match splits.next_within(&own, PATIENCE) {
                Awaited::Job(job) => end = end.and(self.run_jobs(job)),
                Awaited::Over => break,
                Awaited::Nothing => end = end.and(self.control.check(self.nodes).map(drop)),
            }
        }
        let found = locked(&own.work.found);
        self.lines[ply + 1].clone_from(&found.line);
        let top = found.top.map(|number| (own.work.siblings[number], found.best));
        let end = match end {
            Err(stop) => Err(Unwind::Stop(stop)),
            Ok(()) if own.is_broken() || self.check_path(ply).is_err() => Err(Unwind::Cut),
            Ok(()) => Ok(()),
        };
        (top, end)
    }

    /// Searches a sibling at a split point, and further ones while there are any. An error says that the
    /// limits have stopped this thread.
    fn run_jobs(&mut self, job: SplitJob<'a, SplitNode<T>>) -> Result<(), Stop> {
        let SharedView::SplitPoints(view) = &mut self.shared else { return Ok(()) };
        let split = Arc::clone(&job.split);
        let before = view.at.replace(Arc::clone(&split));
        let work = &split.work;
        let SplitState { depth, ply, is_pv, .. } = work.state;
        let keys = std::mem::replace(&mut self.keys, work.keys.clone());
        let frames = self.frames.clone();
        self.frames[..ply + 2].copy_from_slice(&work.frames);
        self.depth = work.iteration;
        let node = locked(&work.node).clone();
        let mut end = Ok(());
        let mut next = Some(job);
        while let Some(job) = next {
            let sibling = work.siblings[job.number];
            self.frames[ply].move_index = sibling.index;
            let child = self.tree.child(&node, sibling.mv);
            let child = Child {
                node: &child,
                key: self.tree.key(&child),
                parent_depth: depth,
                depth: sibling.depth,
                reduction: sibling.reduction,
                number: sibling.number,
            };
            let window = work.window();
            let searched = if is_pv {
                self.search_child::<true>(&child, window, ply + 1)
            } else {
                self.search_child::<false>(&child, window, ply + 1)
            };
            // A job that is dropped before it is done breaks its split point, unless that is cut off.
            next = match searched {
                Ok(value) => {
                    if work.note(job.number, value, &self.lines[ply + 1]) {
                        split.cut();
                    }
                    job.done()
                }
                Err(why) => {
                    if let Unwind::Stop(stop) = why {
                        end = Err(stop);
                    }
                    None
                }
            };
        }
        (self.keys, self.frames) = (keys, frames);
        if let SharedView::SplitPoints(view) = &mut self.shared {
            view.at = before;
        }
        end
    }
}

/// What a helper does: it takes jobs at split points until the search ends. Returns the deepest ply that
/// it came to.
pub(super) fn help<T: PlayTree>(
    tree: &T,
    memory: (&TranspositionTable, &PlayHistory),
    request: PlayRequest<'_, T::Move>,
    view: SharedView<'_, T>,
    control: &mut dyn PlayControl<T::Move>,
) -> u32 {
    let PlayRequest { switches, driver, game, .. } = request;
    let mut search = PlaySearch::new(tree, memory, view, switches, game, control);
    search.keeps_null_window_lines = driver == PlayDriver::MtdF;
    let SharedView::SplitPoints(view) = &search.shared else { return 0 };
    let splits = view.splits;
    while let Some(job) = splits.next(None) {
        let ended = search.run_jobs(job).is_err();
        // The nodes of the job are told to the main thread.
        if search.control.check(search.nodes).is_err() || ended {
            break;
        }
    }
    search.deepest as u32
}
