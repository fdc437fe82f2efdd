//! The eight-by-eight grid that both games are played on: its squares, and sets of them in one word.

mod square;
mod squares;

pub use square::{NotASquare, Square};
pub use squares::Squares;
