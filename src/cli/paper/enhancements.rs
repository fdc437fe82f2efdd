//! Figure 6 of Marsland 1991 on our chess: leaves in percent of a direct alpha-beta search, as one
//! enhancement after the other is switched on.
//!
//! The figure's numbers are not printed. Its text says what to expect: PVS below aspiration, the
//! memory functions additive, a table of 8K entries overloaded at 6 plies, and all lines above the
//! minimal tree, which was of width 34 there.

use serde_json::Value as Json;

use super::findings::{Rows, depth_names, hundred, percentages, plot};
use super::real::{Cell, Laboratory, Line, Runs};
use plyground_engine::game::GameName;
use plyground_games::chess::Chess;
use plyground_search::Functions;
use plyground_search::table::TableSize;
use plyground_study::report::plot::Plot;
use plyground_study::report::{Table, thousands};

/// The survey's table, and one that nothing overloads.
const SMALL: usize = 8 << 10;
const LARGE: usize = 1 << 20;
/// Half a pawn.
const WINDOW: &str = "aspiration:50";
/// The survey's figure ends here, and so do we unless told otherwise.
const DEPTH: u32 = 6;
const FIRST: u32 = 2;

/// What came of figure 6.
pub(super) struct Figure {
    depths: Vec<u32>,
    positions: usize,
    /// The minimal tree has no line.
    rows: Vec<(Option<Line>, Vec<Option<Cell>>)>,
}

fn lines(laboratory: &Laboratory<'_>) -> anyhow::Result<Vec<Line>> {
    let line = |id: &str| Line::direct(laboratory.console, GameName::Chess, id);
    let (none, table) = (Functions::empty(), Functions::TABLE);
    let (refutation, history) = (Functions::REFUTATION, Functions::HISTORY);
    let all = table | refutation | history;
    let mut lines = vec![
        line("alpha-beta")?.called("αβ, direct"),
        line(WINDOW)?.deepening(none, TableSize::default()),
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
        lines.push(line("pvs")?.deepening(memory, size).called(label));
    }
    Ok(lines)
}

pub(super) fn measure(laboratory: &Laboratory<'_>) -> anyhow::Result<Figure> {
    let last = laboratory.args.depth.unwrap_or(DEPTH);
    let depths = FIRST.min(last)..=last;
    let lines = lines(laboratory)?;
    let runs = laboratory.run::<Chess>(&lines, depths.clone())?;
    Ok(Figure::of(&runs, lines, depths.collect()))
}

impl Figure {
    fn of(runs: &Runs, lines: Vec<Line>, depths: Vec<u32>) -> Figure {
        let base = lines[0].clone();
        let minimal = depths.iter().map(|&depth| runs.minimal(&base, depth)).collect();
        let cells = |line: &Line| depths.iter().map(|&d| runs.cell(line, &base, d)).collect();
        let mut rows: Vec<(Option<Line>, Vec<Option<Cell>>)> =
            lines.into_iter().map(|line| (cells(&line), line)).map(|(c, l)| (Some(l), c)).collect();
        rows.push((None, minimal));
        Figure { positions: runs.positions(), depths, rows }
    }

    fn ratios(&self) -> Rows {
        let label = |line: &Option<Line>| match line {
            Some(line) => line.label.clone(),
            None => "minimal tree".into(),
        };
        let percent = |cell: &Option<Cell>| cell.as_ref().map(|cell| cell.percent);
        let row = |(line, cells): &(Option<Line>, Vec<Option<Cell>>)| {
            (label(line), cells.iter().map(percent).collect())
        };
        self.rows.iter().map(row).collect()
    }

    pub(super) fn table(&self) -> Table {
        let title = format!(
            "Figure 6: leaves on chess in percent of a direct αβ search, {} positions",
            self.positions
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
        table.note(
            "The survey's text: PVS is below aspiration; +trans, +ref and +hist are additive;",
        );
        table.note("a table of 8K entries is overloaded at 6 plies; odd depths have more leaves.");
        table
    }

    pub(super) fn objects(&self) -> Vec<Json> {
        let mut objects = Vec::new();
        for (line, cells) in &self.rows {
            for (&depth, cell) in self.depths.iter().zip(cells) {
                let cell = cell.as_ref();
                objects.extend(cell.map(|c| c.object(6, GameName::Chess, line.as_ref(), depth)));
            }
        }
        objects
    }

    pub(super) fn plot(&self) -> Plot {
        let title = format!("Alpha-beta enhancements on chess, {} positions", self.positions);
        let labels = ("depth", "leaves, % of a direct αβ search");
        let mut plot = plot(&title, labels, &depth_names(&self.depths), &self.ratios());
        for (series, (line, _)) in plot.series.iter_mut().zip(&self.rows) {
            series.reference = line.is_none();
        }
        plot
    }
}
