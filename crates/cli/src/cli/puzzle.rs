//! `plyground puzzle`: problems of one player, solved, made and compared.

mod compare;
mod make;
mod solve;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use clap::{Args, Subcommand};

use super::console::Console;
use super::seconds;
use plyground_core::limits::{Limits, parse_bytes};
use plyground_puzzles::sliding::PatternDatabases;
use plyground_puzzles::{Domain, Heuristic, Instance, ProblemSize};
use plyground_search::Schedule;
use plyground_search::single_agent::{Ida, SingleAgent, SolveOptions, SolveSpec};

pub(super) const EXAMPLES: &str = "Examples:
  plyground puzzle solve --domain 8-puzzle '8 7 6 5 4 3 2 1 0'
  plyground puzzle solve --domain grid 'S..#/.#../...G' --algorithm a-star
  plyground puzzle make --domain tsp --cities 9 --seed 7
  plyground puzzle compare --domain 8-puzzle --count 50";

#[derive(Debug, Args)]
pub(super) struct PuzzleArgs {
    #[command(subcommand)]
    command: PuzzleCommand,
}

#[derive(Debug, Subcommand)]
enum PuzzleCommand {
    /// Solve a problem, or all of a file
    #[command(after_help = solve::EXAMPLES)]
    Solve(Box<solve::SolveArgs>),
    /// Make problems by chance
    #[command(after_help = make::EXAMPLES)]
    Make(make::MakeArgs),
    /// Compare searches on the same problems
    #[command(after_help = compare::EXAMPLES)]
    Compare(Box<compare::ComparePuzzleArgs>),
}

pub(super) fn run(console: &Console, args: &PuzzleArgs) -> anyhow::Result<()> {
    match &args.command {
        PuzzleCommand::Solve(args) => solve::run(console, args),
        PuzzleCommand::Make(args) => make::run(console, args),
        PuzzleCommand::Compare(args) => compare::run(console, args),
    }
}

/// The kind of problem.
#[derive(Clone, Copy, Debug, Args)]
struct DomainArgs {
    /// The kind of problem: 8-puzzle, 15-puzzle, puzzle:WxH, tsp or grid
    #[arg(long, value_name = "DOMAIN", default_value = "15-puzzle")]
    domain: Domain,
}

/// How large problems by chance are.
#[derive(Clone, Copy, Debug, Args)]
struct SizeArgs {
    /// Shuffle a puzzle by N moves from its goal [default: any puzzle, all as likely]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=1_000_000),
          help_heading = "Problems by chance")]
    moves: Option<u64>,
    /// The cities of a tsp [default: 10]
    #[arg(long, value_name = "N", help_heading = "Problems by chance")]
    cities: Option<usize>,
    /// The size of a grid [default: 16x8]
    #[arg(long, value_name = "WxH", value_parser = rectangle, help_heading = "Problems by chance")]
    size: Option<(usize, usize)>,
    /// The obstacles of a grid, in percent [default: 25]
    #[arg(long, value_name = "P", value_parser = clap::value_parser!(u64).range(0..=90),
          help_heading = "Problems by chance")]
    walls: Option<u64>,
}

impl SizeArgs {
    fn is_given(&self) -> bool {
        self.moves.is_some() || self.cities.is_some() || self.size.is_some() || self.walls.is_some()
    }

    /// What was given must have an effect on the domain.
    fn size(&self, domain: Domain) -> anyhow::Result<ProblemSize> {
        let usual = ProblemSize::default();
        let (sliding, tsp) = (matches!(domain, Domain::Sliding(_)), domain == Domain::Salesman);
        let grid = domain == Domain::Grid;
        ensure!(self.moves.is_none() || sliding, "--moves: {domain} has none; it is for puzzles");
        ensure!(self.cities.is_none() || tsp, "--cities: {domain} has none; they are for tsp");
        ensure!(self.size.is_none() || grid, "--size: is for grid; for puzzles say puzzle:WxH");
        ensure!(self.walls.is_none() || grid, "--walls: {domain} has none; they are for grid");
        Ok(ProblemSize {
            moves: self.moves,
            cities: self.cities.unwrap_or(usual.cities),
            map: self.size.unwrap_or(usual.map),
            walls: self.walls.unwrap_or(usual.walls),
        })
    }
}

