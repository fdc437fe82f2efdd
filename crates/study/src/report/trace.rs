//! The trace of a search as text: one line a step, in the vocabulary of the papers.

use std::fmt::Write as _;

use serde_json::json;

use plyground_core::tree::Explicit;
use plyground_core::value::{Bounds, INFINITY, ShownValue, Value, Window};
use plyground_search::{Event, OpenState, OpenStatus, TraceLog};

/// The most states of OPEN that are shown; the rest is counted.
const OPEN_SHOWN: usize = 16;

/// The trace of a search on `tree`, one line a step. Nodes are named by their Dewey numbers, from 0;
/// values are from MAX's point of view.
pub fn trace_text(tree: &Explicit, trace: &TraceLog) -> String {
    let mut text = String::new();
    let mut step = 0;
    for (steps, event) in trace.events() {
        if !matches!(event, Event::Open { .. }) {
            step += 1;
            let _ = write!(text, "{step:>5}  ");
        }
        let name = name(&steps);
        let indent = "  ".repeat(steps.len().min(20));
        let _ = match event {
            Event::Evaluated { value } => {
                let number = tree.node_at(&steps).and_then(|node| tree.leaf_number(&node));
                let number = number.map_or(String::new(), |n| format!("leaf {n}, "));
                writeln!(text, "{indent}{name}: {number}value {value}")
            }
            Event::Judged { value } => writeln!(text, "{indent}{name}: judged {value}"),
            Event::Question { at_least } => {
                writeln!(text, "question: is the root worth at least {}?", ShownValue(*at_least))
            }
            Event::Chosen { why } => writeln!(text, "{indent}{} {name}: {why}", side(&steps)),
            Event::Proof { proof, disproof } => {
                let number = |n: &Option<u32>| n.map_or("∞".into(), |n| n.to_string());
                let (proof, disproof) = (number(proof), number(disproof));
                writeln!(text, "{indent}{name}: proof {proof}, disproof {disproof}")
            }
            Event::Backed { value, visits: 1 } => writeln!(text, "{indent}{name}: value {value}"),
            Event::Backed { value, visits } => {
                writeln!(text, "{indent}{name}: value {value} backed up, {visits} visits")
            }
            Event::Pass { window } => writeln!(text, "call with window {window}"),
            Event::Enter { window } => {
                writeln!(text, "{indent}{} {name}: window {window}", side(&steps))
            }
            Event::Test { than } => {
                let better = if is_max(&steps) { '>' } else { '<' };
                writeln!(text, "{indent}TEST {name} {better} {}", ShownValue(*than))
            }
            Event::Answered { bounds } => {
                writeln!(text, "{indent}{name}: answered by {}", shown(*bounds))
            }
            Event::Stored { bounds } => {
                writeln!(text, "{indent}{name}: stores {}", shown(*bounds))
            }
            Event::Leave { value } => {
                writeln!(text, "{indent}{} {name}: returns {}", side(&steps), ShownValue(*value))
            }
            Event::Taken { state, action } => {
                writeln!(text, "{}: {action}", open_state(trace, state))
            }
            Event::Resumed { merit } => {
                writeln!(text, "{name}: push its next partition with {}", ShownValue(*merit))
            }
            Event::Activity { active: false } => writeln!(text, "{name} becomes INACTIVE"),
            Event::Activity { active: true } => writeln!(text, "{name} becomes ACTIVE again"),
            Event::Iteration { depth } => writeln!(text, "the search to depth {depth} begins"),
            Event::Turn { process } => writeln!(text, "process {process} goes on"),
            Event::Tick { count } => writeln!(text, "terminal count {count}"),
            Event::Spawned { process, children: (n, first) } => {
                let first = [steps.as_slice(), &[*first]].concat();
                let more = match n - 1 {
                    0 => String::new(),
                    n => format!(" and {n} more"),
                };
                writeln!(text, "process {process} is given {}{more}", self::name(&first))
            }
            Event::Killed { process } => writeln!(text, "process {process} is killed"),
            Event::Waits => writeln!(text, "it waits"),
            Event::Open { states } => {
                let shown: Vec<String> =
                    states.iter().take(OPEN_SHOWN).map(|s| open_state(trace, s)).collect();
                let more = match states.len().saturating_sub(OPEN_SHOWN) {
                    0 => String::new(),
                    n => format!(" and {n} more"),
                };
                writeln!(text, "       OPEN: {}{more}", shown.join(" "))
            }
        };
    }
    text
}

fn is_max(steps: &[usize]) -> bool {
    steps.len().is_multiple_of(2)
}

fn side(steps: &[usize]) -> &'static str {
    if is_max(steps) { "MAX" } else { "MIN" }
}

/// The Dewey number, from 0 as leaves are numbered.
fn name(steps: &[usize]) -> String {
    if steps.is_empty() {
        return "root".into();
    }
    let numbers: Vec<String> = steps.iter().map(ToString::to_string).collect();
    numbers.join(".")
}

fn open_state(trace: &TraceLog, state: &OpenState) -> String {
    let mut steps = trace.steps(state.path);
    steps.extend(state.child);
    let status = status(state.status);
    let inactive = if state.active { "" } else { ", INACTIVE" };
    format!("({}, {status}, {}{inactive})", name(&steps), ShownValue(state.merit))
}

fn status(status: OpenStatus) -> &'static str {
    match status {
        OpenStatus::Live => "LIVE",
        OpenStatus::Solved => "SOLVED",
    }
}

fn shown(bounds: Bounds) -> String {
    format!("f⁻ = {}, f⁺ = {}", ShownValue(bounds.lower), ShownValue(bounds.upper))
}

