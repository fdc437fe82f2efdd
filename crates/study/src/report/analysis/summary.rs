//! The summary: what was searched, whether all values agree, and the best algorithms.

use std::collections::{BTreeMap, BTreeSet};

use super::words::{counted, memory_name, short_count};
use super::{
    BASELINE, ExperimentReport, Group, GroupedRecords, Measure, finished, fullest, ratio,
    ratio_cell,
};
use crate::experiment::{Ratio, Record};
use crate::report::document::{Block, Cell, ReportTable};
use crate::report::thousands;

pub(super) fn add(grouped: &GroupedRecords<'_>, records: &[Record], report: &mut ExperimentReport) {
    report.put(Block::Part("Summary".into()));
    report.put(Block::Facts(facts(grouped, records)));
    let compared = grouped.agreement.compared();
    match grouped.agreement.disagreements() {
        Some(table) => {
            let text = "Not all values agree: on the same position, to the same depth, with the \
                        same evaluator, searches that were not stopped found different values.";
            report.put(Block::Warning(text.into()));
            report.put(Block::Table(table));
        }
        None if compared == 0 => {
            let text = "No position was searched to the same depth by more than one search: there \
                        are no values to compare.";
            report.put(Block::Text(text.into()));
        }
        None => report.put(Block::Assurance(format!(
            "All values agree. Compared: {} of a position and a depth that more than one search \
             finished.",
            counted(compared, "pair")
        ))),
    }
    if let Some(table) = grouped.agreement.contradictions() {
        let text = "Some searches were recorded more than once, with different results.";
        report.put(Block::Warning(text.into()));
        report.put(Block::Table(table));
    }
    if let Some(table) = glance(grouped) {
        report.put(Block::Table(table));
    }
}

fn facts(grouped: &GroupedRecords<'_>, records: &[Record]) -> Vec<(String, String)> {
    fn distinct<T: Ord>(records: &[Record], of: impl Fn(&Record) -> T) -> BTreeSet<T> {
        records.iter().map(of).collect()
    }
    fn listed(texts: impl IntoIterator<Item = String>) -> String {
        texts.into_iter().collect::<Vec<_>>().join(", ")
    }
    let mut facts: Vec<(&str, String)> = Vec::new();
    let mut total = thousands(records.len() as f64, 0);
    if grouped.agreement.repeated > 0 {
        let again = counted(grouped.agreement.repeated, "more record");
        total.push_str(&format!(
            ", of which {again} of a search that has one already: the first counts"
        ));
    }
    facts.push(("records", total));
    facts.push(("games", listed(distinct(records, |r| r.setup.game.clone()))));
    let positions: BTreeSet<(&str, &str)> =
        records.iter().map(|r| (r.setup.game.as_str(), r.setup.position.as_str())).collect();
    let by_game = grouped.games().into_iter().map(|game| {
        let count = positions.iter().filter(|(of, _)| *of == game).count();
        format!("{count} of {game}")
    });
    facts.push(("positions", format!("{} ({})", positions.len(), listed(by_game))));
    facts.push(("depths", listed(distinct(records, |r| r.setup.depth).iter().map(u32::to_string))));
    let names = (0..grouped.algorithms.len()).map(|i| grouped.name(i));
    facts.push(("algorithms", format!("{} ({})", grouped.algorithms.len(), listed(names))));
    let memories = distinct(records, |r| r.setup.memory.clone());
    let deepening = match distinct(records, |r| r.setup.deepening).len() {
        1 if records[0].setup.deepening => ", all with deepening",
        1 => ", none with deepening",
        _ => ", with and without deepening",
    };
    let memories = memories.iter().map(|memory| memory_name(memory));
    facts.push(("memory", memories.collect::<Vec<_>>().join("; ") + deepening));
    let sizes: Vec<u64> = distinct(records, |r| r.setup.table).into_iter().flatten().collect();
    if !sizes.is_empty() {
        facts.push(("table entries", listed(sizes.into_iter().map(short_count))));
    }
    facts.push(("evaluators", listed(distinct(records, |r| r.setup.evaluator.clone()))));
    facts.push(("version", listed(distinct(records, |r| r.setup.version.clone()))));
    facts.push(("seed", listed(distinct(records, |r| r.setup.seed).iter().map(u64::to_string))));
    facts.push(("stopped by a limit", stopped(records)));
    let untimed = records.iter().filter(|r| r.seconds.is_none()).count();
    if untimed > 0 {
        facts.push(("without a time", counted(untimed, "record")));
    }
    facts.into_iter().map(|(name, what)| (name.to_string(), what)).collect()
}

fn stopped(records: &[Record]) -> String {
    let mut by: BTreeMap<&str, usize> = BTreeMap::new();
    for limit in records.iter().filter_map(|r| r.stopped.as_deref()) {
        *by.entry(limit).or_default() += 1;
    }
    if by.is_empty() {
        return "none".into();
    }
    let total: usize = by.values().sum();
    let by: Vec<String> = by.iter().map(|(limit, count)| format!("{limit}: {count}")).collect();
    format!("{} ({})", counted(total, "record"), by.join(", "))
}

/// For all conditions, at the depth with the most algorithms: which algorithm visits the fewest leaves,
/// and which is the fastest.
fn glance(grouped: &GroupedRecords<'_>) -> Option<ReportTable> {
    let columns = ["game", "conditions", "depth", "fewest leaves", "×", "least time", "×"];
    let mut table = ReportTable::new("At a glance: the best algorithm's ratio to αβ", &columns);
    table.with_words(&[1, 3, 5]);
    for (conditions, depths) in &grouped.groups {
        let Some((depth, group)) = fullest(depths) else { continue };
        let base = group.baseline(grouped);
        let leaves = best(group, base, Measure::Leaves);
        if grouped.algorithms[base].id != BASELINE || leaves.is_none() {
            continue;
        }
        let mut row = vec![
            Cell::new(&conditions.game),
            Cell::new(grouped.describe(conditions)),
            Cell::new(depth.to_string()),
        ];
        for best in [leaves, best(group, base, Measure::Seconds)] {
            row.push(Cell::new(best.map_or_else(|| "–".into(), |(i, _)| grouped.name(i))));
            row.push(match best {
                Some((i, _)) if i == base => Cell::new("1"),
                _ => ratio_cell(best.map(|(_, ratio)| ratio), 1.0),
            });
        }
        table.rows.push(row);
    }
    table.note = "Geometric means over the positions, with 95 % intervals, at the depth that the most \
                 algorithms searched to. Only algorithms that found the value of every position whose \
                 value αβ found are considered, αβ included."
        .into();
    (!table.rows.is_empty()).then_some(table)
}

/// The algorithm with the least ratio to algorithm number `base`, among those that found the value of
/// every position that `base` did; `None` if `base` is the only one.
fn best(group: &Group<'_>, base: usize, measure: Measure) -> Option<(usize, Ratio)> {
    let to = &group.by_algorithm[&base];
    let all = ratio(to, to, measure)?.count;
    let ratios = group.by_algorithm.iter().filter_map(|(&i, searches)| {
        let found = finished(searches).all(|(_, record)| record.value.is_some());
        ratio(searches, to, measure).filter(|r| found && r.count == all).map(|r| (i, r))
    });
    let ratios: Vec<(usize, Ratio)> = ratios.collect();
    let least = ratios.iter().copied().min_by(|a, b| a.1.mean.total_cmp(&b.1.mean));
    least.filter(|_| ratios.len() > 1)
}
