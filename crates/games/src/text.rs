//! What is wrong with a text, and where: the form that both games' errors share.

use thiserror::Error;

/// Text that could not be read: where, what was found and what was expected.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {problem}")]
pub struct TextError<P> {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1 in characters.
    pub column: usize,
    /// What is wrong there.
    pub problem: P,
}

impl<P> TextError<P> {
    /// A problem after `characters` characters of the first line.
    pub(crate) fn at(characters: usize, problem: P) -> Self {
        Self { line: 1, column: characters + 1, problem }
    }

    /// The same problem in text that begins after `characters` more characters of the line.
    pub(crate) fn shifted(mut self, characters: usize) -> Self {
        self.column += characters;
        self
    }

    /// The same problem on another line.
    #[must_use]
    pub fn on_line(mut self, line: usize) -> Self {
        self.line = line;
        self
    }
}
