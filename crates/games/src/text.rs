//! What the texts of both games have in common: where in a text something is wrong, and the tags of a
//! game.

use std::collections::BTreeMap;

use thiserror::Error;

/// The tags of a game, each a name and a value, in the order in which they were first set. A name is
/// found without looking at the other tags, because a file may have millions of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tags {
    list: Vec<(String, String)>,
    /// The place of a name in the list.
    places: BTreeMap<String, usize>,
}

impl Tags {
    pub(crate) const fn new() -> Self {
        Self { list: Vec::new(), places: BTreeMap::new() }
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.places.get(name).map(|&place| self.list[place].1.as_str())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.list.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Sets a tag; one that there is keeps its place.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        match self.places.get(name) {
            Some(&place) => value.clone_into(&mut self.list[place].1),
            None => {
                self.places.insert(name.to_owned(), self.list.len());
                self.list.push((name.to_owned(), value.to_owned()));
            }
        }
    }
}

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

    /// A problem that is preceded by `characters` characters of a text.
    pub(crate) fn within(text: &str, characters: usize, problem: P) -> Self {
        let after = |(line, column), letter| match letter {
            '\n' => (line + 1, 1),
            _ => (line, column + 1),
        };
        let (line, column) = text.chars().take(characters).fold((1, 1), after);
        Self { line, column, problem }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// So many tags that looking at all of them for each would not end.
    #[test]
    fn tags_keep_their_order_however_many_there_are() {
        let mut tags = Tags::new();
        let names = || (0..500_000).map(|number| format!("T{number}"));
        for round in ["first", "second"] {
            for name in names() {
                tags.set(&name, round);
            }
        }
        assert!(tags.iter().map(|(name, _)| name.to_owned()).eq(names()));
        assert!(tags.iter().all(|(_, value)| value == "second"));
        assert_eq!((tags.get("T77"), tags.get("T500000")), (Some("second"), None));
    }
}
