//! Engines that speak the Go Text Protocol, which Othello programs use as well.
//!
//! The protocol cannot set up a position, and it cannot limit depth or nodes: an engine then plays as
//! its own settings say. Some engines want to be told of a forced pass and some pass by themselves:
//! all are told, and nobody minds if they refuse.

use std::marker::PhantomData;
use std::time::{Duration, Instant};

use super::contender::{Answer, Contender, Trouble};
use super::limit::{Clocks, Limit};
use super::process::{Process, bury};
use super::uci::{INTRODUCTION, READY, illegal};
use plyground_core::limits::StopFlag;
use plyground_engine::game::{Game, GameLine, Seat};

pub(super) struct Gtp<G> {
    command: Vec<String>,
    stop: StopFlag,
    /// `None` if it has to be started.
    process: Option<Process>,
    name: String,
    /// How many of the game's moves it knows.
    told: usize,
    /// Has it been told of the clock in this game?
    timed: bool,
    game: PhantomData<fn() -> G>,
}

/// What an engine answered: the text after `=`, or that after `?`.
type Reply = Result<String, String>;

impl<G: Game> Gtp<G> {
    /// Starts the engine.
    pub(super) fn start(command: Vec<String>, stop: StopFlag) -> Result<Gtp<G>, Trouble> {
        let name = command.first().cloned().unwrap_or_default();
        let mut engine =
            Gtp { command, stop, process: None, name, told: 0, timed: false, game: PhantomData };
        engine.awake()?;
        Ok(engine)
    }

    fn awake(&mut self) -> Result<&mut Process, Trouble> {
        if self.process.is_none() {
            let mut process = Process::start(&self.command, self.stop.clone())?;
            let silent = "it does not answer `name`; perhaps it does not speak GTP";
            let told = ask(&mut process, "name", Instant::now() + INTRODUCTION);
            if let (_, Ok(name)) = told.map_err(|trouble| trouble.of_silence(silent))?
                && !name.is_empty()
            {
                self.name = name;
            }
            self.process = Some(process);
        }
        self.process.as_mut().ok_or(Trouble::Interrupted)
    }

    /// Tells it the moves that it does not know.
    fn tell(&mut self, line: &GameLine<G>) -> Result<(), Trouble> {
        let moves = G::written(line.start(), line.moves());
        for (place, mv) in moves.iter().enumerate().skip(self.told) {
            let before = &line.positions()[place];
            let side = G::SIDES[G::mover(before).index()];
            let command = format!("play {side} {mv}");
            let process = self.awake()?;
            let (_, reply) = ask(process, &command, Instant::now() + READY)?;
            if let Err(why) = reply
                && G::forced_pass(before).is_none()
            {
                let reason = format!("refuses `{command}`, which is legal: {why}");
                return Err(Trouble::illegal(reason));
            }
        }
        self.told = moves.len();
        Ok(())
    }

    /// Tells it how much time there is. An engine that does not know the command plays without.
    fn tell_time(&mut self, mover: Seat, clocks: &Clocks) -> Result<(), Trouble> {
        let side = G::SIDES[mover.index()];
        let (settings, left) = match clocks.limit() {
            Limit::Clock(time) => (
                format!("time_settings {} 0 0", number(time.base)),
                format!("time_left {side} {} 0", number(clocks.left(mover))),
            ),
            Limit::MoveTime(time) => (
                format!("time_settings 0 {} 1", number(time)),
                format!("time_left {side} {} 1", number(time)),
            ),
            Limit::Depth(_) | Limit::Nodes(_) => return Ok(()),
        };
        let first = !std::mem::replace(&mut self.timed, true);
        let process = self.awake()?;
        if first {
            ask(process, &settings, Instant::now() + READY)?.1.ok();
        }
        ask(process, &left, Instant::now() + READY)?.1.ok();
        Ok(())
    }

    fn generate(
        &mut self,
        line: &GameLine<G>,
        clocks: &Clocks,
    ) -> Result<Answer<G::Move>, Trouble> {
        let mover = line.mover();
        self.tell(line)?;
        self.tell_time(mover, clocks)?;
        let started = Instant::now();
        let deadline = started + clocks.patience(mover);
        let command = format!("genmove {}", G::SIDES[mover.index()]);
        let (came, reply) = ask(self.awake()?, &command, deadline)?;
        let spent = came.saturating_duration_since(started);
        let text = reply.map_err(|why| Trouble::illegal(format!("no move: {why}")))?;
        let text = text.split_whitespace().next().unwrap_or("").to_ascii_lowercase();
        let mut answer = Answer { mv: None, spent, value: None, depth: None };
        if text != "resign" {
            let mv = G::read_move(line.position(), &text);
            answer.mv = Some(mv.map_err(|error| Trouble::illegal(illegal(&text, &error)))?);
            // It has played its own move already.
            self.told += 1;
        }
        Ok(answer)
    }
}

impl<G: Game> Contender<G> for Gtp<G> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn begin(&mut self, opening: &GameLine<G>) -> Result<(), Trouble> {
        (self.told, self.timed) = (0, false);
        let begun = self.awake().and_then(|process| {
            // Go programs have to be told, others may not know what it means.
            ask(process, "boardsize 8", Instant::now() + READY)?.1.ok();
            let (_, cleared) = ask(process, "clear_board", Instant::now() + READY)?;
            cleared.map_err(|why| {
                let reason = format!("refuses clear_board: {why}");
                Trouble::crash(reason)
            })
        });
        let told = begun.and_then(|_| self.tell(opening));
        bury(&mut self.process, told)
    }

    fn choose(&mut self, line: &GameLine<G>, clocks: &Clocks) -> Result<Answer<G::Move>, Trouble> {
        let answer = self.generate(line, clocks);
        bury(&mut self.process, answer)
    }
}

/// Sends a command and waits for the whole answer; tells when its first line came.
fn ask(process: &mut Process, line: &str, deadline: Instant) -> Result<(Instant, Reply), Trouble> {
    process.send(line)?;
    let (came, first) = process.find(deadline, |came, line| {
        let is_reply = line.starts_with(['=', '?']);
        is_reply.then(|| (came, line.to_owned()))
    })?;
    let mut text = first[1..].trim_start_matches(|id: char| id.is_ascii_digit()).trim().to_owned();
    process.find(deadline, |_, line| {
        if line.is_empty() {
            return Some(());
        }
        text.push('\n');
        text.push_str(line);
        None
    })?;
    Ok((came, if first.starts_with('=') { Ok(text) } else { Err(text) }))
}

/// Seconds as the protocol has them: whole ones without a point.
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
