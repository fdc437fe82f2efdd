//! The master of APHID: passes over the first plies, and who searches which leaf.

use plyground_core::limits::Stop;
use plyground_core::tree::{GameTree, MoveList};
use plyground_core::value::{Bounds, INFINITY, Value, Window};

use super::{Message, Post, child_at_place, decides};
use crate::context::Search;
use crate::node::SearchNode;
use crate::rich::Rich;

/// A node of the master's tree.
struct TopNode<T: GameTree> {
    n: SearchNode<T, Rich>,
    path: Vec<u32>,
    /// The children by their places, the most promising first; `None` until they are asked for.
    children: Option<Vec<usize>>,
    /// What the last pass found, for its mover: the order of its siblings.
    value: Value,
    /// The number of its leaf, where a worker searches it.
    leaf: Option<usize>,
}

/// A leaf of the master's tree.
struct Leaf {
    /// The node's number.
    node: usize,
    worker: usize,
    /// What is known of its value.
    bounds: Bounds,
    /// What the deepest search so far says, and how deep it was.
    value: Value,
    height: u32,
    /// The window that the current pass could not decide.
    asked: Option<Window>,
    /// The window that the worker knows of.
    told: Option<Window>,
}

struct Master<'m, 't, T: GameTree> {
    search: &'m mut Search<'t, T, Rich>,
    nodes: Vec<TopNode<T>>,
    leaves: Vec<Leaf>,
    /// The ply of the leaves.
    top: u32,
    workers: usize,
}

/// Passes until the root's value is proved.
pub(super) fn run<T: GameTree>(
    search: &mut Search<'_, T, Rich>,
    post: &mut Post<'_>,
    top: u32,
) -> Result<Value, Stop> {
    let root = search.root();
    let workers = post.ranks() - 1;
    let mut master = Master { search, nodes: Vec::new(), leaves: Vec::new(), top, workers };
    master.add(root, Vec::new());
    let mut starving = Vec::new();
    loop {
        let value = master.pass(0, Window::FULL)?;
        if !master.tell(post) {
            return Ok(value);
        }
        starving.retain(|&worker| !master.feed(post, worker));
        // Nothing can change before a message comes.
        loop {
            let mut heard = false;
            while let Some((from, message)) = post.receive() {
                match Message::read(&message).expect("a message of this search") {
                    Message::Starves => starving.push(from),
                    Message::Stopped => return Err(Stop::Time),
                    found => heard |= master.hear(found),
                }
            }
            starving.retain(|&worker| !master.feed(post, worker));
            if heard {
                break;
            }
            post.wait();
            master.search.tally.check_while_waiting(0)?;
        }
    }
}

impl<T: GameTree> Master<'_, '_, T> {
    fn add(&mut self, n: SearchNode<T, Rich>, path: Vec<u32>) -> usize {
        self.nodes.push(TopNode { n, path, children: None, value: 0, leaf: None });
        self.nodes.len() - 1
    }

    /// The children of a node, the best of the last pass first.
    fn children(&mut self, at: usize) -> Result<Vec<usize>, Stop> {
        if let Some(children) = &mut self.nodes[at].children {
            let mut children = std::mem::take(children);
            // Their values are their movers'.
            children.sort_by_key(|&child| self.nodes[child].value);
            self.nodes[at].children = Some(children.clone());
            return Ok(children);
        }
        let n = self.nodes[at].n.clone();
        let width = self.search.generate_siblings(&n).map_or(0, |siblings| siblings.moves.len());
        if width > 0 {
            self.search.count_expansion(&n, width)?;
        }
        let mut children = Vec::new();
        for place in 0..width {
            let Some(child) = child_at_place(self.search, &n, place) else { break };
            let mut path = self.nodes[at].path.clone();
            path.push(place as u32);
            let value = if T::JUDGES { self.search.judge(&child)? } else { 0 };
            let number = self.add(child, path);
            self.nodes[number].value = value;
            children.push(number);
        }
        children.sort_by_key(|&child| self.nodes[child].value);
        self.nodes[at].children = Some(children.clone());
        Ok(children)
    }

