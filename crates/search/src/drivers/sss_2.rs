//! SSS-2 (de Bruin, Pijls and Plaat 1994, section 4): SSS* as null windows from +∞ down.

use super::Driver;
use crate::depth_first::alpha_beta;
use crate::prelude::*;

/// SSS* as null windows from +∞ down over stored bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sss2;

impl SearchAlgorithm for Sss2 {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "sss-2",
        usage: "sss-2",
        name: "SSS-2",
        about: "null windows from +∞ down over stored bounds: visits what SSS* visits",
        paper: "de Bruin, Pijls and Plaat 1994, section 4",
        examples: &["sss-2"],
        needs_memory: true,
        main: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<Sss2, String> {
        Ok(Sss2)
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
        let mut g = INFINITY;
        loop {
            let gamma = g;
            g = driver.call(gamma - 1, gamma)?;
            if g == gamma || driver.is_contradicted() {
                return Ok(Some(g));
            }
        }
    }
}
