//! PB* (Palay 1983): B* with probabilities.
//!
//! An interval says what a node may be worth, and nothing of how likely. PB* gives every node a
//! distribution over its interval. The value of a MAX node is at most v if all children are: the
//! probabilities multiply, as far as the children are independent; at a MIN node the same for at least v.
//! The search works on the move that is most likely the best, or on the rival that most likely surpasses
//! it, and goes down by the same probabilities.
//!
//! Where interior nodes are judged it ends when the best move surpasses each rival with a probability of
//! 95 %, as Palay's does at a threshold. On a tree that judges none, where proofs can be certain, it ends
//! when the intervals prove the move.
//!
//! Chosen here: a new leaf's distribution is uniform; distributions are kept at 32 points, as far apart as
//! the root's children lie.

use super::growth::{GrownTree, Growth, ROOT, follow};
use super::intervals::{IntervalTree, shallow};
use crate::prelude::*;
use crate::trace::Event;

/// Palay's B* with probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PbStar;

impl SearchAlgorithm for PbStar {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "pb-star",
        usage: "pb-star",
        name: "PB*",
        about: "B* with distributions: works on the move that is most likely the best",
        paper: "Palay 1983",
        examples: &["pb-star"],
        proves: Proves::Move,
        trusts_evaluations: true,
        anytime: true,
        rich_only: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<PbStar, String> {
        Ok(PbStar)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let growth = &mut GrownTree::new(search, root);
        let mut tree = Likelihoods::new(growth);
        let ended = tree.prove(growth);
        let best = tree.intervals.proved_best().or_else(|| tree.likeliest());
        let value = tree.intervals.report(growth, best);
        ended.map(|()| value)
    }
}

/// The points of a distribution.
const POINTS: usize = 32;

/// How sure the search has to be.
const SURE: f32 = 0.95;

/// A distribution: the probability that the value is at most that of each point.
type Distribution = [f32; POINTS];

struct Likelihoods {
    intervals: IntervalTree,
    distributions: Vec<Distribution>,
    /// The values of the first and the last point.
    grid: (f64, f64),
}

impl Likelihoods {
    fn new(growth: &dyn Growth) -> Likelihoods {
        let Bounds { lower, upper } = growth.range();
        Likelihoods {
            intervals: IntervalTree::new(growth, size_of::<Distribution>()),
            distributions: vec![[0.0; POINTS]],
            grid: (lower.into(), upper.into()),
        }
    }

    fn prove(&mut self, growth: &mut dyn Growth) -> Result<(), Stop> {
        self.intervals.expand(growth, ROOT, &mut shallow)?;
        self.set_grid();
        self.spread(growth, ROOT);
        while self.intervals.proved_best().is_none() {
            let Some(best) = self.likeliest() else { return Ok(()) };
            let rival = self.rival(best);
            let surpassed = rival.map_or(1.0, |rival| self.surpasses(best, rival));
            if growth.judges() && surpassed >= SURE {
                return Ok(());
            }
            let child = self.uncertain(best, rival);
            let leaf = self.leaf_below(growth, child);
            let why = if child == best { "most likely the best" } else { "most likely rival" };
            growth.emit(leaf, Event::Chosen { why });
            self.intervals.expand(growth, leaf, &mut shallow)?;
            self.spread(growth, leaf);
        }
        Ok(())
    }

    /// The grid spans the intervals of the root's children.
    fn set_grid(&mut self) {
        let children = self.intervals.nodes[ROOT].children.clone();
        let interval = |child| self.intervals.interval(child);
        let low = children.clone().map(|child| interval(child).lower).min();
        let high = children.map(|child| interval(child).upper).max();
        if let (Some(low), Some(high)) = (low, high) {
            self.grid = (low.into(), high.into());
        }
    }

    fn point(&self, number: usize) -> f64 {
        let (low, high) = self.grid;
        low + (high - low) * number as f64 / (POINTS - 1) as f64
    }

