//! Figure 5 of Marsland 1991: leaves against depth on strongly ordered trees of width 20, and what a leaf
//! costs each search in time.
//!
//! The paper prints no numbers. Its text says what to expect: SSS* does not do well on bushy trees of
//! odd depth, DUAL* is best, SSS* and PVS both dominate alpha-beta, and the lists of SSS* and DUAL* cost
//! more than five times the time of a depth-first search.
//!
//! Aspiration search is not told the answer. The roots' values are spread over the range, and its window is
//! around the value of an iteration before. A generated tree is worth the same at every depth, so the
//! iteration before is off by an error that is drawn evenly from twice the window: half of the windows
//! fail, as they do on Othello.

use serde_json::{Value as Json, json};

use super::{Findings, PaperRun, means};
use crate::experiment::{Mean, Ratio, student};
use crate::laboratory::{measure, minimal_leaves};
use crate::report::plot::{Plot, Series};
use crate::report::{Align, TextTable, thousands};
use plyground_core::tree::{Synthetic, TreeOrdering, mix};
use plyground_core::value::Value;
use plyground_search::algorithms::{AlphaBeta, Aspiration, Dual, Pvs, Scout, Sss};
use plyground_search::{Algorithm, SearchAlgorithm, SearchSpec};

const WIDTH: usize = 20;
const DEPTHS: [usize; 4] = [2, 3, 4, 5];
/// The range of the values, from 0.
const VALUES: Value = 1000;
/// Half of aspiration's window.
const WINDOW: Value = 100;

fn algorithms() -> [Algorithm; 6] {
    [
        AlphaBeta.into(),
        Aspiration { epsilon: WINDOW, guess: None }.into(),
        Scout.into(),
        Pvs.into(),
        Sss.into(),
        Dual.into(),
    ]
}

/// Figure 5 of the survey: leaves on strongly ordered trees.
pub fn strongly_ordered(run: &PaperRun<'_>) -> anyhow::Result<Findings> {
    let mut lines: Vec<FigureLine> = algorithms().map(FigureLine::of).into();
    let trees = run.trees_a_point();
    let all = trees * DEPTHS.len() as u64;
    let mut done = 0;
    run.progress.begin(all, "trees");
    'all: for (column, depth) in DEPTHS.into_iter().enumerate() {
        let tree = Synthetic::ordered(WIDTH, depth, VALUES, VALUES / 2, 0, TreeOrdering::Strong)?;
        for i in 0..trees {
            let seed = mix(run.seed, i);
            let value = ((2 * i + 1) * VALUES as u64 / (2 * trees)) as Value;
            let tree = tree.reseeded(seed).with_root(value)?.into();
            let before = iteration_before(value, seed);
            let mut seconds = Vec::new();
            for line in &mut lines {
                let Some(algorithm) = line.searching_from(before) else { continue };
                let spec = SearchSpec::new(&algorithm, depth as u32).within(run.limits());
                let sample = measure(&tree, &spec)?;
                if run.stopped(&sample) {
                    break 'all;
                }
                line.leaves[column].add_known(sample.counts.leaves);
                line.researches[column].add(sample.counts.researches as f64);
                seconds.push((sample.seconds, sample.counts.evaluations.max(1) as f64));
            }
            let (first, leaves) = seconds[0];
            for (line, (own, evaluated)) in lines.iter_mut().zip(seconds) {
                line.a_leaf[column].push((own / evaluated) / (first / leaves));
                line.whole[column].push(own / first);
            }
            done += 1;
            run.progress.step();
        }
    }
    run.progress.end();
    lines.push(FigureLine::minimal());
    let mut found = Findings::default();
    found.tables.push(table(&lines));
    found.tables.push(times(&lines));
    found.rows.extend(objects(&lines));
    found.plots.push(("figure-5".into(), plot(&lines)));
    found.note_work(done, all, "trees");
    Ok(found)
}

/// The value of the iteration before, off by an error from twice the window.
fn iteration_before(value: Value, seed: u64) -> Value {
    let wide = 4 * WINDOW as u64 + 1;
    value + (mix(seed, 5) % wide) as Value - 2 * WINDOW
}

/// An algorithm's leaves at each depth; the minimal tree has neither an algorithm nor an error.
struct FigureLine {
    algorithm: Option<Algorithm>,
    leaves: [Mean; DEPTHS.len()],
    researches: [Mean; DEPTHS.len()],
    /// The time a leaf, and of the whole search, in units of alpha-beta's: tree by tree.
    a_leaf: [Vec<f64>; DEPTHS.len()],
    whole: [Vec<f64>; DEPTHS.len()],
}

impl FigureLine {
    fn of(algorithm: Algorithm) -> FigureLine {
        FigureLine { algorithm: Some(algorithm), ..FigureLine::empty() }
    }

