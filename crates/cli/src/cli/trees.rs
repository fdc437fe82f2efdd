//! `plyground trees`: averages over many generated trees.

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use serde::Serialize;

use super::batch::SeedArgs;
use super::console::{Console, Format, csv, note};
use super::simulation::SimulationArgs;
use super::{
    FormatArgs, LimitArgs, NamedAlgorithm, ProcessArgs, UpdateArg, checked_all, parse_algorithm,
    too_low,
};
use plyground_core::limits::Stop;
use plyground_core::tree::{Synthetic, TreeOrdering, mix};
use plyground_core::value::Value;
use plyground_search::algorithms::{AlphaBeta, Dual, MtdF, Ps, Pvs, Sss};
use plyground_search::table::TableSize;
use plyground_search::{
    Algorithm, Counts, Factors, MemoryFunctions, Options, SPAWN_HEIGHT, SearchSpec, Store,
};
use plyground_study::experiment::{Mean, Sample, Summary};
use plyground_study::files::replace;
use plyground_study::laboratory::{LabTree, measure, simulate};
use plyground_study::paper::means;
use plyground_study::report::{Align, TextTable, thousands};

pub(super) const EXAMPLES: &str = "Examples:
  plyground trees --width 8 --depth 6 --algorithms alpha-beta,sss,dual,ps:2
  plyground trees --width 24 --depth 4 --order 4 --prob 0.9 --count 100 --json
  plyground trees --width 20 --depth 5 --strong --algorithms pvs,mtd-f:50 --csv
  plyground trees --width 8 --depth 6 --iid --values 1000 --count 20
  plyground trees --width 8 --depth 4 --memory table --table 1K
  plyground trees --width 8 --depth 6 --count 1000 --records trees.jsonl
  plyground trees --width 3 --depth 10 --iid --simulate --algorithms parsss:64
  plyground trees --width 4 --depth 6 --worst --simulate --algorithms ybw:16";

#[derive(Debug, Args)]
pub(super) struct TreesArgs {
    /// Children of every interior node, 1 to 256
    #[arg(long, value_name = "W")]
    width: usize,
    /// Depth of every leaf, 0 to 64
    #[arg(long, value_name = "D")]
    depth: usize,
    #[command(flatten)]
    kind: KindArgs,
    /// How many trees
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    #[command(flatten)]
    seed: SeedArgs,
    /// The algorithms, separated by commas: see `plyground algorithms`
    #[arg(long, value_name = "ID,ID,…", value_parser = parse_algorithm, value_delimiter = ',',
          default_values_t = usual())]
    algorithms: Vec<NamedAlgorithm>,
    /// Memory functions: none, all, or some of table history killers refutation countermoves etc
    /// joined by +
    #[arg(long, value_name = "PARTS", default_value = "none")]
    memory: MemoryFunctions,
    /// The size of the table: in entries (8K, 1M) or in MiB (16MiB); it is empty for every search
    #[arg(long, value_name = "SIZE")]
    table: Option<TableSize>,
    /// How stored bounds are updated
    #[arg(long, value_enum, default_value_t)]
    update: UpdateArg,
    /// What the stored search tree of drivers such as SSS-2 keeps: all of it, or nothing that the bounds
    /// above have made irrelevant
    #[arg(long, value_name = "all|relevant", default_value_t)]
    store: Store,
    /// Write every search to this file, a line of JSON each
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    #[command(flatten)]
    processes: ProcessArgs,
    #[command(flatten)]
    simulation: SimulationArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    format: FormatArgs,
}

