//! Dual-2 (de Bruin, Pijls and Plaat 1994, section 4): DUAL* as null windows from -∞ up.

use super::Driver;
use crate::depth_first::alpha_beta;
use crate::prelude::*;

/// DUAL* as null windows from -∞ up over stored bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dual2;

impl SearchAlgorithm for Dual2 {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "dual-2",
        usage: "dual-2",
        name: "Dual-2",
        about: "null windows from -∞ up over stored bounds: visits what DUAL* visits",
        paper: "de Bruin, Pijls and Plaat 1994, section 4",
        examples: &["dual-2"],
        needs_memory: true,
        main: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<Dual2, String> {
        Ok(Dual2)
    }

    fn needs(&self, _: u32) -> MemoryNeeds {
        MemoryNeeds::StoredTree
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let mut driver = Driver::new(search, root, alpha_beta);
        let mut g = -INFINITY;
        loop {
            let gamma = g;
            g = driver.call(gamma, gamma + 1)?;
            if g == gamma || driver.is_contradicted() {
                return Ok(Some(g));
            }
        }
    }
}
