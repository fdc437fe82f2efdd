//! The comparison of the algorithms: a table for each depth, and plots of leaves against depth.

use std::collections::{BTreeMap, BTreeSet};

use super::words::{count, counted, short_bytes, short_time, significant};
use super::{
    AlgorithmRun, Conditions, ExperimentReport, Group, GroupedRecords, Measure, ReportRow, fullest,
    level, mean, ratio, ratio_cell,
};
use crate::experiment::Record;
use crate::report::document::{Block, Cell, ReportTable};
use crate::report::plot::{Plot, Series};
use plyground_search::algorithms::Minimax;
use plyground_search::{Factors, SearchAlgorithm};

pub(super) fn add(grouped: &GroupedRecords<'_>, report: &mut ExperimentReport) {
    report.put(Block::Part("Algorithms compared".into()));
    report.put(Block::Text(
        "Ratios are geometric means over the positions that both searches finished, with 95 % \
         intervals; below 1 is less than the baseline. Leaves are distinct ones, evaluations count \
         each again, nodes are distinct leaves and interior nodes, visits are all entries into nodes, \
         quiescence is positions beyond the leaves that their evaluation looked at."
            .into(),
    ));
    for game in grouped.games() {
        report.put(Block::Heading(game.into()));
        for (i, (conditions, depths)) in grouped.of_game(game).enumerate() {
            let mut blocks = Vec::new();
            blocks.extend(leaves_by_depth(grouped, conditions, depths));
            blocks.extend(ratios_by_depth(grouped, conditions, depths));
            let first = fullest(depths).map(|(depth, _)| depth);
            for (&depth, group) in depths.iter().rev() {
                report.rows.extend(rows(grouped, conditions, depth, group));
                let table = Block::Table(table(grouped, depth, group));
                let summary =
                    format!("depth {depth}: {}", counted(group.by_algorithm.len(), "algorithm"));
                let open = first == Some(depth);
                blocks.push(Block::Fold { summary, open, blocks: vec![table] });
            }
            let shown: Vec<String> = depths.keys().map(u32::to_string).collect();
            let depth = if shown.len() == 1 { "depth" } else { "depths" };
            let summary = format!("{}: {depth} {}", grouped.describe(conditions), shown.join(", "));
            report.put(Block::Fold { summary, open: i == 0, blocks });
        }
    }
}

fn stopped(searches: &BTreeMap<&str, &Record>) -> usize {
    searches.values().filter(|record| record.stopped.is_some()).count()
}

/// Was this measured? Times are not always, and not every evaluator has a quiescence search.
fn is_measured(group: &Group<'_>, measure: Measure) -> bool {
    let mut records = group.by_algorithm.values().flat_map(BTreeMap::values);
    records.any(|record| measure.of(record).is_some_and(|v| v > 0.0))
}

fn table(grouped: &GroupedRecords<'_>, depth: u32, group: &Group<'_>) -> ReportTable {
    let base = group.baseline(grouped);
    let common = group.common();
    let measures: Vec<Measure> =
        Measure::ALL.into_iter().filter(|&measure| is_measured(group, measure)).collect();
    let is_timed = measures.contains(&Measure::Seconds);
    let names: Vec<String> =
        measures.iter().map(|measure| format!("× {}", measure.title())).collect();
    let mut columns = vec!["algorithm", "pairs", "leaves"];
    columns.extend(names.iter().map(String::as_str));
    if is_timed {
        columns.push("time");
    }
    columns.extend(["peak entries", "peak bytes", "stopped"]);
    let mut table = ReportTable::new(format!("Depth {depth}"), &columns);
    for (&i, searches) in &group.by_algorithm {
        let to = &group.by_algorithm[&base];
        let of = |measure: Measure| ratio(searches, to, measure);
        let mut row = vec![
            Cell::new(grouped.name(i)),
            Cell::new(of(Measure::Leaves).map_or(0, |r| r.count).to_string()),
            number(level(searches, &common, Measure::Leaves), count),
        ];
        for &measure in &measures {
            // The ratio of the baseline to itself is always 1: no interval, no colour.
            let cell = match i == base {
                true => Cell::new(if of(measure).is_some() { "1" } else { "–" }),
                false => ratio_cell(of(measure), 1.0),
            };
            row.push(cell);
        }
        if is_timed {
            row.push(number(level(searches, &common, Measure::Seconds), short_time));
        }
        row.push(number(mean(searches, Record::peak_entries), count));
        row.push(number(mean(searches, |r| r.counts.peak_bytes), short_bytes));
        row.push(Cell::new(match stopped(searches) {
            0 => "–".into(),
            n => format!("{n} of {}", searches.len()),
        }));
        table.rows.push(row);
    }
    let time = if is_timed { " and time" } else { "" };
    table.note = format!(
        "Ratios to {}. Leaves{time}: geometric means over the {} that all algorithms were given, – \
         where a search was stopped. Peaks: means over the finished searches.",
        grouped.name(base),
        counted(common.len(), "position"),
    );
    table
}

