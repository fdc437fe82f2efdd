//! Parallel search beyond the cores: every parallel scheme of the catalogue in one simulator, on the same
//! trees, against its own serial form and against the best serial search.
//!
//! Marsland's survey (1991, sections 4.2 to 4.4) quotes speed-ups that were each found on other trees
//! against another baseline, and says why they cannot be compared. Here they can be: time is counted in
//! leaves, for any number of processors.

mod claims;
mod free_cores;
mod show;

pub(super) use claims::claims;

use std::num::NonZeroUsize;

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

use self::free_cores::cores_are_free;
use super::{Findings, PaperRun};
use crate::experiment::in_parallel_with;
use crate::laboratory::{self, LabTree};
use plyground_core::limits::Stop;
use plyground_core::tree::{Synthetic, TreeOrdering, mix};
use plyground_core::value::Value;
use plyground_engine::door::{AnyGame, AnyTree};
use plyground_engine::profile::Weights;
use plyground_search::table::TableSize;
use plyground_search::{
    Algorithm, MemoryFunctions, Options, Outcome, SearchError, SearchSpec, Workspace, algorithms,
    catalogue,
};

/// The settings of the experiment.
#[derive(Clone, Debug)]
pub struct ParallelSettings {
    /// The width of the generated trees.
    pub width: usize,
    /// Their depth.
    pub depth: usize,
    /// The greatest number of processors; the others are the powers of two below it.
    pub processors: usize,
    /// The least height of a node that may be shared or get a process.
    pub spawn_height: u32,
    /// The table of searches of positions that have one.
    pub table: TableSize,
    /// Does it grow with the number of processors?
    pub table_per_processor: bool,
    /// How many searches run in parallel. Measured times need a machine to themselves: 1.
    pub jobs: usize,
    /// The parallel algorithms, each on any number of processors; all of the catalogue if empty.
    pub algorithms: Vec<Algorithm>,
}

impl ParallelSettings {
    /// Trees and numbers of processors that take a minute or two, or less for a first look.
    pub fn usual(quick: bool, jobs: usize) -> ParallelSettings {
        ParallelSettings {
            width: 6,
            depth: if quick { 5 } else { 6 },
            processors: if quick { 64 } else { 1024 },
            spawn_height: 2,
            table: TableSize::of_entries(1 << 16),
            table_per_processor: false,
            jobs,
            algorithms: Vec::new(),
        }
    }
}

/// What the searches are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The first child is best everywhere.
    Minimal,
    Strong,
    Random,
    Worst,
    /// Positions of a game; with deepening and a table, or without.
    Game {
        game: usize,
        deepening: bool,
    },
}

/// Positions of a game for the experiment.
pub struct GamePositions {
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The positions, in the game's own text.
    pub positions: Vec<String>,
    /// The depth of the searches.
    pub depth: u32,
}

/// A tree of any kind.
enum AnyKindOfTree {
    Generated(LabTree),
    Game(Box<dyn AnyTree>),
}

impl AnyKindOfTree {
    fn search(
        &self,
        workspace: &mut Workspace,
        spec: &SearchSpec,
    ) -> Result<Outcome<String>, SearchError> {
        match self {
            AnyKindOfTree::Generated(tree) => {
                laboratory::search(tree, spec, None).map(|outcome| outcome.map(|mv| mv.to_string()))
            }
            AnyKindOfTree::Game(tree) => tree.search(workspace, spec, None),
        }
    }
}

/// One simulated search.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Point {
    processors: usize,
    /// The terminal count.
    count: u64,
    evaluations: u64,
    idle_share: f64,
    bytes: u64,
}

/// What one algorithm did on one tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Curve {
    kind: usize,
    tree: u64,
    algorithm: usize,
    /// The evaluations of its serial form.
    serial: u64,
    points: Vec<Point>,
    /// Speed-ups by the clock on real threads, where the machine has the cores.
    measured: Vec<(usize, f64)>,
}

/// The experiment.
struct Experiment<'a> {
    run: &'a PaperRun<'a>,
    settings: &'a ParallelSettings,
    games: &'a [GamePositions],
    algorithms: Vec<Algorithm>,
    kinds: Vec<Kind>,
}

/// Simulates every scheme for 1, 2, 4, … processors on generated trees and on positions of games.
pub fn parallel(
    run: &PaperRun<'_>,
    settings: &ParallelSettings,
    games: &[GamePositions],
) -> anyhow::Result<Findings> {
    let mut kinds = vec![Kind::Minimal, Kind::Strong, Kind::Random, Kind::Worst];
    for game in 0..games.len() {
        kinds.extend([false, true].map(|deepening| Kind::Game { game, deepening }));
    }
    let algorithms = match settings.algorithms.is_empty() {
        false => settings.algorithms.clone(),
        true => {
            let parallel = catalogue().filter(|entry| entry.is_parallel());
            parallel.filter_map(|entry| entry.examples().next()).collect()
        }
    };
    let experiment = Experiment { run, settings, games, algorithms, kinds };
    let curves = experiment.curves()?;
    let mut found = show::findings(&experiment, &curves);
    let of: usize = experiment.kinds.iter().map(|&kind| experiment.items(kind).len()).sum();
    found.note_work(curves.len() as u64, of as u64, "searches");
    Ok(found)
}

