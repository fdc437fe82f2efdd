//! A frame of the solution tree with all that is kept of it, found once for several steps.

use plyground_core::tree::MoveList;

use super::{KeptMax, KeptTag, MinNode};
use crate::best_first::frames::{Frame, FrameView};
use crate::best_first::runs::{NO_RUN, Run, RunSpace, RunStore};
use crate::best_first::slot::{Slot, SlotState};
use crate::node::KeptMove;
use crate::prelude::*;

/// A frame of the solution tree with all that is kept of it, found once for several steps.
pub(in crate::best_first) struct MaxView<'v, T: GameTree, M: Mode> {
    pub(in crate::best_first) slots: FrameView<'v>,
    pub(super) max: &'v KeptMax<T, M>,
    pub(super) tags: &'v mut RunStore<KeptTag<M>>,
    pub(super) moves: &'v mut RunStore<KeptMove<T, M>>,
    pub(super) places: Run,
    pub(super) depth: u32,
}

/// Are lists of moves kept? One that is no more than a number is sooner made again.
pub(super) const fn keeps_moves<T: GameTree, M: Mode>() -> bool {
    M::RICH || size_of::<T::Moves>() > 8
}

/// Are those of MIN nodes kept too? There are many times more of them than of MAX nodes. An order that was
/// learnt cannot be made again.
pub(super) const fn keeps_min_moves<T: GameTree, M: Mode>() -> bool {
    keeps_moves::<T, M>() && (M::RICH || !T::LISTS_AGAIN)
}

/// Are there tags to be kept? Where there are none, all are the same.
pub(super) const fn keeps_tags<M: Mode>() -> bool {
    size_of::<M::Tag>() > 0
}

/// The move to child `number` of a node that has kept its moves there; its place in the tree's list,
/// and whether it leads that list.
#[inline(always)]
pub(super) fn move_of<T: GameTree, M: Mode>(
    store: &RunStore<KeptMove<T, M>>,
    tree: &T,
    node: &T::Node,
    moves: Run,
    number: usize,
) -> (T::Move, (usize, bool)) {
    if keeps_moves::<T, M>() && moves != NO_RUN {
        let KeptMove { mv, place } = *store.get(moves, number);
        (mv, M::kept_place(place, number))
    } else {
        let mut list = T::Moves::default();
        tree.moves(node, &mut list);
        (list.at(number), (number, false))
    }
}

