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

mod limited;
mod top;

use super::capacity::{Capacity, WhenFull};
use super::frames::{FrameId, Path, TOP};
use super::merits::NOTHING;
use super::open_trace::{OpenTrace, Side};
use super::rules::{
    Came, Held, MaxNode, NextStep, Raised, Rules, close, generate, raise_low, resume, solved_leaf,
};
use super::slot::SlotState;
use super::solution_tree::SolutionTree;
use crate::catalogue::Partitions;
use crate::prelude::*;
use crate::trace::Event;

/// What the lists of a search are like: the operator's policy.
#[derive(Clone, Copy)]
pub(super) struct Lists<'p> {
    /// How the children of MAX nodes come to OPEN.
    pub(super) partitions: &'p Partitions,
    /// Is there a BACKUP? Without partitions it has nothing to say.
    pub(super) backup: bool,
    /// The entries that OPEN may have, and what happens when it is full.
    pub(super) capacity: Capacity,
    /// The plies of the stages from this one on, the last of them repeated; each has lists of its own.
    /// Without any, there is one stage.
    pub(super) stages: &'p [u32],
}

impl Lists<'static> {
    /// Those of SSS* and DUAL*: OPEN alone, of any size.
    pub(super) const OPEN: Lists<'static> = Lists {
        partitions: &Partitions::ONE,
        backup: false,
        capacity: Capacity::UNBOUNDED,
        stages: &[],
    };
}

/// The value of the root for its mover, by the operator for `side` with these lists.
pub(super) fn search_with_operator<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    root: &SearchNode<T, M>,
    side: Side,
    lists: Lists<'_>,
) -> Result<Value, Stop> {
    let is_max = side == Side::Max;
    let mut operator = Operator::new(search, root, side, lists, (INFINITY, -INFINITY));
    let result = operator.solve(root, is_max);
    if result.is_err() {
        operator.report_bounds();
    }
    Ok(side.for_mover(result?))
}

struct Operator<'s, 't, T: GameTree, M: Mode> {
    search: &'s mut Search<'t, T, M>,
    tree: SolutionTree<T, M>,
    side: Side,
    lists: Lists<'s>,
    /// The merit that the root begins with, and a bound that its value need not be told below.
    hi: Value,
    low: Value,
    /// The ply of its root.
    ply: u32,
    /// The height of the nodes that are leaves to this stage: the next one searches them.
    horizon: u32,
    /// What the stages above hold: states on OPEN, entries on BACKUP, bytes.
    above: (u64, u64, usize),
    /// How far the lists had grown at the last count of bytes.
    growth: usize,
    /// The lower bound on the root's value for its mover.
    root_lower: Value,
    /// The frames from the top down to the current one, each with its effective low.
    path: Path,
    /// May leaves be evaluated before their parent is pushed?
    leaves_first: bool,
    /// What the leaves of the MAX node that is looked at are worth.
    leaves: Vec<Value>,
}

impl<'s, 't, T: GameTree, M: Mode> Operator<'s, 't, T, M> {
    fn new(
        search: &'s mut Search<'t, T, M>,
        root: &SearchNode<T, M>,
        side: Side,
        lists: Lists<'s>,
        (hi, low): (Value, Value),
    ) -> Self {
        let horizon = lists.stages.first().map_or(0, |&plies| root.height.saturating_sub(plies));
        Operator {
            tree: SolutionTree::new(search.depth, lists.capacity.deactivates(), hi),
            search,
            side,
            lists,
            hi,
            low,
            ply: root.ply,
            horizon,
            above: (0, 0, 0),
            growth: 0,
            root_lower: -INFINITY,
            path: vec![(TOP, low)],
            leaves_first: horizon == 0
                && !lists.capacity.is_bounded()
                && *lists.partitions != Partitions::Auto,
            leaves: Vec::new(),
        }
    }

