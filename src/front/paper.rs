//! `plyground paper`: the papers' tables and figures, ours beside theirs.

mod ps;
mod solution_trees;
mod survey;

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Subcommand};
use serde_json::Value as Json;

use super::console::{Console, Format, csv};
use super::{FormatArgs, tree};
use crate::report::Table;
use crate::report::plot::Plot;

pub(super) const EXAMPLES: &str = "Examples:
  plyground paper ps
  plyground paper ps --count 1000 --seed 7 --csv
  plyground paper solution-trees --out figures
  plyground paper survey --json";

#[derive(Debug, Args)]
pub(super) struct PaperArgs {
    #[command(subcommand)]
    paper: Paper,
}

#[derive(Debug, Subcommand)]
enum Paper {
    /// Srimani and Marsland, PS*: tables 2 to 6, leaves and space
    #[command(
        after_help = "Examples:\n  plyground paper ps\n  plyground paper ps --count 1000 --json"
    )]
    Ps(RunArgs),
    /// De Bruin, Pijls and Plaat, Solution Trees: figures 8, 9 and 10
    #[command(
        after_help = "Examples:\n  plyground paper solution-trees\n  plyground paper solution-trees --count 5 --out figures"
    )]
    SolutionTrees(FigureArgs),
    /// Marsland, Single-Agent and Game-Tree Search: figure 5
    #[command(
        after_help = "Examples:\n  plyground paper survey\n  plyground paper survey --out figures"
    )]
    Survey(FigureArgs),
}

/// What every paper's command takes.
#[derive(Debug, Args)]
struct RunArgs {
    /// How many trees a cell or point [default: 100 for tables, 20 for figures]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// The same seed gives the same trees
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Debug, Args)]
struct FigureArgs {
    #[command(flatten)]
    run: RunArgs,
    /// Write the figures as SVG files into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl FigureArgs {
    /// As many trees a point as the solution-tree paper took.
    fn count(&self) -> u64 {
        self.run.count.unwrap_or(20)
    }
}

pub(super) fn run(console: &Console, args: &PaperArgs) -> anyhow::Result<()> {
    match &args.paper {
        Paper::Ps(args) => ps::run(console, args),
        Paper::SolutionTrees(args) => solution_trees::run(console, args),
        Paper::Survey(args) => survey::run(console, args),
    }
}

/// Prints what came out in the format that was asked for.
fn print(console: &Console, format: Format, tables: &[Table], rows: &[Json]) -> anyhow::Result<()> {
    match format {
        Format::Json => rows.iter().try_for_each(|row| console.json(row)),
        Format::Csv => console.print(&csv(rows)),
        Format::Text => {
            let texts: Vec<String> = tables.iter().map(Table::to_text).collect();
            console.print(&texts.join("\n"))
        }
    }
}

/// Writes figures into the folder that was asked for.
fn write_figures(args: &FigureArgs, figures: &[(String, Plot)]) -> anyhow::Result<()> {
    let Some(folder) = &args.out else { return Ok(()) };
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    for (name, plot) in figures {
        let file = folder.join(format!("{name}.svg"));
        tree::write(&file, &plot.to_svg())?;
        if args.run.format.format() == Format::Text {
            eprintln!("wrote {}", file.display());
        }
    }
    Ok(())
}
