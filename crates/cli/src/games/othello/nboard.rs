//! `plyground nboard`: Othello for graphical interfaces, by the NBoard protocol, version 2.
//!
//! The interface sets a game and a depth, then requests hints, a move, or an analysis of the whole game.
//! It may send another request at any time: the present search is then stopped and reports what it has
//! found so far. A `ping` is answered when no search is running any more.

mod search;

use clap::Args;

use super::engine::OthelloArgs;
use crate::cli::console::Console;
use crate::protocol::engine_thread::EngineThread;
use crate::protocol::lines::{Lines, say};
use plyground_engine::game::{Game, GameLine};
use plyground_engine::games::Games;
use plyground_engine::levels::{Level, Levels, MAX_LEVEL};
use plyground_engine::session::Session;
use plyground_games::othello::{LONGEST_GAME, Othello};
use search::{NboardRequest, NboardStrength};

pub(crate) const EXAMPLES: &str = "Examples:
  plyground nboard
  plyground nboard --engine othello-mtd-f
  plyground nboard --level 4

In NBoard, add an engine with this command. Near the end of a game it solves the position exactly:
at depth N, the last 2 N squares. --level, or `set level N`, limits the moves that it plays, but not
its hints and analyses: `plyground levels othello` lists the levels.";

/// The name that the interface shows; one word.
const NAME: &str = "Plyground";

#[derive(Debug, Args)]
pub(crate) struct NboardArgs {
    #[command(flatten)]
    engine: OthelloArgs,
    /// Play at a level from 1 to 10
    #[arg(long, value_name = "L",
        value_parser = clap::value_parser!(u8).range(1..=i64::from(MAX_LEVEL)))]
    level: Option<u8>,
}

pub(crate) fn run(console: &Console, games: &Games, args: &NboardArgs) -> anyhow::Result<()> {
    let session = args.engine.session(games, "NBoard")?;
    let lines = Lines::read(|line| line.trim() == "quit")?;
    let thread = EngineThread::new(session, complain)?;
    let levels = Othello::door().levels()?;
    let level = args.level.and_then(|level| levels.get(level)).cloned();
    let engine = &args.engine;
    let seed = engine.new_seed();
    let mut handler =
        NboardHandler { console, lines: &lines, thread, depth: None, levels, level, engine, seed };
    while let Some(line) = lines.next(console) {
        if !handler.execute(&line.text) {
            break;
        }
    }
    // A search that is still running reports its result.
    handler.session();
    Ok(())
}

/// Reports an error in the status line of the interface.
fn complain(reason: &str) {
    say(&format!("status {}", reason.split_whitespace().collect::<Vec<_>>().join(" ")));
}

/// The state of a conversation.
struct NboardHandler<'a> {
    console: &'a Console,
    lines: &'a Lines,
    thread: EngineThread<Othello>,
    /// The depth that the interface has set.
    depth: Option<u32>,
    levels: Levels,
    /// The level of the moves that it plays; `None` for full strength.
    level: Option<Level>,
    engine: &'a OthelloArgs,
    /// What the level's random choices follow from.
    seed: u64,
}

impl NboardHandler<'_> {
    /// The session, after the present search was stopped or, in a script, has finished.
    fn session(&mut self) -> &mut Session<Othello> {
        if self.thread.is_busy() && self.lines.are_a_script() {
            self.thread.wait(self.console, || false);
        }
        self.thread.session()
    }

    /// Executes a line; `false` after `quit`. Unknown commands are ignored, as the protocol demands.
    fn execute(&mut self, line: &str) -> bool {
        let line = line.trim();
        let (command, rest) = split(line);
        match command {
            "quit" => return false,
            "nboard" => say(&format!("set myname {NAME}")),
            "set" => self.set(rest),
            "move" => self.play(rest),
            "hint" => {
                let lines = rest.parse::<usize>().unwrap_or(1).clamp(1, 64);
                self.begin(NboardRequest::Hints(lines));
            }
            "go" => self.begin(NboardRequest::Move),
            "analyze" => self.begin(NboardRequest::Analysis),
            "ping" => {
                self.session();
                say(&format!("pong {rest}"));
            }
            // The opening book does not learn.
            "learn" => say("learned"),
            // Version 1 of the protocol sends bare moves.
            _ if command.len() == 2 && rest.is_empty() && is_move(command) => self.play(command),
            _ => {}
        }
        true
    }

    fn set(&mut self, words: &str) {
        match split(words) {
            ("depth", depth) => match depth.parse::<u32>() {
                Ok(depth @ 1..) => {
                    self.session();
                    self.depth = Some(depth.min(LONGEST_GAME));
                }
                _ => complain(&format!("set depth: expected a number of plies, found `{depth}`")),
            },
            ("game", game) => match Othello::load(game) {
                Ok(mut games) => {
                    let line = games.swap_remove(0);
                    if line.moves().is_empty() {
                        self.seed = self.engine.new_seed();
                    }
                    self.session().set_line(line);
                }
                Err(error) => complain(&format!("set game: {error}")),
            },
            ("level", level) => match level.parse().ok().and_then(|level| self.levels.get(level)) {
                Some(level) => self.level = Some(level.clone()),
                None => complain(&format!(
                    "set level: expected a number from 1 to {MAX_LEVEL}, found `{level}`"
                )),
            },
            // Contempt and other settings have no meaning here.
            _ => {}
        }
    }

    /// Plays a move, as in `F5/1.25/0.5`: after the move its value and its time.
    fn play(&mut self, text: &str) {
        let text = text.split('/').next().unwrap_or_default().trim();
        let session = self.session();
        let mut line: GameLine<Othello> = session.line().clone();
        if line.position().board.must_pass() && !is_pass(text) {
            line.play(None);
        }
        match Othello::read_move(line.position(), text) {
            Ok(mv) => {
                line.play(mv);
                session.set_line(line);
            }
            Err(error) => complain(&format!("move {error}")),
        }
    }

    fn begin(&mut self, request: NboardRequest) {
        let strength =
            NboardStrength { depth: self.depth, level: self.level.clone(), seed: self.seed };
        self.session();
        search::begin(&mut self.thread, request, strength);
    }
}

/// The first word and the rest.
fn split(text: &str) -> (&str, &str) {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (first, rest.trim())
}

fn is_pass(text: &str) -> bool {
    ["pa", "ps", "pass", "--"].contains(&text.to_ascii_lowercase().as_str())
}

fn is_move(text: &str) -> bool {
    is_pass(text) || text.parse::<plyground_games::grid::Square>().is_ok()
}
