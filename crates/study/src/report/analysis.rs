//! Turns records into the tables and figures of a report.
//!
//! Two searches are compared on the same position, to the same depth, under the same
//! [conditions](Conditions). Ratios are computed from pairs of searches that both finished. A mean count
//! is taken over the positions that all algorithms of the group searched, and only if none of those
//! searches was stopped: an algorithm that gives up on hard positions must not look cheap.

mod agreement;
mod comparison;
mod memory;
mod pairs;
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
use plyground_search::algorithms::AlphaBeta;
use plyground_search::{Factors, SearchAlgorithm};
use words::{Variety, algorithm_rank, significant};

/// The id of alpha-beta, which the other algorithms are compared with.
const BASELINE: &str = AlphaBeta::ENTRY.id;

/// A report on an experiment, with the numbers behind it.
#[derive(Clone, Debug)]
pub struct ExperimentReport {
    /// The report for people.
    pub document: Document,
    /// Every number of every table, for programs.
    pub rows: Vec<ReportRow>,
}

/// One number of an [`ExperimentReport`], unrounded, with everything that it depends on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReportRow {
    /// The part of the report.
    pub part: &'static str,
    /// The game's name.
    pub game: String,
    /// The name of the evaluator.
    pub evaluator: String,
    /// The version of the program.
    pub version: String,
    /// The memory functions.
    pub memory: String,
    /// Was the position searched to depth 1, 2, … first?
    pub deepening: bool,
    /// The number of entries of the transposition table, if there is one.
    pub table: Option<u64>,
    /// How stored bounds are updated.
    pub update: String,
    /// The limit on the bytes of lists and stored bounds, if there is one.
    pub bytes: Option<u64>,
    /// The choices that all algorithms share.
    #[serde(flatten)]
    pub factors: Factors,
    /// The depth of the searches, in plies.
    pub depth: u32,
    /// The algorithm's id with its parameters.
    pub algorithm: String,
    /// The least height of a node that may get a process, for parallel algorithms.
    pub spawn_height: Option<u32>,
    /// What was measured.
    pub measure: String,
    /// The algorithm that a ratio is relative to.
    pub baseline: Option<String>,
    /// The number: a mean over positions.
    pub mean: f64,
    /// The lower end of its 95 % interval, if it has one.
    pub low: Option<f64>,
    /// The upper end of the interval.
    pub high: Option<f64>,
    /// The number of positions.
    pub positions: usize,
}

/// Makes the report on these records; `name` is part of its title.
pub fn report(records: &[Record], name: &str) -> ExperimentReport {
    let grouped = GroupedRecords::of(records);
    let mut report = ExperimentReport {
        document: Document { title: format!("Plyground report: {name}"), blocks: Vec::new() },
        rows: Vec::new(),
    };
    summary::add(&grouped, records, &mut report);
    comparison::add(&grouped, &mut report);
    pairs::add(&grouped, &mut report);
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
    /// Before the names of the functions, so that `none` comes first.
    has_memory: bool,
    deepening: bool,
    memory: String,
    update: String,
    bytes: Option<u64>,
    /// The choices that all algorithms share.
    factors: Factors,
    /// Were processes simulated?
    simulated: bool,
    /// Last, so that conditions that differ only in the table's size are neighbours.
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
            factors: setup.factors.shared(),
            simulated: setup.simulated,
        }
    }

    /// Does the search remember nothing, neither from iteration to iteration nor from node to node?
    fn is_direct(&self) -> bool {
        !self.has_memory && !self.deepening
    }

    /// The row of a number that is still to be filled in.
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
            factors: self.factors,
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

/// An algorithm as it was run. With another spawn height it visits other nodes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct AlgorithmRun {
    id: String,
    spawn_height: Option<u32>,
    /// Where its guess comes from, and the window of its quiescence search.
    own: Factors,
}

