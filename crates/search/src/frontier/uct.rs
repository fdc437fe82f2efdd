//! UCT (Kocsis and Szepesvári 2006) with evaluation at leaves: Monte-Carlo tree search as people use it
//! today.
//!
//! Each playout goes down the tree to a node that has not been visited, by the mean payoff of the
//! children plus an allowance for what has been visited little, C·√(ln N / n). There the evaluation takes
//! the place of a random game. Its value becomes a payoff between 0 and 1 on a scale that the root's moves
//! set, and is added to the nodes on the way.
//!
//! What is certain is not sampled (Cazenave and Saffidine 2010, score-bounded search): leaves of the game
//! and whatever follows from them have bounds, and a child that cannot change its parent's is passed over.
//! So on a small tree the search ends with a proof, and on any tree a mate that is seen stays seen.
//! Without a limit on nodes, leaves or time it ends after 100,000 playouts.

use super::growth::{GrownTree, Growth, ROOT, follow};
use super::skeleton::Skeleton;
use crate::prelude::*;
use crate::trace::Event;

/// Playouts of a search without limits.
const PLAYOUTS: u64 = 100_000;

/// Monte-Carlo tree search with evaluation at leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uct {
    /// C, in thousandths.
    pub exploration: u32,
}

impl SearchAlgorithm for Uct {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "uct",
        usage: "uct:C",
        name: "UCT(C)",
        about: "Monte-Carlo tree search with evaluation at leaves; C is the love of exploration",
        paper: "Kocsis and Szepesvári 2006; Cazenave and Saffidine 2010",
        examples: &["uct:0.5"],
        proves: Proves::Nothing,
        anytime: true,
        rich_only: true,
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<Uct, String> {
        let expected = "the constant of exploration, from 0 to 100, such as 0.5";
        let word = parameters.next(expected)?;
        let number = word.parse::<f64>().ok().filter(|c| (0.0..=100.0).contains(c));
        let exploration = number.map(|c| (c * 1000.0).round() as u32);
        exploration
            .map(|exploration| Uct { exploration })
            .ok_or_else(|| format!("`{word}`: expected {expected}"))
    }

    fn parameters(&self) -> String {
        format!(":{}", self.constant())
    }

    fn name(&self) -> String {
        format!("UCT({})", self.constant())
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let growth = &mut GrownTree::new(search, root);
        let mut playouts = Playouts::new(growth, self.constant());
        let ended = playouts.run(growth);
        playouts.report(growth);
        ended
    }
}

impl Uct {
    fn constant(&self) -> f64 {
        f64::from(self.exploration) / 1000.0
    }
}

/// The natural logarithm of a number of visits, by straight lines between powers of two: machines do not
/// agree on the last digit of the true one, and a search must visit the same nodes on all of them.
fn logarithm(visits: u32) -> f64 {
    let whole = visits.max(1).ilog2();
    let part = f64::from(visits.max(1)) / f64::from(1_u32 << whole) - 1.0;
    (f64::from(whole) + part) * std::f64::consts::LN_2
}

/// What is known of a node by playouts.
#[derive(Clone, Copy, Default)]
struct Sampled {
    visits: u32,
    /// The sum of MAX's payoffs.
    total: f64,
}

struct Playouts {
    exploration: f64,
    shape: Skeleton,
    nodes: Vec<Sampled>,
    /// The value that pays one half, and the difference that pays a quarter more.
    scale: (f64, f64),
}

impl Playouts {
    fn new(growth: &dyn Growth, exploration: f64) -> Playouts {
        let Bounds { lower, upper } = growth.range();
        let middle = f64::from(lower) / 2.0 + f64::from(upper) / 2.0;
        let scale = (middle, (f64::from(upper) - middle).max(1.0) / 2.0);
        let (shape, nodes) = (Skeleton::new(growth), vec![Sampled::default()]);
        Playouts { exploration, shape, nodes, scale }
    }

    fn run(&mut self, growth: &mut dyn Growth) -> Result<Option<Value>, Stop> {
        if !self.expand(growth, ROOT)? {
            return Ok(self.shape.report(growth));
        }
        self.set_scale(growth)?;
        let most = if growth.is_limited() { u64::MAX } else { PLAYOUTS };
        let mut playouts = 0;
        while self.shape.proved_best().is_none() && playouts < most {
            self.play_out(growth)?;
            playouts += 1;
        }
        Ok(self.shape.report(growth))
    }

    /// The root's moves are judged first: their differences are the scale of payoffs.
    fn set_scale(&mut self, growth: &mut dyn Growth) -> Result<(), Stop> {
        let children = self.shape.children(ROOT);
        let mut values = Vec::new();
        for child in children.clone() {
            values.push(self.look_at(growth, child)?);
        }
        let best = values.iter().copied().max().map_or(0.0, f64::from);
        if growth.judges() {
            let gap: f64 = values.iter().map(|&value| best - f64::from(value)).sum();
            self.scale = (best, (gap / values.len().max(1) as f64).clamp(1.0, self.scale.1));
        }
        for (child, value) in children.zip(values) {
            self.back_up(growth, child, value);
        }
        Ok(())
    }

