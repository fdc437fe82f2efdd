//! `plyground best`: one position, one algorithm, the value, the move and the counts.

use anyhow::{Context, ensure};
use clap::Args;
use serde::Serialize;

use super::console::Console;
use super::engine::EngineArgs;
use super::record::{SearchRecord, answered, counted, estimated, labelled, value_or_bounds};
use super::{FactorArgs, LimitArgs, ProcessArgs, at_least, checked, need_game};
use plyground_core::names::plural;
use plyground_core::value::Value;
use plyground_engine::games::Games;
use plyground_search::{Outcome, Workspace};
use plyground_study::report::thousands;

pub(super) const EXAMPLES: &str = "Examples:
  plyground best othello --depth 6
  plyground best othello --position f5d6c3d3c4 --algorithm sss --depth 5
  plyground best chess --position '6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1' --depth 3
  plyground best chess --algorithm uct:0.5 --depth 30 --nodes 20000
  plyground best chess --engine chess-mtd-f --depth 7
  plyground best othello --algorithm mtd-f --depth 3 --html mtd-f.html
  plyground best chess --memory table+history --deepening --depth 6 --json";

#[derive(Debug, Args)]
pub(super) struct BestArgs {
    /// The game; may be left out where there is only one
    game: Option<String>,
    /// The position in the game's own notation: for Othello 64 squares (X O -) and the side to move, or
    /// a transcript; for chess a FEN [default: the start]
    #[arg(
        long,
        value_name = "P",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    position: String,
    /// How many plies to search [default: the engine's, else 6]
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Ask whether the position is worth at least V, in the unit of the evaluation; the proof-number
    /// searches prove just that
    #[arg(long, value_name = "V", allow_negative_numbers = true, value_parser = at_least)]
    at_least: Option<Value>,
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// Write the search as a page that can be stepped through, in one self-contained file
    #[cfg(feature = "web")]
    #[arg(long, value_name = "FILE")]
    html: Option<std::path::PathBuf>,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    factors: FactorArgs,
    #[command(flatten)]
    processes: ProcessArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

/// What `--json` prints.
#[derive(Serialize)]
struct BestRecord<'a> {
    #[serde(flatten)]
    search: SearchRecord<'a>,
    best: Option<String>,
    pv: Vec<String>,
}

pub(super) fn run(console: &Console, games: &Games, args: &BestArgs) -> anyhow::Result<()> {
    let game = need_game(games, args.game.as_deref())?;
    let line = game.start(&args.position).context("the position")?;
    let (profile, id) = args.engine.profile(games, game)?;
    let depth = args.depth.or(profile.depth).unwrap_or(6);
    let deepest = game.deepest();
    ensure!(depth <= deepest, "--depth {depth}: expected 0 to {deepest} plies for {game}");
    let tree = game.tree(&line.position(), &profile.evaluator)?;
    let mut options = profile.options(depth);
    options.at_least = args.at_least;
    args.limits.apply(&mut options.limits, console);
    let algorithm = &profile.algorithm;
    options.factors = args.factors.factors();
    args.processes.set(&mut options);
    let spec = checked(algorithm, options.clone())?;
    #[cfg(feature = "web")]
    if let Some(file) = &args.html {
        use plyground_web::replay::ReplaySubject;
        let subject = ReplaySubject::Position { line: &*line, weights: &profile.evaluator };
        let named = super::NamedAlgorithm { id: id.clone(), algorithm: algorithm.clone() };
        let title = format!("{}, {}, {game}", algorithm.name(), plural(depth as usize, "ply"));
        super::tree::write_stepper(file, &subject, &named, options, &title)?;
    }
    let mut workspace = Workspace::new();
    let outcome = tree.search(&mut workspace, &spec.clone().counting_paths(true), None)?;
    // The time is that of a search that does not count distinct paths.
    let seconds = match outcome.stopped {
        None => tree.search(&mut workspace, &spec, None)?.search_time(spec.algorithm()),
        Some(_) => outcome.time,
    }
    .as_secs_f64();
    let best = outcome.best.clone();
    let pv = match outcome.value {
        Some(value) => tree.principal_variation(depth, value, best.as_deref(), spec.limits()),
        None => Vec::new(),
    };
    if args.json {
        let search = SearchRecord::new(&id, &outcome, seconds);
        return console.json(&BestRecord { search, best, pv });
    }
    let best = tree.show(best.as_slice()).pop();
    let value = value_or_bounds(&outcome, |value| game.value_text(value));
    let name = format!("{}, {}", algorithm.name(), plural(depth as usize, "ply"));
    let mut lines = for_people(name, &outcome, value, seconds, best, &tree.show(&pv));
    let shown = |value: Value| game.value_text(value);
    let asked = args.at_least.map(|least| answered(least, &outcome, shown));
    // After the value.
    lines.splice(2..2, estimated(&outcome, shown).into_iter().chain(asked));
    console.print(&format!("{}\n{}", line.picture(), labelled(&lines)))
}

fn for_people(
    name: String,
    outcome: &Outcome<String>,
    value: String,
    seconds: f64,
    best: Option<String>,
    pv: &[String],
) -> Vec<(&'static str, String)> {
    let mut lines = vec![
        ("algorithm", name),
        ("value", value),
        ("best", best.unwrap_or_else(|| "none: the game is over or nothing is known".into())),
    ];
    if !pv.is_empty() {
        lines.push(("variation", pv.join(" ")));
    }
    let leaves = outcome.counts.leaves;
    lines.push(("leaves", leaves.map_or_else(|| "unknown".into(), |n| thousands(n as f64, 0))));
    lines.extend(counted(outcome, seconds));
    lines
}
