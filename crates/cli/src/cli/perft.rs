//! `plyground perft`: the number of move sequences of a length that the rules allow, which tests a move
//! generator.

use std::time::Instant;

use anyhow::Context;
use clap::Args;
use serde_json::json;

use super::console::{Console, note};
use super::need_game;
use plyground_engine::games::Games;
use plyground_study::report::{Align, TextTable, thousands};

pub(super) const EXAMPLES: &str = "Examples:
  plyground perft othello 9
  plyground perft othello 7 --position f5d6c3 --divide
  plyground perft chess 5
  plyground perft chess 4 --position '4k2r/8/8/8/8/8/8/R3K3 w Q - 0 1'";

#[derive(Debug, Args)]
#[command(allow_missing_positional = true)]
pub(super) struct PerftArgs {
    /// The game; may be left out where there is only one. In Othello a pass is a move, and a finished
    /// game counts once at any remaining depth; in chess a finished game counts nothing
    game: Option<String>,
    /// How many plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=30))]
    depth: u32,
    /// The position in the game's own notation: for Othello 64 squares (X O -) and the side to move, or
    /// a transcript; for chess a FEN [default: the start]
    #[arg(
        long,
        value_name = "P",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    position: String,
    /// The count below each move
    #[arg(long)]
    divide: bool,
    /// One JSON object (with --divide, one a move before it)
    #[arg(long)]
    json: bool,
}

pub(super) fn run(console: &Console, games: &Games, args: &PerftArgs) -> anyhow::Result<()> {
    let game = need_game(games, args.game.as_deref())?;
    let started = Instant::now();
    let stop = console.flag();
    let divided = match args.divide && args.depth > 0 {
        true => game.divide(&args.position, args.depth, &stop).context("the position")?,
        false => Vec::new(),
    };
    let leaves = match divided.len() {
        0 => game.perft(&args.position, args.depth, &stop).context("the position")?,
        _ => Some(divided.iter().map(|(_, leaves)| leaves).sum()).filter(|_| !stop.is_raised()),
    };
    let seconds = started.elapsed().as_secs_f64();
    if args.json {
        for (mv, leaves) in divided {
            console.json(&json!({ "move": mv, "leaves": leaves }))?;
        }
        if let Some(leaves) = leaves {
            let found = json!({ "depth": args.depth, "leaves": leaves, "seconds": seconds });
            console.json(&found)?;
        }
        return Ok(());
    }
    if !divided.is_empty() {
        let mut table = TextTable::new("");
        table.column("move", Align::Left);
        table.column("leaves", Align::Right);
        for (mv, leaves) in divided {
            table.row(vec![mv, thousands(leaves as f64, 0)]);
        }
        console.table(&table, true)?;
    }
    let Some(leaves) = leaves else {
        note("interrupted: the count is not complete");
        return Ok(());
    };
    let rate = leaves as f64 / seconds.max(1e-9) / 1e6;
    console.print(&format!(
        "depth {}: {} {} in {:.3} s, {} million a second\n",
        args.depth,
        thousands(leaves as f64, 0),
        if leaves == 1 { "leaf" } else { "leaves" },
        seconds,
        thousands(rate, 1)
    ))
}
