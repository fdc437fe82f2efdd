//! `plyground report`: what the records of an experiment say, as a page, as Markdown and as CSV.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use super::console::{Console, csv};
use super::tree::write;
use crate::experiment::Record;
use crate::report::report;

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
    let records = read(&args.folder.join("records.jsonl"))?;
    let name = args.folder.canonicalize().ok();
    let name = name.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy());
    let report = report(&records, name.as_deref().unwrap_or("records"));
    let rows: Vec<serde_json::Value> =
        report.rows.iter().map(serde_json::to_value).collect::<Result<_, _>>()?;
    let out = args.out.as_ref().unwrap_or(&args.folder);
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

/// All records of a file. A last line without its end is what an interrupted run leaves behind: it
/// is skipped, and that is said.
fn read(file: &Path) -> anyhow::Result<Vec<Record>> {
    let text = std::fs::read_to_string(file).with_context(|| {
        format!("cannot read {}: expected the records of an experiment", file.display())
    })?;
    let (records, unfinished) = parse(&text).with_context(|| file.display().to_string())?;
    if let Some(line) = unfinished {
        eprintln!("{}: line {line} is not finished and is skipped", file.display());
    }
    if records.is_empty() {
        bail!("{} has no records", file.display());
    }
    Ok(records)
}

/// The records, and the number of a last line that is not finished.
fn parse(text: &str) -> anyhow::Result<(Vec<Record>, Option<usize>)> {
    let mut records = Vec::new();
    for (i, line) in text.split_inclusive('\n').enumerate() {
        let Some(line) = line.strip_suffix('\n') else { return Ok((records, Some(i + 1))) };
        if !line.trim().is_empty() {
            records.push(
                serde_json::from_str(line).with_context(|| format!("line {}: no record", i + 1))?,
            );
        }
    }
    Ok((records, None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_no_records_have_a_number() {
        let error = parse("\n{\"game\": \"chess\"}\n").unwrap_err();
        assert!(format!("{error:#}").starts_with("line 2: no record: missing field"), "{error:#}");
        let (records, unfinished) = parse("{\"game\": \"ch").unwrap();
        assert_eq!((records.len(), unfinished), (0, Some(1)));
        assert_eq!(parse("").unwrap().1, None);
    }
}
