//! PARSSS*, PARITERSSS* and parallel PS*: on threads and in simulation.

mod commands;
mod memories;
mod model;
mod processes;
mod shared_model;
mod wakings;

use std::time::Duration;

use plyground::chess::{self, Chess};
use plyground::limits::{Limits, Stop, StopFlag};
use plyground::othello::{Evaluator, Othello};
use plyground::search::algorithms::{AlphaBeta, Sss};
use plyground::search::{Algorithm, MemoryFunctions, Options};
use plyground::table::TableSize;
use plyground::tree::{Explicit, Synthetic, mix};
use rand::RngExt;

use crate::laboratory::trees::{
    Seen, any_tree, chance, minimax, options, run, run_with, uniform_tree,
};
use crate::memory::midgame;
use crate::searching::{Searched, counted, search};

fn simulated(tree: &Explicit, spawn_height: u32) -> Options {
    Options { simulate: true, spawn_height: Some(spawn_height), ..options(tree) }
}

fn simulate(tree: &Explicit, id: &str) -> Seen {
    run_with(tree, id, &simulated(tree, 0))
}

fn terminal_count(seen: &Seen) -> u64 {
    seen.outcome.terminal_count.unwrap()
}

/// N = 1, 2, 3, 8 and more of everything.
fn family() -> Vec<String> {
    let mut ids = Vec::new();
    for n in [1, 2, 3, 8] {
        ids.push(format!("parsss:{n}"));
        for k in ["1", "2", "3", "8", "1+2"] {
            ids.push(format!("parps:{n}:{k}"));
        }
        ids.push(format!("paritersss:{n}:1000"));
    }
    ids
}

/// The least M for this tree.
fn least_memory(width: usize, depth: usize) -> usize {
    depth.div_ceil(2) * (width - 1) + 1
}

#[test]
fn simulations_return_the_minimax_value_and_a_move_that_has_it() {
    let mut rng = chance(71);
    let family = family();
    for case in 0..1_500 {
        let tree = any_tree(&mut rng);
        let value = minimax(&tree, &mut Vec::new());
        for id in &family {
            let seen = run_with(&tree, id, &simulated(&tree, case % 4));
            assert_eq!(seen.value(), value, "{id} on {tree}");
            let count = terminal_count(&seen);
            assert!(count <= seen.counts().evaluations && count > 0, "{id} on {tree}");
            if tree.height() > 0 {
                let best = seen.outcome.best.unwrap_or_else(|| panic!("{id}: no move on {tree}"));
                assert_eq!(minimax(&tree, &mut vec![best as usize]), value, "{id} on {tree}");
            }
        }
    }
}

#[test]
fn threads_return_the_minimax_value_and_a_move_that_has_it() {
    let mut rng = chance(72);
    let family = family();
    for case in 0..250 {
        let tree = any_tree(&mut rng);
        let value = minimax(&tree, &mut Vec::new());
        for id in &family {
            let options = Options { spawn_height: Some(case % 3), ..options(&tree) };
            let algorithm: Algorithm = id.parse().unwrap();
            let outcome = search(&tree, &algorithm, &options).unwrap();
            assert_eq!(outcome.value, Some(value), "{id} on {tree}");
            assert_eq!(outcome.terminal_count, None);
            if tree.height() > 0 {
                let best = outcome.best.unwrap_or_else(|| panic!("{id}: no move on {tree}"));
                assert_eq!(minimax(&tree, &mut vec![best as usize]), value, "{id} on {tree}");
            }
        }
    }
}

#[test]
fn larger_trees_on_threads() {
    for case in 0..6 {
        let tree =
            Synthetic::independent(4, 8, [3, 100, 1_000_000][case as usize % 3], case).unwrap();
        let options = Options { spawn_height: Some(1), ..Options::to_depth(8) };
        let value = |id: &str| {
            let outcome = search(&tree, &id.parse().unwrap(), &options).unwrap();
            outcome.value.unwrap()
        };
        let expected = value("alpha-beta");
        for id in ["parsss:2", "parsss:3", "parsss:8", "parps:2:2", "parps:8:4", "paritersss:8:13"]
        {
            assert_eq!(value(id), expected, "{id}, tree {case}");
        }
    }
}

