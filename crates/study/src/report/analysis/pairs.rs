//! The pairs that matter: every algorithm beside the baseline on the same positions, with what chance would
//! explain, and a scatter of the positions.
//!
//! All pairs of a table are one family: Holm's correction says which differences remain.

use super::words::{counted, significant};
use super::{
    ExperimentReport, Group, GroupedRecords, Measure, ReportRow, Searches, finished, fullest,
};
use crate::experiment::{PairedRatio, holm};
use crate::report::document::{Block, Cell, ReportTable, Tone};
use crate::report::plot::{Plot, Series};

/// What is compared.
const MEASURES: [Measure; 3] = [Measure::Evaluations, Measure::Visits, Measure::Seconds];

/// More lines than this make a scatter unreadable.
const MOST_SCATTERED: usize = 8;

pub(super) fn add(grouped: &GroupedRecords<'_>, report: &mut ExperimentReport) {
    let mut blocks = Vec::new();
    for (conditions, depths) in &grouped.groups {
        let Some((depth, group)) = fullest(depths) else { continue };
        let base = group.baseline(grouped);
        let family = family(group, base);
        if family.iter().all(|pair| pair.found.ratio.count < 2) {
            continue;
        }
        let how = format!("{}, {}, depth {depth}", conditions.game, grouped.describe(conditions));
        blocks.push(Block::Table(table(grouped, base, &how, &family)));
        blocks.extend(scatter(grouped, group, base, &how));
        for pair in &family {
            let run = &grouped.algorithms[pair.algorithm];
            let row = |measure: String, mean: f64, interval: Option<(f64, f64)>| ReportRow {
                spawn_height: run.spawn_height,
                baseline: Some(grouped.algorithms[base].id.clone()),
                mean,
                low: interval.map(|(low, _)| low),
                high: interval.map(|(_, high)| high),
                positions: pair.found.ratio.count,
                ..conditions.row("pairs", depth, &run.id, &measure)
            };
            let name = pair.measure.name();
            let PairedRatio { ratio, bootstrap, total, .. } = pair.found;
            report.rows.push(row(format!("{name} ratio"), ratio.mean, Some(bootstrap)));
            report.rows.push(row(format!("{name} total ratio"), total, None));
            report.rows.push(row(format!("{name} p, corrected"), pair.corrected, None));
        }
    }
    if !blocks.is_empty() {
        report.put(Block::Part("Pairs that matter".into()));
        report.put(Block::Text(
            "Paired ratios to the baseline on the same positions: geometric means with bootstrap intervals, \
             beside them the ratio of the totals, in which the largest positions weigh most. p is the \
             probability of such a difference by chance, by a paired t-test of the logarithms, after Holm's \
             correction over the table."
                .into(),
        ));
        blocks.into_iter().for_each(|block| report.put(block));
    }
}

/// An algorithm beside the baseline.
struct Pair {
    algorithm: usize,
    measure: Measure,
    found: PairedRatio,
    /// Its probability, after the correction.
    corrected: f64,
}

/// The numbers of both on the positions that both finished.
fn pairs(own: &Searches<'_>, base: &Searches<'_>, measure: Measure) -> Vec<(f64, f64)> {
    finished(own)
        .filter_map(|(position, record)| {
            let other = base.get(position).filter(|other| other.stopped.is_none())?;
            Some((measure.of(record)?, measure.of(other)?))
        })
        .collect()
}

fn family(group: &Group<'_>, base: usize) -> Vec<Pair> {
    let mut family = Vec::new();
    for (&algorithm, searches) in group.by_algorithm.iter().filter(|(i, _)| **i != base) {
        for measure in MEASURES {
            let found = PairedRatio::of(pairs(searches, &group.by_algorithm[&base], measure));
            family.extend(found.map(|found| Pair { algorithm, measure, found, corrected: 1.0 }));
        }
    }
    let chances: Vec<f64> = family.iter().map(|pair| pair.found.p).collect();
    for (pair, corrected) in family.iter_mut().zip(holm(&chances)) {
        pair.corrected = corrected;
    }
    family
}

fn table(grouped: &GroupedRecords<'_>, base: usize, how: &str, family: &[Pair]) -> ReportTable {
    let columns =
        ["algorithm", "measure", "positions", "× baseline", "× of totals", "p, corrected"];
    let title = format!("Paired with {}: {how}", grouped.name(base));
    let mut table = ReportTable::new(title, &columns);
    table.with_words(&[1]);
    for Pair { algorithm, measure, found, corrected } in family {
        let (low, high) = found.bootstrap;
        let tone = match (*corrected < 0.05, found.ratio.mean < 1.0) {
            (false, _) => Tone::Plain,
            (true, true) => Tone::Less,
            (true, false) => Tone::More,
        };
        let interval =
            (found.ratio.count > 1).then(|| format!("{}, {}", significant(low), significant(high)));
        table.rows.push(vec![
            Cell::new(grouped.name(*algorithm)),
            Cell::new(measure.title()),
            Cell::new(found.ratio.count.to_string()),
            Cell { text: significant(found.ratio.mean), interval, tone },
            Cell::new(significant(found.total)),
            Cell::new(match corrected {
                p if *p < 0.001 => "< 0.001".into(),
                p => format!("{p:.3}"),
            }),
        ]);
    }
    table.note = "Coloured where the difference remains after the correction (p < 0.05).".into();
    table
}

/// Every position as a point: the baseline's leaves across, the algorithm's up.
fn scatter(
    grouped: &GroupedRecords<'_>,
    group: &Group<'_>,
    base: usize,
    how: &str,
) -> Option<Block> {
    let mut series = Vec::new();
    let mut ends: Option<(f64, f64)> = None;
    for (&i, searches) in group.by_algorithm.iter().filter(|(i, _)| **i != base) {
        let found = pairs(searches, &group.by_algorithm[&base], Measure::Evaluations);
        let points: Vec<(f64, f64)> = found.into_iter().map(|(own, base)| (base, own)).collect();
        for &(x, _) in &points {
            let (low, high) = ends.unwrap_or((x, x));
            ends = Some((low.min(x), high.max(x)));
        }
        if points.len() > 1 && series.len() < MOST_SCATTERED {
            let name = grouped.name(i);
            series.push(Series {
                name,
                points,
                look: Some(i),
                scattered: true,
                ..Series::default()
            });
        }
    }
    let (low, high) = ends.filter(|_| !series.is_empty())?;
    let left_out = group.by_algorithm.len() - 1 - series.len();
    let name = grouped.name(base);
    series.push(Series {
        name: format!("as many as {name}"),
        points: vec![(low, low), (high, high)],
        look: Some(base),
        reference: true,
        ..Series::default()
    });
    let note = match left_out {
        0 => "A point is a position.".to_owned(),
        n => format!("A point is a position. {} not shown.", counted(n, "algorithm")),
    };
    let plot = Plot {
        title: format!("Position by position: {how}"),
        x_label: format!("evaluations of {name}"),
        y_label: "evaluations".into(),
        log_x: true,
        log_y: true,
        series,
        note: Some(note),
        ..Plot::default()
    };
    Some(Block::Figure(plot, ReportTable::default()))
}
