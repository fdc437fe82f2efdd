//! `plyground merge`: the records of several runs in one folder.

use std::path::PathBuf;

use clap::Args;

use super::console::Console;
use plyground_study::experiment::{FILE_NAME, merge};

pub(super) const EXAMPLES: &str = "Examples:
  plyground merge part1 part2 part3 part4 --out all
  plyground report all";

#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// Folders with records
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// The folder for all records; records that it has already are kept
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub(super) fn run(console: &Console, args: &MergeArgs) -> anyhow::Result<()> {
    let (records, repeated) = merge(&args.folders, &args.out)?;
    let file = args.out.join(FILE_NAME);
    console.print(&format!(
        "{}: {records} records, {repeated} of them found more than once\n",
        file.display()
    ))
}
