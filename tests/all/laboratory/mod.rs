//! The laboratory's facts: what the papers prove, on thousands of random trees.

mod lists;
mod shared;
pub mod trees;

use std::collections::HashSet;

use self::trees::{any_tree, chance, minimax, options, run, run_with, uniform_tree};
use plyground::limits::{Limits, Stop, StopFlag};
use plyground::search::{Options, Proves, SearchError, Update, catalogue};
use plyground::tree::{Explicit, Synthetic, TreeOrdering};

use crate::searching::{counted, search};

/// Parameters besides the catalogue's own examples.
const MORE: &[&str] = &[
    "aspiration:1",
    "aspiration:5:3",
    "aspiration:1000000000:-7",
    "aspiration-negascout:1",
    "aspiration-negascout:5:3",
    "aspiration-negascout:1000000000:-7",
    "sss-0:5",
    "sss-4:1",
    "sss-4:1000000000",
    "mtd-f:-3",
    "ps:1",
    "ps:3",
    "ps:8",
    "ps:1+2+4",
    "ps:2+1",
    "ps:3+",
    "ps:4+2+1",
    "itersss:1000",
    "rsearch:1",
    "rsearch:4",
    "rsearch:20",
    "staged-sss:1",
    "staged-sss:1+3",
];

/// Every serial algorithm of the catalogue that tells the value, some with several parameters.
fn all() -> Vec<&'static str> {
    let tells_value =
        catalogue().filter(|entry| !entry.is_parallel() && entry.proves == Proves::Value);
    tells_value.flat_map(|entry| entry.examples).chain(MORE).copied().collect()
}

#[test]
fn every_algorithm_returns_the_minimax_value_and_a_move_that_has_it() {
    let mut rng = chance(1);
    for _ in 0..4_000 {
        let tree = any_tree(&mut rng);
        let value = minimax(&tree, &mut Vec::new());
        for id in all() {
            let seen = run(&tree, id);
            assert_eq!(seen.value(), value, "{id} on {tree}");
            if tree.height() > 0 {
                let best = seen.outcome.best.unwrap_or_else(|| panic!("{id}: no move on {tree}"));
                assert_eq!(minimax(&tree, &mut vec![best as usize]), value, "{id} on {tree}");
            }
            let distinct: HashSet<_> = seen.visited.iter().collect();
            assert_eq!(distinct.len(), seen.visited.len(), "{id} on {tree}");
            assert_eq!(seen.counts().leaves, Some(distinct.len() as u64), "{id} on {tree}");
        }
    }
}

#[test]
fn the_best_move_is_proved_without_its_value() {
    let mut rng = chance(21);
    let (mut proved, mut valued) = (0, 0);
    let mut leaves = [0; 3];
    for _ in 0..2_000 {
        let tree = any_tree(&mut rng);
        let value = minimax(&tree, &mut Vec::new());
        for (id, leaves) in ["second-best", "alpha-bounding", "sss-2"].into_iter().zip(&mut leaves)
        {
            let seen = run(&tree, id);
            let known = seen.outcome.bounds;
            assert!(known.lower <= value && value <= known.upper, "{id} on {tree}: {known:?}");
            assert!(seen.outcome.value.is_none_or(|found| found == value), "{id} on {tree}");
            *leaves += seen.counts().leaves.unwrap();
            proved += u32::from(seen.outcome.value.is_none());
            valued += u32::from(seen.outcome.value.is_some());
            if tree.height() > 0 {
                let best = seen.outcome.best.unwrap_or_else(|| panic!("{id}: no move on {tree}"));
                assert_eq!(minimax(&tree, &mut vec![best as usize]), value, "{id} on {tree}");
            }
        }
    }
    assert!(proved > 1_000 && valued > 2_000, "{proved} {valued}");
    assert!(leaves[0] < leaves[2], "{leaves:?}");
}

#[test]
fn maxsearch_is_right_and_visits_a_subset() {
    let mut rng = chance(2);
    let mut smaller = 0;
    for _ in 0..3_000 {
        let tree = any_tree(&mut rng);
        let value = minimax(&tree, &mut Vec::new());
        for id in ["sss-2", "dual-2", "sss-0:2", "sss-4:3", "sss-b", "mtd-f"] {
            let clipped = run(&tree, id);
            let maxsearch =
                run_with(&tree, id, &Options { update: Update::Maxsearch, ..options(&tree) });
            assert_eq!(maxsearch.value(), value, "{id} on {tree}");
            if id == "sss-2" || id == "dual-2" {
                let all: HashSet<_> = clipped.visited.iter().collect();
                assert!(maxsearch.visited.iter().all(|l| all.contains(l)), "{id} on {tree}");
                smaller += usize::from(maxsearch.visited.len() < clipped.visited.len());
            }
        }
    }
    assert!(smaller > 0, "the other update changes nothing");
}

