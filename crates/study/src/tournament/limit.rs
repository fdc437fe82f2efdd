//! The limits on the opponents' thinking, and the clocks that enforce them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use super::record::{Fault, FaultKind};
use plyground_engine::game::Seat;
use plyground_engine::session::{Clock, GoLimits};

/// The limit of a match, the same for both opponents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchLimit {
    /// A clock for the game, with an increment for every move.
    Clock(TimeControl),
    /// The same time for every move.
    MoveTime(Duration),
    /// A search to this many plies for every move.
    Depth(u32),
    /// A search of at most this many nodes for every move.
    Nodes(u64),
}

/// A time control, written `S+I`: seconds for the game, and seconds that every move adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The time on the clock at the beginning.
    pub base: Duration,
    /// The time that every move adds.
    pub increment: Duration,
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.base.as_secs_f64(), self.increment.as_secs_f64())
    }
}

/// A text is not a time control.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{0}`: expected seconds for the game and seconds that a move adds, such as 2+0.02, or 60")]
pub struct ParseTimeError(String);

impl FromStr for TimeControl {
    type Err = ParseTimeError;

    fn from_str(text: &str) -> Result<TimeControl, ParseTimeError> {
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        let seconds = |text: &str| {
            let number: f64 = text.trim().parse().ok()?;
            Duration::try_from_secs_f64(number).ok().filter(|time| time.as_secs() < 1 << 32)
        };
        match (seconds(base), seconds(increment)) {
            (Some(base), Some(increment)) if !base.is_zero() => Ok(TimeControl { base, increment }),
            _ => Err(ParseTimeError(text.into())),
        }
    }
}

impl TimeControl {
    /// The time control as the tag `TimeControl` of PGN has it: `300+2`, or `300` without an increment.
    pub fn pgn_text(&self) -> String {
        match self.increment.is_zero() {
            true => self.base.as_secs_f64().to_string(),
            false => self.to_string(),
        }
    }
}

impl MatchLimit {
    /// The limit as the tag `TimeControl` of PGN has it: a time for each move is a period of one move,
    /// as in `1/0.5`, and what does not limit the time is `-`.
    pub fn pgn_text(&self) -> String {
        match self {
            MatchLimit::Clock(time) => time.pgn_text(),
            MatchLimit::MoveTime(time) => format!("1/{}", time.as_secs_f64()),
            MatchLimit::Depth(_) | MatchLimit::Nodes(_) => "-".into(),
        }
    }
}

impl fmt::Display for MatchLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchLimit::Clock(time) => write!(f, "{time}"),
            MatchLimit::MoveTime(time) => write!(f, "{} s a move", time.as_secs_f64()),
            MatchLimit::Depth(depth) => write!(f, "depth {depth}"),
            MatchLimit::Nodes(nodes) => write!(f, "{nodes} nodes"),
        }
    }
}

/// How long to wait for an opponent after its time is up.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long to wait for an opponent without a time limit.
const PATIENCE_WITHOUT_CLOCK: Duration = Duration::from_secs(600);

/// Both sides' clocks in a game.
#[derive(Clone, Debug)]
pub struct Clocks {
    limit: MatchLimit,
    left: [Duration; 2],
    grace: Duration,
    patience: Option<Duration>,
}

impl Clocks {
    /// The clocks at the beginning of a game. A move that is late by at most `grace` is accepted;
    /// `patience` is how long to wait for an opponent whose time is up.
    pub fn new(limit: MatchLimit, grace: Duration, patience: Option<Duration>) -> Clocks {
        let left = match limit {
            MatchLimit::Clock(time) => time.base,
            _ => Duration::ZERO,
        };
        Clocks { limit, left: [left; 2], grace, patience }
    }

    /// The limit of the match.
    pub fn limit(&self) -> MatchLimit {
        self.limit
    }

    /// The time left on a side's clock.
    pub fn left(&self, player: Seat) -> Duration {
        self.left[player.index()]
    }