    /// Gives new children their distributions, and backs them up from `node`.
    fn spread(&mut self, growth: &dyn Growth, node: usize) {
        follow(growth, &mut self.distributions, 0);
        for new in self.distributions.len()..self.intervals.nodes.len() {
            let uniform = self.uniform(self.intervals.interval(new));
            self.distributions.push(uniform);
        }
        let mut at = node;
        loop {
            let children = self.intervals.nodes[at].children.clone();
            self.distributions[at] = match children.is_empty() {
                true => self.uniform(self.intervals.interval(at)),
                false => {
                    let is_max = growth.is_max(at);
                    std::array::from_fn(|point| {
                        let at_most = |child: usize| self.distributions[child][point];
                        match is_max {
                            true => children.clone().map(at_most).product(),
                            false => {
                                1.0 - children.clone().map(|c| 1.0 - at_most(c)).product::<f32>()
                            }
                        }
                    })
                }
            };
            if at == ROOT {
                return;
            }
            at = self.intervals.parent(at);
        }
    }

    fn uniform(&self, Bounds { lower, upper }: Bounds) -> Distribution {
        let (lower, upper) = (f64::from(lower), f64::from(upper));
        std::array::from_fn(|number| {
            let point = self.point(number);
            match upper > lower {
                true => ((point - lower) / (upper - lower)).clamp(0.0, 1.0) as f32,
                false => f32::from(u8::from(point >= lower)),
            }
        })
    }

    /// The probability that node `a` is worth at least as much as node `b`.
    fn surpasses(&self, a: usize, b: usize) -> f32 {
        let (a, b) = (&self.distributions[a], &self.distributions[b]);
        let mut before = 0.0;
        let mut sum = 0.0;
        for point in 0..POINTS {
            sum += (a[point] - before) * b[point];
            before = a[point];
        }
        // What lies beyond the grid surpasses all of it.
        sum + (1.0 - before)
    }

    /// The mean of a node's distribution, on the grid. A search that was stopped may not have come to give it
    /// one.
    fn mean(&self, node: usize) -> f32 {
        let known = self.distributions.get(node).copied();
        let distribution = known.unwrap_or_else(|| self.uniform(self.intervals.interval(node)));
        distribution.iter().map(|at_most| 1.0 - at_most).sum()
    }

    /// The child of the root with the highest mean, ties by the optimistic value.
    fn likeliest(&self) -> Option<usize> {
        let children = self.intervals.nodes[ROOT].children.clone();
        let rank = |child: usize| (self.mean(child), self.intervals.interval(child).upper);
        children.reduce(|a, b| if rank(b) > rank(a) { b } else { a })
    }

    /// The other child of the root that most likely surpasses the best one.
    fn rival(&self, best: usize) -> Option<usize> {
        let others = self.intervals.nodes[ROOT].children.clone().filter(|&child| child != best);
        let least = self.intervals.interval(best).lower;
        let open = others.filter(|&child| self.intervals.interval(child).upper > least);
        let rank =
            |child: usize| (self.surpasses(child, best), self.intervals.interval(child).upper);
        open.reduce(|a, b| if rank(b) > rank(a) { b } else { a })
    }

    /// Which of the two to look into: the one with the wider interval of those that are not exact.
    fn uncertain(&self, best: usize, rival: Option<usize>) -> usize {
        let width = |child: usize| {
            let Bounds { lower, upper } = self.intervals.interval(child);
            i64::from(upper) - i64::from(lower)
        };
        match rival {
            Some(rival) if width(rival) > width(best) => rival,
            _ if width(best) > 0 => best,
            // Both are exact: a third one is in the way.
            _ => {
                let children = self.intervals.nodes[ROOT].children.clone();
                children.rev().max_by_key(|&child| width(child)).unwrap_or(best)
            }
        }
    }

    /// The leaf below `node`, which is not exact: at every node the child that most likely decides it,
    /// among those that are not exact.
    fn leaf_below(&self, growth: &dyn Growth, node: usize) -> usize {
        let mut at = node;
        loop {
            let children = self.intervals.nodes[at].children.clone();
            if children.is_empty() {
                return at;
            }
            let is_max = growth.is_max(at);
            let decides = |child: usize| if is_max { self.mean(child) } else { -self.mean(child) };
            let bound = self.intervals.interval(at);
            // A child that cannot change its parent's interval is passed over.
            let matters = |child: &usize| {
                let Bounds { lower, upper } = self.intervals.interval(*child);
                lower < upper && if is_max { upper > bound.lower } else { lower < bound.upper }
            };
            let better = |a: usize, b: usize| if decides(b) > decides(a) { b } else { a };
            match children.filter(matters).reduce(better) {
                Some(child) => at = child,
                None => return self.intervals.leaf_below(growth, at),
            }
        }
    }
}