#[test]
fn the_same_leaves_in_the_same_order() {
    let mut rng = chance(3);
    for _ in 0..4_000 {
        let tree = any_tree(&mut rng);
        let sss = run(&tree, "sss").visited;
        assert_eq!(run(&tree, "sss-2").visited, sss, "SSS-2 on {tree}");
        assert_eq!(run(&tree, "sss-2-tree").visited, sss, "SSS-2 with a solution tree on {tree}");
        assert_eq!(run(&tree, "ps:1").visited, sss, "PS*(1) on {tree}");
        assert_eq!(run(&tree, "itersss:1000000").visited, sss, "ITERSSS* on {tree}");
        assert_eq!(run(&tree, "dual-2").visited, run(&tree, "dual").visited, "Dual-2 on {tree}");
        let alpha_beta = run(&tree, "alpha-beta").visited;
        let wide = format!("ps:{}", tree.width().max(1));
        assert_eq!(run(&tree, &wide).visited, alpha_beta, "{wide} on {tree}");
        assert_eq!(run(&tree, "ps:1+").visited, alpha_beta, "partitions of one on {tree}");
        assert_eq!(run(&tree, "pvs").visited, run(&tree, "negascout").visited, "{tree}");
    }
}

#[test]
fn what_surpasses_alpha_beta_visits_a_subset_of_its_leaves() {
    let mut rng = chance(4);
    for _ in 0..4_000 {
        let tree = any_tree(&mut rng);
        let alpha_beta: HashSet<_> = run(&tree, "alpha-beta").visited.into_iter().collect();
        for id in [
            "sss",
            "dual",
            "pvs",
            "negascout",
            "aspiration:3",
            "sss-2",
            "dual-2",
            "sss-0",
            "sss-4:7",
            "sss-b",
            "mtd-f",
            "mtd-f:9",
        ] {
            let visited = run(&tree, id).visited;
            assert!(visited.iter().all(|l| alpha_beta.contains(l)), "{id} on {tree}");
        }
    }
}

#[test]
fn the_solution_tree_does_what_the_lists_do() {
    let mut rng = chance(5);
    let count = |k: usize| move |children: usize, _: usize| children.div_ceil(k);
    let growing = |_: usize, partition: usize| [1, 2, 4][partition.min(2)];
    let shrinking = |_: usize, partition: usize| [3, 2, 1][partition.min(2)];
    for _ in 0..4_000 {
        let tree = any_tree(&mut rng);
        let check = |id: &str, literal: lists::Literal, backup: bool| {
            let seen = run(&tree, id);
            assert_eq!(seen.visited, literal.visited, "{id} on {tree}");
            assert_eq!(i64::from(seen.value()), literal.value, "{id} on {tree}");
            if tree.height() > 0 {
                assert_eq!(seen.counts().peak_open, literal.peak_open as u64, "{id} on {tree}");
                let expected = if backup { literal.peak_backup as u64 } else { 0 };
                assert_eq!(seen.counts().peak_backup, expected, "{id} on {tree}");
            }
        };
        // SSS* and DUAL* have no BACKUP; PS*(1), which visits the same, has.
        check("sss", lists::phased(&tree, 0, &count(1)), false);
        check("dual", lists::phased(&tree, 1, &count(1)), false);
        check("ps:1", lists::phased(&tree, 0, &count(1)), true);
        check("ps:2", lists::phased(&tree, 0, &count(2)), true);
        check("ps:3", lists::phased(&tree, 0, &count(3)), true);
        check("ps:1+2+4", lists::phased(&tree, 0, &growing), true);
        check("ps:3+2+1", lists::phased(&tree, 0, &shrinking), true);
        let enough = tree.height().div_ceil(2) * tree.width().saturating_sub(1) + 1;
        for entries in [enough, enough + 1, enough * 2] {
            check(&format!("itersss:{entries}"), lists::itersss(&tree, entries), false);
        }
    }
}

