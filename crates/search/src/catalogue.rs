//! The catalogue: every algorithm by its id.
//!
//! An algorithm is a type that implements [`SearchAlgorithm`], in a file of its own, and a line in
//! the list of its family (`depth_first.rs`, `drivers.rs`, `best_first.rs`, `frontier.rs`,
//! `parallel.rs`).
//! Everything else reads this catalogue: parsing and printing of ids, `plyground algorithms`, the
//! algorithms that `compare` runs by default, the choices that UCI offers, completions, and the
//! tests that compare every algorithm with minimax.

mod parameters;

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use plyground_core::limits::Stop;
use plyground_core::names;
use plyground_core::tree::GameTree;
use plyground_core::value::Value;
use thiserror::Error;

use crate::best_first::BestFirst;
use crate::context::Search;
use crate::depth_first::DepthFirst;
use crate::drivers::Drivers;
use crate::frontier::Frontier;
use crate::mode::Mode;
use crate::node::SearchNode;
use crate::parallel::Parallel;
use crate::play::PlayDriver;

pub(crate) use parameters::guess_parameter;
pub use parameters::{MAX_PROCESSES, Parameters, Partitions};

/// What a search that comes to its end has proved. Whatever compares an algorithm with others reads it
/// here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proves {
    /// The minimax value, and a move that has it.
    Value,
    /// The best move; its value only by chance.
    Move,
    /// The answer to a question: is the value at least v? Without a question of the user's it asks its
    /// own, until the value is known.
    Goal,
    /// Bounds on the value. The move is the best one as far as they tell.
    Bound,
    /// Nothing: it chooses a move by what its evaluations say.
    Nothing,
}

impl Proves {
    /// The word for it, as `plyground algorithms` prints it.
    pub const fn name(self) -> &'static str {
        match self {
            Proves::Value => "value",
            Proves::Move => "move",
            Proves::Goal => "goal",
            Proves::Bound => "bound",
            Proves::Nothing => "nothing",
        }
    }
}

/// What the catalogue says of an algorithm.
#[derive(Clone, Copy, Debug)]
pub struct CatalogueEntry {
    /// The id without parameters, as in `ps`.
    pub id: &'static str,
    /// The id with its parameters, as in `ps:K | ps:1+2+4`.
    pub usage: &'static str,
    /// The name as the papers write it.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    /// Ids that stand for the algorithm by default, in comparisons and in tests. A parallel
    /// algorithm's first example has one thread.
    pub examples: &'static [&'static str],
    /// Does it need a memory, at least a stored search tree of its own? Then it is never compiled
    /// without one.
    pub needs_memory: bool,
    /// May it take the same path twice in one search? If not, every evaluation is of a distinct
    /// leaf, and paths need not be counted.
    pub revisits: bool,
    /// What a search that comes to its end has proved.
    pub proves: Proves,
    /// Does its proof rest on evaluations above the leaves? Then it holds as far as they do; on a tree
    /// that [judges](GameTree::JUDGES) none of its interior nodes it always holds.
    pub trusts_evaluations: bool,
    /// Is its best move an answer whenever it is stopped? Such a search plays with one horizon that it
    /// never reaches, where others deepen.
    pub anytime: bool,
    /// Is it compiled for the rich mode alone? Its own work outweighs what the bare mode saves.
    pub rich_only: bool,
    /// The id of a parallel algorithm's serial form: what it does with one thread. `None` for a
    /// serial algorithm.
    pub serial: Option<&'static str>,
    /// Its driver in selective play, if it has one.
    pub driver: Option<PlayDriver>,
    /// Must a leaf have one value, whoever asks? Then the quiescence search is not told the window.
    pub exact_leaves: bool,
    /// Does it start from a guess: the value of an earlier search?
    pub guesses: bool,
    /// Is it one of those that a first comparison shows, and not a variant of another?
    pub main: bool,
}

impl CatalogueEntry {
    /// The defaults of an entry: a serial algorithm that needs no memory and may visit a leaf
    /// twice.
    pub const SERIAL: CatalogueEntry = CatalogueEntry {
        id: "",
        usage: "",
        name: "",
        about: "",
        paper: "",
        examples: &[],
        needs_memory: false,
        revisits: true,
        proves: Proves::Value,
        trusts_evaluations: false,
        anytime: false,
        rich_only: false,
        serial: None,
        driver: None,
        exact_leaves: false,
        guesses: false,
        main: false,
    };

    /// Is it an algorithm for several threads?
    pub const fn is_parallel(&self) -> bool {
        self.serial.is_some()
    }

    /// Does it search the same fixed tree as others do, so that their counts can be compared node by node?
    /// The others are compared at equal nodes and equal memory.
    pub const fn is_comparable(&self) -> bool {
        matches!(self.proves, Proves::Value | Proves::Move) && !self.anytime
    }

