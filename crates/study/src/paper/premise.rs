//! The premise of the papers on PS*: that generated trees of some order R stand for trees of real games.
//!
//! The order of real trees is measured: how often the best move is in the first quarter of the moves, in the
//! order in which a bare search takes them, and how many moves there are. Trees of that width, order and
//! probability are generated, and the leaves of each search relative to alpha-beta's are set beside those
//! on the positions that were measured. Nobody had tested how well one predicts the other.
//!
//! Beside it stands what such a generator leaves out: how much alike the leaves below one node are, as the
//! share of the variance of all leaves that lies between their parents (the intraclass correlation).

use serde_json::{Value as Json, json};

use super::cells::{CellMeasure, MeasuredCell};
use super::claims::{Side, log_error};
use super::{Claim, Findings, PositionRun, Verdict};
use crate::experiment::{Mean, Ratio};
use crate::laboratory::count;
use crate::report::{Align, TextTable};
use plyground_core::tree::{GameTree, LabTree, MoveList, Synthetic, TreeOrdering, mix};
use plyground_engine::profile::Profile;
use plyground_search::algorithms::{AlphaBeta, Dual, Ps, Pvs, Sss};
use plyground_search::table::TableSize;
use plyground_search::{Algorithm, MemoryFunctions, Options, SearchSpec, Workspace};

/// The experiment's name in its data.
const NAME: &str = "premise";

/// The order R: the best move is looked for in the first `1/R` of the moves.
const ORDER: usize = 4;

/// Generated trees for each game.
const TREES: u64 = 20;

fn algorithms() -> [Algorithm; 5] {
    [AlphaBeta.into(), Pvs.into(), Sss.into(), Dual.into(), Ps::with_partitions(2).into()]
}

/// The order of real positions: the mean number of moves, and how often the best one is among the first.
struct RealOrder {
    width: f64,
    probability: f64,
}

fn order(run: &PositionRun<'_>, depth: u32) -> anyhow::Result<Option<RealOrder>> {
    let options = Options {
        memory: MemoryFunctions::TABLE | MemoryFunctions::HISTORY,
        table: Some(TableSize::of_entries(1 << 16)),
        deepening: true,
        limits: run.run.limits(),
        ..Options::to_depth(depth)
    };
    let spec = SearchSpec::check(&Pvs.into(), options)?;
    let engine = Profile::plain(run.game);
    let mut workspace = Workspace::new();
    let (mut widths, mut first) = (Vec::new(), Mean::default());
    for position in &run.positions {
        let moves = run.game.start(position)?.legal_moves();
        let outcome =
            run.game.tree(position, &engine.evaluator)?.search(&mut workspace, &spec, None)?;
        if outcome.stopped.is_some() {
            return Ok(None);
        }
        let place = moves.iter().position(|mv| Some(mv) == outcome.best.as_ref());
        let leading = (moves.len() / ORDER).max(1);
        if let Some(place) = place {
            first.add(if place < leading { 1.0 } else { 0.0 });
            widths.push(moves.len() as f64);
        }
    }
    let width = Ratio::of(widths).map_or(1.0, |ratio| ratio.mean);
    Ok(Some(RealOrder { width, probability: first.mean() }))
}

/// Groups of leaves that are looked at for each position or tree.
const GROUPS: u64 = 4;

/// The share of the variance of leaves that lies between groups, by the analysis of variance; `None` for too
/// few groups.
fn correlation(groups: &[Vec<f64>]) -> Option<f64> {
    let groups: Vec<&Vec<f64>> = groups.iter().filter(|group| group.len() > 1).collect();
    let (count, all) = (groups.len(), groups.iter().map(|group| group.len()).sum::<usize>());
    if count < 2 {
        return None;
    }
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    let whole = groups.iter().map(|group| group.iter().sum::<f64>()).sum::<f64>() / all as f64;
    let (mut between, mut within, mut squares) = (0.0, 0.0, 0.0);
    for group in groups {
        let (own, size) = (mean(group), group.len() as f64);
        between += size * (own - whole).powi(2);
        within += group.iter().map(|x| (x - own).powi(2)).sum::<f64>();
        squares += size * size;
    }
    let (between, within) = (between / (count - 1) as f64, within / (all - count) as f64);
    let size = (all as f64 - squares / all as f64) / (count - 1) as f64;
    let total = between + (size - 1.0) * within;
    (total > 0.0).then(|| (between - within) / total)
}

