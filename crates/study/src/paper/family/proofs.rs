//! Proofs beside the rest of the program: df-pn, the search for play, and where there is one the solver of
//! endings, on the same questions. Nodes of the three are different work, so the time stands beside them.

use std::time::Duration;

use anyhow::ensure;
use serde_json::json;

use super::{BYTES, MATE_POSITIONS, MATES};
use crate::experiment::PairedRatio;
use crate::paper::{Findings, PositionRun};
use crate::report::{Align, TextTable, thousands};
use plyground_core::cpu_time::thread_cpu_time;
use plyground_core::limits::{Limits, StopFlag};
use plyground_core::names::plural;
use plyground_core::value::{LEAST_MATE, Value};
use plyground_engine::door::AnyTree;
use plyground_engine::profile::{Profile, Weights};
use plyground_engine::session::{GoLimits, ThinkRequest};
use plyground_search::algorithms::DfPn;
use plyground_search::{Algorithm, Options, SearchSpec, Workspace};

/// Endings, for games that can read the file, those with the fewest empty squares first.
const ENDING_POSITIONS: &str = include_str!("../../../../../positions/ffo.obf");

/// Positions of each kind that are asked about by default, and the most endings.
const FEW: u64 = 12;
const MOST_ENDINGS: usize = 8;

/// The longest mate that is asked for, in plies.
const MATE_PLIES: u32 = 9;

/// Nobody visits more nodes for a position: a limit of time would depend on what else the machine does.
const MOST_NODES: u64 = 2_000_000;

/// As long as the solver of endings may want.
const LONGEST: Duration = Duration::from_secs(3_600);

/// What is asked of positions.
struct Question {
    name: &'static str,
    text: &'static str,
    at_least: Value,
    /// Is a mate in one asked for first, then in two, and so on? Else the whole game is the horizon.
    deepens: bool,
    most: usize,
}

/// What answering all positions has taken.
#[derive(Default)]
struct Effort {
    answered: u32,
    nodes: u64,
    time: Duration,
    /// The nodes of each position; none where there is no answer.
    each: Vec<Option<u64>>,
}

impl Effort {
    fn add(&mut self, (yes, nodes, time): (Option<bool>, u64, Duration)) {
        self.answered += u32::from(yes.is_some());
        self.nodes += nodes;
        self.time += time;
        self.each.push(yes.map(|_| nodes));
    }
}

/// df-pn and the game's own engine on mates, or on wins in endings.
pub(super) fn proofs(run: &PositionRun<'_>) -> anyhow::Result<Findings> {
    let few = run.run.count.unwrap_or(FEW) as usize;
    let mates = Question {
        name: MATES,
        text: MATE_POSITIONS,
        at_least: LEAST_MATE,
        deepens: true,
        most: few,
    };
    let endings = Question {
        name: "endings",
        text: ENDING_POSITIONS,
        at_least: 1,
        deepens: false,
        most: few.min(MOST_ENDINGS),
    };
    let mut found = Findings::default();
    for question in [mates, endings] {
        if !run.run.flag.is_raised() {
            found.extend(ask(run, &question)?);
        }
    }
    Ok(found)
}

