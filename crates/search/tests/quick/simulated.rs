//! Simulated parallel searches: the value on every schedule, and with one process exactly what the
//! serial form visits.

use plyground_core::tree::{Explicit, GameTree, LabTree, MoveList, mix};
use plyground_core::value::Value;
use plyground_search::{Algorithm, Costs, Options, Schedule, Update, catalogue};

use crate::agreement::{search, trees};

fn minimax(tree: &LabTree, node: &<LabTree as GameTree>::Node) -> Value {
    let mut moves = <LabTree as GameTree>::Moves::default();
    tree.moves(node, &mut moves);
    let worth = |place| -minimax(tree, &tree.child(node, moves.at(place)));
    (0..moves.len()).map(worth).max().unwrap_or_else(|| tree.evaluate(node))
}

/// Every parallel algorithm with 2 to 100 processors.
fn parallel(seed: u64) -> Vec<Algorithm> {
    let counts = [2, 3, 5, 8, 17, 100];
    let parallel = catalogue().filter(|entry| entry.is_parallel());
    let more = std::iter::once("pvsplit:3:2".parse().unwrap());
    let examples = parallel.flat_map(|entry| entry.examples()).chain(more).enumerate();
    examples
        .map(|(i, algorithm)| {
            let threads = counts[mix(seed, i as u64) as usize % counts.len()];
            algorithm.with_threads(std::num::NonZeroUsize::new(threads).unwrap())
        })
        .collect()
}

#[test]
fn every_scheme_has_the_value_on_every_schedule() {
    let mut searches = 0;
    for (number, tree) in trees().iter().enumerate() {
        let value = minimax(tree, &tree.root());
        for seed in 0..6 {
            for algorithm in parallel(mix(number as u64, seed)) {
                let draw = |what| mix(mix(seed, number as u64), what);
                let costs = match seed % 3 {
                    0 => Costs::default(),
                    _ => Costs {
                        message: draw(1) % 2500,
                        table: draw(2) % 300,
                        split: draw(3) % 1500,
                    },
                };
                let options = Options {
                    simulate: true,
                    schedule: Schedule::Random(draw(4)),
                    costs,
                    spawn_height: Some(draw(5) as u32 % 3),
                    ..Options::default()
                };
                // A scheme that keeps bounds also takes them from the children: then they, and no
                // search of a child, may name the move.
                let maxsearch = Options { update: Update::Maxsearch, ..options.clone() };
                let from_children = (seed % 2 == 1).then(|| search(tree, &algorithm, maxsearch));
                let found = from_children.flatten().or_else(|| search(tree, &algorithm, options));
                let Some(outcome) = found else { continue };
                searches += 1;
                assert_eq!(outcome.value, Some(value), "{algorithm}, tree {number}, seed {seed}");
                let children = || {
                    let (root, mut moves) = (tree.root(), <LabTree as GameTree>::Moves::default());
                    tree.moves(&root, &mut moves);
                    let best = outcome.best.map(|best| tree.child(&root, best));
                    (!moves.is_empty(), best.map(|child| -minimax(tree, &child)))
                };
                let (has_moves, best) = children();
                assert_eq!(
                    best,
                    has_moves.then_some(value),
                    "{algorithm}, tree {number}, seed {seed}"
                );
            }
        }
    }
    assert!(searches > 5_000, "{searches}");
}

#[test]
fn bounds_of_the_children_name_the_move() {
    let tree: LabTree = "(-9 -8 (0) 0)".parse::<Explicit>().unwrap().into();
    let options = Options {
        simulate: true,
        update: Update::Maxsearch,
        spawn_height: Some(0),
        ..Options::default()
    };
    for id in ["ybw-dual-2:4", "abdada-dual-2:4", "ybw-sss-2:4", "abdada-sss-2:4", "ybw-mtd-f:4"] {
        let outcome = search(&tree, &id.parse().unwrap(), options.clone()).unwrap();
        assert!(matches!(outcome.best, Some(2 | 3)), "{id}: {:?}", outcome.best);
    }
}

#[test]
fn the_same_schedule_gives_the_same_search() {
    for (number, tree) in trees().iter().enumerate().step_by(5) {
        for algorithm in parallel(number as u64) {
            let schedule = Schedule::Random(number as u64);
            let options =
                Options { simulate: true, schedule, spawn_height: Some(1), ..Options::default() };
            let once = search(tree, &algorithm, options.clone());
            let again = search(tree, &algorithm, options);
            assert_eq!(
                once.map(|outcome| (outcome.counts, outcome.terminal_count)),
                again.map(|outcome| (outcome.counts, outcome.terminal_count)),
                "{algorithm}, tree {number}"
            );
        }
    }
}

#[test]
fn one_process_visits_what_the_serial_form_visits() {
    for (number, tree) in trees().iter().enumerate() {
        for entry in catalogue().filter(|entry| entry.is_parallel()) {
            let Some(alone) = entry.examples().find(|a| a.threads() == Some(1)) else { continue };
            for simulate in [false, true] {
                let options =
                    |simulate| Options { simulate, paths: Some(1 << 20), ..Options::default() };
                let Some(found) = search(tree, &alone, options(simulate)) else { continue };
                let serial = search(tree, &alone.serial(), options(false)).unwrap();
                let visited = |counts: plyground_search::Counts| {
                    (counts.leaves, counts.evaluations, counts.visits, counts.calls)
                };
                let case = format!("{alone}, tree {number}, simulated {simulate}");
                assert_eq!(visited(found.counts), visited(serial.counts), "{case}");
                assert_eq!((found.value, found.best), (serial.value, serial.best), "{case}");
                let count = simulate.then_some(serial.counts.evaluations);
                assert_eq!(found.terminal_count, count, "{case}");
            }
        }
    }
}
