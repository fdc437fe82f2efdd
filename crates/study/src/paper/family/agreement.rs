//! How often each search chooses the move of a deep search, by the nodes that it may visit.

use serde_json::json;

use super::{HORIZON, choosers, engine, references, remarkable};
use crate::experiment::{share_interval, sign_test};
use crate::paper::{Findings, PositionRun};
use crate::report::plot::{Plot, Series};
use crate::report::{Align, TextTable, thousands};
use plyground_engine::profile::Weights;
use plyground_search::algorithms::Pvs;
use plyground_search::{Algorithm, MemoryFunctions, Options, SearchSpec, Workspace};

/// How much the nodes grow from column to column.
const STEP: u64 = 4;

/// The share of positions in which each search chooses the move of a deep PVS.
pub(super) fn agreement(run: &PositionRun<'_>, nodes: u64) -> anyhow::Result<Findings> {
    let game = run.game;
    let depth = run.depth.unwrap_or(game.depths().table);
    let budgets = [nodes / STEP / STEP, nodes / STEP, nodes, nodes * STEP].map(|n| n.max(50));
    let algorithms: Vec<Algorithm> = references().into_iter().chain(choosers()).collect();
    let all = run.positions.len() as u64;
    run.run.progress.begin(all, "positions");
    let mut agreed: Vec<[Vec<bool>; 4]> = vec![Default::default(); algorithms.len()];
    let mut workspace = Workspace::new();
    let mut done = 0;
    'all: for position in &run.positions {
        let tree = game.tree(position, &Weights::Standard)?;
        let options = Options {
            memory: MemoryFunctions::TABLE | MemoryFunctions::HISTORY,
            deepening: true,
            limits: run.run.limits(),
            ..Options::to_depth(depth)
        };
        let deep = tree.search(&mut workspace, &SearchSpec::check(&Pvs.into(), options)?, None)?;
        let mut now = vec![[false; 4]; algorithms.len()];
        for (row, algorithm) in algorithms.iter().enumerate() {
            for (column, &budget) in budgets.iter().enumerate() {
                let spec = engine(run, algorithm, budget).spec(HORIZON.min(game.deepest()))?;
                let outcome = tree.search(&mut workspace, &spec, None)?;
                if run.run.flag.is_raised() {
                    break 'all;
                }
                now[row][column] = outcome.best.is_some() && outcome.best == deep.best;
            }
        }
        for (sums, now) in agreed.iter_mut().zip(now) {
            for (all, agrees) in sums.iter_mut().zip(now) {
                all.push(agrees);
            }
        }
        done += 1;
        run.run.progress.step();
    }
    run.run.progress.end();
    let mut found = Findings::default();
    found.note_work(done, all, "positions");
    if done == 0 {
        return Ok(found);
    }
    let count = |agrees: &[bool]| agrees.iter().filter(|agrees| **agrees).count();
    let percent = |agrees: &[bool]| 100.0 * count(agrees) as f64 / done as f64;
    let title = format!("The move of PVS at depth {depth} on {game}, % of {done} positions");
    let mut table = TextTable::new(title);
    table.column("nodes", Align::Left);
    for budget in budgets {
        table.group(thousands(budget as f64, 0), Align::Right);
        table.column("95 %", Align::Left);
    }
    // All comparisons with the first line at equal nodes are one family.
    let changes = agreed.iter().skip(1).flat_map(|row| {
        row.iter().zip(&agreed[0]).map(|(own, theirs)| {
            let pairs = || own.iter().zip(theirs);
            let gained = pairs().filter(|(own, theirs)| **own && !**theirs).count();
            let lost = pairs().filter(|(own, theirs)| !**own && **theirs).count();
            sign_test(gained as u64, lost as u64)
        })
    });
    let mut stars = remarkable(changes).into_iter();
    for (i, (algorithm, row)) in algorithms.iter().zip(&agreed).enumerate() {
        let mut cells = vec![algorithm.name()];
        for (agrees, &budget) in row.iter().zip(&budgets) {
            let star = if i > 0 && stars.next() == Some(true) { "*" } else { "" };
            let (low, high) = share_interval(count(agrees) as f64, done as f64);
            cells.push(format!("{}{star}", thousands(percent(agrees), 0)));
            cells.push(format!("{:.0}–{:.0}", 100.0 * low, 100.0 * high));
            found.rows.push(json!({
                "experiment": "family-agreement", "game": game.name(),
                "algorithm": algorithm.to_string(), "nodes": budget, "positions": done,
                "agreed": count(agrees), "depth": depth, "each": agrees,
            }));
        }
        table.row(cells);
    }
    table.note(format!(
        "* differs from {} at equal nodes by sign tests with Holm's correction.",
        algorithms[0].name()
    ));
    let gained = |row: &[Vec<bool>; 4]| percent(&row[3]) - percent(&row[0]);
    let most =
        (algorithms.iter().zip(&agreed)).max_by(|(_, a), (_, b)| gained(a).total_cmp(&gained(b)));
    if let Some((algorithm, row)) = most {
        table.note(format!(
            "{} gains most by more nodes: {:+.0} points from the first column to the last.",
            algorithm.name(),
            gained(row)
        ));
    }
    found.tables.push(table);
    let interval = |agrees: &[bool]| {
        let (low, high) = share_interval(count(agrees) as f64, done as f64);
        (100.0 * low, 100.0 * high)
    };
    let series = algorithms.iter().zip(&agreed).map(|(algorithm, row)| Series {
        name: algorithm.name(),
        points: budgets.iter().zip(row).map(|(&n, all)| (n as f64, percent(all))).collect(),
        intervals: row.iter().map(|all| interval(all)).collect(),
        ..Series::default()
    });
    let plot = Plot {
        title: format!("Agreement with PVS at depth {depth} on {game}"),
        x_label: "nodes".into(),
        y_label: "% of positions".into(),
        log_x: true,
        series: series.collect(),
        apart: true,
        note: Some("Shares of positions, with Wilson's intervals".into()),
        ..Plot::default()
    };
    found.plots.push((format!("family-{game}-agreement"), plot));
    Ok(found)
}
