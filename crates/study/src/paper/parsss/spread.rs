//! Where the printed speed-ups lie among those of many trees, and whether the code as printed explains those
//! that lie far off.

use serde_json::json;

use super::printed::{Ending, PrintedSearch};
use super::{MeasuredRow, PrintedRow, TREE_KINDS, TreeKind, VALUES, leaf_values};
use crate::experiment::Mean;
use crate::paper::{Findings, PaperRun};
use crate::report::plot::{Plot, Series};
use crate::report::{Align, TextTable, thousands};
use plyground_core::tree::{Synthetic, mix};
use plyground_search::algorithms::{ParIterSss, Sss};
use plyground_search::{Algorithm, SearchAlgorithm, SearchSpec};

/// A number of the sorted ones, by its share from below.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let at = ((sorted.len() as f64 - 1.0) * share).round();
    sorted.get(at as usize).copied().unwrap_or(f64::NAN)
}

/// The share of numbers below this one; equal ones count half.
fn share_below(numbers: &[f64], limit: f64) -> f64 {
    let weight = |x: &f64| match x.total_cmp(&limit) {
        std::cmp::Ordering::Less => 1.0,
        std::cmp::Ordering::Equal => 0.5,
        std::cmp::Ordering::Greater => 0.0,
    };
    numbers.iter().map(weight).sum::<f64>() / numbers.len().max(1) as f64
}

/// The distribution of speed-ups over trees, and the printed one in it.
pub(super) fn distributions(ours: &[Vec<MeasuredRow>]) -> Findings {
    let mut found = Findings::default();
    let trees = ours.iter().flatten().map(|row| row.speed_ups.len()).max().unwrap_or(0);
    if trees == 0 {
        return found;
    }
    let mut table = TextTable::new(format!(
        "Tables 2 and 3: where the printed speed-up of one tree lies among {trees} trees"
    ));
    for name in ["(b, d)", "search"] {
        table.column(name, Align::Left);
    }
    for name in ["5 %", "median", "95 %", "printed", "below it, %"] {
        table.column(name, Align::Right);
    }
    let (mut medians, mut printed, mut ticks) = (
        Series { name: "many trees: 5 %, median, 95 %".into(), ..Series::default() },
        Vec::new(),
        Vec::new(),
    );
    for (kind, rows) in TREE_KINDS.iter().zip(ours) {
        for (row, ours) in kind.rows.iter().zip(rows) {
            let mut sorted = ours.speed_ups.clone();
            sorted.sort_by(f64::total_cmp);
            let [low, median, high] = [0.05, 0.5, 0.95].map(|share| quantile(&sorted, share));
            let below = share_below(&sorted, row.speed_up);
            let name = (row.algorithm)().name();
            let mut cells = vec![format!("{}, {}", kind.width, kind.depth), name.clone()];
            cells.extend([low, median, high, row.speed_up].map(|x| thousands(x, 2)));
            cells.push(thousands(100.0 * below, 0));
            table.row(cells);
            found.rows.push(json!({
                "distribution": kind.table,
                "width": kind.width,
                "depth": kind.depth,
                "algorithm": (row.algorithm)().to_string(),
                "trees": sorted.len(),
                "low": low,
                "median": median,
                "high": high,
                "printed": row.speed_up,
                "below": below,
            }));
            let x = ticks.len() as f64;
            medians.points.push((x, median));
            medians.intervals.push((low, high));
            printed.push((x, row.speed_up));
            ticks.push((x, format!("{}", ticks.len() + 1)));
        }
    }
    table.note("below it: the share of trees with a smaller speed-up; from 2.5 to 97.5 a single tree says nothing against ours.");
    found.tables.push(table);
    found.plots.push((
        "parsss-distribution".into(),
        Plot {
            title: "Tables 2 and 3: speed-ups of many trees, and the printed ones".into(),
            x_label: "row of tables 2 and 3".into(),
            y_label: "speed-up over SSS*".into(),
            series: vec![
                medians,
                Series { name: "printed, one tree".into(), points: printed, ..Series::default() },
            ],
            x_ticks: Some(ticks),
            ..Plot::default()
        },
    ));
    found
}

