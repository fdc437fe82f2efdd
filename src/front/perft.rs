//! `plyground perft`: how many positions the rules lead to.

use std::time::Instant;

use clap::Args;
use serde_json::json;

use super::best::shown;
use super::console::Console;
use super::position::{self, GameArg};
use crate::othello::{divide, perft};
use crate::report::{Align, Table, thousands};

pub(super) const EXAMPLES: &str = "Examples:
  plyground perft othello 9
  plyground perft othello 7 --position f5d6c3 --divide
  plyground perft othello 11 --json";

#[derive(Debug, Args)]
pub(super) struct PerftArgs {
    /// The game
    game: GameArg,
    /// How many plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=30))]
    depth: u32,
    /// 64 squares (X O -) and the side to move, or a transcript [default: the start]
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

pub(super) fn run(console: &Console, args: &PerftArgs) -> anyhow::Result<()> {
    let GameArg::Othello = args.game;
    let board = position::othello(&args.position)?.board;
    let started = Instant::now();
    let divided = if args.divide && args.depth > 0 { divide(&board, args.depth) } else { vec![] };
    let leaves = match divided.len() {
        0 => perft(&board, args.depth),
        _ => divided.iter().map(|(_, leaves)| leaves).sum(),
    };
    let seconds = started.elapsed().as_secs_f64();
    if args.json {
        for (mv, leaves) in divided {
            console.json(&json!({ "move": shown(mv), "leaves": leaves }))?;
        }
        return console.json(&json!({ "depth": args.depth, "leaves": leaves, "seconds": seconds }));
    }
    if !divided.is_empty() {
        let mut table = Table::new("");
        table.column("move", Align::Left);
        table.column("leaves", Align::Right);
        for (mv, leaves) in divided {
            table.row(vec![shown(mv), thousands(leaves as f64, 0)]);
        }
        console.print(&table.to_text())?;
    }
    let rate = leaves as f64 / seconds.max(1e-9) / 1e6;
    console.print(&format!(
        "depth {}: {} leaves in {:.3} s, {} million a second\n",
        args.depth,
        thousands(leaves as f64, 0),
        seconds,
        thousands(rate, 1)
    ))
}
