//! `plyground paper`: the papers' tables and figures, measured again beside the printed ones.

mod all;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, bail, ensure};
use clap::{Args, Subcommand};
use indicatif::ProgressBar;

use super::batch::SeedArgs;
use super::console::{Console, Format, csv, note, width};
use super::{FormatArgs, positions, tree};
use plyground_engine::door::AnyGame;
use plyground_engine::game::Game;
use plyground_engine::games::Games;
use plyground_games::chess::Chess;
use plyground_search::MemoryFunctions;
use plyground_search::table::TableSize;
use plyground_study::paper::{
    self, FAMILY_NODES, Findings, GamePositions, PaperProgress, PaperRun, ParallelSettings,
    PositionRun, hold_out,
};

pub(super) const EXAMPLES: &str = "Examples:
  plyground paper ps
  plyground paper ps --count 1000 --seed 7 --csv
  plyground paper ps --real --game othello
  plyground paper solution-trees --out figures
  plyground paper survey --json
  plyground paper best-first --jobs 2
  plyground paper memory --game othello --count 12
  plyground paper all --quick --out report
  plyground paper best-first-family --game chess
  plyground paper parsss --jobs 2
  plyground paper parallel --out figures
  plyground paper single-agent --quick";

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
    /// De Bruin, Pijls and Plaat, Solution Trees: figures 6 to 10
    #[command(
        after_help = "Examples:\n  plyground paper solution-trees\n  plyground paper solution-trees --count 5 --out figures"
    )]
    SolutionTrees(FigureArgs),
    /// Marsland, Single-Agent and Game-Tree Search: figure 5, and on our chess figure 6 and the selective
    /// searches
    #[command(
        after_help = "Examples:\n  plyground paper survey\n  plyground paper survey --selective --count 20\n  plyground paper survey --figure 6 --depth 5 --count 10 --jobs 2\n  plyground paper survey --figure 6 --positions my.epd --depth 4"
    )]
    Survey(SurveyArgs),
    /// Plaat, Schaeffer, Pijls and de Bruin, best-first searches in fixed memory: on real games
    #[command(
        after_help = "Examples:\n  plyground paper best-first\n  plyground paper best-first --game chess --depth 6 --jobs 2 --out figures"
    )]
    BestFirst(BestFirstArgs),
    /// What a byte is worth: every search with 16 KiB to 64 MiB, on real games
    #[command(
        after_help = "Examples:\n  plyground paper memory --game othello --count 12\n  plyground paper memory --count 120 --out figures"
    )]
    Memory(RealArgs),
    /// Short keys of the transposition table, and how many values they get wrong
    #[command(after_help = "Examples:\n  plyground paper keys --game chess --count 60")]
    Keys(RealArgs),
    /// Proving the best move beside proving its value: second-best search and alpha bounding
    #[command(after_help = "Examples:\n  plyground paper best-move --count 60 --jobs 2")]
    BestMove(RealArgs),
    /// Do generated trees of the width and order of real ones predict what searches cost on them?
    #[command(after_help = "Examples:\n  plyground paper premise --game chess --count 60")]
    Premise(RealArgs),
    /// Every experiment, and one page of tables, figures and verdicts
    #[command(
        after_help = "Examples:\n  plyground paper all --quick --out report\n  plyground paper all --out report --shard 1/2"
    )]
    All(all::AllArgs),
    /// Proof numbers, conspiracies, B*, best-first minimax, UCT: at equal nodes, on trees and real games
    #[command(
        after_help = "Examples:\n  plyground paper best-first-family\n  plyground paper best-first-family --nodes 5000 --games 40 --out figures"
    )]
    BestFirstFamily(FamilyArgs),
    /// Bhattacharya and Bagchi, parallel SSS*: tables 1, 2 and 3, simulated
    #[command(
        after_help = "Examples:\n  plyground paper parsss\n  plyground paper parsss --count 1000 --jobs 2 --csv\n  plyground paper parsss --out figures"
    )]
    Parsss(ParsssArgs),
    /// Marsland, Single-Agent and Game-Tree Search: parallel search, every scheme simulated on the same
    /// trees
    #[command(
        after_help = "Examples:\n  plyground paper parallel\n  plyground paper parallel --processors 64 --count 10 --jobs 2 --json\n  plyground paper parallel --width 8 --depth 6 --algorithms ybw:1,dts:1"
    )]
    Parallel(ParallelArgs),
    /// Marsland, Single-Agent and Game-Tree Search: its first half, on puzzles and tours
    #[command(
        after_help = "Examples:\n  plyground paper single-agent --quick\n  plyground paper single-agent --count 50 --out figures"
    )]
    SingleAgent(SingleAgentArgs),
}

