//! `plyground train chess`.

use clap::Args;

use crate::cli::console::Console;
use crate::cli::train::{SelfPlayArgs, self_play};
use plyground_games::chess::Chess;

pub(crate) const EXAMPLES: &str = "Examples:
  plyground train chess --out games --games 100000
  plyground train chess --out games --games 100000 --shard 2/8";

#[derive(Debug, Args)]
pub(crate) struct TrainArgs {
    #[command(flatten)]
    games: SelfPlayArgs,
}

pub(crate) fn run(console: &Console, args: &TrainArgs) -> anyhow::Result<()> {
    self_play::<Chess>(console, &args.games)
}
