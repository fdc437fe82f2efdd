//! The rate of bulk perft on Othello against the crate `magpie`, in turns, with every total asserted.
//!
//! `cargo bench --bench othello_perft -- [DEPTH [ROUNDS]] [--quick]`

use magpie::othello::{Board as MagpieBoard, Stone};
use plyground::othello::{Board, instructions_found, perft, perft_portable};

use support::{Arguments, Rounds, least_in_turns, timed};

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
    let about = "Othello's bulk perft against that of magpie";
    let arguments = Arguments::begin(about, [8, 1]);
    match arguments.numbers[..] {
        [] if arguments.quick => compare(10, 2),
        [] => {
            compare(10, 7);
            compare(11, 3);
        }
        [depth] => compare(depth, arguments.choose(5, 2)),
        [depth, rounds, ..] => compare(depth, rounds),
    }
}

/// Times the three at one depth, which the table of totals must know.
fn compare(depth: usize, rounds: usize) {
    let depth = depth.clamp(1, TOTALS.len() - 1);
    let total = TOTALS[depth];
    let start = Board::start();
    let names = ["magpie", "portable", instructions_found()];
    let runs = [
        timed(|| {
            assert_eq!(magpie_perft(&MagpieBoard::standard(), Stone::Black, depth), total);
        }),
        timed(|| assert_eq!(perft_portable(&start, depth as u32), total)),
        timed(|| assert_eq!(perft(&start, depth as u32), total)),
    ];
    let times = least_in_turns(Rounds::Count(rounds), runs);
    for (name, time) in names.iter().zip(times) {
        let rate = total as f64 / time / 1e6;
        let ratio = times[0] / time;
        println!("perft {depth} {name:>9}: {rate:8.1} million leaves/s, {ratio:.2} x magpie");
    }
}
