//! Searches of real positions: several engines on the same positions to the same depths, and their counts
//! in percent of a baseline.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use anyhow::bail;
use serde_json::{Value as Json, json};

use super::cells::microseconds;
use super::experiments::spread;
use super::{PaperRun, WorkDone};
use crate::experiment::{
    ExperimentPlan, Mean, PairedRatio, Processes, Ratio, Record, Setup, disagreement,
};
use crate::laboratory::minimal_leaves;
use plyground_engine::door::AnyGame;
use plyground_engine::profile::Profile;
use plyground_search::table::TableSize;
use plyground_search::{Algorithm, GuessFrom, MemoryFunctions};

/// The settings of an experiment on positions of a game.
#[derive(Clone)]
pub struct PositionRun<'a> {
    /// The settings of every experiment.
    pub run: PaperRun<'a>,
    /// The game.
    pub game: &'static dyn AnyGame,
    /// The positions, in the game's own text.
    pub positions: Vec<String>,
    /// The depth of the deepest searches; `None` for the experiment's own depth.
    pub depth: Option<u32>,
    /// The number of searches that run in parallel.
    pub jobs: usize,
}

/// An engine with its label in tables and figures.
#[derive(Clone, Debug)]
pub(super) struct LabelledEngine {
    pub(super) label: String,
    pub(super) engine: Profile,
}

impl LabelledEngine {
    /// A direct search, without memory, labelled by the algorithm's name.
    pub(super) fn direct(run: &PositionRun<'_>, algorithm: impl Into<Algorithm>) -> LabelledEngine {
        let algorithm = algorithm.into();
        let label = algorithm.name();
        let limits = run.run.limits();
        LabelledEngine { label, engine: Profile { algorithm, limits, ..Profile::plain(run.game) } }
    }

    /// The same with deepening and these memory functions.
    pub(super) fn deepening(mut self, memory: MemoryFunctions, table: TableSize) -> LabelledEngine {
        self.engine.deepening = true;
        self.engine.memory = memory;
        self.engine.table = table;
        self
    }

    /// The same from another guess.
    pub(super) fn guessing(mut self, guess: GuessFrom) -> LabelledEngine {
        self.engine.factors.guess = guess;
        self
    }

    /// The same with another label.
    pub(super) fn called(mut self, label: impl Into<String>) -> LabelledEngine {
        self.label = label.into();
        self
    }

    fn table(&self) -> Option<u64> {
        let has_table = self.engine.memory.contains(MemoryFunctions::TABLE);
        has_table.then_some(self.engine.table.entries() as u64)
    }

    /// Is this the setup of a search by this engine?
    fn made(&self, setup: &Setup) -> bool {
        setup.algorithm == self.engine.algorithm.to_string()
            && setup.memory == self.engine.memory.to_string()
            && setup.deepening == self.engine.deepening
            && setup.table == self.table()
            && setup.factors == self.engine.factors
    }
}

impl<'a> PositionRun<'a> {
    /// The same on the positions for the deepest searches.
    pub(super) fn deepest(&self) -> PositionRun<'a> {
        let fewer = self.run.deepest.and_then(|count| usize::try_from(count).ok());
        let count = fewer.unwrap_or(usize::MAX);
        PositionRun { positions: spread(&self.positions, count), ..self.clone() }
    }

    /// Searches every position to every depth with every engine; to the last depth, the positions for the
    /// deepest searches.
    pub(super) fn search_by_depth(
        &self,
        lines: &[LabelledEngine],
        depths: RangeInclusive<u32>,
    ) -> anyhow::Result<Runs> {
        let last = *depths.end();
        if self.run.deepest.is_none() || depths.start() == depths.end() {
            return self.search(lines, depths);
        }
        let mut runs = self.search(lines, *depths.start()..=last - 1)?;
        if !self.run.flag.is_raised() {
            let deepest = self.deepest().search(lines, last..=last)?;
            runs.records.extend(deepest.records);
            runs.work.done += deepest.work.done;
            runs.work.of += deepest.work.of;
        }
        Ok(runs)
    }

    /// Searches every position to every depth with every engine. Values that disagree are an error.
    pub(super) fn search(
        &self,
        lines: &[LabelledEngine],
        depths: RangeInclusive<u32>,
    ) -> anyhow::Result<Runs> {
        let engines: Vec<Profile> = lines.iter().map(|line| line.engine.clone()).collect();
        let PaperRun { seed, progress, .. } = self.run;
        let processes = Processes::default();
        let plan =
            ExperimentPlan::new(self.game, &self.positions, &engines, depths, processes, seed)?;
        let plan = plan.timed_once();
        let of = plan.tasks.len() as u64;
        progress.begin(of, "searches");
        let mut records = self.run.make(&plan, self.jobs, || progress.step())?;
        progress.end();
        // Sums of floating-point numbers depend on their order, which must not depend on the threads.
        records.sort_by(|a, b| a.setup.cmp(&b.setup));
        if let Some(disagreement) = disagreement(&records) {
            bail!(disagreement);
        }
        let done = records.len() as u64;
        Ok(Runs { records, work: WorkDone { done, of, what: "searches" } })
    }

    /// The last `count` depths up to the deepest one, which is `usual` by default.
    pub(super) fn depths(&self, count: u32, usual: u32) -> RangeInclusive<u32> {
        let last = self.depth.unwrap_or(usual);
        last.saturating_sub(count - 1).max(1)..=last
    }
}

