//! Where in a text something is wrong, and what: the form of both games' errors.

use thiserror::Error;

/// Text that could not be read: where the problem is, and the problem itself, which says what was
/// found and what was expected.
///
/// ```
/// use plyground_games::chess::Board;
///
/// let error = Board::from_fen("8/8/8/8/8/8/8 w - - 0 1").unwrap_err();
/// assert_eq!((error.line, error.column), (1, 1));
/// assert!(error.to_string().contains("the board has 7 ranks: expected 8"));
/// ```
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
    /// A problem that is preceded by `characters` characters on the first line.
    pub(crate) fn at(characters: usize, problem: P) -> Self {
        Self { line: 1, column: characters + 1, problem }
    }

    /// The same problem, where the text read begins `characters` characters into its line.
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
