//! Measurements on the laboratory's trees: generated ones, and trees given as text.

pub use plyground_core::tree::LabTree;
pub use plyground_search::laboratory::search;
use plyground_search::{SearchError, SearchSpec};

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
