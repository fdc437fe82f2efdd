//! Engines that learn: games that an engine plays against itself, and evaluators made from them.
//!
//! [`self_play`] makes the games, [`shard`] is the file that they are kept in, and each game's module
//! says how its openings are varied, when a game ends and what its positions are worth.
//!
//! A game of self-play is a function of its seed: what is lost can be made again, and a run that was
//! interrupted goes on where it stopped.

pub mod chess;
pub mod othello;
pub mod self_play;
pub mod shard;
