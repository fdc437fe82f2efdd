//! Alpha-beta by several processors: one machine, and a small policy for each scheme.
//!
//! Every processor is a [`Walker`]: alpha-beta or PVS on an explicit stack, in steps of a few leaves.
//! No step waits for another processor, so it does not matter who takes the next one:
//!
//! - *Threads*: each processor has a thread, which steps until the search has ended and takes a short
//!   nap when it has nothing to do. Nodes below the spawn height, which nobody may join, it searches by
//!   the function of the serial form, which knows nothing of others and costs no more than that: one
//!   thread or many, the code is the same.
//! - *Simulated*: one thread takes all steps, one leaf each, in [virtual time](super::events). The
//!   search then takes as many *terminal counts* as there are leaves on its longest chain, for any
//!   number of processors. It is the same code.
//!
//! What schemes differ in is a [`Policy`]: which calls the root gets; whether younger siblings get null
//! windows; which nodes may be shared, and which of them first; who may help there; what becomes of the
//! processor that shares a node; what is searched before anything else. There are two families.
//!
//! **Shared nodes.** One processor begins with the root. Where somebody wants work, it *shares* the
//! highest node of its stack that the policy allows: the children that nobody has begun can then be
//! taken by others (`sharing.rs`). Young brothers wait, PVSplit, dynamic splitting, Hsu's scheme, tree
//! splitting, bound-and-branch, mandatory work first and ER are of this family. The last two share
//! *mandatory* work at a node whose value is needed: first children of children are searched first,
//! without bounds from each other, and then the rest of those children that they do not refute.
//!
//! **Independent processors.** All search the root and share nothing but a memory (ABDADA, lazy SMP),
//! or not even that (parallel aspiration). The first that knows the value ends the search.
//!
//! A value is right whatever the order of steps is, for three reasons. A child's merit counts at its
//! parent only when its search is complete, and the window it was searched with was the parent's own
//! or one with a higher alpha, reached by a sibling that counts too. A node is left only when all of
//! its workers have left. And work that is thrown away stores nothing.
//!
//! With one processor nobody wants work, so each scheme visits exactly what its serial form visits. ER's
//! serial form is an algorithm of its own.

mod frame;
mod policy;
mod root;
mod root_calls;
mod sharing;
mod split;
mod walker;

pub(crate) use policy::{Candidate, NodeKind, Policy};
pub(super) use policy::{Helpers, Independence, Mandatory, Owner};
pub(super) use root_calls::RootSearch;

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use super::MAX_THREADS;
use super::events::{Costs, LEAF, simulate_events};
use super::scheduler::Step;
use super::team::together;
use crate::depth_first::{alpha_beta, e_node_value, nws, pvs};
use crate::in_flight::InFlight;
use crate::prelude::*;
use root_calls::RootCalls;
use split::{Pool, locked};
use walker::Walker;

/// What the processors of a search share.
struct Shared<T: GameTree, M: Mode> {
    policy: Policy,
    /// Is there more than one processor?
    is_parallel: bool,
    /// Nodes nearer to the horizon than this are not shared.
    least_height: u32,
    /// Nodes nearer to the horizon than this are searched alone: on threads those that are not shared,
    /// in a simulation none, because there every leaf has its time.
    alone_below: u32,
    /// The children of nodes below this height are tried in order, and none is put off.
    plain_below: u32,
    costs: Costs,
    pool: Pool<T, M>,
    /// The children that somebody searches, where others put them off.
    in_flight: Option<InFlight>,
    ended: AtomicBool,
    root: Mutex<RootState<T, M>>,
    /// The windows of processors that each have their own.
    windows: Vec<Window>,
    guess: Value,
}

/// What is known of the root.
struct RootState<T: GameTree, M: Mode> {
    node: SearchNode<T, M>,
    calls: RootCalls,
    /// Has the first call been made?
    begun: bool,
    value: Option<Value>,
    best: Option<T::Move>,
    known: Bounds,
}

