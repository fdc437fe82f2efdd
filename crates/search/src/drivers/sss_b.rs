//! SSS-B (de Bruin, Pijls and Plaat 1994, section 5): bisection between the least possible value -
//! 1 and the greatest + 1.

use super::Driver;
use crate::depth_first::alpha_beta;
use crate::prelude::*;

/// Bisection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SssB;

impl SearchAlgorithm for SssB {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "sss-b",
        usage: "sss-b",
        name: "SSS-B",
        about: "bisection between the bounds, over stored bounds",
        paper: "de Bruin, Pijls and Plaat 1994, section 5",
        examples: &["sss-b"],
        needs_memory: true,
        main: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<SssB, String> {
        Ok(SssB)
    }

    fn needs(&self, _: u32) -> MemoryNeeds {
        MemoryNeeds::StoredTree
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let range = search.tree.value_range();
        let mut driver = Driver::new(search, root, alpha_beta);
        loop {
            let lower = driver.known.lower.max(range.start() - 1);
            let upper = driver.known.upper.min(range.end() + 1);
            let gamma = (lower + upper).div_euclid(2);
            let g = driver.call(gamma - 1, gamma + 1)?;
            if g == gamma || driver.is_contradicted() {
                return Ok(Some(g));
            }
        }
    }
}
