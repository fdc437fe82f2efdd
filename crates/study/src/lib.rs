//! Experiments, the papers, tournaments and reports.

pub mod experiment;
pub mod laboratory;
pub mod paper;
pub mod report;
pub mod tournament;
