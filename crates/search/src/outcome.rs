//! The outcome of a search.

use std::time::Duration;

use plyground_core::limits::Stop;
use plyground_core::memory::OutOfMemory;
use plyground_core::value::{Bounds, Value};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::catalogue::Algorithm;

/// What a search did, in numbers. Records and JSON output contain this struct as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Distinct leaves that were evaluated (the papers' NBP, the number of bottom positions),
    /// summed over iterations; `None` if distinct paths were not counted, or the allowance for that
    /// was used up.
    pub leaves: Option<u64>,
    /// Evaluations of leaves, the same leaf again included.
    pub evaluations: u64,
    /// Distinct interior nodes that were expanded; `None` as for the leaves.
    pub interior: Option<u64>,
    /// All visits of nodes.
    pub visits: u64,
    /// Positions of quiescence searches beyond the leaves; they do not count as visits.
    pub quiescence: u64,
    /// The most states that were on OPEN after a step of the operator.
    pub peak_open: u64,
    /// The most entries that were on BACKUP.
    pub peak_backup: u64,
    /// The most nodes that had stored bounds.
    pub peak_stored: u64,
    /// The most bytes that lists, table and stored bounds took.
    pub peak_bytes: u64,
    /// Searches of a child again, because a null window had shown only that it is better (PVS,
    /// NegaScout, Scout), and of the root again, because its value was outside a window (aspiration).
    #[serde(default)]
    pub researches: u64,
    /// Calls of the search below the root, in all iterations, by drivers that make more than one.
    pub calls: u64,
}

impl Counts {
    /// Distinct nodes, leaves and interior ones.
    pub fn nodes(&self) -> Option<u64> {
        Some(self.leaves? + self.interior?)
    }
}

/// The outcome of a search.
#[derive(Clone, Debug)]
pub struct Outcome<M> {
    /// The root's value for MAX; `None` if the search was stopped before it was known, or the
    /// algorithm proves the best move without it.
    pub value: Option<Value>,
    /// The bounds on the root's value that are known in any case.
    pub bounds: Bounds,
    /// What the search takes the value to be: the value where it is known, else what its evaluations
    /// say, if it has an opinion.
    pub estimate: Option<Value>,
    /// The answer to the question of the spec: is the value at least v? `None` if there was no question,
    /// or the answer is not proved.
    pub proved: Option<bool>,
    /// A move that achieves the value, or the best move so far.
    pub best: Option<M>,
    /// Why the search stopped early, if it did.
    pub stopped: Option<Stop>,
    /// The depth that was searched; with deepening, the last one that was finished.
    pub depth: u32,
    /// What the search did, in all iterations.
    pub counts: Counts,
    /// The average number of children of the nodes that were expanded; `None` if there were none.
    pub width: Option<f64>,
    /// How long the search took.
    pub time: Duration,
    /// How long its threads ran on a processor, summed; `None` where the system does not say.
    pub cpu: Option<Duration>,
    /// How long its threads had nothing to do, summed over all threads.
    pub idle: Duration,
    /// The most entries that one process of a parallel search held.
    pub peak_process: u64,
    /// The time of a simulated search in terminal counts: in one, every process evaluates at most
    /// one leaf.
    pub terminal_count: Option<u64>,
    /// The share of a simulated search's processors' time in which they had nothing to do.
    pub idle_share: Option<f64>,
    /// The iterations that were finished.
    pub iterations: Vec<Iteration<M>>,
}

impl<M> Outcome<M> {
    /// How long the search by `algorithm` took: the CPU time of a serial search, which other programs
    /// disturb least; the time on the wall with several threads, or where the system knows no other.
    pub fn search_time(&self, algorithm: &Algorithm) -> Duration {
        match (self.cpu, algorithm.threads()) {
            (Some(cpu), None) => cpu,
            _ => self.time,
        }
    }

    /// The same outcome with its moves in another form, such as text.
    pub fn map<N>(self, write: impl Fn(M) -> N) -> Outcome<N> {
        Outcome {
            value: self.value,
            bounds: self.bounds,
            estimate: self.estimate,
            proved: self.proved,
            best: self.best.map(&write),
            stopped: self.stopped,
            depth: self.depth,
            counts: self.counts,
            width: self.width,
            time: self.time,
            cpu: self.cpu,
            idle: self.idle,
            peak_process: self.peak_process,
            terminal_count: self.terminal_count,
            idle_share: self.idle_share,
            iterations: self
                .iterations
                .into_iter()
                .map(|Iteration { depth, value, best, visits, time }| Iteration {
                    depth,
                    value,
                    best: best.map(&write),
                    visits,
                    time,
                })
                .collect(),
        }
    }
}

/// An iteration that was finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration<M> {
    /// Its depth.
    pub depth: u32,
    /// Its value, if the algorithm finds one.
    pub value: Option<Value>,
    /// Its best move.
    pub best: Option<M>,
    /// All visits so far, in this and all iterations before.
    pub visits: u64,
    /// The time so far.
    pub time: Duration,
}

/// Why a search has no outcome. A search that reaches a limit has one.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum SearchError {
    /// A memory-bounded algorithm cannot continue.
    #[error(transparent)]
    Locked(#[from] MemoryLock),
    /// There is no memory for the table.
    #[error("the table: {0}")]
    Table(OutOfMemory),
    /// There is no memory for the stacks of the threads.
    #[error("{threads} threads: {shortage}")]
    Stacks {
        /// How many threads were wanted.
        threads: usize,
        /// What cannot be had.
        shortage: OutOfMemory,
    },
    /// The system gives no more threads.
    #[error("{threads} threads: the system gives no more than {started}; expected fewer")]
    Threads {
        /// How many threads were wanted.
        threads: usize,
        /// How many there were.
        started: usize,
    },
}

/// The error of ITERSSS* when its memory is full and no state on OPEN can be expanded.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "memory locks: M = {entries} entries, {held} held ({inactive} of them INACTIVE) and none can go \
     on; M = {least} is enough for width {width} and depth {depth}, and the least where the tree is \
     uniform"
)]
pub struct MemoryLock {
    /// M, the entries of memory that the algorithm was given.
    pub entries: u64,
    /// How many entries were in use.
    pub held: u64,
    /// How many of them were INACTIVE.
    pub inactive: u64,
    /// The number of children of the widest node so far.
    pub width: u64,
    /// The depth of the search.
    pub depth: u32,
    /// ⌈d/2⌉(b - 1) + 1 for that width and depth: the least M that is enough on a uniform tree.
    pub least: u64,
}