impl<T: GameTree, M: Mode> Shared<T, M> {
    fn new(
        search: &Search<'_, T, M>,
        root: &SearchNode<T, M>,
        processors: usize,
        policy: Policy,
    ) -> Shared<T, M> {
        assert!(
            !Self::DRIVEN_ALONE
                || processors == 1
                    && !policy.null_windows
                    && policy.mandatory == Mandatory::Nothing,
            "only a driver on one processor keeps bounds in the bare mode"
        );
        let guess = search.guess(None);
        let windows = match policy.independence {
            Independence::OwnWindow => {
                let range = search.tree.value_range();
                parted(*range.start(), *range.end(), processors)
            }
            _ => Vec::new(),
        };
        let least_height = search.spec.spawn_height().max(2);
        let alone_below = if search.spec.simulate() { 0 } else { least_height };
        Shared {
            policy,
            is_parallel: processors > 1,
            least_height,
            alone_below,
            plain_below: match policy.independence {
                Independence::PutsOff | Independence::OwnOrder if processors > 1 => least_height,
                _ => u32::MAX,
            },
            costs: search.spec.costs(),
            pool: Pool::new(processors, policy.helpers),
            in_flight: (processors > 1 && policy.independence == Independence::PutsOff)
                .then(InFlight::new),
            ended: AtomicBool::new(false),
            root: Mutex::new(RootState {
                node: root.clone(),
                calls: RootCalls::new(policy.root, Window::FULL, guess),
                begun: false,
                value: None,
                best: None,
                known: Bounds::UNKNOWN,
            }),
            windows,
            guess,
        }
    }

    /// A bare search that keeps bounds is a driver's on one processor: nobody else wants work, every child is
    /// called with the whole window, and no work is mandatory. The mode says so when the code is compiled.
    const DRIVEN_ALONE: bool = M::KEEPS.is_bounds();

    /// Is there more than one processor?
    #[inline(always)]
    fn is_parallel(&self) -> bool {
        !Self::DRIVEN_ALONE && self.is_parallel
    }

    /// Are younger siblings first searched with a null window?
    #[inline(always)]
    fn null_windows(&self) -> bool {
        !Self::DRIVEN_ALONE && self.policy.null_windows
    }

    fn has_ended(&self) -> bool {
        self.ended.load(Relaxed)
    }

    /// The calls of the root that a processor makes itself, if all do.
    fn own_calls(&self, number: usize) -> Option<RootCalls> {
        let window = match self.policy.independence {
            Independence::None => return None,
            Independence::OwnWindow => self.windows[number],
            _ => Window::FULL,
        };
        Some(RootCalls::new(self.policy.root, window, self.guess))
    }

    fn root_node(&self) -> SearchNode<T, M> {
        locked(&self.root).node.clone()
    }

    /// May the memory answer for the root? If it is all that processors share, the best move would then
    /// be missing.
    fn memory_answers_for_root(&self) -> bool {
        self.policy.independence == Independence::None
    }

    /// The first call of the root, if nobody has made it.
    fn first_call(&self) -> Option<RootCalls> {
        let mut root = locked(&self.root);
        let first = !std::mem::replace(&mut root.begun, true);
        first.then_some(root.calls)
    }

    /// Notes what a call of the root returned: the calls so far, and the value if it is known.
    fn returned(&self, value: Value) -> (RootCalls, Option<Value>) {
        let mut root = locked(&self.root);
        let known = root.calls.returned(value);
        root.known = root.calls.known();
        (root.calls, known)
    }

    /// Notes the best move that a processor has found at the root, which others may go on with.
    fn note_root(&self, search: &Search<'_, T, M>, best: Option<T::Move>) {
        if self.policy.independence == Independence::None {
            let mut root = locked(&self.root);
            root.best = best.or(root.best);
            root.known.lower = root.known.lower.max(search.known.lower);
        }
    }

    /// The search has ended: a processor knows the value and, if it has searched alone, the best move.
    fn end(&self, value: Value, best: Option<T::Move>) {
        let mut root = locked(&self.root);
        if root.value.is_none() {
            root.value = Some(value);
            root.best = best.or(root.best);
        }
        self.ended.store(true, Relaxed);
        self.pool.wake_all();
    }

    /// Is this node searched by one processor to its end?
    #[inline]
    fn searches_alone(&self, node: &SearchNode<T, M>) -> bool {
        node.height < self.alone_below && node.ply > 0
    }

