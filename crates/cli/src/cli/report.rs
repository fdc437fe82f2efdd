//! `plyground report`: the results of an experiment as a page, as Markdown and as CSV.

use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use clap::Args;

use super::console::{Console, csv, note};
use super::tree::write;
use plyground_study::experiment::{Record, Records};
use plyground_study::report::report;

pub(super) const EXAMPLES: &str = "Examples:
  plyground report results
  plyground report results --out pages";

#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// The folder with the experiment's records.jsonl
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Write report.html, report.md and report.csv here [default: DIR]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn run(console: &Console, args: &ReportArgs) -> anyhow::Result<()> {
    let records = read(&args.folder)?;
    let name = args.folder.canonicalize().ok();
    let name = name.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy());
    let report = report(&records, name.as_deref().unwrap_or("records"));
    let rows: Vec<serde_json::Value> =
        report.rows.iter().map(serde_json::to_value).collect::<Result<_, _>>()?;
    let out = args.out.as_ref().unwrap_or(&args.folder);
    console.outlive_reader();
    std::fs::create_dir_all(out)
        .with_context(|| format!("cannot make the folder {}", out.display()))?;
    for (name, text) in [
        ("report.html", report.document.to_html()),
        ("report.md", report.document.to_markdown()),
        ("report.csv", csv(&rows)),
    ] {
        let file = out.join(name);
        write(&file, &text)?;
        console.print(&format!("{}\n", file.display()))?;
    }
    Ok(())
}

/// All records of a folder. A run that was killed may leave an incomplete last line, which is skipped
/// with a note.
fn read(folder: &Path) -> anyhow::Result<Vec<Record>> {
    let read = Records::read(folder)
        .context("expected a folder with records, as `plyground compare --out DIR` makes")?;
    let file = read.path.display();
    if read.torn > 0 {
        note(&format!("{file}: the last line is torn, {} bytes of it are skipped", read.torn));
    }
    ensure!(
        !read.records.is_empty(),
        "{file}: no records in it; expected those of `plyground compare --out DIR`"
    );
    Ok(read.records)
}
