//! Rsearch(M) (Ibaraki 1986): best-first while there is memory, depth-first where there is none.
//!
//! Ibaraki's Rsearch is a family of searches between SSS* and alpha-beta: a state is expanded on OPEN
//! while the store has room, and what is below it is searched depth-first otherwise. Our version is a
//! reconstruction, one member of the family:
//!
//! - the store is OPEN, M states; a LIVE node whose children (or, for a MIN node, its first child's
//!   children) do not fit is searched at once by alpha-beta, and is then SOLVED;
//! - that search has for its beta the merit of the state, and for its alpha the best of the SOLVED MIN
//!   nodes on OPEN whose parents are above it, which MAX has for certain. What fails low takes less than
//!   alpha as its merit, so that the state worth alpha comes before it, also where it stands further to
//!   the right.
//!
//! So Rsearch(∞) visits what SSS* visits and Rsearch(1) what alpha-beta visits, and OPEN never has more
//! than M states.

use std::num::NonZeroUsize;

use super::capacity::{Capacity, WhenFull};
use super::open_trace::Side;
use super::operator::{Lists, search_with_operator};
use crate::prelude::*;

/// Rsearch: SSS* in M entries, and alpha-beta below what does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rsearch {
    /// M, the entries of memory.
    pub entries: NonZeroUsize,
}

impl SearchAlgorithm for Rsearch {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "rsearch",
        usage: "rsearch:M",
        name: "Rsearch(M)",
        about: "SSS* in M entries of memory, alpha-beta below what does not fit",
        paper: "Ibaraki 1986",
        examples: &["rsearch:500"],
        revisits: false,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<Rsearch, String> {
        let expected = "entries of memory, as in `rsearch:50`";
        Ok(Rsearch { entries: parameters.count(expected, "entries of memory")? })
    }

    fn parameters(&self) -> String {
        format!(":{}", self.entries)
    }

    fn name(&self) -> String {
        format!("Rsearch({})", self.entries)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let capacity = Capacity::of(self.entries.get() as u64, WhenFull::SearchDepthFirst);
        let lists = Lists { capacity, ..Lists::OPEN };
        search_with_operator(search, root, Side::Max, lists).map(Some)
    }
}
