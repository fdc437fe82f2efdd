//! The command line: each command reads its arguments, calls the library and prints the results. The
//! program exits with 0 if all is well, 1 if a soak found a fault or a document deviates, 2 if an argument
//! or a file is wrong, 130 if it was interrupted.

mod annotate;
pub(crate) mod batch;
pub(crate) mod bench;
mod best;
mod book;
mod checks;
pub(crate) mod compare;
pub(crate) mod console;
mod engine;
mod heap;
mod levels;
mod merge;
mod paper;
mod perft;
mod positions;
mod program;
mod puzzle;
pub(crate) mod record;
mod report;
#[cfg(feature = "web")]
mod serve;
mod shell;
mod signals;
mod simulation;
mod soak;
mod suite;
mod tournament;
pub(crate) mod train;
mod tree;
mod trees;
mod verify;

pub use program::{CommandLine, OwnCommand, Plyground};

use anyhow::Context;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::repl;
pub(crate) use checks::{FactorArgs, checked, checked_all, flagged};
use console::{Console, Format};
use plyground_core::limits::{Limits, parse_bytes};
use plyground_core::value::{MAX_LEAF, Value};
use plyground_engine::door::AnyGame;
use plyground_engine::games::Games;
use plyground_search::{
    Algorithm, CatalogueEntry, Options, Proves, Update, catalogue, single_agent,
};
use plyground_study::report::{Align, TextTable};

/// Game-tree searches of the literature on one trait, exact and counted.
#[derive(Debug, Parser)]
#[command(
    name = "plyground",
    version,
    about = "Game-tree searches of the literature, exact and counted, on one trait",
    propagate_version = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// Runs a command that every program has, whatever its games; `whole` is the whole command line.
