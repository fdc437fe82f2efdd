//! Othello: the board, its moves, its text formats, its evaluation and its game tree.
//!
//! A [`Board`] is two words, the discs of the side to move and those of the opponent, so it has no
//! colours. A [`Position`] is a board with the colour of the side to move, as texts need it.
//!
//! In Othello a move puts a disc on an empty square and must outflank at least one straight line of
//! opposing discs, which are turned over. A side without a move passes; the game ends when neither
//! side can move. The side with more discs wins, and the score is the difference of the discs, where
//! empty squares count for the winner.
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
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod avx512;
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
mod patterns;
mod perft;
mod picture;
mod position;
#[cfg(test)]
mod properties;
mod stability;
mod symmetry;
mod transcript;
mod tree;

#[cfg(test)]
pub(crate) use instructions::Portable;
pub(crate) use instructions::{Instructions, Task, dispatch};
pub(crate) use patterns::BeforeMoves;
pub(crate) use stability::EdgeStability;

pub use crate::grid::{Square, Squares};
pub use board::{Board, FULL_SCORE};
pub use error::{Problem, TextError};
pub use evaluate::{DISC, Evaluator, EvaluatorError, STANDARD_WEIGHTS};
pub use ggf::{GgfGame, GgfMove};
pub use instructions::instructions_found;
pub use obf::{ObfLine, ScoredMove, parse_obf};
pub use patterns::{
    CONSTANT_TERM, INSTANCES, ODD_TERM, PATTERN_WEIGHTS, PatternError, PatternFeatures,
    PatternWeights, STAGES, STATES, TERMS,
};
pub use perft::{divide, perft, perft_portable};
pub use picture::Picture;
pub use position::{Disc, Position};
pub use symmetry::Turn;
pub use transcript::Transcript;
pub use tree::{Judge, LONGEST_GAME, Move, Moves, Othello};
