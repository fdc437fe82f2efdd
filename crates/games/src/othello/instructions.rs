//! The processor instructions that recursions are compiled for.
//!
//! Baseline x86-64 has no population count and no 256-bit words, and a function compiled for more
//! instructions is not inlined into one compiled for fewer. So every recursion over boards (perft, the
//! solver) is generic over an [`Instructions`] value, which [`dispatch`] chooses once at the start,
//! and each of its steps goes through [`Instructions::enter`], which compiles the step for that set.
//! The value is a proof: only a machine that has the instructions can make one. So everything here
//! is safe to call, and `unsafe` is confined to the modules that make and use the proofs.

use super::patterns::{self, GroupTable, PLACES, StageWeights};
use super::{flips, moves};

/// A set of instructions, with the innermost operations on boards written for it.
pub(crate) trait Instructions: Copy + Send + Sync + 'static {
    /// The usual name of the set.
    const NAME: &'static str;

    /// Where the player may move.
    fn moves(self, player: u64, opponent: u64) -> u64;

    /// The discs that playing on an empty square turns over.
    fn flips(self, square: usize, player: u64, opponent: u64) -> u64;

    /// The number of discs that playing on the only empty square turns over.
    fn last_flips(self, square: usize, player: u64) -> i32;

    /// The states of the shapes of the pattern evaluation: the sum of the rows of a board.
    fn pattern_states(self, groups: &GroupTable, player: u64, opponent: u64) -> [u16; PLACES];

    /// The states after a move, as the opponent sees them, from those before it, as the opponent saw
    /// them: see [`patterns::states_after`].
    fn states_after(
        self,
        groups: &GroupTable,
        before: &[u16; PLACES],
        square: u32,
        flips: u64,
    ) -> [u16; PLACES];

    /// The sum of the weights of states.
    fn weigh(self, weights: &StageWeights, states: &[u16; PLACES]) -> i32;

    /// Calls `body` in a function compiled for these instructions.
    ///
    /// The arguments are what a recursion over boards passes down. They are separate parameters, so
    /// that they stay in registers; the captures of a closure would go through memory.
    fn enter<S, R>(
        self,
        body: impl FnOnce(S, u64, u64, i32, u32) -> R,
        state: S,
        player: u64,
        opponent: u64,
        bound: i32,
        count: u32,
    ) -> R;
}

/// The instructions that every machine has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Instructions for Portable {
    const NAME: &'static str = "portable";

    #[inline(always)]
    fn moves(self, player: u64, opponent: u64) -> u64 {
        moves::moves(player, opponent)
    }

    #[inline(always)]
    fn flips(self, square: usize, player: u64, opponent: u64) -> u64 {
        flips::flips(square, player, opponent)
    }

    #[inline(always)]
    fn last_flips(self, square: usize, player: u64) -> i32 {
        flips::last_flips(square, player)
    }

    #[inline(always)]
    fn pattern_states(self, groups: &GroupTable, player: u64, opponent: u64) -> [u16; PLACES] {
        patterns::pattern_states(groups, player, opponent)
    }

    #[inline(always)]
    fn states_after(
        self,
        groups: &GroupTable,
        before: &[u16; PLACES],
        square: u32,
        flips: u64,
    ) -> [u16; PLACES] {
        patterns::states_after(groups, before, square, flips)
    }

    #[inline(always)]
    fn weigh(self, weights: &StageWeights, states: &[u16; PLACES]) -> i32 {
        patterns::weigh(weights, states)
    }

    // Never inlined, as for the other sets: a recursion cannot be inlined into itself.
    #[inline(never)]
    fn enter<S, R>(
        self,
        body: impl FnOnce(S, u64, u64, i32, u32) -> R,
        state: S,
        player: u64,
        opponent: u64,
        bound: i32,
        count: u32,
    ) -> R {
        body(state, player, opponent, bound, count)
    }
}

/// Where the player may move, by the best instructions of this machine.
///
/// For code that is compiled for every machine, such as the searches: it calls, where a recursion
/// compiled for the instructions would have the operation inline.
#[inline]
pub(super) fn moves_here(player: u64, opponent: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = super::avx2::Avx2::detect() {
        return avx2.moves(player, opponent);
    }
    Portable.moves(player, opponent)
}

/// The discs that a move turns over, by the best instructions of this machine.
#[inline]
pub(super) fn flips_here(square: usize, player: u64, opponent: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = super::avx2::Avx2::detect() {
        return avx2.flips(square, player, opponent);
    }
    Portable.flips(square, player, opponent)
}

/// Work that can be compiled for any set of instructions.
pub(crate) trait Task {
    /// What the work returns.
    type Output;
    /// Does the work with these instructions.
    fn run<I: Instructions>(self, instructions: I) -> Self::Output;
}

/// Runs a task with the best instructions of this machine.
pub(crate) fn dispatch<T: Task>(task: T) -> T::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx512) = super::avx512::Avx512::detect() {
        return task.run(avx512);
    } else if let Some(avx2) = super::avx2::Avx2::detect() {
        return task.run(avx2);
    }
    task.run(Portable)
}

/// The name of the instructions that perft and the solver use on this machine.
#[must_use]
pub fn instructions_found() -> &'static str {
    struct Name;
    impl Task for Name {
        type Output = &'static str;
        fn run<I: Instructions>(self, _: I) -> &'static str {
            I::NAME
        }
    }
    dispatch(Name)
}