/// How much alike the leaves below a node are on real positions, each position on its own: walks in random
/// moves to one ply above the horizon, and the evaluations of all moves there.
fn alike(run: &PositionRun<'_>, depth: u32) -> anyhow::Result<Mean> {
    let evaluator = Profile::plain(run.game).evaluator;
    let mut found = Mean::default();
    for (number, position) in run.positions.iter().enumerate() {
        let mut groups = Vec::new();
        for walk in 0..GROUPS {
            let mut line = run.game.start(position)?;
            for ply in 1..depth {
                let moves = line.legal_moves();
                let word = mix(mix(run.run.seed, number as u64), (walk << 8) | u64::from(ply));
                let Some(mv) = moves.get(word as usize % moves.len().max(1)) else { break };
                line.play(mv)?;
            }
            let mut group = Vec::new();
            for mv in line.legal_moves() {
                let mut next = line.boxed();
                next.play(&mv)?;
                group.push(f64::from(run.game.tree(&next.position(), &evaluator)?.evaluate()));
            }
            groups.push(group);
        }
        if let Some(correlation) = correlation(&groups) {
            found.add(correlation);
        }
    }
    Ok(found)
}

/// The same on generated trees.
fn alike_generated(tree: &Synthetic, run: &PositionRun<'_>) -> Mean {
    let mut found = Mean::default();
    for number in 0..TREES {
        let tree: LabTree = tree.reseeded(mix(run.run.seed, number)).into();
        let mut groups = Vec::new();
        for walk in 0..GROUPS {
            let mut node = tree.root();
            let mut moves = <LabTree as GameTree>::Moves::default();
            for ply in 1..tree.height() as u64 {
                tree.moves(&node, &mut moves);
                let word = mix(mix(run.run.seed, number), (walk << 8) | ply);
                node = tree.child(&node, moves.at(word as usize % moves.len().max(1)));
            }
            tree.moves(&node, &mut moves);
            let leaf = |i| f64::from(tree.evaluate(&tree.child(&node, moves.at(i))));
            groups.push((0..moves.len()).map(leaf).collect());
        }
        if let Some(correlation) = correlation(&groups) {
            found.add(correlation);
        }
    }
    found
}

