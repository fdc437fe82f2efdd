//! The measurements of Plaat, Schaeffer, Pijls and de Bruin on our games: MTD(f), SSS* and DUAL* with a
//! table, compared with aspiration NegaScout in leaves, nodes and calls, and the size of the table.

use super::findings::{depth_names, hundred, percentages, plot, rows};
use super::real::{DepthResult, LabelledEngine, Runs};
use super::{Findings, PositionRun};
use crate::report::plot::Plot;
use crate::report::{Align, TextTable, thousands};
use plyground_core::names::plural;
use plyground_core::value::Value;
use plyground_engine::door::AnyGame;
use plyground_search::algorithms::{AlphaBeta, AspirationNegaScout, Dual2, MtdF, Pvs, Sss2};
use plyground_search::table::TableSize;
use plyground_search::{Algorithm, GuessFrom, MemoryFunctions};

/// The sizes of the table. The others are compared with the last one.
const SIZES: [usize; 6] = [4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20];
/// The number of depths.
const DEPTHS: u32 = 4;
/// The positions that are searched with tables of all sizes, at the most.
const OVERFLOWING: usize = 10;

/// Best-first searches with a table on positions of a game. All use these `memory` functions, which
/// must include a table. `window` is half the width of aspiration NegaScout's window; `None` for the
/// game's own.
pub fn best_first(
    run: &PositionRun<'_>,
    window: Option<u32>,
    memory: MemoryFunctions,
) -> anyhow::Result<Findings> {
    let epsilon = window.unwrap_or(run.game.aspiration()) as Value;
    // The others are compared with the first one.
    let algorithms: [Algorithm; 6] = [
        AspirationNegaScout { epsilon, guess: None }.into(),
        Pvs.into(),
        AlphaBeta.into(),
        MtdF { guess: None }.into(),
        Sss2.into(),
        Dual2.into(),
    ];
    let lines = |table: TableSize| -> Vec<LabelledEngine> {
        let line = |algorithm| LabelledEngine::direct(run, algorithm).deepening(memory, table);
        let mut lines: Vec<LabelledEngine> = algorithms.clone().map(line).into();
        // Values swing between odd and even depths, and MTD(f) depends on its first guess most.
        let parity = line(MtdF { guess: None }.into()).called("MTD(f), parity");
        lines.push(parity.guessing(GuessFrom::Parity));
        lines
    };
    let depths = run.depths(DEPTHS, run.game.depths().table);
    let last = *depths.end();
    let mut found = Findings::default();
    let usual = lines(TableSize::default());
    let runs = run.search_by_depth(&usual, depths.clone())?;
    let shown: Vec<u32> = depths.clone().collect();
    by_depth(&mut found, run.game, &runs, &usual, &shown, 1);
    if !run.run.flag.is_raised() {
        // Rounded values are other trees: all searches round, and are compared among each other.
        let grain = run.game.aspiration() / 2;
        let round = |mut line: LabelledEngine| {
            line.engine.factors.grain = grain;
            line
        };
        let rounded: Vec<LabelledEngine> = usual.iter().cloned().map(round).collect();
        let runs = run.search_by_depth(&rounded, depths)?;
        by_depth(&mut found, run.game, &runs, &rounded, &shown, grain);
    }
    if !run.run.flag.is_raised() {
        // A ply more, on fewer positions: these searches have more entries than the largest table.
        let step = run.positions.len().div_ceil(OVERFLOWING).max(1);
        let positions: Vec<String> = run.positions.iter().step_by(step).cloned().collect();
        let deep = if run.depth.is_some() { last } else { last + 1 };
        let few = PositionRun { positions, ..run.clone() };
        let sizes = SIZES.map(|entries| lines(TableSize::of_entries(entries)));
        let runs = few.search(&sizes.concat(), deep..=deep)?;
        by_size(&mut found, run.game, &runs, &sizes, deep);
    }
    Ok(found)
}

