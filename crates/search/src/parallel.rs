//! Parallel search: several threads, one value.
//!
//! [`team`] makes the contexts of the threads. In PARSSS* and its relatives ([`processes`]) every
//! process has an OPEN list of its own; the schemes of alpha-beta ([`alpha_beta`]) share nodes at
//! split points, or nothing but a memory. With one thread each does what its serial form does.
//! [`scheduler`] runs schemes that are written as steps, on threads or simulated.

mod alpha_beta;
mod processes;
pub(crate) mod scheduler;
mod team;

family! {
    /// The parallel algorithms.
    Parallel:
    parsss::ParSss,
    paritersss::ParIterSss,
    parps::ParPs,
    abdada::Abdada,
    abdada_mtd_f::AbdadaMtdF,
    ybw::Ybw,
    ybw_mtd_f::YbwMtdF,
    pvsplit::PvSplit,
    mwf::Mwf,
}

pub use scheduler::Schedule;
pub(crate) use team::Team;

/// The most threads of a search. More would gain nothing, and systems refuse them.
pub const MAX_THREADS: usize = 1024;
