//! MTD(f) by several threads in the manner of ABDADA. See `alpha_beta/abdada.rs`.

use std::num::NonZeroUsize;

use super::alpha_beta::abdada;
use crate::depth_first::alpha_beta;
use crate::drivers::mtd_f;
use crate::prelude::*;

/// MTD(f) by all threads on one memory; each puts off what another is searching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AbdadaMtdF {
    /// N, how many threads.
    pub threads: NonZeroUsize,
}

impl SearchAlgorithm for AbdadaMtdF {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "abdada-mtd-f",
        usage: "abdada-mtd-f:N",
        name: "ABDADA MTD(f,N)",
        about: "MTD(f) by N threads in the same way",
        paper: "Weill 1996; Plaat, Schaeffer, Pijls and de Bruin 1994",
        examples: &["abdada-mtd-f:1", "abdada-mtd-f:2"],
        serial: Some("mtd-f"),
        needs_memory: true,
        guesses: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<AbdadaMtdF, String> {
        let threads = parameters.processes("a number of threads, as in `abdada-mtd-f:2`")?;
        Ok(AbdadaMtdF { threads })
    }

    fn threads(&self) -> Option<NonZeroUsize> {
        Some(self.threads)
    }

    fn with_threads(&self, threads: NonZeroUsize) -> AbdadaMtdF {
        AbdadaMtdF { threads }
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
        abdada::search_together(search, root, self.threads, abdada::RootSearch::MtdF).map(Some)
    }
}