#[test]
fn the_simulation_does_what_the_paper_prints() {
    let mut rng = chance(73);
    for case in 0..1_000 {
        let tree = any_tree(&mut rng);
        let height = case % 3;
        for n in [1, 2, 3, 5, 16] {
            let literal = processes::parsss(&tree, n, height);
            let seen = run_with(&tree, &format!("parsss:{n}"), &simulated(&tree, height as u32));
            assert_eq!(i64::from(seen.value()), literal.value, "N = {n} on {tree}");
            assert_eq!(terminal_count(&seen), literal.terminal_count, "N = {n} on {tree}");
            assert_eq!(seen.visited, literal.visited, "N = {n} on {tree}");
            if tree.height() > 0 {
                let peak = seen.counts().peak_open;
                assert_eq!(peak, literal.peak_open as u64, "N = {n} on {tree}");
            }
        }
    }
}

#[test]
fn the_worked_example_takes_12_and_7_whatever_x_is() {
    let mut rng = chance(74);
    for _ in 0..100 {
        let x: Vec<i32> = (0..4).map(|_| rng.random_range(-9..20)).collect();
        let (a, b, c, d) = (x[0], x[1], x[2], x[3]);
        let text = format!("((((4 4) (4 {a})) ((4 4) ({b} {c}))) (((6 5) (6 5)) ((5 4) (3 {d}))))");
        let tree: Explicit = text.parse().unwrap();
        assert_eq!(terminal_count(&simulate(&tree, "sss")), 12, "{text}");
        assert_eq!(terminal_count(&simulate(&tree, "parsss:1")), 12, "{text}");
        let seen = simulate(&tree, "parsss:2");
        assert_eq!((seen.value(), terminal_count(&seen)), (4, 7), "{text}");
        assert_eq!(seen.visited, [0, 8, 2, 10, 1, 9, 4, 11, 5, 12, 13, 14], "{text}");
    }
}

#[test]
fn one_process_is_the_serial_search() {
    let mut rng = chance(75);
    for _ in 0..500 {
        let tree = any_tree(&mut rng);
        for (one, serial) in [
            ("parsss:1", "sss"),
            ("parps:1:1", "sss"),
            ("parps:1:2", "ps:2"),
            ("parps:1:3", "ps:3"),
            ("parps:1:1+2", "ps:1+2"),
            ("paritersss:1:100000", "sss"),
            ("paritersss:1:40", "itersss:40"),
        ] {
            let serial = run(&tree, serial);
            for seen in [run(&tree, one), simulate(&tree, one)] {
                assert_eq!(seen.visited, serial.visited, "{one} on {tree}");
                let (ours, theirs) = (seen.counts(), serial.counts());
                assert_eq!(ours.visits, theirs.visits, "{one} on {tree}");
                assert_eq!(ours.peak_open, theirs.peak_open, "{one} on {tree}");
            }
            let count = terminal_count(&simulate(&tree, one));
            assert_eq!(Some(count), serial.counts().leaves, "{one} on {tree}");
        }
    }
}

#[test]
fn what_holds_of_terminal_counts() {
    let mut rng = chance(76);
    for _ in 0..400 {
        let tree = any_tree(&mut rng);
        let sss = run(&tree, "sss").counts().leaves.unwrap();
        for n in [2, 3, 8, 64, 1024] {
            let seen = simulate(&tree, &format!("parsss:{n}"));
            assert!(terminal_count(&seen) <= sss, "parsss:{n} on {tree}");
            // With room for all, memory changes nothing; nor does one partition.
            for id in [format!("paritersss:{n}:100000"), format!("parps:{n}:1")] {
                let other = simulate(&tree, &id);
                assert_eq!(other.visited, seen.visited, "{id} on {tree}");
                assert_eq!(terminal_count(&other), terminal_count(&seen), "{id} on {tree}");
            }
        }
    }
}

#[test]
fn no_process_holds_more_than_its_memory_on_uniform_trees() {
    let mut rng = chance(77);
    for _ in 0..600 {
        let (tree, width, depth) = uniform_tree(&mut rng);
        let value = minimax(&tree, &mut Vec::new());
        for n in [1, 2, 3, 8] {
            for more in [0, 1, 5] {
                let m = least_memory(width, depth) + more;
                let id = format!("paritersss:{n}:{m}");
                let seen = simulate(&tree, &id);
                assert_eq!(seen.value(), value, "{id} on {tree}");
                assert!(seen.counts().peak_open <= (n * m) as u64, "{id} on {tree}");
                assert!(seen.outcome.peak_process <= m as u64, "{id} on {tree}");
            }
        }
    }
}

