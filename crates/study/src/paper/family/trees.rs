//! Random trees: how many leaves it takes to find the value, and what a threshold on conspirators costs.

use serde_json::json;

use crate::experiment::{Mean, PairedRatio};
use crate::laboratory::search;
use crate::paper::findings::{STARRED, starred};
use crate::paper::{Findings, PaperRun, means};
use crate::report::plot::{Plot, Series};
use crate::report::{Align, TextTable, thousands};
use plyground_core::limits::Stop;
use plyground_core::tree::{GameTree, LabTree, MoveList, Synthetic, mix};
use plyground_core::value::Value;
use plyground_search::algorithms::{
    AbCns, AlphaBeta, BStar, BestFirstMinimax, Cns, DfPn, PbStar, Pn, Pn2, Pvs, Sss, Uct,
};
use plyground_search::{Algorithm, SearchSpec};

/// The shapes: width and depth.
const SHAPES: [(usize, usize); 4] = [(2, 8), (3, 6), (5, 4), (8, 3)];

/// The trees of the thresholds.
const THRESHOLD_SHAPE: (usize, usize) = (4, 6);
const THRESHOLDS: [u8; 6] = [1, 2, 4, 8, 16, 64];

/// Values are 0 to 999, each leaf's its own.
const VALUES: Value = 1_000;

/// More conspirators than any tree has leaves.
pub(super) const EVERYONE: u32 = 1_000_000_000;

/// Searches that find the value or prove the best move on trees of which only the leaves are judged; the
/// first is what the others are compared with.
fn exact() -> Vec<Algorithm> {
    vec![
        AlphaBeta.into(),
        Pvs.into(),
        Sss.into(),
        AbCns { threshold: EVERYONE }.into(),
        Cns { threshold: u8::MAX }.into(),
        Pn.into(),
        DfPn { bytes: 1 << 20 }.into(),
        Pn2.into(),
        BStar.into(),
        PbStar.into(),
        Uct { exploration: 500 }.into(),
        BestFirstMinimax.into(),
    ]
}

/// The name of a search; that of all conspirators is not told by their number.
pub(super) fn label(algorithm: &Algorithm) -> String {
    algorithm.name().replace(&EVERYONE.to_string(), "∞")
}

/// The experiment on generated trees.
pub fn trees(run: &PaperRun<'_>) -> anyhow::Result<Findings> {
    let mut found = by_shape(run)?;
    if !run.flag.is_raised() {
        found.extend(by_threshold(run)?);
    }
    Ok(found)
}

/// What one search of a tree did.
struct Seen {
    leaves: Option<u64>,
    /// Does its best move have the minimax value?
    right: bool,
}

/// One search; `None` if it was interrupted.
fn seen(
    run: &PaperRun<'_>,
    tree: &LabTree,
    algorithm: &Algorithm,
    depth: u32,
) -> anyhow::Result<Option<Seen>> {
    let spec = SearchSpec::counted(algorithm, depth).within(run.limits());
    let outcome = search(tree, &spec, None)?;
    if outcome.stopped == Some(Stop::Flag) {
        return Ok(None);
    }
    let root = tree.root();
    let worth = |mv: u32| -minimax(tree, &tree.child(&root, mv));
    let right = outcome.best.is_some_and(|best| worth(best) == minimax(tree, &root));
    Ok(Some(Seen { leaves: outcome.counts.leaves, right }))
}

/// The value by the definition.
fn minimax(tree: &LabTree, node: &<LabTree as GameTree>::Node) -> Value {
    let mut moves = <LabTree as GameTree>::Moves::default();
    tree.moves(node, &mut moves);
    let values = (0..moves.len()).map(|i| -minimax(tree, &tree.child(node, moves.at(i))));
    values.max().unwrap_or_else(|| tree.evaluate(node))
}

