//! The program: commands, the board at the keyboard, and the protocols of each game.

mod cli;
mod games;
mod protocol;
mod puzzle_repl;
mod repl;

pub use cli::{CommandLine, OwnCommand, Plyground};
