//! The transposition table: bounds, a move, a depth and an age by the key of a position.
//!
//! An entry is two words, `key ^ data` and `data`, each a relaxed atomic. Threads may write the
//! same entry at once. A pair of words that do not belong together fails the check, so the table
//! needs no lock and returns only what was stored. Four entries make a cluster, which is one cache
//! line: a position may be in any of the four.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use plyground_core::memory::OutOfMemory;
use plyground_core::platform;
use plyground_core::value::{Bounds, INFINITY, Value};

/// The code that stands for no move: no tree uses it.
pub const NO_MOVE: u16 = u16::MAX;

/// What a table stores of a position. Values are seen from its side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Bounds on its value at `height` plies from the horizon.
    pub bounds: Bounds,
    /// The code of its best move so far, or [`NO_MOVE`].
    pub best: u16,
    /// The plies to the horizon that the bounds hold for.
    pub height: u8,
}

/// A transposition table of fixed size: what a search knows of positions, by their keys.
///
/// A game often reaches the same position by different moves. A search that stores what it found
/// there need not search the position again. All threads of a search share one table.
///
/// ```
/// use plyground_core::value::Bounds;
/// use plyground_search::table::{Stored, TableSize, TranspositionTable};
///
/// let table = TranspositionTable::new(TableSize::of_entries(1 << 10))?;
/// let stored = Stored { bounds: Bounds::exact(17), best: 3, height: 6 };
/// table.put(0x9E37_79B9, stored);
/// assert_eq!(table.get(0x9E37_79B9), Some(stored));
/// # Ok::<(), plyground_core::memory::OutOfMemory>(())
/// ```
pub struct TranspositionTable {
    clusters: Vec<Cluster>,
    age: AtomicU8,
}

#[derive(Default)]
#[repr(align(64))]
struct Cluster([Entry; PLACES]);

#[derive(Default)]
struct Entry {
    check: AtomicU64,
    data: AtomicU64,
}

/// Entries in a cluster.
const PLACES: usize = 4;

/// Values farther from 0 than this are not stored: the bound is then unknown.
const GREATEST: Value = 32_000;

/// The bytes of a cluster.
pub(crate) const CLUSTER_BYTES: usize = size_of::<Cluster>();

/// Ages count from 1 to this and begin again; 0 is an entry that was never written.
const AGES: u8 = 255;

impl Entry {
    /// The data stored under `key`, if they are in this entry.
    #[inline]
    fn data_of(&self, key: u64) -> Option<u64> {
        let data = self.data.load(Relaxed);
        (data != 0 && self.check.load(Relaxed) ^ data == key).then_some(data)
    }
}

impl TranspositionTable {
    /// An empty table; an error if there is no memory for it.
    pub fn new(size: TableSize) -> Result<TranspositionTable, OutOfMemory> {
        let clusters = (size.entries() / PLACES).max(1);
        let clusters = platform::in_large_pages(clusters, Cluster::default)?;
        Ok(TranspositionTable { clusters, age: AtomicU8::new(1) })
    }

    /// The smallest table there is, one cluster: a place for a table that is still to be made.
    pub fn smallest() -> TranspositionTable {
        TranspositionTable { clusters: vec![Cluster::default()], age: AtomicU8::new(1) }
    }

    /// How many entries it has room for.
    pub fn capacity(&self) -> usize {
        self.clusters.len() * PLACES
    }

    /// How many entries have been written since the table was empty. They are counted one by one
    /// when this is called: a counter that every `put` increments would be contended by all
    /// threads.
    pub fn used(&self) -> u64 {
        let entries = self.clusters.iter().flat_map(|cluster| &cluster.0);
        entries.filter(|entry| entry.data.load(Relaxed) != 0).count() as u64
    }

    /// The bytes that the table takes, used or not.
    pub fn bytes(&self) -> usize {
        self.clusters.len() * CLUSTER_BYTES
    }

    /// How much of the table was written at the current age, in thousandths, estimated from a
    /// sample.
    pub fn permille_full(&self) -> u32 {
        let age = self.age.load(Relaxed);
        let sample = &self.clusters[..self.clusters.len().min(250)];
        let entries = sample.iter().flat_map(|cluster| &cluster.0);
        let fresh = entries.filter(|entry| age_of(entry.data.load(Relaxed)) == age).count();
        (fresh * 1000 / (sample.len() * PLACES)) as u32
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for entry in self.clusters.iter().flat_map(|cluster| &cluster.0) {
            entry.data.store(0, Relaxed);
            entry.check.store(0, Relaxed);
        }
        self.age.store(1, Relaxed);
    }

    /// Begins a new age: what is in the table now is replaced before what will be stored from now
    /// on.
    pub fn grow_older(&self) {
        let age = self.age.load(Relaxed);
        self.age.store(age % AGES + 1, Relaxed);
    }

