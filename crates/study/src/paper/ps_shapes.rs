//! Two questions that the PS* papers leave open, on real games: which shape of partitions is best where it
//! holds as many entries, and what PS* gains from several processors.

use std::num::NonZeroUsize;

use serde_json::json;

use super::real::{LabelledEngine, Runs};
use super::{Findings, PositionRun};
use crate::experiment::{Ratio, Record};
use crate::report::{Align, TextTable, thousands};
use plyground_engine::profile::Profile;
use plyground_search::algorithms::{ParPs, ParSss};
use plyground_search::{Algorithm, Options, Partitions, SearchSpec, Workspace};

/// Equal partitions and shapes: each shape's leaves relative to equal partitions that hold as many entries.
///
/// Position by position the leaves of equal partitions are a line over the entries that they hold, in
/// logarithms; what a shape takes is compared with that line at its own entries.
pub(super) fn shapes(
    run: &PositionRun<'_>,
    runs: &Runs,
    equal: &[LabelledEngine],
    shapes: &[LabelledEngine],
    depths: &[u32],
) -> Findings {
    let mut found = Findings::default();
    let mut table = TextTable::new(format!(
        "Shapes of partitions on {}: leaves relative to equal partitions that hold as many entries",
        run.game
    ));
    table.column("search", Align::Left);
    for depth in depths {
        table.group(format!("D={depth}"), Align::Right);
        table.column("95 %", Align::Left);
        table.column("entries", Align::Right);
    }
    for shape in shapes {
        let mut cells = vec![shape.label.clone()];
        for &depth in depths {
            let (mut ratios, mut entries) = (Vec::new(), Vec::new());
            for record in runs.of(shape, depth) {
                let same = |other: &&Record| other.setup.position == record.setup.position;
                let mut line: Vec<(f64, f64)> = equal
                    .iter()
                    .filter_map(|line| runs.of(line, depth).find(same))
                    .map(logarithms)
                    .collect();
                let (x, y) = logarithms(record);
                if let Some(there) = interpolate(&mut line, x) {
                    ratios.push((y - there).exp());
                    entries.push(x.exp());
                }
            }
            let ratio = Ratio::of(ratios);
            let held = Ratio::of(entries).map(|ratio| ratio.mean);
            cells.extend(Ratio::cells(ratio, |x| thousands(x, 2)));
            cells.push(held.map_or_else(|| "–".into(), |held| thousands(held, 0)));
            found.rows.push(json!({
                "figure": "ps-shapes",
                "game": run.game.name(),
                "line": shape.label,
                "depth": depth,
                "count": ratio.map_or(0, |ratio| ratio.count),
                "ratio": ratio.map(|ratio| ratio.mean),
                "low": ratio.map(|ratio| ratio.low),
                "high": ratio.map(|ratio| ratio.high),
                "entries": held,
            }));
        }
        table.row(cells);
    }
    table.note("Below 1 the shape is better than equal partitions of the same entries. Without memory or deepening.");
    found.tables.push(table);
    found
}

/// Entries and leaves of a search, as logarithms.
fn logarithms(record: &Record) -> (f64, f64) {
    let entries = record.peak_entries().max(1) as f64;
    (entries.ln(), (record.counts.evaluations.max(1) as f64).ln())
}

/// The line through these points at `x`; `None` outside them.
fn interpolate(points: &mut Vec<(f64, f64)>, x: f64) -> Option<f64> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points.dedup_by(|a, b| a.0 == b.0);
    let right = points.iter().position(|point| point.0 >= x)?;
    let (x1, y1) = points[right];
    if x1 == x {
        return Some(y1);
    }
    let (x0, y0) = *points.get(right.checked_sub(1)?)?;
    Some(y0 + (y1 - y0) * (x - x0) / (x1 - x0))
}

/// The numbers of simulated processors.
const PROCESSORS: [usize; 5] = [1, 2, 4, 8, 16];

/// Positions that parallel PS* is simulated on, at the most.
const POSITIONS: usize = 20;

