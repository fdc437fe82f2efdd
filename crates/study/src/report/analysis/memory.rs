//! The savings of each memory function, as in figure 6 of Marsland's survey: leaves against depth, in
//! percent of direct alpha-beta, which has no memory and does not deepen. The minimal tree is a lower
//! bound.

use std::collections::BTreeMap;

use super::comparison::{depth_ticks, from_the_top};
use super::words::{kind, significant};
use super::{
    BASELINE, Conditions, ExperimentReport, Group, GroupedRecords, Measure, ReportRow, Searches,
    finished, ratio, ratio_cell,
};
use crate::experiment::Ratio;
use crate::laboratory::minimal_leaves;
use crate::report::document::{Block, Cell, ReportTable};
use crate::report::plot::{Plot, Series};
use plyground_search::SearchAlgorithm;
use plyground_search::algorithms::{AlphaBeta, Aspiration, Minimax, Pvs};

/// The algorithms that have a figure.
const KINDS: [&str; 3] = [AlphaBeta::ENTRY.id, Pvs::ENTRY.id, Aspiration::ENTRY.id];

pub(super) fn add(grouped: &GroupedRecords<'_>, report: &mut ExperimentReport) {
    let mut blocks = Vec::new();
    let direct: Vec<&Conditions> = grouped.groups.keys().filter(|c| c.is_direct()).collect();
    for (i, &conditions) in direct.iter().enumerate() {
        // Conditions that differ only in the limit or the update would give the same figure again.
        if direct[..i].iter().any(|earlier| same_trees(earlier, conditions)) {
            continue;
        }
        for (algorithm, run) in grouped.algorithms.iter().enumerate() {
            if KINDS.contains(&kind(&run.id)) {
                blocks.extend(figure(grouped, conditions, algorithm, &mut report.rows));
            }
        }
    }
    if blocks.is_empty() {
        return;
    }
    report.put(Block::Part("What each memory function saves".into()));
    report.put(Block::Text(
        "Leaves in percent of direct alpha-beta's, which has no memory and does not deepen, on the \
         same positions. Where tables of several sizes were measured, the largest is shown."
            .into(),
    ));
    blocks.into_iter().for_each(|block| report.put(block));
}

/// Do these conditions give the same trees?
fn same_trees(a: &Conditions, b: &Conditions) -> bool {
    a.game == b.game && a.evaluator == b.evaluator && a.version == b.version
}

/// Alpha-beta's searches by depth.
fn alpha_beta<'s, 'r>(
    grouped: &GroupedRecords<'r>,
    depths: &'s BTreeMap<u32, Group<'r>>,
) -> BTreeMap<u32, &'s Searches<'r>> {
    let place = grouped.algorithms.iter().position(|run| run.id == BASELINE);
    let of_depth = |(&depth, group): (&u32, &'s Group<'r>)| {
        group.by_algorithm.get(&place?).map(|searches| (depth, searches))
    };
    depths.iter().filter_map(of_depth).collect()
}

