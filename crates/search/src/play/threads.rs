//! Thinking on several threads.
//!
//! All threads search the same root at the same depth with the same window, and share the table and
//! the histories: what one has searched the others find there, and they try moves in the same order.
//! Left alone they would do much of the same at the same time,
//! so three things keep them apart:
//!
//! - A thread says which moves it is searching, and another that comes to such a move puts it off until
//!   it has searched the others; then the table will know it (Kerrigan's simplified ABDADA, after
//!   Weill's).
//! - Now and then a thread looks whether the table has come to know a node on its path, because another
//!   thread has searched it to its end; then it goes back to that node at once. This holds on the
//!   principal variation too, whose nodes take no other answer from the table: without it two threads
//!   came to a depth 1.5 times as fast as one, with it nearly twice.
//! - What is found at the root goes into [`Minutes`] that all read.
//!
//! The captain, on the caller's thread, alone looks at the clock, tells of lines and says when it is
//! enough. Helpers start when it has done the first iterations, which take less time than starting a
//! thread, and are gone when [`think`] returns.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::{Builder, Scope, ScopedJoinHandle};

use super::root::{Break, Finish, Iteration, Line, Request, Watch, deepen};
use super::root_log::{Clerk, Entry, Find, Minutes};
use super::{Learnt, Play};
use crate::in_flight::InFlight;
use crate::table::Table;
use plyground_core::limits::Stop;
use plyground_core::tree::PlayTree;
use plyground_core::value::{Bounds, Value, Window};

/// Helpers start after the iteration of this depth.
const START: u32 = 4;

/// Moves are put off only this far from the horizon: nearer, asking costs more than it saves.
const FAR: i32 = 4;

/// A helper looks this often, in nodes, whether it is to end.
const GLANCE: u64 = 256;

/// A recursion of a hundred plies fits into less, but memory that is not used costs nothing.
const STACK: usize = 32 << 20;

/// What the threads of one think share besides the table.
struct Shared<M> {
    /// Helpers are to end. Relaxed, as are the counts: each is a message by itself.
    ended: AtomicBool,
    /// The nodes of each helper, now and then.
    nodes: Vec<AtomicU64>,
    in_flight: InFlight,
    minutes: Minutes<M>,
}

impl<M> Shared<M> {
    fn nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }

    /// One of the threads.
    fn hand(&self) -> Hand<'_, M> {
        Hand(Some((&self.in_flight, Clerk::new(&self.minutes))))
    }
}

/// What a thread has in common with others, if there are any.
pub(super) struct Hand<'a, M>(Option<(&'a InFlight, Clerk<'a, M>)>);

impl<M> Hand<'_, M> {
    /// Are there others?
    #[inline]
    pub(super) fn is_one_of_many(&self) -> bool {
        self.0.is_some()
    }

    /// Notes what was found at the root and hears what others have found; if the pass is over,
    /// returns what it came to.
    pub(super) fn enter(
        &mut self,
        entry: Option<Entry<M>>,
        tell: &mut dyn FnMut(&Find<M>),
    ) -> Option<Value> {
        match (&mut self.0, entry) {
            (Some((_, clerk)), entry) => clerk.enter(entry, tell),
            (None, Some(Entry::Over(value))) => Some(value),
            (None, Some(Entry::Found(find))) => {
                tell(&find);
                None
            }
            (None, None) => None,
        }
    }
}

/// A node on the path, as another thread may settle it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    key: u64,
    window: Window,
    /// Beyond all depths, if it is not looked at.
    depth: i32,
}

impl Open {
    /// Nobody looks at it.
    pub(super) const NEVER: Open = Open { key: 0, window: Window::FULL, depth: i32::MAX };
}

impl<T: PlayTree> Play<'_, T> {
    /// Is another thread searching the position with this key at this depth?
    #[inline]
    pub(super) fn is_in_flight(&self, key: u64, depth: i32) -> bool {
        depth >= FAR
            && self
                .hand
                .0
                .as_ref()
                .is_some_and(|(in_flight, _)| in_flight.contains(key, depth as u32))
    }

    /// Says that this thread searches a position, or does no more.
    #[inline]
    pub(super) fn set_in_flight(&self, key: u64, depth: i32, is: bool) {
        if depth >= FAR
            && let Some((in_flight, _)) = &self.hand.0
        {
            in_flight.set(key, depth as u32, is);
        }
    }

    /// A node of the path is to be searched: if it `is_open` to others and far enough from the horizon,
    /// this thread will look whether another has settled it.
    #[inline]
    pub(super) fn open(&mut self, key: u64, window: Window, depth: i32, ply: usize, is_open: bool) {
        if self.hand.is_one_of_many() {
            let open = Open { key, window, depth };
            self.opens[ply] = if is_open && depth >= FAR { open } else { Open::NEVER };
        }
    }

    /// The value of the node at `ply`, if another thread has settled it: the window's end that it lies
    /// beyond, or the value itself.
    #[inline]
    pub(super) fn settled(&self, ply: usize) -> Option<Value> {
        if !self.hand.is_one_of_many() {
            return None;
        }
        let Open { key, window, depth } = self.opens[ply];
        if depth == i32::MAX {
            return None;
        }
        let stored = self.recall(key, ply).filter(|stored| i32::from(stored.height) >= depth)?;
        let Bounds { lower, upper } = stored.bounds;
        if lower >= window.beta {
            Some(lower)
        } else {
            (upper <= window.alpha || lower == upper).then_some(upper)
        }
    }

    /// What a move to the position with this key is worth to its mover, if a thread that was just
    /// searching it, `depth` plies deep or one less, has found that it is no better than `alpha`. One
    /// less, because what both have learnt has changed meanwhile, and with it the reductions.
    pub(super) fn found_by_another(
        &self,
        key: u64,
        alpha: Value,
        depth: i32,
        ply: usize,
    ) -> Option<Value> {
        let found = self.recall(key, ply)?;
        (i32::from(found.height) >= depth - 1 && found.bounds.lower >= -alpha)
            .then_some(-found.bounds.lower)
    }

    /// Looks whether others have settled a node above the one at `ply`, the highest first.
    pub(super) fn look_up(&mut self, ply: usize) -> Result<(), Break> {
        let Some((_, clerk)) = &self.hand.0 else { return Ok(()) };
        if clerk.is_late() {
            return Err(Break::Settled(0));
        }
        for above in 1..ply {
            if let Some(value) = self.settled(above) {
                self.value = value;
                return Err(Break::Settled(above as u8));
            }
        }
        Ok(())
    }
}

