//! Pattern weights from games: a regression for each stage of the game.

use super::positions;
use super::regression::{Ridge, Rows};
use crate::shard::{NO_VALUE, RecordedGame, is_held_out};
use plyground_games::othello::{
    Board, DISC, Evaluator, PatternFeatures, PatternWeights, STAGES, STATES, TERMS,
};

/// A weight that is looked up is pulled towards 0 as if it had been seen this often more.
const RIDGE: Ridge = Ridge { looked_up: 25.0, counted: 1.0 };
/// The steps of a regression.
const STEPS: usize = 50;
/// A stage also learns from its neighbours, less.
const NEIGHBOUR: f32 = 0.25;

/// What to fit, and when to stop.
pub struct PatternFit<'a> {
    /// The most positions of a stage; with more, some are left out evenly.
    pub positions: usize,
    /// Hears how much is done, from 0 to 1; returns `false` to stop.
    pub progress: &'a mut dyn FnMut(f64) -> bool,
}

/// What came of it.
pub struct PatternReport {
    /// The weights; `None` if the work was stopped.
    pub weights: PatternWeights,
    /// The games that were learnt from.
    pub games: usize,
    /// The errors stage by stage.
    pub stages: Vec<StageReport>,
    /// The mean squared error on what was learnt from, in discs: with all weights 0, and after.
    pub losses: [f64; 2],
}

/// How well a stage was learnt.
#[derive(Clone, Copy, Debug, Default)]
pub struct StageReport {
    /// The positions that were learnt from, those of the neighbours left out.
    pub learnt: usize,
    /// The positions of games that were held out.
    pub held_out: usize,
    /// The mean error of the new weights on those, in discs.
    pub error: f64,
    /// The mean error of the built-in evaluator on the same.
    pub standard: f64,
}

/// The positions of a game whose value is known, with the result for the side to move in hundredths.
fn samples(game: &RecordedGame) -> impl Iterator<Item = (Board, f32)> + '_ {
    let searched = positions(game).filter(|(.., ply)| ply.value != NO_VALUE);
    searched.map(|(board, side, _)| (board, f32::from(side * game.result) * DISC as f32))
}

impl PatternFit<'_> {
    /// Learns the weights. `None` if it was stopped.
    pub fn run(&mut self, games: &[RecordedGame]) -> Option<PatternReport> {
        let representatives = PatternFeatures::representatives();
        let learnt = games.iter().enumerate().filter(|&(number, _)| !is_held_out(number));
        let learnt: Vec<&RecordedGame> = learnt.map(|(_, game)| game).collect();
        let (mut terms, mut states) = (Vec::new(), Vec::new());
        let mut stages = vec![StageReport::default(); STAGES];
        let (mut squares, mut importance) = ([0.0; 2], 0.0);
        for (stage, report) in stages.iter_mut().enumerate() {
            let mut rows = Rows::default();
            for (board, score) in self.thinned(&learnt, stage) {
                let Some(features) = PatternFeatures::of(&board) else { continue };
                let own = features.stage == stage;
                report.learnt += usize::from(own);
                let looked_up = features.states.map(|state| representatives[state as usize]);
                let importance = if own { 1.0 } else { NEIGHBOUR };
                rows.push(looked_up, features.terms, score, importance);
            }
            let mut steps = 0;
            let fitted = rows.fit(STATES, RIDGE, STEPS, &mut || {
                steps += 1;
                let done = stage as f64 + steps as f64 / STEPS as f64;
                (self.progress)(done / STAGES as f64)
            });
            if !(self.progress)((stage + 1) as f64 / STAGES as f64) {
                return None;
            }
            let nothing = vec![0.0; fitted.len()];
            for (sum, weights) in squares.iter_mut().zip([&nothing, &fitted]) {
                let [more, count] = rows.squares(weights, STATES);
                *sum += more / f64::from(DISC * DISC);
                importance += count / 2.0;
            }
            let rounded = |weight: f32| weight.round().clamp(-6400.0, 6400.0) as i16;
            states.extend(representatives.iter().map(|&at| rounded(fitted[at as usize])));
            terms.push(std::array::from_fn::<i16, TERMS, _>(|at| rounded(fitted[STATES + at])));
        }
        let about = format!(
            "about = \"fitted to {} games of self-play, {} positions\"\n",
            learnt.len(),
            stages.iter().map(|stage| stage.learnt).sum::<usize>()
        );
        let weights = PatternWeights::new(about, terms, states).ok()?;
        measure(games, &weights, &mut stages);
        let losses = squares.map(|sum| sum / f64::max(importance, 1.0));
        Some(PatternReport { weights, games: learnt.len(), stages, losses })
    }

    /// The positions of a stage and its neighbours, at most the number that is wanted.
    fn thinned(&self, games: &[&RecordedGame], stage: usize) -> Vec<(Board, f32)> {
        let near = |board: &Board| {
            let discs = 64 - board.empties().len();
            ((discs.clamp(4, 63) - 4) / 4).abs_diff(stage) <= 1
        };
        let count: usize =
            games.iter().map(|game| samples(game).filter(|(board, _)| near(board)).count()).sum();
        let every = count.div_ceil(self.positions.max(1)).max(1);
        let all = games.iter().flat_map(|game| samples(game)).filter(|(board, _)| near(board));
        all.step_by(every).collect()
    }
}

/// Measures the errors on games that were held out.
fn measure(games: &[RecordedGame], weights: &PatternWeights, stages: &mut [StageReport]) {
    let (new, standard) = (Evaluator::from(weights.clone()), Evaluator::default());
    let held_out = games.iter().enumerate().filter(|&(number, _)| is_held_out(number));
    for (board, score) in held_out.flat_map(|(_, game)| samples(game)) {
        let Some(features) = PatternFeatures::of(&board) else { continue };
        let report = &mut stages[features.stage];
        let error = |evaluator: &Evaluator| {
            f64::from((evaluator.evaluate(&board) as f32 - score).abs()) / f64::from(DISC)
        };
        report.held_out += 1;
        report.error += error(&new);
        report.standard += error(&standard);
    }
    for report in stages {
        let count = report.held_out.max(1) as f64;
        report.error /= count;
        report.standard /= count;
    }
}
