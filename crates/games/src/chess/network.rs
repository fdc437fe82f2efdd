//! A small network that judges positions: an *efficiently updatable neural network* (NNUE).
//!
//! Its inputs are pieces on squares, seen by each side from its own end of the board and turned so that
//! its own king stands on the left half. Each piece on the board adds a column of numbers to the sums of
//! the hidden layer; a move changes two or three pieces, so the sums of one position are made from those
//! of another by a few additions. The sums are clipped and squared, and multiplied by the weights of one
//! of eight output neurons, which one depending on how many pieces are left. Yu Nasu introduced such
//! networks for shogi; chess programs have used them since 2020.
//!
//! Everything is in whole numbers, so every machine finds the same value. `Sums` keeps what was added
//! up last, for each thread, and brings it up to date when a value is asked for.

mod file;
mod sums;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod vector;

use std::sync::atomic::{AtomicU64, Ordering};

use thiserror::Error;

use super::board::Board;
use super::piece::Piece;
use super::side::Side;
use crate::grid::Square;
use plyground_core::value::Value;

/// The inputs: a piece of either side on a square.
pub const INPUTS: usize = 2 * 6 * 64;
/// The neurons of the hidden layer, for each of the two points of view.
pub const HIDDEN: usize = 256;
/// The output neurons: for up to 4 pieces, up to 8, … up to 32.
pub const BUCKETS: usize = 8;

/// An activation of 1 in the hidden layer.
pub const ACTIVATION: i32 = 255;
/// An output weight of 1.
pub const OUTPUT: i32 = 64;
/// What an output of 1 is worth, in hundredths of a pawn.
pub const SCALE: i32 = 400;
/// The largest output weight: its product with an activation fits 16 bits.
pub const LARGEST_OUTPUT: i16 = 127;

/// Why a file of a network was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NetworkError {
    /// It is another kind of file.
    #[error("expected a network, found another kind of file")]
    Foreign,
    /// It has another version or another size.
    #[error("the network has version {found}; expected {expected}")]
    Version {
        /// The version and the hidden neurons found.
        found: String,
        /// Those that can be read.
        expected: String,
    },
    /// It is damaged or incomplete.
    #[error("the network is damaged or incomplete: its checksum is wrong")]
    Torn,
    /// Its weights are too large: sums would overflow.
    #[error("the network's weights are too large: {0}")]
    TooLarge(String),
}

/// The weights of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkWeights {
    /// How the network was made, in words.
    pub about: String,
    /// What each input adds to the hidden layer.
    pub inputs: Vec<[i16; HIDDEN]>,
    /// What the hidden layer begins with.
    pub biases: [i16; HIDDEN],
    /// The weights of each output neuron: the point of view of the side to move, then the other.
    pub outputs: [[[i16; HIDDEN]; 2]; BUCKETS],
    /// What each output begins with, in units of [`ACTIVATION`] times [`OUTPUT`].
    pub output_biases: [i32; BUCKETS],
}

/// A network that judges.
#[derive(Debug)]
pub struct Network {
    weights: NetworkWeights,
    /// Tells the sums of one network from those of another.
    number: u64,
}

impl Network {
    /// A network with these weights, if no sum of them can overflow.
    pub fn new(weights: NetworkWeights) -> Result<Network, NetworkError> {
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        check(&weights)?;
        Ok(Network { weights, number: NUMBER.fetch_add(1, Ordering::Relaxed) })
    }

