//! Phased search PS*(k) (Srimani and Marsland 1986 and 1987), and with it SSS* and DUAL*.
//!
//! SSS* (Stockman 1979) puts all children of a MAX node on OPEN; PS* puts one partition of them
//! there at a time and keeps a BACKUP list of MAX nodes with partitions left. With one partition
//! it *is* SSS*, with partitions of one child it visits what alpha-beta visits. DUAL* is SSS* with
//! the sides exchanged.
//!
//! OPEN holds states (n, LIVE or SOLVED, hi), highest merit hi first, ties leftmost (Campbell's
//! change; anything else visits other leaves). BACKUP holds (last, low, high, when it was pushed)
//! for each expanded, unsolved MAX node. The operator Γ, on the first state of OPEN:
//!
//! 1. LIVE MAX: push its first partition with hi. LIVE MIN: push n.1 with hi.
//! 2. LIVE leaf, s = min(V, hi). A MIN leaf is SOLVED with max(s, low(parent)). A MAX leaf with
//!    parent i and grandparent g: if s > low(g) it is SOLVED with s, else i is SOLVED with low(g).
//! 3. SOLVED MAX: if hi > low(P(i)) and a brother is left, push the brother LIVE with hi; else push
//!    (i, SOLVED, hi).
//! 4. SOLVED MIN with parent i: low(i) := max(low(i), hi).
//!    - low(i) ≥ high(i): purge below i, push (i, SOLVED, high(i)).
//!    - otherwise low(i) holds for all below i. Of those on BACKUP below i with partitions left and
//!      high > low, the one pushed last goes on with its next partition, and what was below it is
//!      purged. If there is none, i goes on with its own next partition or, if none is left, is
//!      SOLVED with low(i).
//!
//! Both printed operators are wrong in places; what differs here: the floor max(s, low(parent)) for
//! MIN leaves (without it values are too low at odd depths), low(g) for a pruned MIN node, *the last
//! pushed* in rule 4 and its purge, and the test high > low, which saves leaves.

use super::solution_tree::{Best, BlockId, SolutionTree, State, TOP};
use crate::limits::Stop;
use crate::search::{
    Brothers, Event, OpenState, Partitions, Place, Probe, Search, Setting, Status,
};
use crate::tree::MoveList;
use crate::value::{Bounds, INFINITY, Value};

/// Whose nodes are the operator's MAX nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// The root's mover: SSS*, PS*.
    Max,
    /// The opponent: DUAL*.
    Min,
}

/// The value of the root for its mover.
pub(super) fn phased<S: Setting>(
    search: &mut Search<'_, S>,
    root: &Place<S>,
    side: Side,
    partitions: &Partitions,
) -> Result<Value, Stop> {
    let Some(brothers) = search.expand(root)? else { return search.leaf(root) };
    search.holds(1, 0, 0)?;
    let again = |root: &Place<S>| Place { node: root.node.clone(), ..*root };
    let mut phased = match side {
        Side::Max => {
            // Above the root stands a MIN node with the root as its only child.
            let mut phased = Phased::new(search, SolutionTree::new(None), side, partitions);
            phased.expand_max(TOP, 0, (again(root), brothers), INFINITY)?;
            phased
        }
        Side::Min => {
            let first = search.child(root, &brothers, 0);
            let tree = SolutionTree::new(Some((again(root), brothers)));
            let mut phased = Phased::new(search, tree, side, partitions);
            phased.taken_live(root, INFINITY, "push its first child");
            phased.live_max(TOP, 0, first, INFINITY)?;
            phased
        }
    };
    let result = phased.run();
    if result.is_err() {
        phased.tell_what_is_known();
    }
    result
}

struct Phased<'s, 't, S: Setting> {
    search: &'s mut Search<'t, S>,
    tree: SolutionTree<S>,
    side: Side,
    partitions: &'s Partitions,
    /// What the root's mover can be sure of.
    sure: Value,
    /// The blocks from the top down to the one in hand, each with its effective low.
    path: Vec<(BlockId, Value)>,
}

impl<'s, 't, S: Setting> Phased<'s, 't, S> {
    fn new(
        search: &'s mut Search<'t, S>,
        tree: SolutionTree<S>,
        side: Side,
        partitions: &'s Partitions,
    ) -> Self {
        Phased { search, tree, side, partitions, sure: -INFINITY, path: vec![(TOP, -INFINITY)] }
    }

    fn run(&mut self) -> Result<Value, Stop> {
        // The merit of the state in hand.
        let mut hi = self.tree.block(TOP).best_merit();
        loop {
            let (block, _) = self.in_hand();
            match self.tree.block(block).best() {
                Best::Fresh => self.live_min(block)?,
                Best::Slot(slot) => match self.tree.block(block).slot(slot).state {
                    State::Expanded(below) => {
                        self.descend(below);
                        continue;
                    }
                    State::SolvedMax => self.solved_max(block, slot)?,
                    State::SolvedMin if block == TOP => {
                        return Ok(self.for_mover(self.tree.block(TOP).merit(slot)));
                    }
                    State::SolvedMin => self.solved_min(block, slot)?,
                    State::Gone | State::LiveMin | State::LiveMax => {
                        unreachable!("PS* sets nothing aside, and what left OPEN is never the best")
                    }
                },
            }
            hi = self.climb(hi);
            self.tell_open();
        }
    }

