//! OPEN kept as the solution tree it describes.
//!
//! A state on OPEN is the frontier of a max solution tree: below a MAX node all children (of the
//! current partition), below a MIN node the one brother in hand. So the tree is kept and the list is
//! not: one [`Block`] for each expanded MAX node on it, with a [`Slot`] for each child, a MIN node.
//! A block is at the same time BACKUP's entry.
//!
//! - The best state is found by descending along best slots, ties leftmost. In a block the best slot
//!   is kept by a tournament, so a changed merit costs the logarithm of the width on its way up.
//! - A purge drops a block with all that is below it. Every block is dropped once, so no operation
//!   walks the whole of OPEN.
//! - Slots are opened from left to right. Those not yet opened are LIVE MIN nodes with the merit
//!   `high`, and nothing in the block has more: they need no memory and no comparison.

use std::cmp::Reverse;

use crate::search::{Brothers, Event, OpenState, Place, Probe, Setting, Status};
use crate::value::{INFINITY, Value};

type Mark<S> = <<S as Setting>::Probe as Probe>::Mark;

/// The number of a block.
pub(super) type BlockId = u32;

/// The block that holds the whole tree: its one slot is the root (or stands above it).
pub(super) const TOP: BlockId = 0;

const NONE: BlockId = BlockId::MAX;

/// The merit of a slot where nothing can be chosen (its state has left OPEN, or is INACTIVE): less
/// than any merit.
pub(super) const NOTHING: Value = Value::MIN;

/// What stands at a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The current brother, a MAX node, is SOLVED.
    SolvedMax,
    /// The MIN node itself is SOLVED.
    SolvedMin,
    /// The current brother is expanded: its block.
    Expanded(BlockId),
    /// ITERSSS* has set the MIN node aside before it was expanded.
    LiveMin,
    /// ITERSSS* has set the current brother, a LIVE MAX node, aside.
    LiveMax,
    /// Nothing: the state was taken from OPEN for good.
    Gone,
}

/// A MIN node on the solution tree.
pub(super) struct Slot<S: Setting> {
    /// h: of its state on OPEN, or the highest below it.
    merit: Value,
    /// h of an INACTIVE state, whose `merit` is `NOTHING`.
    aside: Value,
    pub(super) state: State,
    /// The current brother's number among the MIN node's children.
    pub(super) brother: u32,
    /// The MIN node with its children; `None` for a leaf and above the root.
    pub(super) min: Option<(Place<S>, Brothers<S>)>,
}

/// An expanded MAX node on the solution tree, BACKUP's entry for it.
pub(super) struct Block<S: Setting> {
    /// The MAX node with its children; only the top block has none.
    pub(super) max: Option<(Place<S>, Brothers<S>)>,
    /// Its own lower bound; the effective one is the highest of this and those above.
    pub(super) low: Value,
    pub(super) high: Value,
    /// When it was pushed on BACKUP.
    pushed: u64,
    /// The current partition: which one, its first child, and the end.
    partition: usize,
    first: usize,
    end: usize,
    slots: Vec<Slot<S>>,
    /// How many of `slots` are in use; the rest keep their memory for later.
    opened: usize,
    /// The tournament over the opened slots: `winners[j]` beats `winners[2j]` and `winners[2j+1]`.
    winners: Vec<u32>,
    /// States on OPEN that stand directly at this block.
    frontier: usize,
    /// Where it hangs.
    parent: BlockId,
    parent_slot: usize,
    /// The blocks directly below are a list.
    first_below: BlockId,
    next: BlockId,
    previous: BlockId,
}

/// The solution tree.
pub(super) struct SolutionTree<S: Setting> {
    blocks: Vec<Block<S>>,
    free: Vec<BlockId>,
    /// States on OPEN.
    pub(super) open: u64,
    /// Entries on BACKUP.
    pub(super) backup: u64,
    /// Entries on BACKUP with partitions left.
    resumable: usize,
    clock: u64,
    bytes: usize,
}

/// Where the best state stands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Best {
    /// At an opened slot.
    Slot(usize),
    /// At the first slot that is not yet opened.
    Fresh,
}

