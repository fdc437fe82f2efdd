//! IDA*, iterative-deepening A* (Korf 1985).
//!
//! A depth-first search that goes no further where f exceeds a bound. If it finds no goal, the least f
//! that it cut off is the next bound: in the 15-puzzle always 2 more. It stores its path and nothing
//! else. States are searched again in every iteration, but where the tree grows exponentially the last
//! iteration outweighs all before. Where every path has an f of its own, as in the travelling salesman
//! problem, an iteration adds hardly more than one state, and the same search is made very many times.
//!
//! Korf counted states *generated*: the start once, and in each iteration every successor except that
//! of the move back, those above the bound included. With the blank moving up, left, right, down in
//! this order his counts come out exactly.

use super::{SpaceAlgorithm, SpaceSearch};
use crate::single_agent::prelude::*;

/// Iterative-deepening A*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ida;

impl SpaceAlgorithm for Ida {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "ida",
        usage: "ida",
        name: "IDA*",
        about: "depth-first below a bound on f, which grows until a goal is found",
        paper: "Korf 1985",
        examples: &["ida"],
        ..CatalogueEntry::SERIAL
    };
    const FINDS_ALL: bool = true;

    fn parse(_: &mut Parameters<'_>) -> Result<Ida, String> {
        Ok(Ida)
    }

    fn run<S: StateSpace>(&self, search: &mut SpaceSearch<'_, S>) -> Result<(), Stop> {
        let all = search.spec.all();
        search.deepen(|_, least_cut| least_cut, |bound, _| all.then_some(bound))
    }
}
