//! The exact Othello solver: the score of a position under best play to the last disc.
//!
//! Every search of the endgame has a null window: it answers only whether the score is above some
//! number ("above 4?"). A driver of the MTD(f) kind asks on both sides of a good first guess until
//! the bounds meet (module `root`). The cost of a search depends on the order in which moves are
//! tried; the modules `search`, `order` and `shallow` say what is done about it, and `threads` how
//! several threads share one search.
//!
//! ```
//! use plyground_core::limits::Limits;
//! use plyground_games::othello::Position;
//! use plyground_games::solver::Solver;
//!
//! let position: Position =
//!     "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X".parse()?;
//! let solution = Solver::new().solve(&position.board, &Limits::default())?;
//! assert_eq!(solution.score, 18);
//! assert_eq!(solution.best.map(|square| square.to_string()).as_deref(), Some("g8"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod evaluate;
mod last_four;
mod order;
mod root;
mod search;
mod shallow;
mod table;
mod threads;

use std::time::{Duration, Instant};

use thiserror::Error;

use crate::othello::{Board, Square, dispatch};
use plyground_core::limits::Limits;
use plyground_core::memory::OutOfMemory;
use root::{Guess, Solve};
use search::{Halt, StopConditions};
use table::Table;

/// Why a search ended without a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Interrupted {
    /// The [stop flag](plyground_core::limits::StopFlag) was raised.
    #[error("stopped after {nodes} nodes, before the position was solved")]
    Stopped {
        /// Positions entered until then.
        nodes: u64,
    },
    /// The limit on nodes was reached.
    #[error("gave up after {nodes} nodes: the limit was {limit}")]
    Nodes {
        /// Positions entered until then.
        nodes: u64,
        /// The limit.
        limit: u64,
    },
    /// The limit on time was reached.
    #[error("gave up after {nodes} nodes: the limit was {limit:?}")]
    Time {
        /// Positions entered until then.
        nodes: u64,
        /// The limit.
        limit: Duration,
    },
}

/// What a score says about the true one: a search with a window need not find it exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score is exact.
    Exact,
    /// The score is at least this: it reached the window's upper end.
    AtLeast,
    /// The score is at most this: it did not get above the window's lower end.
    AtMost,
}

/// What the solver found out about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The mover's discs minus the opponent's at the end of the game, where squares that stay empty
    /// count for the winner: even, and from −64 to 64.
    pub score: i32,
    /// Whether the score is exact or a bound; it is exact unless a window was given.
    pub bound: Bound,
    /// A move that reaches the score. `None` stands for a pass, for a game that is over, and for a
    /// score that is only [`Bound::AtMost`] this, where no move is known to reach it.
    pub best: Option<Square>,
    /// The principal variation: best play by both sides to the end of the game, with `None` for a
    /// pass. Empty unless the score is exact.
    pub pv: Vec<Option<Square>>,
    /// Positions entered, down to the last empty square.
    pub nodes: u64,
}

/// What shallow searches think of a position: see [`Solver::estimate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// The mover's expected score in [hundredths of a disc](crate::othello::DISC).
    pub value: i32,
    /// The best move; `None` if there is none.
    pub best: Option<Square>,
    /// The plies of the last search.
    pub depth: u32,
    /// Positions entered.
    pub nodes: u64,
}

/// How sure a selective score is, as users of Edax know the levels: about this share of the scores of positions
/// with 20 empty squares is right; `engines/README.md` has the rates that were measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selectivity {
    /// 73 %.
    P73,
    /// 87 %.
    P87,
    /// 95 %.
    P95,
    /// 98 %.
    P98,
    /// 99 %.
    P99,
}

impl Selectivity {
    /// All levels, the quickest first.
    pub const ALL: [Selectivity; 5] =
        [Selectivity::P73, Selectivity::P87, Selectivity::P95, Selectivity::P98, Selectivity::P99];

    /// The level in per cent.
    #[must_use]
    pub const fn percent(self) -> u32 {
        match self {
            Selectivity::P73 => 73,
            Selectivity::P87 => 87,
            Selectivity::P95 => 95,
            Selectivity::P98 => 98,
            Selectivity::P99 => 99,
        }
    }

    /// How far beyond the window a shallow search must be, in units of the solver's evaluation. These were
    /// chosen so that scores with 20 empty squares are right as often as the level says: a wrong cut
    /// anywhere in the tree may make the score wrong, so they are wider than a normal distribution
    /// of one search's error would have them.
    const fn margin(self) -> i32 {
        let tenths = match self {
            Selectivity::P73 => 108,
            Selectivity::P87 => 132,
            Selectivity::P95 => 162,
            Selectivity::P98 => 198,
            Selectivity::P99 => 222,
        };
        evaluate::SCALE * tenths / 10
    }
}

