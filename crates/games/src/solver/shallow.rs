//! Shallow principal variation search (PVS) with the static evaluation at the leaves: it orders
//! moves, gives the driver its first guess, and is what ProbCut relies on.

use super::evaluate::{MAX_VALUE, SCALE};
use super::last_four::final_score;
use super::search::{Candidate, Candidates, Halt, Search, next_listed};
use super::table::TableEntry;
use crate::othello::{Board, Instructions, Square};

impl<I: Instructions> Search<'_, I> {
    /// The value of a search of `depth` plies: exact between `alpha` and `beta`, a bound beyond them.
    #[inline(always)]
    pub(super) fn pvs(
        &mut self,
        player: u64,
        opponent: u64,
        alpha: i32,
        beta: i32,
        depth: u32,
    ) -> Result<i32, Halt> {
        self.instructions.enter(
            #[inline(always)]
            |(search, beta): (&mut Self, i32), player, opponent, alpha, depth| {
                search.pvs_body(player, opponent, alpha, beta, depth)
            },
            (self, beta),
            player,
            opponent,
            alpha,
            depth,
        )
    }

    /// The first move is searched with the whole window, the others with a null window, and again
    /// with the whole one if they turn out to be better.
    #[inline(always)]
    fn pvs_body(
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
        let board = Board::from_words(player, opponent);
        if depth > 1 {
            self.memory.shallow.prefetch(&board);
        }
        let moves = self.instructions.moves(player, opponent);
        if moves == 0 {
            if self.instructions.moves(opponent, player) == 0 {
                return Ok(final_score(player, opponent) * SCALE);
            }
            return Ok(-self.pvs(opponent, player, -beta, -alpha, depth)?);
        }
        if depth == 1 {
            return Ok(self.best_evaluated_reply(player, opponent, moves, beta));
        }
        let mut first = [None; 2];
        if let Some(known) = self.memory.shallow.probe(&board) {
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
        if !self.candidates(player, opponent, moves, first, None, &mut candidates) {
            return Ok(MAX_VALUE);
        }
        let floor = alpha;
        let mut best = -MAX_VALUE - 1;
        let mut best_square = 0;
        for place in 0..candidates.len() {
            let Candidate { square, mover, other, .. } = next_listed(&mut candidates, place);
            let mut value = -MAX_VALUE - 1;
            if place > 0 {
                value = -self.pvs(mover, other, -alpha - 1, -alpha, depth - 1)?;
            }
            if place == 0 || (value > alpha && value < beta) {
                value = -self.pvs(mover, other, -beta, -alpha, depth - 1)?;
            }
            if value > best {
                (best, best_square) = (value, square);
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        let lower = if best > floor { best } else { -2 * MAX_VALUE };
        let upper = if best < beta { best } else { 2 * MAX_VALUE };
        let best_moves = [Square::new(best_square as usize), None];
        self.memory
            .shallow
            .store_bounds(&board, TableEntry { lower, upper, depth, best: best_moves });
        Ok(best)
    }

    /// The last ply: evaluating every reply costs less than ordering them first.
    #[inline(always)]
    fn best_evaluated_reply(
        &mut self,
        player: u64,
        opponent: u64,
        mut moves: u64,
        beta: i32,
    ) -> i32 {
        let before = self.before_moves(player, opponent);
        let mut best = -MAX_VALUE;
        while moves != 0 && best < beta {
            let square = moves.trailing_zeros();
            moves &= moves - 1;
            let (mover, other) = self.play(player, opponent, square);
            self.nodes += 1;
            let value = match mover {
                0 => MAX_VALUE,
                _ => -self.evaluate_after(&before, (square, opponent ^ mover), (mover, other)),
            };
            best = best.max(value);
        }
        best
    }
}
