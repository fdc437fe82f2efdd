//! A solution tree that is searched by several processes: what can be given away, and what comes
//! back.
//!
//! A state that another process works on stays in its slot as [`State::Away`]. It is still counted
//! among the states on OPEN: its place is reserved for its return.

use super::{Block, BlockId, Min, SolutionTree, TOP};
use crate::search::Setting;
use crate::search::best_first::contest::{NOTHING, Slot, State};
use crate::value::Value;

/// A LIVE MIN node that another process could take over.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct LiveMin {
    pub(in crate::search) block: BlockId,
    pub(in crate::search) slot: usize,
    pub(in crate::search) ply: u32,
    pub(in crate::search) merit: Value,
    pub(in crate::search) inactive: bool,
}

impl<S: Setting> SolutionTree<S> {
    /// The block above.
    pub(in crate::search) fn parent_of(&self, id: BlockId) -> BlockId {
        self.block(id).parent
    }

    /// Is the block `id` below `top`, or the same?
    pub(in crate::search) fn is_below(&self, mut id: BlockId, top: BlockId) -> bool {
        while id != top && id != TOP {
            id = self.block(id).parent;
        }
        id == top
    }

    /// LIVEMINS: the LIVE MIN nodes at least `height` plies from the horizon that are worth more than
    /// low, from left to right.
    pub(in crate::search) fn live_mins(&self, height: u32, low: Value) -> Vec<LiveMin> {
        let mut found = Vec::new();
        self.find_live_mins(TOP, height, low, &mut found);
        found
    }

    fn find_live_mins(&self, id: BlockId, height: u32, low: Value, found: &mut Vec<LiveMin>) {
        let block = self.block(id);
        let low = low.max(block.low);
        if block.high <= low {
            return;
        }
        if let Some((max, _)) = &block.max
            && max.height <= height
        {
            return;
        }
        let ply = block.max.as_ref().map_or(0, |(max, _)| max.ply + 1);
        for (slot, &Slot { state, merit }) in block.contest.slots.iter().enumerate() {
            match state {
                State::Expanded(below) => self.find_live_mins(below, height, low, found),
                State::LiveMin(h) => {
                    let inactive = merit == NOTHING;
                    found.push(LiveMin { block: id, slot, ply, merit: h, inactive });
                }
                _ => {}
            }
        }
        for slot in block.contest.slots.len()..block.contest.size {
            found.push(LiveMin { block: id, slot, ply, merit: block.high, inactive: false });
        }
    }

    /// The MAX nodes with partitions left that could still matter, whose children are at least
    /// `height` plies from the horizon: their blocks, plies and effective lows, from left to right.
    pub(in crate::search) fn with_partitions_left(
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
    pub(in crate::search) fn highest_unbegun(&self, low: Value) -> Option<(Value, BlockId, u64)> {
        let left = self.with_partitions_left(0, low);
        let highest = left.iter().max_by_key(|&&(id, ..)| self.block(id).high)?;
        let block = self.block(highest.0);
        Some((block.high, highest.0, block.pushed))
    }

    /// Has the block that was pushed then a partition left that was not begun?
    pub(in crate::search) fn is_unbegun(&self, id: BlockId, pushed: u64) -> bool {
        self.block(id).pushed == pushed && self.block(id).has_partition_left()
    }

    /// The LIVE MIN node at a slot, opened or not, goes to another process.
    pub(in crate::search) fn give_away(&mut self, id: BlockId, slot: usize) {
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
    pub(in crate::search) fn give_partition_away(
        &mut self,
        id: BlockId,
        size: usize,
    ) -> (usize, usize) {
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
    pub(in crate::search) fn come_back(
        &mut self,
        id: BlockId,
        slot: usize,
        state: State,
        h: Value,
    ) {
        self.block_mut(id).set(slot, state, h);
        self.report_up_to_top(id);
    }

    /// The highest merit of an INACTIVE state, or [`NOTHING`].
    pub(in crate::search) fn highest_inactive(&self, id: BlockId) -> Value {
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
    pub(in crate::search) fn set_min(&mut self, slot: usize, min: Min<S>) {
        if self.mins.len() <= slot {
            self.mins.resize_with(slot + 1, || None);
        }
        self.mins[slot] = Some(min);
    }

    /// The number of the first child that neither this process nor another has begun with.
    pub(in crate::search) fn given_up_to(&self) -> usize {
        self.end
    }

    /// How many slots are opened.
    pub(in crate::search) fn opened(&self) -> usize {
        self.contest.slots.len()
    }
}
