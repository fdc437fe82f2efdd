//! PVSplit (Campbell 1981; Marsland and Campbell 1982): PVS whose siblings of the principal
//! variation are shared, from below. See `alpha_beta.rs`.

use std::num::NonZeroUsize;

use super::alpha_beta::{Scheme, search_together};
use crate::depth_first::pvs;
use crate::prelude::*;

/// PVSplit: PVS that shares the siblings of the principal variation among threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PvSplit {
    /// N, how many threads.
    pub threads: NonZeroUsize,
}

impl SearchAlgorithm for PvSplit {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "pvsplit",
        usage: "pvsplit:N",
        name: "PVSplit(N)",
        about: "PVS by N threads: siblings of the principal variation are shared, from below",
        paper: "Marsland and Campbell 1982; Marsland 1991, section 5",
        examples: &["pvsplit:1", "pvsplit:2"],
        serial: Some("pvs"),
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<PvSplit, String> {
        let threads = parameters.processes("a number of threads, as in `pvsplit:2`")?;
        Ok(PvSplit { threads })
    }

    fn threads(&self) -> Option<NonZeroUsize> {
        Some(self.threads)
    }

    fn with_threads(&self, threads: NonZeroUsize) -> PvSplit {
        PvSplit { threads }
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        if self.threads == NonZeroUsize::MIN {
            return pvs(search, root, Window::FULL).map(Some);
        }
        search_together(search, root, self.threads, Scheme::PvSplit).map(Some)
    }
}