#[test]
fn little_memory_on_trees_of_varying_shape() {
    let mut rng = chance(78);
    for _ in 0..600 {
        let tree = any_tree(&mut rng);
        let value = minimax(&tree, &mut Vec::new());
        let m = least_memory(8, tree.height());
        for n in [2, 3, 8] {
            let id = format!("paritersss:{n}:{m}");
            assert_eq!(simulate(&tree, &id).value(), value, "{id} on {tree}");
            assert_eq!(run(&tree, &id).value(), value, "{id} on {tree}");
        }
    }
}

/// Less memory than the paper's formula asks for: the value is found, or the memory locks.
#[test]
fn too_little_memory_on_trees_of_varying_shape() {
    let mut rng = chance(81);
    let mut locked = 0;
    for case in 0..1_500 {
        let tree = any_tree(&mut rng);
        let value = minimax(&tree, &mut Vec::new());
        let m = rng.random_range(1..=least_memory(5, tree.height()));
        for n in [2, 4, 8] {
            let algorithm = format!("paritersss:{n}:{m}").parse().unwrap();
            for simulate in [false, true] {
                let options = Options { simulate, spawn_height: Some(case % 3), ..options(&tree) };
                match search(&tree, &algorithm, &options) {
                    Ok(outcome) => {
                        assert_eq!(outcome.value, Some(value), "{algorithm} on {tree}");
                    }
                    Err(_) => locked += 1,
                }
            }
        }
    }
    assert!(locked > 0);
}

/// States on all OPENs together are states of one tree, none above another: no more than leaves.
#[test]
fn what_is_given_away_is_counted_once() {
    let mut rng = chance(82);
    let family = family();
    for case in 0..300 {
        let tree = any_tree(&mut rng);
        let options = Options { spawn_height: Some(case % 3), ..options(&tree) };
        for id in &family {
            let outcome = search(&tree, &id.parse().unwrap(), &options).unwrap();
            let peak = outcome.counts.peak_open;
            assert!(peak <= tree.leaf_count() as u64, "{id} on {tree}: {peak}");
        }
    }
    for (text, n, peak) in [("(-5 -3)", 3, 2), ("((((435 690) (265 232)) ((818) (675))))", 2, 2)] {
        let tree: Explicit = text.parse().unwrap();
        let id = format!("parsss:{n}");
        assert_eq!(simulate(&tree, &id).counts().peak_open, peak, "{id} on {tree}");
        assert!(run(&tree, &id).counts().peak_open <= peak, "{id} on {tree}");
    }
}

#[test]
fn a_simulation_is_the_same_each_time() {
    let tree = Synthetic::independent(3, 9, 1000, 5).unwrap();
    let options = Options { simulate: true, spawn_height: Some(3), ..Options::to_depth(9) };
    for id in ["parsss:5", "parsss:1024", "paritersss:8:20", "parps:8:2"] {
        let algorithm = id.parse().unwrap();
        let runs = [(); 2].map(|()| {
            let outcome = counted(&tree, &algorithm, &options).unwrap();
            (outcome.value, outcome.terminal_count, outcome.counts)
        });
        assert_eq!(runs[0], runs[1], "{id}");
        // Nobody watching changes nothing.
        let outcome = search(&tree, &algorithm, &options).unwrap();
        assert_eq!(outcome.terminal_count, runs[0].1);
        assert_eq!(outcome.counts.evaluations, runs[0].2.evaluations);
    }
}

