//! The nodes that a film shows: all of a written tree; of a position's tree what the search touched.

use plyground_core::tree::{Explicit, GameTree};
use plyground_core::value::Value;
use plyground_engine::door::AnyLine;
use plyground_engine::game::GameError;
use serde_json::{Value as Json, json};

use super::recorder::Recorder;

/// A node that is not there.
const NONE: u32 = u32::MAX;

/// The nodes level by level: the children of a node are consecutive.
#[derive(Default)]
pub(super) struct Nodes {
    pub(super) parent: Vec<u32>,
    pub(super) first: Vec<u32>,
    pub(super) count: Vec<u32>,
    pub(super) depth: Vec<u32>,
    /// The number among the siblings, or the move that leads here.
    label: Vec<String>,
    /// The values of a written tree's leaves.
    value: Vec<Option<Value>>,
    /// How many moves a node stands for that the search never looked at; 0 for a usual node.
    pub(super) rest: Vec<u32>,
    /// The node of each path.
    of_path: Vec<u32>,
    has_moves: bool,
}

/// How many nodes a tree has, counted up to one more than `most`.
pub(super) fn size(tree: &Explicit, most: usize) -> usize {
    let mut waiting = vec![tree.root()];
    let mut found = 0;
    while let Some(node) = waiting.pop() {
        found += 1;
        if found > most {
            break;
        }
        waiting.extend((0..tree.child_count(&node)).map(|child| tree.child(&node, child as u32)));
    }
    found
}

impl Nodes {
    fn push(&mut self, parent: u32, label: String, value: Option<Value>, rest: u32) -> u32 {
        let id = self.parent.len() as u32;
        let depth = if id == 0 { 0 } else { self.depth[parent as usize] + 1 };
        self.parent.push(parent);
        self.first.push(0);
        self.count.push(0);
        self.depth.push(depth);
        self.label.push(label);
        self.value.push(value);
        self.rest.push(rest);
        id
    }

    pub(super) fn of_tree(tree: &Explicit, recorder: &Recorder) -> Nodes {
        let mut nodes = Nodes::default();
        let mut sources = vec![tree.root()];
        nodes.push(0, String::new(), tree.leaf_value(&sources[0]), 0);
        let mut at = 0;
        while at < sources.len() {
            nodes.first[at] = nodes.len() as u32;
            let width = tree.child_count(&sources[at]);
            nodes.count[at] = width as u32;
            for step in 0..width {
                let child = tree.child(&sources[at], step as u32);
                nodes.push(at as u32, step.to_string(), tree.leaf_value(&child), 0);
                sources.push(child);
            }
            at += 1;
        }
        nodes.of_path = vec![NONE; recorder.paths.len()];
        nodes.of_path[0] = 0;
        for path in 1..recorder.paths.len() {
            nodes.locate(recorder, path);
        }
        nodes
    }

    /// Finds the node of a path in a written tree, and those above it that are not yet known.
    fn locate(&mut self, recorder: &Recorder, path: usize) {
        let mut above = Vec::new();
        let mut at = path;
        while self.of_path[at] == NONE && at != 0 {
            above.push(at);
            at = recorder.paths[at].0 as usize;
        }
        for path in above.into_iter().rev() {
            let (parent, child) = recorder.paths[path];
            let node = self.of_path[parent as usize];
            if node != NONE && child < self.count[node as usize] {
                self.of_path[path] = self.first[node as usize] + child;
            }
        }
    }

    pub(super) fn of_position(line: &dyn AnyLine, recorder: &Recorder) -> Result<Nodes, GameError> {
        let touched = touched(recorder);
        let mut nodes = Nodes { has_moves: true, ..Nodes::default() };
        nodes.of_path = vec![NONE; recorder.paths.len()];
        nodes.of_path[0] = 0;
        nodes.push(0, String::new(), None, 0);
        let mut waiting = std::collections::VecDeque::from([(0_u32, 0_u32)]);
        while let Some((path, node)) = waiting.pop_front() {
            let Some(&(first, width)) = recorder.children.get(&path) else { continue };
            let all = first..first + width as u32;
            let start = nodes.len();
            for child in all.clone().filter(|child| touched[*child as usize]) {
                let id = nodes.push(node, String::new(), None, 0);
                nodes.of_path[child as usize] = id;
                waiting.push_back((child, id));
            }
            let seen = (nodes.len() - start) as u32;
            let rest = width as u32 - seen;
            if seen > 0 && rest > 0 {
                nodes.push(node, format!("+{rest}"), None, rest);
            }
            nodes.first[node as usize] = start as u32;
            nodes.count[node as usize] = nodes.len() as u32 - start as u32;
        }
        nodes.name_moves(line.boxed().as_mut(), recorder, 0)?;
        Ok(nodes)
    }

