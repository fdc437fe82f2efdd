//! Castling rights.

use std::fmt;

use bitflags::bitflags;

use super::side::Side;
use crate::grid::Square;

bitflags! {
    /// Castling rights: a side keeps one as long as its king and the rook of that wing have not moved.
    ///
    /// Whether castling is possible now also depends on the squares between them.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub struct Castling: u8 {
        /// White on the king's wing, `K` in FEN.
        const WHITE_SHORT = 1;
        /// White on the queen's wing, `Q` in FEN.
        const WHITE_LONG = 2;
        /// Black on the king's wing, `k` in FEN.
        const BLACK_SHORT = 4;
        /// Black on the queen's wing, `q` in FEN.
        const BLACK_LONG = 8;
    }
}

/// One of the four ways to castle, with its squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) right: Castling,
    pub(super) letter: char,
    pub(super) side: Side,
    /// The king's square before and after.
    pub(super) king: (usize, usize),
    /// The rook's square before and after.
    pub(super) rook: (usize, usize),
    /// The squares that must be empty.
    pub(super) empty: u64,
}

const fn way(right: Castling, letter: char, side: Side, short: bool) -> Way {
    let first = if matches!(side, Side::White) { 0 } else { 56 };
    let (king_to, rook, rook_to, empty) = if short { (6, 7, 5, 0x60) } else { (2, 0, 3, 0x0e) };
    Way {
        right,
        letter,
        side,
        king: (first + 4, first + king_to),
        rook: (first + rook, first + rook_to),
        empty: empty << first,
    }
}

/// The four ways, in the order FEN writes them.
pub(super) const WAYS: [Way; 4] = [
    way(Castling::WHITE_SHORT, 'K', Side::White, true),
    way(Castling::WHITE_LONG, 'Q', Side::White, false),
    way(Castling::BLACK_SHORT, 'k', Side::Black, true),
    way(Castling::BLACK_LONG, 'q', Side::Black, false),
];

/// For each square, the rights that remain when a piece leaves or reaches it.
pub(super) const KEEP: [u8; Square::NUM] = {
    let mut keep = [15; Square::NUM];
    let mut index = 0;
    while index < WAYS.len() {
        let lost = WAYS[index].right.bits();
        keep[WAYS[index].king.0] &= !lost;
        keep[WAYS[index].rook.0] &= !lost;
        index += 1;
    }
    keep
};

impl fmt::Display for Castling {
    /// As in FEN: `KQkq`, or `-` for no rights.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        WAYS.iter()
            .filter(|way| self.contains(way.right))
            .try_for_each(|way| write!(f, "{}", way.letter))
    }
}
