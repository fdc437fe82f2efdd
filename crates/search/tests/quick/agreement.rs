//! Every algorithm with every memory finds minimax's value and a move that has it, on trees of many
//! shapes; and a search that is stopped knows bounds that are true.

use plyground_core::limits::{Limits, Stop, StopFlag};
use plyground_core::tree::{Explicit, LabTree, Swapped, Synthetic, TreeOrdering, mix};
use plyground_core::value::Value;
use plyground_search::table::TableSize;
use plyground_search::{
    Algorithm, MemoryFunctions, Options, Outcome, SearchError, SearchSpec, Update, catalogue,
    laboratory,
};

/// A tree that is written out: its shape and its values by chance, with many ties.
pub fn written(seed: u64, height: u32, path: u64, text: &mut String) {
    let word = mix(seed, path);
    if height == 0 || word.is_multiple_of(9) {
        text.push_str(&(mix(word, 1) as i64 % [2, 5, 1000][seed as usize % 3]).to_string());
        return;
    }
    text.push('(');
    for child in 0..1 + word / 9 % 4 {
        if child > 0 {
            text.push(' ');
        }
        written(seed, height - 1, path * 5 + child + 1, text);
    }
    text.push(')');
}

/// Trees of all kinds, small enough for minimax.
pub fn trees() -> Vec<LabTree> {
    let mut trees: Vec<LabTree> = Vec::new();
    for seed in 0..30 {
        let mut text = String::new();
        written(seed, 1 + seed as u32 % 5, 0, &mut text);
        let tree: Explicit = text.parse().unwrap();
        trees.push(tree.into());
    }
    for (seed, (width, depth)) in
        [(2, 6), (3, 4), (5, 3), (1, 5), (4, 4), (9, 2)].iter().enumerate()
    {
        let seed = seed as u64;
        trees.push(Synthetic::independent(*width, *depth, 40, seed).unwrap().into());
        let strong = Synthetic::ordered(*width, *depth, 90, 33, seed, TreeOrdering::Strong);
        trees.push(strong.unwrap().into());
        trees.extend(Swapped::new(*width, *depth, 60, 0.7, seed).map(LabTree::from));
    }
    trees
}

/// What the tree is worth, and each of the root's moves, by the definition.
fn minimax(tree: &LabTree) -> (Value, Vec<Value>) {
    use plyground_core::tree::{GameTree, MoveList};
    fn value(tree: &LabTree, node: &<LabTree as GameTree>::Node) -> Value {
        let values = children(tree, node);
        values.into_iter().max().unwrap_or_else(|| tree.evaluate(node))
    }
    fn children(tree: &LabTree, node: &<LabTree as GameTree>::Node) -> Vec<Value> {
        let mut moves = <LabTree as GameTree>::Moves::default();
        tree.moves(node, &mut moves);
        (0..moves.len()).map(|i| -value(tree, &tree.child(node, moves.at(i)))).collect()
    }
    (value(tree, &tree.root()), children(tree, &tree.root()))
}

/// One search of the whole tree; `None` if the options do not go with the algorithm, or ITERSSS* has
/// too little memory.
pub fn search(tree: &LabTree, algorithm: &Algorithm, options: Options) -> Option<Outcome<u32>> {
    let options = Options { depth: tree.height() as u32, ..options };
    let spec = SearchSpec::check(algorithm, options).ok()?;
    laboratory::search(tree, &spec, None).ok()
}

/// Ways to search.
fn ways() -> Vec<Options> {
    let small = Some(TableSize::of_entries(64));
    let table = MemoryFunctions::TABLE;
    vec![
        Options::default(),
        Options { paths: Some(1 << 20), ..Options::default() },
        Options { update: Update::Maxsearch, ..Options::default() },
        Options {
            deepening: true,
            memory: MemoryFunctions::all(),
            table: small,
            ..Options::default()
        },
        Options { memory: table, table: small, ..Options::default() },
        Options { deepening: true, ..Options::default() },
        Options { guess: Some(7), ..Options::default() },
        Options { simulate: true, spawn_height: Some(1), ..Options::default() },
        Options { spawn_height: Some(0), ..Options::default() },
    ]
}

