//! Levels of play, from a player that has just learnt the rules to full strength.
//!
//! A weak level is not only a short search, which never overlooks what lies within its reach. It also
//! misjudges: each move that it weighs is worth its value and a random number, and now and then, by a
//! *slip*, that number is much larger. What is random follows from a seed and from the game so far, so
//! the same seed gives the same game. The strongest level plays the best move that it finds.
//!
//! The levels of a game and the Elo that was measured for them are a file of the game's
//! (`engines/levels/`), which `plyground levels measure` writes. Nothing else says what they are.
//!
//! ```
//! use plyground_engine::game::Game;
//! use plyground_games::chess::Chess;
//!
//! let levels = Chess::door().levels()?;
//! let weakest = levels.get(1).ok_or("no first level")?;
//! assert_eq!(weakest.about, "has just learnt the rules");
//! // What a level allows, at most, of the limits of a move.
//! let (limits, choice) = (weakest.limits(), weakest.choice(42));
//! assert!(limits.depth.is_some() && choice.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt::Write as _;
use std::time::Duration;

use serde::Deserialize;

use crate::game::GameError;
use crate::session::{GoLimits, MoveChoice};
use plyground_core::value::Value;

/// The highest level: full strength.
pub const MAX_LEVEL: u8 = 10;

/// The Elo of the weakest level, by convention: about what a player has who just learnt the rules. The
/// differences from it are measured, in games between the levels.
pub const WEAKEST_ELO: i32 = 400;

/// The levels of a game, from 1 to [`MAX_LEVEL`].
#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    /// How the Elo was measured; empty if it was not.
    pub measured: String,
    levels: Vec<Level>,
}

/// A level of play.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Level {
    /// What a player of this level is, in a few words.
    pub about: String,
    /// The greatest depth, in plies.
    pub depth: Option<u32>,
    /// The most nodes for a move.
    pub nodes: Option<u64>,
    /// The time for a move in seconds, where nothing else limits it.
    pub time: Option<f64>,
    /// How many of its best moves the level weighs: all of them if it is 0.
    pub candidates: usize,
    /// The standard deviation of the random number that is added to a move's value, in the unit of
    /// the evaluation.
    pub noise: Value,
    /// The probability of a slip: the random numbers are then [`SLIP`](crate::session::SLIP) times
    /// as large.
    pub slips: f64,
    /// The game is solved exactly once at most this many moves are left, where the game has a
    /// solver. No slip happens there.
    pub exact: u32,
    /// The Elo that was measured, relative to the weakest level, which has [`WEAKEST_ELO`].
    pub elo: Option<i32>,
    /// The 95 % interval of the Elo.
    pub interval: Option<[i32; 2]>,
    /// The games that the level played for it.
    pub games: Option<u32>,
}

/// The levels' file as it is read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelsFile {
    #[serde(default)]
    measured: String,
    level: Vec<Level>,
}

