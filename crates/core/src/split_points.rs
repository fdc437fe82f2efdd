//! Split points: nodes whose remaining moves several threads search together.
//!
//! The scheme is known as *young brothers wait*. One thread searches the first move of a node
//! alone, because that move often cuts off and then nothing else needs to be searched. Only if it
//! does not may other threads join the search of its siblings. The thread that came to the node
//! opens a [`SplitPoint`] and works there itself. Threads without work wait at [`SplitPoints`], the
//! list of open ones, and are woken when there is something to do. A sibling that cuts off makes
//! the whole split point pointless: its flag is raised, and every thread that works below it checks
//! the flags from its own split point up to the root. The thread that opened a split point stays
//! until its last worker has left. Until then it helps, but only at split points below its own (the
//! *helpful master*): no work there takes longer than the wait itself.
//!
//! No wake-up is lost. Whatever a thread can wait for (an open split point with work, the last
//! worker of its own split point gone, the end) changes under the list's one lock, and the thread
//! that changes it wakes all others. The flags and the number of idle threads are read without the
//! lock. They only decide whether a thread continues and whether it offers work, so relaxed loads
//! are enough: an old answer costs time and nothing else. What the workers find out is in the split
//! point's `work`, which brings its own lock.

use std::cmp::Reverse;
use std::time::Duration;

use super::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use super::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A node whose remaining moves, the siblings of the first, are shared among threads.
#[derive(Debug)]
pub struct SplitPoint<W> {
    /// What there is to do, and what the workers have found.
    pub work: W,
    /// The split point at whose work this one was opened.
    above: Option<Arc<SplitPoint<W>>>,
    /// The rest of the work here is no longer needed.
    cut: AtomicBool,
    /// A worker left without finishing, so the result is incomplete.
    broken: AtomicBool,
}

impl<W> SplitPoint<W> {
    /// Tells all workers here to stop: their work is no longer needed.
    pub fn cut(&self) {
        self.cut.store(true, Relaxed);
    }

    /// Was this split point or one above it cut off?
    pub fn is_cut(&self) -> bool {
        let mut split = self;
        loop {
            if split.cut.load(Relaxed) {
                return true;
            }
            match &split.above {
                Some(above) => split = above,
                None => return false,
            }
        }
    }

    /// Did a worker leave without finishing, so that a part of the result is missing?
    pub fn is_broken(&self) -> bool {
        self.broken.load(Relaxed)
    }

    fn is_below(&self, other: &SplitPoint<W>) -> bool {
        let mut split = self;
        while let Some(above) = &split.above {
            if std::ptr::eq(&**above, other) {
                return true;
            }
            split = above;
        }
        false
    }
}

/// An open split point in the list.
#[derive(Debug)]
struct Open<W> {
    split: Arc<SplitPoint<W>>,
    /// The number of the next sibling that no thread has taken.
    next: usize,
    /// How many siblings there are.
    siblings: usize,
    /// How many threads work on them.
    workers: usize,
    /// A thread without work goes where this is greatest.
    rank: u32,
}

#[derive(Debug)]
struct State<W> {
    open: Vec<Open<W>>,
    ended: bool,
}

impl<W> State<W> {
    fn find(&mut self, split: &Arc<SplitPoint<W>>) -> Option<&mut Open<W>> {
        self.open.iter_mut().find(|open| Arc::ptr_eq(&open.split, split))
    }
}

/// The open split points of a search, where threads without work find some.
#[derive(Debug)]
pub struct SplitPoints<W> {
    state: Mutex<State<W>>,
    wake: Condvar,
    idle: AtomicUsize,
}

/// A sibling that a thread has taken.
///
/// A job that is dropped before it is [done](SplitJob::done) marks its split point as broken and
/// cut off, so that a thread that is stopped, or panics, keeps no other thread waiting.
pub struct SplitJob<'s, W> {
    splits: &'s SplitPoints<W>,
    /// The split point that the sibling belongs to.
    pub split: Arc<SplitPoint<W>>,
    /// The sibling's number, from 0.
    pub number: usize,
    done: bool,
}

impl<W> SplitJob<'_, W> {
    /// Says that the sibling has been searched. Returns the next one of the same split point, if
    /// one is left and the split point is not cut off.
    pub fn done(mut self) -> Option<Self> {
        let mut state = self.splits.lock();
        if let Some(open) = state.find(&self.split)
            && open.next < open.siblings
            && !open.split.cut.load(Relaxed)
        {
            self.number = open.next;
            open.next += 1;
            drop(state);
            return Some(self);
        }
        drop(state);
        self.done = true;
        None
    }
}

impl<W> Drop for SplitJob<'_, W> {
    fn drop(&mut self) {
        if !self.done {
            // The result of a split point that was cut off already is complete without this
            // sibling.
            if !self.split.cut.swap(true, Relaxed) {
                self.split.broken.store(true, Relaxed);
            }
        }
        let mut state = self.splits.lock();
        if let Some(open) = state.find(&self.split) {
            open.workers -= 1;
            if open.workers == 0 {
                self.splits.wake.notify_all();
            }
        }
    }
}

