//! Endgame knowledge: which advantages are worth less than the sum of their features, and which are
//! worth nothing because the endgame is a draw.

use crate::chess::attacks::{FILE_A, FILE_H};
use crate::chess::board::Board;
use plyground_core::value::Value;

/// The scale of an advantage that counts in full.
pub(super) const FULL_SCALE: Value = 64;

const DARK: u64 = 0xaa55_aa55_aa55_aa55;

/// The values of the pieces here, in pawns. Pawns and kings do not count.
const PAWN_UNITS: [Value; 6] = [0, 3, 3, 5, 9, 0];

/// How much of an advantage of `side` counts, out of [`FULL_SCALE`]: 0 is a draw.
#[inline(always)]
pub(super) fn scale(board: &Board, side: usize) -> Value {
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
        // Bishops of opposite colours: hard to win, and harder still without other pieces.
        if opposite() {
            return if knights | rooks | queens == 0 { 22 + 3 * ours as Value } else { 52 };
        }
        if rook_pawns_with_the_wrong_bishop(board, side) {
            return 0;
        }
        return FULL_SCALE;
    }

    let worth = |set: u64| -> Value {
        (1..5)
            .map(|piece| PAWN_UNITS[piece] * (board.pieces[piece] & set).count_ones() as Value)
            .sum()
    };
    let (own, other) = (worth(us), worth(them));
    if ours == 1 {
        if rook_pawns_with_the_wrong_bishop(board, side) {
            return 0;
        }
        if opposite() && knights | rooks | queens == 0 {
            return 8;
        }
        // The opponent can give a piece for the last pawn.
        return if other > 0 && pawns & them == 0 && own <= other { 32 } else { FULL_SCALE };
    }
    // Without pawns: one minor piece cannot mate, and two knights cannot force it.
    if own <= 3 || own == 6 && rooks & us == 0 && bishops & us == 0 {
        return if pawns & them == 0 || own == 0 { 0 } else { 4 };
    }
    match own - other {
        ..=1 => 6,
        2..=3 => 12,
        4 if other > 0 => 40,
        _ => FULL_SCALE,
    }
}

/// Whether a side has only pawns on one rook file and perhaps bishops that do not control the
/// promotion square, with the opponent's king near it: a draw.
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
