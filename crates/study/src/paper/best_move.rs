//! Is proving the best move cheaper than proving its value? (De Bruin, Pijls and Plaat 1994, section 7:
//! second-best search and alpha bounding.)
//!
//! All search with deepening, a table and the history of moves. MTD(f) and PVS prove the value, the others
//! only that one move is best.

use serde_json::Value as Json;

use super::cells::{CellMeasure, MeasuredCell, family};
use super::claims::Side;
use super::{Claim, Findings, PositionRun, Verdict, wall};
use crate::report::{Align, TextTable};
use plyground_engine::profile::Profile;
use plyground_search::algorithms::{AlphaBounding, MtdF, Pvs, SecondBest};
use plyground_search::table::TableSize;
use plyground_search::{Algorithm, MemoryFunctions, SearchAlgorithm};

/// The experiment's name in its data.
const NAME: &str = "best-move";

/// The line that the others are compared with.
fn base() -> Algorithm {
    MtdF { guess: None }.into()
}

fn algorithms() -> Vec<Algorithm> {
    let example = AlphaBounding::ENTRY.examples().next();
    [base(), Pvs.into(), SecondBest.into()].into_iter().chain(example).collect()
}

/// The experiment on one game, to these depths.
pub fn best_move(run: &PositionRun<'_>, depths: &[u32]) -> anyhow::Result<Findings> {
    let mut found = Findings::default();
    let all = (algorithms().len() * depths.len()) as u64;
    let mut done = 0;
    run.run.progress.begin(all, "cells");
    'all: for &depth in depths {
        for algorithm in algorithms() {
            let mut engine = Profile::plain(run.game);
            let line = algorithm.name();
            engine.algorithm = algorithm;
            engine.deepening = true;
            engine.memory = MemoryFunctions::TABLE | MemoryFunctions::HISTORY;
            engine.table = TableSize::default();
            engine.limits = run.run.limits();
            let Some(cell) = run.cell(NAME, (&line, 0), &engine, depth)? else { break 'all };
            found.rows.push(cell.to_json());
            done += 1;
            run.run.progress.step();
        }
    }
    run.run.progress.end();
    found.note_work(done, all, "cells");
    found.tables.extend(tables(&MeasuredCell::all(&found.rows)));
    if let Some(&depth) = depths.first().filter(|_| !run.run.flag.is_raised()) {
        found.extend(wall::wall(run, depth)?);
    }
    Ok(found)
}

/// The cells of each game and depth, the base first.
fn groups(cells: &[MeasuredCell]) -> Vec<Vec<&MeasuredCell>> {
    let mut groups: Vec<Vec<&MeasuredCell>> = Vec::new();
    for cell in cells {
        let same = |group: &&mut Vec<&MeasuredCell>| {
            group[0].game == cell.game && group[0].depth == cell.depth
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(cell),
            None => groups.push(vec![cell]),
        }
    }
    groups
}

fn tables(cells: &[MeasuredCell]) -> Vec<TextTable> {
    let mut tables = Vec::new();
    for group in groups(cells) {
        let base = group[0];
        let mut table = TextTable::new(format!(
            "The best move or its value, {} to depth {}, {} positions; relative to {}",
            base.game,
            base.depth,
            base.evaluations.len(),
            base.line
        ));
        table.column("search", Align::Left);
        for name in ["evaluations", "visits"] {
            table.column(name, Align::Right);
            table.column("95 %", Align::Left);
            table.column("total", Align::Right);
        }
        let pairs: Vec<_> = group.iter().map(|cell| (*cell, base)).collect();
        let measures = [CellMeasure::Evaluations, CellMeasure::Visits];
        let found = measures.map(|measure| family(&pairs, measure));
        for (i, cell) in group.iter().enumerate() {
            let mut row = vec![cell.line.clone()];
            for compared in &found {
                row.extend(match compared[i] {
                    None => ["–".to_owned(), String::new(), String::new()],
                    Some(c) => {
                        let (low, high) = c.paired.bootstrap;
                        let mark = if c.decided().is_some() { "*" } else { "" };
                        [
                            format!("{:.2}{mark}", c.paired.ratio.mean),
                            if i == 0 { String::new() } else { format!("{low:.2}–{high:.2}") },
                            format!("{:.2}", c.paired.total),
                        ]
                    }
                });
            }
            table.row(row);
        }
        table.note("* differs from 1 by Holm's correction over the table. total: of the sums over positions.");
        tables.push(table);
    }
    tables
}

/// What the experiment says of the question.
pub(super) fn claims(rows: &[Json]) -> Vec<Claim> {
    let cells = MeasuredCell::all(rows);
    let (mut numbers, mut cheaper) = (Vec::new(), Vec::new());
    for group in groups(&cells) {
        let second = SecondBest::ENTRY.id;
        let Some(cell) = group.iter().find(|cell| cell.algorithm == second) else { continue };
        let Some(paired) = cell.paired(group[0], CellMeasure::Visits) else { continue };
        let (low, high) = paired.bootstrap;
        cheaper.push(Side::of(&paired, 1.0, true));
        numbers.push(format!(
            "{} {}: {:.2} ({low:.2}–{high:.2})",
            cell.game, cell.depth, paired.ratio.mean
        ));
    }
    let numbers =
        format!("visits of second-best search relative to MTD(f): {}", numbers.join("; "));
    let text = "second-best search proves the best move with less work than its value takes";
    let verdict = Verdict::of_intervals(cheaper, "game and depth");
    let mut claims = vec![Claim::new("de Bruin, Pijls and Plaat", text, verdict, numbers)];
    claims.extend(wall::claims(rows));
    claims
}
