//! Parallel PS*: phased search by several processes, as Srimani and Marsland suggest. See
//! `processes.rs`.

use std::num::NonZeroUsize;

use super::processes::search_with_processes;
use crate::catalogue::Partitions;
use crate::prelude::*;

/// Parallel PS*: phased search by several processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParPs {
    /// N, the most processes that run at once.
    pub threads: NonZeroUsize,
    /// How a MAX node's children are divided.
    pub partitions: Partitions,
}

impl SearchAlgorithm for ParPs {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "parps",
        usage: "parps:N:K | parps:N:1+2+4",
        name: "PARPS*(N,K)",
        about: "phased search by N processes, partitions side by side",
        paper: "suggested by Srimani and Marsland 1986",
        examples: &["parps:1:2", "parps:8:2"],
        serial: Some("ps"),
        revisits: false,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<ParPs, String> {
        let threads = parameters.processes("processes and partitions, as in `parps:4:2`")?;
        let expected = "a number of partitions, as in `parps:4:2`";
        Ok(ParPs { threads, partitions: parameters.partitions(expected)? })
    }

    fn parameters(&self) -> String {
        format!(":{}:{}", self.threads, self.partitions)
    }

    fn name(&self) -> String {
        format!("PARPS*({},{})", self.threads, self.partitions)
    }

    fn threads(&self) -> Option<NonZeroUsize> {
        Some(self.threads)
    }

    fn with_threads(&self, threads: NonZeroUsize) -> ParPs {
        ParPs { threads, ..self.clone() }
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let partitions = self.partitions.clone();
        search_with_processes(search, root, self.threads, partitions, None).map(Some)
    }
}
