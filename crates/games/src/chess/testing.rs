//! Positions for tests: random games with castling, promotions and en passant captures.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use super::board::Board;

/// The games start here: at the usual start position, and where special moves are near.
pub(super) const STARTS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
];

/// The positions of `count` random games of at most 150 plies, one game after the other.
pub(super) fn games(count: u64) -> impl Iterator<Item = Vec<Board>> {
    (0..count).map(|seed| {
        let mut random = StdRng::seed_from_u64(seed);
        let mut board = Board::from_fen(STARTS[seed as usize % STARTS.len()]).unwrap();
        let mut game = vec![board];
        for _ in 0..150 {
            let moves = board.moves();
            if moves.is_empty() {
                break;
            }
            board = board.play(moves[random.random_range(0..moves.len())]);
            game.push(board);
        }
        game
    })
}

/// The positions of all these games.
pub(super) fn positions(games_played: u64) -> impl Iterator<Item = Board> {
    games(games_played).flatten()
}