/// Solves endgames. What it learns about positions is kept for the next search.
#[derive(Debug)]
pub struct Solver {
    memory: Memory,
}

/// The transposition tables of a solver. Their entries are of four kinds, which must not be mixed.
#[derive(Debug)]
struct Memory {
    /// Exact bounds, far from the end.
    far: Table,
    /// Exact bounds near the end: many boards, soon replaced, in a table that stays in the cache.
    near: Table,
    /// A table near the end for each helper thread.
    helpers: Vec<Table>,
    /// Bounds of searches with ProbCut: they prove nothing, but their best moves are good.
    selective: Table,
    /// Values of shallow searches with the static evaluation.
    shallow: Table,
}

impl Memory {
    fn tables(&mut self) -> impl Iterator<Item = &mut Table> {
        let tables = [&mut self.far, &mut self.near, &mut self.selective, &mut self.shallow];
        tables.into_iter().chain(&mut self.helpers)
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Solver {
    /// The size of a table near the end: it fits into the cache of one processor core.
    const NEAR_BYTES: usize = 1 << 18;

    /// A solver with a table of 16 MiB. That is enough for 23 empty squares, and faster there than a
    /// larger table, which would not stay in the cache. Where there is less memory, the table is smaller.
    #[must_use]
    pub fn new() -> Self {
        let sizes = (12..=24).rev().map(|shift| Self::with_table(1 << shift));
        match sizes.flatten().next() {
            Some(solver) => solver,
            None => panic!("no memory for a table of 4 KiB"),
        }
    }

    /// A solver whose main table takes about `bytes` bytes. The tables of the shallow and of the
    /// selective searches take a quarter of that besides, and the last empty squares 256 KiB. An error if
    /// there is no memory for them.
    pub fn with_table(bytes: usize) -> Result<Self, OutOfMemory> {
        let far = Table::with_bytes(bytes)?;
        let near = Table::with_bytes(Self::NEAR_BYTES)?;
        let selective = Table::with_bytes(bytes / 8)?;
        let shallow = Table::with_bytes(bytes / 8)?;
        Ok(Self { memory: Memory { far, near, helpers: Vec::new(), selective, shallow } })
    }

    /// Sets the number of threads that search from now on, at least one.
    ///
    /// The score does not depend on it. With more than one thread the best move and the principal
    /// variation may be others that reach the same score, and the nodes differ from run to run.
    pub fn set_threads(&mut self, threads: usize) {
        let helpers = threads.max(1) - 1;
        self.memory.helpers.truncate(helpers);
        // Where there is no memory for more, there are fewer helpers.
        while self.memory.helpers.len() < helpers
            && let Ok(table) = Table::with_bytes(Self::NEAR_BYTES)
        {
            self.memory.helpers.push(table);
        }
    }

    /// Clears all tables, so that the next search runs as if it were the first.
    pub fn clear(&mut self) {
        self.memory.tables().for_each(Table::clear);
    }

    /// Finds the score, a best move and best play to the end.
    pub fn solve(&mut self, board: &Board, limits: &Limits) -> Result<Solution, Interrupted> {
        self.solve_window(board, -64, 64, limits)
    }

    /// As [`solve`](Self::solve), with a window from `alpha` to `beta`: a score at or beyond an end of
    /// it is only a bound, and [`Solution::bound`] says so. An empty window counts as the one from
    /// `alpha` to `alpha + 1`.
    ///
    /// ```
    /// use plyground_core::limits::Limits;
    /// use plyground_games::othello::Position;
    /// use plyground_games::solver::{Bound, Solver};
    ///
    /// let position: Position =
    ///     "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X".parse()?;
    /// // Is it a win? To know that, the size of the win need not be found out.
    /// let answer = Solver::new().solve_window(&position.board, 0, 1, &Limits::default())?;
    /// assert_eq!(answer.bound, Bound::AtLeast);
    /// assert!(answer.score > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn solve_window(
        &mut self,
        board: &Board,
        alpha: i32,
        beta: i32,
        limits: &Limits,
    ) -> Result<Solution, Interrupted> {
        self.run(board, alpha, beta, None, limits)
    }

    /// Finds a score that is probably right, in a fraction of the time: positions that a shallow search
    /// finds far beyond the window are not searched any deeper. With fewer than 18 empty squares the score
    /// is exact.
    pub fn solve_selectively(
        &mut self,
        board: &Board,
        selectivity: Selectivity,
        limits: &Limits,
    ) -> Result<Solution, Interrupted> {
        self.run(board, -64, 64, Some(selectivity), limits)
    }

    /// Estimates a position by searches of 2, 3, … plies with the pattern evaluation; none begins once
    /// `nodes` nodes are spent. This is how games of self-play find a move in some thousandths of a second.
    pub fn estimate(
        &mut self,
        board: &Board,
        nodes: u64,
        limits: &Limits,
    ) -> Result<Estimate, Interrupted> {
        let conditions = conditions(limits);
        dispatch(Guess { memory: &self.memory, board: *board, nodes, conditions })
            .map_err(|(halt, nodes)| interrupted(halt, nodes, limits))
    }

    fn run(
        &mut self,
        board: &Board,
        alpha: i32,
        beta: i32,
        selectivity: Option<Selectivity>,
        limits: &Limits,
    ) -> Result<Solution, Interrupted> {
        self.memory.tables().for_each(Table::start_generation);
        let alpha = alpha.clamp(-65, 64);
        let beta = beta.clamp(alpha + 1, 65);
        let conditions = conditions(limits);
        let task =
            Solve { memory: &self.memory, board: *board, alpha, beta, selectivity, conditions };
        dispatch(task).map_err(|(halt, nodes)| interrupted(halt, nodes, limits))
    }
}

fn conditions(limits: &Limits) -> StopConditions<'_> {
    StopConditions {
        flag: &limits.flag,
        nodes: limits.nodes.unwrap_or(u64::MAX),
        until: limits.time.and_then(|time| Instant::now().checked_add(time)),
    }
}

