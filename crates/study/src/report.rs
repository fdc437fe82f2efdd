//! What came out, for people and programs: tables, traces, drawings, plots and reports. Nothing here
//! searches.

mod analysis;
pub mod document;
pub mod drawing;
mod page;
pub mod plot;
mod story;
mod svg;
mod table;

pub use analysis::{Report, Row, report};
pub use story::tell;
pub use table::{Align, Table, thousands};
