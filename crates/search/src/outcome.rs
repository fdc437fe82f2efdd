//! The outcome of a search.

use std::time::Duration;

use plyground_core::limits::Stop;
use plyground_core::value::{Bounds, Value};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What a search did. The same struct goes into records and JSON as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Distinct leaves evaluated (NBP), summed over iterations; `None` if nobody told paths apart, or
    /// the allowance for that was used up.
    pub leaves: Option<u64>,
    /// Evaluations of leaves.
    pub evaluations: u64,
    /// Distinct interior nodes expanded; `None` as for the leaves.
    pub interior: Option<u64>,
    /// All entries into nodes.
    pub visits: u64,
    /// Positions beyond the leaves that their evaluation looked at; not among the visits.
    pub quiescence: u64,
    /// The most states that were on OPEN after a step of the operator.
    pub peak_open: u64,
    /// The most entries that were on BACKUP.
    pub peak_backup: u64,
    /// The most nodes with stored bounds.
    pub peak_stored: u64,
    /// The most bytes that lists, table and stored bounds took.
    pub peak_bytes: u64,
    /// Calls of the search below the root, by drivers that make more than one, in all iterations.
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
    /// The root's value for MAX, unless the search was stopped before it was known, or is one that
    /// proves the best move without it.
    pub value: Option<Value>,
    /// What is known of it in any case.
    pub bounds: Bounds,
    /// A move that achieves the value, or the best so far.
    pub best: Option<M>,
    /// Why the search stopped early, if it did.
    pub stopped: Option<Stop>,
    /// The depth that was searched: with deepening, the last that was searched to the end.
    pub depth: u32,
    /// What it did, in all iterations.
    pub counts: Counts,
    /// The average number of children of the nodes that were expanded; `None` if there were none.
    pub width: Option<f64>,
    /// How long it took.
    pub time: Duration,
    /// How long its threads had nothing to do, all together.
    pub idle: Duration,
    /// The most entries that one process of a parallel search held.
    pub peak_process: u64,
    /// The time of a simulated search, in leaves: the most that one after the other had to be
    /// evaluated.
    pub terminal_count: Option<u64>,
    /// The iterations that were searched to the end.
    pub iterations: Vec<Iteration<M>>,
}

impl<M> Outcome<M> {
    /// The same outcome with its moves written in another way.
    pub fn map<N>(self, write: impl Fn(M) -> N) -> Outcome<N> {
        Outcome {
            value: self.value,
            bounds: self.bounds,
            best: self.best.map(&write),
            stopped: self.stopped,
            depth: self.depth,
            counts: self.counts,
            width: self.width,
            time: self.time,
            idle: self.idle,
            peak_process: self.peak_process,
            terminal_count: self.terminal_count,
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

/// An iteration that was searched to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iteration<M> {
    /// Its depth.
    pub depth: u32,
    /// Its value, if it tells one.
    pub value: Option<Value>,
    /// Its best move.
    pub best: Option<M>,
    /// All visits so far, in this and all iterations before.
    pub visits: u64,
    /// The time so far.
    pub time: Duration,
}

/// ITERSSS* came to a point where its memory was full and nothing on OPEN could go on.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "memory locks: M = {entries} entries, {held} held ({inactive} of them INACTIVE) and none can go \
     on; M = {least} is enough for width {width} and depth {depth}, and the least where the tree is \
     uniform"
)]
pub struct MemoryLock {
    /// M
    pub entries: u64,
    /// Entries in use.
    pub held: u64,
    /// How many of them were set aside.
    pub inactive: u64,
    /// The widest node met so far.
    pub width: u64,
    /// The depth of the search.
    pub depth: u32,
    /// ⌈d/2⌉(b - 1) + 1 for that width and depth: on a uniform tree the least M.
    pub least: u64,
}