fn interrupted(halt: Halt, nodes: u64, limits: &Limits) -> Interrupted {
    match halt {
        // There is no node above the root that could cut it off.
        Halt::Stopped | Halt::Cut => Interrupted::Stopped { nodes },
        Halt::Nodes => Interrupted::Nodes { nodes, limit: limits.nodes.unwrap_or(u64::MAX) },
        Halt::Time => Interrupted::Time { nodes, limit: limits.time.unwrap_or_default() },
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;

    /// The score by plain negamax: only the rules.
    fn negamax(board: &Board) -> i32 {
        let moves = board.moves();
        if moves.is_empty() {
            return if board.is_over() { board.final_score() } else { -negamax(&board.pass()) };
        }
        moves.filter_map(|square| board.play(square)).map(|next| -negamax(&next)).max().unwrap()
    }

    /// A board near the end of a random game, with either side to move.
    fn endgames() -> impl Strategy<Value = Board> {
        let choices = prop::collection::vec(any::<Index>(), 60);
        (choices, 0..8usize, any::<bool>()).prop_map(|(choices, empties, passed)| {
            let mut board = Board::start();
            for choice in choices {
                if board.empties().len() <= empties {
                    break;
                }
                if board.must_pass() {
                    board = board.pass();
                }
                let moves: Vec<Square> = board.moves().collect();
                if moves.is_empty() {
                    break;
                }
                board = board.play(moves[choice.index(moves.len())]).unwrap();
            }
            if passed { board.pass() } else { board }
        })
    }

    proptest! {
        #[test]
        fn endgames_have_the_score_of_plain_negamax(
            board in endgames().prop_filter("few empties", |board| board.empties().len() < 9),
            alpha in -64..64,
        ) {
            let score = negamax(&board);
            let mut solver = Solver::with_table(1 << 16).unwrap();
            let solution = solver.solve(&board, &Limits::default()).unwrap();
            prop_assert_eq!((solution.score, solution.bound), (score, Bound::Exact));
            let above = solver.solve_window(&board, alpha, alpha + 1, &Limits::default()).unwrap();
            prop_assert_eq!(above.score > alpha, score > alpha);
        }
    }

    #[test]
    fn an_estimate_depends_on_board_and_nodes_alone() {
        let mut solver = Solver::with_table(1 << 16).unwrap();
        let mut board = Board::start();
        while !board.moves().is_empty() {
            solver.clear();
            let estimate = solver.estimate(&board, 200, &Limits::default()).unwrap();
            let best = estimate.best.unwrap();
            assert!(board.moves().contains(best) && estimate.depth >= 2, "{estimate:?}");
            assert!(estimate.value.abs() <= 64 * crate::othello::DISC, "{estimate:?}");
            solver.clear();
            assert_eq!(solver.estimate(&board, 200, &Limits::default()), Ok(estimate));
            board = board.play(best).unwrap();
        }
        let limits = Limits { nodes: Some(10), ..Limits::default() };
        let stopped = Solver::new().estimate(&Board::start(), 1_000_000, &limits);
        assert!(matches!(stopped, Err(Interrupted::Nodes { limit: 10, .. })), "{stopped:?}");
    }
}
