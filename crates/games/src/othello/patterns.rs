//! The pattern evaluation: an estimate of the final score from the shapes of the discs.
//!
//! Corners, edges, rows and diagonals are looked up as they are: each state of each shape has a weight
//! of its own, which was learnt from games of self-play (`plyground train othello`), in each of fifteen
//! stages of the game. A few counts of mobility are added. Michael Buro's Logistello showed in the
//! nineties what such an evaluation is worth, and every strong Othello program has had one since.
//!
//! - `shapes`: the shapes, their images on the board, and which states are alike
//! - `lookup`: from a board to the states of its shapes
//! - `file`: the file of weights

mod file;
mod lookup;
mod shapes;

#[cfg(target_arch = "x86_64")]
pub(in crate::othello) use lookup::STARTS;
pub(in crate::othello) use lookup::{
    GroupTable, PLACES, StageWeights, pattern_states, states_after, weigh,
};
pub use shapes::{INSTANCES, STATES};
pub(in crate::othello) use shapes::{TURNS, all_turned};

use std::sync::{Arc, LazyLock};

use serde::Deserialize;
use thiserror::Error;

use super::evaluate::{Forecasts, odd_quadrants, with_neighbours};
use super::instructions::{Instructions, Portable};
use lookup::Lookup;
use plyground_core::tree::Forecast;
use plyground_core::value::Value;
use shapes::{ALL_INSTANCES, SHAPES};

/// The number of stages of the game, each four discs long: 4 to 7, 8 to 11, … 60 to 63.
pub const STAGES: usize = 15;
const DISCS_PER_STAGE: usize = 4;

/// The number of terms that are counted and not looked up.
pub const TERMS: usize = 7;
/// The number of the term that is 1 if the number of empty squares is odd, so that the mover has the last
/// move of a game without passes, and 0 if it is even.
pub const ODD_TERM: usize = 5;
/// The number of the term that is always 1.
pub const CONSTANT_TERM: usize = 6;

/// What the terms count, in their order.
const TERM_NAMES: [&str; TERMS] = [
    "mobility",
    "mobility",
    "potential mobility",
    "potential mobility",
    "parity",
    "parity",
    "move",
];

/// Why a file of pattern weights was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PatternError {
    /// It is another kind of file.
    #[error("expected pattern weights, found another kind of file")]
    Foreign,
    /// It has another version.
    #[error("the pattern weights have version {found}; expected {expected}")]
    Version {
        /// The version found.
        found: u16,
        /// The version that can be read.
        expected: u16,
    },
    /// It is damaged or incomplete.
    #[error("the pattern weights are damaged or incomplete: their checksum is wrong")]
    Torn,
    /// Its text is wrong.
    #[error("the text of the pattern weights: {0}")]
    Text(#[from] toml::de::Error),
}

/// The text of a file of weights.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    /// How the weights were made.
    #[serde(rename = "about", default)]
    _about: String,
    #[serde(default)]
    forecast: Forecasts,
}

/// A weight for every state of every shape in every stage.
#[derive(Clone, Debug)]
pub struct PatternWeights {
    text: String,
    terms: Vec<[i16; TERMS]>,
    /// Stage by stage, and one 0 at the end.
    states: Vec<i16>,
    forecasts: Forecasts,
    lookup: &'static Lookup,
}

/// A board as the pattern evaluation sees it: which weights it adds up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternFeatures {
    /// The stage of the game.
    pub stage: usize,
    /// How often each of the counted terms is there.
    pub terms: [i32; TERMS],
    /// For each shape on each of its places, the number of its state among the [`STATES`].
    pub states: [u32; INSTANCES],
}

/// The states of a board as the side that does not move sees them.
pub(crate) struct BeforeMoves([u16; PLACES]);

impl PatternFeatures {
    /// The features of a board; `None` if the game is over, so that the score is known.
    #[must_use]
    pub fn of(board: &super::Board) -> Option<PatternFeatures> {
        let (player, opponent) = (board.player().word(), board.opponent().word());
        let terms = counted(Portable, player, opponent)?;
        let stage = stage(player | opponent);
        let states = Lookup::get().states(Portable, player, opponent);
        Some(PatternFeatures { stage, terms, states })
    }

    /// For each of the [`STATES`] the state that stands for it and its images: they share a weight.
    #[must_use]
    pub fn representatives() -> Vec<u32> {
        shapes::representatives()
    }
}

/// The stage of a board with these discs.
#[inline(always)]
fn stage(discs: u64) -> usize {
    ((discs.count_ones() as usize).clamp(4, 63) - 4) / DISCS_PER_STAGE
}

/// The counted terms; `None` if neither side can move.
#[inline(always)]
fn counted<I: Instructions>(instructions: I, player: u64, opponent: u64) -> Option<[i32; TERMS]> {
    let ours = instructions.moves(player, opponent);
    let theirs = instructions.moves(opponent, player);
    if ours | theirs == 0 {
        return None;
    }
    let count = |set: u64| set.count_ones() as i32;
    let empties = !(player | opponent);
    let odd = odd_quadrants(empties);
    Some([
        count(ours),
        count(theirs),
        count(with_neighbours(opponent) & empties),
        count(with_neighbours(player) & empties),
        odd,
        odd & 1,
        1,
    ])
}

/// A static, because every crate that uses a constant gets a copy of what it refers to.
static PATTERN_FILE: [u8; include_bytes!("../../../../engines/weights/othello-patterns.weights")
    .len()] = *include_bytes!("../../../../engines/weights/othello-patterns.weights");