    /// The block in hand and its effective low.
    #[inline]
    fn in_hand(&self) -> (BlockId, Value) {
        self.path[self.path.len() - 1]
    }

    #[inline]
    fn descend(&mut self, below: BlockId) {
        let low = self.in_hand().1.max(self.tree.block(below).low);
        self.path.push((below, low));
    }

    /// Goes up to the lowest block whose best state is the best of all. While that still has the
    /// merit `hi` of the state last taken, it is: all to the left have less, none has more.
    #[inline]
    fn climb(&mut self, hi: Value) -> Value {
        loop {
            let (block, _) = self.in_hand();
            let merit = self.tree.block(block).best_merit();
            if merit == hi || block == TOP {
                return merit;
            }
            self.tree.report_up(block);
            self.path.pop();
        }
    }

    /// Rule 1 for the next LIVE MIN node of a block, and rule 2 if it is a leaf.
    #[inline]
    fn live_min(&mut self, block: BlockId) -> Result<(), Stop> {
        let low = self.in_hand().1;
        let b = self.tree.block(block);
        let hi = b.high;
        let (max, brothers) = b.max.as_ref().expect("the top block has no fresh slot");
        let n = self.search.child(max, brothers, b.fresh_child());
        match self.search.expand(&n)? {
            None => {
                self.taken_live(&n, hi, "evaluate");
                let v = -self.search.leaf(&n)?;
                let slot = self.tree.open_slot(block, None);
                self.solve_min(block, slot, v.min(hi).max(low));
            }
            Some(children) => {
                self.taken_live(&n, hi, "push its first child");
                let first = self.search.child(&n, &children, 0);
                let slot = self.tree.open_slot(block, Some((n, children)));
                self.live_max(block, slot, first, hi)?;
            }
        }
        Ok(())
    }

    /// Rule 1 for the LIVE MAX node `n`, the current brother at a slot, and rule 2 if it is a leaf.
    #[inline]
    fn live_max(
        &mut self,
        block: BlockId,
        slot: usize,
        n: Place<S>,
        hi: Value,
    ) -> Result<(), Stop> {
        if let Some(brothers) = self.search.expand(&n)? {
            return self.expand_max(block, slot, (n, brothers), hi);
        }
        self.taken_live(&n, hi, "evaluate");
        let low = self.in_hand().1;
        let s = self.search.leaf(&n)?.min(hi);
        if s > low {
            let block = self.tree.block_mut(block);
            block.slot_mut(slot).state = State::SolvedMax;
            block.set_merit(slot, s);
        } else {
            self.solve_min(block, slot, low);
        }
        Ok(())
    }

    #[inline]
    fn expand_max(
        &mut self,
        block: BlockId,
        slot: usize,
        max: (Place<S>, Brothers<S>),
        hi: Value,
    ) -> Result<(), Stop> {
        self.taken_live(&max.0, hi, "push its partition");
        let size = self.partitions.size(max.1.len(), 0);
        let below = self.tree.push(block, slot, max, hi, size);
        self.descend(below);
        self.count()
    }

    /// The MIN node at a slot is SOLVED with `merit`.
    #[inline]
    fn solve_min(&mut self, block: BlockId, slot: usize, merit: Value) {
        let block = self.tree.block_mut(block);
        block.slot_mut(slot).state = State::SolvedMin;
        block.set_merit(slot, merit);
    }

    /// Rule 3.
    #[inline]
    fn solved_max(&mut self, block: BlockId, slot: usize) -> Result<(), Stop> {
        let low = self.in_hand().1;
        let s = self.tree.block_mut(block).slot_mut(slot);
        let hi = s.merit();
        s.brother += 1;
        let brother = s.brother as usize;
        let next = match &s.min {
            Some((min, brothers)) if hi > low && brother < brothers.len() => {
                Some(self.search.child(min, brothers, brother))
            }
            _ => None,
        };
        if block == TOP {
            self.root_had_brother(brother - 1, hi);
        }
        let action = if next.is_some() { "push its brother" } else { "its parent is SOLVED" };
        self.taken_solved(block, slot, brother - 1, hi, action);
        match next {
            Some(n) => self.live_max(block, slot, n, hi),
            None => {
                self.solve_min(block, slot, hi);
                Ok(())
            }
        }
    }

