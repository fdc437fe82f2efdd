//! `plyground best`: one position, one algorithm, the value, the move and the counts.

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use super::console::Console;
use super::engine::EngineArgs;
use super::record::{Record, counted, labelled, value_or_bounds};
use super::{LimitArgs, ProcessArgs};
use plyground_engine::game::{Game, GameName, GameTask};
use plyground_engine::games::Games;
use plyground_games::othello::LONGEST_GAME;
use plyground_search::{Outcome, Paths, Unwatched, principal_variation, search};
use plyground_study::report::thousands;

pub(super) const EXAMPLES: &str = "Examples:
  plyground best othello --depth 6
  plyground best othello --position f5d6c3d3c4 --algorithm sss --depth 5
  plyground best chess --position '6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1' --algorithm mtd-f
  plyground best chess --engine chess-mtd-f --depth 7
  plyground best chess --memory table+history --deepening --depth 6 --json";

#[derive(Debug, Args)]
pub(super) struct BestArgs {
    /// othello or chess
    game: GameName,
    /// Othello: 64 squares (X O -) and the side to move, or a transcript; chess: a FEN
    /// [default: the start]
    #[arg(
        long,
        value_name = "P",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    position: String,
    /// How many plies to search [default: the engine's, else 6]
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u32).range(0..=i64::from(LONGEST_GAME)))]
    depth: Option<u32>,
    /// One JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: EngineArgs,
    #[command(flatten)]
    processes: ProcessArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

/// What `--json` prints.
#[derive(Serialize)]
struct BestRecord<'a> {
    #[serde(flatten)]
    search: Record<'a>,
    best: Option<String>,
    pv: Vec<String>,
}

pub(super) fn run(console: &Console, games: &Games, args: &BestArgs) -> anyhow::Result<()> {
    args.game.dispatch(Best { console, games, args })
}

struct Best<'a> {
    console: &'a Console,
    games: &'a Games,
    args: &'a BestArgs,
}

impl GameTask for Best<'_> {
    type Output = anyhow::Result<()>;

    fn run<G: Game>(self) -> anyhow::Result<()> {
        let Best { console, games, args } = self;
        let position = G::position(&args.position).context("the position")?;
        let (profile, id) = args.engine.profile(games, G::door())?;
        let tree = G::from_position(&position, profile.evaluator.evaluator::<G>()?);
        let depth = args.depth.or(profile.depth).unwrap_or(6);
        let mut options = profile.options(depth);
        args.limits.apply(&mut options.limits, console);
        let algorithm = &profile.algorithm;
        args.processes.apply(&mut options, algorithm)?;
        let (outcome, _) = search(&tree, algorithm, &options, Paths::new())?;
        // Times are taken without anybody watching.
        let seconds = match outcome.stopped {
            None => search(&tree, algorithm, &options, Unwatched)?.0.time,
            Some(_) => outcome.time,
        }
        .as_secs_f64();
        let pv = match outcome.value {
            Some(value) => principal_variation(&tree, depth, value, outcome.best, &options.limits),
            None => Vec::new(),
        };
        let best = outcome.best.as_slice();
        if args.json {
            let search = Record::new(&id, &outcome, seconds);
            let (best, pv) = (G::written(&position, best).pop(), G::written(&position, &pv));
            return console.json(&BestRecord { search, best, pv });
        }
        let (best, pv) = (G::shown(&position, best).pop(), G::shown(&position, &pv));
        let value = value_or_bounds(&outcome, G::value_text);
        let name = format!("{}, {depth} plies", algorithm.name());
        let lines = for_people(name, &outcome, value, seconds, best, &pv);
        console.print(&format!("{}\n{}", G::picture(&position), labelled(&lines)))
    }
}

fn for_people<M>(
    name: String,
    outcome: &Outcome<M>,
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
    lines.push(("leaves", thousands(outcome.counts.leaves as f64, 0)));
    lines.extend(counted(outcome, seconds));
    lines
}
