//! RecSSS* (Bhattacharya and Bagchi 1993): SSS* as a recursion over the solution tree, without OPEN.
//!
//! SSS* takes the state with the highest merit, wherever it stands in the tree. A recursion does the same
//! if every call knows its *floor*: the search stays below a node while the node's merit is above the
//! floor, and comes back when another subtree is to be searched before it. Ties go to the leftmost, so a
//! sibling to the left with merit m sets the floor to m, one to the right to m - 1. Merits are kept in the
//! nodes of the solution tree, and nothing is sorted.
//!
//! The paper gives a recursive procedure over a tree of arrays, and a variant with variable memory. Our
//! version is a reconstruction of the first from that idea. It visits SSS*'s leaves in SSS*'s order.

use crate::prelude::*;

/// RecSSS*: SSS* as a recursion, without OPEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecSss;

impl SearchAlgorithm for RecSss {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "recsss",
        usage: "recsss",
        name: "RecSSS*",
        about: "SSS* as a recursion over the solution tree, without OPEN",
        paper: "Bhattacharya and Bagchi 1993",
        examples: &["recsss"],
        revisits: false,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<RecSss, String> {
        Ok(RecSss)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        let mut recursion = Recursion { search, nodes: 0, bytes: 0 };
        let mut tree = Solution::LIVE;
        recursion.max(&mut tree, root, -INFINITY - 1)?;
        Ok(Some(tree.merit))
    }
}

/// A node of the solution tree and what is below it.
struct Solution<T: GameTree, M: Mode> {
    /// An upper bound on the node's value; the value itself once it is SOLVED.
    merit: Value,
    below: Below<T, M>,
}

enum Below<T: GameTree, M: Mode> {
    /// The node is LIVE: nothing is known but the merit.
    Live,
    Solved,
    /// An expanded MAX node: all its children.
    Max(Box<ExpandedMax<T, M>>),
    /// An expanded MIN node: its current child.
    Min(Box<ExpandedMin<T, M>>),
}

struct ExpandedMax<T: GameTree, M: Mode> {
    moves: Children<T, M>,
    children: Box<[Solution<T, M>]>,
}

struct ExpandedMin<T: GameTree, M: Mode> {
    moves: Children<T, M>,
    /// The number of the current child, and of the child that lowered the merit last.
    child: usize,
    answer: usize,
    current: Solution<T, M>,
}

impl<T: GameTree, M: Mode> Solution<T, M> {
    const LIVE: Self = Solution { merit: INFINITY, below: Below::Live };

    /// A LIVE node with this merit.
    fn live(merit: Value) -> Self {
        Solution { merit, below: Below::Live }
    }

    fn is_solved(&self) -> bool {
        matches!(self.below, Below::Solved)
    }
}

struct Recursion<'s, 't, T: GameTree, M: Mode> {
    search: &'s mut Search<'t, T, M>,
    /// The nodes of the solution tree that are expanded or have an expanded parent, and their bytes.
    nodes: u64,
    bytes: usize,
}

