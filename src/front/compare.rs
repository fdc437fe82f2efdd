//! `plyground compare`: the algorithms side by side on real positions.

mod speedup;
mod table;

pub(super) use table::disagreement;

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{bail, ensure};
use clap::Args;

use super::console::{Console, Format, csv};
use super::{Chosen, FormatArgs, ProcessArgs, UpdateArg, chosen, positions};
use plyground_core::limits::parse_bytes;
use plyground_engine::door::AnyGame;
use plyground_engine::game::{Game, GameName, GameTask};
use plyground_engine::games::Games;
use plyground_engine::profile::Profile;
use plyground_search::table::TableSize;
use plyground_search::{Algorithm, Functions, MOST_PROCESSES};
use plyground_study::experiment::{Plan, Record, Store, Task};

pub(super) const EXAMPLES: &str = "Examples:
  plyground compare
  plyground compare --game chess --depth 2..5 --algorithms alpha-beta,pvs,mtd-f --out results
  plyground compare --memory none,table,table+history,all --deepening --jobs 2
  plyground compare --threads 1,2 --algorithms pvs,ybw,abdada,parsss --depth 8 --out results
  plyground compare --simulate --algorithms sss,parsss:2,parsss:64 --depth 5
  plyground compare --game othello --positions positions/midgame.obf --shard 1/4 --out part1";

#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// othello or chess [default: both, or what the file of positions is of]
    #[arg(long, value_name = "GAME")]
    game: Option<GameName>,
    /// Positions in OBF (.obf) or EPD (.epd) [default: those that are built in]
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
    /// So many of the positions, chosen by the seed [default: 5 of those built in, all of a file]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: Option<u32>,
    /// How many plies: N, or A..B with B included [default: 6 for Othello, 4 for chess]
    #[arg(long, value_name = "N|A..B", value_parser = depths)]
    depth: Option<RangeInclusive<u32>>,
    /// The algorithms, separated by commas: see `plyground algorithms`
    #[arg(long, value_name = "ID,ID,…", value_parser = chosen_or_bare, value_delimiter = ',')]
    algorithms: Vec<Chosen>,
    /// Each parallel algorithm with each of these numbers of threads, whatever its own; ids such as
    /// `ybw` and `parps:2` need none then
    #[arg(long, value_name = "N,N,…", value_delimiter = ',', value_parser = threads,
          help_heading = "Parallel searches")]
    threads: Vec<NonZeroUsize>,
    /// Engines in place of --memory, --table and --deepening: names from `plyground engines`, or
    /// files; each with its own algorithm or with those of --algorithms
    #[arg(long, value_name = "NAME,…", value_delimiter = ',',
          conflicts_with_all = ["memory", "table", "deepening", "update"])]
    engine: Vec<String>,
    /// Memory functions, a list of configurations: none, all, or some of table history killers
    /// refutation countermoves etc joined by +
    #[arg(long, value_name = "PARTS,…", value_delimiter = ',', default_value = "none")]
    memory: Vec<Functions>,
    /// Search to depth 1, 2, … first
    #[arg(long)]
    deepening: bool,
    /// Sizes of the table, separated by commas: in entries (8K, 1M) or in MiB (16MiB)
    #[arg(long, value_name = "SIZE,…", value_delimiter = ',')]
    table: Vec<TableSize>,
    /// How stored bounds are updated
    #[arg(long, value_enum, default_value_t)]
    update: UpdateArg,
    /// Lists and stored bounds may take so much; a search that would take more is recorded as
    /// stopped
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes, default_value = "1G")]
    bytes: usize,
    /// Chooses the positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// So many searches side by side; times are taken with one
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Keep the records in this folder, and skip what is there already
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Only the I-th of N parts of the searches
    #[arg(long, value_name = "I/N", value_parser = shard, requires = "out")]
    shard: Option<(usize, usize)>,
    #[command(flatten)]
    processes: ProcessArgs,
    #[command(flatten)]
    format: FormatArgs,
}

