//! `plyground annotate`: a whole game analysed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use serde_json::json;

use super::console::{Console, note, width};
use super::seconds;
use plyground_engine::door::AnyGame;
use plyground_engine::game::{GameError, SavedGame, Seat};
use plyground_engine::games::Games;
use plyground_engine::profile::{MAX_THREADS, Profile};
use plyground_engine::session::GoLimits;
use plyground_engine::text_file::{read_bytes, read_text_from};
use plyground_study::annotation::{AnalysedGame, MoveQuality, analyse, chart, page};
use plyground_study::files;
use plyground_study::report::{Align, TextTable, thousands};

pub(super) const EXAMPLES: &str = "Examples:
  plyground annotate game.pgn
  plyground annotate game.ggf --time 1 --html game.html
  plyground annotate f5d6c3d3c4f4f6 --json
  plyground annotate games.pgn --number 3 --nodes 1000000 --out annotated.pgn

The file has games in PGN or GGF, or the moves of games of Othello, one a line; - reads standard input.
A game that cannot be read does not hide the others. Values are for the side that begins: white in chess,
black in Othello. The loss of a move is what it gave away, in pawns or discs: ?! half a pawn or two discs,
? a pawn or four discs, ?? three pawns or twelve discs.
--json prints a line a move: ply, move, value and loss in hundredths, best, and more.";

/// The nodes of a search if nothing else is asked for.
const DEFAULT_NODES: u64 = 200_000;

/// The columns of the output.
const WIDTH: usize = 80;

#[derive(Debug, Args)]
pub(super) struct AnnotateArgs {
    /// The game: a file, moves, or - for standard input
    #[arg(value_name = "FILE")]
    file: String,
    /// The number of the game in the file
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u32).range(1..))]
    number: u32,
    /// The game's name [default: the one that the file is of]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// The engine: a name from `plyground engines`, or a file [default: the game's strongest]
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Nodes for each position [default: 200,000]
    #[arg(long, value_name = "N", help_heading = "Limits",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies for each position
    #[arg(long, value_name = "N", help_heading = "Limits",
          value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Seconds for each position
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Limits")]
    time: Option<Duration>,
    /// The threads that search
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: u16,
    /// Write a page to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the annotated game to this file, in PGN or GGF
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

impl AnnotateArgs {
    fn limits(&self) -> GoLimits {
        let unlimited = self.depth.is_none() && self.time.is_none();
        GoLimits {
            nodes: self.nodes.or(unlimited.then_some(DEFAULT_NODES)),
            depth: self.depth,
            move_time: self.time,
            ..GoLimits::default()
        }
    }

    /// The limits in words.
    fn limits_text(&self) -> String {
        let GoLimits { nodes, depth, move_time, .. } = self.limits();
        let nodes = nodes.map(|nodes| format!("{} nodes", thousands(nodes as f64, 0)));
        let depth = depth.map(|depth| format!("depth {depth}"));
        let time = move_time.map(|time| format!("{} s", time.as_secs_f64()));
        let all: Vec<String> = [nodes, depth, time].into_iter().flatten().collect();
        format!("{} a position", all.join(", "))
    }
}

/// The text of the game, and what it is called: a file, standard input, or the argument itself.
fn source(typed: &str) -> anyhow::Result<(String, String)> {
    if typed == "-" {
        let text = read_text_from(std::io::stdin()).context("cannot read standard input")?;
        return Ok((text, "standard input".into()));
    }
    let path = Path::new(typed);
    let looks_like_file = typed.contains(['.', '/', '\\']) && !typed.contains(' ');
    if path.exists() || looks_like_file {
        let bytes = read_bytes(path).with_context(|| format!("cannot read {typed}"))?;
        return Ok((String::from_utf8_lossy(&bytes).into_owned(), typed.into()));
    }
    Ok((typed.into(), "the moves".into()))
}

/// A game of a file, or why it cannot be read.
type ReadGame = Result<SavedGame, GameError>;

/// The games of a text, each for itself.
fn games_of(game: &dyn AnyGame, text: &str) -> Vec<ReadGame> {
    let error = match game.games(text) {
        Ok(games) => return games.into_iter().map(Ok).collect(),
        Err(error) => error,
    };
    let parts = game.parts(text);
    if parts.len() < 2 {
        return vec![Err(error)];
    }
    let mut lines_before = 0;
    let mut all = Vec::new();
    for part in parts {
        // The error names the line of the file, not of the part.
        let read = game.games(part).or_else(|_| game.games(&("\n".repeat(lines_before) + part)));
        lines_before += part.matches('\n').count();
        match read {
            Ok(games) => all.extend(games.into_iter().map(Ok)),
            Err(error) => all.push(Err(error)),
        }
    }
    all
}

/// The games of a text, and which game they are of: the one that is asked for, that of the file's name,
/// or the first that can read it.
fn read(
    games: &Games,
    named: Option<&'static dyn AnyGame>,
    text: &str,
    name: &str,
) -> anyhow::Result<(&'static dyn AnyGame, Vec<ReadGame>)> {
    let extension = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or("");
    let extension = extension.to_ascii_lowercase();
    let by_name = games.iter().find(|game| game.extensions().contains(&extension.as_str()));
    let has_moves = |game: &&'static dyn AnyGame| {
        games_of(*game, text).iter().flatten().any(|game| game.line.plies() > 0)
    };
    let by_text = || games.iter().find(has_moves);
    let Some(game) = named.or(by_name).or_else(by_text) else {
        // The reason is that of the game which is likeliest.
        let game = games.of_text(text).map_or_else(|| games.first(), Ok)?;
        let reason = game.games(text).err().map_or_else(|| "no moves".into(), |e| e.to_string());
        bail!("{name}: not a game in PGN or GGF, and no moves: {reason}");
    };
    Ok((game, games_of(game, text)))
}

