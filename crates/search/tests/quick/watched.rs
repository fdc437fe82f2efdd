//! What a trace says of a search, and what a search says of its memory.

use plyground_core::limits::{Limits, Stop};
use plyground_core::tree::{Explicit, LabTree, Synthetic};
use plyground_search::table::TableSize;
use plyground_search::{
    Algorithm, Counts, Event, MemoryFunctions, OpenStatus, Options, SearchSpec, Trace, catalogue,
    laboratory,
};

use crate::agreement::{search, trees};

/// A search that is watched, to the full depth.
fn traced(tree: &LabTree, id: &str, options: Options) -> Trace {
    let trace = Trace::of_everything();
    let options = Options { depth: tree.height() as u32, ..options };
    let spec = SearchSpec::check(&id.parse().unwrap(), options).unwrap();
    laboratory::search(tree, &spec, Some(trace.watcher())).unwrap();
    trace
}

/// The leaves in the order in which minimax meets them.
fn in_order(width: usize, depth: usize) -> Vec<Vec<usize>> {
    (0..depth).fold(vec![Vec::new()], |paths, _| {
        let longer = |path: &Vec<usize>| {
            let path = path.clone();
            (0..width).map(move |child| [path.as_slice(), &[child]].concat())
        };
        paths.iter().flat_map(longer).collect()
    })
}

#[test]
fn minimax_visits_every_leaf_from_left_to_right() {
    for (width, depth) in [(2, 3), (3, 3), (5, 2), (1, 4)] {
        let tree: LabTree = Synthetic::independent(width, depth, 50, 9).unwrap().into();
        let trace = traced(&tree, "minimax", Options::default());
        let visited: Vec<Vec<usize>> = trace.read().visited().map(|(path, _)| path).collect();
        assert_eq!(visited, in_order(width, depth));
    }
}

/// SSS* takes a state from OPEN for each of its steps: the same ones alone and as the one process of PARSSS*.
#[test]
fn a_trace_tells_every_state_that_is_taken_from_open() {
    let tree = LabTree::from("((3 5) (6 9))".parse::<Explicit>().unwrap());
    for id in ["sss", "parsss:1"] {
        let trace = traced(&tree, id, Options::default());
        let log = trace.read();
        let taken = log.events().filter_map(|(_, event)| match event {
            Event::Taken { state, action } => {
                let path: Vec<usize> =
                    log.steps(state.path).into_iter().chain(state.child).collect();
                let live = state.status == OpenStatus::Live;
                Some((path, live, state.merit.min(100), *action))
            }
            _ => None,
        });
        let expected = [
            (vec![], true, 100, "push its partition"),
            (vec![0], true, 100, "push its first child"),
            (vec![0, 0], true, 100, "evaluate"),
            (vec![1], true, 100, "push its first child"),
            (vec![1, 0], true, 100, "evaluate"),
            (vec![1, 0], false, 6, "push its sibling"),
            (vec![1, 1], true, 6, "evaluate"),
            (vec![1, 1], false, 6, "its parent is SOLVED"),
            (vec![1], false, 6, "raise low of its parent"),
            (vec![], false, 6, "the search ends"),
        ];
        assert_eq!(taken.collect::<Vec<_>>(), expected, "{id}");
    }
}

/// Processes are numbered from 1 without a gap, and whoever takes a turn was there before.
#[test]
fn processes_are_numbered_from_1() {
    // The processes of PARSSS* and its relatives are started one by one.
    let starts =
        |a: Algorithm| a.threads().is_some() && matches!(a.serial(), Algorithm::BestFirst(_));
    for entry in catalogue().filter(|entry| entry.examples().all(starts)) {
        let id = entry.examples().find(|a| a.threads().is_some_and(|n| n > 2)).unwrap().to_string();
        let tree: LabTree = Synthetic::independent(4, 4, 50, 9).unwrap().into();
        let options = Options { simulate: true, spawn_height: Some(1), ..Options::default() };
        let trace = traced(&tree, &id, options);
        let (mut last, mut spawned, mut lists) = (0, 1, 0);
        for (_, event) in trace.read().events() {
            match event {
                Event::Spawned { process, .. } => {
                    assert_eq!(*process, spawned + 1, "{id}");
                    spawned = *process;
                }
                Event::Turn { process } => {
                    assert!((1..=spawned).contains(process) && *process != last, "{id}: {process}");
                    last = *process;
                }
                Event::Open { states } => lists += usize::from(!states.is_empty()),
                _ => {}
            }
        }
        assert!(spawned > 1 && lists > 1, "{id}: {lists}");
    }
}

