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
//! For the order of moves elsewhere, a MAX node is decided by the SOLVED MIN node that solves it, and
//! then every MIN node below it by the brother that lowered its merit last.
//!
//! Both printed operators are wrong in places; what differs here: the floor max(s, low(parent)) for
//! MIN leaves (without it values are too low at odd depths), low(g) for a pruned MIN node, *the last
//! pushed* in rule 4 and its purge, and the test high > low, which saves leaves.

use super::contest::State;
use super::solution_tree::{BlockId, Min, SolutionTree, TOP};
use super::teller::{Side, Teller};
use crate::{Children, Event, Partitions, Place, Probe, Search, Setting};
use plyground_core::limits::Stop;
use plyground_core::value::{Bounds, INFINITY, Value};

/// The value of the root for its mover.
pub(super) fn phased<S: Setting>(
    search: &mut Search<'_, S>,
    root: &Place<S>,
    side: Side,
    partitions: &Partitions,
) -> Result<Value, Stop> {
    let Some(brothers) = search.expand(root)? else { return search.leaf_once(root) };
    search.holds(1, 0, 0)?;
    let again = |root: &Place<S>| root.again();
    let mut phased = match side {
        Side::Max => {
            // Above the root stands a MIN node with the root as its only child.
            let mut phased = Phased::new(search, SolutionTree::new(None), side, partitions);
            phased.expand_max(TOP, 0, (again(root), brothers), INFINITY)?;
            phased
        }
        Side::Min => {
            let first = search.child(root, &brothers, 0);
            let min = Min::new(again(root), brothers);
            let mut phased = Phased::new(search, SolutionTree::new(Some(min)), side, partitions);
            phased.teller().live(phased.search, root, INFINITY, "push its first child");
            if let Some(sons) = phased.search.expand(&first)? {
                phased.expand_max(TOP, 0, (first, sons), INFINITY)?;
            } else {
                phased.teller().live(phased.search, &first, INFINITY, "evaluate");
                let s = phased.search.leaf_once(&first)?;
                phased.tree.block_mut(TOP).set(0, State::SolvedMax, s);
            }
            phased
        }
    };
    let result = phased.run();
    if result.is_err() {
        phased.tell_what_is_known();
    }
    result
}

