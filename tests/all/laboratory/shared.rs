//! Alpha-beta by several threads: with one the serial form to the leaf, with more the same values,
//! stopped at any moment.

use std::time::Duration;

use super::trees::{any_tree, chance, minimax, options, run, run_with};
use crate::agreement;
use crate::searching::{Searched, search};
use plyground::chess::{Board, Chess, Evaluator};
use plyground::limits::{Limits, StopFlag};
use plyground::othello::{self, Othello};
use plyground::search::{Algorithm, CatalogueEntry, MemoryFunctions, Options, Outcome, catalogue};
use plyground::table::TableSize;
use plyground::tree::{Explicit, Synthetic, mix};
use plyground::value::Value;

/// Every scheme of parallel alpha-beta and its serial form.
fn schemes() -> Vec<(&'static str, &'static str)> {
    let is_alpha_beta = |entry: &CatalogueEntry| {
        let serial = entry.examples().next().unwrap().serial();
        entry.is_parallel() && !matches!(serial, Algorithm::BestFirst(_))
    };
    let entries = catalogue().filter(|entry| is_alpha_beta(entry));
    let schemes: Vec<_> = entries.filter_map(|entry| Some((entry.id, entry.serial?))).collect();
    assert!(schemes.len() >= 17, "{schemes:?}");
    schemes
}

/// More threads than the machine may have processors.
const THREADS: [u32; 3] = [2, 3, 8];

/// Everything can be shared, down to the last ply but one.
fn shared(options: Options) -> Options {
    Options { spawn_height: Some(0), ..options }
}

#[test]
fn one_thread_visits_what_the_serial_form_visits() {
    let mut rng = chance(31);
    for _ in 0..1_000 {
        let tree = any_tree(&mut rng);
        for (scheme, serial) in schemes() {
            let (one, expected) = (run(&tree, &format!("{scheme}:1")), run(&tree, serial));
            assert_eq!(one.visited, expected.visited, "{scheme} on {tree}");
            assert_eq!(one.counts().visits, expected.counts().visits, "{scheme} on {tree}");
        }
    }
    let game = Othello::new(othello::Board::start(), othello::Evaluator::default());
    for options in memories(5) {
        for (scheme, serial) in schemes() {
            let one = agreement::run(&game, &format!("{scheme}:1"), &options);
            let expected = agreement::run(&game, serial, &options);
            assert_eq!(one.counts.visits, expected.counts.visits, "{scheme}");
            assert_eq!((one.value, one.best), (expected.value, expected.best), "{scheme}");
        }
    }
}

/// Without memory functions, with a table, with all.
fn memories(depth: u32) -> [Options; 3] {
    let options = Options::to_depth(depth);
    let table = Some(TableSize::of_entries(1 << 12));
    let with = |memory, deepening| Options { memory, deepening, table, ..options.clone() };
    [options.clone(), with(MemoryFunctions::TABLE, false), with(MemoryFunctions::all(), true)]
        .map(shared)
}

#[test]
fn every_scheme_returns_the_minimax_value_and_a_move_that_has_it() {
    let mut rng = chance(32);
    for _ in 0..100 {
        let tree = any_tree(&mut rng);
        let value = minimax(&tree, &mut Vec::new());
        for (scheme, _) in schemes() {
            for threads in THREADS {
                let id = format!("{scheme}:{threads}");
                let seen = run_with(&tree, &id, &shared(options(&tree)));
                assert_eq!(seen.value(), value, "{id} on {tree}");
                if tree.height() > 0 {
                    let best = seen.outcome.best;
                    let best = best.unwrap_or_else(|| panic!("{id}: no move on {tree}"));
                    assert_eq!(minimax(&tree, &mut vec![best as usize]), value, "{id} on {tree}");
                }
            }
        }
    }
}

