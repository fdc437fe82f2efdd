//! The results of a suite: sums for each entrant, and how many positions were solved within which time.

use serde::Serialize;

use super::SuiteRecord;
use crate::report::plot::{Plot, Series};

/// What an entrant achieved on all positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuiteTotals {
    /// The entrant's name.
    pub engine: String,
    /// The positions that it tried.
    pub positions: usize,
    /// Those that it solved.
    pub solved: usize,
    /// Its points, if the suite gives points.
    pub points: Option<u32>,
    /// All points that could be had.
    pub most_points: Option<u32>,
    /// The time for all positions.
    pub seconds: f64,
    /// The nodes for all positions.
    pub nodes: u64,
    /// The time to the solutions that it found.
    pub seconds_to_solution: f64,
    /// The nodes to the solutions that it found.
    pub nodes_to_solution: u64,
}

impl SuiteTotals {
    /// The sums of each entrant, in the order of their first records.
    pub fn of(records: &[SuiteRecord]) -> Vec<SuiteTotals> {
        let total = |(engine, own): (&str, Vec<&SuiteRecord>)| {
            let points = |of: fn(&SuiteRecord) -> Option<u32>| {
                let given: Vec<u32> = own.iter().filter_map(|record| of(record)).collect();
                (!given.is_empty()).then(|| given.iter().sum())
            };
            SuiteTotals {
                engine: engine.into(),
                positions: own.len(),
                solved: own.iter().filter(|record| record.solved).count(),
                points: points(|record| record.points),
                most_points: points(|record| record.most_points),
                seconds: own.iter().map(|record| record.seconds).sum(),
                nodes: own.iter().map(|record| record.nodes).sum(),
                seconds_to_solution: own.iter().filter_map(|r| r.seconds_to_solution).sum(),
                nodes_to_solution: own.iter().filter_map(|r| r.nodes_to_solution).sum(),
            }
        };
        by_entrant(records).into_iter().map(total).collect()
    }
}

/// The records of each entrant, in the order of their first records.
fn by_entrant(records: &[SuiteRecord]) -> Vec<(&str, Vec<&SuiteRecord>)> {
    let mut entrants: Vec<(&str, Vec<&SuiteRecord>)> = Vec::new();
    for record in records {
        let name = record.setup.engine.as_str();
        match entrants.iter_mut().find(|(known, _)| *known == name) {
            Some((_, own)) => own.push(record),
            None => entrants.push((name, vec![record])),
        }
    }
    entrants
}

/// How many positions each entrant has solved within a time, or, if `by_nodes`, within a number of
/// nodes. A position counts from when its solution was the best move for good.
pub fn solved_plot(records: &[SuiteRecord], title: &str, by_nodes: bool) -> Plot {
    let effort = |record: &SuiteRecord| match by_nodes {
        true => record.nodes_to_solution.map(|nodes| nodes.max(1) as f64),
        // No clock tells less than a tenth of a millisecond well.
        false => record.seconds_to_solution.map(|seconds| seconds.max(1e-4)),
    };
    let entrants = by_entrant(records);
    let efforts = || records.iter().filter_map(effort);
    let (least, most) = (efforts().fold(f64::MAX, f64::min), efforts().fold(0.0, f64::max));
    let series = entrants.iter().map(|(name, own)| {
        let mut times: Vec<f64> = own.iter().filter_map(|record| effort(record)).collect();
        times.sort_by(f64::total_cmp);
        // Steps: a position solved raises the line at once.
        let mut points = vec![(least, 0.0)];
        for (solved, time) in times.iter().enumerate() {
            points.extend([(*time, solved as f64), (*time, solved as f64 + 1.0)]);
        }
        points.push((most, times.len() as f64));
        points.dedup();
        Series { name: (*name).into(), points, ..Series::default() }
    });
    Plot {
        title: title.into(),
        x_label: if by_nodes { "nodes" } else { "seconds" }.into(),
        y_label: "positions solved".into(),
        log_x: true,
        series: if most > 0.0 { series.collect() } else { Vec::new() },
        ..Plot::default()
    }
}
