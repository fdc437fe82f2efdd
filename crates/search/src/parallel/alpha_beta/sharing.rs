//! How processors share nodes: opening, joining and leaving split points.
//!
//! A node is shared when somebody wants work: its remaining children can then be taken one by one by
//! its owner and by helpers, who each have a stack that begins at the node. The owner's result counts
//! when the last worker has left. A child that cuts off makes the rest pointless: the flag is raised,
//! and everybody at or below the node sees it at the next step and unwinds.
//!
//! Of a processor's nodes the highest that may be shared is shared first, and a further one only below
//! it. So the split points of a stack are nested as its nodes are.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use plyground_core::tree::MoveList;

use super::Shared;
use super::frame::{Call, Entry, Extent, Frame, SharedFrame, Stack};
use super::policy::{Helpers, Owner};
use super::split::{MandatoryResult, Split, SplitState, SplitTask, locked};
use super::walker::{Action, Walker};
use crate::node::Picker;
use crate::prelude::*;

impl<T: GameTree, M: Mode> Walker<T, M> {
    /// Does somebody wait for work that this processor could give?
    #[inline]
    pub(super) fn is_wanted(&self, shared: &Shared<T, M>) -> bool {
        let pool = &shared.pool;
        match shared.policy.helpers {
            Helpers::Anyone => {
                pool.free.load(Relaxed) > pool.untaken.load(Relaxed)
                    || pool.masters.load(Relaxed) > 0 && self.has_master()
            }
            Helpers::Reserve { .. } => pool.reserve(self.number) > 0,
        }
    }

    /// Does the owner of a node above wait, and might help?
    fn has_master(&self) -> bool {
        let mut split = self.stack.shared.last().map(|shared| &shared.split);
        while let Some(above) = split {
            if above.owner_waits.load(Relaxed) {
                return true;
            }
            split = above.above.as_ref();
        }
        false
    }

    /// Shares the highest node of the stack that may be shared, if there is one.
    pub(super) fn share(&mut self, shared: &Shared<T, M>) {
        let from = self.stack.shared.last().map_or(0, |shared| shared.at + 1);
        let may_be_shared = |frame: &Frame<T, M>| {
            let rest = (frame.next as usize) < frame.siblings.moves.len()
                && frame.extent != Extent::FirstChild;
            rest && (shared.policy.may_share)(&frame.candidate())
        };
        let high = |frame: &&Frame<T, M>| {
            frame.node.height >= shared.least_height && frame.node.ply < shared.policy.common_depth
        };
        let frames = self.stack.frames[from..].iter().take_while(high);
        let found = frames.enumerate().find(|(_, frame)| may_be_shared(frame));
        if let Some((i, _)) = found {
            self.open(shared, from + i, SplitTask::Search);
        }
    }

    /// Shares what is left of the node at this place of the stack.
    pub(super) fn open(&mut self, shared: &Shared<T, M>, at: usize, task: SplitTask) {
        let frame = &mut self.stack.frames[at];
        let first = frame.next as usize;
        let places = frame.take_rest();
        self.open_children(shared, at, task, (places, first));
    }

    /// Shares these children of the node at this place of the stack; the first of them has the number
    /// `first` among all.
    fn open_children(
        &mut self,
        shared: &Shared<T, M>,
        at: usize,
        task: SplitTask,
        (places, first): (Vec<usize>, usize),
    ) {
        let above = self.stack.shared.last().map(|shared| Arc::clone(&shared.split));
        let frame = &mut self.stack.frames[at];
        let rank = (shared.policy.rank)(&frame.candidate());
        let mandatory = match task {
            SplitTask::Mandatory { .. } => places.len(),
            _ => 0,
        };
        let split = Arc::new(Split {
            node: Mutex::new((frame.node.clone(), frame.siblings.moves.clone())),
            places,
            first,
            window: frame.window,
            task,
            kind: frame.kind,
            left: frame.left,
            offered: shared.is_parallel && frame.node.height >= shared.least_height,
            owner: self.number,
            above,
            cut: AtomicBool::new(false),
            owner_waits: AtomicBool::new(false),
            state: Mutex::new(SplitState {
                next: 0,
                workers: vec![self.number],
                best: frame.best,
                best_place: None,
                mandatory: vec![MandatoryResult::NOTHING; mandatory],
                parked: None,
                abandoned: false,
                waiting: Vec::new(),
            }),
        });
        self.cost += shared.costs.split;
        let assigned = shared.pool.open(&split, self.number, rank);
        self.wakes.these.extend(assigned);
        self.wakes.free = shared.pool.untaken.load(Relaxed);
        if shared.policy.owner == Owner::HelpsBelow && shared.pool.masters.load(Relaxed) > 0 {
            let mut above = split.above.as_ref();
            while let Some(master) = above {
                if master.owner_waits.load(Relaxed) {
                    self.wakes.these.push(master.owner);
                }
                above = master.above.as_ref();
            }
        }
        self.stack.shared.push(SharedFrame { at, split, helper: false, number: 0 });
    }

