//! Othello: the board, its moves and flips, and its text forms. Knows nothing of search.
//!
//! A [`Board`] is two words, the mover's discs and the other's, so it has no colours; a
//! [`Position`] is a board with the [`Disc`] to move, which is what text speaks of.
//!
//! ```
//! use plyground_games::othello::{Board, Square, perft};
//!
//! let start = Board::start();
//! assert_eq!(start.moves().to_string(), "d3 c4 f5 e6");
//! let next = start.play("f5".parse::<Square>()?).expect("f5 is legal at the start");
//! assert_eq!(next.empties().len(), 59);
//! assert_eq!(perft(&start, 6), 8200);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx2;
mod board;
mod error;
mod evaluate;
mod flips;
mod ggf;
mod hash;
mod instructions;
mod moves;
mod notation;
mod obf;
mod perft;
mod picture;
mod position;
mod stability;
mod transcript;
mod tree;

#[cfg(test)]
pub(crate) use instructions::Portable;
pub(crate) use instructions::{Instructions, Task, dispatch};
pub(crate) use stability::Edges;

pub use crate::grid::{Square, Squares};
pub use board::{Board, FULL_SCORE};
pub use error::{Problem, TextError};
pub use evaluate::{DISC, Evaluator, EvaluatorError};
pub use ggf::{GgfGame, GgfMove};
pub use instructions::instructions_found;
pub use obf::{ObfLine, ScoredMove, parse_obf};
pub use perft::{divide, perft, perft_portable};
pub use picture::Picture;
pub use position::{Disc, Position};
pub use transcript::Transcript;
pub use tree::{FinalScore, Judge, LONGEST_GAME, Move, Moves, Othello};
