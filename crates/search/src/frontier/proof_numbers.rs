//! Proof-number search (Allis, van der Meulen and van den Herik 1994) on a stored tree.
//!
//! The proof number of a node is the least number of frontier nodes that have to be proved to prove it,
//! the disproof number the same for disproving. At an OR node (MAX) one child is enough, at an AND node
//! (MIN) all are needed; so the one takes the minimum where the other takes the sum. Descending by the
//! smaller numbers leads to the *most-proving node*: whichever way it turns out, it brings the root
//! nearer to an answer. It is expanded, and the numbers above it change.

use super::growth::{ChildRange, Growth, follow};
use super::questions::Answer;
use crate::prelude::*;
use crate::trace::Event;

/// An infinite number: it cannot be done.
pub(crate) const NEVER: u32 = u32::MAX;

/// The sum of two numbers. It stays finite where both are.
pub(crate) fn sum(a: u32, b: u32) -> u32 {
    match (a, b) {
        (NEVER, _) | (_, NEVER) => NEVER,
        _ => a.saturating_add(b).min(NEVER - 1),
    }
}

/// A number as a watch sees it.
pub(crate) fn shown(number: u32) -> Option<u32> {
    (number != NEVER).then_some(number)
}

/// What a proof search knows of a node.
#[derive(Clone, Debug)]
pub(crate) struct ProofNode {
    pub(crate) proof: u32,
    pub(crate) disproof: u32,
    /// A lower bound on the value if the node is proved, an upper one if it is disproved.
    pub(crate) bound: Value,
    pub(crate) children: ChildRange,
    parent: usize,
}

impl ProofNode {
    /// A node of the frontier.
    fn unknown(parent: usize) -> ProofNode {
        ProofNode { proof: 1, disproof: 1, bound: 0, children: 0..0, parent }
    }

