//! αβ-conspiracy-number search (Allis, van der Meulen and van den Herik 1991): conspiracies inside a
//! window.
//!
//! McAllester counts conspirators for every value. With a window only two counts are needed at a node: how
//! many leaves must err for it to be worth at least β, and how many for it to be worth at most α. They are
//! computed as proof and disproof numbers are, and where both ends need more than T conspirators the value
//! is taken to lie between them.
//!
//! The paper is not at hand, and the surveys do not say how it moves its window. Here it is a null window,
//! β = α + 1, that closes in on the value from both sides by halves: when more than T leaves must err for
//! the value to be β, it lies below; when more than T must err for it to be α, it lies above. The stored
//! tree is kept from window to window, and no leaf is evaluated twice. With T as large as the tree the
//! search is exact.

use super::cns::WIDTH;
use super::growth::{GrownTree, Growth, ROOT, follow};
use super::proof_numbers::{NEVER, shown, sum};
use super::skeleton::Skeleton;
use crate::prelude::*;
use crate::trace::Event;

/// Conspiracy-number search inside a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AbCns {
    /// T: what takes more conspirators is ruled out.
    pub threshold: u32,
}

impl SearchAlgorithm for AbCns {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "ab-cns",
        usage: "ab-cns:T",
        name: "αβ-CNS(T)",
        about: "conspiracy numbers inside a window that closes in on the value",
        paper: "Allis, van der Meulen and van den Herik 1991",
        examples: &["ab-cns:3"],
        proves: Proves::Bound,
        anytime: true,
        rich_only: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<AbCns, String> {
        let threshold =
            parameters.count("the number of conspirators", "a number of conspirators")?;
        match u32::try_from(threshold.get()) {
            Ok(threshold) if threshold < NEVER => Ok(AbCns { threshold }),
            _ => Err(format!("`{threshold}`: expected fewer than {NEVER} conspirators")),
        }
    }

    fn parameters(&self) -> String {
        format!(":{}", self.threshold)
    }

    fn name(&self) -> String {
        format!("αβ-CNS({})", self.threshold)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let growth = &mut GrownTree::new(search, root);
        let mut tree = Conspirators::new(growth, self.threshold);
        let ended = tree.run(growth);
        let value = tree.report(growth);
        ended.map(|()| value)
    }
}

/// What is known of a node, from MAX's view.
#[derive(Clone, Copy)]
struct Conspired {
    /// What it is worth, as far as was judged.
    value: Value,
    /// How many leaves must err for it to be worth at least β, and at most α.
    raise: u32,
    lower: u32,
}

struct Conspirators {
    threshold: u32,
    shape: Skeleton,
    nodes: Vec<Conspired>,
    /// β; α is one less.
    beta: Value,
    /// What is not ruled out.
    likely: Bounds,
}

impl Conspirators {
    fn new(growth: &dyn Growth, threshold: u32) -> Conspirators {
        let (shape, likely) = (Skeleton::new(growth), growth.range());
        // The root is expanded first: until then it is worth anything.
        let middle = likely.lower + (likely.upper - likely.lower) / 2;
        let root = Conspired { value: middle, raise: 1, lower: 1 };
        Conspirators { threshold, shape, nodes: vec![root], beta: likely.upper, likely }
    }

    fn run(&mut self, growth: &mut dyn Growth) -> Result<(), Stop> {
        let width = if growth.judges() { i64::from(WIDTH) } else { 0 };
        self.expand(growth, ROOT)?;
        while i64::from(self.likely.upper) - i64::from(self.likely.lower) > width {
            self.move_window(growth);
            loop {
                let Conspired { raise, lower, .. } = self.nodes[ROOT];
                if raise > self.threshold {
                    self.likely.upper = self.beta - 1;
                    break;
                }
                if lower > self.threshold {
                    self.likely.lower = self.beta;
                    break;
                }
                // The end that takes more is nearer to being ruled out.
                let up = raise >= lower;
                let leaf = self.conspirator(growth, up);
                let why = if up { "could reach β" } else { "could fall to α" };
                growth.emit(leaf, Event::Chosen { why });
                self.expand(growth, leaf)?;
            }
        }
        Ok(())
    }