/// Makes an algorithm for so many processors.
type Scheme = fn(NonZeroUsize, Partitions) -> Algorithm;

/// The least height of a node that gets a process. With the papers' 4, made for trees of depth 8 to 15, a search
/// to depth 4 would have a single process.
const SPAWN_HEIGHT: u32 = 2;

/// The speed-up of parallel PS*(K) over PS*(K), simulated, beside that of PARSSS*.
pub(super) fn parallel(run: &PositionRun<'_>, depth: u32) -> anyhow::Result<Findings> {
    let mut found = Findings::default();
    let partitions =
        |k: usize| Partitions::Count(NonZeroUsize::new(k).unwrap_or(NonZeroUsize::MIN));
    let schemes: [(&str, Scheme, Partitions); 3] = [
        ("PARSSS*", |threads, _| ParSss { threads }.into(), Partitions::ONE),
        ("PARPS*, K=2", |threads, partitions| ParPs { threads, partitions }.into(), partitions(2)),
        ("PARPS*, K=4", |threads, partitions| ParPs { threads, partitions }.into(), partitions(4)),
    ];
    let engine = Profile::plain(run.game);
    let step = run.positions.len().div_ceil(POSITIONS).max(1);
    let positions: Vec<&String> = run.positions.iter().step_by(step).collect();
    let mut table = TextTable::new(format!(
        "PS* by several processors on {} to depth {depth}, simulated, {} positions: speed-up over one",
        run.game,
        positions.len()
    ));
    table.column("search", Align::Left);
    for n in PROCESSORS {
        table.group(format!("N={n}"), Align::Right);
        table.column("95 %", Align::Left);
    }
    let mut workspace = Workspace::new();
    run.run.progress.begin((schemes.len() * PROCESSORS.len()) as u64, "cells");
    for (name, scheme, partitions) in schemes {
        let mut cells = vec![name.to_owned()];
        let mut alone: Vec<u64> = Vec::new();
        for n in PROCESSORS {
            let Some(threads) = NonZeroUsize::new(n) else { continue };
            let algorithm = scheme(threads, partitions.clone());
            let mut counts = Vec::new();
            for &position in &positions {
                let tree = run.game.tree(position, &engine.evaluator)?;
                let options = Options {
                    simulate: true,
                    spawn_height: Some(SPAWN_HEIGHT),
                    limits: run.run.limits(),
                    ..Options::to_depth(depth)
                };
                let spec = SearchSpec::check(&algorithm, options)?;
                let outcome = tree.search(&mut workspace, &spec, None)?;
                if run.run.flag.is_raised() {
                    run.run.progress.end();
                    return Ok(found);
                }
                counts.push(outcome.terminal_count.unwrap_or(0));
            }
            if n == 1 {
                alone.clone_from(&counts);
            }
            let ratio = Ratio::of(alone.iter().zip(&counts).map(|(a, b)| *a as f64 / *b as f64));
            cells.extend(Ratio::cells(ratio, |x| thousands(x, 2)));
            found.rows.push(json!({
                "figure": "ps-parallel",
                "game": run.game.name(),
                "line": name,
                "algorithm": algorithm.to_string(),
                "depth": depth,
                "processors": n,
                "terminal_counts": counts,
                "speed_up": ratio.map(|ratio| ratio.mean),
                "low": ratio.map(|ratio| ratio.low),
                "high": ratio.map(|ratio| ratio.high),
            }));
            run.run.progress.step();
        }
        table.row(cells);
    }
    run.run.progress.end();
    table.note("Time is counted in leaves (terminal counts). One processor is the serial search.");
    found.tables.push(table);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_through_points() {
        let mut points = vec![(2.0, 20.0), (0.0, 0.0), (1.0, 10.0), (1.0, 10.0)];
        assert_eq!(interpolate(&mut points, 1.5), Some(15.0));
        assert_eq!(interpolate(&mut points, 2.0), Some(20.0));
        assert_eq!(interpolate(&mut points, 3.0), None);
        assert_eq!(interpolate(&mut points, -1.0), None);
    }
}