    /// PVS of the master's tree: the value of a node for its mover if it is inside the window, else a
    /// bound on it, as far as what is known of the leaves tells.
    fn pass(&mut self, at: usize, window: Window) -> Result<Value, Stop> {
        if self.nodes[at].n.ply == self.top {
            return self.leaf(at, window);
        }
        let children = self.children(at)?;
        if children.is_empty() {
            let n = self.nodes[at].n.clone();
            let value = self.search.leaf_once(&n)?;
            self.nodes[at].value = value;
            return Ok(value);
        }
        let (mut best, mut first) = (-INFINITY, true);
        for child in children {
            let alpha = window.alpha.max(best);
            let mut merit = match first {
                true => -self.pass(child, window.flip())?,
                false => -self.pass(child, Window::new(alpha, alpha + 1).flip())?,
            };
            if !first && alpha < merit && merit < window.beta {
                merit = -self.pass(child, Window::new(merit - 1, window.beta).flip())?;
            }
            if merit > best {
                best = merit;
                if at == 0 {
                    self.search.best = self.move_to(child);
                }
            }
            first = false;
            if best >= window.beta {
                break;
            }
        }
        self.nodes[at].value = best;
        Ok(best)
    }

    /// The move at the root that leads to a child.
    fn move_to(&self, child: usize) -> Option<T::Move> {
        let place = *self.nodes[child].path.first()? as usize;
        let siblings = self.search.generate_siblings(&self.nodes[0].n)?;
        Some(siblings.moves.at(place))
    }

    /// A leaf of the master's tree: what is known of it, or what it is probably worth.
    fn leaf(&mut self, at: usize, window: Window) -> Result<Value, Stop> {
        let number = match self.nodes[at].leaf {
            Some(leaf) => leaf,
            None => {
                let value = self.nodes[at].value;
                let (worker, bounds) = (1 + self.leaves.len() % self.workers, Bounds::UNKNOWN);
                let (node, height, asked, told) = (at, 0, None, None);
                self.leaves.push(Leaf { node, worker, bounds, value, height, asked, told });
                let leaf = self.leaves.len() - 1;
                self.nodes[at].leaf = Some(leaf);
                leaf
            }
        };
        let leaf = &mut self.leaves[number];
        let value = decides(leaf.bounds, window).unwrap_or_else(|| {
            leaf.asked = Some(window);
            leaf.value.clamp(leaf.bounds.lower, leaf.bounds.upper)
        });
        self.nodes[at].value = value;
        Ok(value)
    }

    /// Tells the workers what this pass could not decide, and what no longer matters; `false` if it could
    /// decide everything.
    fn tell(&mut self, post: &mut Post<'_>) -> bool {
        let mut uncertain = false;
        for (number, leaf) in self.leaves.iter_mut().enumerate() {
            let asked = leaf.asked.take();
            uncertain |= asked.is_some();
            if asked == leaf.told {
                continue;
            }
            let number = number as u32;
            let message = match asked {
                Some(Window { alpha, beta }) => {
                    Message::Search { leaf: number, window: [alpha, beta] }
                }
                None => Message::Leave { leaf: number },
            };
            if leaf.told.is_none() && leaf.height == 0 {
                let path = self.nodes[leaf.node].path.clone();
                post.send(leaf.worker, Message::Take { leaf: number, path }.write());
            }
            leaf.told = asked;
            post.send(leaf.worker, message.write());
        }
        uncertain
    }

    /// Notes what a worker has found; `false` if it was known.
    fn hear(&mut self, message: Message) -> bool {
        let Message::Found { leaf, height, bounds: [lower, upper], value } = message else {
            return false;
        };
        let Leaf { node, bounds, value: known, height: deepest, .. } =
            &mut self.leaves[leaf as usize];
        let is_last = height == self.nodes[*node].n.height;
        if is_last {
            bounds.lower = bounds.lower.max(lower);
            bounds.upper = bounds.upper.min(upper);
        }
        if height >= *deepest {
            (*known, *deepest) = (value, height);
        }
        true
    }

    /// Gives a worker that has nothing to do half of what the busiest one has left; `false` if no other
    /// has more than one.
    fn feed(&mut self, post: &mut Post<'_>, worker: usize) -> bool {
        let mut left = vec![Vec::new(); self.workers + 1];
        for (number, leaf) in self.leaves.iter().enumerate() {
            if leaf.told.is_some() {
                left[leaf.worker].push(number);
            }
        }
        if !left[worker].is_empty() {
            // It has got something meanwhile.
            return true;
        }
        let Some(most) = left.iter().max_by_key(|leaves| leaves.len()) else { return false };
        // The one that a worker is busy with stays.
        for &number in &most[most.len().div_ceil(2)..] {
            let leaf = &mut self.leaves[number];
            let Some(Window { alpha, beta }) = leaf.told else { continue };
            let path = self.nodes[leaf.node].path.clone();
            let number = number as u32;
            post.send(leaf.worker, Message::Leave { leaf: number }.write());
            leaf.worker = worker;
            post.send(worker, Message::Take { leaf: number, path }.write());
            post.send(worker, Message::Search { leaf: number, window: [alpha, beta] }.write());
        }
        most.len() > 1
    }
}
