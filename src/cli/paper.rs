//! `plyground paper`: the papers' tables and figures, ours beside theirs.

mod best_first;
mod enhancements;
mod findings;
mod parsss;
mod ps;
mod ps_real;
mod real;
mod solution_trees;
mod survey;

use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::{Args, Subcommand};
use serde_json::Value as Json;

use super::console::{Console, Format, csv};
use super::{FormatArgs, tree};
use plyground_engine::game::GameName;
use plyground_engine::games::Games;
use plyground_search::Functions;
use plyground_study::report::Table;
use plyground_study::report::plot::Plot;
use real::PositionArgs;

pub(super) const EXAMPLES: &str = "Examples:
  plyground paper ps
  plyground paper ps --count 1000 --seed 7 --csv
  plyground paper ps --real --game othello
  plyground paper solution-trees --out figures
  plyground paper survey --json
  plyground paper best-first --jobs 2
  plyground paper parsss --jobs 2";

#[derive(Debug, Args)]
pub(super) struct PaperArgs {
    #[command(subcommand)]
    paper: Paper,
}

#[derive(Debug, Subcommand)]
enum Paper {
    /// Srimani and Marsland, PS*: tables 2 to 6, leaves and space; on real games with --real
    #[command(
        after_help = "Examples:\n  plyground paper ps\n  plyground paper ps --count 1000 --json\n  plyground paper ps --real --out figures"
    )]
    Ps(PsArgs),
    /// De Bruin, Pijls and Plaat, Solution Trees: figures 8, 9 and 10
    #[command(
        after_help = "Examples:\n  plyground paper solution-trees\n  plyground paper solution-trees --count 5 --out figures"
    )]
    SolutionTrees(FigureArgs),
    /// Marsland, Single-Agent and Game-Tree Search: figure 5, and figure 6 on our chess
    #[command(
        after_help = "Examples:\n  plyground paper survey\n  plyground paper survey --figure 6 --depth 5 --count 10 --jobs 2\n  plyground paper survey --figure 6 --positions positions/bratko-kopec.epd --depth 4"
    )]
    Survey(SurveyArgs),
    /// Plaat, Schaeffer, Pijls and de Bruin, best-first searches in fixed memory: on both games
    #[command(
        after_help = "Examples:\n  plyground paper best-first\n  plyground paper best-first --game chess --depth 6 --jobs 2 --out figures"
    )]
    BestFirst(BestFirstArgs),
    /// Bhattacharya and Bagchi, parallel SSS*: tables 1, 2 and 3, simulated
    #[command(
        after_help = "Examples:\n  plyground paper parsss\n  plyground paper parsss --count 1000 --jobs 2 --csv"
    )]
    Parsss(ParsssArgs),
}

#[derive(Debug, Args)]
struct PsArgs {
    /// On real games in place of the papers' trees: both, to several depths
    #[arg(long)]
    real: bool,
    /// othello or chess [default: both, or what the file of positions is of]
    #[arg(long, value_name = "GAME")]
    game: Option<GameName>,
    #[command(flatten)]
    positions: PositionArgs,
    #[command(flatten)]
    figures: FigureArgs,
}

#[derive(Debug, Args)]
struct SurveyArgs {
    /// Only this figure: 5 or 6
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(5..=6))]
    figure: Option<u8>,
    #[command(flatten)]
    positions: PositionArgs,
    #[command(flatten)]
    figures: FigureArgs,
}

#[derive(Debug, Args)]
struct BestFirstArgs {
    /// othello or chess [default: both, or what the file of positions is of]
    #[arg(long, value_name = "GAME")]
    game: Option<GameName>,
    /// Half the width of aspiration NegaScout's window, in hundredths of a disc or a pawn
    /// [default: 200 for Othello, 50 for chess]
    #[arg(long, value_name = "E", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    window: Option<u32>,
    /// The memory functions of all: `table`, or more joined by +
    #[arg(long, value_name = "PARTS", default_value = "table")]
    memory: Functions,
    #[command(flatten)]
    positions: PositionArgs,
    #[command(flatten)]
    figures: FigureArgs,
}

#[derive(Debug, Args)]
struct ParsssArgs {
    #[command(flatten)]
    run: RunArgs,
    /// So many trees side by side
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
}

/// What every paper's command takes.
#[derive(Debug, Args)]
struct RunArgs {
    /// How many trees a cell or point, or how many positions of real games, chosen by the seed
    /// [default: 100 trees for tables, 20 for figures; all positions]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// The same seed gives the same trees and positions
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

pub(super) fn run(console: &Console, games: &Games, args: &PaperArgs) -> anyhow::Result<()> {
    match &args.paper {
        Paper::Ps(args) if args.real => ps_real::run(console, games, args),
        Paper::Ps(args) => {
            let given = args.positions.is_given() || args.game.is_some();
            ensure!(
                !given && args.figures.out.is_none(),
                "--game, --positions, --depth, --jobs and --out are for real games; expected --real"
            );
            ps::run(console, &args.figures.run)
        }
        Paper::SolutionTrees(args) => solution_trees::run(console, args),
        Paper::Survey(args) => survey::run(console, args),
        Paper::BestFirst(args) => best_first::run(console, games, args),
        Paper::Parsss(args) => parsss::run(console, args),
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