/// Who watches over a helper: ends it when the captain says so, and publishes its nodes.
struct Mate<'a> {
    ended: &'a AtomicBool,
    nodes: &'a AtomicU64,
}

impl<M> Watch<M> for Mate<'_> {
    fn check(&mut self, nodes: u64) -> Result<u64, Stop> {
        self.nodes.store(nodes, Relaxed);
        if self.ended.load(Relaxed) { Err(Stop::Flag) } else { Ok(GLANCE) }
    }

    fn line(&mut self, _: Line<'_, M>) {}

    fn goes_on(&mut self, _: Iteration<M>) -> bool {
        true
    }
}

/// A helper's thread, which ends with the deepest ply it came to.
type Helper<'scope> = ScopedJoinHandle<'scope, u32>;

/// The captain's watch: the caller's, who sees the nodes of all; and it starts the helpers.
struct Captain<'a, 'scope, 'env, T: PlayTree> {
    watch: &'a mut dyn Watch<T::Move>,
    tree: &'env T,
    table: &'env Table,
    request: Request<'env, T::Move>,
    shared: &'env Shared<T::Move>,
    learnt: &'env Learnt,
    scope: &'scope Scope<'scope, 'env>,
    /// How many helpers have not started.
    waiting: usize,
    running: Vec<Helper<'scope>>,
}

impl<T: PlayTree> Captain<'_, '_, '_, T> {
    fn start(&mut self) {
        let (tree, table, learnt, request) = (self.tree, self.table, self.learnt, self.request);
        let shared = self.shared;
        for nodes in &shared.nodes[..std::mem::take(&mut self.waiting)] {
            let mut mate = Mate { ended: &shared.ended, nodes };
            let work = move || {
                // Whatever goes wrong here, the captain has a move.
                let finish = catch_unwind(AssertUnwindSafe(|| {
                    deepen(tree, table, learnt, request, shared.hand(), &mut mate)
                }));
                finish.map_or(0, |finish| finish.deepest)
            };
            // Where the system gives no more threads, there are fewer helpers.
            match Builder::new().stack_size(STACK).spawn_scoped(self.scope, work) {
                Ok(helper) => self.running.push(helper),
                Err(_) => return,
            }
        }
    }
}

impl<T: PlayTree> Watch<T::Move> for Captain<'_, '_, '_, T> {
    fn check(&mut self, nodes: u64) -> Result<u64, Stop> {
        let interval = self.watch.check(nodes + self.shared.nodes())?;
        // The others count on while this thread does.
        Ok(interval / (1 + self.running.len() as u64))
    }

    fn line(&mut self, line: Line<'_, T::Move>) {
        self.watch.line(Line { nodes: line.nodes + self.shared.nodes(), ..line });
    }

    fn goes_on(&mut self, iteration: Iteration<T::Move>) -> bool {
        let nodes = iteration.nodes + self.shared.nodes();
        let goes_on = self.watch.goes_on(Iteration { nodes, ..iteration });
        if goes_on && iteration.depth >= START {
            self.start();
        }
        goes_on
    }
}

/// Thinks about the root of `tree` until the watch says so, with so many threads as helpers.
pub fn think<T: PlayTree>(
    tree: &T,
    table: &Table,
    learnt: &Learnt,
    helpers: usize,
    request: Request<'_, T::Move>,
    watch: &mut dyn Watch<T::Move>,
) -> Finish<T::Move> {
    learnt.fade();
    table.grow_older();
    if helpers == 0 {
        return deepen(tree, table, learnt, request, Hand(None), watch);
    }
    let shared = Shared {
        ended: AtomicBool::new(false),
        nodes: (0..helpers).map(|_| AtomicU64::new(0)).collect(),
        in_flight: InFlight::new(),
        minutes: Minutes::new(),
    };
    let mut finish = std::thread::scope(|scope| {
        let (shared, waiting, running) = (&shared, helpers, Vec::new());
        let mut captain =
            Captain { watch, tree, table, request, shared, learnt, scope, waiting, running };
        // If the captain breaks down, the helpers must not go on for ever.
        let finish = catch_unwind(AssertUnwindSafe(|| {
            deepen(tree, table, learnt, request, shared.hand(), &mut captain)
        }));
        shared.ended.store(true, Relaxed);
        let deepest = captain.running.into_iter().filter_map(|helper| helper.join().ok()).max();
        match finish {
            Ok(finish) => Finish { deepest: finish.deepest.max(deepest.unwrap_or(0)), ..finish },
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    finish.nodes += shared.nodes();
    finish
}