/// The experiment on one game, to one depth.
pub fn premise(run: &PositionRun<'_>, depth: u32) -> anyhow::Result<Findings> {
    let mut found = Findings::default();
    let all = 2 * algorithms().len() as u64;
    run.run.progress.begin(all, "searches");
    let mut done = 0;
    if let Some(order) = order(run, depth.min(5))? {
        let width = (order.width.round() as usize).max(2);
        let ordering =
            TreeOrdering::Probable { order: ORDER.min(width), probability: order.probability };
        let tree = Synthetic::ordered(width, depth as usize, 1000, 500, 0, ordering)?;
        let (alike, alike_generated) = (alike(run, depth)?, alike_generated(&tree, run));
        let mut cells: Vec<MeasuredCell> = Vec::new();
        let mut generated: Vec<Vec<f64>> = Vec::new();
        for algorithm in algorithms() {
            let mut engine = Profile::plain(run.game);
            engine.limits = run.run.limits();
            engine.algorithm = algorithm.clone();
            let line = algorithm.name();
            let Some(cell) = run.cell(NAME, (&line, 0), &engine, depth)? else { break };
            run.run.progress.step();
            let spec = SearchSpec::new(&algorithm, depth).within(run.run.limits());
            let mut leaves = Vec::new();
            for i in 0..run.run.count.unwrap_or(TREES).min(TREES) {
                let sample = count(&tree.reseeded(mix(run.run.seed, i)).into(), &spec)?;
                leaves.push(sample.counts.evaluations as f64);
            }
            run.run.progress.step();
            done += 2;
            cells.push(cell);
            generated.push(leaves);
        }
        for (cell, leaves) in cells.iter().zip(&generated).skip(1) {
            let real = cell.paired(&cells[0], CellMeasure::Evaluations);
            let made = Ratio::of(leaves.iter().zip(&generated[0]).map(|(a, b)| a / b));
            let (Some(real), Some(made)) = (real, made) else { continue };
            found.rows.push(json!({
                "experiment": NAME,
                "game": run.game.name(),
                "depth": depth,
                "algorithm": cell.algorithm,
                "line": cell.line,
                "width": order.width,
                "order": ORDER,
                "probability": order.probability,
                "correlation": alike.mean(),
                "correlation_error": alike.error(),
                "correlation_generated": alike_generated.mean(),
                "correlation_generated_error": alike_generated.error(),
                "positions": cell.evaluations.len(),
                "trees": leaves.len(),
                "real": real.ratio.mean,
                "real_low": real.bootstrap.0,
                "real_high": real.bootstrap.1,
                "generated": made.mean,
                "generated_low": made.low,
                "generated_high": made.high,
            }));
        }
    }
    run.run.progress.end();
    found.note_work(done, all, "searches");
    if !found.rows.is_empty() {
        found.tables.push(table(&found.rows));
    }
    Ok(found)
}

fn table(rows: &[Json]) -> TextTable {
    let of = |row: &Json, key: &str| row[key].as_f64().unwrap_or(f64::NAN);
    let first = &rows[0];
    let mut table = TextTable::new(format!(
        "Do generated trees predict {}? Depth {}, leaves relative to alpha-beta's, bare",
        first["game"].as_str().unwrap_or(""),
        first["depth"]
    ));
    table.column("search", Align::Left);
    for name in ["real", "generated"] {
        table.column(name, Align::Right);
        table.column("95 %", Align::Left);
    }
    for row in rows {
        let interval = |what: &str| {
            format!(
                "{:.2}–{:.2}",
                of(row, &format!("{what}_low")),
                of(row, &format!("{what}_high"))
            )
        };
        table.row(vec![
            row["line"].as_str().unwrap_or("").into(),
            format!("{:.2}", of(row, "real")),
            interval("real"),
            format!("{:.2}", of(row, "generated")),
            interval("generated"),
        ]);
    }
    table.note(format!(
        "{} positions; width {:.1}, the best move in the first quarter with p = {:.2}; {} trees.",
        first["positions"],
        of(first, "width"),
        of(first, "probability"),
        first["trees"]
    ));
    table.note(format!(
        "Leaves of one node are alike: correlation {:.2} ± {:.2} on real positions, {:.2} ± {:.2} on the \
         generated trees.",
        of(first, "correlation"),
        1.96 * of(first, "correlation_error"),
        of(first, "correlation_generated"),
        1.96 * of(first, "correlation_generated_error")
    ));
    table
}

/// How near a prediction has to be.
const NEAR: f64 = 0.1;

