//! The selective searches that Marsland 1991 describes (sections 3.3 and 3.5), each measured alone: what it
//! saves or costs in nodes, and what it finds or overlooks in test suites.
//!
//! The base searches all moves to a fixed depth, with a transposition table and a quiescence search at the
//! horizon. One step is added at a time: the null move, singular extensions, razoring, futility; and the
//! phases of the survey's tree one after the other, the first of which extends forced moves, the second
//! prunes forward, and the third is the quiescence search. Nodes and solutions are compared at equal depth,
//! solutions also at equal nodes.

use serde_json::{Value as Json, json};

use super::claims::Side;
use super::{Claim, Findings, PositionRun, Verdict};
use crate::experiment::{PairedRatio, holm, sign_test};
use crate::report::{Align, TextTable};
use crate::suite::{self, Entrant, NumberedProblem, SuiteLimit};
use plyground_engine::profile::Profile;
use plyground_search::play::PlaySwitches;
use plyground_search::table::TableSize;

/// The experiment's name in its data.
const NAME: &str = "selective";

/// What the others are compared with: full width, a table, quiescence.
const BASE: PlaySwitches = PlaySwitches { table: true, ..PlaySwitches::NONE };

/// The first phase of the survey's tree: forced moves do not count towards the depth.
const FIRST_PHASE: PlaySwitches =
    PlaySwitches { check_extension: true, one_reply_extension: true, ..BASE };

/// The steps, with their names.
const LINES: [(&str, PlaySwitches); 9] = [
    ("full width, quiescence", BASE),
    ("without quiescence", PlaySwitches { quiescence: false, ..BASE }),
    ("forced moves extended", FIRST_PHASE),
    (
        "three phases",
        PlaySwitches { futility: true, razoring: true, see_pruning: true, ..FIRST_PHASE },
    ),
    ("null move", PlaySwitches { null_move: true, ..BASE }),
    ("singular extensions", PlaySwitches { singular_extension: true, ..BASE }),
    ("razoring", PlaySwitches { razoring: true, ..BASE }),
    ("futility", PlaySwitches { futility: true, ..BASE }),
    ("every step of play", PlaySwitches { solver: false, ..PlaySwitches::ALL }),
];

/// Positions of each suite by default, and nodes for each of them.
const POSITIONS: u64 = 60;
/// The nodes of searches at equal nodes.
const NODES: u64 = 20_000;

/// The experiment on the suites of a game, to one depth.
pub fn selective(run: &PositionRun<'_>) -> anyhow::Result<Findings> {
    let depth = run.depth.unwrap_or(run.game.depths().lists);
    let most = run.run.count.unwrap_or(POSITIONS) as usize;
    let mut problems: Vec<NumberedProblem> = Vec::new();
    for suite in run.game.suites() {
        let all: Vec<_> = (1..)
            .zip(run.game.suite(suite.text)?)
            .filter(|(_, problem)| problem.has_solution())
            .collect();
        let taken = most.min(all.len());
        problems.extend((0..taken).map(|i| {
            let (number, problem) = all[i * all.len() / taken].clone();
            NumberedProblem { game: run.game, suite: suite.name.into(), number, problem }
        }));
    }
    let mut found = Findings::default();
    let all = 2 * LINES.len() as u64;
    run.run.progress.begin(all, "lines");
    let mut done = 0;
    'all: for (line, switches) in LINES {
        let mut profile = Profile::standard(run.game)?;
        profile.name = line.into();
        profile.play = Some(switches);
        profile.table = TableSize::of_mebibytes(4);
        profile.threads = 1;
        profile.book = None;
        let mut row = json!({
            "experiment": NAME,
            "game": run.game.name(),
            "line": line,
            "depth": depth,
            "budget": NODES,
            "suites": problems.iter().map(|p| p.suite.as_str()).collect::<Vec<_>>(),
        });
        for (limit, what) in
            [(SuiteLimit::Depth(depth), "depth"), (SuiteLimit::Nodes(NODES), "nodes")]
        {
            let entrant = Entrant::engine(profile.clone(), limit, &run.run.flag)?;
            let records = suite::run(&entrant, &problems, run.jobs, None, |_| {})?;
            if records.len() < problems.len() || run.run.flag.is_raised() {
                break 'all;
            }
            let solved: Vec<bool> = records.iter().map(|record| record.solved).collect();
            row[format!("solved_at_{what}")] = json!(solved);
            if what == "depth" {
                row["nodes"] = json!(records.iter().map(|r| r.nodes).collect::<Vec<_>>());
            }
            done += 1;
            run.run.progress.step();
        }
        found.rows.push(row);
    }
    run.run.progress.end();
    found.note_work(done, all, "lines");
    found.tables.extend(table(&found.rows));
    Ok(found)
}

