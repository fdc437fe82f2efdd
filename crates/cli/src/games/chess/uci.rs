//! `plyground uci`: chess for graphical interfaces, by the Universal Chess Interface.
//!
//! One thread reads lines, another searches. The search takes the session along and gives it back at
//! its end. A command that needs the session waits in a queue until then, and so do all commands after
//! it; an infinite search is stopped for them. No input ends the program except `quit`: an error is
//! reported in an `info string`. The program ends when its input ends.

mod options;
mod parse;
mod search;
mod strength;

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use clap::Args;

use crate::cli::console::Console;
use crate::protocol::engine_thread::{self, EngineThread};
use crate::protocol::lines::{InputLine, Lines, NextLine, say};
use options::{OptionChange, UciOptions};
use parse::GoCommand;
use plyground_engine::game::Game;
use plyground_engine::games::Games;
use plyground_engine::session::Session;
use plyground_games::chess::{Board, Chess, Evaluator, Picture};
use search::Pondering;
use strength::UciStrength;

pub(crate) const EXAMPLES: &str = "Examples:
  plyground uci
  plyground uci --engine chess-mtd-f

In a graphical interface, add an engine with this command. Besides UCI's own commands it knows
d (the position), eval, perft N and bench.";

/// The greatest depth of `perft`; a deeper count would take years.
const MOST_PERFT: u32 = 20;

/// How often a waiting command checks whether the search has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// How long one wait for a line lasts while nothing is queued.
const IDLE_WAIT: Duration = Duration::from_secs(1);

/// How much of an unknown command is repeated, in characters.
const LONGEST_WORD: usize = 100;

/// How long the search of a script may go on after its `quit`.
const QUIT_GRACE: Duration = Duration::from_secs(5);

#[derive(Debug, Args)]
pub(crate) struct UciArgs {
    /// An engine that plays chess: a name from `plyground engines`, or a file
    #[arg(long, value_name = "NAME", default_value = Chess::NAME)]
    engine: String,
}

pub(crate) fn run(console: &Console, games: &Games, args: &UciArgs) -> anyhow::Result<()> {
    let session = engine_thread::session(games, &args.engine, "UCI")?;
    let mut handler = UciHandler {
        console,
        games,
        listed: UciOptions::listed(&session),
        board: *session.position(),
        evaluator: session.evaluator().clone(),
        thread: EngineThread::new(session, complain)?,
        options: UciOptions::default(),
        strength: UciStrength::new()?,
        pondering: None,
        endless: false,
        queue: VecDeque::new(),
        worked: Instant::now(),
    };
    let lines = Lines::read(|line| line.trim() == "quit")?;
    let quits = loop {
        handler.run_queue();
        let patience = if handler.queue.is_empty() { IDLE_WAIT } else { POLL_INTERVAL };
        match lines.wait(console, patience) {
            NextLine::Line(line) if line.text.trim() == "quit" => break true,
            NextLine::Line(line) => handler.enqueue(line),
            NextLine::Timeout => {}
            NextLine::End => break false,
        }
    };
    if lines.are_a_script() && !console.interrupted() {
        handler.finish(quits.then(|| Instant::now() + QUIT_GRACE));
    }
    // A search that is still running prints its best move.
    handler.thread.session();
    Ok(())
}

/// Does this command use the session?
fn needs_session(line: &str) -> bool {
    let command = line.split_whitespace().next().unwrap_or_default();
    matches!(command, "ucinewgame" | "setoption" | "position" | "go" | "perft" | "bench")
}

/// Reports an error, in one line.
fn complain(reason: &str) {
    say(&format!("info string {}", reason.split_whitespace().collect::<Vec<_>>().join(" ")));
}

/// The state of a conversation.
struct UciHandler<'a> {
    console: &'a Console,
    games: &'a Games,
    thread: EngineThread<Chess>,
    options: UciOptions,
    strength: UciStrength,
    /// The options with their values at the start, as `uci` lists them.
    listed: Vec<String>,
    /// Copies of the position and the evaluator, for commands that come during a search.
    board: Board,
    evaluator: Evaluator,
    /// The present or last search, if it pondered.
    pondering: Option<Pondering>,
    /// Does the present search last until `stop` or `ponderhit`?
    endless: bool,
    /// Lines that wait for the session.
    queue: VecDeque<InputLine>,
    /// When the session was last seen at work.
    worked: Instant,
}

