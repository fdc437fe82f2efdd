//! Shallow searches with the evaluator: they order moves and tell where the score probably lies.

use super::evaluate::{MOST, SCALE};
use super::last::score_of;
use super::search::{Candidate, Candidates, Halt, Search, pick};
use super::table::Known;
use crate::othello::{Board, Instructions, Square};

impl<I: Instructions> Search<'_, I> {
    /// The value `depth` plies down, exact between `alpha` and `beta`, a bound beyond them.
    #[inline(always)]
    pub(super) fn guess(
        &mut self,
        player: u64,
        opponent: u64,
        alpha: i32,
        beta: i32,
        depth: u32,
    ) -> Result<i32, Halt> {
        self.instructions.enter(
            |(search, beta): (&mut Self, i32), player, opponent, alpha, depth| {
                search.guess_body(player, opponent, alpha, beta, depth)
            },
            (self, beta),
            player,
            opponent,
            alpha,
            depth,
        )
    }

    /// Principal variation search with a table.
    #[inline(always)]
    fn guess_body(
        &mut self,
        player: u64,
        opponent: u64,
        mut alpha: i32,
        beta: i32,
        depth: u32,
    ) -> Result<i32, Halt> {
        self.enter_node()?;
        if depth == 0 {
            return Ok(self.evaluate(player, opponent));
        }
        let moves = self.instructions.moves(player, opponent);
        if moves == 0 {
            if self.instructions.moves(opponent, player) == 0 {
                return Ok(score_of(player, opponent) * SCALE);
            }
            return Ok(-self.guess(opponent, player, -beta, -alpha, depth)?);
        }
        if depth == 1 {
            return Ok(self.best_reply(player, opponent, moves, beta));
        }
        let board = Board::from_words(player, opponent);
        let mut first = [None; 2];
        if let Some(known) = self.memory.guesses.find(&board) {
            if known.depth == depth {
                if known.lower >= beta || known.lower == known.upper {
                    return Ok(known.lower);
                }
                if known.upper <= alpha {
                    return Ok(known.upper);
                }
            }
            first = known.best;
        }
        let mut candidates = Candidates::new();
        if !self.candidates(player, opponent, moves, first, &mut candidates) {
            return Ok(MOST);
        }
        let floor = alpha;
        let mut best = -MOST - 1;
        let mut best_square = 0;
        for place in 0..candidates.len() {
            let Candidate { square, mover, other, .. } = pick(&mut candidates, place);
            let mut value = -MOST - 1;
            if place > 0 {
                value = -self.guess(mover, other, -alpha - 1, -alpha, depth - 1)?;
            }
            if place == 0 || (value > alpha && value < beta) {
                value = -self.guess(mover, other, -beta, -alpha, depth - 1)?;
            }
            if value > best {
                (best, best_square) = (value, square);
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        let lower = if best > floor { best } else { -2 * MOST };
        let upper = if best < beta { best } else { 2 * MOST };
        let best_moves = [Square::new(best_square as usize), None];
        self.memory.guesses.store_bounds(&board, Known { lower, upper, depth, best: best_moves });
        Ok(best)
    }

    /// The last ply: to look at every reply costs less than to put them in order first.
    #[inline(always)]
    fn best_reply(&mut self, player: u64, opponent: u64, mut moves: u64, beta: i32) -> i32 {
        let mut best = -MOST;
        while moves != 0 && best < beta {
            let square = moves.trailing_zeros();
            moves &= moves - 1;
            let (mover, other) = self.play(player, opponent, square);
            self.nodes += 1;
            best = best.max(if mover == 0 { MOST } else { -self.evaluate(mover, other) });
        }
        best
    }
}
