//! What processes do with each other: give away, take in, kill, publish.

use std::sync::Arc;

use super::Job;
use super::process::{Away, Pause, Process, Turn, Witness};
use crate::best_first::frames::{FrameId, TOP};
use crate::best_first::winner_tree::{NOTHING, State};
use crate::prelude::*;
use crate::trace::Event;

impl<T: GameTree, M: Mode> Process<T, M> {
    /// Gives away what others have room for, before x, the first of OPEN if any is ACTIVE, is
    /// expanded: its LIVE MIN nodes, INACTIVE ones first and then the highest in the tree, ties
    /// leftmost; where all are given away, partitions not yet begun. `false` if nothing has changed.
    pub(super) fn share(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        x: Option<(FrameId, usize)>,
    ) -> bool {
        let mut mins = self.tree.frames.live_mins(&mut self.fresh, self.path[0].1);
        self.looked_through = self.fresh.len();
        #[cfg(any(test, debug_assertions))]
        assert_eq!(
            mins,
            self.tree.frames.live_mins_by_a_walk(turn.rules.spawn_height, self.path[0].1)
        );
        mins.retain(|min| Some((min.frame, min.slot)) != x);
        mins.sort_by_key(|min| (!min.inactive, min.ply));
        let taken = turn.minproc.take(mins.len());
        self.unshared = taken < mins.len();
        for (i, min) in mins[..taken].iter().enumerate() {
            let child = self.tree.frame(min.frame).child_of(min.slot);
            if !self.start(turn, min.frame, (child, 1), (min.merit, min.low), None, min.slot) {
                turn.minproc.give(taken - i);
                return true;
            }
        }
        if !self.unshared && turn.rules.is_phased() {
            return self.share_partitions(turn) || taken > 0;
        }
        taken > 0
    }

    /// A block has LIVE MIN nodes that others could take.
    pub(super) fn note_fresh(&mut self, block: FrameId) {
        self.unshared = true;
        // While nobody is free nobody looks, and most of them are soon gone.
        if self.fresh.len() > 64 + 2 * self.looked_through {
            self.tree.frames.forget_stale(&mut self.fresh);
            self.looked_through = self.fresh.len();
        }
        self.fresh.push(self.tree.frames.fresh(block));
    }

    fn share_partitions(&mut self, turn: &mut Turn<'_, '_, T, M>) -> bool {
        let low = self.path[0].1;
        let mut left = self.tree.frames.with_partitions_left(turn.rules.spawn_height, low);
        left.sort_by_key(|&(_, ply, _)| ply);
        let taken = turn.minproc.take(left.len());
        // A node that has given one partition away may have another.
        self.unshared = !left.is_empty();
        for (i, &(block, _, low)) in left[..taken].iter().enumerate() {
            let b = self.tree.frame(block);
            let children = self.tree.nodes(block).max.as_ref().map_or(0, |(_, c)| c.len());
            let size = turn.rules.partitions.size(children, b.next_partition());
            let high = b.high;
            if !self.start(turn, block, (0, size), (high, low), Some(size), 0) {
                turn.minproc.give(taken - i);
                return true;
            }
        }
        taken > 0
    }

    /// Starts a process on some children of a block's MAX node: the MIN node at a slot, or the next
    /// partition; `false` if this one has been killed.
    fn start(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        block: FrameId,
        (child, n): (usize, usize),
        (high, low): (Value, Value),
        partition: Option<usize>,
        slot: usize,
    ) -> bool {
        let Some(desk) = turn.minproc.desk(&self.desk, high, low) else { return false };
        let (slot, child, n) = match partition {
            None => {
                self.tree.give_away(block, slot);
                (slot, child, n)
            }
            Some(size) => {
                let (slot, first) = self.tree.frames.give_partition_away(block, size);
                (slot, first, self.tree.frame(block).given_up_to() - first)
            }
        };
        let nodes = self.tree.nodes(block);
        let (max, children) = nodes.max.as_ref().expect("the top frame has nothing to give away");
        let process = desk.number;
        turn.search.emit(max, || Event::Spawned { process, children: (n, child) });
        let job = Job {
            max: (max.clone(), children.clone()),
            children: child..child + n,
            desk: Arc::clone(&desk),
        };
        self.away.push(Away { desk, block, slot, partition: partition.is_some() });
        self.count_exactly(turn);
        if partition.is_none() {
            turn.hand_over(&job.desk);
        }
        turn.minproc.submit(job);
        turn.changed = true;
        true
    }

    /// Takes what others have SOLVED back on OPEN.
    pub(super) fn take_in(&mut self, turn: &mut Turn<'_, '_, T, M>) {
        if !self.desk.take_news() {
            return;
        }
        turn.changed = true;
        self.witness = None;
        self.tree.frames.report_up_to_top(self.path[self.path.len() - 1].0);
        self.path.truncate(1);
        let tree = &mut self.tree;
        self.away.retain(|away| {
            let Some((value, best)) = away.desk.result() else { return true };
            let state = if away.partition { State::Returned(best) } else { State::SolvedMin };
            tree.frames.come_back(away.block, away.slot, state, value);
            false
        });
        self.count_exactly(turn);
    }