fn rectangle(text: &str) -> Result<(usize, usize), String> {
    let sides = text.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    sides.ok_or_else(|| "expected a width and a height, as in 16x8".into())
}

/// How processes are run, and what may stop a search.
#[derive(Clone, Debug, Args)]
struct RunLimitArgs {
    /// Simulate parallel searches: in a tick every process expands at most one state
    #[arg(long, help_heading = "Parallel searches")]
    simulate: bool,
    /// Simulate a random schedule: some processes are late, and some are ahead
    #[arg(long, value_name = "SEED", requires = "simulate", help_heading = "Parallel searches")]
    schedule: Option<u64>,
    /// Stop a search after N expanded states
    #[arg(long, value_name = "N", help_heading = "Limits")]
    nodes: Option<u64>,
    /// Stop a search after S seconds
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Limits")]
    time: Option<std::time::Duration>,
    /// Stop a search that holds more memory than this (64K, 100M, 2G)
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "2G",
          help_heading = "Limits")]
    bytes: usize,
}

impl RunLimitArgs {
    fn spec(
        &self,
        console: &Console,
        algorithm: &SingleAgent,
        all: bool,
    ) -> anyhow::Result<SolveSpec> {
        let limits = Limits {
            nodes: self.nodes,
            time: self.time,
            bytes: Some(self.bytes),
            flag: console.flag(),
            ..Limits::default()
        };
        let schedule = self.schedule.map_or(Schedule::InTurn, Schedule::Random);
        let simulate = self.simulate.then_some(schedule);
        let options = SolveOptions { limits, all, simulate };
        Ok(SolveSpec::check(algorithm, options)?)
    }
}

/// The usual algorithm.
fn usual_algorithm() -> SingleAgent {
    Ida.into()
}

/// The heuristic that was asked for; one that has no effect is refused.
fn checked_heuristic(domain: Domain, asked: Option<Heuristic>) -> anyhow::Result<Heuristic> {
    if asked.is_some() && domain == Domain::Salesman {
        bail!("--heuristic: tsp has its own, the least spanning tree; expected none");
    }
    Ok(asked.unwrap_or_default())
}

/// Builds or reads what a heuristic needs, and says so on a terminal: it may take some seconds.
fn prepare(console: &Console, domain: Domain, heuristic: Heuristic) {
    if let (Domain::Sliding(shape), Heuristic::Pattern) = (domain, heuristic) {
        let line = console.live_line();
        line.set_message("pattern databases: built on first use, then kept in the cache folder …");
        PatternDatabases::get(shape);
        line.finish_and_clear();
    }
}

/// A problem and what is known of it.
struct KnownInstance {
    instance: Instance,
    cost: Option<u32>,
}

/// The problems of a file: one a line, with its optimal cost after a semicolon if that is known; lines
/// that begin with `#` followed by a blank, or are empty, are skipped. `-` is standard input.
fn read_file(domain: Domain, file: &Path) -> anyhow::Result<Vec<KnownInstance>> {
    let shown = file.display();
    let text = match file.to_str() {
        Some("-") => std::io::read_to_string(std::io::stdin()).context("standard input")?,
        _ => std::fs::read_to_string(file).with_context(|| format!("cannot read {shown}"))?,
    };
    let lines = text.lines().enumerate().map(|(number, line)| (number + 1, line.trim()));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with("# "));
    let mut known = Vec::new();
    for (number, line) in lines {
        let at = || format!("{shown}, line {number}");
        let (text, rest) = line.split_once(" ; ").unwrap_or((line, ""));
        let cost = rest.split(';').next().map(str::trim).filter(|cost| !cost.is_empty());
        let cost = cost.map(|cost| {
            let read = cost.parse().ok();
            read.with_context(|| format!("{}: `{cost}`: expected a cost", at()))
        });
        let instance = Instance::parse(domain, text).with_context(at)?;
        known.push(KnownInstance { instance, cost: cost.transpose()? });
    }
    ensure!(!known.is_empty(), "{shown}: no problem is there; expected one a line");
    Ok(known)
}

/// The file of problems, or none.
#[derive(Clone, Debug, Args)]
struct FileArgs {
    /// Problems from a file, one a line; `-` is standard input
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}
