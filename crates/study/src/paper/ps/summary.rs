//! What tables 2 to 6 come to: where ours deviate from the printed ones, on how many trees PS* is worse than
//! alpha-beta, and what the searches cost in time.

use serde_json::{Value as Json, json};

use crate::experiment::{Ratio, share_interval};
use crate::laboratory::measure;
use crate::paper::{Findings, PaperRun};
use crate::report::{Align, TextTable, thousands};
use plyground_core::tree::{Synthetic, TreeOrdering, mix};
use plyground_search::algorithms::{AlphaBeta, Ps, Sss};
use plyground_search::{Algorithm, SearchAlgorithm, SearchSpec};

/// The number of partitions of a row: of SSS* it is 1; alpha-beta has none.
fn partitions(row: &Json) -> Option<u64> {
    let id = row["algorithm"].as_str()?;
    if id == Sss::ENTRY.id {
        return Some(1);
    }
    id.strip_prefix(Ps::ENTRY.id)?.strip_prefix(':')?.parse().ok()
}

/// A kind of cells, by its name and by what its rows have in common.
type CellKind = (&'static str, fn(&Json) -> bool);

/// Kinds of cells whose deviations may have a common cause.
const KINDS: [CellKind; 6] = [
    ("minimal trees", |row| row["order"] == row["width"]),
    ("ordered, p = 1, k ≤ R", |row| is_ordered(row) && is_whole(row) && within_order(row)),
    ("ordered, p = 1, k > R", |row| is_ordered(row) && is_whole(row) && !within_order(row)),
    ("ordered, p = 0.9", |row| is_ordered(row) && !is_whole(row)),
    ("random, w < 24", |row| row["order"] == 1 && row["width"].as_u64() < Some(24)),
    ("random, w ≥ 24", |row| row["order"] == 1 && row["width"].as_u64() >= Some(24)),
];

fn is_ordered(row: &Json) -> bool {
    row["order"] != 1 && row["order"] != row["width"]
}

fn is_whole(row: &Json) -> bool {
    row["prob"].as_f64() == Some(1.0)
}

fn within_order(row: &Json) -> bool {
    partitions(row).is_some_and(|k| Some(k) <= row["order"].as_u64())
}

/// The deviations from the printed tables by the kind of tree and search: what is systematic is named.
pub(super) fn deviations(rows: &[Json]) -> Option<TextTable> {
    let mut table =
        TextTable::new("Deviations from the printed leaves, by the kind of tree and of search");
    table.column("trees", Align::Left);
    for group in ["SSS*", "PS*(k), k > 1", "αβ"] {
        table.group(group, Align::Right);
        table.column("95 %", Align::Left);
    }
    let mut systematic = Vec::new();
    let mut any = false;
    for (name, of_kind) in KINDS {
        let mut cells = vec![name.to_owned()];
        for (search, wanted) in [
            ("SSS*", (|k| k == Some(1)) as fn(Option<u64>) -> bool),
            ("PS*(k)", |k| k.is_some_and(|k| k > 1)),
            ("αβ", |k| k.is_none()),
        ] {
            let chosen = rows
                .iter()
                .filter(|row| row["misprint"] == false && of_kind(row) && wanted(partitions(row)));
            let ratio = Ratio::of(
                chosen.filter_map(|row| Some(row["leaves"].as_f64()? / row["printed"].as_f64()?)),
            );
            let percent = |x: f64| format!("{:+.1}", 100.0 * (x - 1.0));
            let Some(ratio) = ratio else {
                cells.extend(["–".to_owned(), String::new()]);
                continue;
            };
            any = true;
            cells.push(percent(ratio.mean));
            cells.push(match ratio.count {
                1 => String::new(),
                _ => format!("{} to {}", percent(ratio.low), percent(ratio.high)),
            });
            if ratio.count > 1 && (ratio.high < 0.98 || ratio.low > 1.02) {
                systematic.push(format!("{name}, {search}: {} %", percent(ratio.mean)));
            }
        }
        table.row(cells);
    }
    table.note("Means over the cells of a kind in percent of the printed leaves, with their 95 % intervals.");
    table.note(match systematic.is_empty() {
        true => "No kind deviates by more than 2 % with certainty.".to_owned(),
        false => format!(
            "Systematic, by more than 2 % with certainty: {}. Our generator is a reconstruction, and this is \
             where it differs from theirs.",
            systematic.join("; ")
        ),
    });
    any.then_some(table)
}

/// On how many trees PS*(k) visits more leaves than alpha-beta.
pub(super) fn unfavourable(rows: &[Json]) -> Option<TextTable> {
    let phased = || rows.iter().filter(|row| partitions(row).is_some_and(|k| k > 1));
    let mut kinds: Vec<(u64, u64)> =
        phased().filter_map(|row| Some((row["width"].as_u64()?, row["depth"].as_u64()?))).collect();
    kinds.dedup();
    let mut table = TextTable::new("Trees on which PS*(k) visits more leaves than αβ, in percent");
    table.column("tree", Align::Left);
    for name in ["random", "R < k", "R ≥ k"] {
        table.group(name, Align::Right);
        table.column("95 %", Align::Left);
        table.column("searches", Align::Right);
    }
    for (width, depth) in kinds {
        let mut cells = vec![format!("T({width},{depth})")];
        for wanted in [
            (|order: u64, _: u64| order == 1) as fn(u64, u64) -> bool,
            |order, k| order > 1 && order < k,
            |order, k| order >= k,
        ] {
            let (mut above, mut trees) = (0.0, 0.0);
            for row in phased().filter(|row| row["width"] == width && row["depth"] == depth) {
                let order = row["order"].as_u64().unwrap_or(0);
                if wanted(order, partitions(row).unwrap_or(0)) && order < width {
                    let count = row["count"].as_f64().unwrap_or(0.0);
                    above += count * row["above_alpha_beta"].as_f64().unwrap_or(0.0);
                    trees += count;
                }
            }
            if trees == 0.0 {
                cells.extend(["–".to_owned(), String::new(), "0".into()]);
                continue;
            }
            let (low, high) = share_interval(above, trees);
            cells.push(thousands(100.0 * above / trees, 1));
            cells.push(format!("{:.1}–{:.1}", 100.0 * low, 100.0 * high));
            cells.push(thousands(trees, 0));
        }
        table.row(cells);
    }
    table.note("Wilson's intervals. A tree is searched with several k: these are not independent, and the true intervals wider.");
    table.note("The papers call such trees statistically insignificant.");
    (!rows.is_empty()).then_some(table)
}

/// The trees on which times are measured.
const TIMED: [(usize, usize, usize); 4] = [(32, 4, 1), (32, 4, 4), (8, 6, 1), (8, 6, 4)];
/// As many trees of each kind at the most.
const TIMED_TREES: u64 = 20;

/// Processor time of SSS* and PS*, a leaf and a tree, in units of alpha-beta's.
pub(super) fn times(run: &PaperRun<'_>) -> anyhow::Result<Findings> {
    let algorithms: Vec<Algorithm> = [AlphaBeta.into(), Sss.into()]
        .into_iter()
        .chain([2, 4].map(|k| Ps::with_partitions(k).into()))
        .collect();
    let mut found = Findings::default();
    let trees = run.trees_a_cell().min(TIMED_TREES);
    let mut table = TextTable::new(format!(
        "Processor time in units of αβ's: for each leaf, and for the whole tree, {trees} trees"
    ));
    table.column("search", Align::Left);
    let mut cells: Vec<Vec<String>> = algorithms.iter().map(|a| vec![a.name()]).collect();
    for (width, depth, order) in TIMED {
        let kind = if order == 1 { "random".into() } else { format!("R={order}") };
        table.group(format!("T({width},{depth}), {kind}"), Align::Right);
        table.column("95 %", Align::Left);
        table.column("tree", Align::Right);
        let ordering = TreeOrdering::Probable { order, probability: 1.0 };
        let tree = Synthetic::ordered(width, depth, 100, 50, 0, ordering)?;
        let mut ratios: Vec<(Vec<f64>, Vec<f64>)> = vec![Default::default(); algorithms.len()];
        for i in 0..trees {
            let tree = tree.reseeded(mix(run.seed, i)).into();
            let mut first = None;
            for (algorithm, (a_leaf, whole)) in algorithms.iter().zip(&mut ratios) {
                let spec = SearchSpec::new(algorithm, depth as u32).within(run.limits());
                let sample = measure(&tree, &spec)?;
                if run.stopped(&sample) {
                    return Ok(found);
                }
                let own = (sample.seconds, sample.counts.evaluations.max(1) as f64);
                let base = *first.get_or_insert(own);
                a_leaf.push((own.0 / own.1) / (base.0 / base.1));
                whole.push(own.0 / base.0);
            }
        }
        for ((algorithm, (a_leaf, whole)), cells) in algorithms.iter().zip(ratios).zip(&mut cells) {
            let (a_leaf, whole) = (Ratio::of(a_leaf), Ratio::of(whole));
            let digits = |x: f64| thousands(x, 2);
            cells.extend(Ratio::cells(a_leaf, digits));
            cells.push(Ratio::cells(whole, digits)[0].clone());
            found.rows.push(json!({
                "times": true,
                "width": width,
                "depth": depth,
                "order": order,
                "algorithm": algorithm.to_string(),
                "count": trees,
                "time_a_leaf": a_leaf.map(|r| r.mean),
                "time_a_leaf_low": a_leaf.map(|r| r.low),
                "time_a_leaf_high": a_leaf.map(|r| r.high),
                "time": whole.map(|r| r.mean),
                "time_low": whole.map(|r| r.low),
                "time_high": whole.map(|r| r.high),
            }));
        }
    }
    cells.into_iter().for_each(|cells| table.row(cells));
    table.note("The papers: PS* needs less time than SSS*. A leaf costs next to nothing here.");
    found.tables.push(table);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(algorithm: &str, order: u64, leaves: f64, printed: f64) -> Json {
        json!({"algorithm": algorithm, "width": 32, "depth": 4, "order": order, "prob": 1.0,
               "misprint": false, "leaves": leaves, "printed": printed, "count": 100,
               "above_alpha_beta": 0.1})
    }

    #[test]
    fn what_is_systematic_is_named() {
        let rows = [
            cell("ps:2", 1, 930.0, 1000.0),
            cell("ps:4", 1, 931.0, 1000.0),
            cell("ps:8", 1, 929.0, 1000.0),
            cell("sss", 1, 1001.0, 1000.0),
            cell("sss", 1, 999.0, 1000.0),
        ];
        let text = deviations(&rows).unwrap().to_text(usize::MAX);
        assert!(text.contains("random, w ≥ 24, PS*(k): -7.0 %"), "{text}");
        assert!(!text.contains("random, w ≥ 24, SSS*:"), "{text}");
        let text = unfavourable(&rows).unwrap().to_text(usize::MAX);
        assert!(text.contains("T(32,4)") && text.contains("10.0"), "{text}");
        assert!(deviations(&[]).is_none());
    }
}
