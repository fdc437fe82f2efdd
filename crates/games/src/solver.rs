//! Exact endgames: the score of an Othello position under best play to the last disc.
//!
//! The search asks yes-or-no questions only ("is the score above 4?"), and the driver asks them on
//! both sides of a good guess until the bounds meet (see the module `root`). What a question costs
//! depends on the order of moves; `search`, `order` and `guess` say what is done for it.
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

mod crew;
mod evaluate;
mod guess;
mod last;
mod order;
mod root;
mod search;
mod table;

use std::time::{Duration, Instant};

use thiserror::Error;

use crate::othello::{Board, Square, dispatch};
use plyground_core::limits::Limits;
use root::Solve;
use search::{Halt, Patience};
pub use table::{Known, Table};

/// Why there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Interrupted {
    /// The stop flag was raised.
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

/// What a score is worth if the search had a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score is exact.
    Exact,
    /// The score is at least this: it reached the window's upper end.
    AtLeast,
    /// The score is at most this: it did not get above the window's lower end.
    AtMost,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The mover's discs less the other's at the end, empties given to the winner.
    pub score: i32,
    /// Whether the score is exact: always, unless a window was given.
    pub bound: Bound,
    /// A move that reaches the score; `None` is a pass, the end of the game, or no move known
    /// because the score is only [`Bound::AtMost`] this.
    pub best: Option<Square>,
    /// Best play to the end of the game, a pass being `None`; empty unless the score is exact.
    pub pv: Vec<Option<Square>>,
    /// Positions entered, the last empties included.
    pub nodes: u64,
}

/// Solves endgames, and remembers from one position to the next.
#[derive(Debug)]
pub struct Solver {
    memory: Memory,
}

/// The tables of a solver: facts of four kinds, which must not be mixed.
#[derive(Debug)]
struct Memory {
    /// Exact bounds, far from the end.
    far: Table,
    /// Exact bounds near the end: many boards, soon forgotten, in a table that stays in the cache.
    near: Table,
    /// The same for each helping thread.
    helpers: Vec<Table>,
    /// Bounds of searches with forward pruning: no proof, but good moves.
    hints: Table,
    /// Values of shallow searches with the evaluator.
    guesses: Table,
}

impl Memory {
    fn tables(&mut self) -> impl Iterator<Item = &mut Table> {
        let tables = [&mut self.far, &mut self.near, &mut self.hints, &mut self.guesses];
        tables.into_iter().chain(&mut self.helpers)
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Solver {
    /// The bytes of the table near the end: what a processor core keeps close.
    const NEAR_BYTES: usize = 1 << 18;

    /// A solver with a table of 16 MiB, which is enough for 23 empties and faster there than a larger one,
    /// since it stays in the cache.
    #[must_use]
    pub fn new() -> Self {
        Self::with_table(1 << 24)
    }

    /// A solver whose table takes about so many bytes, a quarter more for guesses and hints, and
    /// 256 KiB for the last empties.
    #[must_use]
    pub fn with_table(bytes: usize) -> Self {
        Self {
            memory: Memory {
                far: Table::with_bytes(bytes),
                near: Table::with_bytes(Self::NEAR_BYTES),
                helpers: Vec::new(),
                hints: Table::with_bytes(bytes / 8),
                guesses: Table::with_bytes(bytes / 8),
            },
        }
    }

    /// How many threads search from now on, at least one. They find the same score; with more than
    /// one, a best move and its line may be others that reach it, and the nodes differ from run to
    /// run.
    pub fn set_threads(&mut self, threads: usize) {
        let helpers = threads.max(1) - 1;
        self.memory.helpers.resize_with(helpers, || Table::with_bytes(Self::NEAR_BYTES));
    }

    /// Forgets everything, so that the next search is as if it were the first.
    pub fn clear(&mut self) {
        self.memory.tables().for_each(Table::clear);
    }

    /// The score, a best move and best play to the end.
    pub fn solve(&mut self, board: &Board, limits: &Limits) -> Result<Solution, Interrupted> {
        self.solve_window(board, -64, 64, limits)
    }

    /// As [`solve`](Self::solve), but a score at or beyond an end of the window is only a bound,
    /// which [`Solution::bound`] tells. An empty window counts as the one from `alpha` to
    /// `alpha + 1`.
    pub fn solve_window(
        &mut self,
        board: &Board,
        alpha: i32,
        beta: i32,
        limits: &Limits,
    ) -> Result<Solution, Interrupted> {
        self.memory.tables().for_each(Table::grow_old);
        let alpha = alpha.clamp(-65, 64);
        let beta = beta.clamp(alpha + 1, 65);
        let patience = Patience {
            flag: &limits.flag,
            nodes: limits.nodes.unwrap_or(u64::MAX),
            until: limits.time.and_then(|time| Instant::now().checked_add(time)),
        };
        dispatch(Solve { memory: &self.memory, board: *board, alpha, beta, patience }).map_err(
            |(halt, nodes)| match halt {
                // Nothing is above the root that could cut it off.
                Halt::Stopped | Halt::Cut => Interrupted::Stopped { nodes },
                Halt::Nodes => {
                    Interrupted::Nodes { nodes, limit: limits.nodes.unwrap_or(u64::MAX) }
                }
                Halt::Time => Interrupted::Time { nodes, limit: limits.time.unwrap_or_default() },
            },
        )
    }
}
