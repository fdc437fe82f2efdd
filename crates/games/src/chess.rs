//! Chess: the board, its moves, and its text forms. Knows nothing of search.
//!
//! A [`Board`] is a legal position in 96 bytes, copied for every move. Its moves are generated
//! legal, and its key is kept up to date.
//!
//! ```
//! use plyground_games::chess::{Board, Status, perft};
//!
//! let start = Board::start();
//! assert_eq!(start.moves().len(), 20);
//! let next = start.play(start.uci_move("e2e4")?);
//! assert_eq!(next.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
//! assert_eq!(next.status(), Status::Ongoing);
//! assert_eq!(perft(&start, 4), 197_281);
//! # Ok::<(), plyground_games::chess::TextError>(())
//! ```

mod attacks;
mod board;
mod castling;
mod checks;
mod epd;
mod error;
mod evaluate;
mod exchange;
mod fen;
mod generate;
mod history;
mod instructions;
mod magics;
mod moves;
mod node;
mod order;
mod perft;
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod pext;
mod pgn;
mod picture;
mod piece;
mod play;
mod quiescence;
mod san;
mod side;
mod sliders;
mod stages;
#[cfg(test)]
mod testing;
mod tree;
mod uci;
mod zobrist;

pub use crate::grid::{Square, Squares};
pub use board::{Board, START_FEN, Status};
pub use castling::Castling;
pub use epd::{Epd, Operand, parse_epd};
pub use error::{Problem, TextError};
pub use evaluate::{
    Evaluator, EvaluatorError, Explained, FEATURES, FULL_PHASE, Features, Group, MOST_STATIC, PAWN,
    STANDARD_WEIGHTS, Score,
};
pub use history::{Draw, History};
pub use instructions::instructions_found;
pub use moves::{MOST_MOVES, Move, MoveKind, Moves};
pub use node::{Node, Placement};
pub use order::Ordered;
pub use perft::{divide, perft, perft_portable};
pub use pgn::{GameResult, PgnGame};
pub use picture::Picture;
pub use piece::Piece;
pub use quiescence::{quiesce, quiesce_with_checks};
pub use san::San;
pub use side::Side;
pub use tree::{Chess, Judge};
