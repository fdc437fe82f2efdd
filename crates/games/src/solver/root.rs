//! From yes-or-no questions to a score, a best move and a line of best play.
//!
//! Questions are cheapest close to the true score, and there are then only two of them (Plaat's
//! memory test driver, with a table that keeps both bounds). So the driver works towards a good
//! guess: shallow searches with the evaluator, deeper and deeper; then the endgame itself searched
//! with forward pruning, boldly, then less boldly; then exactly. Each stage leaves the next one its
//! best moves.

use std::sync::atomic::AtomicU64;
use std::thread::{Builder, ScopedJoinHandle};

use super::crew::{Hand, THREADS_FROM};
use super::evaluate::SCALE;
use super::search::{Halt, Patience, Pruning, Search};
use super::{Bound, Memory, Solution};
use crate::othello::{Board, Edges, Instructions, Square, Task};
use plyground_core::split_points::{EndOnDrop, SplitPoints};

/// The recursion is at most a game deep, but helps at other splits while it waits.
const STACK: usize = 16 << 20;

/// The fewest empties for which forward pruning is worth the trouble.
const PRUNED_FROM: u32 = 18;
/// The margins of forward pruning, in discs, one stage after the other.
const MARGINS: [i32; 2] = [6, 18];
/// The shallow searches of the root stop so many plies before the end, and at most so deep.
const LOOK_SHORT_OF_END: u32 = 12;
const LOOK_DEEPEST: u32 = 12;

/// A position to be solved.
pub(super) struct Solve<'a> {
    pub memory: &'a Memory,
    pub board: Board,
    pub alpha: i32,
    pub beta: i32,
    pub patience: Patience<'a>,
}

impl Task for Solve<'_> {
    type Output = Result<Solution, (Halt, u64)>;

    fn run<I: Instructions>(self, instructions: I) -> Self::Output {
        let Solve { memory, board, alpha, beta, patience } = self;
        let splits = SplitPoints::new();
        let nodes = AtomicU64::new(0);
        let search = |near, hand| Search {
            instructions,
            memory,
            near,
            hand,
            edges: Edges::get(),
            patience,
            pruning: None,
            nodes: 0,
            look: 0,
        };
        let solved = |mut search: Search<'_, I>| {
            let result = search.look().and_then(|()| search.root(&board, alpha, beta));
            (result, search.nodes)
        };
        let (near, others) = (&memory.near, &memory.helpers[..]);
        let (result, nodes) = if others.is_empty() || board.empties().len() < THREADS_FROM as usize
        {
            solved(search(near, None))
        } else {
            let hand = Hand { splits: &splits, split: None, nodes: &nodes, added: 0 };
            std::thread::scope(|scope| {
                let start = |near| {
                    let mut helper = search(near, Some(hand.clone()));
                    // Where the system gives no more threads, there are fewer helpers.
                    Builder::new().stack_size(STACK).spawn_scoped(scope, move || helper.help())
                };
                let helpers: Vec<_> = others.iter().map_while(|near| start(near).ok()).collect();
                let end = EndOnDrop(&splits);
                let (result, own) = solved(search(near, Some(hand.clone())));
                drop(end);
                let join = |helper: ScopedJoinHandle<'_, u64>| match helper.join() {
                    Ok(nodes) => nodes,
                    Err(panic) => std::panic::resume_unwind(panic),
                };
                (result, own + helpers.into_iter().map(join).sum::<u64>())
            })
        };
        match result {
            Ok(solution) => Ok(Solution { nodes, ..solution }),
            Err(halt) => Err((halt, nodes)),
        }
    }
}

