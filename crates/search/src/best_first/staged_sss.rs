//! Staged SSS* (Campbell and Marsland 1983): SSS* in stages of a few plies, one list a stage.
//!
//! SSS* searches the top D₁ plies. A LIVE node at that depth is a leaf to it: an SSS* of its own over the
//! next D₂ plies says what it is worth, and so on. Only one list of each stage is alive at a time, so that
//! a tree of width w takes the sum of w^⌈Dᵢ/2⌉ entries instead of w^⌈d/2⌉. The price is that the list of
//! a lower stage is gone when the node turns out to be worth less than another one: a stage is not left
//! before its node is solved.
//!
//! The original was described for two stages. Our version is a reconstruction: any number of stages, the
//! last length repeated to the horizon; a stage begins with the merit of its node instead of ∞, so that it
//! may answer "at least that", and ends as soon as its node is worth no more than a SOLVED MIN node that
//! MAX has above it. With one stage it is SSS*, with stages of one ply it visits what alpha-beta visits.

use std::num::NonZeroUsize;

use super::open_trace::Side;
use super::operator::{Lists, search_with_operator};
use crate::prelude::*;

/// Staged SSS*: stages of a few plies, each with a list of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StagedSss {
    /// D₁, D₂, …: the plies of the stages, the last of them repeated.
    pub stages: Vec<NonZeroUsize>,
}

impl SearchAlgorithm for StagedSss {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "staged-sss",
        usage: "staged-sss:D1+D2",
        name: "Staged SSS*(D1+D2)",
        about: "SSS* in stages of D1, D2, … plies, the last repeated, one list a stage",
        paper: "Campbell and Marsland 1983",
        examples: &["staged-sss:2", "staged-sss:3+2"],
        revisits: false,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<StagedSss, String> {
        let expected = "the plies of its stages, as in `staged-sss:4` or `staged-sss:4+2`";
        Ok(StagedSss { stages: parameters.counts(expected, "a number of plies")? })
    }

    fn parameters(&self) -> String {
        format!(":{}", self.listed())
    }

    fn name(&self) -> String {
        format!("Staged SSS*({})", self.listed())
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let plies = |stage: &NonZeroUsize| u32::try_from(stage.get()).unwrap_or(u32::MAX);
        let stages: Vec<u32> = self.stages.iter().map(plies).collect();
        let lists = Lists { stages: &stages, ..Lists::OPEN };
        search_with_operator(search, root, Side::Max, lists).map(Some)
    }
}

impl StagedSss {
    fn listed(&self) -> String {
        let stages: Vec<String> = self.stages.iter().map(ToString::to_string).collect();
        stages.join("+")
    }
}
