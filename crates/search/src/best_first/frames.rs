//! The shape of a solution tree: its links, which states are on OPEN, and their merits.
//!
//! A [`Frame`] is an expanded MAX node of the solution tree and at the same time BACKUP's entry for
//! it; its slots are its children, MIN nodes. Nothing here knows of positions or moves. They are
//! kept beside the frames, in [`SolutionTree`](super::solution_tree::SolutionTree), so that this
//! module is compiled once for all games; only which places the moves take is known here too.

mod first;
mod inactive;
mod view;

use std::ops::Range;

use plyground_core::value::{INFINITY, Value};

use super::merits::{self, NOTHING};
use super::runs::{NO_RUN, Run, RunMark, RunSpace, RunStore};
use super::slot::{Slot, SlotState};
pub(crate) use first::Path;
pub(super) use view::FrameView;

/// The number of a frame.
pub(crate) type FrameId = Run;

/// The frame above the whole tree: its one slot is the root, or a MIN node above the root.
pub(crate) const TOP: FrameId = 0;

/// No frame.
const NONE: FrameId = FrameId::MAX;

/// An expanded MAX node on the solution tree, BACKUP's entry for it.
#[derive(Clone)]
pub(crate) struct Frame {
    /// Its own lower bound. The *effective low* is the highest of this and the lows of all frames
    /// above.
    pub(crate) low: Value,
    /// Its upper bound: the merit with which it was expanded.
    pub(crate) high: Value,
    /// When it was pushed on BACKUP, or 0 if it is free, and in the last 16 bits its best slot, if that is known.
    pushed_and_best: u64,
    /// The ply of the MIN nodes at its slots.
    pub(crate) ply: u32,
    /// The frame above, and the slot of it that this frame belongs to.
    pub(crate) parent: FrameId,
    pub(crate) parent_slot: u32,
    /// The MAX node's moves, if they are kept, and how many there are.
    pub(crate) moves: Run,
    pub(crate) width: u32,
    /// The number of the current partition, and the number of its first child.
    partition: u32,
    first: u32,
    /// The number of the first child that has not been in any partition.
    end: u32,
    /// The end of the range of children that this frame searches: where processes share the node,
    /// they are not all of its children.
    last: u32,
    /// Its slots: where they are, how many, and how many are opened.
    slots: Run,
    size: u32,
    opened: u32,
    /// How many states on OPEN are slots of this frame.
    frontier: u32,
    /// How many slots have a frame below.
    below: u32,
}

/// The bits for a frame's best slot, and what they are where it is not known.
const BEST_BITS: u32 = 16;
const BEST_UNKNOWN: u64 = (1 << BEST_BITS) - 1;

/// A MAX node that is to be pushed.
pub(crate) struct NewFrame {
    /// The frame above, and the slot of it that the new frame belongs to.
    pub(crate) parent: FrameId,
    pub(crate) slot: usize,
    /// The node's ply.
    pub(crate) ply: u32,
    /// Its moves, if they are kept, and how many there are.
    pub(crate) moves: Run,
    pub(crate) width: usize,
    /// Those of its children that are searched here.
    pub(crate) children: Range<usize>,
    /// Their merit.
    pub(crate) hi: Value,
    /// How many are in the first partition.
    pub(crate) size: usize,
}

/// All frames of a solution tree, and the sizes of OPEN and BACKUP.
pub(crate) struct Frames {
    /// The numbers of frames, and the frames.
    pub(crate) space: RunSpace,
    frames: RunStore<Frame>,
    /// The places of slots, and what is there. INACTIVE states have their merit in `held`, which is
    /// used only where memory is bounded.
    pub(crate) slot_space: RunSpace,
    merits: RunStore<Value>,
    slots: RunStore<Slot>,
    held: Option<RunStore<Value>>,
    /// The places of moves.
    pub(crate) move_space: RunSpace,
    /// How many states are on OPEN.
    pub(crate) open: u64,
    /// How many entries are on BACKUP.
    pub(crate) backup: u64,
    /// How many entries on BACKUP have partitions left.
    pub(crate) resumable: usize,
    /// How many frames were ever pushed.
    clock: u64,
    /// How far the three spaces are used by the top frame alone.
    top_marks: [RunMark; 3],
}

