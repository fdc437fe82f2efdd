//! `plyground compare`: a comparison of the algorithms on real positions.

mod overview;
mod shard;
mod speedup;
mod table;

pub(crate) use shard::parse as parse_shard;

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use clap::Args;

use super::batch::{BatchArgs, SeedArgs};
use super::console::{Console, Format, csv, note};
use super::{
    FactorArgs, FormatArgs, NamedAlgorithm, ProcessArgs, UpdateArg, checked_all, flagged,
    parse_algorithm, pick_game, positions,
};
use plyground_core::limits::parse_bytes;
use plyground_core::memory;
use plyground_core::names::plural;
use plyground_engine::door::AnyGame;
use plyground_engine::games::Games;
use plyground_engine::profile::{Profile, Weights};
use plyground_search::algorithms::AlphaBeta;
use plyground_search::table::TableSize;
use plyground_search::{
    Algorithm, CatalogueEntry, MAX_PROCESSES, MemoryFunctions, Update, catalogue,
};
use plyground_study::experiment::{
    ExperimentPlan, MeasureError, PlanError, PlannedSearch, Processes, Record, Store, disagreement,
};

pub(crate) const EXAMPLES: &str = "Examples:
  plyground compare
  plyground compare --game othello --count 20 --out out
  plyground compare --game chess --depth 2..5 --algorithms pvs,sss --out out
  plyground compare --memory none,table,table+history,all --deepening --jobs 2
  plyground compare --threads 1,2 --algorithms pvs,ybw,abdada,parsss --depth 8
  plyground compare --simulate --algorithms sss,parsss:2,parsss:64 --depth 5
  plyground compare --positions my.obf --shard 1/4 --out part1";

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The game's name [default: all games, or the game of the file of positions]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Positions in OBF (.obf) or EPD (.epd) [default: the built-in ones]
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// At most N of the positions, chosen by the seed [default: 12 built-in ones in the first look, 5 if
    /// searches are named, all of a file]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    /// How many plies: N, or A..B with B included [default: the game's own]
    #[arg(long, value_name = "N|A..B", value_parser = depths)]
    depth: Option<RangeInclusive<u32>>,
    /// The algorithms, separated by commas: see `plyground algorithms` [default: the main ones, bare and
    /// with memory; all if any other option says how to search]
    #[arg(long, value_name = "ID,ID,…", value_parser = parse_algorithm_or_family, value_delimiter = ',')]
    algorithms: Vec<NamedAlgorithm>,
    /// Run each parallel algorithm with each of these numbers of threads, in place of its own number;
    /// ids such as `ybw` and `parps:2` may then lack it
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', value_parser = threads,
          help_heading = "Parallel searches")]
    threads: Vec<NonZeroUsize>,
    /// Engines in place of --memory, --table and --deepening: names from `plyground engines`, or
    /// files; each with its own algorithm or with those of --algorithms
    #[arg(long, value_name = "NAME,…", value_delimiter = ',',
          conflicts_with_all = ["memory", "table", "deepening", "update"])]
    engine: Vec<String>,
    /// The evaluator that all searches judge by, one that comes with the game or a file of weights
    /// [default: the standard one, or the engines' own]
    #[arg(long, value_name = "NAME|FILE")]
    evaluator: Option<String>,
    /// Memory functions, a list of configurations: none, all, or some of table history killers
    /// refutation countermoves etc joined by + [default: none]
    #[arg(long, value_name = "PARTS,…", value_delimiter = ',')]
    memory: Vec<MemoryFunctions>,
    /// Search to depth 1, 2, … first
    #[arg(long)]
    deepening: bool,
    /// Sizes of the table, separated by commas: in entries (8K, 1M) or in MiB (16MiB)
    #[arg(long, value_name = "SIZE,…", value_delimiter = ',')]
    table: Vec<TableSize>,
    /// How stored bounds are updated
    #[arg(long, value_enum, default_value_t)]
    update: UpdateArg,
    /// The memory that lists and stored bounds of a search may take; a search that needs more is
    /// recorded as stopped
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "1G")]
    bytes: usize,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    batch: BatchArgs,
    /// Run only the I-th of N parts of the searches; `auto` asks the scheduler which: Slurm, Grid Engine,
    /// LSF; `auto/N` where it does not know how many: PBS, GNU parallel
    #[arg(long, value_name = "I/N|auto", value_parser = shard::parse, requires = "out")]
    shard: Option<(usize, usize)>,
    #[command(flatten)]
    factors: FactorArgs,
    #[command(flatten)]
    processes: ProcessArgs,
    /// The table of a parallel search is N times as large on N processors, as if each had brought
    /// its own memory
    #[arg(long, help_heading = "Parallel searches")]
    table_per_processor: bool,
    #[command(flatten)]
    format: FormatArgs,
}

