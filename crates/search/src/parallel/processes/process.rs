//! A process of PARSSS*, PARITERSSS* or parallel PS*: the operator on a local OPEN, one turn at a
//! time.
//!
//! A process searches some children of a MAX node: the first process all of the root's, the others
//! one MIN node (PARSSS*) or a partition. Its OPEN is a [`SolutionTree`], in which the states
//! delegated to other processes keep their slots. The rules are those of PS* and, with M entries of
//! memory, of ITERSSS* (see `best_first/operator.rs`). One is added, for a SOLVED MIN node x with
//! parent i that is the first of OPEN: processes below i with no more merit than x are killed; if
//! others are left, x stays on OPEN and the process waits.
//!
//! A turn lasts until a LIVE leaf is the first of OPEN and no more leaves may be evaluated in it
//! (the leaf is put back), until the process must wait, or until it ends. On a thread a turn may
//! evaluate any number of leaves; in a simulation, at most one in a tick.

use std::sync::Arc;

use super::minproc::{Minproc, MinprocEntry};
use super::{Job, Settings, TRACE};
use crate::best_first::capacity::Capacity;
use crate::best_first::frames::{FrameId, Path, TOP};
use crate::best_first::merits::NOTHING;
use crate::best_first::rules::NextStep;
use crate::best_first::sharing::{PushedFrame, UnstartedPartitions};
use crate::best_first::slot::SlotState;
use crate::best_first::solution_tree::SolutionTree;
use crate::parallel::team::Holds;
use crate::prelude::*;

/// Why a turn is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    /// A LIVE leaf is the first of OPEN, and no more may be evaluated.
    Leaf,
    /// The process must wait for others.
    Waits,
    /// The process is SOLVED, or was killed.
    Ended,
}

/// What a process needs to take a turn.
pub(super) struct Turn<'a, 't, T: GameTree, M: Mode> {
    pub(super) search: &'a mut Search<'t, T, M>,
    pub(super) minproc: &'a Minproc<Job<T, M>>,
    pub(super) settings: &'a Settings,
    /// Its leaves, and when the table hears of them.
    pub(super) leaves: TurnLeaves<'a, T, M>,
    /// Has the turn changed anything?
    pub(super) changed: bool,
    /// What the turn has cost besides its leaves, in thousandths of a leaf.
    pub(super) cost: u64,
}

/// The leaves of a turn, and when the table hears of them. How many there may be is the tally's to say.
pub(super) struct TurnLeaves<'a, T: GameTree, M: Mode> {
    /// Those that were evaluated in this tick of a simulation, and what they are worth: the table gets
    /// them when it is over, because processes that evaluate at the same time cannot know of each other's.
    late: Option<&'a mut Vec<LateLeaf<T, M>>>,
    /// For how many the table was asked.
    asked: u64,
}

/// A leaf that the table does not know of yet, and its value.
pub(super) type LateLeaf<T, M> = (SearchNode<T, M>, Value);

impl<'a, T: GameTree, M: Mode> TurnLeaves<'a, T, M> {
    /// In a simulation the table hears of them `late`, otherwise at once.
    pub(super) fn new(late: Option<&'a mut Vec<LateLeaf<T, M>>>) -> TurnLeaves<'a, T, M> {
        TurnLeaves { late, asked: 0 }
    }

    /// What a leaf is worth to its mover.
    #[inline(always)]
    pub(super) fn value(
        &mut self,
        search: &mut Search<'_, T, M>,
        n: &SearchNode<T, M>,
    ) -> Result<Value, Stop> {
        if M::RICH { self.value_or_answer(search, n) } else { search.leaf(n) }
    }

    /// The same where a table may answer.
    fn value_or_answer(
        &mut self,
        search: &mut Search<'_, T, M>,
        n: &SearchNode<T, M>,
    ) -> Result<Value, Stop> {
        self.asked += u64::from(search.mode.has_table());
        match &mut self.late {
            Some(late) if search.mode.has_table() => match search.leaf_from_table(n)? {
                Some(value) => Ok(value),
                None => {
                    let value = search.leaf(n)?;
                    late.push((n.clone(), value));
                    Ok(value)
                }
            },
            _ => search.leaf_once(n),
        }
    }
}

impl<T: GameTree, M: Mode> Turn<'_, '_, T, M> {
    /// What a leaf is worth to its mover.
    pub(super) fn leaf(&mut self, n: &SearchNode<T, M>) -> Result<Value, Stop> {
        self.leaves.value(self.search, n)
    }

    /// May a leaf be evaluated now? One that the table answers for takes no time.
    #[inline(always)]
    pub(super) fn may_evaluate(&self) -> bool {
        self.search.tally.may_evaluate()
    }

