//! Best-first minimax search (Korf and Chickering 1996): always expand the leaf at the end of the present
//! principal variation.
//!
//! Each node has the minimax value of the leaves stored below it. From the root the best children lead to
//! the *principal leaf*, whose value is the root's. It is expanded, its children are evaluated, and the
//! values above it change. A line of play is pursued for as long as it seems best for both sides, so the
//! tree is as deep as the game is forced. The search ends when the principal leaf is a leaf of the game or
//! at the horizon: then nothing is left of the line to look into, though nothing is proved of the others.

use super::growth::{GrownTree, Growth, ROOT, follow};
use super::skeleton::Skeleton;
use crate::prelude::*;
use crate::trace::Event;

/// Korf and Chickering's best-first minimax search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestFirstMinimax;

impl SearchAlgorithm for BestFirstMinimax {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "best-first-minimax",
        usage: "best-first-minimax",
        name: "Best-first minimax",
        about: "expands the leaf at the end of the present principal variation",
        paper: "Korf and Chickering 1996",
        examples: &["best-first-minimax"],
        proves: Proves::Nothing,
        anytime: true,
        rich_only: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<BestFirstMinimax, String> {
        Ok(BestFirstMinimax)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let growth = &mut GrownTree::new(search, root);
        let mut tree = Principal { shape: Skeleton::new(growth), values: vec![0] };
        let ended = tree.run(growth);
        if let Some(best) = tree.best_child(growth, ROOT) {
            growth.choose(best);
            growth.estimate(tree.values[ROOT]);
        }
        let value = tree.shape.report(growth);
        ended.map(|()| value)
    }
}

/// The stored tree with its values, from MAX's view.
struct Principal {
    shape: Skeleton,
    values: Vec<Value>,
}

impl Principal {
    fn run(&mut self, growth: &mut dyn Growth) -> Result<(), Stop> {
        loop {
            let mut leaf = ROOT;
            while let Some(child) = self.best_child(growth, leaf) {
                leaf = child;
            }
            growth.emit(leaf, Event::Chosen { why: "principal leaf" });
            if !self.expand(growth, leaf)? {
                return Ok(());
            }
        }
    }

    /// The first child that has the node's value.
    fn best_child(&self, growth: &dyn Growth, node: usize) -> Option<usize> {
        let children = self.shape.children(node);
        let value = |&child: &usize| self.values[child];
        match growth.is_max(node) {
            true => children.rev().max_by_key(value),
            false => children.min_by_key(value),
        }
    }

    /// Expands the principal leaf; `false` if there is nothing to expand.
    fn expand(&mut self, growth: &mut dyn Growth, leaf: usize) -> Result<bool, Stop> {
        // A leaf at the horizon was evaluated when it was made.
        if self.shape.certain(leaf).is_exact() && leaf != ROOT {
            return Ok(false);
        }
        let Some(children) = growth.expand(leaf)? else {
            let value = growth.leaf(leaf)?;
            self.values[leaf] = value;
            self.shape.settle(growth, leaf, value);
            return Ok(false);
        };
        let mut values = Vec::with_capacity(children.len());
        for child in children.clone() {
            values.push(match growth.is_at_horizon(child) {
                true => growth.leaf(child)?,
                false => growth.judge(child)?,
            });
        }
        self.shape.adopt(growth, leaf, children.clone());
        follow(growth, &mut self.values, 0);
        self.values.append(&mut values);
        for child in children.filter(|&child| growth.is_at_horizon(child)) {
            self.shape.settle(growth, child, self.values[child]);
        }
        self.back_up(growth, leaf);
        growth.holds(self.shape.bytes() + self.values.capacity() * size_of::<Value>())?;
        Ok(true)
    }

    /// Brings the values from `node` up to date.
    fn back_up(&mut self, growth: &mut dyn Growth, node: usize) {
        let mut at = node;
        loop {
            let Some(best) = self.best_child(growth, at) else { return };
            let value = self.values[best];
            let before = std::mem::replace(&mut self.values[at], value);
            if growth.is_watched() {
                growth.emit(at, Event::Backed { value, visits: 1 });
            }
            if at == ROOT || (before == value && at != node) {
                return;
            }
            at = self.shape.parent(at);
        }
    }
}
