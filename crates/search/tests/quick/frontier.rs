//! The searches that grow a tree at its frontier: what each says it proves holds, by the definition and
//! by what it has looked at.

use std::ops::RangeInclusive;

use plyground_core::limits::{Limits, Stop};
use plyground_core::tree::{Explicit, GameTree, LabTree, MoveList, Synthetic, mix};
use plyground_core::value::Value;
use plyground_search::{
    Algorithm, Options, Outcome, Proves, SearchSpec, Trace, Workspace, catalogue, search_in,
};

use crate::agreement::{search, trees, written};

/// The proof searches, one of them with a table that holds next to nothing.
const PROOFS: [&str; 4] = ["pn", "pn2", "df-pn:1M", "df-pn:200"];

fn explicit(seed: u64) -> Explicit {
    let mut text = String::new();
    written(seed, 1 + seed as u32 % 5, 0, &mut text);
    text.parse().unwrap()
}

fn minimax<T: GameTree>(tree: &T, node: &T::Node, depth: u32) -> Value {
    let mut moves = T::Moves::default();
    if depth > 0 {
        tree.moves(node, &mut moves);
    }
    let values =
        (0..moves.len()).map(|i| -minimax(tree, &tree.child(node, moves.at(i)), depth - 1));
    values.max().unwrap_or_else(|| tree.evaluate(node))
}

/// What the leaves that were visited prove of a node, from MAX's view: any other leaf may be anything.
fn proved(
    tree: &Explicit,
    path: &mut Vec<usize>,
    visited: &[(Vec<usize>, Value)],
) -> (Value, Value) {
    let node = tree.node_at(path).unwrap();
    let mut moves = <Explicit as GameTree>::Moves::default();
    tree.moves(&node, &mut moves);
    if moves.is_empty() {
        let seen = visited.iter().find(|(steps, _)| steps == path);
        return seen.map_or((Value::MIN, Value::MAX), |&(_, value)| (value, value));
    }
    let is_max = path.len().is_multiple_of(2);
    let mut bounds: Option<(Value, Value)> = None;
    for child in 0..moves.len() {
        path.push(child);
        let (low, high) = proved(tree, path, visited);
        path.pop();
        bounds = Some(match bounds {
            None => (low, high),
            Some((l, h)) if is_max => (l.max(low), h.max(high)),
            Some((l, h)) => (l.min(low), h.min(high)),
        });
    }
    bounds.unwrap()
}

fn asked(algorithm: &str, depth: u32, least: Value) -> SearchSpec {
    let options = Options { at_least: Some(least), ..Options::to_depth(depth) };
    SearchSpec::check(&algorithm.parse().unwrap(), options).unwrap()
}

/// Thousands of questions, and each answer is replayed: the leaves that the search has evaluated prove it
/// whatever the others are worth.
#[test]
fn every_proof_is_right_and_stands_on_the_leaves_that_were_evaluated() {
    let (mut yes, mut no) = (0, 0);
    for seed in 0..400 {
        let tree = explicit(seed);
        let depth = tree.height() as u32;
        let value = minimax(&tree, &tree.root(), depth);
        for least in [value - 1, value, value + 1, *tree.value_range().end()] {
            for id in PROOFS {
                let trace = Trace::of_leaves();
                let spec = asked(id, depth, least);
                let outcome =
                    search_in(&mut Workspace::new(), &tree, &spec, Some(trace.watcher())).unwrap();
                let case = || format!("{id}: at least {least}? {tree}: {outcome:?}");
                assert_eq!(outcome.proved, Some(value >= least), "{}", case());
                let visited: Vec<_> = trace.read().visited().collect();
                let (low, high) = proved(&tree, &mut Vec::new(), &visited);
                if value >= least {
                    yes += 1;
                    assert!(low >= least && outcome.bounds.lower <= low, "{low} {}", case());
                    // The move is part of the proof.
                    if let Some(best) = outcome.best {
                        let (low, _) = proved(&tree, &mut vec![best as usize], &visited);
                        assert!(low >= least, "{}", case());
                    }
                } else {
                    no += 1;
                    assert!(high < least && outcome.bounds.upper >= high, "{high} {}", case());
                }
                assert!((outcome.bounds.lower..=outcome.bounds.upper).contains(&value));
                assert_eq!(outcome.best.is_some(), depth > 0, "{}", case());
            }
        }
    }
    assert!(yes > 2_000 && no > 2_000, "{yes} {no}");
}

/// A game on a graph: positions recur, on different ways and after different numbers of moves.
struct Graph {
    seed: u64,
    size: u64,
}

impl GameTree for Graph {
    type Node = (u64, bool);
    type Move = u16;
    type Moves = Vec<u16>;

    fn root(&self) -> (u64, bool) {
        (0, true)
    }
    fn moves(&self, &(place, side): &(u64, bool), moves: &mut Vec<u16>) {
        let word = mix(self.seed, place * 2 + u64::from(side));
        if place == 0 || !word.is_multiple_of(6) {
            moves.extend(0..1 + (word / 6 % 3) as u16);
        }
    }
    fn child(&self, &(place, side): &(u64, bool), mv: u16) -> (u64, bool) {
        (mix(mix(self.seed, 77 + place), mv.into()) % self.size, !side)
    }
    fn evaluate(&self, &(place, side): &(u64, bool)) -> Value {
        let value = (mix(self.seed, 1_000 + place) % 9) as Value - 4;
        if side { value } else { -value }
    }
    fn value_range(&self) -> RangeInclusive<Value> {
        -4..=4
    }
    fn key(&self, &(place, side): &(u64, bool)) -> u64 {
        mix(place, u64::from(side) + 5)
    }
    fn code(&self, mv: u16) -> u16 {
        mv
    }
}

