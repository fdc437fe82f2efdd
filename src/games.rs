//! What belongs to one game alone: its protocols and its own commands.

mod chess;
mod othello;
