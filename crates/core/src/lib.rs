//! The foundation of Plyground: values and windows, limits, the [`GameTree`](tree::GameTree) trait
//! of two players and the [`StateSpace`](space::StateSpace) trait of one, trees that are written down
//! or generated, and the split points at which threads share work.

pub mod checksum;
pub mod cpu_time;
pub mod limits;
pub mod memory;
pub mod names;
#[allow(unsafe_code)]
pub mod platform;
pub mod space;
pub mod split_points;
#[cfg(test)]
#[path = "split_points/tests.rs"]
mod split_points_tests;
pub mod tree;
pub mod value;

/// The standard library's locks and atomics. Tests compile the files that use them once more, with a
/// model checker's in their place.
mod sync {
    pub(crate) use std::sync::*;
}
