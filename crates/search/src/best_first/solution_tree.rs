//! OPEN kept as the solution tree it describes.
//!
//! A state on OPEN is the frontier of a max solution tree: below a MAX node all children (of the
//! current partition), below a MIN node the one brother in hand. So the tree is kept and the list is
//! not: one [`Block`] for each expanded MAX node on it, with a slot for each child, a MIN node. A
//! block is at the same time BACKUP's entry.
//!
//! - The best state is found by descending along best slots, ties leftmost.
//! - A purge drops a block with all that is below it. Every block is dropped once, so no operation
//!   walks the whole of OPEN.
//!
//! The best slot of a block is known at any time, see [`Contest`].

mod sharing;

pub(crate) use sharing::Fresh;

use std::ops::Range;

use super::contest::{Contest, NOTHING, Slot, State};
use crate::{Children, Event, OpenState, Order, Place, Probe, Search, Setting, Status};
use plyground_core::value::{INFINITY, Value};

type Mark<S> = <<S as Setting>::Probe as Probe>::Mark;

/// The number of a block.
pub(crate) type BlockId = u32;

/// The block that holds the whole tree: its one slot is the root (or stands above it).
pub(crate) const TOP: BlockId = 0;

const NONE: BlockId = BlockId::MAX;

/// An expanded MIN node on the solution tree.
pub(crate) struct Min<S: Setting> {
    pub(crate) n: Place<S>,
    pub(crate) brothers: Children<S>,
    /// The number of the child in hand.
    pub(crate) brother: usize,
    /// The number of the child that last lowered its merit: the best answer found so far.
    pub(crate) answer: usize,
}

impl<S: Setting> Min<S> {
    /// An expanded node with its first child in hand.
    #[inline(always)]
    pub(crate) fn new(n: Place<S>, brothers: Children<S>) -> Self {
        Min { n, brothers, brother: 0, answer: 0 }
    }
}

/// An expanded MAX node on the solution tree, BACKUP's entry for it.
pub(crate) struct Block<S: Setting> {
    /// The MAX node with its children; only the top block has none.
    pub(crate) max: Option<(Place<S>, Children<S>)>,
    /// Its own lower bound; the effective one is the highest of this and those above.
    pub(crate) low: Value,
    pub(crate) high: Value,
    /// When it was pushed on BACKUP.
    pushed: u64,
    /// The number of the current partition, and the number of its first child.
    partition: usize,
    first: usize,
    /// The number of the first child that has not been in any partition.
    end: usize,
    /// The number of the first child that is none of this block's; where the node is shared out
    /// among processes, not all children are.
    last: usize,
    contest: Contest,
    /// The MIN nodes of opened slots; shorter where the last ones are leaves.
    mins: Vec<Option<Min<S>>>,
    /// What `mins` took at the last count.
    counted: usize,
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
pub(crate) struct SolutionTree<S: Setting> {
    blocks: Vec<Block<S>>,
    free: Vec<BlockId>,
    /// States on OPEN.
    pub(crate) open: u64,
    /// Entries on BACKUP.
    pub(crate) backup: u64,
    /// Entries on BACKUP with partitions left.
    resumable: usize,
    clock: u64,
    bytes: usize,
}

impl<S: Setting> SolutionTree<S> {
    /// A tree with nothing but the top block and its one slot, which is opened.
    pub(crate) fn new(min: Option<Min<S>>) -> Self {
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
        tree.bytes += tree.blocks[top as usize].start_partition(1);
        let block = &mut tree.blocks[top as usize];
        block.contest.open(State::SolvedMax, INFINITY);
        block.mins.extend(min.map(Some));
        tree
    }

    #[inline]
    pub(crate) fn block(&self, id: BlockId) -> &Block<S> {
        &self.blocks[id as usize]
    }

