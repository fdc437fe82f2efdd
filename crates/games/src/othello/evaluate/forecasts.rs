//! The parameters of Multi-ProbCut: how well shallow searches with the weights foretell deeper ones.
//!
//! Each is a linear regression of the deep value on the shallow one, with the standard deviation of
//! its error. A file of weights may have none; then nothing is foretold. They are checked while the
//! file is read, as the weights are.

use serde::Deserialize;

use plyground_core::tree::Forecast;

/// The forecasts by stage of the game and depth of the deep search.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(try_from = "Vec<Period>")]
pub(in crate::othello) struct Forecasts(Vec<(usize, Vec<Vec<Forecast>>)>);

impl Forecasts {
    /// The forecasts of a search of `depth` plies; none if fewer squares are empty than in any
    /// period. A search deeper than all pairs is foretold like the deepest one of the same parity.
    #[inline]
    pub(in crate::othello) fn of(&self, empties: usize, depth: u32) -> &[Forecast] {
        let Some((_, depths)) = self.0.iter().rev().find(|period| empties >= period.0) else {
            return &[];
        };
        let (depth, end) = (depth as usize, depths.len());
        let depth = if depth < end { depth } else { end.saturating_sub(1 + (depth + 1 - end) % 2) };
        depths.get(depth).map_or(&[], |forecasts| forecasts)
    }
}

/// A period as the file writes it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Period {
    /// The fewest empty squares of the period: it lasts until the next one begins.
    empties: usize,
    pairs: Vec<Pair>,
}

/// A deep and a shallow search: the value of the deep one is `slope` times that of the shallow one plus
/// `offset`, with a standard deviation of `error`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pair {
    deep: u32,
    shallow: u32,
    slope: f32,
    offset: f32,
    error: f32,
}

/// The largest depth of a pair.
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
                let errs = error.is_finite() && error > 0.0;
                if !(0.1..=10.0).contains(&slope) || !offset.is_finite() || !errs {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::Evaluator;

    fn parsed(text: &str) -> Result<Forecasts, String> {
        #[derive(Deserialize)]
        struct File {
            forecast: Forecasts,
        }
        toml::from_str::<File>(text).map(|file| file.forecast).map_err(|error| error.to_string())
    }

    const TEXT: &str = "
[[forecast]]
empties = 13
pairs = [
    { deep = 3, shallow = 1, slope = 1.5, offset = -20, error = 300 },
    { deep = 4, shallow = 0, slope = 1.0, offset = 0, error = 400 },
    { deep = 4, shallow = 2, slope = 1.0, offset = 0, error = 200 },
]
[[forecast]]
empties = 19
pairs = [{ deep = 3, shallow = 1, slope = 1.0, offset = 0, error = 100 }]
";

    #[test]
    fn a_period_lasts_until_the_next() {
        let forecasts = parsed(TEXT).unwrap();
        let errors = |empties, depth| -> Vec<f32> {
            forecasts.of(empties, depth).iter().map(|forecast| forecast.error).collect()
        };
        assert!(errors(12, 3).is_empty());
        assert_eq!(errors(13, 3), [300.0]);
        assert_eq!(errors(18, 4), [400.0, 200.0]);
        assert!(errors(18, 2).is_empty());
        assert_eq!((errors(18, 5), errors(18, 7)), (vec![300.0], vec![300.0]));
        assert_eq!(errors(18, 60), [400.0, 200.0]);
        assert_eq!(errors(19, 3), [100.0]);
        assert!(errors(60, 4).is_empty());
        let first = Forecast { depth: 1, slope: 1.5, offset: -20.0, error: 300.0 };
        assert_eq!(forecasts.of(13, 3), [first]);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for (from, to, expected) in [
            ("empties = 19", "empties = 13", "from 13 empties on are out of order"),
            ("deep = 3", "deep = 1", "1 plies foretells none of 1"),
            ("deep = 3", "deep = 99", "foretells none of 99"),
            ("shallow = 1", "shallow = -1", "expected u32"),
            ("slope = 1.5", "slope = 0", "slope 0"),
            ("slope = 1.5", "slope = nan", "slope NaN"),
            ("error = 300", "error = -3", "an error above 0"),
            ("offset = -20", "offsets = -20", "unknown field `offsets`"),
        ] {
            let text = TEXT.replacen(from, to, 1);
            assert_ne!(text, TEXT);
            let message = parsed(&text).unwrap_err();
            assert!(message.contains(expected) && message.contains("at line"), "{to}: {message}");
        }
    }

    /// The built-in weights: the deeper the shallow search, the smaller the error, among those that
    /// end with the same side's move.
    #[test]
    fn the_built_in_forecasts_are_sensible() {
        let evaluator = Evaluator::default();
        for empties in 13..=60 {
            for depth in 1..=64 {
                let forecasts = evaluator.forecasts(empties, depth);
                assert!(!forecasts.is_empty(), "{empties} {depth}");
                assert!(forecasts.iter().all(|forecast| forecast.depth < depth));
                assert!(forecasts.windows(2).all(|pair| pair[0].depth < pair[1].depth));
                let alike = |pair: &&[Forecast]| pair[0].depth % 2 == pair[1].depth % 2;
                let mut alike = forecasts.windows(2).filter(alike);
                assert!(alike.all(|pair| pair[0].error > pair[1].error), "{empties} {depth}");
            }
        }
        assert!((0..13).all(|empties| evaluator.forecasts(empties, 8).is_empty()));
    }
}
