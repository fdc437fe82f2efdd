//! The shape of a growing tree, and the bounds on each node that are certain.
//!
//! A leaf of the game is worth its value. Anything else may be worth whatever the tree's range allows,
//! and the minimax of such bounds holds whatever a search believes. So a search that stops at its own
//! discretion still knows what is proved, and one that could go on for ever knows when all is said.

use super::growth::{ChildRange, Growth, ROOT, follow};
use crate::prelude::*;

/// The links of the nodes and what is certain of them.
pub(crate) struct Skeleton {
    joints: Vec<Joint>,
    range: Bounds,
}

struct Joint {
    parent: u32,
    children: ChildRange,
    certain: Bounds,
}

impl Skeleton {
    /// A tree of the root alone.
    pub(crate) fn new(growth: &dyn Growth) -> Skeleton {
        let range = growth.range();
        let root = Joint { parent: 0, children: 0..0, certain: range };
        Skeleton { joints: vec![root], range }
    }

    pub(crate) fn children(&self, node: usize) -> ChildRange {
        self.joints[node].children.clone()
    }

    pub(crate) fn parent(&self, node: usize) -> usize {
        self.joints[node].parent as usize
    }

    /// What is certain of a node's value.
    pub(crate) fn certain(&self, node: usize) -> Bounds {
        self.joints[node].certain
    }

    /// The bytes that the links take.
    pub(crate) fn bytes(&self) -> usize {
        self.joints.capacity() * size_of::<Joint>()
    }

    /// Gives a node these children.
    pub(crate) fn adopt(&mut self, growth: &dyn Growth, node: usize, children: ChildRange) {
        let (parent, range) = (node as u32, self.range);
        let joint = || Joint { parent, children: 0..0, certain: range };
        follow(growth, &mut self.joints, 0);
        self.joints.resize_with(children.end, joint);
        self.joints[node].children = children;
    }

    /// The value of a node is known; brings what is certain above it up to date.
    pub(crate) fn settle(&mut self, growth: &dyn Growth, node: usize, value: Value) {
        self.joints[node].certain = Bounds::exact(value);
        let mut at = node;
        while at != ROOT {
            at = self.parent(at);
            let certain = minimax(growth.is_max(at), self.children(at), |c| self.certain(c));
            if std::mem::replace(&mut self.joints[at].certain, certain) == certain {
                break;
            }
        }
    }

    /// The child of the root that no other can surpass, if there is one.
    pub(crate) fn proved_best(&self) -> Option<usize> {
        best_by_bounds(self.children(ROOT), |child| self.certain(child))
    }

    /// Tells the outcome what is certain of the root. Returns the value if it is known.
    pub(crate) fn report(&self, growth: &mut dyn Growth) -> Option<Value> {
        let certain = self.certain(ROOT);
        growth.know(certain);
        if let Some(best) = self.proved_best() {
            growth.choose(best);
        }
        certain.is_exact().then_some(certain.lower)
    }
}

/// The bounds of a node by those of its children.
pub(crate) fn minimax(is_max: bool, children: ChildRange, of: impl Fn(usize) -> Bounds) -> Bounds {
    let both = |a: Bounds, b: Bounds| match is_max {
        true => Bounds { lower: a.lower.max(b.lower), upper: a.upper.max(b.upper) },
        false => Bounds { lower: a.lower.min(b.lower), upper: a.upper.min(b.upper) },
    };
    children.map(of).reduce(both).unwrap_or(Bounds::UNKNOWN)
}

/// The child of a MAX node whose lower bound is at least every other's upper one, if there is one.
pub(crate) fn best_by_bounds(children: ChildRange, of: impl Fn(usize) -> Bounds) -> Option<usize> {
    let best = children.clone().rev().max_by_key(|&child| of(child).lower)?;
    let surpasses = |other: usize| other == best || of(other).upper <= of(best).lower;
    children.clone().all(surpasses).then_some(best)
}
