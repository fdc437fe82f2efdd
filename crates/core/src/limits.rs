//! Limits on a search, and the reason why a search stopped early.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How much a search may use. Everything is unlimited by default.
///
/// A search that reaches a limit stops and says [which](Stop); what it knows by then is its
/// outcome.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The most evaluations of leaves.
    pub leaves: Option<u64>,
    /// The most visits of nodes, leaves included.
    pub nodes: Option<u64>,
    /// The longest time.
    pub time: Option<Duration>,
    /// The most bytes for the algorithm's own memory: OPEN, BACKUP, stored bounds, the table.
    pub bytes: Option<usize>,
    /// Stops the search when another thread raises it.
    pub flag: StopFlag,
}

/// A number of bytes as people write it: `65536`, `64K`, `100M`, `2G`.
pub fn parse_bytes(text: &str) -> Result<usize, String> {
    let (number, shift) = match text.chars().last() {
        Some('k' | 'K') => (&text[..text.len() - 1], 10),
        Some('m' | 'M') => (&text[..text.len() - 1], 20),
        Some('g' | 'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    number
        .parse::<usize>()
        .ok()
        .and_then(|n| n.checked_mul(1 << shift))
        .ok_or_else(|| "expected a number of bytes, such as 65536, 64K, 100M or 2G".into())
}

/// A flag that one thread raises to stop the searches of others.
///
/// Clones are the same flag. The default is a flag that cannot be raised and costs nothing to read.
///
/// ```
/// use plyground_core::limits::StopFlag;
/// let flag = StopFlag::new();
/// let seen_by_the_search = flag.clone();
/// flag.raise();
/// assert!(seen_by_the_search.is_raised());
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Option<Arc<AtomicBool>>);

impl StopFlag {
    /// A flag that can be raised.
    pub fn new() -> StopFlag {
        StopFlag(Some(Arc::default()))
    }

    /// Asks every search that holds this flag to stop.
    pub fn raise(&self) {
        if let Some(flag) = &self.0 {
            // Relaxed: the flag alone is the message, no other memory is published with it.
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Takes the request back, once the searches have stopped.
    pub fn lower(&self) {
        if let Some(flag) = &self.0 {
            flag.store(false, Ordering::Relaxed);
        }
    }

    /// Has the flag been raised?
    pub fn is_raised(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// Why a search stopped before it had its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It reached the limit on leaves.
    Leaves,
    /// It reached the limit on nodes.
    Nodes,
    /// It reached the limit on time.
    Time,
    /// It reached the limit on memory.
    Bytes,
    /// The flag was raised.
    Flag,
    /// A memory-bounded algorithm could not continue in the entries it was given.
    Locked,
    /// The system has no more memory for it.
    Memory,
}

impl Stop {
    /// The limit's name, as records and JSON output write it.
    pub const fn name(self) -> &'static str {
        match self {
            Stop::Leaves => "leaves",
            Stop::Nodes => "nodes",
            Stop::Time => "time",
            Stop::Bytes => "bytes",
            Stop::Flag => "flag",
            Stop::Locked => "locked",
            Stop::Memory => "memory",
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
