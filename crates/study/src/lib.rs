//! Experiments, tournaments and reports.

pub mod contest;
pub mod experiment;
pub mod laboratory;
pub mod report;
