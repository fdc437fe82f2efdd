//! The positions that threads are searching at the moment, so that other threads can search others.

use super::sync::atomic::{AtomicU64, Ordering::Relaxed};
use plyground_core::tree::mix;

/// Positions that are being searched, by key and distance from the horizon: a small table of words.
///
/// The entries are hints and nothing more: where two positions share a word, or a thread sees a
/// store late, two threads search the same position at once, which costs only time. So relaxed
/// loads and stores are enough.
#[derive(Debug)]
pub(crate) struct InFlight(Box<[AtomicU64]>);

impl InFlight {
    const ENTRIES: usize = 1 << 12;

    /// A table in which no position is being searched.
    pub(crate) fn new() -> InFlight {
        InFlight((0..InFlight::ENTRIES).map(|_| AtomicU64::new(0)).collect())
    }

    fn entry(&self, key: u64, height: u32) -> (&AtomicU64, u64) {
        let mark = mix(key, height.into());
        (&self.0[mark as usize % InFlight::ENTRIES], mark)
    }

    /// Is a thread searching this position?
    #[inline]
    pub(crate) fn contains(&self, key: u64, height: u32) -> bool {
        let (entry, mark) = self.entry(key, height);
        entry.load(Relaxed) == mark
    }

    /// Notes that a thread begins to search this position, or has finished.
    #[inline]
    pub(crate) fn set(&self, key: u64, height: u32, in_flight: bool) {
        let (entry, mark) = self.entry(key, height);
        entry.store(if in_flight { mark } else { 0 }, Relaxed);
    }
}
