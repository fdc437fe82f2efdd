//! `plyground tree`: one tree given as text, one algorithm.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use serde::Serialize;

use super::console::Console;
use super::record::{SearchRecord, answered, counted, estimated, labelled, value_or_bounds};
use super::simulation::{SimulationArgs, SimulationRecord, described};
use super::{
    LimitArgs, NamedAlgorithm, ProcessArgs, UpdateArg, at_least, checked, parse_algorithm,
};
use plyground_core::names::plural;
use plyground_core::tree::Explicit;
use plyground_core::value::Value;
use plyground_engine::text_file::{read_text, read_text_from};
use plyground_search::algorithms::AlphaBeta;
use plyground_search::{Factors, Options, Outcome, SearchAlgorithm, Store, Trace};
use plyground_study::files::replace;
use plyground_study::laboratory::{LabTree, search, simulate};
use plyground_study::report::{drawing, trace_objects, trace_text};

/// The seed of random interleavings.
const SEED: u64 = 1;

pub(super) const EXAMPLES: &str = "Examples:
  plyground tree '((3 12 8) (2 4 6) (14 5 2))' --algorithm alpha-beta
  plyground tree '((3 12 8) (2 4 6) (14 5 2))' --algorithm sss --trace
  plyground tree '((3 12 8) (2 4 6) (14 5 2))' --algorithm pn --at-least 4
  plyground tree @tree.txt --algorithm ps:2 --svg tree.svg
  plyground tree '((3 12 8) (2 4 6) (14 5 2))' --algorithm sss --html sss.html
  plyground tree '((5 3) (2 9))' --dot | dot -Tpng > tree.png
  plyground tree '(((4 4) (4 9)) ((6 5) (3 4)))' --algorithm parsss:2 --simulate
  echo '(1 (2 3))' | plyground tree - --algorithm mtd-f:2 --json";

#[derive(Debug, Args)]
pub(super) struct TreeArgs {
    /// A nested list of whole numbers, `@FILE`, or `-` for standard input
    #[arg(value_name = "TREE", allow_negative_numbers = true)]
    tree: String,
    /// The algorithm: see `plyground algorithms`
    #[arg(long, value_name = "ID", value_parser = parse_algorithm, default_value = AlphaBeta::ENTRY.id)]
    algorithm: NamedAlgorithm,
    /// Ask whether the tree is worth at least V; the proof-number searches prove just that
    #[arg(long, value_name = "V", allow_negative_numbers = true, value_parser = at_least)]
    at_least: Option<Value>,
    /// Print the search step by step
    #[arg(long, conflicts_with = "json")]
    trace: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
    /// Draw the tree with the visited leaves and the bounds that they prove
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The same as a graph in Graphviz's language, into a file, or without one in place of the text
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-",
          conflicts_with = "json")]
    dot: Option<PathBuf>,
    /// The whole searched tree as JSON: every node with what is proved of it, and every step of the
    /// search; into a file, or without one in place of the text
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-",
          conflicts_with_all = ["json", "dot"])]
    json_tree: Option<PathBuf>,
    /// Write the search as a page that can be stepped through, in one self-contained file
    #[cfg(feature = "web")]
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// How stored bounds are updated
    #[arg(long, value_enum, default_value_t)]
    update: UpdateArg,
    /// What the stored search tree of drivers such as SSS-2 keeps: all of it, or nothing that the bounds
    /// above have made irrelevant
    #[arg(long, value_name = "all|relevant", default_value_t)]
    store: Store,
    #[command(flatten)]
    processes: ProcessArgs,
    #[command(flatten)]
    simulation: SimulationArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

/// What `--json` prints.
#[derive(Serialize)]
struct TreeRecord<'a> {
    #[serde(flatten)]
    search: SearchRecord<'a>,
    #[serde(flatten)]
    simulation: Option<SimulationRecord>,
    /// The best child's number, from 0; null if none is known.
    best: Option<u32>,
    visited: &'a [usize],
}

/// What `--json-tree` writes.
#[derive(Serialize)]
struct TreeExport<'a> {
    #[serde(flatten)]
    record: TreeRecord<'a>,
    nodes: Vec<drawing::TreeNode>,
    events: Vec<serde_json::Value>,
}