fn by_shape(run: &PaperRun<'_>) -> anyhow::Result<Findings> {
    let algorithms = exact();
    let count = run.trees_a_cell();
    let all = count * SHAPES.len() as u64;
    run.progress.begin(all, "trees");
    let mut cells = vec![[(Mean::default(), 0_u64); SHAPES.len()]; algorithms.len()];
    let mut each: Vec<[Vec<u64>; SHAPES.len()]> = vec![Default::default(); algorithms.len()];
    let mut done = 0;
    'all: for (column, (width, depth)) in SHAPES.into_iter().enumerate() {
        let kind = Synthetic::independent(width, depth, VALUES, 0)?;
        for i in 0..count {
            let tree: LabTree = kind.reseeded(mix(run.seed, i)).into();
            for (row, algorithm) in algorithms.iter().enumerate() {
                let Some(seen) = seen(run, &tree, algorithm, depth as u32)? else { break 'all };
                cells[row][column].0.add_known(seen.leaves);
                cells[row][column].1 += u64::from(seen.right);
                each[row][column].push(seen.leaves.unwrap_or(0));
            }
            done += 1;
            run.progress.step();
        }
    }
    run.progress.end();
    let mut found = Findings::default();
    let title = format!("Leaves on trees with independent leaves, % of αβ, {count} trees");
    let mut table = TextTable::new(title);
    table.column("search", Align::Left);
    for (width, depth) in SHAPES {
        table.group(format!("T({width},{depth})"), Align::Right);
        table.column("95 %", Align::Left);
    }
    table.column("right move", Align::Right);
    let paired = |row: usize, column: usize| {
        let numbers = each[row][column].iter().zip(&each[0][column]);
        PairedRatio::of(numbers.map(|(a, b)| (*a as f64, *b as f64))).map(|p| p.scaled(100.0))
    };
    let percents: Vec<Vec<Option<PairedRatio>>> = (0..algorithms.len())
        .map(|row| (0..SHAPES.len()).map(|column| paired(row, column)).collect())
        .collect();
    for (i, ((algorithm, row), stars)) in
        algorithms.iter().zip(&cells).zip(starred(&percents)).enumerate()
    {
        let mut texts = vec![label(algorithm)];
        for (percent, star) in percents[i].iter().zip(stars) {
            let [mean, interval] = PairedRatio::cells(*percent, |x| thousands(x, 0));
            texts.push(if star { format!("{mean}*") } else { mean });
            texts.push(interval);
        }
        let searched: u64 = row.iter().map(|(mean, _)| mean.count()).sum();
        let right: u64 = row.iter().map(|(_, right)| right).sum();
        texts.push(format!("{:.0} %", 100.0 * right as f64 / searched.max(1) as f64));
        table.row(texts);
        for (column, (width, depth)) in SHAPES.into_iter().enumerate() {
            found.rows.push(json!({
                "experiment": "family-trees", "algorithm": algorithm.to_string(), "width": width,
                "depth": depth, "trees": row[column].0.count(), "leaves": row[column].0.mean(),
                "error": row[column].0.error(), "right": row[column].1, "each": each[i][column],
            }));
        }
    }
    table.note(STARRED);
    let leaves: Vec<String> = cells[0].iter().map(|(mean, _)| thousands(mean.mean(), 1)).collect();
    table.note(format!("100 % is, shape by shape, {} leaves.", leaves.join(" · ")));
    let sum = |row: &[(Mean, u64); SHAPES.len()]| -> f64 {
        row.iter().zip(&cells[0]).map(|((mean, _), (first, _))| mean.mean() / first.mean()).sum()
    };
    let searched =
        |row: &[(Mean, u64); SHAPES.len()]| row.iter().map(|(mean, _)| mean.count()).sum::<u64>();
    let certain = algorithms.iter().zip(&cells).filter(|(algorithm, row)| {
        let right: u64 = row.iter().map(|(_, right)| right).sum();
        algorithm.entry().tells_value() && right == searched(row)
    });
    if let Some((best, row)) = certain.min_by(|(_, a), (_, b)| sum(a).total_cmp(&sum(b))) {
        let percent = 100.0 * sum(row) / SHAPES.len() as f64;
        table.note(format!(
            "Fewest leaves for the value: {}, {percent:.0} % on average.",
            best.name()
        ));
    }
    table.note("Best-first minimax judges interior nodes, which means nothing on these trees.");
    found.tables.push(table);
    found.note_work(done, all, "trees");
    Ok(found)
}