/// Reads an id that may lack the number of threads.
fn parse_algorithm_or_family(id: &str) -> Result<NamedAlgorithm, String> {
    parse_algorithm(id).or_else(|error| {
        let (name, rest) = id.split_at(id.find(':').unwrap_or(id.len()));
        let whole = format!("{name}:1{rest}").parse::<Algorithm>();
        let whole = whole.ok().filter(|algorithm| algorithm.threads().is_some());
        whole.map(|algorithm| NamedAlgorithm { id: id.into(), algorithm }).ok_or(error)
    })
}

/// How many of the built-in positions are searched by default.
const FEW: u32 = 5;

fn depths(text: &str) -> Result<RangeInclusive<u32>, String> {
    let expected = || "expected a depth, as in 4, or A..B, as in 2..6, from 1 to 30".to_owned();
    let number = |text: &str| text.parse().ok().filter(|depth| (1..=30).contains(depth));
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let range = number(first).ok_or_else(expected)?..=number(last).ok_or_else(expected)?;
    if range.is_empty() { Err(expected()) } else { Ok(range) }
}

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|n: &NonZeroUsize| n.get() <= MAX_PROCESSES);
    number.ok_or_else(|| format!("expected a number of threads, from 1 to {MAX_PROCESSES}"))
}

pub(crate) fn run(console: &Console, games: &Games, args: &CompareArgs) -> anyhow::Result<()> {
    let tables_wanted = args.memory.iter().any(|memory| memory.contains(MemoryFunctions::TABLE));
    ensure!(
        args.table.is_empty() || tables_wanted,
        "--table: no configuration has a table; expected --memory with `table`"
    );
    // Errors are reported before anything is searched or written.
    let plans = plans(console, games, args)?;
    for (_, plan) in &plans {
        let table = plan.largest_table().map_or(0, TableSize::bytes);
        let jobs = plan.tasks.len().min(args.batch.jobs.into());
        memory::check(table.saturating_mul(jobs)).context("the tables")?;
    }
    let mut store = args.batch.out.as_deref().map(Store::open).transpose()?;
    if store.is_some() {
        console.outlive_reader();
    }
    if let Some(store) = &store
        && store.mended() > 0
    {
        note(&format!(
            "{}: the last line was torn, {} bytes of it were removed",
            store.path().display(),
            store.mended()
        ));
    }
    let (mut records, mut failed) = (Vec::new(), Vec::new());
    for (game, plan) in &plans {
        records.extend(compare(console, args, *game, plan, store.as_mut(), &mut failed)?);
        if console.interrupted() {
            break;
        }
    }
    let kept_in = store.as_ref().map(|store| store.path().to_path_buf());
    if let Some(store) = store {
        store.finish()?;
        console.note_continuation();
    }
    match args.format.format() {
        Format::Csv => {
            let rows: Vec<_> =
                records.iter().map(serde_json::to_value).collect::<Result<_, _>>()?;
            console.print(&csv(&rows))?;
        }
        Format::Json => {}
        Format::Text => {
            if let Some(file) = kept_in {
                console.print(&format!("Records: {}\n", file.display()))?;
            }
        }
    }
    if let Some(first) = failed.first() {
        bail!("{} of the searches could not be made here: {first}", failed.len());
    }
    Ok(())
}

