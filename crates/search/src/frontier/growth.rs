//! A stored tree that grows leaf by leaf: what a best-first search sees of the game.
//!
//! The tree's nodes have numbers. The root is 0, and the children of a node have consecutive numbers. An
//! algorithm keeps its own figures for each number; [`GrownTree`] keeps the positions. Values are from
//! MAX's view.

use std::ops::Range;

use crate::context::for_max;
use crate::prelude::*;
use crate::trace::Event;

/// The number of the root.
pub(crate) const ROOT: usize = 0;

/// The numbers of the children of a node; empty while it has none.
pub(crate) type ChildRange = Range<usize>;

/// A tree that grows, without the types of the game.
pub(crate) trait Growth {
    /// How many nodes there are.
    fn len(&self) -> usize;
    /// For how many nodes there is room.
    fn capacity(&self) -> usize;
    /// Plies from the root.
    fn ply(&self, node: usize) -> u32;
    /// Is the node at the horizon? Then it is a leaf whatever its moves.
    fn is_at_horizon(&self, node: usize) -> bool;
    /// Makes the children of a node; `None` if it is a leaf of the game or at the horizon.
    fn expand(&mut self, node: usize) -> Result<Option<ChildRange>, Stop>;
    /// The value of a leaf.
    fn leaf(&mut self, node: usize) -> Result<Value, Stop>;
    /// What an interior node is worth at first sight.
    fn judge(&mut self, node: usize) -> Result<Value, Stop>;
    /// What an interior node is worth at first sight and after a search of one ply: the lesser and the
    /// greater of the two.
    fn judge_twice(&mut self, node: usize) -> Result<Bounds, Stop>;
    /// Do judgements of interior nodes mean anything?
    fn judges(&self) -> bool;
    /// Forgets all nodes from this number on.
    fn truncate(&mut self, len: usize);

    /// Between these all values of the tree lie.
    fn range(&self) -> Bounds;
    /// The question that was asked: is the value at least this?
    fn at_least(&self) -> Option<Value>;
    /// The value that is expected, from an iteration before or from the user.
    fn expected(&self) -> Option<Value>;
    /// Is there a limit on nodes, leaves or time?
    fn is_limited(&self) -> bool;
    /// Notes the bytes that the algorithm's own figures take, and stops the search if they are too many.
    fn holds(&mut self, bytes: usize) -> Result<(), Stop>;
    /// Says how many bytes of figures a node may come to take, where that is more than they have taken yet.
    fn expects(&mut self, bytes_a_node: usize);
    /// Notes the best child of the root so far.
    fn choose(&mut self, child: usize);
    /// Notes bounds on the root's value that are certain.
    fn know(&mut self, bounds: Bounds);
    /// Notes what the root seems to be worth.
    fn estimate(&mut self, value: Value);
    /// Is there a watch?
    fn is_watched(&self) -> bool;
    /// Tells the watch of an event.
    fn emit(&mut self, node: usize, event: Event);

    /// Is it MAX's turn?
    fn is_max(&self, node: usize) -> bool {
        self.ply(node).is_multiple_of(2)
    }
}

/// Makes room for the figures of as many nodes as the tree has room for; `beside` of its nodes have none
/// here. A list that grew by itself would double, beyond the memory that there is.
pub(crate) fn follow<F>(growth: &dyn Growth, figures: &mut Vec<F>, beside: usize) {
    let room = growth.capacity().saturating_sub(beside + figures.len());
    figures.reserve_exact(room);
}

/// The positions of a growing tree.
pub(crate) struct GrownTree<'s, 't, T: GameTree, M: Mode> {
    search: &'s mut Search<'t, T, M>,
    nodes: Vec<SearchNode<T, M>>,
    /// The root's moves, in the order of its children.
    moves: Option<Children<T, M>>,
    /// The bytes of the algorithm's own figures of a node, at the most.
    figures: usize,
}

impl<'s, 't, T: GameTree, M: Mode> GrownTree<'s, 't, T, M> {
    /// A tree of the root alone.
    pub(crate) fn new(search: &'s mut Search<'t, T, M>, root: &SearchNode<T, M>) -> Self {
        GrownTree { search, nodes: vec![root.clone()], moves: None, figures: 0 }
    }

    /// Makes room for more nodes: twice as many as there were, or as many as the limit on bytes allows. The
    /// children of the root are made in any case: one of them is the answer.
    fn make_room(&mut self, more: usize) -> Result<(), Stop> {
        let (len, capacity) = (self.nodes.len(), self.nodes.capacity());
        if len + more <= capacity {
            return Ok(());
        }
        let each = size_of::<SearchNode<T, M>>() + self.figures;
        let most = self.search.bytes_left(0) / each;
        if len + more > most && len > 1 {
            return Err(Stop::Bytes);
        }
        let room = (2 * capacity).min(most).max(len + more);
        self.nodes.reserve_exact(room - len);
        Ok(())
    }
}

