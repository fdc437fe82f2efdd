//! `plyground solve --mate`: a mate that the side to move can force, with the whole line.

use anyhow::Context;
use serde::Serialize;

use crate::cli::console::Console;
use crate::cli::record::{labelled, yes_or_no};
use plyground_core::limits::Stop;
use plyground_core::names::plural;
use plyground_engine::game::Game;
use plyground_engine::profile::Weights;
use plyground_games::chess::Chess;
use plyground_search::mate::{MateOutcome, MateSpec};
use plyground_study::report::thousands;

/// What `--json` prints.
#[derive(Serialize)]
struct MateRecord {
    position: String,
    /// Can the side to move force mate? Yes, no within the moves that were asked for, or null if a limit
    /// stopped the search.
    proved: Option<&'static str>,
    /// In how many moves.
    mate_in: Option<u32>,
    /// Is there no shorter mate?
    shortest: bool,
    /// It is proved that there is no mate in this many moves.
    none_within: u32,
    best: Option<String>,
    /// The whole line as programs write it, and as people do.
    pv: Vec<String>,
    line: Vec<String>,
    nodes: u64,
    seconds: f64,
    stopped: Option<&'static str>,
}

/// Looks for a mate in a position and prints what was found.
pub(in crate::games) fn run(
    console: &Console,
    text: &str,
    spec: &MateSpec,
    json: bool,
) -> anyhow::Result<()> {
    let game = Chess::door();
    let start = game.start(text).context("--mate: the position")?;
    let tree = game.tree(&start.position(), &Weights::Standard)?;
    let found = tree.find_mate(spec).context("the game knows no mates")?;
    let outcome = found.context("--table")?;
    let shown = start.show(&outcome.line);
    if json {
        return console.json(&MateRecord {
            position: start.position(),
            proved: outcome.proved.map(yes_or_no),
            mate_in: outcome.moves,
            shortest: outcome.is_shortest(),
            none_within: outcome.none_within,
            best: outcome.line.first().cloned(),
            nodes: outcome.nodes,
            seconds: outcome.time.as_secs_f64(),
            stopped: outcome.stopped.map(Stop::name),
            pv: outcome.line,
            line: shown,
        });
    }
    let lines = for_people(&outcome, &shown, spec);
    console.print(&format!("{}\n{}", start.picture(), labelled(&lines)))
}

fn for_people(
    outcome: &MateOutcome<String>,
    line: &[String],
    spec: &MateSpec,
) -> Vec<(&'static str, String)> {
    let moves = |n: u32| plural(n as usize, "move");
    let ruled_out = match outcome.none_within {
        0 => String::new(),
        n => format!("; none in {}, proved", moves(n)),
    };
    let mate = match (outcome.moves, outcome.proved) {
        (Some(n), _) if outcome.is_shortest() => format!("in {}, and no sooner", moves(n)),
        (Some(n), _) => format!("in {} at the most{ruled_out}", moves(n)),
        (None, Some(_)) => format!("none in {}, proved", moves(spec.moves)),
        (None, None) => format!("not known{ruled_out}"),
    };
    let mut lines = vec![("mate", mate)];
    if !line.is_empty() {
        lines.push(("line", line.join(" ")));
    }
    if let Some(stop) = outcome.stopped {
        lines.push(("stopped", format!("by the limit on {stop}")));
    }
    lines.push(("nodes", thousands(outcome.nodes as f64, 0)));
    lines.push(("time", format!("{:.3} s", outcome.time.as_secs_f64())));
    lines
}
