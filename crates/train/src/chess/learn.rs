//! A network that learns from games of self-play.
//!
//! What a position should be worth is what Texel's method uses too: the game's result mixed with the
//! value of the search, as an expected score. The network is trained in floating point by Adam, in
//! batches drawn by a seed, and rounded to the whole numbers that play uses. Output weights are kept
//! within what these can hold.

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::tune::{best_scale, quiet, sigmoid};
use crate::shard::{RecordedGame, parted};
use plyground_games::chess::network::{
    ACTIVATION, BUCKETS, HIDDEN, INPUTS, LARGEST_OUTPUT, OUTPUT, SCALE, bucket, inputs,
};
use plyground_games::chess::{Board, Evaluator, Network, NetworkError, NetworkWeights, Side};

/// The share of the game's result in what is learnt.
const RESULT: f32 = 0.3;
/// The positions of a batch.
const BATCH: usize = 4096;
/// The size of a step at the beginning and at the end.
const STEPS: [f32; 2] = [1.5e-3, 3e-5];
/// No weight of an input is larger: with 32 pieces the sums still fit 16 bits.
const LARGEST_INPUT: f32 = 3.9;
/// The most pieces of a position.
const PIECES: usize = 32;

/// A position as the network sees it.
struct Sample {
    /// The inputs from the side to move's point of view and from the other's; unused places hold
    /// [`INPUTS`].
    inputs: [[u16; PIECES]; 2],
    bucket: u8,
    /// The result to be expected for the side to move, from 0 to 1.
    target: f32,
}

impl Sample {
    fn new(board: &Board, target: f32) -> Sample {
        let seen = |view: Side| {
            let mut places = [INPUTS as u16; PIECES];
            for (place, input) in places.iter_mut().zip(inputs(board, view)) {
                *place = input as u16;
            }
            places
        };
        let inputs = [seen(board.side()), seen(board.side().other())];
        Sample { inputs, bucket: bucket(board) as u8, target }
    }
}

/// The weights in floating point, laid out as one list: inputs, biases, outputs, output biases.
struct Parameters(Vec<f32>);

const BIASES: usize = INPUTS * HIDDEN;
const OUTPUTS: usize = BIASES + HIDDEN;
const OUTPUT_BIASES: usize = OUTPUTS + BUCKETS * 2 * HIDDEN;
const ALL: usize = OUTPUT_BIASES + BUCKETS;

/// The hidden layer of a position, from both points of view.
type Hidden = [[f32; HIDDEN]; 2];

impl Parameters {
    fn random(random: &mut StdRng) -> Parameters {
        let mut weights = vec![0.0; ALL];
        // Some 20 inputs are on: their sum should fall within the clip.
        weights[..BIASES].iter_mut().for_each(|w| *w = random.random_range(-0.15..0.15));
        weights[BIASES..OUTPUTS].fill(0.2);
        weights[OUTPUTS..OUTPUT_BIASES]
            .iter_mut()
            .for_each(|w| *w = random.random_range(-0.08..0.08));
        Parameters(weights)
    }

    fn hidden(&self, sample: &Sample) -> Hidden {
        let biases: &[f32] = &self.0[BIASES..OUTPUTS];
        let mut hidden = [[0.0; HIDDEN]; 2];
        for (sums, inputs) in hidden.iter_mut().zip(&sample.inputs) {
            sums.copy_from_slice(biases);
            for &input in inputs.iter().take_while(|&&input| usize::from(input) < INPUTS) {
                let column = &self.0[usize::from(input) * HIDDEN..][..HIDDEN];
                sums.iter_mut().zip(column).for_each(|(sum, weight)| *sum += weight);
            }
        }
        hidden
    }

    /// The output in units of [`SCALE`].
    fn output(&self, sample: &Sample, hidden: &Hidden) -> f32 {
        let bucket = usize::from(sample.bucket);
        let weights = &self.0[OUTPUTS + bucket * 2 * HIDDEN..][..2 * HIDDEN];
        let sum: f32 = hidden
            .as_flattened()
            .iter()
            .zip(weights)
            .map(|(&sum, weight)| {
                let active = sum.clamp(0.0, 1.0);
                active * active * weight
            })
            .sum();
        sum + self.0[OUTPUT_BIASES + bucket]
    }