fn number(v: Option<f64>, shown: impl Fn(f64) -> String) -> Cell {
    Cell::new(v.map_or_else(|| "–".into(), shown))
}

/// The numbers of a table as rows.
fn rows(
    grouped: &GroupedRecords<'_>,
    conditions: &Conditions,
    depth: u32,
    group: &Group<'_>,
) -> Vec<ReportRow> {
    let base = group.baseline(grouped);
    let common = group.common();
    let mut rows = Vec::new();
    for (&i, searches) in &group.by_algorithm {
        let AlgorithmRun { id, spawn_height, own } = &grouped.algorithms[i];
        let factors = Factors {
            guess: own.guess,
            quiescence_window: own.quiescence_window,
            store: own.store,
            ..conditions.factors
        };
        let row = |measure: &str| ReportRow {
            spawn_height: *spawn_height,
            factors,
            ..conditions.row("comparison", depth, id, measure)
        };
        for measure in Measure::ALL {
            if let Some(mean) = level(searches, &common, measure) {
                rows.push(ReportRow { mean, positions: common.len(), ..row(measure.name()) });
            }
            if let Some(ratio) = ratio(searches, &group.by_algorithm[&base], measure) {
                rows.push(ReportRow {
                    baseline: Some(grouped.algorithms[base].id.clone()),
                    mean: ratio.mean,
                    low: Some(ratio.low),
                    high: Some(ratio.high),
                    positions: ratio.count,
                    ..row(&format!("{} ratio", measure.name()))
                });
            }
        }
        let finished = searches.len() - stopped(searches);
        let mut plain = |measure: &str, found: Option<f64>, positions: usize| {
            rows.extend(found.map(|mean| ReportRow { mean, positions, ..row(measure) }));
        };
        plain("peak entries", mean(searches, Record::peak_entries), finished);
        plain("peak bytes", mean(searches, |r| r.counts.peak_bytes), finished);
        plain("stopped", Some(stopped(searches) as f64), searches.len());
    }
    rows
}

/// The plot of leaves against depth, if there is more than one depth.
fn leaves_by_depth(
    grouped: &GroupedRecords<'_>,
    conditions: &Conditions,
    depths: &BTreeMap<u32, Group<'_>>,
) -> Option<Block> {
    let mut series: Vec<Series> = Vec::new();
    let mut missing = 0;
    for (i, _) in grouped.algorithms.iter().enumerate() {
        let mut points = Vec::new();
        for (&depth, group) in depths {
            let Some(searches) = group.by_algorithm.get(&i) else { continue };
            match level(searches, &group.common(), Measure::Leaves) {
                Some(leaves) => points.push((f64::from(depth), leaves)),
                None => {
                    missing += 1;
                    points.push((f64::from(depth), f64::NAN));
                }
            }
        }
        if points.iter().any(|(_, leaves)| leaves.is_finite()) {
            let name = grouped.name(i);
            series.push(Series { name, points, look: Some(i), ..Series::default() });
        }
    }
    if depths.len() < 2 || series.is_empty() {
        return None;
    }
    let numbers = numbers("leaves", &series, depths, count);
    from_the_top(&mut series);
    let mut note = "Geometric means over the positions that all algorithms were given.".to_string();
    if missing > 0 {
        let points = counted(missing, "point");
        note.push_str(&format!(" {points} missing, where a search was stopped."));
    }
    let plot = Plot {
        title: format!(
            "Leaves against depth: {}, {}",
            conditions.game,
            grouped.describe(conditions)
        ),
        x_label: "depth".into(),
        y_label: "leaves".into(),
        log_y: true,
        series,
        x_ticks: Some(depth_ticks(depths.keys().copied())),
        note: Some(note),
        ..Plot::default()
    };
    Some(Block::Figure(plot, numbers))
}

