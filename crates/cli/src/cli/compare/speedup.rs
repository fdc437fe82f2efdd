//! The table of speed-ups: how many times as fast a search is on several threads.

use crate::cli::too_low;
use plyground_search::Algorithm;
use plyground_study::experiment::{Ratio, Record, Speedup, speedups};
use plyground_study::report::{Align, TextTable, thousands};

/// The table of the parallel searches among these records of one group; `None` if there are none.
pub(super) fn table(title: &str, records: &[&Record]) -> Option<TextTable> {
    let (found, best) = speedups(records);
    if found.is_empty() {
        return None;
    }
    let mut table = TextTable::new(format!("Threads: {title}"));
    table.column("algorithm", Align::Left);
    table.column("threads", Align::Right);
    for column in ["× serial", "× itself"] {
        table.column(column, Align::Right);
        table.optional("95 %", Align::Left, 1);
    }
    for column in ["evals", "idle", "KiB"] {
        table.optional(column, Align::Right, 2);
    }
    let cells = |ratio: Option<Ratio>| Ratio::cells(ratio, |x| format!("{x:.2}"));
    for speedup in &found {
        let star = if is_crowded(speedup) { "*" } else { "" };
        let mut row = vec![speedup.family.clone(), format!("{}{star}", speedup.threads)];
        row.extend(cells(speedup.over_best));
        row.extend(cells(speedup.over_itself));
        row.push(cells(speedup.evaluations)[0].clone());
        row.push(speedup.idle.map_or("–".into(), |idle| format!("{:.0} %", 100.0 * idle)));
        row.push(thousands(speedup.bytes / 1024.0, 0));
        table.row(row);
    }
    table.note(format!(
        "{} evals: evaluations of leaves, repeated ones included, times those with one thread. idle: \
         the part of the threads' time in which they waited.",
        how_fast(&found, best.as_deref())
    ));
    if found.iter().any(is_crowded) {
        table.note("*: more threads than this machine has processors.");
    }
    low(records).into_iter().for_each(|note| table.note(note));
    table.note("");
    Some(table)
}

/// Was it timed on fewer processors than threads?
fn is_crowded(speedup: &Speedup) -> bool {
    speedup.timed && !speedup.simulated && !speedup.has_cores
}

/// A note: which search the speed-ups are measured against, and by which clock.
fn how_fast(found: &[Speedup], best: Option<&str>) -> String {
    let simulated = found.iter().any(|speedup| speedup.simulated);
    if !simulated && found.iter().all(|speedup| !speedup.timed) {
        return "How many times as fast is not known: times are not taken with several jobs."
            .into();
    }
    let time = if simulated { "in terminal counts" } else { "by the clock" };
    let best = best.map_or("no serial algorithm to compare with is among them".into(), |best| {
        format!("× serial: over {best}, the best serial one among them")
    });
    format!("How many times as fast, {time}; {best}; × itself: over the same with one thread.")
}

/// A note if no node is high enough for a process.
fn low(records: &[&Record]) -> Option<String> {
    let mut algorithms: Vec<Algorithm> = Vec::new();
    for algorithm in records.iter().filter_map(|record| record.setup.algorithm.parse().ok()) {
        if !algorithms.contains(&algorithm) {
            algorithms.push(algorithm);
        }
    }
    let setup = records.iter().map(|record| &record.setup).find(|s| s.spawn_height.is_some())?;
    let low = too_low(&algorithms.iter().collect::<Vec<_>>(), setup.depth, setup.spawn_height?)?;
    Some(format!("{}: {low}", setup.game))
}
