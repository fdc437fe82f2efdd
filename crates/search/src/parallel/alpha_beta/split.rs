//! Split points: nodes whose children several processors search together.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::frame::Stack;
use super::policy::{Helpers, NodeKind};
use crate::prelude::*;

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is to be done with each child of a shared node.
#[derive(Clone, Debug)]
pub(super) enum SplitTask {
    /// It is searched.
    Search,
    /// Its first child is searched; the first child of all is searched itself if `left_child`.
    Mandatory { left_child: bool },
    /// It is searched without the child that mandatory work has searched; by number.
    Rest(Vec<MandatoryResult>),
}

/// The result of mandatory work at a child.
#[derive(Clone, Copy, Debug)]
pub(super) struct MandatoryResult {
    /// The most that the child can be worth to its parent's mover; if it was searched, its value.
    pub(super) value: Value,
    /// The place in the tree's list of its child that was searched; `None` if it has no others.
    pub(super) searched: Option<usize>,
}

impl MandatoryResult {
    /// The result before any work.
    pub(super) const NOTHING: MandatoryResult = MandatoryResult { value: INFINITY, searched: None };
}

/// A shared node.
pub(super) struct Split<T: GameTree, M: Mode> {
    /// The node and its moves. A node can be sent to another thread, but not shared: hence the lock.
    pub(super) node: Mutex<(SearchNode<T, M>, T::Moves)>,
    /// The places of the shared children in the tree's list of moves, in the order of search.
    pub(super) places: Vec<usize>,
    /// The number of the first shared child among all children of the node.
    pub(super) first: usize,
    pub(super) window: Window,
    pub(super) task: SplitTask,
    pub(super) kind: NodeKind,
    pub(super) left: bool,
    /// Can others take children? If not, the node is too near to the horizon for that.
    pub(super) offered: bool,
    /// The processor that shares the node.
    pub(super) owner: usize,
    /// The shared node at whose children the owner worked.
    pub(super) above: Option<Arc<Split<T, M>>>,
    /// The rest of the work here is no longer needed. Workers read it without the lock: an old answer
    /// costs time and nothing else.
    pub(super) cut: AtomicBool,
    /// Does the owner wait for the workers?
    pub(super) owner_waits: AtomicBool,
    pub(super) state: Mutex<SplitState<T, M>>,
}

/// What changes at a shared node.
pub(super) struct SplitState<T: GameTree, M: Mode> {
    /// The number of the next child that nobody has taken.
    pub(super) next: usize,
    /// Those who work at a child. One that has left its stack elsewhere, and works here for another, is
    /// there twice.
    pub(super) workers: Vec<usize>,
    pub(super) best: Value,
    /// The place of the child with that value, if it is above the window's lower end.
    pub(super) best_place: Option<usize>,
    /// The results of mandatory work, by number.
    pub(super) mandatory: Vec<MandatoryResult>,
    /// The owner's stack, if it has left.
    pub(super) parked: Option<(usize, Stack<T, M>)>,
    /// Has the owner gone, because a node above was cut off?
    pub(super) abandoned: bool,
    /// Processors that wait for the end of the node.
    pub(super) waiting: Vec<usize>,
}

impl<T: GameTree, M: Mode> SplitState<T, M> {
    /// A processor works here no longer; `true` if nobody does.
    pub(super) fn remove(&mut self, worker: usize) -> bool {
        if let Some(i) = self.workers.iter().position(|&number| number == worker) {
            self.workers.swap_remove(i);
        }
        self.workers.is_empty()
    }

    /// A processor works here in place of another.
    pub(super) fn replace(&mut self, old: usize, new: usize) {
        if let Some(worker) = self.workers.iter_mut().find(|number| **number == old) {
            *worker = new;
        }
    }
}

impl<T: GameTree, M: Mode> Split<T, M> {
    /// Is the work here no longer needed, because of this node or one above it?
    pub(super) fn is_cut(&self) -> bool {
        let mut split = self;
        loop {
            if split.cut.load(Relaxed) {
                return true;
            }
            match &split.above {
                Some(above) => split = above,
                None => return false,
            }
        }
    }