    /// The value of `root` for MAX, as far as it is between low and hi.
    fn solve(&mut self, root: &SearchNode<T, M>, is_max: bool) -> Result<Value, Stop> {
        let Some(children) = self.generate(root) else {
            return self.leaf(root, is_max, self.hi);
        };
        self.count()?;
        if is_max {
            // Above the root stands a MIN node with the root as its only child.
            let width = children.len();
            if !self.lists.capacity.fits(1, width) {
                match self.lists.capacity.when_full() {
                    WhenFull::SearchDepthFirst => return self.depth_first(root, true, self.hi),
                    WhenFull::Deactivate if !self.may_be_exceeded() => return Err(self.locked()),
                    WhenFull::Deactivate => {}
                }
            }
            self.search.count_expansion(root, width)?;
            _ = self.expand_max(TOP, 0, (root.clone(), children), self.hi)?;
        } else {
            self.search.count_expansion(root, children.len())?;
            self.tree.set_top(root, &children);
            self.trace().live(self.search, root, self.hi, "push its first child");
            let first = self.search.child(root, &children, 0);
            if let Some(grandchildren) = self.generate(&first) {
                self.search.count_expansion(&first, grandchildren.len())?;
                _ = self.expand_max(TOP, 0, (first, grandchildren), self.hi)?;
            } else {
                self.trace().live(self.search, &first, self.hi, "evaluate");
                let s = self.leaf(&first, true, self.hi)?.min(self.hi);
                let (state, merit) = solved_leaf(s, self.low);
                self.tree.frames.set(TOP, 0, state, merit);
            }
        }
        self.run()
    }

    fn run(&mut self) -> Result<Value, Stop> {
        // The merit of the current state.
        let mut hi = self.hi;
        let mut next = NextStep::Find;
        loop {
            let (id, low) = self.current();
            next = match next {
                NextStep::Find => self.find(&mut hi)?,
                NextStep::LiveMins => self.live_mins(id, low)?,
                NextStep::SolvedMax(slot) => self.solved_max(id, slot, (hi, low))?,
                NextStep::SolvedMin(_) if id == TOP => {
                    if self.ply == 0 {
                        self.trace().solved_root(self.search, hi);
                    }
                    self.count()?;
                    return Ok(hi);
                }
                NextStep::SolvedMin(slot) => self.solved_min(id, slot, hi)?,
                NextStep::Reactivated(slot) => self.expand_reactivated(id, slot, low)?,
            };
        }
    }