/// Memory control of SSS*: what each search visits with much memory and with little.
#[test]
fn between_sss_and_alpha_beta() {
    let mut rng = chance(11);
    let mut between = 0;
    for _ in 0..3_000 {
        let tree = any_tree(&mut rng);
        let [sss, alpha_beta] = ["sss", "alpha-beta"].map(|id| run(&tree, id));
        // Without a limit on bytes or entries, and with one stage, they are SSS*.
        for id in ["recsss", "ps:auto", "rsearch:1000000", "staged-sss:99"] {
            assert_eq!(run(&tree, id).visited, sss.visited, "{id} on {tree}");
        }
        assert_eq!(run(&tree, "rsearch:1").visited, alpha_beta.visited, "{tree}");
        for id in ["rsearch:2", "rsearch:5", "rsearch:9", "staged-sss:1", "staged-sss:2+1"] {
            let seen = run(&tree, id);
            assert_eq!(seen.value(), sss.value(), "{id} on {tree}");
            between += usize::from(seen.visited != sss.visited);
        }
        for entries in [1, 2, 5, 9] {
            let open = run(&tree, &format!("rsearch:{entries}")).counts().peak_open;
            assert!(open <= entries, "{open} of {entries} on {tree}");
        }
        // What informed NegaScout visits, NegaScout visits too, and nothing twice.
        let (ins, negascout) = (run(&tree, "ins"), run(&tree, "negascout"));
        assert_eq!(ins.value(), sss.value(), "{tree}");
        assert!(ins.visited.iter().all(|leaf| negascout.visited.contains(leaf)), "{tree}");
        assert_eq!(ins.counts().leaves, Some(ins.counts().evaluations), "{tree}");
    }
    assert!(between > 100, "{between}");
}

#[test]
fn ps_auto_makes_do_with_the_bytes_that_are_left() {
    for seed in 0..5 {
        let tree = Synthetic::independent(8, 6, 1000, seed).unwrap();
        let with = |id: &str, bytes| {
            let limits = Limits { bytes, ..Limits::default() };
            let options = Options { limits, ..Options::to_depth(6) };
            search(&tree, &id.parse().unwrap(), &options).unwrap()
        };
        let (sss, much) = (with("sss", None), with("ps:auto", None));
        assert_eq!(much.counts.evaluations, sss.counts.evaluations);
        let half = Some(sss.counts.peak_bytes as usize / 2);
        assert_eq!(with("sss", half).stopped, Some(Stop::Bytes));
        let little = with("ps:auto", half);
        assert_eq!((little.stopped, little.value), (None, sss.value));
        assert!(little.counts.peak_open < sss.counts.peak_open);
        assert!(little.counts.evaluations > sss.counts.evaluations);
    }
}

#[test]
fn itersss_on_uniform_trees() {
    let mut rng = chance(6);
    let mut locked = 0;
    for _ in 0..1_500 {
        let (tree, width, depth) = uniform_tree(&mut rng);
        let least = depth.div_ceil(2) * (width - 1) + 1;
        let alpha_beta = run(&tree, "alpha-beta").counts().leaves;
        for entries in [least, least + 1, 2 * least] {
            let seen = run(&tree, &format!("itersss:{entries}"));
            assert!(seen.counts().leaves <= alpha_beta, "itersss:{entries} on {tree}");
            assert!(seen.counts().peak_open <= entries as u64, "itersss:{entries} on {tree}");
        }
        if depth >= 3 && width >= 2 {
            let algorithm = format!("itersss:{}", least - 1).parse().unwrap();
            let error = search(&tree, &algorithm, &options(&tree)).unwrap_err();
            let SearchError::Locked(lock) = error else { panic!("{error}") };
            assert_eq!(lock.least, least as u64);
            assert!(lock.held <= lock.entries);
            assert!(lock.to_string().contains(&format!("M = {least} is enough")), "{lock}");
            locked += 1;
        }
    }
    assert!(locked > 100);
}

#[test]
fn space_on_uniform_trees() {
    let mut rng = chance(7);
    for _ in 0..1_000 {
        let (tree, w, d) = uniform_tree(&mut rng);
        for k in 1..=4 {
            let counts = run(&tree, &format!("ps:{k}")).counts();
            let size = w.div_ceil(k) as u64;
            let open = size.pow(d.div_ceil(2) as u32);
            let backup: u64 = (0..=(d - 1) / 2).map(|j| size.pow(j as u32)).sum();
            assert!(counts.peak_open <= open, "PS*({k}) on {tree}");
            assert!(counts.peak_backup <= backup, "PS*({k}) on {tree}");
        }
    }
}

