//! The master of APHID: passes over the first plies, and who searches which leaf.

use plyground_core::limits::Stop;
use plyground_core::tree::{GameTree, MoveList};
use plyground_core::value::{Bounds, INFINITY, Value, Window};

use super::{Message, Post, child_at_place, decides};
use crate::context::Search;
use crate::node::SearchNode;
use crate::rich::Rich;

/// The order of windows that rest on guesses: they come after all others.
const UNSURE: u32 = 1 << 24;

/// A node of the master's tree.
struct TopNode<T: GameTree> {
    n: SearchNode<T, Rich>,
    path: Vec<u32>,
    /// The children by their places, the most promising first; `None` until they are asked for.
    children: Option<Vec<usize>>,
    /// What it is worth at first sight, for its mover; then what the last pass found.
    value: Value,
    /// The number of its leaf, where a worker searches it.
    leaf: Option<usize>,
}

/// A leaf of the master's tree.
struct Leaf {
    /// The node's number.
    node: usize,
    worker: usize,
    /// Does the worker know of it?
    taken: bool,
    /// What is known of its value at the present height.
    bounds: Bounds,
    /// The value at the present height, one and two plies before it, as far as they are known.
    values: [Option<Value>; 3],
    /// What it is worth at first sight.
    judged: Value,
    /// The window that the current pass could not decide, and the order in which such windows are searched:
    /// sure ones first.
    asked: Option<(Window, u32)>,
    /// The window that the worker knows of.
    told: Option<Window>,
}

impl Leaf {
    /// What it is probably worth: values of heights with the same parity are nearest to each other.
    fn guess(&self) -> Value {
        let [now, before, two_before] = self.values;
        let guess = now.or(two_before).or(before).unwrap_or(self.judged);
        guess.clamp(self.bounds.lower, self.bounds.upper)
    }
}

struct Master<'m, 't, T: GameTree> {
    search: &'m mut Search<'t, T, Rich>,
    nodes: Vec<TopNode<T>>,
    leaves: Vec<Leaf>,
    /// The ply of the leaves, and the height that they are searched to.
    top: u32,
    height: u32,
    workers: usize,
    margin: Value,
    /// How many windows the current pass could not decide.
    uncertain: u32,
}

/// Passes until the root's value is proved, at each height in turn.
pub(super) fn run<T: GameTree>(
    search: &mut Search<'_, T, Rich>,
    post: &mut Post<'_>,
    top: u32,
    margin: Value,
) -> Result<Value, Stop> {
    let root = search.root();
    let (workers, last) = (post.ranks() - 1, search.depth - top);
    let (nodes, leaves) = (Vec::new(), Vec::new());
    let mut master =
        Master { search, nodes, leaves, top, height: 0, workers, margin, uncertain: 0 };
    master.add(root, Vec::new());
    let mut starving = Vec::new();
    loop {
        master.go_deeper();
        let value = master.prove(post, &mut starving)?;
        if master.height == last {
            return Ok(value);
        }
    }
}

impl<T: GameTree> Master<'_, '_, T> {
    /// Begins with the next height.
    fn go_deeper(&mut self) {
        self.height += 1;
        for leaf in &mut self.leaves {
            let [now, before, _] = leaf.values;
            (leaf.values, leaf.bounds) = ([None, now, before], Bounds::UNKNOWN);
        }
    }

    /// Passes until the root's value at this height is proved.
    fn prove(&mut self, post: &mut Post<'_>, starving: &mut Vec<usize>) -> Result<Value, Stop> {
        loop {
            self.uncertain = 0;
            let value = self.pass(0, Window::FULL, true)?;
            self.tell(post);
            if self.uncertain == 0 {
                return Ok(value);
            }
            // Nothing can change before a message comes.
            loop {
                let mut heard = false;
                while let Some((from, message)) = post.receive() {
                    match Message::read(&message).expect("a message of this search") {
                        Message::Starves => starving.push(from),
                        Message::Stopped => return Err(Stop::Time),
                        found => heard |= self.hear(found),
                    }
                }
                if heard {
                    break;
                }
                starving.retain(|&worker| !self.feed(post, worker));
                post.wait();
                self.search.tally.check_while_waiting(0)?;
            }
        }
    }

    fn add(&mut self, n: SearchNode<T, Rich>, path: Vec<u32>) -> usize {
        self.nodes.push(TopNode { n, path, children: None, value: 0, leaf: None });
        self.nodes.len() - 1
    }