    /// MAX's payoff for a value.
    fn payoff(&self, value: Value) -> f64 {
        let (middle, quarter) = self.scale;
        let x = (f64::from(value) - middle) / quarter;
        0.5 + 0.5 * x / (1.0 + x.abs())
    }

    /// Makes the children of a node; `false` if it is a leaf, whose value is then certain.
    fn expand(&mut self, growth: &mut dyn Growth, node: usize) -> Result<bool, Stop> {
        let Some(children) = growth.expand(node)? else {
            let value = growth.leaf(node)?;
            self.shape.settle(growth, node, value);
            return Ok(false);
        };
        self.shape.adopt(growth, node, children.clone());
        follow(growth, &mut self.nodes, 0);
        self.nodes.resize(children.end, Sampled::default());
        growth.holds(self.shape.bytes() + self.nodes.capacity() * size_of::<Sampled>())?;
        Ok(true)
    }

    /// The value of a node that has not been visited.
    fn look_at(&mut self, growth: &mut dyn Growth, node: usize) -> Result<Value, Stop> {
        if !growth.is_at_horizon(node) {
            return growth.judge(node);
        }
        let value = growth.leaf(node)?;
        self.shape.settle(growth, node, value);
        Ok(value)
    }

    fn play_out(&mut self, growth: &mut dyn Growth) -> Result<(), Stop> {
        let mut node = ROOT;
        while !self.shape.children(node).is_empty() {
            node = self.choose(growth, node);
        }
        if self.nodes[node].visits > 0 && self.expand(growth, node)? {
            node = self.choose(growth, node);
        }
        growth.emit(node, Event::Chosen { why: "playout" });
        let certain = self.shape.certain(node);
        let value = match certain.is_exact() {
            true => certain.lower,
            false => self.look_at(growth, node)?,
        };
        self.back_up(growth, node, value);
        Ok(())
    }

    /// Adds a payoff to a node and all above it.
    fn back_up(&mut self, growth: &mut dyn Growth, node: usize, value: Value) {
        let payoff = self.payoff(value);
        let mut at = node;
        loop {
            let sampled = &mut self.nodes[at];
            sampled.visits = sampled.visits.saturating_add(1);
            sampled.total += payoff;
            let visits = sampled.visits.into();
            if growth.is_watched() {
                growth.emit(at, Event::Backed { value, visits });
            }
            if at == ROOT {
                break;
            }
            at = self.shape.parent(at);
        }
    }

    /// The payoff of a node to its parent's mover: the mean, or what is certain.
    fn mean(&self, growth: &dyn Growth, child: usize) -> f64 {
        let Sampled { visits, total } = self.nodes[child];
        let certain = self.shape.certain(child);
        let for_max = match certain.is_exact() {
            true => self.payoff(certain.lower),
            false => total / f64::from(visits.max(1)),
        };
        if growth.is_max(child) { 1.0 - for_max } else { for_max }
    }

    /// The child to go to: one that has not been visited, or the one with the highest upper confidence.
    /// Only those that may still change what is certain of their parent.
    fn choose(&self, growth: &dyn Growth, node: usize) -> usize {
        let above = self.shape.certain(node);
        let is_max = growth.is_max(node);
        let matters = |child: &usize| {
            let certain = self.shape.certain(*child);
            !certain.is_exact()
                && if is_max { certain.upper > above.lower } else { certain.lower < above.upper }
        };
        let log = logarithm(self.nodes[node].visits);
        let score = |child: usize| match self.nodes[child].visits {
            0 => f64::INFINITY,
            n => self.mean(growth, child) + self.exploration * (log / f64::from(n)).sqrt(),
        };
        let children = self.shape.children(node);
        let mut best = (children.start, f64::NEG_INFINITY);
        for child in children.filter(matters) {
            let score = score(child);
            if score > best.1 {
                best = (child, score);
            }
        }
        best.0
    }

    /// Tells the outcome the move: the one whose payoff is highest even at the lower end of confidence.
    fn report(&mut self, growth: &mut dyn Growth) {
        let score = |child: usize| {
            let certain = self.shape.certain(child).is_exact();
            let doubt = if certain { 0.0 } else { f64::from(self.nodes[child].visits).sqrt() };
            let less = if certain { 0.0 } else { 1.0 / doubt.max(0.5) };
            self.mean(growth, child) - less
        };
        let children = self.shape.children(ROOT);
        let better = |a: usize, b: usize| if score(b) > score(a) { b } else { a };
        if let Some(best) = children.reduce(better) {
            growth.choose(best);
            let payoff = self.mean(growth, best).clamp(0.001, 0.999);
            let x = 2.0 * payoff - 1.0;
            let value = self.scale.0 + self.scale.1 * x / (1.0 - x.abs());
            let Bounds { lower, upper } = self.shape.certain(best);
            growth.estimate((value.round() as Value).clamp(lower, upper));
        }
        self.shape.report(growth);
    }
}
