//! Short keys: how many bits of a key a table needs before a search may be trusted (Marsland 1991, section
//! 3.6, after Zobrist 1970 and Nelson 1985: 48 bits are common).
//!
//! A table that keeps fewer bits mistakes positions of the same cluster for one another. PVS searches the
//! same positions with keys of few and of all bits; an error is a value that differs.

use serde_json::Value as Json;

use super::cells::MeasuredCell;
use super::{Claim, Findings, PositionRun, Verdict};
use crate::experiment::share_interval;
use crate::report::{Align, TextTable};
use plyground_engine::profile::Profile;
use plyground_search::algorithms::Pvs;
use plyground_search::table::TableSize;
use plyground_search::{Factors, MemoryFunctions};

/// The experiment's name in its data.
const NAME: &str = "keys";

/// The bits of a key; the last are all.
const BITS: [u8; 8] = [4, 8, 12, 16, 20, 24, 32, 64];

/// The table's entries: few, so that it is full as in a real program.
const ENTRIES: usize = 1 << 12;

/// The experiment on one game, to one depth.
pub fn keys(run: &PositionRun<'_>, depth: u32) -> anyhow::Result<Findings> {
    let mut found = Findings::default();
    run.run.progress.begin(BITS.len() as u64, "cells");
    let mut done = 0;
    for bits in BITS {
        let mut engine = Profile::plain(run.game);
        engine.algorithm = Pvs.into();
        engine.deepening = true;
        engine.memory = MemoryFunctions::TABLE | MemoryFunctions::HISTORY;
        engine.table = TableSize::of_entries(ENTRIES);
        engine.factors = Factors { key_bits: bits, ..Factors::default() };
        engine.limits = run.run.limits();
        let Some(cell) = run.cell(NAME, ("PVS", bits.into()), &engine, depth)? else { break };
        found.rows.push(cell.to_json());
        done += 1;
        run.run.progress.step();
    }
    run.run.progress.end();
    found.note_work(done, BITS.len() as u64, "cells");
    let cells = MeasuredCell::all(&found.rows);
    if !cells.is_empty() {
        found.tables.push(table(&cells, run.game.name(), depth));
    }
    Ok(found)
}

/// How many values differ from those of whole keys, with the positions; `None` without whole keys.
fn errors(cells: &[MeasuredCell], cell: &MeasuredCell) -> Option<(usize, usize)> {
    let whole = |other: &&MeasuredCell| {
        other.x == 64 && other.game == cell.game && other.depth == cell.depth
    };
    let exact = cells.iter().find(whole)?;
    let wrong = cell.values.iter().zip(&exact.values).filter(|(a, b)| a != b).count();
    Some((wrong, cell.values.len()))
}

/// The upper end of the 95 % interval of a share.
fn at_most(wrong: usize, of: usize) -> f64 {
    share_interval(wrong as f64, of as f64).1
}

fn table(cells: &[MeasuredCell], game: &str, depth: u32) -> TextTable {
    let mut table = TextTable::new(format!(
        "Short keys on {game} to depth {depth}: PVS, table of {}K entries, {} positions",
        ENTRIES >> 10,
        cells[0].values.len()
    ));
    table.column("bits", Align::Right);
    table.column("wrong values", Align::Right);
    table.column("at most", Align::Right);
    table.column("visits, % of 64 bits", Align::Right);
    let whole = cells.iter().find(|cell| cell.x == 64);
    for cell in cells {
        let Some((wrong, of)) = errors(cells, cell) else { continue };
        let visits = whole.and_then(|whole| cell.paired(whole, super::cells::CellMeasure::Visits));
        table.row(vec![
            cell.x.to_string(),
            format!("{wrong} of {of}"),
            format!("{:.1} %", 100.0 * at_most(wrong, of)),
            visits.map_or_else(|| "–".into(), |v| format!("{:.1}", 100.0 * v.ratio.mean)),
        ]);
    }
    table.note(
        "at most: the upper end of the 95 % interval of the share. Clusters of four entries are \
                chosen by other bits than those that are kept.",
    );
    table
}

/// What the experiment says of the survey's remark.
pub(super) fn claims(rows: &[Json]) -> Vec<Claim> {
    let cells = MeasuredCell::all(rows);
    let of_bits = |bits: u64| {
        let here = cells.iter().filter(|cell| cell.x == bits);
        here.filter_map(|cell| errors(&cells, cell)).fold((0, 0), |(a, b), (x, y)| (a + x, b + y))
    };
    let told: Vec<String> = BITS
        .iter()
        .filter_map(|&bits| match of_bits(bits.into()) {
            (_, 0) => None,
            (wrong, of) => Some(format!("{bits} bits {wrong}/{of}")),
        })
        .collect();
    let (wrong, of) = of_bits(32);
    let verdict = Verdict::of_sides([of > 0 && wrong == 0], "the bits");
    let numbers = match of {
        0 => "not measured".into(),
        _ => format!(
            "wrong values: {}; at 32 bits at most {:.1} %",
            told.join(", "),
            100.0 * at_most(wrong, of)
        ),
    };
    let text = "keys of fewer than all bits may be kept: with 32 no value is wrong";
    vec![Claim::new("Marsland", text, verdict, numbers)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_values_that_differ_from_those_of_whole_keys() {
        let cell = |x: u64, values: [i32; 3]| MeasuredCell {
            game: "chess".into(),
            x,
            values: values.map(Some).to_vec(),
            visits: vec![Some(10); 3],
            ..MeasuredCell::default()
        };
        let cells = [cell(4, [1, 9, 9]), cell(32, [1, 2, 3]), cell(64, [1, 2, 3])];
        assert_eq!(errors(&cells, &cells[0]), Some((2, 3)));
        assert_eq!(errors(&cells, &cells[1]), Some((0, 3)));
        let rows: Vec<Json> = cells.iter().map(MeasuredCell::to_json).collect();
        let claim = &claims(&rows)[0];
        assert_eq!(claim.verdict, Verdict::Held);
        assert!(claim.numbers.contains("4 bits 2/3"), "{claim:?}");
    }
}
