//! PVSplit (Campbell 1981; Marsland and Campbell 1982): PVS that shares only at the nodes of the leftmost
//! path, the principal variation, where all processors work together; what is shared is searched
//! serially.
//!
//! With a depth, `pvsplit:N:D`, it shares only the nodes above that depth, as in the first parallel chess
//! program (Newborn 1985), which split the tree down to a common depth of 2 from the root.

use std::num::NonZeroUsize;

use super::alpha_beta::{Policy, search_together};
use crate::prelude::*;

/// PVSplit: PVS that shares the siblings of the principal variation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PvSplit {
    /// N, how many processors.
    pub threads: NonZeroUsize,
    /// D, the common depth: nodes at this ply and below are not shared.
    pub depth: Option<NonZeroUsize>,
}

impl SearchAlgorithm for PvSplit {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "pvsplit",
        usage: "pvsplit:N | pvsplit:N:D",
        name: "PVSplit(N)",
        about: "PVS by N threads that share the siblings of the principal variation, above depth D",
        paper: "Marsland and Campbell 1982; Newborn 1985; Marsland 1991, section 4.2",
        examples: &["pvsplit:1", "pvsplit:2"],
        serial: Some("pvs"),
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<PvSplit, String> {
        let threads = parameters.processes("a number of threads, as in `pvsplit:2`")?;
        let depth = match parameters.unread() {
            None => None,
            Some(_) => Some(parameters.count("a depth, as in `pvsplit:2:3`", "a depth")?),
        };
        Ok(PvSplit { threads, depth })
    }

    fn parameters(&self) -> String {
        let depth = self.depth.map_or_else(String::new, |depth| format!(":{depth}"));
        format!(":{}{depth}", self.threads)
    }

    fn name(&self) -> String {
        let depth = self.depth.map_or_else(String::new, |depth| format!(",{depth}"));
        format!("PVSplit({}{depth})", self.threads)
    }

    fn threads(&self) -> Option<NonZeroUsize> {
        Some(self.threads)
    }

    fn with_threads(&self, threads: NonZeroUsize) -> PvSplit {
        PvSplit { threads, ..*self }
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let policy = Policy {
            may_share: |candidate| candidate.left && candidate.searched > 0,
            common_depth: self.depth.map_or(u32::MAX, |depth| depth.get() as u32),
            ..Policy::PVS
        };
        search_together(search, root, self.threads, &policy).map(Some)
    }
}
