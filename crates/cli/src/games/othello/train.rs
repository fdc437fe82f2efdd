//! `plyground train othello`: self-play, and pattern weights from it.

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};

use crate::cli::console::Console;
use crate::cli::train::{QuickFit, SelfPlayArgs, quick, self_play};
use plyground_engine::game::Game;
use plyground_engine::profile::Profile;
use plyground_games::othello::{Evaluator, Othello, PatternWeights};
use plyground_study::files::replace;
use plyground_study::report::thousands;
use plyground_train::othello::{ForecastFit, PatternFit, PatternReport, exact, positions};
use plyground_train::shard::{RecordedGame, games};

pub(crate) const EXAMPLES: &str = "Examples:
  plyground train othello --out games
  plyground train othello --out games --only games --shard 2/8
  plyground train othello --out games --only weights
  plyground train othello --quick";

/// The file of weights in the folder.
const WEIGHTS: &str = "othello-patterns.weights";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Only {
    /// Play games, and learn nothing from them yet
    Games,
    /// Learn from the games that are there
    Weights,
}

#[derive(Debug, Args)]
pub(crate) struct TrainArgs {
    #[command(flatten)]
    games: SelfPlayArgs,
    /// A part of the work alone
    #[arg(long, value_enum, value_name = "PART", conflicts_with = "quick")]
    only: Option<Only>,
    /// The most positions near the games that a stage near the end learns from besides, solved exactly
    #[arg(long, value_name = "N", default_value_t = 60_000,
          value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    positions: u64,
    /// Fit multi-probcut to this number of positions for every six empty squares; 0 for none
    #[arg(long, value_name = "N", default_value_t = 100)]
    forecasts: u32,
    /// The depth that those positions are searched to
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(4..=20))]
    forecast_depth: u32,
    /// Measure errors on this number of held-out positions, solved exactly
    #[arg(long, value_name = "N", default_value_t = 200)]
    exact: u32,
    /// The empty squares of those positions
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = [20, 25],
          value_parser = empties)]
    exact_empties: Vec<usize>,
}

fn empties(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=36).contains(number));
    number.ok_or_else(|| "expected a number of empty squares from 1 to 36".into())
}

pub(crate) fn run(console: &Console, args: &TrainArgs) -> anyhow::Result<()> {
    if args.games.quick {
        return quick::<Othello>(console, &args.games, &mut |games| Ok(vec![quick_fit(games)?]));
    }
    if args.only != Some(Only::Weights) {
        self_play::<Othello>(console, &args.games)?;
    }
    if args.only != Some(Only::Games) && !console.interrupted() {
        fit(console, args)?;
    }
    Ok(())
}

/// The positions of a stage in a quick check.
const QUICK_POSITIONS: usize = 1000;

fn quick_fit(games: &[RecordedGame]) -> anyhow::Result<QuickFit> {
    let fit =
        PatternFit { positions: QUICK_POSITIONS, seed: 1, progress: &mut |_| true }.run(games);
    let report = fit.context("the games teach nothing")?;
    let bytes = report.weights.to_bytes();
    let evaluator = Evaluator::from(report.weights);
    let loads = PatternWeights::from_bytes(&bytes).is_ok_and(|read| {
        let read = Evaluator::from(read);
        let mut boards = games.iter().flat_map(positions);
        boards.all(|(board, ..)| read.evaluate(&board) == evaluator.evaluate(&board))
    });
    Ok(QuickFit { name: "patterns", bytes, losses: report.losses, loads })
}

