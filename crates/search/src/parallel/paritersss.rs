//! PARITERSSS*(N, M) (Bhattacharya and Bagchi 1990, section 5): SSS* by several processes, each in
//! M entries of memory.

use std::num::NonZeroUsize;

use super::processes::search_with_processes;
use crate::catalogue::Partitions;
use crate::prelude::*;

/// PARITERSSS*: SSS* by several processes in restricted memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParIterSss {
    /// N, the most processes that run at once.
    pub threads: NonZeroUsize,
    /// M, the entries of memory of each process.
    pub entries: NonZeroUsize,
}

impl SearchAlgorithm for ParIterSss {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "paritersss",
        usage: "paritersss:N:M",
        name: "PARITERSSS*(N,M)",
        about: "SSS* by N processes in M entries of memory each",
        paper: "Bhattacharya and Bagchi 1990, section 5",
        examples: &["paritersss:1:500", "paritersss:8:500"],
        serial: Some("itersss"),
        revisits: false,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<ParIterSss, String> {
        let threads = parameters.processes("processes and entries, as in `paritersss:4:50`")?;
        let expected = "entries of memory for each process, as in `paritersss:4:50`";
        Ok(ParIterSss { threads, entries: parameters.count(expected, "entries of memory")? })
    }

    fn parameters(&self) -> String {
        format!(":{}:{}", self.threads, self.entries)
    }

    fn name(&self) -> String {
        format!("PARITERSSS*({},{})", self.threads, self.entries)
    }

    fn threads(&self) -> Option<NonZeroUsize> {
        Some(self.threads)
    }

    fn with_threads(&self, threads: NonZeroUsize) -> ParIterSss {
        ParIterSss { threads, ..*self }
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let entries = Some(self.entries);
        search_with_processes(search, root, self.threads, Partitions::ONE, entries).map(Some)
    }
}