/// The weights that are built in, as their file has them: `engines/weights/othello-patterns.weights`.
pub const PATTERN_WEIGHTS: &[u8] = &PATTERN_FILE;

impl PatternWeights {
    /// The [weights that are built in](PATTERN_WEIGHTS), read on first use.
    pub fn built_in() -> &'static Arc<PatternWeights> {
        static BUILT_IN: LazyLock<Arc<PatternWeights>> = LazyLock::new(|| {
            let read = PatternWeights::from_bytes(PATTERN_WEIGHTS);
            Arc::new(read.expect("the built-in weights are tested"))
        });
        &BUILT_IN
    }

    /// Weights for each stage: of the counted terms, and of the states. States that are images of each
    /// other must have the same weight. The text is TOML with `about`, how the weights were made, and
    /// tables `[[forecast]]`.
    ///
    /// # Panics
    ///
    /// If there is not a weight for every stage, term and state.
    pub fn new(
        text: String,
        terms: Vec<[i16; TERMS]>,
        mut states: Vec<i16>,
    ) -> Result<PatternWeights, PatternError> {
        assert_eq!((terms.len(), states.len()), (STAGES, STAGES * STATES));
        // Pushing alone would double what is allocated.
        states.reserve_exact(1);
        states.push(0);
        let Text { forecast, .. } = toml::from_str(&text)?;
        Ok(PatternWeights { text, terms, states, forecasts: forecast, lookup: Lookup::get() })
    }

    /// The same weights with another text: see [`new`](Self::new).
    pub fn with_text(self, text: String) -> Result<PatternWeights, PatternError> {
        let mut states = self.states;
        states.pop();
        PatternWeights::new(text, self.terms, states)
    }

    /// Reads a file of weights.
    pub fn from_bytes(bytes: &[u8]) -> Result<PatternWeights, PatternError> {
        let file::Contents { text, terms, states } = file::read(bytes)?;
        PatternWeights::new(text, terms, states)
    }

    /// Is this such a file, whole or not?
    #[must_use]
    pub fn is_file(bytes: &[u8]) -> bool {
        file::is_file(bytes)
    }

    /// The file of these weights.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let PatternWeights { text, terms, states, .. } = self;
        file::write(text, terms, &states[..STAGES * STATES])
    }

    /// The weights of a stage: of the counted terms, and of the [`STATES`].
    ///
    /// # Panics
    ///
    /// If there is no such stage.
    #[must_use]
    pub fn stage(&self, stage: usize) -> (&[i16; TERMS], &[i16]) {
        (&self.terms[stage], &self.states[stage * STATES..][..STATES])
    }

    /// How the weights were made, and the forecasts, as TOML.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How searches with these weights predict deeper ones.
    #[inline]
    pub(super) fn forecasts(&self, empties: usize, depth: u32) -> &[Forecast] {
        self.forecasts.of(empties, depth)
    }

    /// The mover's expected score in hundredths of a disc; `None` if the game is over.
    #[inline(always)]
    pub(crate) fn value<I: Instructions>(
        &self,
        instructions: I,
        player: u64,
        opponent: u64,
    ) -> Option<Value> {
        let places = self.lookup.places(instructions, player, opponent);
        self.sum(instructions, player, opponent, &places)
    }

    /// What evaluating the boards after a board's moves begins with.
    #[inline(always)]
    pub(crate) fn before_moves<I: Instructions>(
        &self,
        instructions: I,
        player: u64,
        opponent: u64,
    ) -> BeforeMoves {
        BeforeMoves(self.lookup.places(instructions, opponent, player))
    }

    /// As [`value`](Self::value), of the board after a move, which turned `flips`: in less time than
    /// from the board alone.
    #[inline(always)]
    pub(crate) fn value_after<I: Instructions>(
        &self,
        instructions: I,
        before: &BeforeMoves,
        (square, flips): (u32, u64),
        (player, opponent): (u64, u64),
    ) -> Option<Value> {
        let places = self.lookup.places_after(instructions, &before.0, square, flips);
        self.sum(instructions, player, opponent, &places)
    }

    #[inline(always)]
    fn sum<I: Instructions>(
        &self,
        instructions: I,
        player: u64,
        opponent: u64,
        places: &[u16; PLACES],
    ) -> Option<Value> {
        let counts = counted(instructions, player, opponent)?;
        let stage = stage(player | opponent);
        let terms = counts.iter().zip(&self.terms[stage]);
        let counted: Value = terms.map(|(count, &weight)| count * Value::from(weight)).sum();
        let weights = self.states[stage * STATES..].first_chunk()?;
        Some(counted + instructions.weigh(weights, places))
    }

    /// The terms of a value, by name; `None` if the game is over.
    pub(super) fn explain(&self, player: u64, opponent: u64) -> Option<Vec<(&'static str, Value)>> {
        let counts = counted(Portable, player, opponent)?;
        let stage = stage(player | opponent);
        let mut terms: Vec<(&'static str, Value)> = Vec::new();
        let mut add = |name, value| match terms.last_mut() {
            Some(last) if last.0 == name => last.1 += value,
            _ => terms.push((name, value)),
        };
        for (name, (count, &weight)) in
            TERM_NAMES.into_iter().zip(counts.iter().zip(&self.terms[stage]))
        {
            add(name, count * Value::from(weight));
        }
        let weights = &self.states[stage * STATES..][..STATES];
        for (instance, state) in
            ALL_INSTANCES.iter().zip(self.lookup.states(Portable, player, opponent))
        {
            add(SHAPES[instance.shape].name, Value::from(weights[state as usize]));
        }
        Some(terms)
    }
}

#[cfg(test)]
mod tests;