/// More chunks than this cannot be numbered in a state.
const MOST_FRAME_CHUNKS: usize = 500;
const MOST_CHUNKS: usize = 4_000;

impl Frames {
    /// The top frame and its one slot, which is opened and has this merit. Only where memory is `bounded`
    /// may states become INACTIVE.
    pub(crate) fn new(bounded: bool, merit: Value) -> Frames {
        let mut frames = Frames {
            space: RunSpace::of_large_elements(),
            frames: RunStore::EMPTY,
            slot_space: RunSpace::default(),
            merits: RunStore::EMPTY,
            slots: RunStore::EMPTY,
            held: bounded.then_some(RunStore::EMPTY),
            move_space: RunSpace::default(),
            open: 1,
            backup: 0,
            resumable: 0,
            clock: 0,
            top_marks: [RunMark::default(); 3],
        };
        let top = frames.space.allocate(1);
        let frame = Frame {
            low: -INFINITY,
            high: merit,
            pushed_and_best: BEST_UNKNOWN,
            ply: 0,
            parent: NONE,
            parent_slot: 0,
            moves: NO_RUN,
            width: 0,
            partition: 0,
            first: 0,
            end: 0,
            last: 1,
            slots: NO_RUN,
            size: 0,
            opened: 0,
            frontier: 0,
            below: 0,
        };
        frames.frames.put(&frames.space, top, frame);
        frames.start_partition(top, 1);
        frames.open(top, SlotState::SolvedMax, merit);
        frames.mark_top();
        frames
    }

    /// Notes what the top frame takes, which is all that there is now.
    pub(super) fn mark_top(&mut self) {
        self.top_marks = [self.space.mark(), self.slot_space.mark(), self.move_space.mark()];
    }

    #[inline]
    pub(crate) fn get(&self, id: FrameId) -> &Frame {
        self.frames.get(id, 0)
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, id: FrameId) -> &mut Frame {
        self.frames.get_mut(id, 0)
    }

    /// The bytes that all this takes.
    pub(crate) fn bytes(&self) -> usize {
        let stores = self.frames.bytes() + self.merits.bytes() + self.slots.bytes();
        let held = self.held.as_ref().map_or(0, RunStore::bytes);
        let spaces = self.space.bytes() + self.slot_space.bytes() + self.move_space.bytes();
        stores + held + spaces
    }

    /// What is held has grown only if this has.
    #[inline]
    pub(crate) fn growth(&self) -> usize {
        self.space.growth() + self.slot_space.growth() + self.move_space.growth()
    }

    /// Are there so many frames that no more can be numbered?
    pub(crate) fn is_full(&self) -> bool {
        self.space.chunks() > MOST_FRAME_CHUNKS
            || self.slot_space.chunks().max(self.move_space.chunks()) > MOST_CHUNKS
    }

    /// Expands the current child of a slot: a LIVE MAX node becomes a frame with its first
    /// partition.
    #[inline(always)]
    pub(crate) fn push(&mut self, push: NewFrame) -> FrameId {
        let id = self.space.allocate(1);
        self.clock += 1;
        let above = self.frames.get_mut(push.parent, 0);
        above.frontier -= 1;
        above.below += 1;
        self.slots.get_mut(above.slots, push.slot).set_state(SlotState::Expanded(id));
        let Range { start, end } = push.children;
        let size = push.size.min(end - start);
        let frame = Frame {
            low: -INFINITY,
            high: push.hi,
            pushed_and_best: self.clock << BEST_BITS,
            ply: push.ply + 1,
            parent: push.parent,
            parent_slot: push.slot as u32,
            moves: push.moves,
            width: push.width as u32,
            partition: 0,
            first: start as u32,
            end: (start + size) as u32,
            last: end as u32,
            slots: self.new_slots(size, push.hi),
            size: size as u32,
            opened: 0,
            frontier: size as u32,
            below: 0,
        };
        self.frames.put(&self.space, id, frame);
        self.open = self.open - 1 + size as u64;
        self.backup += 1;
        self.resumable += usize::from(start + size < end);
        id
    }