/// The rows of table 3 with eight processes, with the entry of a killed process given back and not.
pub(super) fn literal(run: &PaperRun<'_>) -> anyhow::Result<Findings> {
    let mut found = Findings::default();
    let Some(kind) = TREE_KINDS.iter().find(|kind| kind.table == 3) else { return Ok(found) };
    let bounded = |row: &&PrintedRow| match numbers(&(row.algorithm)()) {
        Some((processes, _)) => processes == 8,
        None => false,
    };
    let rows: Vec<&PrintedRow> = kind.rows.iter().filter(bounded).collect();
    let mut sums: Vec<[LiteralSums; 2]> = rows.iter().map(|_| Default::default()).collect();
    for i in 0..run.trees_a_cell() {
        let tree = Synthetic::independent(kind.width, kind.depth, VALUES, mix(run.seed, i))?;
        let spec = SearchSpec::new(&Sss.into(), kind.depth as u32).within(run.limits());
        let serial = crate::laboratory::count(&tree.clone().into(), &spec)?;
        if run.stopped(&serial) {
            return Ok(found);
        }
        let leaves = leaf_values(&tree);
        for (row, sums) in rows.iter().zip(&mut sums) {
            let Some(settings) = numbers(&(row.algorithm)()) else { continue };
            for (gives_back, sums) in [true, false].into_iter().zip(sums) {
                let size = (kind.width, kind.depth);
                match PrintedSearch::new(size, &leaves, settings, gives_back).run() {
                    Ending::Locked => sums.locked += 1,
                    Ending::Value(value, count) => {
                        anyhow::ensure!(
                            Some(value) == serial.value,
                            "the printed lists do not agree with SSS*"
                        );
                        sums.speed_up.add(serial.counts.evaluations as f64 / count as f64);
                    }
                }
            }
        }
    }
    found.tables.push(table(run.trees_a_cell(), kind, &rows, &sums));
    for (row, [given, kept]) in rows.iter().zip(&sums) {
        found.rows.push(json!({
            "literal": (row.algorithm)().to_string(),
            "trees": run.trees_a_cell(),
            "given_back": given.speed_up.mean(),
            "given_back_se": given.speed_up.error(),
            "given_back_locked": given.locked,
            "kept": (kept.speed_up.count() > 0).then(|| kept.speed_up.mean()),
            "kept_se": kept.speed_up.error(),
            "kept_locked": kept.locked,
            "printed": row.speed_up,
        }));
    }
    Ok(found)
}

/// What came of one rule.
#[derive(Clone, Copy, Default)]
struct LiteralSums {
    speed_up: Mean,
    locked: u64,
}

/// N and M of PARITERSSS*.
fn numbers(algorithm: &Algorithm) -> Option<(usize, usize)> {
    let text = algorithm.to_string();
    let mut parts = text.strip_prefix(ParIterSss::ENTRY.id)?.split(':').skip(1);
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

fn table(
    trees: u64,
    kind: &TreeKind,
    rows: &[&PrintedRow],
    sums: &[[LiteralSums; 2]],
) -> TextTable {
    let mut table = TextTable::new(format!(
        "Table 3, eight processes, as printed on T({},{}): is the entry of a killed process given back? {trees} trees",
        kind.width, kind.depth
    ));
    table.column("search", Align::Left);
    for group in ["given back", "kept for ever"] {
        table.group(group, Align::Right);
        table.column("±", Align::Right);
        table.column("locked", Align::Right);
    }
    table.column("printed", Align::Right);
    for (row, sums) in rows.iter().zip(sums) {
        let mut cells = vec![(row.algorithm)().name()];
        for LiteralSums { speed_up, locked } in sums {
            cells.push(match speed_up.count() {
                0 => "–".into(),
                _ => thousands(speed_up.mean(), 2),
            });
            cells.push(speed_up.error().map_or("–".into(), |error| thousands(1.96 * error, 2)));
            cells.push(format!("{locked} of {trees}"));
        }
        cells.push(thousands(row.speed_up, 2));
        table.row(cells);
    }
    table.note("Speed-ups over SSS*, by the printed lists; means of the trees that were not locked, with 95 % intervals.");
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_of_a_number_among_others() {
        let numbers = [1.0, 2.0, 3.0, 4.0, 5.0];
        assert_eq!(quantile(&numbers, 0.5), 3.0);
        assert_eq!(share_below(&numbers, 3.0), 0.5);
        assert_eq!(share_below(&numbers, 0.0), 0.0);
        assert_eq!(share_below(&numbers, 9.0), 1.0);
    }
}
