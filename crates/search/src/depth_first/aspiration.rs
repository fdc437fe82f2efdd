//! Aspiration search (Marsland 1991, section 3.2).
//!
//! A search in a narrow window around a guess. If the value turns out to lie outside, the search is
//! repeated on that side, from the bound that came back. One repetition is enough: if the value is
//! that bound itself, the second search fails too, and returns it.
//!
//! The search inside is fail-soft: alpha-beta as in the survey, or NegaScout, which is what the
//! literature of MTD(f) measures against.

use crate::prelude::*;

use super::alpha_beta;

/// Alpha-beta in a window around a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aspiration {
    /// Half the window's width.
    pub epsilon: Value,
    /// Its middle; by default the value of an earlier search, else 0.
    pub guess: Option<Value>,
}

impl SearchAlgorithm for Aspiration {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "aspiration",
        usage: "aspiration:E[:G]",
        name: "Aspiration",
        about: "alpha-beta in the window G ± E, again from the value that came back if it fails",
        paper: "Marsland 1991, section 3.2",
        examples: &["aspiration:50"],
        guesses: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<Aspiration, String> {
        let epsilon = parameters.value("half the window's width, as in `aspiration:10`", 1)?;
        Ok(Aspiration { epsilon, guess: parameters.guess()? })
    }

    fn parameters(&self) -> String {
        format!(":{}{}", self.epsilon, guess_parameter(self.guess))
    }

    fn name(&self) -> String {
        let guess = self.guess.map_or_else(String::new, |guess| guess.to_string());
        format!("Aspiration({guess}±{})", self.epsilon)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let guess = search.guess(self.guess);
        aspiration(search, root, guess, self.epsilon, alpha_beta).map(Some)
    }
}

/// A fail-soft search of a node in a window.
pub(super) type WindowSearch<T, M> =
    fn(&mut Search<'_, T, M>, &SearchNode<T, M>, Window) -> Result<Value, Stop>;

/// The value of `n` for its mover, by at most two calls of `search_window`.
pub(crate) fn aspiration<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
    guess: Value,
    epsilon: Value,
    search_window: WindowSearch<T, M>,
) -> Result<Value, Stop> {
    let (low, high) = (guess.saturating_sub(epsilon), guess.saturating_add(epsilon));
    let window = Window::new(low.max(-INFINITY), high.min(INFINITY));
    search.pass(window);
    let best = search_window(search, n, window)?;
    let (bounds, again) = if best >= window.beta {
        (Bounds { lower: best, ..Bounds::UNKNOWN }, Window::new(best, INFINITY))
    } else if best <= window.alpha {
        (Bounds { upper: best, ..Bounds::UNKNOWN }, Window::new(-INFINITY, best))
    } else {
        return Ok(best);
    };
    search.narrow_root(bounds);
    search.search_again();
    search.pass(again);
    search_window(search, n, again)
}
