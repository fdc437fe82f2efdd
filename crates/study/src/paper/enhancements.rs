//! Figure 6 of Marsland 1991 on our games: leaves in percent of a direct alpha-beta search, with more
//! and more enhancements.
//!
//! The paper does not print the numbers of the figure. Its text says what to expect: PVS is below
//! aspiration, the memory functions are additive, a table of 8K entries is overloaded at 6 plies, and
//! all lines are above the minimal tree, whose width was 34 there.

use super::findings::{Rows, depth_names, hundred, percentages, plot};
use super::real::{DepthResult, LabelledEngine, Runs};
use super::{Findings, PositionRun};
use crate::report::plot::Plot;
use crate::report::{TextTable, thousands};
use plyground_core::names::plural;
use plyground_core::value::Value;
use plyground_engine::door::AnyGame;
use plyground_search::MemoryFunctions;
use plyground_search::algorithms::{AlphaBeta, Aspiration, Pvs};
use plyground_search::table::TableSize;

/// The size of the survey's table, and one that no search here overloads.
const SMALL: usize = 8 << 10;
const LARGE: usize = 1 << 20;
/// Half a pawn.
const WINDOW: Value = 50;
/// The greatest depth of the survey's figure, and of ours by default.
const DEPTH: u32 = 6;
const FIRST: u32 = 2;

struct Figure {
    game: &'static dyn AnyGame,
    depths: Vec<u32>,
    positions: usize,
    /// The minimal tree has no engine.
    rows: Vec<(Option<LabelledEngine>, Vec<Option<DepthResult>>)>,
}

fn lines(run: &PositionRun<'_>) -> Vec<LabelledEngine> {
    let (none, table) = (MemoryFunctions::empty(), MemoryFunctions::TABLE);
    let (refutation, history) = (MemoryFunctions::REFUTATION, MemoryFunctions::HISTORY);
    let all = table | refutation | history;
    let aspiration = Aspiration { epsilon: WINDOW, guess: None };
    let mut lines = vec![
        LabelledEngine::direct(run, AlphaBeta).called("αβ, direct"),
        LabelledEngine::direct(run, aspiration).deepening(none, TableSize::default()),
    ];
    for (label, memory, entries) in [
        ("PVS", none, SMALL),
        ("PVS+ref", refutation, SMALL),
        ("PVS+hist", history, SMALL),
        ("PVS+trans, 8K", table, SMALL),
        ("PVS+trans+ref, 8K", table | refutation, SMALL),
        ("PVS+trans+ref+hist, 8K", all, SMALL),
        ("PVS+trans, 1M", table, LARGE),
        ("PVS+trans+ref+hist, 1M", all, LARGE),
    ] {
        let size = TableSize::of_entries(entries);
        lines.push(LabelledEngine::direct(run, Pvs).deepening(memory, size).called(label));
    }
    lines
}

/// Figure 6 of the survey: alpha-beta's enhancements on positions of a game; the survey's was chess.
pub fn enhancements(run: &PositionRun<'_>) -> anyhow::Result<Findings> {
    let last = run.depth.unwrap_or(DEPTH);
    let depths = FIRST.min(last)..=last;
    let lines = lines(run);
    let runs = run.search(&lines, depths.clone())?;
    let figure = Figure::of(run.game, &runs, lines, depths.collect());
    let mut found = Findings::default();
    found.tables.push(figure.table());
    figure.add_objects(&mut found);
    found.plots.push(("figure-6".into(), figure.plot()));
    found.work.push(runs.work);
    Ok(found)
}

impl Figure {
    fn of(
        game: &'static dyn AnyGame,
        runs: &Runs,
        lines: Vec<LabelledEngine>,
        depths: Vec<u32>,
    ) -> Figure {
        let base = lines[0].clone();
        let minimal = depths.iter().map(|&depth| runs.minimal(&base, depth)).collect();
        let cells =
            |line: &LabelledEngine| depths.iter().map(|&d| runs.cell(line, &base, d)).collect();
        let mut rows: Vec<(Option<LabelledEngine>, Vec<Option<DepthResult>>)> =
            lines.into_iter().map(|line| (cells(&line), line)).map(|(c, l)| (Some(l), c)).collect();
        rows.push((None, minimal));
        Figure { game, positions: runs.positions(), depths, rows }
    }

    fn ratios(&self) -> Rows {
        let label = |line: &Option<LabelledEngine>| match line {
            Some(line) => line.label.clone(),
            None => "minimal tree".into(),
        };
        let percent = |cell: &Option<DepthResult>| cell.as_ref().map(|cell| cell.percent);
        let row = |(line, cells): &(Option<LabelledEngine>, Vec<Option<DepthResult>>)| {
            (label(line), cells.iter().map(percent).collect())
        };
        self.rows.iter().map(row).collect()
    }

    fn table(&self) -> TextTable {
        let title = format!(
            "Figure 6: leaves on {} in percent of a direct αβ search, {}",
            self.game,
            plural(self.positions, "position")
        );
        let mut table = percentages(title, &depth_names(&self.depths), &self.ratios());
        table.note(hundred(&self.rows[0].1));
        let minimal = self.rows.iter().filter(|(line, _)| line.is_none()).flat_map(|(_, c)| c);
        let widths: Vec<String> = minimal
            .filter_map(|cell| cell.as_ref()?.width)
            .map(|width| thousands(width, 1))
            .collect();
        table.note(format!(
            "The minimal tree is of the average width of the nodes traversed: {} (the survey's: 34).",
            widths.join(" · ")
        ));
        table.note("All but the first deepen; leaves are summed over their iterations.");
        table.note("Once a table answers for leaves, the minimal tree is no bound: a line may lie below it.");
        table.note(
            "The survey's text: PVS is below aspiration; +trans, +ref and +hist are additive; a table of 8K \
             entries is overloaded at 6 plies; odd depths have more leaves.",
        );
        table
    }

    fn add_objects(&self, found: &mut Findings) {
        for (line, cells) in &self.rows {
            for (&depth, cell) in self.depths.iter().zip(cells) {
                let object = |cell: &DepthResult| cell.object(6, self.game, line.as_ref(), depth);
                found.rows.extend(cell.as_ref().map(object));
            }
        }
    }

    fn plot(&self) -> Plot {
        let Figure { game, positions, .. } = self;
        let title =
            format!("Alpha-beta enhancements on {game}, {}", plural(*positions, "position"));
        let labels = ("depth", "leaves, % of a direct αβ search");
        let mut plot = plot(&title, labels, &depth_names(&self.depths), &self.ratios());
        for (series, (line, _)) in plot.series.iter_mut().zip(&self.rows) {
            series.reference = line.is_none();
        }
        plot
    }
}
