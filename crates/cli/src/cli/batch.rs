//! The flags that long runs share: the seed, work in parallel, a folder of records.

use std::path::PathBuf;

use clap::Args;

/// What is random follows from a seed.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct SeedArgs {
    /// All that is chosen at random follows from this: the same seed gives the same result
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// A run of many searches or games.
#[derive(Clone, Debug, Args)]
pub(crate) struct BatchArgs {
    /// How many searches or games run in parallel; times mean something only with 1
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) jobs: u16,
    /// Keep the records in this folder, and skip what is there already
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}