    #[inline]
    pub(crate) fn block_mut(&mut self, id: BlockId) -> &mut Block<S> {
        &mut self.blocks[id as usize]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    fn allocate(&mut self) -> BlockId {
        if let Some(id) = self.free.pop() {
            return id;
        }
        self.blocks.push(Block {
            max: None,
            low: -INFINITY,
            high: INFINITY,
            pushed: 0,
            partition: 0,
            first: 0,
            end: 0,
            last: 1,
            contest: Contest::default(),
            mins: Vec::new(),
            counted: 0,
            frontier: 0,
            parent: NONE,
            parent_slot: 0,
            first_below: NONE,
            next: NONE,
            previous: NONE,
        });
        self.bytes += size_of::<Block<S>>();
        (self.blocks.len() - 1) as BlockId
    }

    /// Expands the current brother at a slot: LIVE MAX becomes a block with its first partition,
    /// `size` children.
    #[inline]
    pub(crate) fn push(
        &mut self,
        parent: BlockId,
        parent_slot: usize,
        max: (Place<S>, Children<S>),
        hi: Value,
        size: usize,
    ) -> BlockId {
        let all = 0..max.1.len();
        self.push_some(parent, parent_slot, max, all, hi, size)
    }

    /// The same with these children alone.
    #[inline]
    pub(crate) fn push_some(
        &mut self,
        parent: BlockId,
        parent_slot: usize,
        max: (Place<S>, Children<S>),
        children: Range<usize>,
        hi: Value,
        size: usize,
    ) -> BlockId {
        let id = self.allocate();
        self.clock += 1;
        let above = &mut self.blocks[parent as usize];
        let next = std::mem::replace(&mut above.first_below, id);
        above.frontier -= 1;
        above.contest.slots[parent_slot].state = State::Expanded(id);
        let block = &mut self.blocks[id as usize];
        block.max = Some(max);
        block.low = -INFINITY;
        block.high = hi;
        block.pushed = self.clock;
        block.partition = 0;
        block.first = children.start;
        block.last = children.end;
        block.parent = parent;
        block.parent_slot = parent_slot;
        block.first_below = NONE;
        block.previous = NONE;
        block.next = next;
        self.bytes += block.start_partition(size);
        self.open = self.open - 1 + block.frontier as u64;
        self.backup += 1;
        self.resumable += usize::from(block.has_partition_left());
        if next != NONE {
            self.blocks[next as usize].previous = id;
        }
        id
    }

    /// Drops a block with all that is below; its node is then SOLVED with `merit`. Returns the
    /// block above.
    #[inline]
    pub(crate) fn solve(&mut self, id: BlockId, merit: Value) -> BlockId {
        self.note_answer(id, merit);
        self.purge_below(id);
        let block = &self.blocks[id as usize];
        let (parent, slot) = (block.parent, block.parent_slot);
        self.unlink(id);
        self.release(id);
        let above = &mut self.blocks[parent as usize];
        above.frontier += 1;
        self.open += 1;
        above.contest.slots[slot].state = State::SolvedMax;
        above.contest.set(slot, merit);
        parent
    }

    /// The MAX node of `id` is SOLVED with `merit`: if that is less than it was hoped to be, it is the
    /// best answer so far at the MIN node above.
    #[inline]
    fn note_answer(&mut self, id: BlockId, merit: Value) {
        let block = self.block(id);
        if merit < block.high {
            let (parent, slot) = (block.parent, block.parent_slot);
            if let Some(min) = self.block_mut(parent).min_mut(slot) {
                min.answer = min.brother;
            }
        }
    }

    /// What the search learns when a MAX node is SOLVED: every MIN node below it was refuted, or
    /// SOLVED, by the best answer it had.
    #[inline]
    pub(crate) fn learn(&self, id: BlockId, search: &mut Search<'_, S>) {
        if S::Order::LEARNS {
            for min in self.block(id).mins.iter().flatten() {
                search.decide(&min.n, &min.brothers, min.answer);
            }
        }
    }

    /// The state at a slot leaves OPEN.
    #[inline]
    pub(crate) fn remove(&mut self, id: BlockId, slot: usize) {
        let block = &mut self.blocks[id as usize];
        block.contest.slots[slot].state = State::Gone;
        block.contest.set(slot, NOTHING);
        block.frontier -= 1;
        self.open -= 1;
    }

    /// Purges what is below `id` and pushes its next partition, `size` children.
    pub(crate) fn resume(&mut self, id: BlockId, size: usize) {
        self.purge_below(id);
        let block = &mut self.blocks[id as usize];
        self.open -= block.frontier as u64;
        block.partition += 1;
        block.first = block.end;
        self.bytes += block.start_partition(size);
        self.open += block.frontier as u64;
        self.resumable -= usize::from(!block.has_partition_left());
    }

    /// Drops all blocks below `id`. Their states leave OPEN; `id`'s own slots are left as they are.
    #[inline]
    fn purge_below(&mut self, id: BlockId) {
        let mut next = std::mem::replace(&mut self.blocks[id as usize].first_below, NONE);
        while next != NONE {
            self.purge_below_again(next);
            let after = self.blocks[next as usize].next;
            self.release(next);
            next = after;
        }
    }

    /// Keeps the recursion out of the common case, in which there is nothing below.
    #[inline(never)]
    fn purge_below_again(&mut self, id: BlockId) {
        self.purge_below(id);
    }

    #[inline]
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

    #[inline]
    fn release(&mut self, id: BlockId) {
        let block = &mut self.blocks[id as usize];
        block.pushed = 0;
        self.open -= block.frontier as u64;
        self.backup -= 1;
        self.resumable -= usize::from(block.has_partition_left());
        self.free.push(id);
    }

    /// Among the blocks below `id`, the one pushed last that has partitions left and high > low;
    /// `low` is the effective low of `id`.
    #[inline]
    pub(crate) fn last_resumable_below(&self, id: BlockId, low: Value) -> Option<BlockId> {
        let own = usize::from(self.block(id).has_partition_left());
        if self.resumable == own || self.block(id).first_below == NONE {
            return None;
        }
        let mut last = None;
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
    pub(crate) fn report_up(&mut self, id: BlockId, merit: Value) -> BlockId {
        let block = &self.blocks[id as usize];
        let (parent, slot) = (block.parent, block.parent_slot);
        self.blocks[parent as usize].contest.set(slot, merit);
        parent
    }

    /// Tells all blocks above of `id`'s best merit.
    pub(crate) fn report_up_to_top(&mut self, mut id: BlockId) {
        while id != TOP {
            let merit = self.blocks[id as usize].best().1;
            id = self.report_up(id, merit);
        }
    }

    /// Makes the LIVE state at a slot INACTIVE.
    pub(crate) fn set_aside(&mut self, id: BlockId, slot: usize, state: State) {
        let block = &mut self.blocks[id as usize];
        block.contest.slots[slot].state = state;
        block.contest.set(slot, NOTHING);
    }

    /// Makes an INACTIVE state ACTIVE again.
    pub(crate) fn take_up(&mut self, id: BlockId, slot: usize) {
        let block = &mut self.blocks[id as usize];
        block.contest.set(slot, block.contest.slots[slot].state.merit(NOTHING));
    }

    /// Drops all states below `id` whose merit is at most `h`, but for the one at slot `keep` of
    /// `id` itself.
    pub(crate) fn drop_no_better(&mut self, id: BlockId, keep: Option<usize>, h: Value) {
        // No slot that was never opened has more than the best ACTIVE state, which h is.
        let block = &mut self.blocks[id as usize];
        let fresh = block.contest.size - block.contest.slots.len();
        block.frontier -= fresh;
        self.open -= fresh as u64;
        for slot in (0..self.block(id).contest.slots.len()).filter(|&slot| Some(slot) != keep) {
            let block = self.block(id);
            match block.contest.slots[slot].state {
                State::Gone | State::Away => {}
                State::Expanded(below) => {
                    self.drop_no_better(below, None, h);
                    let lower = self.block(below);
                    if lower.frontier == 0 && lower.first_below == NONE {
                        self.unlink(below);
                        self.release(below);
                        let block = self.block_mut(id);
                        block.contest.slots[slot].state = State::Gone;
                        block.contest.slots[slot].merit = NOTHING;
                    } else {
                        let merit = self.block_mut(below).best().1;
                        self.block_mut(id).contest.slots[slot].merit = merit;
                    }
                }
                state if state.merit(block.merit(slot)) <= h => {
                    let block = self.block_mut(id);
                    block.contest.slots[slot].state = State::Gone;
                    block.contest.slots[slot].merit = NOTHING;
                    block.frontier -= 1;
                    self.open -= 1;
                }
                _ => {}
            }
        }
        self.block_mut(id).contest.close();
    }

    /// The deepest INACTIVE state below `id`, ties leftmost.
    pub(crate) fn deepest_inactive(&self, id: BlockId) -> Option<(BlockId, usize)> {
        let mut deepest = None;
        self.find_deepest_inactive(id, &mut deepest);
        deepest.map(|(_, block, slot)| (block, slot))
    }

    fn find_deepest_inactive(&self, id: BlockId, deepest: &mut Option<(u32, BlockId, usize)>) {
        let block = self.block(id);
        for (slot, &Slot { state, .. }) in block.contest.slots.iter().enumerate() {
            let below_min = match state {
                State::Expanded(below) => {
                    self.find_deepest_inactive(below, deepest);
                    continue;
                }
                State::LiveMin(_) if block.merit(slot) == NOTHING => 0,
                State::LiveMax(_) if block.merit(slot) == NOTHING => 1,
                _ => continue,
            };
            let ply = block.min(slot).map_or(0, |min| min.n.ply) + below_min;
            if deepest.is_none_or(|(best, ..)| ply > best) {
                *deepest = Some((ply, id, slot));
            }
        }
    }

    /// How many states are INACTIVE.
    pub(crate) fn inactive(&self, id: BlockId) -> u64 {
        let block = self.block(id);
        let count = |(slot, &Slot { state, .. }): (usize, &Slot)| match state {
            State::Expanded(below) => self.inactive(below),
            State::LiveMin(_) | State::LiveMax(_) => u64::from(block.merit(slot) == NOTHING),
            _ => 0,
        };
        block.contest.slots.iter().enumerate().map(count).sum()
    }

    /// A bound on the value of the MAX node of `id`, from above: what no state below can exceed,
    /// and what children not yet in the search might still be worth.
    pub(crate) fn upper_bound(&self, id: BlockId, low: Value) -> Value {
        let block = self.block(id);
        let low = low.max(block.low);
        if block.has_partition_left() || !block.contest.all_open() {
            return block.high;
        }
        let bound = |(slot, &Slot { state, .. }): (usize, &Slot)| match state {
            State::Expanded(below) => self.upper_bound(below, low),
            state => state.merit(block.merit(slot)),
        };
        block.contest.slots.iter().enumerate().map(bound).fold(low, Value::max)
    }

    /// OPEN as a story shows it: best first, `root` being the root's mark.
    pub(crate) fn listed(&self, root: Mark<S>) -> Event<Mark<S>> {
        let mut states = Vec::new();
        self.list(TOP, root, &mut states);
        states.sort_by_key(|state| std::cmp::Reverse(state.merit));
        Event::Open { states }
    }

    fn list(&self, id: BlockId, root: Mark<S>, states: &mut Vec<OpenState<Mark<S>>>) {
        let block = self.block(id);
        let own = block.max.as_ref().map_or(root, |(max, _)| max.mark);
        for (slot, &Slot { state, .. }) in block.contest.slots.iter().enumerate() {
            let (mark, child) = match (state, block.min(slot)) {
                (State::Gone | State::Away, _) => continue,
                (State::Returned(child), _) => (own, Some(child as usize)),
                (State::Expanded(below), _) => {
                    self.list(below, root, states);
                    continue;
                }
                (State::SolvedMin | State::LiveMin(_), _) => (own, Some(block.child_of(slot))),
                (_, Some(min)) => (min.n.mark, Some(min.brother)),
                (_, None) => (root, None),
            };
            let status = match state {
                State::LiveMin(_) | State::LiveMax(_) => Status::Live,
                _ => Status::Solved,
            };
            let merit = state.merit(block.merit(slot));
            let active = block.merit(slot) != NOTHING;
            states.push(OpenState { mark, child, status, merit, active });
        }
        for slot in block.contest.slots.len()..block.contest.size {
            let (child, merit) = (Some(block.child_of(slot)), block.high);
            states.push(OpenState { mark: own, child, status: Status::Live, merit, active: true });
        }
    }
}

impl<S: Setting> Block<S> {
    /// The partition from `first` on is LIVE; returns the bytes that this took.
    #[inline]
    fn start_partition(&mut self, size: usize) -> usize {
        let size = size.min(self.last - self.first);
        self.end = self.first + size;
        self.frontier = size;
        self.mins.clear();
        let grown =
            self.mins.capacity() - std::mem::replace(&mut self.counted, self.mins.capacity());
        self.contest.start(size) + grown * size_of::<Option<Min<S>>>()
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
        (!self.contest.all_open()).then_some(self.first + self.contest.slots.len())
    }

    #[inline]
    pub(crate) fn state(&self, slot: usize) -> State {
        self.contest.slots[slot].state
    }

    /// Changes what stands at a slot on the frontier.
    #[inline]
    pub(crate) fn set(&mut self, slot: usize, state: State, merit: Value) {
        self.contest.slots[slot].state = state;
        self.contest.set(slot, merit);
    }

    /// Opens the next slot for a MIN node that is a leaf, SOLVED with `merit`.
    #[inline]
    pub(crate) fn open_leaf(&mut self, merit: Value) {
        self.contest.open(State::SolvedMin, merit);
    }

    /// Opens the next slot for an expanded MIN node.
    // Inlined so that the node is built where it will stay.
    #[inline(always)]
    pub(crate) fn open_slot(&mut self, state: State, merit: Value, min: Min<S>) -> usize {
        let slot = self.contest.slots.len();
        self.contest.open(state, merit);
        // Leaves before it have no place in the list yet.
        if self.mins.len() < slot {
            self.mins.resize_with(slot, || None);
        }
        self.mins.push(Some(min));
        slot
    }

    /// The MIN node of a slot, unless it is a leaf.
    #[inline]
    pub(crate) fn min(&self, slot: usize) -> Option<&Min<S>> {
        self.mins.get(slot)?.as_ref()
    }

    #[inline]
    pub(crate) fn min_mut(&mut self, slot: usize) -> Option<&mut Min<S>> {
        self.mins.get_mut(slot)?.as_mut()
    }

    #[inline]
    pub(crate) fn merit(&self, slot: usize) -> Value {
        self.contest.slots[slot].merit
    }

    /// The best opened slot, ties leftmost, or `None` if the next one to be opened is better; and
    /// its merit.
    #[inline]
    pub(crate) fn best(&mut self) -> (Option<usize>, Value) {
        let best = self.contest.best(self.high);
        (best, best.map_or(self.high, |slot| self.contest.slots[slot].merit))
    }
}
