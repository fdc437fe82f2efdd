//! `plyground train othello`: self-play, and pattern weights from it.

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};

use crate::cli::console::Console;
use crate::cli::train::{QuickFit, SelfPlayArgs, quick, self_play};
use plyground_engine::game::Game;
use plyground_engine::profile::{Profile, Weights};
use plyground_games::othello::{Evaluator, Othello, PatternWeights};
use plyground_study::files::replace;
use plyground_study::report::thousands;
use plyground_train::othello::{
    EarlierWeights, ForecastFit, PatternFit, PatternReport, exact, positions,
};
use plyground_train::shard::{RecordedGame, games};

pub(crate) const EXAMPLES: &str = "Examples:
  plyground train othello --out games
  plyground train othello --out games --only games --shard 2/8
  plyground train othello --out games --only weights
  plyground train othello --out games --only weights --from patterns
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
    /// Begin with these pattern weights, `patterns` or a file, and learn what to change in them
    #[arg(long, value_name = "EVALUATOR", conflicts_with = "quick")]
    from: Option<String>,
    /// How many games those count for, beside the games that are there: what they were learnt from
    #[arg(long, value_name = "N", default_value_t = 0, requires = "from",
          value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    from_games: u64,
    /// Fit multi-probcut to this number of positions for every six empty squares; 0 for none, or for those
    /// of the weights to begin with
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
    let progress = &mut |_| true;
    let fit = PatternFit { positions: QUICK_POSITIONS, seed: 1, earlier: None, progress };
    let fit = { fit }.run(games);
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
    let from = args.from.as_deref().map(|name| anyhow::Ok((name, evaluator(name)?))).transpose()?;
    let earlier = match &from {
        Some((name, evaluator)) => {
            let weights = evaluator.pattern_weights();
            let weights = weights.with_context(|| format!("--from {name}: no pattern weights"))?;
            Some(EarlierWeights { weights, games: args.from_games })
        }
        None => None,
    };
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
    let fit = PatternFit { positions, seed: args.games.seed, earlier, progress: &mut progress };
    let report = { fit }.run(&games);
    bar.finish_and_clear();
    let Some(mut report) = report else { return Ok(()) };
    if let Some(tables) = earlier.filter(|_| args.forecasts == 0).map(forecasts_of) {
        let text = format!("{}{tables}", report.weights.text());
        report.weights = report.weights.with_text(text)?;
    }
    if args.forecasts > 0 {
        let Some(weights) = forecast(console, args, &games, report.weights)? else { return Ok(()) };
        report.weights = weights;
    }
    let path = folder.join(WEIGHTS);
    let bytes = report.weights.to_bytes();
    replace(&path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
    console.print(&table(&report))?;
    console.print(&format!("{}: {} bytes\n", path.display(), thousands(bytes.len() as f64, 0)))?;
    let mut evaluators = vec![("the standard evaluator", Evaluator::default())];
    evaluators.extend(from.map(|(_, evaluator)| ("the weights to begin with", evaluator)));
    evaluators.push(("patterns", report.weights.into()));
    measure(console, args, &games, &evaluators)
}

/// The tables of forecasts in the text of weights.
fn forecasts_of(earlier: EarlierWeights<'_>) -> &str {
    let text = earlier.weights.text();
    text.find("[[forecast]]").map_or("", |at| &text[at..])
}

/// An evaluator by its name or its file.
fn evaluator(name: &str) -> anyhow::Result<Evaluator> {
    Ok(Weights::find(Othello::door(), name)?.evaluator::<Othello>()?)
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
    evaluators: &[(&str, Evaluator)],
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
        console.print(&format!(
            "{empties} empties, {} positions solved; mean errors of one ply in discs\n",
            solved.len()
        ))?;
        let errors: Vec<Vec<f64>> =
            evaluators.iter().map(|(_, evaluator)| exact::errors(evaluator, &solved)).collect();
        for ((name, _), own) in evaluators.iter().zip(&errors) {
            let [mean, spread] = mean(own);
            let mut line = format!("  {name:<26} {mean:.2} ± {spread:.2}");
            for ((other, _), theirs) in evaluators.iter().zip(&errors) {
                if other == name {
                    break;
                }
                let [ratio, low, high] = exact::ratio(own, theirs);
                line += &format!("; {ratio:.3} of {other} ({low:.3} to {high:.3})");
            }
            console.print(&(line + "\n"))?;
        }
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
    let earlier = report.stages.iter().any(|errors| errors.earlier.is_some());
    let heading = if earlier { "   before" } else { "" };
    text += &format!("  discs      learnt  held out  standard{heading}  patterns  ratio\n");
    for (stage, errors) in report.stages.iter().enumerate() {
        let before = match errors.earlier {
            Some(error) => format!(" {error:>8.2}"),
            None if earlier => " ".repeat(9),
            None => String::new(),
        };
        text += &format!(
            "{:>3}-{:<3} {:>11} {:>9} {:>9.2}{before} {:>9.2} {:>6.2}\n",
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
