//! Experiments: algorithms on the same trees, counted and timed.

mod disagreement;
mod jobs;
mod paired;
mod plan;
mod ratio;
mod record;
mod speedup;
mod store;

pub use disagreement::disagreement;
pub use jobs::{in_parallel, in_parallel_with};
pub(crate) use paired::student_p;
pub use paired::{PairedRatio, bootstrap, holm, sign_test};
pub use plan::{ExperimentPlan, MeasureError, PlanError, PlannedSearch, Processes};
pub(crate) use ratio::student;
pub use ratio::{Ratio, share_interval};
pub use record::{Clock, Record, Setup};
pub use speedup::{Speedup, speedups};
pub use store::{FILE_NAME, Records, SCHEMA, Store, StoreError, StoredRecord, merge};
pub(crate) use store::{is_sealed, sealed};

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use plyground_core::limits::Stop;
use plyground_core::value::Value;
use plyground_search::Counts;

use crate::laboratory::Simulation;

/// The result of one search of one tree.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The value, unless the search was stopped.
    pub value: Option<Value>,
    /// Leaves, nodes and peaks of memory.
    pub counts: Counts,
    /// The time of the search, without the cost of counting distinct paths.
    pub seconds: f64,
    /// The time of a simulated search, in leaves.
    pub terminal_count: Option<u64>,
    /// The limit that stopped the search, if one did.
    pub stopped: Option<Stop>,
}

/// A running mean with its standard error, by Welford's method.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    count: u64,
    mean: f64,
    /// The sum of squared distances from the mean.
    squares: f64,
}

impl Mean {
    /// Adds a number.
    pub fn add(&mut self, x: f64) {
        self.count += 1;
        let distance = x - self.mean;
        self.mean += distance / self.count as f64;
        self.squares += distance * (x - self.mean);
    }

    /// Adds a count, if it is known.
    pub fn add_known(&mut self, count: Option<u64>) {
        if let Some(count) = count {
            self.add(count as f64);
        }
    }

    /// How many numbers were added.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their mean; 0 if there are none.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The standard error of the mean; `None` for a single number, which has no spread.
    pub fn error(&self) -> Option<f64> {
        let n = self.count as f64;
        (self.count > 1).then(|| (self.squares / (n - 1.0) / n).sqrt())
    }
}

/// The averages of one algorithm over many trees.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The algorithm as it was typed.
    pub id: String,
    /// The minimax value.
    pub value: Mean,
    /// Distinct leaves, which the papers call NBP (number of bottom positions).
    pub leaves: Mean,
    /// Evaluations of leaves, repeated ones included.
    pub evaluations: Mean,
    /// Distinct interior nodes.
    pub interior: Mean,
    /// Leaves and interior nodes.
    pub nodes: Mean,
    /// Visits of nodes, repeated ones included.
    pub visits: Mean,
    /// The most states on OPEN, tree by tree.
    pub peak_open: Mean,
    /// The most entries on BACKUP, tree by tree.
    pub peak_backup: Mean,
    /// The most stored bounds, tree by tree.
    pub peak_stored: Mean,
    /// The time in seconds.
    pub seconds: Mean,
    /// Terminal counts of simulated searches: their time, in leaves.
    pub terminal_count: Mean,
    /// The serial form's leaves over the terminal count, of simulated searches.
    pub speed_up: Mean,
    /// The evaluations beyond those of the serial form, as a share of those.
    pub search_overhead: Mean,
    /// The share of the processors' time in which they had nothing to do.
    pub idle_share: Mean,
    /// The least terminal count of random interleavings, their mean, and the greatest less the least.
    pub schedules: [Mean; 3],
    /// The first limit that stopped a search, if one did.
    pub stopped: Option<Stop>,
}

impl Summary {
    /// An empty summary for the algorithm typed as `id`.
    pub fn new(id: &str) -> Summary {
        Summary { id: id.into(), ..Summary::default() }
    }

    /// Adds the search of one tree.
    pub fn add(&mut self, sample: &Sample) {
        let counts = &sample.counts;
        if let Some(value) = sample.value {
            self.value.add(f64::from(value));
        }
        self.leaves.add_known(counts.leaves);
        self.interior.add_known(counts.interior);
        self.nodes.add_known(counts.nodes());
        self.evaluations.add(counts.evaluations as f64);
        self.visits.add(counts.visits as f64);
        self.peak_open.add(counts.peak_open as f64);
        self.peak_backup.add(counts.peak_backup as f64);
        self.peak_stored.add(counts.peak_stored as f64);
        self.seconds.add(sample.seconds);
        if let Some(count) = sample.terminal_count {
            self.terminal_count.add(count as f64);
        }
        self.stopped = self.stopped.or(sample.stopped);
    }

