//! Drawings of trees: what they show, and that nothing breaks them.

use super::layout::{Layout, folded_levels};
use super::shapes::shade;
use super::*;
use crate::report::svg::check;
use plyground_core::value::INFINITY;
use plyground_search::{SearchSpec, Trace, Workspace, search_in};
use proptest::prelude::*;

const TEXTBOOK: &str = "((3 12 8) (2 4 6) (14 5 2))";

/// Visits to the nodes at these steps, in this order.
fn visits(tree: &Explicit, steps: &[&[usize]]) -> Vec<Visit> {
    let visit = |steps: &&[usize]| {
        let value = tree.node_at(steps).map_or(0, |n| tree.evaluate(&n));
        (steps.to_vec(), if is_max(steps.len()) { value } else { -value })
    };
    steps.iter().map(visit).collect()
}

fn searched(text: &str, id: &str) -> (Explicit, Vec<Visit>) {
    let tree: Explicit = text.parse().unwrap();
    let trace = Trace::of_leaves();
    let spec = SearchSpec::new(&id.parse().unwrap(), tree.height() as u32);
    search_in(&mut Workspace::new(), &tree, &spec, Some(trace.watcher())).unwrap();
    let visited = trace.read().visited().collect();
    (tree, visited)
}

fn picture(tree: &Explicit, visited: &[Visit]) -> TreePicture {
    let mut picture = TreePicture::of(tree, visited);
    picture.prove();
    picture.find_solution();
    picture.find_solution_trees();
    picture
}

#[test]
fn solution_trees_and_the_types_of_their_nodes() {
    let (tree, visited) = searched(TEXTBOOK, "alpha-beta");
    let picture = picture(&tree, &visited);
    let of = |in_tree: fn(&DrawnNode) -> bool| -> Vec<usize> {
        (0..13).filter(|&at| in_tree(&picture.nodes[at])).collect()
    };
    // All children of the root and one below each; the first child of the root and all below it.
    assert_eq!(of(|n| n.in_max_tree), [0, 1, 2, 3, 4, 7, 12]);
    assert_eq!(of(|n| n.in_min_tree), [0, 1, 4, 5, 6]);
    let kinds: Vec<Option<u8>> = picture.nodes.iter().map(DrawnNode::kind).collect();
    assert_eq!(kinds[..5], [Some(1), Some(1), Some(2), Some(2), Some(1)]);
    assert_eq!((kinds[5], kinds[7], kinds[8], kinds[12]), (Some(2), Some(3), None, Some(3)));
}

#[test]
fn alpha_beta_on_the_textbook_tree() {
    let (tree, visited) = searched(TEXTBOOK, "alpha-beta");
    let picture = picture(&tree, &visited);
    let labels: Vec<String> = (0..4).map(|at| picture.label(at)).collect();
    assert_eq!(labels, ["=3", "=3", "≤2", "=2"]);
    let solution: Vec<usize> = (0..13).filter(|&at| picture.nodes[at].in_solution).collect();
    assert_eq!(solution, [0, 1, 4]);
    let svg = draw(&tree, &visited, "alpha-beta & <others>");
    check::well_formed(&svg);
    let texts = check::texts(&svg);
    assert_eq!(
        texts[..3],
        ["alpha-beta &amp; &lt;others&gt;", "Root: = 3", "7 of 9 leaves visited"]
    );
    // Each leaf with the order of its visit and its type, if it has them.
    let tail = [
        "3", "1", "1", "12", "2", "2", "8", "3", "2", "2", "4", "3", "4", "6", "14", "5", "5", "6",
        "2", "7", "3",
    ];
    assert!(texts.ends_with(&tail), "leaves with their orders: {texts:?}");
    assert_eq!(svg.matches(", not visited</title>").count(), 2);
    assert!(svg.contains("<title>MIN 1: f⁻ = -∞, f⁺ = 2</title>"));
    assert!(svg.contains("<title>leaf 2.0: value 14, visited as number 5 of 7</title>"));
}

#[test]
fn labels_say_what_is_known() {
    for (lower, upper, text) in [
        (3, 3, "=3"),
        (3, INFINITY, "≥3"),
        (-INFINITY, -3, "≤-3"),
        (-2, 5, "-2..5"),
        (-INFINITY, INFINITY, ""),
    ] {
        assert_eq!(known(Bounds { lower, upper }), text);
    }
    assert_eq!((spaced("≤-3"), spaced("2..5")), ("≤ -3".into(), "2..5".into()));
}

