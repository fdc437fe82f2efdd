//! What to search for, besides the tree and the algorithm.

use std::fmt;

use serde::Deserialize;

use super::order::Functions;
use crate::table::TableSize;
use plyground_core::limits::Limits;
use plyground_core::value::Value;

/// How stored bounds are updated when the memory test leaves a node: the solution-tree paper does
/// not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Update {
    /// From the value returned, by the window clipped to the bounds: SSS-2 then visits exactly the
    /// leaves of SSS*, in the same order.
    #[default]
    Clipped,
    /// Both bounds are recomputed from the children: the paper's Maxsearch, which visits a subset.
    Maxsearch,
}

/// What to search, besides the tree and the algorithm.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The horizon: nodes at this ply are leaves.
    pub depth: u32,
    /// What may stop the search.
    pub limits: Limits,
    /// How the memory test updates bounds.
    pub update: Update,
    /// The value of an earlier search, for algorithms that start from a guess and were given none.
    pub guess: Option<Value>,
    /// Searches to depth 1, 2, … up to `depth`, each beginning with the best move of the one before
    /// it and with its value for a guess.
    pub deepening: bool,
    /// The memory functions that are switched on.
    pub memory: Functions,
    /// The size of the table.
    pub table: TableSize,
    /// Searches with many processes are simulated: time is counted in leaves, the outcome's terminal
    /// count.
    pub simulate: bool,
    /// The least height of a node that may get a process.
    pub spawn_height: u32,
}

/// The least height of a node that may get a process, where the tree is not a small one: that of
/// Bhattacharya and Bagchi's experiments.
pub const SPAWN_HEIGHT: u32 = 4;

impl Options {
    /// A search to this depth without limits.
    pub fn to_depth(depth: u32) -> Options {
        Options { depth, ..Options::default() }
    }
}

impl fmt::Display for Update {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Update::Clipped => "clipped",
            Update::Maxsearch => "maxsearch",
        })
    }
}
