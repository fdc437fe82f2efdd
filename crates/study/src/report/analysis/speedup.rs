//! The speed-up of parallel searches against the number of threads, measured and simulated.

use std::collections::BTreeMap;

use super::words::short_bytes;
use super::{Conditions, ExperimentReport, GroupedRecords, ReportRow, ratio_cell};
use crate::experiment::{Ratio, Record, Speedup, speedups};
use crate::report::document::{Block, Cell, ReportTable};
use crate::report::plot::{Plot, Series};

/// Selects the baseline of a speed-up.
type Over = fn(&Speedup) -> Option<Ratio>;

/// The records of one figure: the measured searches, and the simulated ones.
type Kinds<'r> = [Vec<&'r Record>; 2];

pub(super) fn add(grouped: &GroupedRecords<'_>, records: &[Record], report: &mut ExperimentReport) {
    // Simulated and measured searches are different, but shown together.
    let mut groups: BTreeMap<(Conditions, u32), Kinds<'_>> = BTreeMap::new();
    for record in records {
        let key = (Conditions { simulated: false, ..Conditions::of(record) }, record.setup.depth);
        groups.entry(key).or_default()[usize::from(record.setup.simulated)].push(record);
    }
    let mut blocks = Vec::new();
    for ((conditions, depth), kinds) in &groups {
        let [measured, simulated] = kinds.each_ref().map(|records| speedups(records));
        let all: Vec<&Speedup> = measured.0.iter().chain(&simulated.0).collect();
        if all.is_empty() {
            continue;
        }
        let best = [measured.1.as_deref(), simulated.1.as_deref()];
        for speedup in &all {
            report.rows.extend(rows(conditions, *depth, speedup, best));
        }
        let title = format!("{}, depth {depth}, {}", conditions.game, grouped.describe(conditions));
        blocks.push(Block::Table(table(grouped, &title, best, &all)));
        blocks.extend(figures(grouped, &title, &all));
    }
    if blocks.is_empty() {
        return;
    }
    report.put(Block::Part("Speed-up".into()));
    report.put(Block::Text(
        "How many times as fast a search is on several threads: measured by the clock where the \
         machine had a processor for each thread, and simulated, with time counted in leaves \
         (terminal counts), for any number. Geometric means over positions."
            .into(),
    ));
    blocks.into_iter().for_each(|block| report.put(block));
}

/// The numbers of one algorithm on a number of threads, as rows. `best` has the best serial algorithms
/// of the measured and of the simulated searches.
fn rows(
    conditions: &Conditions,
    depth: u32,
    speedup: &Speedup,
    best: [Option<&str>; 2],
) -> Vec<ReportRow> {
    let best = best[usize::from(speedup.simulated)].map(String::from);
    let itself = Some(speedup.id(1));
    let found = [
        ("speed-up over the best serial", speedup.over_best, best),
        ("speed-up over one thread", speedup.over_itself, itself.clone()),
        ("evaluations over one thread", speedup.evaluations, itself),
    ];
    let row = |(measure, ratio, baseline): (&str, Option<Ratio>, Option<String>)| {
        let ratio = ratio?;
        let measure = format!("{measure}, {}", speedup.kind());
        Some(ReportRow {
            spawn_height: speedup.spawn_height,
            baseline,
            mean: ratio.mean,
            low: Some(ratio.low),
            high: Some(ratio.high),
            positions: ratio.count,
            ..conditions.row("speed-up", depth, &speedup.id(speedup.threads), &measure)
        })
    };
    found.into_iter().filter_map(row).collect()
}

fn table(
    grouped: &GroupedRecords<'_>,
    title: &str,
    best: [Option<&str>; 2],
    all: &[&Speedup],
) -> ReportTable {
    let columns =
        ["algorithm", "threads", "kind", "× serial", "× itself", "evals", "idle", "peak bytes"];
    let mut table = ReportTable::new(title, &columns);
    table.with_words(&[2]);
    for speedup in all {
        table.rows.push(vec![
            Cell::new(name(grouped, speedup)),
            Cell::new(speedup.threads.to_string()),
            Cell::new(speedup.kind()),
            plain(speedup.over_best),
            plain(speedup.over_itself),
            plain(speedup.evaluations),
            Cell::new(speedup.idle.map_or("–".into(), |idle| format!("{:.0} %", 100.0 * idle))),
            Cell::new(short_bytes(speedup.bytes)),
        ]);
    }
    table.note = format!(
        "{} × itself: over the same with one thread. evals: evaluations of leaves, repeated ones \
         included, times those with one thread. idle: the part of the threads' time in which they \
         waited.{}",
        over_what(best, all),
        match all.iter().any(|speedup| speedup.kind() == "not timed") {
            true => " Not timed: other searches ran beside it.",
            false => "",
        }
    );
    table
}