    /// Does a finished search without a question know the minimax value?
    pub const fn tells_value(&self) -> bool {
        matches!(self.proves, Proves::Value | Proves::Goal)
    }

    /// Is the best move of a finished search of a tree like `T` one that has the minimax value?
    pub const fn tells_move<T: GameTree>(&self) -> bool {
        matches!(self.proves, Proves::Value | Proves::Goal | Proves::Move)
            && !(self.trusts_evaluations && T::JUDGES)
    }

    /// Its [examples](field@CatalogueEntry::examples), parsed.
    ///
    /// # Panics
    /// If an example is no id of this algorithm. A test parses them all.
    pub fn examples(&self) -> impl Iterator<Item = Algorithm> {
        self.examples.iter().map(|id| id.parse().expect("the catalogue's examples are ids"))
    }
}

/// The memory that an algorithm cannot do without. A table takes its place where there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryNeeds {
    /// No memory.
    Nothing,
    /// A stored search tree.
    StoredTree,
    /// A stored search tree that threads share.
    SharedTree {
        /// The least height, or distance from the horizon, of the nodes that it keeps.
        from_height: u32,
    },
}

/// An algorithm: its entry in the catalogue, its parameters, and how it searches.
pub trait SearchAlgorithm: Clone + fmt::Debug + Eq + Send + Sync + 'static {
    /// Its entry in the catalogue.
    const ENTRY: CatalogueEntry;

    /// Reads its parameters.
    fn parse(parameters: &mut Parameters<'_>) -> Result<Self, String>;

    /// Its parameters as text, each after a colon: what [`parse`](SearchAlgorithm::parse) reads.
    /// The number of threads, if it has one and nothing else.
    fn parameters(&self) -> String {
        thread_parameter(self.threads())
    }

    /// The name as the papers write it, with the parameters: the entry's, with the number of
    /// threads for its last parameter N.
    fn name(&self) -> String {
        name_with_threads(Self::ENTRY.name, self.threads())
    }

    /// How many threads it runs on; `None` for a serial algorithm.
    fn threads(&self) -> Option<NonZeroUsize> {
        None
    }

    /// The same on this many threads; a serial algorithm stays as it is.
    #[must_use]
    fn with_threads(&self, _threads: NonZeroUsize) -> Self {
        self.clone()
    }

    /// The memory that it needs; nodes nearer to the horizon than `spawn_height` get no thread.
    fn needs(&self, _spawn_height: u32) -> MemoryNeeds {
        MemoryNeeds::Nothing
    }

    /// Searches the tree below `root` and returns its value; `None` if the algorithm proves the
    /// best move and does not know the value.
    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop>;
}

/// The text of a parameter that is the number of threads; nothing for a serial algorithm.
pub(crate) fn thread_parameter(threads: Option<NonZeroUsize>) -> String {
    threads.map_or_else(String::new, |threads| format!(":{threads}"))
}

/// An entry's name with the number of threads for its last parameter N.
pub(crate) fn name_with_threads(name: &str, threads: Option<NonZeroUsize>) -> String {
    match (threads, name.strip_suffix("N)")) {
        (Some(threads), Some(stem)) => format!("{stem}{threads})"),
        _ => name.into(),
    }
}

