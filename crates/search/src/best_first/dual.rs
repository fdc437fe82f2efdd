//! DUAL* (Marsland, Reinefeld and Schaeffer 1987): SSS* with the sides exchanged.

use super::open_trace::Side;
use super::operator::{Lists, search_with_operator};
use crate::prelude::*;

/// DUAL*: SSS* with the sides exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dual;

impl SearchAlgorithm for Dual {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "dual",
        usage: "dual",
        name: "DUAL*",
        about: "SSS* with the sides exchanged",
        paper: "Marsland, Reinefeld and Schaeffer 1987",
        examples: &["dual"],
        revisits: false,
        main: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<Dual, String> {
        Ok(Dual)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        search_with_operator(search, root, Side::Min, Lists::OPEN).map(Some)
    }
}
