//! MTD(step): null windows that move away from the bound by steps (Plaat, Schaeffer, Pijls and de Bruin
//! 1996, MTD(step); Shams, Kaindl and Horacek 1991 grow the steps).
//!
//! MTD(f) tests the bound that the last call brought back. Where values lie far from the guess, many calls
//! go by in small steps. Here a call that fails again on the same side makes the next one a step beyond
//! the bound, and every further one a step twice as large; where the side changes, the value is between two
//! bounds, and the steps begin anew.

use super::Driver;
use crate::depth_first::alpha_beta;
use crate::prelude::*;

/// Null windows from a guess, in steps that grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MtdStep {
    /// The first step beyond a bound.
    pub step: Value,
    /// The first guess; by default the value of an earlier search, else 0.
    pub guess: Option<Value>,
}

impl SearchAlgorithm for MtdStep {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "mtd-step",
        usage: "mtd-step:STEP[:G]",
        name: "MTD(step)",
        about: "null windows from a first guess G, STEP, 2 STEP, 4 STEP, … beyond the bound",
        paper: "Plaat, Schaeffer, Pijls and de Bruin 1996; Shams, Kaindl and Horacek 1991",
        examples: &["mtd-step:50"],
        needs_memory: true,
        guesses: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<MtdStep, String> {
        let step = parameters.value("a step, as in `mtd-step:50`", 1)?;
        Ok(MtdStep { step, guess: parameters.guess()? })
    }

    fn parameters(&self) -> String {
        format!(":{}{}", self.step, guess_parameter(self.guess))
    }

    fn name(&self) -> String {
        match self.guess {
            None => format!("MTD(step {})", self.step),
            Some(guess) => format!("MTD(step {} from {guess})", self.step),
        }
    }

    fn needs(&self, _: u32) -> MemoryNeeds {
        MemoryNeeds::StoredTree
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let guess = search.guess(self.guess);
        let mut driver = Driver::new(search, root, alpha_beta);
        let mut beta = guess.max(1 - INFINITY);
        // 0 at first and after a change of sides: then the bound itself is tested, as by MTD(f).
        let (mut step, mut failed_high) = (0, None);
        loop {
            let g = driver.call(beta - 1, beta)?;
            let high = g >= beta;
            // The stored tree may know more than the call brought back.
            let Bounds { lower, upper } = driver.known;
            if lower == upper {
                return Ok(Some(lower));
            }
            if driver.is_contradicted() {
                return Ok(Some(g));
            }
            step = match failed_high {
                Some(side) if side == high => self.step.max((2 * step).min(INFINITY / 4)),
                _ => 0,
            };
            failed_high = Some(high);
            beta = match high {
                true => (lower + 1 + step).min(upper),
                false => (upper - step).max(lower + 1),
            };
        }
    }
}
