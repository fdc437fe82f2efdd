//! One processor's depth-first search, as a state machine on a stack of its own.
//!
//! A [step](Walker::step) runs up to the next leaf. On a thread it runs through some nodes that are too near
//! to the horizon to be shared, and searches each as the serial form does: nobody could join there. The
//! value is kept and handed to the node above when the next step begins, because in a simulation
//! that is when the leaf is evaluated. Sharing is in `sharing.rs`.

use plyground_core::tree::MoveList;

use super::super::events::Wakes;
use super::super::scheduler::Step;
use super::Shared;
use super::frame::{Call, Entry, Extent, Frame, Stack};
use super::policy::{Independence, Mandatory, NodeKind};
use super::root_calls::RootCalls;
use super::split::SplitTask;
use crate::depth_first::{LEAST_E_NODE_HEIGHT, elder_grandchild, refute};
use crate::node::{BegunVisit, Picker};
use crate::prelude::*;

/// A thread looks for cut-offs and for those who want work when it has evaluated this many leaves.
const LEAVES_A_STEP: u64 = 64;

/// A processor.
pub(super) struct Walker<T: GameTree, M: Mode> {
    pub(super) number: usize,
    pub(super) stack: Stack<T, M>,
    /// What the last step came to, for the node above.
    pending: Option<Pending<T, M>>,
    /// The root. A driver calls it thousands of times.
    pub(super) root: SearchNode<T, M>,
    /// The calls of the root, if every processor makes its own.
    pub(super) calls: Option<RootCalls>,
    /// The best move that it has found at the root.
    pub(super) best: Option<T::Move>,
    /// Has it nothing to do any more?
    pub(super) finished: bool,
    /// On a thread, the evaluations after which the present step ends.
    step_end: u64,
    /// Is it counted among those that are free for any work?
    pub(super) free: bool,
    /// The place of the first child of a node of which only that was searched.
    pub(super) first_place: Option<usize>,
    /// What the present step has cost besides its leaf.
    pub(super) cost: u64,
    /// Whom the present step wakes.
    pub(super) wakes: Wakes,
}

/// A leaf that was evaluated, its value, and what is still to be remembered of it.
pub(super) struct PendingLeaf<T: GameTree, M: Mode> {
    node: SearchNode<T, M>,
    value: Value,
    bounds: Bounds,
}

/// The end of a step.
enum Pending<T: GameTree, M: Mode> {
    Leaf(PendingLeaf<T, M>),
    /// The value of a node that was searched alone.
    Value(Value),
}

/// What one action of a processor came to. It fits into a register: a node takes many actions.
pub(super) enum Action {
    /// A node has this value, for the node above it.
    Value(Value),
    /// The same, by a search of the node alone.
    Alone(Value),
    /// A leaf was evaluated, and is pending.
    Leaf,
    /// Go on with the topmost node.
    Continue,
    Idle,
    Ended,
}

impl<T: GameTree, M: Mode> Walker<T, M> {
    pub(super) fn new(number: usize, shared: &Shared<T, M>) -> Walker<T, M> {
        Walker {
            number,
            stack: Stack::new(),
            pending: None,
            root: shared.root_node(),
            calls: shared.own_calls(number),
            best: None,
            finished: false,
            step_end: 0,
            free: false,
            first_place: None,
            cost: 0,
            wakes: Wakes::default(),
        }
    }

    /// Runs until a leaf has been chosen, or a node searched alone, or there is nothing to do.
    pub(super) fn step(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
    ) -> Result<Step, Stop> {
        if shared.has_ended() {
            return Ok(Step::Ended);
        }
        self.step_end = search.tally.evaluations + LEAVES_A_STEP;
        // A simulated leaf is evaluated only now: nobody could know of it before.
        let mut value = self.pending.take().map(|pending| match pending {
            Pending::Leaf(leaf) => {
                search.remember_leaf(&leaf.node, leaf.bounds);
                leaf.value
            }
            Pending::Value(value) => value,
        });
        if !self.stack.shared.is_empty() && self.unwind(shared) {
            value = None;
        }
        if value.is_some() && shared.is_parallel() && self.is_wanted(shared) {
            self.share(shared);
        }
        loop {
            let action = match value.take() {
                Some(value) => self.receive(search, shared, value)?,
                None if self.is_plain(shared) => self.plain_nodes(search, shared)?,
                None => self.next(search, shared)?,
            };
            match action {
                Action::Value(found) => value = Some(found),
                Action::Alone(found) if search.tally.evaluations < self.step_end => {
                    value = Some(found);
                }
                Action::Alone(found) => {
                    self.pending = Some(Pending::Value(found));
                    return Ok(Step::Worked);
                }
                Action::Leaf => return Ok(Step::Worked),
                Action::Continue => {}
                Action::Idle => return Ok(Step::Idle),
                Action::Ended => return Ok(Step::Ended),
            }
        }
    }