#[derive(Debug, Args)]
struct KindArgs {
    /// R: the best child is among the first W/R [default: 1]
    #[arg(long, value_name = "R")]
    order: Option<usize>,
    /// The probability that it is [default: 1]
    #[arg(long, value_name = "P")]
    prob: Option<f64>,
    /// Values are 0 to N-1
    #[arg(long, value_name = "N", default_value_t = 100)]
    values: Value,
    /// The root's value [default: N/2]
    #[arg(long, value_name = "V")]
    root: Option<Value>,
    /// The first child is best with probability Q: short for `--order W --prob Q`
    #[arg(long, value_name = "Q", conflicts_with_all = ["order", "prob", "strong"])]
    first_best: Option<f64>,
    /// Strongly ordered: the first child is best with probability 0.7, the best child is in the
    /// first quarter with probability 0.9
    #[arg(long, conflicts_with_all = ["order", "prob"])]
    strong: bool,
    /// Independent leaves
    #[arg(long, conflicts_with_all = ["order", "prob", "root", "first_best", "strong"])]
    iid: bool,
    /// Worst-ordered: every child is better than all before it, so that alpha-beta visits every leaf;
    /// each leaf has a value of its own
    #[arg(long, conflicts_with_all = ["order", "prob", "root", "first_best", "strong", "iid", "values"])]
    worst: bool,
}

/// The algorithms to search with by default: one or two of each family.
fn usual() -> Vec<NamedAlgorithm> {
    let algorithms: [Algorithm; 6] = [
        AlphaBeta.into(),
        Pvs.into(),
        MtdF { guess: None }.into(),
        Sss.into(),
        Dual.into(),
        Ps::with_partitions(2).into(),
    ];
    algorithms.map(NamedAlgorithm::from).to_vec()
}

pub(super) fn run(console: &Console, args: &TreesArgs) -> anyhow::Result<()> {
    let tree = args.kind.tree(args.width, args.depth)?;
    let mut options = Options {
        depth: args.depth as u32,
        limits: args.limits.limits(console),
        update: args.update.into(),
        factors: Factors { store: args.store, ..Factors::default() },
        memory: args.memory,
        table: args.table,
        ..Options::default()
    };
    let algorithms: Vec<&Algorithm> =
        args.algorithms.iter().map(|named| &named.algorithm).collect();
    args.processes.set(&mut options);
    args.simulation.set(&mut options);
    let specs = checked_all(algorithms.iter().map(|algorithm| (*algorithm, options.clone())))?;
    if let Some(file) = &args.records {
        // A place that cannot be written to is found before the searches, not after.
        replace(file, b"").with_context(|| format!("--records {}", file.display()))?;
    }
    let bar = console.progress(args.count, "trees");
    let mut averages = Averages::new(&args.algorithms);
    averages.schedules = (args.simulation.schedules(), args.seed.seed);
    let mut records = Vec::new();
    for i in 0..args.count {
        let seed = mix(args.seed.seed, i);
        let Some(samples) = averages.add(&tree.reseeded(seed).into(), &specs)? else { break };
        if args.records.is_some() {
            for (spec, sample) in specs.iter().zip(&samples) {
                serde_json::to_writer(&mut records, &args.record(spec, (i, seed), sample))?;
                records.push(b'\n');
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let Some(file) = &args.records {
        replace(file, &records).with_context(|| format!("--records {}", file.display()))?;
    }
    let done = averages.done();
    if done == 0 {
        note("interrupted before the first tree was done");
        return Ok(());
    }
    let mut title = args.kind.title(args.width, args.depth, done, args.seed.seed);
    if let Some(table) = specs.first().and_then(SearchSpec::table) {
        title.push_str(&format!(", a table of {table}"));
    }
    let spawn_height = options.spawn_height.unwrap_or(SPAWN_HEIGHT);
    let low = too_low(&algorithms, options.depth, spawn_height);
    averages.print(console, args.format, &title, low)?;
    console.note_interruption(done, args.count, "trees");
    Ok(())
}

/// A search of one tree: a line of `--records`.
#[derive(Serialize)]
struct TreeRecord<'a> {
    width: usize,
    depth: usize,
    /// How the tree is made: what the title of the averages says.
    kind: String,
    values: Value,
    /// The seed of all trees, the number of this one, and the seed that it was made from.
    seed: u64,
    number: u64,
    tree_seed: u64,
    algorithm: String,
    memory: String,
    /// The entries of the table, if there is one.
    table: Option<u64>,
    value: Option<Value>,
    #[serde(flatten)]
    counts: &'a Counts,
    terminal_count: Option<u64>,
    seconds: f64,
    stopped: Option<&'static str>,
}

impl TreesArgs {
    fn record<'a>(
        &self,
        spec: &SearchSpec,
        (number, tree_seed): (u64, u64),
        sample: &'a Sample,
    ) -> TreeRecord<'a> {
        TreeRecord {
            width: self.width,
            depth: self.depth,
            kind: self.kind.name(),
            values: self.kind.values,
            seed: self.seed.seed,
            number,
            tree_seed,
            algorithm: spec.algorithm().to_string(),
            memory: spec.memory().to_string(),
            table: spec.table().map(|table| table.entries() as u64),
            value: sample.value,
            counts: &sample.counts,
            terminal_count: sample.terminal_count,
            seconds: sample.seconds,
            stopped: sample.stopped.map(Stop::name),
        }
    }
}

