//! MTD(f) by several threads, with young brothers wait. See `alpha_beta.rs`.

use std::num::NonZeroUsize;

use super::alpha_beta::{Scheme, search_together};
use crate::depth_first::alpha_beta;
use crate::drivers::mtd_f;
use crate::prelude::*;

/// MTD(f) that shares the siblings of a first child once that has been searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct YbwMtdF {
    /// N, how many threads.
    pub threads: NonZeroUsize,
}

impl SearchAlgorithm for YbwMtdF {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "ybw-mtd-f",
        usage: "ybw-mtd-f:N",
        name: "YBW MTD(f,N)",
        about: "MTD(f) by N threads: young brothers wait for the eldest, then are shared",
        paper: "Feldmann and others 1990; Plaat, Schaeffer, Pijls and de Bruin 1994",
        examples: &["ybw-mtd-f:1", "ybw-mtd-f:2"],
        serial: Some("mtd-f"),
        needs_memory: true,
        guesses: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<YbwMtdF, String> {
        let threads = parameters.processes("a number of threads, as in `ybw-mtd-f:2`")?;
        Ok(YbwMtdF { threads })
    }

    fn threads(&self) -> Option<NonZeroUsize> {
        Some(self.threads)
    }

    fn with_threads(&self, threads: NonZeroUsize) -> YbwMtdF {
        YbwMtdF { threads }
    }

    fn needs(&self, _: u32) -> MemoryNeeds {
        MemoryNeeds::SharedTree { from_height: 0 }
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let guess = search.guess(None);
        if self.threads == NonZeroUsize::MIN {
            return mtd_f(search, root, guess, alpha_beta).map(Some);
        }
        search_together(search, root, self.threads, Scheme::YoungBrothersMtdF).map(Some)
    }
}
