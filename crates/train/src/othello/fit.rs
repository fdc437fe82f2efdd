//! Pattern weights from games: a regression for each stage of the game, the last stage first.
//!
//! Learning can begin with earlier weights: then it finds what to change in them. What they were learnt
//! from need not be there any more, only how many games it was. First each stage of them as a whole is set
//! right by a [line](Line) through the results of the new games, which they were not learnt from.

use super::labels::{Labelled, Line, labelled, solved_nearby};
use super::positions;
use super::regression::{Ridge, Rows};
use crate::shard::{NO_VALUE, RecordedGame, is_held_out};
use plyground_games::othello::{
    Board, CONSTANT_TERM, DISC, Evaluator, ODD_TERM, PatternFeatures, PatternWeights, STAGES,
    STATES, TERMS,
};

/// A weight that is looked up is pulled towards the earlier one, set right, or, if there are no earlier
/// weights, towards that of the stage after it, the last stage's towards 0, as if it had been seen this often
/// more: for exact labels,
const EXACT_RIDGE: Ridge = Ridge { looked_up: 20.0, counted: 1.0, before: 0.0 };
/// and for results of games, which vary more.
const RESULT_RIDGE: Ridge = Ridge { looked_up: 60.0, counted: 1.0, before: 0.0 };
/// The first stage with exact labels alone.
const EXACT_STAGE: usize = 11;
/// The positions of the stage after it count this much beside a stage's own.
const LATER: f32 = 0.5;
/// The steps of a regression.
const STEPS: usize = 40;

/// What to fit, and when to stop.
pub struct PatternFit<'a> {
    /// The most positions of a stage near the end that are solved besides those of the games.
    pub positions: usize,
    /// What chooses them.
    pub seed: u64,
    /// The weights to begin with; `None` to learn from nothing.
    pub earlier: Option<EarlierWeights<'a>>,
    /// Hears how much is done, from 0 to 1; returns `false` to stop.
    pub progress: &'a mut dyn FnMut(f64) -> bool,
}

/// Weights to begin with.
#[derive(Clone, Copy)]
pub struct EarlierWeights<'a> {
    /// The weights.
    pub weights: &'a PatternWeights,
    /// The games that they count for beside those that are learnt from now: with 0 they are only what a
    /// weight is that is never seen.
    pub games: u64,
}

/// What came of it.
pub struct PatternReport {
    /// The weights.
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
    /// The positions that were learnt from.
    pub learnt: usize,
    /// The positions of games that were held out.
    pub held_out: usize,
    /// The mean error of the new weights on those, in discs.
    pub error: f64,
    /// The mean error of the standard evaluator on the same.
    pub standard: f64,
    /// The mean error of the earlier weights on the same, if learning began with some.
    pub earlier: Option<f64>,
}

/// The share of the work on a stage that finding labels is.
const LABELLING: f64 = 0.8;

