//! The shape of a solution tree: its links, which states are on OPEN, and their merits.
//!
//! A [`Frame`] is an expanded MAX node of the solution tree and at the same time BACKUP's entry for
//! it; its slots are its children, MIN nodes. Nothing here knows of positions or moves. They are
//! kept beside the frames, in [`SolutionTree`](super::solution_tree::SolutionTree), so that this
//! module is compiled once for all games.

use std::ops::Range;

use plyground_core::value::{INFINITY, Value};

use super::winner_tree::{NOTHING, Slot, SlotState, WinnerTree};

/// The number of a frame.
pub(crate) type FrameId = u32;

/// The frame above the whole tree: its one slot is the root, or a MIN node above the root.
pub(crate) const TOP: FrameId = 0;

/// No frame.
pub(crate) const NONE: FrameId = FrameId::MAX;

/// An expanded MAX node on the solution tree, BACKUP's entry for it.
pub(crate) struct Frame {
    /// Its own lower bound. The *effective low* is the highest of this and the lows of all frames
    /// above.
    pub(crate) low: Value,
    /// Its upper bound: the merit with which it was expanded.
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
    /// The end of the range of children that this frame searches: where processes share the node,
    /// they are not all of its children.
    pub(crate) last: usize,
    pub(crate) slots: WinnerTree,
    /// How many states on OPEN are slots of this frame.
    pub(crate) frontier: usize,
    /// The frame above, and the slot of it that this frame belongs to.
    pub(crate) parent: FrameId,
    pub(crate) parent_slot: usize,
    /// The frames directly below form a linked list.
    pub(crate) first_below: FrameId,
    next: FrameId,
    previous: FrameId,
}

/// A MAX node that is to be pushed.
pub(crate) struct NewFrame {
    /// The frame above, and the slot of it that the new frame belongs to.
    pub(crate) parent: FrameId,
    pub(crate) slot: usize,
    /// The node's ply and height.
    pub(crate) ply: u32,
    pub(crate) height: u32,
    /// Those of its children that are searched here.
    pub(crate) children: Range<usize>,
    /// Their merit.
    pub(crate) hi: Value,
    /// How many are in the first partition.
    pub(crate) size: usize,
}

/// All frames of a solution tree, and the sizes of OPEN and BACKUP.
pub(crate) struct Frames {
    frames: Vec<Frame>,
    free: Vec<FrameId>,
    /// How many states are on OPEN.
    pub(crate) open: u64,
    /// How many entries are on BACKUP.
    pub(crate) backup: u64,
    /// How many entries on BACKUP have partitions left.
    pub(crate) resumable: usize,
    /// How many frames were ever pushed.
    clock: u64,
    /// The bytes that slots take, besides the frames themselves.
    pub(crate) slot_bytes: usize,
}

impl Frames {
    /// The top frame and its one slot, which is opened.
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
        frames.frames[top as usize].slots.open(SlotState::SolvedMax, INFINITY);
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

    /// Expands the current child of a slot: a LIVE MAX node becomes a frame with its first
    /// partition.
    #[inline]
    pub(crate) fn push(&mut self, push: NewFrame) -> FrameId {
        let id = self.allocate();
        self.clock += 1;
        let above = &mut self.frames[push.parent as usize];
        let next = std::mem::replace(&mut above.first_below, id);
        above.frontier -= 1;
        above.slots.slots[push.slot].state = SlotState::Expanded(id);
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

    /// Drops a frame with everything below; its node is then SOLVED with `merit`.
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
        above.slots.slots[slot].state = SlotState::SolvedMax;
        above.slots.set(slot, merit);
    }