    /// Is it below `other`?
    pub(super) fn is_below(&self, other: &Split<T, M>) -> bool {
        let mut split = self;
        while let Some(above) = &split.above {
            if std::ptr::eq(&raw const **above, other) {
                return true;
            }
            split = above;
        }
        false
    }
}

/// Where shared nodes with children to give away are found.
pub(super) struct Pool<T: GameTree, M: Mode> {
    helpers: Helpers,
    lists: Mutex<Lists<T, M>>,
    woken: Condvar,
    /// How many processors are free for any work.
    pub(super) free: AtomicUsize,
    /// How many children nobody has taken, at nodes where anyone may.
    pub(super) untaken: AtomicUsize,
    /// How many owners wait who may help below.
    pub(super) masters: AtomicUsize,
    /// How many processors each has in reserve.
    reserve_sizes: Vec<AtomicUsize>,
}

/// Shared nodes of one rank.
struct RankedSplits<T: GameTree, M: Mode> {
    rank: u32,
    splits: Vec<Arc<Split<T, M>>>,
}

struct Lists<T: GameTree, M: Mode> {
    /// Shared nodes by rank, the lowest first. Those that have nothing left are removed when somebody
    /// looks. There are few ranks, and a map would be compiled for every tree.
    open: Vec<RankedSplits<T, M>>,
    /// The processors that each has in reserve.
    reserves: Vec<Vec<usize>>,
    /// Where a processor from a reserve is to help.
    assigned: Vec<Option<Arc<Split<T, M>>>>,
}

impl<T: GameTree, M: Mode> Pool<T, M> {
    pub(super) fn new(processors: usize, helpers: Helpers) -> Pool<T, M> {
        let reserved = if helpers == Helpers::Anyone { 0 } else { processors };
        let mut reserves = vec![Vec::new(); reserved];
        let reserve_sizes: Vec<_> = (0..reserved).map(|_| AtomicUsize::new(0)).collect();
        if let (Some(first), Some(size)) = (reserves.first_mut(), reserve_sizes.first()) {
            *first = (1..processors).collect();
            size.store(first.len(), Relaxed);
        }
        let assigned = (0..reserved).map(|_| None).collect();
        Pool {
            helpers,
            lists: Mutex::new(Lists { open: Vec::new(), reserves, assigned }),
            woken: Condvar::new(),
            free: AtomicUsize::new(0),
            untaken: AtomicUsize::new(0),
            masters: AtomicUsize::new(0),
            reserve_sizes,
        }
    }

    /// How many processors `number` has in reserve.
    #[inline]
    pub(super) fn reserve(&self, number: usize) -> usize {
        self.reserve_sizes[number].load(Relaxed)
    }

    /// Offers a node that `owner` shares. Returns those that are assigned to it, if its helpers come
    /// from a reserve.
    pub(super) fn open(&self, split: &Arc<Split<T, M>>, owner: usize, rank: u32) -> Vec<usize> {
        if !split.offered {
            return Vec::new();
        }
        let mut lists = locked(&self.lists);
        if self.helpers == Helpers::Anyone {
            self.untaken.fetch_add(split.places.len(), Relaxed);
            let at = match lists.open.binary_search_by_key(&rank, |ranked| ranked.rank) {
                Ok(at) => at,
                Err(at) => {
                    lists.open.insert(at, RankedSplits { rank, splits: Vec::new() });
                    at
                }
            };
            lists.open[at].splits.push(Arc::clone(split));
            drop(lists);
            self.wake_all();
            return Vec::new();
        }
        // Some lead the search of a child; the rest are divided among them and the owner.
        let mut reserve = std::mem::take(&mut lists.reserves[owner]);
        let others = reserve.split_off(reserve.len().min(split.places.len()));
        for (i, other) in others.into_iter().enumerate() {
            let leader = match i % (reserve.len() + 1) {
                0 => owner,
                j => reserve[j - 1],
            };
            lists.reserves[leader].push(other);
        }
        for &leader in &reserve {
            lists.assigned[leader] = Some(Arc::clone(split));
            self.resized(&lists, leader);
        }
        self.resized(&lists, owner);
        drop(lists);
        self.wake_all();
        reserve
    }

