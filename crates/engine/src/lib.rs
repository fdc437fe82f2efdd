//! Engines: a game, a search and an evaluator put together, with a clock.

pub mod game;
pub mod profile;
pub mod session;
