//! How well shallow searches with the weights foretell deeper ones: what multi-probcut asks for.
//!
//! A file of weights may have none, and then nothing is foretold. Like the weights they are checked
//! while the file is read.

use serde::Deserialize;

use crate::tree::Forecast;

/// The forecasts by stage of the game and depth of the deep search.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "Vec<Period>")]
pub(super) struct Forecasts(Vec<(usize, Vec<Vec<Forecast>>)>);

impl Forecasts {
    /// The forecasts of a search of `depth` plies: those of the last period that has begun, in which
    /// searches that are deeper than all are foretold like the deepest.
    #[inline]
    pub(super) fn of(&self, empties: usize, depth: u32) -> &[Forecast] {
        let Some((_, depths)) = self.0.iter().rev().find(|period| empties >= period.0) else {
            return &[];
        };
        depths.get(depth as usize).map_or(&[], |forecasts| forecasts)
    }
}

/// A period as the file writes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Period {
    /// From so many empty squares on, until the next one begins.
    empties: usize,
    pairs: Vec<Pair>,
}

/// A pair of searches.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    deep: u32,
    shallow: u32,
    slope: f32,
    offset: f32,
    error: f32,
}

/// No pair is deeper.
const DEEPEST: u32 = 60;

impl TryFrom<Vec<Period>> for Forecasts {
    type Error = String;

    fn try_from(periods: Vec<Period>) -> Result<Self, String> {
        let mut all: Vec<(usize, Vec<Vec<Forecast>>)> = Vec::new();
        for Period { empties, pairs } in periods {
            if all.last().is_some_and(|last| last.0 >= empties) {
                return Err(format!("the forecasts from {empties} empties on are out of order"));
            }
            let mut depths = Vec::new();
            for Pair { deep, shallow, slope, offset, error } in pairs {
                if deep > DEEPEST || shallow >= deep {
                    return Err(format!("a search of {shallow} plies foretells none of {deep}"));
                }
                if !(0.1..=10.0).contains(&slope) || !offset.is_finite() || !(error > 0.0) {
                    return Err(format!(
                        "slope {slope}, offset {offset}, error {error}: expected a slope from 0.1 \
                         to 10 and an error above 0"
                    ));
                }
                let deep = deep as usize;
                if depths.len() <= deep {
                    depths.resize_with(deep + 1, Vec::new);
                }
                depths[deep].push(Forecast { depth: shallow, slope, offset, error });
            }
            all.push((empties, depths));
        }
        Ok(Self(all))
    }
}
