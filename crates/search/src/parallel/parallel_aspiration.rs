//! Parallel aspiration (Baudet 1978): each processor searches the whole tree with a window of its own.
//!
//! The windows are disjoint and hold all values together: the tree's range of values in equal parts. One
//! of them holds the value, and its processor knows it; a narrow window cuts off more. But the minimal
//! tree has to be searched even with the narrowest window, so the speed-up has a limit of about 5 to 6
//! however many processors there are. It is the base line for schemes that share work.

use super::SchemeMemory;
use super::alpha_beta::{Independence, Policy};
use crate::prelude::*;

scheme! {
    /// Parallel aspiration: alpha-beta by all processors, each with a window of its own.
    ParallelAspiration: Policy { independence: Independence::OwnWindow, ..Policy::ALPHA_BETA },
    SchemeMemory::Nothing,
    CatalogueEntry {
        id: "parallel-aspiration",
        usage: "parallel-aspiration:N",
        name: "Parallel aspiration(N)",
        about: "αβ by N processors, each with a part of the range of values for its window",
        paper: "Baudet 1978; Marsland 1991, section 4.2",
        examples: &["parallel-aspiration:1", "parallel-aspiration:2"],
        serial: Some("alpha-beta"),
        ..CatalogueEntry::SERIAL
    },
}
