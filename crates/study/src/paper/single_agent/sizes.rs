//! Nodes, memory and time by the size of the puzzle.

use serde_json::json;

use super::super::Findings;
use super::{MOST_EXPANDED, Runner, twelve_cells};
use crate::experiment::Mean;
use crate::report::plot::{Plot, Series};
use crate::report::{Align, TextTable, thousands};
use plyground_puzzles::sliding::Shape;
use plyground_puzzles::{Domain, ProblemSize};
use plyground_search::single_agent::{AStar, BoundedAStar, Ida, Rbfs, SingleAgent};

/// What one search did on the puzzles of one size.
#[derive(Default)]
struct SizeCell {
    solved: u64,
    expanded: Mean,
    stored: Mean,
    bytes: Mean,
    seconds: Mean,
}

/// A*, IDA*, RBFS and bounded A* on puzzles of growing size.
pub(super) fn by_size(runner: &Runner<'_, '_>) -> anyhow::Result<Findings> {
    let any = ProblemSize::default();
    let walks = ProblemSize { moves: Some(if runner.quick { 40 } else { 60 }), ..any };
    let mut sizes = vec![("3x2", Shape::new(3, 2)?, any), ("3x3", Shape::EIGHT, any)];
    if !runner.quick {
        sizes.push(("4x3", twelve_cells()?, any));
    }
    sizes.push(("4x4, walks", Shape::FIFTEEN, walks));
    let algorithms: [SingleAgent; 4] =
        [AStar.into(), Ida.into(), Rbfs.into(), BoundedAStar::usual().into()];
    let all = runner.count() * sizes.len() as u64;
    let mut done = 0;
    let mut cells: Vec<Vec<SizeCell>> = Vec::new();
    runner.run.progress.begin(all, "puzzles");
    'all: for (_, shape, size) in &sizes {
        cells.push(algorithms.iter().map(|_| SizeCell::default()).collect());
        for number in 0..runner.count() {
            let instance = runner.problem(Domain::Sliding(*shape), size, number)?;
            for (algorithm, cell) in algorithms.iter().zip(cells.last_mut().into_iter().flatten()) {
                let Ok(solution) = runner.solve(&instance, algorithm, (false, false))? else {
                    break 'all;
                };
                if solution.stopped.is_none() {
                    cell.solved += 1;
                    cell.expanded.add(solution.counts.expanded as f64);
                    cell.stored.add(solution.counts.peak_stored as f64);
                    cell.bytes.add(solution.counts.peak_bytes as f64);
                    cell.seconds.add(solution.time.as_secs_f64());
                }
            }
            done += 1;
            runner.run.progress.step();
        }
    }
    runner.run.progress.end();

    let mut found = Findings::default();
    let mut table = TextTable::new(format!(
        "Nodes, memory and time by size: means of at most {} puzzles, Manhattan distance",
        runner.count()
    ));
    table.column("puzzle", Align::Left);
    table.column("search", Align::Left);
    for name in ["solved", "expanded", "stored", "KB", "ms"] {
        table.column(name, Align::Right);
    }
    for ((name, ..), row) in sizes.iter().zip(&cells) {
        for (algorithm, cell) in algorithms.iter().zip(row) {
            let SizeCell { solved, expanded, stored, bytes, seconds } = cell;
            table.row(vec![
                (*name).into(),
                algorithm.name(),
                solved.to_string(),
                thousands(expanded.mean(), 0),
                thousands(stored.mean(), 0),
                thousands(bytes.mean() / 1024.0, 1),
                thousands(seconds.mean() * 1e3, 2),
            ]);
            found.rows.push(json!({
                "table": "sizes", "puzzle": name, "algorithm": algorithm.to_string(),
                "problems": runner.count(), "solved": solved, "expanded": expanded.mean(),
                "peak_stored": stored.mean(), "peak_bytes": bytes.mean(), "seconds": seconds.mean(),
            }));
        }
    }
    let last = cells.iter().rev().find(|row| row.iter().all(|cell| cell.solved > 0));
    if let Some([a_star, ida, rbfs, bounded]) = last.map(Vec::as_slice) {
        let ratio = |a: &Mean, b: &Mean| thousands(a.mean() / b.mean().max(1.0), 1);
        table.note(format!(
            "Largest puzzles: A* stores {} times as many states as IDA*; IDA* expands {} times as many as \
             A*, RBFS {} times, bounded A* {} times.",
            ratio(&a_star.stored, &ida.stored),
            ratio(&ida.expanded, &a_star.expanded),
            ratio(&rbfs.expanded, &a_star.expanded),
            ratio(&bounded.expanded, &a_star.expanded),
        ));
    }
    let most = thousands(MOST_EXPANDED as f64, 0);
    table.note(format!(
        "A search that expands {most} states or holds 2 GB is given up. Walks: {} moves from the goal.",
        walks.moves.unwrap_or(0)
    ));
    found.tables.push(table);
    let series = algorithms.iter().enumerate().map(|(i, algorithm)| Series {
        name: algorithm.name(),
        points: cells
            .iter()
            .enumerate()
            .filter(|(_, row)| row[i].solved > 0)
            .map(|(size, row)| (size as f64, row[i].stored.mean()))
            .collect(),
        ..Series::default()
    });
    found.plots.push((
        "single-agent-memory".into(),
        Plot {
            title: "States stored, by the size of the puzzle".into(),
            x_label: "puzzle".into(),
            y_label: "states stored".into(),
            log_y: true,
            series: series.collect(),
            x_ticks: Some(
                sizes
                    .iter()
                    .enumerate()
                    .map(|(i, (name, ..))| (i as f64, (*name).into()))
                    .collect(),
            ),
            ..Plot::default()
        },
    ));
    found.note_work(done, all, "puzzles");
    Ok(found)
}
