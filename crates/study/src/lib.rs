//! Experiments, the papers, tournaments and reports.

pub mod contest;
pub mod experiment;
pub mod paper;
pub mod report;
