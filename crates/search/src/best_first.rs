//! Best-first algorithms: OPEN and BACKUP, kept as the solution tree that they describe.

pub(crate) mod capacity;
pub(crate) mod frames;
pub(crate) mod merits;
pub(crate) mod open_trace;
pub(crate) mod operator;
pub(crate) mod rules;
pub(crate) mod runs;
pub(crate) mod sharing;
pub(crate) mod slot;
pub(crate) mod solution_tree;

family! {
    /// The algorithms with an OPEN list, or a solution tree in its place.
    BestFirst:
    sss_2_tree::Sss2Tree,
    sss::Sss,
    dual::Dual,
    ps::Ps,
    itersss::IterSss,
    rsearch::Rsearch,
    staged_sss::StagedSss,
    recsss::RecSss,
}
