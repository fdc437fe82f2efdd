//! What threads are worth: speed-up against their number, measured and simulated.

use std::collections::BTreeMap;

use super::words::short_bytes;
use super::{Conditions, Report, Study, ratio_cell};
use crate::experiment::{Ratio, Record, Speedup, speedups};
use crate::report::document::{Block, Cell, Grid};
use crate::report::plot::{Plot, Series};

/// What a speed-up is over.
type Over = fn(&Speedup) -> Option<Ratio>;

pub(super) fn add(study: &Study<'_>, records: &[Record], report: &mut Report) {
    // Simulated and measured searches are told apart, but shown together.
    let mut groups: BTreeMap<(Conditions, u32), [Vec<&Record>; 2]> = BTreeMap::new();
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
        for speedup in &all {
            for (measure, ratio) in [
                ("speed-up over the best serial", speedup.over_best),
                ("speed-up over one thread", speedup.over_itself),
            ] {
                let Some(ratio) = ratio else { continue };
                let kind = if speedup.simulated { "simulated" } else { "measured" };
                let algorithm = speedup.family.replacen('N', &speedup.threads.to_string(), 1);
                let mut row = conditions.row("speed-up", *depth, &algorithm, measure);
                row.measure = format!("{measure}, {kind}");
                (row.mean, row.positions) = (ratio.mean, ratio.count);
                (row.low, row.high) = (Some(ratio.low), Some(ratio.high));
                report.rows.push(row);
            }
        }
        let title = format!("{}, depth {depth}, {}", conditions.game, study.describe(conditions));
        let best = measured.1.as_deref().or(simulated.1.as_deref());
        blocks.extend(figures(&title, best, &all));
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

fn figures(title: &str, best: Option<&str>, all: &[&Speedup]) -> Vec<Block> {
    let columns =
        ["algorithm", "threads", "kind", "× serial", "× itself", "leaves", "idle", "peak bytes"];
    let mut grid = Grid::new("", &columns);
    grid.with_words(&[2]);
    for speedup in all {
        let kind = match (speedup.simulated, speedup.has_cores) {
            (true, _) => "simulated",
            (false, true) => "measured",
            (false, false) => "measured, too few processors",
        };
        grid.rows.push(vec![
            Cell::new(&speedup.family),
            Cell::new(speedup.threads.to_string()),
            Cell::new(kind),
            plain(speedup.over_best),
            plain(speedup.over_itself),
            plain(speedup.leaves),
            Cell::new(speedup.idle.map_or("–".into(), |idle| format!("{:.0} %", 100.0 * idle))),
            Cell::new(short_bytes(speedup.bytes)),
        ]);
    }
    let serial = best.map_or(String::new(), |best| format!(" × serial: over {best}."));
    grid.note = format!(
        "× itself: over the same with one thread.{serial} leaves: times those with one thread. idle: \
         the part of the threads' time in which they waited."
    );
    let overs: [(&str, Over); 2] = [
        ("over the same with one thread", |speedup| speedup.over_itself),
        ("over the best serial algorithm", |speedup| speedup.over_best),
    ];
    let figure = |(what, of): (&str, Over)| {
        let mut series = lines(all, of);
        let most = series.iter().flat_map(|s| &s.points).map(|p| p.0).fold(1.0, f64::max);
        if most <= 1.0 {
            return None;
        }
        series.push(Series {
            name: "as many times as threads".into(),
            points: vec![(1.0, 1.0), (most, most)],
            look: Some(0),
            reference: true,
            ..Series::default()
        });
        let plot = Plot {
            title: format!("Speed-up {what}: {title}"),
            x_label: "threads, or simulated processes".into(),
            y_label: format!("speed-up {what}"),
            log_x: true,
            log_y: true,
            series,
            note: Some(
                "Measured where the machine had the processors; what is simulated says so.".into(),
            ),
            ..Plot::default()
        };
        Some(Block::Figure(plot, grid.clone()))
    };
    overs.into_iter().filter_map(figure).collect()
}

/// A line for each algorithm that was measured, and one for each that was simulated.
fn lines(all: &[&Speedup], of: Over) -> Vec<Series> {
    let mut lines: BTreeMap<(&str, bool), Vec<(f64, f64)>> = BTreeMap::new();
    for speedup in all.iter().filter(|speedup| speedup.simulated || speedup.has_cores) {
        if let Some(ratio) = of(speedup) {
            let line = lines.entry((&speedup.family, speedup.simulated)).or_default();
            line.push((speedup.threads as f64, ratio.mean));
        }
    }
    let series = |((family, simulated), points): ((&str, bool), Vec<(f64, f64)>)| {
        let kind = if simulated { "simulated" } else { "measured" };
        Series { name: format!("{family}, {kind}"), points, ..Series::default() }
    };
    lines.into_iter().map(series).collect()
}

/// More is better here: no tone.
fn plain(ratio: Option<Ratio>) -> Cell {
    Cell { tone: Default::default(), ..ratio_cell(ratio, 1.0) }
}
