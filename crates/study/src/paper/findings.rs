//! The results of an experiment: tables, objects and figures.

use serde_json::Value as Json;

use super::real::{DepthResult, LabelledEngine};
use crate::experiment::Ratio;
use crate::report::plot::{Plot, Series};
use crate::report::{Align, TextTable, thousands};
use plyground_engine::door::AnyGame;

/// How much of the work was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkDone {
    /// The steps that were done.
    pub done: u64,
    /// All steps.
    pub of: u64,
    /// What a step is, in the plural.
    pub what: &'static str,
}

/// The results of an experiment.
#[derive(Debug, Default)]
pub struct Findings {
    /// For people.
    pub tables: Vec<TextTable>,
    /// For programs: an object for each number.
    pub rows: Vec<Json>,
    /// The figures, with names for their files.
    pub plots: Vec<(String, Plot)>,
    /// How much was done. If the flag stopped the run, the rest is missing in the results.
    pub work: Vec<WorkDone>,
}

impl Findings {
    /// Appends these findings.
    pub fn extend(&mut self, more: Findings) {
        self.tables.extend(more.tables);
        self.rows.extend(more.rows);
        self.plots.extend(more.plots);
        self.work.extend(more.work);
    }

    /// Adds how much of a part of the work was done.
    pub(super) fn note_work(&mut self, done: u64, of: u64, what: &'static str) {
        self.work.push(WorkDone { done, of, what });
    }

    /// Adds the objects of these engines, one for each depth.
    pub(super) fn objects(
        &mut self,
        figure: &str,
        game: &dyn AnyGame,
        lines: &[LabelledEngine],
        cells: &[Vec<Option<DepthResult>>],
        depths: &[u32],
    ) {
        for (line, cells) in lines.iter().zip(cells) {
            for (&depth, cell) in depths.iter().zip(cells) {
                let cell = cell.as_ref();
                self.rows.extend(cell.map(|cell| cell.object(figure, game, Some(line), depth)));
            }
        }
    }
}

/// D=2, D=3, …
pub(super) fn depth_names(depths: &[u32]) -> Vec<String> {
    depths.iter().map(|depth| format!("D={depth}")).collect()
}

/// A note: the leaves that are 100 %, depth by depth.
pub(super) fn hundred(cells: &[Option<DepthResult>]) -> String {
    let leaves: Vec<String> =
        cells.iter().flatten().map(|cell| thousands(cell.leaves, 0)).collect();
    format!("100 % is, depth by depth, {} leaves.", leaves.join(" · "))
}

/// Rows of a table: a label, and a ratio for each column.
pub(super) type Rows = Vec<(String, Vec<Option<Ratio>>)>;

/// A row for each engine.
pub(super) fn rows(
    lines: &[LabelledEngine],
    cells: &[Vec<Option<DepthResult>>],
    of: fn(&DepthResult) -> Ratio,
) -> Rows {
    let row = |(line, cells): (&LabelledEngine, &Vec<Option<DepthResult>>)| {
        (line.label.clone(), cells.iter().map(|cell| cell.as_ref().map(of)).collect())
    };
    lines.iter().zip(cells).map(row).collect()
}

/// A percentage and its interval as texts for a table.
pub(super) fn percent_cells(ratio: Option<Ratio>) -> [String; 2] {
    let digits = |x: f64| thousands(x, if x >= 1000.0 { 0 } else { 1 });
    Ratio::cells(ratio, digits)
}

/// A table of percentages: a row for each label, two columns for each place on the x-axis.
pub(super) fn percentages(title: String, columns: &[String], rows: &Rows) -> TextTable {
    let mut table = TextTable::new(title);
    table.column("search", Align::Left);
    for column in columns {
        table.group(column, Align::Right);
        table.column("95 %", Align::Left);
    }
    for (label, ratios) in rows {
        let cells = ratios.iter().flat_map(|&ratio| percent_cells(ratio));
        table.row([label.clone()].into_iter().chain(cells).collect());
    }
    table
}

/// The same percentages as a figure.
pub(super) fn plot(
    title: &str,
    (x_label, y_label): (&str, &str),
    columns: &[String],
    rows: &Rows,
) -> Plot {
    let series = rows.iter().map(|(label, ratios)| {
        let known = || ratios.iter().enumerate().filter_map(|(x, ratio)| Some((x, (*ratio)?)));
        Series {
            name: label.clone(),
            points: known().map(|(x, ratio)| (x as f64, ratio.mean)).collect(),
            intervals: known().map(|(_, ratio)| (ratio.low, ratio.high)).collect(),
            ..Series::default()
        }
    });
    let ticks = columns.iter().enumerate().map(|(x, name)| (x as f64, name.clone()));
    Plot {
        title: title.into(),
        x_label: x_label.into(),
        y_label: y_label.into(),
        series: series.collect(),
        x_ticks: Some(ticks.collect()),
        apart: true,
        note: Some("Geometric means over positions, with their 95 % intervals".into()),
        ..Plot::default()
    }
}
