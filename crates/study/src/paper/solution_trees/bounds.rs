//! Figures 6 and 7 of de Bruin, Pijls and Plaat 1994: how each driver moves from bound to bound, and a tree on
//! which a call nearer to the value costs more than one farther away.

use anyhow::Context;
use serde_json::json;

use super::{ROOT, VALUES};
use crate::laboratory::{LabTree, search};
use crate::paper::calls::{Call, CallWatch};
use crate::paper::{Findings, PaperRun};
use crate::report::plot::{Plot, Series};
use crate::report::{Align, TextTable};
use plyground_core::limits::StopFlag;
use plyground_core::tree::{Explicit, Synthetic, TreeOrdering, mix};
use plyground_core::value::{INFINITY, ShownValue, Value};
use plyground_search::algorithms::{AlphaBeta, Dual2, MtdF, Sss0, Sss2, Sss4, SssB};
use plyground_search::{Algorithm, Options, SearchSpec};

/// The tree of figure 7 that is kept.
const FIGURE_7: &str = include_str!("../../../../../positions/solution-trees-figure-7.tree");

/// The size of figure 6's tree.
const SIZE: (usize, usize) = (5, 7);

/// The guess of SSS-0 and MTD(f) in figure 6.
const GUESS: Value = 400;

/// Figure 6 drawn: the bound after every call.
pub(super) fn figure_6(run: &PaperRun<'_>) -> anyhow::Result<Findings> {
    let (width, depth) = SIZE;
    let ordering = TreeOrdering::Probable { order: width, probability: 0.6 };
    let tree: LabTree =
        Synthetic::ordered(width, depth, VALUES, ROOT, mix(run.seed, 6), ordering)?.into();
    let drivers: [Algorithm; 6] = [
        Sss2.into(),
        Dual2.into(),
        Sss4 { step: 50 }.into(),
        SssB.into(),
        Sss0 { guess: Some(GUESS) }.into(),
        MtdF { guess: Some(GUESS) }.into(),
    ];
    let mut found = Findings::default();
    let mut series = Vec::new();
    let mut table = TextTable::new(format!(
        "Figure 6: from bound to bound on one tree T({width},{depth}) of value {ROOT}"
    ));
    table.column("driver", Align::Left);
    table.column("calls", Align::Right);
    table.column("nodes", Align::Right);
    table.column("the bounds that the calls returned", Align::Left);
    for driver in drivers {
        let watch = CallWatch::all();
        let spec = SearchSpec::new(&driver, depth as u32).within(run.limits());
        let outcome = search(&tree, &spec, Some(watch.watcher()))?;
        if outcome.stopped.is_some() {
            return Ok(found);
        }
        let calls = watch.calls();
        let returned: Vec<String> =
            calls.iter().filter_map(|call| call.value).map(|v| ShownValue(v).to_string()).collect();
        let shown = match returned.len() {
            n if n > 12 => format!("{} … {}", returned[..6].join(" "), returned[n - 5..].join(" ")),
            _ => returned.join(" "),
        };
        let nodes: u64 = calls.iter().map(|call| call.nodes).sum();
        table.row(vec![driver.name(), calls.len().to_string(), nodes.to_string(), shown]);
        for (number, Call { window, value, nodes }) in (1..).zip(&calls) {
            let finite = |v: Value| (v.abs() < INFINITY).then_some(v);
            found.rows.push(json!({
                "figure": 6, "line": driver.name(), "call": number, "alpha": finite(window.alpha),
                "beta": finite(window.beta), "value": value, "visits": nodes,
            }));
        }
        let points =
            (1..).zip(&calls).filter_map(|(n, call)| Some((f64::from(n), f64::from(call.value?))));
        series.push(Series { name: driver.name(), points: points.collect(), ..Series::default() });
    }
    let most = series.iter().map(|s: &Series| s.points.len()).max().unwrap_or(1);
    series.push(Series {
        name: "the value".into(),
        points: vec![(1.0, f64::from(ROOT)), (most as f64, f64::from(ROOT))],
        reference: true,
        ..Series::default()
    });
    found.tables.push(table);
    found.plots.push((
        "figure-6".into(),
        Plot {
            title: format!(
                "Figure 6: how each driver moves from bound to bound, T({width},{depth})"
            ),
            x_label: "call".into(),
            y_label: "the bound that it returned".into(),
            log_x: true,
            series,
            note: Some(format!("One tree; SSS-0 and MTD(f) begin at {GUESS}")),
            ..Plot::default()
        },
    ));
    Ok(found)
}

