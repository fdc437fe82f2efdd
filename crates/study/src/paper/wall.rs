//! The refutation wall (Marsland, Reinefeld and Schaeffer 1987, named by de Bruin, Pijls and Plaat 1994 beside
//! their figure 10): what a single null-window call costs, by the distance of its bound from the value.

use serde_json::{Value as Json, json};

use super::calls::CallWatch;
use super::claims::Side;
use super::{Claim, Findings, PositionRun, Verdict};
use crate::experiment::PairedRatio;
use crate::report::plot::{Plot, Series};
use crate::report::{Align, TextTable};
use plyground_core::limits::StopFlag;
use plyground_core::value::Value;
use plyground_engine::profile::Profile;
use plyground_search::algorithms::{MtdF, Pvs};
use plyground_search::{Algorithm, Options, SearchSpec, Workspace};

/// The experiment's name in its data.
const NAME: &str = "refutation-wall";

/// The bounds, as distances from the value: at 0 the call proves that the position is worth as much, at 1
/// that it is not worth more.
const DISTANCES: [Value; 12] = [-800, -400, -200, -100, -50, -20, 0, 1, 50, 100, 400, 800];

/// The most positions: the wall is steep.
const POSITIONS: usize = 40;

/// Single calls on positions of a game, to one depth.
pub(super) fn wall(run: &PositionRun<'_>, depth: u32) -> anyhow::Result<Findings> {
    let mut found = Findings::default();
    let engine = Profile::plain(run.game);
    let mut workspace = Workspace::new();
    let mut visits: Vec<Vec<u64>> = vec![Vec::new(); DISTANCES.len()];
    let step = run.positions.len().div_ceil(POSITIONS).max(1);
    let positions: Vec<&String> = run.positions.iter().step_by(step).collect();
    run.run.progress.begin(positions.len() as u64, "positions");
    let mut done = 0;
    'all: for &position in &positions {
        let tree = run.game.tree(position, &engine.evaluator)?;
        let spec = SearchSpec::new(&Pvs.into(), depth).within(run.run.limits());
        let Some(value) = tree.search(&mut workspace, &spec, None)?.value else { break };
        let mut nodes = Vec::new();
        for distance in DISTANCES {
            let flag = StopFlag::new();
            let watch = CallWatch::first(&flag);
            let mut options = Options::to_depth(depth);
            options.limits.flag = flag;
            let algorithm: Algorithm = MtdF { guess: Some(value + distance) }.into();
            let spec = SearchSpec::check(&algorithm, options)?;
            tree.search(&mut workspace, &spec, Some(watch.watcher()))?;
            if run.run.flag.is_raised() {
                break 'all;
            }
            nodes.extend(watch.calls().first().map(|call| call.nodes));
        }
        if nodes.len() == DISTANCES.len() {
            visits.iter_mut().zip(nodes).for_each(|(all, nodes)| all.push(nodes));
        }
        done += 1;
        run.run.progress.step();
    }
    run.run.progress.end();
    found.note_work(done, positions.len() as u64, "positions");
    for (distance, visits) in DISTANCES.into_iter().zip(&visits) {
        found.rows.push(json!({
            "figure": NAME, "game": run.game.name(), "depth": depth, "distance": distance,
            "visits": visits,
        }));
    }
    present(&mut found);
    Ok(found)
}

/// The calls at each distance beside the call at the value, which proves it from below.
fn ratios(rows: &[Json], game: &str) -> Vec<(f64, PairedRatio)> {
    ratios_to(rows, game, 0)
}

/// The calls at each distance beside the one at this distance.
fn ratios_to(rows: &[Json], game: &str, distance: i32) -> Vec<(f64, PairedRatio)> {
    let here = || rows.iter().filter(|row| row["figure"] == NAME && row["game"] == game);
    let visits = |row: &Json| -> Vec<f64> {
        row["visits"].as_array().into_iter().flatten().filter_map(Json::as_f64).collect()
    };
    let Some(base) = here().find(|row| row["distance"] == distance).map(visits) else {
        return Vec::new();
    };
    here()
        .filter_map(|row| {
            let paired = PairedRatio::of(visits(row).into_iter().zip(base.iter().copied()))?;
            Some((row["distance"].as_f64()?, paired))
        })
        .collect()
}

