//! The operator Γ of SSS*, DUAL*, PS*(k) and ITERSSS*(M), once.
//!
//! SSS* (Stockman 1979) puts all children of a MAX node on OPEN; PS* (Srimani and Marsland 1986 and
//! 1987) puts one partition of them there at a time and keeps a BACKUP list of MAX nodes with
//! partitions left. With one partition it *is* SSS*, with partitions of one child it visits what
//! alpha-beta visits. DUAL* is SSS* with the sides exchanged. ITERSSS* (Bhattacharya and Bagchi
//! 1986) is SSS* in M entries of memory.
//!
//! OPEN holds states (n, LIVE or SOLVED, hi), highest merit hi first, ties leftmost (Campbell's
//! change; anything else visits other leaves). BACKUP holds (last, low, high, when it was pushed)
//! for each expanded, unsolved MAX node. The operator, on the first state of OPEN:
//!
//! 1. LIVE MAX: push its first partition with hi. LIVE MIN: push n.1 with hi.
//! 2. LIVE leaf, s = min(V, hi). A MIN leaf is SOLVED with max(s, low(parent)). A MAX leaf with
//!    parent i and grandparent g: if s > low(g) it is SOLVED with s, else i is SOLVED with low(g).
//! 3. SOLVED MAX: if hi > low(P(i)) and a sibling is left, push the sibling LIVE with hi; else push
//!    (i, SOLVED, hi).
//! 4. SOLVED MIN with parent i: low(i) := max(low(i), hi).
//!    - low(i) ≥ high(i): purge below i, push (i, SOLVED, high(i)).
//!    - otherwise low(i) holds for all below i. Of those on BACKUP below i with partitions left and
//!      high > low, the one pushed last goes on with its next partition, and what was below it is
//!      purged. If there is none, i goes on with its own next partition or, if none is left, is
//!      SOLVED with low(i).
//!
//! With M entries of memory, a node whose children do not fit becomes INACTIVE, and OPEN's first
//! state is the best ACTIVE one. When a MIN node with parent i is SOLVED, all states below i with
//! no more merit are dropped; if INACTIVE ones with more merit remain, the deepest becomes ACTIVE
//! again and the MIN node stays on OPEN.
//!
//! For the order of moves elsewhere, a MAX node is decided by the SOLVED MIN node that solves it,
//! and then every MIN node below it by the child that lowered its merit last.
//!
//! Both printed operators of PS* are wrong in places. What differs here: the floor max(s,
//! low(parent)) for MIN leaves (without it values are too low at odd depths), low(g) for a pruned
//! MIN node, *the last pushed* in rule 4 and its purge, and the test high > low, which saves
//! leaves.
//!
//! As printed, ITERSSS* locks up on some trees of varying shape. What differs here: a LIVE MAX node
//! is tested like the MIN node before it and may become INACTIVE too; a node that is ACTIVE again,
//! and the first child it leads to, expands without the test; where no state is ACTIVE, the deepest
//! INACTIVE one (ties leftmost) becomes ACTIVE. M may then be exceeded by a few entries. This is
//! done only where M is enough by the paper's formula, M ≥ ⌈d/2⌉(b - 1) + 1; with less memory the
//! search ends with a [`MemoryLock`].

use super::capacity::Capacity;
use super::frames::{FrameId, TOP};
use super::open_trace::{OpenTrace, Side};
use super::solution_tree::{MaxNode, MinNode, SolutionTree};
use super::winner_tree::{NOTHING, SlotState};
use crate::catalogue::Partitions;
use crate::outcome::MemoryLock;
use crate::prelude::*;
use crate::trace::Event;