    /// Takes the state of a slot off OPEN.
    #[inline]
    pub(crate) fn remove(&mut self, id: FrameId, slot: usize) {
        let frame = &mut self.frames[id as usize];
        frame.slots.slots[slot].state = SlotState::Gone;
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

    /// Drops all frames below `id`. Their states leave OPEN; the slots of `id` itself do not
    /// change.
    #[inline]
    fn purge_below(&mut self, id: FrameId) {
        if self.frames[id as usize].first_below != NONE {
            self.purge_list_below(id);
        }
    }

    /// A function of its own, to keep the recursion out of the common case of nothing below.
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

    /// Among the frames below `id` with partitions left and high > low, the one pushed last; `low`
    /// is the effective low of `id`.
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
            // Nothing below x is worth more than high(x), so if x is settled, all below it is.
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

    /// Reports the best merit of `id` to the frame above, and returns that frame.
    #[inline]
    pub(crate) fn report_up(&mut self, id: FrameId, merit: Value) -> FrameId {
        let frame = &self.frames[id as usize];
        let (parent, slot) = (frame.parent, frame.parent_slot);
        self.frames[parent as usize].slots.set(slot, merit);
        parent
    }

    /// Reports the best merit of `id` to all frames above.
    pub(crate) fn report_up_to_top(&mut self, mut id: FrameId) {
        while id != TOP {
            let merit = self.frames[id as usize].best().1;
            id = self.report_up(id, merit);
        }
    }

    /// Makes the LIVE state of a slot INACTIVE.
    pub(crate) fn deactivate(&mut self, id: FrameId, slot: usize, state: SlotState) {
        let frame = &mut self.frames[id as usize];
        frame.slots.slots[slot].state = state;
        frame.slots.set(slot, NOTHING);
    }

    /// Makes an INACTIVE state ACTIVE again.
    pub(crate) fn reactivate(&mut self, id: FrameId, slot: usize) {
        let frame = &mut self.frames[id as usize];
        frame.slots.set(slot, frame.slots.slots[slot].state.merit(NOTHING));
    }

    /// Drops all states below `id` with a merit of at most `h`, except the one in slot `keep` of
    /// `id` itself.
    pub(crate) fn drop_no_better(&mut self, id: FrameId, keep: Option<usize>, h: Value) {
        // h is the merit of the best ACTIVE state, and no unopened slot has more.
        let frame = &mut self.frames[id as usize];
        let unopened = frame.slots.size - frame.slots.slots.len();
        frame.frontier -= unopened;
        self.open -= unopened as u64;
        for slot in (0..self.get(id).slots.slots.len()).filter(|&slot| Some(slot) != keep) {
            let frame = self.get(id);
            match frame.slots.slots[slot].state {
                SlotState::Gone | SlotState::Delegated => {}
                SlotState::Expanded(below) => {
                    self.drop_no_better(below, None, h);
                    let lower = self.get(below);
                    if lower.frontier == 0 && lower.first_below == NONE {
                        self.unlink(below);
                        self.release(below);
                        let frame = self.get_mut(id);
                        frame.slots.slots[slot].state = SlotState::Gone;
                        frame.slots.slots[slot].merit = NOTHING;
                    } else {
                        let merit = self.get_mut(below).best().1;
                        self.get_mut(id).slots.slots[slot].merit = merit;
                    }
                }
                state if state.merit(frame.merit(slot)) <= h => {
                    let frame = self.get_mut(id);
                    frame.slots.slots[slot].state = SlotState::Gone;
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
                SlotState::Expanded(below) => {
                    self.find_deepest_inactive(below, deepest);
                    continue;
                }
                SlotState::LiveMin(_) if frame.merit(slot) == NOTHING => 0,
                SlotState::LiveMax(_) if frame.merit(slot) == NOTHING => 1,
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
            SlotState::Expanded(below) => self.inactive(below),
            SlotState::LiveMin(_) | SlotState::LiveMax(_) => {
                u64::from(frame.merit(slot) == NOTHING)
            }
            _ => 0,
        };
        frame.slots.slots.iter().enumerate().map(count).sum()
    }

    /// An upper bound on the value of the MAX node of `id`: the most that the states below it, and
    /// the children that are not yet searched, can be worth.
    pub(crate) fn upper_bound(&self, id: FrameId, low: Value) -> Value {
        let frame = self.get(id);
        let low = low.max(frame.low);
        if frame.has_partition_left() || !frame.slots.all_open() {
            return frame.high;
        }
        let bound = |(slot, &Slot { state, .. }): (usize, &Slot)| match state {
            SlotState::Expanded(below) => self.upper_bound(below, low),
            state => state.merit(frame.merit(slot)),
        };
        frame.slots.slots.iter().enumerate().map(bound).fold(low, Value::max)
    }
}

impl Frame {
    /// Makes the partition from `first` on LIVE; returns the bytes that its slots took.
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

    /// The number of the child in a slot.
    #[inline]
    pub(crate) fn child_of(&self, slot: usize) -> usize {
        self.first + slot
    }

    /// The number of the child in the next slot to be opened, if one is left.
    #[inline]
    pub(crate) fn next_unopened_child(&self) -> Option<usize> {
        (!self.slots.all_open()).then_some(self.first + self.slots.slots.len())
    }

    /// How many slots are opened.
    pub(crate) fn opened(&self) -> usize {
        self.slots.slots.len()
    }

    #[inline]
    pub(crate) fn state(&self, slot: usize) -> SlotState {
        self.slots.slots[slot].state
    }

    /// Changes the state and the merit of an opened slot.
    #[inline]
    pub(crate) fn set(&mut self, slot: usize, state: SlotState, merit: Value) {
        self.slots.slots[slot].state = state;
        self.slots.set(slot, merit);
    }

    #[inline]
    pub(crate) fn merit(&self, slot: usize) -> Value {
        self.slots.slots[slot].merit
    }

    /// The best slot, ties leftmost, and its merit; `None` stands for the next slot to be opened.
    #[inline]
    pub(crate) fn best(&mut self) -> (Option<usize>, Value) {
        let best = self.slots.best(self.high);
        (best, best.map_or(self.high, |slot| self.slots.slots[slot].merit))
    }
}