#[test]
fn ways_that_meet_and_ways_that_go_round_in_circles_do_not_mislead() {
    for seed in 0..150 {
        let graph = Graph { seed, size: 3 + seed % 6 };
        for depth in [3, 6, 9] {
            let value = minimax(&graph, &graph.root(), depth);
            for id in PROOFS.into_iter().chain(["cns:255", "ab-cns:100000"]) {
                let algorithm: Algorithm = id.parse().unwrap();
                for least in [value, value + 1] {
                    let outcome =
                        plyground_search::search(&graph, &asked(id, depth, least)).unwrap();
                    let proves_goal = algorithm.entry().proves == Proves::Goal;
                    let case = || format!("{id} to depth {depth}, graph {seed}: {outcome:?}");
                    if proves_goal {
                        assert_eq!(outcome.proved, Some(value >= least), "{}", case());
                    }
                    assert!(outcome.proved.is_none_or(|p| p == (value >= least)), "{}", case());
                }
                let whole = SearchSpec::new(&algorithm, depth);
                let outcome = plyground_search::search(&graph, &whole).unwrap();
                assert!(outcome.value.is_none_or(|found| found == value), "{id}: {outcome:?}");
                let tells_value = algorithm.entry().tells_value();
                assert!(outcome.value.is_some() || !tells_value, "{id}: {outcome:?}");
            }
        }
    }
}

/// With more conspirators than the tree has leaves nothing is left to believe.
#[test]
fn conspiracies_without_a_threshold_are_exact() {
    for (number, tree) in trees().iter().enumerate() {
        let root = tree.root();
        let value = minimax(tree, &root, tree.height() as u32);
        for id in ["ab-cns:4000000000", "cns:255"] {
            let outcome = search(tree, &id.parse().unwrap(), Options::default()).unwrap();
            let case = || format!("{id}, tree {number}: {outcome:?}");
            // CNS counts no more than 255 conspirators.
            if !id.starts_with("cns") || outcome.value.is_some() {
                assert_eq!(outcome.value, Some(value), "{}", case());
            }
            if let (Some(_), Some(best)) = (outcome.value, outcome.best) {
                let child = tree.child(&root, best);
                let worth = -minimax(tree, &child, tree.height() as u32 - 1);
                assert_eq!(worth, value, "{}", case());
            }
        }
    }
}

/// All that the family claims of its searches, with limits of every kind: they stop in time, and what
/// they know then is true.
#[test]
fn they_stop_within_their_memory() {
    let tree: LabTree = Synthetic::independent(6, 6, 1_000, 5).unwrap().into();
    let value = minimax(&tree, &tree.root(), 6);
    let family = catalogue().filter(|entry| entry.rich_only);
    for algorithm in family.flat_map(|entry| entry.examples()) {
        for bytes in [1_000, 20_000, 100_000] {
            let limits = Limits { bytes: Some(bytes), ..Limits::default() };
            let options = Options { limits, ..Options::default() };
            let outcome: Outcome<u32> = search(&tree, &algorithm, options).unwrap();
            let case = || format!("{algorithm} in {bytes} bytes: {outcome:?}");
            assert!(matches!(outcome.stopped, None | Some(Stop::Bytes)), "{}", case());
            assert!((outcome.bounds.lower..=outcome.bounds.upper).contains(&value), "{}", case());
            // The children of the root are made in any case, and what df-pn was told to take.
            let told = if algorithm.to_string().starts_with("df-pn") { 0 } else { 3_000 };
            assert!(outcome.counts.peak_bytes <= (bytes as u64).max(told), "{}", case());
        }
        // A search that goes on with what it has says where it stands at any time.
        for leaves in [1, 40, 700] {
            let limits = Limits { leaves: Some(leaves), ..Limits::default() };
            let options = Options { limits, ..Options::default() };
            let outcome = search(&tree, &algorithm, options).unwrap();
            let case = || format!("{algorithm} with {leaves} leaves: {outcome:?}");
            assert!(outcome.counts.evaluations <= leaves, "{}", case());
            assert!((outcome.bounds.lower..=outcome.bounds.upper).contains(&value), "{}", case());
            assert!(leaves == 1 || outcome.best.is_some(), "{}", case());
        }
    }
}

#[test]
fn uct_ends_with_a_proof_where_the_tree_is_small() {
    for seed in 0..200 {
        let tree = explicit(seed);
        let depth = tree.height() as u32;
        let spec = SearchSpec::new(&"uct:0.5".parse().unwrap(), depth);
        let outcome = plyground_search::search(&tree, &spec).unwrap();
        if let Some(best) = outcome.best {
            let child = tree.child(&tree.root(), best);
            let worth = -minimax(&tree, &child, depth - 1);
            assert_eq!(worth, minimax(&tree, &tree.root(), depth), "{tree}: {outcome:?}");
        }
        assert_eq!(outcome.stopped, None);
    }
}
