//! `plyground puzzle solve`.

use anyhow::ensure;
use clap::Args;
use serde::Serialize;

use super::{
    DomainArgs, FileArgs, KnownInstance, RunLimitArgs, checked_heuristic, prepare, read_file,
    usual_algorithm,
};
use crate::cli::FormatArgs;
use crate::cli::console::{Console, FaultsFound, Format, csv, note};
use crate::cli::record::labelled;
use plyground_puzzles::{Heuristic, Instance, ProblemStep};
use plyground_search::single_agent::{SingleAgent, Solution, SolveCounts};
use plyground_study::report::{Align, TextTable, thousands};

pub(super) const EXAMPLES: &str = "Examples:
  plyground puzzle solve --domain 8-puzzle '8 7 6 5 4 3 2 1 0' --json
  plyground puzzle solve --domain 8-puzzle --file my.txt --algorithm a-star
  plyground puzzle solve --domain 15-puzzle --file my.txt --heuristic pattern
  plyground puzzle solve --domain grid 'S..#/.#../...G' --algorithm rbfs
  plyground puzzle solve --domain tsp '0,0 3,4 6,0' --algorithm branch-and-bound
  plyground puzzle solve --domain grid --file f --algorithm pida:4 --simulate

A puzzle is its numbers row by row, 0 for the blank; in order they are 0 1 2 … A solution of a puzzle is
the tiles that slide, of a tsp the cities in their order, of a grid the directions N, W, E, S.";

#[derive(Debug, Args)]
pub(super) struct SolveArgs {
    /// The problem; or all of --file
    #[arg(conflicts_with = "file", required_unless_present = "file", allow_hyphen_values = true)]
    instance: Option<String>,
    #[command(flatten)]
    file: FileArgs,
    #[command(flatten)]
    domain: DomainArgs,
    /// The search: see `plyground algorithms --players 1`
    #[arg(long, value_name = "ID", default_value_t = usual_algorithm())]
    algorithm: SingleAgent,
    /// The heuristic of a puzzle: manhattan, linear-conflict or pattern [default: manhattan]
    #[arg(long, value_name = "NAME")]
    heuristic: Option<Heuristic>,
    /// Find all optimal solutions
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    limits: RunLimitArgs,
    #[command(flatten)]
    format: FormatArgs,
}

/// What `--json` prints.
#[derive(Serialize)]
struct SolveRecord<'a> {
    domain: String,
    algorithm: String,
    heuristic: &'static str,
    instance: String,
    cost: Option<u32>,
    optimal: bool,
    #[serde(flatten)]
    counts: SolveCounts,
    seconds: f64,
    path: &'a [ProblemStep],
    /// All optimal solutions, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    solutions: Option<&'a [Vec<ProblemStep>]>,
    /// The time of a simulated search.
    #[serde(skip_serializing_if = "Option::is_none")]
    ticks: Option<u64>,
    /// Every solution costs at least this.
    lower_bound: u32,
    stopped: Option<&'static str>,
}

pub(super) fn run(console: &Console, args: &SolveArgs) -> anyhow::Result<()> {
    let domain = args.domain.domain;
    let heuristic = checked_heuristic(domain, args.heuristic)?;
    let spec = args.limits.spec(console, &args.algorithm, args.all)?;
    let problems = match (&args.instance, &args.file.file) {
        (Some(text), _) => {
            vec![KnownInstance { instance: Instance::parse(domain, text)?, cost: None }]
        }
        (None, Some(file)) => read_file(domain, file)?,
        (None, None) => Vec::new(),
    };
    prepare(console, domain, heuristic);
    let format = args.format.format();
    let bar = console.progress(problems.len() as u64, "problems");
    let mut faults = 0;
    let mut done = Vec::new();
    for KnownInstance { instance, cost } in &problems {
        let solution = instance.solve(heuristic, &spec)?;
        bar.inc(1);
        if let (Some(known), Some(found), true) = (cost, solution.cost, solution.optimal)
            && *known != found
        {
            faults += 1;
            note(&format!("{instance}: the cost is {found}, where the file says {known}"));
        }
        let name = instance.heuristic_name(heuristic);
        match format {
            Format::Json => console.json(&record(&args.algorithm, name, instance, &solution))?,
            Format::Text if problems.len() == 1 => {
                let shown = for_people(args, instance, &solution, name);
                console.print(&shown)?;
            }
            _ => {}
        }
        done.push((instance, solution));
        if console.interrupted() {
            break;
        }
    }
    bar.finish_and_clear();
    let name = problems.first().map_or("", |known| known.instance.heuristic_name(heuristic));
    match format {
        Format::Csv => {
            let row = |(instance, solution): &(&Instance, Solution<ProblemStep>)| {
                let mut object =
                    serde_json::to_value(record(&args.algorithm, name, instance, solution))?;
                // A path is one field.
                let path: Vec<String> = solution.path.iter().map(ToString::to_string).collect();
                object["path"] = path.join(" ").into();
                Ok(object)
            };
            let rows: Result<Vec<_>, serde_json::Error> = done.iter().map(row).collect();
            console.print(&csv(&rows?))?;
        }
        Format::Text if problems.len() > 1 => {
            console.table(&table(args, &done), args.format.wide)?
        }
        _ => {}
    }
    console.note_interruption(done.len() as u64, problems.len() as u64, "problems");
    ensure!(faults == 0, FaultsFound);
    Ok(())
}

