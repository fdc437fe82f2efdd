//! The network's loops compiled for 256-bit words.
//!
//! The only `unsafe` is to call a function that is compiled for AVX2, and it rests on one fact: an
//! [`Avx2`] value exists only on a machine where [`Avx2::detect`] found it. The loops are the portable
//! ones, so the values are the same; a test compares them.

use std::sync::LazyLock;

use plyground_core::platform::is_portable;

use super::HIDDEN;
use super::sums::{HiddenSums, change_body, product_body};

/// The proof that this machine has AVX2.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

impl Avx2 {
    /// The proof, unless the machine has no AVX2 or is told to be [portable](is_portable).
    #[inline]
    pub(super) fn detect() -> Option<Avx2> {
        static FOUND: LazyLock<bool> =
            LazyLock::new(|| !is_portable() && is_x86_feature_detected!("avx2"));
        FOUND.then_some(Avx2(()))
    }

    #[inline]
    pub(super) fn change(self, sums: &mut HiddenSums, column: &[i16; HIDDEN], adds: bool) {
        // SAFETY: `self` proves that the machine has AVX2.
        unsafe { change(sums, column, adds) }
    }

    #[inline]
    pub(super) fn product(self, sums: &HiddenSums, weights: &[i16; HIDDEN]) -> i32 {
        // SAFETY: `self` proves that the machine has AVX2.
        unsafe { product(sums, weights) }
    }
}

#[target_feature(enable = "avx2")]
fn change(sums: &mut HiddenSums, column: &[i16; HIDDEN], adds: bool) {
    change_body(sums, column, adds);
}

#[target_feature(enable = "avx2")]
fn product(sums: &HiddenSums, weights: &[i16; HIDDEN]) -> i32 {
    product_body(sums, weights)
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;

    #[test]
    fn equals_the_portable_code() {
        let Some(avx2) = Avx2::detect() else { return };
        let mut random = StdRng::seed_from_u64(7);
        // Miri is slow.
        for round in 0..if cfg!(miri) { 4 } else { 10_000 } {
            let mut fast = HiddenSums(std::array::from_fn(|_| random.random_range(-999..999)));
            let mut plain = HiddenSums(fast.0);
            let column: [i16; HIDDEN] = std::array::from_fn(|_| random.random());
            let weights: [i16; HIDDEN] = std::array::from_fn(|_| random.random_range(-127..=127));
            assert_eq!(avx2.product(&fast, &weights), product_body(&plain, &weights));
            avx2.change(&mut fast, &column, round % 2 == 0);
            change_body(&mut plain, &column, round % 2 == 0);
            assert_eq!(fast.0, plain.0);
        }
    }
}
