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
//! The best slot of a frame is known at any time, see
//! [`WinnerTree`](super::winner_tree::WinnerTree). The frames have the merits and the links; the
//! nodes themselves are kept here, beside them.

use std::ops::Range;

use super::frames::{Frame, FrameId, Frames, NewFrame, TOP};
use super::winner_tree::{NOTHING, Slot, SlotState};
use crate::prelude::*;
use crate::trace::{Event, OpenState, OpenStatus};

/// An expanded MIN node on the solution tree.
pub(crate) struct MinNode<T: GameTree, M: Mode> {
    pub(crate) n: SearchNode<T, M>,
    pub(crate) children: Children<T, M>,
    /// The number of the current child.
    pub(crate) child: usize,
    /// The number of the child that lowered its merit last: the best answer so far.
    pub(crate) answer: usize,
}

impl<T: GameTree, M: Mode> MinNode<T, M> {
    /// An expanded node whose current child is the first.
    #[inline(always)]
    pub(crate) fn new(n: SearchNode<T, M>, children: Children<T, M>) -> Self {
        MinNode { n, children, child: 0, answer: 0 }
    }
}

/// An expanded MAX node: the node and its children.
pub(crate) type MaxNode<T, M> = (SearchNode<T, M>, Children<T, M>);

/// The nodes of one frame.
pub(crate) struct Nodes<T: GameTree, M: Mode> {
    /// The MAX node; only the top frame has none.
    pub(crate) max: Option<MaxNode<T, M>>,
    /// The MIN nodes of opened slots, `None` for leaves; shorter where the last ones are leaves.
    pub(crate) mins: Vec<Option<MinNode<T, M>>>,
    /// The capacity of `mins` at the last count of bytes.
    counted: usize,
}

impl<T: GameTree, M: Mode> Nodes<T, M> {
    const NONE: Self = Nodes { max: None, mins: Vec::new(), counted: 0 };

    /// Forgets the MIN nodes, for a new partition; returns the bytes by which the list has grown
    /// since the last time.
    #[inline]
    fn restart(&mut self) -> usize {
        self.mins.clear();
        let capacity = self.mins.capacity();
        let grown = capacity - std::mem::replace(&mut self.counted, capacity);
        grown * size_of::<Option<MinNode<T, M>>>()
    }

    /// The MIN node of a slot, unless it is a leaf.
    #[inline]
    pub(crate) fn min(&self, slot: usize) -> Option<&MinNode<T, M>> {
        self.mins.get(slot)?.as_ref()
    }

    #[inline]
    pub(crate) fn min_mut(&mut self, slot: usize) -> Option<&mut MinNode<T, M>> {
        self.mins.get_mut(slot)?.as_mut()
    }

    /// Stores the expanded MIN node of an opened slot.
    // Inlined so that the node is built in place.
    #[inline(always)]
    pub(crate) fn set_min(&mut self, slot: usize, min: MinNode<T, M>) {
        if let Some(place) = self.mins.get_mut(slot) {
            *place = Some(min);
            return;
        }
        // Leaves before it may have no element in the list yet.
        if self.mins.len() < slot {
            self.mins.resize_with(slot, || None);
        }
        self.mins.push(Some(min));
    }
}

/// The solution tree.
pub(crate) struct SolutionTree<T: GameTree, M: Mode> {
    pub(crate) frames: Frames,
    nodes: Vec<Nodes<T, M>>,
    /// The bytes that the MIN nodes take.
    min_bytes: usize,
}

impl<T: GameTree, M: Mode> SolutionTree<T, M> {
    /// A tree of the top frame alone and its one slot, which is opened; `min` is the MIN node
    /// there.
    pub(crate) fn new(min: Option<MinNode<T, M>>) -> Self {
        let mut top = Nodes::NONE;
        top.mins.extend(min.map(Some));
        SolutionTree { frames: Frames::new(), nodes: vec![top], min_bytes: 0 }
    }

    #[inline]
    pub(crate) fn frame(&self, id: FrameId) -> &Frame {
        self.frames.get(id)
    }

    #[inline]
    pub(crate) fn frame_mut(&mut self, id: FrameId) -> &mut Frame {
        self.frames.get_mut(id)
    }

    #[inline]
    pub(crate) fn nodes(&self, id: FrameId) -> &Nodes<T, M> {
        &self.nodes[id as usize]
    }

    #[inline]
    pub(crate) fn nodes_mut(&mut self, id: FrameId) -> &mut Nodes<T, M> {
        &mut self.nodes[id as usize]
    }

    /// A frame and its nodes.
    #[inline]
    pub(crate) fn frame_and_nodes_mut(&mut self, id: FrameId) -> (&mut Frame, &mut Nodes<T, M>) {
        (self.frames.get_mut(id), &mut self.nodes[id as usize])
    }