impl AlgorithmRun {
    fn of(record: &Record) -> AlgorithmRun {
        let setup = &record.setup;
        AlgorithmRun {
            id: setup.algorithm.clone(),
            spawn_height: setup.spawn_height,
            own: setup.factors.own(),
        }
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
    /// The algorithm that the others are compared with: alpha-beta, or the first one.
    fn baseline(&self, grouped: &GroupedRecords<'r>) -> usize {
        let mut found = self.by_algorithm.keys().copied();
        let first = found.next().unwrap_or(0);
        let is_baseline = |i: &usize| grouped.algorithms[*i].id == BASELINE;
        std::iter::once(first).chain(found).find(is_baseline).unwrap_or(first)
    }

    /// The positions that all algorithms searched.
    fn common(&self) -> BTreeSet<&'r str> {
        common(self.by_algorithm.values())
    }
}

/// The depth with the most algorithms; of several, the greatest.
fn fullest<'s, 'r>(depths: &'s BTreeMap<u32, Group<'r>>) -> Option<(u32, &'s Group<'r>)> {
    let all = depths.iter().map(|(&depth, group)| (depth, group));
    all.max_by_key(|(depth, group)| (group.by_algorithm.len(), *depth))
}

/// The positions in all lists.
fn common<'a, 'r: 'a>(lists: impl Iterator<Item = &'a Searches<'r>>) -> BTreeSet<&'r str> {
    lists
        .map(|searches| searches.keys().copied().collect::<BTreeSet<_>>())
        .reduce(|a, b| a.intersection(&b).copied().collect())
        .unwrap_or_default()
}

/// A quantity that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    Leaves,
    Evaluations,
    Nodes,
    Visits,
    /// Positions of the quiescence search, beyond the leaves.
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

    /// The name in tables.
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

/// The searches that were not stopped, with their positions.
fn finished<'r>(searches: &Searches<'r>) -> impl Iterator<Item = (&'r str, &'r Record)> {
    searches.iter().map(|(&at, &r)| (at, r)).filter(|(_, record)| record.stopped.is_none())
}

/// The ratio of two algorithms on the positions that both finished.
fn ratio(searches: &Searches<'_>, to: &Searches<'_>, measure: Measure) -> Option<Ratio> {
    Ratio::of(finished(searches).filter_map(|(position, record)| {
        let other = to.get(position).filter(|other| other.stopped.is_none())?;
        Some(measure.of(record)? / measure.of(other)?)
    }))
}

/// The geometric mean on these positions; `None` if a search was stopped on one of them.
fn level(searches: &Searches<'_>, on: &BTreeSet<&str>, measure: Measure) -> Option<f64> {
    let measured: Option<Vec<f64>> = on
        .iter()
        .map(|position| {
            let record = searches.get(position).filter(|record| record.stopped.is_none())?;
            // Zero has no logarithm, and so no geometric mean.
            measure.of(record).filter(|v| *v > 0.0)
        })
        .collect();
    Ratio::of(measured?).map(|ratio| ratio.mean)
}

/// The arithmetic mean over the searches that finished.
fn mean(searches: &Searches<'_>, of: impl Fn(&Record) -> u64) -> Option<f64> {
    let taken: Vec<f64> = finished(searches).map(|(_, record)| of(record) as f64).collect();
    (!taken.is_empty()).then(|| taken.iter().sum::<f64>() / taken.len() as f64)
}

/// A ratio as a cell of a table, coloured if its interval excludes 1.
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
    /// The algorithms, in the order of the catalogue.
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
            // Of several records of the same search, the first is used.
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
        let AlgorithmRun { id, spawn_height, own } = &self.algorithms[i];
        let name = self.variety.with_height(words::algorithm_name(id), *spawn_height);
        let own = own.describe();
        if own.is_empty() { name } else { format!("{name}, {own}") }
    }

    /// The conditions in words, as far as the records differ in them; without the game.
    fn describe(&self, conditions: &Conditions) -> String {
        self.variety.describe(conditions)
    }
}
