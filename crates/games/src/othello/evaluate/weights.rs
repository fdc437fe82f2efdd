//! The weights of the features, and the file that they are read from.
//!
//! The file has a table `[[stage]]` for each stage of the game with a number for each count, and a
//! table `[[edge]]` for each period of three stages with a number for each state of an edge. All are
//! in hundredths of a disc. Everything is checked while the file is read, so that an error message
//! names the line.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

use super::features::{COUNTS, DISCS_PER_STAGE, EDGE_STATES, Features, STAGES};
use super::forecasts::Forecasts;
use crate::keyed::read_keys;
use plyground_core::tree::Forecast;

/// The number of stages that share a table of edges.
pub(super) const STAGES_PER_PERIOD: usize = 3;
pub(super) const PERIODS: usize = STAGES / STAGES_PER_PERIOD;
/// The largest weight: the whole board.
pub(super) const LARGEST: i64 = 6400;

/// A weight for every feature in every stage.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Weights {
    stage: Stages,
    edge: Periods,
    #[serde(default)]
    forecast: Forecasts,
}

impl Weights {
    /// The weights of the counts.
    #[inline(always)]
    pub(super) fn counts(&self, features: &Features) -> &[i32; COUNTS] {
        &self.stage.0[features.stage]
    }

    /// The weights of the four edges, added up.
    #[inline(always)]
    pub(super) fn edges(&self, features: &Features) -> i32 {
        let table = &self.edge.0[features.stage / STAGES_PER_PERIOD].table.0;
        features.edges.iter().map(|&state| i32::from(table[state])).sum()
    }

    /// How shallow searches foretell deeper ones.
    #[inline]
    pub(super) fn forecasts(&self, empties: usize, depth: u32) -> &[Forecast] {
        self.forecast.of(empties, depth)
    }
}

/// A number of the file.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "i64")]
struct Weight(i16);

impl TryFrom<i64> for Weight {
    type Error = String;

    fn try_from(number: i64) -> Result<Self, String> {
        if number.abs() > LARGEST {
            return Err(format!("the weight {number} is not between -{LARGEST} and {LARGEST}"));
        }
        Ok(Self(number as i16))
    }
}

/// The weights of the counts by stage.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Vec<Stage>")]
struct Stages(Box<[[i32; COUNTS]; STAGES]>);

impl TryFrom<Vec<Stage>> for Stages {
    type Error = String;

    fn try_from(stages: Vec<Stage>) -> Result<Self, String> {
        let found = stages.len();
        if found != STAGES {
            return Err(format!("expected {STAGES} tables [[stage]], found {found}"));
        }
        let mut weights = Box::new([[0; COUNTS]; STAGES]);
        for (number, (stage, weights)) in stages.iter().zip(weights.iter_mut()).enumerate() {
            let first = 4 + DISCS_PER_STAGE * number;
            let found = stage.discs;
            if usize::try_from(found) != Ok(first) {
                let number = number + 1;
                return Err(format!("stage {number} starts at {first} discs, not at {found}"));
            }
            *weights = stage.weights.map(|weight| i32::from(weight.0));
        }
        Ok(Self(weights))
    }
}

/// A stage as the file writes it.
struct Stage {
    /// The discs on the board when the stage starts.
    discs: i16,
    /// A number for each of the features' counts.
    weights: [Weight; COUNTS],
}

impl<'de> Deserialize<'de> for Stage {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(StageTable)
    }
}

struct StageTable;

impl<'de> Visitor<'de> for StageTable {
    type Value = Stage;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table [[stage]]")
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Stage, A::Error> {
        let mut numbers = [Weight(0); KEYS.len()];
        read_keys(table, &KEYS, |key, table| {
            numbers[key] = table.next_value()?;
            Ok(())
        })?;
        let [Weight(discs), weights @ ..] = numbers;
        Ok(Stage { discs, weights })
    }
}

