//! A* in bounded memory: the counterpart of ITERSSS*(M), by the idea of MREC (Sen and Bagchi 1989).
//!
//! It is A* until M states are stored. From then on the state that A* would expand next is not expanded
//! into memory; a depth-first search below it, with its f as the bound, looks for a goal. If there is
//! none, the least f that was cut off becomes the state's new f, and it goes back on OPEN. So the states
//! in memory are never forgotten, and what is below them is deepened like IDA*, each part only as far as
//! its turn comes. With ample memory this is A*, with M = 1 it is IDA*.
//!
//! MREC is defined as a recursion; the order in which this version visits states is our choice.

use std::num::NonZeroUsize;

use super::depth_first::{DepthFirst, Pause};
use super::stored_graph::StoredGraph;
use super::{SpaceAlgorithm, SpaceSearch};
use crate::single_agent::prelude::*;

/// A* in a memory of M states, depth-first below them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundedAStar {
    /// M, the most states that are stored, the path of the depth-first search aside.
    pub states: NonZeroUsize,
}

impl BoundedAStar {
    /// With room for a thousand states: enough to be quick, too little for a 15-puzzle.
    pub fn usual() -> BoundedAStar {
        BoundedAStar { states: NonZeroUsize::MIN.saturating_add(999) }
    }
}

impl SpaceAlgorithm for BoundedAStar {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "bounded-a-star",
        usage: "bounded-a-star:M",
        name: "bounded A*(M)",
        about: "A* while fewer than M states are stored, then depth-first below the best of them",
        paper: "after Sen and Bagchi 1989 (MREC)",
        examples: &["bounded-a-star:1", "bounded-a-star:1000", "bounded-a-star:100000"],
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<BoundedAStar, String> {
        let expected = "a number of states in memory, as in `bounded-a-star:1000`";
        Ok(BoundedAStar { states: parameters.count(expected, "a number of states in memory")? })
    }

    fn parameters(&self) -> String {
        format!(":{}", self.states)
    }

    fn name(&self) -> String {
        format!("bounded A*({})", self.states)
    }

    fn run<S: StateSpace>(&self, search: &mut SpaceSearch<'_, S>) -> Result<(), Stop> {
        let space = search.space;
        let mut graph = StoredGraph::new(space);
        let mut below = DepthFirst::new();
        let mut successors = Vec::new();
        let mut full = false;
        search.holds(&graph)?;
        while let Some(selected) = graph.select() {
            search.raise_lower_bound(selected.f);
            if space.is_goal(&selected.state) {
                search.found(selected.g, graph.path(selected.index));
                return Ok(());
            }
            if !full {
                search.successors(&selected, &mut successors);
                full = graph.len() + successors.len() > self.states.get();
            }
            if full {
                // What did not fit is generated again below.
                search.tally.children -= successors.drain(..).count() as u64;
                let (index, bound) = (selected.index, selected.f);
                below.begin(space, (selected.state, selected.g, selected.action), bound);
                let pause = search.advance(&mut below)?;
                let deepest = below.deepest();
                let bytes = graph.bytes() + DepthFirst::<S>::bytes(deepest);
                search.stores(graph.len() as u64 + deepest, bytes);
                if let Pause::Goal { cost, last } = pause {
                    let path = graph.path(index).into_iter();
                    search.found(cost, path.chain(below.path()).chain([last]).collect());
                    return Ok(());
                }
                if below.least_cut < UNREACHABLE {
                    graph.put_back(index, below.least_cut);
                }
                continue;
            }
            search.count_expansion(graph.bytes())?;
            graph.reserve(space, successors.len())?;
            successors.drain(..).for_each(|successor| graph.insert(space, successor));
            search.holds(&graph)?;
        }
        Ok(())
    }
}
