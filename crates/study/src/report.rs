//! Results for people and programs: tables, traces, drawings, plots and reports. Nothing here searches.

mod analysis;
pub mod document;
pub mod drawing;
mod page;
pub mod plot;
mod svg;
mod table;
mod trace;
pub mod wrap;

pub use analysis::{ExperimentReport, ReportRow, report};
pub use table::{Align, TextTable, thousands};
pub use trace::{trace_objects, trace_text};