/// The steps of a search as JSON objects: `event` says which kind, `path` the child numbers that lead to
/// the node, and the other keys are the event's own. Infinite values are null.
pub fn trace_objects(trace: &TraceLog) -> Vec<serde_json::Value> {
    let value = |value: Value| (value.abs() < INFINITY).then_some(value);
    let state = |state: &OpenState| {
        let mut path = trace.steps(state.path);
        path.extend(state.child);
        json!({ "path": path, "status": status(state.status), "merit": value(state.merit),
                "active": state.active })
    };
    let bounds =
        |bounds: &Bounds| json!({ "lower": value(bounds.lower), "upper": value(bounds.upper) });
    let window =
        |window: &Window| json!({ "alpha": value(window.alpha), "beta": value(window.beta) });
    let object = |(path, event): (Vec<usize>, &Event)| {
        let (name, more) = match event {
            Event::Evaluated { value } => ("leaf", json!({ "value": value })),
            Event::Judged { value } => ("judged", json!({ "value": value })),
            Event::Question { at_least } => ("question", json!({ "at_least": value(*at_least) })),
            Event::Chosen { why } => ("chosen", json!({ "why": why })),
            Event::Proof { proof, disproof } => {
                ("proof", json!({ "proof": proof, "disproof": disproof }))
            }
            Event::Backed { value, visits } => {
                ("backed", json!({ "value": value, "visits": visits }))
            }
            Event::Pass { window: w } => ("call", json!({ "window": window(w) })),
            Event::Enter { window: w } => ("enter", json!({ "window": window(w) })),
            Event::Test { than } => ("test", json!({ "than": value(*than) })),
            Event::Answered { bounds: b } => ("answered", json!({ "bounds": bounds(b) })),
            Event::Stored { bounds: b } => ("stored", json!({ "bounds": bounds(b) })),
            Event::Leave { value: v } => ("leave", json!({ "value": value(*v) })),
            Event::Taken { state: s, action } => {
                ("taken", json!({ "state": state(s), "action": action }))
            }
            Event::Resumed { merit } => ("resumed", json!({ "merit": value(*merit) })),
            Event::Activity { active } => ("activity", json!({ "active": active })),
            Event::Iteration { depth } => ("iteration", json!({ "depth": depth })),
            Event::Turn { process } => ("turn", json!({ "process": process })),
            Event::Tick { count } => ("tick", json!({ "count": count })),
            Event::Spawned { process, children: (count, first) } => {
                ("spawned", json!({ "process": process, "children": count, "first": first }))
            }
            Event::Killed { process } => ("killed", json!({ "process": process })),
            Event::Waits => ("waits", json!({})),
            Event::Open { states } => {
                ("open", json!({ "states": states.iter().map(state).collect::<Vec<_>>() }))
            }
        };
        let mut object = json!({ "event": name, "path": path });
        if let (Some(object), serde_json::Value::Object(more)) = (object.as_object_mut(), more) {
            object.extend(more);
        }
        object
    };
    trace.events().map(object).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_search::{SearchSpec, Trace, Workspace, search_in};

    fn traced(text: &str, id: &str) -> String {
        let tree: Explicit = text.parse().unwrap();
        let trace = Trace::of_everything();
        let spec = SearchSpec::new(&id.parse().unwrap(), tree.height() as u32);
        search_in(&mut Workspace::new(), &tree, &spec, Some(trace.watcher())).unwrap();
        let written = trace.read();
        trace_text(&tree, &written)
    }

    #[test]
    fn alpha_beta_shows_its_windows() {
        let expected = "    1  MAX root: window (-∞, ∞)
    2    MIN 0: window (-∞, ∞)
    3      0.0: leaf 0, value 5
    4      0.1: leaf 1, value 3
    5    MIN 0: returns 3
    6    MIN 1: window (3, ∞)
    7      1.0: leaf 2, value 2
    8    MIN 1: returns 2
    9  MAX root: returns 3
";
        assert_eq!(traced("((5 3) (2 9))", "alpha-beta"), expected);
    }

    #[test]
    fn sss_shows_its_states() {
        let text = traced("((5 3) (2 9))", "sss");
        assert!(text.contains("(root, LIVE, ∞): push its partition"), "{text}");
        assert!(text.contains("OPEN: (1, LIVE, ∞) (0.0, SOLVED, 5)"), "{text}");
        assert!(text.contains("(0.0, SOLVED, 5): push its sibling"), "{text}");
        assert!(text.contains("(0, SOLVED, 3): raise low of its parent"), "{text}");
    }

    #[test]
    fn drivers_show_their_calls_and_bounds() {
        let text = traced("((5 3) (2 9))", "mtd-f:3");
        assert!(text.contains("call with window (2, 3)"), "{text}");
        assert!(text.contains("stores f⁻ = 3"), "{text}");
        assert!(traced("((5 3) (2 9))", "scout").contains("TEST 1 < 4"), "Scout tests");
    }

    #[test]
    fn searches_at_the_frontier_show_what_they_choose_and_why() {
        for (id, expected) in [
            ("pn", "MIN 0: most proving"),
            ("pn", "question: is the root worth at least"),
            ("pn", "root: proof 0, disproof ∞"),
            ("df-pn:4K", "root: proof 0, disproof ∞"),
            ("pn2", "most proving, to be searched by itself"),
            ("cns:2", "could raise"),
            ("ab-cns:2", "could reach β"),
            ("b-star", "ProveBest"),
            ("pb-star", "most likely the best"),
            ("best-first-minimax", "principal leaf"),
            ("best-first-minimax", "0: judged 5"),
            ("uct:1", "playout"),
        ] {
            let text = traced("((5 3) (2 9))", id);
            assert!(text.contains(expected), "{id}: {text}");
        }
    }
}
