//! The protocols and commands that belong to a single game.

mod chess;
mod othello;
