//! `plyground suite`: engines on positions whose solutions are known.
//!
//! An engine with `[play]` solves them by the search that it plays with, any other engine by its
//! laboratory search.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clap::Args;
use serde::Serialize;

use super::console::{Console, Format, csv};
use super::{FormatArgs, NamedAlgorithm, parse_algorithm, seconds};
use plyground_engine::door::{AnyGame, TextProblem};
use plyground_engine::games::Games;
use plyground_engine::profile::Profile;
use plyground_engine::session::{BoundKind, GoLimits, ThinkRequest};
use plyground_engine::text_file::read_text;
use plyground_search::{Outcome, SearchSpec, Workspace};
use plyground_study::experiment::in_parallel_with;
use plyground_study::report::{Align, TextTable, thousands};

pub(super) const EXAMPLES: &str = "Examples:
  plyground suite positions/bratko-kopec.epd --engine chess --time 1
  plyground suite positions/win-at-chess.epd --engine chess --engine chess-mtd-f --depth 5 --jobs 2
  plyground suite positions/ffo.obf --engine othello --depth 6 --csv";

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("limit").required(true)))]
pub(super) struct SuiteArgs {
    /// Suites: EPD (with bm or am) or OBF (with scored moves)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Engines: names from `plyground engines`, or files
    #[arg(long, value_name = "NAME", required = true, value_delimiter = ',')]
    engine: Vec<String>,
    /// An algorithm in place of the engines' own
    #[arg(long, value_name = "ID", value_parser = parse_algorithm)]
    algorithm: Option<NamedAlgorithm>,
    /// Search each position to this depth
    #[arg(long, value_name = "N", group = "limit",
          value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Search each position for S seconds
    #[arg(long, value_name = "S", group = "limit", value_parser = seconds)]
    time: Option<Duration>,
    /// Search each position for N visits of nodes
    #[arg(long, value_name = "N", group = "limit")]
    nodes: Option<u64>,
    /// Positions to search in parallel
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    #[command(flatten)]
    format: FormatArgs,
}

/// The result of one position.
#[derive(Clone, Debug, Serialize)]
struct Row {
    engine: String,
    file: String,
    number: usize,
    name: String,
    position: String,
    expected: String,
    best: Option<String>,
    solved: bool,
    value: Option<i32>,
    depth: u32,
    seconds: f64,
    nodes: u64,
    /// When the best move became a solution for good, to the end of an iteration.
    seconds_to_solution: Option<f64>,
    nodes_to_solution: Option<u64>,
}

pub(super) fn run(console: &Console, games: &Games, args: &SuiteArgs) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    for name in &args.engine {
        let mut profile = Profile::find(games, name)?;
        if let Some(named) = &args.algorithm {
            profile.algorithm = named.algorithm.clone();
        }
        let done = solve(console, args, &profile)?;
        if args.format.format() == Format::Text {
            console.table(&table(&done), args.format.wide)?;
        }
        rows.extend(done);
        if console.interrupted() {
            break;
        }
    }
    let totals: Vec<serde_json::Value> = totals(&rows);
    match args.format.format() {
        Format::Text if args.engine.len() > 1 => {
            console.table(&totals_table(&totals), args.format.wide)?
        }
        Format::Text => {}
        Format::Json => {
            rows.iter().try_for_each(|row| console.json(row))?;
            totals.iter().try_for_each(|total| console.json(total))?;
        }
        Format::Csv => {
            let rows: Vec<_> = rows.iter().map(serde_json::to_value).collect::<Result<_, _>>()?;
            console.print(&csv(&rows))?;
        }
    }
    Ok(())
}

/// Tries an engine on all positions.
fn solve(console: &Console, args: &SuiteArgs, profile: &Profile) -> anyhow::Result<Vec<Row>> {
    let mut problems = Vec::new();
    for file in &args.files {
        problems.extend(read(profile.game, file)?);
    }
    // An engine with `[play]` uses the search that it plays with.
    let spec = match profile.selective() {
        Some(_) => None,
        None => Some(spec(console, args, profile)?),
    };
    let bar = console.progress(problems.len() as u64, "positions");
    let mut rows = Vec::new();
    let make = |workspace: &mut Workspace, numbered: &NumberedProblem| {
        let found = match &spec {
            None => played(console, args, profile, &numbered.problem)?,
            Some(spec) => searched(workspace, spec, profile, numbered)?,
        };
        if console.interrupted() {
            return Ok(None);
        }
        row(profile, numbered, found).map(Some)
    };
    in_parallel_with(&problems, args.jobs.into(), Workspace::new, make, |row| {
        rows.push(row);
        bar.inc(1);
        anyhow::Ok(())
    })?;
    bar.finish_and_clear();
    rows.sort_by(|a: &Row, b| (&a.file, a.number).cmp(&(&b.file, b.number)));
    console.note_interruption(rows.len() as u64, problems.len() as u64, "positions");
    Ok(rows)
}

