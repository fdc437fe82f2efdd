//! Texel's method: the weights of the hand-made features are fitted to the results of games.
//!
//! A sigmoid turns a value into an expected result: a pawn ahead wins so often. The weights are changed
//! until the expected results are nearest to what happened, in the mean of squares. What happened is the
//! game's result mixed with what the search thought, which is less noisy. Peter Österlund did this for
//! his engine Texel by trying each weight in turn; here the value is linear in the weights, so that its
//! gradient is known.
//!
//! Only quiet positions are used: where a piece hangs, a static value says nothing.

use super::positions;
use crate::shard::{NO_VALUE, RecordedGame, parted};
use plyground_core::value::LEAST_MATE;
use plyground_games::chess::{Board, Evaluator, FEATURES, FULL_PHASE, Move, PAWN, Score, Side};

/// The share of the game's result in what is learnt; the rest is the value of the search.
const RESULT: f64 = 0.5;
/// Values beyond this are decided, and say nothing about weights.
const DECIDED: i16 = 10 * PAWN as i16;
/// The pull towards the weights at the beginning, as if so many positions asked for them.
const RIDGE: f64 = 30.0;
/// The largest step of a weight, in hundredths of a pawn, at the beginning and at the end.
const STEPS: [f64; 2] = [2.0, 0.05];

/// A feature of a position and how often White has it more than Black.
type Count = (u16, i16);

/// Positions as sparse rows.
#[derive(Default)]
struct Samples {
    counts: Vec<Count>,
    rows: Vec<Row>,
}

#[derive(Clone, Copy)]
struct Row {
    /// Where the counts of the row end; they begin where those of the row before end.
    end: usize,
    /// How much the middlegame's and the endgame's sums count.
    middle: f32,
    ending: f32,
    /// The result that is to be expected, from 0 to 1 for White.
    target: f32,
}

/// What is to be fitted.
pub struct WeightFit<'a> {
    /// The passes over all positions.
    pub passes: usize,
    /// The most positions; with more, some are left out evenly.
    pub positions: usize,
    /// Hears how much is done, from 0 to 1; returns `false` to stop.
    pub progress: &'a mut dyn FnMut(f64) -> bool,
}

/// What came of it.
pub struct WeightReport {
    /// The weights.
    pub weights: Box<[Score; FEATURES]>,
    /// The positions that were learnt from, and those of games that were held out.
    pub positions: [usize; 2],
    /// The scale of the sigmoid: values of this many hundredths of a pawn are expected to score 73 %.
    pub scale: f64,
    /// The mean squared error on what was held out, before and after.
    pub errors: [f64; 2],
    /// The same on what was learnt from.
    pub losses: [f64; 2],
}

pub(super) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The quiet positions of a game, with their values for White.
pub(super) fn quiet(game: &RecordedGame) -> impl Iterator<Item = (Board, f64)> + '_ {
    // How a lone king is mated is technique: what such positions are worth is known.
    let is_quiet = |board: &Board, mv: Move| {
        !board.has_lone_king()
            && !board.in_check()
            && board.side_on(mv.to()).is_none()
            && mv.promotion().is_none()
    };
    positions(game)
        .filter(|(_, _, ply)| ply.value != NO_VALUE && ply.value.abs() < DECIDED)
        .filter(move |(board, mv, _)| is_quiet(board, *mv))
        .map(|(board, _, ply)| {
            debug_assert!(i32::from(ply.value).abs() < LEAST_MATE);
            let sign = if board.side() == Side::White { 1.0 } else { -1.0 };
            (board, sign * f64::from(ply.value))
        })
}

impl Samples {
    fn of<'a>(
        games: impl Iterator<Item = &'a RecordedGame>,
        every: usize,
        evaluator: &Evaluator,
        scale: f64,
    ) -> Samples {
        let mut samples = Samples::default();
        let positions = games.flat_map(|game| quiet(game).map(move |found| (found, game.result)));
        for ((board, value), result) in positions.step_by(every) {
            let features = evaluator.features(&board);
            let count = |&(feature, count): &(usize, i32)| (feature as u16, count as i16);
            samples.counts.extend(features.counts.iter().map(count));
            let (phase, full) = (features.phase as f32, FULL_PHASE as f32);
            let result = (f64::from(result) + 1.0) / 2.0;
            let target = RESULT * result + (1.0 - RESULT) * sigmoid(value / scale);
            samples.rows.push(Row {
                end: samples.counts.len(),
                middle: phase / full,
                ending: (full - phase) / full * features.scale as f32 / 64.0,
                target: target as f32,
            });
        }
        samples
    }

    /// The rows with their counts.
    fn rows(&self) -> impl Iterator<Item = (&Row, &[Count])> {
        let mut begin = 0;
        self.rows.iter().map(move |row| {
            let counts = &self.counts[begin..row.end];
            begin = row.end;
            (row, counts)
        })
    }

    /// The mean squared error of the expected results, and its gradient if one is wanted.
    fn error(&self, weights: &Flat, scale: f64, mut gradient: Option<&mut Flat>) -> f64 {
        let mut sum = 0.0;
        for (row, counts) in self.rows() {
            let mut value = [0.0f32; 2];
            for &(feature, count) in counts {
                let [middle, end] = weights[usize::from(feature)];
                value[0] += middle * f32::from(count);
                value[1] += end * f32::from(count);
            }
            let value = f64::from(value[0] * row.middle + value[1] * row.ending);
            let expected = sigmoid(value / scale);
            let error = expected - f64::from(row.target);
            sum += error * error;
            if let Some(gradient) = gradient.as_deref_mut() {
                let slope = (2.0 * error * expected * (1.0 - expected) / scale) as f32;
                let (middle, ending) = (slope * row.middle, slope * row.ending);
                for &(feature, count) in counts {
                    let place = &mut gradient[usize::from(feature)];
                    place[0] += middle * f32::from(count);
                    place[1] += ending * f32::from(count);
                }
            }
        }
        sum / self.rows.len().max(1) as f64
    }
}

