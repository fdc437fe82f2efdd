//! How processes work together: they delegate states, take results back, kill, and publish
//! h-values.

use std::sync::Arc;

use super::Job;
use super::process::{Delegated, Pause, Process, Turn, Witness};
use crate::best_first::frames::{FrameId, TOP};
use crate::best_first::merits::NOTHING;
use crate::best_first::rules::NextStep;
use crate::best_first::sharing::LiveMin;
use crate::best_first::slot::SlotState;
use crate::prelude::*;
use crate::trace::Event;

impl<T: GameTree, M: Mode> Process<T, M> {
    /// Delegates as many states as processes may be started: LIVE MIN nodes, INACTIVE ones first
    /// and then the highest in the tree, ties leftmost; when none is left, unstarted partitions. It
    /// does not delegate x, the first state of OPEN, which is expanded next. `false` if nothing has
    /// changed.
    pub(super) fn share(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        x: Option<(FrameId, NextStep)>,
    ) -> bool {
        let x = x.and_then(|(id, next)| match next {
            NextStep::LiveMins => Some((id, self.tree.frame(id).opened())),
            NextStep::Reactivated(slot) => Some((id, slot)),
            // What is SOLVED is never delegated.
            _ => None,
        });
        let mut mins = self.tree.frames.live_mins(&mut self.shareable, self.path[0].1);
        self.checked_shareable = self.shareable.len();
        #[cfg(any(test, debug_assertions))]
        assert_eq!(
            mins,
            self.tree.frames.live_mins_by_walk(
                turn.search.depth,
                turn.settings.spawn_height,
                self.path[0].1
            )
        );
        mins.retain(|min| Some((min.frame, min.slot)) != x);
        inactive_and_high_first(&mut mins);
        let taken = turn.minproc.take_places(mins.len());
        self.may_share = taken < mins.len();
        for (i, min) in mins[..taken].iter().enumerate() {
            let child = self.tree.frame(min.frame).child_of(min.slot);
            if !self.start(turn, min.frame, (child, 1), (min.merit, min.low), None, min.slot) {
                turn.minproc.give_places(taken - i);
                return true;
            }
        }
        if !self.may_share && turn.settings.phased {
            return self.share_partitions(turn) || taken > 0;
        }
        taken > 0
    }

    /// Notes that a frame has LIVE MIN nodes to delegate.
    pub(super) fn note_shareable(&mut self, id: FrameId) {
        self.may_share = true;
        // While no place is free the list only grows, and most frames on it are soon gone.
        if self.shareable.len() > 64 + 2 * self.checked_shareable {
            self.tree.frames.forget_stale(&mut self.shareable);
            self.checked_shareable = self.shareable.len();
        }
        self.shareable.push(self.tree.frames.pushed_frame(id));
    }

    /// Delegates unstarted partitions, of the highest MAX nodes first; `false` if there are none.
    fn share_partitions(&mut self, turn: &mut Turn<'_, '_, T, M>) -> bool {
        let low = self.path[0].1;
        let Some(ply) = turn.search.depth.checked_sub(turn.settings.spawn_height) else {
            self.may_share = false;
            return false;
        };
        let mut left = self.tree.frames.with_partitions_left(&mut self.unstarted.all, ply, low);
        #[cfg(any(test, debug_assertions))]
        assert_eq!(left, self.tree.frames.with_partitions_left_by_walk(ply, low));
        high_first(&mut left);
        let taken = turn.minproc.take_places(left.len());
        // A node that has delegated one partition may have another.
        self.may_share = !left.is_empty();
        for (i, &(id, _, low)) in left[..taken].iter().enumerate() {
            let frame = self.tree.frame(id);
            let children = frame.width as usize;
            let size = turn.settings.partitions.size(children, frame.next_partition());
            let high = frame.high;
            if !self.start(turn, id, (0, size), (high, low), Some(size), 0) {
                turn.minproc.give_places(taken - i);
                return true;
            }
        }
        taken > 0
    }

