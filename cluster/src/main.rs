//! `plyground-mpi`: searches by several machines, over MPI.
//!
//! Every rank reads the same arguments and has the same trees; rank 0 prints. Each tree or position is
//! searched by all ranks together. Unless it is told not to, rank 0 then searches it once more by itself,
//! for the speed-up, and simulates the same processes with what a message costs, as an oracle.

mod network;
mod report;
mod subject;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use clap::error::ErrorKind;
use plyground_core::limits::parse_bytes;
use plyground_search::distributed::Network;
use plyground_search::table::TableSize;

use network::MpiNetwork;

/// How the ranks search together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// PARSSS*.
    ParSss,
    /// PARITERSSS* with M entries of memory on each rank.
    ParIterSss(usize),
    /// APHID.
    Aphid,
}

const EXAMPLES: &str = "Examples:
  mpirun -n 4 plyground-mpi parsss --width 8 --depth 6 --iid --count 3
  mpirun -n 4 plyground-mpi paritersss:500 --game othello --depth 6 --json
  mpirun -n 3 plyground-mpi aphid --game chess --depth 7 --count 2";

/// Searches trees and positions by several ranks that share nothing but messages.
#[derive(Debug, Parser)]
#[command(name = "plyground-mpi", version, about, after_help = EXAMPLES)]
pub struct Args {
    /// parsss, paritersss:M with M entries of memory a rank, or aphid
    #[arg(value_name = "ALGORITHM", value_parser = parse_scheme)]
    scheme: Scheme,
    /// What is searched: trees, othello or chess
    #[arg(long, value_name = "GAME", default_value = "trees")]
    game: String,
    /// Generated trees: children of every interior node
    #[arg(long, value_name = "W")]
    width: Option<usize>,
    /// The depth of the search
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// Generated trees: independent leaves
    #[arg(long, conflicts_with = "strong")]
    iid: bool,
    /// Generated trees: strongly ordered
    #[arg(long)]
    strong: bool,
    /// Generated trees: values are 0 to N-1
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(i32).range(2..))]
    values: i32,
    /// Generated trees: the seed of the first
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// One tree, written out: ((3 12 8) (2 4 6) (14 5 2))
    #[arg(long, value_name = "TREE")]
    tree: Option<String>,
    /// A position of the game; may be given several times [default: the game's own, --count of them]
    #[arg(long, value_name = "TEXT")]
    position: Vec<String>,
    /// How many trees or positions
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_count)]
    count: usize,
    /// PARSSS*: the least height of a node that may get a process [default: 4]
    #[arg(long, value_name = "H")]
    spawn_height: Option<u32>,
    /// APHID: how many plies rank 0 searches itself
    #[arg(long, value_name = "PLIES", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=8))]
    top_plies: u32,
    /// APHID: the size of each rank's table, in entries (8K, 1M) or in MiB (16MiB)
    #[arg(long, value_name = "SIZE")]
    table: Option<TableSize>,
    /// Stop each search after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time: Option<Duration>,
    /// PARSSS*: at most this much memory for the lists of each rank (64K, 100M, 2G)
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    bytes: Option<usize>,
    /// What a message costs in the simulation, in leaves [default: what is measured before the searches]
    #[arg(long, value_name = "LEAVES", value_parser = parse_cost)]
    message_cost: Option<f64>,
    /// Search by all ranks only: no serial search, no simulation
    #[arg(long, conflicts_with = "message_cost")]
    no_baseline: bool,
    /// Print a line of JSON for each search
    #[arg(long)]
    json: bool,
}

fn parse_scheme(text: &str) -> Result<Scheme, String> {
    match text.split_once(':') {
        None if text == "parsss" => Ok(Scheme::ParSss),
        None if text == "aphid" => Ok(Scheme::Aphid),
        Some(("paritersss", entries)) => match entries.parse() {
            Ok(entries) if entries > 0 => Ok(Scheme::ParIterSss(entries)),
            _ => Err("expected a number of entries, as in paritersss:500".into()),
        },
        _ => Err("expected parsss, paritersss:M or aphid".into()),
    }
}

fn parse_count(text: &str) -> Result<usize, String> {
    let count: Option<usize> = text.parse().ok();
    count.filter(|&count| count > 0).ok_or_else(|| "expected a number from 1".into())
}

fn parse_cost(text: &str) -> Result<f64, String> {
    let cost: Option<f64> = text.parse().ok();
    let is_cost = |cost: &f64| (0.0..=1e6).contains(cost);
    cost.filter(is_cost).ok_or_else(|| "expected a number of leaves from 0 to 1000000".into())
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok();
    let seconds = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|time| !time.is_zero()).ok_or_else(|| "expected a number of seconds".into())
}

/// Is this the rank that prints? MPI says so before it begins, by a variable.
fn is_first() -> bool {
    let rank = ["PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"];
    rank.iter().find_map(|name| std::env::var(name).ok()).is_none_or(|rank| rank == "0")
}

fn main() -> ExitCode {
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            if is_first() {
                // A terminal that is gone cannot be told.
                let _ = error.print();
            }
            let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            return if asked { ExitCode::SUCCESS } else { ExitCode::from(2) };
        }
    };
    let subjects = match subject::subjects(&args) {
        Ok(subjects) => subjects,
        Err(error) => {
            if is_first() {
                eprintln!("error: {error:#}");
            }
            return ExitCode::from(2);
        }
    };
    let Some(mut network) = MpiNetwork::join() else {
        eprintln!("error: MPI cannot begin");
        return ExitCode::FAILURE;
    };
    let is_first = network.rank() == 0;
    match report::run(&args, &subjects, &mut network) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if is_first {
                eprintln!("error: {error:#}");
            }
            ExitCode::FAILURE
        }
    }
}
