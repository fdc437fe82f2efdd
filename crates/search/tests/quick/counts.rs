//! What each serial algorithm does, in numbers that are pinned: a change that makes a search visit
//! another node changes a line of `counts.txt`.

use std::fmt::Write;

use plyground_core::tree::{LabTree, Swapped, Synthetic, TreeOrdering};
use plyground_search::table::TableSize;
use plyground_search::{Counts, MemoryFunctions, Options, Update, catalogue};

use crate::agreement::{search, trees};

const PINNED: &str = include_str!("counts.txt");

/// How the trees are searched, each with its name in the file.
fn ways() -> Vec<(&'static str, Options)> {
    let paths = Some(1 << 20);
    let table = MemoryFunctions::TABLE;
    let (all, others) = (MemoryFunctions::all(), MemoryFunctions::all() - table);
    let small = Some(TableSize::of_entries(256));
    vec![
        ("bare", Options { paths, ..Options::default() }),
        ("maxsearch", Options { paths, update: Update::Maxsearch, ..Options::default() }),
        ("table", Options { paths, memory: table, table: small, ..Options::default() }),
        ("learnt", Options { paths, memory: others, deepening: true, ..Options::default() }),
        ("all", Options { memory: all, deepening: true, table: small, ..Options::default() }),
        ("simulated", Options { simulate: true, spawn_height: Some(1), ..Options::default() }),
    ]
}

/// The sums over all trees: everything that is counted but bytes, which depend on the compiler.
fn counted() -> String {
    let mut trees: Vec<LabTree> = trees();
    trees.push(Synthetic::independent(6, 5, 500, 11).unwrap().into());
    let ordering = TreeOrdering::Probable { order: 3, probability: 0.8 };
    trees.push(Synthetic::ordered(5, 6, 1000, 444, 12, ordering).unwrap().into());
    trees.push(Swapped::new(5, 5, 300, 0.9, 13).unwrap().into());
    let mut text = String::from(
        "# id, way: searches, leaves, evaluations, interior, visits, peaks of open, backup and \
         stored, calls, terminal counts\n",
    );
    for algorithm in catalogue().flat_map(|entry| entry.examples()) {
        for (way, options) in ways() {
            // Several threads are not the same twice, unless they are simulated.
            if algorithm.threads().is_some() != options.simulate {
                continue;
            }
            let (mut sum, mut searches, mut terminal) = (Counts::default(), 0, 0);
            for outcome in trees.iter().filter_map(|tree| search(tree, &algorithm, options.clone()))
            {
                let counts = outcome.counts;
                searches += 1;
                terminal += outcome.terminal_count.unwrap_or(0);
                sum.leaves = Some(sum.leaves.unwrap_or(0) + counts.leaves.unwrap_or(0));
                sum.interior = Some(sum.interior.unwrap_or(0) + counts.interior.unwrap_or(0));
                sum.evaluations += counts.evaluations;
                sum.visits += counts.visits;
                sum.peak_open += counts.peak_open;
                sum.peak_backup += counts.peak_backup;
                sum.peak_stored += counts.peak_stored;
                sum.calls += counts.calls;
            }
            if searches == 0 {
                continue;
            }
            let Counts { evaluations, visits, peak_open, peak_backup, peak_stored, calls, .. } =
                sum;
            let (leaves, interior) = (sum.leaves.unwrap_or(0), sum.interior.unwrap_or(0));
            writeln!(
                text,
                "{algorithm} {way}: {searches} {leaves} {evaluations} {interior} {visits} \
                 {peak_open} {peak_backup} {peak_stored} {calls} {terminal}"
            )
            .unwrap();
        }
    }
    text
}

#[test]
fn every_count_is_pinned() {
    let found = counted();
    let changed: Vec<&str> =
        found.lines().filter(|line| !PINNED.lines().any(|pinned| pinned == *line)).collect();
    assert!(
        changed.is_empty() && found.lines().count() == PINNED.lines().count(),
        "lines that are not in counts.txt; if the change is meant, the file becomes:\n{found}\n\
         changed:\n{}",
        changed.join("\n")
    );
}
