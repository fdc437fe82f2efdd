//! From records to tables and figures: what is compared with what.
//!
//! Two searches are compared on the same position, to the same depth, under the same
//! [conditions](Conditions). Ratios are of pairs of searches that both came to their end. A mean
//! count is over the positions that every algorithm beside it was given, and is there only if none
//! of those searches was stopped: an algorithm that gives up on hard positions must not look cheap.

mod agreement;
mod comparison;
mod memory;
mod space;
mod speedup;
mod summary;
#[cfg(test)]
mod tests;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::document::{Block, Cell, Document, Tone};
use crate::experiment::{Ratio, Record};
use agreement::Agreement;
use plyground_search::SearchAlgorithm;
use plyground_search::algorithms::AlphaBeta;
use words::{Variety, algorithm_rank, significant};

/// The id of alpha-beta, which the other algorithms are compared with.
const BASELINE: &str = AlphaBeta::ENTRY.id;

/// A report with the numbers behind it.
#[derive(Clone, Debug)]
pub struct ExperimentReport {
    /// For people.
    pub document: Document,
    /// Every number of every table, for programs.
    pub rows: Vec<ReportRow>,
}

/// One number of a [`ExperimentReport`], unrounded, with all that it is of.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct ReportRow {
    pub part: &'static str,
    pub game: String,
    pub evaluator: String,
    pub version: String,
    pub memory: String,
    pub deepening: bool,
    pub table: Option<u64>,
    pub update: String,
    pub bytes: Option<u64>,
    pub depth: u32,
    pub algorithm: String,
    /// The least height of a node that may get a process, of an algorithm that has processes.
    pub spawn_height: Option<u32>,
    pub measure: String,
    /// The algorithm that a ratio is to.
    pub baseline: Option<String>,
    pub mean: f64,
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// How many positions the number is of.
    pub positions: usize,
}

/// Makes the report that `name` is the name of.
pub fn report(records: &[Record], name: &str) -> ExperimentReport {
    let grouped = GroupedRecords::of(records);
    let mut report = ExperimentReport {
        document: Document { title: format!("Plyground report: {name}"), blocks: Vec::new() },
        rows: Vec::new(),
    };
    summary::add(&grouped, records, &mut report);
    comparison::add(&grouped, &mut report);
    memory::add(&grouped, &mut report);
    space::add_curve(&grouped, &mut report);
    space::add_table_sizes(&grouped, &mut report);
    speedup::add(&grouped, records, &mut report);
    report
}

impl ExperimentReport {
    fn put(&mut self, block: Block) {
        self.document.blocks.push(block);
    }
}

/// What two searches must have in common, besides position and depth, to be compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Conditions {
    game: String,
    evaluator: String,
    version: String,
    /// `none` first.
    has_memory: bool,
    deepening: bool,
    memory: String,
    update: String,
    bytes: Option<u64>,
    /// Were processes simulated?
    simulated: bool,
    /// Last, so that those that differ in it alone stand together.
    table: Option<u64>,
}

impl Conditions {
    fn of(record: &Record) -> Conditions {
        let setup = &record.setup;
        Conditions {
            game: setup.game.clone(),
            evaluator: setup.evaluator.clone(),
            version: setup.version.clone(),
            has_memory: setup.memory != "none",
            deepening: setup.deepening,
            memory: setup.memory.clone(),
            table: setup.table,
            update: setup.update.clone(),
            bytes: setup.bytes,
            simulated: setup.simulated,
        }
    }

    /// A search that remembers nothing from iteration to iteration or from node to node.
    fn is_direct(&self) -> bool {
        !self.has_memory && !self.deepening
    }

    /// The row of a number.
    fn row(&self, part: &'static str, depth: u32, algorithm: &str, measure: &str) -> ReportRow {
        ReportRow {
            part,
            game: self.game.clone(),
            evaluator: self.evaluator.clone(),
            version: self.version.clone(),
            memory: self.memory.clone(),
            deepening: self.deepening,
            table: self.table,
            update: self.update.clone(),
            bytes: self.bytes,
            depth,
            algorithm: algorithm.into(),
            spawn_height: None,
            measure: measure.into(),
            baseline: None,
            mean: f64::NAN,
            low: None,
            high: None,
            positions: 0,
        }
    }
}

