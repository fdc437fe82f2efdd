//! INS, informed NegaScout (Marsland, Reinefeld and Schaeffer 1987, "Low overhead alternatives to SSS*").
//!
//! NegaScout searches a sibling again when the null-window test says that it is better, and has forgotten
//! by then what the test found. INS keeps it: every node that was visited has its bounds in a stored search
//! tree, and a second search of the node begins with them. So no leaf is evaluated twice, a node that the
//! test has decided is not entered again, and a window that the bounds narrow cuts off more.
//!
//! The paper keeps the nodes of the current subtree in a directory and orders a second search by it. Our
//! version is a reconstruction: it keeps the whole tree that was visited, as the drivers of the memory test
//! do, and does not change the order of moves, so that it visits no leaf that NegaScout does not visit.

use super::negascout::negascout;
use crate::prelude::*;

/// Informed NegaScout: NegaScout over stored bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ins;

impl SearchAlgorithm for Ins {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "ins",
        usage: "ins",
        name: "INS",
        about: "informed NegaScout: a second search begins with the bounds that the test has found",
        paper: "Marsland, Reinefeld and Schaeffer 1987",
        examples: &["ins"],
        needs_memory: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<Ins, String> {
        Ok(Ins)
    }

    fn needs(&self, _: u32) -> MemoryNeeds {
        MemoryNeeds::StoredTree
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        negascout::<T, M, 0>(search, root, Window::FULL).map(Some)
    }
}