    /// Sets the next window: half of the way from the value to the farther end of what is likely. All
    /// numbers are computed anew; children come after their parents.
    fn move_window(&mut self, growth: &mut dyn Growth) {
        let Bounds { lower, upper } = self.likely;
        let value = self.nodes[ROOT].value.clamp(lower, upper);
        self.beta = match upper - value > value - lower {
            true => value + (upper - value + 1) / 2,
            false => lower + (value - lower + 1) / 2,
        };
        growth.emit(ROOT, Event::Question { at_least: self.beta });
        for node in (0..self.nodes.len()).rev() {
            self.count(growth, node);
        }
    }

    /// The numbers of a node by what is certain of it, by its children, or by its own value.
    fn count(&mut self, growth: &dyn Growth, node: usize) {
        let children = self.shape.children(node);
        let known = self.nodes[node].value;
        let value = if children.is_empty() { known } else { self.backed_up(growth, node) };
        let (raise, lower) = match self.shape.certain(node).answer(self.beta) {
            Some(true) => (0, NEVER),
            Some(false) => (NEVER, 0),
            None if children.is_empty() => {
                let reaches = value >= self.beta;
                (u32::from(!reaches), u32::from(reaches))
            }
            None => {
                let (mut least, mut all) = (NEVER, 0);
                let is_max = growth.is_max(node);
                for child in children {
                    let Conspired { raise, lower, .. } = self.nodes[child];
                    let (one, other) = if is_max { (raise, lower) } else { (lower, raise) };
                    (least, all) = (least.min(one), sum(all, other));
                }
                if is_max { (least, all) } else { (all, least) }
            }
        };
        self.nodes[node] = Conspired { value, raise, lower };
    }

    /// The minimax value of what was judged below a node.
    fn backed_up(&self, growth: &dyn Growth, node: usize) -> Value {
        let values = self.shape.children(node).map(|child| self.nodes[child].value);
        let best = if growth.is_max(node) { values.max() } else { values.min() };
        best.unwrap_or(self.nodes[node].value)
    }

    /// A leaf that has to err for the root to leave the window at this end.
    fn conspirator(&self, growth: &dyn Growth, up: bool) -> usize {
        let mut node = ROOT;
        loop {
            let number = |&child: &usize| {
                let Conspired { raise, lower, .. } = self.nodes[child];
                if up { raise } else { lower }
            };
            let children = self.shape.children(node);
            // One child is enough, or all are needed: then the one that takes the most.
            let next = match growth.is_max(node) == up {
                true => children.min_by_key(number),
                false => children.rev().max_by_key(number),
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
                self.nodes[node].value = value;
                self.shape.settle(growth, node, value);
            }
            Some(children) => {
                let mut values = Vec::with_capacity(children.len());
                for child in children.clone() {
                    values.push(match growth.is_at_horizon(child) {
                        true => growth.leaf(child)?,
                        false => growth.judge(child)?,
                    });
                }
                self.shape.adopt(growth, node, children.clone());
                follow(growth, &mut self.nodes, 0);
                let judged = |value| Conspired { value, raise: 1, lower: 1 };
                self.nodes.extend(values.into_iter().map(judged));
                for child in children {
                    if growth.is_at_horizon(child) {
                        self.shape.settle(growth, child, self.nodes[child].value);
                    }
                    self.count(growth, child);
                }
            }
        }
        let bytes = self.nodes.capacity() * size_of::<Conspired>();
        growth.holds(self.shape.bytes() + bytes)?;
        let mut at = node;
        loop {
            self.count(growth, at);
            if growth.is_watched() {
                let Conspired { raise, lower, .. } = self.nodes[at];
                growth.emit(at, Event::Proof { proof: shown(raise), disproof: shown(lower) });
            }
            if at == ROOT {
                return Ok(());
            }
            at = self.shape.parent(at);
        }
    }

    /// Tells the outcome what is known; returns the value if that is certain.
    fn report(&self, growth: &mut dyn Growth) -> Option<Value> {
        growth.estimate(self.nodes[ROOT].value);
        // Of children that seem equal, the one that is known to be worth more.
        let rank = |&child: &usize| (self.nodes[child].value, self.shape.certain(child).lower);
        if let Some(best) = self.shape.children(ROOT).rev().max_by_key(rank) {
            growth.choose(best);
        }
        self.shape.report(growth)
    }
}