/// The figure of one algorithm, if it was run with memory or deepening.
fn figure(
    grouped: &GroupedRecords<'_>,
    direct: &Conditions,
    algorithm: usize,
    rows: &mut Vec<ReportRow>,
) -> Option<Block> {
    let bases = alpha_beta(grouped, &grouped.groups[direct]);
    let mut lines: Vec<(String, usize, BTreeMap<u32, Ratio>)> = Vec::new();
    for (look, (conditions, depths)) in configurations(grouped, direct).into_iter().enumerate() {
        let found: BTreeMap<u32, Ratio> = bases
            .iter()
            .filter_map(|(depth, base)| {
                let searches = depths.get(depth)?.by_algorithm.get(&algorithm)?;
                Some((*depth, ratio(searches, base, Measure::Leaves)?))
            })
            .collect();
        // Direct alpha-beta is the baseline, which is drawn as a reference line at 100.
        let is_base = conditions.is_direct() && grouped.algorithms[algorithm].id == BASELINE;
        if found.is_empty() || is_base {
            continue;
        }
        let id = &grouped.algorithms[algorithm].id;
        rows.extend(found.iter().map(|(&depth, ratio)| ReportRow {
            baseline: Some("direct alpha-beta".into()),
            mean: 100.0 * ratio.mean,
            low: Some(100.0 * ratio.low),
            high: Some(100.0 * ratio.high),
            positions: ratio.count,
            ..conditions.row("memory", depth, id, "leaves percent")
        }));
        lines.push((grouped.describe(conditions), look, found));
    }
    let has_memory = configurations(grouped, direct).iter().any(|(c, depths)| {
        !c.is_direct() && depths.values().any(|g| g.by_algorithm.contains_key(&algorithm))
    });
    if !has_memory || lines.is_empty() {
        return None;
    }
    let width = Width::measured(grouped, direct);
    let minimal = width.as_ref().map(|width| {
        let percent = |(&depth, base): (&u32, &&Searches<'_>)| {
            let leaves = Ratio::of(finished(base).filter_map(|(_, r)| Measure::Leaves.of(r)))?.mean;
            Some((depth, 100.0 * minimal_leaves(width.mean, depth) / leaves))
        };
        bases.iter().filter_map(percent).collect::<BTreeMap<u32, f64>>()
    });
    if let Some(minimal) = &minimal {
        rows.extend(minimal.iter().map(|(&depth, &mean)| ReportRow {
            baseline: Some("direct alpha-beta".into()),
            mean,
            positions: bases[&depth].len(),
            ..direct.row("memory", depth, "minimal-tree", "leaves percent")
        }));
    }
    let numbers = numbers(&lines, minimal.as_ref(), &bases);
    Some(Block::Figure(plot(grouped, direct, algorithm, lines, minimal, width), numbers))
}

