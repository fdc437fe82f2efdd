//! MTD(f) (Plaat, Schaeffer, Pijls and de Bruin 1994): null windows from a first guess, until the
//! bounds meet.

use super::Driver;
use crate::depth_first::alpha_beta;
use crate::play::PlayDriver;
use crate::prelude::*;

/// Null windows from a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MtdF {
    /// The first guess; by default the value of an earlier search, else 0.
    pub guess: Option<Value>,
}

impl SearchAlgorithm for MtdF {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "mtd-f",
        usage: "mtd-f[:G]",
        name: "MTD(f)",
        about: "null windows from a first guess G, over stored bounds",
        paper: "Plaat, Schaeffer, Pijls and de Bruin 1994",
        examples: &["mtd-f"],
        driver: Some(PlayDriver::MtdF),
        needs_memory: true,
        guesses: true,
        main: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<MtdF, String> {
        Ok(MtdF { guess: parameters.guess()? })
    }

    fn parameters(&self) -> String {
        guess_parameter(self.guess)
    }

    fn name(&self) -> String {
        match self.guess {
            None => Self::ENTRY.name.into(),
            Some(guess) => format!("MTD({guess})"),
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
        let (mut lower, mut upper) = (-INFINITY, INFINITY);
        while lower < upper {
            let beta = if g == lower { g + 1 } else { g };
            g = driver.call(beta - 1, beta)?;
            if g < beta {
                upper = g;
            } else {
                lower = g;
            }
        }
        Ok(Some(g))
    }
}
