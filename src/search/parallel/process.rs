//! A process of PARSSS*, PARITERSSS* or parallel PS*: the operator on a local OPEN, one turn at a
//! time.
//!
//! What a process searches are some children of a MAX node: all of the root's, for the first one; one
//! MIN node, in PARSSS*; a partition. Its OPEN is a [`SolutionTree`], in which what it has given away
//! to others keeps its slot. The rules are those of PS* (see `best_first/phased.rs`) with what M
//! entries of memory ask for (ITERSSS*, see `parallel.rs`), and with this for the SOLVED MIN node x
//! with the parent i that stands first on OPEN: processes below i with no more merit than x are
//! killed; if others are left, x stays where it is and the process waits.
//!
//! A turn goes on until a LIVE leaf stands first on OPEN and no more leaves may be evaluated in it
//! (the leaf is put back), until the process must wait, or until it ends. A thread takes turns
//! without end, a simulation takes them in ticks.

use std::sync::Arc;

use super::crew::Holds;
use super::minproc::{Desk, Minproc};
use super::{Job, Rules};
use crate::limits::Stop;
use crate::search::best_first::contest::{NOTHING, State};
use crate::search::best_first::solution_tree::{BlockId, Min, SolutionTree, TOP};
use crate::search::best_first::teller::{Side, Teller};
use crate::search::{Children, Event, MemoryLock, Place, Probe, Search, Setting};
use crate::value::{Bounds, INFINITY, Value};

const TELLER: Teller = Teller::of(Side::Max);

/// Why a turn is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    /// A LIVE leaf stands first on OPEN, and no more may be evaluated.
    Leaf,
    /// Nothing can be done before others come on.
    Waits,
    /// The process is SOLVED, or was killed.
    Ended,
}

/// What a process needs to take a turn.
pub(super) struct Turn<'a, 't, S: Setting> {
    pub(super) search: &'a mut Search<'t, S>,
    pub(super) minproc: &'a Minproc<Job<S>>,
    pub(super) rules: &'a Rules,
    /// How many leaves it may evaluate.
    pub(super) leaves: u64,
    /// Has anything been done?
    pub(super) changed: bool,
}

impl<S: Setting> Turn<'_, '_, S> {
    fn leaf(&mut self, n: &Place<S>) -> Result<Value, Stop> {
        let before = self.search.evaluations;
        let value = self.search.leaf_once(n)?;
        // What the table answers takes no time.
        self.leaves -= self.search.evaluations - before;
        Ok(value)
    }
}

pub(super) struct Process<S: Setting> {
    pub(super) desk: Arc<Desk>,
    pub(super) tree: SolutionTree<S>,
    /// The blocks from the top down to the one in hand, each with its effective low.
    pub(super) path: Vec<(BlockId, Value)>,
    /// The merit of the state in hand.
    pub(super) hi: Value,
    /// What others search below this one.
    pub(super) away: Vec<Away>,
    /// What stands at the desk as its h-value, and why, if the reason is not FIRST's choice.
    pub(super) published: Value,
    pub(super) witness: Option<Witness>,
    /// May there be something to give away?
    pub(super) unshared: bool,
    /// Where it waits: the processes below this block must come to this merit.
    pub(super) waits: Option<(BlockId, Value)>,
    /// The most children of a MAX node met so far: b.
    widest: usize,
    /// The child, of those it searches, that is best so far.
    best: usize,
    held: Holds,
}

/// A state that another process works on.
pub(super) struct Away {
    pub(super) desk: Arc<Desk>,
    pub(super) block: BlockId,
    pub(super) slot: usize,
    /// Is it a partition, or a single MIN node?
    pub(super) partition: bool,
}

/// Why an h-value has not fallen with FIRST's choice.
pub(super) enum Witness {
    /// A process below has as much.
    Process(Arc<Desk>),
    /// A partition not yet begun may be worth as much: its block, and when that was pushed.
    Partition(BlockId, u64),
}

