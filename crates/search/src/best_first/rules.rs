//! Rules 1 to 4 of the operator (see `operator.rs`), once: for a search alone, and for a process in its turn.
//!
//! A rule is applied again and again as long as its state is the first of OPEN without a look at the others:
//! one LIVE MIN node of a frame after the other, one child of a MIN node after the other. A process whose turn
//! ends after some leaves stops before a leaf when it may evaluate none, and between two MIN nodes when the others
//! want something of it; one on a thread looks at the others between two frames.
//!
//! The leaves below a MAX node of height 1 can be evaluated before it is pushed: where one of them keeps the
//! merit, the node is SOLVED at once, and its frame would be dropped as soon as it is made. OPEN is counted as
//! if the frame had been there.

use std::ops::Range;

use super::capacity::Capacity;
use super::frames::{FrameId, Path};
use super::open_trace::OpenTrace;
use super::slot::SlotState;
use super::solution_tree::{MaxView, MinNode, SolutionTree};
use crate::catalogue::Partitions;
use crate::prelude::*;

/// Who applies the rules: a search alone, or a process in its turn.
pub(crate) trait Applies<'t, T: GameTree + 't, M: Mode> {
    /// The context.
    fn search(&mut self) -> &mut Search<'t, T, M>;

    /// What a leaf is worth to its mover.
    fn leaf(&mut self, n: &SearchNode<T, M>) -> Result<Value, Stop>;

    /// May a leaf be evaluated now?
    fn may_evaluate(&self) -> bool;

    /// Must others be looked at before the next MIN node?
    fn is_interrupted(&self) -> bool;

    /// Notes that there are this many states on OPEN and entries on BACKUP, for a moment.
    fn count_entries(&mut self, open: u64, backup: u64);
}

impl<'t, T: GameTree + 't, M: Mode> Applies<'t, T, M> for Search<'t, T, M> {
    #[inline(always)]
    fn search(&mut self) -> &mut Search<'t, T, M> {
        self
    }

    #[inline(always)]
    fn leaf(&mut self, n: &SearchNode<T, M>) -> Result<Value, Stop> {
        self.leaf_once(n)
    }

    #[inline(always)]
    fn may_evaluate(&self) -> bool {
        true
    }

    #[inline(always)]
    fn is_interrupted(&self) -> bool {
        false
    }

    #[inline(always)]
    fn count_entries(&mut self, open: u64, backup: u64) {
        self.tally.count_entries(open, backup);
    }
}

/// What comes after a step. Often the step itself knows the first state of OPEN, a slot of the current
/// frame, and it need not be looked for.
#[derive(Clone, Copy)]
pub(crate) enum NextStep {
    /// The first state is to be found.
    Find,
    /// It is the next LIVE MIN node of the frame.
    LiveMins,
    /// It is in a slot whose current child is SOLVED.
    SolvedMax(usize),
    /// It is in a slot whose MIN node is SOLVED, or a partition.
    SolvedMin(usize),
    /// It was INACTIVE, or a leaf that had to wait.
    Reactivated(usize),
}

impl NextStep {
    /// The step for the first state of OPEN; `None` stands for a slot that is not opened.
    #[inline(always)]
    pub(crate) fn of(slot: usize, state: Option<SlotState>) -> NextStep {
        match state {
            None => NextStep::LiveMins,
            Some(SlotState::SolvedMax) => NextStep::SolvedMax(slot),
            Some(SlotState::SolvedMin | SlotState::Returned(_)) => NextStep::SolvedMin(slot),
            Some(SlotState::LiveMin(_) | SlotState::LiveMax(_)) => NextStep::Reactivated(slot),
            Some(SlotState::Gone | SlotState::Delegated | SlotState::Expanded(_)) => {
                unreachable!("what has left OPEN is never the best")
            }
        }
    }
}

/// An expanded MAX node.
pub(crate) type MaxNode<T, M> = (SearchNode<T, M>, Children<T, M>);

/// Rule 2 for a MAX leaf worth `s`: it is SOLVED or, if `s` is no more than `low`, its parent is.
#[inline]
pub(crate) fn solved_leaf(s: Value, low: Value) -> (SlotState, Value) {
    if s > low { (SlotState::SolvedMax, s) } else { (SlotState::SolvedMin, low) }
}