/// The serial algorithms that measured and simulated searches are compared with.
fn over_what(best: [Option<&str>; 2], all: &[&Speedup]) -> String {
    let over = |simulated: bool, what: &str| {
        let mut some = all.iter().filter(|speedup| speedup.simulated == simulated);
        some.any(|speedup| speedup.over_best.is_some()).then_some(())?;
        Some(format!("{what} over {}", best[usize::from(simulated)]?))
    };
    let found: Vec<String> =
        [over(false, "measured"), over(true, "simulated")].into_iter().flatten().collect();
    match found.is_empty() {
        true => "× serial: there is no serial algorithm with a time to compare with.".into(),
        false => format!("× serial: {}, the best serial ones recorded.", found.join(", ")),
    }
}

fn name(grouped: &GroupedRecords<'_>, speedup: &Speedup) -> String {
    grouped.variety.with_height(speedup.family.clone(), speedup.spawn_height)
}

fn figures(grouped: &GroupedRecords<'_>, title: &str, all: &[&Speedup]) -> Vec<Block> {
    let overs: [(&str, Over); 2] = [
        ("over the same with one thread", |speedup| speedup.over_itself),
        ("over the best serial algorithm", |speedup| speedup.over_best),
    ];
    let figure = |(what, of): (&str, Over)| {
        let mut series = lines(grouped, all, of);
        let points = || series.iter().flat_map(|s| &s.points);
        let most = points().map(|p| p.0).fold(1.0, f64::max);
        if most <= 1.0 {
            return None;
        }
        // The line ends where the data ends: up to 1024 threads it would squeeze the data together.
        let highest = points().map(|p| p.1).fold(2.0, f64::max);
        let end = most.min(highest.log2().ceil().exp2());
        series.push(Series {
            name: "as many times as threads".into(),
            points: vec![(1.0, 1.0), (end, end)],
            look: Some(1),
            reference: true,
            ..Series::default()
        });
        let plot = Plot {
            title: format!("Speed-up {what}: {title}"),
            x_label: "threads, or simulated processes".into(),
            y_label: "speed-up".into(),
            log_x: true,
            log_y: true,
            by_twos: true,
            series,
            note: Some(
                "Solid: measured, where the machine had the processors. Dashed: simulated. Bars: 95 % \
                 intervals."
                    .into(),
            ),
            ..Plot::default()
        };
        // The table above has the numbers.
        Some(Block::Figure(plot, ReportTable::default()))
    };
    overs.into_iter().filter_map(figure).collect()
}

/// A line for each algorithm that was measured, and one for each that was simulated, in the same
/// colour.
fn lines(grouped: &GroupedRecords<'_>, all: &[&Speedup], of: Over) -> Vec<Series> {
    let mut lines: BTreeMap<(String, bool), Vec<(f64, Ratio)>> = BTreeMap::new();
    for speedup in all.iter().filter(|speedup| speedup.simulated || speedup.has_cores) {
        if let Some(ratio) = of(speedup) {
            let line = lines.entry((name(grouped, speedup), speedup.simulated)).or_default();
            line.push((speedup.threads as f64, ratio));
        }
    }
    let mut names: Vec<String> = all.iter().map(|speedup| name(grouped, speedup)).collect();
    names.sort_unstable();
    names.dedup();
    let series = |((name, simulated), found): ((String, bool), Vec<(f64, Ratio)>)| Series {
        points: found.iter().map(|(threads, ratio)| (*threads, ratio.mean)).collect(),
        intervals: found.iter().map(|(_, ratio)| (ratio.low, ratio.high)).collect(),
        look: names.iter().position(|known| *known == name),
        dashed: Some(simulated),
        name: format!("{name}, {}", if simulated { "simulated" } else { "measured" }),
        ..Series::default()
    };
    lines.into_iter().map(series).collect()
}

/// A ratio without colour: here, more is better.
fn plain(ratio: Option<Ratio>) -> Cell {
    Cell { tone: Default::default(), ..ratio_cell(ratio, 1.0) }
}
