#![doc = include_str!("../README.md")]

#[cfg(feature = "cli")]
pub use plyground_cli::{CommandLine, OwnCommand, Plyground};
pub use plyground_core::{limits, space, tree, value};
pub use plyground_engine::{door, game, games as registry, levels, profile, session};
pub use plyground_games::{chess, grid, othello, solver, text};
pub use plyground_puzzles as puzzles;
pub use plyground_search as search;
pub use plyground_search::table;
pub use plyground_study::{experiment, laboratory, paper, report, tournament, verify};

/// The names that a file with a new game needs.
pub mod prelude {
    #[cfg(feature = "cli")]
    pub use plyground_cli::{CommandLine, Plyground};
    pub use plyground_core::tree::{GameTree, MoveList, PlayTree, mix};
    pub use plyground_core::value::Value;
    pub use plyground_engine::game::{Game, GameError, Seat};
}
