//! Every algorithm against minimax, on any tree. Our games and the examples are tested with it, and
//! so can any other game be.

use plyground_core::tree::{GameTree, MoveList};
use plyground_core::value::Value;
use thiserror::Error;

use crate::table::TableSize;
use crate::{
    Algorithm, MemoryFunctions, Options, SearchError, SearchSpec, Workspace, algorithms, catalogue,
    search_in,
};

/// An algorithm whose result is not that of minimax.
#[derive(Clone, Debug, Error)]
pub enum Disagreement {
    /// It found another value.
    #[error("{search} to depth {depth}: {found:?} where minimax finds {expected}")]
    Value {
        /// The algorithm, and the memory functions if it had any.
        search: String,
        /// The depth.
        depth: u32,
        /// What it found.
        found: Option<Value>,
        /// What it should have found.
        expected: Value,
    },
    /// Its best move is not worth the value.
    #[error("{search} to depth {depth}: the best move {best} is worth {found}, not {expected}")]
    Move {
        /// The algorithm, and the memory functions if it had any.
        search: String,
        /// The depth.
        depth: u32,
        /// The move.
        best: String,
        /// What it is worth.
        found: Value,
        /// What it should be worth.
        expected: Value,
    },
    /// It found no best move although there are moves.
    #[error("{search} to depth {depth}: no best move")]
    NoMove {
        /// The algorithm, and the memory functions if it had any.
        search: String,
        /// The depth.
        depth: u32,
    },
    /// The search has no outcome.
    #[error("{search} to depth {depth}: {error}")]
    Failed {
        /// The algorithm.
        search: String,
        /// The depth.
        depth: u32,
        /// Why it has none.
        error: SearchError,
    },
}

/// Searches `tree` to every depth from 1 to `depth` with every algorithm of the catalogue, bare and
/// with all memory functions, and compares what it [proves](crate::Proves), the value or the best move,
/// with what minimax finds; its bounds must hold the value in any case.
/// Returns the number of searches.
///
/// This takes a few dozen times as long as minimax itself, so choose a small depth.
pub fn check_against_minimax<T: GameTree>(tree: &T, depth: u32) -> Result<usize, Disagreement> {
    let mut workspace = Workspace::new();
    let mut searches = 0;
    for depth in 1..=depth {
        let root = tree.root();
        let mut moves = T::Moves::default();
        tree.moves(&root, &mut moves);
        let minimax = Reference { tree };
        let worth: Vec<(T::Move, Value)> = (0..moves.len())
            .map(|place| moves.at(place))
            .map(|mv| (mv, -minimax.value(&tree.child(&root, mv), depth - 1, 1)))
            .collect();
        let leaf = || minimax.value(&root, 0, 0);
        let expected = worth.iter().map(|(_, value)| *value).max().unwrap_or_else(leaf);
        for algorithm in catalogue().flat_map(|entry| entry.examples()) {
            for memory in [MemoryFunctions::empty(), MemoryFunctions::all()] {
                // The trees are small: a large table would only have to be cleared each time.
                let size = TableSize::of_entries(1 << 14);
                let options = Options {
                    memory,
                    deepening: !memory.is_empty(),
                    table: memory.contains(MemoryFunctions::TABLE).then_some(size),
                    ..Options::to_depth(depth)
                };
                let Ok(spec) = SearchSpec::check(&algorithm, options) else { continue };
                let search = || match memory.is_empty() {
                    true => algorithm.to_string(),
                    false => format!("{algorithm} with memory {memory}"),
                };
                let outcome = match search_in(&mut workspace, tree, &spec, None) {
                    Ok(outcome) => outcome,
                    // With little memory ITERSSS* may say that it cannot continue.
                    Err(_) if is_bounded(&algorithm) => continue,
                    Err(error) => {
                        return Err(Disagreement::Failed { search: search(), depth, error });
                    }
                };
                searches += 1;
                let entry = algorithm.entry();
                let agrees = outcome.value.map_or(!entry.tells_value(), |v| v == expected);
                if !agrees || outcome.bounds.lower > expected || outcome.bounds.upper < expected {
                    let (search, found) = (search(), outcome.value);
                    return Err(Disagreement::Value { search, depth, found, expected });
                }
                if worth.is_empty() {
                    continue;
                }
                let Some(best) = outcome.best else {
                    return Err(Disagreement::NoMove { search: search(), depth });
                };
                if !entry.tells_move::<T>() {
                    continue;
                }
                let found = worth.iter().find(|(mv, _)| *mv == best).map(|(_, value)| *value);
                if let Some(found) = found.filter(|&found| found != expected) {
                    let (search, best) = (search(), format!("{best:?}"));
                    return Err(Disagreement::Move { search, depth, best, found, expected });
                }
            }
        }
    }
    Ok(searches)
}

fn is_bounded(algorithm: &Algorithm) -> bool {
    let id = algorithm.serial().entry().id;
    id == <algorithms::IterSss as crate::SearchAlgorithm>::ENTRY.id
}

/// The definition of the minimax value, without a context: the reference for everything else.
struct Reference<'t, T> {
    tree: &'t T,
}

impl<T: GameTree> Reference<'_, T> {
    fn value(&self, node: &T::Node, height: u32, ply: u32) -> Value {
        let mut moves = T::Moves::default();
        if height > 0 {
            self.tree.moves(node, &mut moves);
        }
        let worth = |mv| -self.value(&self.tree.child(node, mv), height - 1, ply + 1);
        (0..moves.len()).map(|place| worth(moves.at(place))).max().unwrap_or_else(|| {
            let window = plyground_core::value::Window::FULL;
            let value = self.tree.quiesce(node, window, &mut 0);
            if T::MATES { plyground_core::value::mate_from_root(value, ply) } else { value }
        })
    }
}

#[cfg(test)]
mod tests {
    use plyground_core::tree::{Explicit, Synthetic};

    use super::*;

    #[test]
    fn every_algorithm_agrees_with_minimax() {
        let tree: Explicit = "((3 12 8) ((2 9) 4 6) (14 5 2))".parse().unwrap();
        assert!(check_against_minimax(&tree, 3).unwrap() > 100);
        let tree = Synthetic::independent(3, 4, 5, 1).unwrap();
        check_against_minimax(&tree, 4).unwrap();
    }
}
