//! Legal moves as a set, without a branch.
//!
//! A move is an empty square at the end of a line of opposing discs that has a disc of ours at its
//! other end. Each direction is a parallel-prefix (Kogge-Stone) fill: it starts from our discs and
//! goes one step, then twice two steps, through the opponent's discs. An empty square one step further
//! is a move. To the right, the carry of an addition does the same in one instruction.

/// The columns b to g: a line along a row or a diagonal turns no disc on the outer columns, and
/// without them no shift wraps around the board.
pub(super) const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Where the player may move.
#[inline(always)]
pub(super) fn moves(player: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER;
    // To the right, the carry runs through each line of opposing discs that starts beside one of ours.
    let right = inner.wrapping_add((player << 1) & inner) & !inner;
    let ends = right
        | fill::<true, 1>(player, inner)
        | fill::<false, 8>(player, opponent)
        | fill::<true, 8>(player, opponent)
        | fill::<false, 7>(player, inner)
        | fill::<true, 7>(player, inner)
        | fill::<false, 9>(player, inner)
        | fill::<true, 9>(player, inner);
    ends & !(player | opponent)
}

/// The squares one step beyond the lines of `through` that start beside a disc of `player`,
/// towards a1 (`DOWN`) or towards h8, in steps of `STEP`.
#[inline(always)]
fn fill<const DOWN: bool, const STEP: u32>(player: u64, through: u64) -> u64 {
    let shift = |word: u64, by: u32| if DOWN { word >> by } else { word << by };
    let mut line = through & shift(player, STEP);
    line |= through & shift(line, STEP);
    let pairs = through & shift(through, STEP);
    line |= pairs & shift(line, 2 * STEP);
    line |= pairs & shift(line, 2 * STEP);
    shift(line, STEP)
}
