//! Test suites: how many positions each search solves with the same number of nodes.

use serde_json::json;

use super::{HORIZON, MATE_POSITIONS, MATES, choosers, engine, provers, references, remarkable};
use crate::experiment::{share_interval, sign_test};
use crate::paper::{Findings, PositionRun};
use crate::report::{Align, TextTable};
use plyground_core::limits::Limits;
use plyground_core::value::LEAST_MATE;
use plyground_engine::door::{AnyTree, TextProblem};
use plyground_engine::profile::Weights;
use plyground_search::{Algorithm, Options, SearchSpec, Workspace};

/// Positions of a suite that are searched by default.
const FEW: u64 = 20;

/// The plies of the longest mate that is asked for.
const MATE_PLIES: u32 = 9;

/// The positions of the game's suites that each search solves.
pub(super) fn suites(run: &PositionRun<'_>, nodes: u64) -> anyhow::Result<Findings> {
    let game = run.game;
    let most = run.run.count.unwrap_or(FEW) as usize;
    let mut suites = Vec::new();
    let built_in = game.suites().iter().map(|suite| (suite.name, suite.text));
    for (name, text) in built_in.chain([(MATES, MATE_POSITIONS)]) {
        let problems = match game.suite(text) {
            // Another game's.
            Err(_) if name == MATES => continue,
            problems => problems?,
        };
        let known: Vec<TextProblem> =
            problems.into_iter().filter(TextProblem::has_solution).collect();
        let step = (known.len() / most.max(1)).max(1);
        let chosen: Vec<TextProblem> = known.into_iter().step_by(step).take(most).collect();
        suites.push((name, chosen));
    }
    let algorithms: Vec<Algorithm> =
        references().into_iter().chain(choosers()).chain(provers()).collect();
    let all: usize =
        suites.iter().map(|(_, problems)| problems.len()).sum::<usize>() * algorithms.len();
    run.run.progress.begin(all as u64, "searches");
    let mut done = 0;
    let mut solved: Vec<Vec<Vec<bool>>> = vec![vec![Vec::new(); suites.len()]; algorithms.len()];
    let mut workspace = Workspace::new();
    'all: for (column, (name, problems)) in suites.iter().enumerate() {
        for problem in problems {
            let tree = game.tree(&problem.position, &Weights::Standard)?;
            for (row, algorithm) in algorithms.iter().enumerate() {
                let asks_mate = *name == MATES && !algorithm.entry().anytime && row >= 2;
                let best = match asks_mate {
                    true => mating_move(run, &mut workspace, &*tree, algorithm, nodes)?,
                    false => {
                        let spec =
                            engine(run, algorithm, nodes).spec(HORIZON.min(game.deepest()))?;
                        tree.search(&mut workspace, &spec, None)?.best
                    }
                };
                if run.run.flag.is_raised() {
                    break 'all;
                }
                solved[row][column].push(best.is_some_and(|mv| problem.is_solved_by(&mv)));
                done += 1;
                run.run.progress.step();
            }
        }
    }
    run.run.progress.end();
    let mut found = Findings::default();
    let title = format!("Positions of {game} solved, {nodes} nodes each");
    let mut table = TextTable::new(title);
    table.column("search", Align::Left);
    for (name, _) in &suites {
        table.column(*name, Align::Right);
    }
    table.column("in all, %", Align::Right);
    table.column("95 %", Align::Left);
    let count = |solved: &[bool]| solved.iter().filter(|solved| **solved).count();
    // All comparisons with the first line are one family.
    let first: Vec<bool> = solved[0].concat();
    let changes = solved.iter().skip(1).map(|row| {
        let pairs = || first.iter().zip(row.iter().flatten());
        let gained = pairs().filter(|(theirs, own)| !**theirs && **own).count();
        let lost = pairs().filter(|(theirs, own)| **theirs && !**own).count();
        sign_test(gained as u64, lost as u64)
    });
    let stars = remarkable(changes);
    for (i, (algorithm, solved)) in algorithms.iter().zip(&solved).enumerate() {
        let cells = solved.iter().map(|solved| count(solved).to_string());
        let mut cells: Vec<String> = [algorithm.name()].into_iter().chain(cells).collect();
        let all = solved.concat();
        let star = if i > 0 && stars[i - 1] { "*" } else { "" };
        let (own, of) = (count(&all) as f64, all.len() as f64);
        let (low, high) = share_interval(own, of);
        cells.push(format!("{:.0}{star}", 100.0 * own / of.max(1.0)));
        cells.push(format!("{:.0}–{:.0}", 100.0 * low, 100.0 * high));
        table.row(cells);
        for ((name, problems), solved) in suites.iter().zip(solved) {
            found.rows.push(json!({
                "experiment": "family-suites", "game": game.name(), "algorithm": algorithm.to_string(),
                "suite": name, "positions": problems.len(), "solved": count(solved), "nodes": nodes,
                "each": solved,
            }));
        }
    }
    let sum = |row: &Vec<Vec<bool>>| count(&row.concat());
    let most = solved.iter().map(sum).max().unwrap_or(0);
    let best: Vec<String> = (algorithms.iter().zip(&solved))
        .filter(|(_, row)| sum(row) == most)
        .map(|(algorithm, _)| algorithm.name())
        .collect();
    let counts: Vec<String> =
        suites.iter().map(|(name, problems)| format!("{name} {}", problems.len())).collect();
    table.note(format!("Positions: {}.", counts.join(", ")));
    table.note(format!("Most in all: {} with {most}.", best.join(", ")));
    table.note(format!(
        "* solves other positions than {} by sign tests with Holm's correction.",
        algorithms[0].name()
    ));
    if suites.iter().any(|(name, _)| *name == MATES) {
        table.note(format!(
            "Of mates the proof searches are asked for one within {} plies; the others choose a move.",
            MATE_PLIES
        ));
    }
    found.tables.push(table);
    found.note_work(done, all as u64, "searches");
    Ok(found)
}

/// The move of a mate that a proof search finds within these nodes: in one move, in two, and so on.
fn mating_move(
    run: &PositionRun<'_>,
    workspace: &mut Workspace,
    tree: &dyn AnyTree,
    algorithm: &Algorithm,
    nodes: u64,
) -> anyhow::Result<Option<String>> {
    let mut left = nodes;
    for depth in (1..=MATE_PLIES).step_by(2) {
        let limits = Limits { nodes: Some(left), ..engine(run, algorithm, left).limits };
        let options = Options { limits, at_least: Some(LEAST_MATE), ..Options::to_depth(depth) };
        let outcome = tree.search(workspace, &SearchSpec::check(algorithm, options)?, None)?;
        if outcome.proved == Some(true) {
            return Ok(outcome.best);
        }
        left = left.saturating_sub(outcome.counts.visits);
        if left == 0 {
            break;
        }
    }
    Ok(None)
}