#[derive(Debug, Args)]
struct SingleAgentArgs {
    /// Fewer and smaller problems: a first look
    #[arg(long)]
    quick: bool,
    #[command(flatten)]
    figures: FigureArgs,
}

#[derive(Debug, Args)]
struct PsArgs {
    /// Search positions of real games in place of the papers' trees, to several depths
    #[arg(long)]
    real: bool,
    /// The game's name [default: all games, or the game of the file of positions]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
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
    /// Only the three-phase tree, null move, singular extensions, razoring and futility, on nodes and suites
    #[arg(long, conflicts_with_all = ["figure", "positions"])]
    selective: bool,
    #[command(flatten)]
    positions: PositionArgs,
    #[command(flatten)]
    figures: FigureArgs,
}

#[derive(Debug, Args)]
struct BestFirstArgs {
    /// The game's name [default: all games, or the game of the file of positions]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Half the width of aspiration NegaScout's window, in hundredths of a disc or a pawn
    /// [default: 200 for Othello, 50 for chess]
    #[arg(long, value_name = "E", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    window: Option<u32>,
    /// The memory functions of all searches: `table`, or more joined by +
    #[arg(long, value_name = "PARTS", default_value = "table")]
    memory: MemoryFunctions,
    #[command(flatten)]
    positions: PositionArgs,
    #[command(flatten)]
    figures: FigureArgs,
}

/// An experiment on real games.
#[derive(Debug, Args)]
struct RealArgs {
    /// The game's name [default: all games, or the game of the file of positions]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    #[command(flatten)]
    positions: PositionArgs,
    #[command(flatten)]
    figures: FigureArgs,
}

impl RealArgs {
    /// Runs an experiment on each game, by default on the hold-out, and prints what it found.
    fn run(
        &self,
        bar: &ConsoleProgress<'_>,
        games: &Games,
        experiment: impl Fn(&PositionRun<'_>) -> anyhow::Result<Findings>,
    ) -> anyhow::Result<()> {
        let (positions, figures) = (&self.positions, &self.figures);
        let found = on_games(bar, games, self.game.as_deref(), positions, &figures.run, |run| {
            let mut run = run.clone();
            if positions.positions.is_none() {
                let count = figures.run.count.map_or(HOLD_OUT, |count| count as usize);
                run.positions = hold_out(run.game, count)?;
            }
            experiment(&run)
        })?;
        print_findings(bar.console, &figures.run, figures, &found)
    }
}

/// The positions of each game's hold-out that are searched by default: enough to show a difference of 5 %
/// in most settings.
const HOLD_OUT: usize = 120;

/// The last `count` depths up to the one that was asked for, by default the game's own for lists.
fn last_depths(run: &PositionRun<'_>, count: u32) -> Vec<u32> {
    let last = run.depth.unwrap_or(run.game.depths().lists);
    (last.saturating_sub(count - 1).max(1)..=last).collect()
}

#[derive(Debug, Args)]
struct FamilyArgs {
    /// The game's name [default: all games, or the game of the file of positions]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Nodes for each move
    #[arg(long, value_name = "N", default_value_t = FAMILY_NODES,
          value_parser = clap::value_parser!(u64).range(100..=1_000_000_000))]
    nodes: u64,
    /// Games of each pair of searches
    #[arg(long, value_name = "N", default_value_t = 10,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,
    /// Positions in OBF (.obf) or EPD (.epd) for the comparison of moves [default: the built-in ones]
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// The depth of the deep search that moves are compared with
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: Option<u32>,
    #[command(flatten)]
    figures: FigureArgs,
}

