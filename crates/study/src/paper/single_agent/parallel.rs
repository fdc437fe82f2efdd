//! PIDA*, parallel window search and PIA*.

use std::num::NonZeroUsize;

use serde_json::json;

use super::super::Findings;
use super::Runner;
use crate::experiment::Mean;
use crate::report::plot::{Plot, Series};
use crate::report::{Align, TextTable, thousands};
use plyground_puzzles::sliding::Shape;
use plyground_puzzles::{Domain, Instance};
use plyground_search::single_agent::{AStar, Ida, ParallelWindow, Pia, Pida};

/// PIDA*'s speed-up in the survey: 0.93 N.
const PRINTED: f64 = 0.93;

fn threads(processes: usize) -> NonZeroUsize {
    NonZeroUsize::MIN.saturating_add(processes - 1)
}

/// The speed-up of PIDA* in simulation.
pub(super) fn stealing(runner: &Runner<'_, '_>) -> anyhow::Result<Findings> {
    let processes = runner.processes();
    // For each number of processes: to all solutions, and to the first.
    let mut means: Vec<[Mean; 2]> = processes.iter().map(|_| Default::default()).collect();
    let mut done = 0;
    runner.run.progress.begin(runner.count(), "puzzles");
    'all: for instance in runner.puzzles()? {
        for (kind, all) in [true, false].into_iter().enumerate() {
            let Ok(serial) = runner.solve(&instance, &Ida.into(), (all, false))? else {
                break 'all;
            };
            if serial.stopped.is_some() {
                continue;
            }
            for (&n, mean) in processes.iter().zip(&mut means) {
                let pida = Pida { threads: threads(n) }.into();
                let Ok(solution) = runner.solve(&instance, &pida, (all, true))? else { break 'all };
                if let (None, Some(ticks)) = (solution.stopped, solution.ticks) {
                    mean[kind].add(serial.counts.expanded as f64 / ticks as f64 / n as f64);
                }
            }
        }
        done += 1;
        runner.run.progress.step();
    }
    runner.run.progress.end();
    let mut found = Findings::default();
    let mut table = TextTable::new(format!(
        "PIDA*(N): speed-up over N in simulation, means of {done} puzzles of 4x3"
    ));
    for name in ["N", "all solutions", "±", "first solution", "±", "printed"] {
        table.column(name, Align::Right);
    }
    let error = |mean: &Mean| mean.error().map_or_else(|| "–".into(), |error| thousands(error, 2));
    for (n, [all, first]) in processes.iter().zip(&means) {
        table.row(vec![
            n.to_string(),
            thousands(all.mean(), 2),
            error(all),
            thousands(first.mean(), 2),
            error(first),
            thousands(PRINTED, 2),
        ]);
        found.rows.push(json!({
            "table": "pida", "processes": n, "problems": all.count(), "all": all.mean(),
            "first": first.mean(), "printed": PRINTED,
        }));
    }
    let mut rows = processes.iter().zip(&means).rev();
    let above = rows.find(|(_, [all, _])| all.mean() >= PRINTED);
    table.note(match above {
        Some((n, _)) => format!("To all solutions it is {PRINTED} N or more up to N = {n}."),
        None => format!("To all solutions it is below {PRINTED} N everywhere."),
    });
    table.note(
        "Time is counted in ticks, in which every process expands at most one state; asking for work \
         takes a tick. To the first solution there are anomalies: the goal may come sooner or later.",
    );
    found.tables.push(table);
    let line = |name: &str, of: fn(&[Mean; 2]) -> &Mean| Series {
        name: name.into(),
        points: processes
            .iter()
            .zip(&means)
            .filter(|(_, means)| of(means).count() > 0)
            .map(|(n, means)| (*n as f64, *n as f64 * of(means).mean()))
            .collect(),
        ..Series::default()
    };
    let printed = Series {
        name: "0.93 N (printed)".into(),
        points: processes.iter().map(|n| (*n as f64, PRINTED * *n as f64)).collect(),
        reference: true,
        ..Series::default()
    };
    found.plots.push((
        "single-agent-pida".into(),
        Plot {
            title: "PIDA*: speed-up in simulation".into(),
            x_label: "processes".into(),
            y_label: "speed-up".into(),
            log_x: true,
            log_y: true,
            by_twos: true,
            series: vec![line("all solutions", |m| &m[0]), line("first", |m| &m[1]), printed],
            ..Plot::default()
        },
    ));
    found.note_work(done, runner.count(), "puzzles");
    Ok(found)
}

