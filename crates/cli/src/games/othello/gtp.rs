//! `plyground gtp`: Othello by the Go Text Protocol, version 2, as Othello programs speak it.
//!
//! Commands are executed one after the other. A side without a move must pass. The client may send the
//! pass (`play b pass`), or leave it out and go on with the other side; then the pass is implied.

mod clock;
mod parse;

use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use clap::Args;

use super::engine::OthelloArgs;
use crate::cli::console::{Console, note};
use crate::cli::seconds;
use crate::protocol::engine_thread::{self, EngineThread};
use crate::protocol::lines::{Lines, say};
use clock::{GtpClocks, TimeSettings};
use parse::GtpCommand;
use plyground_core::limits::StopFlag;
use plyground_engine::game::Game;
use plyground_engine::games::Games;
use plyground_engine::levels::{Level, Levels, MAX_LEVEL};
use plyground_engine::session::{GoLimits, ThinkRequest};
use plyground_games::othello::{Disc, Move, Othello, Picture, Position};

pub(crate) const EXAMPLES: &str = "Examples:
  plyground gtp
  plyground gtp --engine othello-mtd-f --time 0.5
  plyground gtp --level 6

The engine thinks for a second a move unless the client or a flag sets another limit. `plyground
levels othello` lists the levels: those below the highest misjudge now and then, as --seed has it, and
are the same on every machine; the highest thinks five seconds a move unless the client sets a clock.
Besides GTP's own commands there are level N and plyground-setup_board POSITION.";

/// The time for a move if no limit is set.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

const COMMANDS: [&str; 21] = [
    "boardsize",
    "clear_board",
    "final_score",
    "genmove",
    "known_command",
    "komi",
    "level",
    "list_commands",
    "list_games",
    "name",
    "play",
    "plyground-setup_board",
    "protocol_version",
    "quit",
    "reg_genmove",
    "set_game",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
];

#[derive(Debug, Args)]
pub(crate) struct GtpArgs {
    #[command(flatten)]
    engine: OthelloArgs,
    /// Think S seconds a move, unless the client sets the time
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
    /// Search N plies deep
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Play at a level from 1 to 10, which the client can change by its command `level`
    #[arg(long, value_name = "L", conflicts_with_all = ["depth", "time"],
        value_parser = clap::value_parser!(u8).range(1..=i64::from(MAX_LEVEL)))]
    level: Option<u8>,
}

pub(crate) fn run(console: &Console, games: &Games, args: &GtpArgs) -> anyhow::Result<()> {
    let session = args.engine.session(games, "GTP")?;
    let limits = &session.profile().limits;
    // A depth without a time is searched however long it takes.
    let usual = if args.depth.is_some() { None } else { limits.time.or(Some(DEFAULT_TIME)) };
    let given = GoLimits {
        move_time: args.time.or(usual),
        depth: args.depth,
        nodes: limits.nodes,
        ..GoLimits::default()
    };
    let levels = Othello::door().levels()?;
    let level = args.level.and_then(|level| levels.get(level)).cloned();
    // A level has limits of its own.
    let limits = if level.is_some() { GoLimits::default() } else { given };
    let thread = EngineThread::new(session, note)?;
    let lines = Lines::read(parse::quits)?;
    let mut handler = GtpHandler {
        console,
        lines: &lines,
        thread,
        limits,
        levels,
        level,
        engine: &args.engine,
        seed: args.engine.new_seed(),
        settings: None,
        clocks: GtpClocks::default(),
        steps: Vec::new(),
        asked: Instant::now(),
    };
    while let Some(line) = lines.next(console) {
        // A command that has waited for the one before it counts from the end of that.
        handler.asked = line.read.max(handler.asked);
        if !handler.respond(&line.text) {
            break;
        }
        handler.asked = Instant::now();
    }
    Ok(())
}

/// The response to a command: a text, which may be empty, or an error.
type Response = Result<String, String>;

/// The state of a conversation.
struct GtpHandler<'a> {
    console: &'a Console,
    lines: &'a Lines,
    thread: EngineThread<Othello>,
    /// The limits of the command line; none if there is a level.
    limits: GoLimits,
    levels: Levels,
    /// The level of the command line or the client; `None` for full strength.
    level: Option<Level>,
    engine: &'a OthelloArgs,
    /// What the level's random choices follow from.
    seed: u64,
    /// The time settings of the client; `None` if there are none, or no limit.
    settings: Option<TimeSettings>,
    clocks: GtpClocks,
    /// The moves that each command made, for `undo`: none if a side passed after the end of the game,
    /// two if a pass was implied.
    steps: Vec<usize>,
    /// When the present command was read, or when the one before it was done.
    asked: Instant,
}