    /// Adds a sample's gradient; returns its squared error.
    fn learn(&self, sample: &Sample, scale: f32, gradient: &mut [f32]) -> f32 {
        let hidden = self.hidden(sample);
        let expected = expected(self.output(sample, &hidden), scale);
        let error = expected - sample.target;
        let slope = 2.0 * error * expected * (1.0 - expected) * SCALE as f32 / scale;
        let bucket = usize::from(sample.bucket);
        gradient[OUTPUT_BIASES + bucket] += slope;
        for (view, (sums, inputs)) in hidden.iter().zip(&sample.inputs).enumerate() {
            let at = OUTPUTS + (bucket * 2 + view) * HIDDEN;
            let mut back = [0.0; HIDDEN];
            for neuron in 0..HIDDEN {
                let active = sums[neuron].clamp(0.0, 1.0);
                gradient[at + neuron] += slope * active * active;
                let open = sums[neuron] > 0.0 && sums[neuron] < 1.0;
                let weight = self.0[at + neuron];
                back[neuron] = if open { slope * 2.0 * active * weight } else { 0.0 };
            }
            for &input in inputs.iter().take_while(|&&input| usize::from(input) < INPUTS) {
                let column = &mut gradient[usize::from(input) * HIDDEN..][..HIDDEN];
                column.iter_mut().zip(&back).for_each(|(slope, back)| *slope += back);
            }
            let biases = &mut gradient[BIASES..OUTPUTS];
            biases.iter_mut().zip(&back).for_each(|(slope, back)| *slope += back);
        }
        error * error
    }

    /// The mean squared error on samples.
    fn loss(&self, samples: &[Sample], scale: f32) -> f64 {
        let square = |sample: &Sample| {
            let expected = expected(self.output(sample, &self.hidden(sample)), scale);
            f64::from(expected - sample.target).powi(2)
        };
        samples.iter().map(square).sum::<f64>() / samples.len().max(1) as f64
    }

    /// Rounded to what play uses.
    fn rounded(&self, about: String) -> Result<Network, NetworkError> {
        let whole = |weight: f32, unit: i32, most: i16| {
            (weight * unit as f32).round().clamp(-f32::from(most), f32::from(most)) as i16
        };
        let input = |weight: f32| whole(weight, ACTIVATION, (LARGEST_INPUT * 255.0) as i16);
        let columns = self.0[..BIASES].chunks_exact(HIDDEN);
        let outputs = |bucket: usize, view: usize| {
            let at = OUTPUTS + (bucket * 2 + view) * HIDDEN;
            std::array::from_fn(|neuron| whole(self.0[at + neuron], OUTPUT, LARGEST_OUTPUT))
        };
        Network::new(NetworkWeights {
            about,
            inputs: columns.map(|column| std::array::from_fn(|at| input(column[at]))).collect(),
            biases: std::array::from_fn(|at| whole(self.0[BIASES + at], ACTIVATION, 900)),
            outputs: std::array::from_fn(|bucket| [outputs(bucket, 0), outputs(bucket, 1)]),
            output_biases: std::array::from_fn(|bucket| {
                (self.0[OUTPUT_BIASES + bucket] * (ACTIVATION * OUTPUT) as f32).round() as i32
            }),
        })
    }
}

/// The expected result of an output.
fn expected(output: f32, scale: f32) -> f32 {
    sigmoid(f64::from(output * SCALE as f32 / scale)) as f32
}

