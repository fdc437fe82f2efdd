//! What may end a search before its answer: limits, and the reason why one stopped.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How much a search may use. Everything is unlimited by default.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// At most so many evaluations of leaves.
    pub leaves: Option<u64>,
    /// At most so many visits of nodes, leaves included.
    pub nodes: Option<u64>,
    /// At most so long.
    pub time: Option<Duration>,
    /// At most so many bytes for OPEN, BACKUP and stored bounds.
    pub bytes: Option<usize>,
    /// Stops the search when somebody raises it.
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

/// A flag that one thread raises and searches look at.
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

    /// Takes the request back, once it has been heeded.
    pub fn lower(&self) {
        if let Some(flag) = &self.0 {
            flag.store(false, Ordering::Relaxed);
        }
    }

    /// Has it been raised?
    pub fn is_raised(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// Why a search ended without its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The limit on leaves.
    Leaves,
    /// The limit on nodes.
    Nodes,
    /// The limit on time.
    Time,
    /// The limit on memory.
    Bytes,
    /// The flag was raised.
    Flag,
    /// A memory-bounded algorithm could not go on in the entries it was given.
    Locked,
}

impl Stop {
    /// The limit's name, as JSON output has it.
    pub const fn name(self) -> &'static str {
        match self {
            Stop::Leaves => "leaves",
            Stop::Nodes => "nodes",
            Stop::Time => "time",
            Stop::Bytes => "bytes",
            Stop::Flag => "flag",
            Stop::Locked => "locked",
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
