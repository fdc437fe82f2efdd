//! OPEN kept as the solution tree it describes.
//!
//! The states on OPEN are the frontier of a max solution tree: below a MAX node all children (of
//! the current partition), below a MIN node its one current child. So the tree is kept instead of
//! the list: one [`Frame`] for each expanded MAX node on it, with a slot for each child, a MIN
//! node. A frame is at the same time BACKUP's entry.
//!
//! - The best state is found by descending along best slots, ties leftmost.
//! - A purge drops a frame with everything below it. Every frame is dropped once, so no operation
//!   walks the whole of OPEN.
//!
//! The frames have the merits and the links; what belongs to a game is kept here, beside them, and as
//! little as possible of it:
//!
//! - the position of a MAX node;
//! - no position of a MIN node, of which there are many times more: it is made again by one move from
//!   the MAX node above;
//! - the moves of both, in the order of search, packed; not those of a tree whose list of moves is no
//!   more than a number, nor those of MIN nodes where the tree makes them again quickly
//!   ([`LISTS_AGAIN`](GameTree::LISTS_AGAIN)).

mod view;

use std::ops::Range;

use super::frames::{Frame, FrameId, Frames, NewFrame, TOP};
use super::merits::NOTHING;
use super::runs::{NO_RUN, Run, RunStore};
use super::slot::{Slot, SlotState};
use crate::node::KeptMove;
use crate::prelude::*;
use crate::trace::{Event, OpenState, OpenStatus};
pub(super) use view::MaxView;
use view::{keep_moves, keeps_min_moves, keeps_moves, keeps_tags, move_of};

/// What is kept of a MAX node, besides its moves.
struct KeptMax<T: GameTree, M: Mode> {
    node: T::Node,
    tag: M::Tag,
}

impl<T: GameTree, M: Mode> Clone for KeptMax<T, M> {
    fn clone(&self) -> Self {
        KeptMax { node: self.node.clone(), tag: self.tag }
    }
}

/// What a mode needs to know of a MIN node: its tag, and the number of the child that lowered its merit
/// last, the best answer so far.
struct KeptTag<M: Mode> {
    tag: M::Tag,
    answer: u32,
}

impl<M: Mode> Clone for KeptTag<M> {
    fn clone(&self) -> Self {
        KeptTag { ..*self }
    }
}

/// An expanded MIN node on the solution tree, made from what is kept of it.
pub(crate) struct MinNode<T: GameTree, M: Mode> {
    pub(crate) n: SearchNode<T, M>,
    /// How many children it has.
    pub(crate) width: usize,
    /// The number of the current child.
    pub(crate) child: usize,
    moves: Run,
}

/// The solution tree.
pub(crate) struct SolutionTree<T: GameTree, M: Mode> {
    pub(crate) frames: Frames,
    /// The MAX nodes, at the numbers of their frames.
    max: RunStore<KeptMax<T, M>>,
    /// For the modes that have tags, those of MIN nodes, at the places of their slots.
    tags: RunStore<KeptTag<M>>,
    moves: RunStore<KeptMove<T, M>>,
    /// The MIN node at the top, if the search begins with one.
    top: Option<SearchNode<T, M>>,
    /// The depth of the search: the ply and the height of a node make this.
    depth: u32,
}

impl<T: GameTree, M: Mode> SolutionTree<T, M> {
    /// A tree of the top frame alone and its one slot, which is opened and has this merit; `bounded` says
    /// whether states may become INACTIVE.
    pub(crate) fn new(depth: u32, bounded: bool, merit: Value) -> Self {
        SolutionTree {
            frames: Frames::new(bounded, merit),
            max: RunStore::EMPTY,
            tags: RunStore::EMPTY,
            moves: RunStore::EMPTY,
            top: None,
            depth,
        }
    }

    /// Puts an expanded MIN node at the top.
    pub(crate) fn set_top(&mut self, n: &SearchNode<T, M>, children: &Children<T, M>) {
        self.cover_tags(TOP, n.tag);
        self.set_min(TOP, 0, n, children);
        self.frames.mark_top();
        self.top = Some(n.clone());
    }

    #[inline]
    pub(crate) fn frame(&self, id: FrameId) -> &Frame {
        self.frames.get(id)
    }

    #[inline]
    pub(crate) fn frame_mut(&mut self, id: FrameId) -> &mut Frame {
        self.frames.get_mut(id)
    }