/// The children of a node, unless it is a leaf to the stage with this horizon.
#[inline(always)]
pub(crate) fn generate<T: GameTree, M: Mode>(
    search: &Search<'_, T, M>,
    n: &SearchNode<T, M>,
    horizon: u32,
) -> Option<Children<T, M>> {
    if n.height == horizon { None } else { search.generate(n) }
}

/// What the lists hold while a rule is applied.
#[derive(Clone, Copy, Default)]
pub(crate) struct Held {
    /// The states on OPEN, without and with those of the stages above.
    pub(crate) own_open: u64,
    pub(crate) open: u64,
    /// The entries on BACKUP, if there is one.
    pub(crate) backup: Option<u64>,
}

/// What a rule came to.
pub(crate) enum Came<T: GameTree, M: Mode> {
    /// The state has less merit now, and its slot has it.
    Lowered,
    /// The MIN node is SOLVED and has kept its merit.
    Solved,
    /// Its current child is SOLVED and has kept the merit.
    Kept,
    /// Its current child is an interior node. If its children fit, it is to be expanded.
    Interior(MaxNode<T, M>),
    /// The same, and they fit; it is counted as expanded.
    Expanded(MaxNode<T, M>),
    /// It is expanded, and none of its leaves keeps the merit.
    Leaves(MaxNode<T, M>),
    /// The first grandchildren of the MIN node do not fit.
    NoRoom(MaxNode<T, M>),
    /// A leaf must wait: the MIN node itself, or its current child, which is put back.
    Waits,
    /// The MIN node, or its current child, is for the next stage.
    StagedMin(SearchNode<T, M>),
    StagedMax(SearchNode<T, M>),
}

/// The rules for states with the merit `hi`, below a MAX node with the effective low `low`.
pub(crate) struct Rules<'l> {
    pub(crate) trace: OpenTrace,
    /// The height of the nodes that are leaves to this stage.
    pub(crate) horizon: u32,
    pub(crate) held: Held,
    pub(crate) partitions: &'l Partitions,
    /// May leaves be evaluated before their parent is pushed?
    pub(crate) leaves_first: bool,
    pub(crate) hi: Value,
    pub(crate) low: Value,
}

