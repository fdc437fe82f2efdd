//! The rate of bulk perft on Othello against the crate `magpie`, in turns, with every total asserted.
//!
//! - Ours counts at least 1.2 times as fast, in portable code too.

use magpie::othello::{Board as MagpieBoard, Stone};
use plyground::othello::{Board, instructions_found, perft, perft_portable};

use support::{Arguments, Limit, Ratios, Rounds, least_in_turns, timed};

const DEPTH: u32 = 10;
const TOTAL: u64 = 24_571_284;

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

/// The seconds that this takes, in full and with `--quick`.
pub const SECONDS: [u32; 2] = [4, 1];

pub fn check(arguments: &Arguments, ratios: &mut Ratios) {
    let start = Board::start();
    let runs = [
        timed(|| {
            let board = MagpieBoard::standard();
            assert_eq!(magpie_perft(&board, Stone::Black, DEPTH as usize), TOTAL);
        }),
        timed(|| assert_eq!(perft_portable(&start, DEPTH), TOTAL)),
        timed(|| assert_eq!(perft(&start, DEPTH), TOTAL)),
    ];
    let times = least_in_turns(Rounds::Count(arguments.choose(7, 2)), runs);
    for (name, seconds) in ["portable", instructions_found()].iter().zip(&times[1..]) {
        let what = format!("othello perft {DEPTH}, {name}: the rate over magpie");
        ratios.row(&what, times[0] / seconds, Limit::AtLeast(1.2));
    }
}
