//! Experiments, tournaments and reports.

pub mod contest;
pub mod experiment;
pub mod report;
