//! How IDA*'s bound grows: by 2 in the puzzle, by next to nothing on the travelling salesman.

use serde_json::json;

use super::super::Findings;
use super::Runner;
use crate::experiment::Mean;
use crate::report::{Align, TextTable, thousands};
use plyground_core::limits::Stop;
use plyground_puzzles::sliding::Shape;
use plyground_puzzles::{Domain, Instance, ProblemSize};
use plyground_search::single_agent::{AStar, BranchAndBound, Ida, SingleAgent};

/// Small ones of Korf's instances: their numbers, and the nodes that he printed.
const KORF: [(u64, &str, u64); 3] = [
    (79, "0 1 9 7 11 13 5 3 14 12 4 2 8 6 10 15", 540_860),
    (12, "14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15", 546_344),
    (42, "4 5 7 2 9 14 12 13 0 3 6 11 8 1 15 10", 877_823),
];

/// The iterations of IDA* on instances of the 15-puzzle.
pub(super) fn growth(runner: &Runner<'_, '_>) -> anyhow::Result<Findings> {
    let mut found = Findings::default();
    let mut table = TextTable::new("The bound of IDA* on three of Korf's instances");
    for name in ["instance", "bound", "expanded", "growth"] {
        table.column(name, Align::Right);
    }
    let (mut steps, mut factors) = (Vec::new(), Mean::default());
    let mut exact = 0;
    let mut done = 0;
    runner.run.progress.begin(KORF.len() as u64, "puzzles");
    for (number, text, printed) in KORF {
        let instance = Instance::parse(Domain::Sliding(Shape::FIFTEEN), text)?;
        let Ok(solution) = runner.solve(&instance, &Ida.into(), (false, false))? else { break };
        let last = (solution.cost.unwrap_or(0), solution.counts.expanded);
        let iterations = solution.iterations.iter().map(|it| (it.bound, it.expanded)).chain([last]);
        let mut before: Option<(u32, u64, u64)> = None;
        for (bound, total) in iterations {
            let own = total - before.map_or(0, |(_, total, _)| total);
            let factor = before.map(|(_, _, own_before)| own as f64 / own_before as f64);
            steps.extend(before.map(|(earlier, ..)| bound - earlier));
            // The last iteration stops at its goal, and the first ones are too small to tell.
            let tells = bound < last.0 && before.is_some_and(|(_, _, own)| own >= 100);
            if let Some(factor) = factor.filter(|_| tells) {
                factors.add(factor);
            }
            table.row(vec![
                number.to_string(),
                bound.to_string(),
                thousands(own as f64, 0),
                factor.map_or_else(String::new, |factor| thousands(factor, 2)),
            ]);
            found.rows.push(json!({
                "table": "bounds", "number": number, "instance": text, "bound": bound, "expanded": own,
            }));
            before = Some((bound, total, own));
        }
        exact += u64::from(solution.counts.generated == printed);
        done += 1;
        runner.run.progress.step();
    }
    runner.run.progress.end();
    let twos = steps.iter().filter(|step| **step == 2).count();
    table.note(format!(
        "The bound grew by 2 in {twos} of {} steps; after one of 100 states or more, the next whole \
         iteration expands {} times as many (mean).",
        steps.len(),
        thousands(factors.mean(), 1)
    ));
    table
        .note(format!("Generated nodes equal Korf's printed ones on {exact} of {done} instances."));
    found.tables.push(table);
    found.note_work(done, KORF.len() as u64, "puzzles");
    Ok(found)
}

/// IDA*, branch and bound and A* on the travelling salesman.
pub(super) fn salesman(runner: &Runner<'_, '_>) -> anyhow::Result<Findings> {
    let algorithms: [SingleAgent; 3] = [AStar.into(), BranchAndBound.into(), Ida.into()];
    let cities: Vec<usize> = if runner.quick { vec![6, 7, 8] } else { vec![6, 7, 8, 9, 10] };
    let mut found = Findings::default();
    let mut table = TextTable::new(format!(
        "The travelling salesman: expanded states, means of {} problems",
        runner.count()
    ));
    table.column("cities", Align::Right);
    for algorithm in &algorithms {
        table.column(algorithm.name(), Align::Right);
    }
    table.column("IDA*'s iterations", Align::Right);
    table.column("IDA*/A*", Align::Right);
    let all = runner.count() * cities.len() as u64;
    let mut done = 0;
    let mut ratios = Vec::new();
    runner.run.progress.begin(all, "tours");
    'all: for cities in cities {
        let size = ProblemSize { cities, ..ProblemSize::default() };
        let mut expanded: [Mean; 3] = Default::default();
        let mut iterations = Mean::default();
        let mut given_up = 0;
        for number in 0..runner.count() {
            let instance = runner.problem(Domain::Salesman, &size, number)?;
            for (algorithm, mean) in algorithms.iter().zip(&mut expanded) {
                let Ok(solution) = runner.solve(&instance, algorithm, (false, false))? else {
                    break 'all;
                };
                given_up += u64::from(solution.stopped == Some(Stop::Nodes));
                mean.add(solution.counts.expanded as f64);
                if *algorithm == Ida.into() {
                    iterations.add(solution.iterations.len() as f64 + 1.0);
                }
            }
            done += 1;
            runner.run.progress.step();
        }
        let [a_star, bound, ida] = &expanded;
        let ratio = ida.mean() / a_star.mean();
        ratios.push(ratio);
        table.row(vec![
            cities.to_string(),
            thousands(a_star.mean(), 0),
            thousands(bound.mean(), 0),
            thousands(ida.mean(), 0),
            thousands(iterations.mean(), 0),
            thousands(ratio, 1),
        ]);
        found.rows.push(json!({
            "table": "salesman", "cities": cities, "problems": runner.count(),
            "expanded_a_star": a_star.mean(), "expanded_branch_and_bound": bound.mean(),
            "expanded_ida": ida.mean(),
            "ida_iterations": iterations.mean(), "given_up": given_up,
        }));
    }
    runner.run.progress.end();
    if let [first, .., last] = ratios[..] {
        let verdict = if last > 2.0 * first { "gets worse" } else { "does not get worse" };
        table.note(format!(
            "IDA* expands {} times as many states as A* with few cities and {} times as many with most: it \
             {verdict} as the problem grows, because nearly every path has an f of its own.",
            thousands(first, 1),
            thousands(last, 1)
        ));
    }
    found.tables.push(table);
    found.note_work(done, all, "tours");
    Ok(found)
}
