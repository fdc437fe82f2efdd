//! What came out, for people and programs: tables, traces, drawings, plots and reports. Nothing here
//! searches.

mod analysis;
pub mod document;
pub mod drawing;
mod page;
pub mod plot;
mod svg;
mod table;
mod trace;

pub use analysis::{Report, Row, report};
pub use table::{Align, Table, thousands};
pub use trace::trace_text;