    /// The topmost node receives the value of its child in progress.
    #[inline]
    fn receive(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
        value: Value,
    ) -> Result<Action, Stop> {
        let top_is_shared = self.stack.top_is_shared();
        let Some(frame) = self.stack.frames.last_mut() else {
            return self.root_returned(search, shared, value);
        };
        let mut merit = -value;
        match frame.call {
            Call::Whole => {}
            Call::Null => {
                if merit > frame.alpha && merit < frame.window.beta {
                    frame.call = Call::Again(merit);
                    search.search_again();
                    let child =
                        search.child_at(&frame.node, &frame.siblings.moves, frame.current as usize);
                    let window = Window::new(merit, frame.window.beta).flip();
                    let (kind, left, extent) = (NodeKind::Pv, false, Extent::Whole);
                    return self.enter(search, shared, child, Entry { window, kind, left, extent });
                }
            }
            // It is worth at least that, so a second search cannot return less.
            Call::Again(least) => merit = merit.max(least),
        }
        if let Some(in_flight) = &shared.in_flight
            && let Some(rare) = &mut frame.rare
            && let Some(key) = rare.in_flight.take()
        {
            in_flight.set(key, frame.node.height - 1, false);
        }
        if top_is_shared {
            self.report(shared, merit);
        } else if merit > frame.best {
            frame.best = merit;
            let Frame { node, siblings, next, current, alpha, .. } = frame;
            let mut picker = Picker { siblings, next: *next as usize, current: *current as usize };
            search.improve(node, &mut picker, merit, *alpha);
            if node.ply == 0 && merit > *alpha {
                self.best = Some(picker.current());
                shared.note_root(search, self.best);
            }
        }
        Ok(Action::Continue)
    }

    /// The topmost node calls its next child, or is done.
    #[inline]
    fn next(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
    ) -> Result<Action, Stop> {
        if self.stack.top_is_shared() {
            return self.next_shared(search, shared);
        }
        let Some(frame) = self.stack.frames.last_mut() else {
            return self.begin(search, shared);
        };
        let (number, put_off) = loop {
            let width = frame.siblings.moves.len();
            if frame.best >= frame.window.beta {
                return self.finish(search, shared);
            }
            if (frame.next as usize) < width {
                let number = frame.next as usize;
                frame.next += 1;
                let place = match shared.policy.independence {
                    Independence::OwnOrder if number > 0 => {
                        frame.own_place(self.number, shared.least_height)
                    }
                    _ => M::pick(&mut frame.siblings.ranks, number),
                };
                frame.current = place as u32;
                match frame.extent {
                    Extent::Whole => {}
                    Extent::FirstChild if number == 0 => {}
                    Extent::FirstChild => {
                        frame.current = M::pick(&mut frame.siblings.ranks, 0) as u32;
                        return self.finish(search, shared);
                    }
                    Extent::AllBut(place) if place == frame.current => continue,
                    Extent::AllBut(_) => {}
                }
                break (number, false);
            }
            match &mut frame.rare {
                Some(rare) if !rare.put_off.is_empty() => frame.current = rare.put_off.remove(0),
                _ => return self.finish(search, shared),
            }
            break (width, true);
        };
        let child = search.child_at(&frame.node, &frame.siblings.moves, frame.current as usize);
        if let Some(in_flight) = &shared.in_flight
            && frame.node.height >= shared.least_height
        {
            let key = search.tree.key(&child.node);
            if number > 0 && !put_off && in_flight.contains(key, child.height) {
                let current = frame.current;
                frame.rare().put_off.push(current);
                return Ok(Action::Continue);
            }
            in_flight.set(key, child.height, true);
            frame.rare().in_flight = Some(key);
        }
        let Window { alpha: lower, beta } = frame.window;
        frame.alpha = lower.max(frame.best);
        let eldest = number == 0;
        let left = eldest && frame.left || frame.extent == Extent::FirstChild;
        let kind = frame.kind.child(number);
        let window = if eldest || !shared.null_windows() {
            frame.call = Call::Whole;
            Window::new(frame.alpha, beta).flip()
        } else {
            frame.call = Call::Null;
            Window::above(frame.alpha).flip()
        };
        if shared.is_parallel()
            && frame.node.height >= shared.least_height
            && self.is_wanted(shared)
        {
            self.share(shared);
        }
        self.enter(search, shared, child, Entry { window, kind, left, extent: Extent::Whole })
    }