/// What is compared where nothing is named; parameters that suit values in hundredths.
const ALL: &str = "alpha-beta,minimax,aspiration:50,aspiration-negascout:50,scout,negascout,pvs,\
                   sss-2,dual-2,sss-0,sss-4:100,sss-b,mtd-f,sss-2-tree,\
                   sss,dual,ps:2,ps:4,ps:1+2+4+8,itersss:500,\
                   second-best,alpha-bounding";

/// What is compared besides where processes are simulated: on threads they do not visit the same
/// nodes each time. Each with one process too, which it is measured by.
const PARALLEL: &str = "parsss:1,parsss:2,parsss:8,paritersss:1:500,paritersss:8:500,\
                        parps:1:2,parps:8:2";

/// What is compared where numbers of threads are given and nothing is named: the parallel algorithms
/// and, for the best serial one to be among them, their serial forms.
const THREADED: &str = "alpha-beta,pvs,mtd-f,sss,ps:2,abdada:1,abdada-mtd-f:1,ybw:1,ybw-mtd-f:1,\
                        pvsplit:1,mwf:1,parsss:1,parps:1:2";

/// An id that may lack the number of threads.
fn chosen_or_bare(id: &str) -> Result<Chosen, String> {
    chosen(id).or_else(|error| {
        let (name, rest) = id.split_at(id.find(':').unwrap_or(id.len()));
        let whole = format!("{name}:1{rest}").parse::<Algorithm>();
        let whole = whole.ok().filter(|algorithm| algorithm.threads().is_some());
        whole.map(|algorithm| Chosen { id: id.into(), algorithm }).ok_or(error)
    })
}

/// How many of the built-in positions are taken.
const FEW: u32 = 5;

fn depths(text: &str) -> Result<RangeInclusive<u32>, String> {
    let expected = || "expected a depth, as in 4, or A..B, as in 2..6, from 1 to 30".to_owned();
    let number = |text: &str| text.parse().ok().filter(|depth| (1..=30).contains(depth));
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let range = number(first).ok_or_else(expected)?..=number(last).ok_or_else(expected)?;
    if range.is_empty() { Err(expected()) } else { Ok(range) }
}

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|n: &NonZeroUsize| n.get() <= MOST_PROCESSES);
    number.ok_or_else(|| format!("expected a number of threads, from 1 to {MOST_PROCESSES}"))
}

fn shard(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    parts
        .filter(|&(i, n): &(usize, usize)| 1 <= i && i <= n)
        .ok_or_else(|| "expected I/N with I from 1 to N, as in 2/4".into())
}

pub(super) fn run(console: &Console, games: &Games, args: &CompareArgs) -> anyhow::Result<()> {
    let tables_wanted = args.memory.iter().any(|memory| memory.contains(Functions::TABLE));
    ensure!(
        args.table.is_empty() || tables_wanted,
        "--table: no configuration has a table; expected --memory with `table`"
    );
    let registry = games;
    let named = args.game.map(GameName::door);
    let games = positions::games(registry, named, args.positions.as_deref())?;
    let mut engines = Vec::new();
    for &game in &games {
        engines.extend(engines_for(console, registry, args, game)?);
    }
    args.processes.check(engines.iter().map(|engine| &engine.algorithm))?;
    let mut store = args.out.as_deref().map(Store::open).transpose()?;
    if let Some(store) = &store
        && store.mended() > 0
    {
        eprintln!(
            "{}: the last line was torn, {} bytes of it were taken away",
            store.path().display(),
            store.mended()
        );
    }
    let mut records = Vec::new();
    for game in games {
        let name: GameName = game.name().parse()?;
        let compared =
            name.dispatch(Compare { console, games: registry, args, store: store.as_mut() })?;
        records.extend(compared);
        if console.interrupted() {
            break;
        }
    }
    match args.format.format() {
        Format::Csv => {
            let rows: Vec<_> =
                records.iter().map(serde_json::to_value).collect::<Result<_, _>>()?;
            console.print(&csv(&rows))?;
        }
        Format::Json => {}
        Format::Text => {
            if let Some(store) = &store {
                console.print(&format!("Records: {}\n", store.path().display()))?;
            }
        }
    }
    Ok(())
}

