//! A record: one game of a match, with everything needed to repeat it, and its result.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::score::Competitor;
use crate::experiment::StoredRecord;
use plyground_core::value::Value;
use plyground_engine::game::Remark;

/// What identifies a game of a match.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GameSetup {
    /// The game's name.
    pub game: String,
    /// The first participant, as it was typed.
    pub a: String,
    /// The second participant.
    pub b: String,
    /// The settings of A.
    pub a_setup: String,
    /// The settings of B.
    pub b_setup: String,
    /// The limit on a move or a game, as in `2+0.02`.
    pub limit: String,
    /// The number of the game in the match, from 1.
    pub number: u32,
    /// The participant with the side that begins the game: White in chess, Black in Othello.
    pub first: Competitor,
    /// The opening: a position, moves from the start, or both.
    pub opening: String,
    /// The seed that chose the order of the openings.
    pub seed: u64,
    /// When the game ends before its rules end it; empty if it never does.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub adjudication: String,
    /// The version of the program.
    pub version: String,
}

impl fmt::Display for GameSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {} of {} against {} of {}", self.number, self.a, self.b, self.game)
    }
}

/// The kinds of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FaultKind {
    /// An illegal move, or no move.
    Illegal,
    /// The engine ended, or could not be started.
    Crash,
    /// The engine exceeded its time, or never replied.
    Time,
}

impl FaultKind {
    /// All kinds.
    pub const ALL: [FaultKind; 3] = [FaultKind::Illegal, FaultKind::Crash, FaultKind::Time];

    /// The name in JSON output.
    pub const fn name(self) -> &'static str {
        match self {
            FaultKind::Illegal => "illegal",
            FaultKind::Crash => "crash",
            FaultKind::Time => "time",
        }
    }

    /// The reason of the result of a game that is lost by such a fault.
    pub const fn ending(self) -> &'static str {
        match self {
            FaultKind::Illegal => "illegal move",
            FaultKind::Crash => "crash",
            FaultKind::Time => "time forfeit",
        }
    }
}

/// A fault of an opponent, by which it loses the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// What happened.
    pub reason: String,
}

/// A fault with the participant that made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// The participant at fault, which has lost.
    pub by: Competitor,
    /// What happened.
    #[serde(flatten)]
    pub fault: Fault,
}

/// A game and its result: a line of `games.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// What identifies the game.
    #[serde(flatten)]
    pub setup: GameSetup,
    /// The name that A gives itself.
    pub a_name: String,
    /// The name that B gives itself.
    pub b_name: String,
    /// The winner; null for a draw.
    pub winner: Option<Competitor>,
    /// How the game ended: `checkmate`, `40-24`, `illegal move`.
    pub reason: String,
    /// The fault that ended the game, if one did.
    pub fault: Option<FaultRecord>,
    /// The number of moves after the opening.
    pub plies: usize,
    /// These moves, as programs write them.
    pub moves: String,
    /// The date, as in `2026.01.31`.
    pub date: String,
    /// The duration of the game in seconds.
    pub seconds: f64,
    /// The players' values of these moves, with depth and time.
    #[serde(default)]
    pub remarks: Vec<Option<RemarkRecord>>,
}

impl StoredRecord for GameRecord {
    type Key = GameSetup;
    const FILE_NAME: &'static str = "games.jsonl";

    fn key(&self) -> &GameSetup {
        &self.setup
    }

    /// A game is played only once, so its records must be equal.
    fn agrees_with(&self, other: &GameRecord) -> bool {
        self == other
    }
}

/// A remark on a move as stored: value, depth, milliseconds.
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
