//! Thinking on several threads: lazy SMP, with brothers put off.
//!
//! All threads deepen from the same root, each with its own histories, and share the table: what one
//! has searched the others find there. Left alone they would do much of the same at the same time,
//! so a thread says which moves it is searching, and another that comes to such a move puts it off
//! until it has searched the others; then the table will know it (Kerrigan's simplified ABDADA, after
//! Weill's). And helpers skip depths, each others, so that some are ahead of the captain. By nodes, on
//! the positions for experiments at half a second each, two threads that put moves off were 1.6 times
//! as fast as one, two that skip 1.7 times, two that do both 1.8 times.
//!
//! The captain, on the caller's thread, alone looks at the clock, tells of lines and says when it is
//! enough; its depth is the depth that counts. A helper only adds to the table, and to the choice of
//! the move where it has finished a greater depth. Helpers start when the captain has done the first
//! iterations, which take less time than starting a thread, and are gone when [`think`] returns.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread::{Builder, Scope, ScopedJoinHandle};

use super::root::{Finish, Iteration, Line, Request, Told, Watch, deepen};
use super::{Learnt, Play};
use crate::busy::Busy;
use crate::limits::Stop;
use crate::table::Table;
use crate::tree::GameTree;
use crate::value::LEAST_MATE;

/// Helpers start after the iteration of this depth.
const START: u32 = 4;

/// Moves are put off only this far from the horizon: nearer, asking costs more than it saves.
const FAR: i32 = 6;

/// A helper looks this often, in nodes, whether it is to end.
const GLANCE: u64 = 256;

/// A recursion of a hundred plies fits into less, but memory that is not used costs nothing.
const STACK: usize = 32 << 20;

/// Helpers skip the depths where `(depth + phase) / size` is odd.
const SKIPS: [(u32, u32); 12] = [
    (1, 0),
    (1, 1),
    (2, 0),
    (2, 1),
    (2, 2),
    (2, 3),
    (3, 0),
    (3, 1),
    (3, 2),
    (3, 3),
    (3, 4),
    (3, 5),
];

/// What the threads of one think share besides the table.
struct Shared {
    /// Helpers are to end. Relaxed, as are the counts: each is a message by itself.
    ended: AtomicBool,
    /// The nodes of each helper, now and then.
    nodes: Vec<AtomicU64>,
    busy: Busy,
}

impl Shared {
    fn nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }
}

/// One of the threads.
#[derive(Clone, Copy)]
pub(super) struct Hand<'a> {
    /// 0 is the captain.
    number: usize,
    /// `None` if it is alone.
    busy: Option<&'a Busy>,
}

impl Hand<'_> {
    /// The only thread.
    const ALONE: Hand<'static> = Hand { number: 0, busy: None };

    /// Does it leave this depth to the others?
    pub(super) fn skips(self, depth: u32) -> bool {
        let Some(place) = self.number.checked_sub(1) else { return false };
        let (size, phase) = SKIPS[place % SKIPS.len()];
        !((depth + phase) / size).is_multiple_of(2)
    }
}

impl<T: GameTree> Play<'_, T> {
    /// Is another thread searching the position with this key at this depth?
    #[inline]
    pub(super) fn is_busy(&self, key: u64, depth: i32) -> bool {
        self.hand.busy.is_some_and(|busy| depth >= FAR && busy.is(key, depth as u32))
    }

    /// Says that this thread searches a position, or does no more.
    #[inline]
    pub(super) fn set_busy(&self, key: u64, depth: i32, is: bool) {
        if let Some(busy) = self.hand.busy
            && depth >= FAR
        {
            busy.set(key, depth as u32, is);
        }
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

type Helper<'scope, M> = ScopedJoinHandle<'scope, Option<Finish<M>>>;

/// The captain's watch: the caller's, who sees the nodes of all; and it starts the helpers.
struct Captain<'a, 'scope, 'env, T: GameTree> {
    watch: &'a mut dyn Watch<T::Move>,
    tree: &'env T,
    table: &'env Table,
    request: Request<'env, T::Move>,
    shared: &'env Shared,
    scope: &'scope Scope<'scope, 'env>,
    /// Helpers that have not started.
    waiting: Option<&'env mut [Learnt]>,
    running: Vec<Helper<'scope, T::Move>>,
}

