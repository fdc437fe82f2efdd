//! All algorithms on the position on the board.

use anyhow::bail;
use indicatif::ProgressBar;

use crate::front::compare::{all_algorithms, disagreement};
use crate::front::console::Console;
use plyground_engine::game::Game;
use plyground_engine::profile::{Profile, Weights};
use plyground_study::experiment::{Plan, Record};
use plyground_study::report::{Align, Table, thousands};

/// Lists and stored bounds may take so much.
const MOST_BYTES: usize = 512 << 20;

/// Searches the position with every algorithm; what Ctrl-C leaves is told.
pub(super) fn compare<G: Game>(
    console: &Console,
    live: bool,
    position: &G::Position,
    evaluator: &Weights,
    depth: u32,
) -> anyhow::Result<String> {
    let mut base = Profile::plain(G::door());
    base.evaluator = evaluator.clone();
    base.limits.bytes = Some(MOST_BYTES);
    console.go_on();
    base.limits.flag = console.flag();
    let engine = |algorithm| Profile { algorithm, ..base.clone() };
    let engines: Vec<Profile> = all_algorithms(false)?.into_iter().map(engine).collect();
    let plan = Plan::<G>::new(std::slice::from_ref(position), engines, [depth], 0)?;
    let all = plan.tasks.len() as u64;
    let bar = if live { console.progress(all, "searches") } else { ProgressBar::hidden() };
    let mut records = Vec::new();
    let made = plan.run(&plan.tasks.iter().collect::<Vec<_>>(), 1, |record| {
        records.push(record);
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
    Ok(table::<G>(position, &records, plan.tasks.len(), depth).to_text())
}

fn table<G: Game>(position: &G::Position, records: &[Record], all: usize, depth: u32) -> Table {
    let mut table = Table::new(format!("{}, depth {depth}: this position", G::NAME));
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
        let best = record.best.as_deref().and_then(|best| G::read_move(position, best).ok());
        let value = match (&record.stopped, record.value) {
            (Some(limit), _) => format!("stopped: {limit}"),
            (None, value) => value.map_or_else(|| "no value".into(), G::value_text),
        };
        table.row(vec![
            record.setup.algorithm.clone(),
            thousands(record.leaves as f64, 0),
            thousands(record.visits as f64, 0),
            record.seconds.map_or_else(String::new, |seconds| thousands(seconds * 1e3, 2)),
            value,
            best.and_then(|mv| G::shown(position, &[mv]).pop()).unwrap_or_default(),
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
