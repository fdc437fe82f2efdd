//! The trait of all engines in a match, and its implementation for our own engines.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::limit::Clocks;
use super::record::{Fault, FaultKind};
use plyground_core::limits::StopFlag;
use plyground_core::value::Value;
use plyground_engine::door::{AnyLine, Player};
use plyground_engine::game::GameError;
use plyground_engine::levels::Level;
use plyground_engine::profile::Profile;
use plyground_engine::session::ThinkRequest;

/// Why an opponent gives no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpponentError {
    /// The opponent is at fault and loses the game.
    Fault(Fault),
    /// The match was interrupted.
    Interrupted,
}

impl OpponentError {
    pub(super) fn illegal(reason: impl Into<String>) -> OpponentError {
        OpponentError::Fault(Fault { kind: FaultKind::Illegal, reason: reason.into() })
    }

    pub(super) fn crash(reason: impl Into<String>) -> OpponentError {
        OpponentError::Fault(Fault { kind: FaultKind::Crash, reason: reason.into() })
    }

    pub(super) fn late(reason: impl Into<String>) -> OpponentError {
        OpponentError::Fault(Fault { kind: FaultKind::Time, reason: reason.into() })
    }

    /// The same error, but with this reason if the opponent did not reply in time.
    pub(super) fn with_timeout_reason(self, reason: &str) -> OpponentError {
        match self {
            OpponentError::Fault(Fault { kind: kind @ FaultKind::Time, .. }) => {
                OpponentError::Fault(Fault { kind, reason: reason.into() })
            }
            error => error,
        }
    }
}

/// An opponent's reply to the request for a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpponentReply {
    /// The move, as programs write it; `None` if the opponent resigns.
    pub mv: Option<String>,
    /// The time that the move took.
    pub spent: Duration,
    /// The value of the position for the opponent, if it reported one.
    pub value: Option<Value>,
    /// The depth of its search, if it reported one.
    pub depth: Option<u32>,
}

/// A running engine, which can play one game after another.
pub trait Opponent: Send {
    /// The name that the engine gives itself.
    fn name(&self) -> String;
    /// Sets what random choices in the next game follow from. Most engines make none.
    fn set_seed(&mut self, _seed: u64) {}
    /// Prepares for a game from this opening; starts an engine again that has crashed.
    fn begin(&mut self, opening: &dyn AnyLine) -> Result<(), OpponentError>;
    /// Chooses a move in the last position of this line; the game must not be over.
    fn choose(
        &mut self,
        line: &dyn AnyLine,
        clocks: &Clocks,
    ) -> Result<OpponentReply, OpponentError>;
}

/// One of our own engines.
pub(super) struct OwnEngine {
    player: Box<dyn Player>,
    /// `None` for full strength.
    level: Option<Level>,
    seed: u64,
    stop: StopFlag,
}

impl OwnEngine {
    pub(super) fn new(
        profile: Profile,
        level: Option<Level>,
        stop: StopFlag,
    ) -> Result<OwnEngine, GameError> {
        Ok(OwnEngine { player: profile.game.player(profile)?, level, seed: 0, stop })
    }
}

/// Our own engines accept every legal move, so an error is a defect of the engine.
fn broken(error: GameError) -> OpponentError {
    OpponentError::crash(error.to_string())
}

impl Opponent for OwnEngine {
    fn name(&self) -> String {
        self.player.profile().name.clone()
    }

    fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn begin(&mut self, opening: &dyn AnyLine) -> Result<(), OpponentError> {
        // The table is cleared, so that a game does not depend on the games before it.
        self.player.clear();
        self.player.set_line(opening).map_err(broken)
    }

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        clocks: &Clocks,
    ) -> Result<OpponentReply, OpponentError> {
        for mv in &line.written()[self.player.line().plies()..] {
            self.player.play(mv).map_err(broken)?;
        }
        let mut request = ThinkRequest::on(clocks.limits(line.mover()));
        if let Some(level) = &self.level {
            request.limits = level.limited(&request.limits);
            request.choice = level.choice(self.seed);
        }
        request.stop = self.stop.clone();
        let started = Instant::now();
        let thinking = AssertUnwindSafe(|| self.player.think(&request, &mut |_| {}));
        let thought =
            catch_unwind(thinking).map_err(|_| OpponentError::crash("the search broke down"))?;
        let spent = started.elapsed();
        if self.stop.is_raised() {
            return Err(OpponentError::Interrupted);
        }
        // Any move would be a move of another engine than the one that is named.
        if let Some(failure) = thought.failure {
            return Err(OpponentError::crash(failure.to_string()));
        }
        let known = thought.depth > 0;
        Ok(OpponentReply {
            mv: thought.best,
            spent,
            value: known.then_some(thought.value),
            depth: known.then_some(thought.depth),
        })
    }
}
