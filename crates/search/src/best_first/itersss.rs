//! ITERSSS*(M) (Bhattacharya and Bagchi 1986; 1990, section 5 with one process): SSS* in M entries
//! of memory. A node whose children do not fit becomes INACTIVE until they do.

use std::num::NonZeroUsize;

use super::capacity::{Capacity, WhenFull};
use super::open_trace::Side;
use super::operator::{Lists, search_with_operator};
use crate::prelude::*;

/// ITERSSS*: SSS* in restricted memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IterSss {
    /// M, the entries of memory.
    pub entries: NonZeroUsize,
}

impl SearchAlgorithm for IterSss {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "itersss",
        usage: "itersss:M",
        name: "ITERSSS*(M)",
        about: "SSS* in M entries of memory",
        paper: "Bhattacharya and Bagchi 1986 and 1990, section 5",
        examples: &["itersss:500"],
        revisits: false,
        main: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<IterSss, String> {
        let expected = "entries of memory, as in `itersss:50`";
        Ok(IterSss { entries: parameters.count(expected, "entries of memory")? })
    }

    fn parameters(&self) -> String {
        format!(":{}", self.entries)
    }

    fn name(&self) -> String {
        format!("ITERSSS*({})", self.entries)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let capacity = Capacity::of(self.entries.get() as u64, WhenFull::Deactivate);
        let lists = Lists { capacity, ..Lists::OPEN };
        search_with_operator(search, root, Side::Max, lists).map(Some)
    }
}
