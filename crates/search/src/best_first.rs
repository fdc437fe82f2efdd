//! Best-first algorithms: OPEN, BACKUP, and the solution tree they amount to.

pub(super) mod contest;
mod phased;
pub(super) mod solution_tree;
mod sss_2_tree;
pub(super) mod teller;

use std::num::NonZeroUsize;

use teller::Side;

use super::{Algorithm, Partitions, Place, Search, Setting};
use plyground_core::limits::Stop;
use plyground_core::value::Value;

/// Runs a best-first algorithm.
pub(super) fn run<S: Setting>(
    search: &mut Search<'_, S>,
    root: &Place<S>,
    algorithm: &Algorithm,
) -> Result<Value, Stop> {
    let one = Partitions::Count(NonZeroUsize::MIN);
    match algorithm {
        Algorithm::Sss2Tree => sss_2_tree::sss_2(search, root),
        Algorithm::Sss => phased::phased(search, root, Side::Max, &one),
        Algorithm::Dual => phased::phased(search, root, Side::Min, &one),
        Algorithm::Ps(partitions) => phased::phased(search, root, Side::Max, partitions),
        _ => unreachable!("{algorithm} is not best-first"),
    }
}