pub(super) fn run(console: &Console, args: &TreeArgs) -> anyhow::Result<()> {
    let tree = read(&args.tree)?;
    let mut options = Options {
        depth: tree.height() as u32,
        limits: args.limits.limits(console),
        update: args.update.into(),
        factors: Factors { store: args.store, ..Factors::default() },
        at_least: args.at_least,
        ..Options::default()
    };
    let algorithm = &args.algorithm.algorithm;
    // Trees that people write are small.
    options.spawn_height = algorithm.threads().map(|_| 0);
    args.processes.set(&mut options);
    args.simulation.set(&mut options);
    let spec = checked(algorithm, options.clone())?;
    #[cfg(feature = "web")]
    if let Some(file) = &args.html {
        let subject = plyground_web::replay::ReplaySubject::Written(&tree);
        let title = format!("{} on a tree", algorithm.name());
        write_stepper(file, &subject, &args.algorithm, options, &title)?;
    }
    let trace = if args.trace || args.json_tree.is_some() {
        Trace::of_everything()
    } else {
        Trace::of_leaves()
    };
    let searched = LabTree::from(tree.clone());
    let outcome = search(&searched, &spec, Some(trace.watcher()))?;
    // The time is that of a search without a watcher.
    let timed = search(&searched, &spec, None)?;
    let seconds = timed.search_time(spec.algorithm()).as_secs_f64();
    let trace = trace.read();
    let visits: Vec<drawing::Visit> = trace.visited().collect();
    let number = |steps: &[usize]| tree.leaf_number(&tree.node_at(steps)?);
    let visited: Vec<usize> = visits.iter().filter_map(|(steps, _)| number(steps)).collect();
    if let Some(file) = &args.svg {
        let title = format!("{}: {} visited", algorithm.name(), plural(visited.len(), "leaf"));
        write(file, &drawing::draw(&tree, &visits, &title))?;
    }
    let search = SearchRecord::new(&args.algorithm.id, &outcome, seconds);
    let simulation = match spec.simulate() {
        true => Some(simulate(&searched, &spec, args.simulation.schedules(), SEED)?),
        false => None,
    };
    let record = TreeRecord {
        search,
        simulation: simulation.as_ref().map(SimulationRecord::from),
        best: outcome.best,
        visited: &visited,
    };
    if args.json {
        return console.json(&record);
    }
    if let Some(file) = &args.dot
        && write_or_print(console, file, &drawing::dot(&tree, &visits, &algorithm.name()))?
    {
        return Ok(());
    }
    if let Some(file) = &args.json_tree {
        let (nodes, events) = (drawing::nodes(&tree, &visits), trace_objects(&trace));
        let export = serde_json::to_string(&TreeExport { record, nodes, events })?;
        if write_or_print(console, file, &format!("{export}\n"))? {
            return Ok(());
        }
    }
    let mut text = String::new();
    if args.trace {
        text.push_str(&trace_text(&tree, &trace));
        text.push('\n');
    }
    let simulated = simulation.as_ref().map(described).unwrap_or_default();
    let asked = args.at_least.map(|least| answered(least, &outcome, |v| v.to_string()));
    let name = algorithm.name();
    text.push_str(&for_people((&name, asked), &outcome, seconds, &visited, &tree, simulated));
    console.print(&text)
}

fn for_people(
    (name, asked): (&str, Option<(&'static str, String)>),
    outcome: &Outcome<u32>,
    seconds: f64,
    visited: &[usize],
    tree: &Explicit,
    simulated: Vec<(&'static str, String)>,
) -> String {
    let value = value_or_bounds(outcome, |v| v.to_string());
    let mut lines = vec![("algorithm", name.to_string()), ("value", value)];
    lines.extend(estimated(outcome, |v| v.to_string()));
    lines.extend(asked);
    if let Some(best) = outcome.best {
        lines.push(("best child", best.to_string()));
    }
    let order: Vec<String> = visited.iter().map(ToString::to_string).collect();
    let (leaves, of) = (visited.len(), tree.leaf_count());
    lines.push(("leaves", format!("{leaves} of {of}, numbered from 0: {}", order.join(" "))));
    lines.extend(counted(outcome, seconds));
    lines.extend(simulated);
    labelled(&lines)
}

fn read(argument: &str) -> anyhow::Result<Explicit> {
    if argument == "-" {
        let text = read_text_from(std::io::stdin()).context("cannot read standard input")?;
        return text.parse().context("standard input");
    }
    if let Some(file) = argument.strip_prefix('@') {
        let text = read_text(Path::new(file)).with_context(|| format!("cannot read {file}"))?;
        return text.parse().with_context(|| file.to_string());
    }
    argument.parse().context("the tree")
}

/// Writes a file, or prints the text if the file is `-`; returns whether it was printed.
fn write_or_print(console: &Console, file: &Path, text: &str) -> anyhow::Result<bool> {
    let is_output = file == Path::new("-");
    if is_output {
        console.print(text)?
    } else {
        write(file, text)?
    }
    Ok(is_output)
}

/// Writes a search as a page that can be stepped through. A search that is longer than can be watched is
/// not ended for it.
#[cfg(feature = "web")]
pub(super) fn write_stepper(
    file: &Path,
    subject: &plyground_web::replay::ReplaySubject<'_>,
    named: &NamedAlgorithm,
    options: Options,
    title: &str,
) -> anyhow::Result<()> {
    use plyground_web::replay::{ReplayOptions, replay};
    let (algorithm, id) = (named.algorithm.clone(), named.id.clone());
    let options = ReplayOptions { algorithm, id, options, ends_when_full: false };
    let film = replay(subject, &options).context("--html")?;
    write(file, &plyground_web::stepper_page(&film, title))
}

/// Writes a file, or says which one could not be written.
pub(super) fn write(file: &Path, text: &str) -> anyhow::Result<()> {
    replace(file, text.as_bytes()).with_context(|| format!("cannot write {}", file.display()))
}