fn run(
    console: &Console,
    games: &Games,
    command: &Command,
    matches: &clap::ArgMatches,
    whole: impl Fn() -> clap::Command,
) -> anyhow::Result<()> {
    match command {
        Command::Algorithms(args) => algorithms(console, args),
        Command::Tree(args) => tree::run(console, args),
        Command::Trees(args) => trees::run(console, args),
        Command::Paper(args) => paper::run(console, games, args),
        Command::Compare(args) => compare::run(console, games, args),
        Command::Merge(args) => merge::run(console, args),
        Command::Best(args) => best::run(console, games, args),
        Command::Book(args) => book::run(console, games, args),
        Command::Annotate(args) => annotate::run(console, games, args),
        Command::Engines(args) => engine::run(console, games, args),
        Command::Suite(args) => suite::run(console, games, args),
        Command::Suites(args) => suite::list(console, games, args),
        Command::Positions(args) => positions::make::run(console, games, args),
        Command::Perft(args) => perft::run(console, games, args),
        Command::Report(args) => report::run(console, args),
        Command::Match(args) => tournament::run(console, games, args),
        Command::Soak(args) => soak::run(console, games, args),
        Command::Tournament(args) => tournament::ranking::run(console, games, args),
        Command::Levels(args) => levels::run(console, games, args),
        Command::Bench => bench::run(console, games, matches),
        Command::Puzzle(args) => puzzle::run(console, args),
        Command::Play(args) => repl::run(console, games, args),
        #[cfg(feature = "web")]
        Command::Serve(args) => serve::run(console, games, args),
        Command::Completions(args) => shell::completions(console, args, whole(), games),
        Command::Man(args) => shell::manual(console, args, whole()),
        Command::Verify(args) => verify::run(console, args, whole),
    }
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the algorithms
    #[command(after_help = "Examples:\n  plyground algorithms\n  plyground algorithms --json")]
    Algorithms(AlgorithmsArgs),
    /// Search a tree given as text, and show which leaves were visited
    #[command(after_help = tree::EXAMPLES)]
    Tree(tree::TreeArgs),
    /// Search many generated trees and print averages
    #[command(after_help = trees::EXAMPLES)]
    Trees(trees::TreesArgs),
    /// The tables and figures of a paper, ours beside the printed ones
    #[command(after_help = paper::EXAMPLES)]
    Paper(paper::PaperArgs),
    /// Compare the algorithms on positions of the games
    #[command(after_help = compare::EXAMPLES)]
    Compare(Box<compare::CompareArgs>),
    /// Join the records of several experiments
    #[command(after_help = merge::EXAMPLES)]
    Merge(merge::MergeArgs),
    /// Search a position of a game with any algorithm
    #[command(after_help = best::EXAMPLES)]
    Best(best::BestArgs),
    /// Make an opening book, or show what one has
    #[command(after_help = book::EXAMPLES)]
    Book(book::BookArgs),
    /// Analyse a whole game: the value of each move, mistakes and better lines
    #[command(after_help = annotate::EXAMPLES)]
    Annotate(annotate::AnnotateArgs),
    /// List the engines and check them
    #[command(after_help = engine::EXAMPLES)]
    Engines(engine::EnginesArgs),
    /// Try engines and algorithms on positions whose solutions are known
    #[command(after_help = suite::EXAMPLES)]
    Suite(suite::SuiteArgs),
    /// List the built-in test suites: what they test, where their facts come from
    #[command(after_help = suite::LIST_EXAMPLES)]
    Suites(ListArgs),
    /// Positions for experiments: make them by self-play
    #[command(after_help = positions::make::EXAMPLES)]
    Positions(positions::make::PositionsArgs),
    /// Count the move sequences that a game's rules allow (perft)
    #[command(after_help = perft::EXAMPLES)]
    Perft(perft::PerftArgs),
    /// Make a page of an experiment's records: tables, figures, whether all values agree
    #[command(after_help = report::EXAMPLES)]
    Report(report::ReportArgs),
    /// Play many games between two engines, ours or others, and estimate the difference in Elo
    #[command(after_help = tournament::EXAMPLES)]
    Match(Box<tournament::MatchArgs>),
    /// Let copies of this program play each other for hours, and disturb them
    #[command(after_help = soak::EXAMPLES)]
    Soak(soak::SoakArgs),
    /// Play games between several engines, each against each or one against all, and rank them
    #[command(after_help = tournament::ranking::EXAMPLES)]
    Tournament(Box<tournament::ranking::TournamentArgs>),
    /// List the levels of play with their Elo, or measure it
    #[command(after_help = levels::EXAMPLES)]
    Levels(levels::LevelsArgs),
    /// Search fixed positions of all games to fixed depths: one total of nodes
    #[command(after_help = bench::EXAMPLES)]
    Bench,
    /// Problems of one player: solve them, make them, compare the searches
    #[command(after_help = puzzle::EXAMPLES)]
    Puzzle(puzzle::PuzzleArgs),
    /// Play a game against any engine, at the keyboard or from a pipe
    #[command(after_help = repl::EXAMPLES)]
    Play(repl::PlayArgs),
    /// Open a page in the browser: play, and watch any search grow
    #[cfg(feature = "web")]
    #[command(after_help = serve::EXAMPLES)]
    Serve(serve::ServeArgs),
    /// Print a shell's completions
    #[command(after_help = shell::COMPLETIONS_EXAMPLES)]
    Completions(shell::CompletionsArgs),
    /// Print the manual page, or write those of all commands
    #[command(after_help = shell::MAN_EXAMPLES)]
    Man(shell::ManArgs),
    /// Recompute the figures that the README and docs/ print, and list those that deviate
    #[command(after_help = verify::EXAMPLES)]
    Verify(verify::VerifyArgs),
}

/// What commands that print a list take.
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Debug, Args)]
struct AlgorithmsArgs {
    /// The searches for this many players: 2, or 1 for puzzles
    #[arg(long, value_name = "N", default_value_t = 2,
          value_parser = clap::value_parser!(u8).range(1..=2))]
    players: u8,
    #[command(flatten)]
    format: FormatArgs,
}

/// The game of this name. Without a name: the only game, or `None` if there are several.
pub(crate) fn pick_game(
    games: &Games,
    name: Option<&str>,
) -> anyhow::Result<Option<&'static dyn AnyGame>> {
    let mut all = games.iter();
    Ok(match (name, all.next(), all.next()) {
        (Some(name), ..) => Some(games.find(name)?),
        (None, only, None) => only,
        _ => None,
    })
}

/// As [`pick_game`], for commands that need exactly one game.
pub(crate) fn need_game(games: &Games, name: Option<&str>) -> anyhow::Result<&'static dyn AnyGame> {
    pick_game(games, name)?.with_context(|| {
        let names: Vec<&str> = games.iter().map(AnyGame::name).collect();
        format!("which game? expected {}", names.join(" or "))
    })
}

/// An algorithm together with the id that was typed for it, which is printed back.
#[derive(Clone, Debug)]
pub(crate) struct NamedAlgorithm {
    id: String,
    pub(crate) algorithm: Algorithm,
}