fn by_threshold(run: &PaperRun<'_>) -> anyhow::Result<Findings> {
    let (width, depth) = THRESHOLD_SHAPE;
    let kind = Synthetic::independent(width, depth, VALUES, 0)?;
    let count = run.trees_a_cell();
    let all = count;
    run.progress.begin(all, "trees");
    let mut alpha_beta = Mean::default();
    let mut cells = vec![[(Mean::default(), 0_u64); 2]; THRESHOLDS.len()];
    let mut done = 0;
    'all: for i in 0..count {
        let tree: LabTree = kind.reseeded(mix(run.seed, 1 << 32 | i)).into();
        let Some(first) = seen(run, &tree, &AlphaBeta.into(), depth as u32)? else { break };
        alpha_beta.add_known(first.leaves);
        for (row, threshold) in THRESHOLDS.into_iter().enumerate() {
            let both: [Algorithm; 2] =
                [Cns { threshold }.into(), AbCns { threshold: threshold.into() }.into()];
            for (column, algorithm) in both.iter().enumerate() {
                let Some(seen) = seen(run, &tree, algorithm, depth as u32)? else { break 'all };
                cells[row][column].0.add_known(seen.leaves);
                cells[row][column].1 += u64::from(seen.right);
            }
        }
        done += 1;
        run.progress.step();
    }
    run.progress.end();
    let mut found = Findings::default();
    found.note_work(done, all, "trees");
    let title = format!("Conspirators on T({width},{depth}), leaves in % of αβ, {}", means(count));
    let mut table = TextTable::new(title);
    table.column("T", Align::Right);
    for name in ["CNS(T)", "αβ-CNS(T)"] {
        table.group(name, Align::Right);
        table.column("right move", Align::Right);
    }
    let percent = |mean: &Mean| 100.0 * mean.mean() / alpha_beta.mean();
    let right = |cell: &(Mean, u64)| 100.0 * cell.1 as f64 / cell.0.count().max(1) as f64;
    for (threshold, row) in THRESHOLDS.into_iter().zip(&cells) {
        let mut texts = vec![threshold.to_string()];
        for (cell, id) in
            row.iter().zip([Cns { threshold }.into(), AbCns { threshold: threshold.into() }.into()])
        {
            let id: Algorithm = id;
            texts.push(thousands(percent(&cell.0), 0));
            texts.push(format!("{:.0} %", right(cell)));
            found.rows.push(json!({
                "experiment": "family-thresholds", "algorithm": id.to_string(), "width": width,
                "depth": depth, "trees": cell.0.count(), "leaves": cell.0.mean(), "right": cell.1,
            }));
        }
        table.row(texts);
    }
    let enough = THRESHOLDS.into_iter().zip(&cells).find(|(_, row)| right(&row[1]) >= 95.0);
    table.note(match enough {
        Some((threshold, row)) => format!(
            "αβ-CNS({threshold}) is right in {:.0} % of the trees with {:.0} % of αβ's leaves.",
            right(&row[1]),
            percent(&row[1].0)
        ),
        None => "No threshold here is right in 95 % of the trees.".into(),
    });
    found.tables.push(table);
    let series = ["CNS", "αβ-CNS"].into_iter().enumerate().map(|(column, name)| Series {
        name: name.into(),
        points: cells.iter().map(|row| (percent(&row[column].0), right(&row[column]))).collect(),
        labels: THRESHOLDS.map(|threshold| threshold.to_string()).into(),
        ..Series::default()
    });
    let plot = Plot {
        title: format!("Conspirators on T({width},{depth}): leaves and right moves, by T"),
        x_label: "leaves, % of αβ".into(),
        y_label: "right move, % of trees".into(),
        series: series.collect(),
        ..Plot::default()
    };
    found.plots.push(("family-thresholds".into(), plot));
    Ok(found)
}
