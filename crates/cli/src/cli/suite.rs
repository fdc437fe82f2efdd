//! `plyground suite`: engines and algorithms on positions whose solutions are known; `plyground suites`:
//! the built-in ones.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clap::Args;
use serde_json::json;

use super::batch::BatchArgs;
use super::console::{Console, Format, csv, note, width};
use super::tree::write;
use super::{
    FormatArgs, ListArgs, NamedAlgorithm, parse_algorithm, positions, print_list, seconds,
};
use plyground_core::names::{did_you_mean, plural};
use plyground_engine::door::AnyGame;
use plyground_engine::games::Games;
use plyground_engine::profile::Profile;
use plyground_engine::text_file::read_text;
use plyground_study::experiment::Store;
use plyground_study::report::{Align, TextTable, thousands};
use plyground_study::suite::{
    Entrant, NumberedProblem, SuiteLimit, SuiteRecord, SuiteTotals, built_in, problems,
    run as put_to, solved_plot,
};

pub(super) const EXAMPLES: &str = "Examples:
  plyground suite wac
  plyground suite bratko-kopec --engine chess,chess-mtd-f --time 1 --jobs 2
  plyground suite wac --engine chess --algorithms pvs,mtd-f,sss --nodes 20000
  plyground suite my-positions.epd --time 0.5 --out results --svg solved.svg
  plyground suite positions/ffo.obf --engine othello --depth 6 --csv

`plyground suites` lists the built-in suites. Every engine and every algorithm has the same limit; the
algorithms are the laboratory's searches, deepened, with the memory functions of the game's strongest
engine.";

pub(super) const LIST_EXAMPLES: &str = "Examples:
  plyground suites
  plyground suites --json";

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("limit")))]
pub(super) struct SuiteArgs {
    /// Suites: names from `plyground suites`, or files in EPD (with bm, am or points in c0) or OBF (with
    /// scored moves)
    #[arg(required = true, value_name = "NAME|FILE")]
    suites: Vec<String>,
    /// Engines: names from `plyground engines`, or files [default: the game's strongest engine]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    engine: Vec<String>,
    /// Searches of the laboratory to try beside the engines, or without --engine alone: ids from
    /// `plyground algorithms`
    #[arg(long, value_name = "ID,…", value_parser = parse_algorithm, value_delimiter = ',')]
    algorithms: Vec<NamedAlgorithm>,
    /// An algorithm in place of the engines' own
    #[arg(long, value_name = "ID", value_parser = parse_algorithm)]
    algorithm: Option<NamedAlgorithm>,
    /// Search each position to this depth
    #[arg(long, value_name = "N", group = "limit",
          value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Search each position for S seconds [default: 0.1]
    #[arg(long, value_name = "S", group = "limit", value_parser = seconds)]
    time: Option<Duration>,
    /// Search each position for at most N visits of nodes
    #[arg(long, value_name = "N", group = "limit",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    #[command(flatten)]
    batch: BatchArgs,
    /// Draw how many positions were solved within which time
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    format: FormatArgs,
}

/// The time for a position if no limit is given.
const USUAL_TIME: Duration = Duration::from_millis(100);

impl SuiteArgs {
    fn limit(&self) -> SuiteLimit {
        match (self.depth, self.nodes) {
            (Some(depth), _) => SuiteLimit::Depth(depth),
            (_, Some(nodes)) => SuiteLimit::Nodes(nodes),
            _ => SuiteLimit::Time(self.time.unwrap_or(USUAL_TIME)),
        }
    }
}