impl<S: Setting> SolutionTree<S> {
    /// A tree with nothing but the top block and its one slot, which is opened.
    pub(super) fn new(min: Option<(Place<S>, Brothers<S>)>) -> Self {
        let mut tree = SolutionTree {
            blocks: Vec::new(),
            free: Vec::new(),
            open: 1,
            backup: 0,
            resumable: 0,
            clock: 0,
            bytes: 0,
        };
        let top = tree.allocate();
        let block = &mut tree.blocks[top as usize];
        block.end = 1;
        block.frontier = 1;
        block.high = INFINITY;
        tree.bytes += block.open_slot(min).1;
        tree
    }

    #[inline]
    pub(super) fn block(&self, id: BlockId) -> &Block<S> {
        &self.blocks[id as usize]
    }

    #[inline]
    pub(super) fn block_mut(&mut self, id: BlockId) -> &mut Block<S> {
        &mut self.blocks[id as usize]
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    fn allocate(&mut self) -> BlockId {
        if let Some(id) = self.free.pop() {
            return id;
        }
        self.bytes += size_of::<Block<S>>();
        self.blocks.push(Block {
            max: None,
            low: -INFINITY,
            high: INFINITY,
            pushed: 0,
            partition: 0,
            first: 0,
            end: 0,
            slots: Vec::new(),
            opened: 0,
            winners: Vec::new(),
            frontier: 0,
            parent: NONE,
            parent_slot: 0,
            first_below: NONE,
            next: NONE,
            previous: NONE,
        });
        (self.blocks.len() - 1) as BlockId
    }

    /// Expands the current brother at a slot: LIVE MAX becomes a block with its first partition,
    /// `size` children.
    #[inline]
    pub(super) fn push(
        &mut self,
        parent: BlockId,
        parent_slot: usize,
        max: (Place<S>, Brothers<S>),
        hi: Value,
        size: usize,
    ) -> BlockId {
        let id = self.allocate();
        self.clock += 1;
        let next = self.blocks[parent as usize].first_below;
        let block = &mut self.blocks[id as usize];
        block.low = -INFINITY;
        block.high = hi;
        block.pushed = self.clock;
        block.partition = 0;
        block.first = 0;
        block.end = 0;
        block.parent = parent;
        block.parent_slot = parent_slot;
        block.first_below = NONE;
        block.previous = NONE;
        block.next = next;
        let resumable = size < max.1.len();
        block.max = Some(max);
        self.bytes += block.start_partition(size);
        if next != NONE {
            self.blocks[next as usize].previous = id;
        }
        let above = &mut self.blocks[parent as usize];
        above.first_below = id;
        above.frontier -= 1;
        above.slots[parent_slot].state = State::Expanded(id);
        self.open = self.open - 1 + size as u64;
        self.backup += 1;
        self.resumable += usize::from(resumable);
        id
    }

    /// Opens the next slot of a block with the merit `high`.
    #[inline]
    pub(super) fn open_slot(&mut self, id: BlockId, min: Option<(Place<S>, Brothers<S>)>) -> usize {
        let (slot, bytes) = self.blocks[id as usize].open_slot(min);
        self.bytes += bytes;
        slot
    }

    /// Drops a block with all that is below; its node is then SOLVED with `merit`.
    #[inline]
    pub(super) fn solve(&mut self, id: BlockId, merit: Value) -> BlockId {
        self.purge_below(id);
        let block = &self.blocks[id as usize];
        let (parent, slot) = (block.parent, block.parent_slot);
        self.unlink(id);
        self.release(id);
        let above = &mut self.blocks[parent as usize];
        above.frontier += 1;
        self.open += 1;
        above.slots[slot].state = State::SolvedMax;
        above.set_merit(slot, merit);
        parent
    }

    /// The state at a slot leaves OPEN.
    #[inline]
    pub(super) fn remove(&mut self, id: BlockId, slot: usize) {
        let block = &mut self.blocks[id as usize];
        block.slots[slot].state = State::Gone;
        block.set_merit(slot, NOTHING);
        block.frontier -= 1;
        self.open -= 1;
    }

    /// Purges what is below `id` and pushes its next partition, `size` children.
    pub(super) fn resume(&mut self, id: BlockId, size: usize) {
        self.purge_below(id);
        let block = &mut self.blocks[id as usize];
        self.open -= block.frontier as u64;
        block.partition += 1;
        self.bytes += block.start_partition(size);
        self.open += block.frontier as u64;
        self.resumable -= usize::from(!block.has_partition_left());
    }

    /// Drops all blocks below `id`. Their states leave OPEN; `id`'s own slots are left as they are.
    fn purge_below(&mut self, id: BlockId) {
        let mut next = self.blocks[id as usize].first_below;
        self.blocks[id as usize].first_below = NONE;
        while next != NONE {
            self.purge_below(next);
            let after = self.blocks[next as usize].next;
            self.release(next);
            next = after;
        }
    }

    fn unlink(&mut self, id: BlockId) {
        let Block { next, previous, parent, .. } = self.blocks[id as usize];
        match previous {
            NONE => self.blocks[parent as usize].first_below = next,
            _ => self.blocks[previous as usize].next = next,
        }
        if next != NONE {
            self.blocks[next as usize].previous = previous;
        }
    }

    fn release(&mut self, id: BlockId) {
        let block = &self.blocks[id as usize];
        self.open -= block.frontier as u64;
        self.backup -= 1;
        self.resumable -= usize::from(block.has_partition_left());
        self.free.push(id);
    }

    /// Among the blocks below `id`, the one pushed last that has partitions left and high > low;
    /// `low` is the effective low of `id`.
    pub(super) fn last_resumable_below(&self, id: BlockId, low: Value) -> Option<BlockId> {
        let own = usize::from(self.block(id).has_partition_left());
        if self.resumable == own {
            return None;
        }
        let mut last: Option<BlockId> = None;
        self.find_last_resumable(id, low, &mut last);
        last
    }

    fn find_last_resumable(&self, id: BlockId, low: Value, last: &mut Option<BlockId>) {
        let mut below = self.block(id).first_below;
        while below != NONE {
            let x = self.block(below);
            let low = low.max(x.low);
            // Nothing below x has more than high(x), so where x is settled all of it is.
            if x.high > low {
                if x.has_partition_left()
                    && last.is_none_or(|best| x.pushed > self.block(best).pushed)
                {
                    *last = Some(below);
                }
                self.find_last_resumable(below, low, last);
            }
            below = x.next;
        }
    }

    /// Tells the block above of `id`'s best merit; returns it.
    #[inline]
    pub(super) fn report_up(&mut self, id: BlockId) -> BlockId {
        let block = &self.blocks[id as usize];
        let (merit, parent, slot) = (block.best_merit(), block.parent, block.parent_slot);
        self.blocks[parent as usize].set_merit(slot, merit);
        parent
    }

    /// The states of OPEN below `id`, left to right, for a story; `root` is the root's mark.
    pub(super) fn list(&self, id: BlockId, root: Mark<S>, states: &mut Vec<OpenState<Mark<S>>>) {
        let block = self.block(id);
        let state = |mark, child, slot: &Slot<S>| OpenState {
            mark,
            child: Some(child),
            status: match slot.state {
                State::SolvedMax | State::SolvedMin => Status::Solved,
                _ => Status::Live,
            },
            merit: slot.merit.max(slot.aside),
            active: slot.aside == NOTHING,
        };
        let own = block.max.as_ref().map_or(root, |(max, _)| max.mark);
        for (i, slot) in block.slots[..block.opened].iter().enumerate() {
            match slot.state {
                State::Expanded(below) => self.list(below, root, states),
                State::Gone => {}
                State::SolvedMin | State::LiveMin => {
                    states.push(state(own, block.child_of(i), slot))
                }
                State::SolvedMax | State::LiveMax => states.push(match &slot.min {
                    Some((min, _)) => state(min.mark, slot.brother as usize, slot),
                    None => OpenState { child: None, ..state(root, 0, slot) },
                }),
            }
        }
        for i in block.opened..block.end - block.first {
            let (child, merit) = (Some(block.child_of(i)), block.high);
            states.push(OpenState { mark: own, child, status: Status::Live, merit, active: true });
        }
    }

    /// OPEN as a story shows it: best first.
    pub(super) fn listed(&self, root: Mark<S>) -> Event<Mark<S>> {
        let mut states = Vec::new();
        self.list(TOP, root, &mut states);
        states.sort_by_key(|state| Reverse(state.merit));
        Event::Open { states }
    }

    /// Makes the LIVE state at a slot INACTIVE.
    pub(super) fn set_aside(&mut self, id: BlockId, slot: usize, state: State) {
        let block = &mut self.blocks[id as usize];
        let s = &mut block.slots[slot];
        s.state = state;
        s.aside = s.merit;
        block.set_merit(slot, NOTHING);
    }

    /// Makes an INACTIVE state ACTIVE again.
    pub(super) fn take_up(&mut self, id: BlockId, slot: usize) {
        let block = &mut self.blocks[id as usize];
        let merit = std::mem::replace(&mut block.slots[slot].aside, NOTHING);
        block.set_merit(slot, merit);
    }

    /// Drops all states below `id` whose merit is at most `h`, but for the one at slot `keep` of
    /// `id` itself. Returns the deepest INACTIVE state that remains, ties leftmost.
    pub(super) fn drop_no_better(
        &mut self,
        id: BlockId,
        keep: usize,
        h: Value,
    ) -> Option<(BlockId, usize)> {
        let block = &mut self.blocks[id as usize];
        // No slot that was never opened has more than the best ACTIVE state, which h is.
        let fresh = block.end - block.first - block.opened;
        block.end -= fresh;
        block.frontier -= fresh;
        self.open -= fresh as u64;
        block.rebuild();
        for slot in 0..self.blocks[id as usize].opened {
            let s = &self.blocks[id as usize].slots[slot];
            match s.state {
                _ if slot == keep => {}
                State::Gone => {}
                State::Expanded(below) => {
                    self.drop_no_better(below, usize::MAX, h);
                    if self.is_empty(below) {
                        self.unlink(below);
                        self.release(below);
                        let block = &mut self.blocks[id as usize];
                        block.slots[slot].state = State::Gone;
                        block.set_merit(slot, NOTHING);
                    } else {
                        self.report_up(below);
                    }
                }
                _ if s.merit.max(s.aside) <= h => self.remove(id, slot),
                _ => {}
            }
        }
        self.deepest_inactive(id)
    }

    fn is_empty(&self, id: BlockId) -> bool {
        let block = self.block(id);
        block.frontier == 0 && block.first_below == NONE
    }

    /// The deepest INACTIVE state below `id`, ties leftmost.
    pub(super) fn deepest_inactive(&self, id: BlockId) -> Option<(BlockId, usize)> {
        let mut deepest = None;
        self.find_deepest_inactive(id, &mut deepest);
        deepest.map(|(_, block, slot)| (block, slot))
    }

    fn find_deepest_inactive(&self, id: BlockId, deepest: &mut Option<(u32, BlockId, usize)>) {
        let block = self.block(id);
        for (i, slot) in block.slots[..block.opened].iter().enumerate() {
            let ply = match (slot.state, &slot.min) {
                (State::Expanded(below), _) => {
                    self.find_deepest_inactive(below, deepest);
                    continue;
                }
                _ if slot.aside == NOTHING => continue,
                (State::LiveMin, Some((min, _))) => min.ply,
                (State::LiveMax, Some((min, _))) => min.ply + 1,
                _ => continue,
            };
            if deepest.is_none_or(|(best, ..)| ply > best) {
                *deepest = Some((ply, id, i));
            }
        }
    }

    /// How many states are INACTIVE.
    pub(super) fn inactive(&self) -> u64 {
        self.count_inactive(TOP)
    }

    fn count_inactive(&self, id: BlockId) -> u64 {
        let block = self.block(id);
        let below = |slot: &Slot<S>| match slot.state {
            State::Expanded(below) => self.count_inactive(below),
            _ => u64::from(slot.aside != NOTHING),
        };
        block.slots[..block.opened].iter().map(below).sum()
    }

    /// A bound on the value of the MAX node of `id`, from above: what no state below can exceed,
    /// and what children not yet in the search might still be worth.
    pub(super) fn upper_bound(&self, id: BlockId, low: Value) -> Value {
        let block = self.block(id);
        let low = low.max(block.low);
        if block.has_partition_left() || block.opened < block.end - block.first {
            return block.high;
        }
        block.slots[..block.opened]
            .iter()
            .map(|slot| match slot.state {
                State::Expanded(below) => self.upper_bound(below, low),
                _ => slot.merit.max(slot.aside),
            })
            .fold(low, Value::max)
    }
}

impl<S: Setting> Slot<S> {
    #[inline]
    pub(super) fn merit(&self) -> Value {
        self.merit
    }
}

impl<S: Setting> Block<S> {
    /// All children of the next partition are LIVE; returns the bytes that this took.
    #[inline]
    fn start_partition(&mut self, size: usize) -> usize {
        let children = self.max.as_ref().map_or(1, |(_, brothers)| brothers.len());
        self.first = self.end;
        self.end = (self.first + size).min(children);
        self.opened = 0;
        self.frontier = self.end - self.first;
        let needed = self.frontier.next_power_of_two();
        if self.winners.len() >= needed {
            return 0;
        }
        let more = needed - self.winners.len();
        self.winners.resize(needed, 0);
        more * size_of::<u32>()
    }

