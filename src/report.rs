//! What came out, for people and programs: tables, traces, drawings and plots. Nothing here searches.

pub mod drawing;
pub mod plot;
mod story;
mod svg;
mod table;

pub use story::tell;
pub use table::{Align, Table, thousands};
