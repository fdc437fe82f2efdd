//! Siblings shared at split points: the recursion of all schemes but ABDADA.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use plyground_core::split_points::{SplitJob, SplitPoint, SplitPoints};
use plyground_core::tree::MoveList;

use super::Scheme;
use crate::node::Picker;
use crate::prelude::*;

/// A node that is shared at a split point, and the result of its search.
pub(super) struct SharedNode<T: GameTree, M: Mode> {
    /// The node and its moves. A node can be sent to another thread, but not shared: hence the
    /// lock.
    node: Mutex<(SearchNode<T, M>, T::Moves)>,
    /// The places of the siblings in the tree's list of moves, in the order of search.
    places: Vec<usize>,
    window: Window,
    /// What is to be done with each sibling.
    pub(super) task: SiblingTask,
    result: Mutex<SharedResult>,
}

/// What is to be done with the siblings of a shared node.
#[derive(Clone, Debug)]
pub(super) enum SiblingTask {
    /// Each is searched.
    Search,
    /// The first is searched; of each other one, only its first child.
    Mandatory,
    /// Each is searched without the child that mandatory work has searched already.
    Rest(Vec<MandatoryResult>),
}

/// The result of mandatory work at a sibling.
#[derive(Clone, Copy, Debug)]
pub(super) struct MandatoryResult {
    /// The most that the sibling can be worth to its parent's mover; for the first, its value.
    pub(super) value: Value,
    /// The place in the tree's list of the child that was searched.
    pub(super) child: usize,
}

impl MandatoryResult {
    /// The result before any work.
    const NOTHING: MandatoryResult = MandatoryResult { value: INFINITY, child: 0 };
}

/// What the workers have found at a shared node.
#[derive(Clone, Debug)]
pub(super) struct SharedResult {
    /// The best value so far.
    pub(super) best: Value,
    /// The place in the tree's list of the sibling with that value, if it is above the window's
    /// lower end.
    pub(super) place: Option<usize>,
    /// The results of mandatory work, by sibling.
    pub(super) mandatory: Vec<MandatoryResult>,
}