    pub(crate) fn is_solved(&self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

/// The proof numbers of a tree below `root`, whose other nodes have the numbers from `base` on.
pub(crate) struct ProofTree {
    root: usize,
    base: usize,
    at_least: Value,
    nodes: Vec<ProofNode>,
}

impl ProofTree {
    /// A tree of the node `root` alone, for the question whether its value is at least `at_least`.
    pub(crate) fn new(growth: &dyn Growth, root: usize, at_least: Value) -> ProofTree {
        let nodes = vec![ProofNode::unknown(root)];
        ProofTree { root, base: growth.len(), at_least, nodes }
    }

    fn place(&self, node: usize) -> usize {
        if node == self.root { 0 } else { node - self.base + 1 }
    }

    pub(crate) fn node(&self, node: usize) -> &ProofNode {
        &self.nodes[self.place(node)]
    }

    fn node_mut(&mut self, node: usize) -> &mut ProofNode {
        let place = self.place(node);
        &mut self.nodes[place]
    }

    /// The bytes of the numbers of a node.
    pub(crate) const BYTES_A_NODE: usize = size_of::<ProofNode>();

    /// The bytes of the numbers.
    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * ProofTree::BYTES_A_NODE
    }

    /// The most-proving node below `from`.
    pub(crate) fn most_proving(&self, growth: &dyn Growth, from: usize) -> usize {
        let mut node = from;
        while !self.node(node).children.is_empty() {
            let is_max = growth.is_max(node);
            let number = |&child: &usize| match is_max {
                true => self.node(child).proof,
                false => self.node(child).disproof,
            };
            // The first of several: `min_by_key` takes it.
            let Some(next) = self.node(node).children.clone().min_by_key(number) else { break };
            node = next;
        }
        node
    }

    /// Expands a frontier node: it becomes a solved leaf, or it gets children.
    pub(crate) fn expand(&mut self, growth: &mut dyn Growth, node: usize) -> Result<(), Stop> {
        match growth.expand(node)? {
            None => {
                let value = growth.leaf(node)?;
                self.settle(node, Answer { yes: value >= self.at_least, bound: value });
            }
            Some(children) => self.adopt(growth, node, children),
        }
        Ok(())
    }

    /// Gives `node` these children, of which nothing is known.
    fn adopt(&mut self, growth: &dyn Growth, node: usize, children: ChildRange) {
        follow(growth, &mut self.nodes, self.base.saturating_sub(1));
        self.nodes.resize(self.place(children.end), ProofNode::unknown(node));
        self.node_mut(node).children = children;
    }

    /// Notes that a node is solved.
    pub(crate) fn settle(&mut self, node: usize, answer: Answer) {
        let solved = self.node_mut(node);
        (solved.proof, solved.disproof) = if answer.yes { (0, NEVER) } else { (NEVER, 0) };
        solved.bound = answer.bound;
    }

    /// Sets the numbers of `node` from those of its children; returns whether they changed.
    fn refresh(&mut self, growth: &mut dyn Growth, node: usize) -> bool {
        let is_max = growth.is_max(node);
        let children = self.node(node).children.clone();
        if children.is_empty() {
            return true;
        }
        // For MAX one proof is enough and every child must be disproved; for MIN the reverse.
        let (mut least, mut all) = (NEVER, 0);
        for child in children.clone() {
            let ProofNode { proof, disproof, .. } = *self.node(child);
            let (one, other) = if is_max { (proof, disproof) } else { (disproof, proof) };
            (least, all) = (least.min(one), sum(all, other));
        }
        let (proof, disproof) = if is_max { (least, all) } else { (all, least) };
        let known = self.node(node);
        let changed = (known.proof, known.disproof) != (proof, disproof);
        if changed && (least == 0 || all == 0) {
            // The bound of the proof is its minimax value: over the solved children that make it.
            let mover_has_it = least == 0;
            let solving = children.filter(|&child| match is_max == mover_has_it {
                true => self.node(child).proof == 0,
                false => self.node(child).disproof == 0,
            });
            let bounds = solving.map(|child| self.node(child).bound);
            let bound = if is_max { bounds.max() } else { bounds.min() };
            self.node_mut(node).bound = bound.unwrap_or(self.at_least);
        }
        let known = self.node_mut(node);
        (known.proof, known.disproof) = (proof, disproof);
        changed
    }

    /// Brings the numbers above a changed node up to date. Returns the highest node that changed: the
    /// next most-proving node is below it, or below its parent.
    pub(crate) fn update(&mut self, growth: &mut dyn Growth, from: usize) -> usize {
        let mut node = from;
        loop {
            let changed = self.refresh(growth, node);
            if growth.is_watched() {
                let ProofNode { proof, disproof, .. } = *self.node(node);
                let event = Event::Proof { proof: shown(proof), disproof: shown(disproof) };
                growth.emit(node, event);
            }
            if node == self.root || (!changed && node != from) {
                return node;
            }
            node = self.node(node).parent;
        }
    }

    /// The answer, if there is one yet.
    pub(crate) fn answer(&self) -> Option<Answer> {
        let root = &self.nodes[0];
        root.is_solved().then_some(Answer { yes: root.proof == 0, bound: root.bound })
    }

    /// The child of `node`, which has children, that matters most: one that makes its answer, or the
    /// one nearest to it.
    pub(crate) fn best_child(&self, growth: &dyn Growth, node: usize) -> Option<usize> {
        let is_max = growth.is_max(node);
        let rank = |&child: &usize| {
            let ProofNode { proof, disproof, bound, .. } = *self.node(child);
            let (mine, theirs) = if is_max { (proof, disproof) } else { (disproof, proof) };
            let solved = mine == 0 || theirs == 0;
            let bound = if is_max { bound } else { -bound };
            // Among those that are lost the one with the best bound.
            (mine, NEVER - theirs, if solved { -i64::from(bound) } else { 0 })
        };
        self.node(node).children.clone().min_by_key(rank)
    }

    /// Takes over what a search below `node` found of its children; nothing below them is kept.
    pub(crate) fn graft(&mut self, growth: &dyn Growth, node: usize, inner: &ProofTree) {
        let children = inner.nodes[0].children.clone();
        self.adopt(growth, node, children.clone());
        for child in children {
            let ProofNode { proof, disproof, bound, .. } = *inner.node(child);
            let grafted = self.node_mut(child);
            (grafted.proof, grafted.disproof, grafted.bound) = (proof, disproof, bound);
        }
    }
}