#[test]
fn trees_of_any_values() {
    for seed in 0..20 {
        let tree = Synthetic::independent(5, 5, 1_000_000_000, seed).unwrap();
        let value = agreement::run(&tree, "alpha-beta", &Options::to_depth(5)).value;
        for (scheme, _) in schemes() {
            for threads in THREADS {
                let id = format!("{scheme}:{threads}");
                let outcome = agreement::run(&tree, &id, &shared(Options::to_depth(5)));
                assert_eq!(outcome.value, value, "{id}, seed {seed}");
            }
        }
    }
}

fn on_a_game<T: Searched>(tree: &T, depth: u32) {
    let values = agreement::values_of_moves(tree, depth);
    let value = values.iter().map(|&(_, value)| value).max();
    for options in memories(depth) {
        for (scheme, _) in schemes() {
            for threads in THREADS {
                let id = format!("{scheme}:{threads}");
                let outcome = agreement::run(tree, &id, &options);
                assert_eq!(outcome.value, value, "{id}, memory {}", options.memory);
                let best = outcome.best.unwrap_or_else(|| panic!("{id}: no move"));
                assert!(values.contains(&(best, value.unwrap())), "{id}: {best:?}");
            }
        }
    }
}

#[test]
fn both_games() {
    let position: othello::Position =
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X".parse().unwrap();
    on_a_game(&Othello::new(position.board, othello::Evaluator::default()), 4);
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    ] {
        on_a_game(&Chess::new(Board::from_fen(fen).unwrap(), Evaluator::default()), 3);
    }
}

/// What must hold however a search was stopped.
fn is_sound(outcome: &Outcome<u32>, value: Value, case: &str) {
    assert!(outcome.bounds.lower <= value && value <= outcome.bounds.upper, "{case}");
    match outcome.stopped {
        None => assert_eq!(outcome.value, Some(value), "{case}"),
        Some(_) => assert_eq!(outcome.value, None, "{case}"),
    }
}

#[test]
fn a_search_on_threads_stops_anywhere() {
    let mut rng = chance(33);
    for run in 0..60 {
        let tree: Explicit = any_tree(&mut rng);
        let value = minimax(&tree, &mut Vec::new());
        for (scheme, serial) in schemes() {
            let whole = super::trees::run(&tree, serial).counts();
            let id = format!("{scheme}:{}", THREADS[run % 3]);
            let leaves = mix(run as u64, 1) % (whole.evaluations + 2);
            let nodes = mix(run as u64, 2) % (whole.visits + 2);
            for limits in [
                Limits { leaves: Some(leaves), ..Limits::default() },
                Limits { nodes: Some(nodes), ..Limits::default() },
            ] {
                let seen =
                    run_with(&tree, &id, &shared(Options { limits, ..options(&tree) })).outcome;
                is_sound(&seen, value, &format!("{id} on {tree}"));
                if seen.stopped.is_some_and(|stop| stop.name() == "leaves") {
                    assert!(seen.counts.evaluations <= leaves, "{id} on {tree}");
                }
            }
        }
    }
}

#[test]
fn flags_and_clocks_stop_everybody() {
    let tree = Synthetic::independent(8, 7, 1_000, 5).unwrap();
    let value = agreement::run(&tree, "alpha-beta", &Options::to_depth(7)).value.unwrap();
    let schemes = schemes();
    for run in 0..6 * schemes.len() {
        let (scheme, _) = schemes[run % schemes.len()];
        let algorithm = format!("{scheme}:{}", THREADS[run / schemes.len() % 3]).parse().unwrap();
        let wait = Duration::from_micros(mix(run as u64, 9) % 15_000);
        let mut options = shared(Options::to_depth(7));
        let outcome = if run % 2 == 0 {
            options.limits.time = Some(wait);
            search(&tree, &algorithm, &options).unwrap()
        } else {
            let flag = StopFlag::new();
            options.limits.flag = flag.clone();
            std::thread::scope(|scope| {
                scope.spawn(move || {
                    std::thread::sleep(wait);
                    flag.raise();
                });
                search(&tree, &algorithm, &options).unwrap()
            })
        };
        is_sound(&outcome, value, &format!("{algorithm} after {wait:?}"));
    }
}
