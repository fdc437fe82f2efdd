//! The weights of a network while it learns: numbers in floating point, and Adam's steps.

use rand::RngExt;
use rand::rngs::StdRng;

use super::samples::{Inputs, Sample, Samples};
use crate::chess::tune::sigmoid;
use plyground_games::chess::network::{
    ACTIVATION, BUCKETS, HIDDEN, INPUTS, LARGEST_OUTPUT, OUTPUT, SCALE,
};
use plyground_games::chess::{Network, NetworkError, NetworkWeights};

/// No weight of an input is larger: with 32 pieces the sums still fit 16 bits.
const LARGEST_INPUT: f32 = 3.9;

/// The weights in floating point, laid out as one list: inputs, biases, outputs, output biases.
pub(super) struct Parameters(pub(super) Vec<f32>);

const BIASES: usize = INPUTS * HIDDEN;
const OUTPUTS: usize = BIASES + HIDDEN;
const OUTPUT_BIASES: usize = OUTPUTS + BUCKETS * 2 * HIDDEN;
/// The number of all weights.
pub(super) const ALL: usize = OUTPUT_BIASES + BUCKETS;

/// The hidden layer of a position, from both points of view.
type Hidden = [[f32; HIDDEN]; 2];

/// Sums are made in this number of lanes, side by side: one after the other, each addition would wait for
/// the one before.
const LANES: usize = 64;

impl Parameters {
    pub(super) fn random(random: &mut StdRng) -> Parameters {
        let mut weights = vec![0.0; ALL];
        // Some 20 inputs are on: their sum should fall within the clip.
        weights[..BIASES].iter_mut().for_each(|w| *w = random.random_range(-0.15..0.15));
        weights[BIASES..OUTPUTS].fill(0.2);
        weights[OUTPUTS..OUTPUT_BIASES]
            .iter_mut()
            .for_each(|w| *w = random.random_range(-0.08..0.08));
        Parameters(weights)
    }

    /// Those of a network that has learnt already.
    pub(super) fn of(network: &Network) -> Parameters {
        let NetworkWeights { inputs, biases, outputs, output_biases, .. } = network.weights();
        let scaled = |weight: i16, unit: i32| f32::from(weight) / unit as f32;
        let hidden = inputs.as_flattened().iter().chain(biases);
        let hidden = hidden.map(|&weight| scaled(weight, ACTIVATION));
        let outputs = outputs.as_flattened().as_flattened().iter();
        let outputs = outputs.map(|&weight| scaled(weight, OUTPUT));
        let last = output_biases.iter().map(|&bias| bias as f32 / (ACTIVATION * OUTPUT) as f32);
        Parameters(hidden.chain(outputs).chain(last).collect())
    }

    /// The column of an input.
    #[inline]
    fn column(&self, input: u16) -> &[f32] {
        &self.0[usize::from(input) * HIDDEN..][..HIDDEN]
    }

    fn hidden(&self, inputs: &[Inputs; 2]) -> Hidden {
        let biases: &[f32] = &self.0[BIASES..OUTPUTS];
        let mut hidden = [[0.0; HIDDEN]; 2];
        for (sums, inputs) in hidden.iter_mut().zip(inputs) {
            // A part of the neurons at a time: their sums stay in registers.
            for (part, sums) in sums.chunks_exact_mut(LANES).enumerate() {
                let at = part * LANES;
                let mut lanes = [0.0f32; LANES];
                lanes.copy_from_slice(&biases[at..at + LANES]);
                for &input in inputs {
                    let column = &self.column(input)[at..at + LANES];
                    for lane in 0..LANES {
                        lanes[lane] += column[lane];
                    }
                }
                sums.copy_from_slice(&lanes);
            }
        }
        hidden
    }

    /// The output in units of [`SCALE`].
    fn output(&self, sample: &Sample<'_>, hidden: &Hidden) -> f32 {
        let weights = &self.0[OUTPUTS + sample.bucket * 2 * HIDDEN..][..2 * HIDDEN];
        let mut lanes = [0.0f32; LANES];
        let sums = hidden.as_flattened().chunks_exact(LANES);
        for (sums, weights) in sums.zip(weights.chunks_exact(LANES)) {
            for lane in 0..LANES {
                let active = sums[lane].clamp(0.0, 1.0);
                lanes[lane] += active * active * weights[lane];
            }
        }
        lanes.iter().sum::<f32>() + self.0[OUTPUT_BIASES + sample.bucket]
    }