    /// Kills the processes below `block` that have no more merit than `low`, and tells the others of
    /// it; `true` if there are others.
    pub(super) fn kill_no_better(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        block: FrameId,
        low: Value,
    ) -> bool {
        let mut others_are_left = false;
        let mut i = 0;
        while i < self.away.len() {
            let away = &self.away[i];
            if !self.tree.frames.is_below(away.block, block) {
                i += 1;
            } else if away.desk.h() > low {
                others_are_left = true;
                if turn.rules.is_phased() {
                    away.desk.raise_low(low);
                }
                i += 1;
            } else {
                let away = self.away.swap_remove(i);
                turn.kill(&away.desk);
                self.tree.frames.remove(away.block, away.slot);
                self.witness = None;
                turn.changed = true;
                let process = away.desk.number;
                turn.search.emit_at_root(|| Event::Killed { process });
            }
        }
        others_are_left
    }

    /// Updates the h-value at its desk: the highest of FIRST's choice, of what is INACTIVE, of what
    /// partitions not yet begun may be worth, and of the processes below.
    #[inline]
    pub(super) fn publish(&mut self, turn: &mut Turn<'_, '_, T, M>, h: Value) {
        // It falls only; and nobody asks for the first process's.
        if h < self.published && !self.desk.is_first() {
            self.publish_less(turn, h);
        }
    }

    fn publish_less(&mut self, turn: &mut Turn<'_, '_, T, M>, first: Value) {
        let still = |witness: &Witness| match witness {
            Witness::Process(desk) => desk.h() >= self.published,
            Witness::Partition(block, pushed) => self.tree.frames.is_unbegun(*block, *pushed),
        };
        if self.witness.as_ref().is_some_and(still) {
            return;
        }
        self.witness = None;
        let mut h = self.own_h(turn, first);
        if let Some((high, block, pushed)) = self.unbegun(turn)
            && high > h
        {
            (h, self.witness) = (high, Some(Witness::Partition(block, pushed)));
        }
        // Each is read once: they fall meanwhile.
        for away in &self.away {
            let other = away.desk.h();
            if other > h {
                (h, self.witness) = (other, Some(Witness::Process(Arc::clone(&away.desk))));
            }
        }
        if h < self.published {
            self.published = h;
            turn.changed = true;
            turn.minproc.lower(&self.desk, h);
        }
    }

    /// Can a process that waits go on?
    pub(super) fn can_go_on(&self, turn: &Turn<'_, '_, T, M>) -> bool {
        let Some((block, low)) = self.waits else { return true };
        let below = |away: &&Away| self.tree.frames.is_below(away.block, block);
        self.away.iter().filter(below).any(|away| away.desk.h() <= low)
            || (self.unshared && turn.minproc.free() > 0)
            || self.h_falls(turn, low)
    }

    /// Has a process that paused in this way something to do, other than evaluate a leaf?
    pub(super) fn has_something_to_do(&self, turn: &Turn<'_, '_, T, M>, pause: Pause) -> bool {
        self.desk.is_disturbed()
            || match pause {
                Pause::Waits => self.can_go_on(turn),
                Pause::Leaf => self.h_falls(turn, self.hi),
                Pause::Ended => false,
            }
    }

    /// Is its h-value less than what stands at its desk, if that of its own OPEN is `own`?
    fn h_falls(&self, turn: &Turn<'_, '_, T, M>, own: Value) -> bool {
        if self.desk.is_first() {
            return false;
        }
        let unbegun = self.unbegun(turn).map_or(NOTHING, |(high, ..)| high);
        let others = self.away.iter().map(|away| away.desk.h());
        others.fold(self.own_h(turn, own).max(unbegun), Value::max) < self.published
    }

    /// The highest of `first` and of what is INACTIVE.
    fn own_h(&self, turn: &Turn<'_, '_, T, M>, first: Value) -> Value {
        match turn.rules.is_bounded() {
            true => first.max(self.tree.frames.highest_inactive(TOP)),
            false => first,
        }
    }

    /// What a partition not yet begun may be worth: its MAX node's high, and the block.
    fn unbegun(&self, turn: &Turn<'_, '_, T, M>) -> Option<(Value, FrameId, u64)> {
        turn.rules.is_phased().then(|| self.tree.frames.highest_unbegun(self.path[0].1))?
    }
}

#[cfg(test)]
mod tests {
    use plyground_core::tree::{Synthetic, mix};

    use crate::{Options, SearchSpec, algorithms, search};

    /// The comparison is in `share`.
    #[test]
    fn what_is_given_away_is_what_a_walk_over_the_tree_finds() {
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
