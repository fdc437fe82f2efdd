//! A soak over the Universal Chess Interface.

use std::time::{Duration, Instant};

use super::GivenUp;
use super::engine_copy::EngineCopy;
use super::game::{SoakGame, illegal};
use plyground_engine::door::AnyLine;

impl EngineCopy<'_> {
    pub(super) fn uci_greet(&mut self) -> Result<(), GivenUp> {
        self.send("uci")?;
        let mut hash = 0;
        self.find(|line| {
            if let Some(rest) = line.strip_prefix("option name Hash type spin default ") {
                hash = rest.split(' ').next().and_then(|text| text.parse().ok()).unwrap_or(0);
            }
            (line == "uciok").then_some(())
        })?;
        // The table that it has from the start.
        self.hash = hash;
        self.uci_ready()
    }

    /// Waits until the copy has read everything. No move may come before it is asked for.
    fn uci_ready(&mut self) -> Result<(), GivenUp> {
        self.send("isready")?;
        let mut extra = None;
        self.find(|line| {
            if line.starts_with("bestmove") {
                extra = Some(line.to_owned());
            }
            (line == "readyok").then_some(())
        })?;
        match extra {
            Some(line) => Err(illegal(&format!("`{line}`, but nothing was asked"))),
            None => Ok(()),
        }
    }

    /// Ends whatever nonsense has begun, and passes over its answers.
    pub(super) fn uci_settle(&mut self) -> Result<(), GivenUp> {
        for line in ["stop", "ucinewgame", "isready"] {
            self.send(line)?;
        }
        self.find(|line| (line == "readyok").then_some(())).map(|_| ())
    }

    pub(super) fn uci_position(&mut self, line: &dyn AnyLine) -> Result<(), GivenUp> {
        let moves = line.written().join(" ");
        let command = match moves.is_empty() {
            true => "position startpos".to_owned(),
            false => format!("position startpos moves {moves}"),
        };
        self.send(&command).map(|_| ())
    }

    fn uci_answer(&mut self) -> Result<(Instant, String), GivenUp> {
        self.find(|line| {
            let best = line.strip_prefix("bestmove")?;
            Some(best.split_whitespace().next().unwrap_or("").to_owned())
        })
    }
}

impl SoakGame<'_> {
    /// Sets an option.
    pub(super) fn uci_options(&mut self, copy: &mut EngineCopy<'_>) -> Result<(), GivenUp> {
        match self.dice.below(8) {
            0 => copy.send(&format!("setoption name Threads value {}", self.dice.between(1, 3)))?,
            1 => copy.send(&format!("setoption name MultiPV value {}", self.dice.between(1, 4)))?,
            2 => copy.send("setoption name Clear Hash")?,
            3 => copy.send("ucinewgame")?,
            _ => {
                self.uci_hash(copy)?;
                // To make a table takes its time; a clock runs only when it is there.
                return copy.uci_ready();
            }
        };
        Ok(())
    }

    fn uci_hash(&mut self, copy: &mut EngineCopy<'_>) -> Result<(), GivenUp> {
        let most = *self.dice.pick(&[4, 64, 300]);
        let hash = self.dice.between(1, most);
        self.counts.hash_changes += 1;
        copy.hash = copy.hash.max(hash);
        copy.send(&format!("setoption name Hash value {hash}")).map(|_| ())
    }

    /// A move, by any of the ways to ask for one.
    pub(super) fn uci_move(&mut self, copy: &mut EngineCopy<'_>) -> Result<String, GivenUp> {
        copy.uci_position(&*self.line)?;
        let go = |copy: &mut EngineCopy<'_>, words: &str| copy.send(&format!("go {words}"));
        let due = match self.dice.below(9) {
            0 => {
                go(copy, &format!("depth {}", self.dice.between(1, 7)))?;
                None
            }
            1 => {
                go(copy, &format!("nodes {}", self.dice.between(1, 20_000)))?;
                None
            }
            2 | 3 => {
                let time = self.dice.between(1, 60);
                let began = go(copy, &format!("movetime {time}"))?;
                Some(began + Duration::from_millis(time))
            }
            4 | 5 => {
                let (left, more) = (self.dice.between(20, 1500), self.dice.below(20));
                let words = format!("wtime {left} btime {left} winc {more} binc {more}");
                let began = go(copy, &words)?;
                Some(began + Duration::from_millis(left))
            }
            6 => {
                go(copy, "infinite")?;
                std::thread::sleep(self.dice.pause());
                // It answers while it thinks, but not with a move.
                copy.uci_ready()?;
                self.counts.stops += 1;
                Some(copy.send("stop")?)
            }
            7 => {
                go(copy, "ponder wtime 300 btime 300")?;
                std::thread::sleep(self.dice.pause());
                self.counts.stops += 1;
                let end = *self.dice.pick(&["stop", "ponderhit"]);
                Some(copy.send(end)? + Duration::from_millis(300))
            }
            _ => {
                // An infinite search ends for an option.
                go(copy, "infinite")?;
                std::thread::sleep(self.dice.pause());
                self.counts.stops += 1;
                self.uci_hash(copy)?;
                Some(Instant::now())
            }
        };
        let (came, best) = copy.uci_answer()?;
        if let Some(due) = due {
            self.counts.answered(copy.lateness(due, came)?, copy.starved());
        }
        copy.uci_ready()?;
        Ok(best)
    }
}
