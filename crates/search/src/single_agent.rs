//! One player: the searches of state spaces.
//!
//! [`solve`] runs any algorithm of [`single_agent::catalogue`](catalogue) on any [`StateSpace`]. A
//! [`SolveSpec`] says how: within which limits, on threads or simulated. Counting, limits, stopping,
//! teams of threads and the catalogue's entries are those of the searches for two players.
//!
//! ```
//! use plyground_core::space::{Cost, StateSpace};
//! use plyground_search::single_agent::{SolveSpec, solve};
//!
//! /// From 1 to a number, by doubling and by adding 1.
//! struct Doubling(u32);
//!
//! impl StateSpace for Doubling {
//!     type State = u32;
//!     type Action = bool;
//!     type Actions = std::array::IntoIter<bool, 2>;
//!
//!     fn start(&self) -> u32 {
//!         1
//!     }
//!     fn is_goal(&self, &n: &u32) -> bool {
//!         n == self.0
//!     }
//!     fn heuristic(&self, &n: &u32) -> Cost {
//!         (self.0 != n).into()
//!     }
//!     fn actions(&self, _: &u32, _: Option<bool>) -> Self::Actions {
//!         [true, false].into_iter()
//!     }
//!     fn successor(&self, &n: &u32, doubled: bool) -> (u32, Cost) {
//!         (if doubled { n.wrapping_mul(2) } else { n.wrapping_add(1) }, 1)
//!     }
//!     fn key(&self, &n: &u32) -> u64 {
//!         n.into()
//!     }
//! }
//!
//! let solution = solve(&Doubling(10), &SolveSpec::new(&"ida".parse()?));
//! assert_eq!((solution.cost, solution.path), (Some(4), vec![true, true, false, true]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An algorithm is a type that implements [`SpaceAlgorithm`], in a file of its own, and a line in the
//! list below.

mod context;
mod depth_first;
mod outcome;
mod prelude;
mod processes;
mod spec;
mod stored_graph;

/// Defines the list of algorithms. An algorithm needs a line in it and its file.
macro_rules! space_algorithms {
    ($(#[$doc:meta])* $family:ident: $($module:ident :: $name:ident),+ $(,)?) => {
        catalogued! { SpaceAlgorithm; $(#[$doc])* $family: $($module::$name),+ }

        impl $family {
            /// Can it find all optimal solutions?
            fn finds_all(&self) -> bool {
                match self { $($family::$name(_) => <$name as SpaceAlgorithm>::FINDS_ALL),+ }
            }

            fn run<S: StateSpace>(&self, search: &mut SpaceSearch<'_, S>) -> Result<(), Stop> {
                match self { $($family::$name(algorithm) => algorithm.run(search)),+ }
            }
        }

        $(impl From<$name> for $family {
            fn from(algorithm: $name) -> $family {
                $family::$name(algorithm)
            }
        })+
    };
}

space_algorithms! {
    /// A search for one player, with its parameters.
    ///
    /// ```
    /// use plyground_search::single_agent::{Pida, SingleAgent};
    /// let pida: SingleAgent = "pida:4".parse().unwrap();
    /// assert_eq!((pida.to_string(), pida.name()), ("pida:4".into(), "PIDA*(4)".into()));
    /// assert!("pida:0".parse::<SingleAgent>().is_err());
    /// ```
    SingleAgent:
    a_star::AStar,
    ida::Ida,
    rbfs::Rbfs,
    bounded_a_star::BoundedAStar,
    branch_and_bound::BranchAndBound,
    pida::Pida,
    window::ParallelWindow,
    pia::Pia,
}

pub use context::SpaceSearch;
pub use outcome::{BoundIteration, Improvement, Solution, SolveCounts};
pub use spec::{SolveOptions, SolveSpec, SolveSpecError};

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use plyground_core::limits::Stop;
use plyground_core::space::StateSpace;

use crate::catalogue::{
    CatalogueEntry, Parameters, ParseAlgorithmError, name_with_threads, read_id, thread_parameter,
};

/// An algorithm for one player: its entry in the catalogue, its parameters, and how it searches.
pub trait SpaceAlgorithm: Clone + fmt::Debug + Eq + Send + Sync + 'static {
    /// Its entry in the catalogue.
    const ENTRY: CatalogueEntry;

    /// Can it find all optimal solutions? Others stop at the first one.
    const FINDS_ALL: bool = false;

    /// Reads its parameters.
    fn parse(parameters: &mut Parameters<'_>) -> Result<Self, String>;

    /// Its parameters as text, each after a colon: what [`parse`](SpaceAlgorithm::parse) reads. The
    /// number of threads, if it has one and nothing else.
    fn parameters(&self) -> String {
        thread_parameter(self.threads())
    }

    /// The name as the papers write it, with the parameters.
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

    /// Searches until a solution is found and proved optimal, or there is none. What it finds it
    /// tells the context.
    fn run<S: StateSpace>(&self, search: &mut SpaceSearch<'_, S>) -> Result<(), Stop>;
}

/// The entries of all searches for one player.
pub fn catalogue() -> impl Iterator<Item = &'static CatalogueEntry> + Clone {
    SingleAgent::ENTRIES.iter()
}

/// The ids that stand for each algorithm by default, in comparisons and tests.
pub fn examples() -> impl Iterator<Item = SingleAgent> {
    catalogue().flat_map(|entry| entry.examples.iter().filter_map(|id| id.parse().ok()))
}

impl fmt::Display for SingleAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", self.entry().id, self.parameters()))
    }
}

impl FromStr for SingleAgent {
    type Err = ParseAlgorithmError;

    fn from_str(text: &str) -> Result<SingleAgent, ParseAlgorithmError> {
        read_id(text, SingleAgent::parse, catalogue())
    }
}

/// Searches `space` as `spec` says. A search that reaches a limit has a solution too: what it knows
/// by then.
pub fn solve<S: StateSpace>(space: &S, spec: &SolveSpec) -> Solution<S::Action> {
    let mut search = SpaceSearch::new(space, spec);
    let result = spec.algorithm().run(&mut search);
    search.solution(result)
}

#[cfg(test)]
mod tests;
