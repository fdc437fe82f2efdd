//! How long the engine may think: its own limits, a level, a depth, a time.

use std::fmt;
use std::time::Duration;

use crate::cli::seconds;
use plyground_engine::levels::{Level, MAX_LEVEL};
use plyground_engine::profile::Profile;
use plyground_engine::session::{Clock, GoLimits};
use plyground_study::tournament::TimeControl;

/// The limits of the engine's moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// The limits in the engine's file.
    Own,
    /// A strength from 1 to 10, with clocks for both sides or without.
    Level(u8, Option<TimeControl>),
    /// A search to this many plies.
    Depth(u32),
    /// This time for every move.
    Move(Duration),
    /// Clocks for both sides.
    Game(TimeControl),
}

/// The greatest depth that can be set: no search reaches it.
pub(super) const MOST_DEPTH: u32 = 60;

/// The time for a move of an engine without limits of its own.
const DEFAULT_TIME: Duration = Duration::from_secs(2);

impl Pace {
    /// The limits of the next move, with this time left on the mover's clock.
    pub(super) fn limits(self, profile: &Profile, left: Option<Duration>) -> GoLimits {
        let mut limits = GoLimits::default();
        match self {
            Pace::Own => {
                // The depth in the file of an engine that plays selectively is for experiments. In a
                // game it thinks for a time.
                limits.depth = profile.depth.filter(|_| profile.selective().is_none());
                limits.nodes = profile.limits.nodes;
                limits.move_time = profile.limits.time;
                if limits == GoLimits::default() {
                    limits.move_time = Some(DEFAULT_TIME);
                }
            }
            Pace::Level(_, time) => {
                limits.clock = time.map(|time| clock(time, left));
                if let Some(level) = self.level(profile) {
                    limits = level.limited(&limits);
                }
            }
            Pace::Depth(depth) => limits.depth = Some(depth),
            Pace::Move(time) => limits.move_time = Some(time),
            Pace::Game(time) => limits.clock = Some(clock(time, left)),
        }
        limits
    }

    /// The level, if the engine plays at one.
    pub(super) fn level(self, profile: &Profile) -> Option<Level> {
        let Pace::Level(level, _) = self else { return None };
        profile.game.levels().ok()?.get(level).cloned()
    }

    /// The clocks of both sides, if they have any.
    pub(super) fn clock(self) -> Option<TimeControl> {
        match self {
            Pace::Game(time) => Some(time),
            Pace::Level(_, time) => time,
            Pace::Own | Pace::Depth(_) | Pace::Move(_) => None,
        }
    }

    /// This pace in place of another: a level keeps the clocks, and clocks keep the level.
    pub(super) fn after(self, before: Pace) -> Pace {
        match (self, before) {
            (Pace::Level(level, None), before) => Pace::Level(level, before.clock()),
            (Pace::Game(time), Pace::Level(level, _)) => Pace::Level(level, Some(time)),
            (pace, _) => pace,
        }
    }

    /// A description for people.
    pub(super) fn text(self, profile: &Profile) -> String {
        if let Some(level) = self.level(profile) {
            let elo = level.elo.map_or(String::new(), |elo| format!(", about {elo} Elo"));
            let clock = self.clock().map_or(String::new(), |time| format!(", clock {time}"));
            return format!("{self}: {}{elo}{clock}", level.about);
        }
        let Pace::Own = self else { return self.to_string() };
        let limits = self.limits(profile, None);
        let depth = limits.depth.map(|depth| Pace::Depth(depth).to_string());
        let nodes = limits.nodes.map(|nodes| {
            format!("{} nodes a move", plyground_study::report::thousands(nodes as f64, 0))
        });
        let time = limits.move_time.map(|time| Pace::Move(time).to_string());
        [depth, nodes, time].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pace::Own => f.write_str("its own limits"),
            Pace::Level(level, _) => write!(f, "level {level} of {MAX_LEVEL}"),
            Pace::Depth(depth) => write!(f, "depth {depth}"),
            Pace::Move(time) => write!(f, "{} s a move", time.as_secs_f64()),
            Pace::Game(time) => write!(f, "clock {time}"),
        }
    }
}

/// The clock of the mover, with this time left or at the beginning of the game.
fn clock(time: TimeControl, left: Option<Duration>) -> Clock {
    let TimeControl { base, increment } = time;
    Clock { left: left.unwrap_or(base), increment, moves_to_go: None }
}

/// Seconds for a move, as in `2`, or for the game and each of its moves, as in `300+2`.
pub(super) fn read_time(text: &str) -> Result<Pace, String> {
    let wrong = || {
        format!(
            "`{text}` is no time; expected seconds a move, as in 2 or 0.5, or a clock for the \
             game and what each move adds, as in 300+2"
        )
    };
    match text.contains('+') {
        false => seconds(text.trim()).map(Pace::Move).map_err(|_| wrong()),
        true => text.parse().map(Pace::Game).map_err(|_| wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_engine::game::Game;
    use plyground_engine::games::Games;
    use plyground_games::chess::Chess;

    #[test]
    fn times_are_read_and_written() {
        assert_eq!(read_time("0.5"), Ok(Pace::Move(Duration::from_millis(500))));
        let clock = read_time("300+2").unwrap();
        assert_eq!(clock.to_string(), "clock 300+2");
        for wrong in ["", "x", "-1", "1+", "+1", "0+1", "1+x", "nan", "1e300"] {
            assert!(read_time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_engine_without_limits_has_some_time() {
        let plain = Profile::find(&Games::of(Chess::door()), "chess-alpha-beta").unwrap();
        assert_eq!(Pace::Own.text(&plain), "depth 5");
        let mut profile = Profile::standard(Chess::door()).unwrap();
        assert_eq!(Pace::Own.limits(&profile, None).move_time, Some(DEFAULT_TIME));
        profile.limits.nodes = Some(1_000_000);
        assert_eq!(Pace::Own.text(&profile), "1,000,000 nodes a move");
        for level in 1..=MAX_LEVEL {
            assert_ne!(Pace::Level(level, None).limits(&profile, None), GoLimits::default());
        }
    }

    #[test]
    fn a_level_plays_with_clocks_and_keeps_its_limits() {
        let profile = Profile::standard(Chess::door()).unwrap();
        let (clock, level) = (read_time("60+1").unwrap(), Pace::Level(2, None));
        let both = clock.after(level);
        assert_eq!(both, level.after(clock));
        assert_eq!((both.clock(), level.clock()), (clock.clock(), None));
        let limits = both.limits(&profile, Some(Duration::from_secs(5)));
        assert_eq!(limits.clock.unwrap().left, Duration::from_secs(5));
        assert_eq!(limits.depth, level.limits(&profile, None).depth);
        assert!(both.text(&profile).ends_with(", clock 60+1"));
        // At full strength the clock alone counts, and any other limit ends the level.
        let strongest = clock.after(Pace::Level(MAX_LEVEL, None)).limits(&profile, None);
        assert_eq!(strongest, clock.limits(&profile, None));
        assert_eq!(Pace::Depth(3).after(both), Pace::Depth(3));
    }
}