/// Rule 2 for a MAX leaf worth `s`: it is SOLVED, or its parent is if that is no more than `low`.
#[inline]
fn solved_leaf(s: Value, low: Value) -> (State, Value) {
    if s > low { (State::SolvedMax, s) } else { (State::SolvedMin, low) }
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
        let mut hi = INFINITY;
        loop {
            let (block, low) = self.in_hand();
            let b = self.tree.block_mut(block);
            let (best, merit) = b.best();
            if merit != hi {
                // While the best state here has the merit of the one taken last, it is the best of
                // all: all to the left have less, none has more. Else look higher up.
                if block != TOP {
                    self.tree.report_up(block, merit);
                    self.path.pop();
                    continue;
                }
                hi = merit;
            }
            match best.map(|slot| (slot, b.state(slot))) {
                Some((_, State::Expanded(below))) => self.descend(below),
                Some((_, State::SolvedMin)) if block == TOP => {
                    let value = self.side.for_mover(merit);
                    self.teller().solved_root(self.search, merit);
                    return Ok(value);
                }
                Some((slot, State::SolvedMin)) => self.solved_min(block, slot)?,
                Some((slot, State::SolvedMax)) => self.solved_max(block, slot, low)?,
                None => self.live_mins(block, low)?,
                Some((_, _)) => {
                    unreachable!("PS* sets nothing aside, and what left OPEN is never the best")
                }
            }
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

    /// Rule 1 for the LIVE MIN nodes of a block and their first children, one after the other, and
    /// rule 2 for those that are leaves. They have the highest merit, so it goes on until a MAX node
    /// is expanded, a leaf keeps that merit, or none is left.
    #[inline]
    fn live_mins(&mut self, block: BlockId, low: Value) -> Result<(), Stop> {
        self.tell_open();
        let teller = self.teller();
        let search = &mut *self.search;
        let b = self.tree.block_mut(block);
        let hi = b.high;
        while let Some(child) = b.fresh_child() {
            let (max, brothers) = b.max.as_ref().expect("the top block has no fresh slot");
            let n = search.child(max, brothers, child);
            let merit = if let Some(brothers) = search.expand(&n)? {
                teller.live(search, &n, hi, "push its first child");
                let first = search.child(&n, &brothers, 0);
                let min = Min::new(n, brothers);
                if let Some(sons) = search.expand(&first)? {
                    let slot = b.open_slot(State::SolvedMax, hi, min);
                    return self.expand_max(block, slot, (first, sons), hi);
                }
                teller.live(search, &first, hi, "evaluate");
                let (state, merit) = solved_leaf(search.leaf_once(&first)?.min(hi), low);
                b.open_slot(state, merit, min);
                merit
            } else {
                teller.live(search, &n, hi, "evaluate");
                let merit = (-search.leaf_once(&n)?).min(hi).max(low);
                b.open_leaf(merit);
                merit
            };
            if merit == hi || S::Probe::LISTENS {
                break;
            }
        }
        Ok(())
    }

    #[inline]
    fn expand_max(
        &mut self,
        block: BlockId,
        slot: usize,
        max: (Place<S>, Children<S>),
        hi: Value,
    ) -> Result<(), Stop> {
        self.teller().live(self.search, &max.0, hi, "push its partition");
        let size = self.partitions.size(max.1.len(), 0);
        let below = self.tree.push(block, slot, max, hi, size);
        self.descend(below);
        self.count()
    }

    /// Rule 3, and again for the next brother while it is a leaf that keeps the merit: the state is
    /// then still the first of OPEN.
    #[inline]
    fn solved_max(&mut self, block: BlockId, slot: usize, low: Value) -> Result<(), Stop> {
        self.tell_open();
        let teller = self.teller();
        let search = &mut *self.search;
        let b = self.tree.block_mut(block);
        let hi = b.merit(slot);
        let Some(min) = b.min_mut(slot) else {
            // The root of SSS* or PS*: the MIN node that stands above it is SOLVED too.
            b.set(slot, State::SolvedMin, hi);
            return Ok(());
        };
        let s = loop {
            if block == TOP && -hi > self.sure {
                // DUAL*: this child of the root has the least merit so far.
                self.sure = -hi;
                search.best = Some(min.brothers.mv(min.brother));
            }
            let goes_on = hi > low && min.brother + 1 < min.brothers.len();
            teller.solved_max(search, min, hi, goes_on);
            if !goes_on {
                b.set(slot, State::SolvedMin, hi);
                return Ok(());
            }
            min.brother += 1;
            let n = search.child(&min.n, &min.brothers, min.brother);
            if let Some(brothers) = search.expand(&n)? {
                return self.expand_max(block, slot, (n, brothers), hi);
            }
            teller.live(search, &n, hi, "evaluate");
            let s = search.leaf_once(&n)?;
            if s < hi {
                min.answer = min.brother;
            }
            if s < hi || S::Probe::LISTENS {
                break s.min(hi);
            }
        };
        let (state, merit) = solved_leaf(s, low);
        b.set(slot, state, merit);
        Ok(())
    }

    /// Rule 4.
    fn solved_min(&mut self, block: BlockId, slot: usize) -> Result<(), Stop> {
        self.tell_open();
        let hi = self.tree.block(block).merit(slot);
        let top = self.path.len() - 1;
        let low = self.path[top].1.max(hi);
        let b = self.tree.block(block);
        if let Some((max, _)) = &b.max {
            self.teller().solved_min(
                self.search,
                max,
                b.child_of(slot),
                hi,
                "raise low of its parent",
            );
        }
        if self.path.len() == 2 && self.side == Side::Max && hi > self.path[top].1 {
            self.root_is_worth(block, slot, hi);
        }
        self.tree.remove(block, slot);
        let b = self.tree.block_mut(block);
        b.low = low;
        let high = b.high;
        self.path[top].1 = low;
        if low >= high {
            let b = self.tree.block(block);
            if let Some((max, brothers)) = &b.max {
                self.search.decide(max, brothers, b.child_of(slot));
            }
            self.tree.learn(block, self.search);
            self.tree.solve(block, high);
            self.path.pop();
        } else if let Some(x) = self.tree.last_resumable_below(block, low) {
            self.resume(x)?;
        } else if self.tree.block(block).has_partition_left() {
            self.resume(block)?;
        } else {
            self.tree.learn(block, self.search);
            self.tree.solve(block, low);
            self.path.pop();
        }
        Ok(())
    }

    fn resume(&mut self, x: BlockId) -> Result<(), Stop> {
        let b = self.tree.block(x);
        let (max, brothers) = b.max.as_ref().expect("the top block is never resumed");
        let size = self.partitions.size(brothers.len(), b.next_partition());
        let (mark, merit) = (max.mark, self.side.for_mover(b.high));
        self.search.tell(mark, || Event::Resumed { merit });
        self.tree.learn(x, self.search);
        self.tree.resume(x, size);
        // The new states may have more merit than any other: start from the top again.
        self.tree.report_up_to_top(x);
        self.path.truncate(1);
        self.count()
    }

    #[inline]
    fn count(&mut self) -> Result<(), Stop> {
        self.search.holds(self.tree.open, self.tree.backup, self.tree.bytes())
    }

    fn teller(&self) -> Teller {
        Teller::of(self.side)
    }

    /// A child of the root, on a slot of its block, is SOLVED with `hi`: more than all before it.
    fn root_is_worth(&mut self, block: BlockId, slot: usize, hi: Value) {
        let b = self.tree.block(block);
        if let Some((_, brothers)) = &b.max {
            self.search.best = Some(brothers.mv(b.child_of(slot)));
            self.sure = hi;
        }
    }

    /// The search stops: what do the lists tell of the root?
    fn tell_what_is_known(&mut self) {
        let upper = match (self.side, self.tree.block(TOP).state(0)) {
            (Side::Max, State::Expanded(root)) => self.tree.upper_bound(root, -INFINITY),
            _ => INFINITY,
        };
        self.search.learnt(Bounds { lower: self.sure, upper });
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
