//! `plyground play`: a game against any engine, at the keyboard or from a pipe.
//!
//! A [`Repl`] (a read-eval-print loop) holds the game, the engine and the clocks. It reads lines, each
//! a move or a command, and draws the board whenever the board has changed. No input ends the game. The
//! engine thinks on another thread, and Ctrl-C stops its thinking. Without a terminal the output is
//! plain text: no colours, no progress line.

mod board;
mod clocks;
mod command;
mod comparison;
mod completion;
mod dialogue;
mod files;
mod input;
mod opponent;
mod pace;
mod seats;
mod thinking;

use std::io::{IsTerminal, stdin, stdout};

use anyhow::Context;
use clap::Args;

use crate::cli::console::Console;
use crate::puzzle_repl;
use board::Style;
use dialogue::Repl;
use input::{Input, QuietTerminal};
use pace::{MOST_DEPTH, Pace, read_time};
use plyground_engine::games::Games;
use plyground_engine::levels::MAX_LEVEL;
use plyground_engine::profile::Profile;
use plyground_study::report::wrap;
use seats::Seats;

pub(crate) const EXAMPLES: &str = "Examples:
  plyground play
  plyground play chess --side black --level 4
  plyground play chess --engine chess-mtd-f --time 300+2
  plyground play othello --engine sss --from f5d6c3d3c4
  plyground play chess --from game.pgn --side both
  printf 'e4\\nquit\\n' | plyground play chess --depth 3
  plyground play puzzle --from '1 2 5 3 4 0 6 7 8'

A line is a move (e4, Nf3, e2e4; f5) or a command: help lists them, Tab completes both. Ctrl-C ends
the engine's thinking, not the game; Ctrl-D leaves.";

#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// The game's name [default: the game of --engine or --from, else the first one]
    game: Option<String>,
    /// The opponent: a name from `plyground engines`, a .toml file, or an algorithm from
    /// `plyground algorithms` [default: the game's strongest engine]
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// The side you play: white, black, both (two people) or none (the engine plays itself)
    /// [default: the side that begins]
    #[arg(long, value_name = "SIDE")]
    side: Option<String>,
    /// Seconds for each of the engine's moves, as in 2; or a clock for both, as in 300+2, at full strength
    /// or at a level
    #[arg(long, value_name = "S|S+I", value_parser = read_time)]
    time: Option<Pace>,
    /// The engine searches N plies deep: the same game every time [default: the engine's own
    /// limits]
    #[arg(long, value_name = "N", conflicts_with_all = ["time", "level"],
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_DEPTH)))]
    depth: Option<u32>,
    /// A strength from 1 (has just learnt the rules) to 10: see `plyground levels`
    #[arg(long, value_name = "L",
          value_parser = clap::value_parser!(u8).range(1..=i64::from(MAX_LEVEL)))]
    level: Option<u8>,
    /// What the engine's choices among nearly equal moves, and the slips of a level, follow from: the
    /// same seed and the same moves give the same game [default: another one for each game]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Where to begin: a position, moves, or a file in PGN, FEN, EPD, GGF or OBF
    #[arg(long, alias = "position", value_name = "POSITION|FILE", allow_hyphen_values = true)]
    from: Option<String>,
    /// Draw the board with letters alone
    #[arg(long)]
    ascii: bool,
}

impl PlayArgs {
    fn pace(&self) -> anyhow::Result<Pace> {
        let level = self.level.map(|level| Pace::Level(level, None));
        Ok(match (level, self.time) {
            (Some(level), Some(time @ Pace::Game(_))) => time.after(level),
            (Some(_), Some(_)) => anyhow::bail!(
                "--time: a level limits its moves by itself; expected a clock, as in 300+2"
            ),
            (level, time) => time.or(level).or(self.depth.map(Pace::Depth)).unwrap_or(Pace::Own),
        })
    }
}

pub(crate) fn run(console: &Console, games: &Games, args: &PlayArgs) -> anyhow::Result<()> {
    if args.game.as_deref() == Some(puzzle_repl::NAME) {
        let for_two = [("--engine", args.engine.is_some()), ("--side", args.side.is_some())];
        let pace = ("--time, --depth or --level", args.pace()? != Pace::Own);
        if let Some((flag, _)) = for_two.into_iter().chain([pace]).find(|(_, given)| *given) {
            anyhow::bail!("{flag}: has no effect on a puzzle, which has one player");
        }
        return puzzle_repl::run(console, args.from.as_deref(), args.ascii);
    }
    let named = args.game.as_deref().map(|name| games.find(name)).transpose()?;
    let wanted = named.or_else(|| args.from.as_deref().and_then(|from| games.of_text(from)));
    let profile = match (&args.engine, wanted) {
        (Some(name), wanted) => opponent::find(games, name, wanted).context("--engine")?,
        (None, Some(game)) => Profile::standard(game)?,
        (None, None) => Profile::standard(games.first()?)?,
    };
    let game = profile.game;
    let seats = match &args.side {
        Some(side) => Seats::read(game, side).map_err(anyhow::Error::msg).context("--side")?,
        None => Seats::default(),
    };
    let from = args.from.as_deref().map(|from| files::read(games, game, from));
    let from = from.transpose().context("--from")?;
    let live = stdin().is_terminal() && stdout().is_terminal();
    let style = Style::found(args.ascii, live);
    let mut repl = Repl::new(console, games, profile, seats, args.pace()?)?;
    repl.show(style, live);
    repl.set_seed(args.seed);
    if let Some(saved) = from {
        repl.set_game(saved)?;
    }
    let _quiet = live.then(QuietTerminal::begin);
    if live {
        console.survive_interrupts();
    }
    repl.play(if live { Input::terminal(game)? } else { Input::pipe()? })?;
    console.clear_interrupt();
    Ok(())
}
