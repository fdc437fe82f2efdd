//! PS*(k) in real game trees, an experiment that its papers ask for and that has not been published:
//! leaves and entries for several numbers of partitions, compared with SSS* and alpha-beta.

use std::num::NonZeroUsize;

use super::findings::{STARRED, depth_names, hundred, percent_cells, plot, rows, starred};
use super::real::{DepthResult, LabelledEngine, Runs};
use super::{Findings, PositionRun, ps_shapes};
use crate::report::{Align, TextTable, thousands};
use plyground_core::names::plural;
use plyground_engine::door::AnyGame;
use plyground_search::algorithms::{AlphaBeta, Ps, Sss};
use plyground_search::table::TableSize;
use plyground_search::{MemoryFunctions, Partitions, SearchAlgorithm};

/// The number of depths.
const DEPTHS: u32 = 4;
/// The entries of the table.
const TABLE: usize = 64 << 10;
/// The limit on the bytes of lists.
const BYTES: usize = 1 << 30;

/// PS*(k) on positions of a game: plain, with deepening and history, and over a table besides; the shapes of
/// partitions at equal entries, and parallel PS*.
pub fn ps_real(run: &PositionRun<'_>) -> anyhow::Result<Findings> {
    let depths = run.depths(DEPTHS, run.game.depths().lists);
    let plain = lines(run);
    let learning = |memory: MemoryFunctions| -> Vec<LabelledEngine> {
        let table = TableSize::of_entries(TABLE);
        plain.iter().map(|line| line.clone().deepening(memory, table)).collect()
    };
    let history = learning(MemoryFunctions::HISTORY);
    let table = learning(MemoryFunctions::HISTORY | MemoryFunctions::TABLE);
    let runs =
        run.search(&[plain.clone(), history.clone(), table.clone()].concat(), depths.clone())?;
    let depths: Vec<u32> = depths.collect();
    let mut found = Findings::default();
    for (lines, how, name) in [
        (&plain, "plain", "plain"),
        (&history, "with deepening and history", "history"),
        (&table, "with deepening, history and a table of 64K entries", "table"),
    ] {
        add(&mut found, run.game, &runs, lines, &depths, (how, name));
    }
    let equal =
        |line: &LabelledEngine| line.engine.algorithm.to_string() != ALPHA_BETA && !is_shape(line);
    let (equal, shapes): (Vec<LabelledEngine>, Vec<LabelledEngine>) = (
        plain.iter().filter(|line| equal(line)).cloned().collect(),
        plain.iter().filter(|line| is_shape(line)).cloned().collect(),
    );
    found.extend(ps_shapes::shapes(run, &runs, &equal, &shapes, &depths));
    found.work.push(runs.work);
    if !run.run.flag.is_raised() {
        let name = format!("parallel-{}", run.game);
        let depth = depths[depths.len().saturating_sub(2)];
        found.extend(run.run.part((&name, Some(0)), || ps_shapes::parallel(run, depth))?);
    }
    Ok(found)
}

const ALPHA_BETA: &str = AlphaBeta::ENTRY.id;

/// Are the partitions of different sizes? One size that is repeated ends with a plus.
fn is_shape(line: &LabelledEngine) -> bool {
    let id = line.engine.algorithm.to_string();
    id.contains('+') && !id.ends_with('+')
}

/// The engines. The others are compared with the first one, alpha-beta.
fn lines(run: &PositionRun<'_>) -> Vec<LabelledEngine> {
    let phased = |k| LabelledEngine::direct(run, Ps::with_partitions(k));
    let sized = |sizes: &[usize]| {
        let sizes = sizes.iter().filter_map(|&size| NonZeroUsize::new(size)).collect();
        LabelledEngine::direct(run, Ps { partitions: Partitions::Sizes(sizes) })
    };
    let mut lines = vec![
        LabelledEngine::direct(run, AlphaBeta),
        LabelledEngine::direct(run, Sss),
        phased(1),
        phased(2),
        phased(4),
        phased(8),
        sized(&[1]).called("PS*(width)"),
        sized(&[1, 2, 4, 8]),
        sized(&[1, 1, 2, 4]),
        sized(&[4, 2, 1]),
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
    lines: &[LabelledEngine],
    depths: &[u32],
    (how, name): (&str, &str),
) {
    let base = &lines[0];
    let cells: Vec<Vec<Option<DepthResult>>> = lines
        .iter()
        .map(|line| depths.iter().map(|&depth| runs.cell(line, base, depth)).collect())
        .collect();
    found.tables.push(table(game, runs, lines, &cells, depths, how));
    found.objects("ps-real", game, lines, &cells, depths);
    let mut ratios = rows(lines, &cells, |cell| Some(cell.percent));
    // PS*(1) is SSS*: their lines in the figure are the same.
    ratios.retain(|(label, _)| label != "PS*(1)");
    let title = format!("PS*(k) on {game}, {how}");
    let plot = plot(&title, ("depth", "leaves, % of alpha-beta"), &depth_names(depths), &ratios);
    found.plots.push((format!("ps-{game}-{name}"), plot));
}

fn table(
    game: &dyn AnyGame,
    runs: &Runs,
    lines: &[LabelledEngine],
    cells: &[Vec<Option<DepthResult>>],
    depths: &[u32],
    how: &str,
) -> TextTable {
    let mut table = TextTable::new(format!(
        "PS*(k) on {game}, {how}: leaves in percent of αβ, and entries on OPEN and BACKUP; {}",
        plural(runs.positions(), "position")
    ));
    table.column("search", Align::Left);
    for depth in depths {
        table.group(format!("D={depth}"), Align::Right);
        table.column("95 %", Align::Left);
        table.column("entries", Align::Right);
    }
    let of = |cell: &Option<DepthResult>| cell.as_ref().map(|cell| cell.percent);
    let percents: Vec<Vec<_>> = cells.iter().map(|row| row.iter().map(of).collect()).collect();
    for ((line, cells), stars) in lines.iter().zip(cells).zip(starred(&percents)) {
        let texts = cells.iter().zip(stars).flat_map(|(cell, star)| {
            let [percent, interval] = percent_cells(of(cell), star);
            let entries = match cell {
                Some(cell) if cell.peak_entries > 0.0 => thousands(cell.peak_entries, 0),
                _ => "–".into(),
            };
            [percent, interval, entries]
        });
        table.row([line.label.clone()].into_iter().chain(texts).collect());
    }
    table.note(STARRED);
    table.note(hundred(&cells[0]));
    table.note(
        "PS*(width): one child a partition. PS*(1+2+…): partitions of these sizes, the last again.",
    );
    if lines[0].engine.memory == MemoryFunctions::HISTORY {
        table.note(
            "With αβ's order PS*(width) would visit αβ's leaves; it visits more because the history table \
             learns another order from lists. Compare the others with it.",
        );
    }
    if runs.stopped() > 0 {
        table
            .note(format!("Stopped by the limit of memory: {}.", plural(runs.stopped(), "search")));
    }
    table
}
