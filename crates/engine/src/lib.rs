//! Engines: a game, a search and an evaluator put together, with a clock.
//!
//! Front ends see games through the [`door`], each as a `&'static dyn AnyGame` from a registry of
//! [`games`]; positions and moves are text there. Code that belongs to one game may be typed
//! ([`game::Game`], [`session::Session`]).

pub mod door;
pub mod game;
pub mod games;
pub mod profile;
pub mod session;