    /// The bytes that all this takes.
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.frames.bytes() + self.max.bytes() + self.tags.bytes() + self.moves.bytes()
    }

    /// The MAX node of a frame; the top frame has none.
    #[inline]
    pub(crate) fn max(&self, id: FrameId) -> SearchNode<T, M> {
        let KeptMax { node, tag } = self.max.get(id, 0);
        let ply = self.frame(id).ply - 1;
        SearchNode { node: node.clone(), height: self.depth - ply, ply, tag: *tag }
    }

    /// A frame with all that is kept of it; not the top frame.
    #[inline(always)]
    pub(super) fn view(&mut self, id: FrameId) -> MaxView<'_, T, M> {
        let slots = self.frames.view(id);
        MaxView {
            max: self.max.get(id, 0),
            tags: &mut self.tags,
            moves: &mut self.moves,
            places: slots.frame.places(),
            depth: self.depth,
            slots,
        }
    }

    fn move_of(
        &self,
        search: &Search<'_, T, M>,
        node: &T::Node,
        moves: Run,
        number: usize,
    ) -> (T::Move, (usize, bool)) {
        move_of(&self.moves, search.tree, node, moves, number)
    }

    #[inline]
    fn child_of(
        &self,
        search: &mut Search<'_, T, M>,
        n: &SearchNode<T, M>,
        (moves, width): (Run, usize),
        number: usize,
    ) -> SearchNode<T, M> {
        let (mv, (place, _)) = self.move_of(search, &n.node, moves, number);
        search.child_after(n, mv, (place, width))
    }

    /// Child `number` of the MAX node `max` of a frame.
    #[inline]
    pub(crate) fn child_of_max(
        &self,
        search: &mut Search<'_, T, M>,
        id: FrameId,
        max: &SearchNode<T, M>,
        number: usize,
    ) -> SearchNode<T, M> {
        let frame = self.frame(id);
        self.child_of(search, max, (frame.moves, frame.width as usize), number)
    }

    /// The move to child `number` of a frame's MAX node.
    pub(crate) fn move_of_max(
        &self,
        search: &Search<'_, T, M>,
        id: FrameId,
        number: usize,
    ) -> T::Move {
        self.move_of(search, &self.max.get(id, 0).node, self.frame(id).moves, number).0
    }

    /// The MIN node of a slot, unless it is a leaf or not expanded.
    #[inline]
    pub(crate) fn min(
        &self,
        search: &Search<'_, T, M>,
        id: FrameId,
        slot: usize,
    ) -> Option<MinNode<T, M>> {
        let &Slot { child, moves, width, .. } = self.frames.slot(id, slot);
        if width == 0 {
            return None;
        }
        let n = match &self.top {
            Some(top) if id == TOP => top.clone(),
            _ => {
                let frame = self.frame(id);
                let max = self.max.get(id, 0);
                let (mv, _) = self.move_of(search, &max.node, frame.moves, frame.child_of(slot));
                let node = search.tree.child(&max.node, mv);
                // Without tags to keep, every tag is the same.
                let tag = if keeps_tags::<M>() { self.tag(id, slot).tag } else { max.tag };
                SearchNode { node, height: self.depth - frame.ply, ply: frame.ply, tag }
            }
        };
        Some(MinNode { n, width: width as usize, child: child as usize, moves })
    }

    /// Child `number` of a MIN node.
    #[inline]
    pub(crate) fn child_of_min(
        &self,
        search: &mut Search<'_, T, M>,
        min: &MinNode<T, M>,
        number: usize,
    ) -> SearchNode<T, M> {
        self.child_of(search, &min.n, (min.moves, min.width), number)
    }

    /// The move to child `number` of a MIN node.
    pub(crate) fn move_of_min(
        &self,
        search: &Search<'_, T, M>,
        min: &MinNode<T, M>,
        number: usize,
    ) -> T::Move {
        self.move_of(search, &min.n.node, min.moves, number).0
    }

    fn tag(&self, id: FrameId, slot: usize) -> &KeptTag<M> {
        self.tags.get(self.frames.slot_places(id).0, slot)
    }

    #[inline]
    fn cover_tags(&mut self, id: FrameId, tag: M::Tag) {
        if keeps_tags::<M>() {
            let (run, places) = self.frames.slot_places(id);
            self.tags.cover(&self.frames.slot_space, run, places, KeptTag { tag, answer: 0 });
        }
    }

    fn keep_moves(&mut self, len: usize, mv: impl Fn(usize) -> KeptMove<T, M>) -> Run {
        keep_moves(&mut self.moves, &mut self.frames.move_space, len, mv)
    }

    /// Keeps the expanded MIN node of an opened slot; its current child is the first.
    #[inline]
    pub(crate) fn set_min(
        &mut self,
        id: FrameId,
        slot: usize,
        n: &SearchNode<T, M>,
        children: &Children<T, M>,
    ) {
        self.frames.forget_moves(id, slot);
        let moves = match keeps_min_moves::<T, M>() {
            true => self.keep_moves(children.len(), |number| children.kept_move(number)),
            false => NO_RUN,
        };
        let kept = self.frames.slot_mut(id, slot);
        (kept.child, kept.moves, kept.width) = (0, moves, children.len() as u32);
        if keeps_tags::<M>() {
            let run = self.frames.slot_places(id).0;
            *self.tags.get_mut(run, slot) = KeptTag { tag: n.tag, answer: 0 };
        }
    }

    /// Makes child `number` of a MIN node its current one.
    #[inline]
    pub(crate) fn set_child(&mut self, id: FrameId, slot: usize, number: usize) {
        self.frames.slot_mut(id, slot).child = number as u32;
    }

    /// Notes that the current child of a MIN node has lowered its merit: it is the best answer so far.
    #[inline]
    pub(crate) fn set_answer(&mut self, id: FrameId, slot: usize) {
        if keeps_tags::<M>() {
            let (child, run) = (self.frames.slot(id, slot).child, self.frames.slot_places(id).0);
            self.tags.get_mut(run, slot).answer = child;
        }
    }

    /// Expands the current child of a slot: a LIVE MAX node becomes a frame with its first
    /// partition, `size` children.
    #[inline]
    pub(crate) fn push(
        &mut self,
        (parent, slot): (FrameId, usize),
        max: &SearchNode<T, M>,
        children: &Children<T, M>,
        hi: Value,
        size: usize,
    ) -> FrameId {
        let width = children.len();
        let moves = self.keep_moves(width, |number| children.kept_move(number));
        self.push_kept((parent, slot), max, (moves, width), 0..width, hi, size)
    }

    /// The same for a MAX node whose first partition are leaves that are SOLVED with these merits; the frame
    /// above hears of them.
    #[inline]
    pub(crate) fn push_leaves(
        &mut self,
        at: (FrameId, usize),
        max: &SearchNode<T, M>,
        children: &Children<T, M>,
        hi: Value,
        merits: &[Value],
    ) -> FrameId {
        let below = self.push(at, max, children, hi, merits.len());
        let mut view = self.frames.view(below);
        for (slot, &merit) in merits.iter().enumerate() {
            view.open(slot, SlotState::SolvedMin, merit);
        }
        self.frames.report_up(below);
        below
    }

    /// The same with some of the children of a node whose moves another process has kept.
    pub(crate) fn push_some(
        &mut self,
        max: &ExpandedMax<T, M>,
        children: Range<usize>,
        hi: Value,
        size: usize,
    ) -> FrameId {
        let moves = self.keep_moves(max.width, |number| max.moves[number]);
        self.push_kept((TOP, 0), &max.n, (moves, max.width), children, hi, size)
    }

    #[inline(always)]
    fn push_kept(
        &mut self,
        (parent, slot): (FrameId, usize),
        max: &SearchNode<T, M>,
        (moves, width): (Run, usize),
        children: Range<usize>,
        hi: Value,
        size: usize,
    ) -> FrameId {
        let ply = max.ply;
        let id = self.frames.push(NewFrame { parent, slot, ply, moves, width, children, hi, size });
        let kept = KeptMax { node: max.node.clone(), tag: max.tag };
        self.max.put(&self.frames.space, id, kept);
        self.cover_tags(id, max.tag);
        id
    }

    /// Drops a frame with everything below; its node is then SOLVED with `merit`.
    #[inline]
    pub(crate) fn solve(&mut self, id: FrameId, merit: Value) {
        let frame = self.frames.get(id);
        if merit < frame.high {
            // It lowers the merit of the MIN node above, whose best answer so far it is.
            let (parent, slot) = (frame.parent, frame.parent_slot as usize);
            if self.frames.slot(parent, slot).has_min() {
                self.set_answer(parent, slot);
            }
        }
        self.frames.solve(id, merit);
    }

    /// Notes that child `number` decides the MAX node of a frame.
    #[inline]
    pub(crate) fn decide(&self, search: &mut Search<'_, T, M>, id: FrameId, number: usize) {
        if M::RICH && search.mode.learns() && id != TOP {
            let max = self.max(id);
            let moves = self.frame(id).moves;
            let (mv, (_, leads)) = self.move_of(search, &max.node, moves, number);
            search.decide_by(&max, mv, leads);
        }
    }

    /// Records the best moves when a MAX node is SOLVED: the best answer of every MIN node below it
    /// has refuted or SOLVED that node.
    #[inline]
    pub(crate) fn record_decisions(&self, id: FrameId, search: &mut Search<'_, T, M>) {
        if M::RICH && search.mode.learns() {
            for slot in 0..self.frame(id).opened() {
                if let Some(min) = self.min(search, id, slot) {
                    let answer = self.tag(id, slot).answer as usize;
                    let (mv, (_, leads)) = self.move_of(search, &min.n.node, min.moves, answer);
                    search.decide_by(&min.n, mv, leads);
                }
            }
        }
    }

    /// Purges what is below `id` and pushes its next partition, `size` children.
    pub(crate) fn resume(&mut self, id: FrameId, size: usize) {
        self.frames.resume(id, size);
        let tag = self.max.get(id, 0).tag;
        self.cover_tags(id, tag);
    }

    /// Delegates the next partition of a frame, `size` children, to another process. Returns the
    /// slot that the result will be stored in, and the number of its first child.
    pub(crate) fn delegate_partition(&mut self, id: FrameId, size: usize) -> (usize, usize) {
        let opened = self.frame(id).opened();
        let (slot, first, [from, to]) = self.frames.delegate_partition(id, size);
        let tag = self.max.get(id, 0).tag;
        self.cover_tags(id, tag);
        if keeps_tags::<M>() {
            self.tags.copy(from, to, opened);
        }
        (slot, first)
    }

    /// The MAX node of a frame with its moves, for another process.
    pub(crate) fn expanded_max(&self, id: FrameId) -> ExpandedMax<T, M> {
        let frame = self.frame(id);
        let moves = match keeps_moves::<T, M>() {
            true => self.moves.slice(frame.moves, frame.width as usize).to_vec(),
            false => Vec::new(),
        };
        ExpandedMax { n: self.max(id), moves, width: frame.width as usize }
    }

    /// OPEN as a trace shows it, best first.
    pub(crate) fn listed(&self) -> Event {
        let mut states = Vec::new();
        self.list(TOP, &mut states);
        states.sort_by_key(|state| std::cmp::Reverse(state.merit));
        Event::Open { states }
    }

    fn list(&self, id: FrameId, states: &mut Vec<OpenState>) {
        let frame = self.frame(id);
        let own = if id == TOP { 0 } else { M::path(self.max.get(id, 0).tag) };
        for slot in 0..frame.opened() {
            let state = self.frames.state(id, slot);
            let kept = self.frames.slot(id, slot);
            let (path, child) = match state {
                SlotState::Gone | SlotState::Delegated => continue,
                SlotState::Returned(child) => (own, Some(child as usize)),
                SlotState::Expanded(below) => {
                    self.list(below, states);
                    continue;
                }
                SlotState::SolvedMin | SlotState::LiveMin(_) => (own, Some(frame.child_of(slot))),
                _ if kept.has_min() && keeps_tags::<M>() => {
                    (M::path(self.tag(id, slot).tag), Some(kept.child as usize))
                }
                _ => (0, None),
            };
            let status = match state {
                SlotState::LiveMin(_) | SlotState::LiveMax(_) => OpenStatus::Live,
                _ => OpenStatus::Solved,
            };
            let merit = state.merit(self.frames.merit(id, slot));
            let active = self.frames.merit(id, slot) != NOTHING;
            states.push(OpenState { path, child, status, merit, active });
        }
        for slot in frame.opened()..frame.size() {
            let (child, merit) = (Some(frame.child_of(slot)), frame.high);
            states.push(OpenState {
                path: own,
                child,
                status: OpenStatus::Live,
                merit,
                active: true,
            });
        }
    }
}

/// An expanded MAX node on its way to another process: the node and its moves.
pub(crate) struct ExpandedMax<T: GameTree, M: Mode> {
    pub(crate) n: SearchNode<T, M>,
    moves: Vec<KeptMove<T, M>>,
    pub(crate) width: usize,
}

impl<T: GameTree, M: Mode> ExpandedMax<T, M> {
    pub(crate) fn new(n: SearchNode<T, M>, children: &Children<T, M>) -> Self {
        let width = children.len();
        let kept = if keeps_moves::<T, M>() { width } else { 0 };
        let moves = (0..kept).map(|number| children.kept_move(number)).collect();
        ExpandedMax { n, moves, width }
    }
}