struct Compare<'a> {
    console: &'a Console,
    games: &'a Games,
    args: &'a CompareArgs,
    store: Option<&'a mut Store>,
}

impl GameTask for Compare<'_> {
    type Output = anyhow::Result<Vec<Record>>;

    fn run<G: Game>(mut self) -> anyhow::Result<Vec<Record>> {
        let Compare { console, games, args, .. } = self;
        let format = args.format.format();
        let few = if args.positions.is_none() { Some(FEW) } else { None };
        let count = args.count.or(few).map(|count| count as usize);
        let file = args.positions.as_deref();
        let positions = positions::positions(G::door(), file, count, args.seed)?;
        let positions: Vec<G::Position> =
            positions.iter().map(|text| G::position(text)).collect::<Result<_, _>>()?;
        let depth = G::DEPTHS.compare;
        let depths = args.depth.clone().unwrap_or(depth..=depth);
        let engines = engines_for(console, games, args, G::door())?;
        if engines.is_empty() {
            return Ok(Vec::new());
        }
        let mut options = engines[0].options(1);
        args.processes.set(&mut options);
        let plan = Plan::<G>::new(&positions, engines, depths, args.seed)?
            .with_processes(options.simulate, options.spawn_height);
        let (part, parts) = args.shard.unwrap_or((1, 1));
        let mine = plan.tasks.iter().enumerate().filter(|(i, _)| i % parts == part - 1);
        let mine: Vec<&Task> = mine.map(|(_, task)| task).collect();
        let known = |task: &Task| self.store.as_ref()?.get(&task.setup).cloned();
        let before: Vec<Option<Record>> = mine.iter().map(|task| known(task)).collect();
        let missing: Vec<&Task> = mine
            .iter()
            .zip(&before)
            .filter(|(_, known)| known.is_none())
            .map(|(t, _)| *t)
            .collect();
        let skipped = mine.len() - missing.len();
        if skipped > 0 {
            eprintln!(
                "{}: {skipped} of {} searches are in the records already",
                G::NAME,
                mine.len()
            );
        }
        let bar = console.progress(missing.len() as u64, "searches");
        let mut made = Vec::new();
        let store = &mut self.store;
        plan.run(&missing, args.jobs.into(), |record| {
            if let Some(store) = store {
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
        // In the order of the plan, whoever was first.
        let place: std::collections::HashMap<_, _> =
            plan.tasks.iter().enumerate().map(|(i, task)| (&task.setup, i)).collect();
        records.sort_by_key(|record| place.get(&record.setup));
        if let Some(disagreement) = disagreement(&records) {
            bail!(disagreement);
        }
        if format == Format::Text && !records.is_empty() {
            for table in table::tables(&records) {
                console.print(&table.to_text())?;
            }
        }
        Ok(records)
    }
}

/// Every algorithm, the baseline first; the parallel ones if they are simulated.
pub(super) fn all_algorithms(simulated: bool) -> anyhow::Result<Vec<Algorithm>> {
    let parallel = if simulated { PARALLEL } else { "" };
    let ids = ALL.split(',').chain(parallel.split(',').filter(|id| !id.is_empty()));
    Ok(ids.map(|id| id.parse()).collect::<Result<_, _>>()?)
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
    // One tree serves all of them: any two must judge alike, not only the first and the last.
    if let Some((first, others)) = bases.split_first()
        && let Some(other) = others.iter().find(|other| other.evaluator != first.evaluator)
    {
        bail!("{} and {} judge by different evaluators", first.name, other.name);
    }
    let own = !args.engine.is_empty() && args.algorithms.is_empty();
    if args.engine.is_empty() {
        for memory in &args.memory {
            let sizes = match (memory.contains(Functions::TABLE), args.table.is_empty()) {
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
    for base in &mut bases {
        base.limits.bytes = Some(args.bytes);
        base.limits.flag = console.flag();
    }
    if own {
        ensure!(args.threads.is_empty(), "--threads: expected --algorithms beside --engine");
        return Ok(bases);
    }
    let algorithms = algorithms(args)?;
    let each = |base: &Profile| {
        let base = base.clone();
        algorithms.iter().map(move |algorithm| {
            let algorithm = algorithm.clone();
            Profile { algorithm, ..base.clone() }
        })
    };
    let mut engines: Vec<Profile> = bases.iter().flat_map(each).collect();
    // The same engine twice is one.
    let mut seen = std::collections::HashSet::new();
    engines.retain(|e| {
        seen.insert((e.algorithm.to_string(), e.memory, e.table.entries(), e.deepening))
    });
    Ok(engines)
}

/// The algorithms to compare, each parallel one with each number of threads.
fn algorithms(args: &CompareArgs) -> anyhow::Result<Vec<Algorithm>> {
    let (simulate, threaded) = (args.processes.simulate, !args.threads.is_empty());
    let named: Vec<Algorithm> = if !args.algorithms.is_empty() {
        for Chosen { id, .. } in &args.algorithms {
            let bare = !threaded && id.parse::<Algorithm>().is_err();
            ensure!(!bare, "{id}: expected a number of threads, as in `ybw:2`, or --threads");
        }
        args.algorithms.iter().map(|chosen| chosen.algorithm.clone()).collect()
    } else if threaded && !simulate {
        THREADED.split(',').map(str::parse).collect::<Result<_, _>>()?
    } else {
        all_algorithms(simulate)?
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
    fn depths_and_shards() {
        assert_eq!(depths("4"), Ok(4..=4));
        assert_eq!(depths("2..6"), Ok(2..=6));
        for wrong in ["", "0", "6..2", "..", "2..", "a", "2..31", "-1"] {
            assert!(depths(wrong).is_err(), "{wrong}");
        }
        assert_eq!(shard("2/4"), Ok((2, 4)));
        for wrong in ["", "0/4", "5/4", "1", "a/b", "1/0"] {
            assert!(shard(wrong).is_err(), "{wrong}");
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
            assert_eq!(chosen_or_bare(id).unwrap().algorithm.to_string(), whole);
        }
        for wrong in ["ps", "itersss", "ybw:x", "sss-4", "what"] {
            assert!(chosen_or_bare(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn parallel_algorithms_stand_beside_what_they_are_measured_by() {
        let threaded: Vec<&str> = THREADED.split(',').collect();
        for id in threaded.iter().filter(|id| id.contains(":1")) {
            let serial = match id.split_once(":1").unwrap() {
                ("parsss", "") => "sss",
                ("parps", partitions) => &format!("ps{partitions}"),
                ("mwf", "") => "alpha-beta",
                (name, "") if name.ends_with("-mtd-f") => "mtd-f",
                _ => "pvs",
            };
            assert!(threaded.contains(&serial), "{id}: {serial}");
        }
        // Simulated ones besides with one process.
        let all = all_algorithms(true).unwrap();
        for algorithm in all.iter().filter(|algorithm| algorithm.threads().is_some()) {
            let one = algorithm.with_threads(NonZeroUsize::MIN);
            assert!(all.contains(&one), "{algorithm}");
        }
    }

    #[test]
    fn the_list_of_all_names_every_algorithm() {
        let ids = ALL.split(',').chain(PARALLEL.split(',')).chain(THREADED.split(','));
        let stems: Vec<&str> = ids.map(|id| id.split(':').next().unwrap()).collect();
        for line in plyground_search::CATALOGUE {
            let stem = line.id.split([':', '[', ' ']).next().unwrap();
            assert!(stems.contains(&stem), "{stem}");
        }
    }
}