/// Defines a list of algorithms of one kind: a module for each, an enum of all, and what the catalogue
/// asks of them. `$kind` is the trait of the kind, which has the entry and reads the parameters.
macro_rules! catalogued {
    ($kind:ident; $(#[$doc:meta])* $family:ident: $($module:ident :: $name:ident),+ $(,)?) => {
        $(mod $module;)+
        $(pub use $module::$name;)+

        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum $family {
            $(#[doc = concat!("See [`", stringify!($name), "`](struct@", stringify!($name), ").")]
            $name($name),)+
        }

        const _: () = {
            use std::num::NonZeroUsize;

            use $crate::catalogue::{CatalogueEntry, Parameters};

            impl $family {
                /// What the catalogue says of the whole family.
                pub(crate) const ENTRIES: &'static [CatalogueEntry] =
                    &[$(<$name as $kind>::ENTRY),+];

                /// Reads an algorithm of this family; `None` if the id is none of it.
                pub(crate) fn parse(
                    id: &str,
                    parameters: &mut Parameters<'_>,
                ) -> Option<Result<$family, String>> {
                    $(if id == <$name as $kind>::ENTRY.id {
                        return Some(<$name as $kind>::parse(parameters).map($family::$name));
                    })+
                    None
                }

                /// Its entry in the catalogue.
                pub fn entry(&self) -> CatalogueEntry {
                    match self { $($family::$name(_) => <$name as $kind>::ENTRY),+ }
                }

                pub(crate) fn parameters(&self) -> String {
                    match self { $($family::$name(a) => <$name as $kind>::parameters(a)),+ }
                }

                /// The name as the papers write it.
                pub fn name(&self) -> String {
                    match self { $($family::$name(a) => <$name as $kind>::name(a)),+ }
                }

                /// How many threads it runs on; `None` for a serial algorithm.
                pub fn threads(&self) -> Option<NonZeroUsize> {
                    match self { $($family::$name(a) => <$name as $kind>::threads(a)),+ }
                }

                /// The same on this many threads; a serial algorithm stays as it is.
                #[must_use]
                pub fn with_threads(&self, threads: NonZeroUsize) -> $family {
                    match self {
                        $($family::$name(a) => {
                            $family::$name(<$name as $kind>::with_threads(a, threads))
                        })+
                    }
                }
            }
        };
    };
}

/// Defines a family of algorithms for two players. An algorithm needs a line here and its file.
macro_rules! family {
    ($(#[$doc:meta])* $family:ident: $($module:ident :: $name:ident),+ $(,)?) => {
        catalogued! { SearchAlgorithm; $(#[$doc])* $family: $($module::$name),+ }

        use $crate::catalogue::SearchAlgorithm;

        const _: () = {
            use plyground_core::limits::Stop;
            use plyground_core::tree::GameTree;
            use plyground_core::value::Value;

            use $crate::catalogue::{Algorithm, MemoryNeeds};
            use $crate::context::Search;
            use $crate::mode::Mode;
            use $crate::node::SearchNode;

            impl $family {
                pub(crate) fn needs(&self, spawn_height: u32) -> MemoryNeeds {
                    match self { $($family::$name(a) => a.needs(spawn_height)),+ }
                }

                pub(crate) fn run<T: GameTree, M: Mode>(
                    &self,
                    search: &mut Search<'_, T, M>,
                    root: &SearchNode<T, M>,
                ) -> Result<Option<Value>, Stop> {
                    match self {
                        $($family::$name(a) => {
                            // A constant decides: a mode is compiled for the algorithms that it is for.
                            if !M::RICH
                                && const { !M::KEEPS.is_for(&<$name as SearchAlgorithm>::ENTRY) }
                            {
                                unreachable!("the mode is chosen by what the algorithm needs")
                            } else {
                                a.run(search, root)
                            }
                        })+
                    }
                }
            }

            $(impl From<$name> for Algorithm {
                fn from(algorithm: $name) -> Algorithm {
                    Algorithm::$family($family::$name(algorithm))
                }
            })+
        };
    };
}

/// Defines the enum of all families.
macro_rules! families {
    ($($family:ident),+ $(,)?) => {
        /// An algorithm with its parameters.
        ///
        /// ```
        /// use plyground_search::{Algorithm, algorithms};
        /// let ps: Algorithm = "ps:2".parse().unwrap();
        /// assert_eq!(ps, algorithms::Ps::with_partitions(2).into());
        /// assert_eq!((ps.to_string(), ps.name()), ("ps:2".into(), "PS*(2)".into()));
        /// assert!("ps:0".parse::<Algorithm>().is_err());
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Algorithm {
            $(#[doc = concat!("An algorithm of the family [`", stringify!($family), "`].")]
            $family($family),)+
        }

        /// The entries of all algorithms, family by family.
        pub fn catalogue() -> impl Iterator<Item = &'static CatalogueEntry> + Clone {
            [$($family::ENTRIES),+].into_iter().flatten()
        }

        impl Algorithm {
            /// Its entry in the catalogue.
            pub fn entry(&self) -> CatalogueEntry {
                match self { $(Algorithm::$family(a) => a.entry()),+ }
            }

            /// The name as the papers write it.
            pub fn name(&self) -> String {
                match self { $(Algorithm::$family(a) => a.name()),+ }
            }

            /// Does it search windows down to the leaves? Minimax and the best-first algorithms, whose
            /// processes can be simulated, do not.
            pub(crate) fn searches_windows(&self) -> bool {
                let serial = self.serial();
                let minimax = <crate::algorithms::Minimax as SearchAlgorithm>::ENTRY.id;
                let entry = serial.entry();
                !matches!(serial, Algorithm::BestFirst(_)) && entry.id != minimax && !entry.exact_leaves
            }

            /// How many threads it runs on; `None` for a serial algorithm.
            pub fn threads(&self) -> Option<usize> {
                match self { $(Algorithm::$family(a) => a.threads()),+ }.map(NonZeroUsize::get)
            }

            /// The same on this many threads; a serial algorithm stays as it is.
            #[must_use]
            pub fn with_threads(&self, threads: NonZeroUsize) -> Algorithm {
                match self { $(Algorithm::$family(a) => Algorithm::$family(a.with_threads(threads))),+ }
            }

            /// The memory that it needs where there is no table.
            pub(crate) fn needs(&self, spawn_height: u32) -> MemoryNeeds {
                match self { $(Algorithm::$family(a) => a.needs(spawn_height)),+ }
            }

            pub(crate) fn run<T: GameTree, M: Mode>(
                &self,
                search: &mut Search<'_, T, M>,
                root: &SearchNode<T, M>,
            ) -> Result<Option<Value>, Stop> {
                match self { $(Algorithm::$family(a) => a.run(search, root)),+ }
            }

            fn parameters(&self) -> String {
                match self { $(Algorithm::$family(a) => a.parameters()),+ }
            }

            fn parse(id: &str, parameters: &mut Parameters<'_>) -> Option<Result<Algorithm, String>> {
                $(if let Some(parsed) = $family::parse(id, parameters) {
                    return Some(parsed.map(Algorithm::$family));
                })+
                None
            }
        }
    };
}

families! { DepthFirst, Drivers, BestFirst, Frontier, Parallel }

impl Algorithm {
    /// The serial form of a parallel algorithm: what it does with one thread. A serial algorithm is
    /// its own serial form.
    #[must_use]
    pub fn serial(&self) -> Algorithm {
        let Some(id) = self.entry().serial else { return self.clone() };
        // Its parameters are those after the number of threads.
        let parameters = self.parameters();
        let rest = parameters.get(1..).and_then(|p| p.split_once(':')).map(|(_, rest)| rest);
        let whole = rest.map_or_else(|| id.to_owned(), |rest| format!("{id}:{rest}"));
        // Some parameters are of the parallel form alone.
        whole.parse().or_else(|_| id.parse()).unwrap_or_else(|_| self.clone())
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", self.entry().id, self.parameters()))
    }
}

/// Why a text names no algorithm.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("algorithm `{id}`: {reason}")]
pub struct ParseAlgorithmError {
    /// The text.
    pub id: String,
    /// What is wrong with it and what was expected.
    pub reason: String,
}

/// The id that is meant by a text without parameters: an id or a printed name, whatever its case and
/// marks.
fn meant(
    text: &str,
    entries: impl Iterator<Item = &'static CatalogueEntry> + Clone,
) -> Option<&'static str> {
    names::find(text, entries.clone().map(|entry| entry.id)).or_else(|| {
        let meant = names::find(text, entries.clone().map(bare_name))?;
        entries.clone().find(|entry| bare_name(entry) == meant).map(|entry| entry.id)
    })
}

/// An algorithm's printed name without its parameters: `PS*` of `PS*(K)`, but all of `MTD(f)`.
fn bare_name(entry: &'static CatalogueEntry) -> &'static str {
    let is_parameter = |letter: char| letter.is_ascii_uppercase() || [',', ')'].contains(&letter);
    match entry.name.split_once('(') {
        Some((bare, parameters)) if parameters.chars().all(is_parameter) => bare,
        _ => entry.name,
    }
}

/// Case, hyphens and stars do not matter, and the printed name stands for the id: `AlphaBeta`, `αβ`,
/// `SSS*`, `PS*:2`.
impl FromStr for Algorithm {
    type Err = ParseAlgorithmError;

    fn from_str(text: &str) -> Result<Algorithm, ParseAlgorithmError> {
        read_id(text, Algorithm::parse, catalogue())
    }
}

/// Reads an algorithm's id and its parameters by `parse`; `entries` are the algorithms there are.
pub(crate) fn read_id<A>(
    text: &str,
    parse: impl Fn(&str, &mut Parameters<'_>) -> Option<Result<A, String>>,
    entries: impl Iterator<Item = &'static CatalogueEntry> + Clone,
) -> Result<A, ParseAlgorithmError> {
    let mut words = text.split(':');
    let typed = words.next().unwrap_or_default();
    let id = meant(typed, entries.clone()).unwrap_or(typed);
    let mut parameters = Parameters::of(words);
    let wrong = |reason| ParseAlgorithmError { id: text.into(), reason };
    let algorithm = parse(id, &mut parameters).unwrap_or_else(|| {
        let ids: Vec<&str> = entries.map(|entry| entry.id).collect();
        // The whole list would hide what was meant.
        Err(match names::did_you_mean(typed, ids.iter().copied()) {
            nothing if nothing.is_empty() => {
                format!("no such algorithm; expected one of {}", ids.join(", "))
            }
            suggestion => format!("no such algorithm{suggestion}"),
        })
    });
    match (algorithm, parameters.unread()) {
        (Ok(_), Some(extra)) => Err(wrong(format!("`:{extra}` is more than `{id}` takes"))),
        (algorithm, _) => algorithm.map_err(wrong),
    }
}

#[cfg(test)]
mod tests;
