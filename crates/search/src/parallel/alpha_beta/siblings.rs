//! Brothers shared at split points: the recursion of all schemes but ABDADA.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use plyground_core::split_points::{SplitJob, SplitPoint, SplitPoints};
use plyground_core::tree::MoveList;

use super::Scheme;
use crate::node::Picker;
use crate::prelude::*;

/// What is shared of a node.
pub(super) struct Family<T: GameTree, M: Mode> {
    /// The node and its moves. Nodes can be handed on but not looked at together: hence the lock.
    node: Mutex<(SearchNode<T, M>, T::Moves)>,
    /// Where the siblings stand among the moves, in their order.
    places: Vec<usize>,
    window: Window,
    /// What is to be done with each.
    pub(super) task: Task,
    found: Mutex<Found>,
}

/// What is done with a brother.
#[derive(Clone, Debug)]
pub(super) enum Task {
    /// It is searched.
    Search,
    /// The first is searched; of the others, only the first son.
    Mandatory,
    /// It is searched on, without the son that was; what that one has shown is known.
    Rest(Vec<Known>),
}

/// What mandatory work has shown of a brother.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// What he is worth at most to his parent's mover; of the first, what he is worth.
    pub(super) value: Value,
    /// Where the son of his that was searched stands among his moves.
    pub(super) son: usize,
}

impl Known {
    /// Nothing yet.
    const NOTHING: Known = Known { value: INFINITY, son: 0 };
}

/// What has come of a family.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The best value so far, and where the brother stands that has it.
    pub(super) best: Value,
    pub(super) place: Option<usize>,
    /// Of mandatory work: what has come of each brother.
    pub(super) known: Vec<Known>,
}

