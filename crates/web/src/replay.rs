//! A search as a film: every step with the node that it concerns, what it counted so far, and a
//! sentence that says what happened and why. Rust makes it, the page steps through it.

mod nodes;
mod recorder;
mod story;

use anyhow::{Context, ensure};
use plyground_core::limits::{Limits, StopFlag};
use plyground_core::tree::{Explicit, LabTree};
use plyground_core::value::{INFINITY, Value};
use plyground_engine::door::{AnyGame, AnyLine};
use plyground_engine::profile::Weights;
use plyground_search::laboratory::search;
use plyground_search::{Algorithm, Options, Outcome, SearchSpec, Workspace};
use serde_json::{Value as Json, json};

use nodes::Nodes;
use recorder::Recorder;

/// The most nodes of a tree that can be watched.
pub const MOST_NODES: usize = 20_000;

/// The most steps of a search that can be watched.
pub const MOST_STEPS: usize = 20_000;

/// What is searched.
pub enum ReplaySubject<'a> {
    /// A tree that is written out, to its leaves.
    Written(&'a Explicit),
    /// The current position of a game, to the depth of the options.
    Position {
        /// The game so far.
        line: &'a dyn AnyLine,
        /// The weights that judge the leaves.
        weights: &'a Weights,
    },
}

/// How it is searched.
#[derive(Clone, Debug)]
pub struct ReplayOptions {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The algorithm's id as it was typed.
    pub id: String,
    /// Everything else. A written tree has values at its leaves alone and cannot be deepened.
    pub options: Options,
    /// Does a search with more steps than can be watched end there? Its flag is raised then.
    pub ends_when_full: bool,
}

impl ReplayOptions {
    /// A search by this algorithm without anything special. A parallel search that can be simulated is,
    /// so that it has the same steps every time; and trees that people look at are small, so every node
    /// may get a process.
    pub fn new(id: &str) -> anyhow::Result<ReplayOptions> {
        let algorithm: Algorithm = id.parse()?;
        let options = Options {
            simulate: algorithm.threads().is_some(),
            spawn_height: algorithm.threads().map(|_| 0),
            limits: Limits { flag: StopFlag::new(), ..Limits::default() },
            ..Options::default()
        };
        Ok(ReplayOptions { algorithm, id: id.into(), options, ends_when_full: true })
    }

    fn spec(&self, depth: u32) -> anyhow::Result<SearchSpec> {
        let options = Options { depth, ..self.options.clone() };
        Ok(SearchSpec::check(&self.algorithm, options)?.counting_paths(true))
    }
}

/// Searches and makes the film, as the JSON object that the page steps through.
pub fn replay(subject: &ReplaySubject<'_>, options: &ReplayOptions) -> anyhow::Result<Json> {
    let flag = options.ends_when_full.then(|| options.options.limits.flag.clone());
    let recorder = Recorder::new(MOST_STEPS, flag);
    let watcher = Recorder::watcher(&recorder);
    let (outcome, what, unit) = match subject {
        ReplaySubject::Written(tree) => {
            let nodes = nodes::size(tree, MOST_NODES);
            ensure!(
                nodes <= MOST_NODES,
                "the tree: more than {MOST_NODES} nodes; expected a smaller one"
            );
            ensure!(
                !options.options.deepening,
                "a written tree has values at its leaves alone; expected no deepening"
            );
            let spec = options.spec(tree.height() as u32)?;
            let searched = LabTree::from((*tree).clone());
            let outcome = search(&searched, &spec, Some(watcher))?.map(|child| child.to_string());
            (outcome, json!({ "tree": tree.to_string() }), 1)
        }
        ReplaySubject::Position { line, weights } => {
            let (game, depth) = (line.game(), options.options.depth);
            ensure!(
                depth <= game.deepest(),
                "depth {depth}: expected 0 to {} plies for {game}",
                game.deepest()
            );
            let spec = options.spec(depth)?;
            let tree = game.tree(&line.position(), weights)?;
            let outcome = tree.search(&mut Workspace::new(), &spec, Some(watcher))?;
            let what = json!({
                "game": game.name(), "position": line.position(), "depth": depth,
                "sides": game.sides(), "mover": line.mover().index(),
            });
            (outcome, what, unit(game))
        }
    };
    let recorder = Recorder::read(&recorder);
    let nodes = match subject {
        ReplaySubject::Written(tree) => Nodes::of_tree(tree, &recorder),
        ReplaySubject::Position { line, .. } => {
            Nodes::of_position(&**line, &recorder).context("the position")?
        }
    };
    let steps = story::tell(&nodes, &recorder, unit, outcome.value);
    let entry = options.algorithm.entry();
    let mut film = json!({
        "format": 1,
        "unit": unit,
        "algorithm": {
            "id": options.id, "name": options.algorithm.name(), "about": entry.about,
            "paper": entry.paper, "simulated": options.options.simulate && entry.is_parallel(),
        },
        "result": result(subject, &outcome),
        "truncated": recorder.is_cut_short(),
        "nodes": nodes.to_json(),
        "steps": steps,
    });
    if let (Some(film), Json::Object(what)) = (film.as_object_mut(), what) {
        film.extend(what);
    }
    Ok(film)
}

/// How many units of the evaluation are one unit for people: 100 in games that count in hundredths.
fn unit(game: &dyn AnyGame) -> Value {
    if game.value_text(100).trim_start_matches('+').starts_with("1.00") { 100 } else { 1 }
}

/// The result by the keys of `tree --json`.
fn result(subject: &ReplaySubject<'_>, outcome: &Outcome<String>) -> Json {
    let counts = &outcome.counts;
    let best = outcome.best.clone();
    let shown = match subject {
        ReplaySubject::Written(_) => best.clone(),
        ReplaySubject::Position { line, .. } => line.show(best.as_slice()).pop(),
    };
    json!({
        "value": outcome.value, "best": best, "best_shown": shown,
        "leaves": counts.leaves, "evaluations": counts.evaluations, "interior": counts.interior,
        "visits": counts.visits, "peak_open": counts.peak_open, "peak_backup": counts.peak_backup,
        "peak_stored": counts.peak_stored, "terminal_count": outcome.terminal_count,
        "stopped": outcome.stopped.map(plyground_core::limits::Stop::name),
    })
}

/// A value as it is shown: in units for people, from MAX's view.
fn shown(value: Value, unit: Value) -> String {
    match value {
        value if value >= INFINITY => "∞".into(),
        value if value <= -INFINITY => "-∞".into(),
        value if unit == 1 => value.to_string(),
        value => format!("{:+.2}", f64::from(value) / f64::from(unit)),
    }
}

#[cfg(test)]
mod tests;