#[test]
fn minimal_trees_take_the_least() {
    for (width, depth) in [(2, 7usize), (3, 5), (4, 4), (5, 1), (1, 6), (256, 2), (16, 3)] {
        let least = |d: usize| (width as u64).pow(d as u32);
        let expected = least(depth.div_ceil(2)) + least(depth / 2) - 1;
        for seed in 0..5 {
            let tree = Synthetic::minimal(width, depth, 100, 20 * seed, seed as u64).unwrap();
            // Staged SSS* and Rsearch begin with siblings before a bound is known, and search each to its
            // end. ER evaluates the elder grandchildren of all children first.
            let others = ["minimax", "staged-sss", "rsearch", "serial-er"];
            let least = |id: &&str| others.iter().all(|other| !id.starts_with(other));
            for id in all().into_iter().filter(least) {
                let options = Options::to_depth(depth as u32);
                let outcome = counted(&tree, &id.parse().unwrap(), &options).unwrap();
                assert_eq!(outcome.value, tree.known_value(), "{id} on T({width},{depth})");
                assert_eq!(outcome.counts.leaves, Some(expected), "{id} on T({width},{depth})");
            }
        }
    }
}

#[test]
fn ordered_trees_favour_phased_search() {
    for (width, depth) in [(8, 4), (8, 3), (4, 5)] {
        for order in [2, 4] {
            let ordering = TreeOrdering::Probable { order, probability: 1.0 };
            for seed in 0..60 {
                let tree = Synthetic::ordered(width, depth, 100, 50, seed, ordering).unwrap();
                let leaves = |id: &str| {
                    let options = Options::to_depth(depth as u32);
                    let outcome = counted(&tree, &id.parse().unwrap(), &options).unwrap();
                    outcome.counts.leaves.unwrap()
                };
                let (sss, alpha_beta) = (leaves("sss"), leaves("alpha-beta"));
                assert!(sss <= alpha_beta);
                for k in (1..=order).filter(|k| width % k == 0) {
                    let ps = leaves(&format!("ps:{k}"));
                    assert!(ps <= sss, "PS*({k}) on T({width},{depth}), R = {order}, seed {seed}");
                }
            }
        }
    }
}

#[test]
fn what_never_returns_to_a_leaf() {
    let mut rng = chance(9);
    for _ in 0..500 {
        let tree = any_tree(&mut rng);
        for id in ["alpha-beta", "minimax", "sss", "dual", "ps:2", "itersss:1000", "sss-2", "mtd-f"]
        {
            let counts = run(&tree, id).counts();
            assert_eq!(Some(counts.evaluations), counts.leaves, "{id} on {tree}");
        }
        for id in ["sss-2", "dual-2", "sss-0:3", "sss-b", "mtd-f"] {
            let counts = run(&tree, id).counts();
            let nodes = counts.nodes().unwrap();
            assert_eq!(counts.peak_stored, nodes, "every node keeps its bounds: {id} on {tree}");
        }
    }
}

/// What the catalogue says never comes to a path twice does not, in any order and on any threads.
#[test]
fn what_the_catalogue_says_of_revisiting_holds() {
    let mut rng = chance(91);
    for case in 0..400 {
        let tree = any_tree(&mut rng);
        for entry in catalogue().filter(|entry| !entry.revisits) {
            for id in entry.examples {
                let mut options = Options { spawn_height: Some(case % 3), ..options(&tree) };
                if case % 2 == 0 {
                    options.memory = "history+killers".parse().unwrap();
                }
                // A traced search tells paths apart whatever the catalogue says.
                let seen = run_with(&tree, id, &options);
                assert_eq!(seen.visited.len() as u64, seen.counts().evaluations, "{id} on {tree}");
            }
        }
    }
}

#[test]
fn deep_trees_are_searched() {
    let nested = |n: usize| format!("{}7{}", "(".repeat(n), ")".repeat(n));
    let tree: Explicit = nested(1_000).parse().unwrap();
    for id in all() {
        assert_eq!(run(&tree, id).value(), 7, "{id}");
    }
}

