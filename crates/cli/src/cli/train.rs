//! `plyground train`: evaluators that learn from self-play. Each game adds its own command below it;
//! what they share is here.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, ensure};
use clap::Args;

use super::console::Console;
use plyground_engine::profile::{MAX_THREADS, Profile};
use plyground_study::report::thousands;
use plyground_train::self_play::{self, GAMES_PER_SHARD, SelfPlay, SelfPlayPlan};

pub(crate) const NAME: &str = "train";

/// The command, with a command for each game below it.
pub(crate) fn command(games: impl Iterator<Item = clap::Command>) -> clap::Command {
    clap::Command::new(NAME)
        .about("Learn to judge positions: self-play, and evaluators made from it")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(games)
}

/// The arguments of self-play.
#[derive(Debug, Args)]
pub(crate) struct SelfPlayArgs {
    /// The folder of the games and of what is learnt from them; what is there is not made again
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Games of self-play; rounded up to whole files of 200
    #[arg(long, value_name = "N", default_value_t = 100_000,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Nodes of a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// The seed of the games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Games played at once
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: u16,
    /// Only the K-th of N parts of the games, K from 1: several machines share the work
    #[arg(long, value_name = "K/N", value_parser = super::compare::parse_shard)]
    shard: Option<(usize, usize)>,
}

/// Plays the games that are not there yet.
pub(crate) fn self_play<G: SelfPlay>(console: &Console, args: &SelfPlayArgs) -> anyhow::Result<()> {
    let (part, parts) = args.shard.unwrap_or((1, 1));
    let (part, parts) = (part as u64, parts as u64);
    let files = args.games.div_ceil(GAMES_PER_SHARD as u64);
    ensure!(parts <= files, "--shard: {parts} parts of {files} files of {GAMES_PER_SHARD} games");
    let plan = SelfPlayPlan {
        folder: args.out.clone(),
        seed: args.seed,
        nodes: args.nodes.unwrap_or(G::NODES),
        first: part - 1,
        step: parts,
        end: files,
        threads: args.threads.into(),
    };
    let profile = Profile::standard(G::door())?;
    let mine = (files + parts - part) / parts * GAMES_PER_SHARD as u64;
    let bar = console.progress(mine, "games");
    let started = Instant::now();
    let totals = self_play::run::<G>(&plan, &profile, &console.flag(), &|totals| {
        bar.set_position(totals.found + totals.played);
    })
    .context("self-play")?;
    bar.finish_and_clear();
    let seconds = started.elapsed().as_secs_f64();
    console.print(&format!(
        "{} games with {} positions played in {:.0} s ({:.0} positions/s), {} games found\n",
        thousands(totals.played as f64, 0),
        thousands(totals.positions as f64, 0),
        seconds,
        totals.positions as f64 / seconds.max(1e-9),
        thousands(totals.found as f64, 0),
    ))?;
    console.note_interruption(totals.found + totals.played, mine, "games");
    console.note_continuation();
    Ok(())
}