/// A tick of the axis for each depth.
pub(super) fn depth_ticks(depths: impl Iterator<Item = u32>) -> Vec<(f64, String)> {
    depths.map(|depth| (f64::from(depth), depth.to_string())).collect()
}

/// Sorts lines by their last points, highest first, so that the legend has the order of the lines.
pub(super) fn from_the_top(series: &mut [Series]) {
    let end = |s: &Series| {
        let last = s.points.iter().rev().find(|(_, y)| y.is_finite());
        last.map_or((f64::MIN, f64::MIN), |&(x, y)| (x, y))
    };
    series.sort_by(|a, b| {
        let ((ax, ay), (bx, by)) = (end(a), end(b));
        by.total_cmp(&ay).then(bx.total_cmp(&ax))
    });
}

/// The plot of the ratio of leaves against depth. It shows differences that are too small to see on the
/// logarithmic axis of the leaves themselves.
fn ratios_by_depth(
    grouped: &GroupedRecords<'_>,
    conditions: &Conditions,
    depths: &BTreeMap<u32, Group<'_>>,
) -> Option<Block> {
    // Ratios to different baselines cannot be shown in one figure.
    let bases: BTreeSet<usize> = depths.values().map(|group| group.baseline(grouped)).collect();
    let base = *bases.first().filter(|_| bases.len() == 1 && depths.len() > 1)?;
    let mut series: Vec<Series> = Vec::new();
    for (i, run) in grouped.algorithms.iter().enumerate() {
        // Minimax is far above all others and would squeeze their lines together.
        if i == base || run.id == Minimax::ENTRY.id {
            continue;
        }
        let point = |(&depth, group): (&u32, &Group<'_>)| {
            let searches = group.by_algorithm.get(&i)?;
            let found = ratio(searches, &group.by_algorithm[&base], Measure::Leaves)?;
            Some((f64::from(depth), found.mean))
        };
        let points: Vec<(f64, f64)> = depths.iter().filter_map(point).collect();
        if !points.is_empty() {
            let name = grouped.name(i);
            series.push(Series { name, points, look: Some(i), ..Series::default() });
        }
    }
    if series.is_empty() {
        return None;
    }
    let base = grouped.name(base);
    let numbers = numbers(&format!("× {base}"), &series, depths, significant);
    let ends = [depths.first_key_value()?.0, depths.last_key_value()?.0];
    series.push(Series {
        name: format!("{base} = 1"),
        points: ends.map(|&depth| (f64::from(depth), 1.0)).to_vec(),
        look: Some(0),
        reference: true,
        ..Series::default()
    });
    from_the_top(&mut series);
    let plot = Plot {
        title: format!(
            "Leaves relative to {base}: {}, {}",
            conditions.game,
            grouped.describe(conditions)
        ),
        x_label: "depth".into(),
        y_label: format!("leaves, × {base}"),
        log_y: true,
        series,
        x_ticks: Some(depth_ticks(depths.keys().copied())),
        note: Some("Geometric means of the ratios on the positions that both finished.".into()),
        ..Plot::default()
    };
    Some(Block::Figure(plot, numbers))
}

fn numbers(
    what: &str,
    series: &[Series],
    depths: &BTreeMap<u32, Group<'_>>,
    shown: impl Fn(f64) -> String,
) -> ReportTable {
    let names: Vec<String> = depths.keys().map(|depth| format!("depth {depth}")).collect();
    let mut columns = vec![what];
    columns.extend(names.iter().map(String::as_str));
    let mut table = ReportTable::new("", &columns);
    for line in series {
        let mut row = vec![Cell::new(&line.name)];
        for &depth in depths.keys() {
            let at = line.points.iter().find(|(x, y)| *x == f64::from(depth) && y.is_finite());
            row.push(number(at.map(|&(_, y)| y), &shown));
        }
        table.rows.push(row);
    }
    table
}