impl Rules<'_> {
    /// Rules 1 and 2 for the LIVE MIN nodes of these slots of a frame, one after the other, until one does not
    /// get less merit: its slot, and what came of it.
    #[inline(always)]
    pub(crate) fn live_mins<'t, T: GameTree + 't, M: Mode>(
        &self,
        who: &mut impl Applies<'t, T, M>,
        tree: &mut SolutionTree<T, M>,
        (id, slots): (FrameId, Range<usize>),
        capacity: &mut Capacity,
        leaves: &mut Vec<Value>,
    ) -> Result<(usize, Came<T, M>), Stop> {
        let mut view = tree.view(id);
        let max = view.max();
        for slot in slots.clone() {
            match self.live_min(who, &mut view, &max, slot, capacity, leaves)? {
                Came::Lowered if !who.search().is_watched() && !who.is_interrupted() => {}
                came => return Ok((slot, came)),
            }
        }
        Ok((slots.end - 1, Came::Lowered))
    }

    /// Rule 3 for a slot whose current child is SOLVED.
    #[inline(always)]
    pub(crate) fn solved_max<'t, T: GameTree + 't, M: Mode>(
        &self,
        who: &mut impl Applies<'t, T, M>,
        tree: &mut SolutionTree<T, M>,
        (id, slot): (FrameId, usize),
        leaves: &mut Vec<Value>,
    ) -> Result<Came<T, M>, Stop> {
        let mut view = tree.view(id);
        // Where nothing is left to search, the position is not made; but a trace shows it.
        let goes_on = self.hi > self.low && view.has_sibling_left(slot);
        if !M::RICH && !goes_on {
            view.solve_min(slot, self.hi);
            return Ok(Came::Solved);
        }
        let mut min = view.min(who.search(), slot);
        let moves = view.moves_again(who.search(), &min);
        self.siblings(who, &mut view, slot, (&mut min, &moves), leaves)
    }

    /// Rules 1 and 2 for the LIVE MIN node of a slot below `max`, and its first child; rule 3 if that keeps
    /// the merit.
    #[inline(always)]
    fn live_min<'t, T: GameTree + 't, M: Mode>(
        &self,
        who: &mut impl Applies<'t, T, M>,
        view: &mut MaxView<'_, T, M>,
        max: &SearchNode<T, M>,
        slot: usize,
        capacity: &mut Capacity,
        leaves: &mut Vec<Value>,
    ) -> Result<Came<T, M>, Stop> {
        let &Rules { trace, horizon, hi, low, .. } = self;
        let number = view.slots.frame.child_of(slot);
        let n = view.child(who.search(), max, number);
        let Some(children) = generate(who.search(), &n, horizon) else {
            if horizon > 0 && n.height == horizon {
                trace.live(who.search(), &n, hi, "evaluate");
                return Ok(Came::StagedMin(n));
            }
            if !who.may_evaluate() {
                return Ok(Came::Waits);
            }
            trace.live(who.search(), &n, hi, "evaluate");
            let merit = (-who.leaf(&n)?).min(hi).max(low);
            view.slots.put(slot, SlotState::SolvedMin, merit);
            return Ok(if merit == hi { Came::Solved } else { Came::Lowered });
        };
        let child = who.search().child(&n, &children, 0);
        let grandchildren = generate(who.search(), &child, horizon);
        if let Some(grandchildren) = &grandchildren
            && !capacity.fits(self.held.own_open, grandchildren.len())
        {
            return Ok(Came::NoRoom((n, children)));
        }
        who.search().count_expansion(&n, children.len())?;
        trace.live(who.search(), &n, hi, "push its first child");
        if let Some(grandchildren) = grandchildren {
            who.search().count_expansion(&child, grandchildren.len())?;
            view.slots.put(slot, SlotState::SolvedMax, hi);
            view.set_min(slot, &n, &children);
            let max = (child, grandchildren);
            if !self.leaves_come_first(&max.0) {
                return Ok(Came::Expanded(max));
            }
            if !self.leaf_keeps_merit(who, &max, leaves)? {
                return Ok(Came::Leaves(max));
            }
        } else if horizon > 0 && child.height == horizon {
            view.slots.put(slot, SlotState::SolvedMax, hi);
            view.set_min(slot, &n, &children);
            return Ok(Came::StagedMax(child));
        } else if who.may_evaluate() {
            trace.live(who.search(), &child, hi, "evaluate");
            let (state, merit) = solved_leaf(who.leaf(&child)?.min(hi), low);
            view.slots.put(slot, state, merit);
            if state == SlotState::SolvedMax || M::RICH {
                view.set_min(slot, &n, &children);
            }
            if merit != hi {
                return Ok(Came::Lowered);
            }
            if state == SlotState::SolvedMin {
                return Ok(Came::Solved);
            }
        } else {
            view.slots.put(slot, SlotState::LiveMax(hi), hi);
            view.set_min(slot, &n, &children);
            return Ok(Came::Waits);
        }
        if who.search().is_watched() {
            return Ok(Came::Kept);
        }
        let mut min = view.expanded_min(slot, n, &children);
        self.siblings(who, view, slot, (&mut min, &children.moves), leaves)
    }

    /// Rule 3 for a MIN node whose current child is SOLVED and has its merit, and rule 2 for those of its
    /// other children that are leaves. It has these `moves`, unless they are kept.
    #[inline(always)]
    fn siblings<'t, T: GameTree + 't, M: Mode>(
        &self,
        who: &mut impl Applies<'t, T, M>,
        view: &mut MaxView<'_, T, M>,
        slot: usize,
        (min, moves): (&mut MinNode<T, M>, &T::Moves),
        leaves: &mut Vec<Value>,
    ) -> Result<Came<T, M>, Stop> {
        let &Rules { trace, horizon, hi, low, .. } = self;
        loop {
            let goes_on = hi > low && min.child + 1 < min.width;
            trace.solved_max(who.search(), min, hi, goes_on);
            if !goes_on {
                view.solve_min(slot, hi);
                return Ok(Came::Solved);
            }
            min.child += 1;
            let n = view.child_of_min(who.search(), min, moves);
            if let Some(children) = generate(who.search(), &n, horizon) {
                let max = (n, children);
                if !self.leaves_come_first(&max.0) {
                    view.set_child(slot, min.child);
                    return Ok(Came::Interior(max));
                }
                who.search().count_expansion(&max.0, max.1.len())?;
                if !self.leaf_keeps_merit(who, &max, leaves)? {
                    view.set_child(slot, min.child);
                    return Ok(Came::Leaves(max));
                }
                continue;
            }
            if horizon > 0 && n.height == horizon {
                view.set_child(slot, min.child);
                return Ok(Came::StagedMax(n));
            }
            if !who.may_evaluate() {
                view.set_child(slot, min.child);
                view.slots.set(slot, SlotState::LiveMax(hi), hi);
                return Ok(Came::Waits);
            }
            trace.live(who.search(), &n, hi, "evaluate");
            let s = who.leaf(&n)?;
            if s < hi {
                view.set_child(slot, min.child);
                view.set_answer(slot);
                match solved_leaf(s, low) {
                    (SlotState::SolvedMin, merit) => view.solve_min(slot, merit),
                    (state, merit) => view.slots.set(slot, state, merit),
                }
                return Ok(Came::Lowered);
            }
            if who.search().is_watched() {
                view.set_child(slot, min.child);
                return Ok(Came::Kept);
            }
        }
    }

    /// Are the leaves below this MAX node evaluated before it is pushed?
    #[inline(always)]
    fn leaves_come_first<T: GameTree, M: Mode>(&self, max: &SearchNode<T, M>) -> bool {
        // Neither a watch nor what is learnt may miss its frame.
        !M::RICH && self.leaves_first && max.height == 1
    }

    /// Evaluates the first partition of a MAX node whose children are leaves, one after the other; `true` if
    /// one keeps the merit, which solves the node. Otherwise `merits` has what they are worth.
    #[inline(always)]
    fn leaf_keeps_merit<'t, T: GameTree + 't, M: Mode>(
        &self,
        who: &mut impl Applies<'t, T, M>,
        (n, children): &MaxNode<T, M>,
        merits: &mut Vec<Value>,
    ) -> Result<bool, Stop> {
        let size = self.partitions.size(children.len(), 0).min(children.len());
        let Held { open, backup, .. } = self.held;
        let backup = backup.map_or(0, |backup| backup + 1);
        who.count_entries(open - 1 + size as u64, backup);
        merits.clear();
        for number in 0..size {
            let leaf = who.search().child(n, children, number);
            let merit = (-who.leaf(&leaf)?).min(self.hi).max(self.low);
            if merit == self.hi {
                return Ok(true);
            }
            merits.push(merit);
        }
        Ok(false)
    }
}