/// Rule 2 for a MAX leaf worth `s`: it is SOLVED, or its parent is if that is no more than `low`.
#[inline]
fn solved_leaf(s: Value, low: Value) -> (State, Value) {
    if s > low { (State::SolvedMax, s) } else { (State::SolvedMin, low) }
}

impl<S: Setting> Process<S> {
    /// A process that begins with `job`.
    pub(super) fn new(job: Job<S>, turn: &mut Turn<'_, '_, S>) -> Result<Process<S>, Stop> {
        let Job { max, children, desk } = job;
        let (high, low) = (desk.h(), desk.low());
        let (first, n) = (desk.is_first(), children.len());
        let mut process = Process {
            tree: SolutionTree::new(None),
            path: vec![(TOP, low)],
            hi: high,
            away: Vec::new(),
            published: high,
            witness: None,
            unshared: false,
            waits: None,
            widest: max.1.len(),
            best: children.start,
            held: Holds::default(),
            desk,
        };
        // The first process has just expanded its node, and all are in its first partition or left.
        let size = if first { turn.rules.partitions.size(n, 0) } else { n };
        if first {
            TELLER.live(turn.search, &max.0, high, "push its partition");
            if !process.fits(turn, n) && !process.may_exceed(turn) {
                return Err(process.locked(turn));
            }
            turn.search.count_expansion(&max.0)?;
        }
        let height = max.0.height;
        let below = process.tree.push_some(TOP, 0, max, children, high, size);
        process.enter(turn, below, height)?;
        Ok(process)
    }

    /// One turn.
    pub(super) fn run(&mut self, turn: &mut Turn<'_, '_, S>) -> Result<Pause, Stop> {
        self.waits = None;
        loop {
            if self.desk.is_disturbed() {
                if self.desk.is_killed() {
                    return Ok(Pause::Ended);
                }
                self.take_in(turn);
            }
            let (block, low) = self.path[self.path.len() - 1];
            let b = self.tree.block_mut(block);
            let (best, merit) = b.best();
            if merit != self.hi {
                // As for PS*: the lowest block that holds the best state of all.
                if block != TOP {
                    self.tree.report_up(block, merit);
                    self.path.pop();
                    continue;
                }
                self.hi = merit;
                self.look_at_low();
                if merit == NOTHING {
                    if self.nothing_is_active(turn)? {
                        return Ok(Pause::Waits);
                    }
                    continue;
                }
            }
            let x = best.map(|slot| (slot, self.tree.block(block).state(slot)));
            if let Some((_, State::Expanded(below))) = x {
                self.descend(below);
                continue;
            }
            // x is FIRST's choice.
            self.publish(turn, merit);
            if turn.leaves == 0 && self.is_live_leaf(turn, block, x) {
                return Ok(Pause::Leaf);
            }
            if self.unshared && turn.minproc.free() > 0 && self.share(turn, block, x) {
                continue;
            }
            self.tell_open(turn);
            match x {
                None => self.live_min(turn, block, None, low)?,
                Some((slot, State::LiveMin(_))) if self.tree.block(block).min(slot).is_none() => {
                    self.live_min(turn, block, Some(slot), low)?;
                }
                Some((slot, state @ (State::LiveMin(_) | State::LiveMax(_)))) => {
                    self.take_up_again(turn, block, slot, state, low)?;
                }
                Some((slot, State::SolvedMax)) => self.solved_max(turn, block, slot, low)?,
                Some((_, State::SolvedMin)) if block == TOP => {
                    self.solved(turn, merit);
                    return Ok(Pause::Ended);
                }
                Some((slot, State::SolvedMin | State::Returned(_))) => {
                    if self.solved_min(turn, block, slot)? {
                        return Ok(Pause::Waits);
                    }
                }
                Some((_, State::Gone | State::Away | State::Expanded(_))) => {
                    unreachable!("what has left OPEN is never the best")
                }
            }
            turn.changed = true;
        }
    }

