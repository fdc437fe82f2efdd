//! From a board to the states of its shapes.
//!
//! A turned board is eight bytes. What a byte adds to the state of a shape is looked up, so a state is
//! the sum of a few numbers: two rows for a shape on an edge, up to eight for a diagonal. Ten squares
//! one by one would take several times as long, and no special instruction is needed.

use std::sync::LazyLock;

use super::shapes::{ALL_INSTANCES, INSTANCES, OFFSETS, SHAPES, all_turned};

/// What each byte of each row adds to the state of each shape.
#[derive(Debug)]
pub(super) struct Lookup {
    /// For each shape its first row with a square, and one table for it and each row after it.
    shapes: Vec<(usize, Vec<[u16; 256]>)>,
}

impl Lookup {
    /// The tables.
    pub(super) fn get() -> &'static Lookup {
        static TABLES: LazyLock<Lookup> = LazyLock::new(|| {
            let shape = |mask: u64| {
                let first = mask.trailing_zeros() as usize / 8;
                let last = 7 - mask.leading_zeros() as usize / 8;
                (first, (first..=last).map(|row| table(mask, row)).collect())
            };
            Lookup { shapes: SHAPES.iter().map(|s| shape(s.mask)).collect() }
        });
        &TABLES
    }

    /// The states of all shapes on all their places.
    #[inline(always)]
    pub(super) fn states(&self, player: u64, opponent: u64) -> [u32; INSTANCES] {
        let (ours, theirs) = (all_turned(player), all_turned(opponent));
        std::array::from_fn(|number| {
            let instance = ALL_INSTANCES[number];
            let (first, rows) = &self.shapes[instance.shape];
            let ours = ours[instance.turn] >> (8 * first);
            let theirs = theirs[instance.turn] >> (8 * first);
            let mut state = OFFSETS[instance.shape] as u32;
            for (row, table) in rows.iter().enumerate() {
                let byte = |board: u64| usize::from((board >> (8 * row)) as u8);
                state += u32::from(table[byte(ours)]) + 2 * u32::from(table[byte(theirs)]);
            }
            state
        })
    }
}

/// What each byte of a row adds, if its bits are digits 1.
fn table(mask: u64, row: usize) -> [u16; 256] {
    let mut table = [0; 256];
    for (byte, sum) in table.iter_mut().enumerate() {
        let discs = (byte as u64) << (8 * row) & mask;
        for square in (0..64).filter(|square| discs >> square & 1 != 0) {
            *sum += 3u16.pow((mask & ((1 << square) - 1)).count_ones());
        }
    }
    table
}