    pub(crate) fn bytes(&self) -> usize {
        let frames = self.frames.len() * (size_of::<Frame>() + size_of::<Nodes<T, M>>());
        frames + self.frames.slot_bytes + self.min_bytes
    }

    /// Expands the current child of a slot: a LIVE MAX node becomes a frame with its first
    /// partition, `size` children.
    #[inline]
    pub(crate) fn push(
        &mut self,
        parent: FrameId,
        slot: usize,
        max: MaxNode<T, M>,
        hi: Value,
        size: usize,
    ) -> FrameId {
        let all = 0..max.1.len();
        self.push_some(parent, slot, max, all, hi, size)
    }

    /// The same with some of the children.
    #[inline]
    pub(crate) fn push_some(
        &mut self,
        parent: FrameId,
        slot: usize,
        max: MaxNode<T, M>,
        children: Range<usize>,
        hi: Value,
        size: usize,
    ) -> FrameId {
        let (ply, height) = (max.0.ply, max.0.height);
        let id = self.frames.push(NewFrame { parent, slot, ply, height, children, hi, size });
        if id as usize == self.nodes.len() {
            self.nodes.push(Nodes::NONE);
        }
        let nodes = &mut self.nodes[id as usize];
        nodes.max = Some(max);
        self.min_bytes += nodes.restart();
        id
    }

    /// Drops a frame with everything below; its node is then SOLVED with `merit`.
    #[inline]
    pub(crate) fn solve(&mut self, id: FrameId, merit: Value) {
        let frame = self.frames.get(id);
        if merit < frame.high {
            // It lowers the merit of the MIN node above, whose best answer so far it is.
            let (parent, slot) = (frame.parent, frame.parent_slot);
            if let Some(min) = self.nodes_mut(parent).min_mut(slot) {
                min.answer = min.child;
            }
        }
        self.frames.solve(id, merit);
    }

    /// Records the best moves when a MAX node is SOLVED: the best answer of every MIN node below it
    /// has refuted or SOLVED that node.
    #[inline]
    pub(crate) fn record_decisions(&self, id: FrameId, search: &mut Search<'_, T, M>) {
        if M::RICH && search.mode.learns() {
            for min in self.nodes(id).mins.iter().flatten() {
                search.decide(&min.n, &min.children, min.answer);
            }
        }
    }

    /// Purges what is below `id` and pushes its next partition, `size` children.
    pub(crate) fn resume(&mut self, id: FrameId, size: usize) {
        self.frames.resume(id, size);
        self.min_bytes += self.nodes[id as usize].restart();
    }

    /// Opens the next slot of a frame for an expanded MIN node.
    #[inline(always)]
    pub(crate) fn open_slot(
        (frame, nodes): (&mut Frame, &mut Nodes<T, M>),
        state: SlotState,
        merit: Value,
        min: MinNode<T, M>,
    ) -> usize {
        let slot = frame.opened();
        frame.slots.open(state, merit);
        nodes.set_min(slot, min);
        slot
    }

    /// Delegates the LIVE MIN node of a slot, opened or not, to another process.
    pub(crate) fn delegate(&mut self, id: FrameId, slot: usize) {
        if let Some(min) = self.nodes_mut(id).mins.get_mut(slot) {
            *min = None;
        }
        self.frames.delegate(id, slot);
    }

    /// OPEN as a trace shows it, best first.
    pub(crate) fn listed(&self) -> Event {
        let mut states = Vec::new();
        self.list(TOP, &mut states);
        states.sort_by_key(|state| std::cmp::Reverse(state.merit));
        Event::Open { states }
    }

    fn list(&self, id: FrameId, states: &mut Vec<OpenState>) {
        let (frame, nodes) = (self.frame(id), self.nodes(id));
        let own = nodes.max.as_ref().map_or(0, |(max, _)| M::path(max.tag));
        for (slot, &Slot { state, .. }) in frame.slots.slots.iter().enumerate() {
            let (path, child) = match (state, nodes.min(slot)) {
                (SlotState::Gone | SlotState::Delegated, _) => continue,
                (SlotState::Returned(child), _) => (own, Some(child as usize)),
                (SlotState::Expanded(below), _) => {
                    self.list(below, states);
                    continue;
                }
                (SlotState::SolvedMin | SlotState::LiveMin(_), _) => {
                    (own, Some(frame.child_of(slot)))
                }
                (_, Some(min)) => (M::path(min.n.tag), Some(min.child)),
                (_, None) => (0, None),
            };
            let status = match state {
                SlotState::LiveMin(_) | SlotState::LiveMax(_) => OpenStatus::Live,
                _ => OpenStatus::Solved,
            };
            let merit = state.merit(frame.merit(slot));
            let active = frame.merit(slot) != NOTHING;
            states.push(OpenState { path, child, status, merit, active });
        }
        for slot in frame.slots.slots.len()..frame.slots.size {
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