/// With the memory that its formula asks for, ITERSSS* comes to an end on every uniform tree; with less it may
/// lock, and what it evaluates depends on which states give way and come back.
#[test]
fn memory_by_the_formula_is_enough() {
    let (mut locked, mut evaluations) = (0, 0);
    for (seed, (width, depth)) in (0..).zip([(3usize, 4usize), (4, 3), (2, 6), (4, 4), (5, 2)]) {
        let least = depth.div_ceil(2) * (width - 1) + 1;
        let tree: LabTree = Synthetic::independent(width, depth, 50, seed).unwrap().into();
        let value = search(&tree, &"minimax".parse().unwrap(), Options::default()).unwrap().value;
        for (id, simulate) in [("itersss:M", false), ("paritersss:2:M", true)] {
            let spawn_height = simulate.then_some(1);
            let with = |entries: usize| {
                let algorithm = id.replace('M', &entries.to_string()).parse().unwrap();
                let options = Options { simulate, spawn_height, ..Options::default() };
                search(&tree, &algorithm, options)
            };
            assert_eq!(with(least).and_then(|o| o.value), value, "{id} on {width}, {depth}");
            for outcome in (1..least + 9).map(with) {
                locked += u32::from(outcome.is_none());
                evaluations += outcome.map_or(0, |outcome| outcome.counts.evaluations);
            }
        }
    }
    assert_eq!((locked, evaluations), (46, 4_508));
}

/// What is on a list or stored takes bytes, whoever keeps it.
#[test]
fn whatever_is_held_takes_bytes() {
    let tree: LabTree = Synthetic::independent(4, 5, 500, 9).unwrap().into();
    let mut held = 0;
    for algorithm in catalogue().flat_map(|entry| entry.examples()) {
        let Some(outcome) = search(&tree, &algorithm, Options::default()) else { continue };
        let Counts { peak_open, peak_stored, peak_bytes, .. } = outcome.counts;
        held += u64::from(peak_open + peak_stored > 0);
        assert!(peak_bytes >= 4 * peak_open, "{algorithm}: {peak_open} in {peak_bytes}");
        assert!(peak_bytes >= 16 * peak_stored, "{algorithm}: {peak_stored} in {peak_bytes}");
        assert!(peak_bytes < 4 << 20, "{algorithm}: {peak_bytes}");
        if peak_open > 0 && algorithm.threads().is_none() {
            let most = peak_bytes / 2;
            let limits = Limits { bytes: Some(most as usize), ..Limits::default() };
            let limited = search(&tree, &algorithm, Options { limits, ..Options::default() });
            let limited = limited.unwrap();
            // What makes its partitions as small as the bytes ask for may do with half of them.
            if algorithm.to_string() == "ps:auto" && limited.stopped.is_none() {
                assert!(limited.counts.peak_bytes <= most, "{limited:?}");
            } else {
                assert_eq!(limited.stopped, Some(Stop::Bytes), "{algorithm}");
            }
        }
    }
    assert!(held > 15, "{held}");
}

/// MTD(f) calls its search at least once, on threads too; a search without a driver counts no call.
#[test]
fn only_a_driver_counts_calls() {
    let tree: LabTree = Synthetic::independent(4, 5, 500, 9).unwrap().into();
    let calls = |id: &str| {
        let outcome = search(&tree, &id.parse().unwrap(), Options::default());
        outcome.unwrap().counts.calls
    };
    for (driven, plain) in [("abdada-mtd-f:2", "abdada:2"), ("ybw-mtd-f:2", "ybw:2")] {
        assert!(calls(driven) > 0, "{driven}");
        assert_eq!(calls(plain), 0, "{plain}");
    }
}

/// The bytes of a table and of a stored tree are told, and a limit on them stops a search.
#[test]
fn the_bytes_of_a_memory_are_counted() {
    let size = TableSize::of_entries(1 << 10);
    let (memory, table) = (MemoryFunctions::TABLE, Some(size));
    let tree = &trees()[30];
    let pvs = "pvs".parse().unwrap();
    let with = Options { memory, table, ..Options::default() };
    let (plain, tabled) =
        (search(tree, &pvs, Options::default()).unwrap(), search(tree, &pvs, with).unwrap());
    assert!(
        tabled.counts.peak_bytes >= plain.counts.peak_bytes + (16 << 10),
        "{} and {}",
        plain.counts.peak_bytes,
        tabled.counts.peak_bytes
    );
    // SSS-2 stores a tree, of which a part must be too much.
    let tree: LabTree = Synthetic::independent(4, 6, 500, 9).unwrap().into();
    let sss_2 = "sss-2".parse().unwrap();
    let whole = search(&tree, &sss_2, Options { memory, table, ..Options::default() });
    assert!(whole.is_some_and(|whole| whole.counts.peak_bytes > 0));
    let stored = search(&tree, &sss_2, Options::default()).unwrap().counts.peak_bytes;
    let limits = Limits { bytes: Some(stored as usize / 2), ..Limits::default() };
    for paths in [None, Some(1 << 20)] {
        let options = Options { limits: limits.clone(), paths, ..Options::default() };
        let stopped = search(&tree, &sss_2, options).unwrap();
        assert_eq!(stopped.stopped, Some(Stop::Bytes), "{stored}");
    }
}