/// An algorithm as it was run: one that may give lower nodes to processes is another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct AlgorithmRun {
    id: String,
    spawn_height: Option<u32>,
}

impl AlgorithmRun {
    fn of(record: &Record) -> AlgorithmRun {
        let setup = &record.setup;
        AlgorithmRun { id: setup.algorithm.clone(), spawn_height: setup.spawn_height }
    }
}

/// One algorithm's searches by position.
type Searches<'r> = BTreeMap<&'r str, &'r Record>;

/// All searches to one depth under the same conditions.
#[derive(Debug, Default)]
struct Group<'r> {
    /// By the algorithm's place in [`GroupedRecords::algorithms`].
    by_algorithm: BTreeMap<usize, Searches<'r>>,
}

impl<'r> Group<'r> {
    /// Alpha-beta, else the first.
    fn baseline(&self, grouped: &GroupedRecords<'r>) -> usize {
        let mut found = self.by_algorithm.keys().copied();
        let first = found.next().unwrap_or(0);
        let is_baseline = |i: &usize| grouped.algorithms[*i].id == BASELINE;
        std::iter::once(first).chain(found).find(is_baseline).unwrap_or(first)
    }

    /// The positions that every algorithm was given.
    fn common(&self) -> BTreeSet<&'r str> {
        common(self.by_algorithm.values())
    }
}

/// The depth that most algorithms were searched to; of several, the greatest.
fn fullest<'s, 'r>(depths: &'s BTreeMap<u32, Group<'r>>) -> Option<(u32, &'s Group<'r>)> {
    let all = depths.iter().map(|(&depth, group)| (depth, group));
    all.max_by_key(|(depth, group)| (group.by_algorithm.len(), *depth))
}

fn common<'a, 'r: 'a>(lists: impl Iterator<Item = &'a Searches<'r>>) -> BTreeSet<&'r str> {
    lists
        .map(|searches| searches.keys().copied().collect::<BTreeSet<_>>())
        .reduce(|a, b| a.intersection(&b).copied().collect())
        .unwrap_or_default()
}

/// What is measured of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    Leaves,
    Evaluations,
    Nodes,
    Visits,
    /// Positions beyond the leaves.
    Quiescence,
    Seconds,
}

impl Measure {
    const ALL: [Measure; 6] = [
        Measure::Leaves,
        Measure::Evaluations,
        Measure::Nodes,
        Measure::Visits,
        Measure::Quiescence,
        Measure::Seconds,
    ];

    fn name(self) -> &'static str {
        match self {
            Measure::Leaves => "leaves",
            Measure::Evaluations => "evaluations",
            Measure::Nodes => "nodes",
            Measure::Visits => "visits",
            Measure::Quiescence => "quiescence",
            Measure::Seconds => "seconds",
        }
    }

    /// The name for people, who have no use for the unit.
    fn title(self) -> &'static str {
        if self == Measure::Seconds { "time" } else { self.name() }
    }

    fn of(self, record: &Record) -> Option<f64> {
        match self {
            Measure::Leaves => record.counts.leaves.map(|n| n as f64),
            Measure::Evaluations => Some(record.counts.evaluations as f64),
            Measure::Nodes => record.nodes().map(|n| n as f64),
            Measure::Visits => Some(record.counts.visits as f64),
            Measure::Quiescence => Some(record.counts.quiescence as f64),
            Measure::Seconds => record.seconds,
        }
    }
}

fn finished<'r>(searches: &Searches<'r>) -> impl Iterator<Item = (&'r str, &'r Record)> {
    searches.iter().map(|(&at, &r)| (at, r)).filter(|(_, record)| record.stopped.is_none())
}

/// The ratio of two algorithms on the positions where both came to their end.
fn ratio(searches: &Searches<'_>, to: &Searches<'_>, measure: Measure) -> Option<Ratio> {
    Ratio::of(finished(searches).filter_map(|(position, record)| {
        let other = to.get(position).filter(|other| other.stopped.is_none())?;
        Some(measure.of(record)? / measure.of(other)?)
    }))
}

