//! What everything else in Plyground stands on: values and windows, limits, the [`GameTree`](tree::GameTree)
//! trait, the trees that can be written down or generated, and what threads share.

pub mod limits;
#[allow(unsafe_code)]
pub mod platform;
pub mod split_points;
pub mod tree;
pub mod value;