    /// The value of such a node, by the scheme's serial form; `left` says that it is on the leftmost path,
    /// or that its value is needed in any case.
    #[inline(always)]
    fn search_alone(
        &self,
        search: &mut Search<'_, T, M>,
        node: &SearchNode<T, M>,
        window: Window,
        left: bool,
    ) -> Result<Value, Stop> {
        match self.policy.mandatory {
            Mandatory::ElderGrandchildren if left && !Self::DRIVEN_ALONE => {
                e_node_value(search, node, window)
            }
            _ if !self.null_windows() => alpha_beta(search, node, window),
            _ if window.alpha + 1 == window.beta => nws(search, node, window.beta),
            _ => pvs(search, node, window),
        }
    }

    /// What it costs to ask the memory, if there is one.
    fn memory_cost(&self, search: &Search<'_, T, M>) -> u64 {
        if search.mode.has_memory() { self.costs.table } else { 0 }
    }
}

/// The range of values parted into disjoint windows, the outermost without an end.
fn parted(lowest: Value, highest: Value, parts: usize) -> Vec<Window> {
    let (lowest, width) = (i64::from(lowest), i64::from(highest) - i64::from(lowest) + 1);
    // A window holds the values from its first up to its end.
    let first = |part: usize| (lowest + width * part as i64 / parts as i64) as Value;
    let window = |part| {
        let alpha = if part == 0 { -INFINITY } else { first(part) - 1 };
        let beta = if part + 1 == parts { INFINITY } else { first(part + 1) };
        Window { alpha, beta }
    };
    (0..parts).map(window).collect()
}

/// Searches with several processors, on threads or simulated.
pub(super) fn search_together<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    root: &SearchNode<T, M>,
    processors: NonZeroUsize,
    policy: &Policy,
) -> Result<Value, Stop> {
    let shared = Shared::new(search, root, processors.get(), *policy);
    let stopped = match (search.spec.simulate(), processors.get()) {
        (true, processors) => simulate(search, &shared, processors).err(),
        (false, 1) => on_one_thread(search, &shared, 0).err(),
        (false, processors) => {
            let threads = processors.min(MAX_THREADS);
            let results = together(search, threads, |number, context| {
                context.set_process(number as u32 + 1);
                on_one_thread(context, &shared, number)
            });
            results.into_iter().find_map(Result::err)
        }
    };
    let root = shared.root.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    search.best = root.best.or(search.best);
    search.narrow_root(root.known);
    match (root.value, stopped) {
        (Some(value), _) => Ok(value),
        (None, stop) => Err(stop.unwrap_or(Stop::Flag)),
    }
}

/// One processor on the calling thread, until the search has ended.
fn on_one_thread<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    shared: &Shared<T, M>,
    number: usize,
) -> Result<(), Stop> {
    let mut walker = Walker::new(number, shared);
    loop {
        match walker.step(search, shared)? {
            Step::Worked => {}
            Step::Ended => return Ok(()),
            Step::Idle => {
                search.tally.give_back_shares();
                let since = Instant::now();
                search.tally.check_while_waiting(search.mode.bytes())?;
                shared.pool.nap();
                search.has_waited(since);
            }
        }
    }
}

/// All processors on the calling thread, in virtual time.
fn simulate<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    shared: &Shared<T, M>,
    processors: usize,
) -> Result<(), Stop> {
    let mut walkers: Vec<Walker<T, M>> =
        (0..processors).map(|number| Walker::new(number, shared)).collect();
    let schedule = search.spec.schedule();
    let mut costs = 0;
    let ended = simulate_events(processors, schedule, &mut |number, wakes| {
        let walker = &mut walkers[number];
        search.set_process(number as u32 + 1);
        let step = walker.step(search, shared)?;
        wakes.free = std::mem::take(&mut walker.wakes.free);
        wakes.these.append(&mut walker.wakes.these);
        let cost = std::mem::take(&mut walker.cost);
        costs += cost;
        Ok((step, cost))
    });
    search.set_process(0);
    let (time, result) = match ended {
        Ok(time) => (time, Ok(())),
        Err((time, stop)) => (time, Err(stop)),
    };
    search.tally.costs += costs;
    let ticks = &mut search.tally.ticks;
    *ticks = Some(ticks.unwrap_or(0) + time.div_ceil(LEAF));
    result
}
