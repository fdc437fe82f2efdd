//! Best-first algorithms: OPEN, BACKUP, and the solution tree they amount to.

pub(crate) mod frames;
pub(crate) mod open_trace;
pub(crate) mod operator;
pub(crate) mod room;
pub(crate) mod sharing;
pub(crate) mod solution_tree;
pub(crate) mod winner_tree;

family! {
    /// The algorithms with an OPEN list, or a solution tree in its place.
    BestFirst:
    sss_2_tree::Sss2Tree,
    sss::Sss,
    dual::Dual,
    ps::Ps,
    itersss::IterSss,
}
