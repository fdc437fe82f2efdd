//! The rate of bulk perft against the crate `magpie`, interleaved, with every total asserted.
//!
//! `cargo bench --bench othello_perft [-- DEPTH [ROUNDS]]`
#![allow(missing_docs)]

use std::time::{Duration, Instant};

use magpie::othello::{Board as MagpieBoard, Stone};
use plyground::othello::{Board, instructions_found, perft, perft_portable};

const TOTALS: [u64; 13] =
    [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, 212258800, 1939886636];

/// The same bulk counting written with magpie's public interface.
fn magpie_perft(board: &MagpieBoard, stone: Stone, depth: usize) -> u64 {
    let moves = board.moves_for(stone);
    if depth == 1 {
        return u64::from(moves.count_set()).max(1);
    }
    if moves.is_empty() {
        if board.moves_for(stone.flip()).is_empty() {
            return 1;
        }
        return magpie_perft(board, stone.flip(), depth - 1);
    }
    moves
        .hot_bits()
        .map(|square| {
            let mut next = board.clone();
            next.play(stone, square);
            magpie_perft(&next, stone.flip(), depth - 1)
        })
        .sum()
}

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    match numbers[..] {
        [] => {
            compare(10, 7);
            compare(11, 3);
        }
        [depth] => compare(depth, 5),
        [depth, rounds, ..] => compare(depth, rounds),
    }
}

/// Times the three at one depth, which the table of totals must know.
fn compare(depth: usize, rounds: usize) {
    let depth = depth.clamp(1, TOTALS.len() - 1);
    let start = Board::start();
    let runs: [(&str, &dyn Fn() -> u64); 3] = [
        ("magpie", &|| magpie_perft(&MagpieBoard::standard(), Stone::Black, depth)),
        ("portable", &|| perft_portable(&start, depth as u32)),
        (instructions_found(), &|| perft(&start, depth as u32)),
    ];
    // The machine is noisy: take turns, and compare the best time of each.
    let mut best = [Duration::MAX; 3];
    for _ in 0..rounds.max(1) {
        for (time, (name, run)) in best.iter_mut().zip(&runs) {
            let clock = Instant::now();
            assert_eq!(run(), TOTALS[depth], "{name} at depth {depth}");
            *time = clock.elapsed().min(*time);
        }
    }
    for (time, (name, _)) in best.iter().zip(&runs) {
        let rate = TOTALS[depth] as f64 / time.as_secs_f64() / 1e6;
        let ratio = best[0].as_secs_f64() / time.as_secs_f64();
        println!("perft {depth} {name:>9}: {rate:8.1} million leaves/s, {ratio:.2} x magpie");
    }
}
