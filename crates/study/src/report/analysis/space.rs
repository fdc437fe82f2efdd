//! Space against time: best-first searches with more and fewer entries, and tables of several sizes.

use std::collections::BTreeMap;

use super::comparison::from_the_top;
use super::words::{count, counted, kind, short_bytes, short_count};
use super::{
    Conditions, ExperimentReport, Group, GroupedRecords, Measure, Searches, common, level, mean,
    ratio, ratio_cell,
};
use crate::experiment::{Ratio, Record};
use crate::report::document::{Block, Cell, ReportTable};
use crate::report::plot::{Plot, Series};
use plyground_search::algorithms::{AlphaBeta, Dual, IterSss, Ps, Pvs, Sss};
use plyground_search::{SearchAlgorithm, catalogue};

/// The algorithms of the space–time curve with the names of their lines. One line joins the searches
/// of an algorithm with different parameters.
const LINES: [(&str, &str); 4] = [
    (Ps::ENTRY.id, "PS*(k)"),
    (IterSss::ENTRY.id, "ITERSSS*(M)"),
    (Sss::ENTRY.id, "SSS*"),
    (Dual::ENTRY.id, "DUAL*"),
];

/// PS* by the sizes of its partitions has a line of its own, after the others: the number of
/// partitions, which joins the points of PS*'s line, says nothing about it.
const SIZED: &str = "PS*, sizes given";

/// The number of the line that an algorithm is on.
fn line_of(id: &str) -> Option<usize> {
    let kind = kind(id);
    if kind == Ps::ENTRY.id && id.contains('+') {
        return Some(LINES.len());
    }
    LINES.iter().position(|(of, _)| *of == kind)
}

/// Adds the plots of leaves and time, relative to alpha-beta, against stored entries.
pub(super) fn add_curve(grouped: &GroupedRecords<'_>, report: &mut ExperimentReport) {
    let mut blocks = Vec::new();
    for (conditions, depths) in &grouped.groups {
        // The depth at which the most searches can be compared; of several, the greatest.
        let found = depths
            .iter()
            .map(|(&depth, group)| (depth, group, points(grouped, group)))
            .max_by_key(|(depth, _, points)| (points.len(), *depth));
        if let Some((depth, group, points)) = found.filter(|(_, _, points)| points.len() > 1) {
            let base = grouped.name(group.baseline(grouped));
            let title =
                format!("{}, depth {depth}, {}", conditions.game, grouped.describe(conditions));
            blocks.extend(curves(&title, &base, &points));
        }
    }
    if blocks.is_empty() {
        return;
    }
    report.put(Block::Part("Space and time".into()));
    report.put(Block::Text(
        "What an entry of OPEN, BACKUP or stored bounds buys: for each game and conditions, the \
         depth at which most of the best-first searches can be compared with the baseline."
            .into(),
    ));
    blocks.into_iter().for_each(|block| report.put(block));
}

/// A search on the curve.
struct Point {
    line: usize,
    name: String,
    entries: f64,
    bytes: f64,
    /// The ratios of leaves and of time.
    ratios: [Option<Ratio>; 2],
}

fn points(grouped: &GroupedRecords<'_>, group: &Group<'_>) -> Vec<Point> {
    let to = &group.by_algorithm[&group.baseline(grouped)];
    let point = |(&i, searches): (&usize, &Searches<'_>)| {
        let line = line_of(&grouped.algorithms[i].id)?;
        let leaves = ratio(searches, to, Measure::Leaves)?;
        Some(Point {
            line,
            name: grouped.name(i),
            entries: mean(searches, Record::peak_entries)?,
            bytes: mean(searches, |r| r.counts.peak_bytes)?,
            ratios: [Some(leaves), ratio(searches, to, Measure::Seconds)],
        })
    };
    let mut points: Vec<Point> = group.by_algorithm.iter().filter_map(point).collect();
    points.sort_by(|a, b| a.line.cmp(&b.line).then(a.entries.total_cmp(&b.entries)));
    points
}

fn curves(title: &str, base: &str, points: &[Point]) -> Vec<Block> {
    let columns = ["algorithm", "peak entries", "peak bytes", "× leaves", "× time"];
    let mut table = ReportTable::new("", &columns);
    for point in points {
        table.rows.push(vec![
            Cell::new(&point.name),
            Cell::new(count(point.entries)),
            Cell::new(short_bytes(point.bytes)),
            ratio_cell(point.ratios[0], 1.0),
            ratio_cell(point.ratios[1], 1.0),
        ]);
    }
    table.note = format!("Ratios to {base}; entries and bytes: means over the finished searches.");
    let mut blocks = Vec::new();
    for (which, what) in ["Leaves", "Time"].into_iter().enumerate() {
        let mut series = lines(points, which);
        let places = points.iter().filter(|p| p.ratios[which].is_some() && p.entries > 0.0);
        let places: Vec<f64> = places.map(|p| p.entries).collect();
        let least = places.iter().copied().fold(f64::INFINITY, f64::min);
        let most = places.iter().copied().fold(0.0, f64::max);
        if series.is_empty() || places.is_empty() {
            continue;
        }
        series.push(Series {
            name: format!("{base} = 1"),
            points: vec![(least, 1.0), (most, 1.0)],
            look: Some(0),
            reference: true,
            ..Series::default()
        });
        let plot = Plot {
            title: format!("{what} against stored entries: {title}"),
            x_label: "peak entries".into(),
            y_label: format!("{}, × {base}", what.to_lowercase()),
            log_x: true,
            series,
            note: Some(format!("Geometric means of the ratios to {base} on the same positions.")),
            ..Plot::default()
        };
        // The numbers of both figures are in one table, below the first.
        blocks.push(Block::Figure(plot, std::mem::take(&mut table)));
    }
    blocks
}

