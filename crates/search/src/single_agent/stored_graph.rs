//! OPEN and CLOSED: the states that a best-first search keeps, each once, and the order in which they
//! are expanded.
//!
//! Of a state that is reached again only the cheapest path is kept. The least f is expanded first; ties
//! go to the greater g, which is nearer to a goal, and then to the state that was stored last.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use plyground_core::limits::Stop;
use plyground_core::space::{Cost, StateSpace};
use plyground_core::tree::mix;

use super::context::SpaceSearch;

/// A stored state and the cheapest known way to it.
struct StoredState<S: StateSpace> {
    state: S::State,
    g: Cost,
    parent: u32,
    action: Option<S::Action>,
}

/// A place on OPEN. It is out of date if a cheaper path to its state was found since.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct OpenPlace {
    f: Reverse<Cost>,
    g: Cost,
    index: u32,
}

/// A state that is to be expanded.
pub(super) struct Selected<S: StateSpace> {
    pub(super) index: u32,
    pub(super) f: Cost,
    pub(super) g: Cost,
    pub(super) state: S::State,
    pub(super) action: Option<S::Action>,
}

/// A successor that is to be stored: the state that was expanded, the action, the state, and its g.
pub(super) type Successor<S> = (u32, <S as StateSpace>::Action, <S as StateSpace>::State, Cost);

/// The states of a best-first search.
pub(super) struct StoredGraph<S: StateSpace> {
    states: Vec<StoredState<S>>,
    /// Places in `states` by hash, with linear probing; `EMPTY` where there is none.
    places: Vec<u32>,
    open: BinaryHeap<OpenPlace>,
}

const EMPTY: u32 = u32::MAX;

impl<S: StateSpace> StoredGraph<S> {
    /// Stores the start, on OPEN.
    pub(super) fn new(space: &S) -> StoredGraph<S> {
        let mut graph =
            StoredGraph { states: Vec::new(), places: vec![EMPTY; 64], open: BinaryHeap::new() };
        let start = space.start();
        let f = space.heuristic(&start);
        let place = graph.place(space, &start);
        graph.places[place] = 0;
        graph.states.push(StoredState { state: start, g: 0, parent: EMPTY, action: None });
        graph.put_back(0, f);
        graph
    }

    /// How many states are stored.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    /// The bytes that they take.
    pub(super) fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<StoredState<S>>()
            + self.places.capacity() * size_of::<u32>()
            + self.open.capacity() * size_of::<OpenPlace>()
    }

    /// The place of a state: where its number stands, or where it would.
    fn place(&self, space: &S, state: &S::State) -> usize {
        let mask = self.places.len() - 1;
        let mut place = mix(space.key(state), 0) as usize & mask;
        loop {
            match self.places[place] {
                EMPTY => return place,
                index if self.states[index as usize].state == *state => return place,
                _ => place = (place + 1) & mask,
            }
        }
    }

    /// Makes room for as many states more, or says that there is none.
    pub(super) fn reserve(&mut self, space: &S, more: usize) -> Result<(), Stop> {
        if self.states.len() + more >= EMPTY as usize {
            return Err(Stop::Memory);
        }
        self.states.try_reserve(more).map_err(|_| Stop::Memory)?;
        self.open.try_reserve(more).map_err(|_| Stop::Memory)?;
        if 2 * (self.states.len() + more) > self.places.len() {
            let mut places = Vec::new();
            let size = 2 * self.places.len().max(more);
            places.try_reserve_exact(size.next_power_of_two()).map_err(|_| Stop::Memory)?;
            places.resize(size.next_power_of_two(), EMPTY);
            self.places = places;
            for index in 0..self.states.len() {
                let place = self.place(space, &self.states[index].state);
                self.places[place] = index as u32;
            }
        }
        Ok(())
    }

    /// Stores a successor and puts it on OPEN, unless a path to it that costs no more is known. There
    /// must be [room](StoredGraph::reserve) for it.
    pub(super) fn insert(&mut self, space: &S, (parent, action, state, g): Successor<S>) {
        let f = g + space.heuristic(&state);
        let place = self.place(space, &state);
        let index = self.places[place];
        if index == EMPTY {
            self.places[place] = self.states.len() as u32;
            self.states.push(StoredState { state, g, parent, action: Some(action) });
            self.put_back(self.states.len() as u32 - 1, f);
            return;
        }
        let known = &mut self.states[index as usize];
        if g < known.g {
            (known.g, known.parent, known.action) = (g, parent, Some(action));
            self.put_back(index, f);
        }
    }

    /// Puts a stored state on OPEN with this f.
    pub(super) fn put_back(&mut self, index: u32, f: Cost) {
        self.open.push(OpenPlace { f: Reverse(f), g: self.states[index as usize].g, index });
    }

    /// The f of the best state on OPEN.
    pub(super) fn least_f(&mut self) -> Option<Cost> {
        while let Some(&OpenPlace { f: Reverse(f), g, index }) = self.open.peek() {
            if self.states[index as usize].g == g {
                return Some(f);
            }
            self.open.pop();
        }
        None
    }

    /// Takes the best state from OPEN.
    pub(super) fn select(&mut self) -> Option<Selected<S>> {
        self.least_f()?;
        let OpenPlace { f: Reverse(f), g, index } = self.open.pop()?;
        let StoredState { state, action, .. } = &self.states[index as usize];
        Some(Selected { index, f, g, state: state.clone(), action: *action })
    }

    /// The actions from the start to a stored state.
    pub(super) fn path(&self, mut index: u32) -> Vec<S::Action> {
        let mut path = Vec::new();
        while let StoredState { parent, action: Some(action), .. } = &self.states[index as usize] {
            path.push(*action);
            index = *parent;
        }
        path.reverse();
        path
    }
}

impl<S: StateSpace> SpaceSearch<'_, S> {
    /// The successors of a selected state.
    pub(super) fn successors(&mut self, selected: &Selected<S>, into: &mut Vec<Successor<S>>) {
        let Selected { index, g, state, action, .. } = selected;
        for action in self.space.actions(state, *action) {
            let (child, cost) = self.space.successor(state, action);
            into.push((*index, action, child, g + cost));
        }
        self.tally.children += into.len() as u64;
    }

    /// Notes what the graph holds now; an error if that is more than is allowed.
    pub(super) fn holds(&mut self, graph: &StoredGraph<S>) -> Result<(), Stop> {
        let (states, bytes) = (graph.len() as u64, graph.bytes());
        self.stores(states, 0);
        self.tally.holds(0, 0, bytes, || 0)
    }
}