/// The searches to be made, for each game.
fn plans(
    console: &Console,
    games: &Games,
    args: &CompareArgs,
) -> anyhow::Result<Vec<(&'static dyn AnyGame, ExperimentPlan)>> {
    let named = pick_game(games, args.game.as_deref())?;
    let mut engines = Vec::new();
    for game in positions::games(games, named, args.positions.as_deref())? {
        engines.push((game, engines_for(console, games, args, game)?));
    }
    // An option applies to those engines that it has an effect on.
    let all = || engines.iter().flat_map(|(_, engines)| engines);
    let specs = checked_all(all().map(|engine| {
        let mut options = engine.options(1);
        options.factors = args.factors.factors();
        args.processes.set(&mut options);
        (&engine.algorithm, options)
    }))?;
    for (engine, spec) in engines.iter_mut().flat_map(|(_, engines)| engines).zip(&specs) {
        engine.update = spec.update();
        engine.factors = *spec.factors();
    }
    let has_tables = |spec: &plyground_search::SearchSpec| {
        spec.table().is_some() && spec.algorithm().threads().is_some()
    };
    ensure!(
        !args.table_per_processor || specs.iter().any(has_tables),
        "--table-per-processor: no parallel algorithm with a table; expected one such as ybw:2, and \
         --memory with `table`"
    );
    let file = args.positions.as_deref();
    let usual = if overview::is_wanted(args) { overview::POSITIONS } else { FEW };
    let few = if file.is_none() { Some(usual) } else { None };
    let count = args.count.or(few).map(|count| count as usize);
    let ProcessArgs { simulate, spawn_height } = args.processes;
    let plan = |(game, engines): (&'static dyn AnyGame, Vec<Profile>)| {
        let positions = positions::positions(game, file, count, args.seed.seed)?;
        let first_look = overview::is_wanted(args);
        let usual = game.depths();
        let depth = if first_look { usual.overview } else { usual.compare };
        let depths = args.depth.clone().unwrap_or(depth..=depth);
        let table_per_processor = args.table_per_processor;
        let processes = Processes { simulate, spawn_height, table_per_processor };
        let plan =
            ExperimentPlan::new(game, &positions, &engines, depths, processes, args.seed.seed);
        let plan = plan.map_err(|error| match error {
            PlanError::Spec { error, .. } => flagged(&error),
            error => error.into(),
        })?;
        Ok((game, plan))
    };
    engines.into_iter().map(plan).collect()
}

/// Makes the searches on one game that are not in the store yet, and prints all.
fn compare(
    console: &Console,
    args: &CompareArgs,
    game: &'static dyn AnyGame,
    plan: &ExperimentPlan,
    mut store: Option<&mut Store>,
    failed: &mut Vec<MeasureError>,
) -> anyhow::Result<Vec<Record>> {
    let format = args.format.format();
    let (part, parts) = args.shard.unwrap_or((1, 1));
    let mine = plan.tasks.iter().enumerate().filter(|(i, _)| i % parts == part - 1);
    let mine: Vec<&PlannedSearch> = mine.map(|(_, task)| task).collect();
    let known = |task: &PlannedSearch| store.as_ref()?.get(&task.setup).cloned();
    let before: Vec<Option<Record>> = mine.iter().map(|task| known(task)).collect();
    let missing: Vec<&PlannedSearch> =
        mine.iter().zip(&before).filter(|(_, known)| known.is_none()).map(|(t, _)| *t).collect();
    let skipped = mine.len() - missing.len();
    if skipped > 0 {
        note(&format!(
            "{game}: {skipped} of {} are in the records already",
            plural(mine.len(), "search")
        ));
    }
    let bar = console.progress(missing.len() as u64, "searches");
    let mut made = Vec::new();
    plan.run(&missing, args.batch.jobs.into(), |record| {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                failed.push(error);
                return Ok(());
            }
        };
        if let Some(store) = &mut store {
            store.append(&record)?;
        }
        if format == Format::Json {
            console.json(&record)?;
        }
        made.push(record);
        bar.inc(1);
        anyhow::Ok(())
    })?;
    bar.finish_and_clear();
    let interrupted = made.len() < missing.len();
    if interrupted {
        console.note_interruption(made.len() as u64, missing.len() as u64, "searches");
    }
    let mut records: Vec<Record> = before.into_iter().flatten().collect();
    if format == Format::Json {
        records.iter().try_for_each(|record| console.json(record))?;
    }
    records.append(&mut made);
    // In the order of the plan, whichever search ended first.
    let place: std::collections::HashMap<_, _> =
        plan.tasks.iter().enumerate().map(|(i, task)| (&task.setup, i)).collect();
    records.sort_by_key(|record| place.get(&record.setup));
    if let Some(disagreement) = disagreement(&records) {
        bail!(disagreement);
    }
    if format == Format::Text && !records.is_empty() {
        let first_look = overview::is_wanted(args);
        let tables = if first_look { overview::tables(&records) } else { table::tables(&records) };
        for table in tables {
            console.table(&table, args.format.wide)?;
        }
    }
    Ok(records)
}

