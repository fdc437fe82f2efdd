//! Random trees of every kind of shape, and a way to see what an algorithm visits on them.

use plyground::search::{Algorithm, Counts, Options, Outcome, Trace, TraceLog};
use plyground::tree::Explicit;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::searching::{Searched, spec};

/// The tests' own source of chance: the same trees on every machine and in every run.
pub fn chance(seed: u64) -> StdRng {
    StdRng::seed_from_u64(seed)
}

/// A random tree of varying width and depth. Value ranges go from 2 (many ties) to 2³⁰ (none).
pub fn any_tree(rng: &mut StdRng) -> Explicit {
    let depth = rng.random_range(0..=6);
    let width = rng.random_range(1..=[8, 8, 7, 6, 5, 4, 3][depth]);
    let values = *[2, 3, 5, 10, 100, 1_000_000_000].get(rng.random_range(0..6)).unwrap();
    let uniform = rng.random_bool(0.3);
    let mut text = String::new();
    write_tree(rng, depth, width, values, uniform, &mut text);
    text.parse().unwrap()
}

/// A random uniform tree with its width and depth.
pub fn uniform_tree(rng: &mut StdRng) -> (Explicit, usize, usize) {
    let depth = rng.random_range(1..=6);
    let width = rng.random_range(1..=[8, 8, 7, 6, 5, 4, 3][depth]);
    let values = *[2, 3, 10, 1000].get(rng.random_range(0..4)).unwrap();
    let mut text = String::new();
    write_tree(rng, depth, width, values, true, &mut text);
    (text.parse().unwrap(), width, depth)
}

fn write_tree(
    rng: &mut StdRng,
    depth: usize,
    width: usize,
    values: i32,
    uniform: bool,
    text: &mut String,
) {
    if depth == 0 || (!uniform && rng.random_bool(0.15)) {
        let sign = if rng.random_bool(0.5) { 1 } else { -1 };
        text.push_str(&(sign * rng.random_range(0..values)).to_string());
        return;
    }
    let children = if uniform { width } else { rng.random_range(1..=width) };
    text.push('(');
    for i in 0..children {
        if i > 0 {
            text.push(' ');
        }
        write_tree(rng, depth - 1, width, values, uniform, text);
    }
    text.push(')');
}

/// What an algorithm did on a tree.
pub struct Seen {
    pub outcome: Outcome<u32>,
    pub visited: Vec<usize>,
}

impl Seen {
    pub fn value(&self) -> i32 {
        self.outcome.value.unwrap()
    }

    pub fn counts(&self) -> Counts {
        self.outcome.counts
    }
}

pub fn options(tree: &Explicit) -> Options {
    Options::to_depth(tree.height() as u32)
}

pub fn run(tree: &Explicit, id: &str) -> Seen {
    run_with(tree, id, &options(tree))
}

pub fn run_with(tree: &Explicit, id: &str, options: &Options) -> Seen {
    let algorithm: Algorithm = id.parse().unwrap();
    let trace = Trace::of_leaves();
    let outcome = tree
        .searched(&spec(&algorithm, options), Some(trace.watcher()))
        .unwrap_or_else(|lock| panic!("{id} on {tree}: {lock}"));
    Seen { outcome, visited: leaf_numbers(tree, &trace.read()) }
}

pub fn leaf_numbers(tree: &Explicit, trace: &TraceLog) -> Vec<usize> {
    trace
        .visited()
        .map(|(steps, _)| tree.leaf_number(&tree.node_at(&steps).unwrap()).unwrap())
        .collect()
}

/// The value of the node that `steps` lead to, by the definition.
pub fn minimax(tree: &Explicit, steps: &mut Vec<usize>) -> i32 {
    let node = tree.node_at(steps).unwrap();
    if let Some(value) = tree.leaf_value(&node) {
        return value;
    }
    let values: Vec<i32> = (0..tree.child_count(&node))
        .map(|i| {
            steps.push(i);
            let value = minimax(tree, steps);
            steps.pop();
            value
        })
        .collect();
    let max = steps.len().is_multiple_of(2);
    if max { *values.iter().max().unwrap() } else { *values.iter().min().unwrap() }
}
