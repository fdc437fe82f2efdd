//! A solution tree that is searched by several processes: what can be given away, and what comes
//! back.
//!
//! A state that another process works on stays in its slot as [`State::Away`]. It is still counted
//! among the states on OPEN: its place is reserved for its return.

use super::{Block, BlockId, Min, SolutionTree, TOP};
use crate::Setting;
use crate::best_first::contest::{NOTHING, Slot, State};
use plyground_core::value::Value;

/// A LIVE MIN node that another process could take over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LiveMin {
    pub(crate) block: BlockId,
    pub(crate) slot: usize,
    pub(crate) ply: u32,
    pub(crate) merit: Value,
    /// The effective low of its parent.
    pub(crate) low: Value,
    pub(crate) inactive: bool,
}

/// A block as it was when it was pushed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fresh {
    block: BlockId,
    pushed: u64,
}

impl<S: Setting> SolutionTree<S> {
    /// Is the block `id` below `top`, or the same?
    pub(crate) fn is_below(&self, mut id: BlockId, top: BlockId) -> bool {
        while id != top && id != TOP {
            id = self.block(id).parent;
        }
        id == top
    }

    /// A block that may have LIVE MIN nodes for others from now on.
    pub(crate) fn fresh(&self, block: BlockId) -> Fresh {
        Fresh { block, pushed: self.block(block).pushed }
    }

    /// LIVEMINS: the LIVE MIN nodes of these blocks that are worth more than low, from left to right
    /// at each ply. Blocks that have none any more are forgotten: nearly all that were ever pushed.
    pub(crate) fn live_mins(&self, among: &mut Vec<Fresh>, low: Value) -> Vec<LiveMin> {
        self.forget_stale(among);
        let unsettled = |fresh: &Fresh| {
            let low = self.low_if_unsettled(fresh.block, low)?;
            Some((self.way_to(fresh.block), fresh.block, low))
        };
        let mut blocks: Vec<_> = among.iter().filter_map(unsettled).collect();
        blocks.sort_unstable();
        blocks.dedup();
        let mut found = Vec::new();
        for (_, id, low) in blocks {
            let block = self.block(id);
            let ply = block.max.as_ref().map_or(0, |(max, _)| max.ply + 1);
            for (slot, &Slot { state, merit }) in block.contest.slots.iter().enumerate() {
                if let State::LiveMin(h) = state {
                    let inactive = merit == NOTHING;
                    found.push(LiveMin { block: id, slot, ply, merit: h, low, inactive });
                }
            }
            for slot in block.contest.slots.len()..block.contest.size {
                let merit = block.high;
                found.push(LiveMin { block: id, slot, ply, merit, low, inactive: false });
            }
        }
        found
    }

    /// Forgets the blocks that are gone, and those without a LIVE MIN node.
    pub(crate) fn forget_stale(&self, among: &mut Vec<Fresh>) {
        among.retain(|fresh| {
            let block = self.block(fresh.block);
            let is_live = |slot: &Slot| matches!(slot.state, State::LiveMin(_));
            block.pushed == fresh.pushed
                && (block.contest.slots.len() < block.contest.size
                    || block.contest.slots.iter().any(is_live))
        });
    }

    /// The same by a walk over the whole tree: the blocks whose MAX node is more than `height` plies
    /// from the horizon.
    #[cfg(any(test, debug_assertions))]
    pub(crate) fn live_mins_by_a_walk(&self, height: u32, low: Value) -> Vec<LiveMin> {
        let mut all = Vec::new();
        let mut next = vec![TOP];
        while let Some(id) = next.pop() {
            let block = self.block(id);
            if block.max.as_ref().is_some_and(|(max, _)| max.height <= height) {
                continue;
            }
            all.push(self.fresh(id));
            for slot in &block.contest.slots {
                if let State::Expanded(below) = slot.state {
                    next.push(below);
                }
            }
        }
        self.live_mins(&mut all, low)
    }

    /// The effective low of a block, if neither it nor one above it is settled.
    fn low_if_unsettled(&self, id: BlockId, low: Value) -> Option<Value> {
        let block = self.block(id);
        let above = if id == TOP { low } else { self.low_if_unsettled(block.parent, low)? };
        let low = above.max(block.low);
        (block.high > low).then_some(low)
    }

