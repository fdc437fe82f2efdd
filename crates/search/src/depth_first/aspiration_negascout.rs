//! Aspiration NegaScout: NegaScout in a window around a guess, which is what the literature of
//! MTD(f) measures against (Reinefeld 1989; Plaat, Schaeffer, Pijls and de Bruin 1996).

use crate::prelude::*;

use super::aspiration::aspiration;
use super::negascout::negascout;

/// NegaScout in a window around a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AspirationNegaScout {
    /// Half the window's width.
    pub epsilon: Value,
    /// Its middle; by default the value of an earlier search, else 0.
    pub guess: Option<Value>,
}

impl SearchAlgorithm for AspirationNegaScout {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "aspiration-negascout",
        usage: "aspiration-negascout:E[:G]",
        name: "Aspiration NegaScout",
        about: "NegaScout in the window G ± E, again from the value that came back if it fails",
        paper: "Reinefeld 1989; Plaat, Schaeffer, Pijls and de Bruin 1996",
        examples: &["aspiration-negascout:50"],
        guesses: true,
        main: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<AspirationNegaScout, String> {
        let epsilon =
            parameters.value("half the window's width, as in `aspiration-negascout:10`", 1)?;
        Ok(AspirationNegaScout { epsilon, guess: parameters.guess()? })
    }

    fn parameters(&self) -> String {
        format!(":{}{}", self.epsilon, guess_parameter(self.guess))
    }

    fn name(&self) -> String {
        let guess = self.guess.map_or_else(String::new, |guess| guess.to_string());
        format!("Aspiration NegaScout({guess}±{})", self.epsilon)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let guess = search.guess(self.guess);
        aspiration(search, root, guess, self.epsilon, negascout::<T, M, 0>).map(Some)
    }
}
