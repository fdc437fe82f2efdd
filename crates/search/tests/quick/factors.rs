//! The factors of an experiment: none changes a value that it must not change, and each does what it says.

use plyground_core::tree::{LabTree, Synthetic};
use plyground_core::value::Value;
use plyground_search::table::TableSize;
use plyground_search::{
    Algorithm, Factors, GuessFrom, MemoryFunctions, Options, Replacement, Store, TableDepth,
    TableLeaves, Update, catalogue,
};

use crate::agreement::{search, trees};

/// Every serial algorithm that finds the value.
fn algorithms() -> impl Iterator<Item = Algorithm> {
    let serial = catalogue()
        .filter(|entry| !entry.is_parallel() && entry.is_comparable() && entry.tells_value());
    serial.flat_map(|entry| entry.examples())
}

/// A search with a table of few entries and deepening.
fn tabled(factors: Factors) -> Options {
    Options {
        memory: MemoryFunctions::TABLE,
        table: Some(TableSize::of_entries(32)),
        deepening: true,
        factors,
        ..Options::default()
    }
}

fn value(tree: &LabTree, id: &str, options: Options) -> Option<Value> {
    search(tree, &id.parse().unwrap(), options)?.value
}

#[test]
fn the_tables_rules_change_no_value() {
    let usual = Factors::default();
    let rules = [
        Factors { table_leaves: TableLeaves::Evaluated, ..usual },
        Factors { replacement: Replacement::Always, ..usual },
        Factors { replacement: Replacement::Deepest, ..usual },
        Factors { guess: GuessFrom::Parity, ..usual },
    ];
    for tree in trees() {
        let expected = value(&tree, "alpha-beta", Options::default());
        for algorithm in algorithms() {
            for factors in rules {
                // Refused where it has no effect.
                let Some(outcome) = search(&tree, &algorithm, tabled(factors)) else { continue };
                assert_eq!(outcome.value, expected, "{algorithm}, {}", factors.describe());
            }
        }
    }
}

/// Rounding keeps the order of values, so the minimax value is rounded itself.
#[test]
fn a_grain_rounds_the_value_of_the_tree() {
    let round = |v: Value, grain: Value| {
        let near = (v.abs() + grain / 2) / grain * grain;
        if v < 0 { -near } else { near }
    };
    let tree: LabTree = Synthetic::independent(4, 5, 1000, 3).unwrap().into();
    let exact = value(&tree, "alpha-beta", Options::default()).unwrap();
    for grain in [2, 7, 50, 300] {
        let factors = Factors { grain, ..Factors::default() };
        for algorithm in algorithms() {
            for options in [Options { factors, ..Options::default() }, tabled(factors)] {
                let Some(outcome) = search(&tree, &algorithm, options) else { continue };
                assert_eq!(outcome.value, Some(round(exact, grain as Value)), "{algorithm}");
            }
        }
    }
    // Ties cut off: a coarse grain costs fewer leaves.
    let leaves = |grain| {
        let factors = Factors { grain, ..Factors::default() };
        let options = Options { factors, ..Options::default() };
        search(&tree, &"alpha-beta".parse().unwrap(), options).unwrap().counts.evaluations
    };
    assert!(leaves(300) < leaves(1));
}

/// Short keys and entries of other depths give wrong answers, but every search comes to an end.
#[test]
fn a_table_that_errs_ends_every_search() {
    let usual = Factors::default();
    let mut wrong = 0;
    for tree in trees() {
        let expected = value(&tree, "alpha-beta", Options::default());
        for algorithm in algorithms() {
            for factors in [
                Factors { key_bits: 1, ..usual },
                Factors { key_bits: 4, ..usual },
                Factors { table_depth: TableDepth::Greater, ..usual },
            ] {
                let Some(outcome) = search(&tree, &algorithm, tabled(factors)) else { continue };
                assert!(outcome.stopped.is_none() && outcome.value.is_some(), "{algorithm}");
                wrong += usize::from(outcome.value != expected);
            }
        }
    }
    assert!(wrong > 0, "one bit must err somewhere");
}

