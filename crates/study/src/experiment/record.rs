//! A record: one search of one position, with all that is needed to repeat it and all that came out.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::store::StoredRecord;
use plyground_core::value::Value;
use plyground_search::{Algorithm, Counts};

/// What was searched, and how: all that is needed to do it again. Two records with the same setup
/// differ in their times alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Setup {
    /// `othello` or `chess`.
    pub game: String,
    /// The position in the game's own text form.
    pub position: String,
    /// The algorithm's id with its parameters.
    pub algorithm: String,
    /// How many plies.
    pub depth: u32,
    /// The memory functions: `none`, or their names joined by `+`.
    pub memory: String,
    /// Was it searched to depth 1, 2, … first?
    pub deepening: bool,
    /// The entries of the table, if there is one.
    pub table: Option<u64>,
    /// How stored bounds are updated: `clipped` or `maxsearch`.
    pub update: String,
    /// The bytes that lists and stored bounds may take, if there is a limit.
    pub bytes: Option<u64>,
    /// The evaluator: `standard`, or what an engine's file says.
    pub evaluator: String,
    /// A hash of its weights: records made with other weights are of another search.
    pub weights: String,
    /// The version of the program.
    pub version: String,
    /// The seed that the positions were chosen by.
    pub seed: u64,
    /// Were processes simulated?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub simulated: bool,
    /// The least height of a node that may get a process, for searches that have processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spawn_height: Option<u32>,
}

/// A line of `records.jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// What was searched, and how.
    #[serde(flatten)]
    pub setup: Setup,
    /// The value for the side to move; null if the search was stopped.
    pub value: Option<Value>,
    /// A move that has the value.
    pub best: Option<String>,
    /// What was counted: leaves, evaluations, visits, peaks.
    #[serde(flatten)]
    pub counts: Counts,
    /// The average number of moves of the interior nodes; only where it was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<f64>,
    /// Time without anybody counting; null where other searches ran beside it, or where it would be
    /// that of a simulation.
    pub seconds: Option<f64>,
    /// How many threads, or simulated processes, it ran on; nothing for a serial algorithm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u64>,
    /// The seconds that its threads waited, summed, in the search that `seconds` is of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idle: Option<f64>,
    /// How many processors the machine had, where threads were timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<u64>,
    /// The time of a simulated search, in leaves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminal_count: Option<u64>,
    /// Null, or the limit that stopped the search.
    pub stopped: Option<String>,
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

    /// What must be equal for two records of the same setup: everything but the time. A search on
    /// several threads may visit other nodes each time, and only its value is the same.
    fn agrees_with(&self, other: &Record) -> bool {
        if self.is_on_threads() {
            return match (self.value, other.value) {
                (Some(value), Some(other)) => value == other,
                _ => true,
            };
        }
        let timeless =
            |record: &Record| Record { seconds: None, idle: None, cores: None, ..record.clone() };
        timeless(self) == timeless(other)
    }
}

impl Record {
    /// Did it run on several threads, with counts that are not the same each time?
    pub fn is_on_threads(&self) -> bool {
        let algorithm = self.setup.algorithm.parse::<Algorithm>();
        let threads = algorithm.ok().and_then(|algorithm| algorithm.threads());
        !self.setup.simulated && threads.is_some_and(|threads| threads > 1)
    }

    /// Leaves and interior nodes together.
    pub fn nodes(&self) -> Option<u64> {
        self.counts.nodes()
    }

    /// The most entries on OPEN, on BACKUP and among stored bounds together.
    pub fn peak_entries(&self) -> u64 {
        self.counts.peak_open + self.counts.peak_backup + self.counts.peak_stored
    }
}