#[derive(Debug, Args)]
struct ParsssArgs {
    #[command(flatten)]
    figures: FigureArgs,
    /// Trees to search in parallel
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
}

#[derive(Debug, Args)]
struct ParallelArgs {
    /// The width of the generated trees
    #[arg(long, value_name = "W", default_value_t = 6)]
    width: usize,
    /// Their depth
    #[arg(long, value_name = "D", default_value_t = 6)]
    depth: usize,
    /// The greatest number of processors; the others are the powers of two below it
    #[arg(long, value_name = "N", default_value_t = 1024,
          value_parser = clap::value_parser!(u32).range(1..=65536))]
    processors: u32,
    /// The least height of a node that may be shared or get a process
    #[arg(long, value_name = "H", default_value_t = 2)]
    spawn_height: u32,
    /// The parallel algorithms, separated by commas [default: all, see `plyground algorithms`]
    #[arg(long, value_name = "ID,ID,…", value_parser = super::parse_algorithm, value_delimiter = ',')]
    algorithms: Vec<super::NamedAlgorithm>,
    /// Search no positions of real games
    #[arg(long)]
    no_games: bool,
    /// The table of searches of positions with deepening: entries as in 64K or 1M, or MiB
    #[arg(long, value_name = "SIZE", default_value = "64K", conflicts_with = "no_games")]
    table: TableSize,
    /// That table is N times as large on N processors, as if each had brought its own memory
    #[arg(long, conflicts_with = "no_games")]
    table_per_processor: bool,
    /// Positions of each game [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "no_games",
          value_parser = clap::value_parser!(u16).range(1..))]
    positions: Option<u16>,
    /// The depth of the searches of positions [default: 5 for Othello, 3 for chess]
    #[arg(long, value_name = "D", conflicts_with = "no_games",
          value_parser = clap::value_parser!(u32).range(1..=12))]
    position_depth: Option<u32>,
    /// Searches to run in parallel; more than one measures no threads
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    #[command(flatten)]
    figures: FigureArgs,
}

/// Which positions are searched, and how far.
#[derive(Debug, Args)]
struct PositionArgs {
    /// Positions in OBF (.obf) or EPD (.epd) [default: the built-in ones]
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// The depth of the deepest searches
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=30))]
    depth: Option<u32>,
    /// Searches to run in parallel
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
}

impl PositionArgs {
    /// Was any of these given?
    fn is_given(&self) -> bool {
        self.positions.is_some() || self.depth.is_some() || self.jobs != 1
    }
}

