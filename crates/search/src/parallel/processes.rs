//! PARSSS*(N), PARITERSSS*(N, M) and parallel PS*: processes with OPEN lists of their own.
//!
//! **PARSSS\*(N)** (Bhattacharya and Bagchi 1990). There are up to N processes, each with an OPEN
//! of its own; the first searches the root. Whenever a process has chosen the first state of its
//! OPEN and fewer than N processes run, it delegates LIVE MIN nodes to new processes, the highest
//! nodes first. The entry of a process in MINPROC says what the node that it searches can still be
//! worth. A SOLVED MIN node solves its parent only when no process below the parent has more; those
//! with no more are killed.
//!
//! **PARITERSSS\*(N, M)** is the same with M entries of memory for each process; with one process
//! it is ITERSSS*(M) (Bhattacharya and Bagchi 1986). A node whose children do not fit becomes
//! INACTIVE, and OPEN's first state is the best ACTIVE one. When a MIN node x, a child of x′, is
//! SOLVED, all states below x′ with no more merit are dropped; if INACTIVE ones with more merit
//! remain, the deepest becomes ACTIVE again and x goes back on OPEN. INACTIVE nodes are delegated
//! first. A delegated node keeps its entry of memory for its return, and the entry is given back
//! when its process is killed: the printed code forgets that, and locks up.
//!
//! As printed it can also lock up on trees of varying shape. What differs here: a LIVE MAX node is
//! tested like the MIN node before it and may become INACTIVE too; a node that is ACTIVE again, and
//! the first child it leads to, expands without the test; where no state is ACTIVE and none is
//! delegated, the deepest INACTIVE one (ties leftmost) becomes ACTIVE. M may then be exceeded by a
//! few entries. This is done only where M is enough by the paper's formula, M ≥ ⌈d/2⌉(b - 1) + 1;
//! with less memory the search ends with a [`MemoryLock`](crate::MemoryLock).
//!
//! **Parallel PS\*(K)** with N processes: Srimani and Marsland only suggest it. The operator is
//! PS*'s. A process delegates LIVE MIN nodes of its current partitions, as in PARSSS*; when it has
//! none left, it delegates whole partitions that it has not started, of its highest MAX nodes
//! first. They begin with the node's low and high at that time, and are told when low rises. A
//! partition that comes back is a SOLVED MIN node of the best child in it. So with one process this
//! is PS*(K), with one partition PARSSS*(N), and with partitions of one child an alpha-beta that
//! splits the tree.
//!
//! All run on threads, and in a [`simulation`] that counts time in leaves; the first two also on [`ranks`]
//! that share nothing but messages.

mod accounting;
mod minproc;
#[cfg(test)]
mod minproc_tests;
mod operator;
mod process;
mod ranks;
mod sharing;
mod simulation;
mod threads;

/// The locks and atomics of [`minproc`]: a test exchanges them for those of a model checker.
mod sync {
    pub(super) use std::sync::*;
}

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use minproc::{Minproc, MinprocEntry};
pub(crate) use ranks::search_on_ranks;

use super::MAX_THREADS;
use super::events::Costs;
use super::team::together;
use crate::best_first::capacity::{Capacity, WhenFull};
use crate::best_first::open_trace::{OpenTrace, Side};
use crate::best_first::solution_tree::ExpandedMax;
use crate::catalogue::Partitions;
use crate::prelude::*;

/// Every process searches for the root's mover.
const TRACE: OpenTrace = OpenTrace::of(Side::Max);

/// The settings of all processes of a search.
struct Settings {
    partitions: Partitions,
    /// Is there more than one partition?
    phased: bool,
    /// M, the entries of memory that each process may use.
    entries: Option<u64>,
    /// The least height of a node that may get a process.
    spawn_height: u32,
    /// What a simulated search pays for besides leaves.
    costs: Costs,
    /// Is there one process only, which can delegate nothing?
    alone: bool,
    /// May a turn evaluate any number of leaves, as on a thread?
    endless: bool,
    /// May leaves be evaluated before their parent is pushed? Not where they could be delegated, nor where
    /// every leaf has its turn.
    leaves_first: bool,
    /// A process tells the team how many states it holds when they have changed by more than this. The most that
    /// a process alone has held it knows itself.
    count_step: usize,
}

impl Settings {
    fn is_bounded(&self) -> bool {
        self.entries.is_some()
    }

    /// The capacity of a process that begins with a node of this width.
    fn capacity(&self, width: usize) -> Capacity {
        let mut capacity = match self.entries {
            Some(entries) => Capacity::of(entries, WhenFull::Deactivate),
            None => Capacity::UNBOUNDED,
        };
        _ = capacity.fits(1, width);
        capacity
    }
}

/// The job of a process: some children of an expanded MAX node.
struct Job<T: GameTree, M: Mode> {
    max: ExpandedMax<T, M>,
    children: Range<usize>,
    entry: Arc<MinprocEntry>,
}

/// Searches with at most `processes` processes, each in at most `entries` entries of memory.
pub(super) fn search_with_processes<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    root: &SearchNode<T, M>,
    processes: NonZeroUsize,
    partitions: Partitions,
    entries: Option<NonZeroUsize>,
) -> Result<Value, Stop> {
    let simulated = search.spec.simulate();
    let threads = if simulated { 1 } else { processes.get().min(MAX_THREADS) };
    let settings = Settings {
        phased: partitions != Partitions::ONE,
        partitions,
        entries: entries.map(|entries| entries.get() as u64),
        spawn_height: search.spec.spawn_height(),
        costs: search.spec.costs(),
        alone: processes.get() == 1,
        endless: !simulated,
        leaves_first: !simulated && entries.is_none() && search.spec.spawn_height() > 0,
        count_step: match (processes.get(), simulated) {
            (1, _) => usize::MAX,
            (_, true) => 0,
            (_, false) => 32,
        },
    };
    let before = search.tally.evaluations;
    let Some(children) = search.generate(root) else {
        let value = search.leaf_once(root);
        let tally = &mut search.tally;
        tally.ticks = Some(tally.ticks.unwrap_or(0) + tally.evaluations - before);
        return value;
    };
    // On threads, each thread but the first adds a place when it is ready.
    let minproc = Minproc::new(if simulated { processes.get() - 1 } else { 0 });
    let first = Mutex::new(Some(Job {
        children: 0..children.len(),
        max: ExpandedMax::new(root.clone(), &children),
        entry: minproc.first_entry(INFINITY, -INFINITY),
    }));
    let results = together(search, threads, |number, context| {
        let job = match number {
            0 => first.lock().unwrap_or_else(PoisonError::into_inner).take(),
            _ => None,
        };
        match job {
            Some(job) if simulated => simulation::run(context, &minproc, &settings, job).map(Some),
            Some(job) => threads::first(context, &minproc, &settings, job).map(Some),
            None => threads::help(context, &minproc, &settings).map(|()| None),
        }
    });
    match results.into_iter().next() {
        Some(Ok(Some(value))) => {
            // A process that stopped for want of memory was not needed for the value.
            search.failure = None;
            Ok(value)
        }
        Some(Err(stop)) => Err(stop),
        _ => unreachable!("worker 0 has the first process"),
    }
}
