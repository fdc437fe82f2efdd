//! The shape of a solution tree: who hangs where, which states are on OPEN, and with what merits.
//!
//! A [`Frame`] is an expanded MAX node of the solution tree and at the same time BACKUP's entry for
//! it; its slots are its children, MIN nodes. Nothing here knows of positions or moves: these are
//! kept beside the frames, in [`SolutionTree`](super::solution_tree::SolutionTree), so that all this
//! is compiled once for all games.

use std::ops::Range;

use plyground_core::value::{INFINITY, Value};

use super::winner_tree::{NOTHING, Slot, State, WinnerTree};

/// The number of a frame.
pub(crate) type FrameId = u32;

/// The frame that holds the whole tree: its one slot is the root (or stands above it).
pub(crate) const TOP: FrameId = 0;

pub(crate) const NONE: FrameId = FrameId::MAX;

/// An expanded MAX node on the solution tree, BACKUP's entry for it.
pub(crate) struct Frame {
    /// Its own lower bound; the effective one is the highest of this and those above.
    pub(crate) low: Value,
    pub(crate) high: Value,
    /// When it was pushed on BACKUP; 0 if it is free.
    pub(crate) pushed: u64,
    /// The ply and the height of the MIN nodes at its slots.
    pub(crate) ply: u32,
    pub(crate) height: u32,
    /// The number of the current partition, and the number of its first child.
    pub(crate) partition: usize,
    pub(crate) first: usize,
    /// The number of the first child that has not been in any partition.
    pub(crate) end: usize,
    /// The number of the first child that is none of this frame's; where the node is shared out
    /// among processes, not all children are.
    pub(crate) last: usize,
    pub(crate) slots: WinnerTree,
    /// States on OPEN that stand directly at this frame.
    pub(crate) frontier: usize,
    /// Where it hangs.
    pub(crate) parent: FrameId,
    pub(crate) parent_slot: usize,
    /// The frames directly below are a list.
    pub(crate) first_below: FrameId,
    next: FrameId,
    previous: FrameId,
}

/// A MAX node that is to be pushed.
pub(crate) struct Push {
    /// Where it hangs.
    pub(crate) parent: FrameId,
    pub(crate) slot: usize,
    /// Its ply and height.
    pub(crate) ply: u32,
    pub(crate) height: u32,
    /// Those of its children that are searched here.
    pub(crate) children: Range<usize>,
    /// Their merit.
    pub(crate) hi: Value,
    /// How many are in its first partition.
    pub(crate) size: usize,
}

/// All frames of a solution tree, and what is on the two lists.
pub(crate) struct Frames {
    frames: Vec<Frame>,
    free: Vec<FrameId>,
    /// States on OPEN.
    pub(crate) open: u64,
    /// Entries on BACKUP.
    pub(crate) backup: u64,
    /// Entries on BACKUP with partitions left.
    pub(crate) resumable: usize,
    clock: u64,
    /// What the slots take; frames are counted apart.
    pub(crate) slot_bytes: usize,
}

impl Frames {
    /// Nothing but the top frame and its one slot, which is opened.
    pub(crate) fn new() -> Frames {
        let mut frames = Frames {
            frames: Vec::new(),
            free: Vec::new(),
            open: 1,
            backup: 0,
            resumable: 0,
            clock: 0,
            slot_bytes: 0,
        };
        let top = frames.allocate();
        frames.slot_bytes += frames.frames[top as usize].start_partition(1);
        frames.frames[top as usize].slots.open(State::SolvedMax, INFINITY);
        frames
    }

    #[inline]
    pub(crate) fn get(&self, id: FrameId) -> &Frame {
        &self.frames[id as usize]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, id: FrameId) -> &mut Frame {
        &mut self.frames[id as usize]
    }