impl PatternFit<'_> {
    /// Learns the weights. `None` if it was stopped.
    pub fn run(&mut self, games: &[RecordedGame]) -> Option<PatternReport> {
        let representatives = PatternFeatures::representatives();
        let learnt = games.iter().enumerate().filter(|&(number, _)| !is_held_out(number));
        let learnt: Vec<&RecordedGame> = learnt.map(|(_, game)| game).collect();
        let mut terms = vec![[0; TERMS]; STAGES];
        let mut states = vec![0; STAGES * STATES];
        let mut stages = vec![StageReport::default(); STAGES];
        let mut fitted = vec![0.0; STATES + TERMS];
        let before = self.earlier.map_or(0.0, |earlier| earlier.games as f64);
        let before = before / learnt.len().max(1) as f64;
        let mut later = Vec::new();
        let (mut squares, mut all_rows) = ([0.0; 2], 0.0);
        for stage in (0..STAGES).rev() {
            let mut done =
                |share: f64| (self.progress)(((STAGES - 1 - stage) as f64 + share) / STAGES as f64);
            let mut boards =
                solved_nearby(&learnt, stage, self.positions, self.seed, &mut |share| {
                    done(LABELLING * share)
                })?;
            let of_games = learnt.iter().flat_map(|game| labelled(game));
            boards.extend(of_games.filter(|labelled| stage_of(&labelled.board) == stage));
            boards.retain(|labelled| !labelled.board.is_over());
            let searched = |labelled: &Labelled| {
                labelled.searched.map(|value| (labelled.board, value, labelled.result))
            };
            let line = Line::through(boards.iter().filter_map(searched));
            let (mut rows, mut own) = (Rows::default(), Vec::new());
            for labelled in &boards {
                let Some(features) = PatternFeatures::of(&labelled.board) else { continue };
                let score = labelled.label(&line);
                squares[0] += f64::from(score).powi(2);
                let looked_up = features.states.map(|state| representatives[state as usize]);
                rows.push(looked_up, features.terms, score, 1.0);
                own.push((looked_up, features.terms, score));
            }
            stages[stage].learnt = rows.len();
            for (looked_up, terms, score) in later {
                rows.push(looked_up, terms, score, LATER);
            }
            later = own;
            if let Some(EarlierWeights { weights, .. }) = self.earlier {
                let (terms, states) = weights.stage(stage);
                fitted = states.iter().chain(terms).map(|&weight| f32::from(weight)).collect();
                let values = rows.sums(&fitted, STATES).into_iter().zip(&boards);
                let line = Line::through(values.map(|(v, known)| (known.board, v, known.result)));
                fitted.iter_mut().for_each(|weight| *weight *= line.slope);
                fitted[STATES + ODD_TERM] += line.odd;
                fitted[STATES + CONSTANT_TERM] += line.offset;
            }
            rows.subtract(&fitted, STATES);
            let mut steps = 0;
            let ridge = if stage < EXACT_STAGE { RESULT_RIDGE } else { EXACT_RIDGE };
            let ridge = Ridge { before, ..ridge };
            let change = rows.fit(STATES, ridge, STEPS, &mut || {
                steps += 1;
                done(LABELLING + (1.0 - LABELLING) * f64::from(steps) / STEPS as f64)
            });
            if !done(1.0) {
                return None;
            }
            let [sum, importance] = rows.squares(&change, STATES, stages[stage].learnt);
            squares[1] += sum;
            all_rows += importance;
            fitted.iter_mut().zip(change).for_each(|(weight, change)| *weight += change);
            let rounded = |weight: f32| weight.round().clamp(-6400.0, 6400.0) as i16;
            for (state, &stands) in states[stage * STATES..].iter_mut().zip(&representatives) {
                *state = rounded(fitted[stands as usize]);
            }
            terms[stage] = std::array::from_fn(|at| rounded(fitted[STATES + at]));
        }
        let about = format!(
            "about = \"fitted to {} positions from {} games of self-play{}\"\n",
            stages.iter().map(|stage| stage.learnt).sum::<usize>(),
            learnt.len(),
            self.earlier.map_or_else(String::new, |earlier| {
                format!(", beginning with weights that count for {} games", earlier.games)
            })
        );
        let weights = PatternWeights::new(about, terms, states).ok()?;
        measure(games, &weights, self.earlier.map(|earlier| earlier.weights), &mut stages);
        let losses = squares.map(|sum| sum / f64::max(all_rows, 1.0) / f64::from(DISC * DISC));
        Some(PatternReport { weights, games: learnt.len(), stages, losses })
    }
}

/// The stage of a board.
fn stage_of(board: &Board) -> usize {
    ((64 - board.empties().len()).clamp(4, 63) - 4) / 4
}

/// The positions of a game whose value is known, with the result for the side to move in hundredths.
fn results(game: &RecordedGame) -> impl Iterator<Item = (Board, f32)> + '_ {
    let searched = positions(game).filter(|(.., ply)| ply.value != NO_VALUE);
    searched.map(|(board, side, _)| (board, f32::from(side * game.result) * DISC as f32))
}

/// Measures the errors on games that were held out.
fn measure(
    games: &[RecordedGame],
    weights: &PatternWeights,
    earlier: Option<&PatternWeights>,
    stages: &mut [StageReport],
) {
    let (new, standard) = (Evaluator::from(weights.clone()), Evaluator::default());
    let earlier = earlier.cloned().map(Evaluator::from);
    let held_out = games.iter().enumerate().filter(|&(number, _)| is_held_out(number));
    for (board, score) in held_out.flat_map(|(_, game)| results(game)) {
        let Some(features) = PatternFeatures::of(&board) else { continue };
        let report = &mut stages[features.stage];
        let error = |evaluator: &Evaluator| {
            f64::from((evaluator.evaluate(&board) as f32 - score).abs()) / f64::from(DISC)
        };
        report.held_out += 1;
        report.error += error(&new);
        report.standard += error(&standard);
        if let Some(earlier) = &earlier {
            *report.earlier.get_or_insert_default() += error(earlier);
        }
    }
    for report in stages {
        let count = report.held_out.max(1) as f64;
        report.error /= count;
        report.standard /= count;
        report.earlier = report.earlier.map(|sum| sum / count);
    }
}
