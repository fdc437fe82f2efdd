//! PS*(k) in real game trees, which its papers asked for and nobody has published: leaves and entries
//! for several numbers of partitions, beside SSS* and alpha-beta.

use super::PsArgs;
use super::findings::{Findings, depth_names, hundred, on_games, percent_cells, plot, rows};
use super::real::{Cell, Laboratory, Line, Runs};
use crate::cli::console::Console;
use plyground_engine::game::{Game, GameName, GameTask};
use plyground_engine::games::Games;
use plyground_search::Functions;
use plyground_search::table::TableSize;
use plyground_study::report::{Align, Table, thousands};

/// Alpha-beta first: what the others are measured by.
const IDS: [&str; 9] =
    ["alpha-beta", "sss", "ps:1", "ps:2", "ps:4", "ps:8", "ps:1+", "ps:1+2+4+8", "ps:1+1+2+4"];
/// How many depths are shown.
const DEPTHS: u32 = 4;
/// Lists may take so much.
const BYTES: usize = 1 << 30;

pub(super) fn run(console: &Console, games: &Games, args: &PsArgs) -> anyhow::Result<()> {
    on_games(console, games, args.game, &args.positions, &args.figures, Phased)
}

struct Phased<'a>(Laboratory<'a>);

impl GameTask for Phased<'_> {
    type Output = anyhow::Result<Findings>;

    fn run<G: Game>(self) -> anyhow::Result<Findings> {
        let laboratory = self.0;
        let last = laboratory.args.depth.unwrap_or(G::DEPTHS.lists);
        let depths = last.saturating_sub(DEPTHS - 1).max(1)..=last;
        let plain = lines(laboratory.console, GameName::of::<G>())?;
        let history =
            |line: &Line| line.clone().deepening(Functions::HISTORY, TableSize::default());
        let learning: Vec<Line> = plain.iter().map(history).collect();
        let both = [plain.clone(), learning.clone()].concat();
        let runs = laboratory.run::<G>(&both, depths.clone())?;
        let depths: Vec<u32> = depths.collect();
        let mut found = Findings::default();
        for (lines, how, name) in
            [(&plain, "plain", "plain"), (&learning, "with deepening and history", "history")]
        {
            add(&mut found, GameName::of::<G>(), &runs, lines, &depths, (how, name));
        }
        Ok(found)
    }
}

fn lines(console: &Console, game: GameName) -> anyhow::Result<Vec<Line>> {
    let line = |id| {
        let mut line = Line::direct(console, game, id)?;
        line.engine.limits.bytes = Some(BYTES);
        if id == "ps:1+" {
            line.label = "PS*(width)".into();
        }
        Ok(line)
    };
    IDS.into_iter().map(line).collect()
}

fn add(
    found: &mut Findings,
    game: GameName,
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
    game: GameName,
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
