//! What must hold for every algorithm on every tree: plain minimax's value, and a move that has it.

use plyground::search::{Algorithm, Options, Outcome, Proves, catalogue};
use plyground::tree::MoveList;
use plyground::value::{LEAST_MATE, Value};

use crate::searching::{Searched, search};

/// Parameters besides the catalogue's own examples.
const MORE: &[&str] = &[
    "aspiration:200:100",
    "aspiration-negascout:200:100",
    "mtd-f:-300",
    "ps:1",
    "ps:100",
    "itersss:100000",
    "alpha-bounding:150",
];

/// The ids of every serial algorithm of the catalogue that searches the whole of a fixed tree, some with
/// several parameters. ITERSSS* has memory enough.
pub fn all() -> Vec<String> {
    let serial = catalogue().filter(|entry| !entry.is_parallel() && entry.is_comparable());
    let examples = serial.flat_map(|entry| entry.examples);
    let enough = |id: &&&str| !id.starts_with("itersss") && **id != "minimax";
    examples.filter(enough).chain(MORE).map(|id| (*id).to_owned()).collect()
}

/// Does it prove the best move, without an exact value?
pub fn proves_move(id: &str) -> bool {
    id.parse::<Algorithm>().unwrap().entry().proves == Proves::Move
}

/// One search of `tree`, nobody watching.
pub fn run<T: Searched>(tree: &T, id: &str, options: &Options) -> Outcome<T::Move> {
    search(tree, &id.parse().unwrap(), options).unwrap()
}

/// The value by the definition, for the side to move; a mate is one ply farther at each step up.
pub fn minimax<T: Searched>(tree: &T, node: &T::Node, depth: u32) -> Value {
    let mut moves = T::Moves::default();
    if depth > 0 {
        tree.moves(node, &mut moves);
    }
    (0..moves.len())
        .map(|i| match -minimax(tree, &tree.child(node, moves.at(i)), depth - 1) {
            value if T::MATES && value >= LEAST_MATE => value - 1,
            value if T::MATES && value <= -LEAST_MATE => value + 1,
            value => value,
        })
        .max()
        .unwrap_or_else(|| tree.evaluate(node))
}

/// The values of the root's moves.
pub fn values_of_moves<T: Searched>(tree: &T, depth: u32) -> Vec<(T::Move, Value)> {
    let root = tree.root();
    let mut moves = T::Moves::default();
    tree.moves(&root, &mut moves);
    let value = |mv| match -minimax(tree, &tree.child(&root, mv), depth - 1) {
        value if T::MATES && value >= LEAST_MATE => value - 1,
        value if T::MATES && value <= -LEAST_MATE => value + 1,
        value => value,
    };
    (0..moves.len()).map(|i| (moves.at(i), value(moves.at(i)))).collect()
}

/// All algorithms agree with the definition under each of the options.
pub fn check<T: Searched>(tree: &T, name: &str, all_options: &[Options]) {
    let depth = all_options[0].depth;
    let values = values_of_moves(tree, depth);
    let value = values.iter().map(|&(_, value)| value).max().unwrap();
    for options in all_options {
        assert_eq!(options.depth, depth);
        for id in &all() {
            let outcome = run(tree, id, options);
            let case = || {
                let deepening = if options.deepening { ", deepening" } else { "" };
                let memory = options.memory;
                format!("{id} to depth {depth} on {name}, memory {memory}{deepening}")
            };
            if proves_move(id) {
                let known = outcome.bounds;
                assert!(known.lower <= value && value <= known.upper, "{}: {known:?}", case());
                assert!(outcome.value.is_none_or(|found| found == value), "{}", case());
                assert_eq!(outcome.stopped, None);
            } else {
                assert_eq!(outcome.value, Some(value), "{}", case());
            }
            let best = outcome.best.unwrap_or_else(|| panic!("no move: {}", case()));
            assert!(values.contains(&(best, value)), "{}: {best:?}", case());
        }
    }
}
