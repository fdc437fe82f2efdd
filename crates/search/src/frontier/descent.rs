//! A line of play that goes down and up again: what a depth-first proof search sees of the game.

use plyground_core::tree::mix;

use crate::context::for_max;
use crate::prelude::*;
use crate::trace::Event;

/// A position that a search stands at, without the types of the game. Values are from MAX's view.
pub(crate) trait Descent {
    /// Looks at the node where the search stands: how many children it has; `None` for a leaf.
    fn open(&mut self) -> Result<Option<usize>, Stop>;
    /// The value of the leaf where the search stands.
    fn value(&mut self) -> Result<Value, Stop>;
    /// A hash of a child of the node that was opened.
    fn key(&self, child: usize) -> u64;
    /// What to take a child for of which nothing is known: φ and δ.
    fn first_sight(&mut self, _child: usize) -> Result<(u32, u32), Stop> {
        Ok((1, 1))
    }
    /// Goes down to a child of the node that was opened.
    fn enter(&mut self, child: usize);
    /// Goes up again.
    fn leave(&mut self);
    /// Is it MAX's turn?
    fn is_max(&self) -> bool;
    /// Plies to the horizon.
    fn height(&self) -> u32;
    /// The nodes that were visited so far.
    fn visits(&self) -> u64;
    /// Tells the watch of an event, if there is one.
    fn emit(&mut self, event: Event);
    /// Notes how many entries of the table are in use.
    fn holds(&mut self, entries: u64);
}

/// A line in a search of the laboratory.
pub(crate) struct SearchLine<'s, 't, T: GameTree, M: Mode> {
    pub(crate) search: &'s mut Search<'t, T, M>,
    /// The nodes above the present one, each with its children.
    opened: Vec<OpenedNode<T, M>>,
    present: SearchNode<T, M>,
    children: Vec<SearchNode<T, M>>,
}

/// A node that the line goes through, and its children.
type OpenedNode<T, M> = (SearchNode<T, M>, Vec<SearchNode<T, M>>);

impl<'s, 't, T: GameTree, M: Mode> SearchLine<'s, 't, T, M> {
    pub(crate) fn new(search: &'s mut Search<'t, T, M>, root: &SearchNode<T, M>) -> Self {
        SearchLine { search, opened: Vec::new(), present: root.clone(), children: Vec::new() }
    }
}

impl<T: GameTree, M: Mode> Descent for SearchLine<'_, '_, T, M> {
    fn open(&mut self) -> Result<Option<usize>, Stop> {
        self.children.clear();
        let Some(children) = self.search.expand(&self.present)? else { return Ok(None) };
        for number in 0..children.len() {
            self.children.push(self.search.child(&self.present, &children, number));
        }
        Ok(Some(children.len()))
    }

    fn value(&mut self) -> Result<Value, Stop> {
        Ok(for_max(self.present.ply, self.search.leaf_once(&self.present)?))
    }

    fn key(&self, child: usize) -> u64 {
        let child = &self.children[child];
        mix(self.search.tree.key(&child.node), u64::from(child.height))
    }

    fn enter(&mut self, child: usize) {
        let next = self.children[child].clone();
        let children = std::mem::take(&mut self.children);
        self.opened.push((std::mem::replace(&mut self.present, next), children));
    }

    fn leave(&mut self) {
        if let Some((above, children)) = self.opened.pop() {
            (self.present, self.children) = (above, children);
        }
    }

    fn is_max(&self) -> bool {
        self.present.ply.is_multiple_of(2)
    }

    fn height(&self) -> u32 {
        self.present.height
    }

    fn visits(&self) -> u64 {
        self.search.tally.visits()
    }

    fn emit(&mut self, event: Event) {
        self.search.emit(&self.present, || event);
    }

    fn holds(&mut self, entries: u64) {
        let peak = &mut self.search.tally.peak_stored;
        *peak = (*peak).max(entries);
    }
}