/// The searches that were made.
pub(super) struct Runs {
    records: Vec<Record>,
    /// How many of all searches were made.
    pub(super) work: WorkDone,
}

impl Runs {
    /// The searches of an engine to a depth that were not stopped.
    pub(super) fn of(&self, line: &LabelledEngine, depth: u32) -> impl Iterator<Item = &Record> {
        let made = move |r: &&Record| r.setup.depth == depth && line.made(&r.setup);
        self.records.iter().filter(made).filter(|record| record.stopped.is_none())
    }

    /// How many searches were stopped by a limit.
    pub(super) fn stopped(&self) -> usize {
        self.records.iter().filter(|record| record.stopped.is_some()).count()
    }

    /// How many positions were searched.
    pub(super) fn positions(&self) -> usize {
        self.position_texts().len()
    }

    /// The positions, sorted: the order of the numbers of every object.
    fn position_texts(&self) -> Vec<&str> {
        let mut positions: Vec<&str> =
            self.records.iter().map(|record| record.setup.position.as_str()).collect();
        positions.sort_unstable();
        positions.dedup();
        positions
    }

    /// The results of an engine at a depth, in percent of the `base`, on the positions that both finished.
    pub(super) fn cell(
        &self,
        line: &LabelledEngine,
        base: &LabelledEngine,
        depth: u32,
    ) -> Option<DepthResult> {
        let pairs = self.pairs(line, base, depth);
        let mut cell = DepthResult::of(&pairs, |record| record.counts.evaluations as f64)?;
        let by_position: HashMap<&str, &Record> =
            self.of(line, depth).map(|record| (record.setup.position.as_str(), record)).collect();
        for position in self.position_texts() {
            let record = by_position.get(position);
            cell.evaluations.push(record.map(|record| record.counts.evaluations));
            cell.all_visits.push(record.map(|record| record.counts.visits));
            cell.all_seconds.push(record.and_then(|record| record.seconds).map(microseconds));
        }
        Some(cell)
    }

    fn pairs(
        &self,
        line: &LabelledEngine,
        base: &LabelledEngine,
        depth: u32,
    ) -> Vec<(&Record, &Record)> {
        let beside = |record: &Record| {
            self.of(base, depth).find(|base| base.setup.position == record.setup.position)
        };
        self.of(line, depth).filter_map(|record| Some((record, beside(record)?))).collect()
    }

    /// The leaves of minimal trees of the same width, in percent of the leaves of the `base`.
    pub(super) fn minimal(&self, base: &LabelledEngine, depth: u32) -> Option<DepthResult> {
        let pairs = self.pairs(base, base, depth);
        let mut cell =
            DepthResult::of(&pairs, |record| minimal_leaves(record.width.unwrap_or(0.0), depth))?;
        let widths = pairs.iter().filter_map(|(record, _)| record.width);
        cell.width = Some(widths.sum::<f64>() / pairs.len() as f64);
        Some(cell)
    }
}

/// The results of an engine's searches to a depth.
#[derive(Clone, Debug)]
pub(super) struct DepthResult {
    /// Evaluations of leaves, and visits of nodes: geometric means.
    pub(super) leaves: f64,
    pub(super) visits: f64,
    /// Calls of the search below the root, in all iterations: the mean, and its standard error.
    pub(super) calls: f64,
    calls_error: f64,
    /// The most entries on OPEN and BACKUP, or stored: the mean.
    pub(super) peak_entries: f64,
    /// Leaves, and visits, in percent of the base's.
    pub(super) percent: PairedRatio,
    pub(super) visits_percent: PairedRatio,
    /// The same of the processor's time, if searches did not run side by side.
    pub(super) seconds_percent: Option<PairedRatio>,
    /// Evaluations, visits and seconds position by position, in the order of [`Runs::position_texts`]; none
    /// where a search was stopped.
    evaluations: Vec<Option<u64>>,
    all_visits: Vec<Option<u64>>,
    all_seconds: Vec<Option<f64>>,
    /// The average number of moves, for the minimal tree.
    pub(super) width: Option<f64>,
}