    /// Places for slots that are not opened and have this merit.
    #[inline(always)]
    fn new_slots(&mut self, size: usize, high: Value) -> Run {
        let places = merits::places(size);
        let run = self.slot_space.allocate(places);
        self.cover_slots(run, places);
        merits::fill(self.merits.slice_mut(run, places), high);
        run
    }

    /// Makes the partition from `first` on LIVE.
    fn start_partition(&mut self, id: FrameId, size: usize) {
        let &Frame { first, last, high, .. } = self.get(id);
        let size = size.min((last - first) as usize);
        let slots = self.new_slots(size, high);
        let frame = self.get_mut(id);
        frame.slots = slots;
        frame.keep_best(0);
        frame.end = first + size as u32;
        (frame.size, frame.frontier, frame.opened) = (size as u32, size as u32, 0);
    }

    #[inline(always)]
    fn cover_slots(&mut self, run: Run, places: usize) {
        self.merits.cover(&self.slot_space, run, places, NOTHING);
        self.slots.cover(&self.slot_space, run, places, Slot::new(SlotState::Gone));
        if let Some(held) = &mut self.held {
            held.cover(&self.slot_space, run, places, NOTHING);
        }
    }

    /// Gives the places of a frame's slots back, and those of the moves there.
    #[inline(always)]
    fn release_slots(&mut self, id: FrameId) {
        let Frame { slots, size, opened, moves, .. } = *self.frames.get(id, 0);
        // A MIN node keeps its moves only if its parent does.
        let opened = if moves == NO_RUN { 0 } else { opened };
        for slot in self.slots.slice(slots, opened as usize) {
            if slot.moves != NO_RUN {
                self.move_space.release(slot.moves, slot.width as usize);
            }
        }
        self.slot_space.release(slots, merits::places(size as usize));
    }

    /// Gives the places of the MIN node's moves back: it has none left to search.
    #[inline]
    pub(crate) fn forget_moves(&mut self, id: FrameId, slot: usize) {
        let slot = self.slots.get_mut(self.frames.get(id, 0).slots, slot);
        slot.forget_moves(&mut self.move_space);
    }

    /// Drops a frame with everything below; its node is then SOLVED with `merit`.
    #[inline]
    pub(crate) fn solve(&mut self, id: FrameId, merit: Value) {
        self.purge_below(id);
        let frame = self.get(id);
        let (parent, slot) = (frame.parent, frame.parent_slot as usize);
        self.release(id);
        let above = self.get_mut(parent);
        above.frontier += 1;
        above.below -= 1;
        self.open += 1;
        self.set(parent, slot, SlotState::SolvedMax, merit);
        if parent == TOP {
            // Nothing is left below: runs of other lengths can take the places.
            let [frames, slots, moves] = self.top_marks;
            self.space.reset(frames);
            self.slot_space.reset(slots);
            self.move_space.reset(moves);
        }
    }

    /// Takes the state of a slot off OPEN.
    #[inline]
    pub(crate) fn remove(&mut self, id: FrameId, slot: usize) {
        self.set(id, slot, SlotState::Gone, NOTHING);
        self.get_mut(id).frontier -= 1;
        self.open -= 1;
    }

    /// Purges what is below `id` and pushes its next partition, `size` children.
    pub(crate) fn resume(&mut self, id: FrameId, size: usize) {
        self.purge_below(id);
        self.release_slots(id);
        let frame = self.frames.get_mut(id, 0);
        self.open -= u64::from(frame.frontier);
        frame.partition += 1;
        frame.first = frame.end;
        self.start_partition(id, size);
        let frame = self.frames.get(id, 0);
        self.open += u64::from(frame.frontier);
        self.resumable -= usize::from(!frame.has_partition_left());
    }

    /// Drops all frames below `id`. Their states leave OPEN; the slots of `id` itself do not
    /// change.
    #[inline]
    fn purge_below(&mut self, id: FrameId) {
        if self.get(id).below > 0 {
            self.purge_slots(id);
        }
    }

    /// A function of its own, to keep the recursion out of the common case of nothing below.
    #[inline(never)]
    fn purge_slots(&mut self, id: FrameId) {
        let Frame { slots, opened, .. } = *self.get(id);
        for slot in 0..opened as usize {
            if let Some(below) = self.slots.get(slots, slot).below() {
                self.purge_below(below);
                self.release(below);
            }
        }
        self.get_mut(id).below = 0;
    }

