//! The last one to four empty squares, by hand.
//!
//! Most positions a solver enters have at most four empty squares, so nothing is generated, sorted or
//! looked up here: the squares are arguments, each is tried in turn, and the order is that of
//! quadrant parity, decided once at four. With one square left the score is counted, not played.

use super::search::Search;
use crate::othello::Instructions;

/// Below any score: no move was found.
const NO_MOVE: i32 = -65;

/// For each square, the squares around it: a move turns nothing unless an opposing disc is there.
static AROUND: [u64; 64] = {
    let mut around = [0; 64];
    let mut square = 0;
    while square < 64 {
        let disc = 1u64 << square;
        let row = disc | disc << 1 & 0xfefe_fefe_fefe_fefe | disc >> 1 & 0x7f7f_7f7f_7f7f_7f7f;
        around[square] = (row | row << 8 | row >> 8) & !disc;
        square += 1;
    }
    around
};

/// The squares of every quadrant with an odd number of empty squares.
#[inline(always)]
pub(super) fn odd_quadrants(empties: u64) -> u64 {
    // Fold each four by four block onto its first square, then spread that bit over the block.
    let mut folded = empties ^ empties >> 1;
    folded ^= folded >> 2;
    folded ^= folded >> 8;
    folded ^= folded >> 16;
    (folded & 0x0000_0011_0000_0011).wrapping_mul(0x0f0f_0f0f)
}

/// The mover's score where neither side can move.
#[inline(always)]
pub(super) fn score_of(player: u64, opponent: u64) -> i32 {
    let (ours, theirs) = (player.count_ones() as i32, opponent.count_ones() as i32);
    let difference = ours - theirs;
    difference + (64 - ours - theirs) * difference.signum()
}

impl<I: Instructions> Search<'_, I> {
    /// One empty square left: the score, counted.
    #[inline(always)]
    fn one(&mut self, player: u64, square: u32) -> i32 {
        self.nodes += 1;
        let ours = player.count_ones() as i32;
        let turned = self.instructions.last_flips(square as usize, player);
        if turned != 0 {
            return 2 * (ours + turned + 1) - 64;
        }
        let opponent = !player & !(1 << square);
        let turned = self.instructions.last_flips(square as usize, opponent);
        if turned != 0 {
            return 2 * (ours - turned) - 64;
        }
        // Neither can move there: the square goes to the side with more of the other 63.
        2 * (ours + i32::from(ours >= 32)) - 64
    }

    /// Two empty squares left.
    #[inline(always)]
    fn two(&mut self, player: u64, opponent: u64, alpha: i32, first: u32, second: u32) -> i32 {
        self.nodes += 1;
        let mut best = NO_MOVE;
        if let Some((mover, _)) = self.try_square(player, opponent, first) {
            best = -self.one(mover, second);
            if best > alpha {
                return best;
            }
        }
        if let Some((mover, _)) = self.try_square(player, opponent, second) {
            best = best.max(-self.one(mover, first));
        }
        if best != NO_MOVE {
            return best;
        }
        // A pass: the other side wants to keep our score down, so here least is best.
        let mut least = -NO_MOVE;
        if let Some((mover, _)) = self.try_square(opponent, player, first) {
            least = self.one(mover, second);
            if least <= alpha {
                return least;
            }
        }
        if let Some((mover, _)) = self.try_square(opponent, player, second) {
            least = least.min(self.one(mover, first));
        }
        if least != -NO_MOVE { least } else { score_of(player, opponent) }
    }

    /// Three empty squares left, in the order to try them.
    #[inline(always)]
    pub(super) fn three(
        &mut self,
        player: u64,
        opponent: u64,
        alpha: i32,
        squares: [u32; 3],
    ) -> i32 {
        let packed = squares[0] | squares[1] << 8 | squares[2] << 16;
        self.instructions.enter(Self::three_body, self, player, opponent, alpha, packed)
    }

    #[inline(always)]
    fn three_body(&mut self, player: u64, opponent: u64, alpha: i32, packed: u32) -> i32 {
        self.nodes += 1;
        let [a, b, c] = [packed & 63, packed >> 8 & 63, packed >> 16 & 63];
        let mut best = NO_MOVE;
        for (square, left, right) in [(a, b, c), (b, a, c), (c, a, b)] {
            if let Some((mover, other)) = self.try_square(player, opponent, square) {
                best = best.max(-self.two(mover, other, -alpha - 1, left, right));
                if best > alpha {
                    return best;
                }
            }
        }
        if best != NO_MOVE {
            return best;
        }
        for (square, left, right) in [(a, b, c), (b, a, c), (c, a, b)] {
            if let Some((mover, other)) = self.try_square(opponent, player, square) {
                best = best.max(-self.two(mover, other, alpha, left, right));
                if best > -alpha - 1 {
                    return -best;
                }
            }
        }
        if best != NO_MOVE { -best } else { score_of(player, opponent) }
    }

    /// Four empty squares left.
    #[inline(always)]
    pub(super) fn four(&mut self, player: u64, opponent: u64, alpha: i32) -> i32 {
        self.instructions.enter(Self::four_body, self, player, opponent, alpha, 0)
    }

    #[inline(always)]
    fn four_body(&mut self, player: u64, opponent: u64, alpha: i32, passed: u32) -> i32 {
        self.nodes += 1;
        let empties = !(player | opponent);
        if let Some(score) = self.stability_cut(player, opponent, alpha, 4) {
            return score;
        }
        // The mover wants the last move in each quadrant: squares alone in theirs come first, then
        // three together, then two or four.
        let odd = empties & odd_quadrants(empties);
        let here = empties & quadrant_of(empties.trailing_zeros());
        let early = match odd {
            0 => here,
            _ if odd != empties => odd,
            _ if here & (here - 1) == 0 => here,
            _ => empties & !here,
        };
        let late = empties & !early;
        let swap_pairs = odd == 0 && late != 0;
        let mut squares = [0; 4];
        let mut set = early;
        for square in &mut squares {
            if set == 0 {
                set = late;
            }
            *square = set.trailing_zeros();
            set &= set.wrapping_sub(1);
        }
        let [a, b, c, d] = squares;
        // With two pairs, after a move in one the square left alone there comes first.
        let (third, fourth) =
            if swap_pairs { ([d, a, b], [c, a, b]) } else { ([a, b, d], [a, b, c]) };
        let mut best = NO_MOVE;
        for (square, others) in [(a, [b, c, d]), (b, [a, c, d]), (c, third), (d, fourth)] {
            if let Some((mover, other)) = self.try_square(player, opponent, square) {
                best = best.max(-self.three(mover, other, -alpha - 1, others));
                if best > alpha {
                    return best;
                }
            }
        }
        if best != NO_MOVE {
            return best;
        }
        if passed != 0 {
            return score_of(player, opponent);
        }
        -self.instructions.enter(Self::four_body, self, opponent, player, -alpha - 1, 1)
    }

    /// The board after a move, seen by the next mover, if the move turns a disc.
    #[inline(always)]
    fn try_square(&self, player: u64, opponent: u64, square: u32) -> Option<(u64, u64)> {
        if opponent & AROUND[square as usize & 63] == 0 {
            return None;
        }
        let flips = self.instructions.flips(square as usize, player, opponent);
        (flips != 0).then_some((opponent ^ flips, player ^ flips ^ 1 << (square & 63)))
    }
}

/// The squares of the quadrant a square lies in.
#[inline(always)]
fn quadrant_of(square: u32) -> u64 {
    0x0f0f_0f0f << (square & 0b10_0100)
}