/// The value of the root for its mover, by the operator for `side` with these partitions and this
/// capacity of OPEN.
pub(super) fn search_with_operator<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    root: &SearchNode<T, M>,
    side: Side,
    partitions: &Partitions,
    capacity: Capacity,
) -> Result<Value, Stop> {
    let Some(children) = search.generate(root) else { return search.leaf_once(root) };
    search.holds(1, 0, 0)?;
    let mut operator = match side {
        Side::Max => {
            // Above the root stands a MIN node with the root as its only child.
            let tree = SolutionTree::new(None);
            let mut operator = Operator::new(search, tree, side, partitions, capacity);
            operator.expand_root((root.clone(), children))?;
            operator
        }
        Side::Min => {
            search.count_expansion(root, children.len())?;
            let first = search.child(root, &children, 0);
            let tree = SolutionTree::new(Some(MinNode::new(root.clone(), children)));
            let mut operator = Operator::new(search, tree, side, partitions, capacity);
            operator.trace().live(operator.search, root, INFINITY, "push its first child");
            if let Some(grandchildren) = operator.search.expand(&first)? {
                operator.expand_max(TOP, 0, (first, grandchildren), INFINITY)?;
            } else {
                operator.trace().live(operator.search, &first, INFINITY, "evaluate");
                let s = operator.search.leaf_once(&first)?;
                operator.tree.frame_mut(TOP).set(0, SlotState::SolvedMax, s);
            }
            operator
        }
    };
    let result = operator.run();
    if result.is_err() {
        operator.report_bounds();
    }
    result
}

/// Rule 2 for a MAX leaf worth `s`: it is SOLVED or, if `s` is no more than `low`, its parent is.
#[inline]
pub(crate) fn solved_leaf(s: Value, low: Value) -> (SlotState, Value) {
    if s > low { (SlotState::SolvedMax, s) } else { (SlotState::SolvedMin, low) }
}

struct Operator<'s, 't, T: GameTree, M: Mode> {
    search: &'s mut Search<'t, T, M>,
    tree: SolutionTree<T, M>,
    side: Side,
    partitions: &'s Partitions,
    capacity: Capacity,
    /// The lower bound on the root's value for its mover.
    root_lower: Value,
    /// The frames from the top down to the current one, each with its effective low.
    path: Vec<(FrameId, Value)>,
}

impl<'s, 't, T: GameTree, M: Mode> Operator<'s, 't, T, M> {
    fn new(
        search: &'s mut Search<'t, T, M>,
        tree: SolutionTree<T, M>,
        side: Side,
        partitions: &'s Partitions,
        capacity: Capacity,
    ) -> Self {
        let path = vec![(TOP, -INFINITY)];
        Operator { search, tree, side, partitions, capacity, root_lower: -INFINITY, path }
    }

    /// Rule 1 for the root of SSS* or PS*.
    fn expand_root(&mut self, root: MaxNode<T, M>) -> Result<(), Stop> {
        let width = root.1.len();
        if !self.capacity.fits(1, width) && !self.capacity.may_be_exceeded(self.search.depth) {
            return Err(self.locked());
        }
        self.search.count_expansion(&root.0, width)?;
        self.expand_max(TOP, 0, root, INFINITY)
    }

    fn run(&mut self) -> Result<Value, Stop> {
        // The merit of the current state.
        let mut hi = INFINITY;
        loop {
            let (id, low) = self.current();
            let frame = self.tree.frame_mut(id);
            let (best, merit) = frame.best();
            if merit != hi {
                // While the best state here has the merit of the one taken last, it is the best of
                // all: all to the left have less, and none has more. Otherwise look higher up.
                if id != TOP {
                    self.tree.frames.report_up(id, merit);
                    self.path.pop();
                    continue;
                }
                hi = merit;
            }
            match best.map(|slot| (slot, frame.state(slot))) {
                Some((_, SlotState::Expanded(below))) if merit != NOTHING => self.descend(below),
                Some((_, SlotState::SolvedMin)) if id == TOP => {
                    let value = self.side.for_mover(merit);
                    self.trace().solved_root(self.search, merit);
                    return Ok(value);
                }
                Some((slot, SlotState::SolvedMin)) => self.solved_min(id, slot)?,
                Some((slot, SlotState::SolvedMax)) => self.solved_max(id, slot, low)?,
                None => self.live_mins(id, low)?,
                Some(_) if merit == NOTHING => self.reactivate_deepest()?,
                Some((slot, state @ (SlotState::LiveMin(_) | SlotState::LiveMax(_)))) => {
                    self.expand_reactivated(id, slot, state, low)?;
                }
                Some((_, _)) => {
                    unreachable!("one process delegates nothing, and what left OPEN is never best")
                }
            }
        }
    }

