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
    self, AStar, BoundedAStar, BranchAndBound, Ida, Rbfs, SingleAgent, SolveSpec,
};
use plyground_study::experiment::Mean;
use plyground_study::report::{Align, TextTable, thousands};

pub(super) const EXAMPLES: &str = "Examples:
  plyground puzzle compare --domain 8-puzzle --count 50
  plyground puzzle compare --domain 15-puzzle --heuristics manhattan,pattern
  plyground puzzle compare --domain tsp --cities 8 --json
  plyground puzzle compare --domain 8-puzzle --simulate --algorithms pida:4
  plyground puzzle compare --domain 8-puzzle --all-states --count 500

With --all-states every state of a small puzzle is a problem, and breadth-first search says what it costs: the
searches are held against that. Without --count, --algorithms and --heuristics that is every state, every
kind of search and every heuristic, and takes many minutes.";

#[derive(Debug, Args)]
pub(super) struct ComparePuzzleArgs {
    #[command(flatten)]
    domain: DomainArgs,
    /// The searches, separated by commas: see `plyground algorithms --players 1` [default: the serial ones;
    /// with --all-states the parallel ones too]
    #[arg(long, value_name = "ID,ID,…", value_delimiter = ',')]
    algorithms: Vec<SingleAgent>,
    /// The heuristics of a puzzle, separated by commas [default: manhattan; with --all-states all]
    #[arg(long, value_name = "NAME,NAME,…", value_delimiter = ',', alias = "heuristic")]
    heuristics: Vec<Heuristic>,
    /// Take all states of a small puzzle, and hold the costs against breadth-first search
    #[arg(long, conflicts_with_all = ["file", "seed", "moves"])]
    all_states: bool,
    /// How many problems [default: 20; all there are with --all-states, of which N are taken evenly]
    #[arg(long, value_name = "N", conflicts_with = "file",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    count: Option<u64>,
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

/// How many problems are made by chance.
const USUAL_COUNT: u64 = 20;

impl ComparePuzzleArgs {
    /// The problems, and what they cost where that is known.
    fn problems(&self) -> anyhow::Result<Vec<KnownInstance>> {
        let domain = self.domain.domain;
        if let Some(file) = &self.file.file {
            ensure!(
                !self.size.is_given(),
                "--moves, --cities, --size and --walls are for problems by chance; with --file they have no effect"
            );
            return read_file(domain, file);
        }
        let size = self.size.size(domain)?;
        if self.all_states {
            let all = Instance::all(domain)?;
            let wanted = self.count.map_or(all.len(), |count| all.len().min(count as usize));
            let taken = (0..wanted).map(|number| all[number * all.len() / wanted].clone());
            let known = |(instance, cost)| KnownInstance { instance, cost: Some(cost) };
            return Ok(taken.map(known).collect());
        }
        let make = |number| Instance::make(domain, &size, mix(self.seed.seed, number));
        let made: Result<Vec<_>, _> = (0..self.count.unwrap_or(USUAL_COUNT)).map(make).collect();
        let known = |instance| KnownInstance { instance, cost: None };
        Ok(made?.into_iter().map(known).collect())
    }

    /// The searches.
    fn algorithms(&self) -> Vec<SingleAgent> {
        match self.algorithms.as_slice() {
            [] if self.all_states => single_agent::examples().collect(),
            [] => {
                let memory = BoundedAStar::usual();
                vec![AStar.into(), Ida.into(), Rbfs.into(), memory.into(), BranchAndBound.into()]
            }
            asked => asked.to_vec(),
        }
    }

    /// The heuristics.
    fn heuristics(&self) -> anyhow::Result<Vec<Heuristic>> {
        let domain = self.domain.domain;
        match self.heuristics.as_slice() {
            [] if self.all_states => Ok(Heuristic::ALL.into()),
            [] => Ok(vec![checked_heuristic(domain, None)?]),
            asked => asked.iter().map(|asked| checked_heuristic(domain, Some(*asked))).collect(),
        }
    }
}

/// What one search did on all problems.
#[derive(Default)]
struct PuzzleSummary {
    algorithm: String,
    heuristic: &'static str,
    problems: u64,
    solved: u64,
    /// How many of the solutions have another cost than the problem, or do not lead to its goal.
    wrong: u64,
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
            "solved": self.solved, "wrong": self.wrong, "cost": mean(cost), "expanded": mean(expanded),
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
    let problems = args.problems()?;
    let (algorithms, heuristics) = (args.algorithms(), args.heuristics()?);
    heuristics.iter().for_each(|heuristic| prepare(console, domain, *heuristic));
    let mut specs = Vec::new();
    for algorithm in &algorithms {
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
    let mut done = 0;
    'problems: for KnownInstance { instance, cost } in &problems {
        let mut known = cost.map(Some);
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
            let shown = |cost: Option<u32>| cost.map_or("none".into(), |cost| cost.to_string());
            let (found, known) = (solution.cost, *known.get_or_insert(solution.cost));
            if found != known || found.is_some() && instance.cost_of(&solution.path) != found {
                summary.wrong += 1;
                let (found, known) = (shown(found), shown(known));
                note(&format!(
                    "{instance}: {} with {} finds cost {found} where it is {known}, or a path that does not \
                     lead there",
                    spec.algorithm(),
                    summary.heuristic
                ));
            }
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
            let mut table = table(title, &algorithms, &summaries);
            if args.all_states {
                let right =
                    summaries.iter().map(|summary| summary.solved - summary.wrong).sum::<u64>();
                let solved = summaries.iter().map(|summary| summary.solved).sum::<u64>();
                table.note(format!(
                    "{} of {} solutions have the cost that breadth-first search finds.",
                    thousands(right as f64, 0),
                    thousands(solved as f64, 0)
                ));
            }
            console.table(&table, args.format.wide)?;
        }
    }
    console.note_interruption(done, problems.len() as u64, "problems");
    ensure!(summaries.iter().all(|summary| summary.wrong == 0), FaultsFound);
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
