//! How wide a tree is where it was searched.

use plyground_core::value::Value;
use plyground_search::{Distinct, Event, Probe};

/// Counts the moves of the interior nodes that a depth-first search expands: the first child after
/// an expansion is the expanded node's, and says how many there are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Widths {
    /// A node was expanded, and none of its children was seen since.
    waits: bool,
    expanded: u64,
    told: u64,
    moves: u64,
}

impl Widths {
    /// The average number of moves, if every interior node has told its own.
    pub(super) fn mean(&self) -> Option<f64> {
        let complete = self.told > 0 && self.told == self.expanded;
        complete.then(|| self.moves as f64 / self.told as f64)
    }
}

impl Probe for Widths {
    type Mark = ();

    #[inline(always)]
    fn root(&mut self) {}

    #[inline(always)]
    fn below(&mut self, (): (), _: usize, width: usize) {
        if self.waits {
            self.waits = false;
            self.told += 1;
            self.moves += width as u64;
        }
    }

    #[inline(always)]
    fn interior(&mut self, (): ()) {
        self.waits = true;
        self.expanded += 1;
    }

    #[inline(always)]
    fn leaf(&mut self, (): (), _: Value) {}

    #[inline(always)]
    fn tell(&mut self, (): (), _: impl FnOnce() -> Event<()>) {}

    fn next_iteration(&mut self) {}

    fn blank(&self) -> Widths {
        Widths::default()
    }

    fn distinct(&self) -> Option<Distinct> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_core::tree::Explicit;
    use plyground_search::{Options, search};

    #[test]
    fn the_mean_is_of_the_interior_nodes() {
        // Four interior nodes: 3, 2, 3 and 1 moves.
        let tree: Explicit = "((1 2) (3 4 5) (6))".parse().unwrap();
        for id in ["minimax", "alpha-beta", "pvs"] {
            let (outcome, widths) =
                search(&tree, &id.parse().unwrap(), &Options::to_depth(2), Widths::default())
                    .unwrap();
            assert_eq!(outcome.value, Some(6));
            assert!(widths.mean().is_some(), "{id}");
            if id == "minimax" {
                assert_eq!(widths.mean(), Some(2.25));
            }
        }
        assert_eq!(Widths::default().mean(), None);
    }
}
