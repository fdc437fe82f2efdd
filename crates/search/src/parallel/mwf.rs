//! Mandatory work first (Akl, Barnard and Doran 1982). See `alpha_beta/mandatory.rs`.

use std::num::NonZeroUsize;

use super::alpha_beta::{Scheme, search_together};
use crate::depth_first::alpha_beta;
use crate::prelude::*;

/// Mandatory work first: alpha-beta after what has to be searched in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mwf {
    /// N, how many threads.
    pub threads: NonZeroUsize,
}

impl SearchAlgorithm for Mwf {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "mwf",
        usage: "mwf:N",
        name: "MWF(N)",
        about: "mandatory work first: left children and first children of right ones at once, then αβ",
        paper: "Akl, Barnard and Doran 1982; Marsland 1991, section 5",
        examples: &["mwf:1", "mwf:2"],
        serial: Some("alpha-beta"),
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<Mwf, String> {
        let threads = parameters.processes("a number of threads, as in `mwf:2`")?;
        Ok(Mwf { threads })
    }

    fn threads(&self) -> Option<NonZeroUsize> {
        Some(self.threads)
    }

    fn with_threads(&self, threads: NonZeroUsize) -> Mwf {
        Mwf { threads }
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        if self.threads == NonZeroUsize::MIN {
            return alpha_beta(search, root, Window::FULL).map(Some);
        }
        search_together(search, root, self.threads, Scheme::MandatoryFirst).map(Some)
    }
}
