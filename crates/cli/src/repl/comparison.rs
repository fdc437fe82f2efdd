//! The command `compare`: all algorithms on the position on the board.

use anyhow::bail;
use indicatif::ProgressBar;

use crate::cli::compare::all_algorithms;
use crate::cli::console::Console;
use plyground_engine::door::AnyLine;
use plyground_engine::profile::{Profile, Weights};
use plyground_study::experiment::{ExperimentPlan, Processes, Record, disagreement};
use plyground_study::report::{Align, TextTable, thousands};

/// The most memory that lists and stored bounds of a search may take.
const MOST_BYTES: usize = 512 << 20;

/// Searches the position with every algorithm. After Ctrl-C the table has the searches that were done.
pub(super) fn compare(
    console: &Console,
    live: bool,
    line: &dyn AnyLine,
    evaluator: &Weights,
    depth: u32,
) -> anyhow::Result<String> {
    let game = line.game();
    let mut base = Profile::plain(game);
    base.evaluator = evaluator.clone();
    base.limits.bytes = Some(MOST_BYTES);
    console.clear_interrupt();
    base.limits.flag = console.flag();
    let engine = |algorithm| Profile { algorithm, ..base.clone() };
    let engines: Vec<Profile> = all_algorithms(false).into_iter().map(engine).collect();
    let all = engines.len();
    let bar = if live { console.progress(all as u64, "searches") } else { ProgressBar::hidden() };
    let plan =
        ExperimentPlan::new(game, &[line.position()], &engines, [depth], Processes::default(), 0)?;
    let mut records = Vec::new();
    let made = plan.run(&plan.tasks.iter().collect::<Vec<_>>(), 1, |record| {
        records.push(record?);
        bar.inc(1);
        anyhow::Ok(())
    });
    bar.finish_and_clear();
    made?;
    if let Some(disagreement) = disagreement(&records) {
        bail!(disagreement);
    }
    if records.is_empty() {
        bail!("interrupted before the first search was over");
    }
    Ok(table(line, &records, all, depth).to_text(usize::MAX))
}

fn table(line: &dyn AnyLine, records: &[Record], all: usize, depth: u32) -> TextTable {
    let game = line.game();
    let mut table = TextTable::new(format!("{game}, depth {depth}: this position"));
    for (column, align) in [
        ("algorithm", Align::Left),
        ("leaves", Align::Right),
        ("nodes", Align::Right),
        ("ms", Align::Right),
        ("value", Align::Right),
        ("move", Align::Left),
    ] {
        table.column(column, align);
    }
    for record in records {
        let value = match (&record.stopped, record.value) {
            (Some(limit), _) => format!("stopped: {limit}"),
            (None, Some(value)) => game.value_text(value),
            (None, None) => "no value".into(),
        };
        table.row(vec![
            record.setup.algorithm.clone(),
            record.counts.leaves.map_or_else(|| "–".into(), |n| thousands(n as f64, 0)),
            thousands(record.counts.visits as f64, 0),
            record.seconds.map_or_else(String::new, |seconds| thousands(seconds * 1e3, 2)),
            value,
            line.show(record.best.as_slice()).pop().unwrap_or_default(),
        ]);
    }
    table.note("leaves: distinct; nodes: all visits. Equal values may have several best moves.");
    table.note(match records.len() {
        done if done < all => {
            format!("Interrupted after {done} of {all} searches; their values agree.")
        }
        _ => "Every value agreed.".into(),
    });
    table
}
