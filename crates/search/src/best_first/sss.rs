//! SSS* (Stockman 1979): best-first over OPEN, states by merit, ties leftmost (Campbell 1981). Its
//! operator is PS*'s with one partition.

use super::open_trace::Side;
use super::operator::{Lists, search_with_operator};
use crate::prelude::*;

/// Stockman's SSS* with an OPEN list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sss;

impl SearchAlgorithm for Sss {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "sss",
        usage: "sss",
        name: "SSS*",
        about: "best-first over OPEN, states by merit, ties leftmost",
        paper: "Stockman 1979; Campbell 1981",
        examples: &["sss"],
        revisits: false,
        main: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<Sss, String> {
        Ok(Sss)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        search_with_operator(search, root, Side::Max, Lists::OPEN).map(Some)
    }
}
