//! Depth-first algorithms: one recursion a file.
//!
//! Each is two functions that call each other: what is done at any node is the context's `visit`,
//! and the loop over an interior node's children is the algorithm's own.

mod alpha_beta;
mod aspiration;
mod minimax;
mod negascout;
mod pvs;
mod scout;

pub(super) use alpha_beta::alpha_beta;
pub(super) use pvs::pvs;

use super::{Algorithm, Place, Search, Setting};
use plyground_core::limits::Stop;
use plyground_core::value::{Value, Window};

/// Runs a depth-first algorithm that needs no memory but may have one.
pub(super) fn run<S: Setting>(
    search: &mut Search<'_, S>,
    root: &Place<S>,
    algorithm: &Algorithm,
) -> Result<Value, Stop> {
    match *algorithm {
        Algorithm::Minimax => minimax::minimax(search, root),
        Algorithm::AlphaBeta => alpha_beta(search, root, Window::FULL),
        Algorithm::Aspiration { epsilon, guess } => {
            let guess = search.guess(guess);
            aspiration::aspiration(search, root, guess, epsilon, alpha_beta)
        }
        Algorithm::AspirationNegaScout { epsilon, guess } => {
            let guess = search.guess(guess);
            aspiration::aspiration(search, root, guess, epsilon, negascout::negascout)
        }
        Algorithm::Scout => scout::eval(search, root),
        Algorithm::NegaScout => negascout::negascout(search, root, Window::FULL),
        Algorithm::Pvs => pvs(search, root, Window::FULL),
        _ => unreachable!("{algorithm} is not depth-first"),
    }
}
