//! SSS-4 with a step that varies and a wide window at the end, the two variations that its paper names
//! (de Bruin, Pijls and Plaat 1994, section 5).
//!
//! The step doubles as long as the value is still below it, and once the bounds are as near as was asked
//! for, one call with the window between them finds the value.

use super::Driver;
use crate::depth_first::alpha_beta;
use crate::prelude::*;

/// From +∞ down in steps that grow, with a wide window at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sss4Variable {
    /// How far below the first upper bound the next window lies.
    pub step: Value,
    /// Bounds at most this far apart are searched by one wide window.
    pub wide: Value,
}

impl SearchAlgorithm for Sss4Variable {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "sss-4-variable",
        usage: "sss-4-variable:STEP:WIDE",
        name: "SSS-4 variable",
        about: "as SSS-4 in steps that double; one wide window when the bounds are WIDE apart",
        paper: "de Bruin, Pijls and Plaat 1994, section 5",
        examples: &["sss-4-variable:25:100"],
        needs_memory: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<Sss4Variable, String> {
        let step = parameters.value("a step, as in `sss-4-variable:25:100`", 1)?;
        let wide = parameters.value("a width, as in `sss-4-variable:25:100`", 1)?;
        Ok(Sss4Variable { step, wide })
    }

    fn parameters(&self) -> String {
        format!(":{}:{}", self.step, self.wide)
    }

    fn name(&self) -> String {
        format!("SSS-4 variable({}, 2x, wide {})", self.step, self.wide)
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
        let mut gamma = INFINITY;
        let mut step = self.step;
        loop {
            let g = driver.call(gamma - 1, gamma + 1)?;
            let Bounds { lower, upper } = driver.known;
            if g == gamma || lower >= upper || driver.is_contradicted() {
                return Ok(Some(g));
            }
            // Both bounds are far away as long as every call fails low.
            if upper - lower <= self.wide {
                let value = driver.call(lower, upper)?;
                return Ok(Some(value.clamp(lower, upper)));
            }
            gamma = (g - step).max(lower);
            step = (2 * step).min(INFINITY / 4);
        }
    }
}
