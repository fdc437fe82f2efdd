//! `plyground uci`: chess for graphical interfaces, by the Universal Chess Interface.
//!
//! Lines are read on a thread of their own, and a search runs on another, which takes the session
//! with it and gives it back when it is over. Whatever is typed, the program goes on: what it does
//! not understand it says in an `info string`. When its input ends, it stops.

mod options;
mod search;
mod words;

use clap::Args;

use super::bench;
use super::console::Console;
use super::host::{self, Host};
use super::lines::{Lines, say};
use crate::chess::{Board, Chess, Picture};
use crate::game::Game;
use crate::othello::Othello;
use crate::session::Session;
use options::Options;
use search::Pondering;
use words::Go;

pub(super) const EXAMPLES: &str = "Examples:
  plyground uci
  plyground uci --engine chess-mtd-f

In a graphical interface, add an engine with this command. Besides UCI's own commands it knows
d (the position), eval, perft N and bench.";

/// Nobody lives to see a deeper count.
const MOST_PERFT: u32 = 20;

/// Depths for `bench`: seconds, not minutes.
const BENCH_CHESS: u32 = 9;
const BENCH_OTHELLO: u32 = 8;

#[derive(Debug, Args)]
pub(super) struct UciArgs {
    /// An engine that plays chess: a name from `plyground engines`, or a file
    #[arg(long, value_name = "NAME", default_value = "chess")]
    engine: String,
}

pub(super) fn run(console: &Console, args: &UciArgs) -> anyhow::Result<()> {
    let host = Host::new(host::session(&args.engine, "UCI")?, complain);
    let lines = Lines::read(|line| line.trim() == "quit");
    let mut front = Front {
        console,
        lines: &lines,
        host,
        options: Options::default(),
        pondering: None,
        endless: false,
    };
    while let Some(line) = lines.next(console) {
        if !front.obey(&line) {
            break;
        }
    }
    // What is still under way says its last word.
    front.session();
    Ok(())
}

/// Says what went wrong, in one line.
fn complain(reason: &str) {
    say(&format!("info string {}", reason.split_whitespace().collect::<Vec<_>>().join(" ")));
}

struct Front<'a> {
    console: &'a Console,
    lines: &'a Lines,
    host: Host<Chess>,
    options: Options,
    /// The search under way, or the last one, if it pondered.
    pondering: Option<Pondering>,
    /// Does the search under way wait for `stop`, or `ponderhit`?
    endless: bool,
}

impl Front<'_> {
    /// The session; a search that has it is stopped first, or, in a script, comes to its end.
    fn session(&mut self) -> &mut Session<Chess> {
        if !self.endless && self.host.is_busy() && self.lines.are_a_script() {
            self.host.wait(self.console, || false);
        }
        self.host.session()
    }

    /// Does what a line says; `false` if it is to quit.
    fn obey(&mut self, line: &str) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&command, rest)) = words.split_first() else { return true };
        match command {
            "quit" => return false,
            "isready" => say("readyok"),
            "stop" => self.host.stop(),
            "ponderhit" => {
                if !self.pondering.take().is_some_and(Pondering::hit) {
                    complain("ponderhit: nobody ponders");
                }
            }
            "debug" | "register" => {}
            "uci" => self.introduce(),
            "ucinewgame" => {
                let session = self.session();
                session.clear();
                session.set_position(Board::start());
            }
            "setoption" => self.set_option(rest),
            "position" => self.set_position(rest),
            "go" => self.go(rest),
            "perft" => self.go(&[&["perft"], rest].concat()),
            "d" => {
                let board = *self.session().position();
                say(&format!("{}\nFEN {board}\nKey {:016x}", Picture(&board), board.key()));
            }
            "eval" => self.explain(),
            "bench" => self.bench(),
            _ => complain(&format!("`{}` is not understood", command.escape_debug())),
        }
        true
    }

    fn introduce(&mut self) {
        say(concat!("id name Plyground ", env!("CARGO_PKG_VERSION")));
        say("id author the Plyground developers");
        for option in Options::listed(self.session()) {
            say(&option);
        }
        say("uciok");
    }

    fn set_option(&mut self, words: &[&str]) {
        let Some((name, value)) = words::option(words) else {
            return complain("setoption: expected name, the option's name, value and its value");
        };
        let mut options = self.options;
        if let Err(reason) = options.set(self.session(), &name, value.as_deref()) {
            complain(&reason);
        }
        self.options = options;
    }

    fn set_position(&mut self, words: &[&str]) {
        match words::position(words) {
            Ok((start, moves, complaint)) => {
                let session = self.session();
                session.set_position(start);
                for mv in moves {
                    session.play(mv);
                }
                complaint.iter().for_each(|reason| complain(reason));
            }
            Err(reason) => complain(&reason),
        }
    }

    fn go(&mut self, words: &[&str]) {
        let session = self.session();
        let go = Go::parse(words, session.position());
        go.complaints.iter().for_each(|reason| complain(reason));
        self.pondering = None;
        self.endless = go.perft.is_none() && go.is_endless();
        match go.perft {
            Some(depth) if depth > MOST_PERFT => {
                complain(&format!("perft: expected a depth of at most {MOST_PERFT}"));
            }
            Some(depth) => search::begin_perft(&mut self.host, depth),
            None => self.pondering = search::begin(&mut self.host, go, self.options),
        }
    }

    fn explain(&mut self) {
        let session = self.session();
        let board = *session.position();
        for explained in session.evaluator().explain(&board) {
            say(&format!("{:<24} {:>6}", explained.term, explained.value));
        }
        let value = session.evaluator().evaluate(&board);
        say(&format!("{:<24} {value:>6}", "for the side to move"));
    }

    fn bench(&mut self) {
        self.session();
        let stop = Default::default();
        let lines = [
            bench::measured::<Chess>(BENCH_CHESS, &stop),
            bench::measured::<Othello>(BENCH_OTHELLO, &stop),
        ];
        let mut sum = 0;
        for line in lines {
            match line {
                Ok(line) => {
                    sum += line.nodes;
                    say(&line.text());
                }
                Err(error) => complain(&error.to_string()),
            }
        }
        say(&format!("{sum} nodes"));
    }
}

/// The value as UCI writes it.
fn score(value: crate::value::Value) -> String {
    use crate::value::{LEAST_MATE, MATE};
    let plies = MATE - value.abs();
    if value >= LEAST_MATE {
        format!("mate {}", (plies + 1) / 2)
    } else if value <= -LEAST_MATE {
        format!("mate -{}", plies / 2).replace("-0", "0")
    } else {
        format!("cp {}", value * 100 / crate::chess::PAWN)
    }
}

/// Moves as UCI writes them.
fn written(session: &Session<Chess>, moves: &[crate::chess::Move]) -> String {
    Chess::written(session.position(), moves).join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::MATE;

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