    /// Are there children that have not been in any partition yet?
    #[inline]
    pub(super) fn has_partition_left(&self) -> bool {
        self.max.as_ref().is_some_and(|(_, brothers)| self.end < brothers.len())
    }

    /// The number of the partition after the current one.
    pub(super) fn next_partition(&self) -> usize {
        self.partition + 1
    }

    /// The child's number of the next slot to be opened.
    #[inline]
    pub(super) fn fresh_child(&self) -> usize {
        self.first + self.opened
    }

    /// The child's number of a slot.
    pub(super) fn child_of(&self, slot: usize) -> usize {
        self.first + slot
    }

    #[inline]
    pub(super) fn slot(&self, slot: usize) -> &Slot<S> {
        &self.slots[slot]
    }

    #[inline]
    pub(super) fn slot_mut(&mut self, slot: usize) -> &mut Slot<S> {
        &mut self.slots[slot]
    }

    #[inline]
    pub(super) fn merit(&self, slot: usize) -> Value {
        self.slots[slot].merit
    }

    /// Opens the next slot with the merit `high`; returns its number and the bytes it took.
    #[inline]
    fn open_slot(&mut self, min: Option<(Place<S>, Brothers<S>)>) -> (usize, usize) {
        let slot =
            Slot { merit: self.high, aside: NOTHING, state: State::SolvedMax, brother: 0, min };
        let i = self.opened;
        let bytes = if i < self.slots.len() {
            self.slots[i] = slot;
            0
        } else {
            self.slots.push(slot);
            size_of::<Slot<S>>()
        };
        self.opened += 1;
        self.replay(i);
        (i, bytes)
    }