pub(super) fn run(console: &Console, games: &Games, args: &AnnotateArgs) -> anyhow::Result<()> {
    let (text, name) = source(&args.file)?;
    let named = args.game.as_deref().map(|name| games.find(name)).transpose()?;
    let (game, mut all) = read(games, named, &text, &name)?;
    let count = all.len();
    let number = args.number as usize;
    if number > count {
        bail!("{name}: there is no game {number}; expected a number from 1 to {count}");
    }
    let broken = all.iter().filter(|game| game.is_err()).count();
    let saved = all.swap_remove(number - 1).map_err(|error| match count {
        1 => anyhow!("{name}: {error}"),
        _ => anyhow!("{name}: game {number} of {count}: {error}"),
    })?;
    if saved.line.plies() == 0 {
        bail!("{name}: the game has no moves");
    }
    if count > 1 && !args.json {
        let broken = match broken {
            0 => String::new(),
            broken => format!(", of which {broken} cannot be read"),
        };
        note(&format!("{name} has {count} games{broken}; this is game {number} (--number)"));
    }
    let mut profile = match &args.engine {
        Some(name) => Profile::find(games, name).context("--engine")?,
        None => Profile::standard(game)?,
    };
    if profile.game != game {
        bail!("--engine: {} plays {}, and this is {game}", profile.name, profile.game);
    }
    profile.threads = args.threads.into();
    let engine = profile.name.clone();
    let mut player = game.player(profile)?;
    let bar = console.progress(saved.line.plies() as u64 + 1, "positions");
    let analysed =
        analyse(&mut *player, &*saved.line, &args.limits(), &console.flag(), || bar.inc(1))?;
    bar.finish_and_clear();
    let done = analysed.moves.len() as u64;
    console.note_interruption(done, analysed.plies as u64, "moves, the last ones");
    if let Some(file) = &args.html {
        let title = format!("A game of {game}: {name}");
        let how = format!("Analysed by the engine {engine}, {}", args.limits_text());
        write(file, &page(&analysed, &title, &how).to_html())?;
    }
    if let Some(file) = &args.out {
        write(file, &game.annotated(&saved, &analysed.annotations())?)?;
    }
    if args.json {
        return analysed.moves.iter().try_for_each(|mv| {
            console.json(&json!({
                "ply": mv.ply,
                "move": mv.shown,
                "value": mv.value,
                "best": mv.best_shown.first(),
                "loss": mv.loss,
                "side": game.sides()[mv.seat.index()],
                "quality": mv.quality.name(),
                "line": mv.best_shown,
                "move_code": mv.written,
                "best_code": mv.best.first(),
                "depth": mv.depth,
            }))
        });
    }
    let title = format!("{name}: {game}, engine {engine}, {}", args.limits_text());
    console.table(&moves_table(&analysed, title), false)?;
    console.print("\n")?;
    console.print(&chart(&analysed, width(false).min(WIDTH)))?;
    console.print("\n")?;
    console.table(&sums(&analysed), false)?;
    for file in [&args.html, &args.out].into_iter().flatten() {
        console.print(&format!("Written: {}\n", file.display()))?;
    }
    Ok(())
}

fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    files::replace(file, text.as_bytes())
        .with_context(|| format!("cannot write {}", file.display()))
}

/// All moves with their values, and better lines where something was given away.
fn moves_table(game: &AnalysedGame, title: String) -> TextTable {
    let mut table = TextTable::new(title);
    let side = game.game.sides()[0];
    table.column("move", Align::Left);
    table.column(side, Align::Right);
    table.column("loss", Align::Right);
    table.column("better", Align::Left);
    let rows: Vec<[String; 3]> = game
        .moves
        .iter()
        .map(|mv| {
            let loss = f64::from(mv.loss) / 100.0;
            [
                format!("{}{}", mv.numbered, mv.quality.mark()),
                AnalysedGame::short_value(mv.value),
                if mv.loss > 0 { format!("{loss:.2}") } else { String::new() },
            ]
        })
        .collect();
    let widest = |column: usize, name: &str| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([name.chars().count()]).max().unwrap_or(0) + 2
    };
    let taken = widest(0, "move") + widest(1, side) + widest(2, "loss");
    let room = width(false).min(WIDTH).saturating_sub(taken);
    for (mv, row) in game.moves.iter().zip(&rows) {
        let marked = mv.quality != MoveQuality::Good;
        let mut better = String::new();
        for word in mv.best_shown.iter().filter(|_| marked) {
            let blank = usize::from(!better.is_empty());
            // The first move is shown in any case.
            if blank > 0 && better.chars().count() + blank + word.chars().count() > room {
                break;
            }
            better += if better.is_empty() { "" } else { " " };
            better += word;
        }
        table.row(row.iter().cloned().chain([better]).collect());
    }
    table
}

/// What each side gave away.
fn sums(game: &AnalysedGame) -> TextTable {
    let mut table = TextTable::new("");
    table.column("", Align::Left);
    for quality in MoveQuality::MARKED {
        table.column(format!("{} {}", quality.name(), quality.mark()), Align::Right);
    }
    table.column("mean loss", Align::Right);
    for (seat, side) in Seat::ALL.into_iter().zip(game.game.sides()) {
        let mut row = vec![side.to_owned()];
        row.extend(MoveQuality::MARKED.map(|quality| game.count(seat, quality).to_string()));
        let mean = game.mean_loss(seat);
        row.push(mean.map_or("–".into(), |loss| format!("{:.2}", loss / 100.0)));
        table.row(row);
    }
    table
}