fn by_depth(
    found: &mut Findings,
    game: &dyn AnyGame,
    runs: &Runs,
    lines: &[LabelledEngine],
    depths: &[u32],
    grain: u32,
) {
    found.work.push(runs.work);
    let base = &lines[0];
    let cells: Vec<Vec<Option<DepthResult>>> = lines
        .iter()
        .map(|line| depths.iter().map(|&depth| runs.cell(line, base, depth)).collect())
        .collect();
    let columns = depth_names(depths);
    let leaves = rows(lines, &cells, |cell| Some(cell.percent));
    let visits = rows(lines, &cells, |cell| Some(cell.visits_percent));
    let rounded = if grain == 1 { String::new() } else { format!(", values rounded to {grain}") };
    let how = format!(
        "{}, deepening, memory {}{rounded}",
        plural(runs.positions(), "position"),
        base.engine.memory
    );
    let entries = base.engine.table;
    let title = format!("Leaves on {game} in percent of {}, {how} ({entries})", base.label);
    let mut table = percentages(title, &columns, &leaves);
    table.note(hundred(&cells[0]));
    let counts: Vec<usize> =
        cells[0].iter().flatten().map(|cell| cell.percent.ratio.count).collect();
    if counts.iter().any(|count| *count != counts[0]) {
        let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
        table.note(format!("Positions, depth by depth: {}.", counts.join(" · ")));
    }
    table.note(
        "The literature: MTD(f) 5–10 % fewer leaves than aspiration NegaScout; SSS* and DUAL* within 20 % of \
         alpha-beta's.",
    );
    found.tables.push(table);
    let title =
        format!("Nodes on {game}, answers of the table included, in percent of the same{rounded}");
    found.tables.push(percentages(title, &columns, &visits));
    let seconds = rows(lines, &cells, |cell| cell.seconds_percent);
    if seconds.iter().flat_map(|(_, row)| row).any(Option::is_some) {
        let title = format!("Processor time on {game} in percent of the same{rounded}");
        let mut table = percentages(title, &columns, &seconds);
        table.note("Of the thread, each search timed once.");
        found.tables.push(table);
    }
    found.tables.push(calls(game, lines, &cells, depths));
    let figure = if grain == 1 { "best-first" } else { "best-first-grain" };
    found.objects(figure, game, lines, &cells, depths);
    for (what, rows) in [("leaves", &leaves), ("nodes", &visits)] {
        let title = format!("Best-first searches with a table on {game}: {what}{rounded}");
        let labels = ("depth", format!("{what}, % of {}", base.label));
        let plot = plot(&title, (labels.0, &labels.1), &columns, rows);
        found.plots.push((format!("{figure}-{game}-{what}"), plot));
    }
}

/// Calls of the search below the root, for each iteration.
fn calls(
    game: &dyn AnyGame,
    lines: &[LabelledEngine],
    cells: &[Vec<Option<DepthResult>>],
    depths: &[u32],
) -> TextTable {
    let mut table = TextTable::new(format!("Calls an iteration on {game}"));
    table.column("search", Align::Left);
    for depth in depths {
        table.group(format!("D={depth}"), Align::Right);
    }
    for (line, cells) in lines.iter().zip(cells) {
        let each = |(cell, &depth): (&Option<DepthResult>, &u32)| match cell {
            None => "–".into(),
            // A search with a single call an iteration does not count its calls.
            Some(cell) => thousands(cell.calls.max(f64::from(depth)) / f64::from(depth), 1),
        };
        let texts = cells.iter().zip(depths).map(each);
        table.row([line.label.clone()].into_iter().chain(texts).collect());
    }
    table.note("The literature: MTD(f) 3–6 calls, SSS* and DUAL* hundreds.");
    table
}

fn by_size(
    found: &mut Findings,
    game: &dyn AnyGame,
    runs: &Runs,
    sizes: &[Vec<LabelledEngine>],
    depth: u32,
) {
    found.work.push(runs.work);
    let largest = &sizes[sizes.len() - 1];
    let cell = |line: &LabelledEngine, base: &LabelledEngine| runs.cell(line, base, depth);
    let cells: Vec<Vec<Option<DepthResult>>> = (largest.iter().enumerate())
        .map(|(i, base)| sizes.iter().map(|lines| cell(&lines[i], base)).collect())
        .collect();
    let columns: Vec<String> =
        SIZES.map(|entries| TableSize::of_entries(entries).to_string()).into();
    let visits = rows(largest, &cells, |cell| Some(cell.visits_percent));
    let title = format!(
        "Nodes on {game} at depth {depth} by the table's entries, in percent of {}, {}",
        columns[columns.len() - 1],
        plural(runs.positions(), "position")
    );
    let mut table = percentages(title, &columns, &visits);
    let stored: Vec<String> = (largest.iter().zip(&cells))
        .filter_map(|(line, cells)| {
            let stored = cells.last()?.as_ref()?.peak_entries;
            Some(format!("{} {}", line.label, thousands(stored, 0)))
        })
        .collect();
    table.note(format!("Entries used in the largest: {}.", stored.join(", ")));
    table.note("The literature: about a million entries are enough.");
    found.tables.push(table);
    for (i, cells) in cells.iter().enumerate() {
        for (lines, cell) in sizes.iter().zip(cells) {
            let cell = cell.as_ref();
            found.rows.extend(cell.map(|c| c.object("table-size", game, Some(&lines[i]), depth)));
        }
    }
    let title = format!("The size of the table on {game}, depth {depth}");
    let labels = ("entries", "nodes, % of the largest table's");
    found.plots.push((
        format!("table-size-{game}"),
        Plot { log_y: true, ..plot(&title, labels, &columns, &visits) },
    ));
}
