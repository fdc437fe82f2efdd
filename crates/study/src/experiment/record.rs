//! A record: one search of one position, with everything needed to repeat it, and its results.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::store::StoredRecord;
use plyground_core::value::Value;
use plyground_search::{Algorithm, Counts, Factors};

/// What was searched, and how: everything needed to repeat the search. Two records with the same setup
/// differ only in their times.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Setup {
    /// The game's name.
    pub game: String,
    /// The position in the game's own text form.
    pub position: String,
    /// The algorithm's id with its parameters.
    pub algorithm: String,
    /// The depth of the search, in plies.
    pub depth: u32,
    /// The memory functions: `none`, or their names joined by `+`.
    pub memory: String,
    /// Was the position searched to depth 1, 2, … first?
    pub deepening: bool,
    /// The number of entries of the transposition table, if there is one.
    pub table: Option<u64>,
    /// How stored bounds are updated: `clipped` or `maxsearch`.
    pub update: String,
    /// The limit on the bytes of lists and stored bounds, if there is one.
    pub bytes: Option<u64>,
    /// The evaluator: `standard`, or the one that an engine's file names.
    pub evaluator: String,
    /// A hash of the evaluator's weights: with other weights it is another search.
    pub weights: String,
    /// The version of the program.
    pub version: String,
    /// The seed that chose the positions.
    pub seed: u64,
    /// The choices that every algorithm of the experiment shares. Records of older versions had none.
    #[serde(flatten)]
    pub factors: Factors,
    /// Were processes simulated?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub simulated: bool,
    /// The least height of a node that may get a process, for parallel algorithms.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spawn_height: Option<u32>,
}

/// A search and its results: a line of `records.jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// What was searched, and how.
    #[serde(flatten)]
    pub setup: Setup,
    /// The value for the side to move; null if the search was stopped.
    pub value: Option<Value>,
    /// A move with this value.
    pub best: Option<String>,
    /// The counts: leaves, evaluations, visits, peaks of memory.
    #[serde(flatten)]
    pub counts: Counts,
    /// The average number of moves of the interior nodes; only where it was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// The leaves of the left-first minimal tree of the position to this depth; absent where they were not
    /// counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimal_leaves: Option<u64>,
    /// The different positions among them: the leaves of the left-first minimal graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimal_graph: Option<u64>,
    /// `evaluations` over `minimal_leaves`: how far the search is from the best possible one, in all its
    /// iterations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over_minimal: Option<f64>,
    /// The time of a search that does not count distinct paths; null if other searches ran at the same
    /// time, or if processes were simulated.
    pub seconds: Option<f64>,
    /// The clock of `seconds`, where there are any. Records of earlier versions do not say: theirs is the
    /// one on the wall.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<Clock>,
    /// The CPU time of all threads, summed, during the search that `seconds` measures; only for several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_seconds: Option<f64>,
    /// The number of threads or simulated processes; absent for a serial algorithm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u64>,
    /// The seconds that the threads waited, summed, during the search that `seconds` measures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle: Option<f64>,
    /// The processors of the machine, if threads were timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<u64>,
    /// The time of a simulated search, in leaves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal_count: Option<u64>,
    /// The limit that stopped the search; null if it was not stopped.
    pub stopped: Option<String>,
}

/// A clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// The time that passes for everybody.
    Wall,
    /// The time that the search's own thread has run on a processor.
    Cpu,
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Setup { game, position, algorithm, depth, .. } = self;
        write!(f, "{algorithm} on {position} to depth {depth} of {game}")
    }
}

impl StoredRecord for Record {
    type Key = Setup;
    const FILE_NAME: &'static str = "records.jsonl";

    fn key(&self) -> &Setup {
        &self.setup
    }

    /// Two records of the same setup must be equal except for their times. A search on several threads
    /// may visit other nodes each time; only its value must be the same.
    fn agrees_with(&self, other: &Record) -> bool {
        if self.is_on_threads() {
            return match (self.value, other.value) {
                (Some(value), Some(other)) => value == other,
                _ => true,
            };
        }
        // An earlier version did not count the minimal tree.
        let timeless = |record: &Record| Record {
            seconds: None,
            clock: None,
            cpu_seconds: None,
            idle: None,
            cores: None,
            minimal_leaves: None,
            minimal_graph: None,
            over_minimal: None,
            ..record.clone()
        };
        timeless(self) == timeless(other)
    }
}

impl Record {
    /// Did the search run on several threads? Then its counts are not the same each time.
    pub fn is_on_threads(&self) -> bool {
        let algorithm = self.setup.algorithm.parse::<Algorithm>();
        let threads = algorithm.ok().and_then(|algorithm| algorithm.threads());
        !self.setup.simulated && threads.is_some_and(|threads| threads > 1)
    }

    /// Distinct leaves and interior nodes together.
    pub fn nodes(&self) -> Option<u64> {
        self.counts.nodes()
    }

    /// The most entries on OPEN, on BACKUP and among stored bounds together.
    pub fn peak_entries(&self) -> u64 {
        self.counts.peak_open + self.counts.peak_backup + self.counts.peak_stored
    }
}