    /// Labels the nodes below a path with the moves that lead to them. As deep as the search was.
    fn name_moves(
        &mut self,
        line: &mut dyn AnyLine,
        recorder: &Recorder,
        path: u32,
    ) -> Result<(), GameError> {
        let Some(&(first, width)) = recorder.children.get(&path) else { return Ok(()) };
        let (written, shown) = (line.legal_moves(), line.legal_moves_shown());
        for place in 0..width.min(written.len()).min(shown.len()) {
            let child = first + place as u32;
            let node = self.of_path[child as usize];
            if node == NONE {
                continue;
            }
            self.label[node as usize] = shown[place].clone();
            if self.count[node as usize] > 0 {
                line.play(&written[place])?;
                self.name_moves(line, recorder, child)?;
                line.undo();
            }
        }
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.parent.len()
    }

    /// The node of a path; the root if it is not shown.
    pub(super) fn at(&self, path: u32) -> u32 {
        match self.of_path.get(path as usize) {
            Some(&node) if node != NONE => node,
            _ => 0,
        }
    }

    pub(super) fn is_max(&self, node: u32) -> bool {
        self.depth[node as usize].is_multiple_of(2)
    }

    pub(super) fn side(&self, node: u32) -> &'static str {
        if self.is_max(node) { "MAX" } else { "MIN" }
    }

    pub(super) fn children(&self, node: u32) -> std::ops::Range<u32> {
        let first = self.first[node as usize];
        first..first + self.count[node as usize]
    }

    /// The Dewey number, or the moves that lead to the node.
    pub(super) fn name(&self, node: u32) -> String {
        if node == 0 {
            return "root".into();
        }
        let mut steps = Vec::new();
        let mut at = node;
        while at != 0 {
            steps.push(self.label[at as usize].as_str());
            at = self.parent[at as usize];
        }
        steps.reverse();
        steps.join(if self.has_moves { " " } else { "." })
    }

    /// The same where something is said to be at the node.
    pub(super) fn place(&self, node: u32) -> String {
        if node == 0 { "the root".into() } else { self.name(node) }
    }

    /// Several siblings, in words.
    pub(super) fn names(&self, all: &[u32]) -> String {
        const SHOWN: usize = 4;
        let moves = |node: &u32| self.rest[*node as usize].max(1) as usize;
        let count: usize = all.iter().map(moves).sum();
        if all.iter().any(|node| self.rest[*node as usize] > 0) || count > SHOWN {
            return if self.has_moves {
                format!("the other {count} {}", if count == 1 { "move" } else { "moves" })
            } else {
                format!("{count} children of {}", self.place(self.parent[all[0] as usize]))
            };
        }
        let names: Vec<String> = all.iter().map(|node| self.name(*node)).collect();
        match names.split_last() {
            Some((last, [])) => last.clone(),
            Some((last, others)) => format!("{} and {last}", others.join(", ")),
            None => String::new(),
        }
    }

    pub(super) fn to_json(&self) -> Json {
        let labels = self.has_moves.then_some(&self.label);
        json!({
            "parent": self.parent, "first": self.first, "count": self.count,
            "value": self.value, "rest": self.rest, "label": labels,
        })
    }
}

/// Which paths the search came to, or held on OPEN, and what lies above them.
fn touched(recorder: &Recorder) -> Vec<bool> {
    let mut touched = vec![false; recorder.paths.len()];
    let mut touch = |mut path: u32| {
        while let Some(seen) = touched.get_mut(path as usize) {
            if std::mem::replace(seen, true) || path == 0 {
                break;
            }
            path = recorder.paths[path as usize].0;
        }
    };
    for step in &recorder.steps {
        touch(step.at);
        for state in step.open.iter().flat_map(|open| &open.states) {
            touch(recorder.path_of(state));
        }
        if let plyground_search::Event::Taken { state, .. } = &step.event {
            touch(recorder.path_of(state));
        }
    }
    touched
}
