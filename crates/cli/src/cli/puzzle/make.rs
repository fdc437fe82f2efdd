//! `plyground puzzle make`.

use clap::Args;
use serde_json::json;

use super::{DomainArgs, SizeArgs};
use crate::cli::batch::SeedArgs;
use crate::cli::console::Console;
use plyground_core::tree::mix;
use plyground_puzzles::Instance;

pub(super) const EXAMPLES: &str = "Examples:
  plyground puzzle make --domain 15-puzzle --count 10 --seed 7
  plyground puzzle make --domain puzzle:4x3 --moves 30 --draw
  plyground puzzle make --domain grid --size 20x10 --walls 30
  plyground puzzle make --domain tsp --cities 9 > cities.txt";

#[derive(Debug, Args)]
pub(super) struct MakeArgs {
    #[command(flatten)]
    domain: DomainArgs,
    /// How many problems
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    size: SizeArgs,
    /// Draw the problems
    #[arg(long, conflicts_with = "json")]
    draw: bool,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(console: &Console, args: &MakeArgs) -> anyhow::Result<()> {
    let domain = args.domain.domain;
    let size = args.size.size(domain)?;
    for number in 0..args.count {
        let instance = Instance::make(domain, &size, mix(args.seed.seed, number))?;
        match (args.json, args.draw) {
            (true, _) => console
                .json(&json!({ "domain": domain.to_string(), "instance": instance.to_string() }))?,
            (_, true) => console.print(&format!("{instance}\n{}\n", instance.picture()))?,
            _ => console.print(&format!("{instance}\n"))?,
        }
        if console.interrupted() {
            break;
        }
    }
    Ok(())
}
