//! Depth-first branch and bound, begun by iterative deepening: DFS* (Rao, Kumar and Korf 1991).
//!
//! Branch and bound goes depth-first, and once it has a solution it cuts off whatever cannot be
//! cheaper. Every state is searched once, and it suits problems whose depth is known, such as the
//! travelling salesman. In a space with cycles it needs a first bound, or the first path never ends.
//! So the search begins like IDA*, but raises the bound by a quarter at least, until an iteration finds
//! a solution; that iteration is branch and bound to its end.
//!
//! The paper leaves the growth of the bound open: ours is max(the least f cut off, 5/4 of the bound).

use super::{SpaceAlgorithm, SpaceSearch};
use crate::single_agent::prelude::*;

/// Depth-first branch and bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BranchAndBound;

impl SpaceAlgorithm for BranchAndBound {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "branch-and-bound",
        usage: "branch-and-bound",
        name: "branch and bound",
        about: "depth-first, each solution bounds the rest; the first bound by deepening in large steps",
        paper: "Rao, Kumar and Korf 1991 (DFS*)",
        examples: &["branch-and-bound"],
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<BranchAndBound, String> {
        Ok(BranchAndBound)
    }

    fn run<S: StateSpace>(&self, search: &mut SpaceSearch<'_, S>) -> Result<(), Stop> {
        // A goal costs at least 1: the start is none.
        search.deepen(|bound, least_cut| least_cut.max(bound + bound / 4), |_, cost| Some(cost - 1))
    }
}