impl<T: GameTree> Captain<'_, '_, '_, T> {
    fn start(&mut self) {
        let (tree, table, request, shared) = (self.tree, self.table, self.request, self.shared);
        for (place, learnt) in self.waiting.take().into_iter().flatten().enumerate() {
            let hand = Hand { number: place + 1, busy: Some(&shared.busy) };
            let mut mate = Mate { ended: &shared.ended, nodes: &shared.nodes[place] };
            let work = move || {
                // Whatever goes wrong here, the captain has a move.
                let finish = catch_unwind(AssertUnwindSafe(|| {
                    deepen(tree, table, learnt, request, hand, &mut mate)
                }));
                if finish.is_err() {
                    learnt.clear();
                }
                finish.ok()
            };
            // Where the system gives no more threads, there are fewer helpers.
            match Builder::new().stack_size(STACK).spawn_scoped(self.scope, work) {
                Ok(helper) => self.running.push(helper),
                Err(_) => return,
            }
        }
    }
}

impl<T: GameTree> Watch<T::Move> for Captain<'_, '_, '_, T> {
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
        if goes_on && iteration.depth >= START && self.waiting.is_some() {
            self.start();
        }
        goes_on
    }
}

/// Thinks about the root of `tree` until the watch says so, on a thread more for each of `helpers`,
/// what they learn.
pub fn think<T: GameTree>(
    tree: &T,
    table: &Table,
    learnt: &mut Learnt,
    helpers: &mut [Learnt],
    request: Request<'_, T::Move>,
    watch: &mut dyn Watch<T::Move>,
) -> Finish<T::Move> {
    table.grow_older();
    if helpers.is_empty() {
        return deepen(tree, table, learnt, request, Hand::ALONE, watch);
    }
    let shared = Shared {
        ended: AtomicBool::new(false),
        nodes: helpers.iter().map(|_| AtomicU64::new(0)).collect(),
        busy: Busy::new(),
    };
    let (finish, others) = std::thread::scope(|scope| {
        let (shared, waiting, running) = (&shared, Some(helpers), Vec::new());
        let mut captain =
            Captain { watch: &mut *watch, tree, table, request, shared, scope, waiting, running };
        let hand = Hand { number: 0, busy: Some(&shared.busy) };
        // If the captain breaks down, the helpers must not go on for ever.
        let finish = catch_unwind(AssertUnwindSafe(|| {
            deepen(tree, table, learnt, request, hand, &mut captain)
        }));
        shared.ended.store(true, Relaxed);
        let others: Vec<Finish<T::Move>> =
            captain.running.into_iter().filter_map(|helper| helper.join().ok().flatten()).collect();
        match finish {
            Ok(finish) => (finish, others),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    let (own, lines) = (finish.moves.first().map(|best| best.mv), request.lines);
    let mut chosen = chosen(finish, others, lines);
    chosen.nodes += shared.nodes();
    if let Some(best) = chosen.moves.first()
        && own != Some(best.mv)
    {
        let (depth, deepest, nodes) = (chosen.depth, chosen.deepest, chosen.nodes);
        let (value, told, moves) = (best.value, best.told, &best.line[..]);
        watch.line(Line { depth, deepest, number: 0, value, told, nodes, moves });
    }
    chosen
}

/// The captain's result, unless a helper has finished a greater depth and sees no less, or has found
/// a mate. Where several lines are wanted they stay together.
fn chosen<M>(captain: Finish<M>, others: Vec<Finish<M>>, lines: usize) -> Finish<M> {
    let (nodes, stopped) = (captain.nodes, captain.stopped);
    let deepest = others.iter().map(|other| other.deepest).fold(captain.deepest, u32::max);
    let mut best = captain;
    for other in others {
        let (Some(now), Some(new)) = (best.moves.first(), other.moves.first()) else { break };
        let mates = new.value >= LEAST_MATE && new.value > now.value;
        let deeper = other.depth > best.depth && new.value >= now.value;
        if lines <= 1 && new.told != Told::AtMost && (deeper || mates) {
            best = other;
        }
    }
    Finish { nodes, stopped, deepest, ..best }
}
