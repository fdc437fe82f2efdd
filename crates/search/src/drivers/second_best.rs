//! Second-best search (de Bruin, Pijls and Plaat 1994, section 7): the best move without its value.
//!
//! The child with the highest f⁺ is tested against the next highest f⁺, u₂. Either it is worth u₂,
//! and is the best; or its f⁺ falls, and another child may have the highest.

use super::root_children::prove_best;
use crate::prelude::*;

/// The best move, proved better than the second best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecondBest;

impl SearchAlgorithm for SecondBest {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "second-best",
        usage: "second-best",
        name: "Second-best",
        about: "the best move without its value: the child with the highest f⁺ against the next",
        paper: "de Bruin, Pijls and Plaat 1994, section 7",
        examples: &["second-best"],
        proves: Proves::Move,
        needs_memory: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<SecondBest, String> {
        Ok(SecondBest)
    }

    fn needs(&self, _: u32) -> MemoryNeeds {
        MemoryNeeds::StoredTree
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        prove_best(search, root, |children| {
            loop {
                let c = children.highest();
                let u2 = children.highest_but(c);
                if children.bounds(c).lower >= u2 {
                    return Ok(c);
                }
                children.test(c, u2)?;
            }
        })
    }
}
