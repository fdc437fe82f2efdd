//! `plyground train chess`: self-play, and weights from it.

use anyhow::{Context, ensure};
use clap::Args;

use crate::cli::console::Console;
use crate::cli::train::{QuickFit, SelfPlayArgs, quick, self_play};
use plyground_engine::game::Game;
use plyground_engine::profile::Weights;
use plyground_games::chess::{Board, Chess, Evaluator, Network};
use plyground_study::files::replace;
use plyground_study::report::thousands;
use plyground_train::chess::{NetworkFit, WeightFit, positions};
use plyground_train::shard::{RecordedGame, games};

pub(crate) const EXAMPLES: &str = "Examples:
  plyground train chess --out games --games 100000
  plyground train chess --out games --games 100000 --shard 2/8
  plyground train chess --out games --weights
  plyground train chess --out games --network
  plyground train chess --quick";

/// The files of what was learnt, in the folder.
const WEIGHTS: &str = "chess-tuned.toml";
const NETWORK: &str = "chess.network";

/// Passes over all positions, unless a user says otherwise.
const WEIGHT_PASSES: u64 = 300;
const NETWORK_PASSES: u64 = 20;
/// Lessons, unless a user says otherwise.
const LESSONS: u64 = 100_000_000;

#[derive(Debug, Args)]
pub(crate) struct TrainArgs {
    #[command(flatten)]
    games: SelfPlayArgs,
    /// Tune the hand-made weights on the games that are there, and play none
    #[arg(long, group = "learns", conflicts_with = "quick")]
    weights: bool,
    /// Train a network on the games that are there, and play none
    #[arg(long, group = "learns", conflicts_with = "quick")]
    network: bool,
    /// The most positions to learn from
    #[arg(long, value_name = "N", default_value_t = 100_000_000, requires = "learns",
          value_parser = clap::value_parser!(u64).range(1..=200_000_000))]
    positions: u64,
    /// Positions near the games that a network learns to judge as its teacher does, before it learns
    /// from the games [default: 100000000; 0 if the teacher is a network]
    #[arg(long, value_name = "N", requires = "network",
          value_parser = clap::value_parser!(u64).range(0..=10_000_000_000))]
    lessons: Option<u64>,
    /// The evaluator that teaches, a name or a file of weights; a network begins as its teacher is, if that
    /// is a network, and learns further
    #[arg(long, value_name = "EVALUATOR", default_value = "tuned", requires = "network")]
    teacher: String,
    /// Passes over all positions [default: 300 for weights, 20 for a network]
    #[arg(long, value_name = "N", requires = "learns",
          value_parser = clap::value_parser!(u64).range(1..=100_000))]
    passes: Option<u64>,
}

pub(crate) fn run(console: &Console, args: &TrainArgs) -> anyhow::Result<()> {
    if args.games.quick {
        let seed = args.games.seed;
        return quick::<Chess>(console, &args.games, &mut |games| {
            Ok(vec![quick_weights(games)?, quick_network(games, seed)?])
        });
    }
    match (args.weights, args.network) {
        (true, _) => tune(console, args),
        (_, true) => learn(console, args),
        _ => self_play::<Chess>(console, &args.games),
    }
}

fn quick_weights(games: &[RecordedGame]) -> anyhow::Result<QuickFit> {
    let (passes, positions) = (30, 1_000_000);
    let fit = WeightFit { passes, positions, progress: &mut |_| true };
    let report = { fit }.run(games, &Evaluator::default()).context("the games teach nothing")?;
    let text = Evaluator::to_toml(&report.weights, "A quick check.");
    let loads = Evaluator::from_toml(&text).is_ok_and(|read| read.weights() == &*report.weights);
    Ok(QuickFit { name: "weights", bytes: text.into(), losses: report.losses, loads })
}

fn quick_network(games: &[RecordedGame], seed: u64) -> anyhow::Result<QuickFit> {
    let (passes, most) = (3, 1_000_000);
    let (lessons, threads, progress) = (100_000, 2, &mut |_, _| true);
    let fit = NetworkFit { passes, positions: most, seed, lessons, threads, progress };
    let report = { fit }.run(games, &Evaluator::tuned())?.context("the games teach nothing")?;
    let bytes = report.network.to_bytes();
    let loads = Network::from_bytes(&bytes).is_ok_and(|read| {
        let same = |board: &Board| read.evaluate_anew(board) == report.network.evaluate_anew(board);
        games.iter().flat_map(positions).all(|(board, ..)| same(&board))
    });
    Ok(QuickFit { name: "network", bytes, losses: report.losses, loads })
}

fn read(args: &TrainArgs) -> anyhow::Result<Vec<RecordedGame>> {
    let folder = args.games.folder();
    let games = games(folder, Chess::NAME)?;
    ensure!(!games.is_empty(), "{} has no games to learn from", folder.display());
    Ok(games)
}

fn learn(console: &Console, args: &TrainArgs) -> anyhow::Result<()> {
    let teacher = Weights::find(Chess::door(), &args.teacher)?.evaluator::<Chess>()?;
    let lessons = if teacher.network().is_some() { 0 } else { LESSONS };
    let games = read(args)?;
    let passes = args.passes.unwrap_or(NETWORK_PASSES);
    let bar = console.progress(1000, "thousandths");
    let flag = console.flag();
    let mut progress = |done: f64, error: f64| {
        bar.set_message(format!("thousandths, error {error:.5}"));
        bar.set_position((1000.0 * done) as u64);
        !flag.is_raised()
    };
    let mut fit = NetworkFit {
        passes: passes as usize,
        positions: args.positions as usize,
        seed: args.games.seed,
        lessons: args.lessons.unwrap_or(lessons) as usize,
        threads: args.games.threads(),
        progress: &mut progress,
    };
    let report = fit.run(&games, &teacher);
    bar.finish_and_clear();
    let Some(report) = report? else { return Ok(()) };
    let path = args.games.folder().join(NETWORK);
    replace(&path, &report.network.to_bytes())
        .with_context(|| format!("cannot write {}", path.display()))?;
    console.print(&format!(
        "{} positions learnt from, {} held out\n\
         mean squared error on what was held out: {:.5} by the teacher, {:.5} by the network \
         ({:.5} before rounding)\n{}\n",
        thousands(report.positions[0] as f64, 0),
        thousands(report.positions[1] as f64, 0),
        report.errors[0],
        report.errors[2],
        report.errors[1],
        path.display(),
    ))
}

fn tune(console: &Console, args: &TrainArgs) -> anyhow::Result<()> {
    let games = read(args)?;
    let passes = args.passes.unwrap_or(WEIGHT_PASSES);
    let bar = console.progress(passes, "passes");
    let flag = console.flag();
    let mut progress = |done: f64| {
        bar.set_position((passes as f64 * done) as u64);
        !flag.is_raised()
    };
    let (passes, positions) = (passes as usize, args.positions as usize);
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
    let path = args.games.folder().join(WEIGHTS);
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