    /// The result that the network expects for the side to move, from 0 to 1.
    pub(super) fn expected(&self, sample: &Sample<'_>, scale: f32) -> f32 {
        expected(self.output(sample, &self.hidden(&sample.inputs())), scale)
    }

    /// Adds a sample's gradient; returns its squared error.
    pub(super) fn learn(&self, sample: &Sample<'_>, scale: f32, gradient: &mut [f32]) -> f32 {
        let inputs = sample.inputs();
        let hidden = self.hidden(&inputs);
        let expected = expected(self.output(sample, &hidden), scale);
        let error = expected - sample.target;
        let slope = 2.0 * error * expected * (1.0 - expected) * SCALE as f32 / scale;
        gradient[OUTPUT_BIASES + sample.bucket] += slope;
        for (view, (sums, inputs)) in hidden.iter().zip(&inputs).enumerate() {
            let at = OUTPUTS + (sample.bucket * 2 + view) * HIDDEN;
            let weights = &self.0[at..at + HIDDEN];
            let slopes = &mut gradient[at..at + HIDDEN];
            let mut back = [0.0; HIDDEN];
            for neuron in 0..HIDDEN {
                let active = sums[neuron].clamp(0.0, 1.0);
                slopes[neuron] += slope * active * active;
                let open = sums[neuron] > 0.0 && sums[neuron] < 1.0;
                back[neuron] = if open { slope * 2.0 * active * weights[neuron] } else { 0.0 };
            }
            let columns = inputs.iter().map(|&input| usize::from(input) * HIDDEN);
            for at in columns.chain([BIASES]) {
                let column = &mut gradient[at..at + HIDDEN];
                for neuron in 0..HIDDEN {
                    column[neuron] += back[neuron];
                }
            }
        }
        error * error
    }

    /// The mean squared error on samples.
    pub(super) fn loss(&self, samples: &Samples, scale: f32) -> f64 {
        let square =
            |sample: Sample<'_>| f64::from(self.expected(&sample, scale) - sample.target).powi(2);
        samples.iter().map(square).sum::<f64>() / samples.len().max(1) as f64
    }

    /// Rounded to what play uses.
    pub(super) fn rounded(&self, about: String) -> Result<Network, NetworkError> {
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

/// Adam: each weight has its own step, by how steady its gradient is.
pub(super) struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    step: i32,
}

impl Adam {
    pub(super) fn new() -> Adam {
        Adam { mean: vec![0.0; ALL], square: vec![0.0; ALL], step: 0 }
    }

    /// A step of a size against a gradient, and the bounds of the weights.
    pub(super) fn step(&mut self, parameters: &mut Parameters, gradient: &[f32], size: f32) {
        self.step += 1;
        let fade = [0.9f32, 0.999].map(|rate| 1.0 - rate.powi(self.step));
        let most_output = f32::from(LARGEST_OUTPUT) / OUTPUT as f32;
        let parts = [
            (0, BIASES, LARGEST_INPUT),
            (BIASES, OUTPUTS, 3.5),
            (OUTPUTS, OUTPUT_BIASES, most_output),
        ];
        for (begin, end, most) in parts.into_iter().chain([(OUTPUT_BIASES, ALL, 100.0)]) {
            let weights = parameters.0[begin..end].iter_mut().zip(&gradient[begin..end]);
            let moments = self.mean[begin..end].iter_mut().zip(&mut self.square[begin..end]);
            for ((weight, &slope), (mean, square)) in weights.zip(moments) {
                *mean = 0.9 * *mean + 0.1 * slope;
                *square = 0.999 * *square + 0.001 * slope * slope;
                let change = (*mean / fade[0]) / ((*square / fade[1]).sqrt() + 1e-8);
                *weight = (*weight - size * change).clamp(-most, most);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_games::chess::Evaluator;

    #[test]
    fn a_network_that_learns_further_begins_as_it_was() {
        let evaluator = Evaluator::standard_network();
        let network = evaluator.network().unwrap();
        let again = Parameters::of(network).rounded(network.weights().about.clone()).unwrap();
        assert_eq!(again.to_bytes(), network.to_bytes());
    }
}
