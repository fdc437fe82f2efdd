//! Who can play in a match, and our own engines as such.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::limit::Clocks;
use super::record::{Fault, FaultKind};
use plyground_core::limits::StopFlag;
use plyground_core::value::Value;
use plyground_engine::game::{Game, GameError, GameLine};
use plyground_engine::profile::Profile;
use plyground_engine::session::{Session, ThinkRequest};

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The opponent's fault: it loses the game.
    Fault(Fault),
    /// Nobody's: the match was interrupted.
    Interrupted,
}

impl Trouble {
    pub(super) fn illegal(reason: impl Into<String>) -> Trouble {
        Trouble::Fault(Fault { kind: FaultKind::Illegal, reason: reason.into() })
    }

    pub(super) fn crash(reason: impl Into<String>) -> Trouble {
        Trouble::Fault(Fault { kind: FaultKind::Crash, reason: reason.into() })
    }

    /// The same trouble, but a silence has this reason.
    pub(super) fn of_silence(self, reason: &str) -> Trouble {
        match self {
            Trouble::Fault(Fault { kind: kind @ FaultKind::Time, .. }) => {
                Trouble::Fault(Fault { kind, reason: reason.into() })
            }
            trouble => trouble,
        }
    }
}

/// What an opponent answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer<M> {
    /// The move; `None` if it resigns.
    pub mv: Option<M>,
    /// How long it took.
    pub spent: Duration,
    /// What it thinks the position is worth to it.
    pub value: Option<Value>,
    /// How deep it looked.
    pub depth: Option<u32>,
}

/// One that plays.
pub trait Contender<G: Game>: Send {
    /// What it calls itself.
    fn name(&self) -> String;
    /// Gets ready for a game from this opening; starts again what has crashed.
    fn begin(&mut self, opening: &GameLine<G>) -> Result<(), Trouble>;
    /// Chooses a move at the end of a game that is not over.
    fn choose(&mut self, line: &GameLine<G>, clocks: &Clocks) -> Result<Answer<G::Move>, Trouble>;
}

/// One of our own engines.
pub(super) struct Ours<G: Game> {
    session: Session<G>,
    stop: StopFlag,
}

impl<G: Game> Ours<G> {
    pub(super) fn new(profile: Profile, stop: StopFlag) -> Result<Ours<G>, GameError> {
        Ok(Ours { session: Session::new(profile)?, stop })
    }
}

impl<G: Game> Contender<G> for Ours<G> {
    fn name(&self) -> String {
        self.session.profile().name.clone()
    }

    fn begin(&mut self, opening: &GameLine<G>) -> Result<(), Trouble> {
        // Nothing is known from another game: a game is the same whichever came before.
        self.session.clear();
        self.session.set_line(opening.clone());
        Ok(())
    }

    fn choose(&mut self, line: &GameLine<G>, clocks: &Clocks) -> Result<Answer<G::Move>, Trouble> {
        for &mv in &line.moves()[self.session.line().moves().len()..] {
            self.session.play(mv);
        }
        let mut request = ThinkRequest::on(clocks.limits(line.mover()));
        request.stop = self.stop.clone();
        let started = Instant::now();
        let thinking = AssertUnwindSafe(|| self.session.think(&request, &mut |_| {}));
        let thought =
            catch_unwind(thinking).map_err(|_| Trouble::crash("the search broke down"))?;
        let spent = started.elapsed();
        if self.stop.is_raised() {
            return Err(Trouble::Interrupted);
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