/// Korf's instances 45, 28, 31 and 85: some millions of states each.
const KORF: [&str; 4] = [
    "3 14 9 7 12 15 0 4 1 8 5 6 11 10 2 13",
    "13 14 6 12 4 5 1 0 9 3 10 2 15 11 8 7",
    "12 8 15 13 1 0 5 4 6 3 2 11 9 7 14 10",
    "4 7 13 10 1 2 9 6 12 8 14 5 3 0 11 15",
];

/// The speed-up of PIDA* on this machine's threads.
pub(super) fn measured(runner: &Runner<'_, '_>) -> anyhow::Result<Findings> {
    let most = std::thread::available_parallelism().map_or(1, NonZeroUsize::get).min(8);
    let processes: Vec<usize> = runner.processes().into_iter().filter(|n| *n <= most).collect();
    let mut means: Vec<Mean> = processes.iter().map(|_| Mean::default()).collect();
    let mut done = 0;
    let korf = &KORF[..if runner.quick { 1 } else { KORF.len() }];
    runner.run.progress.begin(korf.len() as u64, "puzzles");
    'all: for text in korf {
        let instance = Instance::parse(Domain::Sliding(Shape::FIFTEEN), text)?;
        let Ok(serial) = runner.solve(&instance, &Ida.into(), (true, false))? else { break };
        if serial.stopped.is_none() {
            for (&n, mean) in processes.iter().zip(&mut means) {
                let pida = Pida { threads: threads(n) }.into();
                let Ok(solution) = runner.solve(&instance, &pida, (true, false))? else {
                    break 'all;
                };
                mean.add(serial.time.as_secs_f64() / solution.time.as_secs_f64().max(1e-9));
            }
        }
        done += 1;
        runner.run.progress.step();
    }
    runner.run.progress.end();
    let mut found = Findings::default();
    let mut table = TextTable::new(format!(
        "PIDA*(N): speed-up on threads, all solutions, means of {done} of Korf's instances"
    ));
    for name in ["N", "speed-up", "±", "0.93 N"] {
        table.column(name, Align::Right);
    }
    for (&n, mean) in processes.iter().zip(&means) {
        table.row(vec![
            n.to_string(),
            thousands(mean.mean(), 2),
            mean.error().map_or_else(|| "–".into(), |error| thousands(error, 2)),
            thousands(PRINTED * n as f64, 2),
        ]);
        found.rows.push(json!({
            "table": "pida-threads", "processes": n, "problems": mean.count(), "speedup": mean.mean(),
        }));
    }
    table.note("Times of this machine: other work on it makes them worse.");
    found.tables.push(table);
    found.note_work(done, korf.len() as u64, "puzzles");
    Ok(found)
}