impl From<Algorithm> for NamedAlgorithm {
    fn from(algorithm: Algorithm) -> NamedAlgorithm {
        NamedAlgorithm { id: algorithm.to_string(), algorithm }
    }
}

impl std::fmt::Display for NamedAlgorithm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.id)
    }
}

/// Reads an algorithm's id, or a name that is forgiven: then the id is printed back.
pub(crate) fn parse_algorithm(id: &str) -> Result<NamedAlgorithm, String> {
    let algorithm: Algorithm = id.parse().map_err(|error| format!("{error}"))?;
    let typed = id.split(':').next().unwrap_or(id);
    match typed == algorithm.entry().id {
        true => Ok(NamedAlgorithm { id: id.into(), algorithm }),
        false => Ok(algorithm.into()),
    }
}

/// Reads the value of a question.
pub(crate) fn at_least(text: &str) -> Result<Value, String> {
    let value = text.parse().ok().filter(|v| (-MAX_LEAF..=MAX_LEAF).contains(v));
    value.ok_or_else(|| format!("expected a value, a whole number from -{MAX_LEAF} to {MAX_LEAF}"))
}

/// How tables are printed.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct FormatArgs {
    /// One JSON object a line
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Comma-separated values with a header
    #[arg(long)]
    csv: bool,
    /// All columns of the tables, however wide the terminal
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    wide: bool,
}

impl FormatArgs {
    fn format(self) -> Format {
        match (self.json, self.csv) {
            (true, _) => Format::Json,
            (_, true) => Format::Csv,
            _ => Format::Text,
        }
    }
}

/// How the memory test updates its bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum UpdateArg {
    /// From the value returned: SSS-2 visits exactly the nodes that SSS* visits
    #[default]
    Clipped,
    /// Both bounds from the children: the paper's Maxsearch
    Maxsearch,
}

impl From<UpdateArg> for Update {
    fn from(arg: UpdateArg) -> Update {
        match arg {
            UpdateArg::Clipped => Update::Clipped,
            UpdateArg::Maxsearch => Update::Maxsearch,
        }
    }
}

/// How searches with many processes are run.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ProcessArgs {
    /// Simulate parallel searches: time is counted in leaves (terminal counts), and there may be
    /// any number of processes
    #[arg(long, help_heading = "Parallel searches")]
    simulate: bool,
    /// The least height of a node that may get a process of its own [default: 0 for a tree given as
    /// text, else 4]
    #[arg(long, value_name = "H", help_heading = "Parallel searches")]
    spawn_height: Option<u32>,
}

impl ProcessArgs {
    /// Sets the options that were given.
    fn set(&self, options: &mut Options) {
        options.simulate = self.simulate;
        options.spawn_height = self.spawn_height.or(options.spawn_height);
    }
}

/// The height of the highest node that may get a process in a search to this depth.
fn highest(algorithm: &Algorithm, depth: u32) -> Option<u32> {
    match algorithm.serial() {
        // PARSSS* and its relatives spawn processes at MIN nodes; the highest are the root's children.
        Algorithm::BestFirst(_) => depth.checked_sub(1),
        // The others split at any node, the root included, except next to the horizon.
        _ => (depth > 1).then_some(depth),
    }
}

/// A note about parallel algorithms that find no node high enough for a second process: they search
/// serially, which the reader of their numbers should know.
pub(crate) fn too_low(algorithms: &[&Algorithm], depth: u32, spawn_height: u32) -> Option<String> {
    let several = |a: &&&Algorithm| a.threads().is_some_and(|threads| threads > 1);
    let is_low = |a: &&&Algorithm| highest(a, depth).is_none_or(|height| height < spawn_height);
    let low: Vec<&Algorithm> = algorithms.iter().filter(several).filter(is_low).copied().collect();
    let height = match low.iter().map(|a| highest(a, depth)).min()? {
        Some(height) => format!("--spawn-height {height} or "),
        None => String::new(),
    };
    let names: Vec<String> = low.iter().map(|algorithm| algorithm.name()).collect();
    Some(format!(
        "{}: at depth {depth} no node is high enough for a process of its own, which takes height \
         {spawn_height}; {height}a greater --depth would change that.",
        names.join(", ")
    ))
}