/// What a thread that has nothing to do finds.
#[derive(Debug)]
pub enum Awaited<J> {
    /// Something to do.
    Job(J),
    /// What it waits for has come to its end.
    Over,
    /// Nothing yet.
    Nothing,
}

/// Ends the search of all threads when it is dropped, also by a panic: no helper waits for a thread
/// that is gone.
pub struct EndOnDrop<'s, W>(pub &'s SplitPoints<W>);

impl<W> Drop for EndOnDrop<'_, W> {
    fn drop(&mut self) {
        self.0.lock().ended = true;
        self.0.wake.notify_all();
    }
}

impl<W> Default for SplitPoints<W> {
    fn default() -> Self {
        SplitPoints::new()
    }
}

impl<W> SplitPoints<W> {
    /// An empty list.
    pub fn new() -> Self {
        SplitPoints {
            state: Mutex::new(State { open: Vec::new(), ended: false }),
            wake: Condvar::new(),
            idle: AtomicUsize::new(0),
        }
    }

    /// No code panics while it holds the lock, so a poisoned lock still guards a sound state.
    fn lock(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Is a thread waiting for work? The answer may be a moment old.
    #[inline]
    pub fn has_idle(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    /// Is no split point open? It waits for the lock, which a helper that looks for work may hold.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.lock().open.is_empty()
    }

    /// Opens a split point with this number of siblings, at least one, below `above`. The caller
    /// gets the first of them. Threads without work go to open split points of the highest rank, and
    /// among equals to the one that was opened first.
    pub fn open(
        &self,
        above: Option<&Arc<SplitPoint<W>>>,
        work: W,
        siblings: usize,
        rank: u32,
    ) -> SplitJob<'_, W> {
        let (cut, broken) = (AtomicBool::new(false), AtomicBool::new(false));
        let split = Arc::new(SplitPoint { work, above: above.cloned(), cut, broken });
        let open = Open { split: Arc::clone(&split), next: 1, siblings, workers: 1, rank };
        self.lock().open.push(open);
        self.wake.notify_all();
        SplitJob { splits: self, split, number: 0, done: false }
    }

    /// A sibling to search, for a thread that has nothing to do; waits until there is one.
    ///
    /// A thread that has opened `own` gets only siblings below it. It gets `None` when the last
    /// worker of `own` has left; `own` is then off the list. A helper, which has opened nothing,
    /// gets `None` at the end of the search.
    pub fn next(&self, own: Option<&Arc<SplitPoint<W>>>) -> Option<SplitJob<'_, W>> {
        let mut state = self.lock();
        loop {
            match self.look(&mut state, own) {
                Awaited::Job(job) => return Some(job),
                Awaited::Over => return None,
                Awaited::Nothing => {}
            }
            self.idle.fetch_add(1, Relaxed);
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
            self.idle.fetch_sub(1, Relaxed);
        }
    }

    /// The same for a thread that has opened `own` and has something to look after besides, such as a
    /// clock: it waits no longer than `patience`.
    pub fn next_within(
        &self,
        own: &Arc<SplitPoint<W>>,
        patience: Duration,
    ) -> Awaited<SplitJob<'_, W>> {
        let mut state = self.lock();
        let found = self.look(&mut state, Some(own));
        if !matches!(found, Awaited::Nothing) {
            return found;
        }
        self.idle.fetch_add(1, Relaxed);
        let waited = self.wake.wait_timeout(state, patience);
        (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        self.idle.fetch_sub(1, Relaxed);
        self.look(&mut state, Some(own))
    }

    /// What there is at this moment for a thread that has nothing to do.
    fn look(
        &self,
        state: &mut State<W>,
        own: Option<&Arc<SplitPoint<W>>>,
    ) -> Awaited<SplitJob<'_, W>> {
        match own {
            Some(own) => {
                let index = state.open.iter().position(|open| Arc::ptr_eq(&open.split, own));
                match index {
                    Some(index) if state.open[index].workers > 0 => {}
                    Some(index) => {
                        state.open.remove(index);
                        return Awaited::Over;
                    }
                    None => return Awaited::Over,
                }
            }
            None if state.ended => return Awaited::Over,
            None => {}
        }
        let wanted = |open: &&mut Open<W>| {
            open.next < open.siblings
                && own.is_none_or(|own| open.split.is_below(own))
                && !open.split.is_cut()
        };
        let best = state.open.iter_mut().filter(wanted).min_by_key(|open| Reverse(open.rank));
        let Some(open) = best else { return Awaited::Nothing };
        open.workers += 1;
        open.next += 1;
        let (split, number) = (Arc::clone(&open.split), open.next - 1);
        Awaited::Job(SplitJob { splits: self, split, number, done: false })
    }
}
