//! `plyground best`: one position, one algorithm, the value, the move and the counts.

use clap::Args;
use serde::Serialize;

use super::console::Console;
use super::position::{self, GameArg};
use super::record::{Record, counted, labelled, value_or_bounds};
use super::{Chosen, LimitArgs, UpdateArg, chosen};
use crate::othello::{self, DISC, Evaluator, LONGEST_GAME, Othello, Picture};
use crate::report::thousands;
use crate::search::{Options, Outcome, Paths, Unwatched, principal_variation, search};

pub(super) const EXAMPLES: &str = "Examples:
  plyground best othello --depth 6
  plyground best othello --position f5d6c3d3c4 --algorithm sss --depth 5
  plyground best othello --position f5d6c3 --algorithm ps:4 --depth 6 --json";

#[derive(Debug, Args)]
pub(super) struct BestArgs {
    /// The game
    game: GameArg,
    /// 64 squares (X O -) and the side to move, or a transcript [default: the start]
    #[arg(
        long,
        value_name = "P",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    position: String,
    /// The algorithm: see `plyground algorithms`
    #[arg(long, value_name = "ID", value_parser = chosen, default_value = "pvs")]
    algorithm: Chosen,
    /// How many plies to search
    #[arg(long, value_name = "N", default_value_t = 6,
          value_parser = clap::value_parser!(u32).range(0..=i64::from(LONGEST_GAME)))]
    depth: u32,
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// How stored bounds are updated
    #[arg(long, value_enum, default_value_t)]
    update: UpdateArg,
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

pub(super) fn run(console: &Console, args: &BestArgs) -> anyhow::Result<()> {
    let GameArg::Othello = args.game;
    let position = position::othello(&args.position)?;
    let tree = Othello::new(position.board, Evaluator::default());
    let limits = args.limits.limits(console);
    let options =
        Options { depth: args.depth, limits, update: args.update.into(), ..Options::default() };
    let algorithm = &args.algorithm.algorithm;
    let (outcome, _) = search(&tree, algorithm, &options, Paths::new())?;
    // Times are taken without anybody watching.
    let seconds = match outcome.stopped {
        None => search(&tree, algorithm, &options, Unwatched)?.0.time,
        Some(_) => outcome.time,
    }
    .as_secs_f64();
    let pv = match outcome.value {
        Some(value) => principal_variation(&tree, args.depth, value, outcome.best, &options.limits),
        None => Vec::new(),
    };
    let best = outcome.best.map(shown);
    let pv: Vec<String> = pv.into_iter().map(shown).collect();
    if args.json {
        let search = Record::new(&args.algorithm.id, &outcome, seconds);
        return console.json(&BestRecord { search, best, pv });
    }
    let lines = for_people(&algorithm.name(), args.depth, &outcome, seconds, best, &pv);
    console.print(&format!("{}\n{}", Picture(&position), labelled(&lines)))
}

/// A move as people write it.
pub(super) fn shown(mv: othello::Move) -> String {
    mv.map_or_else(|| "pass".into(), |square| square.to_string())
}

fn for_people(
    name: &str,
    depth: u32,
    outcome: &Outcome<othello::Move>,
    seconds: f64,
    best: Option<String>,
    pv: &[String],
) -> Vec<(&'static str, String)> {
    let discs = |v| format!("{:+.2} discs", f64::from(v) / f64::from(DISC));
    let mut lines = vec![
        ("algorithm", format!("{name}, {depth} plies")),
        ("value", value_or_bounds(outcome, discs)),
        ("best", best.unwrap_or_else(|| "none: the game is over or nothing is known".into())),
    ];
    if !pv.is_empty() {
        lines.push(("variation", pv.join(" ")));
    }
    lines.push(("leaves", thousands(outcome.counts.leaves as f64, 0)));
    lines.extend(counted(outcome, seconds));
    lines
}
