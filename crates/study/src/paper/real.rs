//! Searches of real positions: several engines on the same positions to the same depths, and what
//! each needs in percent of another.

use std::ops::RangeInclusive;

use anyhow::bail;
use serde_json::{Value as Json, json};

use super::{PaperRun, Stretch, minimal};
use crate::experiment::{Plan, Processes, Ratio, Record, Setup, Task};
use plyground_engine::door::AnyGame;
use plyground_engine::profile::Profile;
use plyground_search::table::TableSize;
use plyground_search::{Algorithm, MemoryFunctions};

/// What experiments on positions of a game are told.
#[derive(Clone)]
pub struct PositionRun<'a> {
    /// What every experiment is told.
    pub run: PaperRun<'a>,
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The positions, in the game's own text.
    pub positions: Vec<String>,
    /// How deep the deepest searches go; each experiment has a depth of its own if there is none.
    pub depth: Option<u32>,
    /// How many searches are made side by side.
    pub jobs: usize,
    /// What to say of records that contradict each other; `None` if none do. The experiment fails
    /// with that.
    pub disagreement: fn(&[Record]) -> Option<String>,
}

/// A line of a table or figure: what it is called, and the engine.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) label: String,
    pub(super) engine: Profile,
}

impl Line {
    /// A direct search with this algorithm, without any memory, called by its name.
    pub(super) fn direct(run: &PositionRun<'_>, algorithm: impl Into<Algorithm>) -> Line {
        let algorithm = algorithm.into();
        let label = algorithm.name();
        let limits = run.run.limits();
        Line { label, engine: Profile { algorithm, limits, ..Profile::plain(run.game) } }
    }

    /// The same with deepening and these memory functions.
    pub(super) fn deepening(mut self, memory: MemoryFunctions, table: TableSize) -> Line {
        self.engine.deepening = true;
        self.engine.memory = memory;
        self.engine.table = table;
        self
    }

    pub(super) fn called(mut self, label: impl Into<String>) -> Line {
        self.label = label.into();
        self
    }

    fn table(&self) -> Option<u64> {
        let has_table = self.engine.memory.contains(MemoryFunctions::TABLE);
        has_table.then_some(self.engine.table.entries() as u64)
    }

    /// Is a search with this setup one of this line?
    fn made(&self, setup: &Setup) -> bool {
        setup.algorithm == self.engine.algorithm.to_string()
            && setup.memory == self.engine.memory.to_string()
            && setup.deepening == self.engine.deepening
            && setup.table == self.table()
    }
}

impl PositionRun<'_> {
    /// Every line on every position to every depth. All values agree, or it is an error.
    pub(super) fn search(
        &self,
        lines: &[Line],
        depths: RangeInclusive<u32>,
    ) -> anyhow::Result<Runs> {
        let engines: Vec<Profile> = lines.iter().map(|line| line.engine.clone()).collect();
        let PaperRun { seed, progress, .. } = self.run;
        let processes = Processes::default();
        let plan = Plan::new(self.game, &self.positions, &engines, depths, processes, seed)?;
        let plan = plan.counts_only();
        let tasks: Vec<&Task> = plan.tasks.iter().collect();
        progress.begin(tasks.len() as u64, "searches");
        let mut records = Vec::new();
        plan.run(&tasks, self.jobs, |record| {
            records.push(record);
            progress.step();
            anyhow::Ok(())
        })?;
        progress.end();
        // Sums of floating-point numbers depend on their order: not on which search was first.
        records.sort_by(|a, b| a.setup.cmp(&b.setup));
        if let Some(disagreement) = (self.disagreement)(&records) {
            bail!(disagreement);
        }
        let (done, of) = (records.len() as u64, tasks.len() as u64);
        Ok(Runs { records, stretch: Stretch { done, of, what: "searches" } })
    }

    /// The last depths up to the deepest, which is `usual` if none is given.
    pub(super) fn depths(&self, count: u32, usual: u32) -> RangeInclusive<u32> {
        let last = self.depth.unwrap_or(usual);
        last.saturating_sub(count - 1).max(1)..=last
    }
}

/// The searches that were made.
pub(super) struct Runs {
    records: Vec<Record>,
    /// How many of them there should be.
    pub(super) stretch: Stretch,
}

impl Runs {
    /// The searches of a line to a depth that were not stopped.
    pub(super) fn of(&self, line: &Line, depth: u32) -> impl Iterator<Item = &Record> {
        let made = move |r: &&Record| r.setup.depth == depth && line.made(&r.setup);
        self.records.iter().filter(made).filter(|record| record.stopped.is_none())
    }

    /// How many searches were stopped by a limit.
    pub(super) fn stopped(&self) -> usize {
        self.records.iter().filter(|record| record.stopped.is_some()).count()
    }

