//! Every algorithm on chess: the same values as minimax, with the real evaluator (and quiescence) and
//! with one that is nothing but a hash.

use plyground::chess::{Board, Chess, Evaluator, parse_epd};
use plyground::limits::Limits;
use plyground::search::{MemoryFunctions, Options, principal_variation};
use plyground::table::TableSize;
use plyground::value::MATE;

use crate::agreement;
use crate::odd_trees::Hashed;
use crate::searching::Searched;

fn positions() -> Vec<Board> {
    let suite = parse_epd(include_str!("../../positions/perft.epd")).unwrap();
    suite.iter().map(|line| line.board).collect()
}

/// All algorithms agree: without memory, and with all of it.
fn check<T: Searched>(tree: &T, depth: u32, name: &str) {
    let plain = Options::to_depth(depth);
    let memory = Options {
        memory: MemoryFunctions::all(),
        deepening: true,
        table: Some(TableSize::of_entries(1 << 12)),
        ..Options::to_depth(depth)
    };
    agreement::check(tree, name, &[plain, memory]);
}

/// Positions with mates and stalemates within a few plies.
const SHARP: [&str; 4] = [
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1",
    "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
    "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1",
];

#[test]
fn all_agree_with_minimax() {
    for board in positions() {
        let game = Chess::new(board, Evaluator::default());
        for depth in 1..=2 {
            check(&game, depth, &board.to_string());
        }
    }
}

#[test]
fn all_agree_with_minimax_deeper() {
    let positions = positions();
    // The endgame, the promotions; six and fourteen moves at the root.
    for board in [positions[2], positions[3]] {
        check(&Chess::new(board, Evaluator::default()), 3, &board.to_string());
    }
}

#[test]
fn all_agree_where_games_end() {
    for fen in SHARP {
        let board = Board::from_fen(fen).unwrap();
        for depth in 1..=3 {
            if board.has_moves() {
                check(&Chess::new(board, Evaluator::default()), depth, fen);
            }
        }
    }
}

#[test]
fn all_agree_where_values_are_hashes() {
    for values in [3, 11, 20_001] {
        for board in positions() {
            check(&Chess::new(board, Hashed(values)), 2, &format!("{board}, {values} values"));
        }
        let board = positions()[2];
        for depth in [3, 4] {
            check(&Chess::new(board, Hashed(values)), depth, &format!("{board}, {values} values"));
        }
    }
}

#[test]
fn mates_are_found_and_counted() {
    for (fen, depth, value, pv) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 2, MATE - 1, "d1d8"),
        // Mate in two, and the same from the side that is mated.
        ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 4, MATE - 3, "f6f7"),
        (
            "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
            3,
            MATE - 1,
            "h5f7",
        ),
    ] {
        let board = Board::from_fen(fen).unwrap();
        let game = Chess::new(board, Evaluator::default());
        for id in ["alpha-beta", "pvs", "mtd-f", "sss", "dual-2"] {
            let outcome = agreement::run(&game, id, &Options::to_depth(depth));
            assert_eq!(outcome.value, Some(value), "{id} on {fen}");
            let limits = Limits::default();
            let line = principal_variation(&game, depth, value, outcome.best, &limits);
            assert_eq!(line[0].to_string(), pv, "{id} on {fen}");
        }
    }
}
