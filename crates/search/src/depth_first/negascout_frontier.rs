//! NegaScout with its pruning near the frontier (Reinefeld 1983; Marsland 1991, section 3.5).
//!
//! In the last two plies a null window that fails high brings back the exact value, because every leaf that
//! it depends on was evaluated: the second search is left out, without error. The leaves must be worth the
//! same whoever asks, so a quiescence search that is told the window cannot be combined with it.

use super::negascout::{FRONTIER, negascout};
use crate::prelude::*;

/// NegaScout without second searches near the frontier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NegaScoutFrontier;

impl SearchAlgorithm for NegaScoutFrontier {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "negascout-frontier",
        usage: "negascout-frontier",
        name: "NegaScout, frontier",
        about: "NegaScout that does not search again in the last two plies",
        paper: "Reinefeld 1983; Marsland 1991, section 3.5",
        examples: &["negascout-frontier"],
        exact_leaves: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<NegaScoutFrontier, String> {
        Ok(NegaScoutFrontier)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        negascout::<T, M, FRONTIER>(search, root, Window::FULL).map(Some)
    }
}
