//! The memory functions: what a search may remember from node to node.

use std::fmt;
use std::str::FromStr;

use bitflags::bitflags;
use thiserror::Error;

bitflags! {
    /// The memory functions of a search: what it remembers from node to node. Each can be switched
    /// on by itself, so that experiments can measure what it is worth.
    ///
    /// As text, functions are joined by `+`; `none` and `all` are names too.
    ///
    /// ```
    /// use plyground_search::MemoryFunctions;
    /// let memory: MemoryFunctions = "table+history".parse().unwrap();
    /// assert_eq!(memory, MemoryFunctions::TABLE | MemoryFunctions::HISTORY);
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct MemoryFunctions: u8 {
        /// The transposition table: bounds and best moves of positions, whichever moves led to
        /// them.
        const TABLE = 1;
        /// The history table: which moves were best most often, anywhere in the tree.
        const HISTORY = 2;
        /// Killer moves: the last two moves that cut off at the same ply.
        const KILLERS = 4;
        /// The refutation table: the best path below each move at the root, from the iteration
        /// before.
        const REFUTATION = 8;
        /// Counter-moves: the last move that cut off after the same move of the other side.
        const COUNTERMOVES = 16;
        /// Enhanced transposition cut-offs: before any child is searched, the table is asked
        /// whether one of them is enough for a cut-off.
        const ETC = 32;
    }
}

const NAMES: [(&str, MemoryFunctions); 6] = [
    ("table", MemoryFunctions::TABLE),
    ("history", MemoryFunctions::HISTORY),
    ("killers", MemoryFunctions::KILLERS),
    ("refutation", MemoryFunctions::REFUTATION),
    ("countermoves", MemoryFunctions::COUNTERMOVES),
    ("etc", MemoryFunctions::ETC),
];

/// Why a text names no memory functions.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("memory `{text}`: {reason}")]
pub struct ParseMemoryFunctionsError {
    /// The text.
    pub text: String,
    /// What is wrong with it and what was expected.
    pub reason: String,
}

impl FromStr for MemoryFunctions {
    type Err = ParseMemoryFunctionsError;

    fn from_str(text: &str) -> Result<MemoryFunctions, ParseMemoryFunctionsError> {
        let wrong = |reason: String| ParseMemoryFunctionsError { text: text.into(), reason };
        match text {
            "none" => return Ok(MemoryFunctions::empty()),
            "all" => return Ok(MemoryFunctions::all()),
            _ => {}
        }
        let mut functions = MemoryFunctions::empty();
        for part in text.split('+') {
            let Some((_, function)) = NAMES.iter().find(|(name, _)| *name == part) else {
                let names = NAMES.map(|(name, _)| name).join(", ");
                return Err(wrong(format!(
                    "`{part}` is no memory function; expected none, all, or some of {names} joined \
                     by `+`"
                )));
            };
            if functions.contains(*function) {
                return Err(wrong(format!("`{part}` is named twice")));
            }
            functions |= *function;
        }
        if functions.contains(MemoryFunctions::ETC) && !functions.contains(MemoryFunctions::TABLE) {
            return Err(wrong("`etc` asks the table: expected `table+etc`".into()));
        }
        Ok(functions)
    }
}

impl fmt::Display for MemoryFunctions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.pad("none");
        }
        let names = NAMES.iter().filter(|(_, function)| self.contains(*function));
        f.pad(&names.map(|(name, _)| *name).collect::<Vec<_>>().join("+"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_read_back() {
        for text in ["none", "table", "history", "table+history", "table+killers+etc"] {
            assert_eq!(text.parse::<MemoryFunctions>().unwrap().to_string(), text);
        }
        assert_eq!("all".parse::<MemoryFunctions>().unwrap(), MemoryFunctions::all());
        let all = "table+history+killers+refutation+countermoves+etc";
        assert_eq!(MemoryFunctions::all().to_string(), all);
        for (wrong, expected) in [
            ("", "`` is no memory function"),
            ("tables", "expected none, all, or some of table, history"),
            ("table+table", "twice"),
            ("none+table", "`none` is no memory function"),
            ("etc", "`table+etc`"),
        ] {
            let message = wrong.parse::<MemoryFunctions>().unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
    }
}
