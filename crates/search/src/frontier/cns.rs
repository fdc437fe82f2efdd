//! Conspiracy-number search (McAllester 1988; Schaeffer 1990): search until the root's value is stable.
//!
//! A value that T leaves would have to conspire to change is taken for certain. So the values that T
//! conspirators can still reach are a range around the root's value, and the search ends when that range is
//! narrow. Until then it tries to rule out the end of the range that is farther from the root's value: it
//! goes down to a leaf that would have to conspire, and expands it. If the children contradict the
//! conspiracy, it now takes more of them.
//!
//! Leaves of the game never conspire. What they prove is kept apart as bounds that are certain; with T as
//! large as the tree the search is exact. The trees of the laboratory say something of interior nodes too,
//! though it means little: T then says how much of that is believed.
//!
//! Open in the papers, and chosen here: the range may be half a pawn or disc wide (50) in a game, and is a
//! single value on trees of the laboratory; of the children that must all be raised, the one that takes the
//! most conspirators is looked into first.

use super::conspiracies::Reach;
use super::growth::{GrownTree, Growth, ROOT, follow};
use super::skeleton::Skeleton;
use crate::prelude::*;
use crate::trace::Event;

/// The most conspirators that can be counted.
const MOST: usize = 255;

/// The width of the range at which the search ends, in a game.
pub(crate) const WIDTH: Value = 50;

/// McAllester's conspiracy-number search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cns {
    /// T: a value that takes more conspirators is ruled out.
    pub threshold: u8,
}

impl SearchAlgorithm for Cns {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "cns",
        usage: "cns:T",
        name: "CNS(T)",
        about: "conspiracy numbers: until more than T leaves must err for the value to be another",
        paper: "McAllester 1988; Schaeffer 1990",
        examples: &["cns:3"],
        proves: Proves::Bound,
        anytime: true,
        rich_only: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<Cns, String> {
        let threshold =
            parameters.count("the number of conspirators", "a number of conspirators")?;
        match u8::try_from(threshold.get()) {
            Ok(threshold) => Ok(Cns { threshold }),
            Err(_) => Err(format!("`{threshold}`: expected 1 to {MOST} conspirators")),
        }
    }

    fn parameters(&self) -> String {
        format!(":{}", self.threshold)
    }

    fn name(&self) -> String {
        format!("CNS({})", self.threshold)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let growth = &mut GrownTree::new(search, root);
        let mut tree = Conspiracies::new(growth, self.threshold.into());
        let ended = tree.run(growth);
        let value = tree.report(growth);
        ended.map(|()| value)
    }
}

struct Conspiracies {
    threshold: usize,
    range: Bounds,
    shape: Skeleton,
    nodes: Vec<Reach>,
}

impl Conspiracies {
    fn new(growth: &dyn Growth, threshold: usize) -> Conspiracies {
        let range = growth.range();
        // The root is expanded first: until then it is worth anything.
        let middle = range.lower + (range.upper - range.lower) / 2;
        let nodes = vec![Reach::judged(middle, range, threshold)];
        Conspiracies { threshold, range, shape: Skeleton::new(growth), nodes }
    }

    fn run(&mut self, growth: &mut dyn Growth) -> Result<(), Stop> {
        let width = if growth.judges() { WIDTH } else { 0 };
        self.expand(growth, ROOT)?;
        loop {
            let root = &self.nodes[ROOT];
            let (highest, lowest) = (root.up[self.threshold], root.down[self.threshold]);
            let value = i64::from(root.up[0]);
            if i64::from(highest) - i64::from(lowest) <= i64::from(width) {
                return Ok(());
            }
            let up = i64::from(highest) - value >= value - i64::from(lowest);
            let leaf = self.conspirator(growth, up, if up { highest } else { lowest });
            growth
                .emit(leaf, Event::Chosen { why: if up { "could raise" } else { "could lower" } });
            self.expand(growth, leaf)?;
        }
    }

    /// A leaf that has to conspire for the root to get as far as `value`.
    fn conspirator(&self, growth: &dyn Growth, up: bool, value: Value) -> usize {
        let mut node = ROOT;
        loop {
            let children = self.shape.children(node);
            let needs = |child: &usize| match up {
                true => self.nodes[*child].to_raise(value),
                false => self.nodes[*child].to_lower(value),
            };
            // One child is enough, or all are needed: then the one that takes the most.
            let next = match growth.is_max(node) == up {
                true => children.min_by_key(|child| needs(child).unwrap_or(usize::MAX)),
                false => children.rev().max_by_key(needs),
            };
            match next {
                Some(child) => node = child,
                None => return node,
            }
        }
    }

    /// Expands a node of the frontier, and brings the numbers above it up to date.
    fn expand(&mut self, growth: &mut dyn Growth, node: usize) -> Result<(), Stop> {
        match growth.expand(node)? {
            None => {
                let value = growth.leaf(node)?;
                self.nodes[node] = Reach::fixed(value, self.threshold);
                self.shape.settle(growth, node, value);
            }
            Some(children) => {
                let mut reaches = Vec::with_capacity(children.len());
                let mut exact = Vec::new();
                for child in children.clone() {
                    reaches.push(if growth.is_at_horizon(child) {
                        let value = growth.leaf(child)?;
                        exact.push((child, value));
                        Reach::fixed(value, self.threshold)
                    } else {
                        Reach::judged(growth.judge(child)?, self.range, self.threshold)
                    });
                }
                self.shape.adopt(growth, node, children);
                follow(growth, &mut self.nodes, 0);
                self.nodes.append(&mut reaches);
                for (child, value) in exact {
                    self.shape.settle(growth, child, value);
                }
            }
        }
        growth.holds(self.shape.bytes() + self.nodes.capacity() * Reach::bytes(self.threshold))?;
        self.update(growth, node);
        Ok(())
    }

    fn update(&mut self, growth: &mut dyn Growth, from: usize) {
        let mut node = from;
        loop {
            let children = self.shape.children(node);
            if !children.is_empty() {
                let below: Vec<&Reach> = children.map(|child| &self.nodes[child]).collect();
                let reach = Reach::combined(growth.is_max(node), &below);
                if self.nodes[node] == reach && node != from {
                    return;
                }
                self.nodes[node] = reach;
            }
            if growth.is_watched() {
                let reach = &self.nodes[node];
                let (lower, upper) = (reach.down[self.threshold], reach.up[self.threshold]);
                growth.emit(node, Event::Stored { bounds: Bounds { lower, upper } });
            }
            if node == ROOT {
                return;
            }
            node = self.shape.parent(node);
        }
    }

    /// Tells the outcome what is known; returns the value if that is certain.
    fn report(&self, growth: &mut dyn Growth) -> Option<Value> {
        let root = &self.nodes[ROOT];
        growth.estimate(root.up[0]);
        // Of children that seem equal, the one that cannot fall as far.
        let rank = |&child: &usize| {
            let reach = &self.nodes[child];
            (reach.up[0], reach.down[self.threshold], self.shape.certain(child).lower)
        };
        if let Some(best) = self.shape.children(ROOT).rev().max_by_key(rank) {
            growth.choose(best);
        }
        self.shape.report(growth)
    }
}
