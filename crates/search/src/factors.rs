//! The factors of a search: choices that every algorithm shares, so that an experiment can vary one of them
//! and leave everything else as it is.
//!
//! All are at their defaults unless an experiment is about them. [`SearchSpec::check`](crate::SearchSpec)
//! refuses a factor that would have no effect.

use std::fmt;
use std::str::FromStr;

use plyground_core::value::Value;
use serde::{Deserialize, Serialize};

/// Choices that are the same for every algorithm of an experiment. Records contain this struct as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default)]
pub struct Factors {
    /// Values of leaves are rounded to multiples of this; 1 leaves them as they are. Mates stay as they are.
    pub grain: u32,
    /// Which iteration's value is the guess of the next one.
    pub guess: GuessFrom,
    /// Are leaves stored in the table?
    pub table_leaves: TableLeaves,
    /// At which depth an entry of the table answers.
    pub table_depth: TableDepth,
    /// Which entry of a full cluster is replaced.
    pub replacement: Replacement,
    /// How many bits of a key tell positions of the same cluster apart; 64 are all.
    pub key_bits: u8,
    /// The window of the quiescence search at a leaf.
    pub quiescence_window: QuiescenceWindow,
    /// What a stored search tree keeps.
    pub store: Store,
}

impl Default for Factors {
    fn default() -> Factors {
        Factors {
            grain: 1,
            guess: GuessFrom::default(),
            table_leaves: TableLeaves::default(),
            table_depth: TableDepth::default(),
            replacement: Replacement::default(),
            key_bits: 64,
            quiescence_window: QuiescenceWindow::default(),
            store: Store::default(),
        }
    }
}

/// Defines a factor with named levels, the first of them the default.
macro_rules! levels {
    ($(#[$doc:meta])* $name:ident, $what:literal: $($(#[$level_doc:meta])* $level:ident = $text:literal),+ $(,)?) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
        )]
        #[serde(rename_all = "kebab-case")]
        pub enum $name {
            $($(#[$level_doc])* $level,)+
        }

        impl $name {
            /// The names of all levels, the default first.
            pub const NAMES: &'static [&'static str] = &[$($text),+];
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(match self { $($name::$level => $text),+ })
            }
        }

        impl FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<$name, String> {
                match text {
                    $($text => Ok($name::$level),)+
                    _ => Err(format!("`{text}`: expected {}: {}", $what, $name::NAMES.join(" or "))),
                }
            }
        }
    };
}

levels! {
    /// Which earlier value an algorithm with a guess starts from, with deepening.
    GuessFrom, "an iteration":
    /// That of the last iteration.
    #[default]
    Previous = "previous",
    /// That of the last iteration whose depth has the same parity: values swing between odd and even
    /// depths.
    Parity = "parity",
}

levels! {
    /// Are leaves stored in the table? They fill it, and save evaluations.
    TableLeaves, "what is done with leaves":
    /// They are.
    #[default]
    Stored = "stored",
    /// They are evaluated each time.
    Evaluated = "evaluated",
}

levels! {
    /// At which distance from the horizon the bounds of an entry count.
    TableDepth, "a depth":
    /// At the same distance only: then all algorithms search the same tree.
    #[default]
    Equal = "equal",
    /// At the same or a greater one, as playing programs do. Values may then differ.
    Greater = "greater",
}

levels! {
    /// Which entry of a full cluster is replaced.
    Replacement, "a rule":
    /// One of an earlier iteration, then the one nearest to the horizon.
    #[default]
    Aged = "aged",
    /// The one that the key names, whatever it holds.
    Always = "always",
    /// The one nearest to the horizon, unless it is farther from it than the new one.
    Deepest = "deepest",
}

levels! {
    /// The window that the quiescence search at a leaf is told.
    QuiescenceWindow, "a window":
    /// None: every leaf has one value, whoever asks.
    #[default]
    Full = "full",
    /// The search's own window: the value of a leaf may then be a bound.
    Search = "search",
}

levels! {
    /// What the stored search tree of the memory test keeps.
    Store, "what is kept":
    /// Every node that was searched.
    #[default]
    All = "all",
    /// No node below one that its own bounds answer for, whatever is asked from now on: the bounds above it
    /// have passed it (de Bruin, Pijls and Plaat 1994, section 6, propose to delete what is irrelevant). The
    /// search visits the same.
    Relevant = "relevant",
}