/// What every paper's command takes.
#[derive(Debug, Args)]
struct RunArgs {
    /// Trees for each cell or point, or positions of real games, chosen by the seed [default: 100
    /// trees for tables, 20 for figures; all positions]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    #[command(flatten)]
    seed: SeedArgs,
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

pub(super) fn run(console: &Console, games: &Games, args: &PaperArgs) -> anyhow::Result<()> {
    let bar = ConsoleProgress::new(console);
    match &args.paper {
        Paper::Ps(args) if args.real => {
            let (game, positions, figures) = (args.game.as_deref(), &args.positions, &args.figures);
            let found = on_games(&bar, games, game, positions, &figures.run, paper::ps_real)?;
            print_findings(console, &figures.run, figures, &found)
        }
        Paper::Ps(args) => {
            let given = args.positions.is_given() || args.game.is_some();
            ensure!(
                !given,
                "--game, --positions, --depth and --jobs are for real games; expected --real"
            );
            let figures = &args.figures;
            let found = paper::ps(&bar.run(&figures.run))?;
            print_findings(console, &figures.run, figures, &found)
        }
        Paper::SolutionTrees(args) => {
            let found = paper::solution_trees(&bar.run(&args.run))?;
            print_findings(console, &args.run, args, &found)
        }
        Paper::Survey(args) => {
            let (found, figures) = (survey(&bar, args)?, &args.figures);
            print_findings(console, &figures.run, figures, &found)
        }
        Paper::BestFirst(args) => {
            ensure!(
                args.memory.contains(MemoryFunctions::TABLE),
                "--memory {}: the drivers need a table; expected `table`, or more with it",
                args.memory
            );
            let (game, positions, figures) = (args.game.as_deref(), &args.positions, &args.figures);
            let found = on_games(&bar, games, game, positions, &figures.run, |run| {
                paper::best_first(run, args.window, args.memory)
            })?;
            print_findings(console, &figures.run, figures, &found)
        }
        Paper::Memory(args) => {
            args.run(&bar, games, |run| paper::memory(run, &last_depths(run, 4)))
        }
        Paper::Keys(args) => args.run(&bar, games, |run| paper::keys(run, last_depths(run, 1)[0])),
        Paper::BestMove(args) => {
            args.run(&bar, games, |run| paper::best_move(run, &last_depths(run, 2)))
        }
        Paper::Premise(args) => {
            args.run(&bar, games, |run| paper::premise(run, last_depths(run, 1)[0].min(6)))
        }
        Paper::All(args) => all::run(console, &bar, games, args),
        Paper::BestFirstFamily(args) => {
            let (game, figures) = (args.game.as_deref(), &args.figures);
            let positions =
                &PositionArgs { positions: args.positions.clone(), depth: args.depth, jobs: 1 };
            let mut found = paper::family_on_trees(&bar.run(&figures.run))?;
            if !console.interrupted() {
                found.extend(on_games(&bar, games, game, positions, &figures.run, |run| {
                    paper::family_on_game(run, args.nodes, args.games)
                })?);
            }
            print_findings(console, &figures.run, figures, &found)
        }
        Paper::Parsss(args) => {
            let found = paper::parsss(&bar.run(&args.figures.run), args.jobs.into())?;
            print_findings(console, &args.figures.run, &args.figures, &found)
        }
        Paper::Parallel(args) => {
            let found = parallel(&bar, games, args)?;
            print_findings(console, &args.figures.run, &args.figures, &found)
        }
        Paper::SingleAgent(args) => {
            let found = paper::single_agent(&bar.run(&args.figures.run), args.quick)?;
            print_findings(console, &args.figures.run, &args.figures, &found)
        }
    }
}

/// Every parallel scheme on generated trees and on positions of all games.
fn parallel(
    bar: &ConsoleProgress<'_>,
    games: &Games,
    args: &ParallelArgs,
) -> anyhow::Result<Findings> {
    let algorithms: Vec<_> = args.algorithms.iter().map(|named| named.algorithm.clone()).collect();
    if let Some(serial) = algorithms.iter().find(|algorithm| algorithm.threads().is_none()) {
        bail!("--algorithms {serial}: expected parallel algorithms, such as ybw:1");
    }
    let settings = ParallelSettings {
        width: args.width,
        depth: args.depth,
        processors: args.processors as usize,
        spawn_height: args.spawn_height,
        table: args.table,
        table_per_processor: args.table_per_processor,
        jobs: args.jobs.into(),
        algorithms,
    };
    let seed = args.figures.run.seed.seed;
    let positions_of = |game: &'static dyn AnyGame| -> anyhow::Result<GamePositions> {
        let count = args.positions.unwrap_or(1).into();
        let positions = positions::positions(game, None, Some(count), seed)?;
        // A depth at which plain searches of one position take a fraction of a second.
        let depth = args.position_depth.unwrap_or(game.depths().quick);
        Ok(GamePositions { game, positions, depth })
    };
    let games = match args.no_games {
        true => Vec::new(),
        false => games.iter().map(positions_of).collect::<anyhow::Result<_>>()?,
    };
    paper::parallel(&bar.run(&args.figures.run), &settings, &games)
}

/// Figure 5 on generated trees, figure 6 and the selective searches on chess.
fn survey(bar: &ConsoleProgress<'_>, args: &SurveyArgs) -> anyhow::Result<Findings> {
    let wanted = |number| !args.selective && args.figure.is_none_or(|figure| figure == number);
    let run = &args.figures.run;
    let mut found = Findings::default();
    if wanted(5) {
        found.extend(paper::strongly_ordered(&bar.run(run))?);
    }
    if wanted(6) && !bar.console.interrupted() {
        let positions = bar.position_run(Chess::door(), &args.positions, run)?;
        found.extend(paper::enhancements(&positions)?);
    }
    if (args.selective || args.figure.is_none()) && !bar.console.interrupted() {
        let positions = bar.position_run(Chess::door(), &args.positions, run)?;
        found.extend(paper::selective(&positions)?);
    }
    Ok(found)
}

