//! Young brothers wait (Feldmann, Monien, Mysliwietz and Vornberger 1989): PVS that shares the
//! siblings of a first child once that has been searched. See `alpha_beta.rs`.

use std::num::NonZeroUsize;

use super::alpha_beta::{Scheme, search_together};
use crate::depth_first::pvs;
use crate::prelude::*;

/// Young brothers wait: PVS that shares the siblings of a first child once that has been searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ybw {
    /// N, how many threads.
    pub threads: NonZeroUsize,
}

impl SearchAlgorithm for Ybw {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "ybw",
        usage: "ybw:N",
        name: "YBW(N)",
        about: "PVS by N threads: young brothers wait for the eldest, then are shared",
        paper: "Feldmann, Monien, Mysliwietz and Vornberger 1990; Marsland 1991, section 5",
        examples: &["ybw:1", "ybw:2"],
        serial: Some("pvs"),
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<Ybw, String> {
        let threads = parameters.processes("a number of threads, as in `ybw:2`")?;
        Ok(Ybw { threads })
    }

    fn threads(&self) -> Option<NonZeroUsize> {
        Some(self.threads)
    }

    fn with_threads(&self, threads: NonZeroUsize) -> Ybw {
        Ybw { threads }
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        if self.threads == NonZeroUsize::MIN {
            return pvs(search, root, Window::FULL).map(Some);
        }
        search_together(search, root, self.threads, Scheme::YoungBrothers).map(Some)
    }
}
