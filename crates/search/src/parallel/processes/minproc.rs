//! MINPROC: what processes know of each other, and how they wait.
//!
//! Every process has a [`Desk`], MINPROC's entry for it: its h-value, and whether it is LIVE, SOLVED
//! or killed. N, the number of processes that may still be started, is one counter. The paper's
//! processes spin while they wait; here they sleep and are woken.
//!
//! Why no wake-up is lost, and what the orderings are for:
//!
//! - *h* is written by its owner alone and falls only. One that reads an old h takes a process for
//!   more promising than it is and waits, or does not kill it, a little longer: safe.
//! - A process that is to sleep takes the lock of the room, says so in `waits`, and only then looks
//!   once more whether it can go on; from there to its sleep it holds the lock. One that changes
//!   something writes the change first, and looks at `waits` after. Both are sequentially consistent,
//!   so at least one of the two sees the other's: either the sleeper sees the change and does not
//!   sleep, or the other sees the sleeper. That one then takes the lock, which it gets when the
//!   sleeper sleeps, and wakes it.
//! - What is rare (a process SOLVED or killed, a place given back, the end of all) takes the lock
//!   and wakes without looking at `waits`.
//! - A process is SOLVED or killed, never both: the first to set its bit in `flags` wins, and it is
//!   that one who gives its place back. So N is given back once for every time it was taken.
//! - How many states a process *holds* is exchanged, and who exchanges it tells the difference to a
//!   sum: its owner, or its killer. So the sum comes out right whoever is first.
//! - A result is written before the bit SOLVED is set, and read after it is seen (release, acquire).
//! - A process enters a new one in `below` under that lock, if it has not been killed; a killer sets
//!   the bit before it takes the lock. So either the killer finds the new one, or it is not started.

use std::collections::VecDeque;

use super::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, SeqCst};
use super::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicUsize};
use super::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};

/// One of its processes is SOLVED.
const NEWS: u32 = 1;
const KILLED: u32 = 2;
const SOLVED: u32 = 4;

/// MINPROC's entry for a process. Its owner looks at it all the time: no other shares its cache line,
/// nor the line beside it.
#[repr(align(128))]
pub struct Desk {
    /// Processes are numbered from 1 in the order of their creation.
    pub number: u32,
    h: AtomicI32,
    /// Values up to this one are of no use: known from outside its subtree. Grows only.
    low: AtomicI32,
    /// Which child of its node the result is of.
    best: AtomicU32,
    flags: AtomicU32,
    /// How many states are counted for its process.
    held: AtomicUsize,
    parent: Option<Arc<Desk>>,
    below: Mutex<Vec<Weak<Desk>>>,
    /// It sleeps, or is about to, and wants to know of an h that falls to this or below.
    waits: AtomicBool,
    wakes_at: AtomicI32,
    signal: Condvar,
}

impl Desk {
    fn new(number: u32, parent: Option<Arc<Desk>>, h: i32, low: i32) -> Desk {
        Desk {
            number,
            h: AtomicI32::new(h),
            low: AtomicI32::new(low),
            best: AtomicU32::new(0),
            flags: AtomicU32::new(0),
            held: AtomicUsize::new(0),
            parent,
            below: Mutex::new(Vec::new()),
            waits: AtomicBool::new(false),
            wakes_at: AtomicI32::new(0),
            signal: Condvar::new(),
        }
    }

    /// The h-value, or an older and higher one.
    #[inline]
    pub fn h(&self) -> i32 {
        self.h.load(SeqCst)
    }

    /// Values up to this one are of no use.
    #[inline]
    pub fn low(&self) -> i32 {
        self.low.load(Relaxed)
    }

    /// Values up to `low` are of no use.
    pub fn raise_low(&self, low: i32) {
        self.low.fetch_max(low, Relaxed);
    }

    /// So many states are counted for its process from now on; returns how many were before.
    pub fn holds(&self, states: usize) -> usize {
        self.held.swap(states, Relaxed)
    }

    /// Is there anything that its process must look at?
    #[inline]
    pub fn is_disturbed(&self) -> bool {
        self.flags.load(Relaxed) != 0
    }

    /// Has it been killed?
    pub fn is_killed(&self) -> bool {
        self.flags.load(SeqCst) & KILLED != 0
    }

    /// Is one of its processes SOLVED that was not when this was asked last?
    pub fn take_news(&self) -> bool {
        self.flags.fetch_and(!NEWS, AcqRel) & NEWS != 0
    }

    /// Is one of its processes SOLVED, or is it killed?
    fn is_disturbed_surely(&self) -> bool {
        self.flags.load(SeqCst) & (NEWS | KILLED) != 0
    }

    /// Its result, once it is SOLVED: the value, and which child it is of.
    pub fn result(&self) -> Option<(i32, u32)> {
        let solved = self.flags.load(Acquire) & SOLVED != 0;
        solved.then(|| (self.h.load(Relaxed), self.best.load(Relaxed)))
    }

    /// Is nobody above it?
    pub fn is_first(&self) -> bool {
        self.parent.is_none()
    }
}

/// All desks, N, and the room where jobs are handed out and processes sleep.
pub struct Minproc<J> {
    free: AtomicUsize,
    created: AtomicU32,
    room: Mutex<Room<J>>,
    work: Condvar,
}

struct Room<J> {
    jobs: VecDeque<J>,
    sleepers: Vec<Arc<Desk>>,
    closed: bool,
}