    #[inline]
    fn descend(&mut self, below: BlockId) {
        let low = self.path[self.path.len() - 1].1.max(self.tree.block(below).low);
        self.path.push((below, low));
    }

    /// Whoever is above may have raised low.
    fn look_at_low(&mut self) {
        let low = self.desk.low();
        if low > self.path[0].1 {
            self.path[0].1 = low;
            self.away.iter().for_each(|away| away.desk.raise_low(low));
        }
    }

    /// Is x, the first of OPEN, a LIVE leaf? `None` stands for the next fresh child of `block`.
    fn is_live_leaf(
        &mut self,
        turn: &mut Turn<'_, '_, S>,
        block: BlockId,
        x: Option<(usize, State)>,
    ) -> bool {
        let b = self.tree.block(block);
        let (parent, child) = match x {
            Some((slot, State::LiveMax(_))) => match b.min(slot) {
                Some(min) => ((&min.n, &min.brothers), min.brother),
                None => return false,
            },
            Some((slot, State::LiveMin(_))) if b.min(slot).is_some() => return false,
            None | Some((_, State::LiveMin(_))) => {
                let slot = x.map_or(b.opened(), |(slot, _)| slot);
                match &b.max {
                    Some((max, brothers)) => ((max, brothers), b.child_of(slot)),
                    None => return false,
                }
            }
            Some(_) => return false,
        };
        let n = turn.search.child(parent.0, parent.1, child);
        turn.search.generate(&n).is_none()
    }

    /// Rules 1 and 2 for a LIVE MIN node: the next fresh child of the block, or the one at a slot.
    fn live_min(
        &mut self,
        turn: &mut Turn<'_, '_, S>,
        block: BlockId,
        slot: Option<usize>,
        low: Value,
    ) -> Result<(), Stop> {
        let b = self.tree.block(block);
        let hi = b.high;
        let child = b.child_of(slot.unwrap_or(b.opened()));
        let (max, brothers) = b.max.as_ref().expect("the top block has no LIVE MIN node");
        let n = turn.search.child(max, brothers, child);
        let Some(brothers) = turn.search.generate(&n) else {
            TELLER.live(turn.search, &n, hi, "evaluate");
            let merit = (-turn.leaf(&n)?).min(hi).max(low);
            let b = self.tree.block_mut(block);
            match slot {
                None => b.open_leaf(merit),
                Some(slot) => b.set(slot, State::SolvedMin, merit),
            }
            return Ok(());
        };
        let first = turn.search.child(&n, &brothers, 0);
        let sons = turn.search.generate(&first);
        if self.is_too_wide(turn, sons.as_ref()) {
            turn.search.tell(n.mark, || Event::Activity { active: false });
            self.open(block, slot, State::LiveMin(hi), NOTHING, Min::new(n, brothers));
            self.unshared = true;
            return Ok(());
        }
        TELLER.live(turn.search, &n, hi, "push its first child");
        turn.search.count_expansion(&n)?;
        let slot = self.open(block, slot, State::SolvedMax, hi, Min::new(n, brothers));
        self.live_max(turn, block, slot, (first, sons), hi, low)
    }

    /// A MIN node is expanded: on the next fresh slot, or on the one it stands at.
    fn open(
        &mut self,
        block: BlockId,
        slot: Option<usize>,
        state: State,
        merit: Value,
        min: Min<S>,
    ) -> usize {
        let b = self.tree.block_mut(block);
        match slot {
            None => b.open_slot(state, merit, min),
            Some(slot) => {
                b.set_min(slot, min);
                b.set(slot, state, merit);
                slot
            }
        }
    }

