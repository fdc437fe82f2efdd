//! Moves, flips and the states of patterns with 256-bit words: the four pairs of directions, or sixteen
//! states, are computed side by side.
//!
//! Each use of `unsafe` rests on one fact: an [`Avx2`] value exists only on a machine where [`Avx2::detect`] found the instructions. It makes perft about
//! twice as fast as the portable code; the tests compare the two on random boards.

use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_cvtsi128_si64, _mm_loadu_si128, _mm_or_si128, _mm_unpackhi_epi64,
    _mm256_add_epi16, _mm256_add_epi32, _mm256_add_epi64, _mm256_and_si256, _mm256_andnot_si256,
    _mm256_castsi256_si128, _mm256_cmpeq_epi64, _mm256_cvtepu16_epi32, _mm256_extracti128_si256,
    _mm256_i32gather_epi32, _mm256_loadu_si256, _mm256_min_epu32, _mm256_or_si256,
    _mm256_set_epi64x, _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_setzero_si256,
    _mm256_slli_epi32, _mm256_sllv_epi64, _mm256_srai_epi32, _mm256_srlv_epi64,
    _mm256_storeu_si256, _mm256_sub_epi64,
};
use std::sync::LazyLock;

use plyground_core::platform::is_portable;

use super::flips::{self, RAYS};
use super::instructions::Instructions;
use super::moves::INNER;
use super::patterns::{GroupTable, INSTANCES, PLACES, STARTS, STATES, StageWeights};

/// The proof that this machine has AVX2, BMI 1 and 2, LZCNT and POPCNT, as every x86-64 processor
/// of the last decade has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// The proof, if this machine can give it and is not told to be [portable](is_portable).
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        static FOUND: LazyLock<bool> = LazyLock::new(|| {
            !is_portable()
                && is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt")
        });
        FOUND.then_some(Self(()))
    }
}

impl Instructions for Avx2 {
    const NAME: &'static str = "avx2";

    #[inline(always)]
    fn moves(self, player: u64, opponent: u64) -> u64 {
        // SAFETY: `self` proves that the machine has AVX2.
        unsafe { moves(player, opponent) }
    }

    #[inline(always)]
    fn flips(self, square: usize, player: u64, opponent: u64) -> u64 {
        // SAFETY: `self` proves that the machine has AVX2.
        unsafe { flips(square, player, opponent) }
    }

    #[inline(always)]
    fn last_flips(self, square: usize, player: u64) -> i32 {
        flips::last_flips(square, player)
    }

    #[inline(always)]
    fn pattern_states(self, groups: &GroupTable, player: u64, opponent: u64) -> [u16; PLACES] {
        // SAFETY: `self` proves that the machine has AVX2.
        unsafe { pattern_states(groups, player, opponent) }
    }

    #[inline(always)]
    fn states_after(
        self,
        groups: &GroupTable,
        before: &[u16; PLACES],
        square: u32,
        flips: u64,
    ) -> [u16; PLACES] {
        // SAFETY: `self` proves that the machine has AVX2.
        unsafe { states_after(groups, before, square, flips) }
    }

