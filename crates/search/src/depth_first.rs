//! Depth-first algorithms: one recursion a file.
//!
//! Each is two functions that call each other: what is done at any node is the context's `visit`,
//! and the loop over an interior node's children is the algorithm's own.

family! {
    /// The depth-first algorithms.
    DepthFirst:
    minimax::Minimax,
    alpha_beta::AlphaBeta,
    aspiration::Aspiration,
    aspiration_negascout::AspirationNegaScout,
    scout::Scout,
    negascout::NegaScout,
    pvs::Pvs,
}

pub(crate) use alpha_beta::alpha_beta;
pub(crate) use pvs::pvs;
