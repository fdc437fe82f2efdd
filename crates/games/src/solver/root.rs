//! The driver: from null-window searches to a score, a best move and a principal variation.
//!
//! A null-window search is cheapest close to the true score, and two of them are then enough: this is
//! MTD(f) (Plaat and others 1996), a memory-enhanced test driver over tables that keep both bounds. So
//! the driver first works towards a good first guess: shallow searches by iterative deepening; then
//! the endgame itself with ProbCut, first with a small margin, then with a larger one; then exactly.
//! Each stage leaves its best moves in the tables for the next one.

use std::sync::atomic::AtomicU64;
use std::thread::ScopedJoinHandle;

use super::evaluate::SCALE;
use super::search::{Halt, ProbCut, Search, StopConditions};
use super::threads::{THREADS_MIN_EMPTIES, Worker};
use super::{Bound, Estimate, Memory, Selectivity, Solution};
use crate::othello::{Board, DISC, EdgeStability, Instructions, PatternWeights, Square, Task};
use plyground_core::memory;
use plyground_core::split_points::{EndOnDrop, SplitPoints};

/// The stack of a helper thread. The recursion is at most one game deep, but a thread that waits at
/// its split point helps at others on top of it.
const STACK: usize = 16 << 20;

/// The fewest empties of a root for which searches with ProbCut pay.
const SELECTIVE_MIN_EMPTIES: u32 = 18;
/// The margins of ProbCut in discs, one stage after the other.
const MARGINS: [i32; 2] = [8, 12];
/// The root's shallow searches stop this many plies before the end of the game,
const SHALLOW_PLIES_BEFORE_END: u32 = 12;
/// and are at most this deep.
const SHALLOW_MAX_DEPTH: u32 = 12;

/// A position to be solved, with everything that the search needs.
pub(super) struct Solve<'a> {
    pub memory: &'a Memory,
    pub board: Board,
    pub alpha: i32,
    pub beta: i32,
    /// `None` for an exact score.
    pub selectivity: Option<Selectivity>,
    pub conditions: StopConditions<'a>,
}

/// A position to be estimated by shallow searches.
pub(super) struct Guess<'a> {
    pub memory: &'a Memory,
    pub board: Board,
    /// No deeper search begins after this number of nodes.
    pub nodes: u64,
    pub conditions: StopConditions<'a>,
}

impl Task for Guess<'_> {
    type Output = Result<Estimate, (Halt, u64)>;

    fn run<I: Instructions>(self, instructions: I) -> Self::Output {
        let Guess { memory, board, nodes, conditions } = self;
        let mut search = Search {
            instructions,
            memory,
            near: &memory.near,
            worker: None,
            edges: EdgeStability::get(),
            weights: PatternWeights::built_in(),
            conditions,
            probcut: None,
            nodes: 0,
            next_check: 0,
        };
        let (player, opponent) = (board.player().word(), board.opponent().word());
        let (mut value, mut depth) = (0, 0);
        // A search of one ply leaves no best move in the table, one of two plies does.
        for next in 2..=(board.empties().len() as u32).max(2) {
            if depth > 0 && search.nodes >= nodes {
                break;
            }
            value = match search.pvs(player, opponent, -65 * SCALE, 65 * SCALE, next) {
                Ok(value) => value,
                Err(halt) => return Err((halt, search.nodes)),
            };
            depth = next;
        }
        let best = memory.shallow.probe(&board).and_then(|known| known.best[0]);
        let best = best.or_else(|| board.moves().next());
        Ok(Estimate { value: value * DISC / SCALE, best, depth, nodes: search.nodes })
    }
}