/// A problem with the file it is from and its number there.
struct NumberedProblem {
    file: String,
    number: usize,
    problem: TextProblem,
}

fn read(game: &dyn AnyGame, file: &Path) -> anyhow::Result<Vec<NumberedProblem>> {
    let name = file.display().to_string();
    let text = read_text(file).with_context(|| format!("cannot read {name}"))?;
    let problems = game.suite(&text).with_context(|| name.clone())?;
    ensure!(!problems.is_empty(), "{name}: there are no positions");
    if let Some(i) = problems.iter().position(|problem| !problem.has_solution()) {
        bail!("{name}: position {} has no solution; expected moves that solve it", i + 1);
    }
    let numbered = problems.into_iter().enumerate();
    Ok(numbered
        .map(|(i, problem)| NumberedProblem { file: name.clone(), number: i + 1, problem })
        .collect())
}

/// The depth of a search that ends by another limit: deeper than any search can go.
const NO_DEPTH: u32 = 60;

/// What an engine found in one position.
struct EngineResult {
    best: Option<String>,
    value: Option<i32>,
    depth: u32,
    time: Duration,
    nodes: u64,
    /// The time and nodes after which the best move was a solution for good.
    since: Option<(Duration, u64)>,
}

/// A search of the laboratory, as the engine's profile describes it.
fn spec(console: &Console, args: &SuiteArgs, profile: &Profile) -> anyhow::Result<SearchSpec> {
    // An engine without deepening keeps its depth, and the limit may stop it on the way.
    let depth = match args.depth {
        Some(depth) => depth,
        None if profile.deepening => NO_DEPTH,
        None => profile.depth.unwrap_or(6),
    };
    let mut options = profile.options(depth);
    options.limits.time = args.time.or(options.limits.time);
    options.limits.nodes = args.nodes.or(options.limits.nodes);
    options.limits.flag = console.flag();
    SearchSpec::check(&profile.algorithm, options).with_context(|| profile.name.clone())
}

fn searched(
    workspace: &mut Workspace,
    spec: &SearchSpec,
    profile: &Profile,
    numbered: &NumberedProblem,
) -> anyhow::Result<EngineResult> {
    let NumberedProblem { file, number, problem } = numbered;
    let tree = profile.game.tree(&problem.position, &profile.evaluator)?;
    let outcome =
        tree.search(workspace, spec, None).with_context(|| format!("{file}, position {number}"))?;
    Ok(EngineResult {
        value: outcome.value.or(outcome.iterations.last().and_then(|last| last.value)),
        depth: outcome.depth,
        time: outcome.time,
        nodes: outcome.counts.visits,
        since: solved_since(problem, &outcome),
        best: outcome.best,
    })
}

/// The move that the engine would make in a game, from an empty table.
fn played(
    console: &Console,
    args: &SuiteArgs,
    profile: &Profile,
    problem: &TextProblem,
) -> anyhow::Result<EngineResult> {
    let mut player = profile.game.player(profile.clone())?;
    player.set_overhead(Duration::ZERO);
    player.set_line(&*profile.game.start(&problem.position)?)?;
    let (depth, move_time, nodes) = (args.depth, args.time, args.nodes);
    let limits = GoLimits { depth, move_time, nodes, ..GoLimits::default() };
    let mut request = ThinkRequest::on(limits);
    request.stop = console.flag();
    let mut since = None;
    let thought = player.think(&request, &mut |report| {
        let solves = report.line.first().is_some_and(|mv| problem.is_solved_by(&mv));
        if !solves {
            since = None;
        } else if report.bound != BoundKind::AtMost {
            since = since.or(Some((report.time, report.nodes)));
        }
    });
    Ok(EngineResult {
        best: thought.best,
        value: Some(thought.value),
        depth: thought.depth,
        time: thought.time,
        nodes: thought.nodes,
        since: since.or(Some((thought.time, thought.nodes))),
    })
}

