//! The games: Othello and chess, their rules, texts and evaluations, and the exact Othello solver.
//! Nothing here knows of a search algorithm.

pub mod chess;
pub mod grid;
pub mod othello;
pub mod solver;
pub mod text;
