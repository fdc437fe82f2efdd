//! SSS-0 (de Bruin, Pijls and Plaat 1994, section 5): windows of one value from a guess, until it
//! is confirmed.

use super::Driver;
use crate::depth_first::alpha_beta;
use crate::prelude::*;

/// From a guess, with windows of one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sss0 {
    /// The first guess; by default the value of an earlier search, else 0.
    pub guess: Option<Value>,
}

impl SearchAlgorithm for Sss0 {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "sss-0",
        usage: "sss-0[:G]",
        name: "SSS-0",
        about: "windows of one value from a first guess G, over stored bounds",
        paper: "de Bruin, Pijls and Plaat 1994, section 5",
        examples: &["sss-0"],
        needs_memory: true,
        guesses: true,
        main: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<Sss0, String> {
        Ok(Sss0 { guess: parameters.guess()? })
    }

    fn parameters(&self) -> String {
        guess_parameter(self.guess)
    }

    fn name(&self) -> String {
        match self.guess {
            None => Self::ENTRY.name.into(),
            Some(guess) => format!("SSS-0({guess})"),
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
        let mut g = search.guess(self.guess);
        let mut driver = Driver::new(search, root, alpha_beta);
        loop {
            let gamma = g;
            g = driver.call(gamma - 1, gamma + 1)?;
            if g == gamma || driver.is_contradicted() {
                return Ok(Some(g));
            }
        }
    }
}
