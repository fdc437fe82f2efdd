//! How often each search chooses the move of a deep search, by the nodes that it may visit.

use serde_json::json;

use super::{HORIZON, choosers, engine, references};
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
    let mut agreed = vec![[0_u64; 4]; algorithms.len()];
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
            for (sum, agrees) in sums.iter_mut().zip(now) {
                *sum += u64::from(agrees);
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
    let percent = |sum: u64| 100.0 * sum as f64 / done as f64;
    let title = format!("The move of PVS at depth {depth} on {game}, % of {done} positions");
    let mut table = TextTable::new(title);
    table.column("nodes", Align::Left);
    for budget in budgets {
        table.column(thousands(budget as f64, 0), Align::Right);
    }
    for (algorithm, sums) in algorithms.iter().zip(&agreed) {
        let cells = sums.iter().map(|&sum| thousands(percent(sum), 0));
        table.row([algorithm.name()].into_iter().chain(cells).collect());
        for (&sum, &budget) in sums.iter().zip(&budgets) {
            found.rows.push(json!({
                "experiment": "family-agreement", "game": game.name(),
                "algorithm": algorithm.to_string(), "nodes": budget, "positions": done,
                "agreed": sum, "depth": depth,
            }));
        }
    }
    // The half-width of a 95 % interval at one half.
    let error = 98.0 / (done as f64).sqrt();
    table.note(format!("With {done} positions a share is known to about ±{error:.0} points."));
    let gained = |sums: &[u64; 4]| percent(sums[3]) - percent(sums[0]);
    let most =
        (algorithms.iter().zip(&agreed)).max_by(|(_, a), (_, b)| gained(a).total_cmp(&gained(b)));
    if let Some((algorithm, sums)) = most {
        table.note(format!(
            "{} gains most by more nodes: {:+.0} points from the first column to the last.",
            algorithm.name(),
            gained(sums)
        ));
    }
    found.tables.push(table);
    let series = algorithms.iter().zip(&agreed).map(|(algorithm, sums)| Series {
        name: algorithm.name(),
        points: budgets.iter().zip(sums).map(|(&n, &sum)| (n as f64, percent(sum))).collect(),
        ..Series::default()
    });
    let plot = Plot {
        title: format!("Agreement with PVS at depth {depth} on {game}"),
        x_label: "nodes".into(),
        y_label: "% of positions".into(),
        log_x: true,
        series: series.collect(),
        ..Plot::default()
    };
    found.plots.push((format!("family-{game}-agreement"), plot));
    Ok(found)
}