/// Every algorithm that searches the whole of a fixed tree, the baseline first. Parallel ones are included
/// only if they are simulated: on threads they do not visit the same nodes each time.
pub(crate) fn all_algorithms(simulated: bool) -> Vec<Algorithm> {
    let wanted =
        |entry: &&CatalogueEntry| entry.is_comparable() && (!entry.is_parallel() || simulated);
    distinct(catalogue().filter(wanted).flat_map(CatalogueEntry::examples))
}

/// The parallel algorithms with their serial forms, so that the best serial algorithm is among them.
fn threaded_algorithms() -> Vec<Algorithm> {
    let parallel = || catalogue().filter(|entry| entry.is_parallel());
    let first: Vec<Algorithm> = parallel().filter_map(|entry| entry.examples().next()).collect();
    distinct(first.iter().map(Algorithm::serial).chain(first.clone()))
}

/// The baseline, then these algorithms, each once.
fn distinct(algorithms: impl Iterator<Item = Algorithm>) -> Vec<Algorithm> {
    let mut all = vec![AlphaBeta.into()];
    for algorithm in algorithms {
        if !all.contains(&algorithm) {
            all.push(algorithm);
        }
    }
    all
}

/// The engines to compare: those that were named, or the product of algorithms and memory
/// configurations.
fn engines_for(
    console: &Console,
    games: &Games,
    args: &CompareArgs,
    game: &'static dyn AnyGame,
) -> anyhow::Result<Vec<Profile>> {
    let mut bases = Vec::new();
    for name in &args.engine {
        let profile = Profile::find(games, name)?;
        if profile.game == game {
            bases.push(profile);
        } else if args.game.is_some() {
            bail!("the engine {} plays {}, not {game}", profile.name, profile.game);
        }
    }
    if overview::is_wanted(args) {
        bases = overview::configurations(game);
    } else if args.engine.is_empty() {
        let none = [MemoryFunctions::empty()];
        for memory in if args.memory.is_empty() { &none[..] } else { &args.memory } {
            let sizes = match (memory.contains(MemoryFunctions::TABLE), args.table.is_empty()) {
                (true, false) => args.table.clone(),
                _ => vec![TableSize::default()],
            };
            for table in sizes {
                let mut profile = Profile::plain(game);
                profile.memory = *memory;
                profile.table = table;
                profile.deepening = args.deepening;
                profile.update = args.update.into();
                bases.push(profile);
            }
        }
    }
    if let Some(name) = &args.evaluator {
        let weights = Weights::find(game, name).with_context(|| format!("--evaluator {name}"))?;
        bases.iter_mut().for_each(|base| base.evaluator = weights.clone());
    }
    let own = !args.engine.is_empty() && args.algorithms.is_empty();
    ensure!(!own || args.threads.is_empty(), "--threads: expected --algorithms beside --engine");
    let algorithms = if own { Vec::new() } else { algorithms(args)? };
    let mut seen = std::collections::HashSet::new();
    let mut engines = Vec::new();
    for mut base in bases {
        base.limits.bytes = Some(args.bytes);
        base.limits.flag = console.flag();
        let weights = game.weights_hash(&base.evaluator);
        let each = algorithms.iter().map(|a| Profile { algorithm: a.clone(), ..base.clone() });
        let each: Vec<Profile> = if own { vec![base.clone()] } else { each.collect() };
        // The same search twice is one.
        engines.extend(each.into_iter().filter(|engine| {
            let Profile { algorithm, memory, table, deepening, update, .. } = engine;
            let maxsearch = *update == Update::Maxsearch;
            let (algorithm, table) = (algorithm.to_string(), table.entries());
            seen.insert((algorithm, *memory, table, *deepening, maxsearch, weights))
        }));
    }
    Ok(engines)
}

