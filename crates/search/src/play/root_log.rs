//! The log of a root that several threads search.
//!
//! All threads go through the root in the same way: depth after depth, window after window, each of
//! them a *pass* over the root's moves. A thread that finds a better move appends it to the log, and
//! the first thread that comes to the end of a pass closes it there. The others read what was appended
//! since they last looked, in its order, and go on from there as if they had found it themselves. So
//! all threads agree on the order of the moves, and none works on what is settled.

use super::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use super::sync::{Mutex, PoisonError};
use plyground_core::value::{INFINITY, Value};

/// A move of the root that is better than all before it in the same pass.
#[derive(Clone, Debug)]
pub(super) struct NewBest<M> {
    pub(super) mv: M,
    pub(super) value: Value,
    /// The line that begins with the move.
    pub(super) line: Vec<M>,
}

/// An entry of the log.
#[derive(Clone, Debug)]
pub(super) enum RootEvent<M> {
    /// A better move was found.
    NewBest(NewBest<M>),
    /// The pass is over and has this value.
    PassOver(Value),
}

/// The log of one search.
#[derive(Debug)]
pub(super) struct RootLog<M> {
    /// How many passes are over: a hint, so that no thread needs the lock to see that there is nothing
    /// new. Relaxed, because a thread that sees it late only searches a little longer.
    passes_over: AtomicUsize,
    events: Mutex<Vec<RootEvent<M>>>,
}

impl<M> RootLog<M> {
    /// An empty log.
    pub(super) fn new() -> RootLog<M> {
        RootLog { passes_over: AtomicUsize::new(0), events: Mutex::default() }
    }
}

/// The place in the log that one thread has read to.
#[derive(Debug)]
pub(super) struct RootLogCursor<'a, M> {
    log: &'a RootLog<M>,
    /// How many events were read.
    read: usize,
    /// How many of them closed a pass.
    passes_over: usize,
    /// The best value in this pass.
    best: Value,
}

impl<'a, M> RootLogCursor<'a, M> {
    /// The beginning of the log.
    pub(super) fn new(log: &'a RootLog<M>) -> RootLogCursor<'a, M> {
        RootLogCursor { log, read: 0, passes_over: 0, best: -INFINITY }
    }

    /// Has another thread closed the pass that this one is in?
    #[inline]
    pub(super) fn is_behind(&self) -> bool {
        self.log.passes_over.load(Relaxed) > self.passes_over
    }

    /// Reads on, and appends `event` if it is still news. Calls `on_best` with every better move that
    /// this thread did not know. If the pass is over, returns its value, and the next pass begins.
    pub(super) fn sync(
        &mut self,
        event: Option<RootEvent<M>>,
        on_best: &mut dyn FnMut(&NewBest<M>),
    ) -> Option<Value> {
        let log = self.log;
        // No thread panics between the two halves of a change.
        let mut events = log.events.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(event) = events.get(self.read) {
            if let Some(value) = self.read(event, on_best) {
                return Some(value);
            }
        }
        let event = event?;
        if matches!(&event, RootEvent::NewBest(found) if found.value <= self.best) {
            return None;
        }
        let over = self.read(&event, on_best);
        events.push(event);
        if over.is_some() {
            log.passes_over.store(self.passes_over, Relaxed);
        }
        over
    }

    fn read(
        &mut self,
        event: &RootEvent<M>,
        on_best: &mut dyn FnMut(&NewBest<M>),
    ) -> Option<Value> {
        self.read += 1;
        match event {
            RootEvent::NewBest(found) => {
                self.best = found.value;
                on_best(found);
                None
            }
            RootEvent::PassOver(value) => {
                self.passes_over += 1;
                self.best = -INFINITY;
                Some(*value)
            }
        }
    }
}