#[test]
fn every_algorithm_agrees_with_minimax() {
    let mut searches = 0;
    for (number, tree) in trees().iter().enumerate() {
        let (value, children) = minimax(tree);
        for algorithm in catalogue().flat_map(|entry| entry.examples()) {
            for (way, options) in ways().into_iter().enumerate() {
                // Threads are slow to start: a part of the trees is enough for them.
                let threads = algorithm.threads().is_some_and(|n| n > 1) && !options.simulate;
                if threads && (number + way) % 5 != 0 {
                    continue;
                }
                let Some(outcome) = search(tree, &algorithm, options) else { continue };
                searches += 1;
                let case = || format!("{algorithm}, way {way}, tree {number}: {outcome:?}");
                assert!(
                    outcome.bounds.lower <= value && value <= outcome.bounds.upper,
                    "{}",
                    case()
                );
                let entry = algorithm.entry();
                match entry.tells_value() {
                    true => assert_eq!(outcome.value, Some(value), "{}", case()),
                    false => {
                        assert!(outcome.value.is_none_or(|found| found == value), "{}", case())
                    }
                }
                assert_eq!(outcome.stopped, None, "{}", case());
                let best = outcome.best.map(|best| children[best as usize]);
                assert_eq!(best.is_some(), !children.is_empty(), "{}", case());
                if entry.tells_move::<LabTree>() || outcome.value.is_some() {
                    assert!(best.is_none_or(|best| best == value), "{}", case());
                }
            }
        }
    }
    assert!(searches > 5_000, "{searches}");
}

/// Each limit stops each serial algorithm, and what is known then is true.
#[test]
fn what_a_stopped_search_knows_is_true() {
    let raised = StopFlag::new();
    raised.raise();
    let limits = [
        (Stop::Leaves, Limits { leaves: Some(5), ..Limits::default() }),
        (Stop::Nodes, Limits { nodes: Some(7), ..Limits::default() }),
        (Stop::Time, Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() }),
        (Stop::Flag, Limits { flag: raised, ..Limits::default() }),
    ];
    let tree: LabTree = Synthetic::independent(4, 5, 60, 3).unwrap().into();
    let (value, children) = minimax(&tree);
    for algorithm in catalogue().flat_map(|entry| entry.examples()) {
        for (stop, limits) in &limits {
            for deepening in [false, true] {
                let options = Options { limits: limits.clone(), deepening, ..Options::default() };
                let Some(outcome) = search(&tree, &algorithm, options) else { continue };
                let case = format!("{algorithm}, {stop:?}, deepening {deepening}: {outcome:?}");
                assert_eq!(outcome.stopped, Some(*stop), "{case}");
                assert_eq!(outcome.value, None, "{case}");
                assert!(outcome.bounds.lower <= value && value <= outcome.bounds.upper, "{case}");
                assert!(outcome.best.is_none_or(|best| (best as usize) < children.len()), "{case}");
                assert!(algorithm.threads().is_some() || outcome.counts.evaluations <= 8, "{case}");
            }
        }
    }
}

/// ⌈d/2⌉(b - 1) + 1 entries are enough for PARITERSSS* on a uniform tree, and the least: with one fewer it
/// says so.
#[test]
fn too_little_memory_for_a_process_is_told_with_what_is_enough() {
    for (width, depth) in [(2, 3), (2, 6), (3, 4), (4, 5), (5, 3)] {
        let tree: LabTree = Synthetic::independent(width, depth, 1000, 1).unwrap().into();
        let least = depth.div_ceil(2);
        let least = least * (width - 1) + 1;
        let with = |entries: usize| {
            let algorithm: Algorithm = format!("paritersss:1:{entries}").parse().unwrap();
            let options = Options { depth: tree.height() as u32, ..Options::default() };
            laboratory::search(&tree, &SearchSpec::check(&algorithm, options).unwrap(), None)
        };
        let error = with(least - 1).unwrap_err();
        let SearchError::Locked(lock) = error else { panic!("{error}") };
        assert_eq!((lock.entries, lock.least), (least as u64 - 1, least as u64), "{lock}");
        assert!(with(least).is_ok(), "T({width},{depth})");
    }
}