    /// How many positions were searched.
    pub(super) fn positions(&self) -> usize {
        let mut positions: Vec<&str> =
            self.records.iter().map(|record| record.setup.position.as_str()).collect();
        positions.sort_unstable();
        positions.dedup();
        positions.len()
    }

    /// A line at a depth beside the `base` at the same depth, over the positions that both finished.
    pub(super) fn cell(&self, line: &Line, base: &Line, depth: u32) -> Option<Cell> {
        Cell::of(&self.pairs(line, base, depth), |record| record.counts.evaluations as f64)
    }

    fn pairs(&self, line: &Line, base: &Line, depth: u32) -> Vec<(&Record, &Record)> {
        let beside = |record: &Record| {
            self.of(base, depth).find(|base| base.setup.position == record.setup.position)
        };
        self.of(line, depth).filter_map(|record| Some((record, beside(record)?))).collect()
    }

    /// The minimal trees of the width that the `base` met, beside what it searched.
    pub(super) fn minimal(&self, base: &Line, depth: u32) -> Option<Cell> {
        let pairs = self.pairs(base, base, depth);
        let mut cell = Cell::of(&pairs, |record| minimal(record.width.unwrap_or(0.0), depth))?;
        let widths = pairs.iter().filter_map(|(record, _)| record.width);
        cell.width = Some(widths.sum::<f64>() / pairs.len() as f64);
        Some(cell)
    }
}

/// What the searches of a line to a depth came to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// Evaluations of leaves, all nodes entered: geometric means.
    pub(super) leaves: f64,
    pub(super) visits: f64,
    /// Calls of the search below the root, all iterations together: the mean.
    pub(super) calls: f64,
    /// The most entries on OPEN and BACKUP, or stored: the mean.
    pub(super) peak_entries: f64,
    /// Leaves, and visits, in percent of the base's.
    pub(super) percent: Ratio,
    pub(super) visits_percent: Ratio,
    /// The average number of moves, where it matters.
    pub(super) width: Option<f64>,
}

impl Cell {
    fn of(pairs: &[(&Record, &Record)], leaves: impl Fn(&Record) -> f64) -> Option<Cell> {
        let percent = |of: &dyn Fn(&Record) -> f64, base: fn(&Record) -> f64| {
            // Scaled afterwards: what is equal is 100 exactly.
            let ratio = Ratio::of(pairs.iter().map(|(record, beside)| of(record) / base(beside)))?;
            let Ratio { mean, low, high, count } = ratio;
            Some(Ratio { mean: 100.0 * mean, low: 100.0 * low, high: 100.0 * high, count })
        };
        let geometric = |of: &dyn Fn(&Record) -> f64| {
            Ratio::of(pairs.iter().map(|(record, _)| of(record))).map(|ratio| ratio.mean)
        };
        let mean = |of: fn(&Record) -> u64| {
            pairs.iter().map(|(record, _)| of(record) as f64).sum::<f64>() / pairs.len() as f64
        };
        let visits = |record: &Record| record.counts.visits as f64;
        Some(Cell {
            leaves: geometric(&leaves)?,
            visits: geometric(&visits)?,
            calls: mean(|record| record.counts.calls),
            peak_entries: mean(Record::peak_entries),
            percent: percent(&leaves, |record| record.counts.evaluations as f64)?,
            visits_percent: percent(&visits, |record| record.counts.visits as f64)?,
            width: None,
        })
    }

    /// The cell as an object; without a line, of the minimal tree.
    pub(super) fn object(
        &self,
        figure: impl Into<Json>,
        game: &dyn AnyGame,
        line: Option<&Line>,
        depth: u32,
    ) -> Json {
        let engine = line.map(|line| &line.engine);
        let searched = line.is_some();
        json!({
            "figure": figure.into(),
            "game": game.name(),
            "line": line.map_or("minimal tree", |line| &line.label),
            "algorithm": engine.map_or("minimal-tree".into(), |engine| engine.algorithm.to_string()),
            "memory": engine.map_or("none".into(), |engine| engine.memory.to_string()),
            "deepening": engine.is_some_and(|engine| engine.deepening),
            "table": line.and_then(Line::table),
            "depth": depth,
            "count": self.percent.count,
            "leaves": self.leaves,
            "visits": searched.then_some(self.visits),
            "calls": searched.then_some(self.calls),
            "peak_entries": searched.then_some(self.peak_entries),
            "percent": self.percent.mean,
            "low": self.percent.low,
            "high": self.percent.high,
            "visits_percent": searched.then_some(self.visits_percent.mean),
            "visits_low": searched.then_some(self.visits_percent.low),
            "visits_high": searched.then_some(self.visits_percent.high),
            "width": self.width,
        })
    }
}