    /// Reads a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NetworkError> {
        Network::new(file::read(bytes)?)
    }

    /// Is this such a file, whole or not?
    #[must_use]
    pub fn is_file(bytes: &[u8]) -> bool {
        file::is_file(bytes)
    }

    /// The file of the network.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        file::write(&self.weights)
    }

    /// The weights.
    #[must_use]
    pub fn weights(&self) -> &NetworkWeights {
        &self.weights
    }

    /// The value of a board for the side to move, in hundredths of a pawn.
    #[must_use]
    pub fn evaluate(&self, board: &Board) -> Value {
        let bucket = bucket(board);
        let sum = sums::with_sums(self, board, |[ours, theirs]| {
            let [our_weights, their_weights] = &self.weights.outputs[bucket];
            sums::product(ours, our_weights) + sums::product(theirs, their_weights)
        });
        let sum = sum / ACTIVATION + self.weights.output_biases[bucket];
        (i64::from(sum) * i64::from(SCALE) / i64::from(ACTIVATION * OUTPUT)) as Value
    }

    /// The value without one of the pieces, which is not a king.
    pub(super) fn evaluate_without(&self, board: &Board, square: Square) -> Value {
        let mut without = *board;
        let bit = square.only().word();
        without.pieces.iter_mut().chain(&mut without.sides).for_each(|set| *set &= !bit);
        self.evaluate(&without)
    }

    /// The same with everything added up anew, by plain code: what `evaluate` must agree with.
    #[must_use]
    pub fn evaluate_anew(&self, board: &Board) -> Value {
        let bucket = bucket(board);
        let mut sum = 0;
        for (view, weights) in
            [board.side(), board.side().other()].into_iter().zip(&self.weights.outputs[bucket])
        {
            let mut hidden = self.weights.biases.map(i32::from);
            for input in inputs(board, view) {
                for (sum, &weight) in hidden.iter_mut().zip(&self.weights.inputs[input]) {
                    *sum += i32::from(weight);
                }
            }
            for (hidden, &weight) in hidden.into_iter().zip(weights) {
                let active = hidden.clamp(0, ACTIVATION);
                sum += active * active * i32::from(weight);
            }
        }
        let sum = sum / ACTIVATION + self.weights.output_biases[bucket];
        (i64::from(sum) * i64::from(SCALE) / i64::from(ACTIVATION * OUTPUT)) as Value
    }
}

/// The output neuron of a board.
#[must_use]
pub fn bucket(board: &Board) -> usize {
    ((board.occupied().len().max(1) - 1) / 4).min(BUCKETS - 1)
}

/// Does a side see the board turned left to right, so that its king stands on the left half?
#[inline]
fn is_turned(board: &Board, view: Side) -> bool {
    board.king(view).column() >= 4
}

/// The input of a piece, from the point of view of a side.
#[inline]
fn input(view: Side, turned: bool, side: usize, piece: usize, square: usize) -> usize {
    let from_below = if view == Side::White { square } else { square ^ 56 };
    let square = if turned { from_below ^ 7 } else { from_below };
    (usize::from(side != view.index()) * 6 + piece) * 64 + square
}

/// The inputs that are on, from the point of view of a side.
pub fn inputs(board: &Board, view: Side) -> impl Iterator<Item = usize> + '_ {
    let turned = is_turned(board, view);
    Side::ALL.into_iter().flat_map(move |side| {
        Piece::ALL.into_iter().flat_map(move |piece| {
            let squares = board.pieces_of(side, piece);
            squares.map(move |s| input(view, turned, side.index(), piece.index(), s.index()))
        })
    })
}

/// Refuses weights whose sums could overflow.
fn check(weights: &NetworkWeights) -> Result<(), NetworkError> {
    let wrong = |what: String| Err(NetworkError::TooLarge(what));
    if weights.inputs.len() != INPUTS {
        return wrong(format!("{} columns of inputs; expected {INPUTS}", weights.inputs.len()));
    }
    for neuron in 0..HIDDEN {
        // No position has more than 32 pieces; the largest of each half are more than enough.
        let most = weights.inputs.iter().map(|column| i32::from(column[neuron]).abs()).max();
        let sum = 32 * most.unwrap_or(0) + i32::from(weights.biases[neuron]).abs();
        if sum > i32::from(i16::MAX) {
            return wrong(format!("neuron {neuron} may sum up to {sum}; expected at most 32767"));
        }
    }
    let outputs = weights.outputs.iter().flatten().flatten();
    if let Some(large) = outputs.copied().find(|weight| weight.abs() > LARGEST_OUTPUT) {
        return wrong(format!("an output weight is {large}; expected at most {LARGEST_OUTPUT}"));
    }
    let largest = weights.output_biases.iter().map(|bias| bias.unsigned_abs()).max();
    if largest.is_some_and(|bias| bias > 1 << 24) {
        return wrong("an output's bias is above 16777216".into());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
