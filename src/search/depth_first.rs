//! Depth-first algorithms: one recursion a file.
//!
//! Each is two functions that call each other: what is done at any node is inlined into the loop
//! over an interior node's children, so that a leaf costs no call.

mod alpha_beta;
mod aspiration;
mod memory_test;
mod minimax;
mod negascout;
mod pvs;
mod scout;

pub(super) use alpha_beta::alpha_beta;
pub(super) use memory_test::memory_test;

use super::{Algorithm, Place, Search, Setting};
use crate::limits::Stop;
use crate::value::{Value, Window};

/// Runs a depth-first algorithm that needs no memory.
pub(super) fn run<S: Setting>(
    search: &mut Search<'_, S>,
    root: &Place<S>,
    algorithm: &Algorithm,
) -> Result<Value, Stop> {
    match *algorithm {
        Algorithm::Minimax => minimax::minimax(search, root),
        Algorithm::AlphaBeta => alpha_beta(search, root, Window::FULL),
        Algorithm::Aspiration { epsilon, guess } => {
            let guess = guess.or(search.options.guess).unwrap_or(0);
            aspiration::aspiration(search, root, guess, epsilon)
        }
        Algorithm::Scout => scout::eval(search, root),
        Algorithm::NegaScout => negascout::negascout(search, root, Window::FULL),
        Algorithm::Pvs => pvs::pvs(search, root, Window::FULL),
        _ => unreachable!("{algorithm} is not depth-first"),
    }
}
