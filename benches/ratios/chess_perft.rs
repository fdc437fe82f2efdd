//! The rate of bulk perft on chess against the crate `cozy-chess`, in turns, with every total asserted.
//!
//! - Ours counts at least 1.2 times as fast, in portable code too.

use cozy_chess::Board as CozyBoard;
use plyground::chess::{Board, instructions_found, perft, perft_portable};

use support::{Arguments, Limit, Ratios, Rounds, least_in_turns, timed};

/// How many ways of counting are compared.
const RUNS: usize = 4;

/// A name, a FEN, a depth that takes a fraction of a second, and its total.
const POSITIONS: [(&str, &str, u32, u64); 6] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119_060_324),
    (
        "castling",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        5,
        193_690_690,
    ),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178_633_661),
    (
        "promotion",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        5,
        15_833_292,
    ),
    ("attack", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 5, 89_941_194),
    (
        "middle",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        5,
        164_075_551,
    ),
];

/// The same bulk counting written with cozy-chess's public interface.
fn cozy_perft(board: &CozyBoard, depth: u32) -> u64 {
    let mut total = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            total += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                total += cozy_perft(&next, depth - 1);
            }
            false
        });
    }
    total
}

/// Our own boards asked one by one, as a search does: the instructions are chosen at every call.
fn perft_by_calls(board: &Board, depth: u32) -> u64 {
    if depth == 1 {
        return board.count_moves() as u64;
    }
    board.moves().iter().map(|&mv| perft_by_calls(&board.play(mv), depth - 1)).sum()
}

/// The seconds that this takes, in full and with `--quick`.
pub const SECONDS: [u32; 2] = [20, 6];

pub fn check(arguments: &Arguments, ratios: &mut Ratios) {
    let rounds = arguments.choose(3, 1);
    let names = ["cozy-chess", "portable", "by calls", instructions_found()];
    let mut sums = [0.0; RUNS];
    for (name, fen, depth, total) in POSITIONS {
        let ours = Board::from_fen(fen).expect("the positions are legal");
        let cozy: CozyBoard = fen.parse().expect("the positions are legal");
        let runs = [
            timed(|| assert_eq!(cozy_perft(&cozy, depth), total, "{name}")),
            timed(|| assert_eq!(perft_portable(&ours, depth), total, "{name}")),
            timed(|| assert_eq!(perft_by_calls(&ours, depth), total, "{name}")),
            timed(|| assert_eq!(perft(&ours, depth), total, "{name}")),
        ];
        let times = least_in_turns(Rounds::Count(rounds), runs);
        for (sum, time) in sums.iter_mut().zip(times) {
            *sum += time;
        }
    }
    for (name, seconds) in names.iter().zip(sums).skip(1) {
        let what = format!("chess perft of six positions, {name}: the rate over cozy-chess");
        ratios.row(&what, sums[0] / seconds, Limit::AtLeast(1.2));
    }
}