impl<I: Instructions> Search<'_, I> {
    fn root(&mut self, board: &Board, alpha: i32, beta: i32) -> Result<Solution, Halt> {
        let mut guess = self.first_guess(board)?;
        if board.empties().len() >= PRUNED_FROM as usize {
            for (level, margin) in (0..).zip(MARGINS) {
                self.pruning = Some(Pruning { level, margin: margin * SCALE });
                (guess, _) = self.converge(board, alpha, beta, guess)?;
            }
            self.pruning = None;
        }
        let (lower, upper) = self.converge(board, alpha, beta, guess)?;
        let (score, bound, best, pv);
        if lower == upper {
            (score, bound) = (lower, Bound::Exact);
            pv = self.best_play(board, score)?;
            best = pv.first().copied().flatten();
        } else {
            pv = Vec::new();
            if lower >= beta {
                (score, bound) = (lower, Bound::AtLeast);
                best = self.move_worth(board, score)?.map(|(square, _)| square);
            } else {
                (score, bound) = (upper, Bound::AtMost);
                best = None;
            }
        }
        Ok(Solution { score, bound, best, pv, nodes: self.nodes })
    }

    /// Bounds on the score that meet, or that leave the window on one side.
    fn converge(
        &mut self,
        board: &Board,
        alpha: i32,
        beta: i32,
        guess: i32,
    ) -> Result<(i32, i32), Halt> {
        let (mut lower, mut upper) = (-64, 64);
        let mut guess = guess;
        // Scores are even: so are the questions, and the window's ends may as well be.
        let (alpha, beta) = (alpha & !1, (beta + 1) & !1);
        while lower.max(alpha) < upper.min(beta) {
            let ask = (guess - 2).clamp(lower.max(alpha), upper.min(beta) - 2);
            let value = self.above(board.player().word(), board.opponent().word(), ask)?;
            if value > ask {
                lower = value;
                guess = value + 2;
            } else {
                upper = value;
                guess = value;
            }
        }
        Ok((lower, upper))
    }

    /// What shallow searches expect, as an even number of discs.
    fn first_guess(&mut self, board: &Board) -> Result<i32, Halt> {
        let empties = board.empties().len() as u32;
        let (player, opponent) = (board.player().word(), board.opponent().word());
        let mut value = 0;
        for depth in 1..=empties.saturating_sub(LOOK_SHORT_OF_END).min(LOOK_DEEPEST) {
            value = self.guess(player, opponent, -65 * SCALE, 65 * SCALE, depth)?;
        }
        Ok((value.div_euclid(SCALE) & !1).clamp(-64, 64))
    }

    /// A line of best moves to the end from a board whose score is known.
    fn best_play(&mut self, board: &Board, mut score: i32) -> Result<Vec<Option<Square>>, Halt> {
        let mut board = *board;
        let mut line = Vec::new();
        while !board.is_over() {
            if board.must_pass() {
                line.push(None);
                board = board.pass();
            } else {
                let Some((square, next)) = self.move_worth(&board, score)? else { break };
                line.push(Some(square));
                board = next;
            }
            score = -score;
        }
        Ok(line)
    }

    /// A move that is worth at least `score`, and the board after it.
    fn move_worth(&mut self, board: &Board, score: i32) -> Result<Option<(Square, Board)>, Halt> {
        // The move that proved the score is probably still in the table.
        let known = [&self.memory.far, self.near].into_iter().find_map(|t| t.find(board));
        let known = known.and_then(|known| known.best[0]);
        for square in known.into_iter().chain(board.moves()) {
            if let Some(next) = board.play(square)
                && self.above(next.player().word(), next.opponent().word(), -score)? <= -score
            {
                return Ok(Some((square, next)));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::{Portable, dispatch, parse_obf};
    use crate::solver::Solver;
    use plyground_core::limits::StopFlag;

    /// The instructions change how fast the answer comes, not the search: not one node.
    #[test]
    fn all_instructions_search_the_same_nodes() {
        let suite = parse_obf(include_str!("../../../../positions/ffo.obf")).unwrap();
        let flag = StopFlag::default();
        for line in &suite[..20] {
            let solver = || Solver::with_table(1 << 22);
            let (fast, portable) = (solver(), solver());
            let task = |memory| Solve {
                memory,
                board: line.position.board,
                alpha: -64,
                beta: 64,
                patience: Patience { flag: &flag, nodes: u64::MAX, until: None },
            };
            let solution = dispatch(task(&fast.memory));
            assert_eq!(solution, task(&portable.memory).run(Portable), "{}", line.comment);
        }
    }
}
