//! A* (Hart, Nilsson and Raphael 1968; Nilsson 1971).
//!
//! Every state that is generated is stored, on OPEN until it is expanded and on CLOSED after that. The
//! state with the least f is expanded next, and when that is a goal, no solution costs less. No other
//! search with the same heuristic can do with fewer expansions, except among states of equal f; but
//! memory ends long before time does.
//!
//! Ties go to the greater g, then to the state that was stored last. If a cheaper path to a CLOSED state
//! turns up, which only happens if the heuristic is not consistent, the state is opened again.

use super::stored_graph::StoredGraph;
use super::{SpaceAlgorithm, SpaceSearch};
use crate::single_agent::prelude::*;

/// A*: best-first, every state stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AStar;

impl SpaceAlgorithm for AStar {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "a-star",
        usage: "a-star",
        name: "A*",
        about: "best-first by f = g + h, all states on OPEN and CLOSED; ties to the greater g",
        paper: "Hart, Nilsson and Raphael 1968",
        examples: &["a-star"],
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<AStar, String> {
        Ok(AStar)
    }

    fn run<S: StateSpace>(&self, search: &mut SpaceSearch<'_, S>) -> Result<(), Stop> {
        let space = search.space;
        let mut graph = StoredGraph::new(space);
        let mut successors = Vec::new();
        search.holds(&graph)?;
        while let Some(selected) = graph.select() {
            search.raise_lower_bound(selected.f);
            if space.is_goal(&selected.state) {
                search.found(selected.g, graph.path(selected.index));
                return Ok(());
            }
            search.count_expansion(graph.bytes())?;
            search.successors(&selected, &mut successors);
            graph.reserve(space, successors.len())?;
            successors.drain(..).for_each(|successor| graph.insert(space, successor));
            search.holds(&graph)?;
        }
        Ok(())
    }
}