impl Task for Solve<'_> {
    type Output = Result<Solution, (Halt, u64)>;

    fn run<I: Instructions>(self, instructions: I) -> Self::Output {
        let Solve { memory, board, alpha, beta, selectivity, conditions } = self;
        let splits = SplitPoints::new();
        let nodes = AtomicU64::new(0);
        let search = |near, worker| Search {
            instructions,
            memory,
            near,
            worker,
            edges: EdgeStability::get(),
            weights: PatternWeights::built_in(),
            conditions,
            probcut: None,
            nodes: 0,
            next_check: 0,
        };
        let solved = |mut search: Search<'_, I>| {
            let result =
                search.check_limits().and_then(|()| search.root(&board, alpha, beta, selectivity));
            (result, search.nodes)
        };
        let (near, others) = (&memory.near, &memory.helpers[..]);
        let (result, nodes) = if others.is_empty()
            || board.empties().len() < THREADS_MIN_EMPTIES as usize
        {
            solved(search(near, None))
        } else {
            let worker = Worker { splits: &splits, split: None, nodes: &nodes, added: 0 };
            std::thread::scope(|scope| {
                let start = |near| {
                    let mut helper = search(near, Some(worker.clone()));
                    // If the system refuses a thread, there are fewer helpers.
                    memory::thread(STACK)?.spawn_scoped(scope, move || helper.run_helper())
                };
                let helpers: Vec<_> = others.iter().map_while(|near| start(near).ok()).collect();
                let end = EndOnDrop(&splits);
                let (result, own) = solved(search(near, Some(worker.clone())));
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
    fn root(
        &mut self,
        board: &Board,
        alpha: i32,
        beta: i32,
        selectivity: Option<Selectivity>,
    ) -> Result<Solution, Halt> {
        let mut guess = self.first_guess(board)?;
        if board.empties().len() >= SELECTIVE_MIN_EMPTIES as usize {
            let last = selectivity.map(Selectivity::margin);
            let before = MARGINS.map(|margin| margin * SCALE).into_iter();
            let before = before.filter(|margin| last.is_none_or(|last| *margin < last));
            for (level, margin) in (0..).zip(before.chain(last)) {
                self.probcut = Some(ProbCut { level, margin });
                if last != Some(margin) {
                    (guess, _) = self.mtd(board, alpha, beta, guess)?;
                }
            }
            // A selective score comes from the last of them.
            if last.is_none() {
                self.probcut = None;
            }
        }
        let (lower, upper) = self.mtd(board, alpha, beta, guess)?;
        let (score, bound, best, pv);
        if lower == upper {
            (score, bound) = (lower, Bound::Exact);
            pv = self.principal_variation(board, score)?;
            best = pv.first().copied().flatten();
        } else {
            pv = Vec::new();
            if lower >= beta {
                (score, bound) = (lower, Bound::AtLeast);
                best = self.move_reaching(board, score)?.map(|(square, _)| square);
            } else {
                (score, bound) = (upper, Bound::AtMost);
                best = None;
            }
        }
        Ok(Solution { score, bound, best, pv, nodes: self.nodes })
    }

    /// MTD(f): null-window searches until the bounds on the score meet, or leave the window on one
    /// side.
    fn mtd(
        &mut self,
        board: &Board,
        alpha: i32,
        beta: i32,
        guess: i32,
    ) -> Result<(i32, i32), Halt> {
        let (mut lower, mut upper) = (-64, 64);
        let mut guess = guess;
        // Scores are even, so only even numbers are asked about, and the ends of the window are
        // rounded outwards.
        let (alpha, beta) = (alpha & !1, (beta + 1) & !1);
        while lower.max(alpha) < upper.min(beta) {
            let ask = (guess - 2).clamp(lower.max(alpha), upper.min(beta) - 2);
            let value = self.nws(board.player().word(), board.opponent().word(), ask)?;
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

    /// The score that shallow searches expect, as an even number of discs.
    fn first_guess(&mut self, board: &Board) -> Result<i32, Halt> {
        let empties = board.empties().len() as u32;
        let (player, opponent) = (board.player().word(), board.opponent().word());
        let mut value = 0;
        for depth in 1..=empties.saturating_sub(SHALLOW_PLIES_BEFORE_END).min(SHALLOW_MAX_DEPTH) {
            value = self.pvs(player, opponent, -65 * SCALE, 65 * SCALE, depth)?;
        }
        Ok((value.div_euclid(SCALE) & !1).clamp(-64, 64))
    }

    /// Best play to the end of the game from a board whose score is known.
    fn principal_variation(
        &mut self,
        board: &Board,
        mut score: i32,
    ) -> Result<Vec<Option<Square>>, Halt> {
        let mut board = *board;
        let mut line = Vec::new();
        while !board.is_over() {
            if board.must_pass() {
                line.push(None);
                board = board.pass();
            } else {
                let Some((square, next)) = self.move_reaching(&board, score)? else { break };
                line.push(Some(square));
                board = next;
            }
            score = -score;
        }
        Ok(line)
    }

    /// A move that reaches at least `score`, and the board after it.
    fn move_reaching(
        &mut self,
        board: &Board,
        score: i32,
    ) -> Result<Option<(Square, Board)>, Halt> {
        // The move that proved the score is probably still in a table.
        let known = [&self.memory.far, self.near].into_iter().find_map(|t| t.probe(board));
        let known = known.and_then(|known| known.best[0]);
        for square in known.into_iter().chain(board.moves()) {
            if let Some(next) = board.play(square)
                && self.nws(next.player().word(), next.opponent().word(), -score)? <= -score
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

    /// The set of instructions changes the speed of a search, but not one of its nodes.
    #[test]
    fn all_instructions_search_the_same_nodes() {
        let suite = parse_obf(include_str!("../../../../positions/ffo.obf")).unwrap();
        let flag = StopFlag::default();
        for line in &suite[..20] {
            let solver = || Solver::with_table(1 << 22).unwrap();
            let (fast, portable) = (solver(), solver());
            let task = |memory| Solve {
                memory,
                board: line.position.board,
                alpha: -64,
                beta: 64,
                selectivity: None,
                conditions: StopConditions { flag: &flag, nodes: u64::MAX, until: None },
            };
            let solution = dispatch(task(&fast.memory));
            assert_eq!(solution, task(&portable.memory).run(Portable), "{}", line.comment);
        }
    }
}