    #[inline(always)]
    fn weigh(self, weights: &StageWeights, states: &[u16; PLACES]) -> i32 {
        // SAFETY: `self` proves that the machine has AVX2.
        unsafe { weigh(weights, states) }
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

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
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

/// The sum of the rows of a board, sixteen places in a word.
#[target_feature(enable = "avx2")]
#[inline]
fn pattern_states(groups: &GroupTable, player: u64, opponent: u64) -> [u16; PLACES] {
    let mut ours = [_mm256_setzero_si256(); PLACES / 16];
    let mut theirs = ours;
    for (group, rows) in groups.iter().enumerate() {
        let row = |board: u64| rows[(board >> (4 * group) & 15) as usize].as_chunks::<16>().0;
        for (sum, words) in ours.iter_mut().zip(row(player)) {
            // SAFETY: the words are 32 bytes.
            *sum = _mm256_add_epi16(*sum, unsafe { _mm256_loadu_si256(words.as_ptr().cast()) });
        }
        for (sum, words) in theirs.iter_mut().zip(row(opponent)) {
            // SAFETY: the words are 32 bytes.
            *sum = _mm256_add_epi16(*sum, unsafe { _mm256_loadu_si256(words.as_ptr().cast()) });
        }
    }
    let mut states = [0; PLACES];
    for ((words, ours), theirs) in states.as_chunks_mut::<16>().0.iter_mut().zip(ours).zip(theirs) {
        let sum = _mm256_add_epi16(ours, _mm256_add_epi16(theirs, theirs));
        // SAFETY: the words are 32 bytes.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), sum) };
    }
    states
}

/// The states before a move, the rows of the discs that it turns, and twice that of its square.
#[target_feature(enable = "avx2")]
#[inline]
fn states_after(
    groups: &GroupTable,
    before: &[u16; PLACES],
    square: u32,
    mut flips: u64,
) -> [u16; PLACES] {
    let load = |words: &[u16; 16]| {
        // SAFETY: the words are 32 bytes.
        unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
    };
    let row =
        |square: u32| groups[square as usize >> 2 & 15][1 << (square & 3)].as_chunks::<16>().0;
    let mut sums = [_mm256_setzero_si256(); PLACES / 16];
    for ((sum, words), own) in sums.iter_mut().zip(before.as_chunks::<16>().0).zip(row(square)) {
        let own = load(own);
        *sum = _mm256_add_epi16(load(words), _mm256_add_epi16(own, own));
    }
    while flips != 0 {
        for (sum, words) in sums.iter_mut().zip(row(flips.trailing_zeros())) {
            *sum = _mm256_add_epi16(*sum, load(words));
        }
        flips &= flips - 1;
    }
    let mut states = [0; PLACES];
    for (words, sum) in states.as_chunks_mut::<16>().0.iter_mut().zip(sums) {
        // SAFETY: the words are 32 bytes.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), sum) };
    }
    states
}

/// The sum of weights, eight of which are gathered at a time: each with the one after it, which is then
/// shifted out.
#[target_feature(enable = "avx2")]
#[inline]
fn weigh(weights: &StageWeights, states: &[u16; PLACES]) -> i32 {
    const GATHERED: usize = INSTANCES / 8 * 8;
    let last = _mm256_set1_epi32(STATES as i32 - 1);
    let mut sums = _mm256_setzero_si256();
    let chunks = states[..GATHERED].as_chunks::<8>().0;
    for (states, starts) in chunks.iter().zip(STARTS[..GATHERED].as_chunks::<8>().0) {
        // SAFETY: the states are 16 bytes, the starts 32. A place in the weights is made at most
        // `STATES - 1`, and there is a weight after that: four bytes can be read there.
        let pairs = unsafe {
            let states = _mm256_cvtepu16_epi32(_mm_loadu_si128(states.as_ptr().cast()));
            let starts = _mm256_loadu_si256(starts.as_ptr().cast());
            let places = _mm256_min_epu32(_mm256_add_epi32(states, starts), last);
            _mm256_i32gather_epi32::<2>(weights.as_ptr().cast(), places)
        };
        sums = _mm256_add_epi32(sums, _mm256_srai_epi32::<16>(_mm256_slli_epi32::<16>(pairs)));
    }
    let four = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
    let two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
    let pair = _mm_cvtsi128_si64(two);
    let rest = states[GATHERED..INSTANCES].iter().zip(&STARTS[GATHERED..]);
    let rest: i32 =
        rest.map(|(&state, &start)| i32::from(weights[start as usize + usize::from(state)])).sum();
    (pair as i32).wrapping_add((pair >> 32) as i32).wrapping_add(rest)
}

/// The union of the four lanes in one word.
#[target_feature(enable = "avx2")]
#[inline]
fn union(lanes: __m256i) -> u64 {
    let two = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    _mm_cvtsi128_si64(_mm_or_si128(two, _mm_unpackhi_epi64(two, two))) as u64
}

/// Where the player may move: the portable Kogge-Stone fill, four directions in a word.
#[target_feature(enable = "avx2")]
#[inline]
fn moves(player: u64, opponent: u64) -> u64 {
    let step = _mm256_set_epi64x(9, 8, 7, 1);
    let steps = _mm256_add_epi64(step, step);
    let lines = _mm256_set_epi64x(INNER as i64, -1, INNER as i64, INNER as i64);
    let ours = _mm256_set1_epi64x(player as i64);
    let through = _mm256_and_si256(_mm256_set1_epi64x(opponent as i64), lines);

    let mut up = _mm256_and_si256(through, _mm256_sllv_epi64(ours, step));
    let mut down = _mm256_and_si256(through, _mm256_srlv_epi64(ours, step));
    up = _mm256_or_si256(up, _mm256_and_si256(through, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(through, _mm256_srlv_epi64(down, step)));
    let pairs_up = _mm256_and_si256(through, _mm256_sllv_epi64(through, step));
    let pairs_down = _mm256_srlv_epi64(pairs_up, step);
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, steps)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, steps)));
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, steps)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, steps)));
    let ends = _mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step));
    union(ends) & !(player | opponent)
}