impl Level {
    /// The limits of a move.
    pub fn limits(&self) -> GoLimits {
        GoLimits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.time.and_then(|time| Duration::try_from_secs_f64(time).ok()),
            ..GoLimits::default()
        }
    }

    /// These limits, or the level's own where they are stricter. The level's time counts only where
    /// nothing else ends the search.
    #[must_use]
    pub fn limited(&self, limits: &GoLimits) -> GoLimits {
        let own = self.limits();
        let stricter = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        let depth = stricter(limits.depth.map(u64::from), own.depth.map(u64::from));
        let timed = limits.clock.is_some() || limits.move_time.is_some();
        let ends = timed || limits.depth.is_some() || limits.nodes.is_some();
        GoLimits {
            depth: depth.map(|depth| depth as u32),
            nodes: stricter(limits.nodes, own.nodes),
            move_time: limits.move_time.or(own.move_time.filter(|_| !ends)),
            ..limits.clone()
        }
    }

    /// How the level chooses its move; `None` if it plays the best move that it finds.
    pub fn choice(&self, seed: u64) -> Option<MoveChoice> {
        let Level { candidates, noise, slips, exact, .. } = *self;
        let candidates = if candidates == 0 { usize::MAX } else { candidates };
        (noise > 0 || exact > 0).then_some(MoveChoice { seed, candidates, noise, slips, exact })
    }

    /// What limits a move, for people: `depth 3, 50,000 nodes`.
    pub fn limits_text(&self) -> String {
        let depth = self.depth.map(|depth| format!("depth {depth}"));
        let nodes = self.nodes.map(|nodes| match nodes {
            1_000_000.. => format!("{} M nodes", nodes as f64 / 1e6),
            1_000.. => format!("{} k nodes", nodes / 1_000),
            _ => format!("{nodes} nodes"),
        });
        let time = self.time.map(|time| format!("{time} s a move"));
        [depth, nodes, time].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl Levels {
    /// Reads the file of a game's levels.
    pub fn parse(text: &str) -> Result<Levels, GameError> {
        let wrong = |reason: String| GameError::Text(format!("the levels: {reason}"));
        let file: LevelsFile = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let LevelsFile { measured, level: levels } = file;
        if levels.len() != usize::from(MAX_LEVEL) {
            return Err(wrong(format!("expected {MAX_LEVEL}, found {}", levels.len())));
        }
        for (number, level) in (1..).zip(&levels) {
            let says = |what: &str| Err(wrong(format!("level {number}: {what}")));
            if level.noise < 0 || !(0.0..=1.0).contains(&level.slips) {
                return says("expected noise of at least 0 and slips from 0 to 1");
            }
            if level.limits() == GoLimits::default() {
                return says("expected a depth, nodes or a time");
            }
        }
        Ok(Levels { measured, levels })
    }

    /// The level of this number, from 1; `None` if there is no such level.
    pub fn get(&self, number: u8) -> Option<&Level> {
        self.levels.get(usize::from(number).checked_sub(1)?)
    }

    /// All levels with their numbers, the weakest first.
    pub fn iter(&self) -> impl Iterator<Item = (u8, &Level)> {
        (1..).zip(&self.levels)
    }

    /// The Elo of the weakest and of the strongest level; `None` if it was not measured.
    pub fn elo_range(&self) -> Option<[i32; 2]> {
        Some([self.levels.first()?.elo?, self.levels.last()?.elo?])
    }

    /// The level for a move of a player with this Elo. Between two levels the player now plays at the
    /// one and now at the other: `draw`, a random number from 0 to 1, decides, and the nearer level
    /// is the more likely. `None` if the Elo was not measured.
    pub fn of_elo(&self, elo: i32, draw: f64) -> Option<&Level> {
        let rated = |level: &Level| level.elo;
        let above = self.levels.iter().position(|level| rated(level).is_some_and(|e| e >= elo));
        let above = match above {
            Some(0) => return self.levels.first(),
            None => return self.levels.last().filter(|level| level.elo.is_some()),
            Some(above) => above,
        };
        let (lower, upper) = (&self.levels[above - 1], &self.levels[above]);
        let (low, high) = (rated(lower)?, rated(upper)?);
        let part = f64::from(elo - low) / f64::from((high - low).max(1));
        Some(if draw < part { upper } else { lower })
    }

    /// The same levels with other measurements: each level's Elo, its interval and its games.
    #[must_use]
    pub fn with_elo(&self, measured: String, elo: &[(i32, [i32; 2], u32)]) -> Levels {
        let mut levels = self.levels.clone();
        for (level, &(elo, interval, games)) in levels.iter_mut().zip(elo) {
            (level.elo, level.interval, level.games) = (Some(elo), Some(interval), Some(games));
        }
        Levels { measured, levels }
    }

    /// The text of the levels' file, which [`Levels::parse`] reads.
    pub fn to_toml(&self, game: &str) -> String {
        let mut text = format!(
            "# The levels of {game}: what limits each of them, how far it misjudges, and the Elo that was\n\
             # measured. `plyground levels measure {game}` measures the Elo and writes this file.\n"
        );
        let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
        if !self.measured.is_empty() {
            let _ = writeln!(text, "\nmeasured = \"{}\"", quoted(&self.measured));
        }
        for level in &self.levels {
            let _ = writeln!(text, "\n[[level]]\nabout = \"{}\"", quoted(&level.about));
            let numbers = [
                ("depth", level.depth.map(|n| n.to_string())),
                ("nodes", level.nodes.map(|n| n.to_string())),
                ("time", level.time.map(|n| format!("{n:?}"))),
                ("candidates", (level.candidates > 0).then(|| level.candidates.to_string())),
                ("noise", (level.noise > 0).then(|| level.noise.to_string())),
                ("slips", (level.slips > 0.0).then(|| format!("{:?}", level.slips))),
                ("exact", (level.exact > 0).then(|| level.exact.to_string())),
                ("elo", level.elo.map(|n| n.to_string())),
                ("interval", level.interval.map(|[low, high]| format!("[{low}, {high}]"))),
                ("games", level.games.map(|n| n.to_string())),
            ];
            for (name, number) in numbers {
                if let Some(number) = number {
                    let _ = writeln!(text, "{name} = {number}");
                }
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use plyground_games::chess::Chess;
    use plyground_games::othello::Othello;

    #[test]
    fn the_levels_rise() {
        for game in [Chess::door(), Othello::door()] {
            let levels = game.levels().unwrap();
            let all: Vec<&Level> = levels.iter().map(|(_, level)| level).collect();
            for pair in all.windows(2) {
                assert!(pair[0].noise >= pair[1].noise && pair[0].slips >= pair[1].slips);
                assert!(pair[0].exact <= pair[1].exact || pair[1].time.is_some());
                assert!(pair[0].elo < pair[1].elo, "{game}: {pair:?}");
            }
            let strongest = levels.get(MAX_LEVEL).unwrap();
            assert_eq!(strongest.choice(1), None);
            assert_eq!((strongest.depth, strongest.nodes), (None, None));
            assert!(levels.get(0).is_none() && levels.get(MAX_LEVEL + 1).is_none());
        }
    }

    #[test]
    fn the_file_is_written_as_it_is_read() {
        for game in [Chess::door(), Othello::door()] {
            let levels = game.levels().unwrap();
            assert_eq!(Levels::parse(&levels.to_toml(game.name())).unwrap(), levels);
        }
        let levels = Chess::door().levels().unwrap();
        let measured: Vec<_> = (0..10).map(|n| (n * 100, [n * 100 - 9, n * 100 + 9], 7)).collect();
        let other = levels.with_elo("a \"quick\" run".into(), &measured);
        assert_eq!(Levels::parse(&other.to_toml("chess")).unwrap(), other);
        assert_eq!(other.elo_range(), Some([0, 900]));
    }

    #[test]
    fn wrong_levels_are_refused() {
        let level = "[[level]]\ndepth = 1\n";
        for (text, expected) in [
            (level.repeat(9), "expected 10, found 9"),
            (level.repeat(9) + "[[level]]\n", "level 10: expected a depth"),
            (level.repeat(9) + "[[level]]\ndepth = 1\nslips = 1.5\n", "slips from 0 to 1"),
            (level.repeat(9) + "[[level]]\ndeep = 1\n", "unknown field"),
        ] {
            let message = Levels::parse(&text).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
    }

    /// Between two levels the nearer one is the more likely.
    #[test]
    fn an_elo_is_a_level_or_between_two() {
        let measured: Vec<_> = (0..10).map(|n| (n * 100, [0, 0], 1)).collect();
        let levels = Chess::door().levels().unwrap().with_elo(String::new(), &measured);
        let of = |elo, draw| {
            let level = levels.of_elo(elo, draw).unwrap();
            levels.iter().find(|(_, other)| *other == level).unwrap().0
        };
        assert_eq!((of(-50, 0.5), of(0, 0.5), of(5_000, 0.5)), (1, 1, 10));
        assert_eq!((of(325, 0.2), of(325, 0.3)), (5, 4));
        let unknown = Levels { measured: String::new(), levels: vec![Level::default(); 10] };
        assert!(unknown.of_elo(100, 0.5).is_none() && unknown.elo_range().is_none());
    }

    #[test]
    fn the_stricter_limit_counts() {
        let level = Level { depth: Some(4), time: Some(5.0), ..Level::default() };
        let nodes = GoLimits { nodes: Some(9), depth: Some(6), ..GoLimits::default() };
        let both = level.limited(&nodes);
        assert_eq!((both.depth, both.nodes, both.move_time), (Some(4), Some(9), None));
        let alone = level.limited(&GoLimits::default());
        assert_eq!(alone, level.limits());
        assert_eq!(level.limits_text(), "depth 4, 5 s a move");
    }
}