impl Experiment<'_> {
    /// 1, 2, 4, … and the greatest.
    fn numbers(&self) -> Vec<usize> {
        let greatest = self.settings.processors.max(1);
        let powers = std::iter::successors(Some(1usize), |n| n.checked_mul(2));
        let mut numbers: Vec<usize> = powers.take_while(|&n| n <= greatest).collect();
        if numbers.last() != Some(&greatest) {
            numbers.push(greatest);
        }
        numbers
    }

    /// How many trees of a kind there are.
    fn trees(&self, kind: Kind) -> u64 {
        match kind {
            // It is the same tree whatever the seed.
            Kind::Worst => 1,
            Kind::Game { game, .. } => self.games[game].positions.len() as u64,
            _ => self.run.count.unwrap_or(3),
        }
    }

    /// What is searched of a kind: a tree of it, an algorithm.
    fn items(&self, kind: Kind) -> Vec<(u64, usize)> {
        let of = |tree| (0..self.algorithms.len()).map(move |algorithm| (tree, algorithm));
        (0..self.trees(kind)).flat_map(of).collect()
    }

    fn tree(&self, kind: Kind, number: u64) -> anyhow::Result<AnyKindOfTree> {
        let ParallelSettings { width, depth, .. } = *self.settings;
        let seed = mix(self.run.seed, number);
        let ordered =
            |ordering| Synthetic::ordered(width, depth, VALUES, VALUES / 2, seed, ordering);
        let tree = match kind {
            Kind::Minimal => Synthetic::minimal(width, depth, VALUES, VALUES / 2, seed)?,
            Kind::Strong => ordered(TreeOrdering::Strong)?,
            Kind::Random => ordered(TreeOrdering::Independent)?,
            Kind::Worst => Synthetic::worst(width, depth, seed)?,
            Kind::Game { game, .. } => {
                let GamePositions { game, positions, .. } = &self.games[game];
                let position = &positions[number as usize];
                return Ok(AnyKindOfTree::Game(game.tree(position, &Weights::Standard)?));
            }
        };
        Ok(AnyKindOfTree::Generated(tree.into()))
    }

    fn options(&self, kind: Kind) -> Options {
        let limits = self.run.limits();
        match kind {
            Kind::Game { game, deepening } => Options {
                limits,
                deepening,
                memory: if deepening { MemoryFunctions::TABLE } else { MemoryFunctions::empty() },
                table: deepening.then_some(self.settings.table),
                ..Options::to_depth(self.games[game].depth)
            },
            _ => Options { limits, ..Options::to_depth(self.settings.depth as u32) },
        }
    }

    /// Runs all searches. Those of a kind are kept when all of them are made.
    fn curves(&self) -> anyhow::Result<Vec<Curve>> {
        let all: usize = self.kinds.iter().map(|&kind| self.items(kind).len()).sum();
        self.run.progress.begin(all as u64, "searches");
        let mut curves = Vec::new();
        for (number, &kind) in self.kinds.iter().enumerate() {
            if self.run.flag.is_raised() {
                break;
            }
            let part = self.run.part((&self.key(kind), Some(number)), || {
                let rows = self.curves_of(number)?.into_iter().map(serde_json::to_value);
                Ok(Findings { rows: rows.collect::<Result<_, _>>()?, ..Findings::default() })
            })?;
            let read = part.rows.into_iter().map(serde_json::from_value::<Curve>);
            curves.extend(read.collect::<Result<Vec<_>, _>>().context("a part of `parallel`")?);
        }
        self.run.progress.end();
        Ok(curves)
    }

    /// The searches of one kind of tree.
    fn curves_of(&self, kind: usize) -> anyhow::Result<Vec<Curve>> {
        let mut curves = Vec::new();
        in_parallel_with(
            &self.items(self.kinds[kind]),
            self.settings.jobs,
            Workspace::new,
            |workspace, &(tree, algorithm)| self.curve(workspace, kind, tree, algorithm),
            |curve| {
                curves.push(curve);
                self.run.progress.step();
                anyhow::Ok(())
            },
        )?;
        // Sums of floating-point numbers depend on their order, which must not depend on the threads.
        curves.sort_unstable_by_key(|curve| (curve.algorithm, curve.tree));
        Ok(curves)
    }

    /// One algorithm on one tree, for all numbers of processors; `None` if the run was stopped.
    fn curve(
        &self,
        workspace: &mut Workspace,
        kind: usize,
        tree: u64,
        algorithm: usize,
    ) -> anyhow::Result<Option<Curve>> {
        let (what, named) = (self.kinds[kind], &self.algorithms[algorithm]);
        let searched = self.tree(what, tree)?;
        let serial_spec = SearchSpec::check(&named.serial(), self.options(what))?;
        let serial = searched.search(workspace, &serial_spec)?;
        let mut points = Vec::new();
        for processors in self.numbers() {
            let options = self.options(what);
            let options = Options {
                simulate: true,
                spawn_height: Some(self.settings.spawn_height),
                table_per_processor: self.settings.table_per_processor
                    && options.memory.contains(MemoryFunctions::TABLE),
                ..options
            };
            let threads =
                NonZeroUsize::new(processors).context("there is at least one processor")?;
            let spec = SearchSpec::check(&named.with_threads(threads), options)?;
            let outcome = match searched.search(workspace, &spec) {
                // ITERSSS* has too little memory for this tree.
                Err(SearchError::Locked(_)) => continue,
                outcome => outcome?,
            };
            if outcome.stopped == Some(Stop::Flag) || self.run.flag.is_raised() {
                return Ok(None);
            }
            if outcome.value != serial.value {
                bail!(
                    "{}: {:?}, but {} found {:?}",
                    spec.algorithm(),
                    outcome.value,
                    serial_spec.algorithm(),
                    serial.value
                );
            }
            points.push(Point {
                processors,
                count: outcome.terminal_count.unwrap_or(0),
                evaluations: outcome.counts.evaluations,
                idle_share: outcome.idle_share.unwrap_or(0.0),
                bytes: outcome.counts.peak_bytes,
            });
        }
        let measured = match what {
            Kind::Game { deepening: false, .. } if self.settings.jobs == 1 => {
                self.measured(workspace, &searched, what, named)?
            }
            _ => Vec::new(),
        };
        let serial = serial.counts.evaluations;
        Ok(Some(Curve { kind, tree, algorithm, serial, points, measured }))
    }

    /// Speed-ups over the serial form on as many threads as the machine has cores, the least of three times
    /// each: by the clock, and only where the cores were free before and after.
    fn measured(
        &self,
        workspace: &mut Workspace,
        tree: &AnyKindOfTree,
        kind: Kind,
        algorithm: &Algorithm,
    ) -> anyhow::Result<Vec<(usize, f64)>> {
        let mut seconds = |algorithm: &Algorithm, spawn_height| -> anyhow::Result<Option<f64>> {
            let options = Options { spawn_height, ..self.options(kind) };
            let spec = SearchSpec::check(algorithm, options)?;
            let mut least = f64::INFINITY;
            for _ in 0..3 {
                match tree.search(workspace, &spec) {
                    Err(SearchError::Locked(_)) => return Ok(None),
                    outcome => {
                        least = least.min(outcome?.search_time(algorithm).as_secs_f64());
                    }
                }
            }
            Ok(Some(least))
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let Some(serial) = seconds(&algorithm.serial(), None)? else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for n in self.numbers().into_iter().filter(|&n| n > 1 && n <= cores.min(MOST_MEASURED)) {
            let threads = NonZeroUsize::new(n).context("there is at least one processor")?;
            let height = Some(self.settings.spawn_height);
            if !cores_are_free(n) {
                continue;
            }
            let time = seconds(&algorithm.with_threads(threads), height)?;
            if let Some(time) = time.filter(|_| cores_are_free(n)) {
                found.push((n, serial / time));
            }
        }
        Ok(found)
    }

    /// The name of a kind of tree.
    fn title(&self, kind: Kind) -> String {
        let ParallelSettings { width, depth, .. } = self.settings;
        match kind {
            Kind::Minimal => format!("minimal trees T({width},{depth})"),
            Kind::Strong => format!("strongly ordered trees T({width},{depth})"),
            Kind::Random => format!("random trees T({width},{depth})"),
            Kind::Worst => format!("the worst-ordered tree T({width},{depth})"),
            Kind::Game { game, deepening } => {
                let GamePositions { game, depth, .. } = &self.games[game];
                let memory = match (deepening, self.settings.table_per_processor) {
                    (false, _) => "",
                    (true, false) => ", deepening and table",
                    (true, true) => ", deepening and a table per processor",
                };
                format!("{} at depth {depth}{memory}", game.name())
            }
        }
    }

    /// A short name of a kind, for files and for programs.
    fn key(&self, kind: Kind) -> String {
        match kind {
            Kind::Minimal => "minimal".into(),
            Kind::Strong => "strong".into(),
            Kind::Random => "random".into(),
            Kind::Worst => "worst".into(),
            Kind::Game { game, deepening } => {
                let name = self.games[game].game.name();
                format!("{name}{}", if deepening { "-table" } else { "" })
            }
        }
    }

    /// An algorithm without its number of processors.
    fn family(&self, algorithm: usize) -> String {
        let name = self.algorithms[algorithm].name();
        name.replacen("(1)", "", 1).replacen("(1,", "(N,", 1).replacen(",1)", ",N)", 1)
    }

    /// Is this PARSSS*, whose speed-up has the bounds of [`show`]?
    fn is_parsss(&self, algorithm: usize) -> bool {
        let id = <algorithms::ParSss as plyground_search::SearchAlgorithm>::ENTRY.id;
        self.algorithms[algorithm].entry().id == id
    }
}

/// The range of the generated leaves, from 0.
const VALUES: Value = 1_000_000;

/// More threads than this are not measured.
const MOST_MEASURED: usize = 64;
