//! `plyground puzzle compare`.

use anyhow::ensure;
use clap::Args;
use serde_json::{Value as Json, json};

use super::{
    DomainArgs, FileArgs, KnownInstance, RunLimitArgs, SizeArgs, checked_heuristic, prepare,
    read_file,
};
use crate::cli::FormatArgs;
use crate::cli::batch::SeedArgs;
use crate::cli::console::{Console, FaultsFound, Format, csv, note};
use plyground_core::limits::Stop;
use plyground_core::tree::mix;
use plyground_puzzles::{Heuristic, Instance};
use plyground_search::single_agent::{
    AStar, BoundedAStar, BranchAndBound, Ida, Rbfs, SingleAgent, SolveSpec,
};
use plyground_study::experiment::Mean;
use plyground_study::report::{Align, TextTable, thousands};

pub(super) const EXAMPLES: &str = "Examples:
  plyground puzzle compare --domain 8-puzzle --count 50
  plyground puzzle compare --domain 15-puzzle --heuristics manhattan,pattern
  plyground puzzle compare --domain tsp --cities 8 --json
  plyground puzzle compare --domain 8-puzzle --simulate --algorithms pida:4";

#[derive(Debug, Args)]
pub(super) struct ComparePuzzleArgs {
    #[command(flatten)]
    domain: DomainArgs,
    /// The searches, separated by commas: see `plyground algorithms --players 1`
    #[arg(long, value_name = "ID,ID,…", value_delimiter = ',', default_values_t = usual())]
    algorithms: Vec<SingleAgent>,
    /// The heuristics of a puzzle, separated by commas [default: manhattan]
    #[arg(long, value_name = "NAME,NAME,…", value_delimiter = ',', alias = "heuristic")]
    heuristics: Vec<Heuristic>,
    /// How many problems
    #[arg(long, value_name = "N", default_value_t = 20,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    count: u64,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    size: SizeArgs,
    #[command(flatten)]
    file: FileArgs,
    #[command(flatten)]
    limits: RunLimitArgs,
    #[command(flatten)]
    format: FormatArgs,
}

/// One of each kind.
fn usual() -> Vec<SingleAgent> {
    let memory = BoundedAStar::usual();
    vec![AStar.into(), Ida.into(), Rbfs.into(), memory.into(), BranchAndBound.into()]
}

/// What one search did on all problems.
#[derive(Default)]
struct PuzzleSummary {
    algorithm: String,
    heuristic: &'static str,
    problems: u64,
    solved: u64,
    means: PuzzleMeans,
    /// Why searches were stopped, if some were.
    stopped: Option<&'static str>,
}

impl PuzzleSummary {
    /// What `--json` prints: means, and null where nothing was solved.
    fn object(&self) -> Json {
        let PuzzleMeans { cost, expanded, generated, peak_stored, peak_bytes, ticks, seconds } =
            &self.means;
        let mean = |mean: &Mean| (mean.count() > 0).then(|| mean.mean());
        json!({
            "algorithm": self.algorithm, "heuristic": self.heuristic, "problems": self.problems,
            "solved": self.solved, "cost": mean(cost), "expanded": mean(expanded),
            "generated": mean(generated), "peak_stored": mean(peak_stored),
            "peak_bytes": mean(peak_bytes), "ticks": mean(ticks), "seconds": mean(seconds),
            "stopped": self.stopped,
        })
    }
}

/// Means over the problems that were solved.
#[derive(Default)]
struct PuzzleMeans {
    cost: Mean,
    expanded: Mean,
    generated: Mean,
    peak_stored: Mean,
    peak_bytes: Mean,
    ticks: Mean,
    seconds: Mean,
}