fn record<'a>(
    algorithm: &SingleAgent,
    heuristic: &'static str,
    instance: &Instance,
    solution: &'a Solution<ProblemStep>,
) -> SolveRecord<'a> {
    SolveRecord {
        domain: instance.domain().to_string(),
        algorithm: algorithm.to_string(),
        heuristic,
        instance: instance.to_string(),
        cost: solution.cost,
        optimal: solution.optimal,
        counts: solution.counts,
        seconds: solution.time.as_secs_f64(),
        path: &solution.path,
        solutions: solution.all.as_deref(),
        ticks: solution.ticks,
        lower_bound: solution.lower_bound,
        stopped: solution.stopped.map(|stop| stop.name()),
    }
}

fn for_people(
    args: &SolveArgs,
    instance: &Instance,
    solution: &Solution<ProblemStep>,
    heuristic: &str,
) -> String {
    let count = |n: u64| thousands(n as f64, 0);
    let cost = match (solution.cost, solution.optimal) {
        (Some(cost), true) => format!("{cost}, optimal"),
        (Some(cost), false) => {
            format!("{cost}, not proved optimal: at least {}", solution.lower_bound)
        }
        (None, true) => "none: there is no solution".into(),
        (None, false) => format!("unknown, at least {}", solution.lower_bound),
    };
    let path: Vec<String> = solution.path.iter().map(ToString::to_string).collect();
    let mut lines = vec![("algorithm", format!("{}, {heuristic}", args.algorithm.name()))];
    if let Some(stop) = solution.stopped {
        lines.push(("stopped", format!("by the limit on {stop}")));
    }
    lines.push(("cost", cost));
    lines.push(("path", path.join(" ")));
    if let Some(all) = &solution.all {
        lines.push(("solutions", count(all.len() as u64)));
    }
    let SolveCounts { expanded, generated, peak_stored, peak_bytes } = solution.counts;
    lines.push(("expanded", count(expanded)));
    lines.push(("generated", count(generated)));
    lines.push(("stored", format!("{} states, {} bytes", count(peak_stored), count(peak_bytes))));
    if let Some(ticks) = solution.ticks {
        lines.push(("ticks", count(ticks)));
    }
    let seconds = solution.time.as_secs_f64();
    let speed = expanded as f64 / seconds.max(1e-9) / 1e6;
    lines.push(("time", format!("{seconds:.3} s, {} million states/s", thousands(speed, 1))));
    format!("{}{}", instance.picture(), labelled(&lines))
}

/// A row for each problem.
fn table(args: &SolveArgs, done: &[(&Instance, Solution<ProblemStep>)]) -> TextTable {
    let mut table = TextTable::new(format!("{}, {}", args.domain.domain, args.algorithm.name()));
    for name in ["problem", "cost", "expanded", "generated", "stored", "ms"] {
        table.column(name, Align::Right);
    }
    let count = |n: u64| thousands(n as f64, 0);
    let mut total = (SolveCounts::default(), 0.0);
    for (number, (_, solution)) in done.iter().enumerate() {
        let SolveCounts { expanded, generated, peak_stored, .. } = solution.counts;
        let seconds = solution.time.as_secs_f64();
        let unproved = if solution.optimal { "" } else { "?" };
        table.row(vec![
            (number + 1).to_string(),
            solution.cost.map_or_else(|| "–".into(), |cost| format!("{cost}{unproved}")),
            count(expanded),
            count(generated),
            count(peak_stored),
            thousands(1e3 * seconds, 1),
        ]);
        total.0.expanded += expanded;
        total.0.generated += generated;
        total.1 += seconds;
    }
    table.row(vec![
        "all".into(),
        String::new(),
        count(total.0.expanded),
        count(total.0.generated),
        String::new(),
        thousands(1e3 * total.1, 1),
    ]);
    table
}
