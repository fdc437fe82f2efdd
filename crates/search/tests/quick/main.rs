//! The quick tests of this crate from outside, on trees that the core alone provides: they compile no
//! game, so they can be run against every mutant of the crate (`.ci/mutants`).

mod agreement;
mod counts;
mod factors;
mod frontier;
mod maze;
mod play;
mod simulated;
mod watched;
