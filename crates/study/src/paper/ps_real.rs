//! PS*(k) in real game trees, which its papers asked for and nobody has published: leaves and entries
//! for several numbers of partitions, beside SSS* and alpha-beta.

use std::num::NonZeroUsize;

use super::findings::{depth_names, hundred, percent_cells, plot, rows};
use super::real::{Cell, Line, Runs};
use super::{Findings, PositionRun};
use crate::report::{Align, Table, thousands};
use plyground_engine::door::AnyGame;
use plyground_search::algorithms::{AlphaBeta, Ps, Sss};
use plyground_search::table::TableSize;
use plyground_search::{MemoryFunctions, Partitions};

/// How many depths are shown.
const DEPTHS: u32 = 4;
/// The bytes that lists may take.
const BYTES: usize = 1 << 30;

/// PS*(k) on positions of a game, plain and with deepening and history.
pub fn ps_real(run: &PositionRun<'_>) -> anyhow::Result<Findings> {
    let depths = run.depths(DEPTHS, run.game.depths().lists);
    let plain = lines(run);
    let history =
        |line: &Line| line.clone().deepening(MemoryFunctions::HISTORY, TableSize::default());
    let learning: Vec<Line> = plain.iter().map(history).collect();
    let both = [plain.clone(), learning.clone()].concat();
    let runs = run.search(&both, depths.clone())?;
    let depths: Vec<u32> = depths.collect();
    let mut found = Findings::default();
    for (lines, how, name) in
        [(&plain, "plain", "plain"), (&learning, "with deepening and history", "history")]
    {
        add(&mut found, run.game, &runs, lines, &depths, (how, name));
    }
    found.stretches.push(runs.stretch);
    Ok(found)
}

/// Alpha-beta first: what the others are measured by.
fn lines(run: &PositionRun<'_>) -> Vec<Line> {
    let phased = |k| Line::direct(run, Ps::with_partitions(k));
    let sized = |sizes: &[usize]| {
        let sizes = sizes.iter().filter_map(|&size| NonZeroUsize::new(size)).collect();
        Line::direct(run, Ps { partitions: Partitions::Sizes(sizes) })
    };
    let mut lines = vec![
        Line::direct(run, AlphaBeta),
        Line::direct(run, Sss),
        phased(1),
        phased(2),
        phased(4),
        phased(8),
        sized(&[1]).called("PS*(width)"),
        sized(&[1, 2, 4, 8]),
        sized(&[1, 1, 2, 4]),
    ];
    for line in &mut lines {
        line.engine.limits.bytes = Some(BYTES);
    }
    lines
}

fn add(
    found: &mut Findings,
    game: &dyn AnyGame,
    runs: &Runs,
    lines: &[Line],
    depths: &[u32],
    (how, name): (&str, &str),
) {
    let base = &lines[0];
    let cells: Vec<Vec<Option<Cell>>> = lines
        .iter()
        .map(|line| depths.iter().map(|&depth| runs.cell(line, base, depth)).collect())
        .collect();
    found.tables.push(table(game, runs, lines, &cells, depths, how));
    found.objects("ps-real", game, lines, &cells, depths);
    let mut ratios = rows(lines, &cells, |cell| cell.percent);
    // The same line as SSS*.
    ratios.retain(|(label, _)| label != "PS*(1)");
    let title = format!("PS*(k) on {game}, {how}");
    let plot = plot(&title, ("depth", "leaves, % of alpha-beta"), &depth_names(depths), &ratios);
    found.plots.push((format!("ps-{game}-{name}"), plot));
}

fn table(
    game: &dyn AnyGame,
    runs: &Runs,
    lines: &[Line],
    cells: &[Vec<Option<Cell>>],
    depths: &[u32],
    how: &str,
) -> Table {
    let mut table = Table::new(format!(
        "PS*(k) on {game}, {how}: leaves in percent of αβ, and entries on OPEN and BACKUP; {} positions",
        runs.positions()
    ));
    table.column("search", Align::Left);
    for depth in depths {
        table.column(format!("D={depth}"), Align::Right);
        table.column("95 %", Align::Left);
        table.column("entries", Align::Right);
    }
    for (line, cells) in lines.iter().zip(cells) {
        let texts = cells.iter().flat_map(|cell| {
            let [percent, interval] = percent_cells(cell.as_ref().map(|cell| cell.percent));
            let entries = match cell {
                Some(cell) if cell.peak_entries > 0.0 => thousands(cell.peak_entries, 0),
                _ => "–".into(),
            };
            [percent, interval, entries]
        });
        table.row([line.label.clone()].into_iter().chain(texts).collect());
    }
    table.note(hundred(&cells[0]));
    table.note(
        "PS*(width): one child a partition. PS*(1+2+…): partitions of these sizes, the last again.",
    );
    if lines[0].engine.deepening {
        table.note("With αβ's order PS*(width) would visit αβ's leaves: what it has more comes of what the");
        table.note("history table learns from lists. Compare the others with it.");
    }
    if runs.stopped() > 0 {
        table.note(format!("{} searches were stopped by their limit of memory.", runs.stopped()));
    }
    table
}
