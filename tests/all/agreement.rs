//! What must hold for every algorithm on every tree: plain minimax's value, and a move that has it.

use plyground::search::{Options, Outcome, catalogue};
use plyground::tree::{GameTree, MoveList};
use plyground::value::{LEAST_MATE, Value};

use crate::searching::{Searched, search};

/// Every algorithm, with parameters that make sense for games.
pub const ALL: &[&str] = &[
    "alpha-beta",
    "aspiration:50",
    "aspiration:200:100",
    "aspiration-negascout:50",
    "aspiration-negascout:200:100",
    "scout",
    "negascout",
    "pvs",
    "sss-2",
    "dual-2",
    "sss-0",
    "sss-4:100",
    "sss-b",
    "mtd-f",
    "mtd-f:-300",
    "sss-2-tree",
    "sss",
    "dual",
    "ps:1",
    "ps:2",
    "ps:4",
    "ps:100",
    "ps:1+2+4+8",
    "itersss:100000",
];

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

/// Those that prove the best move, and need no exact value for it.
pub const BEST_MOVE: &[&str] = &["second-best", "alpha-bounding", "alpha-bounding:150"];

/// All algorithms agree with the definition under each of the options.
pub fn check<T: Searched>(tree: &T, name: &str, all_options: &[Options]) {
    let depth = all_options[0].depth;
    let values = values_of_moves(tree, depth);
    let value = values.iter().map(|&(_, value)| value).max().unwrap();
    for options in all_options {
        assert_eq!(options.depth, depth);
        for id in ALL.iter().chain(BEST_MOVE) {
            let outcome = run(tree, id, options);
            let case = || {
                let deepening = if options.deepening { ", deepening" } else { "" };
                let memory = options.memory;
                format!("{id} to depth {depth} on {name}, memory {memory}{deepening}")
            };
            if BEST_MOVE.contains(id) {
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