    fn empty() -> FigureLine {
        FigureLine {
            algorithm: None,
            leaves: Default::default(),
            researches: Default::default(),
            a_leaf: Default::default(),
            whole: Default::default(),
        }
    }

    /// The algorithm, with this value as its guess if it needs one.
    fn searching_from(&self, before: Value) -> Option<Algorithm> {
        let algorithm = self.algorithm.clone()?;
        Some(match algorithm.entry().id == Aspiration::ENTRY.id {
            true => Aspiration { epsilon: WINDOW, guess: Some(before) }.into(),
            false => algorithm,
        })
    }

    fn minimal() -> FigureLine {
        let mut line = FigureLine::empty();
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
        table.column("±", Align::Right);
        table.column("%", Align::Right);
    }
    for line in lines {
        let mut row = vec![line.name()];
        for ((_, mean), (_, first)) in line.known().zip(lines[0].known()) {
            row.push(thousands(mean.mean(), 0));
            row.push(match mean.error() {
                Some(error) if error > 0.0 => {
                    thousands(student(mean.count() as usize - 1) * error, 0)
                }
                // The minimal tree is computed.
                _ => String::new(),
            });
            row.push(thousands(100.0 * mean.mean() / first.mean(), 1));
        }
        table.row(row);
    }
    let fails: Vec<String> = (lines.iter().filter(|line| line.name().starts_with("Aspiration")))
        .flat_map(|line| line.researches.iter().filter(|mean| mean.count() > 0))
        .map(|mean| thousands(100.0 * mean.mean(), 0))
        .collect();
    table.note(format!(
        "Aspiration is not told the value: its window is ±{WINDOW} around that of an iteration before, and \
         fails in {} % of the searches, depth by depth.",
        fails.join(" · ")
    ));
    table.note("±: half of the 95 % interval of the mean.");
    table.note("The paper's text: SSS* does not do well at odd depth, DUAL* is best.");
    table
}

/// What a leaf, and the search of a tree, cost in processor time.
fn times(lines: &[FigureLine]) -> TextTable {
    let mut table = TextTable::new(
        "Processor time on the same trees, in units of αβ's: for each leaf, and for the whole tree",
    );
    table.column("search", Align::Left);
    for depth in DEPTHS {
        table.group(format!("D={depth}, a leaf"), Align::Right);
        table.column("95 %", Align::Left);
        table.column("tree", Align::Right);
    }
    let digits = |x: f64| thousands(x, 2);
    for line in lines.iter().filter(|line| line.algorithm.is_some()) {
        let mut row = vec![line.name()];
        for (a_leaf, whole) in line.a_leaf.iter().zip(&line.whole) {
            row.extend(Ratio::cells(Ratio::of(a_leaf.iter().copied()), digits));
            row.push(Ratio::cells(Ratio::of(whole.iter().copied()), digits)[0].clone());
        }
        table.row(row);
    }
    table.note("The survey: the lists of SSS* and DUAL* take more than five times the time of a depth-first search.");
    table
        .note("Evaluating a leaf costs next to nothing here, so this is the worst case for lists.");
    table
}

fn objects(lines: &[FigureLine]) -> Vec<Json> {
    let mut rows = Vec::new();
    for line in lines {
        let id = line.algorithm.as_ref().map_or("minimal-tree".into(), Algorithm::to_string);
        for (column, depth) in DEPTHS.into_iter().enumerate() {
            let mean = &line.leaves[column];
            if mean.count() == 0 {
                continue;
            }
            let a_leaf = Ratio::of(line.a_leaf[column].iter().copied());
            let whole = Ratio::of(line.whole[column].iter().copied());
            rows.push(json!({
                "figure": 5,
                "width": WIDTH,
                "depth": depth,
                "algorithm": id,
                "count": mean.count(),
                "leaves": mean.mean(),
                "leaves_se": mean.error(),
                "researches": line.algorithm.is_some().then(|| line.researches[column].mean()),
                "time_a_leaf": a_leaf.map(|ratio| ratio.mean),
                "time_a_leaf_low": a_leaf.map(|ratio| ratio.low),
                "time_a_leaf_high": a_leaf.map(|ratio| ratio.high),
                "time": whole.map(|ratio| ratio.mean),
                "time_low": whole.map(|ratio| ratio.low),
                "time_high": whole.map(|ratio| ratio.high),
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
        title: format!("Figure 5: leaves on strongly ordered trees, W = {WIDTH}"),
        x_label: "depth".into(),
        y_label: "leaves".into(),
        log_y: true,
        series: series.collect(),
        x_ticks: Some(DEPTHS.into_iter().map(|d| (d as f64, d.to_string())).collect()),
        ..Plot::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn about_half_of_the_windows_hold_the_value() {
        let inside = (0..1000).filter(|&i| {
            let before = iteration_before(500, mix(7, i));
            (before - 500).abs() < WINDOW
        });
        let inside = inside.count();
        assert!((400..600).contains(&inside), "{inside}");
    }
}