/// What may stop a search.
#[derive(Clone, Debug, Args)]
pub(crate) struct LimitArgs {
    /// Stop a search after N evaluations of leaves
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) leaves: Option<u64>,
    /// Stop a search after N visits of nodes
    #[arg(long, value_name = "N", help_heading = "Limits")]
    nodes: Option<u64>,
    /// Stop a search after S seconds
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Limits")]
    time: Option<std::time::Duration>,
    /// Stop a search that holds more memory than this (64K, 100M, 2G)
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, help_heading = "Limits")]
    pub(crate) bytes: Option<usize>,
}

impl LimitArgs {
    /// Sets the limits that were given, and the flag that Ctrl-C raises.
    fn apply(&self, limits: &mut Limits, console: &Console) {
        let given = self.limits(console);
        limits.leaves = given.leaves.or(limits.leaves);
        limits.nodes = given.nodes.or(limits.nodes);
        limits.time = given.time.or(limits.time);
        limits.bytes = given.bytes.or(limits.bytes);
        limits.flag = given.flag;
    }

    pub(crate) fn limits(&self, console: &Console) -> Limits {
        Limits {
            leaves: self.leaves,
            nodes: self.nodes,
            time: self.time,
            bytes: self.bytes,
            flag: console.flag(),
        }
    }
}

pub(crate) fn seconds(text: &str) -> Result<std::time::Duration, String> {
    text.parse::<f64>()
        .ok()
        .and_then(|s| std::time::Duration::try_from_secs_f64(s).ok())
        .ok_or_else(|| "expected a number of seconds, such as 0.5".into())
}

fn algorithms(console: &Console, args: &AlgorithmsArgs) -> anyhow::Result<()> {
    let one = args.players == 1;
    let entries: Vec<&CatalogueEntry> =
        if one { single_agent::catalogue().collect() } else { catalogue().collect() };
    let object = |entry: &CatalogueEntry| {
        serde_json::json!({
            "id": entry.usage, "name": entry.name, "what": entry.about, "paper": entry.paper,
            "parallel": entry.is_parallel(), "simulated": true,
            "proves": entry.proves.name(), "proves_move": entry.proves == Proves::Move
        })
    };
    let mut table = TextTable::new("");
    for name in ["id", "name"] {
        table.column(name, Align::Left);
    }
    table.prose("what it does");
    table.optional("proves", Align::Left, 2);
    table.optional("paper", Align::Left, 1);
    for entry in &entries {
        let row = [entry.usage, entry.name, entry.about, entry.proves.name(), entry.paper];
        table.row(row.map(String::from).to_vec());
    }
    table.note("");
    table.note(if one {
        "M states in memory, N processes. `plyground puzzle solve … --algorithm ID` runs them."
    } else {
        "E, G, STEP are values (a guess G defaults to an earlier search's value, else 0), K partitions, \
         M entries, T conspirators, C a decimal. What a search proves: the value, the best move, a goal \
         (`--at-least V`), a bound, or nothing. `plyground tree TREE --algorithm ID --trace` shows each step. `--players 1` lists the \
         searches of puzzles."
    });
    let objects: Vec<_> = entries.iter().map(|entry| object(entry)).collect();
    print_list(console, args.format, &objects, &table)
}

/// Prints a list in the format that was asked for.
pub(crate) fn print_list(
    console: &Console,
    format: FormatArgs,
    objects: &[serde_json::Value],
    table: &TextTable,
) -> anyhow::Result<()> {
    match format.format() {
        Format::Json => objects.iter().try_for_each(|object| console.json(object)),
        Format::Csv => console.print(&console::csv(objects)),
        Format::Text => console.table(table, format.wide),
    }
}

#[cfg(test)]
mod tests {
    use plyground_search::SearchSpec;

    use super::*;

    #[test]
    fn nodes_may_be_too_low_for_a_process() {
        let said = |ids: &str, depth: u32, height: u32| {
            let algorithms: Vec<Algorithm> = ids.split(',').map(|id| id.parse().unwrap()).collect();
            too_low(&algorithms.iter().collect::<Vec<_>>(), depth, height)
        };
        // The root's children are of height 3.
        let low = said("sss,parsss:1,parsss:64,ybw:2", 4, 4).unwrap();
        assert!(low.starts_with("PARSSS*(64): at depth 4 no node is high enough"), "{low}");
        assert!(low.ends_with("--spawn-height 3 or a greater --depth would change that."), "{low}");
        for enough in [said("parsss:2,parps:2:2", 5, 4), said("parsss:2", 4, 3)] {
            assert_eq!(enough, None);
        }
        // Nobody else is there to get one.
        assert_eq!(said("sss,pvs,parsss:1,ybw:1", 1, 4), None);
        assert_eq!(said("ybw:2,abdada:2", 4, 4), None);
        let low = said("ybw:2", 3, 4).unwrap();
        assert!(low.contains("--spawn-height 3 or a greater --depth"), "{low}");
        // Next to the horizon no height helps.
        let low = said("ybw:2,parsss:2", 1, 0).unwrap();
        assert!(low.contains("height 0; a greater --depth would"), "{low}");
    }