    /// Starts a process on some children of a frame's MAX node: the MIN node of a slot, or the next
    /// partition. `false` if this process has been killed.
    fn start(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        id: FrameId,
        (child, n): (usize, usize),
        (high, low): (Value, Value),
        partition: Option<usize>,
        slot: usize,
    ) -> bool {
        let Some(entry) = turn.minproc.new_entry(&self.entry, high, low) else { return false };
        let (slot, child, n) = match partition {
            None => {
                self.tree.frames.delegate(id, slot);
                (slot, child, n)
            }
            Some(size) => {
                let (slot, first) = self.tree.delegate_partition(id, size);
                (slot, first, self.tree.frame(id).first_unstarted() - first)
            }
        };
        let max = self.tree.expanded_max(id);
        let process = entry.number;
        turn.search.emit(&max.n, || Event::Spawned { process, children: (n, child) });
        let job = Job { max, children: child..child + n, entry: Arc::clone(&entry) };
        self.delegated.push(Delegated { entry, frame: id, slot, partition: partition.is_some() });
        self.count_exactly(turn);
        if partition.is_none() {
            turn.count_handed_over(&job.entry);
        }
        turn.minproc.submit(job);
        turn.changed = true;
        turn.cost += turn.settings.costs.split + turn.settings.costs.message;
        true
    }

    /// Takes the states that other processes have SOLVED back on OPEN; `false` if there are none.
    pub(super) fn take_back_results(&mut self, turn: &mut Turn<'_, '_, T, M>) -> bool {
        if !self.entry.take_child_solved() {
            return false;
        }
        turn.changed = true;
        self.witness = None;
        self.tree.frames.report_up_to_top(self.path[self.path.len() - 1].0);
        self.path.truncate(1);
        let tree = &mut self.tree;
        self.delegated.retain(|delegated| {
            let Some((value, best)) = delegated.entry.result() else { return true };
            let state =
                if delegated.partition { SlotState::Returned(best) } else { SlotState::SolvedMin };
            tree.frames.take_back(delegated.frame, delegated.slot, state, value);
            false
        });
        self.count_exactly(turn);
        true
    }

    /// Kills the processes below `id` whose h-values are no higher than `low`, and passes `low` on
    /// to the others; `true` if there are others.
    pub(super) fn kill_no_better(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        id: FrameId,
        low: Value,
    ) -> bool {
        let mut others_are_left = false;
        let mut i = 0;
        while i < self.delegated.len() {
            let delegated = &self.delegated[i];
            if !self.tree.frames.is_below(delegated.frame, id) {
                i += 1;
            } else if delegated.entry.h() > low {
                others_are_left = true;
                if turn.settings.phased {
                    delegated.entry.raise_low(low);
                }
                i += 1;
            } else {
                let delegated = self.delegated.swap_remove(i);
                turn.kill(&delegated.entry);
                self.tree.frames.remove(delegated.frame, delegated.slot);
                self.witness = None;
                turn.changed = true;
                let process = delegated.entry.number;
                turn.search.emit_at_root(|| Event::Killed { process });
            }
        }
        others_are_left
    }

    /// Updates the h-value in MINPROC: the highest of FIRST's choice, of INACTIVE states, of what
    /// unstarted partitions may be worth, and of the processes below.
    #[inline(always)]
    pub(super) fn publish(&mut self, turn: &mut Turn<'_, '_, T, M>, h: Value) {
        // It only falls.
        if h < self.published {
            self.publish_less(turn, h);
        }
    }

    #[inline(never)]
    fn publish_less(&mut self, turn: &mut Turn<'_, '_, T, M>, first: Value) {
        let still = |witness: &Witness| match witness {
            Witness::Process(entry) => entry.h() >= self.published,
            Witness::Partition(id, pushed) => {
                self.tree.frames.has_unstarted_partition(*id, *pushed)
            }
        };
        if self.witness.as_ref().is_some_and(still) {
            return;
        }
        self.witness = None;
        let mut h = self.own_h(turn, first);
        if let Some((high, id, pushed)) = self.unstarted(turn)
            && high > h
        {
            (h, self.witness) = (high, Some(Witness::Partition(id, pushed)));
        }
        // Each h-value is read once, because it may fall meanwhile.
        for delegated in &self.delegated {
            let other = delegated.entry.h();
            if other > h {
                (h, self.witness) = (other, Some(Witness::Process(Arc::clone(&delegated.entry))));
            }
        }
        if h < self.published {
            self.published = h;
            turn.changed = true;
            turn.minproc.lower(&self.entry, h);
            turn.cost += turn.settings.costs.message;
        }
    }