/// Runs an experiment on one game after the other: those that were named, or all.
fn on_games(
    bar: &ConsoleProgress<'_>,
    games: &Games,
    game: Option<&str>,
    args: &PositionArgs,
    run: &RunArgs,
    experiment: impl Fn(&PositionRun<'_>) -> anyhow::Result<Findings>,
) -> anyhow::Result<Findings> {
    let named = game.map(|name| games.find(name)).transpose()?;
    let mut all = Findings::default();
    for game in positions::games(games, named, args.positions.as_deref())? {
        all.extend(experiment(&bar.position_run(game, args, run)?)?);
        if bar.console.interrupted() {
            break;
        }
    }
    Ok(all)
}

/// The progress of an experiment as a bar on the console.
struct ConsoleProgress<'a> {
    console: &'a Console,
    shown: Mutex<Option<ProgressBar>>,
}

impl<'a> ConsoleProgress<'a> {
    fn new(console: &'a Console) -> ConsoleProgress<'a> {
        ConsoleProgress { console, shown: Mutex::new(None) }
    }

    /// Replaces the bar that is shown.
    fn show(&self, bar: Option<ProgressBar>) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(old) = std::mem::replace(&mut *shown, bar) {
            old.finish_and_clear();
        }
    }

    fn run(&self, args: &RunArgs) -> PaperRun<'_> {
        let RunArgs { count, seed, .. } = *args;
        let flag = self.console.flag();
        PaperRun { count, deepest: None, seed: seed.seed, flag, progress: self, kept: None }
    }

    fn position_run(
        &self,
        game: &'static dyn AnyGame,
        args: &PositionArgs,
        run: &RunArgs,
    ) -> anyhow::Result<PositionRun<'_>> {
        let count = run.count.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
        let positions =
            positions::positions(game, args.positions.as_deref(), count, run.seed.seed)?;
        let (depth, jobs) = (args.depth, args.jobs.into());
        Ok(PositionRun { run: self.run(run), game, positions, depth, jobs })
    }
}

impl PaperProgress for ConsoleProgress<'_> {
    fn begin(&self, steps: u64, what: &'static str) {
        self.show(Some(self.console.progress(steps, what)));
    }

    fn step(&self) {
        if let Some(bar) = &*self.shown.lock().unwrap_or_else(PoisonError::into_inner) {
            bar.inc(1);
        }
    }

    fn end(&self) {
        self.show(None);
    }
}

/// Prints the tables or the objects, writes the figures, and notes what is missing.
fn print_findings(
    console: &Console,
    run: &RunArgs,
    figures: &FigureArgs,
    found: &Findings,
) -> anyhow::Result<()> {
    if figures.out.is_some() {
        console.outlive_reader();
    }
    match run.format.format() {
        Format::Json => found.rows.iter().try_for_each(|row| console.json(row))?,
        Format::Csv => console.print(&csv(&found.rows))?,
        Format::Text => {
            let width = width(run.format.wide);
            let texts = found.tables.iter().map(|table| table.to_text(width));
            console.print(&texts.collect::<Vec<_>>().join("\n"))?;
        }
    }
    write_figures(figures, found)?;
    for work in found.work.iter().filter(|work| work.done < work.of) {
        console.note_interruption(work.done, work.of, work.what);
    }
    Ok(())
}

/// Writes figures into the folder that was asked for.
fn write_figures(args: &FigureArgs, found: &Findings) -> anyhow::Result<()> {
    let Some(folder) = &args.out else { return Ok(()) };
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    for (name, plot) in &found.plots {
        let file = folder.join(format!("{name}.svg"));
        tree::write(&file, &plot.to_svg())?;
        if args.run.format.format() == Format::Text {
            note(&format!("wrote {}", file.display()));
        }
    }
    Ok(())
}
