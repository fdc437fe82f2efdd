//! The tree of a search for other programs: Graphviz's language, and JSON.

use std::fmt::Write as _;

use serde::Serialize;

use super::{TreePicture, Visit, is_max, known};
use plyground_core::tree::Explicit;
use plyground_core::value::{Bounds, Value};

/// A node of a searched tree, as JSON has it. Children and leaves are numbered from 0, values are from
/// MAX's view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TreeNode {
    /// Its number: level by level, each from left to right; the root's is 0.
    pub id: usize,
    /// The number of its parent; `None` at the root.
    pub parent: Option<usize>,
    /// The child numbers that lead to it from the root.
    pub path: Vec<usize>,
    /// `max`, `min` or `leaf`.
    pub kind: &'static str,
    /// A leaf's number from the left.
    pub leaf: Option<usize>,
    /// A leaf's value, visited or not.
    pub value: Option<Value>,
    /// When it was evaluated first, from 0; `None` if it was not.
    pub visit: Option<usize>,
    /// Was it, or anything below it, visited? If not, it was cut off.
    pub touched: bool,
    /// What the visited leaves prove: the value is at least this.
    pub lower: Option<Value>,
    /// What the visited leaves prove: the value is at most this.
    pub upper: Option<Value>,
    /// Is it on the principal variation?
    pub variation: bool,
}

/// All nodes of `tree`, with the `visited` leaves in their order and what they prove.
pub fn nodes(tree: &Explicit, visited: &[Visit]) -> Vec<TreeNode> {
    let picture = TreePicture::proved(tree, visited);
    let mut nodes: Vec<TreeNode> = Vec::with_capacity(picture.nodes.len());
    for (id, node) in picture.nodes.iter().enumerate() {
        let parent = (id > 0).then_some(node.parent);
        let mut path = parent.map_or_else(Vec::new, |parent| nodes[parent].path.clone());
        path.extend(parent.map(|_| node.step));
        let Bounds { lower, upper } = node.proved;
        nodes.push(TreeNode {
            id,
            parent,
            path,
            kind: match node.leaf {
                Some(_) => "leaf",
                None if is_max(node.depth) => "max",
                None => "min",
            },
            leaf: node.leaf.map(|(_, number)| number),
            value: node.leaf.map(|(value, _)| value),
            visit: node.visit.map(|(order, _)| order),
            touched: node.touched,
            lower: (lower > Bounds::UNKNOWN.lower).then_some(lower),
            upper: (upper < Bounds::UNKNOWN.upper).then_some(upper),
            variation: node.in_solution,
        });
    }
    nodes
}

/// The same as a graph in Graphviz's language: MAX nodes are boxes, MIN nodes circles, what was not
/// visited is dashed, and the principal variation is bold. A visited leaf has the order of its visit
/// below its value.
///
/// ```
/// use plyground_study::report::drawing::dot;
///
/// let tree = "((3 5) (2 9))".parse()?;
/// let graph = dot(&tree, &[(vec![0, 0], 3), (vec![0, 1], 5), (vec![1, 0], 2)], "alpha-beta");
/// assert!(graph.starts_with("digraph tree {"));
/// assert!(graph.contains("n6 [label=\"9\", shape=plaintext, style=dashed"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn dot(tree: &Explicit, visited: &[Visit], title: &str) -> String {
    let picture = TreePicture::proved(tree, visited);
    let title = title.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = format!(
        "digraph tree {{\n  label=\"{title}\";\n  labelloc=t;\n  ordering=out;\n  \
         node [fontname=\"sans-serif\"];\n  edge [arrowhead=none];\n"
    );
    for (at, node) in picture.nodes.iter().enumerate() {
        let label = match (node.leaf, node.visit) {
            (Some((value, _)), None) => value.to_string(),
            (_, Some((order, value))) => format!("{value}\\n#{}", order + 1),
            (None, None) => known(node.proved),
        };
        let shape = match node.leaf {
            Some(_) => "plaintext",
            None if is_max(node.depth) => "box",
            None => "circle",
        };
        let style = match (node.touched, node.in_solution) {
            (_, true) => "bold",
            (true, false) => "solid",
            (false, false) => "dashed",
        };
        let faint = if node.touched { "" } else { ", fontcolor=gray, color=gray" };
        let _ = writeln!(text, "  n{at} [label=\"{label}\", shape={shape}, style={style}{faint}];");
        if at > 0 {
            let _ = writeln!(text, "  n{} -> n{at} [style={style}{faint}];", node.parent);
        }
    }
    text.push_str("}\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn textbook() -> (Explicit, Vec<Visit>) {
        let tree = "((3 12 8) (2 4 6) (14 5 2))".parse().unwrap();
        let visits =
            [(0, 0, 3), (0, 1, 12), (0, 2, 8), (1, 0, 2), (2, 0, 14), (2, 1, 5), (2, 2, 2)];
        (tree, visits.map(|(a, b, value)| (vec![a, b], value)).to_vec())
    }

    #[test]
    fn nodes_have_their_places_and_what_is_proved() {
        let (tree, visits) = textbook();
        let nodes = nodes(&tree, &visits);
        assert_eq!(nodes.len(), 13);
        let root = &nodes[0];
        assert_eq!((root.kind, root.lower, root.upper), ("max", Some(3), Some(3)));
        assert!(root.variation && root.parent.is_none() && root.path.is_empty());
        let second = &nodes[2];
        assert_eq!((second.path.as_slice(), second.kind), (&[1][..], "min"));
        assert_eq!((second.lower, second.upper), (None, Some(2)));
        let cut: Vec<usize> = nodes.iter().filter(|n| !n.touched).filter_map(|n| n.leaf).collect();
        assert_eq!(cut, [4, 5]);
        let order: Vec<Option<usize>> =
            nodes.iter().filter(|n| n.leaf.is_some()).map(|n| n.visit).collect();
        assert_eq!(order[..5], [Some(0), Some(1), Some(2), Some(3), None]);
    }

    #[test]
    fn the_graph_has_every_node_and_edge_once() {
        let (tree, visits) = textbook();
        let graph = dot(&tree, &visits, "a \"title\"");
        assert_eq!(graph.matches(" -> ").count(), 12);
        assert_eq!(graph.matches("[label=").count(), 13);
        assert!(graph.contains("label=\"a \\\"title\\\"\""), "{graph}");
        assert!(graph.contains("n0 [label=\"=3\", shape=box, style=bold];"), "{graph}");
        assert!(graph.contains("n2 [label=\"≤2\", shape=circle, style=solid];"), "{graph}");
        assert!(graph.contains("n4 [label=\"3\\n#1\", shape=plaintext, style=bold];"), "{graph}");
    }
}