    #[inline(always)]
    fn release(&mut self, id: FrameId) {
        self.release_slots(id);
        let frame = self.frames.get_mut(id, 0);
        frame.pushed_and_best = BEST_UNKNOWN;
        if frame.moves != NO_RUN {
            self.move_space.release(frame.moves, frame.width as usize);
        }
        self.open -= u64::from(frame.frontier);
        self.backup -= 1;
        self.resumable -= usize::from(frame.has_partition_left());
        self.space.release(id, 1);
    }

    /// Among the frames below `id` with partitions left and high > low, the one pushed last; `low`
    /// is the effective low of `id`.
    #[inline]
    pub(crate) fn last_resumable_below(&self, id: FrameId, low: Value) -> Option<FrameId> {
        let own = usize::from(self.get(id).has_partition_left());
        if self.resumable == own || self.get(id).below == 0 {
            return None;
        }
        let mut last = None;
        self.find_last_resumable(id, low, &mut last);
        last
    }

    fn find_last_resumable(&self, id: FrameId, low: Value, last: &mut Option<FrameId>) {
        if self.get(id).below == 0 {
            return;
        }
        for below in self.opened_slots(id).iter().filter_map(Slot::below) {
            let x = self.get(below);
            let low = low.max(x.low);
            // Nothing below x is worth more than high(x), so if x is settled, all below it is.
            if x.high > low {
                if x.has_partition_left()
                    && last.is_none_or(|best| x.pushed() > self.get(best).pushed())
                {
                    *last = Some(below);
                }
                self.find_last_resumable(below, low, last);
            }
        }
    }

    /// The opened slots of a frame.
    #[inline]
    pub(crate) fn opened_slots(&self, id: FrameId) -> &[Slot] {
        let frame = self.get(id);
        self.slots.slice(frame.slots, frame.opened as usize)
    }

    /// The places of a frame's slots, and how many there are.
    #[inline]
    pub(crate) fn slot_places(&self, id: FrameId) -> (Run, usize) {
        let frame = self.get(id);
        (frame.slots, merits::places(frame.size as usize))
    }

    #[inline]
    pub(crate) fn slot(&self, id: FrameId, slot: usize) -> &Slot {
        self.slots.get(self.frames.get(id, 0).slots, slot)
    }

    #[inline]
    pub(crate) fn slot_mut(&mut self, id: FrameId, slot: usize) -> &mut Slot {
        self.slots.get_mut(self.frames.get(id, 0).slots, slot)
    }

    /// The merit by which a slot is chosen.
    #[inline]
    pub(crate) fn merit(&self, id: FrameId, slot: usize) -> Value {
        *self.merits.get(self.get(id).slots, slot)
    }

    /// The state of an opened slot.
    #[inline]
    pub(crate) fn state(&self, id: FrameId, slot: usize) -> SlotState {
        let run = self.get(id).slots;
        self.slots.get(run, slot).state(|| match (*self.merits.get(run, slot), &self.held) {
            (NOTHING, Some(held)) => *held.get(run, slot),
            (merit, _) => merit,
        })
    }

    /// Changes the state and the merit of an opened slot.
    #[inline]
    pub(crate) fn set(&mut self, id: FrameId, slot: usize, state: SlotState, merit: Value) {
        let run = self.frames.get(id, 0).slots;
        self.slots.get_mut(run, slot).set_state(state);
        if let (Some(held), SlotState::LiveMin(h) | SlotState::LiveMax(h)) = (&mut self.held, state)
        {
            *held.get_mut(run, slot) = h;
        }
        self.set_merit(id, slot, merit);
    }

    #[inline]
    fn set_merit(&mut self, id: FrameId, slot: usize, merit: Value) {
        let frame = self.frames.get_mut(id, 0);
        frame.forget_best();
        let (slots, size) = (frame.slots, frame.size as usize);
        merits::set(self.merits.slice_mut(slots, merits::places(size)), size, slot, merit);
    }

