//! Tables 2 to 6 of the PS* papers (Srimani and Marsland 1986 and 1987).

mod summary;

use serde_json::json;

use super::{Findings, PaperRun, means};
use crate::experiment::Mean;
use crate::laboratory::count;
use crate::report::plot::{Plot, Series};
use crate::report::{Align, TextTable, thousands};
use plyground_core::tree::{Synthetic, TreeOrdering, mix};
use plyground_search::algorithms::{AlphaBeta, Ps, Sss};
use plyground_search::{Algorithm, Counts, SearchAlgorithm, SearchSpec};

/// A table as printed: leaves for each algorithm and kind of tree, and the space needed.
struct PrintedTable {
    number: u32,
    width: usize,
    depth: usize,
    /// The order R and the probability p of each column.
    columns: &'static [(usize, f64)],
    rows: &'static [PrintedRow],
}

/// A row of a table as printed.
struct PrintedRow {
    algorithm: fn() -> Algorithm,
    leaves: &'static [u32],
    space: u64,
}

const fn row(algorithm: fn() -> Algorithm, leaves: &'static [u32], space: u64) -> PrintedRow {
    PrintedRow { algorithm, leaves, space }
}

fn alpha_beta() -> Algorithm {
    AlphaBeta.into()
}

fn sss() -> Algorithm {
    Sss.into()
}

fn phased<const K: usize>() -> Algorithm {
    Ps::with_partitions(K).into()
}

const TABLES: [PrintedTable; 5] = [
    PrintedTable {
        number: 2,
        width: 8,
        depth: 4,
        columns: &[(1, 1.0), (2, 1.0), (4, 1.0), (8, 1.0)],
        rows: &[
            row(sss, &[439, 287, 190, 127], 64),
            row(phased::<2>, &[571, 286, 190, 127], 21),
            row(phased::<4>, &[634, 375, 190, 127], 7),
            row(alpha_beta, &[689, 415, 248, 127], 4),
        ],
    },
    PrintedTable {
        number: 3,
        width: 16,
        depth: 4,
        columns: &[(1, 1.0), (2, 1.0), (4, 1.0), (16, 1.0)],
        rows: &[
            row(sss, &[2250, 1637, 1146, 511], 256),
            row(phased::<2>, &[2829, 1637, 1146, 511], 73),
            row(phased::<4>, &[3363, 2114, 1146, 511], 21),
            row(phased::<8>, &[3743, 2388, 1496, 511], 7),
            row(alpha_beta, &[3952, 2981, 1664, 511], 4),
        ],
    },
    PrintedTable {
        number: 4,
        width: 24,
        depth: 4,
        columns: &[(1, 1.0), (2, 1.0), (4, 1.0), (2, 0.9), (4, 0.9), (24, 1.0)],
        rows: &[
            row(sss, &[5805, 4423, 3206, 4702, 3513, 1151], 576),
            row(phased::<2>, &[7345, 4423, 3203, 4956, 3690, 1151], 157),
            row(phased::<4>, &[8650, 5718, 3201, 6460, 3940, 1151], 43),
            row(phased::<6>, &[9207, 6222, 3950, 7126, 4649, 1151], 21),
            row(phased::<8>, &[9753, 6652, 4300, 7517, 4938, 1151], 13),
            row(alpha_beta, &[10602, 7437, 5031, 8364, 5660, 1151], 4),
        ],
    },
    PrintedTable {
        number: 5,
        width: 32,
        depth: 4,
        columns: &[(1, 1.0), (2, 1.0), (4, 1.0), (8, 1.0), (32, 1.0)],
        rows: &[
            row(sss, &[10816, 8493, 6424, 4633, 2047], 1024),
            row(phased::<2>, &[13989, 8478, 6422, 4632, 2047], 273),
            row(phased::<4>, &[16464, 11089, 6420, 4632, 2047], 73),
            row(phased::<8>, &[18512, 12782, 8313, 4631, 2047], 21),
            row(phased::<16>, &[20145, 13966, 9330, 6209, 2047], 7),
            row(alpha_beta, &[20836, 14665, 10046, 6974, 2047], 4),
        ],
    },
    PrintedTable {
        number: 6,
        width: 8,
        depth: 6,
        columns: &[(1, 1.0), (2, 1.0), (4, 1.0), (8, 1.0)],
        rows: &[
            row(sss, &[6044, 3475, 1932, 1023], 512),
            row(phased::<2>, &[9984, 3437, 1921, 1023], 85),
            row(phased::<4>, &[11283, 5213, 1915, 1023], 15),
            row(alpha_beta, &[11565, 5555, 2659, 1023], 6),
        ],
    },
];

/// A number that must be a misprint: its table, its column and the number.
const MISPRINT: (u32, usize, u32) = (3, 1, 2981);