#[test]
fn a_raised_flag_and_a_full_memory_stop_a_search() {
    let tree = Synthetic::independent(8, 6, 1000, 1).unwrap();
    let flag = StopFlag::new();
    flag.raise();
    let stopped = |id: &str, limits: Limits| {
        let options = Options { limits, ..Options::to_depth(6) };
        let outcome = search(&tree, &id.parse().unwrap(), &options).unwrap();
        (outcome.stopped, outcome.counts.visits)
    };
    for id in all() {
        let limits = Limits { flag: flag.clone(), ..Limits::default() };
        assert_eq!(stopped(id, limits), (Some(Stop::Flag), 0), "{id}");
        let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
        assert_eq!(stopped(id, limits), (Some(Stop::Time), 0), "{id}");
    }
    for id in ["sss", "dual", "ps:2", "sss-2", "mtd-f", "sss-2-tree", "itersss:100000"] {
        let limits = Limits { bytes: Some(4_000), ..Limits::default() };
        let (stop, visits) = stopped(id, limits);
        assert_eq!(stop, Some(Stop::Bytes), "{id}");
        assert!(visits > 0, "{id}");
    }
    let limits = Limits { bytes: Some(1), ..Limits::default() };
    assert_eq!(stopped("alpha-beta", limits).0, None, "alpha-beta keeps nothing");
}

#[test]
fn worked_examples() {
    let visited = |text: &str, id: &str| {
        let seen = run(&text.parse().unwrap(), id);
        (seen.value(), seen.visited)
    };
    let textbook = "((3 12 8) (2 4 6) (14 5 2))";
    assert_eq!(visited(textbook, "alpha-beta"), (3, vec![0, 1, 2, 3, 6, 7, 8]));
    assert_eq!(visited("(1 (((1 1))))", "alpha-beta"), (1, vec![0, 1]), "a deep cut-off");
    assert_eq!(visited("((0 1) ((((0 2)) 1)) (0))", "ps:2").0, 2);
    assert_eq!(visited("(((4 1)) 2 3)", "ps:2"), (4, vec![0, 2, 1, 3]));
    let t44 = "((1 0 8 7) (7 3 0 3) (5 3 1 3) (8 4 5 3))";
    assert_eq!(visited(t44, "sss"), (3, vec![0, 4, 8, 12, 13, 5, 9, 14, 15, 6, 10]));
    let ps = vec![0, 4, 5, 6, 1, 2, 3, 8, 12, 13, 9, 14, 15, 10];
    assert_eq!(visited(t44, "ps:2"), (3, ps));
    // The worked example of the parallel SSS* paper; X is whatever is never looked at.
    for x in [0, 3, 9] {
        let leaves = [4, 4, 4, x, 4, 4, x, x, 6, 5, 6, 5, 5, 4, 3, x];
        let tree = Explicit::uniform(2, 4, &leaves).unwrap();
        assert_eq!(run(&tree, "sss").counts().leaves, Some(12));
    }
}

#[test]
fn a_search_stopped_anywhere_leaves_no_wrong_answer() {
    let mut rng = chance(8);
    for _ in 0..400 {
        let tree = any_tree(&mut rng);
        let value = minimax(&tree, &mut Vec::new());
        for id in all() {
            let whole = run(&tree, id).counts();
            let steps = 1 + whole.evaluations / 12;
            for leaves in (0..whole.evaluations + 2).step_by(steps as usize) {
                let limits = Limits { leaves: Some(leaves), ..Limits::default() };
                let seen = run_with(&tree, id, &Options { limits, ..options(&tree) });
                let outcome = &seen.outcome;
                assert!(outcome.counts.evaluations <= leaves);
                assert!(outcome.bounds.lower <= value, "{id} {leaves} {:?} {tree}", outcome.bounds);
                assert!(outcome.bounds.upper >= value, "{id} {leaves} {:?} {tree}", outcome.bounds);
                if leaves < whole.evaluations {
                    assert_eq!(outcome.stopped, Some(Stop::Leaves), "{id} {leaves} on {tree}");
                    assert_eq!(outcome.counts.evaluations, leaves, "{id} on {tree}");
                    assert_eq!(outcome.value, None);
                } else {
                    assert_eq!(
                        (outcome.stopped, outcome.value),
                        (None, Some(value)),
                        "{id} {tree}"
                    );
                }
            }
            for nodes in (0..whole.visits + 2).step_by(1 + whole.visits as usize / 5) {
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let seen = run_with(&tree, id, &Options { limits, ..options(&tree) });
                assert!(seen.outcome.bounds.lower <= value && seen.outcome.bounds.upper >= value);
                match seen.outcome.stopped {
                    None => assert_eq!(seen.value(), value, "{id} on {tree}"),
                    Some(stop) => assert_eq!(stop, Stop::Nodes, "{id} on {tree}"),
                }
            }
        }
    }
}
