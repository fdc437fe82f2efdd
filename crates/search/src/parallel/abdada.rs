//! ABDADA (Weill 1996): PVS by several threads that share nothing but a memory. See
//! `alpha_beta/abdada.rs`.

use std::num::NonZeroUsize;

use super::alpha_beta::abdada;
use crate::depth_first::pvs;
use crate::prelude::*;

/// ABDADA: PVS by all threads on one memory; each puts off what another is searching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abdada {
    /// N, how many threads.
    pub threads: NonZeroUsize,
}

impl SearchAlgorithm for Abdada {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "abdada",
        usage: "abdada:N",
        name: "ABDADA(N)",
        about: "PVS by N threads on one memory, a table or a stored tree: a sibling that another searches is put off",
        paper: "Weill 1996",
        examples: &["abdada:1", "abdada:2"],
        serial: Some("pvs"),
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<Abdada, String> {
        let threads = parameters.processes("a number of threads, as in `abdada:2`")?;
        Ok(Abdada { threads })
    }

    fn threads(&self) -> Option<NonZeroUsize> {
        Some(self.threads)
    }

    fn with_threads(&self, threads: NonZeroUsize) -> Abdada {
        Abdada { threads }
    }

    /// The memory keeps only nodes that are high enough for a thread.
    fn needs(&self, spawn_height: u32) -> MemoryNeeds {
        match self.threads {
            NonZeroUsize::MIN => MemoryNeeds::Nothing,
            _ => MemoryNeeds::SharedTree { from_height: spawn_height.max(1) },
        }
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        if self.threads == NonZeroUsize::MIN {
            return pvs(search, root, Window::FULL).map(Some);
        }
        abdada::search_together(search, root, self.threads, abdada::RootSearch::Pvs).map(Some)
    }
}