    /// What becomes of these algorithms' searches with the same options.
    fn shared(ids: &str, options: &Options) -> anyhow::Result<Vec<SearchSpec>> {
        let algorithms: Vec<Algorithm> = ids.split(',').map(|id| id.parse().unwrap()).collect();
        checked_all(algorithms.iter().map(|algorithm| (algorithm, options.clone())))
    }

    #[test]
    fn options_are_for_the_algorithms_that_have_a_use_for_them() {
        let spawning = Options { spawn_height: Some(3), ..Options::to_depth(5) };
        let refused = shared("pvs,sss,itersss:9", &spawning).unwrap_err().to_string();
        assert!(refused.starts_with("--spawn-height: pvs starts no process"), "{refused}");
        for id in ["parsss:2", "paritersss:2:9", "parps:2:2", "ybw:2", "abdada:2", "mwf:2"] {
            let specs = shared(&format!("pvs,{id}"), &spawning).unwrap();
            assert_eq!(specs[1].spawn_height(), 3, "{id}");
        }
        let maxsearch = Options { update: Update::Maxsearch, ..Options::to_depth(5) };
        let specs = shared("alpha-beta,mtd-f,sss", &maxsearch).unwrap();
        let updates: Vec<Update> = specs.iter().map(SearchSpec::update).collect();
        assert_eq!(updates, [Update::Clipped, Update::Maxsearch, Update::Clipped]);
        let refused = shared("alpha-beta,sss", &maxsearch).unwrap_err().to_string();
        assert!(refused.starts_with("--update: "), "{refused}");
        let both = Options { spawn_height: Some(3), ..maxsearch };
        let refused = shared("alpha-beta,mtd-f", &both).unwrap_err().to_string();
        assert!(refused.starts_with("--spawn-height: "), "{refused}");
        let simulated = Options { simulate: true, ..Options::to_depth(5) };
        assert!(shared("pvs,sss,itersss:9,parsss:2000,ybw:2000", &simulated).is_ok());
    }

    #[test]
    fn too_many_threads_may_be_simulated() {
        let told =
            |id: &str| checked(&id.parse().unwrap(), Options::to_depth(3)).unwrap_err().to_string();
        assert!(told("parsss:5000").ends_with(", or --simulate"), "{}", told("parsss:5000"));
        assert!(told("ybw:5000").ends_with(", or --simulate"), "{}", told("ybw:5000"));
    }

    #[test]
    fn a_single_game_need_not_be_named() {
        use plyground_engine::game::Game;
        use plyground_games::chess::Chess;
        use plyground_games::othello::Othello;
        let (one, two) = (Games::of(Chess::door()), Games::new().with::<Othello>().with::<Chess>());
        assert_eq!(pick_game(&one, None).unwrap(), Some(Chess::door()));
        assert_eq!(need_game(&one, None).unwrap(), Chess::door());
        assert_eq!(pick_game(&two, None).unwrap(), None);
        assert_eq!(pick_game(&two, Some(Chess::NAME)).unwrap(), Some(Chess::door()));
        assert!(pick_game(&one, Some(Othello::NAME)).is_err());
        let error = need_game(&two, None).unwrap_err().to_string();
        assert_eq!(error, "which game? expected othello or chess");
    }

    #[test]
    fn sizes_and_times() {
        assert_eq!(parse_bytes("64K"), Ok(65536));
        assert_eq!(parse_bytes("2g"), Ok(2 << 30));
        assert_eq!(parse_bytes("123"), Ok(123));
        for wrong in ["", "K", "1.5M", "-1", "99999999999G", "é"] {
            assert!(parse_bytes(wrong).is_err(), "{wrong}");
        }
        assert!(seconds("-1").is_err() && seconds("x").is_err() && seconds("nan").is_err());
        assert_eq!(seconds("0.25"), Ok(std::time::Duration::from_millis(250)));
    }
}
