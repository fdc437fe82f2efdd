//! Figures 5 and 6 of Marsland 1991. Here figure 5: leaves against depth on strongly ordered trees of
//! width 20.
//!
//! The paper prints no numbers for it. Its text says what to expect: SSS* does not do well on bushy
//! trees of odd depth, DUAL* is best, and SSS* and PVS both dominate alpha-beta.

use serde_json::{Value as Json, json};

use super::findings::Findings;
use super::real::{Laboratory, minimal};
use super::{FigureArgs, SurveyArgs, enhancements};
use crate::cli::console::Console;
use crate::cli::trees::means;
use plyground_core::limits::{Limits, Stop};
use plyground_core::tree::{Ordering, Synthetic, mix};
use plyground_search::{Algorithm, Options};
use plyground_study::experiment::{Mean, count};
use plyground_study::report::plot::{Plot, Series};
use plyground_study::report::{Align, Table, thousands};

const WIDTH: usize = 20;
const DEPTHS: [usize; 4] = [2, 3, 4, 5];
const IDS: [&str; 6] = ["alpha-beta", "aspiration:100:500", "scout", "pvs", "sss", "dual"];

pub(super) fn run(console: &Console, args: &SurveyArgs) -> anyhow::Result<()> {
    let figures = &args.figures;
    let wanted = |number| args.figure.is_none_or(|figure| figure == number);
    let mut found = Findings::default();
    if wanted(5) {
        let lines = figure_5(console, figures)?;
        found.tables.push(table(&lines));
        found.rows.extend(objects(&lines));
        found.plots.push(("figure-5".into(), plot(&lines)));
    }
    if wanted(6) && !console.interrupted() {
        let laboratory = Laboratory::new(console, &args.positions, &figures.run);
        let figure = enhancements::measure(&laboratory)?;
        found.tables.push(figure.table());
        found.rows.extend(figure.objects());
        found.plots.push(("figure-6".into(), figure.plot()));
    }
    found.tell(console, figures)
}

fn figure_5(console: &Console, args: &FigureArgs) -> anyhow::Result<Vec<Line>> {
    let bar = console.progress(args.count() * DEPTHS.len() as u64, "trees");
    let mut done = 0;
    let mut means = vec![[Mean::default(); DEPTHS.len()]; IDS.len()];
    'all: for (column, depth) in DEPTHS.into_iter().enumerate() {
        let limits = Limits { flag: console.flag(), ..Limits::default() };
        let options = Options { limits, ..Options::to_depth(depth as u32) };
        let tree = Synthetic::ordered(WIDTH, depth, 1000, 500, 0, Ordering::Strong)?;
        for i in 0..args.count() {
            let tree = tree.reseeded(mix(args.run.seed, i));
            for (id, means) in IDS.iter().zip(&mut means) {
                let sample = count(&tree, &id.parse()?, &options)?;
                if sample.stopped == Some(Stop::Flag) || console.interrupted() {
                    break 'all;
                }
                means[column].add(sample.counts.leaves as f64);
            }
            done += 1;
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    console.note_interruption(done, args.count() * DEPTHS.len() as u64, "trees");
    lines(&means)
}

/// An algorithm's leaves at each depth; the minimal tree has neither an id nor an error.
struct Line {
    id: Option<&'static str>,
    name: String,
    leaves: Vec<(usize, Mean)>,
}

fn lines(means: &[[Mean; DEPTHS.len()]]) -> anyhow::Result<Vec<Line>> {
    let mut lines = Vec::new();
    for (id, means) in IDS.into_iter().zip(means) {
        let leaves = DEPTHS.into_iter().zip(*means).filter(|(_, mean)| mean.count() > 0).collect();
        lines.push(Line { id: Some(id), name: id.parse::<Algorithm>()?.name(), leaves });
    }
    let minimal = DEPTHS.into_iter().map(|depth| {
        let mut mean = Mean::default();
        mean.add(minimal(WIDTH as f64, depth as u32));
        (depth, mean)
    });
    lines.push(Line { id: None, name: "minimal tree".into(), leaves: minimal.collect() });
    Ok(lines)
}

fn table(lines: &[Line]) -> Table {
    let trees = lines.iter().flat_map(|l| &l.leaves).map(|(_, mean)| mean.count()).max();
    let mut table = Table::new(format!(
        "Figure 5: leaves on strongly ordered trees, W = {WIDTH}, {}, and in percent of αβ",
        means(trees.unwrap_or(0))
    ));
    table.column("search", Align::Left);
    for depth in DEPTHS {
        table.column(format!("D={depth}"), Align::Right);
        table.column("%", Align::Right);
    }
    for line in lines {
        let mut row = vec![line.name.clone()];
        for ((_, mean), (_, first)) in line.leaves.iter().zip(&lines[0].leaves) {
            row.push(thousands(mean.mean(), 0));
            row.push(thousands(100.0 * mean.mean() / first.mean(), 1));
        }
        table.row(row);
    }
    table.note("The paper's text: SSS* does not do well at odd depth, DUAL* is best.");
    table
}

fn objects(lines: &[Line]) -> Vec<Json> {
    let mut rows = Vec::new();
    for line in lines {
        for (depth, mean) in &line.leaves {
            rows.push(json!({
                "figure": 5,
                "width": WIDTH,
                "depth": depth,
                "algorithm": line.id.unwrap_or("minimal-tree"),
                "count": mean.count(),
                "leaves": mean.mean(),
                "leaves_se": mean.error(),
            }));
        }
    }
    rows
}

fn plot(lines: &[Line]) -> Plot {
    let series = lines.iter().map(|line| Series {
        name: line.name.clone(),
        points: line.leaves.iter().map(|(d, mean)| (*d as f64, mean.mean())).collect(),
        errors: line.leaves.iter().map(|(_, mean)| mean.error()).collect(),
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
