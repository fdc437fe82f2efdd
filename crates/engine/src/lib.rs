//! Engines: a game, a search and an evaluator put together, with a clock.
//!
//! To bring a game, implement [`game::Game`] beside its tree and register it with
//! [`games::Games`]. Front ends then see it through its [`door`], as a `&'static dyn AnyGame`, with
//! positions and moves as text. An engine is described by a [`profile`], and plays in a
//! [`session`]. Code that belongs to one game may use the typed forms
//! ([`game::Game`], [`session::Session`]).

pub mod book;
pub mod door;
pub mod game;
pub mod games;
pub mod levels;
pub mod perft;
pub mod profile;
pub mod session;
pub mod text_file;