/// The nodes of a single null-window call that asks whether the tree is worth at least `gamma`.
fn nodes_of_call(tree: &LabTree, gamma: Value) -> anyhow::Result<Option<u64>> {
    let flag = StopFlag::new();
    let watch = CallWatch::first(&flag);
    let mut options = Options::to_depth(tree.height() as u32);
    options.limits.flag = flag;
    let spec = SearchSpec::check(&MtdF { guess: Some(gamma) }.into(), options)?;
    search(tree, &spec, Some(watch.watcher()))?;
    Ok(watch.calls().first().map(|call| call.nodes))
}

/// A bound farther above the value whose call costs less than that of a nearer one: both, and their nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Paradox {
    far: (Value, u64),
    near: (Value, u64),
}

/// Looks for the paradox of figure 7 in a tree, among bounds above its value.
fn paradox(tree: &LabTree, value: Value, most: Value) -> anyhow::Result<Option<Paradox>> {
    let mut cheapest: Option<(Value, u64)> = None;
    for gamma in (value + 1..=most).rev() {
        let Some(nodes) = nodes_of_call(tree, gamma)? else { continue };
        if let Some(far) = cheapest.filter(|far| far.1 < nodes) {
            return Ok(Some(Paradox { far, near: (gamma, nodes) }));
        }
        if cheapest.is_none_or(|(_, least)| nodes < least) {
            cheapest = Some((gamma, nodes));
        }
    }
    Ok(None)
}

/// Figure 7: the tree that is kept, and what calls at its bounds cost.
pub(super) fn figure_7() -> anyhow::Result<Findings> {
    let mut found = Findings::default();
    let tree: Explicit = FIGURE_7.parse().context("positions/solution-trees-figure-7.tree")?;
    let tree: LabTree = tree.into();
    let spec = SearchSpec::new(&AlphaBeta.into(), tree.height() as u32);
    let Some(value) = search(&tree, &spec, None)?.value else { return Ok(found) };
    let mut table = TextTable::new(format!(
        "Figure 7: single calls S-NWS(γ) on the tree that is kept, whose value is {value}"
    ));
    table.column("γ", Align::Right);
    table.column("nodes", Align::Right);
    for gamma in value + 1..=value + 10 {
        let Some(nodes) = nodes_of_call(&tree, gamma)? else { continue };
        table.row(vec![gamma.to_string(), nodes.to_string()]);
    }
    if let Some(Paradox { far, near }) = paradox(&tree, value, value + 10)? {
        table.note(format!(
            "γ = {} is nearer to the value than γ = {}, and expands {} nodes, not {}.",
            near.0, far.0, near.1, far.1
        ));
        found.rows.push(json!({
            "figure": 7, "value": value, "near": near.0, "near_nodes": near.1, "far": far.0,
            "far_nodes": far.1, "tree": "positions/solution-trees-figure-7.tree",
        }));
    }
    found.tables.push(table);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_that_is_kept_has_the_paradox() {
        let found = figure_7().unwrap();
        assert_eq!(found.rows.len(), 1);
        let row = &found.rows[0];
        let [value, near, far] = ["value", "near", "far"].map(|key| row[key].as_i64().unwrap());
        assert!(value < near && near < far, "{row}");
        assert_eq!((&row["near_nodes"], &row["far_nodes"]), (&json!(12), &json!(9)));
    }
}