    /// Reports the value of the child in progress to the topmost node, which is shared.
    pub(super) fn report(&mut self, shared: &Shared<T, M>, merit: Value) {
        let (Some(top), Some(frame)) = (self.stack.shared.last(), self.stack.frames.last()) else {
            return;
        };
        let split = &top.split;
        let mut state = locked(&split.state);
        if let SplitTask::Mandatory { .. } = split.task {
            let searched = self.first_place.take();
            state.mandatory[top.number] = MandatoryResult { value: merit, searched };
        } else {
            // A merit above the alpha it was searched with is exact or cuts off. Any other is an upper
            // bound, which counts only as long as no merit is higher.
            if merit > state.best {
                state.best = merit;
                if merit > split.window.alpha {
                    state.best_place = Some(frame.current as usize);
                }
            }
            if merit >= split.window.beta && !split.cut.load(Relaxed) {
                shared.pool.cut(split, &mut state);
            }
        }
        if top.helper {
            self.cost += shared.costs.message;
        }
    }

    /// The topmost node, which is shared, calls its next child, or has none left.
    pub(super) fn next_shared(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
    ) -> Result<Action, Stop> {
        let Some(top) = self.stack.shared.last() else { return Ok(Action::Continue) };
        match shared.pool.take(&top.split, None) {
            Some(number) => self.call_child(search, shared, number),
            None => self.leave(search, shared),
        }
    }

    /// Calls this child of the topmost node, which is shared.
    fn call_child(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
        number: usize,
    ) -> Result<Action, Stop> {
        let (Some(top), Some(frame)) = (self.stack.shared.last_mut(), self.stack.frames.last_mut())
        else {
            return Ok(Action::Continue);
        };
        top.number = number;
        let split = Arc::clone(&top.split);
        frame.current = split.places[number] as u32;
        let Window { alpha: lower, beta } = split.window;
        frame.alpha = match split.task {
            SplitTask::Mandatory { .. } => lower,
            _ => lower.max(locked(&split.state).best),
        };
        frame.call = Call::Whole;
        let window = Window::new(frame.alpha, beta).flip();
        let child = search.child_at(&frame.node, &frame.siblings.moves, frame.current as usize);
        let order = split.first + number;
        let kind = split.kind.child(order);
        let entry = match &split.task {
            SplitTask::Search => {
                let eldest = order == 0;
                let window = if eldest || !shared.policy.null_windows {
                    window
                } else {
                    frame.call = Call::Null;
                    Window::above(frame.alpha).flip()
                };
                Entry { window, kind, left: eldest && split.left, extent: Extent::Whole }
            }
            SplitTask::Mandatory { left_child } => {
                let left = number == 0 && *left_child;
                let extent = if left { Extent::Whole } else { Extent::FirstChild };
                Entry { window, kind, left, extent }
            }
            SplitTask::Rest(mandatory) => {
                let MandatoryResult { value, searched } = mandatory[number];
                return match searched {
                    Some(searched) if value > frame.alpha => {
                        self.enter_rest(search, shared, child, window, (searched, -value))
                    }
                    _ => Ok(Action::Value(-value)),
                };
            }
        };
        self.enter(search, shared, child, entry)
    }