    /// What the turn has cost besides its leaves, in thousandths of a leaf.
    pub(super) fn all_costs(&self) -> u64 {
        self.cost + self.leaves.asked * self.settings.costs.table
    }
}

/// A process with an OPEN list of its own.
pub(super) struct Process<T: GameTree, M: Mode> {
    /// MINPROC's entry for this process.
    pub(super) entry: Arc<MinprocEntry>,
    /// OPEN, as the solution tree that it describes.
    pub(super) tree: SolutionTree<T, M>,
    /// The frames from the top down to the current one, each with its effective low.
    pub(super) path: Path,
    /// The merit of the current state.
    pub(super) hi: Value,
    /// What the next turn begins with: a leaf that had to wait is still the first of OPEN.
    next: NextStep,
    /// The states that other processes work on.
    pub(super) delegated: Vec<Delegated>,
    /// The h-value in MINPROC; of the first process, which nobody reads, the least that there is.
    pub(super) published: Value,
    /// Why the h-value is higher than the merit of FIRST's choice, if it is.
    pub(super) witness: Option<Witness>,
    /// May there be states to delegate?
    pub(super) may_share: bool,
    /// The frames that may have LIVE MIN nodes to delegate.
    pub(super) shareable: Vec<PushedFrame>,
    /// How many frames were shareable at the last check.
    pub(super) checked_shareable: usize,
    /// The frames that may have a partition left, and what they may be worth at the most.
    pub(super) unstarted: UnstartedPartitions,
    /// What it waits for: the h-values of the processes below this frame must fall to this merit.
    pub(super) waits: Option<(FrameId, Value)>,
    /// M, and b, the most children of a MAX node so far.
    pub(super) capacity: Capacity,
    /// The number of the best child so far, of those that it searches.
    pub(super) best: usize,
    /// What the team counts as held by this process, and how far the lists had grown then.
    pub(super) held: Holds,
    pub(super) growth: usize,
    /// What the leaves of the MAX node that is looked at are worth.
    pub(super) leaves: Vec<Value>,
}

/// A state that another process works on.
pub(super) struct Delegated {
    pub(super) entry: Arc<MinprocEntry>,
    pub(super) frame: FrameId,
    pub(super) slot: usize,
    /// Is it a partition? Otherwise it is a single MIN node.
    pub(super) partition: bool,
}

/// Why an h-value has not fallen to the merit of FIRST's choice.
pub(super) enum Witness {
    /// The h-value of a process below is as high.
    Process(Arc<MinprocEntry>),
    /// An unstarted partition may be worth as much: its frame, and when the frame was pushed.
    Partition(FrameId, u64),
}

impl<T: GameTree, M: Mode> Process<T, M> {
    /// A process that begins with `job`.
    pub(super) fn new(
        job: Job<T, M>,
        turn: &mut Turn<'_, '_, T, M>,
    ) -> Result<Process<T, M>, Stop> {
        let Job { max, children, entry } = job;
        let (high, low) = (entry.h(), entry.low());
        let (first, n) = (entry.is_first(), children.len());
        let mut process = Process {
            tree: SolutionTree::new(turn.search.depth, turn.settings.is_bounded(), INFINITY),
            path: vec![(TOP, low)],
            hi: high,
            next: NextStep::Find,
            delegated: Vec::new(),
            // No process reads the first one's.
            published: if first { NOTHING } else { high },
            witness: None,
            may_share: false,
            shareable: Vec::new(),
            checked_shareable: 0,
            unstarted: UnstartedPartitions::default(),
            waits: None,
            capacity: turn.settings.capacity(max.width),
            best: children.start,
            held: Holds::default(),
            growth: 0,
            leaves: Vec::new(),
            entry,
        };
        // The first process divides the root's children into partitions; the others search all
        // theirs.
        let size = if first { turn.settings.partitions.size(n, 0) } else { n };
        if first {
            TRACE.live(turn.search, &max.n, high, "push its partition");
            if !process.capacity.fits(1, n) && !process.may_exceed(turn) {
                return Err(process.locked(turn));
            }
            turn.search.count_expansion(&max.n, n)?;
        }
        let height = max.n.height;
        let below = process.tree.push_some(&max, children, high, size);
        process.enter(turn, below, height)?;
        Ok(process)
    }

