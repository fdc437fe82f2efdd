//! The page: a small web server on this machine, where a person plays, and watches any search grow.
//!
//! [`serve`] is the server: loopback only unless told otherwise, every request checked, nothing loaded
//! from elsewhere. [`replay`](replay::replay) makes the film of a search that the page steps through, and
//! [`stepper_page`] writes it as one self-contained file.

mod api;
mod board;
mod engines;
mod guard;
mod pages;
pub mod replay;
mod results;
mod server;
mod stream;
mod tabs;

pub use pages::stepper_page;
pub use server::{ServeOptions, serve};