fn fit(console: &Console, args: &TrainArgs) -> anyhow::Result<()> {
    let folder = args.games.folder();
    let games = games(folder, Othello::NAME)?;
    ensure!(!games.is_empty(), "{} has no games to learn from", folder.display());
    let bar = console.progress(1000, "thousandths");
    let flag = console.flag();
    let mut progress = |done: f64| {
        bar.set_position((1000.0 * done) as u64);
        !flag.is_raised()
    };
    let positions = args.positions as usize;
    let fit = PatternFit { positions, seed: args.games.seed, progress: &mut progress };
    let report = { fit }.run(&games);
    bar.finish_and_clear();
    let Some(mut report) = report else { return Ok(()) };
    if args.forecasts > 0 {
        let Some(weights) = forecast(console, args, &games, report.weights)? else { return Ok(()) };
        report.weights = weights;
    }
    let path = folder.join(WEIGHTS);
    let bytes = report.weights.to_bytes();
    replace(&path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
    console.print(&table(&report))?;
    console.print(&format!("{}: {} bytes\n", path.display(), thousands(bytes.len() as f64, 0)))?;
    measure(console, args, &games, &report.weights.into())
}

/// The weights with the parameters of multi-probcut; `None` if it was stopped.
fn forecast(
    console: &Console,
    args: &TrainArgs,
    games: &[RecordedGame],
    weights: PatternWeights,
) -> anyhow::Result<Option<PatternWeights>> {
    let bar = console.progress(1000, "thousandths of the forecasts");
    let flag = console.flag();
    let mut progress = |done: f64| {
        bar.set_position((1000.0 * done) as u64);
        !flag.is_raised()
    };
    let (positions, depth) = (args.forecasts as usize, args.forecast_depth);
    let mut fit = ForecastFit { positions, depth, progress: &mut progress };
    let tables = fit.run(&Profile::standard(Othello::door())?, weights.to_bytes(), games)?;
    bar.finish_and_clear();
    let Some(tables) = tables else { return Ok(None) };
    let text = format!("{}{tables}", weights.text());
    Ok(Some(weights.with_text(text)?))
}

/// Compares the evaluators with exact scores, by searches of one ply.
fn measure(
    console: &Console,
    args: &TrainArgs,
    games: &[RecordedGame],
    patterns: &Evaluator,
) -> anyhow::Result<()> {
    for empties in args.exact_empties.iter().copied() {
        let boards = exact::candidates(games, empties);
        let boards = &boards[..boards.len().min(args.exact as usize)];
        if boards.is_empty() || console.interrupted() {
            break;
        }
        let file = args.games.folder().join(format!("othello-exact-{empties}.obf"));
        let bar = console.progress(boards.len() as u64, "positions solved");
        let solved = exact::solve_all(&file, boards, &console.flag(), &|done| {
            bar.set_position(done as u64);
        });
        bar.finish_and_clear();
        let solved = solved.with_context(|| format!("cannot use {}", file.display()))?;
        let [old, new] = [&Evaluator::default(), patterns].map(|e| exact::errors(e, &solved));
        let differences: Vec<f64> = old.iter().zip(&new).map(|(old, new)| new - old).collect();
        let ([old, spread], [new, new_spread]) = (mean(&old), mean(&new));
        let [difference, uncertain] = mean(&differences);
        console.print(&format!(
            "{empties} empties, {} positions solved: mean error of one ply {old:.2} ± {spread:.2} \
             discs with the standard evaluator, {new:.2} ± {new_spread:.2} with patterns \
             (ratio {:.2}, difference {difference:+.2} ± {uncertain:.2})\n",
            solved.len(),
            new / old.max(1e-9),
        ))?;
    }
    Ok(())
}

/// The mean, and half the width of its 95 % interval.
fn mean(numbers: &[f64]) -> [f64; 2] {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    [mean, 1.96 * (squares / (count - 1.0).max(1.0) / count).sqrt()]
}

/// The errors by stage, on games that nothing was learnt from.
fn table(report: &PatternReport) -> String {
    let mut text = format!(
        "{} games learnt from; mean errors in discs on games held out\n",
        thousands(report.games as f64, 0)
    );
    text += "  discs      learnt  held out  standard  patterns  ratio\n";
    for (stage, errors) in report.stages.iter().enumerate() {
        text += &format!(
            "{:>3}-{:<3} {:>11} {:>9} {:>9.2} {:>9.2} {:>6.2}\n",
            4 + 4 * stage,
            7 + 4 * stage,
            thousands(errors.learnt as f64, 0),
            thousands(errors.held_out as f64, 0),
            errors.standard,
            errors.error,
            errors.error / errors.standard.max(1e-9),
        );
    }
    text
}