    /// Opens the next slot of a frame, without a MIN node.
    #[inline]
    pub(crate) fn open(&mut self, id: FrameId, state: SlotState, merit: Value) -> usize {
        let frame = self.frames.get_mut(id, 0);
        let slot = frame.opened as usize;
        frame.opened += 1;
        let run = frame.slots;
        *self.slots.get_mut(run, slot) = Slot::new(state);
        self.set(id, slot, state, merit);
        slot
    }

    /// The merits of a frame's slots, and how many slots there are.
    #[inline]
    fn merits_of(&self, id: FrameId) -> (&[Value], usize) {
        let &Frame { slots, size, .. } = self.get(id);
        (self.merits.slice(slots, merits::places(size as usize)), size as usize)
    }

    /// The best slot, ties leftmost, and its merit. It may be one that is not opened: the next one then.
    #[inline]
    pub(crate) fn best(&self, id: FrameId) -> (usize, Value) {
        let (merits, size) = self.merits_of(id);
        merits::best(merits, size)
    }

    /// A frame with its slots, and the places of moves.
    #[inline(always)]
    pub(super) fn view(&mut self, id: FrameId) -> FrameView<'_> {
        let frame = self.frames.get_mut(id, 0);
        let (run, size) = (frame.slots, frame.size as usize);
        FrameView {
            merits: self.merits.slice_mut(run, merits::places(size)),
            slots: self.slots.slice_mut(run, size),
            move_space: &mut self.move_space,
            frame,
        }
    }

    /// Opens all slots that are left, with this state and merit.
    pub(super) fn open_all(&mut self, id: FrameId, state: SlotState, merit: Value) {
        while !self.get(id).all_open() {
            self.open(id, state, merit);
        }
    }

    /// Adds a slot after all others, which are opened, that cannot be chosen; returns its number, where the
    /// slots were before and where they are now.
    pub(super) fn add_slot(&mut self, id: FrameId, state: SlotState) -> (usize, Run, Run) {
        let &Frame { slots: from, size, .. } = self.get(id);
        let slot = size as usize;
        let (before, after) = (merits::places(slot), merits::places(slot + 1));
        let to = self.slot_space.allocate(after);
        self.cover_slots(to, after);
        self.merits.copy(from, to, slot);
        self.slots.copy(from, to, slot);
        if let Some(held) = &mut self.held {
            held.copy(from, to, slot);
        }
        self.slot_space.release(from, before);
        let frame = self.get_mut(id);
        frame.slots = to;
        frame.size += 1;
        frame.frontier += 1;
        self.open(id, state, NOTHING);
        merits::rebuild(self.merits.slice_mut(to, after), slot + 1);
        (slot, from, to)
    }
}

impl Frame {
    /// Are there children that have not been in any partition yet?
    #[inline]
    pub(crate) fn has_partition_left(&self) -> bool {
        self.end < self.last
    }

    /// The number of the partition after the current one.
    pub(crate) fn next_partition(&self) -> usize {
        self.partition as usize + 1
    }

    /// The number of the child in a slot.
    #[inline]
    pub(crate) fn child_of(&self, slot: usize) -> usize {
        self.first as usize + slot
    }

    /// Where its slots are.
    #[inline]
    pub(super) fn places(&self) -> Run {
        self.slots
    }

    /// Are all slots opened?
    #[inline]
    pub(crate) fn all_open(&self) -> bool {
        self.opened == self.size
    }

    /// How many slots are opened.
    #[inline]
    pub(crate) fn opened(&self) -> usize {
        self.opened as usize
    }

    /// How many slots there are.
    #[inline]
    pub(crate) fn size(&self) -> usize {
        self.size as usize
    }

    /// Is nothing on OPEN that is a slot of this frame, or below?
    pub(super) fn is_empty(&self) -> bool {
        self.frontier == 0 && self.below == 0
    }

    /// Notes that `gone` states of this frame have left OPEN.
    pub(super) fn lose(&mut self, gone: u32) {
        self.frontier -= gone;
    }

    /// The number of the first child that neither this process nor another has started.
    pub(crate) fn first_unstarted(&self) -> usize {
        self.end as usize
    }

    /// Takes the next `size` children, which another process searches, as a partition that has started.
    pub(super) fn skip_partition(&mut self, size: usize) {
        self.partition += 1;
        self.end = self.last.min(self.end.saturating_add(size as u32));
    }
}
