//! The sums of the hidden layer, kept from one position to the next.
//!
//! Positions that are asked for one after the other are near each other in the tree: a few pieces
//! differ. So each thread keeps the sums of the last position, for each side's point of view and for
//! each way it may be turned, with the pieces they were made of; what differs is added and taken away.

use std::cell::RefCell;

use super::{ACTIVATION, HIDDEN, Network, input, is_turned};
use crate::chess::board::Board;
use crate::chess::side::Side;

/// The sums of the hidden layer from one point of view.
#[derive(Clone)]
#[repr(align(64))]
pub(super) struct HiddenSums(pub(super) [i16; HIDDEN]);

/// Sums, and the pieces they were made of.
#[derive(Clone)]
struct KeptSums {
    pieces: [[u64; 6]; 2],
    sums: HiddenSums,
}

/// What a thread keeps: by point of view, turned or not.
struct Kept {
    /// The network that the sums belong to; 0 if there are none yet.
    network: u64,
    sums: [[KeptSums; 2]; 2],
}

thread_local! {
    static KEPT: RefCell<Kept> = const {
        const NONE: KeptSums =
            KeptSums { pieces: [[0; 6]; 2], sums: HiddenSums([0; HIDDEN]) };
        RefCell::new(Kept { network: 0, sums: [[NONE, NONE], [NONE, NONE]] })
    };
}

/// Calls `body` with the sums of a board: the side to move's, and the other side's.
pub(super) fn with_sums<R>(
    network: &Network,
    board: &Board,
    body: impl FnOnce([&HiddenSums; 2]) -> R,
) -> R {
    KEPT.with_borrow_mut(|kept| {
        if kept.network != network.number {
            kept.network = network.number;
            for sums in kept.sums.iter_mut().flatten() {
                sums.pieces = [[0; 6]; 2];
                sums.sums.0 = network.weights.biases;
            }
        }
        let turned = Side::ALL.map(|view| is_turned(board, view));
        for (view, turned) in Side::ALL.into_iter().zip(turned) {
            let kept = &mut kept.sums[view.index()][usize::from(turned)];
            bring_up_to_date(network, board, view, turned, kept);
        }
        let [white, black] = [0, 1].map(|view| &kept.sums[view][usize::from(turned[view])].sums);
        body(if board.side() == Side::White { [white, black] } else { [black, white] })
    })
}

/// Adds the pieces that are new, and takes away those that are gone.
#[inline]
fn bring_up_to_date(
    network: &Network,
    board: &Board,
    view: Side,
    turned: bool,
    kept: &mut KeptSums,
) {
    for side in 0..2 {
        for piece in 0..6 {
            let now = board.pieces[piece] & board.sides[side];
            let mut changed = kept.pieces[side][piece] ^ now;
            kept.pieces[side][piece] = now;
            while changed != 0 {
                let square = changed.trailing_zeros() as usize;
                changed &= changed - 1;
                let column = &network.weights.inputs[input(view, turned, side, piece, square)];
                change(&mut kept.sums, column, now >> square & 1 != 0);
            }
        }
    }
}

/// Adds a column to the sums, or takes it away.
#[inline]
fn change(sums: &mut HiddenSums, column: &[i16; HIDDEN], adds: bool) {
    #[cfg(target_arch = "x86_64")]
    if let Some(vector) = super::vector::Avx2::detect() {
        return vector.change(sums, column, adds);
    }
    change_body(sums, column, adds);
}

/// The weighted sum of the activations, clipped and squared.
#[inline]
pub(super) fn product(sums: &HiddenSums, weights: &[i16; HIDDEN]) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if let Some(vector) = super::vector::Avx2::detect() {
        return vector.product(sums, weights);
    }
    product_body(sums, weights)
}

// The bodies are plain loops, which the compiler turns into vectors as wide as it may use: they are
// compiled once for every machine and once for AVX2.

#[inline(always)]
pub(super) fn change_body(sums: &mut HiddenSums, column: &[i16; HIDDEN], adds: bool) {
    if adds {
        for (sum, &weight) in sums.0.iter_mut().zip(column) {
            *sum = sum.wrapping_add(weight);
        }
    } else {
        for (sum, &weight) in sums.0.iter_mut().zip(column) {
            *sum = sum.wrapping_sub(weight);
        }
    }
}

#[inline(always)]
pub(super) fn product_body(sums: &HiddenSums, weights: &[i16; HIDDEN]) -> i32 {
    let mut total = 0;
    for (&sum, &weight) in sums.0.iter().zip(weights) {
        let active = sum.clamp(0, ACTIVATION as i16);
        // Within 16 bits: an output weight is at most 127.
        total += i32::from(active.wrapping_mul(weight)) * i32::from(active);
    }
    total
}
