//! The foundation of Plyground: values and windows, limits, the [`GameTree`](tree::GameTree) trait,
//! trees that are written down or generated, and the split points at which threads share work.

pub mod limits;
pub mod memory;
pub mod names;
#[allow(unsafe_code)]
pub mod platform;
pub mod split_points;
pub mod tree;
pub mod value;
