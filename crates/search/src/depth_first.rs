//! Depth-first algorithms: one recursion a file.
//!
//! Each is two functions that call each other. One passes a node to the context's `visit`, which
//! does what all algorithms do there; the other is the algorithm's own loop over the children of an
//! interior node.

family! {
    /// The depth-first algorithms.
    DepthFirst:
    minimax::Minimax,
    alpha_beta::AlphaBeta,
    aspiration::Aspiration,
    aspiration_negascout::AspirationNegaScout,
    scout::Scout,
    negascout::NegaScout,
    negascout_frontier::NegaScoutFrontier,
    pvs::Pvs,
    ins::Ins,
    serial_er::SerialEr,
}

pub(crate) use alpha_beta::alpha_beta;
pub(crate) use pvs::{nws, pvs};
pub(crate) use serial_er::{
    LEAST_HEIGHT as LEAST_E_NODE_HEIGHT, elder_grandchild, evaluate as e_node_value, rest as refute,
};
