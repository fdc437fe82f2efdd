//! Attack tables of the sliding pieces: rooks, bishops and queens.
//!
//! A slider's attacks depend on the occupied squares of its lines. The edges of the board do not
//! matter, since a piece there is attacked in any case. The table holds the attacks for every square
//! and every pattern of the other squares, and an [`Index`] says where: by extracting the bits of the
//! pattern (PEXT), or by a multiplication (magic bitboards), which every machine can do.

use std::sync::LazyLock;

use super::attacks::{BISHOP_STEPS, FILE_A, FILE_H, ROOK_STEPS, slide};
use super::magics;

/// The number of patterns: 102,400 for the rook and 5,248 for the bishop.
const PATTERNS: usize = 102_400 + 5_248;

/// The squares whose attacks are in the table. Miri is slow, and looks at a few of them only.
pub(super) const SQUARES: usize = if cfg!(miri) { 2 } else { 64 };

/// Where the attacks from a square are in the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The squares whose occupation matters.
    pub(super) mask: u64,
    /// The multiplier of the portable index.
    pub(super) magic: u64,
    /// The number of bits by which the product is shifted down.
    pub(super) shift: u32,
    /// The start of the square's patterns.
    pub(super) offset: u32,
}

/// The attacks of rooks and bishops from all squares, in the order of one kind of index.
pub(super) struct Sliders {
    rook: [Entry; 64],
    bishop: [Entry; 64],
    attacks: Box<[u64; PATTERNS]>,
}

/// Turns a pattern of occupied squares into a place in the table.
pub(super) trait Index: Copy {
    /// The place of the pattern among those of its square.
    fn index(self, entry: &Entry, occupied: u64) -> usize;
}

/// The index that every machine can compute.
#[derive(Clone, Copy, Debug)]
pub(super) struct Magic;

impl Index for Magic {
    #[inline(always)]
    fn index(self, entry: &Entry, occupied: u64) -> usize {
        ((occupied & entry.mask).wrapping_mul(entry.magic) >> (entry.shift & 63)) as usize
    }
}

impl Sliders {
    /// Fills the table in the order of an index.
    pub(super) fn build(index: impl Index) -> Self {
        let empty = Entry { mask: 0, magic: 0, shift: 0, offset: 0 };
        let mut rook = [empty; 64];
        let mut bishop = [empty; 64];
        let mut attacks = vec![0; PATTERNS];
        let mut offset = 0;
        for (entries, magics, steps) in
            [(&mut rook, magics::ROOK, &ROOK_STEPS), (&mut bishop, magics::BISHOP, &BISHOP_STEPS)]
        {
            for (square, entry) in entries.iter_mut().enumerate().take(SQUARES) {
                let mask = relevant(square, steps);
                let size = mask.count_ones();
                *entry = Entry { mask, magic: magics[square], shift: 64 - size, offset };
                for pattern in subsets(mask) {
                    let place = offset as usize + index.index(entry, pattern);
                    attacks[place] = slide(square, pattern, steps);
                }
                offset += 1 << size;
            }
        }
        let attacks = attacks.into_boxed_slice().try_into();
        Self { rook, bishop, attacks: attacks.expect("the table was made with this length") }
    }

    /// The table for the portable index, built on first use.
    pub(super) fn portable() -> &'static Self {
        static TABLE: LazyLock<Sliders> = LazyLock::new(|| Sliders::build(Magic));
        &TABLE
    }

    #[inline(always)]
    pub(super) fn rook(&self, index: impl Index, square: usize, occupied: u64) -> u64 {
        let entry = &self.rook[square & 63];
        self.attacks[entry.offset as usize + index.index(entry, occupied)]
    }

    #[inline(always)]
    pub(super) fn bishop(&self, index: impl Index, square: usize, occupied: u64) -> u64 {
        let entry = &self.bishop[square & 63];
        self.attacks[entry.offset as usize + index.index(entry, occupied)]
    }
}

/// The squares of a slider's lines, without the last square of each line.
fn relevant(square: usize, steps: &[(i32, i32); 4]) -> u64 {
    let files = (FILE_A | FILE_H) & !(FILE_A << (square % 8));
    let ranks = 0xff00_0000_0000_00ff & !(0xff << (square / 8 * 8));
    slide(square, 0, steps) & !(files | ranks)
}

/// Every subset of a set, the empty one first.
fn subsets(mask: u64) -> impl Iterator<Item = u64> {
    let next = move |&subset: &u64| Some(subset.wrapping_sub(mask) & mask).filter(|&set| set != 0);
    std::iter::successors(Some(0), next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_multipliers_tell_all_patterns_apart() {
        let table = Sliders::portable();
        for square in 0..SQUARES {
            for pattern in subsets(relevant(square, &ROOK_STEPS)) {
                let walked = slide(square, pattern, &ROOK_STEPS);
                assert_eq!(table.rook(Magic, square, pattern), walked);
                assert_eq!(table.rook(Magic, square, pattern | 1 << square), walked);
            }
            for pattern in subsets(relevant(square, &BISHOP_STEPS)) {
                let walked = slide(square, pattern, &BISHOP_STEPS);
                assert_eq!(table.bishop(Magic, square, pattern), walked);
            }
        }
    }
}
