//! PARSSS*(N) (Bhattacharya and Bagchi 1990, section 3): SSS* by several processes.

use std::num::NonZeroUsize;

use super::processes::search_with_processes;
use crate::catalogue::Partitions;
use crate::prelude::*;

/// PARSSS*: SSS* by several processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParSss {
    /// N, the most processes that run at once.
    pub threads: NonZeroUsize,
}

impl SearchAlgorithm for ParSss {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "parsss",
        usage: "parsss:N",
        name: "PARSSS*(N)",
        about: "SSS* by N processes with OPEN lists of their own, on threads or simulated",
        paper: "Bhattacharya and Bagchi 1990, section 3",
        examples: &["parsss:1", "parsss:2", "parsss:8"],
        serial: Some("sss"),
        revisits: false,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<ParSss, String> {
        let threads = parameters.processes("a number of processes, as in `parsss:4`")?;
        Ok(ParSss { threads })
    }

    fn threads(&self) -> Option<NonZeroUsize> {
        Some(self.threads)
    }

    fn with_threads(&self, threads: NonZeroUsize) -> ParSss {
        ParSss { threads }
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        search_with_processes(search, root, self.threads, Partitions::ONE, None).map(Some)
    }
}