    /// The slots from the top down to a block.
    fn way_to(&self, mut id: BlockId) -> Vec<usize> {
        let mut way = Vec::new();
        while id != TOP {
            let block = self.block(id);
            way.push(block.parent_slot);
            id = block.parent;
        }
        way.reverse();
        way
    }

    /// The MAX nodes with partitions left that could still matter, whose children are at least
    /// `height` plies from the horizon: their blocks, plies and effective lows, from left to right.
    pub(crate) fn with_partitions_left(
        &self,
        height: u32,
        low: Value,
    ) -> Vec<(BlockId, u32, Value)> {
        let mut found = Vec::new();
        self.find_partitions_left(TOP, height, low, &mut found);
        found
    }

    fn find_partitions_left(
        &self,
        id: BlockId,
        height: u32,
        low: Value,
        found: &mut Vec<(BlockId, u32, Value)>,
    ) {
        let block = self.block(id);
        let low = low.max(block.low);
        if let Some((max, _)) = &block.max {
            if max.height <= height || block.high <= low {
                return;
            }
            if block.has_partition_left() {
                found.push((id, max.ply, low));
            }
        }
        for slot in &block.contest.slots {
            if let State::Expanded(below) = slot.state {
                self.find_partitions_left(below, height, low, found);
            }
        }
    }

    /// The highest high of a MAX node with partitions left that could still matter, its block, and
    /// when that was pushed.
    pub(crate) fn highest_unbegun(&self, low: Value) -> Option<(Value, BlockId, u64)> {
        let left = self.with_partitions_left(0, low);
        let highest = left.iter().max_by_key(|&&(id, ..)| self.block(id).high)?;
        let block = self.block(highest.0);
        Some((block.high, highest.0, block.pushed))
    }

    /// Has the block that was pushed then a partition left that was not begun?
    pub(crate) fn is_unbegun(&self, id: BlockId, pushed: u64) -> bool {
        self.block(id).pushed == pushed && self.block(id).has_partition_left()
    }

    /// The LIVE MIN node at a slot, opened or not, goes to another process.
    pub(crate) fn give_away(&mut self, id: BlockId, slot: usize) {
        let block = self.block_mut(id);
        block.open_all();
        if let Some(min) = block.mins.get_mut(slot) {
            *min = None;
        }
        block.set(slot, State::Away, NOTHING);
        self.report_up_to_top(id);
    }

    /// The next partition of a block, `size` children, goes to another process. Returns the slot
    /// that it will come back to, and its first child.
    pub(crate) fn give_partition_away(&mut self, id: BlockId, size: usize) -> (usize, usize) {
        let block = self.block_mut(id);
        block.open_all();
        let (slot, first) = (block.contest.size, block.end);
        block.contest.add(State::Away);
        block.frontier += 1;
        block.partition += 1;
        block.end = block.last.min(first + size);
        let exhausted = !block.has_partition_left();
        self.open += 1;
        self.bytes += size_of::<Slot>();
        self.resumable -= usize::from(exhausted);
        self.report_up_to_top(id);
        (slot, first)
    }

    /// What was away comes back.
    pub(crate) fn come_back(&mut self, id: BlockId, slot: usize, state: State, h: Value) {
        self.block_mut(id).set(slot, state, h);
        self.report_up_to_top(id);
    }

    /// The highest merit of an INACTIVE state, or [`NOTHING`].
    pub(crate) fn highest_inactive(&self, id: BlockId) -> Value {
        let merit = |slot: &Slot| match slot.state {
            State::Expanded(below) => self.highest_inactive(below),
            State::LiveMin(h) | State::LiveMax(h) if slot.merit == NOTHING => h,
            _ => NOTHING,
        };
        self.block(id).contest.slots.iter().map(merit).max().unwrap_or(NOTHING)
    }
}

impl<S: Setting> Block<S> {
    /// Opens all slots that are left: each of them is then a state of its own.
    fn open_all(&mut self) {
        if !self.contest.all_open() {
            self.contest.open_all(self.high);
        }
    }

    /// The MIN node at an opened slot is expanded.
    pub(crate) fn set_min(&mut self, slot: usize, min: Min<S>) {
        if self.mins.len() <= slot {
            self.mins.resize_with(slot + 1, || None);
        }
        self.mins[slot] = Some(min);
    }

    /// The number of the first child that neither this process nor another has begun with.
    pub(crate) fn given_up_to(&self) -> usize {
        self.end
    }

    /// How many slots are opened.
    pub(crate) fn opened(&self) -> usize {
        self.contest.slots.len()
    }
}