#[test]
fn searches_made_again_are_counted() {
    let tree: LabTree = Synthetic::independent(5, 6, 1000, 9).unwrap().into();
    let researches = |id: &str| {
        let outcome = search(&tree, &id.parse().unwrap(), Options::default()).unwrap();
        (outcome.counts.researches, outcome.counts.evaluations)
    };
    assert_eq!(researches("alpha-beta").0, 0);
    let (pvs, _) = researches("pvs");
    let (scout, _) = researches("scout");
    assert!(pvs > 0 && scout > 0);
    assert_eq!(researches("aspiration:1:5000").0, 1);
    // The rule for the frontier saves second searches, and the evaluations in them.
    let (all, evaluations) = researches("negascout");
    let (fewer, left) = researches("negascout-frontier");
    assert!(fewer < all && left < evaluations, "{fewer} of {all}, {left} of {evaluations}");
}

/// The guess of the same parity is the value of two iterations before.
#[test]
fn a_guess_by_parity_is_used() {
    let tree: LabTree = Synthetic::independent(4, 6, 1000, 5).unwrap().into();
    let calls = |guess| {
        let factors = Factors { guess, ..Factors::default() };
        let options = Options { deepening: true, factors, ..Options::default() };
        search(&tree, &"mtd-f".parse().unwrap(), options).unwrap().counts.calls
    };
    assert_ne!(calls(GuessFrom::Previous), calls(GuessFrom::Parity));
}

/// Deleting what is irrelevant changes nothing but the memory: every driver visits the same nodes, by both
/// updates of bounds, with many equal values and with few.
#[test]
fn what_is_deleted_from_the_stored_tree_is_never_missed() {
    let all = catalogue().filter(|entry| entry.needs_memory).flat_map(|entry| entry.examples());
    let algorithms: Vec<Algorithm> = all.collect();
    let relevant = Factors { store: Store::Relevant, ..Factors::default() };
    let (mut searches, mut stored, mut kept, mut bytes) = (0, 0, 0, [0, 0]);
    for seed in 0..400 {
        let (width, depth) = (2 + seed as usize % 4, 1 + seed as usize / 4 % 5);
        let values = [2, 9, 1000][seed as usize % 3];
        let tree: LabTree = Synthetic::independent(width, depth, values, seed).unwrap().into();
        for update in [Update::Clipped, Update::Maxsearch] {
            for algorithm in &algorithms {
                let usual = Options { update, ..Options::to_depth(depth as u32) };
                let options = Options { factors: relevant, ..usual.clone() };
                // Refused where several processors share the bounds.
                let Some(found) = search(&tree, algorithm, options) else { continue };
                let expected = search(&tree, algorithm, usual).unwrap();
                assert_eq!(found.value, expected.value, "{algorithm}, seed {seed}");
                assert_eq!(found.bounds, expected.bounds, "{algorithm}, seed {seed}");
                assert_eq!(found.best, expected.best, "{algorithm}, seed {seed}");
                let (now, before) = (found.counts, expected.counts);
                assert!(now.peak_stored <= before.peak_stored, "{algorithm}, seed {seed}");
                searches += 1;
                stored += before.peak_stored;
                kept += now.peak_stored;
                bytes[0] += before.peak_bytes;
                bytes[1] += now.peak_bytes;
                let same = |mut counts: plyground_search::Counts| {
                    (counts.peak_stored, counts.peak_bytes) = (0, 0);
                    format!("{counts:?}")
                };
                assert_eq!(same(now), same(before), "{algorithm}, seed {seed}");
            }
        }
    }
    assert!(searches > 5_000, "{searches}");
    assert!(kept * 10 < stored * 7, "{kept} of {stored}");
    assert!(bytes[1] < bytes[0], "{bytes:?}");
}