/// A thread of the search.
pub(super) struct Worker<'a, T: GameTree, M: Mode> {
    pub(super) splits: &'a SplitPoints<SharedNode<T, M>>,
    /// The split point that it works at.
    pub(super) split: Option<Arc<SplitPoint<SharedNode<T, M>>>>,
    pub(super) scheme: Scheme,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'s, T: GameTree, M: Mode> Worker<'s, T, M> {
    /// The value of `n` for its mover if it is inside the window, else a bound on it. `left` says
    /// that the scheme shares here: `n` is on the leftmost path or, with mandatory work first, its
    /// value is needed in any case.
    pub(super) fn node(
        &mut self,
        search: &mut Search<'_, T, M>,
        n: &SearchNode<T, M>,
        window: Window,
        left: bool,
    ) -> Result<Value, Stop> {
        search.visit(n, window, |search, n, siblings, window| {
            self.interior(search, n, siblings, window, left)
        })
    }

    fn interior(
        &mut self,
        search: &mut Search<'_, T, M>,
        n: &SearchNode<T, M>,
        siblings: &mut Siblings<T, M>,
        window: Window,
        left: bool,
    ) -> Result<Value, Stop> {
        // A worker that is no longer needed stops as if its flag were raised. The thread that
        // opened the split point knows the difference.
        if self.split.as_ref().is_some_and(|split| split.is_cut()) {
            return Err(Stop::Flag);
        }
        search.enter(n, window);
        let Window { alpha: lower, beta } = window;
        let mut picker = siblings.picker();
        if left && self.scheme == Scheme::MandatoryFirst && self.is_high(search, n, 2) {
            let best = self.mandatory(search, n, &mut picker, window)?;
            return search.leave(n, best);
        }
        let mut best = -INFINITY;
        while best < beta {
            let width = picker.siblings.moves.len();
            if picker.next > 0 && picker.next < width && self.shares(search, n, left) {
                best = self.share(search, n, &mut picker, window, best, SiblingTask::Search)?.best;
                break;
            }
            let eldest = picker.next == 0;
            let Some(c) = search.next_child(n, &mut picker) else { break };
            let alpha = lower.max(best);
            let merit = if eldest {
                -self.node(search, &c, window.flip(), left)?
            } else {
                self.younger_sibling(search, &c, Window { alpha, beta })?
            };
            if merit > best {
                best = merit;
                search.improve(n, &mut picker, best, alpha);
            }
        }
        search.leave(n, best)
    }

    /// Is `n` far enough from the horizon to be worth sharing?
    fn is_high(&self, search: &Search<'_, T, M>, n: &SearchNode<T, M>, least: u32) -> bool {
        n.height >= search.spec.spawn_height().max(least)
    }

    /// Are the younger siblings at `n` shared with other threads?
    fn shares(&self, search: &Search<'_, T, M>, n: &SearchNode<T, M>, left: bool) -> bool {
        let wanted = match self.scheme {
            Scheme::PvSplit => left,
            Scheme::MandatoryFirst => false,
            _ => self.splits.has_idle(),
        };
        wanted && self.is_high(search, n, 2)
    }

    /// What the younger sibling `c` is worth to its parent's mover, or a bound if that is not
    /// inside the window.
    fn younger_sibling(
        &mut self,
        search: &mut Search<'_, T, M>,
        c: &SearchNode<T, M>,
        window: Window,
    ) -> Result<Value, Stop> {
        if self.scheme == Scheme::MandatoryFirst {
            return Ok(-self.node(search, c, window.flip(), false)?);
        }
        let Window { alpha, beta } = window;
        let merit = -self.node(search, c, Window::above(alpha).flip(), false)?;
        if merit <= alpha || merit >= beta {
            return Ok(merit);
        }
        search.search_again();
        // It is worth at least `merit`, so a second search cannot return less.
        Ok(merit.max(-self.node(search, c, Window::new(merit, beta).flip(), false)?))
    }

    /// Searches the siblings that `picker` has left, together with other threads. `best` is the
    /// value of the elder siblings; the result is that of all.
    pub(super) fn share(
        &mut self,
        search: &mut Search<'_, T, M>,
        n: &SearchNode<T, M>,
        picker: &mut Picker<'_, T, M>,
        window: Window,
        best: Value,
        task: SiblingTask,
    ) -> Result<SharedResult, Stop> {
        let moves = &picker.siblings.moves;
        let places: Vec<usize> = (picker.next..moves.len())
            .map(|number| M::pick(&mut picker.siblings.ranks, number))
            .collect();
        let mandatory = vec![MandatoryResult::NOTHING; places.len()];
        let shared = SharedNode {
            node: Mutex::new((n.clone(), moves.clone())),
            window,
            task,
            result: Mutex::new(SharedResult { best, place: None, mandatory }),
            places,
        };
        if matches!(shared.task, SiblingTask::Search | SiblingTask::Rest(_)) {
            picker.next = moves.len();
        }
        let count = shared.places.len();
        let job = self.splits.open(self.split.as_ref(), shared, count);
        let split = Arc::clone(&job.split);
        self.work(search, job);
        while let Some(job) = self.next(search, Some(&split)) {
            self.work(search, job);
        }
        let result = locked(&split.work.result).clone();
        if let Some(place) = result.place {
            picker.current = place;
            search.improve(n, picker, result.best, window.alpha.max(best));
        }
        if split.is_broken() {
            return Err(search.stop_reason());
        }
        Ok(result)
    }

    /// Works for other threads until the search ends.
    pub(super) fn help(&mut self, search: &mut Search<'_, T, M>) {
        while let Some(job) = self.next(search, None) {
            self.work(search, job);
        }
    }

    /// Waits for a job; see [`SplitPoints::next`].
    fn next(
        &self,
        search: &mut Search<'_, T, M>,
        own: Option<&Arc<SplitPoint<SharedNode<T, M>>>>,
    ) -> Option<SplitJob<'s, SharedNode<T, M>>> {
        search.tally.give_back_shares();
        let since = Instant::now();
        let job = self.splits.next(own);
        search.has_waited(since);
        job
    }

    /// Does one sibling, and then others of the same node as long as there are any.
    fn work(&mut self, search: &mut Search<'_, T, M>, job: SplitJob<'_, SharedNode<T, M>>) {
        let split = Arc::clone(&job.split);
        let before = self.split.replace(Arc::clone(&split));
        let (at, moves) = {
            let node = locked(&split.work.node);
            (node.0.clone(), node.1.clone())
        };
        let mut next = Some(job);
        while let Some(job) = next.take() {
            let done = self.search_sibling(search, (&at, &moves), &split.work, job.number);
            match done {
                Ok(cuts) => {
                    if cuts {
                        split.cut();
                    }
                    next = job.done();
                }
                // If the split point was not cut off, the search itself is stopped. All threads
                // must know that before the thread that waits here is woken.
                Err(stop) => {
                    if !split.is_cut() {
                        search.stop_team(stop);
                    }
                }
            }
        }
        self.split = before;
    }

    /// Does sibling `number` of a shared node; `true` if that cuts off.
    fn search_sibling(
        &mut self,
        search: &mut Search<'_, T, M>,
        (at, moves): (&SearchNode<T, M>, &T::Moves),
        shared: &SharedNode<T, M>,
        number: usize,
    ) -> Result<bool, Stop> {
        let Window { alpha: lower, beta } = shared.window;
        let place = shared.places[number];
        let c = search.child_at(at, moves, place);
        let alpha = lower.max(locked(&shared.result).best);
        let window = Window { alpha, beta };
        let merit = match &shared.task {
            SiblingTask::Search => self.younger_sibling(search, &c, window)?,
            SiblingTask::Rest(mandatory) => self.rest(search, &c, window, mandatory[number])?,
            SiblingTask::Mandatory => {
                let mandatory = self.mandatory_child(search, &c, shared.window, number)?;
                locked(&shared.result).mandatory[number] = mandatory;
                return Ok(false);
            }
        };
        let mut result = locked(&shared.result);
        // A merit above the alpha it was searched with is exact or cuts off. Any other is an upper
        // bound, which counts only as long as no merit is higher.
        if merit > result.best {
            result.best = merit;
            if merit > lower {
                result.place = Some(place);
            }
        }
        Ok(merit >= beta)
    }
}