/// Tables 2 to 6 of the PS* papers: leaves and space, measured beside the printed ones.
pub fn ps(run: &PaperRun<'_>) -> anyhow::Result<Findings> {
    let cells: usize = TABLES.iter().map(|table| table.rows.len() * table.columns.len()).sum();
    run.progress.begin(cells as u64, "cells");
    let mut found = Findings::default();
    'all: for printed in &TABLES {
        let mut ours = Vec::new();
        for row in printed.rows {
            let Some(cells) = measure(run, printed, row)? else { break 'all };
            ours.push(cells);
        }
        found.rows.extend(objects(printed, &ours));
        found.tables.push(table(printed, &ours, run.trees_a_cell()));
        found.plots.extend(figure(printed, &ours));
    }
    run.progress.end();
    found.note_work(found.tables.len() as u64, TABLES.len() as u64, "tables");
    found.tables.extend(summary::deviations(&found.rows));
    found.tables.extend(summary::unfavourable(&found.rows));
    if !run.flag.is_raised() {
        found.extend(summary::times(run)?);
    }
    Ok(found)
}

/// A row as measured: the leaves of each column, tree by tree, and the most space that any tree took.
struct MeasuredRow {
    leaves: Vec<Mean>,
    trees: Vec<Vec<u64>>,
    space: u64,
}

impl MeasuredRow {
    /// The share of a column's trees on which this row has more leaves than another.
    fn share_above(&self, other: &MeasuredRow, column: usize) -> f64 {
        let pairs = || self.trees[column].iter().zip(&other.trees[column]);
        let above = pairs().filter(|(ours, theirs)| ours > theirs).count();
        above as f64 / pairs().count().max(1) as f64
    }
}

/// Measures a row; `None` if interrupted.
fn measure(
    run: &PaperRun<'_>,
    printed: &PrintedTable,
    row: &PrintedRow,
) -> anyhow::Result<Option<MeasuredRow>> {
    let algorithm = (row.algorithm)();
    let spec = SearchSpec::new(&algorithm, printed.depth as u32).within(run.limits());
    let mut ours = MeasuredRow { leaves: Vec::new(), trees: Vec::new(), space: 0 };
    for &(order, probability) in printed.columns {
        let ordering = TreeOrdering::Probable { order, probability };
        let tree = Synthetic::ordered(printed.width, printed.depth, 100, 50, 0, ordering)?;
        let (mut leaves, mut trees) = (Mean::default(), Vec::new());
        for i in 0..run.trees_a_cell() {
            let sample = count(&tree.reseeded(mix(run.seed, i)).into(), &spec)?;
            if run.stopped(&sample) {
                return Ok(None);
            }
            leaves.add_known(sample.counts.leaves);
            trees.extend(sample.counts.leaves);
            ours.space = ours.space.max(space(&algorithm, printed.depth, &sample.counts));
        }
        ours.leaves.push(leaves);
        ours.trees.push(trees);
        run.progress.step();
    }
    Ok(Some(ours))
}

/// Space as the papers count it: OPEN for SSS*, OPEN and BACKUP for PS*, the stack for αβ.
fn space(algorithm: &Algorithm, depth: usize, counts: &Counts) -> u64 {
    let id = algorithm.entry().id;
    if id == Sss::ENTRY.id {
        counts.peak_open
    } else if id == Ps::ENTRY.id {
        counts.peak_open + counts.peak_backup
    } else {
        depth as u64
    }
}

fn deviation(ours: f64, printed: u32) -> f64 {
    100.0 * (ours / f64::from(printed) - 1.0)
}

fn is_misprint(printed: &PrintedTable, row: &PrintedRow, column: usize) -> bool {
    (printed.number, column, row.leaves[column]) == MISPRINT
}

fn objects(printed: &PrintedTable, ours: &[MeasuredRow]) -> Vec<serde_json::Value> {
    let mut objects = Vec::new();
    // The last row is alpha-beta's, in every table.
    let Some(alpha_beta) = ours.last() else { return objects };
    for (row, ours) in printed.rows.iter().zip(ours) {
        let id = (row.algorithm)().to_string();
        for (column, (&(order, prob), leaves)) in
            printed.columns.iter().zip(&ours.leaves).enumerate()
        {
            objects.push(json!({
                "table": printed.number,
                "width": printed.width,
                "depth": printed.depth,
                "order": order,
                "prob": prob,
                "algorithm": id,
                "count": leaves.count(),
                "leaves": leaves.mean(),
                "leaves_se": leaves.error(),
                "printed": row.leaves[column],
                "deviation_percent": deviation(leaves.mean(), row.leaves[column]),
                "misprint": is_misprint(printed, row, column),
                "above_alpha_beta": ours.share_above(alpha_beta, column),
                "space": ours.space,
                "printed_space": row.space,
            }));
        }
    }
    objects
}