impl<T: GameTree, M: Mode> Growth for GrownTree<'_, '_, T, M> {
    fn len(&self) -> usize {
        self.nodes.len()
    }

    fn capacity(&self) -> usize {
        self.nodes.capacity()
    }

    fn ply(&self, node: usize) -> u32 {
        self.nodes[node].ply
    }

    fn is_at_horizon(&self, node: usize) -> bool {
        self.nodes[node].height == 0
    }

    fn expand(&mut self, node: usize) -> Result<Option<ChildRange>, Stop> {
        let at = self.nodes[node].clone();
        let Some(children) = self.search.expand(&at)? else { return Ok(None) };
        let first = self.nodes.len();
        self.make_room(children.len())?;
        for number in 0..children.len() {
            self.nodes.push(self.search.child(&at, &children, number));
        }
        let range = first..self.nodes.len();
        if node == ROOT {
            self.moves = Some(children);
        }
        Ok(Some(range))
    }

    fn leaf(&mut self, node: usize) -> Result<Value, Stop> {
        let at = &self.nodes[node];
        Ok(for_max(at.ply, self.search.leaf_once(at)?))
    }

    fn judge(&mut self, node: usize) -> Result<Value, Stop> {
        let at = &self.nodes[node];
        Ok(for_max(at.ply, self.search.judge(at)?))
    }

    fn judge_twice(&mut self, node: usize) -> Result<Bounds, Stop> {
        let at = self.nodes[node].clone();
        let first = self.search.judge(&at)?;
        let Some(children) = self.search.expand(&at)? else {
            return Ok(Bounds::exact(for_max(at.ply, first)));
        };
        let mut deeper = -INFINITY;
        for number in 0..children.len() {
            let child = self.search.child(&at, &children, number);
            let value = match child.height {
                0 => self.search.leaf_once(&child)?,
                _ => self.search.judge(&child)?,
            };
            deeper = deeper.max(-value);
        }
        let both = Bounds { lower: first.min(deeper), upper: first.max(deeper) };
        Ok(if at.ply.is_multiple_of(2) { both } else { both.flip() })
    }

    fn judges(&self) -> bool {
        T::JUDGES
    }

    fn truncate(&mut self, len: usize) {
        self.nodes.truncate(len);
    }

    fn range(&self) -> Bounds {
        self.search.widest()
    }

    fn at_least(&self) -> Option<Value> {
        self.search.spec.at_least()
    }

    fn expected(&self) -> Option<Value> {
        self.search.expected()
    }

    fn is_limited(&self) -> bool {
        let limits = self.search.spec.limits();
        limits.nodes.is_some() || limits.leaves.is_some() || limits.time.is_some()
    }

    fn holds(&mut self, bytes: usize) -> Result<(), Stop> {
        self.expects(bytes.div_ceil(self.nodes.capacity()));
        let stored = self.nodes.len();
        let positions = self.nodes.capacity() * size_of::<SearchNode<T, M>>();
        self.search.stores(stored as u64, positions + bytes)
    }

    fn expects(&mut self, bytes_a_node: usize) {
        self.figures = self.figures.max(bytes_a_node);
    }

    fn choose(&mut self, child: usize) {
        // The root's children come right after it.
        self.search.best = self.moves.as_ref().map(|children| children.mv(child - ROOT - 1));
    }

    fn know(&mut self, bounds: Bounds) {
        self.search.narrow_root(bounds);
    }

    fn estimate(&mut self, value: Value) {
        self.search.estimate = Some(value);
    }

    fn is_watched(&self) -> bool {
        self.search.is_watched()
    }

    fn emit(&mut self, node: usize, event: Event) {
        let at = self.nodes[node].clone();
        self.search.emit(&at, || event);
    }
}

impl<T: GameTree, M: Mode> Search<'_, T, M> {
    /// The value that is expected: of the iteration before this one, or the user's guess.
    pub(crate) fn expected(&self) -> Option<Value> {
        let earlier = if self.spec.deepening() { self.guess } else { None };
        earlier.or(self.spec.guess())
    }

    /// Notes that an algorithm now stores this many nodes of its own in these bytes.
    pub(crate) fn stores(&mut self, nodes: u64, bytes: usize) -> Result<(), Stop> {
        self.tally.peak_stored = self.tally.peak_stored.max(nodes);
        self.holds(0, 0, bytes)
    }
}