    /// Can a process that waits continue?
    pub(super) fn can_go_on(&self, turn: &Turn<'_, '_, T, M>) -> bool {
        let Some((id, low)) = self.waits else { return true };
        let below = |delegated: &&Delegated| self.tree.frames.is_below(delegated.frame, id);
        self.delegated.iter().filter(below).any(|delegated| delegated.entry.h() <= low)
            || (self.may_share && turn.minproc.free() > 0)
            || self.h_falls(turn, low)
    }

    /// Does a process that paused in this way have anything to do other than evaluate a leaf?
    pub(super) fn has_something_to_do(&self, turn: &Turn<'_, '_, T, M>, pause: Pause) -> bool {
        self.entry.needs_attention()
            || match pause {
                Pause::Waits => self.can_go_on(turn),
                Pause::Leaf => self.h_falls(turn, self.hi),
                Pause::Ended => false,
            }
    }

    /// Has the h-value fallen below the published one, if that of its own OPEN is `own`?
    fn h_falls(&self, turn: &Turn<'_, '_, T, M>, own: Value) -> bool {
        if self.entry.is_first() {
            return false;
        }
        let unstarted = self.unstarted(turn).map_or(NOTHING, |(high, ..)| high);
        let others = self.delegated.iter().map(|delegated| delegated.entry.h());
        others.fold(self.own_h(turn, own).max(unstarted), Value::max) < self.published
    }

    /// The highest of `first` and of the merits of INACTIVE states.
    fn own_h(&self, turn: &Turn<'_, '_, T, M>, first: Value) -> Value {
        match turn.settings.is_bounded() {
            true => first.max(self.tree.frames.highest_inactive(TOP)),
            false => first,
        }
    }

    /// The most that an unstarted partition may be worth: its MAX node's high, the frame, and when
    /// the frame was pushed.
    fn unstarted(&self, turn: &Turn<'_, '_, T, M>) -> Option<(Value, FrameId, u64)> {
        let highest = || self.unstarted.highest(&self.tree.frames, self.path[0].1);
        turn.settings.phased.then(highest)?
    }
}

/// INACTIVE nodes first, then the highest in the tree; ties keep the order. Not generic: a sort is much
/// code.
fn inactive_and_high_first(mins: &mut [LiveMin]) {
    mins.sort_by_key(|min| (!min.inactive, min.ply));
}

/// The highest nodes in the tree first; ties keep the order.
fn high_first(nodes: &mut [(FrameId, u32, Value)]) {
    nodes.sort_by_key(|&(_, ply, _)| ply);
}

#[cfg(test)]
mod tests {
    use plyground_core::tree::{Synthetic, mix};

    use crate::{Options, SearchSpec, algorithms, search};

    /// The comparison is in `share`.
    #[test]
    fn what_is_delegated_is_what_a_walk_over_the_tree_finds() {
        for seed in 0..150 {
            let (width, depth) = (2 + mix(seed, 1) as usize % 4, 2 + mix(seed, 2) as usize % 5);
            let tree = Synthetic::independent(width, depth, 9, seed).unwrap();
            let plain = SearchSpec::new(&algorithms::Minimax.into(), depth as u32);
            let minimax = search(&tree, &plain).unwrap();
            for id in ["parsss:2", "parsss:7", "paritersss:3:40", "paritersss:6:25", "parps:5:2"] {
                for spawn_height in [0, 2] {
                    let spawn_height = Some(spawn_height);
                    let simulated =
                        Options { simulate: true, spawn_height, ..Options::to_depth(depth as u32) };
                    let spec = SearchSpec::check(&id.parse().unwrap(), simulated).unwrap();
                    let found = search(&tree, &spec).unwrap();
                    assert_eq!(found.value, minimax.value, "{id}, seed {seed}");
                }
            }
        }
    }
}
