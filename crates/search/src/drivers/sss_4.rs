//! SSS-4 (de Bruin, Pijls and Plaat 1994, section 5): from +∞ down, in steps below the upper bound.

use super::Driver;
use crate::depth_first::alpha_beta;
use crate::prelude::*;

/// From +∞ down in steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sss4 {
    /// How far below an upper bound the next window lies.
    pub step: Value,
}

impl SearchAlgorithm for Sss4 {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "sss-4",
        usage: "sss-4:STEP",
        name: "SSS-4",
        about: "windows STEP below the upper bound, over stored bounds",
        paper: "de Bruin, Pijls and Plaat 1994, section 5",
        examples: &["sss-4:100"],
        needs_memory: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<Sss4, String> {
        Ok(Sss4 { step: parameters.value("a step, as in `sss-4:50`", 1)? })
    }

    fn parameters(&self) -> String {
        format!(":{}", self.step)
    }

    fn name(&self) -> String {
        format!("SSS-4({})", self.step)
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
            g = driver.call(gamma - 1, gamma + 1)?;
            g = (g - self.step).max(driver.known.lower);
            if g == gamma || driver.is_contradicted() {
                return Ok(Some(g));
            }
        }
    }
}