    /// Are the children of the topmost node called one after the other, in order, by this processor alone?
    #[inline]
    fn is_plain(&self, shared: &Shared<T, M>) -> bool {
        if Shared::<T, M>::DRIVEN_ALONE {
            return !self.stack.frames.is_empty();
        }
        self.stack.frames.last().is_some_and(|frame| {
            frame.node.height < shared.plain_below && frame.extent == Extent::Whole
        }) && !self.stack.top_is_shared()
    }

    /// What [`next`](Walker::next) and [`receive`](Walker::receive) do, for plain nodes: nearly all are.
    #[inline]
    fn plain_nodes(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
    ) -> Result<Action, Stop> {
        loop {
            let value = match self.children(search, shared)? {
                // It has called a child, which is the topmost node now, and plain as well.
                Action::Continue if shared.policy.mandatory == Mandatory::Nothing => continue,
                Action::Value(value) => value,
                action => return Ok(action),
            };
            if !self.take_value(search, shared, value) {
                return Ok(Action::Value(value));
            }
        }
    }

    /// Gives the topmost node, if it is plain, the value of its child in progress; `false` if more is to be
    /// done than to note the value.
    #[inline(always)]
    fn take_value(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
        value: Value,
    ) -> bool {
        if !self.is_plain(shared) {
            return false;
        }
        let Some(frame) = self.stack.frames.last_mut() else { return false };
        let Frame { node, siblings, next, current, alpha, best, call, .. } = frame;
        let merit = -value;
        let whole = Shared::<T, M>::DRIVEN_ALONE || *call == Call::Whole;
        if merit > *best {
            // Others hear of the root's move, and a null window may not be enough.
            if node.ply == 0 || !whole {
                return false;
            }
            *best = merit;
            let mut picker = Picker { siblings, next: *next as usize, current: *current as usize };
            search.improve(node, &mut picker, merit, *alpha);
        }
        // What a second search returned is worth at least what the first one did.
        whole
    }