fn ask(run: &PositionRun<'_>, question: &Question) -> anyhow::Result<Findings> {
    let game = run.game;
    let mut found = Findings::default();
    // Another game's file.
    let Ok(problems) = game.suite(question.text) else { return Ok(found) };
    // Mates from the whole file, of all lengths; endings from its beginning.
    let step = if question.deepens { (problems.len() / question.most.max(1)).max(1) } else { 1 };
    let chosen: Vec<_> = problems.into_iter().step_by(step).take(question.most).collect();
    let df_pn: Algorithm = DfPn { bytes: BYTES }.into();
    let engine = Profile::standard(game)?;
    let ids = [df_pn.to_string(), engine.name.clone()];
    let names = [df_pn.name(), format!("the engine {}", engine.name)];
    let mut player = game.player(engine)?;
    let mut efforts = [Effort::default(), Effort::default()];
    let mut workspace = Workspace::new();
    let all = chosen.len() as u64;
    run.run.progress.begin(all, "positions");
    let mut done = 0;
    for problem in &chosen {
        let tree = game.tree(&problem.position, &Weights::Standard)?;
        let proof = prove(run, &mut workspace, &*tree, &df_pn, question)?;
        player.clear();
        player.set_line(&*game.start(&problem.position)?)?;
        // Whoever has seen the mate, or solved the ending, need not go on.
        let stop = StopFlag::new();
        let nodes = question.deepens.then_some(MOST_NODES);
        let limits = GoLimits { nodes, move_time: Some(LONGEST), ..GoLimits::default() };
        let request = ThinkRequest { stop: stop.clone(), book: false, ..ThinkRequest::on(limits) };
        let began = thread_cpu_time();
        let outcome = player.think(&request, &mut |report| {
            if question.deepens && report.progress.value >= question.at_least {
                stop.raise();
            }
        });
        if run.run.flag.is_raised() {
            break;
        }
        let yes = outcome.value >= question.at_least;
        // A mate that the engine does not see may still be there; an ending is solved.
        let thought = (!question.deepens || yes).then_some(yes);
        if let (Some(proved), Some(thought)) = (proof.0, thought) {
            let position = &problem.position;
            ensure!(proved == thought, "{position}: df-pn says {proved}, the engine {thought}");
        }
        efforts[0].add(proof);
        // One thread, which is this one.
        let spent = thread_cpu_time().zip(began).map(|(now, began)| now.saturating_sub(began));
        efforts[1].add((thought, outcome.nodes, spent.unwrap_or(outcome.time)));
        done += 1;
        run.run.progress.step();
    }
    run.run.progress.end();
    let title = format!("Proofs on {game}: {done} {}, in all", question.name);
    let mut table = TextTable::new(title);
    table.column("search", Align::Left);
    for name in ["answered", "nodes", "CPU seconds", "nodes/s"] {
        table.column(name, Align::Right);
    }
    for ((name, id), Effort { answered, nodes, time, each }) in names.iter().zip(&ids).zip(&efforts)
    {
        let seconds = time.as_secs_f64();
        table.row(vec![
            name.clone(),
            answered.to_string(),
            thousands(*nodes as f64, 0),
            format!("{seconds:.2}"),
            thousands(*nodes as f64 / seconds.max(1e-9), 0),
        ]);
        found.rows.push(json!({
            "experiment": "family-proofs", "game": game.name(), "question": question.name,
            "search": id, "positions": done, "answered": answered, "nodes": nodes,
            "seconds": seconds, "each": each,
        }));
    }
    let both = efforts[0].each.iter().zip(&efforts[1].each);
    let both = both.filter_map(|(a, b)| Some(((*a)? as f64, (*b)? as f64)));
    if let Some(paired) = PairedRatio::of(both) {
        let (low, high) = paired.bootstrap;
        table.note(format!(
            "Nodes of {} over those of {}, where both answer: {:.2} ({low:.2}–{high:.2}), {}.",
            names[0],
            names[1],
            paired.ratio.mean,
            plural(paired.ratio.count, "position")
        ));
    }
    table.note(match question.deepens {
        true => "df-pn proves that no mate is shorter before it looks for a longer one; the engine stops \
                 when it sees a mate.",
        false => "df-pn asks whether the side to move wins; the engine's solver finds the exact score.",
    });
    found.tables.push(table);
    found.note_work(done, all, "positions");
    Ok(found)
}

/// What df-pn proves, with its visits and its CPU time; `None` if its nodes were used up first.
fn prove(
    run: &PositionRun<'_>,
    workspace: &mut Workspace,
    tree: &dyn AnyTree,
    algorithm: &Algorithm,
    question: &Question,
) -> anyhow::Result<(Option<bool>, u64, Duration)> {
    let depths: Vec<u32> = match question.deepens {
        true => (1..=MATE_PLIES).step_by(2).collect(),
        false => vec![run.game.deepest()],
    };
    let (mut answer, mut nodes, mut time) = (None, 0, Duration::ZERO);
    for depth in depths {
        let left = MOST_NODES.saturating_sub(nodes);
        let limits = Limits { nodes: Some(left), bytes: Some(2 * BYTES), ..run.run.limits() };
        let at_least = Some(question.at_least);
        let options = Options { limits, at_least, ..Options::to_depth(depth) };
        let outcome = tree.search(workspace, &SearchSpec::check(algorithm, options)?, None)?;
        nodes += outcome.counts.visits;
        time += outcome.search_time(algorithm);
        answer = outcome.proved;
        if answer != Some(false) || run.run.flag.is_raised() {
            break;
        }
    }
    Ok((answer, nodes, time))
}