    /// Rule 4.
    fn solved_min(&mut self, block: BlockId, slot: usize) -> Result<(), Stop> {
        let hi = self.tree.block(block).merit(slot);
        let top = self.path.len() - 1;
        let low = self.path[top].1.max(hi);
        self.taken_solved_min(block, slot, hi);
        if self.path.len() == 2 && self.side == Side::Max && hi > self.path[top].1 {
            self.root_is_worth(block, slot, hi);
        }
        self.tree.remove(block, slot);
        let b = self.tree.block_mut(block);
        b.low = low;
        let high = b.high;
        self.path[top].1 = low;
        if low >= high {
            self.tree.solve(block, high);
            self.path.pop();
        } else if let Some(x) = self.tree.last_resumable_below(block, low) {
            self.resume(x)?;
            self.report_up_to_top(x);
        } else if self.tree.block(block).has_partition_left() {
            self.resume(block)?;
            // The partition's merit may be higher than anything on OPEN.
            self.report_up_to_top(block);
        } else {
            self.tree.solve(block, low);
            self.path.pop();
        }
        Ok(())
    }

    fn resume(&mut self, x: BlockId) -> Result<(), Stop> {
        let b = self.tree.block(x);
        let (max, brothers) = b.max.as_ref().expect("the top block is never resumed");
        let size = self.partitions.size(brothers.len(), b.next_partition());
        let (mark, merit) = (max.mark, self.for_mover(b.high));
        self.search.tell(mark, || Event::Resumed { merit });
        self.tree.resume(x, size);
        self.count()
    }

    /// After a merit far below may have gone up: everything above is told, and the search starts
    /// from the top again.
    fn report_up_to_top(&mut self, mut block: BlockId) {
        while block != TOP {
            block = self.tree.report_up(block);
        }
        self.path.truncate(1);
    }

    #[inline]
    fn count(&mut self) -> Result<(), Stop> {
        self.search.holds(self.tree.open, self.tree.backup, self.tree.bytes())
    }

    /// A value of the operator's MAX player, for the root's mover.
    fn for_mover(&self, value: Value) -> Value {
        match self.side {
            Side::Max => value,
            Side::Min => -value,
        }
    }

    /// A child of the root, on a slot of its block, is SOLVED with `hi`: more than all before it.
    fn root_is_worth(&mut self, block: BlockId, slot: usize, hi: Value) {
        let b = self.tree.block(block);
        if let Some((_, brothers)) = &b.max {
            self.search.best = Some(brothers.moves.get(b.child_of(slot)));
            self.sure = hi;
        }
    }

    /// DUAL*: child `index` of the root is SOLVED with `hi`, the least so far.
    fn root_had_brother(&mut self, index: usize, hi: Value) {
        let slot = self.tree.block(TOP).slot(0);
        if let Some((_, brothers)) = &slot.min
            && -hi > self.sure
        {
            self.search.best = Some(brothers.moves.get(index));
            self.sure = -hi;
        }
    }

    /// The search stops: what do the lists tell of the root?
    fn tell_what_is_known(&mut self) {
        let upper = match (self.side, self.tree.block(TOP).slot(0).state) {
            (Side::Max, State::Expanded(root)) => self.tree.upper_bound(root, -INFINITY),
            _ => INFINITY,
        };
        self.search.learnt(Bounds { lower: self.sure, upper });
    }

    #[inline]
    fn taken_live(&mut self, n: &Place<S>, merit: Value, action: &'static str) {
        let merit = self.for_mover(merit);
        self.search.tell(n.mark, || Event::Taken {
            state: OpenState {
                mark: n.mark,
                child: None,
                status: Status::Live,
                merit,
                active: true,
            },
            action,
        });
    }

    /// The SOLVED MAX node at a slot, which is child number `brother`, is taken.
    #[inline]
    fn taken_solved(
        &mut self,
        block: BlockId,
        slot: usize,
        brother: usize,
        merit: Value,
        action: &'static str,
    ) {
        let merit = self.for_mover(merit);
        let root = self.search.probe.root();
        let (mark, child) = match &self.tree.block(block).slot(slot).min {
            Some((min, _)) => (min.mark, Some(brother)),
            None => (root, None),
        };
        self.search.tell(mark, || Event::Taken {
            state: OpenState { mark, child, status: Status::Solved, merit, active: true },
            action,
        });
    }

    /// The SOLVED MIN node at a slot is taken.
    #[inline]
    fn taken_solved_min(&mut self, block: BlockId, slot: usize, merit: Value) {
        let merit = self.for_mover(merit);
        let b = self.tree.block(block);
        let Some((max, _)) = &b.max else { return };
        let (mark, child) = (max.mark, Some(b.child_of(slot)));
        self.search.tell(mark, || Event::Taken {
            state: OpenState { mark, child, status: Status::Solved, merit, active: true },
            action: "raise low of its parent",
        });
    }

    #[inline]
    fn tell_open(&mut self) {
        let (tree, side, root) = (&self.tree, self.side, self.search.probe.root());
        self.search.tell(root, || {
            let mut open = tree.listed(root);
            if let (Side::Min, Event::Open { states }) = (side, &mut open) {
                states.iter_mut().for_each(|state| state.merit = -state.merit);
            }
            open
        });
    }
}