pub(super) fn run(console: &Console, args: &ComparePuzzleArgs) -> anyhow::Result<()> {
    let domain = args.domain.domain;
    let problems = match &args.file.file {
        Some(file) => {
            ensure!(
                !args.size.is_given(),
                "--moves, --cities, --size and --walls are for problems by chance; with --file they have no effect"
            );
            read_file(domain, file)?
        }
        None => {
            let size = args.size.size(domain)?;
            let make = |number| Instance::make(domain, &size, mix(args.seed.seed, number));
            let made: Result<Vec<_>, _> = (0..args.count).map(make).collect();
            made?.into_iter().map(|instance| KnownInstance { instance, cost: None }).collect()
        }
    };
    let heuristics = match args.heuristics.as_slice() {
        [] => vec![checked_heuristic(domain, None)?],
        asked => asked
            .iter()
            .map(|asked| checked_heuristic(domain, Some(*asked)))
            .collect::<Result<_, _>>()?,
    };
    heuristics.iter().for_each(|heuristic| prepare(console, domain, *heuristic));
    let mut specs = Vec::new();
    for algorithm in &args.algorithms {
        specs.push(args.limits.spec(console, algorithm, false)?);
    }
    let searches: Vec<(&SolveSpec, Heuristic)> =
        specs.iter().flat_map(|spec| heuristics.iter().map(move |h| (spec, *h))).collect();
    let mut summaries: Vec<PuzzleSummary> = searches
        .iter()
        .map(|(spec, heuristic)| PuzzleSummary {
            algorithm: spec.algorithm().to_string(),
            heuristic: problems[0].instance.heuristic_name(*heuristic),
            ..PuzzleSummary::default()
        })
        .collect();
    let bar = console.progress(problems.len() as u64, "problems");
    let mut faults = 0;
    let mut done = 0;
    'problems: for KnownInstance { instance, cost } in &problems {
        let mut known = *cost;
        for ((spec, heuristic), summary) in searches.iter().zip(&mut summaries) {
            let solution = instance.solve(*heuristic, spec)?;
            if solution.stopped == Some(Stop::Flag) {
                break 'problems;
            }
            summary.problems += 1;
            if let Some(stop) = solution.stopped {
                summary.stopped = Some(stop.name());
                continue;
            }
            if known.is_some() && solution.cost != known {
                faults += 1;
                let (id, found) = (spec.algorithm(), solution.cost);
                note(&format!("{instance}: {id} says {found:?}, others {known:?}"));
            }
            known = solution.cost;
            summary.solved += 1;
            let means = &mut summary.means;
            means.cost.add(f64::from(solution.cost.unwrap_or(0)));
            means.expanded.add(solution.counts.expanded as f64);
            means.generated.add(solution.counts.generated as f64);
            means.peak_stored.add(solution.counts.peak_stored as f64);
            means.peak_bytes.add(solution.counts.peak_bytes as f64);
            if let Some(ticks) = solution.ticks {
                means.ticks.add(ticks as f64);
            }
            means.seconds.add(solution.time.as_secs_f64());
        }
        done += 1;
        bar.inc(1);
    }
    bar.finish_and_clear();
    match args.format.format() {
        Format::Json => summaries.iter().try_for_each(|summary| console.json(&summary.object()))?,
        Format::Csv => {
            let rows: Vec<Json> = summaries.iter().map(PuzzleSummary::object).collect();
            console.print(&csv(&rows))?;
        }
        Format::Text => {
            let title = format!("{domain}: means over the problems that were solved, of {done}");
            console.table(&table(title, &args.algorithms, &summaries), args.format.wide)?;
        }
    }
    console.note_interruption(done, problems.len() as u64, "problems");
    ensure!(faults == 0, FaultsFound);
    Ok(())
}

fn table(title: String, algorithms: &[SingleAgent], summaries: &[PuzzleSummary]) -> TextTable {
    let mut table = TextTable::new(title);
    table.column("search", Align::Left);
    table.column("heuristic", Align::Left);
    let simulated = summaries.iter().any(|summary| summary.means.ticks.count() > 0);
    // What a narrow terminal leaves out first has the greatest rank.
    for (name, rank) in
        [("solved", 0), ("cost", 0), ("expanded", 0), ("generated", 2), ("stored", 1), ("KB", 3)]
    {
        table.optional(name, Align::Right, rank);
    }
    if simulated {
        table.column("ticks", Align::Right);
    }
    table.column("ms", Align::Right);
    let each = summaries.len() / algorithms.len();
    for (number, summary) in summaries.iter().enumerate() {
        let means = &summary.means;
        let mean = |mean: &Mean, scale: f64, decimals| match mean.count() {
            0 => "–".into(),
            _ => thousands(mean.mean() * scale, decimals),
        };
        let mut row = vec![
            algorithms[number / each].name(),
            summary.heuristic.into(),
            match summary.stopped {
                Some(stop) => format!("{}, {stop}", summary.solved),
                None => summary.solved.to_string(),
            },
            mean(&means.cost, 1.0, 1),
            mean(&means.expanded, 1.0, 0),
            mean(&means.generated, 1.0, 0),
            mean(&means.peak_stored, 1.0, 0),
            mean(&means.peak_bytes, 1.0 / 1024.0, 1),
        ];
        if simulated {
            row.push(mean(&means.ticks, 1.0, 0));
        }
        row.push(mean(&means.seconds, 1e3, 2));
        table.row(row);
    }
    table
}