/// What rule 4 makes of a MAX node.
pub(crate) enum Raised {
    /// It is SOLVED with this merit.
    Solved(Value),
    /// This frame, its own or one below, goes on with its next partition.
    GoesOn(FrameId),
}

/// Rule 4 for the SOLVED MIN node of a slot, child `number` of the current frame's MAX node, whose low rises to
/// `low`. `decides` says whether the child decides the node even if others are left.
#[inline(always)]
pub(crate) fn raise_low<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    tree: &mut SolutionTree<T, M>,
    path: &mut Path,
    (slot, number): (usize, usize),
    low: Value,
    decides: bool,
) -> Raised {
    let top = path.len() - 1;
    let id = path[top].0;
    path[top].1 = low;
    let frame = tree.frame_mut(id);
    frame.low = low;
    let (high, has_partition_left) = (frame.high, frame.has_partition_left());
    if low >= high || decides {
        tree.decide(search, id, number);
    }
    if low >= high {
        return Raised::Solved(high);
    }
    let below = tree.frames.last_resumable_below(id, low);
    let Some(next) = below.or(has_partition_left.then_some(id)) else {
        return Raised::Solved(low);
    };
    // Where the MAX node is SOLVED, the state leaves OPEN with its frame.
    tree.frames.remove(id, slot);
    Raised::GoesOn(next)
}

/// Pushes the next partition of a frame, the current one or one below it, `size` children.
pub(crate) fn resume<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    tree: &mut SolutionTree<T, M>,
    path: &Path,
    x: FrameId,
    size: usize,
) {
    tree.record_decisions(x, search);
    tree.resume(x, size);
    // The frames above the current one hear of it when the search goes up.
    let current = path[path.len() - 1].0;
    let mut at = x;
    while at != current {
        at = tree.frames.report_up(at);
    }
}

/// Makes the current MAX node SOLVED; if it has kept the highest merit, `hi`, its slot comes next.
#[inline(always)]
pub(crate) fn close<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    tree: &mut SolutionTree<T, M>,
    path: &mut Path,
    merit: Value,
    hi: Value,
) -> NextStep {
    let id = path[path.len() - 1].0;
    let slot = tree.frame(id).parent_slot as usize;
    tree.record_decisions(id, search);
    tree.solve(id, merit);
    path.pop();
    if merit == hi { NextStep::SolvedMax(slot) } else { NextStep::Find }
}