/// What the experiment says of the premise.
pub(super) fn claims(rows: &[Json]) -> Vec<Claim> {
    let of = |row: &Json, key: &str| row[key].as_f64().unwrap_or(f64::NAN);
    // The more positions there are the less two numbers are the same: the claim is that they are near.
    let predicted = |row: &Json| {
        let error = |what: &str| {
            log_error((of(row, &format!("{what}_low")), of(row, &format!("{what}_high"))))
        };
        let apart = (of(row, "generated") / of(row, "real")).ln().abs();
        Side::of_difference(apart - NEAR.ln_1p(), error("real").hypot(error("generated")))
    };
    let told: Vec<String> = rows
        .iter()
        .map(|row| {
            format!(
                "{} {}: real {:.2} ({:.2}–{:.2}), generated {:.2} ({:.2}–{:.2})",
                row["game"].as_str().unwrap_or(""),
                row["line"].as_str().unwrap_or(""),
                of(row, "real"),
                of(row, "real_low"),
                of(row, "real_high"),
                of(row, "generated"),
                of(row, "generated_low"),
                of(row, "generated_high")
            )
        })
        .collect();
    let verdict = Verdict::of_intervals(rows.iter().map(predicted), "game and search");
    let text = "generated trees of the measured width and order predict the ratios on real games, within 10 %";
    let mut claims = vec![Claim::new("Srimani and Marsland", text, verdict, told.join("; "))];
    let mut ordered: Vec<String> = Vec::new();
    for row in rows.iter().filter(|row| row["probability"].is_number()) {
        let text = format!(
            "{} {}: p = {:.2} of {} positions, width {:.1}",
            row["game"].as_str().unwrap_or(""),
            row["depth"],
            of(row, "probability"),
            row["positions"],
            of(row, "width")
        );
        if !ordered.contains(&text) {
            ordered.push(text);
        }
    }
    if !ordered.is_empty() {
        claims.push(Claim::new(
            "Srimani and Marsland",
            "real game trees are not random: the best successor is among the first few",
            Verdict::Answered,
            format!("the best move is in the first quarter with {}", ordered.join("; ")),
        ));
    }
    let mut alike: Vec<String> = Vec::new();
    for row in rows.iter().filter(|row| row["correlation"].is_number()) {
        let half = |key: &str| 1.96 * of(row, key);
        let text = format!(
            "{}: real {:.2} ± {:.2}, generated {:.2} ± {:.2}",
            row["game"].as_str().unwrap_or(""),
            of(row, "correlation"),
            half("correlation_error"),
            of(row, "correlation_generated"),
            half("correlation_generated_error")
        );
        if !alike.contains(&text) {
            alike.push(text);
        }
    }
    if !alike.is_empty() {
        claims.push(Claim::new(
            "Srimani and Marsland",
            "how much alike the leaves of one node are, in real trees and in generated ones (left out)",
            Verdict::Answered,
            format!("intraclass correlation, {}", alike.join("; ")),
        ));
    }
    claims
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_are_alike_where_they_differ_by_their_parents_alone() {
        let alike = correlation(&[vec![1.0, 1.1, 0.9], vec![5.0, 5.1, 4.9], vec![9.0, 9.1]]);
        assert!(alike.unwrap() > 0.99, "{alike:?}");
        let strangers = correlation(&[vec![1.0, 9.0, 5.0], vec![1.0, 9.0, 5.0]]);
        assert!(strangers.unwrap() < 0.0, "{strangers:?}");
        assert_eq!(correlation(&[vec![1.0, 2.0]]), None);
    }

    #[test]
    fn a_prediction_is_near_whatever_the_number_of_positions() {
        let row = |generated: f64, width: f64| {
            json!({"game": "chess", "line": "SSS*", "real": 0.5, "real_low": 0.5 / width,
                   "real_high": 0.5 * width, "generated": generated, "generated_low": generated / width,
                   "generated_high": generated * width})
        };
        assert_eq!(claims(&[row(0.51, 1.01)])[0].verdict, Verdict::Held);
        assert_eq!(claims(&[row(0.7, 1.01)])[0].verdict, Verdict::NotHeld);
        let both = &claims(&[row(0.7, 1.01), row(0.5, 1.01)])[0];
        assert_eq!(both.verdict, Verdict::DependsOn("game and search".into()));
        let told = "real 0.50 (0.50–0.51), generated 0.70 (0.69–0.71)";
        assert!(both.numbers.contains(told), "{both:?}");
        // What is not known well neither predicts nor fails to.
        let vague = &claims(&[row(0.5, 1.5)])[0];
        assert_eq!(vague.verdict, Verdict::DependsOn("more cases".into()));
    }
}
