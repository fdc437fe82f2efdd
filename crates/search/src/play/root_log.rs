//! The minutes of a root that several threads search.
//!
//! All threads take the same way through the root: depth after depth, window after window, each a
//! *pass* over the root's moves. Whoever finds a better move writes it down, and whoever comes to the
//! end of a pass closes it; the others read what was written since they last looked, in its order, and
//! go on from there as if they had found it themselves. So all agree at all times on the moves' order,
//! and none works on what is settled.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use plyground_core::value::{INFINITY, Value};

/// A move of the root that is better than all before it in the same pass.
#[derive(Clone, Debug)]
pub(super) struct Find<M> {
    pub(super) mv: M,
    pub(super) value: Value,
    /// The line that begins with the move.
    pub(super) line: Vec<M>,
}

#[derive(Clone, Debug)]
pub(super) enum Entry<M> {
    Found(Find<M>),
    /// The pass is over and came to this value.
    Over(Value),
}

/// What is written down.
#[derive(Debug)]
pub(super) struct Minutes<M> {
    /// How many passes are over: a hint, so that nobody needs the lock to see that there is nothing
    /// new. Relaxed, because who is late to see it only searches a little longer.
    over: AtomicUsize,
    entries: Mutex<Vec<Entry<M>>>,
}

impl<M> Minutes<M> {
    /// Nothing yet.
    pub(super) fn new() -> Minutes<M> {
        Minutes { over: AtomicUsize::new(0), entries: Mutex::default() }
    }
}

/// One who reads them and writes them.
#[derive(Debug)]
pub(super) struct Clerk<'a, M> {
    minutes: &'a Minutes<M>,
    /// So many entries are read.
    read: usize,
    /// So many of them closed a pass.
    passes: usize,
    /// The best value in this pass.
    best: Value,
}

impl<'a, M> Clerk<'a, M> {
    /// Begins with the first entry.
    pub(super) fn new(minutes: &'a Minutes<M>) -> Clerk<'a, M> {
        Clerk { minutes, read: 0, passes: 0, best: -INFINITY }
    }

    /// Has somebody closed the pass that this one is in?
    #[inline]
    pub(super) fn is_late(&self) -> bool {
        self.minutes.over.load(Relaxed) > self.passes
    }

    /// Reads on, and writes what there is to write if it is still news. Every find that was not known
    /// is told. If the pass is over, returns what it came to; then the next one begins.
    pub(super) fn enter(
        &mut self,
        entry: Option<Entry<M>>,
        tell: &mut dyn FnMut(&Find<M>),
    ) -> Option<Value> {
        let minutes = self.minutes;
        // Nobody breaks down between two halves of an entry.
        let mut entries = minutes.entries.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(entry) = entries.get(self.read) {
            if let Some(value) = self.read(entry, tell) {
                return Some(value);
            }
        }
        let entry = entry?;
        if matches!(&entry, Entry::Found(find) if find.value <= self.best) {
            return None;
        }
        let over = self.read(&entry, tell);
        entries.push(entry);
        if over.is_some() {
            minutes.over.store(self.passes, Relaxed);
        }
        over
    }

    fn read(&mut self, entry: &Entry<M>, tell: &mut dyn FnMut(&Find<M>)) -> Option<Value> {
        self.read += 1;
        match entry {
            Entry::Found(find) => {
                self.best = find.value;
                tell(find);
                None
            }
            Entry::Over(value) => {
                self.passes += 1;
                self.best = -INFINITY;
                Some(*value)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(mv: u8, value: Value) -> Option<Entry<u8>> {
        Some(Entry::Found(Find { mv, value, line: vec![mv] }))
    }

    #[test]
    fn all_read_the_same_in_the_same_order() {
        let minutes = Minutes::new();
        let (mut one, mut two) = (Clerk::new(&minutes), Clerk::new(&minutes));
        let (mut heard, mut heard_two) = (Vec::new(), Vec::new());
        let mut tell = |find: &Find<u8>| heard.push(find.mv);
        assert_eq!(one.enter(found(1, 10), &mut tell), None);
        assert_eq!(one.enter(found(2, 30), &mut tell), None);
        let mut tell_two = |find: &Find<u8>| heard_two.push(find.mv);
        // Somebody else has found better: it is no news.
        assert_eq!(two.enter(found(3, 20), &mut tell_two), None);
        assert_eq!(two.enter(found(4, 31), &mut tell_two), None);
        assert!(!one.is_late() && !two.is_late());
        assert_eq!(two.enter(Some(Entry::Over(31)), &mut tell_two), Some(31));
        assert!(one.is_late() && !two.is_late());
        // The next pass begins below, and who is late hears of the old one first.
        assert_eq!(two.enter(found(5, 7), &mut tell_two), None);
        assert_eq!(one.enter(Some(Entry::Over(29)), &mut tell), Some(31));
        assert!(!one.is_late());
        assert_eq!(one.enter(None, &mut tell), None);
        assert_eq!((heard, heard_two), (vec![1, 2, 4, 5], vec![1, 2, 4, 5]));
    }
}