fn table(printed: &PrintedTable, ours: &[MeasuredRow], count: u64) -> TextTable {
    let PrintedTable { number, width, depth, .. } = printed;
    let title = format!(
        "Table {number}: leaves on T({width},{depth}), {}; ours, printed, deviation",
        means(count)
    );
    let mut table = TextTable::new(title);
    table.column("search", Align::Left);
    for &(order, p) in printed.columns {
        let kind = match (order, p) {
            (1, _) => "random".to_string(),
            (r, _) if r == *width => "minimal".into(),
            (r, 1.0) => format!("R={r}"),
            (r, p) => format!("R={r},p={p}"),
        };
        table.group(kind, Align::Right);
        table.optional("±", Align::Right, 1);
        table.column("printed", Align::Right);
        table.column("%", Align::Right);
    }
    table.group("space", Align::Right);
    table.column("printed", Align::Right);
    for (row, ours) in printed.rows.iter().zip(ours) {
        let mut cells = vec![(row.algorithm)().name()];
        for (column, leaves) in ours.leaves.iter().enumerate() {
            let misprint = if is_misprint(printed, row, column) { "*" } else { "" };
            let percent = deviation(leaves.mean(), row.leaves[column]);
            let sign = if percent >= 0.05 { "+" } else { "" };
            cells.push(thousands(leaves.mean(), 0));
            cells.push(leaves.error().map_or_else(String::new, |error| thousands(1.96 * error, 0)));
            cells.push(format!("{misprint}{}", thousands(f64::from(row.leaves[column]), 0)));
            cells.push(format!("{sign}{}", thousands(percent, 1)));
        }
        cells.extend([thousands(ours.space as f64, 0), thousands(row.space as f64, 0)]);
        table.row(cells);
    }
    if *number == MISPRINT.0 {
        table.note("* a misprint: about 2,715 by the other columns of the row.");
    }
    table.note("±: half of the 95 % interval of our mean. The generator is a reconstruction.");
    if *number == 5 {
        table.note("minimal: 2,047 as in the later paper; the report prints 2,045");
    }
    table
}

/// Figures 5 to 7: the tables of width 16, 24 and 32 drawn, the printed numbers dashed.
fn figure(printed: &PrintedTable, ours: &[MeasuredRow]) -> Option<(String, Plot)> {
    let number = match printed.number {
        3 => 5,
        4 => 6,
        5 => 7,
        _ => return None,
    };
    // Columns with p = 1, in the order of R: random trees are of order 1.
    let columns: Vec<usize> =
        (0..printed.columns.len()).filter(|&i| printed.columns[i].1 == 1.0).collect();
    let x = |&column: &usize| printed.columns[column].0 as f64;
    let mut series = Vec::new();
    for (look, (row, ours)) in printed.rows.iter().zip(ours).enumerate() {
        let name = (row.algorithm)().name();
        let mean = |column: &usize| (x(column), ours.leaves[*column].mean());
        let error = |column: &usize| 1.96 * ours.leaves[*column].error().unwrap_or(0.0);
        series.push(Series {
            name: name.clone(),
            points: columns.iter().map(mean).collect(),
            errors: Some(columns.iter().map(error).collect()),
            look: Some(look),
            dashed: Some(false),
            ..Series::default()
        });
        let leaves = |column: &usize| (x(column), f64::from(row.leaves[*column]));
        series.push(Series {
            name: format!("{name}, printed"),
            points: columns.iter().map(leaves).collect(),
            look: Some(look),
            dashed: Some(true),
            ..Series::default()
        });
    }
    let plot = Plot {
        title: format!(
            "Figure {number}: leaves on trees of depth {} and width {}",
            printed.depth, printed.width
        ),
        x_label: "order R (1: random, the width: minimal)".into(),
        y_label: "leaves".into(),
        log_x: true,
        by_twos: true,
        x_ticks: Some(columns.iter().map(|c| (x(c), printed.columns[*c].0.to_string())).collect()),
        apart: true,
        series,
        ..Plot::default()
    };
    Some((format!("ps-figure-{number}"), plot))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minimal_columns_are_the_formula() {
        for table in &TABLES {
            let w = table.width as u32;
            let half = table.depth as u32 / 2;
            let least = 2 * w.pow(half) - 1;
            let column = table.columns.iter().position(|&(r, _)| r == table.width).unwrap();
            for row in table.rows {
                assert_eq!(
                    row.leaves[column],
                    least,
                    "table {}, {}",
                    table.number,
                    (row.algorithm)()
                );
                assert_eq!(row.leaves.len(), table.columns.len());
            }
        }
    }
}