    #[inline]
    pub(super) fn set_merit(&mut self, slot: usize, merit: Value) {
        if self.slots[slot].merit != merit {
            self.slots[slot].merit = merit;
            self.replay(slot);
        }
    }

    /// Plays the whole tournament again, after the number of slots has changed.
    fn rebuild(&mut self) {
        let opened = std::mem::take(&mut self.opened);
        for slot in 0..opened {
            self.opened = slot + 1;
            self.replay(slot);
        }
    }

    /// Plays the tournament again along the path of slot `i`.
    #[inline]
    fn replay(&mut self, i: usize) {
        let leaves = (self.end - self.first).next_power_of_two();
        let mut winner = i;
        let mut size = 1;
        let mut start = i;
        while size < leaves {
            let rival_start = start ^ size;
            if rival_start < self.opened {
                let rival = match size {
                    1 => rival_start,
                    _ => self.winners[(leaves + rival_start) / size] as usize,
                };
                let (m, r) = (self.slots[winner].merit, self.slots[rival].merit);
                // Ties go to the left.
                if r > m || (r == m && rival < winner) {
                    winner = rival;
                }
            }
            size *= 2;
            start &= !(size - 1);
            let node = (leaves + start) / size;
            if self.winners[node] as usize == winner && winner != i {
                return;
            }
            self.winners[node] = winner as u32;
        }
    }

    /// The highest merit and, ties leftmost, where it is.
    #[inline]
    pub(super) fn best(&self) -> Best {
        if self.opened > 0 {
            let slots = self.end - self.first;
            let winner = if slots == 1 { 0 } else { self.winners[1] as usize };
            if self.opened == slots || self.slots[winner].merit == self.high {
                return Best::Slot(winner);
            }
        }
        Best::Fresh
    }

    #[inline]
    pub(super) fn best_merit(&self) -> Value {
        match self.best() {
            Best::Slot(slot) => self.slots[slot].merit,
            Best::Fresh => self.high,
        }
    }
}