impl GtpHandler<'_> {
    /// Executes a line and prints the response; `false` after `quit`.
    fn respond(&mut self, line: &str) -> bool {
        let line = parse::clean(line);
        let Some(GtpCommand { id, command, arguments }) = GtpCommand::parse(&line) else {
            return true;
        };
        let id = id.unwrap_or_default();
        match self.execute(command, &arguments) {
            Ok(text) if text.is_empty() => say(&format!("={id}\n")),
            Ok(text) => say(&format!("={id} {text}\n")),
            Err(reason) => say(&format!("?{id} {reason}\n")),
        }
        command != "quit"
    }

    fn execute(&mut self, command: &str, arguments: &[&str]) -> Response {
        match (command, arguments) {
            ("protocol_version", _) => Ok("2".into()),
            ("name", _) => Ok("Plyground".into()),
            ("version", _) => Ok(env!("CARGO_PKG_VERSION").into()),
            ("known_command", [name]) => Ok(COMMANDS.contains(name).to_string()),
            ("list_commands", _) => Ok(COMMANDS.join("\n")),
            ("quit", _) => Ok(String::new()),
            ("list_games", _) => Ok("Othello".into()),
            ("set_game", [game]) => match game.to_ascii_lowercase().as_str() {
                "othello" | "reversi" => Ok(String::new()),
                _ => Err("unsupported game: expected Othello".into()),
            },
            ("boardsize", [size]) => match size.parse::<u64>() {
                Ok(8) => Ok(self.begin(Position::start())),
                Ok(_) => Err("unacceptable size: expected 8".into()),
                Err(_) => Err(syntax("boardsize 8")),
            },
            ("clear_board", _) => Ok(self.begin(Position::start())),
            // Othello has no komi, but clients written for Go send one.
            ("komi", [komi]) if komi.parse::<f64>().is_ok() => Ok(String::new()),
            ("play", [color, vertex]) => self.play(color, vertex),
            ("genmove", [color]) => self.genmove(color, true),
            ("reg_genmove", [color]) => self.genmove(color, false),
            ("undo", _) => self.undo(),
            ("showboard", _) => Ok(showboard(self.thread.session().position())),
            ("final_score", _) => self.final_score(),
            ("level", [level]) => self.level(level),
            ("time_settings", [main, period, stones]) => self.time_settings(main, period, stones),
            ("time_left", [color, time, stones]) => self.time_left(color, time, stones),
            ("plyground-setup_board", words @ [_, ..]) => {
                let position = parse::position(words).map_err(|error| error.to_string())?;
                Ok(self.begin(position))
            }
            _ => match USAGE.iter().find(|usage| usage.split(' ').next() == Some(command)) {
                Some(usage) => Err(syntax(usage)),
                None => Err("unknown command".into()),
            },
        }
    }

    /// Starts a new game from a position.
    fn begin(&mut self, position: Position) -> String {
        let session = self.thread.session();
        session.clear();
        session.set_position(position);
        self.steps.clear();
        self.seed = self.engine.new_seed();
        self.clocks = self.settings.map(GtpClocks::new).unwrap_or_default();
        String::new()
    }

    /// Makes it the turn of `side`, by an implied pass if necessary; returns the number of passes.
    fn turn(&mut self, side: Disc) -> Result<usize, String> {
        let session = self.thread.session();
        let position = *session.position();
        if side == position.side || position.board.is_over() {
            return Ok(0);
        }
        if !position.board.must_pass() {
            return Err(format!("illegal move: it is {}'s turn", position.side));
        }
        session.play(None);
        Ok(1)
    }

    fn play(&mut self, color: &str, vertex: &str) -> Response {
        let (Some(side), Some(mv)) = (parse::color(color), parse::read_vertex(vertex)) else {
            return Err(syntax("play COLOR MOVE, such as play black f5 or play white pass"));
        };
        let before = self.thread.session().position().board;
        // After the end of the game both sides may pass.
        if mv.is_none() && before.is_over() {
            self.steps.push(0);
            return Ok(String::new());
        }
        let implied = self.turn(side)?;
        let session = self.thread.session();
        if !session.play(mv) {
            let board = session.position().board;
            if implied == 1 {
                session.undo();
            }
            return Err(match mv {
                _ if board.is_over() => "illegal move: the game is over".into(),
                None => format!("illegal move: {side} may not pass, but play {}", board.moves()),
                Some(_) if board.must_pass() => format!("illegal move: {side} must pass"),
                Some(mv) => format!("illegal move: {mv}; {side} may play {}", board.moves()),
            });
        }
        self.steps.push(implied + 1);
        Ok(String::new())
    }

    fn genmove(&mut self, color: &str, play: bool) -> Response {
        let Some(side) = parse::color(color) else {
            return Err(syntax("genmove COLOR, such as genmove black"));
        };
        let implied = self.turn(side)?;
        let session = self.thread.session();
        let board = session.position().board;
        let mv = if board.moves().is_empty() { None } else { self.think(side) };
        let session = self.thread.session();
        if play {
            let played = usize::from(session.play(mv));
            self.steps.push(implied + played);
            self.clocks.played(side, self.asked.elapsed());
        } else if implied == 1 {
            session.undo();
        }
        Ok(parse::vertex(mv))
    }

    /// The best move in a position that has moves.
    fn think(&mut self, side: Disc) -> Move {
        let session = self.thread.session();
        let empties = session.position().board.empties().len() as u32;
        let first = session.legal_moves().first().copied().flatten();
        let mut limits = self.limits.clone();
        if let Some(GoLimits { clock, move_time, .. }) = self.clocks.limits(side, empties) {
            (limits.clock, limits.move_time) = (clock, move_time);
        }
        let mut choice = None;
        if let Some(level) = &self.level {
            limits = level.limited(&limits);
            choice = level.choice(self.seed);
        }
        let stop = StopFlag::new();
        let asked = Some(self.asked);
        let book = self.level.is_none();
        let request =
            ThinkRequest { stop: stop.clone(), asked, choice, book, ..ThinkRequest::on(limits) };
        let (sender, answer) = channel();
        self.thread.begin(stop, move |session| {
            let thought = engine_thread::think(session, &request, &mut |_| {});
            // The other end waits for this message.
            let _ = sender.send(thought.and_then(|thought| thought.best));
        });
        let lines = self.lines;
        self.thread.wait(self.console, || lines.client_has_gone());
        answer.try_recv().ok().flatten().unwrap_or(first)
    }

    fn undo(&mut self) -> Response {
        let Some(moves) = self.steps.pop() else { return Err("cannot undo".into()) };
        let session = self.thread.session();
        for _ in 0..moves {
            session.undo();
        }
        Ok(String::new())
    }

    /// The final score. Empty squares count for the winner, as in tournaments.
    fn final_score(&mut self) -> Response {
        let position = *self.thread.session().position();
        if !position.board.is_over() {
            return Err("cannot score: the game is not over".into());
        }
        let score = position.board.final_score();
        let black = if position.side == Disc::Black { score } else { -score };
        Ok(match black {
            0 => "0".into(),
            1.. => format!("B+{black}"),
            _ => format!("W+{}", -black),
        })
    }

    fn level(&mut self, level: &str) -> Response {
        match level.parse().ok().and_then(|level| self.levels.get(level)) {
            Some(level) => {
                self.level = Some(level.clone());
                self.limits = GoLimits::default();
                Ok(String::new())
            }
            None => Err(syntax(&format!("level N, from 1 to {MAX_LEVEL}"))),
        }
    }

    fn time_settings(&mut self, main: &str, period: &str, stones: &str) -> Response {
        let numbers = (parse::seconds(main), parse::seconds(period), parse::stones(stones));
        let (Some(main), Some(period), Some(stones)) = numbers else {
            return Err(syntax("time_settings MAIN BYO_YOMI STONES"));
        };
        self.settings = TimeSettings::new(main, period, stones);
        self.clocks = self.settings.map(GtpClocks::new).unwrap_or_default();
        Ok(String::new())
    }

    fn time_left(&mut self, color: &str, time: &str, stones: &str) -> Response {
        let words = (parse::color(color), parse::seconds(time), parse::stones(stones));
        let (Some(side), Some(time), Some(stones)) = words else {
            return Err(syntax("time_left COLOR TIME STONES"));
        };
        self.clocks.set(side, time, stones);
        Ok(String::new())
    }
}

/// Commands with arguments, for messages about wrong ones.
const USAGE: [&str; 11] = [
    "boardsize SIZE",
    "genmove COLOR",
    "known_command NAME",
    "komi NUMBER",
    "level N",
    "play COLOR MOVE",
    "reg_genmove COLOR",
    "set_game GAME",
    "time_left COLOR TIME STONES",
    "time_settings MAIN BYO_YOMI STONES",
    "plyground-setup_board POSITION",
];

fn syntax(usage: &str) -> String {
    format!("syntax error: expected {usage}")
}

/// The board in plain letters.
fn showboard(position: &Position) -> String {
    format!("\n{}", Picture(position).to_string().replace('·', "-").trim_end())
}
