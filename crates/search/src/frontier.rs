//! Searches that grow a tree at its frontier: proof numbers, conspiracies, B*, and their relatives.
//!
//! They do not find the minimax value of a fixed tree in a fixed order. Each has a notion of which leaf
//! of its tree matters most, expands that one, and stops when it has proved what it is after: a goal,
//! bounds, a move. The catalogue says [which](crate::Proves).
//!
//! Their nodes are numbers, and they reach positions through [`Growth`](growth::Growth) or
//! [`Descent`](descent::Descent): two traits without the tree's types. So each algorithm is compiled
//! once, for all games; what it does at a node is little beside making that node.

pub(crate) mod conspiracies;
pub(crate) mod descent;
pub(crate) mod growth;
pub(crate) mod intervals;
pub mod mate;
pub(crate) mod proof_numbers;
pub(crate) mod proof_table;
pub(crate) mod questions;
pub(crate) mod skeleton;

family! {
    /// The algorithms that grow a tree at its frontier.
    Frontier:
    pn::Pn,
    df_pn::DfPn,
    pn2::Pn2,
    cns::Cns,
    ab_cns::AbCns,
    b_star::BStar,
    pb_star::PbStar,
    best_first_minimax::BestFirstMinimax,
    uct::Uct,
}