    /// Rules 1 and 2 for the LIVE MAX node `n` at a slot: expanded without a test, or a leaf, which
    /// is put back if no more may be evaluated.
    #[inline]
    fn live_max(
        &mut self,
        turn: &mut Turn<'_, '_, S>,
        block: BlockId,
        slot: usize,
        (n, sons): (Place<S>, Option<Children<S>>),
        hi: Value,
        low: Value,
    ) -> Result<(), Stop> {
        if let Some(sons) = sons {
            TELLER.live(turn.search, &n, hi, "push its partition");
            turn.search.count_expansion(&n)?;
            let (height, size) = (n.height, turn.rules.partitions.size(sons.len(), 0));
            let below = self.tree.push(block, slot, (n, sons), hi, size);
            return self.enter(turn, below, height);
        }
        if turn.leaves == 0 {
            self.tree.block_mut(block).set(slot, State::LiveMax(hi), hi);
            return Ok(());
        }
        TELLER.live(turn.search, &n, hi, "evaluate");
        let s = turn.leaf(&n)?.min(hi);
        let b = self.tree.block_mut(block);
        if s < hi
            && let Some(min) = b.min_mut(slot)
        {
            min.answer = min.brother;
        }
        let (state, merit) = solved_leaf(s, low);
        b.set(slot, state, merit);
        Ok(())
    }

    /// A block has been pushed for a MAX node of this height.
    #[inline]
    fn enter(
        &mut self,
        turn: &mut Turn<'_, '_, S>,
        below: BlockId,
        height: u32,
    ) -> Result<(), Stop> {
        self.descend(below);
        self.unshared |= height > turn.rules.spawn_height;
        self.count(turn)
    }

    /// A node that was set aside is the best again, or a leaf that was put back: it expands without
    /// the test, if M is enough by the formula.
    fn take_up_again(
        &mut self,
        turn: &mut Turn<'_, '_, S>,
        block: BlockId,
        slot: usize,
        state: State,
        low: Value,
    ) -> Result<(), Stop> {
        let b = self.tree.block(block);
        let hi = b.merit(slot);
        let min = b.min(slot).expect("only interior MIN nodes are set aside");
        if matches!(state, State::LiveMin(_)) {
            turn.search.count_expansion(&min.n)?;
        }
        let n = turn.search.child(&min.n, &min.brothers, min.brother);
        let sons = turn.search.generate(&n);
        if self.is_too_wide(turn, sons.as_ref()) && !self.may_exceed(turn) {
            return Err(self.locked(turn));
        }
        self.live_max(turn, block, slot, (n, sons), hi, low)
    }

    /// Rule 3.
    fn solved_max(
        &mut self,
        turn: &mut Turn<'_, '_, S>,
        block: BlockId,
        slot: usize,
        low: Value,
    ) -> Result<(), Stop> {
        let b = self.tree.block_mut(block);
        let hi = b.merit(slot);
        let Some(min) = b.min_mut(slot) else {
            // The node this process is of: what stands above it is SOLVED too.
            b.set(slot, State::SolvedMin, hi);
            return Ok(());
        };
        let goes_on = hi > low && min.brother + 1 < min.brothers.len();
        TELLER.solved_max(turn.search, min, hi, goes_on);
        if !goes_on {
            b.set(slot, State::SolvedMin, hi);
            return Ok(());
        }
        min.brother += 1;
        let next = turn.search.child(&min.n, &min.brothers, min.brother);
        let sons = turn.search.generate(&next);
        if self.is_too_wide(turn, sons.as_ref()) {
            turn.search.tell(next.mark, || Event::Activity { active: false });
            self.tree.set_aside(block, slot, State::LiveMax(hi));
            return Ok(());
        }
        self.live_max(turn, block, slot, (next, sons), hi, low)
    }

