//! Searches by ranks that share nothing but messages, on one machine or on many.
//!
//! Every rank calls the same function with the same tree and its own [`Network`]; rank 0 gets the outcome.
//! [`parsss`] is PARSSS* and PARITERSSS* with messages in MINPROC's place, [`aphid()`] an alpha-beta scheme
//! that was made for memory which is not shared. Nothing here knows how messages travel: MPI carries them
//! in the package `plyground-cluster`, and channels between threads in the tests.
//!
//! A search ends in the same way in both. Rank 0 knows when the value is proved. Its last message to every
//! rank says so; each of them answers with its last message to every other. Messages between two ranks
//! arrive in the order in which they were sent, so a rank that has had the last message of all others
//! knows that none is on its way to it any more. No rank waits for a time to pass.

mod aphid;
mod post;
#[cfg(test)]
mod tests;
mod words;

use std::num::NonZeroUsize;
use std::time::Duration;

use plyground_core::limits::{Limits, Stop};
use plyground_core::tree::GameTree;
use plyground_core::value::Value;
use serde::Serialize;

pub use aphid::{AphidSettings, aphid};
pub(crate) use post::Post;
pub(crate) use words::{ReadWords, WriteWords};

use crate::algorithms::{ParIterSss, ParSss};
use crate::outcome::SearchError;
use crate::spec::{Options, SearchSpec};

/// What carries messages between ranks.
pub trait Network {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;
    /// How many ranks there are.
    fn ranks(&self) -> usize;
    /// Sends a message to another rank, without waiting for it. The messages from one rank to another
    /// arrive in the order in which they were sent.
    fn send(&mut self, to: usize, message: Vec<u8>);
    /// The next message and its sender, if one has arrived.
    fn receive(&mut self) -> Option<(usize, Vec<u8>)>;
    /// Waits for a message. It may return before one arrives, and does after a millisecond or two.
    fn wait(&mut self);
}

/// What one rank did in a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct RankCounts {
    /// Evaluations of leaves.
    pub evaluations: u64,
    /// All visits of nodes.
    pub visits: u64,
    /// The processes that it ran, or the pieces of work that it was given.
    pub jobs: u64,
    /// The messages that it sent.
    pub messages: u64,
    /// The bytes of these messages.
    pub bytes: u64,
    /// How long it had nothing to do.
    pub idle_seconds: f64,
    /// How long it ran on a processor; 0 where the system does not say.
    pub cpu_seconds: f64,
    /// The most states that were on its OPEN.
    pub peak_open: u64,
}

/// The outcome of a search by several ranks.
#[derive(Clone, Debug)]
pub struct DistributedOutcome<M> {
    /// The root's value for MAX; `None` if the search was stopped before it was known.
    pub value: Option<Value>,
    /// A move that achieves the value, or the best so far.
    pub best: Option<M>,
    /// Why the search stopped early, if it did.
    pub stopped: Option<Stop>,
    /// How long rank 0 took.
    pub time: Duration,
    /// What each rank did.
    pub ranks: Vec<RankCounts>,
}

impl<M> DistributedOutcome<M> {
    /// What all ranks did: counts and times are summed, of peaks the highest is taken.
    pub fn total(&self) -> RankCounts {
        let mut total = RankCounts::default();
        for rank in &self.ranks {
            total.evaluations += rank.evaluations;
            total.visits += rank.visits;
            total.jobs += rank.jobs;
            total.messages += rank.messages;
            total.bytes += rank.bytes;
            total.idle_seconds += rank.idle_seconds;
            total.cpu_seconds += rank.cpu_seconds;
            total.peak_open = total.peak_open.max(rank.peak_open);
        }
        total
    }
}

/// The settings of [`parsss`].
#[derive(Clone, Debug, Default)]
pub struct ParSssSettings {
    /// The horizon.
    pub depth: u32,
    /// The least height of a node that may get a process; [`SPAWN_HEIGHT`](crate::SPAWN_HEIGHT) if none is
    /// given.
    pub spawn_height: Option<u32>,
    /// M, the entries of memory of each process: PARITERSSS*. Without it, PARSSS*.
    pub entries: Option<NonZeroUsize>,
    /// What may stop the search; each rank counts by itself.
    pub limits: Limits,
}

impl ParSssSettings {
    /// The search by processes in one memory that does the same with this many processors: by threads,
    /// or simulated.
    ///
    /// # Panics
    /// If there are no processors.
    pub fn algorithm(&self, processors: usize) -> crate::Algorithm {
        let threads = NonZeroUsize::new(processors).expect("a search has a processor");
        match self.entries {
            Some(entries) => ParIterSss { threads, entries }.into(),
            None => ParSss { threads }.into(),
        }
    }
}

/// PARSSS*(N), or PARITERSSS*(N, M), with a process on each of N ranks and messages in MINPROC's place:
/// exact for any number of ranks. Rank 0 gets the outcome, the others `None`.
pub fn parsss<T: GameTree>(
    tree: &T,
    settings: &ParSssSettings,
    network: &mut dyn Network,
) -> Result<Option<DistributedOutcome<T::Move>>, SearchError> {
    let ParSssSettings { depth, spawn_height, limits, .. } = settings.clone();
    let options = Options { spawn_height, limits, ..Options::to_depth(depth) };
    // One thread: the others are ranks.
    let spec = SearchSpec::check(&settings.algorithm(1), options)
        .expect("a depth, limits and a spawn height go with every parallel algorithm");
    crate::parallel::search_on_ranks(tree, &spec, settings.entries, network)
}
