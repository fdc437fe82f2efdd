#![doc = include_str!("../README.md")]

mod busy;
pub mod chess;
pub mod contest;
pub mod experiment;
pub mod front;
pub mod game;
pub mod grid;
pub mod limits;
#[allow(unsafe_code)]
mod machine;
pub mod othello;
pub mod profile;
pub mod report;
pub mod search;
pub mod session;
pub mod solver;
mod splits;
pub mod table;
pub mod text;
pub mod tree;
pub mod value;