    /// The current frame and its effective low.
    #[inline]
    fn current(&self) -> (FrameId, Value) {
        self.path[self.path.len() - 1]
    }

    #[inline]
    fn descend(&mut self, below: FrameId) {
        let low = self.current().1.max(self.tree.frame(below).low);
        self.path.push((below, low));
    }

    /// Rule 1 for the LIVE MIN nodes of a frame and their first children, one after the other, and
    /// rule 2 for those that are leaves. They have the highest merit, so this continues until a MAX
    /// node is expanded, a leaf keeps that merit, or no node is left.
    #[inline]
    fn live_mins(&mut self, id: FrameId, low: Value) -> Result<(), Stop> {
        self.emit_open();
        let trace = self.trace();
        let search = &mut *self.search;
        let open = self.tree.frames.open;
        let (frame, nodes) = self.tree.frame_and_nodes_mut(id);
        let hi = frame.high;
        while let Some(child) = frame.next_unopened_child() {
            let (max, children) = nodes.max.as_ref().expect("the top frame has no unopened slot");
            let n = search.child(max, children, child);
            let merit = if let Some(children) = search.generate(&n) {
                let first = search.child(&n, &children, 0);
                let grandchildren = search.generate(&first);
                if let Some(grandchildren) = &grandchildren
                    && !self.capacity.fits(open, grandchildren.len())
                {
                    search.emit(&n, || Event::Activity { active: false });
                    let min = MinNode::new(n, children);
                    SolutionTree::open_slot((frame, nodes), SlotState::LiveMin(hi), NOTHING, min);
                    if search.is_watched() {
                        break;
                    }
                    continue;
                }
                search.count_expansion(&n, children.len())?;
                trace.live(search, &n, hi, "push its first child");
                let min = MinNode::new(n, children);
                if let Some(grandchildren) = grandchildren {
                    search.count_expansion(&first, grandchildren.len())?;
                    let slot =
                        SolutionTree::open_slot((frame, nodes), SlotState::SolvedMax, hi, min);
                    return self.expand_max(id, slot, (first, grandchildren), hi);
                }
                trace.live(search, &first, hi, "evaluate");
                let (state, merit) = solved_leaf(search.leaf_once(&first)?.min(hi), low);
                SolutionTree::open_slot((frame, nodes), state, merit, min);
                merit
            } else {
                trace.live(search, &n, hi, "evaluate");
                let merit = (-search.leaf_once(&n)?).min(hi).max(low);
                frame.slots.open(SlotState::SolvedMin, merit);
                merit
            };
            if merit == hi || search.is_watched() {
                break;
            }
        }
        Ok(())
    }

    #[inline]
    fn expand_max(
        &mut self,
        id: FrameId,
        slot: usize,
        max: MaxNode<T, M>,
        hi: Value,
    ) -> Result<(), Stop> {
        self.trace().live(self.search, &max.0, hi, "push its partition");
        let size = self.partitions.size(max.1.len(), 0);
        let below = self.tree.push(id, slot, max, hi, size);
        self.descend(below);
        self.count()
    }