    /// Rule 4, after what is away or set aside below the parent has been seen to; `true` if the
    /// process must wait.
    fn solved_min(
        &mut self,
        turn: &mut Turn<'_, '_, S>,
        block: BlockId,
        slot: usize,
    ) -> Result<bool, Stop> {
        let top = self.path.len() - 1;
        let b = self.tree.block(block);
        let hi = b.merit(slot);
        let child = match b.state(slot) {
            State::Returned(child) => child as usize,
            _ => b.child_of(slot),
        };
        let low = self.path[top].1.max(hi);
        if top == 1 && hi > self.path[top].1 {
            self.best = child;
            if let (true, Some((_, brothers))) = (self.desk.is_first(), &b.max) {
                turn.search.best = Some(brothers.mv(child));
                turn.search.learnt(Bounds { lower: hi, ..Bounds::UNKNOWN });
            }
        }
        let others_are_left = self.kill_no_better(turn, block, low);
        if turn.rules.is_bounded() {
            self.tree.drop_no_better(block, Some(slot), hi);
            if let Some((y, slot)) = self.tree.deepest_inactive(block) {
                self.reactivate(turn, y, slot);
                return Ok(false);
            }
        }
        if others_are_left {
            // What has no more merit is of no use, whatever comes of the others.
            if turn.rules.is_phased() {
                self.tree.block_mut(block).low = low;
                self.path[top].1 = low;
            } else {
                self.tree.drop_no_better(block, Some(slot), hi);
            }
            self.waits = Some((block, low));
            let root = turn.search.probe.root();
            turn.search.tell(root, || Event::Waits);
            return Ok(true);
        }
        let b = self.tree.block(block);
        if let Some((max, _)) = &b.max {
            TELLER.solved_min(turn.search, max, child, hi, "raise low of its parent");
        }
        self.tree.remove(block, slot);
        let b = self.tree.block_mut(block);
        b.low = low;
        let high = b.high;
        self.path[top].1 = low;
        if (low >= high || turn.rules.is_bounded())
            && let Some((max, brothers)) = &self.tree.block(block).max
        {
            turn.search.decide(max, brothers, child);
        }
        if low >= high {
            self.close(turn, block, high);
        } else if let Some(x) = self.tree.last_resumable_below(block, low) {
            self.resume(turn, x)?;
        } else if self.tree.block(block).has_partition_left() {
            self.resume(turn, block)?;
        } else {
            self.close(turn, block, low);
        }
        Ok(false)
    }

    /// The MAX node in hand is SOLVED.
    fn close(&mut self, turn: &mut Turn<'_, '_, S>, block: BlockId, merit: Value) {
        self.tree.learn(block, turn.search);
        self.tree.solve(block, merit);
        self.path.pop();
    }

    fn resume(&mut self, turn: &mut Turn<'_, '_, S>, x: BlockId) -> Result<(), Stop> {
        let b = self.tree.block(x);
        let (max, brothers) = b.max.as_ref().expect("the top block is never resumed");
        let size = turn.rules.partitions.size(brothers.len(), b.next_partition());
        let (mark, merit) = (max.mark, b.high);
        self.unshared |= max.height > turn.rules.spawn_height;
        turn.search.tell(mark, || Event::Resumed { merit });
        self.tree.learn(x, turn.search);
        self.tree.resume(x, size);
        // The new states may have more merit than any other: start from the top again.
        self.tree.report_up_to_top(x);
        self.path.truncate(1);
        self.count(turn)
    }

    /// Its node is SOLVED.
    fn solved(&mut self, turn: &mut Turn<'_, '_, S>, value: Value) {
        for away in self.away.drain(..) {
            turn.minproc.kill(&away.desk);
        }
        if self.desk.is_first() {
            TELLER.solved_root(turn.search, value);
        }
        turn.minproc.solve(&self.desk, value, self.best as u32);
    }

    /// Do `sons` entries fit in the place of the state in hand?
    fn fits(&mut self, turn: &Turn<'_, '_, S>, sons: usize) -> bool {
        self.widest = self.widest.max(sons);
        turn.rules.entries.is_none_or(|entries| self.tree.open - 1 + sons as u64 <= entries)
    }