#[test]
fn limits_stop_it_and_what_is_known_holds() {
    let mut rng = chance(79);
    for case in 0..150 {
        let tree = any_tree(&mut rng);
        let value = minimax(&tree, &mut Vec::new());
        for id in ["parsss:2", "parsss:8", "parps:3:2", "paritersss:3:100000"] {
            for simulate in [true, false] {
                let whole = Options { simulate, ..options(&tree) };
                let counts = run_with(&tree, id, &whole).counts();
                let most = rng.random_range(0..=counts.visits + 1);
                let limits = match case % 3 {
                    0 => Limits { leaves: Some(most), ..Limits::default() },
                    1 => Limits { nodes: Some(most), ..Limits::default() },
                    _ => Limits { bytes: Some(500 * most as usize), ..Limits::default() },
                };
                let outcome = run_with(&tree, id, &Options { limits, ..whole.clone() }).outcome;
                let bounds = outcome.bounds;
                assert!(bounds.lower <= value && value <= bounds.upper, "{id} on {tree}");
                match (case % 3, outcome.stopped) {
                    (_, None) => assert_eq!(outcome.value, Some(value), "{id} on {tree}"),
                    (0, stop) => assert_eq!(stop, Some(Stop::Leaves), "{id} on {tree}"),
                    (1, stop) => assert_eq!(stop, Some(Stop::Nodes), "{id} on {tree}"),
                    (_, stop) => assert_eq!(stop, Some(Stop::Bytes), "{id} on {tree}"),
                }
                match case % 3 {
                    0 => assert!(outcome.counts.evaluations <= most, "{id} on {tree}"),
                    1 => assert!(outcome.counts.visits <= most, "{id} on {tree}"),
                    _ => {}
                }
            }
        }
    }
}

/// Flags and clocks that strike at any moment: the search ends, with bounds that hold.
#[test]
fn stops_at_random_moments() {
    let mut rng = chance(80);
    for case in 0..120 {
        let tree = Synthetic::independent(5, 7, 1000, case).unwrap();
        let value = {
            let outcome = search(&tree, &AlphaBeta.into(), &Options::to_depth(7)).unwrap();
            outcome.value.unwrap()
        };
        let id = ["parsss:2", "parsss:8", "parps:4:2", "paritersss:8:40"][case as usize % 4];
        let after = Duration::from_micros(rng.random_range(0..4_000));
        let flag = StopFlag::new();
        let limits = match case % 2 {
            0 => Limits { time: Some(after), ..Limits::default() },
            _ => Limits { flag: flag.clone(), ..Limits::default() },
        };
        let options = Options { limits, spawn_height: Some(2), ..Options::to_depth(7) };
        let outcome = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(after);
                flag.raise();
            });
            search(&tree, &id.parse().unwrap(), &options).unwrap()
        });
        let bounds = outcome.bounds;
        assert!(bounds.lower <= value && value <= bounds.upper, "{id}: {bounds:?}, {value}");
        match outcome.stopped {
            None => assert_eq!(outcome.value, Some(value), "{id}"),
            Some(stop) => assert!(matches!(stop, Stop::Time | Stop::Flag), "{id}: {stop}"),
        }
    }
}

fn check_game<T: Searched>(tree: &T, depth: u32, name: &str) {
    let plain = Options { spawn_height: Some(1), ..Options::to_depth(depth) };
    let memory = Options {
        memory: MemoryFunctions::all(),
        deepening: true,
        table: Some(TableSize::of_entries(1 << 12)),
        ..plain.clone()
    };
    let expected = {
        let outcome = search(tree, &AlphaBeta.into(), &plain).unwrap();
        outcome.value
    };
    let sss = search(tree, &Sss.into(), &plain).unwrap().counts.evaluations;
    for base in [&plain, &memory] {
        for simulate in [false, true] {
            let options = Options { simulate, ..base.clone() };
            for n in [1, 2, 3, 8] {
                let m = 60 * depth;
                for id in
                    [format!("parsss:{n}"), format!("parps:{n}:3"), format!("paritersss:{n}:{m}")]
                {
                    let algorithm = id.parse().unwrap();
                    let outcome = search(tree, &algorithm, &options)
                        .unwrap_or_else(|lock| panic!("{id} on {name}: {lock}"));
                    assert_eq!(outcome.value, expected, "{id} on {name} to depth {depth}");
                    if simulate && id.starts_with("parsss") && base.memory.is_empty() {
                        assert!(outcome.terminal_count.unwrap() <= sss, "{id} on {name}");
                    }
                }
            }
        }
    }
}

#[test]
fn on_both_games() {
    for (i, board) in midgame().into_iter().enumerate().filter(|(i, _)| i % 7 == 3) {
        let depth = 3 + (mix(1, i as u64) % 2) as u32;
        check_game(&Othello::new(board, Evaluator::default()), depth, &format!("Othello {i}"));
    }
    let suite = chess::parse_epd(include_str!("../../../positions/perft.epd")).unwrap();
    for line in suite.iter().take(3) {
        let game = Chess::new(line.board, chess::Evaluator::default());
        check_game(&game, 3, &line.board.to_string());
    }
}