pub(super) fn run(console: &Console, games: &Games, args: &SuiteArgs) -> anyhow::Result<()> {
    // Errors are reported before anything is searched or written.
    let mut all = Vec::new();
    for suite in &args.suites {
        all.extend(read(games, args, suite)?);
    }
    let entrants = entrants(console, games, args, &all)?;
    let mut store = args.batch.out.as_deref().map(Store::<SuiteRecord>::open).transpose()?;
    let format = args.format.format();
    let mut records = Vec::new();
    for entrant in &entrants {
        let own: Vec<NumberedProblem> =
            all.iter().filter(|problem| problem.game == entrant.game()).cloned().collect();
        let known = |problem: &&NumberedProblem| {
            store.as_ref().is_some_and(|store| store.get(&entrant.setup(problem)).is_some())
        };
        let known = own.iter().filter(known).count();
        if known > 0 {
            let (name, all) = (entrant.name(), own.len());
            note(&format!(
                "{name}: {known} of {} are in the records already",
                plural(all, "position")
            ));
        }
        let bar = console.progress((own.len() - known) as u64, "positions");
        let made = put_to(entrant, &own, args.batch.jobs.into(), store.as_mut(), |_| bar.inc(1))?;
        bar.finish_and_clear();
        console.note_interruption(made.len() as u64, own.len() as u64, "positions");
        if format == Format::Json {
            made.iter().try_for_each(|record| console.json(record))?;
        }
        if format == Format::Text && (entrants.len() == 1 || args.format.wide) {
            console.table(&positions_table(entrant.name(), &made), args.format.wide)?;
        }
        records.extend(made);
        if console.interrupted() {
            break;
        }
    }
    if store.is_some() {
        console.note_continuation();
    }
    let totals = SuiteTotals::of(&records);
    let by_nodes = args.nodes.is_some();
    let title = format!("{}, {} a position", args.suites.join(", "), args.limit());
    let plot = solved_plot(&records, &title, by_nodes);
    if let Some(file) = &args.svg {
        write(file, &plot.to_svg())?;
    }
    match format {
        Format::Json => totals.iter().try_for_each(|total| console.json(total)),
        Format::Csv => {
            let rows: Vec<_> =
                records.iter().map(serde_json::to_value).collect::<Result<_, _>>()?;
            console.print(&csv(&rows))
        }
        Format::Text => {
            console.table(&totals_table(&title, &totals), args.format.wide)?;
            let chart = plot.to_text(width(args.format.wide).min(100));
            if (entrants.len() > 1 || args.format.wide) && !chart.is_empty() {
                console.print(&format!("\n{chart}"))?;
            }
            match &store {
                Some(store) => console.print(&format!("Records: {}\n", store.path().display())),
                None => Ok(()),
            }
        }
    }?;
    Ok(store.map_or(Ok(()), Store::finish)?)
}

/// The positions of a suite: a built-in one, or a file. A file whose name does not tell the game is of
/// the first engine's.
fn read(games: &Games, args: &SuiteArgs, name: &str) -> anyhow::Result<Vec<NumberedProblem>> {
    let path = Path::new(name);
    if !path.is_file()
        && let Some((game, suite)) = built_in(games, name)
    {
        return problems(game, suite.name, suite.text);
    }
    if !path.exists() {
        let known: Vec<&str> =
            games.iter().flat_map(|game| game.suites().iter().map(|suite| suite.name)).collect();
        let suggestion = did_you_mean(name, known.iter().copied());
        bail!(
            "there is no suite and no file {name}; expected a file or one of {}{suggestion}",
            known.join(", ")
        );
    }
    let game = match (games.of_text(name), args.engine.first()) {
        (None, Some(engine)) => Some(Profile::find(games, engine)?.game),
        (told, _) => told,
    };
    let game = positions::games(games, game, Some(path))?;
    let text = read_text(path).with_context(|| format!("cannot read {name}"))?;
    let game = game.first().copied().with_context(|| format!("{name}: which game is it of?"))?;
    problems(game, name, &text)
}

/// Those that the suites are put to, of the games that have positions in them.
fn entrants(
    console: &Console,
    games: &Games,
    args: &SuiteArgs,
    all: &[NumberedProblem],
) -> anyhow::Result<Vec<Entrant>> {
    let (limit, stop) = (args.limit(), console.flag());
    let mut wanted: Vec<&'static dyn AnyGame> = Vec::new();
    for problem in all {
        if !wanted.contains(&problem.game) {
            wanted.push(problem.game);
        }
    }
    let mut profiles = Vec::new();
    for name in &args.engine {
        let profile = Profile::find(games, name)?;
        let game = profile.game;
        ensure!(
            wanted.contains(&game),
            "the engine {} plays {game}, not the suite's game",
            profile.name
        );
        profiles.push(profile);
    }
    if args.engine.is_empty() && args.algorithms.is_empty() {
        for game in &wanted {
            profiles.push(Profile::standard(*game)?);
        }
    }
    let mut entrants = Vec::new();
    for mut profile in profiles {
        if let Some(named) = &args.algorithm {
            profile.algorithm = named.algorithm.clone();
        }
        entrants.push(Entrant::engine(profile, limit, &stop)?);
    }
    for game in wanted {
        for named in &args.algorithms {
            entrants.push(Entrant::algorithm(game, &named.algorithm, limit, &stop)?);
        }
    }
    Ok(entrants)
}

