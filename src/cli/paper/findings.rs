//! What came of experiments on real games: tables, objects and figures.

use serde_json::Value as Json;

use super::real::{Cell, Laboratory, Line, PositionArgs};
use super::{FigureArgs, print, write_figures};
use crate::cli::console::Console;
use crate::cli::positions;
use plyground_engine::game::{GameName, GameTask};
use plyground_engine::games::Games;
use plyground_study::experiment::Ratio;
use plyground_study::report::plot::{Plot, Series};
use plyground_study::report::{Align, Table, thousands};

#[derive(Default)]
pub(super) struct Findings {
    pub(super) tables: Vec<Table>,
    pub(super) rows: Vec<Json>,
    pub(super) plots: Vec<(String, Plot)>,
}

impl Findings {
    /// Prints the tables or the objects, and writes the figures.
    pub(super) fn tell(&self, console: &Console, args: &FigureArgs) -> anyhow::Result<()> {
        print(console, args.run.format.format(), &self.tables, &self.rows)?;
        write_figures(args, &self.plots)
    }

    /// Adds the objects of lines, a cell for each depth.
    pub(super) fn objects(
        &mut self,
        figure: &str,
        game: GameName,
        lines: &[Line],
        cells: &[Vec<Option<Cell>>],
        depths: &[u32],
    ) {
        for (line, cells) in lines.iter().zip(cells) {
            for (&depth, cell) in depths.iter().zip(cells) {
                let cell = cell.as_ref();
                self.rows.extend(cell.map(|cell| cell.object(figure, game, Some(line), depth)));
            }
        }
    }
}

/// Does an experiment on one game or on both, and tells what came of it.
pub(super) fn on_games<'a, T: GameTask<Output = anyhow::Result<Findings>>>(
    console: &'a Console,
    games: &Games,
    game: Option<GameName>,
    positions: &'a PositionArgs,
    figures: &FigureArgs,
    task: impl Fn(Laboratory<'a>) -> T,
) -> anyhow::Result<()> {
    let mut all = Findings::default();
    let named = game.map(GameName::door);
    for game in positions::games(games, named, positions.positions.as_deref())? {
        let game: GameName = game.name().parse()?;
        let found = game.dispatch(task(Laboratory::new(console, positions, &figures.run)))?;
        all.tables.extend(found.tables);
        all.rows.extend(found.rows);
        all.plots.extend(found.plots);
        if console.interrupted() {
            break;
        }
    }
    all.tell(console, figures)
}

/// D=2, D=3, …
pub(super) fn depth_names(depths: &[u32]) -> Vec<String> {
    depths.iter().map(|depth| format!("D={depth}")).collect()
}

/// The leaves that are 100 %, for a note.
pub(super) fn hundred(cells: &[Option<Cell>]) -> String {
    let leaves: Vec<String> =
        cells.iter().flatten().map(|cell| thousands(cell.leaves, 0)).collect();
    format!("100 % is, depth by depth, {} leaves.", leaves.join(" · "))
}

/// A label and a ratio for each column.
pub(super) type Rows = Vec<(String, Vec<Option<Ratio>>)>;

/// One row for each line.
pub(super) fn rows(lines: &[Line], cells: &[Vec<Option<Cell>>], of: fn(&Cell) -> Ratio) -> Rows {
    let row = |(line, cells): (&Line, &Vec<Option<Cell>>)| {
        (line.label.clone(), cells.iter().map(|cell| cell.as_ref().map(of)).collect())
    };
    lines.iter().zip(cells).map(row).collect()
}

/// A percentage and its interval as people read them.
pub(super) fn percent_cells(ratio: Option<Ratio>) -> [String; 2] {
    let digits = |x: f64| thousands(x, if x >= 1000.0 { 0 } else { 1 });
    Ratio::cells(ratio, digits)
}

/// A table of percentages: a row for each label, two columns for each place on the x-axis.
pub(super) fn percentages(title: String, columns: &[String], rows: &Rows) -> Table {
    let mut table = Table::new(title);
    table.column("search", Align::Left);
    for column in columns {
        table.column(column, Align::Right);
        table.column("95 %", Align::Left);
    }
    for (label, ratios) in rows {
        let cells = ratios.iter().flat_map(|&ratio| percent_cells(ratio));
        table.row([label.clone()].into_iter().chain(cells).collect());
    }
    table
}

/// The same as a figure.
pub(super) fn plot(
    title: &str,
    (x_label, y_label): (&str, &str),
    columns: &[String],
    rows: &Rows,
) -> Plot {
    let series = rows.iter().map(|(label, ratios)| {
        let known = || ratios.iter().enumerate().filter_map(|(x, ratio)| Some((x, (*ratio)?)));
        Series {
            name: label.clone(),
            points: known().map(|(x, ratio)| (x as f64, ratio.mean)).collect(),
            errors: Some(known().map(|(_, ratio)| ratio.mean - ratio.low).collect()),
            ..Series::default()
        }
    });
    let ticks = columns.iter().enumerate().map(|(x, name)| (x as f64, name.clone()));
    Plot {
        title: title.into(),
        x_label: x_label.into(),
        y_label: y_label.into(),
        series: series.collect(),
        x_ticks: Some(ticks.collect()),
        note: Some("Geometric means over positions; bars: down to the end of the 95 % interval, and as far up".into()),
        ..Plot::default()
    }
}
