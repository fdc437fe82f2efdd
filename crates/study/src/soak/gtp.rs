//! A soak over the Go Text Protocol.

use std::time::{Duration, Instant};

use super::GivenUp;
use super::engine_copy::EngineCopy;
use super::game::{SoakGame, illegal};
use plyground_engine::door::AnyLine;

/// A command that nonsense cannot be taken for, and its answer.
const MARKER: (&str, &str) = ("4711 protocol_version", "=4711 2");

impl EngineCopy<'_> {
    pub(super) fn gtp_greet(&mut self) -> Result<(), GivenUp> {
        self.gtp_ask("name").map(|_| ())
    }

    /// Sends a command; the text after `=`, and when it came. A refusal is wrong.
    fn gtp_ask(&mut self, command: &str) -> Result<(Instant, String), GivenUp> {
        self.send(command)?;
        self.gtp_answer(command)
    }

    fn gtp_answer(&mut self, command: &str) -> Result<(Instant, String), GivenUp> {
        let (came, text) =
            self.find(|line| line.starts_with(['=', '?']).then(|| line.to_owned()))?;
        self.find(|line| line.is_empty().then_some(()))?;
        match text.strip_prefix('=') {
            Some(text) => Ok((came, text.trim().to_owned())),
            None => Err(illegal(&format!("`{command}` is answered by `{text}`"))),
        }
    }

    /// Waits until everything was answered, nonsense too.
    pub(super) fn gtp_settle(&mut self) -> Result<(), GivenUp> {
        self.send(MARKER.0)?;
        self.find(|line| (line == MARKER.1).then_some(()))?;
        self.find(|line| line.is_empty().then_some(())).map(|_| ())
    }

    /// Tells the copy the moves that it does not know.
    pub(super) fn gtp_sync(&mut self, line: &dyn AnyLine) -> Result<(), GivenUp> {
        if self.known == 0 {
            self.gtp_ask("clear_board")?;
        }
        for (place, mv) in line.written().iter().enumerate().skip(self.known) {
            let mover = line.mover_after(place).unwrap_or_else(|| line.mover());
            let side = line.game().sides()[mover.index()];
            self.gtp_ask(&format!("play {side} {mv}"))?;
        }
        self.known = line.plies();
        Ok(())
    }

    /// Takes the last move back, and plays it again with the next ones.
    pub(super) fn gtp_undo(&mut self, line: &dyn AnyLine) -> Result<(), GivenUp> {
        self.gtp_sync(line)?;
        if self.known > 0 {
            self.gtp_ask("undo")?;
            self.known -= 1;
            if self.known == 0 {
                return Ok(());
            }
            self.gtp_sync(line)?;
        }
        Ok(())
    }
}

impl SoakGame<'_> {
    /// A move, by a level or on a clock, with or without playing it.
    pub(super) fn gtp_move(&mut self, copy: &mut EngineCopy<'_>) -> Result<String, GivenUp> {
        copy.gtp_sync(&*self.line)?;
        let side = self.line.game().sides()[self.line.mover().index()];
        let time = self.dice.between(10, 120);
        let timed = !self.dice.once_in(3);
        let seconds = time as f64 / 1e3;
        match timed {
            true => {
                copy.gtp_ask(&format!("time_settings 0 {seconds} 1"))?;
                copy.gtp_ask(&format!("time_left {side} {seconds} 1"))?;
            }
            false => {
                // Byo-yomi without stones is no limit.
                copy.gtp_ask("time_settings 0 1 0")?;
                copy.gtp_ask(&format!("level {}", self.dice.between(1, 3)))?;
            }
        }
        let plays = !self.dice.once_in(4);
        let command = if plays { "genmove" } else { "reg_genmove" };
        let began = copy.send(&format!("{command} {side}"))?;
        let (came, mv) = copy.gtp_answer(command)?;
        if timed {
            let due = began + Duration::from_millis(time);
            self.counts.answered(copy.lateness(due, came)?, copy.starved());
        }
        copy.known += usize::from(plays);
        Ok(mv)
    }
}
