//! Othello and chess: their rules, their text formats and their evaluations, and an exact Othello
//! solver.
//!
//! * [`othello`] and [`chess`] have the same shape: a board that is copied for every move, legal move
//!   generation, perft, readers and writers for the usual text formats, a static evaluation, and a
//!   [`GameTree`](plyground_core::tree::GameTree) that any search can work on.
//! * [`solver`] finds the exact score of an Othello endgame.
//! * [`grid`] has the 64 squares that both games are played on, [`text`] the form that errors in
//!   texts have in common.
//!
//! This crate contains no search algorithm, except for what belongs to a game: quiescence in chess,
//! and the solver.

pub mod chess;
pub mod grid;
mod keyed;
pub mod othello;
pub mod solver;
pub mod text;
