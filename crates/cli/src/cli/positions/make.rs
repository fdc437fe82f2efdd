//! `plyground positions make`: positions for experiments, made by self-play.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Subcommand};

use super::super::batch::SeedArgs;
use super::super::console::{Console, note};
use super::super::{need_game, tree};
use plyground_engine::door::AnyGame;
use plyground_engine::games::Games;
use plyground_study::positions::{GamePhase, MadePosition, PositionRequest, make_positions};

pub(crate) const EXAMPLES: &str = "Examples:
  plyground positions make othello --count 24
  plyground positions make chess --count 240 --seed 1 --out positions";

/// `plyground positions`
#[derive(Debug, Args)]
pub(crate) struct PositionsArgs {
    #[command(subcommand)]
    command: PositionsCommand,
}

#[derive(Debug, Subcommand)]
enum PositionsCommand {
    /// Make positions for experiments by self-play: three phases of the game, quiet and not, half of them a
    /// hold-out
    #[command(after_help = EXAMPLES)]
    Make(MakeArgs),
}

#[derive(Debug, Args)]
struct MakeArgs {
    /// The game; may be left out where there is only one
    game: Option<String>,
    /// How many positions, half of them a hold-out
    #[arg(long, value_name = "N", default_value_t = 240,
          value_parser = clap::value_parser!(u32).range(2..=100_000))]
    count: u32,
    #[command(flatten)]
    seed: SeedArgs,
    /// How many plies the searches that choose the moves look ahead [default: the game's own]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: Option<u32>,
    /// The least number of squares in which two positions differ
    #[arg(long, value_name = "N", default_value_t = 12,
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    distance: u32,
    /// Write two files into this folder, lab-GAME and holdout-GAME, in place of printing both
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(console: &Console, games: &Games, args: &PositionsArgs) -> anyhow::Result<()> {
    let PositionsCommand::Make(args) = &args.command;
    let game = need_game(games, args.game.as_deref())?;
    let request = PositionRequest {
        count: args.count as usize,
        seed: args.seed.seed,
        depth: args.depth.unwrap_or(game.depths().compare),
        distance: args.distance as usize,
        flag: console.flag(),
    };
    let bar = console.progress(args.count.into(), "positions");
    let made = make_positions(game, &request, || bar.inc(1))?;
    bar.finish_and_clear();
    console.note_interruption(made.len() as u64, args.count.into(), "positions");
    for (hold_out, name) in [(false, "lab"), (true, "holdout")] {
        let text = written(game, &request, &made, hold_out);
        match &args.out {
            None => console.print(&text)?,
            Some(folder) => write(folder, game, name, &text)?,
        }
    }
    Ok(())
}

fn write(folder: &Path, game: &dyn AnyGame, name: &str, text: &str) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let extension = game.extensions().last().copied().unwrap_or("txt");
    let file = folder.join(format!("{name}-{game}.{extension}"));
    tree::write(&file, text)?;
    note(&format!("wrote {}", file.display()));
    Ok(())
}

/// One half of the positions as a file: what it is, and the positions kind by kind.
fn written(
    game: &dyn AnyGame,
    request: &PositionRequest,
    made: &[MadePosition],
    hold_out: bool,
) -> String {
    let mark = if game.extensions().last() == Some(&"obf") { '%' } else { '#' };
    let half: Vec<&MadePosition> = made.iter().filter(|p| p.hold_out == hold_out).collect();
    let what = match hold_out {
        false => "for experiments, to choose and to tune on",
        true => "for experiments: the hold-out, on which nothing may be tuned",
    };
    let PositionRequest { count, seed, depth, distance, .. } = request;
    let mut text = format!(
        "{mark} {} positions {what}.\n\
         {mark} Made by self-play (PVS, {depth} plies) from varied openings and a few random moves; two\n\
         {mark} differ in at least {distance} squares. Quiet: two plies more change the value by little.\n\
         {mark}   plyground positions make {game} --count {count} --seed {seed} --depth {depth} \
         --distance {distance}\n",
        half.len(),
    );
    for phase in GamePhase::ALL {
        for quiet in [false, true] {
            let kind = half.iter().filter(|p| p.phase == phase && p.quiet == quiet);
            let name = if quiet { "quiet" } else { "not quiet" };
            let _ = writeln!(text, "{mark} {}, {name}", phase.name());
            for position in kind {
                let _ = writeln!(text, "{}", position.text);
            }
        }
    }
    text
}
