//! Intervals: an optimistic and a pessimistic value at every node, the stored tree of B* and PB*.
//!
//! From MAX's view the optimistic value is the upper end and the pessimistic one the lower. A node with
//! children has the minimax of their ends. The best move is proved when the pessimistic value of one child
//! of the root is no less than the optimistic values of all others: then its exact value does not matter.
//!
//! Where do the intervals come from? Berliner leaves that to the game. Here a node that is judged gets the
//! lesser and the greater of two shallow looks, its evaluation and a search of one ply, and a margin on
//! either side. On a tree that judges no interior node it is the whole range of values, which always holds.

use super::growth::{ChildRange, Growth, ROOT, follow};
use super::skeleton::{best_by_bounds, minimax};
use crate::prelude::*;
use crate::trace::Event;

/// The margin on either side of what shallow searches find: half a pawn or half a disc.
const MARGIN: Value = 50;

/// A node of the stored tree.
pub(crate) struct IntervalNode {
    parent: usize,
    pub(crate) children: ChildRange,
    pub(crate) interval: Bounds,
    /// The ply of the leaf that the optimistic value comes from.
    pub(crate) depth: u32,
}

/// Where the interval of a new node comes from.
pub(crate) type Oracle<'o> = &'o mut dyn FnMut(&mut dyn Growth, usize) -> Result<Bounds, Stop>;

/// The intervals that shallow searches give.
pub(crate) fn shallow(growth: &mut dyn Growth, node: usize) -> Result<Bounds, Stop> {
    let range = growth.range();
    if !growth.judges() {
        return Ok(range);
    }
    if growth.is_at_horizon(node) {
        return Ok(Bounds::exact(growth.leaf(node)?));
    }
    let Bounds { lower, upper } = growth.judge_twice(node)?;
    Ok(Bounds {
        lower: lower.saturating_sub(MARGIN).max(range.lower),
        upper: upper.saturating_add(MARGIN).min(range.upper),
    })
}

/// The stored tree.
pub(crate) struct IntervalTree {
    pub(crate) nodes: Vec<IntervalNode>,
    /// The bytes that the algorithm keeps of a node besides.
    beside: usize,
}

impl IntervalTree {
    /// A tree of the root alone, of whose nodes the algorithm keeps this many bytes `beside`.
    pub(crate) fn new(growth: &dyn Growth, beside: usize) -> IntervalTree {
        let root =
            IntervalNode { parent: ROOT, children: 0..0, interval: growth.range(), depth: 0 };
        IntervalTree { nodes: vec![root], beside }
    }

    pub(crate) fn interval(&self, node: usize) -> Bounds {
        self.nodes[node].interval
    }

    pub(crate) fn parent(&self, node: usize) -> usize {
        self.nodes[node].parent
    }

    /// Is nothing left to be learnt below a node?
    pub(crate) fn is_exact(&self, node: usize) -> bool {
        self.interval(node).is_exact()
    }

    /// The child of the root that is proved to be the best.
    pub(crate) fn proved_best(&self) -> Option<usize> {
        best_by_bounds(self.nodes[ROOT].children.clone(), |child| self.interval(child))
    }

    /// The leaf below `node`, which is not exact, by Berliner's rule: at MAX nodes the child with the
    /// highest optimistic value, at MIN nodes the one with the lowest pessimistic value. It is not exact
    /// either: the children that are chosen have the node's own end.
    pub(crate) fn leaf_below(&self, growth: &dyn Growth, node: usize) -> usize {
        let mut at = node;
        loop {
            let children = self.nodes[at].children.clone();
            let next = match growth.is_max(at) {
                true => children.rev().max_by_key(|&child| self.interval(child).upper),
                false => children.min_by_key(|&child| self.interval(child).lower),
            };
            match next {
                Some(child) => at = child,
                None => return at,
            }
        }
    }

    /// Expands a leaf, gives its children intervals, and backs them up.
    pub(crate) fn expand(
        &mut self,
        growth: &mut dyn Growth,
        leaf: usize,
        oracle: Oracle<'_>,
    ) -> Result<(), Stop> {
        match growth.expand(leaf)? {
            None => self.nodes[leaf].interval = Bounds::exact(growth.leaf(leaf)?),
            Some(children) => {
                let mut made = Vec::with_capacity(children.len());
                for child in children.clone() {
                    let (interval, depth) = (oracle(growth, child)?, growth.ply(child));
                    made.push(IntervalNode { parent: leaf, children: 0..0, interval, depth });
                }
                follow(growth, &mut self.nodes, 0);
                self.nodes.append(&mut made);
                self.nodes[leaf].children = children;
            }
        }
        growth.holds(self.nodes.capacity() * (size_of::<IntervalNode>() + self.beside))?;
        let mut at = leaf;
        loop {
            let changed = self.refresh(growth, at);
            if growth.is_watched() {
                growth.emit(at, Event::Stored { bounds: self.interval(at) });
            }
            if at == ROOT || (!changed && at != leaf) {
                return Ok(());
            }
            at = self.nodes[at].parent;
        }
    }

    fn refresh(&mut self, growth: &dyn Growth, node: usize) -> bool {
        let children = self.nodes[node].children.clone();
        if children.is_empty() {
            return true;
        }
        let is_max = growth.is_max(node);
        let interval = minimax(is_max, children.clone(), |child| self.interval(child));
        let upper = |&child: &usize| self.interval(child).upper;
        let source = match is_max {
            true => children.rev().max_by_key(upper),
            false => { children }.min_by_key(upper),
        };
        let depth = source.map_or(0, |child| self.nodes[child].depth);
        let known = &mut self.nodes[node];
        let changed = (known.interval, known.depth) != (interval, depth);
        (known.interval, known.depth) = (interval, depth);
        changed
    }

    /// The child of the root with the highest optimistic value, the first of several.
    pub(crate) fn most_optimistic(&self) -> Option<usize> {
        let children = self.nodes[ROOT].children.clone();
        children.rev().max_by_key(|&child| self.interval(child).upper)
    }

    /// Tells the outcome what is known. Intervals that do not come from judgements are certain; returns
    /// the value if it is.
    pub(crate) fn report(&self, growth: &mut dyn Growth, best: Option<usize>) -> Option<Value> {
        if let Some(best) = best {
            growth.choose(best);
        }
        let Bounds { lower, upper } = self.interval(ROOT);
        growth.estimate(lower + (upper - lower) / 2);
        if growth.judges() {
            return None;
        }
        growth.know(Bounds { lower, upper });
        (lower == upper).then_some(lower)
    }
}