/// What to learn, and when to stop.
pub struct NetworkFit<'a> {
    /// The passes over all positions.
    pub passes: usize,
    /// The most positions; with more, some are left out evenly.
    pub positions: usize,
    /// The seed of the first weights and of the batches.
    pub seed: u64,
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
    /// Trains a network. `None` if it was stopped, or there is no quiet position.
    pub fn run(
        &mut self,
        games: &[RecordedGame],
        compared: &Evaluator,
    ) -> Result<Option<NetworkReport>, NetworkError> {
        let (learnt, held_out) = parted(games);
        let count: usize = learnt.iter().map(|game| quiet(game).count()).sum();
        let every = count.div_ceil(self.positions.max(1)).max(1);
        let scale = best_scale(&learnt) as f32;
        let boards = |games: &[&RecordedGame]| -> Vec<(Board, f32)> {
            let found = games.iter().flat_map(|game| {
                quiet(game).map(|(board, value)| (board, target(&board, value, game, scale)))
            });
            found.step_by(every).collect()
        };
        let others = boards(&held_out);
        let samples: Vec<Sample> =
            boards(&learnt).iter().map(|(board, target)| Sample::new(board, *target)).collect();
        if samples.is_empty() {
            return Ok(None);
        }
        let loss = |parameters: &Parameters| parameters.loss(&samples, scale);
        let mut random = StdRng::seed_from_u64(self.seed);
        let mut parameters = Parameters::random(&mut random);
        let before = loss(&parameters);
        if !self.train(&mut parameters, random, &samples, scale) {
            return Ok(None);
        }
        let losses = [before, loss(&parameters)];
        let about = format!(
            "{HIDDEN} hidden neurons, {} quiet positions of {} games of self-play, {} passes, seed {}",
            samples.len(),
            learnt.len(),
            self.passes,
            self.seed
        );
        let network = Evaluator::with_network(parameters.rounded(about.clone())?);
        let mean = |error: &dyn Fn(&Board) -> f32| -> f64 {
            let square = |(board, target): &(Board, f32)| f64::from(error(board) - target).powi(2);
            others.iter().map(square).sum::<f64>() / others.len().max(1) as f64
        };
        let by_value = |evaluator: &Evaluator, board: &Board| {
            sigmoid(f64::from(evaluator.evaluate(board)) / f64::from(scale)) as f32
        };
        let in_floats = |board: &Board| {
            let sample = Sample::new(board, 0.0);
            expected(parameters.output(&sample, &parameters.hidden(&sample)), scale)
        };
        let errors = [
            mean(&|board| by_value(compared, board)),
            mean(&in_floats),
            mean(&|board| by_value(&network, board)),
        ];
        let network = parameters.rounded(about)?;
        let positions = [samples.len(), others.len()];
        Ok(Some(NetworkReport { network, positions, errors, losses }))
    }

    /// Changes the weights; `false` if it was stopped.
    fn train(
        &mut self,
        parameters: &mut Parameters,
        mut random: StdRng,
        samples: &[Sample],
        scale: f32,
    ) -> bool {
        let (mut mean, mut square) = (vec![0.0f32; ALL], vec![0.0f32; ALL]);
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        let batches = samples.len().div_ceil(BATCH);
        let all = (batches * self.passes) as f32;
        let (mut step, mut error) = (0, 0.25);
        for _ in 0..self.passes {
            order.shuffle(&mut random);
            for batch in order.chunks(BATCH) {
                let mut gradient = vec![0.0; ALL];
                let mut sum = 0.0;
                for &number in batch {
                    sum += parameters.learn(&samples[number as usize], scale, &mut gradient);
                }
                error += 0.02 * (f64::from(sum) / batch.len() as f64 - error);
                step += 1;
                let size = STEPS[0] * (STEPS[1] / STEPS[0]).powf(step as f32 / all);
                adam(
                    &mut parameters.0,
                    &gradient,
                    batch.len(),
                    (&mut mean, &mut square),
                    step,
                    size,
                );
                if !(self.progress)(f64::from(step as f32 / all), error) {
                    return false;
                }
            }
        }
        true
    }
}

/// A step of Adam, and the bounds of the weights.
fn adam(
    weights: &mut [f32],
    gradient: &[f32],
    count: usize,
    (mean, square): (&mut [f32], &mut [f32]),
    step: i32,
    size: f32,
) {
    let fade = [0.9f32, 0.999].map(|rate| 1.0 - rate.powi(step));
    let most_output = f32::from(LARGEST_OUTPUT) / OUTPUT as f32;
    for (at, weight) in weights.iter_mut().enumerate() {
        let slope = gradient[at] / count as f32;
        mean[at] = 0.9 * mean[at] + 0.1 * slope;
        square[at] = 0.999 * square[at] + 0.001 * slope * slope;
        *weight -= size * (mean[at] / fade[0]) / ((square[at] / fade[1]).sqrt() + 1e-8);
        let most = match at {
            _ if at < BIASES => LARGEST_INPUT,
            _ if at < OUTPUTS => 3.5,
            _ if at < OUTPUT_BIASES => most_output,
            _ => 100.0,
        };
        *weight = weight.clamp(-most, most);
    }
}

/// What a position should be worth to the side to move.
fn target(board: &Board, value: f64, game: &RecordedGame, scale: f32) -> f32 {
    let result = (f32::from(game.result) + 1.0) / 2.0;
    let white = RESULT * result + (1.0 - RESULT) * sigmoid(value / f64::from(scale)) as f32;
    if board.side() == Side::White { white } else { 1.0 - white }
}
