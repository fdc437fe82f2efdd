//! Chess: the board, its moves, its text formats, its evaluation and its game tree.
//!
//! A [`Board`] is a legal position in 96 bytes, which is copied for every move. Move generation is
//! legal from the start, and the Zobrist key is updated with every move.
//!
//! Positions are read and written as FEN and EPD, moves as UCI (`e2e4`) and SAN (`Nf3`), games as PGN.
//! [`Evaluator`] judges a position without search, [`quiesce`] plays out the captures first, and
//! [`Chess`] is the game tree that searches work on. Draws that depend on the moves before a position
//! are in [`History`].
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
mod explain;
mod fen;
mod generate;
mod history;
mod instructions;
mod magics;
mod moves;
pub mod network;
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
mod polyglot;
#[cfg(test)]
mod properties;
mod quiescence;
mod san;
mod see;
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
    EvaluationTerm, Evaluator, EvaluatorError, FEATURES, FULL_PHASE, FeatureGroup, Features,
    MAX_STATIC, NETWORK_WEIGHTS, PAWN, STANDARD_WEIGHTS, Score, TUNED_WEIGHTS,
};
pub use history::{Draw, History};
pub use instructions::instructions_found;
pub use moves::{MAX_MOVES, Move, MoveKind, Moves};
pub use network::{Network, NetworkError, NetworkWeights};
pub use node::{Node, Placement};
pub use order::Ordered;
pub use perft::{divide, perft, perft_portable};
pub use pgn::{GameResult, PgnGame, PgnNote};
pub use picture::Picture;
pub use piece::Piece;
pub use polyglot::{polyglot_key, polyglot_move};
pub use quiescence::{quiesce, quiesce_with_checks};
pub use san::San;
pub use side::Side;
pub use tree::{Chess, Judge};
