//! Phased search PS*(k) (Srimani and Marsland 1986 and 1987): SSS* that puts the children of a MAX
//! node on OPEN one partition at a time.
//!
//! The partitions may be equal, as in the papers, of sizes that grow or shrink from phase to phase, or,
//! `ps:auto`, as large as the limit on bytes allows when they begin: SSS* while there is memory, and more
//! and more like alpha-beta as it runs out. The last two are our own.

use std::num::NonZeroUsize;

use super::open_trace::Side;
use super::operator::{Lists, search_with_operator};
use crate::catalogue::Partitions;
use crate::prelude::*;

/// Phased search, PS*: SSS* that takes the children of a MAX node one partition at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ps {
    /// How the children of a MAX node are divided.
    pub partitions: Partitions,
}

impl Ps {
    /// PS*(k): every MAX node in `k` partitions, at least one.
    pub fn with_partitions(k: usize) -> Ps {
        Ps { partitions: Partitions::Count(NonZeroUsize::new(k).unwrap_or(NonZeroUsize::MIN)) }
    }
}

impl SearchAlgorithm for Ps {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "ps",
        usage: "ps:K | ps:1+2+4 | ps:auto",
        name: "PS*(K)",
        about: "phased search: MAX nodes in K partitions, in partitions of given sizes, or as bytes allow",
        paper: "Srimani and Marsland 1986 and 1987",
        examples: &["ps:2", "ps:4", "ps:1+2+4+8", "ps:8+4+2+1", "ps:auto"],
        revisits: false,
        main: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<Ps, String> {
        let expected = "a number of partitions (`ps:2`), their sizes (`ps:1+2+4`) or `auto`";
        Ok(Ps { partitions: parameters.partitions_or_auto(expected)? })
    }

    fn parameters(&self) -> String {
        format!(":{}", self.partitions)
    }

    fn name(&self) -> String {
        format!("PS*({})", self.partitions)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let lists = Lists { partitions: &self.partitions, backup: true, ..Lists::OPEN };
        search_with_operator(search, root, Side::Max, lists).map(Some)
    }
}
