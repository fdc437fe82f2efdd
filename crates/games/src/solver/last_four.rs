//! The last four empty squares, each number of them in a function of its own.
//!
//! Most positions that a solver enters have at most four empty squares. So no list of moves is made
//! or sorted here and no table is asked: the empty squares are arguments, and each is tried in turn.
//! Their order is that of quadrant parity, decided once at four squares. With one square left the
//! score is counted without playing the move.

use super::search::Search;
use crate::othello::Instructions;

/// Lower than any score: no legal move was found.
const NO_MOVE: i32 = -65;

/// For each square, the squares beside it: a move turns nothing unless an opposing disc is there.
static NEIGHBOURS: [u64; 64] = {
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
    // The parity of each 4×4 block is folded onto its first square, then spread over the block.
    let mut folded = empties ^ empties >> 1;
    folded ^= folded >> 2;
    folded ^= folded >> 8;
    folded ^= folded >> 16;
    (folded & 0x0000_0011_0000_0011).wrapping_mul(0x0f0f_0f0f)
}

/// The mover's score where neither side can move.
#[inline(always)]
pub(super) fn final_score(player: u64, opponent: u64) -> i32 {
    let (ours, theirs) = (player.count_ones() as i32, opponent.count_ones() as i32);
    let difference = ours - theirs;
    difference + (64 - ours - theirs) * difference.signum()
}

impl<I: Instructions> Search<'_, I> {
    /// One empty square left: counts the score, as far as it matters whether it is above `alpha`.
    #[inline(always)]
    fn solve_1(&mut self, player: u64, alpha: i32, square: u32) -> i32 {
        self.nodes += 1;
        let ours = player.count_ones() as i32;
        let turned = self.instructions.last_flips(square as usize, player);
        if turned != 0 {
            return 2 * (ours + turned + 1) - 64;
        }
        // If neither can move there, the square goes to the side with more of the other 63. If the
        // opponent can, the score is lower, which does not matter if it is too low already.
        let untaken = 2 * (ours + i32::from(ours >= 32)) - 64;
        if untaken <= alpha {
            return untaken;
        }
        let opponent = !player & !(1 << square);
        let turned = self.instructions.last_flips(square as usize, opponent);
        if turned != 0 { 2 * (ours - turned) - 64 } else { untaken }
    }

    /// Two empty squares left.
    #[inline(always)]
    fn solve_2(&mut self, player: u64, opponent: u64, alpha: i32, first: u32, second: u32) -> i32 {
        self.nodes += 1;
        let mut best = NO_MOVE;
        if let Some((mover, _)) = self.try_square(player, opponent, first) {
            best = -self.solve_1(mover, -alpha - 1, second);
            if best > alpha {
                return best;
            }
        }
        if let Some((mover, _)) = self.try_square(player, opponent, second) {
            best = best.max(-self.solve_1(mover, -alpha - 1, first));
        }
        if best != NO_MOVE {
            return best;
        }
        // A pass: the opponent moves, and chooses the least score for us.
        let mut least = -NO_MOVE;
        if let Some((mover, _)) = self.try_square(opponent, player, first) {
            least = self.solve_1(mover, alpha, second);
            if least <= alpha {
                return least;
            }
        }
        if let Some((mover, _)) = self.try_square(opponent, player, second) {
            least = least.min(self.solve_1(mover, alpha, first));
        }
        if least != -NO_MOVE { least } else { final_score(player, opponent) }
    }

    /// Three empty squares left, in the order to try them.
    #[inline(always)]
    pub(super) fn solve_3(
        &mut self,
        player: u64,
        opponent: u64,
        alpha: i32,
        squares: [u32; 3],
    ) -> i32 {
        let packed = squares[0] | squares[1] << 8 | squares[2] << 16;
        self.instructions.enter(
            #[inline(always)]
            |search: &mut Self, player, opponent, alpha, count| {
                search.solve_3_body(player, opponent, alpha, count)
            },
            self,
            player,
            opponent,
            alpha,
            packed,
        )
    }

    #[inline(always)]
    fn solve_3_body(&mut self, player: u64, opponent: u64, alpha: i32, packed: u32) -> i32 {
        self.nodes += 1;
        let [a, b, c] = [packed & 63, packed >> 8 & 63, packed >> 16 & 63];
        let mut best = NO_MOVE;
        for (square, left, right) in [(a, b, c), (b, a, c), (c, a, b)] {
            if let Some((mover, other)) = self.try_square(player, opponent, square) {
                best = best.max(-self.solve_2(mover, other, -alpha - 1, left, right));
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
                best = best.max(-self.solve_2(mover, other, alpha, left, right));
                if best > -alpha - 1 {
                    return -best;
                }
            }
        }
        if best != NO_MOVE { -best } else { final_score(player, opponent) }
    }

    /// Four empty squares left.
    #[inline(always)]
    pub(super) fn solve_4(&mut self, player: u64, opponent: u64, alpha: i32) -> i32 {
        self.instructions.enter(
            #[inline(always)]
            |search: &mut Self, player, opponent, alpha, count| {
                search.solve_4_body(player, opponent, alpha, count)
            },
            self,
            player,
            opponent,
            alpha,
            0,
        )
    }

    #[inline(always)]
    fn solve_4_body(&mut self, player: u64, opponent: u64, alpha: i32, passed: u32) -> i32 {
        self.nodes += 1;
        let empties = !(player | opponent);
        if let Some(score) = self.stability_cutoff(player, opponent, alpha, 4) {
            return score;
        }
        // The mover wants the last move in each quadrant: a square that is alone in its quadrant comes
        // first, then three in one quadrant, then two or four.
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
        // With two pairs, a move in one pair is followed by the square left alone there.
        let (third, fourth) =
            if swap_pairs { ([d, a, b], [c, a, b]) } else { ([a, b, d], [a, b, c]) };
        let mut best = NO_MOVE;
        for (square, others) in [(a, [b, c, d]), (b, [a, c, d]), (c, third), (d, fourth)] {
            if let Some((mover, other)) = self.try_square(player, opponent, square) {
                best = best.max(-self.solve_3(mover, other, -alpha - 1, others));
                if best > alpha {
                    return best;
                }
            }
        }
        if best != NO_MOVE {
            return best;
        }
        if passed != 0 {
            return final_score(player, opponent);
        }
        -self.instructions.enter(
            #[inline(always)]
            |search: &mut Self, player, opponent, alpha, count| {
                search.solve_4_body(player, opponent, alpha, count)
            },
            self,
            opponent,
            player,
            -alpha - 1,
            1,
        )
    }

    /// The board after a move, as the opponent sees it, if the move turns a disc.
    #[inline(always)]
    fn try_square(&self, player: u64, opponent: u64, square: u32) -> Option<(u64, u64)> {
        if opponent & NEIGHBOURS[square as usize & 63] == 0 {
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
