//! The engines that meet in a match behind one trait, and our own engines as such.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::limit::Clocks;
use super::record::{Fault, FaultKind};
use plyground_core::limits::StopFlag;
use plyground_core::value::Value;
use plyground_engine::door::{AnyLine, Player};
use plyground_engine::game::GameError;
use plyground_engine::profile::Profile;
use plyground_engine::session::ThinkRequest;

/// Why an opponent gives no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpponentError {
    /// The opponent's own fault: it loses the game.
    Fault(Fault),
    /// The match was interrupted, which is no fault of the opponent.
    Interrupted,
}

impl OpponentError {
    pub(super) fn illegal(reason: impl Into<String>) -> OpponentError {
        OpponentError::Fault(Fault { kind: FaultKind::Illegal, reason: reason.into() })
    }

    pub(super) fn crash(reason: impl Into<String>) -> OpponentError {
        OpponentError::Fault(Fault { kind: FaultKind::Crash, reason: reason.into() })
    }

    /// The same error, but with this reason if the opponent did not answer.
    pub(super) fn with_timeout_reason(self, reason: &str) -> OpponentError {
        match self {
            OpponentError::Fault(Fault { kind: kind @ FaultKind::Time, .. }) => {
                OpponentError::Fault(Fault { kind, reason: reason.into() })
            }
            error => error,
        }
    }
}

/// What an opponent answers when it is asked for a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move, as programs write it; `None` if the opponent resigns.
    pub mv: Option<String>,
    /// How long it took.
    pub spent: Duration,
    /// What the opponent thinks the position is worth to itself, if it said so.
    pub value: Option<Value>,
    /// How deep it looked, if it said so.
    pub depth: Option<u32>,
}

/// An engine that is running and can play one game after another.
pub trait Opponent: Send {
    /// What it calls itself.
    fn name(&self) -> String;
    /// Gets ready for a game from this opening; an engine that has crashed is started again.
    fn begin(&mut self, opening: &dyn AnyLine) -> Result<(), OpponentError>;
    /// Chooses a move at the end of a game that is not over.
    fn choose(&mut self, line: &dyn AnyLine, clocks: &Clocks) -> Result<Answer, OpponentError>;
}

/// One of our own engines.
pub(super) struct OwnEngine {
    player: Box<dyn Player>,
    stop: StopFlag,
}

impl OwnEngine {
    pub(super) fn new(profile: Profile, stop: StopFlag) -> Result<OwnEngine, GameError> {
        Ok(OwnEngine { player: profile.game.player(profile)?, stop })
    }
}

/// Our own engines play whatever is legal, so an error here is a defect of the engine.
fn broken(error: GameError) -> OpponentError {
    OpponentError::crash(error.to_string())
}

impl Opponent for OwnEngine {
    fn name(&self) -> String {
        self.player.profile().name.clone()
    }

    fn begin(&mut self, opening: &dyn AnyLine) -> Result<(), OpponentError> {
        // Nothing is known from another game: a game is the same whichever came before.
        self.player.clear();
        self.player.set_line(opening).map_err(broken)
    }

    fn choose(&mut self, line: &dyn AnyLine, clocks: &Clocks) -> Result<Answer, OpponentError> {
        for mv in &line.written()[self.player.line().plies()..] {
            self.player.play(mv).map_err(broken)?;
        }
        let mut request = ThinkRequest::on(clocks.limits(line.mover()));
        request.stop = self.stop.clone();
        let started = Instant::now();
        let thinking = AssertUnwindSafe(|| self.player.think(&request, &mut |_| {}));
        let thought =
            catch_unwind(thinking).map_err(|_| OpponentError::crash("the search broke down"))?;
        let spent = started.elapsed();
        if self.stop.is_raised() {
            return Err(OpponentError::Interrupted);
        }
        let known = thought.depth > 0;
        Ok(Answer {
            mv: thought.best,
            spent,
            value: known.then_some(thought.value),
            depth: known.then_some(thought.depth),
        })
    }
}
