//! The stack of a processor: what recursion would keep of each node in progress.

use std::sync::Arc;

use plyground_core::tree::{MoveList, mix};

use super::policy::{Candidate, NodeKind};
use super::split::{MandatoryResult, Split};
use crate::memory::Recalled;
use crate::prelude::*;

/// How the child in progress was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// With the window that is left.
    Whole,
    /// With a null window; if it is better than that, it is called again.
    Null,
    /// Again, after a null window that it was better than: it is worth at least this.
    Again(Value),
}

impl Call {
    /// The first call of a child, with the whole window that is left or a null one.
    #[inline(always)]
    pub(super) fn first(whole: bool) -> Call {
        if whole { Call::Whole } else { Call::Null }
    }
}

/// How much of a node is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// All of it.
    Whole,
    /// The first child only.
    FirstChild,
    /// All but the child at this place in the tree's list, which was searched before.
    AllBut(u32),
}

/// A node that is about to be entered.
pub(super) struct Entry {
    pub(super) window: Window,
    pub(super) kind: NodeKind,
    pub(super) left: bool,
    pub(super) extent: Extent,
}

/// A node in progress.
pub(super) struct Frame<T: GameTree, M: Mode> {
    pub(super) node: SearchNode<T, M>,
    pub(super) siblings: Siblings<T, M>,
    /// What the memory knew of the node.
    pub(super) recalled: Recalled,
    /// The window, narrowed to that.
    pub(super) window: Window,
    pub(super) best: Value,
    /// The number of the next child in the order of search.
    pub(super) next: u32,
    /// The place in the tree's list of the child in progress.
    pub(super) current: u32,
    pub(super) call: Call,
    /// The lower end of the window when the child was called.
    pub(super) alpha: Value,
    pub(super) extent: Extent,
    pub(super) kind: NodeKind,
    /// Is the node on the leftmost path, or is its value needed in any case?
    pub(super) left: bool,
    /// What few nodes have.
    pub(super) rare: Option<Box<Rare>>,
}

/// What a frame has only where others have to do with its node.
#[derive(Default)]
pub(super) struct Rare {
    /// The places of children that were put off.
    pub(super) put_off: Vec<u32>,
    /// Children that are searched when those shared now are done, after mandatory work there.
    pub(super) later: Vec<(usize, MandatoryResult)>,
    /// The key of the child in progress, if others can see that it is searched.
    pub(super) in_flight: Option<u64>,
}

impl<T: GameTree, M: Mode> Frame<T, M> {
    #[inline]
    pub(super) fn new(node: SearchNode<T, M>, kind: NodeKind, left: bool) -> Frame<T, M> {
        Frame {
            node,
            siblings: Siblings::none(),
            recalled: Recalled::NOTHING,
            window: Window::FULL,
            best: -INFINITY,
            next: 0,
            current: 0,
            call: Call::Whole,
            alpha: -INFINITY,
            extent: Extent::Whole,
            kind,
            left,
            rare: None,
        }
    }

    /// Notes how far the node has come, with a child in progress: its place, how it was called, and the lower
    /// end of the window.
    #[inline(always)]
    pub(super) fn pause(
        &mut self,
        (best, next): (Value, usize),
        (current, call, alpha): (usize, Call, Value),
    ) {
        (self.best, self.next) = (best, next as u32);
        (self.current, self.call, self.alpha) = (current as u32, call, alpha);
    }

    /// What few nodes have.
    pub(super) fn rare(&mut self) -> &mut Rare {
        self.rare.get_or_insert_default()
    }

    /// The places of the children that nobody has begun, in the order of search.
    pub(super) fn take_rest(&mut self) -> Vec<usize> {
        let width = self.siblings.moves.len();
        let ranks = &mut self.siblings.ranks;
        let rest = (self.next as usize..width).map(|number| M::pick(ranks, number));
        let rest = match self.extent {
            Extent::Whole => rest.collect(),
            Extent::FirstChild => Vec::new(),
            Extent::AllBut(skipped) => rest.filter(|&place| place != skipped as usize).collect(),
        };
        self.next = width as u32;
        rest
    }

    /// The place of the next younger sibling in a processor's own order: the siblings turned by as many
    /// as the processor and the node say. The first processor keeps the order, and so do all below `least_height`.
    pub(super) fn own_place(&mut self, processor: usize, least_height: u32) -> usize {
        let number = self.next as usize - 1;
        if number == 1 {
            // Ranks are sorted when the second is asked for.
            M::pick(&mut self.siblings.ranks, 1);
        }
        let younger = self.siblings.moves.len() - 1;
        let turned = match processor {
            0 => 0,
            _ if self.node.height < least_height => 0,
            _ => mix(processor as u64, u64::from(self.node.ply)) as usize % younger,
        };
        M::pick(&mut self.siblings.ranks, 1 + (number - 1 + turned) % younger)
    }

    /// The node as a scheme sees it, with a child in progress or, before the first, none.
    pub(super) fn candidate(&self) -> Candidate {
        Candidate {
            height: self.node.height,
            kind: self.kind,
            left: self.left,
            searched: self.next.saturating_sub(1) as usize
                + usize::from(matches!(self.extent, Extent::AllBut(_))),
        }
    }
}

/// A shared node in a processor's stack.
pub(super) struct SharedFrame<T: GameTree, M: Mode> {
    /// The frame's place in the stack.
    pub(super) at: usize,
    pub(super) split: Arc<Split<T, M>>,
    /// Did this processor come to help? If not, the node is its own.
    pub(super) helper: bool,
    /// The number of the sibling in progress.
    pub(super) number: usize,
}

/// The stack of a processor, from the root, or the node that it helps at, downwards.
pub(super) struct Stack<T: GameTree, M: Mode> {
    pub(super) frames: Vec<Frame<T, M>>,
    /// The shared ones, in the same order.
    pub(super) shared: Vec<SharedFrame<T, M>>,
}

impl<T: GameTree, M: Mode> Stack<T, M> {
    pub(super) fn new() -> Stack<T, M> {
        Stack { frames: Vec::new(), shared: Vec::new() }
    }

    /// Is the topmost node shared?
    #[inline]
    pub(super) fn top_is_shared(&self) -> bool {
        self.shared.last().is_some_and(|shared| shared.at + 1 == self.frames.len())
    }
}