    /// One turn.
    pub(super) fn run(&mut self, turn: &mut Turn<'_, '_, T, M>) -> Result<Pause, Stop> {
        self.waits = None;
        let mut next = std::mem::replace(&mut self.next, NextStep::Find);
        loop {
            if self.entry.needs_attention() {
                if self.entry.is_killed() {
                    return Ok(Pause::Ended);
                }
                if self.take_back_results(turn) {
                    next = NextStep::Find;
                }
            }
            if let NextStep::Find = next {
                let (id, slot, merit) = self.tree.frames.ascend(&mut self.path, self.hi);
                if merit != self.hi {
                    self.hi = merit;
                    self.read_low();
                }
                // Checked each time: a process that has waited for this may be woken for another
                // reason.
                if merit == NOTHING {
                    if self.wait_or_reactivate(turn)? {
                        return Ok(Pause::Waits);
                    }
                    continue;
                }
                let (_, slot, state) = self.tree.frames.descend(&mut self.path, (id, slot), merit);
                next = NextStep::of(slot, state);
            }
            let (id, low) = self.path[self.path.len() - 1];
            // The step is for FIRST's choice.
            self.publish(turn, self.hi);
            if !turn.settings.endless && !turn.may_evaluate() && self.is_live_leaf(turn, id, next) {
                self.next = next;
                return Ok(Pause::Leaf);
            }
            if self.may_share && turn.minproc.free() > 0 && self.share(turn, Some((id, next))) {
                next = NextStep::Find;
                continue;
            }
            self.emit_open(turn);
            next = match next {
                NextStep::Find => unreachable!("the first state is found"),
                NextStep::LiveMins => self.live_mins(turn, id, low)?,
                NextStep::Reactivated(slot) if !self.tree.frames.slot(id, slot).has_min() => {
                    self.some_live_mins(turn, id, slot..slot + 1, low)?
                }
                NextStep::Reactivated(slot) => self.expand_reactivated(turn, id, slot, low)?,
                NextStep::SolvedMax(slot) => self.solved_max(turn, id, slot, low)?,
                NextStep::SolvedMin(_) if id == TOP => {
                    self.solved(turn, self.hi);
                    return Ok(Pause::Ended);
                }
                NextStep::SolvedMin(slot) => match self.solved_min(turn, id, slot)? {
                    Some(next) => next,
                    None => return Ok(Pause::Waits),
                },
            };
            turn.changed = true;
        }
    }

    #[inline]
    pub(super) fn descend(&mut self, below: FrameId) {
        let low = self.path[self.path.len() - 1].1.max(self.tree.frame(below).low);
        self.path.push((below, low));
    }

    /// Reads low, which the processes above may have raised, and passes it on to those below.
    fn read_low(&mut self) {
        let low = self.entry.low();
        if low > self.path[0].1 {
            // It holds for the frame below the top too, where the search for the first state has ended.
            self.path.iter_mut().for_each(|(_, effective)| *effective = low.max(*effective));
            self.delegated.iter().for_each(|delegated| delegated.entry.raise_low(low));
        }
    }

    /// Is the first of OPEN, a state in the frame `id`, a LIVE leaf?
    fn is_live_leaf(&mut self, turn: &mut Turn<'_, '_, T, M>, id: FrameId, next: NextStep) -> bool {
        let has_min = |slot| self.tree.frames.slot(id, slot).has_min();
        let live_min = match next {
            NextStep::LiveMins => self.tree.frame(id).opened(),
            NextStep::Reactivated(slot) if self.tree.frames.slot(id, slot).is_live_min() => {
                if has_min(slot) {
                    return false;
                }
                slot
            }
            // Without a bound on memory, only leaves are put back.
            NextStep::Reactivated(_) if !turn.settings.is_bounded() => return true,
            NextStep::Reactivated(slot) => {
                let Some(min) = self.tree.min(turn.search, id, slot) else { return false };
                let n = self.tree.child_of_min(turn.search, &min, min.child);
                return turn.search.generate(&n).is_none();
            }
            _ => return false,
        };
        if id == TOP {
            return false;
        }
        let child = self.tree.frame(id).child_of(live_min);
        let n = self.tree.child_of_max(turn.search, id, &self.tree.max(id), child);
        turn.search.generate(&n).is_none()
    }

    /// Ends the process: its node is SOLVED.
    fn solved(&mut self, turn: &mut Turn<'_, '_, T, M>, value: Value) {
        for delegated in self.delegated.drain(..) {
            turn.kill(&delegated.entry);
        }
        // This must come before the process above takes the node back.
        self.leave(turn);
        if self.entry.is_first() {
            TRACE.solved_root(turn.search, value);
        }
        turn.minproc.solve(&self.entry, value, self.best as u32);
    }

    /// The most that the process's node can be worth, when the search is stopped.
    pub(super) fn upper_bound(&self) -> Value {
        let own = match self.tree.frames.state(TOP, 0) {
            SlotState::Expanded(root) => self.tree.frames.upper_bound(root, -INFINITY),
            _ => INFINITY,
        };
        self.delegated.iter().map(|delegated| delegated.entry.h()).fold(own, Value::max)
    }

    #[inline]
    fn emit_open(&mut self, turn: &mut Turn<'_, '_, T, M>) {
        if turn.search.is_watched() {
            let tree = &self.tree;
            turn.search.emit_at_root(|| tree.listed());
        }
    }
}
