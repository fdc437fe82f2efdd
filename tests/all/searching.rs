//! How the tests search: trees of the laboratory and real games by the code that the program runs,
//! other trees by one instance that is compiled for the tests.

use plyground::chess::Chess;
use plyground::game::Game;
use plyground::laboratory;
use plyground::othello::Othello;
use plyground::search::{Algorithm, Options, Outcome, SearchError, SearchSpec, Watcher, Workspace};
use plyground::tree::{Explicit, GameTree, Synthetic};

/// A tree that tests search.
pub trait Searched: GameTree {
    /// One search.
    fn searched(
        &self,
        spec: &SearchSpec,
        watch: Option<Watcher>,
    ) -> Result<Outcome<Self::Move>, SearchError>;
}

impl Searched for Explicit {
    fn searched(
        &self,
        spec: &SearchSpec,
        watch: Option<Watcher>,
    ) -> Result<Outcome<u32>, SearchError> {
        laboratory::search(&self.clone().into(), spec, watch)
    }
}

impl Searched for Synthetic {
    fn searched(
        &self,
        spec: &SearchSpec,
        watch: Option<Watcher>,
    ) -> Result<Outcome<u32>, SearchError> {
        laboratory::search(&self.clone().into(), spec, watch)
    }
}

impl Searched for Othello {
    fn searched(
        &self,
        spec: &SearchSpec,
        watch: Option<Watcher>,
    ) -> Result<Outcome<Self::Move>, SearchError> {
        Othello::search(self, &mut Workspace::new(), spec, watch)
    }
}

impl Searched for Chess {
    fn searched(
        &self,
        spec: &SearchSpec,
        watch: Option<Watcher>,
    ) -> Result<Outcome<Self::Move>, SearchError> {
        Chess::search(self, &mut Workspace::new(), spec, watch)
    }
}

/// The search that options ask for. Tests ask for a height of processes whatever the algorithm.
pub fn spec(algorithm: &Algorithm, options: &Options) -> SearchSpec {
    let parallel = algorithm.threads().is_some();
    let spawn_height = options.spawn_height.filter(|_| parallel);
    SearchSpec::check(algorithm, Options { spawn_height, ..options.clone() })
        .unwrap_or_else(|error| panic!("{algorithm}: {error}"))
}

/// One search; paths are not told apart.
pub fn search<T: Searched>(
    tree: &T,
    algorithm: &Algorithm,
    options: &Options,
) -> Result<Outcome<T::Move>, SearchError> {
    tree.searched(&spec(algorithm, options), None)
}

/// One search in which distinct paths are told apart.
pub fn counted<T: Searched>(
    tree: &T,
    algorithm: &Algorithm,
    options: &Options,
) -> Result<Outcome<T::Move>, SearchError> {
    tree.searched(&spec(algorithm, options).counting_paths(true), None)
}