    /// Adds what a simulation of the same search came to.
    pub fn add_simulation(&mut self, found: &Simulation) {
        for (mean, x) in [
            (&mut self.speed_up, found.speed_up),
            (&mut self.search_overhead, found.search_overhead),
            (&mut self.idle_share, found.idle_share),
        ] {
            if let Some(x) = x {
                mean.add(x);
            }
        }
        if let Some(found) = found.interleavings {
            let [least, mean, spread] = &mut self.schedules;
            least.add(found.least as f64);
            mean.add(found.mean());
            spread.add(found.spread() as f64);
        }
    }

    /// How many trees were added.
    pub fn count(&self) -> u64 {
        self.visits.count()
    }

    /// An average over all trees; `None` if the number of one tree is unknown, as that of distinct
    /// leaves may be. An average without that tree could not be compared with the others.
    pub fn whole<'m>(&self, mean: &'m Mean) -> Option<&'m Mean> {
        (mean.count() == self.count()).then_some(mean)
    }

    /// Every average with its JSON key.
    pub fn metrics(&self) -> Vec<(&'static str, &Mean)> {
        let mut metrics = vec![
            ("value", &self.value),
            ("leaves", &self.leaves),
            ("evaluations", &self.evaluations),
            ("interior", &self.interior),
            ("nodes", &self.nodes),
            ("visits", &self.visits),
            ("peak_open", &self.peak_open),
            ("peak_backup", &self.peak_backup),
            ("peak_stored", &self.peak_stored),
            ("seconds", &self.seconds),
        ];
        if self.terminal_count.count() > 0 {
            metrics.push(("terminal_count", &self.terminal_count));
        }
        if self.speed_up.count() > 0 {
            metrics.push(("speed_up", &self.speed_up));
            metrics.push(("search_overhead", &self.search_overhead));
            metrics.push(("idle_share", &self.idle_share));
        }
        let [least, mean, spread] = &self.schedules;
        if least.count() > 0 {
            metrics.push(("schedules_min", least));
            metrics.push(("schedules_mean", mean));
            metrics.push(("schedules_spread", spread));
        }
        metrics
    }
}

impl Serialize for Summary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("algorithm", &self.id)?;
        map.serialize_entry("count", &self.count())?;
        for (key, mean) in self.metrics() {
            // Values are averaged over the searches that were not stopped.
            let mean = if key == "value" { Some(mean) } else { self.whole(mean) };
            let mean = mean.filter(|mean| mean.count() > 0);
            map.serialize_entry(key, &mean.map(Mean::mean))?;
            map.serialize_entry(&format!("{key}_se"), &mean.and_then(Mean::error))?;
        }
        map.serialize_entry("stopped", &self.stopped.map(Stop::name))?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_errors() {
        let mut mean = Mean::default();
        assert_eq!((mean.mean(), mean.error()), (0.0, None));
        mean.add(2.0);
        assert_eq!((mean.mean(), mean.error()), (2.0, None));
        for x in [4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0] {
            mean.add(x);
        }
        assert_eq!(mean.mean(), 5.0);
        // The sample variance is 32/7.
        assert!((mean.error().unwrap() - (32.0f64 / 7.0 / 8.0).sqrt()).abs() < 1e-12);
    }
    #[test]
    fn an_average_of_some_trees_is_none() {
        let counts = |leaves| Counts { leaves, interior: Some(1), ..Counts::default() };
        let sample = |leaves| Sample {
            value: Some(7),
            counts: counts(leaves),
            seconds: 1.0,
            terminal_count: None,
            stopped: None,
        };
        let mut summary = Summary::new("sss");
        summary.add(&sample(Some(4)));
        assert_eq!(summary.whole(&summary.leaves).map(Mean::mean), Some(4.0));
        summary.add(&sample(None));
        assert_eq!(summary.whole(&summary.leaves), None);
        let json = serde_json::to_value(&summary).unwrap();
        assert!(json["leaves"].is_null() && json["nodes"].is_null(), "{json}");
        assert_eq!((&json["interior"], &json["value"]), (&1.0.into(), &7.0.into()));
    }
}