    /// The limits of a side's next move, for our own engines.
    pub fn limits(&self, player: Seat) -> GoLimits {
        let mut limits = GoLimits::default();
        match self.limit {
            MatchLimit::Clock(TimeControl { increment, .. }) => {
                let left = self.left(player);
                limits.clock = Some(Clock { left, increment, moves_to_go: None });
            }
            MatchLimit::MoveTime(time) => limits.move_time = Some(time),
            MatchLimit::Depth(depth) => limits.depth = Some(depth),
            MatchLimit::Nodes(nodes) => limits.nodes = Some(nodes),
        }
        limits
    }

    /// How long a side may take for its next move; `None` if it may take any time.
    fn allowed(&self, player: Seat) -> Option<Duration> {
        match self.limit {
            MatchLimit::Clock(_) => Some(self.left(player)),
            MatchLimit::MoveTime(time) => Some(time),
            MatchLimit::Depth(_) | MatchLimit::Nodes(_) => None,
        }
    }

    /// How long to wait for a side's next move before giving up on it.
    pub fn patience(&self, player: Seat) -> Duration {
        match self.allowed(player) {
            Some(time) => time + self.grace + self.patience.unwrap_or(PATIENCE),
            None => self.patience.unwrap_or(PATIENCE_WITHOUT_CLOCK),
        }
    }

    /// Takes the time of a move off a side's clock; an error if the move came too late.
    pub fn spend(&mut self, player: Seat, spent: Duration) -> Result<(), Fault> {
        if let Some(allowed) = self.allowed(player)
            && spent > allowed + self.grace
        {
            let (spent, allowed) = (spent.as_secs_f64(), allowed.as_secs_f64());
            let reason = format!("{spent:.3} s for a move, with {allowed:.3} s left");
            return Err(Fault { kind: FaultKind::Time, reason });
        }
        if let MatchLimit::Clock(time) = self.limit {
            let left = &mut self.left[player.index()];
            *left = left.saturating_sub(spent) + time.increment;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(time: u64) -> Duration {
        Duration::from_millis(time)
    }

    #[test]
    fn times_are_read() {
        let time: TimeControl = "2+0.02".parse().unwrap();
        assert_eq!((time.base, time.increment), (ms(2000), ms(20)));
        assert_eq!(time.to_string(), "2+0.02");
        assert_eq!("60".parse::<TimeControl>().unwrap().increment, Duration::ZERO);
        for wrong in ["", "0", "0+1", "-1", "1+", "+1", "1+-1", "x", "1e99", "nan", "1+2+3"] {
            assert!(wrong.parse::<TimeControl>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_clock_runs_out() {
        let limit = MatchLimit::Clock("1+0.1".parse().unwrap());
        let mut clocks = Clocks::new(limit, ms(50), None);
        assert_eq!(clocks.patience(Seat::First), ms(6050));
        clocks.spend(Seat::First, ms(400)).unwrap();
        assert_eq!((clocks.left(Seat::First), clocks.left(Seat::Second)), (ms(700), ms(1000)));
        // Late, but within the grace: the clock continues from zero.
        clocks.spend(Seat::First, ms(740)).unwrap();
        assert_eq!(clocks.left(Seat::First), ms(100));
        let fault = clocks.spend(Seat::First, ms(151)).unwrap_err();
        assert_eq!(fault.kind, FaultKind::Time);
        assert!(fault.reason.contains("0.151 s") && fault.reason.contains("0.100 s left"));
        let left = clocks.limits(Seat::Second).clock.unwrap();
        assert_eq!((left.left, left.increment), (ms(1000), ms(100)));
    }

    #[test]
    fn a_move_s_time_is_the_same_for_all() {
        let mut clocks = Clocks::new(MatchLimit::MoveTime(ms(100)), ms(10), Some(ms(200)));
        assert_eq!(clocks.patience(Seat::Second), ms(310));
        for _ in 0..3 {
            clocks.spend(Seat::Second, ms(110)).unwrap();
        }
        assert!(clocks.spend(Seat::Second, ms(111)).is_err());
        let mut free = Clocks::new(MatchLimit::Depth(3), ms(0), None);
        free.spend(Seat::First, ms(1_000_000)).unwrap();
        assert_eq!(free.limits(Seat::First).depth, Some(3));
    }
}
