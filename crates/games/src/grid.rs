//! The eight-by-eight grid that both games are played on: its squares, and sets of squares in one
//! 64-bit word (bitboards).

mod square;
mod squares;

pub use square::{NotASquare, Square};
pub use squares::Squares;