    /// Has the entries for `key` fetched from memory, for a [`get`](TranspositionTable::get) that
    /// comes soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        platform::prefetch(self.cluster(key));
    }

    /// What is stored under `key`.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Stored> {
        let data = self.cluster(key).0.iter().find_map(|entry| entry.data_of(key))?;
        Some(unpack(data))
    }

    /// Stores under `key`. This replaces what was stored under the same key before, or else the
    /// entry of the cluster that is worth least: one of an earlier age, then the one with the least
    /// height.
    #[inline]
    pub fn put(&self, key: u64, stored: Stored) {
        let age = self.age.load(Relaxed);
        let data = pack(stored, age);
        let mut place = None;
        let mut least = u32::MAX;
        for entry in &self.cluster(key).0 {
            let there = entry.data.load(Relaxed);
            if there != 0 && entry.check.load(Relaxed) ^ there == key {
                place = Some(entry);
                break;
            }
            let worth = match there {
                0 => 0,
                _ => 1 + u32::from(height_of(there)) + 512 * u32::from(age_of(there) == age),
            };
            if worth < least {
                (place, least) = (Some(entry), worth);
            }
        }
        let Some(entry) = place else { return };
        entry.check.store(key ^ data, Relaxed);
        entry.data.store(data, Relaxed);
    }

    /// As [`get`](TranspositionTable::get), but positions of a cluster are told apart by `check` alone.
    #[inline]
    pub(crate) fn get_by(&self, key: u64, check: u64) -> Option<Stored> {
        let data = self.cluster(key).0.iter().find_map(|entry| entry.data_of(check))?;
        Some(unpack(data))
    }

    /// As [`put`](TranspositionTable::put), but positions of a cluster are told apart by `check` alone, and
    /// `worth` says what an entry is worth: its place in the cluster, and its height and whether it is
    /// of this age if it was written. The one that is worth least is replaced, and none that is `None`.
    pub(crate) fn put_by(
        &self,
        (key, check): (u64, u64),
        stored: Stored,
        worth: impl Fn(usize, Option<(u8, bool)>) -> Option<u32>,
    ) {
        let age = self.age.load(Relaxed);
        let data = pack(stored, age);
        let entries = &self.cluster(key).0;
        let same = entries.iter().find(|entry| entry.data_of(check).is_some());
        let least = || {
            let worths = entries.iter().enumerate().filter_map(|(place, entry)| {
                let there = entry.data.load(Relaxed);
                let written = (there != 0).then(|| (height_of(there), age_of(there) == age));
                Some((worth(place, written)?, entry))
            });
            worths.min_by_key(|(worth, _)| *worth).map(|(_, entry)| entry)
        };
        let Some(entry) = same.or_else(least) else { return };
        entry.check.store(check ^ data, Relaxed);
        entry.data.store(data, Relaxed);
    }

    /// The cluster of a key, chosen by its high bits for any number of clusters.
    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        &self.clusters[((u128::from(key) * self.clusters.len() as u128) >> 64) as usize]
    }
}

impl fmt::Debug for TranspositionTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Table({} of {} entries)", self.used(), self.capacity())
    }
}

/// A bound in 16 bits. One that does not fit becomes ±32,767, with the sign of `unknown`.
#[inline]
fn narrow(bound: Value, unknown: Value) -> u64 {
    let bound =
        if bound.abs() <= GREATEST { bound } else { unknown.signum() * i32::from(i16::MAX) };
    u64::from(bound as i16 as u16)
}

#[inline]
fn widen(bits: u64) -> Value {
    match bits as u16 as i16 {
        i16::MAX => INFINITY,
        -32_767 => -INFINITY,
        bound => Value::from(bound),
    }
}

#[inline]
fn pack(stored: Stored, age: u8) -> u64 {
    narrow(stored.bounds.lower, -INFINITY)
        | narrow(stored.bounds.upper, INFINITY) << 16
        | u64::from(stored.best) << 32
        | u64::from(stored.height) << 48
        | u64::from(age) << 56
}

#[inline]
fn unpack(data: u64) -> Stored {
    let bounds = Bounds { lower: widen(data), upper: widen(data >> 16) };
    Stored { bounds, best: (data >> 32) as u16, height: height_of(data) }
}

#[inline]
fn height_of(data: u64) -> u8 {
    (data >> 48) as u8
}

#[inline]
fn age_of(data: u64) -> u8 {
    (data >> 56) as u8
}

/// The size of a table: in entries (`8192`, `8K`, `1M`) or in bytes (`16MiB`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableSize(usize);

/// Why a text is no size of a table.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "`{0}`: expected entries, as in `8192`, `8K` or `1M`, or MiB, as in `16MiB`; at most 64 GiB"
)]
pub struct ParseTableSizeError(String);

const ENTRY: usize = size_of::<Entry>();
/// The entries of a table of 64 GiB, the largest there is.
const MAX_ENTRIES: usize = (64 << 30) / ENTRY;

impl TableSize {
    /// A table with this many entries, at least 4.
    pub fn of_entries(entries: usize) -> TableSize {
        TableSize(entries.clamp(PLACES, MAX_ENTRIES))
    }

    /// A table of this many MiB.
    pub fn of_mebibytes(mebibytes: usize) -> TableSize {
        TableSize::of_entries(mebibytes.saturating_mul(1 << 20) / ENTRY)
    }

    /// How many entries the table has.
    pub fn entries(self) -> usize {
        self.0
    }

    /// How many bytes the table takes.
    pub fn bytes(self) -> usize {
        self.0 * ENTRY
    }
}

impl Default for TableSize {
    /// A million entries, 16 MiB.
    fn default() -> TableSize {
        TableSize(1 << 20)
    }
}

impl FromStr for TableSize {
    type Err = ParseTableSizeError;

    fn from_str(text: &str) -> Result<TableSize, ParseTableSizeError> {
        let units = [("MiB", (1 << 20) / ENTRY), ("K", 1 << 10), ("M", 1 << 20)];
        let found = units.iter().find_map(|&(unit, n)| Some((text.strip_suffix(unit)?, n)));
        let (number, unit) = found.unwrap_or((text, 1));
        let entries = number.trim().parse::<usize>().ok().and_then(|n| n.checked_mul(unit));
        match entries {
            Some(entries @ 1..=MAX_ENTRIES) => Ok(TableSize::of_entries(entries)),
            _ => Err(ParseTableSizeError(text.into())),
        }
    }
}

impl fmt::Display for TableSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            n if n % (1 << 20) == 0 => write!(f, "{}M", n >> 20),
            n if n % (1 << 10) == 0 => write!(f, "{}K", n >> 10),
            n => write!(f, "{n}"),
        }
    }
}
