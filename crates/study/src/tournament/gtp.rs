//! Engines that speak the Go Text Protocol, which Othello programs use as well.
//!
//! The protocol cannot set up a position, and it cannot limit depth or nodes: an engine then plays by its
//! own settings. Some engines expect a `play` command for a forced pass and some pass by themselves; all
//! get the command, and may refuse it.

use std::time::{Duration, Instant};

use super::limit::{Clocks, MatchLimit};
use super::opponent::{Opponent, OpponentError, OpponentReply};
use super::process::{Process, drop_failed};
use super::uci::{HANDSHAKE_TIMEOUT, READY_TIMEOUT, illegal, shortened};
use plyground_core::limits::StopFlag;
use plyground_engine::door::AnyLine;
use plyground_engine::game::Seat;

/// A running engine that speaks GTP.
pub(super) struct Gtp {
    command: Vec<String>,
    stop: StopFlag,
    /// `None` if the engine has to be started.
    process: Option<Process>,
    name: String,
    /// The number of the game's moves that were sent.
    sent: usize,
    /// Were the time settings sent in this game?
    timed: bool,
}

/// How much of a reply is kept, in bytes; a line more at the most.
const LONGEST_REPLY: usize = 64 << 10;

/// The reply to a command: the text after `=`, or the error after `?`.
type Reply = Result<String, String>;

impl Gtp {
    /// Starts the engine.
    pub(super) fn start(command: Vec<String>, stop: StopFlag) -> Result<Gtp, OpponentError> {
        let name = command.first().cloned().unwrap_or_default();
        let mut engine = Gtp { command, stop, process: None, name, sent: 0, timed: false };
        engine.running()?;
        Ok(engine)
    }

    fn running(&mut self) -> Result<&mut Process, OpponentError> {
        if self.process.is_none() {
            let mut process = Process::start(&self.command, self.stop.clone())?;
            let silent = "it does not answer `name`; perhaps it does not speak GTP";
            let reply = ask(&mut process, "name", Instant::now() + HANDSHAKE_TIMEOUT);
            if let (_, Ok(name)) = reply.map_err(|error| error.with_timeout_reason(silent))?
                && !name.is_empty()
            {
                self.name = shortened(&name);
            }
            self.process = Some(process);
        }
        self.process.as_mut().ok_or(OpponentError::Interrupted)
    }

    /// Sends the moves that the engine does not know.
    fn send_moves(&mut self, line: &dyn AnyLine) -> Result<(), OpponentError> {
        let moves = line.written();
        for (place, mv) in moves.iter().enumerate().skip(self.sent) {
            let mover = line.mover_after(place).unwrap_or_else(|| line.mover());
            let side = line.game().sides()[mover.index()];
            let command = format!("play {side} {mv}");
            let process = self.running()?;
            let (_, reply) = ask(process, &command, Instant::now() + READY_TIMEOUT)?;
            if let Err(why) = reply
                && !line.was_forced_pass(place)
            {
                let reason = format!("refuses `{command}`, which is legal: {why}");
                return Err(OpponentError::illegal(reason));
            }
        }
        self.sent = moves.len();
        Ok(())
    }

    /// Sends the time left. An engine that does not know the command plays without it.
    fn send_time(&mut self, side: &str, mover: Seat, clocks: &Clocks) -> Result<(), OpponentError> {
        let (settings, left) = match clocks.limit() {
            MatchLimit::Clock(time) => (
                format!("time_settings {} 0 0", number(time.base)),
                format!("time_left {side} {} 0", number(clocks.left(mover))),
            ),
            MatchLimit::MoveTime(time) => (
                format!("time_settings 0 {} 1", number(time)),
                format!("time_left {side} {} 1", number(time)),
            ),
            MatchLimit::Depth(_) | MatchLimit::Nodes(_) => return Ok(()),
        };
        let first = !std::mem::replace(&mut self.timed, true);
        let process = self.running()?;
        if first {
            ask(process, &settings, Instant::now() + READY_TIMEOUT)?.1.ok();
        }
        ask(process, &left, Instant::now() + READY_TIMEOUT)?.1.ok();
        Ok(())
    }

    fn generate(
        &mut self,
        line: &dyn AnyLine,
        clocks: &Clocks,
    ) -> Result<OpponentReply, OpponentError> {
        let mover = line.mover();
        let side = line.game().sides()[mover.index()];
        self.send_moves(line)?;
        self.send_time(side, mover, clocks)?;
        let command = format!("genmove {side}");
        let process = self.running()?;
        let started = process.send(&command)?;
        let (came, reply) = answer(process, started + clocks.patience(mover))?;
        let spent = came.saturating_duration_since(started);
        let text = reply.map_err(|why| OpponentError::illegal(format!("no move: {why}")))?;
        let text = text.split_whitespace().next().unwrap_or("").to_ascii_lowercase();
        let mut answer = OpponentReply { mv: None, spent, value: None, depth: None };
        if text != "resign" {
            let mv = line.read_move(&text);
            answer.mv = Some(mv.map_err(|error| OpponentError::illegal(illegal(&text, &error)))?);
            // The engine has played its own move already.
            self.sent += 1;
        }
        Ok(answer)
    }
}

impl Opponent for Gtp {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn begin(&mut self, opening: &dyn AnyLine) -> Result<(), OpponentError> {
        (self.sent, self.timed) = (0, false);
        let begun = self.running().and_then(|process| {
            // Go programs need this command; others may not know it.
            ask(process, "boardsize 8", Instant::now() + READY_TIMEOUT)?.1.ok();
            let (_, cleared) = ask(process, "clear_board", Instant::now() + READY_TIMEOUT)?;
            cleared.map_err(|why| {
                let reason = format!("refuses clear_board: {why}");
                OpponentError::crash(reason)
            })
        });
        let ready = begun.and_then(|_| self.send_moves(opening));
        drop_failed(&mut self.process, ready)
    }

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        clocks: &Clocks,
    ) -> Result<OpponentReply, OpponentError> {
        let answer = self.generate(line, clocks);
        drop_failed(&mut self.process, answer)
    }
}

/// Sends a command and waits for the whole reply; returns when its first line came.
fn ask(
    process: &mut Process,
    line: &str,
    deadline: Instant,
) -> Result<(Instant, Reply), OpponentError> {
    process.send(line)?;
    answer(process, deadline)
}

/// Waits for the whole reply to a command; returns when its first line came.
fn answer(process: &mut Process, deadline: Instant) -> Result<(Instant, Reply), OpponentError> {
    let (came, first) = process.find(deadline, |came, line| {
        let is_reply = line.starts_with(['=', '?']);
        is_reply.then(|| (came, line.to_owned()))
    })?;
    let mut text = first[1..].trim_start_matches(|id: char| id.is_ascii_digit()).trim().to_owned();
    process.find(deadline, |_, line| {
        if line.is_empty() {
            return Some(());
        }
        if text.len() < LONGEST_REPLY {
            text.push('\n');
            text.push_str(line);
        }
        None
    })?;
    Ok((came, if first.starts_with('=') { Ok(text) } else { Err(text) }))
}

/// Seconds as the protocol writes them: whole ones without a point.
fn number(time: Duration) -> String {
    format!("{}", (time.as_secs_f64() * 1e3).floor() / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_whole_where_they_can_be() {
        assert_eq!(number(Duration::from_secs(10)), "10");
        assert_eq!(number(Duration::from_micros(1_500_900)), "1.5");
        assert_eq!(number(Duration::ZERO), "0");
    }
}
