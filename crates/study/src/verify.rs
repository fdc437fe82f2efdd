//! The figures that the documents print, and whether they still come out.
//!
//! A document says in a *mark* how its figures are computed: an HTML comment, which a reader of the page
//! does not see. It names a command, and for each figure, as it is printed, how it is read off what the
//! command prints:
//!
//! ```text
//! The positions 40 to 44 take 97 million nodes.
//! <!-- verify
//! run = "plyground solve positions/ffo.obf --lines 40..44 --json"
//! figures."97 million" = "sum nodes"
//! -->
//! ```
//!
//! The figure itself says its interval: `97 million` is from 96.5 to 97.5 million, `22 to 29` and
//! `2.05 ± 0.12` are intervals as they stand; a mark may widen it. An [`Example`], a command with the
//! output that the document shows, needs no mark. A number that looks like a measurement and is in no mark
//! is found by [`Document::unmarked`]. What a document is and what its marks may say: [`Document`]; how
//! figures are read off: [`Reading`].

mod document;
mod example;
mod interval;
mod mark;
mod reading;

pub use document::{Document, UnmarkedNumber};
pub use example::{Example, shell_words};
pub use interval::Interval;
pub use mark::{Figure, Mark, Part};
pub use reading::Reading;

/// What is wrong with a document or its marks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{document}, line {line}: {reason}")]
pub struct DocumentError {
    /// The document's name.
    pub document: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what was expected.
    pub reason: String,
}
