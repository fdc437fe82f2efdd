//! `plyground compare`: the algorithms side by side on a small set of trees.

use clap::Args;

use super::console::{Console, Format, csv};
use super::trees::{Averages, number};
use super::{Chosen, FormatArgs, chosen};
use crate::limits::Limits;
use crate::report::{Align, Table, thousands};
use crate::search::Options;
use crate::tree::{Ordering, Synthetic, mix};

pub(super) const EXAMPLES: &str = "Examples:
  plyground compare
  plyground compare --count 100 --algorithms alpha-beta,pvs,sss,mtd-f
  plyground compare --json";

#[derive(Debug, Args)]
pub(super) struct CompareArgs {
    /// How many trees of each kind
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,
    /// The same seed gives the same trees
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The algorithms, separated by commas: see `plyground algorithms`
    #[arg(long, value_name = "ID,ID,…", value_parser = chosen, value_delimiter = ',',
          default_value = ALL)]
    algorithms: Vec<Chosen>,
    #[command(flatten)]
    format: FormatArgs,
}

const ALL: &str = "alpha-beta,minimax,aspiration:10:50,scout,negascout,pvs,\
                   sss-2,dual-2,sss-0:50,sss-4:10,sss-b,mtd-f:50,sss-2-tree,\
                   sss,dual,ps:2,ps:4,ps:1+2+4+8,itersss:64";

/// The trees that are compared on: a name, and the tree but for its seed.
fn kinds() -> Vec<(&'static str, Synthetic)> {
    let ordered = |width, depth, ordering| Synthetic::ordered(width, depth, 100, 50, 0, ordering);
    let random = Ordering::Probable { order: 1, probability: 1.0 };
    let kinds = [
        ("random trees T(8,6)", ordered(8, 6, random)),
        ("strongly ordered trees T(20,4)", ordered(20, 4, Ordering::Strong)),
        ("independent leaves T(8,5)", Synthetic::independent(8, 5, 100, 0)),
    ];
    kinds.into_iter().filter_map(|(name, tree)| Some((name, tree.ok()?))).collect()
}

pub(super) fn run(console: &Console, args: &CompareArgs) -> anyhow::Result<()> {
    let kinds = kinds();
    let format = args.format.format();
    let bar = console.progress(args.count * kinds.len() as u64, "trees");
    let mut rows = Vec::new();
    let mut trees = 0;
    for (name, tree) in &kinds {
        let limits = Limits { flag: console.flag(), ..Limits::default() };
        let options = Options { limits, ..Options::to_depth(tree.depth() as u32) };
        let mut averages = Averages::new(&args.algorithms);
        for i in 0..args.count {
            if !averages.add(&tree.reseeded(mix(args.seed, i)), &options)? {
                break;
            }
            bar.inc(1);
        }
        trees += averages.done();
        if averages.done() == 0 {
            break;
        }
        if format == Format::Text {
            bar.suspend(|| console.print(&table(name, &averages, &args.algorithms).to_text()))?;
        }
        for summary in &averages.summaries {
            let mut object = serde_json::json!({ "tree": name });
            if let (Some(object), serde_json::Value::Object(summary)) =
                (object.as_object_mut(), serde_json::to_value(summary)?)
            {
                object.extend(summary);
            }
            if format == Format::Json {
                console.json(&object)?;
            }
            rows.push(object);
        }
    }
    bar.finish_and_clear();
    match format {
        Format::Csv => console.print(&csv(&rows))?,
        Format::Text => console.print(&format!("Every value agreed on all {trees} trees.\n"))?,
        Format::Json => {}
    }
    console.note_interruption(trees, args.count * kinds.len() as u64, "trees");
    Ok(())
}

fn table(name: &str, averages: &Averages<'_>, algorithms: &[Chosen]) -> Table {
    let mut table = Table::new(format!("{name}, means of {}", averages.done()));
    table.column("algorithm", Align::Left);
    let share =
        algorithms.first().map_or(String::new(), |a| format!("% of {}", a.algorithm.name()));
    for column in ["leaves", &share, "nodes", "visits", "OPEN", "BACKUP", "stored", "µs", "ns/leaf"]
    {
        table.column(column, Align::Right);
    }
    let first = averages.summaries.first().map_or(1.0, |s| s.leaves.mean());
    for (summary, chosen) in averages.summaries.iter().zip(algorithms) {
        let leaves = summary.leaves.mean();
        let seconds = summary.seconds.mean();
        table.row(vec![
            chosen.algorithm.name(),
            thousands(leaves, 0),
            thousands(100.0 * leaves / first, 1),
            thousands(summary.nodes.mean(), 0),
            thousands(summary.visits.mean(), 0),
            number(&summary.peak_open),
            number(&summary.peak_backup),
            number(&summary.peak_stored),
            thousands(seconds * 1e6, 0),
            thousands(seconds * 1e9 / leaves.max(1.0), 1),
        ]);
    }
    table.note("");
    table
}
