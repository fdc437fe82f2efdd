//! Measurements on the laboratory's trees: generated ones, and trees given as text.

pub use plyground_core::tree::LabTree;
use plyground_core::tree::mix;
pub use plyground_search::laboratory::search;
use plyground_search::{Options, Schedule, SearchError, SearchSpec};

use crate::experiment::Sample;

/// Searches `tree` once and counts distinct leaves; the time includes the counting.
pub fn count(tree: &LabTree, spec: &SearchSpec) -> Result<Sample, SearchError> {
    let outcome = search(tree, &spec.clone().counting_paths(true), None)?;
    Ok(Sample {
        value: outcome.value,
        counts: outcome.counts,
        seconds: outcome.search_time(spec.algorithm()).as_secs_f64(),
        terminal_count: outcome.terminal_count,
        stopped: outcome.stopped,
    })
}

/// Searches `tree` twice: once to count distinct leaves, and once without counting, for the time.
pub fn measure(tree: &LabTree, spec: &SearchSpec) -> Result<Sample, SearchError> {
    let mut sample = count(tree, spec)?;
    if sample.stopped.is_none() {
        let timed = search(tree, &spec.clone().counting_paths(false), None)?;
        sample.seconds = timed.search_time(spec.algorithm()).as_secs_f64();
        sample.stopped = timed.stopped;
    }
    Ok(sample)
}

/// What a simulated parallel search came to, beside its serial form.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// The serial form's name.
    pub serial: String,
    /// The serial form's leaves over the terminal count; `None` if a search was stopped.
    pub speed_up: Option<f64>,
    /// The evaluations beyond those of the serial form, as a share of those.
    pub search_overhead: Option<f64>,
    /// The share of the processors' time in which they had nothing to do.
    pub idle_share: Option<f64>,
    /// Random interleavings, if there were any.
    pub interleavings: Option<Interleavings>,
}

/// The terminal counts of random interleavings of one search.
#[derive(Clone, Copy, Debug)]
pub struct Interleavings {
    /// How many there were.
    pub count: u64,
    /// The least terminal count.
    pub least: u64,
    /// The greatest.
    pub greatest: u64,
    sum: u64,
}

impl Interleavings {
    /// The mean.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count as f64
    }

    /// The greatest less the least.
    pub fn spread(&self) -> u64 {
        self.greatest - self.least
    }
}

/// Searches `tree` as `spec` says, which is simulated, with its serial form, and in `schedules` random
/// interleavings, drawn by `seed`.
pub fn simulate(
    tree: &LabTree,
    spec: &SearchSpec,
    schedules: u64,
    seed: u64,
) -> Result<Simulation, SearchError> {
    let algorithm = spec.algorithm().serial();
    let limits = spec.limits().clone();
    let (memory, factors) = (spec.memory(), *spec.factors());
    let options = Options {
        limits,
        memory,
        factors,
        table: spec.table(),
        update: spec.update(),
        ..Options::to_depth(spec.depth())
    };
    // Where the update has no effect, the spec that was checked had none.
    let plain = SearchSpec::check(&algorithm, options).unwrap_or_else(|_| {
        SearchSpec::new(&algorithm, spec.depth()).within(spec.limits().clone())
    });
    let serial = search(tree, &plain, None)?;
    let spec = spec.clone().counting_paths(false);
    let found = search(tree, &spec, None)?;
    let whole = serial.stopped.is_none() && found.stopped.is_none();
    let ratio = |count: u64, of: u64| (whole && of > 0).then(|| count as f64 / of as f64);
    let evaluations = (serial.counts.evaluations, found.counts.evaluations);
    let mut interleavings: Option<Interleavings> = None;
    for i in 0..schedules {
        let random = spec.clone().scheduled(Schedule::Random(mix(seed, i)));
        let Some(count) = search(tree, &random, None)?.terminal_count else { break };
        let (least, greatest) = (count, count);
        let so_far =
            interleavings.get_or_insert(Interleavings { count: 0, least, greatest, sum: 0 });
        so_far.count += 1;
        so_far.sum += count;
        so_far.least = so_far.least.min(count);
        so_far.greatest = so_far.greatest.max(count);
    }
    Ok(Simulation {
        serial: algorithm.name(),
        speed_up: ratio(evaluations.0, found.terminal_count.unwrap_or(0)),
        search_overhead: ratio(evaluations.1, evaluations.0).map(|times| times - 1.0),
        idle_share: found.idle_share,
        interleavings,
    })
}

/// The leaves of the minimal tree of a uniform tree: those that every search must visit to prove the
/// value, w^⌈d/2⌉ + w^⌊d/2⌋ − 1.
pub(crate) fn minimal_leaves(width: f64, depth: u32) -> f64 {
    let power = |exponent: u32| width.powi(exponent as i32);
    power(depth.div_ceil(2)) + power(depth / 2) - 1.0
}

#[cfg(test)]
mod tests {
    use plyground_core::tree::Synthetic;

    use super::*;

    #[test]
    fn minimal_trees() {
        assert_eq!(minimal_leaves(8.0, 6), 1023.0);
        assert_eq!(minimal_leaves(20.0, 3), 400.0 + 20.0 - 1.0);
    }

    #[test]
    fn the_counting_run_and_the_timed_run_are_the_same_search() {
        let tree = LabTree::from(Synthetic::independent(4, 5, 50, 3).unwrap());
        for id in ["pvs", "sss-2", "sss", "mtd-f", "scout"] {
            let spec = SearchSpec::new(&id.parse().unwrap(), 5);
            let counted = count(&tree, &spec).unwrap();
            let plain = search(&tree, &spec, None).unwrap();
            assert_eq!(counted.counts.evaluations, plain.counts.evaluations, "{id}");
            assert_eq!(counted.counts.visits, plain.counts.visits, "{id}");
            assert!(counted.counts.leaves.unwrap() <= counted.counts.evaluations);
        }
    }
}