    /// The children of a node, the one that was proved to be best last first; at the beginning by what they
    /// are worth at first sight.
    fn children(&mut self, at: usize) -> Result<Vec<usize>, Stop> {
        if let Some(children) = &self.nodes[at].children {
            return Ok(children.clone());
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
    /// bound on it, as far as what is known of the leaves tells. The window is `sure` if it rests on no
    /// value that is only a guess: then PVS would ask the same.
    fn pass(&mut self, at: usize, window: Window, sure: bool) -> Result<Value, Stop> {
        if self.nodes[at].n.ply == self.top {
            return self.leaf(at, window, sure);
        }
        let children = self.children(at)?;
        if children.is_empty() {
            let n = self.nodes[at].n.clone();
            let value = self.search.leaf_once(&n)?;
            self.nodes[at].value = value;
            return Ok(value);
        }
        let (mut best, mut first, mut sure) = (-INFINITY, true, sure);
        for child in children {
            let (alpha, uncertain) = (window.alpha.max(best), self.uncertain);
            let mut merit = match first {
                true => -self.pass(child, window.flip(), sure)?,
                false => -self.pass(child, Window::new(alpha, alpha + 1).flip(), sure)?,
            };
            if !first && alpha < merit && merit < window.beta {
                // A second search has an open window and costs much: only what is certain deserves one.
                merit = match self.uncertain == uncertain {
                    true => -self.pass(child, Window::new(merit - 1, window.beta).flip(), sure)?,
                    false => alpha,
                };
            }
            // A guess at or below alpha leaves the window as it is.
            sure &= self.uncertain == uncertain || merit <= alpha;
            // As in a serial search, whose table keeps the best move: nothing else changes the order. The
            // values of other children are bounds, or of another height, and say little.
            if merit > alpha && self.uncertain == uncertain {
                self.bring_to_front(at, child);
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

    /// A child is the first of its siblings from now on.
    fn bring_to_front(&mut self, at: usize, child: usize) {
        if let Some(children) = &mut self.nodes[at].children
            && let Some(place) = children.iter().position(|&other| other == child)
        {
            children[..=place].rotate_right(1);
        }
    }

    /// The move at the root that leads to a child.
    fn move_to(&self, child: usize) -> Option<T::Move> {
        let place = *self.nodes[child].path.first()? as usize;
        let siblings = self.search.generate_siblings(&self.nodes[0].n)?;
        Some(siblings.moves.at(place))
    }

    /// A leaf of the master's tree: what is known of it, or what it is probably worth.
    fn leaf(&mut self, at: usize, window: Window, sure: bool) -> Result<Value, Stop> {
        let number = match self.nodes[at].leaf {
            Some(leaf) => leaf,
            None => self.add_leaf(at),
        };
        let leaf = &mut self.leaves[number];
        let value = decides(leaf.bounds, window).unwrap_or_else(|| {
            let guess = leaf.guess();
            leaf.asked = Some(match sure {
                true => (window, self.uncertain),
                false => (widened(window, guess, self.margin), UNSURE + self.uncertain),
            });
            self.uncertain += 1;
            guess
        });
        self.nodes[at].value = value;
        Ok(value)
    }

    fn add_leaf(&mut self, node: usize) -> usize {
        let leaf = self.leaves.len();
        self.leaves.push(Leaf {
            node,
            worker: 1 + leaf % self.workers,
            taken: false,
            bounds: Bounds::UNKNOWN,
            values: [None; 3],
            judged: self.nodes[node].value,
            asked: None,
            told: None,
        });
        self.nodes[node].leaf = Some(leaf);
        leaf
    }

    /// Tells the workers what this pass could not decide, and what no longer matters.
    fn tell(&mut self, post: &mut Post<'_>) {
        for (number, leaf) in self.leaves.iter_mut().enumerate() {
            let number = number as u32;
            let Some((window, order)) = leaf.asked.take() else {
                if leaf.told.take().is_some() {
                    post.send(leaf.worker, Message::Leave { leaf: number }.write());
                }
                continue;
            };
            // What the worker searches with may answer a guess too; what is sure is asked as it is, because
            // a narrower window costs less.
            let covers = |told: Window| {
                decides(leaf.bounds, told).is_none()
                    && told.alpha <= window.alpha
                    && told.beta >= window.beta
                    && order >= UNSURE
            };
            if leaf.told.is_some_and(covers) {
                continue;
            }
            if !leaf.taken {
                leaf.taken = true;
                let path = self.nodes[leaf.node].path.clone();
                post.send(leaf.worker, Message::Take { leaf: number, path }.write());
            }
            if leaf.told != Some(window) {
                leaf.told = Some(window);
                post.send(leaf.worker, search_message(number, self.height, order, window));
            }
        }
    }

    /// Notes what a worker has found; `false` if that does not matter any more.
    fn hear(&mut self, message: Message) -> bool {
        let Message::Found { leaf, height, bounds: [lower, upper], value } = message else {
            return false;
        };
        if height != self.height {
            return false;
        }
        let leaf = &mut self.leaves[leaf as usize];
        leaf.bounds.lower = leaf.bounds.lower.max(lower);
        leaf.bounds.upper = leaf.bounds.upper.min(upper);
        leaf.values[0] = Some(value);
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
            let window = Window::new(alpha, beta);
            post.send(worker, search_message(number, self.height, number, window));
        }
        most.len() > 1
    }
}

fn search_message(leaf: u32, height: u32, order: u32, window: Window) -> Vec<u8> {
    Message::Search { leaf, height, order, window: [window.alpha, window.beta] }.write()
}

/// The window of a leaf that is probably worth `guess`, wider on the side where it may have to move.
fn widened(window: Window, guess: Value, margin: Value) -> Window {
    let Window { alpha, beta } = window;
    let lower = alpha.saturating_sub(margin).max(-INFINITY);
    let higher = beta.saturating_add(margin).min(INFINITY);
    match guess {
        _ if guess <= alpha => Window::new(lower, beta),
        _ if guess >= beta => Window::new(alpha, higher),
        _ => Window::new(lower, higher),
    }
}