    /// How many frames there are, in use or free.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.frames.len()
    }

    #[inline]
    fn allocate(&mut self) -> FrameId {
        if let Some(id) = self.free.pop() {
            return id;
        }
        self.frames.push(Frame {
            low: -INFINITY,
            high: INFINITY,
            pushed: 0,
            ply: 0,
            height: 0,
            partition: 0,
            first: 0,
            end: 0,
            last: 1,
            slots: WinnerTree::default(),
            frontier: 0,
            parent: NONE,
            parent_slot: 0,
            first_below: NONE,
            next: NONE,
            previous: NONE,
        });
        (self.frames.len() - 1) as FrameId
    }

    /// Expands the child in hand at a slot: LIVE MAX becomes a frame with its first partition.
    #[inline]
    pub(crate) fn push(&mut self, push: Push) -> FrameId {
        let id = self.allocate();
        self.clock += 1;
        let above = &mut self.frames[push.parent as usize];
        let next = std::mem::replace(&mut above.first_below, id);
        above.frontier -= 1;
        above.slots.slots[push.slot].state = State::Expanded(id);
        let frame = &mut self.frames[id as usize];
        frame.low = -INFINITY;
        frame.high = push.hi;
        frame.pushed = self.clock;
        frame.ply = push.ply + 1;
        frame.height = push.height - 1;
        frame.partition = 0;
        frame.first = push.children.start;
        frame.last = push.children.end;
        frame.parent = push.parent;
        frame.parent_slot = push.slot;
        frame.first_below = NONE;
        frame.previous = NONE;
        frame.next = next;
        self.slot_bytes += frame.start_partition(push.size);
        self.open = self.open - 1 + frame.frontier as u64;
        self.backup += 1;
        self.resumable += usize::from(frame.has_partition_left());
        if next != NONE {
            self.frames[next as usize].previous = id;
        }
        id
    }

    /// Drops a frame with all that is below; its node is then SOLVED with `merit`.
    #[inline]
    pub(crate) fn solve(&mut self, id: FrameId, merit: Value) {
        self.purge_below(id);
        let frame = &self.frames[id as usize];
        let (parent, slot) = (frame.parent, frame.parent_slot);
        self.unlink(id);
        self.release(id);
        let above = &mut self.frames[parent as usize];
        above.frontier += 1;
        self.open += 1;
        above.slots.slots[slot].state = State::SolvedMax;
        above.slots.set(slot, merit);
    }

    /// The state at a slot leaves OPEN.
    #[inline]
    pub(crate) fn remove(&mut self, id: FrameId, slot: usize) {
        let frame = &mut self.frames[id as usize];
        frame.slots.slots[slot].state = State::Gone;
        frame.slots.set(slot, NOTHING);
        frame.frontier -= 1;
        self.open -= 1;
    }

    /// Purges what is below `id` and pushes its next partition, `size` children.
    pub(crate) fn resume(&mut self, id: FrameId, size: usize) {
        self.purge_below(id);
        let frame = &mut self.frames[id as usize];
        self.open -= frame.frontier as u64;
        frame.partition += 1;
        frame.first = frame.end;
        self.slot_bytes += frame.start_partition(size);
        self.open += frame.frontier as u64;
        self.resumable -= usize::from(!frame.has_partition_left());
    }

    /// Drops all frames below `id`. Their states leave OPEN; `id`'s own slots are left as they are.
    #[inline]
    fn purge_below(&mut self, id: FrameId) {
        if self.frames[id as usize].first_below != NONE {
            self.purge_list_below(id);
        }
    }

    /// Keeps the recursion out of the common case, in which there is nothing below.
    #[inline(never)]
    fn purge_list_below(&mut self, id: FrameId) {
        let mut next = std::mem::replace(&mut self.frames[id as usize].first_below, NONE);
        while next != NONE {
            self.purge_below(next);
            let after = self.frames[next as usize].next;
            self.release(next);
            next = after;
        }
    }

    #[inline]
    fn unlink(&mut self, id: FrameId) {
        let Frame { next, previous, parent, .. } = self.frames[id as usize];
        match previous {
            NONE => self.frames[parent as usize].first_below = next,
            _ => self.frames[previous as usize].next = next,
        }
        if next != NONE {
            self.frames[next as usize].previous = previous;
        }
    }

    #[inline]
    fn release(&mut self, id: FrameId) {
        let frame = &mut self.frames[id as usize];
        frame.pushed = 0;
        self.open -= frame.frontier as u64;
        self.backup -= 1;
        self.resumable -= usize::from(frame.has_partition_left());
        self.free.push(id);
    }

    /// Among the frames below `id`, the one pushed last that has partitions left and high > low;
    /// `low` is the effective low of `id`.
    #[inline]
    pub(crate) fn last_resumable_below(&self, id: FrameId, low: Value) -> Option<FrameId> {
        let own = usize::from(self.get(id).has_partition_left());
        if self.resumable == own || self.get(id).first_below == NONE {
            return None;
        }
        let mut last = None;
        self.find_last_resumable(id, low, &mut last);
        last
    }

    fn find_last_resumable(&self, id: FrameId, low: Value, last: &mut Option<FrameId>) {
        let mut below = self.get(id).first_below;
        while below != NONE {
            let x = self.get(below);
            let low = low.max(x.low);
            // Nothing below x has more than high(x), so where x is settled all of it is.
            if x.high > low {
                if x.has_partition_left()
                    && last.is_none_or(|best| x.pushed > self.get(best).pushed)
                {
                    *last = Some(below);
                }
                self.find_last_resumable(below, low, last);
            }
            below = x.next;
        }
    }

    /// Tells the frame above of `id`'s best merit.
    #[inline]
    pub(crate) fn report_up(&mut self, id: FrameId, merit: Value) -> FrameId {
        let frame = &self.frames[id as usize];
        let (parent, slot) = (frame.parent, frame.parent_slot);
        self.frames[parent as usize].slots.set(slot, merit);
        parent
    }

    /// Tells all frames above of `id`'s best merit.
    pub(crate) fn report_up_to_top(&mut self, mut id: FrameId) {
        while id != TOP {
            let merit = self.frames[id as usize].best().1;
            id = self.report_up(id, merit);
        }
    }

    /// Makes the LIVE state at a slot INACTIVE.
    pub(crate) fn set_aside(&mut self, id: FrameId, slot: usize, state: State) {
        let frame = &mut self.frames[id as usize];
        frame.slots.slots[slot].state = state;
        frame.slots.set(slot, NOTHING);
    }

    /// Makes an INACTIVE state ACTIVE again.
    pub(crate) fn take_up(&mut self, id: FrameId, slot: usize) {
        let frame = &mut self.frames[id as usize];
        frame.slots.set(slot, frame.slots.slots[slot].state.merit(NOTHING));
    }

    /// Drops all states below `id` whose merit is at most `h`, but for the one at slot `keep` of
    /// `id` itself.
    pub(crate) fn drop_no_better(&mut self, id: FrameId, keep: Option<usize>, h: Value) {
        // No slot that was never opened has more than the best ACTIVE state, which h is.
        let frame = &mut self.frames[id as usize];
        let fresh = frame.slots.size - frame.slots.slots.len();
        frame.frontier -= fresh;
        self.open -= fresh as u64;
        for slot in (0..self.get(id).slots.slots.len()).filter(|&slot| Some(slot) != keep) {
            let frame = self.get(id);
            match frame.slots.slots[slot].state {
                State::Gone | State::Away => {}
                State::Expanded(below) => {
                    self.drop_no_better(below, None, h);
                    let lower = self.get(below);
                    if lower.frontier == 0 && lower.first_below == NONE {
                        self.unlink(below);
                        self.release(below);
                        let frame = self.get_mut(id);
                        frame.slots.slots[slot].state = State::Gone;
                        frame.slots.slots[slot].merit = NOTHING;
                    } else {
                        let merit = self.get_mut(below).best().1;
                        self.get_mut(id).slots.slots[slot].merit = merit;
                    }
                }
                state if state.merit(frame.merit(slot)) <= h => {
                    let frame = self.get_mut(id);
                    frame.slots.slots[slot].state = State::Gone;
                    frame.slots.slots[slot].merit = NOTHING;
                    frame.frontier -= 1;
                    self.open -= 1;
                }
                _ => {}
            }
        }
        self.get_mut(id).slots.close();
    }

    /// The deepest INACTIVE state below `id`, ties leftmost.
    pub(crate) fn deepest_inactive(&self, id: FrameId) -> Option<(FrameId, usize)> {
        let mut deepest = None;
        self.find_deepest_inactive(id, &mut deepest);
        deepest.map(|(_, frame, slot)| (frame, slot))
    }

    fn find_deepest_inactive(&self, id: FrameId, deepest: &mut Option<(u32, FrameId, usize)>) {
        let frame = self.get(id);
        for (slot, &Slot { state, .. }) in frame.slots.slots.iter().enumerate() {
            let below_min = match state {
                State::Expanded(below) => {
                    self.find_deepest_inactive(below, deepest);
                    continue;
                }
                State::LiveMin(_) if frame.merit(slot) == NOTHING => 0,
                State::LiveMax(_) if frame.merit(slot) == NOTHING => 1,
                _ => continue,
            };
            let ply = frame.ply + below_min;
            if deepest.is_none_or(|(best, ..)| ply > best) {
                *deepest = Some((ply, id, slot));
            }
        }
    }

    /// How many states below `id` are INACTIVE.
    pub(crate) fn inactive(&self, id: FrameId) -> u64 {
        let frame = self.get(id);
        let count = |(slot, &Slot { state, .. }): (usize, &Slot)| match state {
            State::Expanded(below) => self.inactive(below),
            State::LiveMin(_) | State::LiveMax(_) => u64::from(frame.merit(slot) == NOTHING),
            _ => 0,
        };
        frame.slots.slots.iter().enumerate().map(count).sum()
    }

    /// A bound on the value of the MAX node of `id`, from above: what no state below can exceed, and
    /// what children not yet in the search might still be worth.
    pub(crate) fn upper_bound(&self, id: FrameId, low: Value) -> Value {
        let frame = self.get(id);
        let low = low.max(frame.low);
        if frame.has_partition_left() || !frame.slots.all_open() {
            return frame.high;
        }
        let bound = |(slot, &Slot { state, .. }): (usize, &Slot)| match state {
            State::Expanded(below) => self.upper_bound(below, low),
            state => state.merit(frame.merit(slot)),
        };
        frame.slots.slots.iter().enumerate().map(bound).fold(low, Value::max)
    }
}