/// A thread that panics fails the search by its panic, not by the locks that it held.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl<J> Minproc<J> {
    /// So many processes may be started.
    pub fn new(free: usize) -> Minproc<J> {
        let room = Room { jobs: VecDeque::new(), sleepers: Vec::new(), closed: false };
        Minproc {
            free: AtomicUsize::new(free),
            created: AtomicU32::new(0),
            room: Mutex::new(room),
            work: Condvar::new(),
        }
    }

    /// N: how many more processes may be started.
    #[inline]
    pub fn free(&self) -> usize {
        self.free.load(Relaxed)
    }

    /// Takes up to `most` of N.
    pub fn take(&self, most: usize) -> usize {
        let taken = |free: usize| free.min(most);
        let some = |free: usize| (taken(free) > 0).then(|| free - taken(free));
        self.free.fetch_update(AcqRel, Acquire, some).map_or(0, taken)
    }

    /// Gives back to N what was taken, or what has become free.
    pub fn give(&self, places: usize) {
        if places > 0 {
            self.free.fetch_add(places, SeqCst);
            let room = lock(&self.room);
            room.sleepers.iter().for_each(|desk| desk.signal.notify_all());
        }
    }

    /// The desk of the first process.
    pub fn first_desk(&self, h: i32, low: i32) -> Arc<Desk> {
        Arc::new(Desk::new(self.number(), None, h, low))
    }

    /// A desk for a process that the one at `parent` starts; `None` if that has been killed.
    pub fn desk(&self, parent: &Arc<Desk>, h: i32, low: i32) -> Option<Arc<Desk>> {
        let mut below = lock(&parent.below);
        if parent.is_killed() {
            return None;
        }
        let desk = Arc::new(Desk::new(self.number(), Some(Arc::clone(parent)), h, low));
        below.retain(|desk| desk.strong_count() > 0);
        below.push(Arc::downgrade(&desk));
        Some(desk)
    }

    fn number(&self) -> u32 {
        self.created.fetch_add(1, Relaxed) + 1
    }

    /// A job for whoever is free.
    pub fn submit(&self, job: J) {
        lock(&self.room).jobs.push_back(job);
        self.work.notify_one();
    }

    /// The next job, if there is one now.
    pub fn try_job(&self) -> Option<J> {
        lock(&self.room).jobs.pop_front()
    }

    /// The next job, as soon as there is one; `None` when all is over.
    pub fn job(&self) -> Option<J> {
        let mut room = lock(&self.room);
        loop {
            if room.closed {
                return None;
            }
            if let Some(job) = room.jobs.pop_front() {
                return Some(job);
            }
            room = self.work.wait(room).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }

    /// The h-value falls.
    #[inline]
    pub fn lower(&self, desk: &Desk, h: i32) {
        desk.h.store(h, SeqCst);
        if let Some(parent) = &desk.parent
            && parent.waits.load(SeqCst)
            && h <= parent.wakes_at.load(Relaxed)
        {
            self.wake(parent);
        }
    }

    fn wake(&self, desk: &Desk) {
        let _room = lock(&self.room);
        desk.signal.notify_all();
    }

    /// The process is SOLVED, unless it was killed before.
    pub fn solve(&self, desk: &Desk, value: i32, best: u32) {
        desk.h.store(value, SeqCst);
        desk.best.store(best, Relaxed);
        if desk.flags.fetch_or(SOLVED, AcqRel) & KILLED == 0 {
            if let Some(parent) = &desk.parent {
                parent.flags.fetch_or(NEWS, SeqCst);
                self.wake(parent);
            }
            self.give(1);
        }
    }

    /// Kills a process and all that it has started; returns how many states were counted for them,
    /// and are no longer.
    pub fn kill(&self, desk: &Desk) -> usize {
        let mut held = 0;
        let places = self.kill_all(desk, &mut held);
        self.give(places);
        held
    }

    /// Returns how many places that frees.
    fn kill_all(&self, desk: &Desk, held: &mut usize) -> usize {
        let before = desk.flags.fetch_or(KILLED, SeqCst);
        if before & (KILLED | SOLVED) != 0 {
            return 0;
        }
        *held += desk.holds(0);
        let below = std::mem::take(&mut *lock(&desk.below));
        let below = below.iter().filter_map(Weak::upgrade);
        let killed: usize = below.map(|desk| self.kill_all(&desk, held)).sum();
        self.wake(desk);
        1 + killed
    }

    /// Sleeps until `ready`, or a process below is SOLVED, or it is killed; `false` if all is over.
    /// Of h-values it is told when they fall to `wakes_at` or below.
    pub fn wait(&self, desk: &Arc<Desk>, wakes_at: i32, ready: impl Fn() -> bool) -> bool {
        let mut room = lock(&self.room);
        desk.wakes_at.store(wakes_at, Relaxed);
        desk.waits.store(true, SeqCst);
        room.sleepers.push(Arc::clone(desk));
        while !room.closed && !desk.is_disturbed_surely() && !ready() {
            room = desk.signal.wait(room).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
        desk.waits.store(false, SeqCst);
        room.sleepers.retain(|sleeper| !Arc::ptr_eq(sleeper, desk));
        !room.closed
    }

    /// All is over: nobody gets a job, nobody sleeps.
    pub fn close(&self) {
        let mut room = lock(&self.room);
        room.closed = true;
        room.sleepers.iter().for_each(|desk| desk.signal.notify_all());
        self.work.notify_all();
    }
}
