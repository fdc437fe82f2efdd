//! Flips with a count of leading zeros for four rays at once, and everything else compiled for the same
//! instructions: AVX-512 on words of 256 bits, where it has logical operations of three operands.
//!
//! As in the module of AVX2, `unsafe` rests on one fact: an [`Avx512`] value exists only on a machine
//! where [`Avx512::detect`] found the instructions. The solver takes 0.94 of its time with AVX2 on
//! the positions FFO 45 to 49, 51 and 52; the tests compare both with the portable code.

use std::arch::x86_64::{
    _mm256_andnot_si256, _mm256_lzcnt_epi64, _mm256_set1_epi64x, _mm256_srlv_epi64,
};
use std::sync::LazyLock;

use plyground_core::platform::is_portable;

use super::avx2::{Avx2, MoveRays};
use super::instructions::Instructions;
use super::patterns::{GroupTable, PLACES, StageWeights};

/// The proof that this machine has AVX-512 with short words (F, VL) and counts of leading zeros (CD),
/// besides what [`Avx2`] proves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(Avx2);

impl Avx512 {
    /// The proof, if this machine can give it and is not told to be [portable](is_portable).
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        static FOUND: LazyLock<bool> = LazyLock::new(|| {
            !is_portable()
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512cd")
        });
        Avx2::detect().filter(|_| *FOUND).map(Self)
    }
}

impl Instructions for Avx512 {
    const NAME: &'static str = "avx512";

    #[inline(always)]
    fn moves(self, player: u64, opponent: u64) -> u64 {
        self.0.moves(player, opponent)
    }

    #[inline(always)]
    fn flips(self, square: usize, player: u64, opponent: u64) -> u64 {
        // SAFETY: `self` proves that the machine has these parts of AVX-512.
        unsafe { flips(square, player, opponent) }
    }

    #[inline(always)]
    fn last_flips(self, square: usize, player: u64) -> i32 {
        self.0.last_flips(square, player)
    }

    #[inline(always)]
    fn pattern_states(self, groups: &GroupTable, player: u64, opponent: u64) -> [u16; PLACES] {
        self.0.pattern_states(groups, player, opponent)
    }

    #[inline(always)]
    fn states_after(
        self,
        groups: &GroupTable,
        before: &[u16; PLACES],
        square: u32,
        flips: u64,
    ) -> [u16; PLACES] {
        self.0.states_after(groups, before, square, flips)
    }

    #[inline(always)]
    fn weigh(self, weights: &StageWeights, states: &[u16; PLACES]) -> i32 {
        self.0.weigh(weights, states)
    }

    #[inline(always)]
    fn enter<S, R>(
        self,
        body: impl FnOnce(S, u64, u64, i32, u32) -> R,
        state: S,
        player: u64,
        opponent: u64,
        bound: i32,
        count: u32,
    ) -> R {
        // SAFETY: `self` proves that the machine has all the instructions `enter` is compiled for.
        unsafe { enter(body, state, player, opponent, bound, count) }
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512vl,avx512cd")]
#[inline(never)]
fn enter<S, R>(
    body: impl FnOnce(S, u64, u64, i32, u32) -> R,
    state: S,
    player: u64,
    opponent: u64,
    bound: i32,
    count: u32,
) -> R {
    body(state, player, opponent, bound, count)
}

/// The discs a move turns: on each ray, the first square without an opposing disc must be ours.
#[target_feature(enable = "avx2,avx512f,avx512vl,avx512cd")]
#[inline]
fn flips(square: usize, player: u64, opponent: u64) -> u64 {
    let rays = MoveRays::new(square, player, opponent);
    // Downwards it is the highest one. If there is none, the shift by 64 makes zero.
    let others = _mm256_andnot_si256(rays.theirs, rays.ray_down);
    let highest = _mm256_set1_epi64x(i64::MIN);
    rays.flips(_mm256_srlv_epi64(highest, _mm256_lzcnt_epi64(others)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::avx2::tests::assert_equal_to_portable;

    #[test]
    fn equals_the_portable_code() {
        let Some(avx512) = Avx512::detect() else { return };
        assert_equal_to_portable(avx512);
    }
}
