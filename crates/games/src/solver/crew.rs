//! The solver on several threads: young brothers wait.
//!
//! All questions have null windows, so a node either cuts off, nearly always with its first move, or
//! needs all its moves searched, in any order: once the eldest brother has failed to cut off, the
//! others can be searched at the same time and hardly anything is done in vain. Far from the end a
//! node shares its brothers when a thread has nothing to do (see [`plyground_core::split_points`]). The
//! threads share the tables, but each has the one near the end for itself: it is to stay in the cache of one
//! processor core.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use super::search::{Candidate, Candidates, Halt, Pruning, Search};
use crate::othello::Instructions;
use plyground_core::split_points::{SplitJob, SplitPoint, SplitPoints};

/// The fewest empties of a node that shares its brothers, and of a position worth starting threads.
const SPLIT_FROM: u32 = 15;
pub(super) const THREADS_FROM: u32 = 17;

/// The brothers of a node, and what has come of them.
pub(super) struct Brothers {
    candidates: Candidates,
    alpha: i32,
    empties: u32,
    pruning: Option<Pruning>,
    /// The best score so far, its square, and why somebody gave up, if not for a cut-off.
    found: Mutex<Found>,
}

#[derive(Clone, Copy)]
struct Found {
    best: i32,
    square: u32,
    halt: Option<Halt>,
}

impl Brothers {
    fn with_found<R>(&self, change: impl FnOnce(&mut Found) -> R) -> R {
        change(&mut self.found.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// One of several threads.
#[derive(Clone)]
pub(super) struct Hand<'a> {
    pub(super) splits: &'a SplitPoints<Brothers>,
    /// The split that this thread works at.
    pub(super) split: Option<Arc<SplitPoint<Brothers>>>,
    /// The nodes of all threads, and how many this one has added to them.
    pub(super) nodes: &'a AtomicU64,
    pub(super) added: u64,
}

impl Hand<'_> {
    /// Is what this thread does of no use any more?
    pub(super) fn is_cut(&self) -> bool {
        self.split.as_ref().is_some_and(|split| split.is_cut())
    }

    /// Adds a thread's nodes to those of all, and returns these.
    pub(super) fn add(&mut self, nodes: u64) -> u64 {
        let new = nodes - self.added;
        self.added = nodes;
        self.nodes.fetch_add(new, Relaxed) + new
    }
}

impl<'a, I: Instructions> Search<'a, I> {
    /// Is there somebody who could search some of these brothers?
    #[inline(always)]
    pub(super) fn shares(&self, empties: u32, brothers: usize) -> bool {
        match &self.hand {
            Some(hand) => empties >= SPLIT_FROM && brothers >= 2 && hand.splits.has_idle(),
            None => false,
        }
    }

    /// Searches a node's remaining brothers together with whoever has time. `best` is the best score
    /// of the elder ones and its square; returned is that of all.
    #[inline(never)]
    pub(super) fn share(
        &mut self,
        candidates: &mut [Candidate],
        alpha: i32,
        empties: u32,
        (best, square): (i32, u32),
    ) -> Result<(i32, u32), Halt> {
        let Some(hand) = &self.hand else { return Err(Halt::Cut) };
        let splits = hand.splits;
        candidates.sort_by_key(|candidate| -candidate.worth);
        let candidates: Candidates = candidates.iter().copied().collect();
        let count = candidates.len();
        let found = Mutex::new(Found { best, square, halt: None });
        let work = Brothers { candidates, alpha, empties, pruning: self.pruning, found };
        let job = splits.open(hand.split.as_ref(), work, count);
        let split = Arc::clone(&job.split);
        self.work(job);
        while let Some(job) = splits.next(Some(&split)) {
            self.work(job);
        }
        let Found { best, square, halt } = split.work.with_found(|found| *found);
        match halt {
            Some(halt) => Err(halt),
            None if split.is_broken() => Err(Halt::Cut),
            None => Ok((best, square)),
        }
    }

    /// What a thread does that has no position of its own.
    pub(super) fn help(&mut self) -> u64 {
        let Some(splits) = self.hand.as_ref().map(|hand| hand.splits) else { return 0 };
        while let Some(job) = splits.next(None) {
            self.work(job);
        }
        self.nodes
    }

    /// Searches a brother, and others of the same node as long as there are any.
    fn work(&mut self, job: SplitJob<'a, Brothers>) {
        let Some(hand) = &mut self.hand else { return };
        let split = Arc::clone(&job.split);
        let before = hand.split.replace(Arc::clone(&split));
        let Brothers { ref candidates, alpha, empties, pruning, .. } = split.work;
        let own = std::mem::replace(&mut self.pruning, pruning);
        let mut next = Some(job);
        while let Some(job) = next {
            let Candidate { square, mover, other, .. } = candidates[job.number];
            let result = self.above_with(mover, other, -alpha - 1, empties - 1);
            let cuts = split.work.with_found(|found| match result {
                Ok(score) => {
                    if -score > found.best {
                        (found.best, found.square) = (-score, square);
                    }
                    -score > alpha
                }
                Err(Halt::Cut) => false,
                Err(halt) => {
                    found.halt = Some(halt);
                    false
                }
            });
            if cuts {
                split.cut();
            }
            // Who was stopped drops the job, which breaks the split unless it is cut.
            next = if result.is_ok() { job.done() } else { None };
        }
        self.pruning = own;
        if let Some(hand) = &mut self.hand {
            hand.split = before;
        }
    }
}