impl Factors {
    /// Does a search with these factors find the minimax value? Entries of other depths and keys that are
    /// mistaken for others may change it.
    pub fn is_exact(&self) -> bool {
        self.table_depth == TableDepth::Equal && self.key_bits == 64
    }

    /// Those that every algorithm has a use for. The others, the guess, the window of quiescence and what is
    /// stored, are of some algorithms only: searches that differ in them are compared with one another.
    #[must_use]
    pub fn shared(&self) -> Factors {
        let Factors { guess, quiescence_window, store, .. } = Factors::default();
        Factors { guess, quiescence_window, store, ..*self }
    }

    /// Those that only some algorithms have a use for.
    #[must_use]
    pub fn own(&self) -> Factors {
        let Factors { guess, quiescence_window, store, .. } = *self;
        Factors { guess, quiescence_window, store, ..Factors::default() }
    }

    /// Are these the factors of the table alone?
    pub(crate) fn concern_table(&self) -> bool {
        let usual = Factors::default();
        let Factors { table_leaves, table_depth, replacement, key_bits, .. } = *self;
        (table_leaves, table_depth, replacement, key_bits)
            != (usual.table_leaves, usual.table_depth, usual.replacement, usual.key_bits)
    }

    /// The first factor of the table that is not at its default, by the name of its key.
    pub(crate) fn first_of_table(&self) -> &'static str {
        let usual = Factors::default();
        if self.table_leaves != usual.table_leaves {
            "table-leaves"
        } else if self.table_depth != usual.table_depth {
            "table-depth"
        } else if self.replacement != usual.replacement {
            "replacement"
        } else {
            "key-bits"
        }
    }

    /// A value rounded to the grain, half away from 0, so that both sides round alike.
    #[inline]
    pub(crate) fn rounded(self, value: Value) -> Value {
        let grain = self.grain as Value;
        let near = (value.abs() + grain / 2) / grain * grain;
        if value < 0 { -near } else { near }
    }

    /// What differs from the defaults, as words for people; empty if nothing does.
    ///
    /// ```
    /// use plyground_search::Factors;
    /// let factors = Factors { grain: 100, key_bits: 16, ..Factors::default() };
    /// assert_eq!(factors.describe(), "grain 100, keys of 16 bits");
    /// ```
    pub fn describe(&self) -> String {
        let usual = Factors::default();
        let mut words = Vec::new();
        if self.grain != usual.grain {
            words.push(format!("grain {}", self.grain));
        }
        if self.guess != usual.guess {
            words.push(format!("guess by {}", self.guess));
        }
        if self.table_leaves != usual.table_leaves {
            words.push("leaves not stored".into());
        }
        if self.table_depth != usual.table_depth {
            words.push("hits at greater depth".into());
        }
        if self.replacement != usual.replacement {
            words.push(format!("replacement {}", self.replacement));
        }
        if self.key_bits != usual.key_bits {
            words.push(format!("keys of {} bits", self.key_bits));
        }
        if self.quiescence_window != usual.quiescence_window {
            words.push("quiescence in the search's window".into());
        }
        if self.store != usual.store {
            words.push(format!("store {}", self.store));
        }
        words.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_round_alike() {
        let factors = Factors { grain: 100, ..Factors::default() };
        for (value, rounded) in [(0, 0), (49, 0), (50, 100), (149, 100), (150, 200), (1234, 1200)] {
            assert_eq!(factors.rounded(value), rounded);
            assert_eq!(factors.rounded(-value), -rounded);
        }
        let odd = Factors { grain: 3, ..Factors::default() };
        assert_eq!([-2, -1, 0, 1, 2, 4, 5].map(|v| odd.rounded(v)), [-3, 0, 0, 0, 3, 3, 6]);
        assert_eq!(Factors::default().rounded(7), 7);
    }

    #[test]
    fn names_read_back_and_defaults_come_first() {
        assert_eq!("parity".parse(), Ok(GuessFrom::Parity));
        assert_eq!(Replacement::NAMES[0], Replacement::default().to_string());
        let wrong = "both".parse::<TableDepth>().unwrap_err();
        assert_eq!(wrong, "`both`: expected a depth: equal or greater");
        assert!(Factors::default().is_exact() && Factors::default().describe().is_empty());
    }
}
