//! The factors of an experiment: none changes a value that it must not change, and each does what it says.

use plyground_core::tree::{LabTree, Synthetic};
use plyground_core::value::Value;
use plyground_search::table::TableSize;
use plyground_search::{
    Algorithm, Factors, GuessFrom, MemoryFunctions, Options, Replacement, TableDepth, TableLeaves,
    catalogue,
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
