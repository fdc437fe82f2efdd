//! A network that learns from games of self-play.
//!
//! What a position should be worth is what Texel's method uses too: the game's result mixed with the
//! value of the search, as an expected score. The network is trained in floating point by Adam, in
//! batches drawn by a seed, and rounded to the whole numbers that play uses. Output weights are kept
//! within what these can hold.
//!
//! Games are few and what features are worth is known, so a *teacher* comes first: the network learns to
//! judge positions next to those of the games as the hand-made features do. Any number of them can be
//! had, without a search. What the games say is learnt after that. If the teacher is a network itself, its
//! weights are the first ones, and smaller steps lead on from there.

mod parameters;
mod samples;

use std::sync::Mutex;

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::positions;
use super::tune::{best_scale, quiet, sigmoid};
use crate::shard::{RecordedGame, parted};
use parameters::{ALL, Adam, Parameters};
use plyground_games::chess::network::HIDDEN;
use plyground_games::chess::{Board, Evaluator, Network, NetworkError, Side};
use samples::Samples;

/// The share of the game's result in what is learnt.
const RESULT: f32 = 0.3;
/// The positions of a batch.
const BATCH: usize = 2048;
/// A batch is learnt in this number of parts, whose gradients are added up in order: so the network does
/// not depend on the number of threads.
const PARTS: usize = 2;
/// The size of a step at the beginning and at the end: while the teacher teaches, and after that.
const LESSON_STEPS: [f32; 2] = [1.5e-3, 8e-4];
const STEPS: [f32; 2] = [1e-3, 1e-5];
/// The same where a network learns further.
const FURTHER_STEPS: [f32; 2] = [2.5e-4, 1e-5];
/// The positions of a lesson: they are drawn, shuffled, learnt and forgotten.
const LESSON: usize = 512 * BATCH;
/// The most positions held out that errors are measured on.
const MOST_HELD_OUT: usize = 1_000_000;

/// What to learn, and when to stop.
pub struct NetworkFit<'a> {
    /// The passes over all positions.
    pub passes: usize,
    /// The most positions; with more, some are left out evenly.
    pub positions: usize,
    /// The seed of the first weights and of the batches.
    pub seed: u64,
    /// How many positions near the games are learnt as the teacher judges them, before all else.
    pub lessons: usize,
    /// The threads that learn; the network does not depend on their number.
    pub threads: usize,
    /// Hears how much is done, from 0 to 1, and the error so far; returns `false` to stop.
    pub progress: &'a mut dyn FnMut(f64, f64) -> bool,
}

/// What came of it.
pub struct NetworkReport {
    /// The network.
    pub network: Network,
    /// The positions that were learnt from, and those of games that were held out.
    pub positions: [usize; 2],
    /// The mean squared error on what was held out: of the evaluator to compare with, of the network in
    /// floating point, and of the network as it plays.
    pub errors: [f64; 3],
    /// The mean squared error of the network on what was learnt from, in floating point: of the weights
    /// drawn by lot, and after.
    pub losses: [f64; 2],
}

impl NetworkFit<'_> {
    /// Trains a network; the teacher is also what it is compared with. `None` if it was stopped, or there
    /// is no quiet position.
    pub fn run(
        &mut self,
        games: &[RecordedGame],
        teacher: &Evaluator,
    ) -> Result<Option<NetworkReport>, NetworkError> {
        let (learnt, held_out) = parted(games);
        let scale = best_scale(&learnt) as f32;
        let samples: Samples = labelled(&learnt, self.positions, scale).collect();
        let most = self.positions.min(MOST_HELD_OUT);
        let boards: Vec<(Board, f32)> = labelled(&held_out, most, scale).collect();
        let others: Samples = boards.iter().copied().collect();
        if samples.len() == 0 {
            return Ok(None);
        }
        let mut random = StdRng::seed_from_u64(self.seed);
        let mut parameters = match teacher.network() {
            Some(network) => Parameters::of(network),
            None => Parameters::random(&mut random),
        };
        let steps = if teacher.network().is_some() { FURTHER_STEPS } else { STEPS };
        let before = parameters.loss(&samples, scale);
        let mut training = Training::new(&mut parameters, scale, self.threads);
        if !self.take_lessons(&mut training, &mut random, &learnt, teacher)
            || !self.train(&mut training, &mut random, &samples, steps)
        {
            return Ok(None);
        }
        let losses = [before, parameters.loss(&samples, scale)];
        let about = format!(
            "{HIDDEN} hidden neurons, {} lessons, {} quiet positions of {} games of self-play, {} passes, \
             seed {}",
            self.lessons,
            samples.len(),
            learnt.len(),
            self.passes,
            self.seed
        );
        let network = Evaluator::with_network(parameters.rounded(about.clone())?);
        let by_value = |evaluator: &Evaluator| -> f64 {
            let square = |(board, target): &(Board, f32)| {
                let value = f64::from(evaluator.evaluate(board)) / f64::from(scale);
                (sigmoid(value) - f64::from(*target)).powi(2)
            };
            boards.iter().map(square).sum::<f64>() / boards.len().max(1) as f64
        };
        let errors = [by_value(teacher), parameters.loss(&others, scale), by_value(&network)];
        let network = parameters.rounded(about)?;
        let positions = [samples.len(), others.len()];
        Ok(Some(NetworkReport { network, positions, errors, losses }))
    }

    /// Learns to judge positions as the teacher does: a move away from positions of the games, drawn by
    /// lot. `false` if it was stopped.
    fn take_lessons(
        &mut self,
        training: &mut Training<'_>,
        random: &mut StdRng,
        games: &[&RecordedGame],
        teacher: &Evaluator,
    ) -> bool {
        let mut taken = 0;
        while taken < self.lessons {
            let size = LESSON.min(self.lessons - taken);
            let mut lesson = Samples::default();
            while lesson.len() < size {
                let game = games[random.random_range(0..games.len())];
                for (board, ..) in positions(game) {
                    let moves = board.moves();
                    let Some(&mv) = moves.get(random.random_range(0..moves.len().max(1))) else {
                        continue;
                    };
                    let next = board.play(mv);
                    let value = f64::from(teacher.evaluate(&next)) / f64::from(training.scale);
                    if !next.in_check() && !next.has_lone_king() {
                        lesson.push(&next, sigmoid(value) as f32);
                    }
                }
            }
            let order = shuffled(&lesson, random);
            for batch in order.chunks(BATCH) {
                let done = (taken + batch.len()) as f32 / self.lessons as f32;
                taken += batch.len();
                let error = training.step(&lesson, batch, between(LESSON_STEPS, done));
                if !(self.progress)(f64::from(done) / 2.0, error) {
                    return false;
                }
            }
        }
        true
    }

    /// Learns from the games; `false` if it was stopped.
    fn train(
        &mut self,
        training: &mut Training<'_>,
        random: &mut StdRng,
        samples: &Samples,
        steps: [f32; 2],
    ) -> bool {
        let all = (samples.len() * self.passes) as f64;
        let begin = if self.lessons > 0 { 0.5 } else { 0.0 };
        let mut learnt = 0;
        for _ in 0..self.passes {
            for batch in shuffled(samples, random).chunks(BATCH) {
                learnt += batch.len();
                let done = learnt as f64 / all;
                let error = training.step(samples, batch, between(steps, done as f32));
                if !(self.progress)(begin + (1.0 - begin) * done, error) {
                    return false;
                }
            }
        }
        true
    }
}