impl<T: GameTree, M: Mode> MaxView<'_, T, M> {
    /// The MAX node.
    #[inline(always)]
    pub(in crate::best_first) fn max(&self) -> SearchNode<T, M> {
        let ply = self.slots.frame.ply - 1;
        SearchNode { node: self.max.node.clone(), height: self.depth - ply, ply, tag: self.max.tag }
    }

    /// Child `number` of `max`, the MAX node.
    #[inline(always)]
    pub(in crate::best_first) fn child(
        &self,
        search: &mut Search<'_, T, M>,
        max: &SearchNode<T, M>,
        number: usize,
    ) -> SearchNode<T, M> {
        let Frame { moves, width, .. } = *self.slots.frame;
        let (mv, (place, _)) = move_of(self.moves, search.tree, &max.node, moves, number);
        search.child_after(max, mv, (place, width as usize))
    }

    /// Has the MIN node of a slot a child after its current one?
    #[inline(always)]
    pub(in crate::best_first) fn has_sibling_left(&self, slot: usize) -> bool {
        let Slot { child, width, .. } = self.slots.slots[slot];
        child + 1 < width
    }

    /// The expanded MIN node of a slot.
    #[inline(always)]
    pub(in crate::best_first) fn min(
        &self,
        search: &Search<'_, T, M>,
        slot: usize,
    ) -> MinNode<T, M> {
        let Slot { child, moves, width, .. } = self.slots.slots[slot];
        let frame = &*self.slots.frame;
        let number = frame.child_of(slot);
        let (mv, _) = move_of(self.moves, search.tree, &self.max.node, frame.moves, number);
        let node = search.tree.child(&self.max.node, mv);
        let tag = match keeps_tags::<M>() {
            true => self.tags.get(self.places, slot).tag,
            false => self.max.tag,
        };
        let n = SearchNode { node, height: self.depth - frame.ply, ply: frame.ply, tag };
        MinNode { n, width: width as usize, child: child as usize, moves }
    }

    /// The expanded MIN node of a slot where it was made just now; its current child is the first.
    #[inline(always)]
    pub(in crate::best_first) fn expanded_min(
        &self,
        slot: usize,
        n: SearchNode<T, M>,
        children: &Children<T, M>,
    ) -> MinNode<T, M> {
        let moves = self.slots.slots[slot].moves;
        MinNode { n, width: children.len(), child: 0, moves }
    }

    /// The moves of a MIN node, made again if they are not kept.
    #[inline(always)]
    pub(in crate::best_first) fn moves_again(
        &self,
        search: &Search<'_, T, M>,
        min: &MinNode<T, M>,
    ) -> T::Moves {
        let mut list = T::Moves::default();
        if !keeps_min_moves::<T, M>() {
            search.tree.moves(&min.n.node, &mut list);
        }
        list
    }

    /// The current child of a MIN node, which has these moves if none are kept of it.
    #[inline(always)]
    pub(in crate::best_first) fn child_of_min(
        &self,
        search: &mut Search<'_, T, M>,
        min: &MinNode<T, M>,
        list: &T::Moves,
    ) -> SearchNode<T, M> {
        let (mv, place) = match keeps_min_moves::<T, M>() {
            true => {
                let KeptMove { mv, place } = *self.moves.get(min.moves, min.child);
                (mv, M::kept_place(place, min.child).0)
            }
            false => (list.at(min.child), min.child),
        };
        search.child_after(&min.n, mv, (place, min.width))
    }

    /// Makes child `number` of a MIN node its current one.
    #[inline(always)]
    pub(in crate::best_first) fn set_child(&mut self, slot: usize, number: usize) {
        self.slots.slots[slot].child = number as u32;
    }

    /// Keeps the expanded MIN node of an opened slot; its current child is the first.
    #[inline(always)]
    pub(in crate::best_first) fn set_min(
        &mut self,
        slot: usize,
        n: &SearchNode<T, M>,
        children: &Children<T, M>,
    ) {
        let FrameView { slots, move_space, .. } = &mut self.slots;
        let kept = &mut slots[slot];
        kept.forget_moves(move_space);
        kept.child = 0;
        kept.width = children.len() as u32;
        if keeps_min_moves::<T, M>() {
            kept.moves = keep_moves(self.moves, move_space, children.len(), |number| {
                children.kept_move(number)
            });
        }
        if keeps_tags::<M>() {
            *self.tags.get_mut(self.places, slot) = KeptTag { tag: n.tag, answer: 0 };
        }
    }

    /// Makes the MIN node of a slot SOLVED.
    #[inline(always)]
    pub(in crate::best_first) fn solve_min(&mut self, slot: usize, merit: Value) {
        // What was learnt of its moves is noted when its parent is SOLVED.
        if keeps_min_moves::<T, M>() && !M::RICH {
            self.slots.slots[slot].forget_moves(self.slots.move_space);
        }
        self.slots.set(slot, SlotState::SolvedMin, merit);
    }

    /// Notes that the current child of a MIN node has lowered its merit: it is the best answer so far.
    #[inline(always)]
    pub(in crate::best_first) fn set_answer(&mut self, slot: usize) {
        if keeps_tags::<M>() {
            self.tags.get_mut(self.places, slot).answer = self.slots.slots[slot].child;
        }
    }
}

/// Keeps moves, and says where.
#[inline(always)]
pub(super) fn keep_moves<T: GameTree, M: Mode>(
    store: &mut RunStore<KeptMove<T, M>>,
    space: &mut RunSpace,
    len: usize,
    mv: impl Fn(usize) -> KeptMove<T, M>,
) -> Run {
    if !keeps_moves::<T, M>() {
        return NO_RUN;
    }
    let run = space.allocate(len);
    store.cover(space, run, len, mv(0));
    for (number, kept) in store.slice_mut(run, len).iter_mut().enumerate() {
        *kept = mv(number);
    }
    run
}