/// The keys of a stage: where it starts, and the counts in their order.
const KEYS: [&str; 1 + COUNTS] = [
    "discs",
    "own_moves",
    "other_moves",
    "other_stuck",
    "own_potential",
    "other_potential",
    "frontier",
    "own_corner_moves",
    "other_corner_moves",
    "corners",
    "x_squares",
    "c_squares",
    "stable_discs",
    "stable_edges",
    "last_move",
    "odd_quadrants",
    "discs_ahead",
    "to_move",
];

/// The edges' tables by period.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Vec<Period>")]
struct Periods(Vec<Period>);

impl TryFrom<Vec<Period>> for Periods {
    type Error = String;

    fn try_from(periods: Vec<Period>) -> Result<Self, String> {
        let found = periods.len();
        if found != PERIODS {
            return Err(format!("expected {PERIODS} tables [[edge]], found {found}"));
        }
        for (number, period) in periods.iter().enumerate() {
            let first = 4 + DISCS_PER_STAGE * STAGES_PER_PERIOD * number;
            if period.discs != first {
                let (number, found) = (number + 1, period.discs);
                return Err(format!("edge table {number} starts at {first} discs, not at {found}"));
            }
        }
        Ok(Self(periods))
    }
}

/// A period as the file writes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Period {
    /// The discs on the board when the period starts.
    discs: usize,
    table: EdgeTable,
}

/// A weight for each state of an edge, the same seen from either end, and with the opposite sign
/// if the colours are exchanged.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Vec<Weight>")]
struct EdgeTable(Box<[i16; EDGE_STATES]>);

impl TryFrom<Vec<Weight>> for EdgeTable {
    type Error = String;

    fn try_from(weights: Vec<Weight>) -> Result<Self, String> {
        let table: Box<[i16]> = weights.iter().map(|weight| weight.0).collect();
        let table: Box<[i16; EDGE_STATES]> = table.try_into().map_err(|table: Box<[i16]>| {
            format!("an edge table has {EDGE_STATES} weights, not {}", table.len())
        })?;
        for state in 0..EDGE_STATES {
            let (weight, mirrored, exchanged) =
                (table[state], table[mirror(state)], table[exchange(state)]);
            if weight != mirrored {
                return Err(format!(
                    "the edge {} is worth {weight}, but its mirror image {} is worth {mirrored}",
                    picture(state),
                    picture(mirror(state)),
                ));
            }
            if weight != -exchanged {
                return Err(format!(
                    "the edge {} is worth {weight}, so {} must be worth {}, not {exchanged}",
                    picture(state),
                    picture(exchange(state)),
                    -weight,
                ));
            }
        }
        Ok(Self(table))
    }
}

/// The digits of an edge's state, from its first square.
fn digits(state: usize) -> [usize; 8] {
    std::array::from_fn(|place| state / 3usize.pow(place as u32) % 3)
}

/// The state with these digits.
fn state(digits: impl DoubleEndedIterator<Item = usize>) -> usize {
    digits.rev().fold(0, |state, digit| 3 * state + digit)
}

/// The edge seen from its other end.
pub(super) fn mirror(edge: usize) -> usize {
    state(digits(edge).into_iter().rev())
}

/// The edge with the colours exchanged.
pub(super) fn exchange(edge: usize) -> usize {
    state(digits(edge).into_iter().map(|digit| [0, 2, 1][digit]))
}

/// The edge as eight characters, `X` for the mover.
fn picture(state: usize) -> String {
    digits(state).into_iter().map(|digit| ['-', 'X', 'O'][digit]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_tied() {
        assert_eq!(picture(mirror(1)), "-------X");
        assert_eq!(picture(exchange(1)), "O-------");
        for edge in 0..EDGE_STATES {
            assert_eq!(mirror(mirror(edge)), edge);
            assert_eq!(exchange(exchange(edge)), edge);
        }
        let weights: Weights = toml::from_str(crate::othello::STANDARD_WEIGHTS).unwrap();
        for period in &weights.edge.0 {
            let table = &period.table.0;
            assert!((0..EDGE_STATES).all(|edge| table[edge] == table[mirror(edge)]));
            assert!((0..EDGE_STATES).all(|edge| table[edge] == -table[exchange(edge)]));
            assert_eq!(table[0], 0);
        }
    }
}