/// All samples in an order drawn by lot.
fn shuffled(samples: &Samples, random: &mut StdRng) -> Vec<u32> {
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    order.shuffle(random);
    order
}

/// The size of a step that shrinks evenly, by factors, from the first to the second.
fn between([first, last]: [f32; 2], done: f32) -> f32 {
    first * (last / first).powf(done)
}

/// Weights that are being changed.
struct Training<'a> {
    parameters: &'a mut Parameters,
    adam: Adam,
    gradients: Vec<Vec<f32>>,
    /// The scale of the sigmoid.
    scale: f32,
    threads: usize,
    /// A running mean of the squared error.
    error: f64,
}

impl Training<'_> {
    fn new(parameters: &mut Parameters, scale: f32, threads: usize) -> Training<'_> {
        let gradients = vec![vec![0.0; ALL]; PARTS];
        Training { parameters, adam: Adam::new(), gradients, scale, threads, error: 0.25 }
    }

    /// A step of this size by the samples of a batch; returns the running error.
    fn step(&mut self, samples: &Samples, batch: &[u32], size: f32) -> f64 {
        let sum = self.find_gradient(samples, batch);
        self.adam.step(self.parameters, &self.gradients[0], size);
        self.error += 0.02 * (sum / batch.len() as f64 - self.error);
        self.error
    }

    /// The mean gradient of a batch, left in the first of the lists, and the sum of squared errors.
    fn find_gradient(&mut self, samples: &Samples, batch: &[u32]) -> f64 {
        let Training { parameters, gradients, scale, threads, .. } = self;
        let mut sums = [0.0; PARTS];
        let parts = batch.chunks(batch.len().div_ceil(PARTS));
        let used = parts.len();
        let queue = Mutex::new(parts.zip(gradients.iter_mut()).zip(&mut sums));
        let next = || queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
        let work = || {
            while let Some(((numbers, gradient), sum)) = next() {
                gradient.fill(0.0);
                for &number in numbers {
                    let sample = samples.get(number as usize);
                    *sum += f64::from(parameters.learn(&sample, *scale, gradient));
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..used.min(*threads) {
                // If the system refuses a thread, the others do its work.
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        let (first, others) = gradients.split_at_mut(1);
        for other in &others[..used - 1] {
            first[0].iter_mut().zip(other).for_each(|(sum, slope)| *sum += slope);
        }
        let share = 1.0 / batch.len() as f32;
        first[0].iter_mut().for_each(|slope| *slope *= share);
        sums.into_iter().sum()
    }
}

/// The quiet positions of games with what they should be worth, at most `most` of them, evenly.
fn labelled<'a>(
    games: &'a [&RecordedGame],
    most: usize,
    scale: f32,
) -> impl Iterator<Item = (Board, f32)> + 'a {
    let count: usize = games.iter().map(|game| quiet(game).count()).sum();
    let every = count.div_ceil(most.max(1)).max(1);
    let found = games.iter().flat_map(move |game| {
        quiet(game).map(move |(board, value)| (board, target(&board, value, game, scale)))
    });
    found.step_by(every)
}

/// What a position should be worth to the side to move.
fn target(board: &Board, value: f64, game: &RecordedGame, scale: f32) -> f32 {
    let result = (f32::from(game.result) + 1.0) / 2.0;
    let white = RESULT * result + (1.0 - RESULT) * sigmoid(value / f64::from(scale)) as f32;
    if board.side() == Side::White { white } else { 1.0 - white }
}