    /// The topmost node, which is shared, has no child left for this processor.
    fn leave(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
    ) -> Result<Action, Stop> {
        let Some(top) = self.stack.shared.last() else { return Ok(Action::Continue) };
        let split = Arc::clone(&top.split);
        if top.helper {
            self.stack.shared.pop();
            self.stack.frames.pop();
            return self.leave_as_helper(search, shared, &split);
        }
        let mut state = locked(&split.state);
        if state.remove(self.number) {
            drop(state);
            return self.close(search, shared);
        }
        let reallocated = Helpers::Reserve { reallocated: true };
        if shared.policy.helpers == reallocated
            && let Some(&other) = state.workers.iter().min_by_key(|&&w| shared.pool.reserve(w))
        {
            shared.pool.give_reserve(self.number, other);
        }
        if shared.policy.owner == Owner::Leaves {
            let stack = std::mem::replace(&mut self.stack, Stack::new());
            state.parked = Some((self.number, stack));
            return Ok(Action::Continue);
        }
        let waited = split.owner_waits.swap(true, Relaxed);
        drop(state);
        if shared.policy.owner == Owner::Waits {
            return Ok(Action::Idle);
        }
        if !waited {
            shared.pool.masters.fetch_add(1, Relaxed);
        }
        let Some((below, number)) = shared.pool.find(self.number, Some(&split)) else {
            return Ok(Action::Idle);
        };
        split.owner_waits.store(false, Relaxed);
        shared.pool.masters.fetch_sub(1, Relaxed);
        self.join(search, shared, below, number)
    }

    fn leave_as_helper(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
        split: &Arc<Split<T, M>>,
    ) -> Result<Action, Stop> {
        let mut state = locked(&split.state);
        let is_last = state.remove(self.number);
        if let Helpers::Reserve { reallocated } = shared.policy.helpers {
            let other = state.workers.iter().min_by_key(|&&w| shared.pool.reserve(w)).copied();
            match other {
                _ if state.abandoned => shared.pool.give(self.number, split.owner),
                Some(other) if reallocated => shared.pool.give(self.number, other),
                _ => state.waiting.push(self.number),
            }
        }
        if !is_last {
            return Ok(Action::Continue);
        }
        if let Some((owner, stack)) = state.parked.take() {
            drop(state);
            for above in &stack.shared {
                locked(&above.split.state).replace(owner, self.number);
            }
            self.stack = stack;
            return self.close(search, shared);
        }
        if split.owner_waits.load(Relaxed) {
            self.wakes.these.push(split.owner);
            shared.pool.wake_all();
        }
        Ok(Action::Continue)
    }

    /// The topmost node is shared, and its last worker has left: its result counts.
    fn close(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
    ) -> Result<Action, Stop> {
        // If a node above was cut off, workers have left without a result.
        if self.unwind_if_cut_above(shared) {
            return Ok(Action::Continue);
        }
        let Some(SharedFrame { split, at, .. }) = self.stack.shared.pop() else {
            return Ok(Action::Continue);
        };
        self.no_longer_waits(shared, &split);
        let mut state = locked(&split.state);
        for waiting in std::mem::take(&mut state.waiting) {
            shared.pool.give(waiting, self.number);
        }
        let Some(frame) = self.stack.frames.last_mut() else { return Ok(Action::Continue) };
        let Frame { node, siblings, next, best, .. } = frame;
        let (found, place) = match split.task {
            SplitTask::Mandatory { left_child: true } => {
                let value = state.mandatory[0].value;
                (value, (value > split.window.alpha).then_some(split.places[0]))
            }
            SplitTask::Mandatory { left_child: false } => (*best, None),
            _ => (state.best, state.best_place),
        };
        if found > *best {
            let alpha = split.window.alpha.max(*best);
            *best = found;
            if let Some(place) = place {
                let mut picker = Picker { siblings, next: *next as usize, current: place };
                search.improve(node, &mut picker, found, alpha);
                if node.ply == 0 {
                    shared.note_root(search, Some(picker.current()));
                }
            }
        }
        if frame.best >= frame.window.beta {
            return self.finish(search, shared);
        }
        let mut rest: Vec<(usize, MandatoryResult)> = match split.task {
            SplitTask::Mandatory { left_child } => {
                let all = split.places.iter().copied().zip(state.mandatory.iter().copied());
                let mut rest: Vec<_> = all.skip(usize::from(left_child)).collect();
                if !left_child {
                    best_elder_first(&mut rest);
                }
                rest
            }
            _ => frame.rare.as_mut().map_or_else(Vec::new, |rare| std::mem::take(&mut rare.later)),
        };
        drop(state);
        if rest.is_empty() {
            return self.finish(search, shared);
        }
        if let SplitTask::Mandatory { left_child: false } = split.task {
            frame.rare().later = rest.split_off(1);
        }
        let (places, mandatory): (Vec<_>, Vec<_>) = rest.into_iter().unzip();
        self.open_children(shared, at, SplitTask::Rest(mandatory), (places, 1));
        Ok(Action::Continue)
    }

