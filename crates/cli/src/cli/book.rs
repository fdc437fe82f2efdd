//! `plyground book`: opening books, made and shown.

use std::path::PathBuf;

use anyhow::{Context, anyhow, ensure};
use clap::{Args, Subcommand};
use serde_json::json;

use super::console::Console;
use plyground_core::value::Value;
use plyground_engine::book::Book;
use plyground_engine::games::Games;
use plyground_engine::profile::Profile;
use plyground_study::book::{AnalysedPosition, BookPlan, make};
use plyground_study::experiment::Store;
use plyground_study::files;
use plyground_study::report::{Align, TextTable, thousands};

pub(super) const EXAMPLES: &str = "Examples:
  plyground book show chess
  plyground book show othello --moves \"f5 d6\"
  plyground book make othello --out othello.bin

An engine's file says which book it opens with: book = \"standard\", a file, or \"none\".";

const MAKE_EXAMPLES: &str = "Examples:
  plyground book make chess --out chess.bin --positions 2000 --nodes 1000000
  plyground book make othello --out othello.bin --margin 100

The likeliest positions are analysed first, and each is kept in FILE.jsonl as soon as it is done: a work
that was interrupted goes on where it was, and one with more positions uses those that are there. The
file is a book in Polyglot's format, which other chess programs read as well.";

const SHOW_EXAMPLES: &str = "Examples:
  plyground book show chess
  plyground book show chess --file performance.bin --moves \"e2e4 c7c5\"
  plyground book show othello --moves f5 --json";

#[derive(Debug, Args)]
pub(super) struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Debug, Subcommand)]
enum BookCommand {
    /// Make an opening book by analysing the likeliest positions
    #[command(after_help = MAKE_EXAMPLES)]
    Make(MakeArgs),
    /// Show what a book has for a position
    #[command(after_help = SHOW_EXAMPLES)]
    Show(ShowArgs),
}

#[derive(Debug, Args)]
struct MakeArgs {
    /// The game
    game: String,
    /// The book's file; the analysis is kept in FILE.jsonl
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Positions to analyse
    #[arg(long, value_name = "N", default_value_t = 500,
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    positions: u64,
    /// Nodes for each position
    #[arg(long, value_name = "N", default_value_t = 200_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// No position further from the start
    #[arg(long, value_name = "PLIES", default_value_t = 16,
          value_parser = clap::value_parser!(u16).range(1..=100))]
    plies: u16,
    /// A move of the book is worse than the best by at most this, in hundredths of a pawn or disc
    #[arg(long, value_name = "N", default_value_t = 30,
          value_parser = clap::value_parser!(i32).range(0..=10_000))]
    margin: Value,
    /// The engine that analyses: a name from `plyground engines`, or a file [default: the strongest]
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
}

#[derive(Debug, Args)]
struct ShowArgs {
    /// The game
    game: String,
    /// The book's file [default: the book that comes with the game]
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// The moves that lead to the position, from the start
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

pub(super) fn run(console: &Console, games: &Games, args: &BookArgs) -> anyhow::Result<()> {
    match &args.command {
        BookCommand::Make(args) => make_book(console, games, args),
        BookCommand::Show(args) => show(console, games, args),
    }
}

fn make_book(console: &Console, games: &Games, args: &MakeArgs) -> anyhow::Result<()> {
    let game = games.find(&args.game)?;
    let profile = match &args.engine {
        Some(name) => Profile::find(games, name)?,
        None => Profile::standard(game)?,
    };
    ensure!(profile.game == game, "{} plays {}, not {game}", profile.name, profile.game);
    let mut work = Store::<AnalysedPosition>::open_beside(&args.out)?;
    let known = work.records().cloned().collect();
    let plan = BookPlan {
        positions: args.positions as usize,
        nodes: args.nodes,
        plies: args.plies.into(),
        margin: args.margin,
    };
    let bar = console.progress(args.positions, "positions");
    let mut done = 0;
    let mut failure = None;
    let book = make(&plan, &profile, known, &console.flag(), &mut |position, is_new, count| {
        done = count as u64;
        bar.set_position(done);
        if !is_new {
            return true;
        }
        failure = work.append(position).err();
        failure.is_none()
    });
    bar.finish_and_clear();
    if let Some(error) = failure {
        return Err(error.into());
    }
    work.finish()?;
    let book = book?;
    files::replace(&args.out, &book.to_bytes())
        .with_context(|| format!("cannot write {}", args.out.display()))?;
    console.print(&format!(
        "{}: {} positions of {game}\n",
        args.out.display(),
        thousands(book.positions() as f64, 0)
    ))?;
    console.note_interruption(done, args.positions, "positions");
    console.note_continuation();
    Ok(())
}

fn show(console: &Console, games: &Games, args: &ShowArgs) -> anyhow::Result<()> {
    let game = games.find(&args.game)?;
    let book = match &args.file {
        Some(path) => Book::read(path).map_err(anyhow::Error::msg)?,
        None => {
            let book = game.book();
            (*book.ok_or_else(|| anyhow!("{game} comes without a book; expected --file FILE"))?)
                .clone()
        }
    };
    let mut line = game.start("")?;
    for text in args.moves.split_whitespace() {
        let mv = line.typed_move(text).with_context(|| format!("--moves: `{text}`"))?;
        line.play(&mv)?;
    }
    let moves = line.book_moves(&book);
    if args.json {
        for (mv, known) in &moves {
            let (weight, value) = (known.weight, known.value);
            console.json(&json!({ "move": mv, "weight": weight, "value": value }))?;
        }
        return Ok(());
    }
    console.print(&line.picture())?;
    if moves.is_empty() {
        return console.print("The book has nothing here.\n");
    }
    let all: f64 = moves.iter().map(|(_, known)| f64::from(known.weight)).sum();
    let mut table = TextTable::new("");
    table.column("move", Align::Left);
    table.column("played", Align::Right);
    table.column("value", Align::Right);
    for (mv, known) in &moves {
        let shown = line.show(std::slice::from_ref(mv)).concat();
        let share = 100.0 * f64::from(known.weight) / all.max(1.0);
        table.row(vec![shown, format!("{share:.0} %"), game.value_text(known.value)]);
    }
    console.table(&table, false)?;
    console.print(&format!("{} positions\n", thousands(book.positions() as f64, 0)))
}
