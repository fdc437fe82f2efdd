//! What is known of endings: which advantages are worth less than they look, and which nothing.

use crate::chess::attacks::{FILE_A, FILE_H};
use crate::chess::board::Board;
use plyground_core::value::Value;

/// A whole: an advantage counts as it is.
pub(super) const WHOLE: Value = 64;

const DARK: u64 = 0xaa55_aa55_aa55_aa55;

/// Pieces in pawns, as they are reckoned here, pawns and kings for nothing.
const WORTH: [Value; 6] = [0, 3, 3, 5, 9, 0];

/// How much of an advantage of `side` counts, in parts of [`WHOLE`]: 0 is a draw.
#[inline(always)]
pub(super) fn share(board: &Board, side: usize) -> Value {
    let [pawns, knights, bishops, rooks, queens, _] = board.pieces;
    let (us, them) = (board.sides[side], board.sides[1 - side]);
    let ours = (pawns & us).count_ones();

    let opposite = || {
        let (ours, theirs) = (bishops & us, bishops & them);
        ours.is_power_of_two()
            && theirs.is_power_of_two()
            && (ours & DARK == 0) != (theirs & DARK == 0)
    };
    if ours > 1 {
        // Bishops that never meet: hard to win, and harder if they are all there is.
        if opposite() {
            return if knights | rooks | queens == 0 { 22 + 3 * ours as Value } else { 52 };
        }
        if rook_pawns_with_the_wrong_bishop(board, side) {
            return 0;
        }
        return WHOLE;
    }

    let worth = |set: u64| -> Value {
        (1..5).map(|piece| WORTH[piece] * (board.pieces[piece] & set).count_ones() as Value).sum()
    };
    let (own, other) = (worth(us), worth(them));
    if ours == 1 {
        if rook_pawns_with_the_wrong_bishop(board, side) {
            return 0;
        }
        if opposite() && knights | rooks | queens == 0 {
            return 8;
        }
        // A last pawn can be given a piece for.
        return if other > 0 && pawns & them == 0 && own <= other { 32 } else { WHOLE };
    }
    // Without pawns. A piece more is not enough to mate, nor are two knights.
    if own <= 3 || own == 6 && rooks & us == 0 && bishops & us == 0 {
        return if pawns & them == 0 || own == 0 { 0 } else { 4 };
    }
    match own - other {
        ..=1 => 6,
        2..=3 => 12,
        4 if other > 0 => 40,
        _ => WHOLE,
    }
}

/// All pawns on one edge, a bishop that cannot drive the king out of its corner, and nothing else.
#[inline(always)]
fn rook_pawns_with_the_wrong_bishop(board: &Board, side: usize) -> bool {
    let [pawns, knights, bishops, rooks, queens, kings] = board.pieces;
    let us = board.sides[side];
    if (knights | rooks | queens) & us != 0 {
        return false;
    }
    let ours = pawns & us;
    let last = if side == 0 { 56 } else { 0 };
    let (corner, near) = match (ours & !FILE_A, ours & !FILE_H) {
        (0, _) => (1u64 << last, 0x0303u64),
        (_, 0) => (1 << (last + 7), 0xc0c0),
        _ => return false,
    };
    let near = if side == 0 { near << 48 } else { near };
    let own_bishops = bishops & us;
    let reaches = own_bishops != 0 && {
        let colour = if corner & DARK != 0 { DARK } else { !DARK };
        own_bishops & colour != 0
    };
    !reaches && kings & board.sides[1 - side] & near != 0
}