    fn resized(&self, lists: &Lists<T, M>, number: usize) {
        self.reserve_sizes[number].store(lists.reserves[number].len(), Relaxed);
    }

    /// Moves a processor that has nothing to do, and all that it has in reserve, to the reserve of
    /// another.
    pub(super) fn give(&self, idle: usize, to: usize) {
        if idle == to {
            return;
        }
        let mut lists = locked(&self.lists);
        let reserve = std::mem::take(&mut lists.reserves[idle]);
        lists.reserves[to].push(idle);
        lists.reserves[to].extend(reserve);
        self.resized(&lists, idle);
        self.resized(&lists, to);
    }

    /// Moves the reserve of `from` to another.
    pub(super) fn give_reserve(&self, from: usize, to: usize) {
        if from == to || self.reserve(from) == 0 {
            return;
        }
        let mut lists = locked(&self.lists);
        let reserve = std::mem::take(&mut lists.reserves[from]);
        lists.reserves[to].extend(reserve);
        self.resized(&lists, from);
        self.resized(&lists, to);
    }

    /// Where processor `number` is to help.
    pub(super) fn assignment(&self, number: usize) -> Option<Arc<Split<T, M>>> {
        locked(&self.lists).assigned[number].take()
    }

    /// A child of a shared node that nobody has taken, below `below` if that is given; `number` is who
    /// takes it.
    pub(super) fn find(
        &self,
        number: usize,
        below: Option<&Split<T, M>>,
    ) -> Option<(Arc<Split<T, M>>, usize)> {
        if self.untaken.load(Relaxed) == 0 {
            return None;
        }
        let mut lists = locked(&self.lists);
        for RankedSplits { splits, .. } in lists.open.iter_mut().rev() {
            let mut i = 0;
            while i < splits.len() {
                let split = &splits[i];
                if locked(&split.state).next == split.places.len() {
                    splits.remove(i);
                    continue;
                }
                if below.is_none_or(|below| split.is_below(below))
                    && let Some(child) = self.take(split, Some(number))
                {
                    return Some((Arc::clone(split), child));
                }
                i += 1;
            }
        }
        lists.open.retain(|ranked| !ranked.splits.is_empty());
        None
    }

    /// Takes the next child of a shared node, for a processor that works there, or `joins`.
    pub(super) fn take(&self, split: &Split<T, M>, joins: Option<usize>) -> Option<usize> {
        let mut state = locked(&split.state);
        if state.next == split.places.len() || split.cut.load(Relaxed) {
            return None;
        }
        let child = state.next;
        state.next += 1;
        state.workers.extend(joins);
        if split.offered && self.helpers == Helpers::Anyone {
            self.untaken.fetch_sub(1, Relaxed);
        }
        Some(child)
    }

    /// No more children of this node are needed.
    pub(super) fn cut(&self, split: &Split<T, M>, state: &mut SplitState<T, M>) {
        split.cut.store(true, Relaxed);
        if split.offered && self.helpers == Helpers::Anyone {
            self.untaken.fetch_sub(split.places.len() - state.next, Relaxed);
        }
        state.next = split.places.len();
    }

    /// Wakes all threads that sleep.
    pub(super) fn wake_all(&self) {
        self.woken.notify_all();
    }

    /// Lets the calling thread sleep for a short while, or until there may be something to do.
    pub(super) fn nap(&self) {
        let lists = locked(&self.lists);
        // A wake-up that comes before the lock is taken is lost; the time limits what that costs.
        let nap = std::time::Duration::from_micros(100);
        let _unused = self.woken.wait_timeout(lists, nap);
    }
}
