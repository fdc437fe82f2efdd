//! What threads are searching, so that others do something else meanwhile.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use plyground_core::tree::mix;

/// Positions that are being searched, by key and distance from the horizon: a small table of words.
/// They are hints and nothing more. Where two fall on the same word, or one is missed, two threads
/// search the same at once; so relaxed loads and stores are enough.
#[derive(Debug)]
pub(crate) struct Busy(Box<[AtomicU64]>);

impl Busy {
    const ENTRIES: usize = 1 << 12;

    /// Nobody does anything.
    pub(crate) fn new() -> Busy {
        Busy((0..Busy::ENTRIES).map(|_| AtomicU64::new(0)).collect())
    }

    fn entry(&self, key: u64, height: u32) -> (&AtomicU64, u64) {
        let mark = mix(key, height.into());
        (&self.0[mark as usize % Busy::ENTRIES], mark)
    }

    /// Is somebody searching this?
    #[inline]
    pub(crate) fn is(&self, key: u64, height: u32) -> bool {
        let (entry, mark) = self.entry(key, height);
        entry.load(Relaxed) == mark
    }

    /// Somebody begins to search this, or has done so.
    #[inline]
    pub(crate) fn set(&self, key: u64, height: u32, busy: bool) {
        let (entry, mark) = self.entry(key, height);
        entry.store(if busy { mark } else { 0 }, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_is_seen_until_it_ends() {
        let busy = Busy::new();
        assert!(!busy.is(7, 3));
        busy.set(7, 3, true);
        assert!(busy.is(7, 3) && !busy.is(7, 2) && !busy.is(8, 3));
        busy.set(7, 3, false);
        assert!(!busy.is(7, 3));
    }
}