impl KindArgs {
    fn tree(&self, width: usize, depth: usize) -> anyhow::Result<Synthetic> {
        if self.worst {
            return Synthetic::worst(width, depth, 0).context("no such tree can be generated");
        }
        let ordering = match self {
            KindArgs { iid: true, .. } => TreeOrdering::Independent,
            KindArgs { strong: true, .. } => TreeOrdering::Strong,
            KindArgs { first_best: Some(q), .. } => {
                TreeOrdering::Probable { order: width, probability: *q }
            }
            _ => TreeOrdering::Probable {
                order: self.order.unwrap_or(1),
                probability: self.prob.unwrap_or(1.0),
            },
        };
        let root = self.root.unwrap_or(self.values / 2);
        Synthetic::ordered(width, depth, self.values, root, 0, ordering)
            .context("no such tree can be generated")
    }

    fn name(&self) -> String {
        match self {
            KindArgs { worst: true, .. } => "worst-ordered".into(),
            KindArgs { iid: true, .. } => "independent leaves".into(),
            KindArgs { strong: true, .. } => "strongly ordered".into(),
            KindArgs { first_best: Some(q), .. } => format!("first child best with q = {q}"),
            _ => format!("R = {}, p = {}", self.order.unwrap_or(1), self.prob.unwrap_or(1.0)),
        }
    }

    fn title(&self, width: usize, depth: usize, count: u64, seed: u64) -> String {
        let (kind, values, means) = (self.name(), self.values - 1, means(count));
        format!("T({width},{depth}), {kind}, values 0..{values}: {means}, seed {seed}")
    }
}

/// The averages of several algorithms over the same trees.
struct Averages<'a> {
    algorithms: &'a [NamedAlgorithm],
    summaries: Vec<Summary>,
    /// How many random interleavings are simulated, and the seed that draws them.
    schedules: (u64, u64),
}

impl<'a> Averages<'a> {
    fn new(algorithms: &'a [NamedAlgorithm]) -> Self {
        let summaries = algorithms.iter().map(|named| Summary::new(&named.id)).collect();
        Averages { algorithms, summaries, schedules: (0, 0) }
    }

    /// Searches one more tree with each algorithm; `None` if a search was interrupted. Values that
    /// disagree are an error.
    fn add(&mut self, tree: &LabTree, specs: &[SearchSpec]) -> anyhow::Result<Option<Vec<Sample>>> {
        let mut samples = Vec::with_capacity(self.algorithms.len());
        let mut agreed = tree.known_value();
        for (NamedAlgorithm { id, .. }, spec) in self.algorithms.iter().zip(specs) {
            if spec.limits().flag.is_raised() {
                return Ok(None);
            }
            let sample = measure(tree, spec).with_context(|| id.clone())?;
            if sample.stopped == Some(Stop::Flag) {
                return Ok(None);
            }
            if let (Some(value), Some(other)) = (sample.value, agreed)
                && value != other
            {
                bail!("{id} says {value} where the others say {other}");
            }
            agreed = agreed.or(sample.value);
            let simulation = match spec.simulate() {
                true => {
                    let (schedules, seed) = self.schedules;
                    let seed = mix(seed, self.done());
                    Some(simulate(tree, spec, schedules, seed).with_context(|| id.clone())?)
                }
                false => None,
            };
            samples.push((sample, simulation));
        }
        for (summary, (sample, simulation)) in self.summaries.iter_mut().zip(&samples) {
            summary.add(sample);
            if let Some(simulation) = simulation {
                summary.add_simulation(simulation);
            }
        }
        Ok(Some(samples.into_iter().map(|(sample, _)| sample).collect()))
    }

