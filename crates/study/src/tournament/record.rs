//! A record: one game of a match, with all that is needed to repeat it and its result.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::score::Competitor;
use crate::experiment::StoredRecord;
use plyground_core::value::Value;
use plyground_engine::game::Remark;

/// Which game of which match it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GameSetup {
    /// The game's name.
    pub game: String,
    /// The first participant, as it was typed.
    pub a: String,
    /// The second.
    pub b: String,
    /// What A was set to.
    pub a_setup: String,
    /// What B was set to.
    pub b_setup: String,
    /// The limit on a move or a game, as in `2+0.02`.
    pub limit: String,
    /// Which game of the match, from 1.
    pub number: u32,
    /// Which of them had the side that begins the game: White in chess, Black in Othello.
    pub first: Competitor,
    /// The opening: a position, moves from the start, or both.
    pub opening: String,
    /// The seed that the openings' order was chosen by.
    pub seed: u64,
    /// The version of the program.
    pub version: String,
}

impl fmt::Display for GameSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {} of {} against {} of {}", self.number, self.a, self.b, self.game)
    }
}

/// What an opponent may do wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FaultKind {
    /// A move against the rules, or none at all.
    Illegal,
    /// It ended, or could not be started again.
    Crash,
    /// It took longer than it had, or never answered.
    Time,
}

impl FaultKind {
    /// All of them.
    pub const ALL: [FaultKind; 3] = [FaultKind::Illegal, FaultKind::Crash, FaultKind::Time];

    /// The name, as JSON output has it.
    pub const fn name(self) -> &'static str {
        match self {
            FaultKind::Illegal => "illegal",
            FaultKind::Crash => "crash",
            FaultKind::Time => "time",
        }
    }

    /// What a game that is lost by it is said to have ended by.
    pub const fn ending(self) -> &'static str {
        match self {
            FaultKind::Illegal => "illegal move",
            FaultKind::Crash => "crash",
            FaultKind::Time => "time forfeit",
        }
    }
}

/// What an opponent did wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Whether it was a move, a crash or the time.
    pub kind: FaultKind,
    /// What happened.
    pub reason: String,
}

/// A fault, and which of the two made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// The one at fault, which has lost.
    pub by: Competitor,
    /// What happened.
    #[serde(flatten)]
    pub fault: Fault,
}

/// A line of `games.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Which game it is.
    #[serde(flatten)]
    pub setup: GameSetup,
    /// What A calls itself.
    pub a_name: String,
    /// What B calls itself.
    pub b_name: String,
    /// The winner; null for a draw.
    pub winner: Option<Competitor>,
    /// How the game ended: `checkmate`, `40-24`, `illegal move`.
    pub reason: String,
    /// What went wrong, if anything did.
    pub fault: Option<FaultRecord>,
    /// How many moves were played after the opening.
    pub plies: usize,
    /// These moves, as programs write them.
    pub moves: String,
    /// The day, as in `2026.01.31`.
    pub date: String,
    /// How long the game took.
    pub seconds: f64,
    /// What the players thought of these moves.
    #[serde(default)]
    pub remarks: Vec<Option<RemarkRecord>>,
}

impl StoredRecord for GameRecord {
    type Key = GameSetup;
    const FILE_NAME: &'static str = "games.jsonl";

    fn key(&self) -> &GameSetup {
        &self.setup
    }

    /// A game is played once.
    fn agrees_with(&self, other: &GameRecord) -> bool {
        self == other
    }
}

/// A remark as the file has it: value, depth, milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemarkRecord(Option<Value>, Option<u32>, u64);

impl From<Remark> for RemarkRecord {
    fn from(remark: Remark) -> RemarkRecord {
        RemarkRecord(remark.value, remark.depth, remark.time.as_millis() as u64)
    }
}

impl From<RemarkRecord> for Remark {
    fn from(RemarkRecord(value, depth, millis): RemarkRecord) -> Remark {
        Remark { value, depth, time: Duration::from_millis(millis) }
    }
}
