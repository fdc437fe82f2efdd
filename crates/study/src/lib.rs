//! Experiments, tournaments and reports.

pub mod experiment;
pub mod laboratory;
pub mod report;
pub mod tournament;