    fn done(&self) -> u64 {
        self.summaries.first().map_or(0, Summary::count)
    }

    fn print(
        &self,
        console: &Console,
        format: FormatArgs,
        title: &str,
        note: Option<String>,
    ) -> anyhow::Result<()> {
        let wide = format.wide;
        match format.format() {
            Format::Json => self.summaries.iter().try_for_each(|s| console.json(s)),
            Format::Csv => {
                let rows: Result<Vec<_>, _> =
                    self.summaries.iter().map(serde_json::to_value).collect();
                console.print(&csv(&rows?))
            }
            Format::Text => {
                let mut table = self.table(title);
                note.into_iter().for_each(|note| table.note(note));
                console.table(&table, wide)
            }
        }
    }

    fn table(&self, title: &str) -> TextTable {
        let mut table = TextTable::new(title);
        table.column("algorithm", Align::Left);
        let simulated = self.summaries.iter().any(|summary| summary.terminal_count.count() > 0);
        if simulated {
            table.column("terminal count", Align::Right);
            table.optional("±", Align::Right, 2);
            for (name, rank) in [("speed-up", 0), ("overhead", 1), ("idle", 1)] {
                table.optional(name, Align::Right, rank);
            }
            if self.schedules.0 > 0 {
                for name in ["least", "mean", "spread"] {
                    table.column(name, Align::Right);
                }
            }
        }
        // Of the ranks a reader can do without, errors of what follows from the leaves go first.
        for (name, rank, error_rank) in
            [("leaves", 0, 2), ("interior", 5, 6), ("nodes", 1, 6), ("evaluations", 4, 6)]
        {
            table.optional(name, Align::Right, rank);
            table.optional("±", Align::Right, error_rank);
        }
        for name in ["OPEN", "BACKUP", "stored"] {
            table.optional(name, Align::Right, 3);
        }
        table.column("µs", Align::Right);
        for (summary, named) in self.summaries.iter().zip(self.algorithms) {
            let mut row = vec![named.algorithm.name()];
            if simulated {
                let count = &summary.terminal_count;
                row.extend([number(count), error(count)]);
                row.push(thousands(summary.speed_up.mean(), 2));
                for share in [&summary.search_overhead, &summary.idle_share] {
                    row.push(format!("{} %", thousands(100.0 * share.mean(), 1)));
                }
                if self.schedules.0 > 0 {
                    let [least, mean, spread] = &summary.schedules;
                    row.extend([number(least), number(mean), number(spread)]);
                }
            }
            for mean in [&summary.leaves, &summary.interior, &summary.nodes, &summary.evaluations] {
                row.extend(match summary.whole(mean) {
                    Some(mean) => [number(mean), error(mean)],
                    None => ["–".into(), "–".into()],
                });
            }
            for mean in [&summary.peak_open, &summary.peak_backup, &summary.peak_stored] {
                row.push(number(mean));
            }
            row.push(thousands(summary.seconds.mean() * 1e6, 1));
            if let Some(stop) = summary.stopped {
                row[0].push_str(&format!(" (some stopped: {stop})"));
            }
            table.row(row);
        }
        table
    }
}

/// The standard error of a mean; a dash where there is none.
fn error(mean: &Mean) -> String {
    mean.error().map_or_else(|| "–".into(), |error| thousands(error, 1))
}

/// A mean with a decimal if the mean is small and not whole.
fn number(mean: &Mean) -> String {
    let decimals = if mean.mean().fract() == 0.0 || mean.mean() >= 10_000.0 { 0 } else { 1 };
    thousands(mean.mean(), decimals)
}