fn present(found: &mut Findings) {
    let Some(first) = found.rows.first().cloned() else { return };
    let (game, depth) = (first["game"].as_str().unwrap_or("").to_owned(), first["depth"].clone());
    let ratios = ratios(&found.rows, &game);
    if ratios.is_empty() {
        return;
    }
    let positions = first["visits"].as_array().map_or(0, Vec::len);
    let title = format!("The refutation wall on {game} to depth {depth}, {positions} positions");
    let mut table =
        TextTable::new(format!("{title}: visits of single null-window calls, × that at the value"));
    table.column("bound − value", Align::Right);
    table.column("visits", Align::Right);
    table.column("95 %", Align::Left);
    for (distance, paired) in &ratios {
        let (low, high) = paired.bootstrap;
        table.row(vec![
            format!("{distance:.0}"),
            format!("{:.2}", paired.ratio.mean),
            if *distance == 0.0 { String::new() } else { format!("{low:.2}–{high:.2}") },
        ]);
    }
    table.note("Without memory or deepening. Up to 0 the call succeeds, from 1 on it refutes.");
    found.tables.push(table);
    let ticks = ratios.iter().enumerate().map(|(x, (d, _))| (x as f64, format!("{d:.0}")));
    found.plots.push((
        format!("wall-{game}"),
        Plot {
            title,
            x_label: "bound − value".into(),
            y_label: "visits, × the call at the value".into(),
            log_y: true,
            series: vec![Series {
                name: "one call".into(),
                points: (0..)
                    .map(f64::from)
                    .zip(ratios.iter().map(|(_, p)| p.ratio.mean))
                    .collect(),
                intervals: ratios.iter().map(|(_, paired)| paired.bootstrap).collect(),
                ..Series::default()
            }],
            x_ticks: Some(ticks.collect()),
            ..Plot::default()
        },
    ));
}

/// Does a call cost more the nearer its bound is to the value?
pub(super) fn claims(rows: &[Json]) -> Vec<Claim> {
    let mut games: Vec<&str> = (rows.iter().filter(|row| row["figure"] == NAME))
        .filter_map(|row| row["game"].as_str())
        .collect();
    games.dedup();
    let (mut steep, mut numbers) = (Vec::new(), Vec::new());
    for game in games {
        // Calls that succeed beside the one that proves the value, and calls that refute beside the one that
        // proves that there is no more.
        let (below, above) = (ratios_to(rows, game, 0), ratios_to(rows, game, 1));
        let (Some(lowest), Some(highest)) = (below.first(), above.last()) else { continue };
        for (distance, paired) in [lowest, highest] {
            steep.push(Side::of(paired, 1.0, true));
            let (low, high) = paired.bootstrap;
            numbers.push(format!(
                "{game}, {distance:+.0}: {:.2} ({low:.2}–{high:.2})",
                paired.ratio.mean
            ));
        }
    }
    if numbers.is_empty() {
        return Vec::new();
    }
    let text = "the refutation wall: a null-window call far from the value costs less than the nearest one on \
                its side";
    let numbers = format!(
        "visits relative to the calls at the value and just above it: {}",
        numbers.join("; ")
    );
    let verdict = Verdict::of_intervals(steep, "the side of the value and the game");
    let positions = rows.iter().filter(|row| row["figure"] == NAME);
    let positions = positions.filter_map(|row| Some(row["visits"].as_array()?.len() as u64)).max();
    vec![Claim::new("de Bruin, Pijls and Plaat", text, verdict, numbers).on_positions(positions)]
}
