//! From a board to the states of its shapes.
//!
//! A board is sixteen groups of four squares. What the discs of a group add to the states of all shapes is
//! one row of a table, so the states are the sum of sixteen rows for the mover's discs and twice that for
//! the opponent's. The table, 32 KiB, stays in the first cache, and with AVX2 a row is four words.

use std::sync::LazyLock;

use super::shapes::{ALL_INSTANCES, INSTANCES, OFFSETS, SHAPES, STATES, turned};
use crate::othello::instructions::Instructions;

/// The places of a row: one for each instance, and a few that stay 0.
pub(in crate::othello) const PLACES: usize = 64;

/// For each group of four squares and the discs on it: what they add to the state at each place.
pub(in crate::othello) type GroupTable = [[[u16; PLACES]; 16]; 16];

const _: () = assert!(INSTANCES <= PLACES);

/// The weights of a stage: one for each state, and one more that is read beside the last.
pub(in crate::othello) type StageWeights = [i16; STATES + 1];

/// Where the states of each instance's shape begin.
pub(in crate::othello) static STARTS: [u32; INSTANCES] = {
    let mut starts = [0; INSTANCES];
    let mut instance = 0;
    while instance < INSTANCES {
        starts[instance] = OFFSETS[ALL_INSTANCES[instance].shape] as u32;
        instance += 1;
    }
    starts
};

/// The table.
#[derive(Debug)]
pub(super) struct Lookup {
    groups: Box<GroupTable>,
}

impl Lookup {
    /// The table, computed on first use.
    pub(super) fn get() -> &'static Lookup {
        static TABLE: LazyLock<Lookup> = LazyLock::new(|| {
            let mut groups = Box::new([[[0; PLACES]; 16]; 16]);
            for (group, rows) in groups.iter_mut().enumerate() {
                for (discs, row) in rows.iter_mut().enumerate() {
                    for (instance, sum) in ALL_INSTANCES.iter().zip(row) {
                        *sum = digits(
                            instance.shape,
                            turned((discs as u64) << (4 * group), instance.turn),
                        );
                    }
                }
            }
            Lookup { groups }
        });
        &TABLE
    }

    /// The state of each instance, counted from the first state of its shape.
    #[inline(always)]
    pub(super) fn places<I: Instructions>(
        &self,
        instructions: I,
        player: u64,
        opponent: u64,
    ) -> [u16; PLACES] {
        instructions.pattern_states(&self.groups, player, opponent)
    }

    /// The same after a move, from what [`places`](Self::places) were for the opponent before it.
    #[inline(always)]
    pub(super) fn places_after<I: Instructions>(
        &self,
        instructions: I,
        before: &[u16; PLACES],
        square: u32,
        flips: u64,
    ) -> [u16; PLACES] {
        instructions.states_after(&self.groups, before, square, flips)
    }

    /// The states of all shapes on all their places, among the states of all shapes.
    #[inline(always)]
    pub(super) fn states<I: Instructions>(
        &self,
        instructions: I,
        player: u64,
        opponent: u64,
    ) -> [u32; INSTANCES] {
        let places = self.places(instructions, player, opponent);
        std::array::from_fn(|instance| STARTS[instance] + u32::from(places[instance]))
    }
}

/// The sum of the rows of a board, as every machine can compute it.
#[inline(always)]
pub(in crate::othello) fn pattern_states(
    groups: &GroupTable,
    player: u64,
    opponent: u64,
) -> [u16; PLACES] {
    let mut sums = [0; PLACES];
    for (group, rows) in groups.iter().enumerate() {
        let row = |board: u64| &rows[(board >> (4 * group) & 15) as usize];
        for ((sum, ours), theirs) in sums.iter_mut().zip(row(player)).zip(row(opponent)) {
            *sum += ours + 2 * theirs;
        }
    }
    sums
}

/// The states after a move, as the opponent sees them, from those before it, as the opponent saw them.
///
/// Before the move a square counts one row if the opponent's disc is there, two if ours is. The discs that
/// are turned were the opponent's and become ours: a row more. The move's square was empty: two more.
#[inline(always)]
pub(in crate::othello) fn states_after(
    groups: &GroupTable,
    before: &[u16; PLACES],
    square: u32,
    mut flips: u64,
) -> [u16; PLACES] {
    let row = |square: u32| &groups[square as usize >> 2 & 15][1 << (square & 3)];
    let mut sums = *before;
    sums.iter_mut().zip(row(square)).for_each(|(sum, own)| *sum += 2 * own);
    while flips != 0 {
        let turned = row(flips.trailing_zeros());
        sums.iter_mut().zip(turned).for_each(|(sum, turned)| *sum += turned);
        flips &= flips - 1;
    }
    sums
}

/// The sum of the weights of states.
#[inline(always)]
pub(in crate::othello) fn weigh(weights: &StageWeights, states: &[u16; PLACES]) -> i32 {
    let places = states.iter().zip(&STARTS);
    places.map(|(&state, &start)| i32::from(weights[start as usize + usize::from(state)])).sum()
}

/// What discs add to a shape's state as digits 1.
fn digits(shape: usize, discs: u64) -> u16 {
    let mask = SHAPES[shape].mask;
    let squares = (0..64).filter(|square| discs & mask & 1 << square != 0);
    squares.map(|square| 3u16.pow((mask & ((1u64 << square) - 1)).count_ones())).sum()
}
