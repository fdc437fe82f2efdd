//! RBFS, recursive best-first search (Korf 1993).
//!
//! It expands states in best-first order in memory that is linear in the depth. On the path it keeps
//! the siblings of every state, each with the best value that is known of what is below it. It follows
//! the best sibling as long as that is no worse than the best alternative anywhere above; then it
//! forgets the subtree, keeps the least value on its frontier, and follows the alternative. When a
//! forgotten subtree becomes best again it is searched again: a child inherits its parent's stored value
//! if that is greater than what the child's own f says.
//!
//! Korf writes a recursion. Here each level of it is an entry of a list, so that a long path cannot
//! overflow the stack.

use plyground_core::space::Cost;

use super::{SpaceAlgorithm, SpaceSearch};
use crate::single_agent::prelude::*;

/// Recursive best-first search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rbfs;

/// A sibling: a state that was generated, and what is known of what is below it.
struct Sibling<S: StateSpace> {
    state: S::State,
    action: Option<S::Action>,
    g: Cost,
    /// f(n) = g(n) + h(n).
    f: Cost,
    /// F(n), the stored value: no solution below costs less.
    stored: Cost,
}

/// The children of one state on the path.
struct Level<S: StateSpace> {
    siblings: Vec<Sibling<S>>,
    /// The one that the path goes through.
    current: usize,
    /// The value of the best alternative above: what is worse is left.
    bound: Cost,
}

impl<S: StateSpace> Level<S> {
    /// The best sibling and the value of the second best.
    fn best_two(&self) -> Option<(usize, Cost)> {
        let (best, _) = self.siblings.iter().enumerate().min_by_key(|(_, s)| s.stored)?;
        let others = self.siblings.iter().enumerate().filter(|(number, _)| *number != best);
        Some((best, others.map(|(_, s)| s.stored).min().unwrap_or(Cost::MAX)))
    }
}

impl SpaceAlgorithm for Rbfs {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "rbfs",
        usage: "rbfs",
        name: "RBFS",
        about: "best-first in linear memory: forgets subtrees and remembers their best values",
        paper: "Korf 1993",
        examples: &["rbfs"],
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<Rbfs, String> {
        Ok(Rbfs)
    }

    fn run<S: StateSpace>(&self, search: &mut SpaceSearch<'_, S>) -> Result<(), Stop> {
        let space = search.space;
        let start = space.start();
        let f = space.heuristic(&start);
        let siblings = vec![Sibling { state: start, action: None, g: 0, f, stored: f }];
        let mut levels = vec![Level { siblings, current: 0, bound: UNREACHABLE }];
        // Lists of forgotten levels are used again.
        let mut spare: Vec<Vec<Sibling<S>>> = Vec::new();
        let mut stored = 1;
        while let Some(level) = levels.last_mut() {
            let (best, value, second) = match level.best_two() {
                Some((best, second)) => (best, level.siblings[best].stored, second),
                None => (0, Cost::MAX, Cost::MAX),
            };
            if value > level.bound {
                // The subtree is forgotten; its parent keeps the value.
                stored -= level.siblings.len() as u64;
                spare.extend(levels.pop().map(|level| level.siblings));
                if let Some(above) = levels.last_mut() {
                    above.siblings[above.current].stored = value;
                }
                if levels.len() == 1 {
                    search.raise_lower_bound(value.min(UNREACHABLE));
                }
                continue;
            }
            level.current = best;
            let bound = level.bound.min(second);
            let parent = &level.siblings[best];
            if space.is_goal(&parent.state) {
                let cost = parent.g;
                let path = levels.iter().filter_map(|level| level.siblings[level.current].action);
                search.found(cost, path.collect());
                return Ok(());
            }
            search.count_expansion(stored as usize * size_of::<Sibling<S>>())?;
            let mut siblings = spare.pop().unwrap_or_default();
            siblings.clear();
            for action in space.actions(&parent.state, parent.action) {
                let (state, cost) = space.successor(&parent.state, action);
                let g = parent.g + cost;
                let f = g + space.heuristic(&state);
                // A stored value above f was learnt below in an earlier visit.
                let stored = if parent.stored > parent.f { f.max(parent.stored) } else { f };
                siblings.push(Sibling { state, action: Some(action), g, f, stored });
            }
            search.tally.children += siblings.len() as u64;
            stored += siblings.len() as u64;
            search.stores(stored, stored as usize * size_of::<Sibling<S>>());
            levels.push(Level { siblings, current: 0, bound });
        }
        Ok(())
    }
}