    /// Rule 3, repeated for the next sibling as long as it is a leaf that keeps the merit: the
    /// state is then still the first of OPEN.
    #[inline]
    fn solved_max(&mut self, id: FrameId, slot: usize, low: Value) -> Result<(), Stop> {
        self.emit_open();
        let trace = self.trace();
        let search = &mut *self.search;
        let open = self.tree.frames.open;
        let (frame, nodes) = self.tree.frame_and_nodes_mut(id);
        let hi = frame.merit(slot);
        let Some(min) = nodes.min_mut(slot) else {
            // The root of SSS* or PS*: the MIN node above it is SOLVED too.
            frame.set(slot, SlotState::SolvedMin, hi);
            return Ok(());
        };
        let s = loop {
            if id == TOP && -hi > self.root_lower {
                // DUAL*: this child of the root has the least merit so far.
                self.root_lower = -hi;
                search.best = Some(min.children.mv(min.child));
            }
            let goes_on = hi > low && min.child + 1 < min.children.len();
            trace.solved_max(search, min, hi, goes_on);
            if !goes_on {
                frame.set(slot, SlotState::SolvedMin, hi);
                return Ok(());
            }
            min.child += 1;
            let n = search.child(&min.n, &min.children, min.child);
            if let Some(grandchildren) = search.generate(&n) {
                if !self.capacity.fits(open, grandchildren.len()) {
                    search.emit(&n, || Event::Activity { active: false });
                    self.tree.frames.deactivate(id, slot, SlotState::LiveMax(hi));
                    return Ok(());
                }
                search.count_expansion(&n, grandchildren.len())?;
                return self.expand_max(id, slot, (n, grandchildren), hi);
            }
            trace.live(search, &n, hi, "evaluate");
            let s = search.leaf_once(&n)?;
            if s < hi {
                min.answer = min.child;
            }
            if s < hi || search.is_watched() {
                break s.min(hi);
            }
        };
        let (state, merit) = solved_leaf(s, low);
        frame.set(slot, state, merit);
        Ok(())
    }

    /// Rule 4.
    fn solved_min(&mut self, id: FrameId, slot: usize) -> Result<(), Stop> {
        self.emit_open();
        let frame = self.tree.frame(id);
        let (hi, child) = (frame.merit(slot), frame.child_of(slot));
        let top = self.path.len() - 1;
        let low = self.path[top].1.max(hi);
        if top == 1 && self.side == Side::Max && hi > self.path[top].1 {
            self.improve_root(id, child, hi);
        }
        if self.capacity.is_bounded() {
            self.tree.frames.drop_no_better(id, Some(slot), hi);
            if let Some((y, slot)) = self.tree.frames.deepest_inactive(id) {
                self.reactivate(y, slot);
                return Ok(());
            }
        }
        if let Some((max, _)) = &self.tree.nodes(id).max {
            self.trace().solved_min(self.search, max, child, hi, "raise low of its parent");
        }
        self.tree.frames.remove(id, slot);
        let frame = self.tree.frame_mut(id);
        frame.low = low;
        let high = frame.high;
        self.path[top].1 = low;
        if (low >= high || self.capacity.is_bounded())
            && let Some((max, children)) = &self.tree.nodes(id).max
        {
            self.search.decide(max, children, child);
        }
        if low >= high {
            self.close(id, high);
            Ok(())
        } else if let Some(x) = self.tree.frames.last_resumable_below(id, low) {
            self.resume(x)
        } else if self.tree.frame(id).has_partition_left() {
            self.resume(id)
        } else {
            self.close(id, low);
            Ok(())
        }
    }

    /// Makes the current MAX node SOLVED.
    fn close(&mut self, id: FrameId, merit: Value) {
        self.tree.record_decisions(id, self.search);
        self.tree.solve(id, merit);
        self.path.pop();
    }

    /// Pushes the next partition of a frame.
    fn resume(&mut self, x: FrameId) -> Result<(), Stop> {
        let frame = self.tree.frame(x);
        let nodes = self.tree.nodes(x);
        let (max, children) = nodes.max.as_ref().expect("the top frame is never resumed");
        let size = self.partitions.size(children.len(), frame.next_partition());
        let merit = self.side.for_mover(frame.high);
        self.search.emit(max, || Event::Resumed { merit });
        self.tree.record_decisions(x, self.search);
        self.tree.resume(x, size);
        // The new states may have more merit than any other: start from the top again.
        self.tree.frames.report_up_to_top(x);
        self.path.truncate(1);
        self.count()
    }

    /// Makes the deepest INACTIVE state ACTIVE, where no state is.
    fn reactivate_deepest(&mut self) -> Result<(), Stop> {
        match self.tree.frames.deepest_inactive(TOP) {
            Some((id, slot)) if self.capacity.may_be_exceeded(self.search.depth) => {
                self.reactivate(id, slot);
                Ok(())
            }
            _ => Err(self.locked()),
        }
    }