/// A line beside the base.
struct ComparedStep<'r> {
    line: &'r str,
    nodes: Option<PairedRatio>,
    /// At equal depth, and at equal nodes.
    solutions: [Solutions; 2],
}

/// What a line solves, and how that differs from the base.
#[derive(Clone, Copy, Default)]
struct Solutions {
    solved: usize,
    of: usize,
    gained: usize,
    lost: usize,
}

fn solutions(row: &Json, base: &Json, key: &str) -> Solutions {
    let (Some(own), Some(theirs)) = (row[key].as_array(), base[key].as_array()) else {
        return Solutions::default();
    };
    let mut found = Solutions { of: own.len(), ..Solutions::default() };
    for (own, theirs) in own.iter().zip(theirs) {
        let (own, theirs) = (own == true, theirs == true);
        found.solved += usize::from(own);
        found.gained += usize::from(own && !theirs);
        found.lost += usize::from(theirs && !own);
    }
    found
}

/// The lines of a game, the base first.
fn compared<'r>(rows: &'r [Json], game: &str) -> Vec<ComparedStep<'r>> {
    let here: Vec<&Json> =
        rows.iter().filter(|row| row["experiment"] == NAME && row["game"] == game).collect();
    let Some(&base) = here.first() else { return Vec::new() };
    let nodes = |row: &Json| -> Vec<f64> {
        row["nodes"].as_array().into_iter().flatten().filter_map(Json::as_f64).collect()
    };
    let step = |row: &&'r Json| ComparedStep {
        line: row["line"].as_str().unwrap_or(""),
        nodes: PairedRatio::of(nodes(row).into_iter().zip(nodes(base))),
        solutions: ["solved_at_depth", "solved_at_nodes"].map(|key| solutions(row, base, key)),
    };
    here.iter().map(step).collect()
}

/// Does the first of two lines solve more positions of a game than the second, by a sign test? `None` without
/// one of them.
fn more_solved(rows: &[Json], game: &str, lines: [&str; 2], key: &str) -> Option<Side> {
    let of = |line: &str| rows.iter().find(|row| row["game"] == game && row["line"] == line);
    let [first, second] = lines.map(of);
    let Solutions { gained, lost, .. } = solutions(first?, second?, key);
    let p = sign_test(gained as u64, lost as u64);
    Some(Side::of_test((p < 0.05).then_some(gained > lost), p))
}

fn games(rows: &[Json]) -> Vec<&str> {
    let mut games: Vec<&str> = rows.iter().filter_map(|row| row["game"].as_str()).collect();
    games.dedup();
    games
}

fn table(rows: &[Json]) -> Option<TextTable> {
    let first = rows.first()?;
    let steps = compared(rows, first["game"].as_str()?);
    let depth = &first["depth"];
    let mut table = TextTable::new(format!(
        "Selective searches on the suites of {}, {} positions: nodes to depth {depth} and solutions",
        first["game"].as_str()?,
        steps[0].solutions[0].of
    ));
    table.column("search", Align::Left);
    table.group("nodes, ×", Align::Right);
    table.column("95 %", Align::Left);
    for what in [format!("solved, depth {depth}"), format!("solved, {NODES} nodes")] {
        table.group(what, Align::Right);
        table.column("more, fewer", Align::Left);
    }
    // All differences of the table are one family.
    let changes = steps.iter().skip(1).flat_map(|step| step.solutions);
    let chances: Vec<f64> =
        changes.map(|found| sign_test(found.gained as u64, found.lost as u64)).collect();
    let mut corrected = holm(&chances).into_iter();
    for (i, step) in steps.iter().enumerate() {
        let mut row = vec![step.line.to_owned()];
        row.extend(match step.nodes {
            Some(paired) if i > 0 => {
                let (low, high) = paired.bootstrap;
                [format!("{:.2}", paired.ratio.mean), format!("{low:.2}–{high:.2}")]
            }
            _ => ["1.00".into(), String::new()],
        });
        for found in step.solutions {
            row.push(format!("{} of {}", found.solved, found.of));
            row.push(if i == 0 {
                String::new()
            } else {
                let mark = if corrected.next().is_some_and(|p| p < 0.05) { "*" } else { "" };
                format!("+{} −{}{mark}", found.gained, found.lost)
            });
        }
        table.row(row);
    }
    table.note("Every step alone over the first line; forward pruning of the three phases is futility, razoring and the exchange.");
    table.note("+ and −: positions that the first line does not solve, and that it alone solves; * by a sign test with Holm's correction.");
    Some(table)
}

