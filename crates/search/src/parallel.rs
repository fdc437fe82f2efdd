//! Parallel search: several processors, one value.
//!
//! In PARSSS* and its relatives ([`processes`]) every process has an OPEN list of its own; the schemes
//! of alpha-beta ([`alpha_beta`]) are policies of one machine, which share nodes, or nothing but a
//! memory. With one processor each does what its serial form does. All run on threads, whose contexts
//! [`team`] makes, and simulated: [`events`] is the virtual time of games' searches, [`scheduler`] runs
//! those for one player.

/// Defines a scheme of parallel alpha-beta whose only parameter is N: its type, its policy, the memory
/// that several processors cannot do without, and its entry in the catalogue.
macro_rules! scheme {
    ($(#[$doc:meta])* $name:ident: $policy:expr, $memory:expr, $entry:expr $(,)?) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name {
            /// N, how many processors.
            pub threads: std::num::NonZeroUsize,
        }

        impl SearchAlgorithm for $name {
            const ENTRY: CatalogueEntry = $entry;

            fn parse(parameters: &mut Parameters<'_>) -> Result<$name, String> {
                let id = Self::ENTRY.id;
                let threads =
                    parameters.processes(&format!("a number of threads, as in `{id}:2`"))?;
                Ok($name { threads })
            }

            fn threads(&self) -> Option<std::num::NonZeroUsize> {
                Some(self.threads)
            }

            fn with_threads(&self, threads: std::num::NonZeroUsize) -> $name {
                $name { threads }
            }

            fn needs(&self, spawn_height: u32) -> MemoryNeeds {
                let memory: $crate::parallel::SchemeMemory = $memory;
                memory.needs(self.threads, spawn_height)
            }

            fn run<T: GameTree, M: Mode>(
                &self,
                search: &mut Search<'_, T, M>,
                root: &SearchNode<T, M>,
            ) -> Result<Option<Value>, Stop> {
                const POLICY: Policy = $policy;
                $crate::parallel::alpha_beta::search_together(search, root, self.threads, &POLICY)
                    .map(Some)
            }
        }
    };
}

mod alpha_beta;
mod events;
mod processes;
pub(crate) mod scheduler;
mod team;

use std::num::NonZeroUsize;

use crate::catalogue::MemoryNeeds;

family! {
    /// The parallel algorithms.
    Parallel:
    parsss::ParSss,
    paritersss::ParIterSss,
    parps::ParPs,
    abdada::Abdada,
    abdada_mtd_f::AbdadaMtdF,
    abdada_sss_2::AbdadaSss2,
    abdada_dual_2::AbdadaDual2,
    lazy_smp::LazySmp,
    ybw::Ybw,
    ybw_mtd_f::YbwMtdF,
    ybw_sss_2::YbwSss2,
    ybw_dual_2::YbwDual2,
    pvsplit::PvSplit,
    dts::Dts,
    hsu::Hsu,
    tree_split::TreeSplit,
    bound_and_branch::BoundAndBranch,
    mwf::Mwf,
    er::Er,
    parallel_aspiration::ParallelAspiration,
}

/// The memory that several processors of a scheme cannot do without, where there is no table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SchemeMemory {
    /// None.
    Nothing,
    /// The bounds of the nodes that are high enough to be shared: it is all that they share.
    SharedNodes,
    /// The bounds of all nodes: drivers of the memory test are nothing without it, even on one
    /// processor.
    AllNodes,
}

impl SchemeMemory {
    fn needs(self, processors: NonZeroUsize, spawn_height: u32) -> MemoryNeeds {
        match self {
            SchemeMemory::AllNodes if processors == NonZeroUsize::MIN => MemoryNeeds::StoredTree,
            SchemeMemory::AllNodes => MemoryNeeds::SharedTree { from_height: 0 },
            SchemeMemory::SharedNodes if processors > NonZeroUsize::MIN => {
                MemoryNeeds::SharedTree { from_height: spawn_height.max(1) }
            }
            _ => MemoryNeeds::Nothing,
        }
    }
}

pub(crate) use alpha_beta::{Candidate, NodeKind, Policy};
pub use events::Costs;
pub(crate) use processes::search_on_ranks;
pub use scheduler::Schedule;
pub(crate) use team::Team;
pub use team::check_threads;

/// The most threads of a search. More would gain nothing, and systems refuse them.
pub const MAX_THREADS: usize = 1024;