impl UciHandler<'_> {
    /// Takes a line in.
    fn enqueue(&mut self, line: InputLine) {
        // `stop` ends the present search at once; in the queue it also ends those that wait before it.
        if line.text.trim() == "stop" {
            self.thread.stop();
        }
        self.queue.push_back(line);
    }

    /// Executes queued lines until one has to wait for the session.
    fn run_queue(&mut self) {
        while let Some(line) = self.queue.pop_front() {
            if needs_session(&line.text) && self.thread.is_busy() {
                self.worked = Instant::now();
                if !self.endless {
                    return self.queue.push_front(line);
                }
            }
            self.execute(&line);
        }
    }

    /// Finishes a script: executes everything that is possible before the deadline.
    fn finish(&mut self, deadline: Option<Instant>) {
        loop {
            self.run_queue();
            let late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if self.endless || late || self.console.interrupted() {
                self.thread.stop();
            }
            if self.queue.is_empty() && (self.endless || late || !self.thread.is_busy()) {
                return;
            }
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    /// Executes a line.
    fn execute(&mut self, line: &InputLine) {
        let words: Vec<&str> = line.text.split_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else { return };
        match command {
            "isready" => say("readyok"),
            "stop" => self.thread.stop(),
            "ponderhit" => {
                if !self.pondering.take().is_some_and(|pondering| pondering.hit(line.read)) {
                    complain("ponderhit: no search ponders");
                }
            }
            "debug" | "register" => {}
            "uci" => self.introduce(),
            "ucinewgame" => {
                let session = self.thread.session();
                session.clear();
                session.set_position(Board::start());
                self.board = Board::start();
                self.strength.new_game();
            }
            "setoption" => self.set_option(rest),
            "position" => self.set_position(rest),
            "go" => self.go(rest, line.read),
            "perft" => self.go(&[&["perft"], rest].concat(), line.read),
            "d" => {
                let board = self.board;
                say(&format!("{}\nFEN {board}\nKey {:016x}", Picture(&board), board.key()));
            }
            "eval" => self.explain(),
            "bench" => self.bench(),
            _ => {
                let beginning: String = command.chars().take(LONGEST_WORD).collect();
                complain(&format!("`{}` is not understood", beginning.escape_debug()));
            }
        }
    }

    fn introduce(&self) {
        say(concat!("id name Plyground ", env!("CARGO_PKG_VERSION")));
        say("id author the Plyground developers");
        self.listed.iter().for_each(|option| say(option));
        say("uciok");
    }

    fn set_option(&mut self, words: &[&str]) {
        let Some((name, value)) = parse::option(words) else {
            return complain("setoption: expected name, the option's name, value and its value");
        };
        // An option that is refused changes nothing and does not stop the present search.
        match OptionChange::read(&name, value.as_deref()) {
            Ok(change) => {
                let session = self.thread.session();
                match self.options.make(session, change) {
                    Ok(note) => note.iter().for_each(|note| complain(note)),
                    Err(reason) => complain(&reason),
                }
            }
            Err(reason) => complain(&reason),
        }
    }

    fn set_position(&mut self, words: &[&str]) {
        match parse::position(words) {
            Ok(parse::PositionCommand { start, moves, complaints }) => {
                let session = self.thread.session();
                session.set_position(start);
                for mv in moves {
                    session.play(mv);
                }
                self.board = *session.position();
                complaints.iter().for_each(|reason| complain(reason));
            }
            Err(reason) => complain(&reason),
        }
    }

    fn go(&mut self, words: &[&str], read: Instant) {
        let go = GoCommand::parse(words, &self.board);
        go.complaints.iter().for_each(|reason| complain(reason));
        if go.counts && go.perft.is_none() {
            return;
        }
        self.pondering = None;
        self.endless = go.perft.is_none() && go.is_endless();
        match go.perft {
            Some(depth) if depth > MOST_PERFT => {
                complain(&format!("perft: expected a depth of at most {MOST_PERFT}"));
            }
            Some(depth) => search::begin_perft(&mut self.thread, depth),
            None => {
                // A command that has waited for a search counts from the end of that.
                let asked = read.max(self.worked);
                let UciHandler { thread, options, strength, .. } = self;
                self.pondering = search::begin(thread, go, options.clone(), strength, asked);
            }
        }
    }

    fn explain(&self) {
        for (term, value) in Chess::explain(&self.evaluator, &self.board) {
            say(&format!("{term:<24} {value:>6}"));
        }
        let value = self.evaluator.evaluate(&self.board);
        say(&format!("{:<24} {value:>6}", "for the side to move"));
    }

    fn bench(&mut self) {
        self.endless = false;
        search::begin_bench(&mut self.thread, self.games);
    }
}

/// The value as UCI writes it.
fn score(value: plyground_core::value::Value) -> String {
    use plyground_core::value::{LEAST_MATE, MATE};
    let plies = MATE - value.abs();
    if value >= LEAST_MATE {
        format!("mate {}", (plies + 1) / 2)
    } else if value <= -LEAST_MATE {
        format!("mate -{}", plies / 2).replace("-0", "0")
    } else {
        format!("cp {}", value * 100 / plyground_games::chess::PAWN)
    }
}

/// Moves as UCI writes them.
fn written(session: &Session<Chess>, moves: &[plyground_games::chess::Move]) -> String {
    Chess::written(session.position(), moves).join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_core::value::MATE;

    #[test]
    fn scores() {
        assert_eq!(score(35), "cp 35");
        assert_eq!(score(MATE - 1), "mate 1");
        assert_eq!(score(MATE - 5), "mate 3");
        assert_eq!(score(-MATE + 2), "mate -1");
        assert_eq!(score(-MATE + 20), "mate -10");
        assert_eq!(score(-MATE), "mate 0");
    }
}
