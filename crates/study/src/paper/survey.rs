//! Figure 5 of Marsland 1991: leaves against depth on strongly ordered trees of width 20.
//!
//! The paper prints no numbers. Its text says what to expect: SSS* does not do well on bushy trees of
//! odd depth, DUAL* is best, and SSS* and PVS both dominate alpha-beta.

use serde_json::{Value as Json, json};

use super::{Findings, PaperRun, means};
use crate::experiment::Mean;
use crate::laboratory::{count, minimal_leaves};
use crate::report::plot::{Plot, Series};
use crate::report::{Align, TextTable, thousands};
use plyground_core::tree::{Synthetic, TreeOrdering, mix};
use plyground_core::value::Value;
use plyground_search::algorithms::{AlphaBeta, Aspiration, Dual, Pvs, Scout, Sss};
use plyground_search::{Algorithm, SearchSpec};

const WIDTH: usize = 20;
const DEPTHS: [usize; 4] = [2, 3, 4, 5];
/// The root's value.
const ROOT: Value = 500;

fn algorithms() -> [Algorithm; 6] {
    [
        AlphaBeta.into(),
        Aspiration { epsilon: 100, guess: Some(ROOT) }.into(),
        Scout.into(),
        Pvs.into(),
        Sss.into(),
        Dual.into(),
    ]
}

/// Figure 5 of the survey: leaves on strongly ordered trees.
pub fn strongly_ordered(run: &PaperRun<'_>) -> anyhow::Result<Findings> {
    let mut lines: Vec<FigureLine> = algorithms().map(FigureLine::of).into();
    let all = run.trees_a_point() * DEPTHS.len() as u64;
    let mut done = 0;
    run.progress.begin(all, "trees");
    'all: for (column, depth) in DEPTHS.into_iter().enumerate() {
        let tree = Synthetic::ordered(WIDTH, depth, 1000, ROOT, 0, TreeOrdering::Strong)?;
        for i in 0..run.trees_a_point() {
            let tree = tree.reseeded(mix(run.seed, i)).into();
            for line in &mut lines {
                let Some(algorithm) = &line.algorithm else { continue };
                let spec = SearchSpec::new(algorithm, depth as u32).within(run.limits());
                let sample = count(&tree, &spec)?;
                if run.stopped(&sample) {
                    break 'all;
                }
                line.leaves[column].add_known(sample.counts.leaves);
            }
            done += 1;
            run.progress.step();
        }
    }
    run.progress.end();
    lines.push(FigureLine::minimal());
    let mut found = Findings::default();
    found.tables.push(table(&lines));
    found.rows.extend(objects(&lines));
    found.plots.push(("figure-5".into(), plot(&lines)));
    found.note_work(done, all, "trees");
    Ok(found)
}

/// An algorithm's leaves at each depth; the minimal tree has neither an algorithm nor an error.
struct FigureLine {
    algorithm: Option<Algorithm>,
    leaves: [Mean; DEPTHS.len()],
}

impl FigureLine {
    fn of(algorithm: Algorithm) -> FigureLine {
        FigureLine { algorithm: Some(algorithm), leaves: Default::default() }
    }

    fn minimal() -> FigureLine {
        let mut line = FigureLine { algorithm: None, leaves: Default::default() };
        for (mean, depth) in line.leaves.iter_mut().zip(DEPTHS) {
            mean.add(minimal_leaves(WIDTH as f64, depth as u32));
        }
        line
    }

    fn name(&self) -> String {
        self.algorithm.as_ref().map_or_else(|| "minimal tree".into(), Algorithm::name)
    }

    /// The depths that were searched, with their means.
    fn known(&self) -> impl Iterator<Item = (usize, &Mean)> {
        DEPTHS.into_iter().zip(&self.leaves).filter(|(_, mean)| mean.count() > 0)
    }
}

fn table(lines: &[FigureLine]) -> TextTable {
    let trees = lines.iter().flat_map(|line| &line.leaves).map(Mean::count).max();
    let mut table = TextTable::new(format!(
        "Figure 5: leaves on strongly ordered trees, W = {WIDTH}, {}, and in percent of αβ",
        means(trees.unwrap_or(0))
    ));
    table.column("search", Align::Left);
    for depth in DEPTHS {
        table.group(format!("D={depth}"), Align::Right);
        table.column("%", Align::Right);
    }
    for line in lines {
        let mut row = vec![line.name()];
        for ((_, mean), (_, first)) in line.known().zip(lines[0].known()) {
            row.push(thousands(mean.mean(), 0));
            row.push(thousands(100.0 * mean.mean() / first.mean(), 1));
        }
        table.row(row);
    }
    table.note("The paper's text: SSS* does not do well at odd depth, DUAL* is best.");
    table
}

fn objects(lines: &[FigureLine]) -> Vec<Json> {
    let mut rows = Vec::new();
    for line in lines {
        let id = line.algorithm.as_ref().map_or("minimal-tree".into(), Algorithm::to_string);
        for (depth, mean) in line.known() {
            rows.push(json!({
                "figure": 5,
                "width": WIDTH,
                "depth": depth,
                "algorithm": id,
                "count": mean.count(),
                "leaves": mean.mean(),
                "leaves_se": mean.error(),
            }));
        }
    }
    rows
}

fn plot(lines: &[FigureLine]) -> Plot {
    let series = lines.iter().map(|line| Series {
        name: line.name(),
        points: line.known().map(|(depth, mean)| (depth as f64, mean.mean())).collect(),
        errors: line.known().map(|(_, mean)| mean.error()).collect(),
        ..Series::default()
    });
    Plot {
        title: format!("Leaves on strongly ordered trees, W = {WIDTH}"),
        x_label: "depth".into(),
        y_label: "leaves".into(),
        log_y: true,
        series: series.collect(),
        x_ticks: Some(DEPTHS.into_iter().map(|d| (d as f64, d.to_string())).collect()),
        ..Plot::default()
    }
}