/// The geometric mean on these positions, unless a search was stopped on one of them.
fn level(searches: &Searches<'_>, on: &BTreeSet<&str>, measure: Measure) -> Option<f64> {
    let measured: Option<Vec<f64>> = on
        .iter()
        .map(|position| {
            let record = searches.get(position).filter(|record| record.stopped.is_none())?;
            // A logarithm is taken: where nothing was counted there is no such mean.
            measure.of(record).filter(|v| *v > 0.0)
        })
        .collect();
    Ratio::of(measured?).map(|ratio| ratio.mean)
}

/// The plain mean of what the searches that came to their end took.
fn mean(searches: &Searches<'_>, of: impl Fn(&Record) -> u64) -> Option<f64> {
    let taken: Vec<f64> = finished(searches).map(|(_, record)| of(record) as f64).collect();
    (!taken.is_empty()).then(|| taken.iter().sum::<f64>() / taken.len() as f64)
}

/// A ratio as people read it.
fn ratio_cell(ratio: Option<Ratio>, times: f64) -> Cell {
    let Some(ratio) = ratio else { return Cell::new("–") };
    let shown = |v: f64| significant(times * v);
    let tone = match ratio.count {
        1 => Tone::Plain,
        _ if ratio.high < 1.0 => Tone::Less,
        _ if ratio.low > 1.0 => Tone::More,
        _ => Tone::Plain,
    };
    let interval =
        (ratio.count > 1).then(|| format!("{}, {}", shown(ratio.low), shown(ratio.high)));
    Cell { text: shown(ratio.mean), interval, tone }
}

/// The records, sorted into groups.
struct GroupedRecords<'r> {
    /// In the order of the catalogue.
    algorithms: Vec<AlgorithmRun>,
    groups: BTreeMap<Conditions, BTreeMap<u32, Group<'r>>>,
    agreement: Agreement<'r>,
    variety: Variety,
}

impl<'r> GroupedRecords<'r> {
    fn of(records: &'r [Record]) -> GroupedRecords<'r> {
        let runs: BTreeSet<AlgorithmRun> = records.iter().map(AlgorithmRun::of).collect();
        let mut algorithms: Vec<AlgorithmRun> = runs.into_iter().collect();
        algorithms.sort_by_cached_key(|run| algorithm_rank(&run.id));
        let mut groups: BTreeMap<Conditions, BTreeMap<u32, Group<'r>>> = BTreeMap::new();
        let mut agreement = Agreement::default();
        for record in records {
            agreement.add(record);
            let run = AlgorithmRun::of(record);
            let Some(algorithm) = algorithms.iter().position(|known| *known == run) else {
                continue;
            };
            let depths = groups.entry(Conditions::of(record)).or_default();
            let group = depths.entry(record.setup.depth).or_default();
            let searches = group.by_algorithm.entry(algorithm).or_default();
            // Of two records of the same search, the first counts.
            let first = *searches.entry(&record.setup.position).or_insert(record);
            if !std::ptr::eq(first, record) {
                agreement.add_repetition(first, record);
            }
        }
        let variety = Variety::of(records);
        GroupedRecords { algorithms, groups, agreement, variety }
    }

    /// The games in order.
    fn games(&self) -> BTreeSet<&str> {
        self.groups.keys().map(|conditions| conditions.game.as_str()).collect()
    }

    fn of_game<'s>(
        &'s self,
        game: &'s str,
    ) -> impl Iterator<Item = (&'s Conditions, &'s BTreeMap<u32, Group<'r>>)> {
        self.groups.iter().filter(move |(conditions, _)| conditions.game == game)
    }

    /// The name of algorithm number `i` as the papers write it.
    fn name(&self, i: usize) -> String {
        let AlgorithmRun { id, spawn_height } = &self.algorithms[i];
        self.variety.with_height(words::algorithm_name(id), *spawn_height)
    }

    /// The conditions in words, as far as the records differ in them; the game is said elsewhere.
    fn describe(&self, conditions: &Conditions) -> String {
        self.variety.describe(conditions)
    }
}
