//! MTD(bi): null windows that halve what is left between the bounds (Plaat, Schaeffer, Pijls and de Bruin
//! 1996; C* of Coplan 1982).
//!
//! SSS-B begins in the middle of all possible values and has windows of one value; this one begins at a
//! guess and has null windows.

use super::Driver;
use crate::depth_first::alpha_beta;
use crate::prelude::*;

/// Null windows from a guess, then bisection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MtdBi {
    /// The first guess; by default the value of an earlier search, else 0.
    pub guess: Option<Value>,
}

impl SearchAlgorithm for MtdBi {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "mtd-bi",
        usage: "mtd-bi[:G]",
        name: "MTD(bi)",
        about: "a null window at a first guess G, then bisection between the bounds",
        paper: "Coplan 1982; Plaat, Schaeffer, Pijls and de Bruin 1996",
        examples: &["mtd-bi"],
        needs_memory: true,
        guesses: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<MtdBi, String> {
        Ok(MtdBi { guess: parameters.guess()? })
    }

    fn parameters(&self) -> String {
        guess_parameter(self.guess)
    }

    fn name(&self) -> String {
        match self.guess {
            None => Self::ENTRY.name.into(),
            Some(guess) => format!("MTD(bi from {guess})"),
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
        let range = search.tree.value_range();
        let mut driver = Driver::new(search, root, alpha_beta);
        let (mut lower, mut upper) = (range.start() - 1, range.end() + 1);
        let mut beta = guess.clamp(lower + 1, upper);
        loop {
            let g = driver.call(beta - 1, beta)?;
            if g < beta {
                upper = g;
            } else {
                lower = g;
            }
            if lower >= upper {
                return Ok(Some(g));
            }
            // Rounded up, so that it is above the lower bound and at most the upper one.
            beta = lower + (upper - lower + 1) / 2;
        }
    }
}