/// What an entrant found, position by position.
fn positions_table(engine: &str, records: &[SuiteRecord]) -> TextTable {
    let mut table = TextTable::new(engine);
    table.column("no", Align::Right);
    table.optional("name", Align::Left, 1);
    table.column("", Align::Left);
    table.column("best", Align::Left);
    table.prose("expected");
    let has_points = records.iter().any(|record| record.points.is_some());
    if has_points {
        table.column("points", Align::Right);
    }
    table.optional("depth", Align::Right, 2);
    table.optional("s", Align::Right, 4);
    table.optional("nodes", Align::Right, 3);
    table.column("s to solve", Align::Right);
    table.optional("nodes to solve", Align::Right, 2);
    for record in records {
        let mut row = vec![
            record.setup.number.to_string(),
            record.name.clone(),
            if record.solved { "✓" } else { "✗" }.into(),
            record.best.clone().unwrap_or_default(),
            record.expected.clone(),
        ];
        if has_points {
            row.push(record.points.map_or_else(String::new, |points| points.to_string()));
        }
        row.extend([
            record.depth.to_string(),
            format!("{:.3}", record.seconds),
            thousands(record.nodes as f64, 0),
            record.seconds_to_solution.map_or_else(String::new, |s| format!("{s:.3}")),
            record.nodes_to_solution.map_or_else(String::new, |n| thousands(n as f64, 0)),
        ]);
        table.row(row);
    }
    table.note("");
    table
}

/// All entrants side by side.
fn totals_table(title: &str, totals: &[SuiteTotals]) -> TextTable {
    let mut table = TextTable::new(title);
    table.column("engine", Align::Left);
    table.column("solved", Align::Right);
    table.column("of", Align::Right);
    let has_points = totals.iter().any(|total| total.points.is_some());
    if has_points {
        table.column("points", Align::Right);
        table.column("of", Align::Right);
    }
    table.optional("s", Align::Right, 1);
    table.optional("nodes", Align::Right, 2);
    table.column("s to solve", Align::Right);
    table.column("nodes to solve", Align::Right);
    for total in totals {
        let mut row =
            vec![total.engine.clone(), total.solved.to_string(), total.positions.to_string()];
        if has_points {
            let points = [total.points, total.most_points].map(|n| n.unwrap_or(0).to_string());
            row.extend(points);
        }
        row.extend([
            thousands(total.seconds, 2),
            thousands(total.nodes as f64, 0),
            thousands(total.seconds_to_solution, 2),
            thousands(total.nodes_to_solution as f64, 0),
        ]);
        table.row(row);
    }
    table
}

/// `plyground suites`
pub(super) fn list(console: &Console, games: &Games, args: &ListArgs) -> anyhow::Result<()> {
    let mut table = TextTable::new("");
    table.column("suite", Align::Left);
    table.column("game", Align::Left);
    table.column("positions", Align::Right);
    table.prose("what it tests, and where its facts come from");
    let mut objects = Vec::new();
    for game in games.iter() {
        for suite in game.suites() {
            let count = problems(game, suite.name, suite.text)?.len();
            let names = [&[suite.name], suite.aliases].concat().join(", ");
            let end = if suite.about.ends_with('?') { "" } else { "." };
            let words = format!("{}{end} Facts: {}.", suite.about, suite.source);
            table.row(vec![names, game.to_string(), count.to_string(), words]);
            objects.push(json!({
                "suite": suite.name, "aliases": suite.aliases, "game": game.name(),
                "positions": count, "tests": suite.about, "source": suite.source,
            }));
        }
    }
    if objects.is_empty() {
        table.note("No game of this program comes with a suite.");
    }
    print_list(console, args.format, &objects, &table)
}