#[test]
fn an_unfinished_search_proves_less() {
    let tree: Explicit = TEXTBOOK.parse().unwrap();
    let svg = |steps: &[&[usize]]| draw(&tree, &visits(&tree, steps), "unfinished");
    let nothing = svg(&[]);
    check::well_formed(&nothing);
    assert!(check::texts(&nothing).contains(&"Root: nothing proved"));
    assert!(!nothing.contains("principal variation"));
    let lower = svg(&[&[0, 0], &[0, 1], &[0, 2]]);
    assert!(check::texts(&lower).contains(&"Root: ≥ 3"));
    let both = svg(&[&[0, 0], &[1, 0], &[1, 1], &[1, 2], &[2, 0]]);
    assert!(check::texts(&both).contains(&"Root: 2..14"));
}

#[test]
fn a_horizon_above_the_leaves_counts_as_leaves() {
    let tree: Explicit = TEXTBOOK.parse().unwrap();
    let picture = picture(&tree, &visits(&tree, &[&[0], &[1], &[2]]));
    assert_eq!(picture.nodes[0].proved, Bounds::exact(14), "of the leftmost leaves 3, 2, 14");
    assert!(picture.nodes[3].in_solution);
    assert!(picture.nodes[4..].iter().all(|n| !n.touched && !n.in_solution));
}

#[test]
fn visits_outside_the_tree_are_not_drawn() {
    let tree: Explicit = TEXTBOOK.parse().unwrap();
    let picture = picture(&tree, &visits(&tree, &[&[7], &[0, 0, 1], &[0, 1]]));
    assert_eq!(picture.visits, 1);
    assert_eq!(picture.nodes[5].visit, Some((0, 12)));
}

#[test]
fn a_single_leaf_is_a_tree() {
    let (tree, visited) = searched("-7", "alpha-beta");
    let svg = draw(&tree, &visited, "");
    check::well_formed(&svg);
    assert!(check::texts(&svg).ends_with(&["-7", "1", "1"]));
    assert!(svg.contains("<title>leaf root: value -7"));
}

#[test]
fn a_long_chain_is_folded() {
    let text = format!("{}(4 5){}", "(".repeat(200), ")".repeat(200));
    let (tree, visited) = searched(&text, "alpha-beta");
    let svg = draw(&tree, &visited, "chain");
    check::well_formed(&svg);
    assert!(check::texts(&svg).contains(&"⋮ 196 plies"));
    assert!(svg.contains("<title>plies 2 to 197: one move each</title>"));
    let layout = Layout::of(&picture(&tree, &visited));
    assert!(layout.height < 600.0, "{}", layout.height);
    assert_eq!(folded_levels(&picture(&tree, &visited))[..3], [false, false, true]);
}

#[test]
fn deep_trees_need_no_stack() {
    let deep = |unit: &str, close: &str| format!("{}1{}", unit.repeat(999), close.repeat(999));
    for text in [deep("(", ")"), deep("(", " 2)"), deep("(3 ", ")")] {
        let drawing = std::thread::Builder::new().stack_size(128 << 10).spawn(move || {
            let tree: Explicit = text.parse().unwrap();
            let leaf = vec![0; 999];
            draw(&tree, &visits(&tree, &[&leaf, &[1]]), "deep")
        });
        let svg = drawing.unwrap().join().unwrap();
        check::well_formed(&svg);
        assert!(svg.len() < 2_000_000, "long names are cut: {}", svg.len());
    }
}

#[test]
fn many_leaves_make_a_wide_file_and_no_more() {
    let leaves: Vec<Value> = (0..2_000).collect();
    let tree = Explicit::uniform(2_000, 1, &leaves).unwrap();
    let svg = draw(&tree, &visits(&tree, &[&[1_999]]), "wide");
    check::well_formed(&svg);
    assert!(check::texts(&svg).contains(&"Root: ≥ 1999"));
}

