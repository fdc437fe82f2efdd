//! ITERSSS* beside alpha-beta: the paper says that whatever its memory, above a threshold M₀, it never examines
//! more terminals.

use serde_json::json;

use super::VALUES;
use crate::experiment::PairedRatio;
use crate::laboratory::{LabTree, search};
use crate::paper::{Findings, PaperRun};
use crate::report::{Align, TextTable, thousands};
use plyground_core::limits::Stop;
use plyground_core::tree::{Synthetic, mix};
use plyground_search::algorithms::{AlphaBeta, IterSss, Sss};
use plyground_search::{Algorithm, Options, SearchError, SearchSpec};

/// The trees of table 3.
const WIDTH: usize = 3;
const DEPTH: usize = 10;

/// The memories: one less than the threshold ⌈d/2⌉(b − 1) + 1, the threshold, those of table 3, and what SSS*
/// needs.
const ENTRIES: [usize; 6] = [10, 11, 23, 36, 61, 243];

/// Leaves of ITERSSS*(M) on the trees of table 3, beside those of alpha-beta and SSS*.
pub(super) fn bounded(run: &PaperRun<'_>) -> anyhow::Result<Findings> {
    let mut algorithms: Vec<Algorithm> = vec![AlphaBeta.into(), Sss.into()];
    algorithms.extend(ENTRIES.iter().filter_map(|&m| format!("{}:{m}", ITERSSS).parse().ok()));
    let trees = run.trees_a_cell();
    run.progress.begin(trees, "trees");
    // Of each search and tree; none where the memory does not suffice.
    let mut leaves: Vec<Vec<Option<u64>>> = vec![Vec::new(); algorithms.len()];
    'all: for i in 0..trees {
        let tree: LabTree = Synthetic::independent(WIDTH, DEPTH, VALUES, mix(run.seed, i))?.into();
        let mut now = Vec::new();
        for algorithm in &algorithms {
            let options = Options { limits: run.limits(), ..Options::to_depth(DEPTH as u32) };
            let spec = match SearchSpec::check(algorithm, options) {
                Ok(spec) => spec,
                Err(_) => {
                    now.push(None);
                    continue;
                }
            };
            let outcome = match search(&tree, &spec, None) {
                Err(SearchError::Locked(_)) => {
                    now.push(None);
                    continue;
                }
                outcome => outcome?,
            };
            if outcome.stopped == Some(Stop::Flag) {
                break 'all;
            }
            now.push(outcome.stopped.is_none().then_some(outcome.counts.evaluations));
        }
        for (all, now) in leaves.iter_mut().zip(now) {
            all.push(now);
        }
        run.progress.step();
    }
    run.progress.end();
    let mut found = Findings::default();
    let done = leaves[0].len();
    let mut table = TextTable::new(format!(
        "ITERSSS*(M) beside alpha-beta on T({WIDTH},{DEPTH}), independent leaves, {done} trees"
    ));
    table.column("search", Align::Left);
    table.column("ended", Align::Right);
    table.group("leaves, × αβ", Align::Right);
    table.column("95 %", Align::Left);
    table.column("trees with more", Align::Right);
    for (algorithm, own) in algorithms.iter().zip(&leaves) {
        let pairs = || own.iter().zip(&leaves[0]).filter_map(|(a, b)| Some(((*a)?, (*b)?)));
        let paired = PairedRatio::of(pairs().map(|(a, b)| (a as f64, b as f64)));
        let more = pairs().filter(|(a, b)| a > b).count();
        let mut row = vec![algorithm.name(), own.iter().flatten().count().to_string()];
        row.extend(PairedRatio::cells(paired, |x| thousands(x, 2)));
        row.push(more.to_string());
        table.row(row);
        found.rows.push(json!({
            "bounded": algorithm.to_string(), "width": WIDTH, "depth": DEPTH, "trees": done,
            "ended": own.iter().flatten().count(), "above_alpha_beta": more, "leaves_each": own,
        }));
    }
    table.note("The threshold of the paper is M = 11. Geometric means of paired ratios, bootstrap intervals.");
    found.tables.push(table);
    found.note_work(done as u64, trees, "trees");
    Ok(found)
}

const ITERSSS: &str = <IterSss as plyground_search::SearchAlgorithm>::ENTRY.id;