/// The rays from a square, four in a word.
pub(super) struct MoveRays {
    /// The discs that are turned on the rays towards higher squares.
    pub(super) up: __m256i,
    /// The rays towards lower squares.
    pub(super) ray_down: __m256i,
    pub(super) ours: __m256i,
    pub(super) theirs: __m256i,
}

impl MoveRays {
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn new(square: usize, player: u64, opponent: u64) -> MoveRays {
        let rays = &RAYS[square & 63];
        // SAFETY: each array is four words, 32 bytes, and an unaligned load is allowed.
        let (ray_up, ray_down) = unsafe {
            (
                _mm256_loadu_si256(rays.up.as_ptr().cast()),
                _mm256_loadu_si256(rays.down.as_ptr().cast()),
            )
        };
        let ours = _mm256_set1_epi64x(player as i64);
        let theirs = _mm256_set1_epi64x(opponent as i64);
        let zero = _mm256_setzero_si256();
        // Upwards the first square without an opposing disc is the lowest one, which `x & -x` isolates.
        // Subtracting one from it fills the squares between, unless it is zero.
        let others = _mm256_andnot_si256(theirs, ray_up);
        let first = _mm256_and_si256(others, _mm256_sub_epi64(zero, others));
        let outflank = _mm256_and_si256(first, ours);
        let none = _mm256_cmpeq_epi64(outflank, zero);
        let below = _mm256_add_epi64(outflank, _mm256_set1_epi64x(-1));
        let up = _mm256_andnot_si256(none, _mm256_and_si256(below, ray_up));
        MoveRays { up, ray_down, ours, theirs }
    }

    /// All discs that are turned, `first` being the first square without an opposing disc on each ray
    /// towards lower squares. Negating twice the square fills what lies above it.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn flips(&self, first: __m256i) -> u64 {
        let outflank = _mm256_and_si256(first, self.ours);
        let twice = _mm256_add_epi64(outflank, outflank);
        let above = _mm256_sub_epi64(_mm256_setzero_si256(), twice);
        union(_mm256_or_si256(self.up, _mm256_and_si256(above, self.ray_down)))
    }
}

/// The discs a move turns: on each ray, the first square without an opposing disc must be ours.
#[target_feature(enable = "avx2")]
#[inline]
fn flips(square: usize, player: u64, opponent: u64) -> u64 {
    let rays = MoveRays::new(square, player, opponent);
    // Downwards it is the highest one: smear the squares down the ray, and the first is the one that
    // nothing was smeared onto.
    let step = _mm256_set_epi64x(9, 8, 7, 1);
    let others = _mm256_andnot_si256(rays.theirs, rays.ray_down);
    let mut beyond = _mm256_srlv_epi64(others, step);
    beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, step));
    let steps = _mm256_add_epi64(step, step);
    beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, steps));
    let steps = _mm256_add_epi64(steps, steps);
    beyond = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, steps));
    rays.flips(_mm256_andnot_si256(beyond, others))
}

#[cfg(test)]
pub(super) mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::othello::instructions::Portable;

    /// Moves, flips and last flips on random boards.
    pub(crate) fn assert_equal_to_portable<I: Instructions>(special: I) {
        let mut random = StdRng::seed_from_u64(7);
        // Miri is slow.
        for round in 0..if cfg!(miri) { 4 } else { 100_000 } {
            let taken: u64 = random.random::<u64>() | random.random::<u64>();
            let taken = if round % 2 == 0 { taken } else { taken & random.random::<u64>() };
            let player = taken & random.random::<u64>();
            let opponent = taken & !player;
            assert_eq!(special.moves(player, opponent), Portable.moves(player, opponent));
            for square in (0..64).filter(|square| taken >> square & 1 == 0) {
                let flips = special.flips(square, player, opponent);
                assert_eq!(flips, Portable.flips(square, player, opponent), "{square}");
            }
            // With one square empty, whatever is not the player's is the opponent's.
            let square = random.random_range(0..64);
            let player = player & !(1 << square);
            let flips = special.flips(square, player, !player & !(1 << square));
            assert_eq!(special.last_flips(square, player), flips.count_ones() as i32);
            assert_eq!(Portable.last_flips(square, player), flips.count_ones() as i32);
        }
    }

    #[test]
    fn equals_the_portable_code() {
        let Some(avx2) = Avx2::detect() else { return };
        assert_equal_to_portable(avx2);
    }
}
