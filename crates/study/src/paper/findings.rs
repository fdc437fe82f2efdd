//! The results of an experiment: tables, objects and figures.

use serde_json::Value as Json;

use super::real::{DepthResult, LabelledEngine};
use crate::experiment::{PairedRatio, holm};
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
pub(super) type Rows = Vec<(String, Vec<Option<PairedRatio>>)>;

/// A row for each engine.
pub(super) fn rows(
    lines: &[LabelledEngine],
    cells: &[Vec<Option<DepthResult>>],
    of: impl Fn(&DepthResult) -> Option<PairedRatio> + Copy,
) -> Rows {
    let row = |(line, cells): (&LabelledEngine, &Vec<Option<DepthResult>>)| {
        (line.label.clone(), cells.iter().map(|cell| cell.as_ref().and_then(of)).collect())
    };
    lines.iter().zip(cells).map(row).collect()
}

/// The note below a table of percentages.
pub(super) const STARRED: &str = "Geometric means of paired ratios, bootstrap intervals; * differs from 100 by Holm's correction over the table.";

/// A percentage and its interval as texts for a table; `starred` if it differs from 100.
pub(super) fn percent_cells(paired: Option<PairedRatio>, starred: bool) -> [String; 2] {
    let digits = |x: f64| thousands(x, if x >= 1000.0 { 0 } else { 1 });
    let [mean, interval] = PairedRatio::cells(paired, digits);
    [if starred { format!("{mean}*") } else { mean }, interval]
}

/// Which of these percentages differ from 100, row by row, where all are one family of comparisons; what is
/// compared with itself is none.
pub(super) fn starred(rows: &[Vec<Option<PairedRatio>>]) -> Vec<Vec<bool>> {
    let is_other = |paired: &PairedRatio| paired.bootstrap != (100.0, 100.0);
    let others = rows.iter().flatten().flatten().filter(|paired| is_other(paired));
    let chances: Vec<f64> = others.map(|paired| paired.p).collect();
    let mut corrected = holm(&chances).into_iter();
    let mut star = |paired: &Option<PairedRatio>| match paired {
        Some(paired) if is_other(paired) => {
            let p = corrected.next().unwrap_or(1.0);
            p < 0.05 && paired.ratio.count >= PairedRatio::FEWEST
        }
        _ => false,
    };
    rows.iter().map(|row| row.iter().map(&mut star).collect()).collect()
}

/// A table of percentages: a row for each label, two columns for each place on the x-axis.
pub(super) fn percentages(title: String, columns: &[String], rows: &Rows) -> TextTable {
    let mut table = TextTable::new(title);
    table.column("search", Align::Left);
    for column in columns {
        table.group(column, Align::Right);
        table.column("95 %", Align::Left);
    }
    let ratios: Vec<Vec<Option<PairedRatio>>> = rows.iter().map(|(_, row)| row.clone()).collect();
    for ((label, ratios), stars) in rows.iter().zip(starred(&ratios)) {
        let cells =
            ratios.iter().zip(stars).flat_map(|(&paired, star)| percent_cells(paired, star));
        table.row([label.clone()].into_iter().chain(cells).collect());
    }
    table.note(STARRED);
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
            points: known().map(|(x, paired)| (x as f64, paired.ratio.mean)).collect(),
            intervals: known().map(|(_, paired)| paired.bootstrap).collect(),
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
        note: Some("Geometric means of paired ratios, with bootstrap intervals".into()),
        ..Plot::default()
    }
}
