#![doc = include_str!("../README.md")]

pub mod front;

pub use plyground_core::{limits, tree, value};
pub use plyground_engine::{door, game, games, profile, session};
pub use plyground_games::{chess, grid, othello, solver, text};
pub use plyground_search as search;
pub use plyground_search::table;
pub use plyground_study::{contest, experiment, report};