/// The lines with their points in the order of entries.
fn lines(points: &[Point], which: usize) -> Vec<Series> {
    let line = |(number, name): (usize, &str)| {
        let mut series = Series { name: name.to_string(), look: Some(number), ..Series::default() };
        for point in points.iter().filter(|point| point.line == number) {
            if let Some(ratio) = point.ratios[which] {
                series.points.push((point.entries, ratio.mean));
                series.labels.push(point.name.clone());
            }
        }
        (!series.points.is_empty()).then_some(series)
    };
    let names = LINES.iter().map(|(_, name)| *name).chain([SIZED]);
    names.enumerate().filter_map(line).collect()
}

/// Does this algorithm find the value by means of bounds that it has stored? Then it searches again
/// whatever its table loses.
fn depends_on_table(id: &str) -> bool {
    let entry = catalogue().find(|entry| entry.id == kind(id));
    entry.is_some_and(|entry| entry.needs_memory && !entry.is_parallel() && entry.tells_value())
}

/// Two algorithms that use a table without depending on it, for comparison.
fn is_independent(id: &str) -> bool {
    [AlphaBeta::ENTRY.id, Pvs::ENTRY.id].contains(&kind(id))
}

/// Adds the plots of leaves against the size of the table.
pub(super) fn add_table_sizes(grouped: &GroupedRecords<'_>, report: &mut ExperimentReport) {
    let mut by_size: BTreeMap<Conditions, BTreeMap<u64, &BTreeMap<u32, Group<'_>>>> =
        BTreeMap::new();
    for (conditions, depths) in &grouped.groups {
        if let Some(entries) = conditions.table {
            let any_size = Conditions { table: None, ..conditions.clone() };
            by_size.entry(any_size).or_default().insert(entries, depths);
        }
    }
    let mut blocks = Vec::new();
    for (conditions, sizes) in &by_size {
        blocks.extend(by_table_size(grouped, conditions, sizes).into_iter().flatten());
    }
    if blocks.is_empty() {
        return;
    }
    report.put(Block::Part("The size of the table".into()));
    report.put(Block::Text(
        "Searches by null windows depend on their stored bounds: what a small table loses is \
         searched again. Leaves are distinct ones; evaluations count the lost ones again."
            .into(),
    ));
    blocks.into_iter().for_each(|block| report.put(block));
}

/// The figure of the greatest depth that was searched with more than one size.
fn by_table_size(
    grouped: &GroupedRecords<'_>,
    conditions: &Conditions,
    sizes: &BTreeMap<u64, &BTreeMap<u32, Group<'_>>>,
) -> Option<Vec<Block>> {
    let mut depths: Vec<u32> = sizes.values().flat_map(|depths| depths.keys().copied()).collect();
    depths.sort_unstable();
    depths.dedup();
    depths.into_iter().rev().find_map(|depth| {
        let groups: BTreeMap<u64, &Group<'_>> = sizes
            .iter()
            .filter_map(|(&entries, depths)| Some((entries, depths.get(&depth)?)))
            .collect();
        let depends = |&i: &usize| depends_on_table(&grouped.algorithms[i].id);
        let chosen: Vec<usize> = (0..grouped.algorithms.len())
            .filter(|i| depends(i) || is_independent(&grouped.algorithms[*i].id))
            .filter(|i| groups.values().filter(|g| g.by_algorithm.contains_key(i)).count() > 1)
            .collect();
        if !chosen.iter().any(depends) {
            return None;
        }
        let figures = [Measure::Leaves, Measure::Evaluations]
            .map(|measure| figure(grouped, conditions, depth, &groups, &chosen, measure));
        figures[0].is_some().then(|| figures.into_iter().flatten().collect())
    })
}

fn figure(
    grouped: &GroupedRecords<'_>,
    conditions: &Conditions,
    depth: u32,
    groups: &BTreeMap<u64, &Group<'_>>,
    chosen: &[usize],
    measure: Measure,
) -> Option<Block> {
    let searched = |&i: &usize| groups.values().filter_map(move |g| g.by_algorithm.get(&i));
    let on = common(chosen.iter().flat_map(searched));
    let mut columns = vec![measure.name().to_string()];
    columns.extend(groups.keys().map(|&entries| short_count(entries)));
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = ReportTable::new("", &columns);
    let mut series = Vec::new();
    for &i in chosen {
        let mut row = vec![Cell::new(grouped.name(i))];
        let mut points = Vec::new();
        for (&entries, group) in groups {
            let searches = group.by_algorithm.get(&i);
            let leaves = searches.and_then(|searches| level(searches, &on, measure));
            points.push((entries as f64, leaves.unwrap_or(f64::NAN)));
            row.push(Cell::new(leaves.map_or_else(|| "–".into(), count)));
        }
        table.rows.push(row);
        if points.iter().any(|(_, leaves)| leaves.is_finite()) {
            let name = grouped.name(i);
            series.push(Series { name, points, look: Some(i), ..Series::default() });
        }
    }
    if series.is_empty() {
        return None;
    }
    from_the_top(&mut series);
    let words = grouped.describe(conditions);
    let plot = Plot {
        title: format!(
            "{} against table size: {}, depth {depth}, {words}",
            if measure == Measure::Leaves { "Leaves" } else { "Evaluations" },
            conditions.game
        ),
        x_label: "entries of the table".into(),
        y_label: measure.name().into(),
        log_x: true,
        log_y: true,
        series,
        x_ticks: Some(groups.keys().map(|&n| (n as f64, short_count(n))).collect()),
        note: Some(format!(
            "Geometric means over the {} that all were given; a gap where a search was stopped.",
            counted(on.len(), "position")
        )),
        ..Plot::default()
    };
    Some(Block::Figure(plot, table))
}
