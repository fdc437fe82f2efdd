//! Every parallel algorithm with every memory function, alone and with others: the order of moves is
//! learnt by each thread for itself, and no child may be forgotten for that.

use plyground::chess::{self, Chess};
use plyground::othello::{Evaluator, Othello};
use plyground::search::{Options, catalogue};
use plyground::table::TableSize;

use crate::agreement;
use crate::memory::{combinations, midgame};
use crate::searching::Searched;

/// More threads than the machine may have processors.
const THREADS: [&str; 3] = ["2", "3", "8"];

/// The catalogue's parallel algorithms with so many threads.
fn ids(threads: &str) -> Vec<String> {
    let parallel = catalogue().filter(|entry| entry.is_parallel());
    let usage = parallel.filter_map(|entry| entry.usage.split(" | ").next());
    usage
        .map(|id| {
            id.replace(":N", &format!(":{threads}")).replace(":M", ":400").replace(":K", ":3")
        })
        .collect()
}

fn check<T: Searched>(tree: &T, depth: u32, name: &str) {
    let values = agreement::values_of_moves(tree, depth);
    let value = values.iter().map(|&(_, value)| value).max();
    for (i, memory) in combinations(depth, TableSize::of_entries(1 << 10)).into_iter().enumerate() {
        let options = Options { spawn_height: Some(i as u32 % 3), ..memory };
        for id in ids(THREADS[i % THREADS.len()]) {
            let outcome = agreement::run(tree, &id, &options);
            let Options { memory, deepening, spawn_height, .. } = options;
            let case = format!("{id} on {name}, {memory}, {deepening}, height {spawn_height:?}");
            assert_eq!(outcome.value, value, "{case}");
            let best = outcome.best.unwrap_or_else(|| panic!("no move: {case}"));
            assert!(values.contains(&(best, value.unwrap())), "{best:?}: {case}");
        }
    }
}

#[test]
fn the_catalogue_has_twenty() {
    let ids = ids("2");
    assert_eq!(ids.len(), 20, "{ids:?}");
    assert!(ids.iter().all(|id| id.parse::<plyground::search::Algorithm>().is_ok()), "{ids:?}");
}

#[test]
fn othello() {
    for (i, board) in midgame().into_iter().enumerate().filter(|(i, _)| i % 11 == 3) {
        check(&Othello::new(board, Evaluator::default()), 3, &format!("Othello {i}"));
    }
    let board = midgame()[0];
    check(&Othello::new(board, Evaluator::default()), 4, "Othello");
}

#[test]
fn chess() {
    for fen in [
        "3nk2r/q2b2pp/2pb1p1n/3p4/1P3P2/1NP3P1/3PB2P/1NBQK2R w Kk - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ] {
        let game = Chess::new(fen.parse().unwrap(), chess::Evaluator::default());
        check(&game, 2, fen);
    }
    let fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    check(&Chess::new(fen.parse().unwrap(), chess::Evaluator::default()), 3, fen);
}