    fn is_too_wide(&mut self, turn: &Turn<'_, '_, S>, sons: Option<&Children<S>>) -> bool {
        turn.rules.is_bounded() && sons.is_some_and(|sons| !self.fits(turn, sons.len()))
    }

    /// ⌈d/2⌉(b - 1) + 1
    fn enough(&self, turn: &Turn<'_, '_, S>) -> u64 {
        u64::from(turn.search.depth.div_ceil(2)) * (self.widest as u64 - 1) + 1
    }

    fn may_exceed(&self, turn: &Turn<'_, '_, S>) -> bool {
        turn.rules.entries.is_none_or(|entries| entries >= self.enough(turn))
    }

    fn locked(&mut self, turn: &mut Turn<'_, '_, S>) -> Stop {
        turn.search.lock = Some(MemoryLock {
            entries: turn.rules.entries.unwrap_or(u64::MAX),
            held: self.tree.open,
            inactive: self.tree.inactive(TOP),
            width: self.widest as u64,
            depth: turn.search.depth,
            least: self.enough(turn),
        });
        Stop::Locked
    }

    fn reactivate(&mut self, turn: &mut Turn<'_, '_, S>, block: BlockId, slot: usize) {
        if let Some(min) = self.tree.block(block).min(slot) {
            turn.search.tell(min.n.mark, || Event::Activity { active: true });
        }
        self.tree.take_up(block, slot);
        self.tree.report_up_to_top(block);
        self.path.truncate(1);
        turn.changed = true;
    }

    /// With no ACTIVE state left: waits for what is away (`true`), or takes up the deepest INACTIVE
    /// state.
    fn nothing_is_active(&mut self, turn: &mut Turn<'_, '_, S>) -> Result<bool, Stop> {
        self.publish(turn, NOTHING);
        if !self.away.is_empty() {
            self.waits = Some((TOP, NOTHING));
            return Ok(true);
        }
        match self.tree.deepest_inactive(TOP) {
            Some((block, slot)) if self.may_exceed(turn) => {
                self.reactivate(turn, block, slot);
                Ok(false)
            }
            _ => Err(self.locked(turn)),
        }
    }

    /// What it holds has grown.
    #[inline]
    fn count(&mut self, turn: &mut Turn<'_, '_, S>) -> Result<(), Stop> {
        turn.search.peak_process = turn.search.peak_process.max(self.tree.open);
        let backup = if turn.rules.is_bounded() { 0 } else { self.tree.backup as usize };
        let open = self.tree.open as usize - self.away.len();
        let now = Holds { open, backup, bytes: self.tree.bytes() };
        let grown = now.bytes > self.held.bytes;
        let step = turn.rules.count_step;
        if grown || now.open > self.held.open + step || now.open + 2 * step < self.held.open {
            self.hold(turn, now);
        }
        if grown {
            turn.search.check_bytes()?;
        }
        Ok(())
    }

    fn hold(&mut self, turn: &mut Turn<'_, '_, S>, now: Holds) {
        if let Some(crew) = &turn.search.crew {
            crew.holds(self.held, now);
            self.held = now;
        }
    }

    /// The process is over: it holds nothing any more.
    pub(super) fn leave(mut self, turn: &mut Turn<'_, '_, S>) {
        self.hold(turn, Holds::default());
    }

    /// The search stops: what can the first process's node be worth at most?
    pub(super) fn upper_bound(&self) -> Value {
        let own = match self.tree.block(TOP).state(0) {
            State::Expanded(root) => self.tree.upper_bound(root, -INFINITY),
            _ => INFINITY,
        };
        self.away.iter().map(|away| away.desk.h()).fold(own, Value::max)
    }

    #[inline]
    fn tell_open(&mut self, turn: &mut Turn<'_, '_, S>) {
        if S::Probe::LISTENS {
            let root = turn.search.probe.root();
            let tree = &self.tree;
            turn.search.tell(root, || tree.listed(root));
        }
    }
}