#[test]
fn orders_can_be_read_on_their_colours() {
    let light = |c: &str| {
        let part = |i: usize| {
            let v = f64::from(u8::from_str_radix(&c[i..i + 2], 16).unwrap()) / 255.0;
            if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    };
    let mut last = 0.0;
    for step in 0..=50 {
        let (fill, ink) = shade(f64::from(step) / 50.0);
        let (a, b) = (light(&fill), light(ink));
        assert!((a.max(b) + 0.05) / (a.min(b) + 0.05) >= 4.5, "{ink} on {fill}");
        assert!(a >= last, "later is lighter, in grey too");
        last = a;
    }
}

fn any_tree() -> impl Strategy<Value = Explicit> {
    let leaf = (-20..=2_000_000_i32).prop_map(|v| if v > 30 { v % 40 } else { v * 40_000 });
    let text = leaf.prop_map(|v| v.to_string()).prop_recursive(6, 60, 4, |inner| {
        prop::collection::vec(inner, 1..5).prop_map(|c| format!("({})", c.join(" ")))
    });
    text.prop_map(|text| text.parse().unwrap())
}

/// The minimax value if unvisited leaves have this value: the definition, word by word.
fn minimax(tree: &Explicit, steps: &mut Vec<usize>, seen: &[bool], other: Value) -> Value {
    let node = tree.node_at(steps).unwrap();
    if let (Some(value), Some(number)) = (tree.leaf_value(&node), tree.leaf_number(&node)) {
        return if seen[number] { value } else { other };
    }
    let values: Vec<Value> = (0..tree.child_count(&node))
        .map(|step| {
            steps.push(step);
            let value = minimax(tree, steps, seen, other);
            steps.pop();
            value
        })
        .collect();
    let best = if is_max(steps.len()) { values.iter().max() } else { values.iter().min() };
    *best.unwrap()
}

fn steps_of(picture: &TreePicture, mut at: usize) -> Vec<usize> {
    let mut steps = Vec::new();
    while at != 0 {
        steps.push(picture.nodes[at].step);
        at = picture.nodes[at].parent;
    }
    steps.reverse();
    steps
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn proofs_and_solutions_are_those_of_the_definition(
        tree in any_tree(),
        seen in prop::collection::vec(any::<bool>(), 300),
        all in any::<bool>(),
    ) {
        let seen: Vec<bool> = seen.iter().map(|&s| s || all).collect();
        let empty = TreePicture::of(&tree, &[]);
        let steps: Vec<Vec<usize>> = (0..empty.nodes.len())
            .filter(|&at| empty.nodes[at].leaf.is_some_and(|(_, number)| seen[number]))
            .map(|at| steps_of(&empty, at))
            .collect();
        let steps: Vec<&[usize]> = steps.iter().map(Vec::as_slice).collect();
        let visited = visits(&tree, &steps);
        let picture = picture(&tree, &visited);
        for at in 0..picture.nodes.len() {
            let mut steps = steps_of(&picture, at);
            let lower = minimax(&tree, &mut steps, &seen, -INFINITY);
            let upper = minimax(&tree, &mut steps, &seen, INFINITY);
            prop_assert_eq!(picture.nodes[at].proved, Bounds { lower, upper });
        }
        let root = picture.nodes[0].proved;
        let ends: Vec<&DrawnNode> =
            picture.nodes.iter().filter(|n| n.in_solution && n.leaf.is_some()).collect();
        if root.is_exact() {
            prop_assert_eq!(ends.len(), 1, "one path, down to a leaf");
            prop_assert_eq!(ends[0].visit.map(|v| v.1), Some(root.lower));
            let length = picture.nodes.iter().filter(|n| n.in_solution).count();
            prop_assert_eq!(length, ends[0].depth + 1);
        } else {
            prop_assert!(picture.nodes.iter().all(|n| !n.in_solution));
        }
        check::well_formed(&draw(&tree, &visited, "any tree"));
    }

    #[test]
    fn nodes_do_not_touch_and_parents_stand_in_the_middle(
        tree in any_tree(),
        seen in prop::collection::vec(any::<bool>(), 300),
    ) {
        let mut picture = TreePicture::of(&tree, &[]);
        for at in 0..picture.nodes.len() {
            if let Some((value, number)) = picture.nodes[at].leaf.filter(|l| seen[l.1]) {
                picture.nodes[at].visit = Some((number, value));
            }
        }
        picture.prove();
        let layout = Layout::of(&picture);
        for level in &picture.levels {
            for (a, b) in level.clone().zip(level.clone().skip(1)) {
                let apart = layout.x[b] - layout.x[a];
                let needed = f64::midpoint(layout.sizes[a].0, layout.sizes[b].0);
                prop_assert!(apart >= needed + GAP - 1e-6);
            }
            for at in level.clone() {
                let (x, half) = (layout.x[at], layout.sizes[at].0 / 2.0);
                prop_assert!(x - half >= -1e-6 && x + half <= layout.width + 1e-6);
                let children = picture.nodes[at].children.clone();
                if let (Some(first), Some(last)) = (children.clone().next(), children.last()) {
                    let middle = f64::midpoint(layout.x[first], layout.x[last]);
                    prop_assert!((middle - x).abs() < 1e-6);
                }
            }
        }
        let mut leaves: Vec<f64> = (0..picture.nodes.len())
            .filter(|&at| picture.nodes[at].leaf.is_some())
            .map(|at| layout.x[at])
            .collect();
        leaves.sort_by(f64::total_cmp);
        let steps: Vec<f64> = leaves.windows(2).map(|w| w[1] - w[0]).collect();
        prop_assert!(steps.iter().all(|s| (s - steps[0]).abs() < 1e-6));
    }
}
