//! The solver on several threads, by the Young Brothers Wait concept (Feldmann 1993).
//!
//! All searches have null windows, so a node either cuts off, nearly always with its first move, or
//! needs all its moves searched, in any order. Once the first move has failed to cut off, its
//! siblings can be searched at the same time, and hardly any of that work is wasted. Far from the
//! end a node becomes a split point when a thread is idle (see [`plyground_core::splits`]). The
//! threads share the tables, except that each has its own table near the end, which has to stay in
//! the cache of one processor core.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

use super::search::{Candidate, Candidates, Halt, ProbCut, Search};
use crate::othello::Instructions;
use plyground_core::split_points::{SplitJob, SplitPoint, SplitPoints};

/// The fewest empties of a node that becomes a split point.
const SPLIT_MIN_EMPTIES: u32 = 15;
/// The fewest empties of a root that helper threads are started for.
pub(super) const THREADS_MIN_EMPTIES: u32 = 17;

/// The moves of a split point that are searched by several threads, and the best result so far.
pub(super) struct Siblings {
    candidates: Candidates,
    alpha: i32,
    empties: u32,
    probcut: Option<ProbCut>,
    best: Mutex<BestSoFar>,
}

#[derive(Clone, Copy)]
struct BestSoFar {
    score: i32,
    square: u32,
    /// Why a thread gave up, unless it was for a cutoff.
    halt: Option<Halt>,
}

impl Siblings {
    fn update<R>(&self, change: impl FnOnce(&mut BestSoFar) -> R) -> R {
        change(&mut self.best.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What a thread knows of the threads that it searches with.
#[derive(Clone)]
pub(super) struct Worker<'a> {
    pub(super) splits: &'a SplitPoints<Siblings>,
    /// The split point that this thread works at.
    pub(super) split: Option<Arc<SplitPoint<Siblings>>>,
    /// The nodes of all threads, and how many of them are this thread's.
    pub(super) nodes: &'a AtomicU64,
    pub(super) added: u64,
}

impl Worker<'_> {
    /// Whether a cutoff has made the work of this thread useless.
    pub(super) fn is_cut(&self) -> bool {
        self.split.as_ref().is_some_and(|split| split.is_cut())
    }

    /// Adds the thread's new nodes to those of all threads, and returns the total.
    pub(super) fn add(&mut self, nodes: u64) -> u64 {
        let new = nodes - self.added;
        self.added = nodes;
        self.nodes.fetch_add(new, Relaxed) + new
    }
}

impl<'a, I: Instructions> Search<'a, I> {
    /// Whether an idle thread could search some of a node's `siblings` remaining moves.
    #[inline(always)]
    pub(super) fn can_split(&self, empties: u32, siblings: usize) -> bool {
        match &self.worker {
            Some(worker) => {
                empties >= SPLIT_MIN_EMPTIES && siblings >= 2 && worker.splits.has_idle()
            }
            None => false,
        }
    }

    /// Makes the node a split point: searches its remaining moves together with idle threads.
    /// `(score, square)` is the best of the moves before them; the best of all is returned.
    #[inline(never)]
    pub(super) fn split(
        &mut self,
        candidates: &mut [Candidate],
        alpha: i32,
        empties: u32,
        (score, square): (i32, u32),
    ) -> Result<(i32, u32), Halt> {
        let Some(worker) = &self.worker else { return Err(Halt::Cut) };
        let splits = worker.splits;
        candidates.sort_by_key(|candidate| -candidate.priority);
        let candidates: Candidates = candidates.iter().copied().collect();
        let count = candidates.len();
        let best = Mutex::new(BestSoFar { score, square, halt: None });
        let work = Siblings { candidates, alpha, empties, probcut: self.probcut, best };
        let job = splits.open(worker.split.as_ref(), work, count, 0);
        let split = Arc::clone(&job.split);
        self.run_jobs(job);
        while let Some(job) = splits.next(Some(&split)) {
            self.run_jobs(job);
        }
        let BestSoFar { score, square, halt } = split.work.update(|best| *best);
        match halt {
            Some(halt) => Err(halt),
            None if split.is_broken() => Err(Halt::Cut),
            None => Ok((score, square)),
        }
    }

    /// Runs a helper thread: it takes jobs at split points until the search ends, and returns its
    /// nodes.
    pub(super) fn run_helper(&mut self) -> u64 {
        let Some(splits) = self.worker.as_ref().map(|worker| worker.splits) else { return 0 };
        while let Some(job) = splits.next(None) {
            self.run_jobs(job);
        }
        self.nodes
    }

    /// Searches one move of a split point, and further ones while there are any.
    fn run_jobs(&mut self, job: SplitJob<'a, Siblings>) {
        let Some(worker) = &mut self.worker else { return };
        let split = Arc::clone(&job.split);
        let before = worker.split.replace(Arc::clone(&split));
        let Siblings { ref candidates, alpha, empties, probcut, .. } = split.work;
        let own = std::mem::replace(&mut self.probcut, probcut);
        let mut next = Some(job);
        while let Some(job) = next {
            let Candidate { square, mover, other, .. } = candidates[job.number];
            let result = self.nws_at(mover, other, -alpha - 1, empties - 1);
            let cuts = split.work.update(|best| match result {
                Ok(score) => {
                    if -score > best.score {
                        (best.score, best.square) = (-score, square);
                    }
                    -score > alpha
                }
                Err(Halt::Cut) => false,
                Err(halt) => {
                    best.halt = Some(halt);
                    false
                }
            });
            if cuts {
                split.cut();
            }
            // A thread that was stopped drops the job, which breaks the split point unless it is cut.
            next = if result.is_ok() { job.done() } else { None };
        }
        self.probcut = own;
        if let Some(worker) = &mut self.worker {
            worker.split = before;
        }
    }
}
