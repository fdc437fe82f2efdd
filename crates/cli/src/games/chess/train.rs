//! `plyground train chess`: self-play, and weights from it.

use anyhow::{Context, ensure};
use clap::Args;

use crate::cli::console::Console;
use crate::cli::train::{SelfPlayArgs, self_play};
use plyground_engine::game::Game;
use plyground_games::chess::{Chess, Evaluator};
use plyground_study::files::replace;
use plyground_study::report::thousands;
use plyground_train::chess::WeightFit;
use plyground_train::shard::games;

pub(crate) const EXAMPLES: &str = "Examples:
  plyground train chess --out games --games 100000
  plyground train chess --out games --games 100000 --shard 2/8
  plyground train chess --out games --weights";

/// The file of weights in the folder.
const WEIGHTS: &str = "chess-tuned.toml";

#[derive(Debug, Args)]
pub(crate) struct TrainArgs {
    #[command(flatten)]
    games: SelfPlayArgs,
    /// Tune the hand-made weights on the games that are there, and play none
    #[arg(long)]
    weights: bool,
    /// The most positions to learn from
    #[arg(long, value_name = "N", default_value_t = 4_000_000, requires = "weights",
          value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    positions: u64,
    /// Passes over all positions
    #[arg(long, value_name = "N", default_value_t = 300, requires = "weights",
          value_parser = clap::value_parser!(u64).range(1..=100_000))]
    passes: u64,
}

pub(crate) fn run(console: &Console, args: &TrainArgs) -> anyhow::Result<()> {
    if args.weights { tune(console, args) } else { self_play::<Chess>(console, &args.games) }
}

fn tune(console: &Console, args: &TrainArgs) -> anyhow::Result<()> {
    let folder = &args.games.out;
    let games = games(folder, Chess::NAME)?;
    ensure!(!games.is_empty(), "{} has no games to learn from", folder.display());
    let bar = console.progress(args.passes, "passes");
    let flag = console.flag();
    let mut progress = |done: f64| {
        bar.set_position((args.passes as f64 * done) as u64);
        !flag.is_raised()
    };
    let (passes, positions) = (args.passes as usize, args.positions as usize);
    let fit = WeightFit { passes, positions, progress: &mut progress };
    let report = { fit }.run(&games, &Evaluator::default());
    bar.finish_and_clear();
    let Some(report) = report else { return Ok(()) };
    let about = format!(
        "The weights of the chess evaluator, [middlegame, endgame] in hundredths of a pawn, tuned on\n\
         {} quiet positions of {} games of self-play: plyground train chess --weights.",
        report.positions[0],
        games.len(),
    );
    let path = folder.join(WEIGHTS);
    replace(&path, Evaluator::to_toml(&report.weights, &about).as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))?;
    console.print(&format!(
        "{} positions learnt from, {} held out; a value of {:.0} scores 73 %\n\
         mean squared error on what was held out: {:.5} before, {:.5} after\n{}\n",
        thousands(report.positions[0] as f64, 0),
        thousands(report.positions[1] as f64, 0),
        report.scale,
        report.errors[0],
        report.errors[1],
        path.display(),
    ))
}