/// Parallel window search: the first solution, the best one, and the proof.
pub(super) fn windows(runner: &Runner<'_, '_>) -> anyhow::Result<Findings> {
    let processes: Vec<usize> = runner.processes().into_iter().filter(|n| *n <= 16).collect();
    // The first solution's time and cost above the optimum; the best one's time; the end.
    let mut means: Vec<[Mean; 4]> = processes.iter().map(|_| Default::default()).collect();
    let mut done = 0;
    runner.run.progress.begin(runner.count(), "puzzles");
    'all: for instance in runner.puzzles()? {
        let Ok(serial) = runner.solve(&instance, &Ida.into(), (false, false))? else { break };
        if serial.stopped.is_none() {
            for (&n, mean) in processes.iter().zip(&mut means) {
                let window = ParallelWindow { threads: threads(n) }.into();
                let Ok(solution) = runner.solve(&instance, &window, (false, true))? else {
                    break 'all;
                };
                let (first, best) = (solution.improvements.first(), solution.improvements.last());
                if let (None, Some(first), Some(best)) = (solution.stopped, first, best) {
                    let share = |tick: Option<u64>| {
                        tick.unwrap_or(0) as f64 / serial.counts.expanded.max(1) as f64
                    };
                    mean[0].add(share(first.tick));
                    mean[1].add(f64::from(first.cost - best.cost));
                    mean[2].add(share(best.tick));
                    mean[3].add(share(solution.ticks));
                }
            }
        }
        done += 1;
        runner.run.progress.step();
    }
    runner.run.progress.end();
    let mut found = Findings::default();
    let mut table = TextTable::new(format!(
        "Window search(N): time in shares of IDA*'s, simulated, means of {done} puzzles of 4x3"
    ));
    for name in ["N", "first solution", "its excess", "best solution", "proof"] {
        table.column(name, Align::Right);
    }
    for (n, [first, excess, best, proof]) in processes.iter().zip(&means) {
        table.row(vec![
            n.to_string(),
            thousands(first.mean(), 3),
            thousands(excess.mean(), 1),
            thousands(best.mean(), 3),
            thousands(proof.mean(), 3),
        ]);
        found.rows.push(json!({
            "table": "window", "processes": n, "problems": first.count(), "first": first.mean(),
            "excess": excess.mean(), "best": best.mean(), "proof": proof.mean(),
        }));
    }
    if let Some([first, excess, best, proof]) = means.last() {
        table.note(format!(
            "With the most processes a solution is there after {} of IDA*'s time and costs {} moves too \
             many; the best is there after {}, the proof after {}.",
            thousands(first.mean(), 3),
            thousands(excess.mean(), 1),
            thousands(best.mean(), 3),
            thousands(proof.mean(), 3)
        ));
    }
    found.tables.push(table);
    let line = |name: &str, index: usize| Series {
        name: name.into(),
        points: processes
            .iter()
            .zip(&means)
            .filter(|(_, means)| means[index].count() > 0)
            .map(|(n, means)| (*n as f64, means[index].mean()))
            .collect(),
        ..Series::default()
    };
    found.plots.push((
        "single-agent-window".into(),
        Plot {
            title: "Window search: when the solutions come".into(),
            x_label: "processes".into(),
            y_label: "time, in shares of IDA*'s".into(),
            log_x: true,
            by_twos: true,
            series: vec![line("first solution", 0), line("best solution", 2), line("proof", 3)],
            ..Plot::default()
        },
    ));
    found.note_work(done, runner.count(), "puzzles");
    Ok(found)
}

/// PIA*: what it expands beside A*, and how fast.
pub(super) fn phases(runner: &Runner<'_, '_>) -> anyhow::Result<Findings> {
    let processes = runner.processes();
    let mut means: Vec<[Mean; 2]> = processes.iter().map(|_| Default::default()).collect();
    let mut equal = 0;
    let mut done = 0;
    runner.run.progress.begin(runner.count(), "puzzles");
    'all: for instance in runner.puzzles()? {
        let Ok(serial) = runner.solve(&instance, &AStar.into(), (false, false))? else { break };
        for (&n, mean) in processes.iter().zip(&mut means) {
            let pia = Pia { threads: threads(n) }.into();
            let Ok(solution) = runner.solve(&instance, &pia, (false, true))? else { break 'all };
            if let (None, None, Some(ticks)) = (serial.stopped, solution.stopped, solution.ticks) {
                let expanded = serial.counts.expanded.max(1) as f64;
                mean[0].add(solution.counts.expanded as f64 / expanded);
                mean[1].add(expanded / ticks.max(1) as f64);
                equal += u64::from(n == 1 && solution.counts.expanded == serial.counts.expanded);
            }
        }
        done += 1;
        runner.run.progress.step();
    }
    runner.run.progress.end();
    let mut found = Findings::default();
    let mut table =
        TextTable::new(format!("PIA*(N) beside A*: simulated, means of {done} puzzles of 4x3"));
    for name in ["N", "expanded/A*", "speed-up", "speed-up/N"] {
        table.column(name, Align::Right);
    }
    for (&n, [expanded, speedup]) in processes.iter().zip(&means) {
        table.row(vec![
            n.to_string(),
            thousands(expanded.mean(), 3),
            thousands(speedup.mean(), 2),
            thousands(speedup.mean() / n as f64, 2),
        ]);
        found.rows.push(json!({
            "table": "pia", "processes": n, "problems": expanded.count(),
            "expanded_ratio": expanded.mean(), "speedup": speedup.mean(),
        }));
    }
    table.note(format!(
        "PIA*(1) expands exactly as many states as A* on {equal} of {done} puzzles."
    ));
    table.note("Storing states and dealing them out takes no time in this model.");
    found.tables.push(table);
    found.note_work(done, runner.count(), "puzzles");
    Ok(found)
}