fn row(profile: &Profile, numbered: &NumberedProblem, found: EngineResult) -> anyhow::Result<Row> {
    let NumberedProblem { file, number, problem } = numbered;
    let solved = found.best.as_ref().is_some_and(|mv| problem.is_solved_by(mv));
    let since = found.since.filter(|_| solved);
    let line = profile.game.start(&problem.position)?;
    let texts = |moves: &[String], sign: &str| -> Vec<String> {
        moves
            .iter()
            .flat_map(|mv| line.show(std::slice::from_ref(mv)))
            .map(|text| format!("{sign}{text}"))
            .collect()
    };
    let expected = [texts(&problem.best, ""), texts(&problem.avoid, "not ")].concat();
    Ok(Row {
        engine: profile.name.clone(),
        file: file.clone(),
        number: *number,
        name: problem.name.clone(),
        position: problem.position.clone(),
        expected: expected.join(" "),
        best: texts(found.best.as_slice(), "").pop(),
        solved,
        value: found.value,
        depth: found.depth,
        seconds: found.time.as_secs_f64(),
        nodes: found.nodes,
        seconds_to_solution: since.map(|(time, _)| time.as_secs_f64()),
        nodes_to_solution: since.map(|(_, nodes)| nodes),
    })
}

/// Time and nodes at the end of the first iteration after which the best move was a solution for good.
fn solved_since(problem: &TextProblem, outcome: &Outcome<String>) -> Option<(Duration, u64)> {
    let solves = |best: &Option<String>| best.as_ref().is_some_and(|mv| problem.is_solved_by(mv));
    let first = outcome.iterations.iter().rposition(|i| !solves(&i.best)).map_or(0, |i| i + 1);
    match outcome.iterations.get(first) {
        Some(iteration) => Some((iteration.time, iteration.visits)),
        // The iteration that was stopped found it.
        None => Some((outcome.time, outcome.counts.visits)),
    }
}

fn table(rows: &[Row]) -> TextTable {
    let engine = rows.first().map_or("", |row| row.engine.as_str());
    let mut table = TextTable::new(engine);
    for (column, align) in [
        ("no", Align::Right),
        ("name", Align::Left),
        ("", Align::Left),
        ("best", Align::Left),
        ("expected", Align::Left),
        ("depth", Align::Right),
        ("s", Align::Right),
        ("nodes", Align::Right),
        ("s to solve", Align::Right),
        ("nodes to solve", Align::Right),
    ] {
        table.column(column, align);
    }
    for row in rows {
        table.row(vec![
            row.number.to_string(),
            row.name.clone(),
            if row.solved { "✓" } else { "✗" }.into(),
            row.best.clone().unwrap_or_default(),
            row.expected.clone(),
            row.depth.to_string(),
            format!("{:.3}", row.seconds),
            thousands(row.nodes as f64, 0),
            row.seconds_to_solution.map_or(String::new(), |s| format!("{s:.3}")),
            row.nodes_to_solution.map_or(String::new(), |n| thousands(n as f64, 0)),
        ]);
    }
    for total in totals(rows) {
        table.note(format!(
            "{}: {} of {} solved, {:.1} s, {} nodes; {:.1} s and {} nodes to solutions",
            engine,
            total["solved"],
            total["positions"],
            total["seconds"].as_f64().unwrap_or(0.0),
            thousands(total["nodes"].as_f64().unwrap_or(0.0), 0),
            total["seconds_to_solution"].as_f64().unwrap_or(0.0),
            thousands(total["nodes_to_solution"].as_f64().unwrap_or(0.0), 0),
        ));
    }
    table.note("");
    table
}

/// An object for each engine.
fn totals(rows: &[Row]) -> Vec<serde_json::Value> {
    let mut engines: Vec<&str> = rows.iter().map(|row| row.engine.as_str()).collect();
    engines.dedup();
    let total = |engine: &&str| {
        let own: Vec<&Row> = rows.iter().filter(|row| row.engine == *engine).collect();
        serde_json::json!({
            "engine": engine,
            "positions": own.len(),
            "solved": own.iter().filter(|row| row.solved).count(),
            "seconds": own.iter().map(|row| row.seconds).sum::<f64>(),
            "nodes": own.iter().map(|row| row.nodes).sum::<u64>(),
            "seconds_to_solution": own.iter().filter_map(|r| r.seconds_to_solution).sum::<f64>(),
            "nodes_to_solution": own.iter().filter_map(|r| r.nodes_to_solution).sum::<u64>(),
        })
    };
    engines.iter().map(total).collect()
}

fn totals_table(totals: &[serde_json::Value]) -> TextTable {
    let mut table = TextTable::new("");
    table.column("engine", Align::Left);
    for column in ["solved", "positions", "s", "nodes", "s to solve", "nodes to solve"] {
        table.column(column, Align::Right);
    }
    for total in totals {
        let number = |key: &str, decimals| thousands(total[key].as_f64().unwrap_or(0.0), decimals);
        table.row(vec![
            total["engine"].as_str().unwrap_or_default().into(),
            number("solved", 0),
            number("positions", 0),
            number("seconds", 1),
            number("nodes", 0),
            number("seconds_to_solution", 1),
            number("nodes_to_solution", 0),
        ]);
    }
    table
}