impl<T: GameTree, M: Mode> Recursion<'_, '_, T, M> {
    /// Lowers the merit of the MAX node `n`, whose tree is `t`, to the floor, or solves it above.
    fn max(
        &mut self,
        t: &mut Solution<T, M>,
        n: &SearchNode<T, M>,
        floor: Value,
    ) -> Result<(), Stop> {
        if matches!(t.below, Below::Live) {
            let Some(moves) = self.search.expand(n)? else {
                let value = self.search.leaf_once(n)?;
                *t = Solution { merit: t.merit.min(value), below: Below::Solved };
                return Ok(());
            };
            let children: Box<[_]> = (0..moves.len()).map(|_| Solution::live(t.merit)).collect();
            self.hold(children.len() as u64, Self::max_bytes(children.len()))?;
            t.below = Below::Max(Box::new(ExpandedMax { moves, children }));
        }
        while t.merit > floor
            && let Below::Max(max) = &mut t.below
        {
            let ExpandedMax { moves, children } = &mut **max;
            let best = leftmost_best(children);
            if children[best].is_solved() {
                let merit = children[best].merit;
                self.search.decide(n, moves, best);
                if n.ply == 0 {
                    self.search.best = Some(moves.mv(best));
                    self.search.narrow_root(Bounds { lower: merit, ..Bounds::UNKNOWN });
                }
                self.drop_below(&t.below);
                *t = Solution { merit, below: Below::Solved };
                return Ok(());
            }
            // The others set the floor: those to the left come first at the same merit.
            let merit = |solution: &Solution<T, M>| solution.merit;
            let left = children[..best].iter().map(merit).max().unwrap_or(floor);
            let right = children[best + 1..].iter().map(merit).max().unwrap_or(floor);
            let child = self.search.child(n, moves, best);
            self.min(&mut children[best], &child, floor.max(left).max(right.saturating_sub(1)))?;
            t.merit = children.iter().map(merit).max().unwrap_or(t.merit);
            if n.ply == 0 {
                self.search.narrow_root(Bounds { upper: t.merit, ..Bounds::UNKNOWN });
            }
        }
        Ok(())
    }

    /// The same for a MIN node.
    fn min(
        &mut self,
        t: &mut Solution<T, M>,
        n: &SearchNode<T, M>,
        floor: Value,
    ) -> Result<(), Stop> {
        if matches!(t.below, Below::Live) {
            let Some(moves) = self.search.expand(n)? else {
                let value = -self.search.leaf_once(n)?;
                *t = Solution { merit: t.merit.min(value), below: Below::Solved };
                return Ok(());
            };
            self.hold(1, size_of::<ExpandedMin<T, M>>())?;
            let current = Solution::live(t.merit);
            t.below = Below::Min(Box::new(ExpandedMin { moves, child: 0, answer: 0, current }));
        }
        while t.merit > floor
            && let Below::Min(min) = &mut t.below
        {
            let ExpandedMin { moves, child, answer, current } = &mut **min;
            if current.is_solved() {
                if *child + 1 == moves.len() {
                    self.search.decide(n, moves, *answer);
                    self.drop_below(&t.below);
                    t.below = Below::Solved;
                    return Ok(());
                }
                *child += 1;
                *current = Solution::live(t.merit);
            }
            let c = self.search.child(n, moves, *child);
            self.max(current, &c, floor)?;
            if current.merit < t.merit {
                (t.merit, *answer) = (current.merit, *child);
            }
        }
        Ok(())
    }

    /// The bytes of an expanded MAX node with this many children.
    fn max_bytes(children: usize) -> usize {
        size_of::<ExpandedMax<T, M>>() + children * size_of::<Solution<T, M>>()
    }

    /// Counts nodes that are kept from now on.
    fn hold(&mut self, nodes: u64, bytes: usize) -> Result<(), Stop> {
        self.nodes += nodes;
        self.bytes += bytes;
        let peak = &mut self.search.tally.peak_stored;
        *peak = (*peak).max(self.nodes);
        self.search.holds(0, 0, self.bytes)
    }

    /// Counts what is below a node as dropped.
    fn drop_below(&mut self, below: &Below<T, M>) {
        match below {
            Below::Live | Below::Solved => {}
            Below::Max(max) => {
                self.nodes -= max.children.len() as u64;
                self.bytes -= Self::max_bytes(max.children.len());
                max.children.iter().for_each(|child| self.drop_below(&child.below));
            }
            Below::Min(min) => {
                self.nodes -= 1;
                self.bytes -= size_of::<ExpandedMin<T, M>>();
                self.drop_below(&min.current.below);
            }
        }
    }
}

/// The number of the child with the highest merit, ties leftmost.
fn leftmost_best<T: GameTree, M: Mode>(children: &[Solution<T, M>]) -> usize {
    let mut best = 0;
    for (number, child) in children.iter().enumerate() {
        if child.merit > children[best].merit {
            best = number;
        }
    }
    best
}