/// A thread at work.
pub(super) struct Hand<'a, T: GameTree, M: Mode> {
    pub(super) splits: &'a SplitPoints<Family<T, M>>,
    /// The split that it works at.
    pub(super) split: Option<Arc<SplitPoint<Family<T, M>>>>,
    pub(super) scheme: Scheme,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'s, T: GameTree, M: Mode> Hand<'s, T, M> {
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
        // Who is no longer needed stops as if he had been told to; whoever gave him the work knows.
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
                best = self.share(search, n, &mut picker, window, best, Task::Search)?.best;
                break;
            }
            let eldest = picker.next == 0;
            let Some(c) = search.next_child(n, &mut picker) else { break };
            let alpha = lower.max(best);
            let merit = if eldest {
                -self.node(search, &c, window.flip(), left)?
            } else {
                self.brother(search, &c, Window { alpha, beta })?
            };
            if merit > best {
                best = merit;
                search.improve(n, &mut picker, best, alpha);
            }
        }
        search.leave(n, best)
    }

    /// Is `n` far enough from the horizon, and has it siblings enough?
    fn is_high(&self, search: &Search<'_, T, M>, n: &SearchNode<T, M>, least: u32) -> bool {
        n.height >= search.spec.spawn_height().max(least)
    }

    /// Are the younger siblings at `n` given to others?
    fn shares(&self, search: &Search<'_, T, M>, n: &SearchNode<T, M>, left: bool) -> bool {
        let wanted = match self.scheme {
            Scheme::PvSplit => left,
            Scheme::MandatoryFirst => false,
            _ => self.splits.has_idle(),
        };
        wanted && self.is_high(search, n, 2)
    }

    /// What a younger brother is worth to his parent's mover: a bound if it is not inside the window.
    fn brother(
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
        // He is worth at least his merit: no less comes of searching him again.
        Ok(merit.max(-self.node(search, c, Window::new(merit, beta).flip(), false)?))
    }

    /// Does the siblings that `picker` has left together with others; `best` is what the elder ones
    /// are worth, and what comes back is what all are.
    pub(super) fn share(
        &mut self,
        search: &mut Search<'_, T, M>,
        n: &SearchNode<T, M>,
        picker: &mut Picker<'_, T, M>,
        window: Window,
        best: Value,
        task: Task,
    ) -> Result<Found, Stop> {
        let moves = &picker.siblings.moves;
        let places: Vec<usize> = (picker.next..moves.len())
            .map(|number| M::pick(&mut picker.siblings.ranks, number))
            .collect();
        let known = vec![Known::NOTHING; places.len()];
        let family = Family {
            node: Mutex::new((n.clone(), moves.clone())),
            window,
            task,
            found: Mutex::new(Found { best, place: None, known }),
            places,
        };
        if matches!(family.task, Task::Search | Task::Rest(_)) {
            picker.next = moves.len();
        }
        let count = family.places.len();
        let job = self.splits.open(self.split.as_ref(), family, count);
        let split = Arc::clone(&job.split);
        self.work(search, job);
        while let Some(job) = self.next(search, Some(&split)) {
            self.work(search, job);
        }
        let found = locked(&split.work.found).clone();
        if let Some(place) = found.place {
            picker.current = place;
            search.improve(n, picker, found.best, window.alpha.max(best));
        }
        if split.is_broken() {
            return Err(search.stop_reason());
        }
        Ok(found)
    }

    /// What a thread does that does not have the root.
    pub(super) fn help(&mut self, search: &mut Search<'_, T, M>) {
        while let Some(job) = self.next(search, None) {
            self.work(search, job);
        }
    }

    /// Waits for something to do; see [`SplitPoints::next`].
    fn next(
        &self,
        search: &mut Search<'_, T, M>,
        own: Option<&Arc<SplitPoint<Family<T, M>>>>,
    ) -> Option<SplitJob<'s, Family<T, M>>> {
        search.tally.give_back_shares();
        let since = Instant::now();
        let job = self.splits.next(own);
        search.has_waited(since);
        job
    }

    /// Does one brother, and others of the same family as long as there are any.
    fn work(&mut self, search: &mut Search<'_, T, M>, job: SplitJob<'_, Family<T, M>>) {
        let split = Arc::clone(&job.split);
        let before = self.split.replace(Arc::clone(&split));
        let (at, moves) = {
            let node = locked(&split.work.node);
            (node.0.clone(), node.1.clone())
        };
        let mut next = Some(job);
        while let Some(job) = next.take() {
            let done = self.brother_of(search, (&at, &moves), &split.work, job.number);
            match done {
                Ok(cuts) => {
                    if cuts {
                        split.cut();
                    }
                    next = job.done();
                }
                // If the split was not cut off, the search itself is stopped: for everybody, before
                // whoever waits here is woken.
                Err(stop) => {
                    if !split.is_cut() {
                        search.stop_team(stop);
                    }
                }
            }
        }
        self.split = before;
    }

    /// Does brother `number` of a family; `true` if that cuts off.
    fn brother_of(
        &mut self,
        search: &mut Search<'_, T, M>,
        (at, moves): (&SearchNode<T, M>, &T::Moves),
        family: &Family<T, M>,
        number: usize,
    ) -> Result<bool, Stop> {
        let Window { alpha: lower, beta } = family.window;
        let place = family.places[number];
        let c = search.child_at(at, moves, place);
        let alpha = lower.max(locked(&family.found).best);
        let window = Window { alpha, beta };
        let merit = match &family.task {
            Task::Search => self.brother(search, &c, window)?,
            Task::Rest(known) => self.rest(search, &c, window, known[number])?,
            Task::Mandatory => {
                let known = self.mandatory_son(search, &c, family.window, number)?;
                locked(&family.found).known[number] = known;
                return Ok(false);
            }
        };
        let mut found = locked(&family.found);
        // Above the alpha it was searched with, a value is exact or cuts off; else it is a bound that
        // counts only as long as nobody is above.
        if merit > found.best {
            found.best = merit;
            if merit > lower {
                found.place = Some(place);
            }
        }
        Ok(merit >= beta)
    }
}