impl Frame {
    /// The partition from `first` on is LIVE; returns the bytes that its slots took.
    #[inline]
    fn start_partition(&mut self, size: usize) -> usize {
        let size = size.min(self.last - self.first);
        self.end = self.first + size;
        self.frontier = size;
        self.slots.start(size)
    }

    /// Are there children that have not been in any partition yet?
    #[inline]
    pub(crate) fn has_partition_left(&self) -> bool {
        self.end < self.last
    }

    /// The number of the partition after the current one.
    pub(crate) fn next_partition(&self) -> usize {
        self.partition + 1
    }

    /// The child's number of a slot.
    #[inline]
    pub(crate) fn child_of(&self, slot: usize) -> usize {
        self.first + slot
    }

    /// The child's number of the next slot to be opened, if any is left.
    #[inline]
    pub(crate) fn fresh_child(&self) -> Option<usize> {
        (!self.slots.all_open()).then_some(self.first + self.slots.slots.len())
    }

    /// How many slots are opened.
    pub(crate) fn opened(&self) -> usize {
        self.slots.slots.len()
    }

    #[inline]
    pub(crate) fn state(&self, slot: usize) -> State {
        self.slots.slots[slot].state
    }

    /// Changes what stands at a slot on the frontier.
    #[inline]
    pub(crate) fn set(&mut self, slot: usize, state: State, merit: Value) {
        self.slots.slots[slot].state = state;
        self.slots.set(slot, merit);
    }

    #[inline]
    pub(crate) fn merit(&self, slot: usize) -> Value {
        self.slots.slots[slot].merit
    }

    /// The best opened slot, ties leftmost, or `None` if the next one to be opened is better; and its
    /// merit.
    #[inline]
    pub(crate) fn best(&mut self) -> (Option<usize>, Value) {
        let best = self.slots.best(self.high);
        (best, best.map_or(self.high, |slot| self.slots.slots[slot].merit))
    }
}