impl DepthResult {
    fn of(pairs: &[(&Record, &Record)], leaves: impl Fn(&Record) -> f64) -> Option<DepthResult> {
        let percent = |of: &dyn Fn(&Record) -> f64, base: fn(&Record) -> f64| {
            // Scaled afterwards, so that equal counts are exactly 100 %.
            let numbers = pairs.iter().map(|(record, beside)| (of(record), base(beside)));
            Some(PairedRatio::of(numbers)?.scaled(100.0))
        };
        let geometric = |of: &dyn Fn(&Record) -> f64| {
            Ratio::of(pairs.iter().map(|(record, _)| of(record))).map(|ratio| ratio.mean)
        };
        let mean = |of: fn(&Record) -> u64| {
            pairs.iter().map(|(record, _)| of(record) as f64).sum::<f64>() / pairs.len() as f64
        };
        let visits = |record: &Record| record.counts.visits as f64;
        let timed =
            pairs.iter().filter_map(|(record, base)| Some((record.seconds?, base.seconds?)));
        let mut calls = Mean::default();
        pairs.iter().for_each(|(record, _)| calls.add(record.counts.calls as f64));
        Some(DepthResult {
            leaves: geometric(&leaves)?,
            visits: geometric(&visits)?,
            calls: calls.mean(),
            calls_error: calls.error().unwrap_or(0.0),
            peak_entries: mean(Record::peak_entries),
            percent: percent(&leaves, |record| record.counts.evaluations as f64)?,
            visits_percent: percent(&visits, |record| record.counts.visits as f64)?,
            seconds_percent: PairedRatio::of(timed).map(|paired| paired.scaled(100.0)),
            evaluations: Vec::new(),
            all_visits: Vec::new(),
            all_seconds: Vec::new(),
            width: None,
        })
    }

    /// The results as an object; without an engine, those of the minimal tree.
    pub(super) fn object(
        &self,
        figure: impl Into<Json>,
        game: &dyn AnyGame,
        line: Option<&LabelledEngine>,
        depth: u32,
    ) -> Json {
        let engine = line.map(|line| &line.engine);
        let searched = line.is_some();
        let seconds = self.seconds_percent.filter(|_| searched);
        let mut object = json!({
            "figure": figure.into(),
            "game": game.name(),
            "line": line.map_or("minimal tree", |line| &line.label),
            "algorithm": engine.map_or("minimal-tree".into(), |engine| engine.algorithm.to_string()),
            "memory": engine.map_or("none".into(), |engine| engine.memory.to_string()),
            "deepening": engine.is_some_and(|engine| engine.deepening),
            "table": line.and_then(LabelledEngine::table),
            "guess": engine.map(|engine| engine.factors.guess),
            "depth": depth,
            "count": self.percent.ratio.count,
            "leaves": self.leaves,
            "visits": searched.then_some(self.visits),
            "calls": searched.then_some(self.calls),
            "calls_se": searched.then_some(self.calls_error),
            "peak_entries": searched.then_some(self.peak_entries),
            "percent": self.percent.ratio.mean,
            "low": self.percent.bootstrap.0,
            "high": self.percent.bootstrap.1,
            "total": self.percent.total,
            "visits_percent": searched.then_some(self.visits_percent.ratio.mean),
            "visits_low": searched.then_some(self.visits_percent.bootstrap.0),
            "visits_high": searched.then_some(self.visits_percent.bootstrap.1),
            "visits_total": searched.then_some(self.visits_percent.total),
            "width": self.width,
            "evaluations": searched.then_some(&self.evaluations),
            "all_visits": searched.then_some(&self.all_visits),
        });
        if let (Some(seconds), Json::Object(object)) = (seconds, &mut object) {
            object.insert("seconds_percent".into(), seconds.ratio.mean.into());
            object.insert("seconds_low".into(), seconds.bootstrap.0.into());
            object.insert("seconds_high".into(), seconds.bootstrap.1.into());
            object.insert("seconds".into(), json!(self.all_seconds));
        }
        object
    }
}
