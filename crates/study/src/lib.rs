//! Experiments, tournaments and reports.

pub mod experiment;
pub mod report;
pub mod tournament;