/// The configurations on the same trees; of those that differ only in the table's size, the one with
/// the largest table.
fn configurations<'s, 'r>(
    grouped: &'s GroupedRecords<'r>,
    direct: &Conditions,
) -> Vec<(&'s Conditions, &'s BTreeMap<u32, Group<'r>>)> {
    let mut found: Vec<(&Conditions, &BTreeMap<u32, Group<'r>>)> = Vec::new();
    for (conditions, depths) in &grouped.groups {
        if !same_trees(conditions, direct) {
            continue;
        }
        match found.last_mut() {
            // Conditions are sorted: a larger table comes after a smaller one.
            Some(last)
                if (Conditions { table: None, ..last.0.clone() })
                    == (Conditions { table: None, ..conditions.clone() }) =>
            {
                *last = (conditions, depths);
            }
            _ => found.push((conditions, depths)),
        }
    }
    found
}

fn numbers(
    lines: &[(String, usize, BTreeMap<u32, Ratio>)],
    minimal: Option<&BTreeMap<u32, f64>>,
    bases: &BTreeMap<u32, &Searches<'_>>,
) -> ReportTable {
    let names: Vec<String> = bases.keys().map(|depth| format!("depth {depth}")).collect();
    let mut columns = vec!["percent of direct αβ"];
    columns.extend(names.iter().map(String::as_str));
    let mut table = ReportTable::new("", &columns);
    for (name, _, found) in lines {
        let mut row = vec![Cell::new(name)];
        row.extend(bases.keys().map(|depth| ratio_cell(found.get(depth).copied(), 100.0)));
        table.rows.push(row);
    }
    if let Some(minimal) = minimal {
        let mut row = vec![Cell::new("minimal tree")];
        row.extend(bases.keys().map(|depth| match minimal.get(depth) {
            Some(&percent) => Cell::new(significant(percent)),
            None => Cell::new("–"),
        }));
        table.rows.push(row);
    }
    table
}

fn plot(
    grouped: &GroupedRecords<'_>,
    direct: &Conditions,
    algorithm: usize,
    lines: Vec<(String, usize, BTreeMap<u32, Ratio>)>,
    minimal: Option<BTreeMap<u32, f64>>,
    width: Option<Width>,
) -> Plot {
    let depths: Vec<u32> = grouped.groups[direct].keys().copied().collect();
    let mut series: Vec<Series> = lines
        .into_iter()
        .map(|(name, look, found)| Series {
            name,
            points: found.iter().map(|(&d, ratio)| (f64::from(d), 100.0 * ratio.mean)).collect(),
            look: Some(look),
            ..Series::default()
        })
        .collect();
    let (first, last) = (depths[0], depths[depths.len() - 1]);
    series.push(Series {
        name: "direct αβ".into(),
        points: vec![(f64::from(first), 100.0), (f64::from(last), 100.0)],
        look: Some(0),
        reference: true,
        ..Series::default()
    });
    from_the_top(&mut series);
    let mut note = String::new();
    if let (Some(minimal), Some(width)) = (minimal, width) {
        series.push(Series {
            name: format!("minimal tree, w = {}", significant(width.mean)),
            points: minimal.into_iter().map(|(d, percent)| (f64::from(d), percent)).collect(),
            look: Some(1),
            reference: true,
            ..Series::default()
        });
        note = format!("The minimal tree has w^⌈d/2⌉ + w^⌊d/2⌋ − 1 leaves; {}", width.how);
    }
    Plot {
        title: format!("{} with memory: {}", grouped.name(algorithm), direct.game),
        x_label: "depth".into(),
        y_label: "leaves, % of direct αβ".into(),
        series,
        x_ticks: Some(depth_ticks(depths.into_iter())),
        note: Some(note),
        ..Plot::default()
    }
}

/// The average number of moves of the positions.
struct Width {
    mean: f64,
    how: String,
}

impl Width {
    /// The width from minimax searches, which visit w^d leaves; otherwise an upper bound from the others.
    fn measured(grouped: &GroupedRecords<'_>, direct: &Conditions) -> Option<Width> {
        let depths = grouped.groups.iter().filter(|(c, _)| same_trees(c, direct) && c.is_direct());
        let depths: Vec<(u32, &Group<'_>)> =
            depths.flat_map(|(_, depths)| depths.iter().map(|(&d, group)| (d, group))).collect();
        let minimax = grouped.algorithms.iter().position(|run| run.id == Minimax::ENTRY.id);
        let roots = depths.iter().filter(|(depth, _)| *depth > 0).flat_map(|(depth, group)| {
            let searches = minimax.and_then(|i| group.by_algorithm.get(&i));
            let leaves =
                searches.into_iter().flat_map(finished).filter_map(|(_, r)| Measure::Leaves.of(r));
            leaves.map(|leaves| leaves.powf(1.0 / f64::from(*depth))).collect::<Vec<_>>()
        });
        if let Some(width) = Ratio::of(roots) {
            let how = format!(
                "w = {} is the mean d-th root of the leaves of {} minimax searches.",
                significant(width.mean),
                width.count
            );
            return Some(Width { mean: width.mean, how });
        }
        let bounds = depths.iter().filter_map(|&(depth, group)| {
            let leanest = group.by_algorithm.values().filter_map(|searches| {
                Ratio::of(finished(searches).filter_map(|(_, r)| Measure::Leaves.of(r)))
                    .map(|r| r.mean)
            });
            Some((depth, width_of_minimal_tree(leanest.min_by(f64::total_cmp)?, depth)))
        });
        let (depth, mean) =
            bounds.filter(|(depth, _)| *depth > 0).min_by(|a, b| a.1.total_cmp(&b.1))?;
        let how = format!(
            "there are no minimax searches to measure w by: w is at most {}, the width whose minimal \
             tree has as many leaves as the leanest direct search visited at depth {depth}.",
            significant(mean),
        );
        Some(Width { mean, how })
    }
}

/// The width whose minimal tree has this many leaves, by bisection.
fn width_of_minimal_tree(leaves: f64, depth: u32) -> f64 {
    let (mut low, mut high) = (0.0, leaves.max(1.0));
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if minimal_leaves(middle, depth) < leaves {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_of_minimal_trees() {
        assert!((width_of_minimal_tree(1023.0, 6) - 8.0).abs() < 1e-9);
        assert!((width_of_minimal_tree(20.0, 1) - 20.0).abs() < 1e-9);
    }
}