    /// A processor without a stack looks for a node to help at.
    pub(super) fn look_for_work(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
    ) -> Result<Action, Stop> {
        if shared.policy.helpers != Helpers::Anyone {
            let Some(split) = shared.pool.assignment(self.number) else { return Ok(Action::Idle) };
            let Some(number) = shared.pool.take(&split, Some(self.number)) else {
                // Others were faster.
                return self.leave_as_helper(search, shared, &split);
            };
            return self.join(search, shared, split, number);
        }
        if let Some((split, number)) = shared.pool.find(self.number, None) {
            if self.free {
                self.free = false;
                shared.pool.free.fetch_sub(1, Relaxed);
            }
            return self.join(search, shared, split, number);
        }
        if !self.free {
            self.free = true;
            shared.pool.free.fetch_add(1, Relaxed);
        }
        Ok(Action::Idle)
    }

    /// Helps at a shared node, beginning with this child.
    fn join(
        &mut self,
        search: &mut Search<'_, T, M>,
        shared: &Shared<T, M>,
        split: Arc<Split<T, M>>,
        number: usize,
    ) -> Result<Action, Stop> {
        let (node, moves) = locked(&split.node).clone();
        let mut frame = Frame::new(node, split.kind, split.left);
        frame.siblings.moves = moves;
        frame.window = split.window;
        frame.next = frame.siblings.moves.len() as u32;
        let at = self.stack.frames.len();
        self.stack.frames.push(frame);
        self.stack.shared.push(SharedFrame { at, split, helper: true, number });
        self.cost += shared.costs.message;
        self.call_child(search, shared, number)
    }

    /// If a node that this processor works at or below was cut off, goes back to the highest such node;
    /// `true` if so.
    pub(super) fn unwind(&mut self, shared: &Shared<T, M>) -> bool {
        let Some(innermost) = self.stack.shared.last() else { return false };
        if !innermost.split.is_cut() {
            return false;
        }
        let cut = self.stack.shared.iter().position(|shared| shared.split.is_cut());
        cut.is_some_and(|cut| self.unwind_to(shared, cut))
    }

    /// The same if a node above the topmost was cut off.
    fn unwind_if_cut_above(&mut self, shared: &Shared<T, M>) -> bool {
        let above = self.stack.shared.last().and_then(|shared| shared.split.above.as_ref());
        above.is_some_and(|above| above.is_cut()) && self.unwind(shared)
    }

    /// Goes back to shared node number `to` of the stack, which is cut off; `false` if it is there
    /// already and nothing is in progress.
    fn unwind_to(&mut self, shared: &Shared<T, M>, to: usize) -> bool {
        while self.stack.shared.len() > to + 1 {
            let Some(SharedFrame { split, helper, .. }) = self.stack.shared.pop() else { break };
            self.no_longer_waits(shared, &split);
            let mut state = locked(&split.state);
            shared.pool.cut(&split, &mut state);
            let is_last = state.remove(self.number);
            if helper {
                if is_last && split.owner_waits.load(Relaxed) {
                    self.wakes.these.push(split.owner);
                    shared.pool.wake_all();
                }
            } else {
                state.abandoned = true;
                for waiting in std::mem::take(&mut state.waiting) {
                    shared.pool.give(waiting, self.number);
                }
            }
        }
        let Some(SharedFrame { split, at, .. }) = self.stack.shared.last() else { return false };
        let mut state = locked(&split.state);
        if !split.cut.load(Relaxed) {
            shared.pool.cut(split, &mut state);
        }
        self.stack.frames.truncate(at + 1);
        self.first_place = None;
        true
    }

    /// If this processor has waited for a node, it does so no longer.
    fn no_longer_waits(&self, shared: &Shared<T, M>, split: &Split<T, M>) {
        if split.owner == self.number
            && split.owner_waits.swap(false, Relaxed)
            && shared.policy.owner == Owner::HelpsBelow
        {
            shared.pool.masters.fetch_sub(1, Relaxed);
        }
    }
}

/// The child with the best elder grandchild first; ties keep the order. Not generic: a sort is much code.
fn best_elder_first(children: &mut [(usize, MandatoryResult)]) {
    children.sort_by_key(|(_, mandatory)| -mandatory.value);
}