/// A middlegame and an endgame number for each feature.
type Flat = Vec<[f32; 2]>;

fn flat(weights: &[Score; FEATURES]) -> Flat {
    weights.iter().map(|score| [score.middle() as f32, score.end() as f32]).collect()
}

/// The scale of the sigmoid at which values of the search fit the results best: by golden section.
pub(super) fn best_scale(games: &[&RecordedGame]) -> f64 {
    let found: Vec<(f64, f64)> = games
        .iter()
        .flat_map(|game| {
            quiet(game).map(|(_, value)| (value, (f64::from(game.result) + 1.0) / 2.0))
        })
        .step_by(7)
        .collect();
    let error = |scale: f64| -> f64 {
        found.iter().map(|&(value, result)| (sigmoid(value / scale) - result).powi(2)).sum()
    };
    let ratio = (5.0f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (50.0, 800.0);
    for _ in 0..30 {
        let (a, b) = (high - ratio * (high - low), low + ratio * (high - low));
        if error(a) < error(b) {
            high = b;
        } else {
            low = a;
        }
    }
    (low + high) / 2.0
}

impl WeightFit<'_> {
    /// Fits the weights of an evaluator to games. `None` if it was stopped, or there is no quiet
    /// position.
    pub fn run(&mut self, games: &[RecordedGame], evaluator: &Evaluator) -> Option<WeightReport> {
        let (learnt, held_out) = parted(games);
        let count: usize = learnt.iter().map(|game| quiet(game).count()).sum();
        let every = count.div_ceil(self.positions.max(1)).max(1);
        let scale = best_scale(&learnt);
        let samples = Samples::of(learnt.into_iter(), every, evaluator, scale);
        let others = Samples::of(held_out.into_iter(), every, evaluator, scale);
        if samples.rows.is_empty() {
            return None;
        }
        let beginning = flat(evaluator.weights());
        let mut weights = beginning.clone();
        let errors = |weights: &Flat| [&others, &samples].map(|s| s.error(weights, scale, None));
        let before = errors(&weights);
        // Adam: each weight has its own step, by how steady its gradient is.
        let zeros = || vec![[0.0f32; 2]; FEATURES];
        let (mut mean, mut square) = (zeros(), zeros());
        let ridge = (2.0 * RIDGE / scale / scale / samples.rows.len() as f64 / 16.0) as f32;
        for pass in 1..=self.passes {
            if !(self.progress)(pass as f64 / self.passes as f64) {
                return None;
            }
            let mut gradient = zeros();
            samples.error(&weights, scale, Some(&mut gradient));
            let done = pass as f64 / self.passes as f64;
            let step = (STEPS[0] * (STEPS[1] / STEPS[0]).powf(done)) as f32;
            let count = samples.rows.len() as f32;
            let fade = [0.9f32, 0.999].map(|rate| 1.0 - rate.powi(pass as i32));
            for feature in 0..FEATURES {
                for phase in 0..2 {
                    let place = &mut weights[feature][phase];
                    let slope = gradient[feature][phase] / count
                        + ridge * (*place - beginning[feature][phase]);
                    let mean = &mut mean[feature][phase];
                    let square = &mut square[feature][phase];
                    *mean = 0.9 * *mean + 0.1 * slope;
                    *square = 0.999 * *square + 0.001 * slope * slope;
                    *place -= step * (*mean / fade[0]) / ((*square / fade[1]).sqrt() + 1e-12);
                }
            }
        }
        let after = errors(&weights);
        let rounded = |[middle, end]: [f32; 2]| {
            let whole = |weight: f32| weight.round().clamp(-2000.0, 2000.0) as i32;
            Score::new(whole(middle), whole(end))
        };
        let mut scores = Box::new([Score::ZERO; FEATURES]);
        for (score, &weight) in scores.iter_mut().zip(&weights) {
            *score = rounded(weight);
        }
        let positions = [samples.rows.len(), others.rows.len()];
        let [errors, losses] = [0, 1].map(|part| [before[part], after[part]]);
        Some(WeightReport { weights: scores, positions, scale, errors, losses })
    }
}