/// The algorithms to compare, each parallel one with each number of threads.
fn algorithms(args: &CompareArgs) -> anyhow::Result<Vec<Algorithm>> {
    let (simulate, threaded) = (args.processes.simulate, !args.threads.is_empty());
    let named: Vec<Algorithm> = if !args.algorithms.is_empty() {
        for NamedAlgorithm { id, .. } in &args.algorithms {
            let bare = !threaded && id.parse::<Algorithm>().is_err();
            ensure!(!bare, "{id}: expected a number of threads, as in `ybw:2`, or --threads");
        }
        args.algorithms.iter().map(|named| named.algorithm.clone()).collect()
    } else if overview::is_wanted(args) {
        overview::algorithms()
    } else if threaded && !simulate {
        threaded_algorithms()
    } else {
        all_algorithms(simulate)
    };
    if !threaded {
        return Ok(named);
    }
    ensure!(
        named.iter().any(|algorithm| algorithm.threads().is_some()),
        "--threads: none of the algorithms has threads; expected one such as ybw or parsss"
    );
    let each = |algorithm: &Algorithm| match algorithm.threads() {
        None => vec![algorithm.clone()],
        Some(_) => args.threads.iter().map(|&n| algorithm.with_threads(n)).collect(),
    };
    Ok(named.iter().flat_map(each).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_read() {
        assert_eq!(depths("4"), Ok(4..=4));
        assert_eq!(depths("2..6"), Ok(2..=6));
        for wrong in ["", "0", "6..2", "..", "2..", "a", "2..31", "-1"] {
            assert!(depths(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn ids_may_lack_the_number_of_threads() {
        for (id, whole) in [
            ("ybw", "ybw:1"),
            ("parps:1+2", "parps:1:1+2"),
            ("paritersss:50", "paritersss:1:50"),
            ("ybw:3", "ybw:3"),
            ("pvs", "pvs"),
        ] {
            assert_eq!(parse_algorithm_or_family(id).unwrap().algorithm.to_string(), whole);
        }
        for wrong in ["ps", "itersss", "ybw:x", "sss-4", "what"] {
            assert!(parse_algorithm_or_family(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn parallel_algorithms_stand_beside_what_they_are_measured_by() {
        let threaded = threaded_algorithms();
        for entry in catalogue().filter(|entry| entry.is_parallel()) {
            let one = threaded.iter().find(|a| a.entry().id == entry.id).unwrap();
            assert_eq!(one.threads(), Some(1), "{one}");
            assert!(threaded.contains(&one.serial()), "{one}");
        }
        // Simulated ones besides with one process.
        let all = all_algorithms(true);
        for algorithm in all.iter().filter(|algorithm| algorithm.threads().is_some()) {
            let one = algorithm.with_threads(NonZeroUsize::MIN);
            assert!(all.contains(&one), "{algorithm}");
        }
    }

    #[test]
    fn every_algorithm_is_compared_where_nothing_is_named() {
        let (serial, all) = (all_algorithms(false), all_algorithms(true));
        for list in [&serial, &all, &threaded_algorithms()] {
            assert_eq!(list[0], AlphaBeta.into(), "the baseline");
        }
        assert!(serial.iter().all(|algorithm| algorithm.threads().is_none()));
        assert_eq!(all[..serial.len()], serial);
        for entry in catalogue().filter(|entry| entry.is_comparable()) {
            assert!(entry.examples().all(|example| all.contains(&example)), "{}", entry.id);
        }
    }
}