    /// Makes an INACTIVE state ACTIVE again.
    fn reactivate(&mut self, id: FrameId, slot: usize) {
        if let Some(min) = self.tree.nodes(id).min(slot) {
            self.search.emit(&min.n, || Event::Activity { active: true });
        }
        self.tree.frames.reactivate(id, slot);
        self.tree.frames.report_up_to_top(id);
        self.path.truncate(1);
    }

    /// Rules 1 and 2 for a state that was INACTIVE and is the best again: it expands without the
    /// test, if M is enough by the formula.
    fn expand_reactivated(
        &mut self,
        id: FrameId,
        slot: usize,
        state: SlotState,
        low: Value,
    ) -> Result<(), Stop> {
        self.emit_open();
        let hi = self.tree.frame(id).merit(slot);
        let min = self.tree.nodes(id).min(slot).expect("only interior MIN nodes become INACTIVE");
        if matches!(state, SlotState::LiveMin(_)) {
            self.search.count_expansion(&min.n, min.children.len())?;
        }
        let (n, child) = (self.search.child(&min.n, &min.children, min.child), min.child);
        let Some(grandchildren) = self.search.generate(&n) else {
            self.trace().live(self.search, &n, hi, "evaluate");
            let s = self.search.leaf_once(&n)?.min(hi);
            let (frame, nodes) = self.tree.frame_and_nodes_mut(id);
            if s < hi
                && let Some(min) = nodes.min_mut(slot)
            {
                min.answer = child;
            }
            let (state, merit) = solved_leaf(s, low);
            frame.set(slot, state, merit);
            return Ok(());
        };
        let fits = self.capacity.fits(self.tree.frames.open, grandchildren.len());
        if !fits && !self.capacity.may_be_exceeded(self.search.depth) {
            return Err(self.locked());
        }
        self.search.count_expansion(&n, grandchildren.len())?;
        self.expand_max(id, slot, (n, grandchildren), hi)
    }

    /// Ends the search with a memory lock.
    fn locked(&mut self) -> Stop {
        let lock = MemoryLock {
            entries: self.capacity.entries(),
            held: self.tree.frames.open,
            inactive: self.tree.frames.inactive(TOP),
            width: self.capacity.widest(),
            depth: self.search.depth,
            least: self.capacity.least(self.search.depth),
        };
        self.search.failure = Some(lock.into());
        Stop::Locked
    }

    /// Counts what the lists hold.
    #[inline]
    fn count(&mut self) -> Result<(), Stop> {
        let (open, mut backup) = (self.tree.frames.open, self.tree.frames.backup);
        if self.capacity.is_bounded() {
            // ITERSSS* has no BACKUP: its M entries are all there is.
            backup = 0;
            self.search.tally.peak_process = self.search.tally.peak_process.max(open);
        }
        self.search.holds(open, backup, self.tree.bytes())
    }

    fn trace(&self) -> OpenTrace {
        OpenTrace::of(self.side)
    }

    /// Notes that a child of the root is SOLVED with `hi`, more than all before it.
    fn improve_root(&mut self, id: FrameId, child: usize, hi: Value) {
        if let Some((_, children)) = &self.tree.nodes(id).max {
            self.search.best = Some(children.mv(child));
            self.root_lower = hi;
        }
    }

    /// Keeps the bounds on the root's value that the lists imply, when the search is stopped.
    fn report_bounds(&mut self) {
        let upper = match (self.side, self.tree.frame(TOP).state(0)) {
            (Side::Max, SlotState::Expanded(root)) => self.tree.frames.upper_bound(root, -INFINITY),
            _ => INFINITY,
        };
        self.search.narrow_root(Bounds { lower: self.root_lower, upper });
    }

    #[inline]
    fn emit_open(&mut self) {
        let (tree, side) = (&self.tree, self.side);
        self.search.emit_at_root(|| {
            let mut open = tree.listed();
            if let (Side::Min, Event::Open { states }) = (side, &mut open) {
                states.iter_mut().for_each(|state| state.merit = -state.merit);
            }
            open
        });
    }
}