/// What the numbers say of the survey's remarks.
pub(super) fn claims(rows: &[Json]) -> Vec<Claim> {
    let mut claims = Vec::new();
    let (mut fewer, mut numbers) = (Vec::new(), Vec::new());
    let (mut razoring, mut told) = (Vec::new(), Vec::new());
    let (mut phases, mut phased) = (Vec::new(), Vec::new());
    for game in games(rows) {
        let steps = compared(rows, game);
        let of = |name: &str| steps.iter().find(|step| step.line == name);
        for name in ["null move", "razoring", "futility", "singular extensions"] {
            let Some(step) = of(name) else { continue };
            let Some(paired) = step.nodes else { continue };
            let (low, high) = paired.bootstrap;
            let [depth, _] = step.solutions;
            numbers.push(format!(
                "{game}, {name}: nodes × {:.2} ({low:.2}–{high:.2}), +{} −{} of {} solved",
                paired.ratio.mean, depth.gained, depth.lost, depth.of
            ));
            if name == "null move" && paired.ratio.mean != 1.0 {
                fewer.push(Side::of(&paired, 1.0, true));
            }
        }
        if let (Some(razor), Some(futile)) = (of("razoring"), of("futility")) {
            let [a, b] = [razor.solutions[0], futile.solutions[0]];
            razoring.extend(more_solved(rows, game, ["futility", "razoring"], "solved_at_depth"));
            told.push(format!(
                "{game}: razoring loses {} and gains {}, futility loses {} and gains {}, of {}",
                a.lost, a.gained, b.lost, b.gained, a.of
            ));
        }
        if let (Some(all), Some(plain)) = (of("three phases"), of("without quiescence")) {
            let [a, b] = [all.solutions[1], plain.solutions[1]];
            let pair = ["three phases", "without quiescence"];
            phases.extend(more_solved(rows, game, pair, "solved_at_nodes"));
            phased.push(format!("{game}: {} of {} against {}", a.solved, a.of, b.solved));
        }
    }
    if rows.is_empty() {
        return claims;
    }
    claims.push(Claim::new(
        "Marsland",
        "null moves, singular extensions, razoring and futility control the width of the search (left to be measured): the null move visits fewer nodes, in games that have one",
        Verdict::of_intervals(fewer, "the game"),
        numbers.join("; "),
    ));
    claims.push(Claim::new(
        "Marsland",
        "razoring is prone to failure, the futility cutoff is a little safer: solutions lost at equal depth",
        Verdict::of_intervals(razoring, "the game"),
        told.join("; "),
    ));
    claims.push(Claim::new(
        "Marsland",
        "a tree of three phases serves better than a fixed depth: solutions at equal nodes",
        Verdict::of_intervals(phases, "the game"),
        phased.join("; "),
    ));
    claims
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_and_losses_are_counted_against_the_first_line() {
        let row = |line: &str, nodes: [u64; 4], solved: [bool; 4]| {
            json!({"experiment": NAME, "game": "chess", "line": line, "depth": 4, "nodes": nodes,
                   "solved_at_depth": solved, "solved_at_nodes": solved})
        };
        let rows = [
            row("full width, quiescence", [100, 200, 300, 400], [true, true, false, false]),
            row("null move", [50, 101, 149, 200], [true, false, true, true]),
            row("razoring", [90, 190, 290, 390], [true, false, false, false]),
            row("futility", [80, 180, 280, 380], [true, true, false, false]),
        ];
        let steps = compared(&rows, "chess");
        let Solutions { solved, of, gained, lost } = steps[1].solutions[0];
        assert_eq!((solved, of, gained, lost), (3, 4, 2, 1));
        let text = table(&rows).unwrap().to_text(usize::MAX);
        assert!(text.contains("0.50") && text.contains("+2 −1"), "{text}");
        let claims = claims(&rows);
        assert_eq!(claims[0].verdict, Verdict::Held, "{claims:?}");
        // One lost solution of four decides nothing.
        assert_eq!(claims[1].verdict.to_string(), "depends on more cases", "{claims:?}");
    }
}