    /// The children of the topmost node, which is plain, one after the other: those that need no frame are
    /// called here, because the memory answers for them, they are leaves, or they are searched alone.
    #[inline]
    fn children(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
    ) -> Result<Action, Stop> {
        let Some(frame) = self.stack.frames.last_mut() else { return Ok(Action::Continue) };
        let Frame { node, siblings, window: Window { alpha: lower, beta }, left, .. } = frame;
        let (width, lower, beta) = (siblings.moves.len(), *lower, *beta);
        // What others may change is asked for once, and so is what no child changes.
        let (alone_below, null_windows) = (shared.alone_below, shared.null_windows());
        let first = search.mode.first_below(node.tag);
        let (height, is_root) = (node.height, node.ply == 0);
        // What changes with every child, outside the frame until the loop ends.
        let (mut best, mut next) = (frame.best, frame.next as usize);
        while best < beta && next < width {
            // In a driver's calls most children are known to change nothing; their positions are not made.
            if M::KEEPS.is_bounds() && search.mode.recall_sibling(first, next).lower >= -best {
                search.count_answer()?;
                next += 1;
                continue;
            }
            let eldest = next == 0;
            let current = M::pick(&mut siblings.ranks, next);
            next += 1;
            let alpha = lower.max(best);
            let whole = eldest || !null_windows;
            let called = Window::new(alpha, if whole { beta } else { alpha + 1 }).flip();
            let value = 'value: {
                if M::KEEPS.is_bounds() {
                    let known = search.mode.recall_sibling(first, current);
                    if let Some(value) = known.answer_within(called) {
                        search.count_answer()?;
                        break 'value value;
                    }
                }
                let child = search.child_at(node, &siblings.moves, current);
                if height <= alone_below {
                    let value = shared.search_alone(search, &child, called, eldest && *left)?;
                    if search.tally.evaluations >= self.step_end {
                        frame.pause((best, next), (current, Call::first(whole), alpha));
                        return Ok(Action::Alone(value));
                    }
                    break 'value value;
                }
                if height > 1 {
                    frame.pause((best, next), (current, Call::first(whole), alpha));
                    let (kind, left) = match Shared::<T, M>::DRIVEN_ALONE {
                        true => (frame.kind, false),
                        false => (frame.kind.child(next - 1), eldest && frame.left),
                    };
                    let entry = Entry { window: called, kind, left, extent: Extent::Whole };
                    if shared.is_parallel()
                        && height >= shared.least_height
                        && self.is_wanted(shared)
                    {
                        self.share(shared);
                    }
                    return self.enter_interior_here(search, shared, child, entry);
                }
                if M::RICH {
                    self.cost += shared.memory_cost(search);
                }
                match search.begin_visit(&child, called, &mut Siblings::none())? {
                    BegunVisit::Leaf(value, bounds) => {
                        frame.pause((best, next), (current, Call::first(whole), alpha));
                        return Ok(self.pend(child, value, bounds));
                    }
                    BegunVisit::Answered(value) => value,
                    BegunVisit::Interior(..) => unreachable!("a node at the horizon is a leaf"),
                }
            };
            let merit = -value;
            if merit > best {
                if is_root || !whole && merit > alpha && merit < beta {
                    // Others hear of the root's move, and a null window may not be enough.
                    frame.pause((best, next), (current, Call::first(whole), alpha));
                    return Ok(Action::Value(value));
                }
                best = merit;
                let mut picker = Picker { siblings: &mut *siblings, next, current };
                search.improve(node, &mut picker, merit, alpha);
            }
        }
        (frame.best, frame.next) = (best, next as u32);
        self.finish_here(search, shared)
    }

    /// A leaf was evaluated: the node above hears of it in the next step.
    fn pend(&mut self, node: SearchNode<T, M>, value: Value, bounds: Bounds) -> Action {
        self.pending = Some(Pending::Leaf(PendingLeaf { node, value, bounds }));
        Action::Leaf
    }

    /// Enters a node: the memory may answer for it, or it may be a leaf; else it is the topmost node
    /// now.
    #[inline]
    pub(super) fn enter(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
        node: SearchNode<T, M>,
        entry: Entry,
    ) -> Result<Action, Stop> {
        if shared.searches_alone(&node) {
            match entry.extent {
                Extent::Whole => {
                    let value = shared.search_alone(search, &node, entry.window, entry.left)?;
                    return Ok(Action::Alone(value));
                }
                Extent::FirstChild if shared.policy.mandatory == Mandatory::ElderGrandchildren => {
                    let (value, place) = elder_grandchild(search, &node, entry.window)?;
                    self.first_place = place;
                    return Ok(Action::Alone(value));
                }
                _ => {}
            }
        }
        if node.height == 0 {
            if M::RICH {
                self.cost += shared.memory_cost(search);
            }
            let begun = search.begin_visit(&node, entry.window, &mut Siblings::none())?;
            return Ok(match begun {
                BegunVisit::Leaf(value, bounds) => self.pend(node, value, bounds),
                BegunVisit::Answered(value) => Action::Value(value),
                BegunVisit::Interior(..) => unreachable!("a node at the horizon is a leaf"),
            });
        }
        self.enter_interior(search, shared, node, entry)
    }

    /// The same for a node above the horizon that is not searched alone.
    fn enter_interior(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
        node: SearchNode<T, M>,
        entry: Entry,
    ) -> Result<Action, Stop> {
        self.enter_interior_here(search, shared, node, entry)
    }

    /// The same, without a call.
    #[inline(always)]
    fn enter_interior_here(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
        node: SearchNode<T, M>,
        entry: Entry,
    ) -> Result<Action, Stop> {
        if M::RICH {
            self.cost += shared.memory_cost(search);
        }
        self.stack.frames.push(Frame::new(node, entry.kind, entry.left));
        let Some(frame) = self.stack.frames.last_mut() else { unreachable!("it was just pushed") };
        match search.begin_visit(&frame.node, entry.window, &mut frame.siblings)? {
            BegunVisit::Answered(value) => {
                self.stack.frames.pop();
                Ok(Action::Value(value))
            }
            BegunVisit::Leaf(value, bounds) => {
                let Some(frame) = self.stack.frames.pop() else {
                    unreachable!("it was just pushed")
                };
                Ok(self.pend(frame.node, value, bounds))
            }
            BegunVisit::Interior(recalled, window) => {
                frame.recalled = recalled;
                frame.window = window;
                frame.extent = entry.extent;
                search.enter(&frame.node, window);
                self.entered(shared);
                Ok(Action::Continue)
            }
        }
    }

    /// What a scheme does when a node has been entered.
    #[inline]
    fn entered(&mut self, shared: &Shared<T, M>) {
        if Shared::<T, M>::DRIVEN_ALONE {
            return;
        }
        let Some(frame) = self.stack.frames.last() else { return };
        let (left_child, least_height) = match shared.policy.mandatory {
            Mandatory::Nothing => return,
            Mandatory::LeftChild if !shared.is_parallel() => return,
            Mandatory::LeftChild => (true, shared.least_height),
            Mandatory::ElderGrandchildren => (false, LEAST_E_NODE_HEIGHT),
        };
        if frame.left && frame.extent == Extent::Whole && frame.node.height >= least_height {
            let at = self.stack.frames.len() - 1;
            self.open(shared, at, SplitTask::Mandatory { left_child });
        }
    }

    /// Enters a node of which one child was searched before and is worth `best` to the node.
    pub(super) fn enter_rest(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
        node: SearchNode<T, M>,
        window: Window,
        (searched, best): (usize, Value),
    ) -> Result<Action, Stop> {
        if shared.searches_alone(&node) {
            return refute(search, &node, window, searched, best).map(Action::Alone);
        }
        // It was expanded before, so it is not counted again.
        let Some(siblings) = search.generate_siblings(&node) else {
            return Ok(Action::Value(best));
        };
        let mut frame = Frame::new(node, NodeKind::Cut, false);
        frame.siblings = siblings;
        frame.window = window;
        frame.best = best;
        frame.extent = Extent::AllBut(searched as u32);
        search.enter(&frame.node, window);
        self.stack.frames.push(frame);
        Ok(Action::Continue)
    }

    /// The topmost node is done.
    pub(super) fn finish(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
    ) -> Result<Action, Stop> {
        self.finish_here(search, shared)
    }

    /// The same, without a call.
    #[inline(always)]
    fn finish_here(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
    ) -> Result<Action, Stop> {
        // Dropped in its place: a list of moves is large, and a copy of it costs as much as a leaf.
        let Some(frame) = self.stack.frames.last() else { unreachable!("there is a topmost node") };
        match frame.extent {
            Extent::Whole => {
                let Frame { node, siblings, recalled, window, best, .. } = frame;
                let named = search.settle(node, siblings, *recalled, *window, *best);
                if named.is_some() {
                    self.best = named;
                    shared.note_root(search, named);
                }
                if M::RICH {
                    self.cost += shared.memory_cost(search);
                }
            }
            Extent::FirstChild => self.first_place = Some(frame.current as usize),
            Extent::AllBut(_) => {}
        }
        let value = search.leave(&frame.node, frame.best);
        self.stack.frames.truncate(self.stack.frames.len() - 1);
        value.map(Action::Value)
    }
}