    /// Finds the first state of OPEN, from the current frame on; `hi` is the merit of the one taken last.
    #[inline(always)]
    fn find(&mut self, hi: &mut Value) -> Result<NextStep, Stop> {
        loop {
            let (id, slot, merit) = self.tree.frames.ascend(&mut self.path, *hi);
            *hi = merit;
            if merit == NOTHING {
                self.reactivate_deepest()?;
                continue;
            }
            let (_, slot, state) = self.tree.frames.descend(&mut self.path, (id, slot), merit);
            return Ok(NextStep::of(slot, state));
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

    #[inline(always)]
    fn generate(&self, n: &SearchNode<T, M>) -> Option<Children<T, M>> {
        generate(self.search, n, self.horizon)
    }

    /// The value for MAX of a node that is a leaf to this stage; only what is below `hi` matters.
    #[inline(always)]
    fn leaf(&mut self, n: &SearchNode<T, M>, is_max: bool, hi: Value) -> Result<Value, Stop> {
        if self.horizon > 0 && n.height == self.horizon {
            return self.next_stage(n, is_max, hi);
        }
        let value = self.search.leaf_once(n)?;
        Ok(if is_max { value } else { -value })
    }

    /// What the lists hold now.
    #[inline(always)]
    fn held(&self) -> Held {
        let (open, backup, _) = self.above;
        let own_open = self.tree.frames.open;
        let backup = self.lists.backup.then_some(backup + self.tree.frames.backup);
        Held { own_open, open: open + own_open, backup }
    }

    /// The rules for states with this merit, and this effective low.
    #[inline(always)]
    fn rules(&self, hi: Value, low: Value) -> Rules<'s> {
        let (trace, held) = (self.trace(), self.held());
        let &Operator { horizon, leaves_first, lists: Lists { partitions, .. }, .. } = self;
        Rules { trace, horizon, held, partitions, leaves_first, hi, low }
    }

    /// Rules 1 and 2 for the LIVE MIN nodes of a frame, one after the other. They have the highest merit, so
    /// this continues until a MAX node is expanded, one keeps that merit, or no node is left.
    #[inline]
    fn live_mins(&mut self, id: FrameId, low: Value) -> Result<NextStep, Stop> {
        self.emit_open();
        let frame = self.tree.frame(id);
        let slots = frame.opened()..frame.size();
        let rules = self.rules(frame.high, low);
        let Operator { search, tree, lists, leaves, .. } = self;
        let found = rules.live_mins(*search, tree, (id, slots), &mut lists.capacity, leaves)?;
        self.after_rule(id, found.0, found.1, (rules.hi, low))
    }

    /// Rule 3 for a state with the merit `hi`.
    #[inline]
    fn solved_max(
        &mut self,
        id: FrameId,
        slot: usize,
        (hi, low): (Value, Value),
    ) -> Result<NextStep, Stop> {
        self.emit_open();
        if id == TOP {
            return self.solved_max_at_top(low);
        }
        debug_assert_eq!(hi, self.tree.frames.merit(id, slot));
        let rules = self.rules(hi, low);
        let Operator { search, tree, leaves, .. } = self;
        let came = rules.solved_max(*search, tree, (id, slot), leaves)?;
        self.after_rule(id, slot, came, (hi, low))
    }

    /// What comes next.
    #[inline(always)]
    fn after_rule(
        &mut self,
        id: FrameId,
        slot: usize,
        came: Came<T, M>,
        (hi, low): (Value, Value),
    ) -> Result<NextStep, Stop> {
        match came {
            Came::Lowered | Came::Waits => Ok(NextStep::Find),
            Came::Solved => Ok(NextStep::SolvedMin(slot)),
            Came::Kept => Ok(NextStep::SolvedMax(slot)),
            Came::Interior(max) => self.next_interior(id, slot, max, (hi, low)),
            Came::Expanded(max) => self.expand_max(id, slot, max, hi),
            Came::Leaves(max) => self.push_leaves(id, slot, max, hi),
            Came::NoRoom((n, children)) => self.no_room_for_min(id, &n, &children, hi),
            Came::StagedMin(n) => {
                let merit = self.next_stage(&n, false, hi)?.min(hi).max(low);
                self.tree.frames.open(id, SlotState::SolvedMin, merit);
                Ok(NextStep::Find)
            }
            Came::StagedMax(n) => {
                self.trace().live(self.search, &n, hi, "evaluate");
                let s = self.next_stage(&n, true, hi)?;
                self.set_solved(id, slot, s, (hi, low));
                Ok(NextStep::Find)
            }
        }
    }

    /// Pushes a MAX node whose first leaves are evaluated already.
    #[inline(never)]
    fn push_leaves(
        &mut self,
        id: FrameId,
        slot: usize,
        (n, children): MaxNode<T, M>,
        hi: Value,
    ) -> Result<NextStep, Stop> {
        self.tree.push_leaves((id, slot), &n, &children, hi, &self.leaves);
        self.count()?;
        Ok(NextStep::Find)
    }

    #[inline]
    fn expand_max(
        &mut self,
        id: FrameId,
        slot: usize,
        (n, children): MaxNode<T, M>,
        hi: Value,
    ) -> Result<NextStep, Stop> {
        self.trace().live(self.search, &n, hi, "push its partition");
        let size = self.partition_size(children.len(), 0, n.height);
        let below = self.tree.push((id, slot), &n, &children, hi, size);
        self.descend(below);
        self.count()?;
        Ok(NextStep::LiveMins)
    }

    /// The size of a partition of a node of this height.
    #[inline]
    fn partition_size(&self, children: usize, partition: usize, height: u32) -> usize {
        match self.lists.partitions {
            Partitions::Auto => {
                let held = self.above.2 + self.tree.bytes();
                Partitions::size_for(children, height, self.search.bytes_left(held))
            }
            partitions => partitions.size(children, partition),
        }
    }

    /// Rule 3 where the next sibling is an interior node: it is expanded if its children fit.
    #[inline(always)]
    fn next_interior(
        &mut self,
        id: FrameId,
        slot: usize,
        (n, children): MaxNode<T, M>,
        (hi, low): (Value, Value),
    ) -> Result<NextStep, Stop> {
        if self.lists.capacity.fits(self.tree.frames.open, children.len()) {
            self.search.count_expansion(&n, children.len())?;
            return self.expand_max(id, slot, (n, children), hi);
        }
        match self.lists.capacity.when_full() {
            WhenFull::Deactivate => {
                self.search.emit(&n, || Event::Activity { active: false });
                self.tree.frames.deactivate(id, slot, SlotState::LiveMax(hi));
            }
            WhenFull::SearchDepthFirst => {
                let s = self.depth_first(&n, true, hi)?;
                self.set_solved(id, slot, s, (hi, low));
            }
        }
        Ok(NextStep::Find)
    }

    /// Rule 2 for the current child of a MIN node, worth `s`.
    fn set_solved(&mut self, id: FrameId, slot: usize, s: Value, (hi, low): (Value, Value)) {
        if s < hi {
            self.tree.set_answer(id, slot);
        }
        let (state, merit) = solved_leaf(s.min(hi), low);
        self.tree.frames.set(id, slot, state, merit);
    }

    /// Rule 4 for a state with the merit `hi`.
    fn solved_min(&mut self, id: FrameId, slot: usize, hi: Value) -> Result<NextStep, Stop> {
        self.emit_open();
        debug_assert_eq!(hi, self.tree.frames.merit(id, slot));
        let child = self.tree.frame(id).child_of(slot);
        let top = self.path.len() - 1;
        let low = self.path[top].1.max(hi);
        if top == 1 && self.ply == 0 && self.side == Side::Max && hi > self.path[top].1 {
            self.search.best = Some(self.tree.move_of_max(self.search, id, child));
            self.root_lower = hi;
        }
        let deactivates = self.lists.capacity.deactivates();
        if deactivates {
            self.tree.frames.drop_no_better(id, Some(slot), hi);
            if let Some((y, slot)) = self.tree.frames.deepest_inactive(id) {
                self.reactivate(y, slot);
                return Ok(NextStep::Find);
            }
        }
        if self.search.is_watched() {
            let max = self.tree.max(id);
            self.trace().solved_min(self.search, &max, child, hi, "raise low of its parent");
        }
        let Operator { search, tree, path, .. } = self;
        match raise_low(search, tree, path, (slot, child), low, deactivates) {
            Raised::Solved(merit) => Ok(close(search, tree, path, merit, hi)),
            Raised::GoesOn(x) => {
                self.resume(x)?;
                Ok(NextStep::Find)
            }
        }
    }

    /// Pushes the next partition of a frame, the current one or one below it.
    fn resume(&mut self, x: FrameId) -> Result<(), Stop> {
        let frame = self.tree.frame(x);
        let height = self.search.depth + 1 - frame.ply;
        let size = self.partition_size(frame.width as usize, frame.next_partition(), height);
        let merit = self.side.for_mover(frame.high);
        if self.search.is_watched() {
            let max = self.tree.max(x);
            self.search.emit(&max, || Event::Resumed { merit });
        }
        resume(self.search, &mut self.tree, &self.path, x, size);
        self.count()
    }

    /// Counts what the lists hold.
    #[inline]
    fn count(&mut self) -> Result<(), Stop> {
        let (above_open, above_backup, above_bytes) = self.above;
        let open = above_open + self.tree.frames.open;
        let backup = if self.lists.backup { above_backup + self.tree.frames.backup } else { 0 };
        if self.lists.capacity.is_bounded() {
            self.search.tally.peak_process = self.search.tally.peak_process.max(open);
        }
        let growth = self.tree.frames.growth();
        if growth == self.growth {
            self.search.tally.count_entries(open, backup);
            return Ok(());
        }
        self.growth = growth;
        if self.tree.frames.is_full() {
            return Err(Stop::Memory);
        }
        self.search.holds(open, backup, above_bytes + self.tree.bytes())
    }

    fn trace(&self) -> OpenTrace {
        OpenTrace::of(self.side)
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
