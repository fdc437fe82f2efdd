//! MINPROC: what processes know of each other, and how they wait.
//!
//! Every process has a [`MinprocEntry`]: its h-value, and whether it is LIVE, SOLVED or killed. N,
//! the number of processes that may still be started, is one counter. The paper's processes spin
//! while they wait; here they sleep and are woken.
//!
//! Why no wake-up is lost, and what the orderings are for:
//!
//! - *h* is written only by its owner, and it only falls. A process that reads an old h takes
//!   another for more promising than it is. It then waits a little longer, or kills the other a
//!   little later: both are safe.
//! - A process that is about to sleep takes the shared lock, sets `waits`, and only then checks
//!   once more whether it can continue; from there until it sleeps it holds the lock. A process
//!   that changes something writes the change first, and reads `waits` after. Both are sequentially
//!   consistent, so at least one of the two sees what the other wrote: either the sleeper sees the
//!   change and does not sleep, or the other process sees the sleeper. That process then takes the
//!   lock, which it gets when the sleeper sleeps, and wakes it.
//! - A rare change (a process SOLVED or killed, a place given back, the end of the search) takes
//!   the lock and wakes the sleepers without reading `waits`.
//! - A process is SOLVED or killed, never both: the first to set its bit in `flags` wins, and the
//!   winner gives the place back. So N is given back once for every time it was taken.
//! - How many states a process *holds* is exchanged atomically, and the one that exchanges it, the
//!   owner or the killer, adds the difference to a sum. So the sum is right whichever comes first.
//! - A result is written before the bit SOLVED is set, and read after the bit is seen (release,
//!   acquire).
//! - A process adds a new one to `below` under that list's lock, unless it has been killed; a
//!   killer sets the bit before it takes the lock. So either the killer finds the new process, or
//!   it is not started.

use std::collections::VecDeque;

use super::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, SeqCst};
use super::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicUsize};
use super::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};

/// A process that this one has started is SOLVED.
const CHILD_SOLVED: u32 = 1;
/// The process is killed.
const KILLED: u32 = 2;
/// The process is SOLVED.
const SOLVED: u32 = 4;

/// MINPROC's entry for a process. Its owner reads it all the time, so no other data share its cache
/// line, nor the line beside it: there is room before and after, because allocators take long for what must
/// be aligned.
#[repr(C)]
pub struct MinprocEntry {
    _before: [u64; 16],
    /// The number of the process. Processes are numbered from 1 in the order of their creation.
    pub number: u32,
    /// The h-value: the most that the node of the process can be worth. It only falls.
    h: AtomicI32,
    /// Values up to this one are of no use, as is known from outside its subtree. It only rises.
    low: AtomicI32,
    /// The number of the child of its node that the result is of.
    best: AtomicU32,
    /// [`CHILD_SOLVED`], [`KILLED`] and [`SOLVED`].
    flags: AtomicU32,
    /// How many states are counted for the process.
    held: AtomicUsize,
    /// Is it the first process, which searches the root?
    first: bool,
    /// The process that started this one; `None` for the first, and where it runs on another rank.
    parent: Option<Arc<MinprocEntry>>,
    /// The processes that this one has started.
    below: Mutex<Vec<Weak<MinprocEntry>>>,
    /// The process sleeps, or is about to.
    pub(super) waits: AtomicBool,
    /// An h-value below that falls to this or less wakes the process.
    wakes_at: AtomicI32,
    signal: Condvar,
    _after: [u64; 16],
}

impl MinprocEntry {
    fn new(number: u32, parent: Option<Arc<MinprocEntry>>, h: i32, low: i32) -> MinprocEntry {
        MinprocEntry {
            _before: [0; 16],
            _after: [0; 16],
            number,
            h: AtomicI32::new(h),
            low: AtomicI32::new(low),
            best: AtomicU32::new(0),
            flags: AtomicU32::new(0),
            held: AtomicUsize::new(0),
            first: false,
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

    /// Raises low: values up to `low` are of no use.
    pub fn raise_low(&self, low: i32) {
        self.low.fetch_max(low, Relaxed);
    }

    /// Counts this many states for the process from now on; returns how many were counted before.
    pub fn holds(&self, states: usize) -> usize {
        self.held.swap(states, Relaxed)
    }

    /// Is there anything that the process must look at: a result from below, or its end?
    #[inline]
    pub fn needs_attention(&self) -> bool {
        self.flags.load(Relaxed) != 0
    }

    /// Has the process been killed?
    pub fn is_killed(&self) -> bool {
        self.flags.load(SeqCst) & KILLED != 0
    }

    /// Has a process below been SOLVED since the last call?
    pub fn take_child_solved(&self) -> bool {
        self.flags.fetch_and(!CHILD_SOLVED, AcqRel) & CHILD_SOLVED != 0
    }

    /// Must the process not sleep, because one below is SOLVED or it is killed itself?
    fn must_wake(&self) -> bool {
        self.flags.load(SeqCst) & (CHILD_SOLVED | KILLED) != 0
    }

    /// The result, once the process is SOLVED: the value, and the number of the child that has it.
    pub fn result(&self) -> Option<(i32, u32)> {
        let solved = self.flags.load(Acquire) & SOLVED != 0;
        solved.then(|| (self.h.load(Relaxed), self.best.load(Relaxed)))
    }

    /// Is it the first process, which searches the root?
    pub fn is_first(&self) -> bool {
        self.first
    }
}

/// MINPROC: N, the queue of jobs, and the processes that sleep.
pub struct Minproc<J> {
    /// N, the number of processes that may still be started.
    free: AtomicUsize,
    /// How many processes were ever started.
    created: AtomicU32,
    /// Do processes run on other ranks? Then a place becomes free where a message says so, and not when a
    /// process is known to have ended.
    by_messages: bool,
    shared: Mutex<Shared<J>>,
    /// Wakes threads that wait for a job.
    work: Condvar,
}

/// What the shared lock protects.
struct Shared<J> {
    jobs: VecDeque<J>,
    sleepers: Vec<Arc<MinprocEntry>>,
    /// The search has ended.
    closed: bool,
}

/// Locks a mutex, poisoned or not: a panic already fails the search by itself.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl<J> Minproc<J> {
    /// MINPROC with `free` places: the number of processes that may be started.
    pub fn new(free: usize) -> Minproc<J> {
        let shared = Shared { jobs: VecDeque::new(), sleepers: Vec::new(), closed: false };
        Minproc {
            free: AtomicUsize::new(free),
            created: AtomicU32::new(0),
            by_messages: false,
            shared: Mutex::new(shared),
            work: Condvar::new(),
        }
    }

    /// MINPROC as one rank of several knows it: it has places when a message gives it some.
    pub fn by_messages() -> Minproc<J> {
        Minproc { by_messages: true, ..Minproc::new(0) }
    }

    /// N: how many more processes may be started.
    #[inline]
    pub fn free(&self) -> usize {
        self.free.load(Relaxed)
    }

    /// Takes up to `most` of N's places; returns how many.
    pub fn take_places(&self, most: usize) -> usize {
        let taken = |free: usize| free.min(most);
        let some = |free: usize| (taken(free) > 0).then(|| free - taken(free));
        self.free.fetch_update(AcqRel, Acquire, some).map_or(0, taken)
    }

    /// Adds places to N: those that were taken and not used, or that have become free.
    pub fn give_places(&self, places: usize) {
        if places > 0 {
            self.free.fetch_add(places, SeqCst);
            let shared = lock(&self.shared);
            shared.sleepers.iter().for_each(|entry| entry.signal.notify_all());
        }
    }

    /// Makes the entry of the first process.
    pub fn first_entry(&self, h: i32, low: i32) -> Arc<MinprocEntry> {
        Arc::new(MinprocEntry { first: true, ..MinprocEntry::new(self.number(), None, h, low) })
    }

    /// Makes the entry of a process that another rank has started here.
    pub fn entry_from_afar(&self, h: i32, low: i32) -> Arc<MinprocEntry> {
        Arc::new(MinprocEntry::new(self.number(), None, h, low))
    }

    /// Makes the entry of a process that the one of `parent` starts; `None` if that has been
    /// killed.
    pub fn new_entry(
        &self,
        parent: &Arc<MinprocEntry>,
        h: i32,
        low: i32,
    ) -> Option<Arc<MinprocEntry>> {
        let mut below = lock(&parent.below);
        if parent.is_killed() {
            return None;
        }
        let entry = Arc::new(MinprocEntry::new(self.number(), Some(Arc::clone(parent)), h, low));
        below.retain(|entry| entry.strong_count() > 0);
        below.push(Arc::downgrade(&entry));
        Some(entry)
    }

    fn number(&self) -> u32 {
        self.created.fetch_add(1, Relaxed) + 1
    }

    /// Queues a job for the next free thread.
    pub fn submit(&self, job: J) {
        lock(&self.shared).jobs.push_back(job);
        self.work.notify_one();
    }

    /// The next job, if there is one now.
    pub fn try_job(&self) -> Option<J> {
        lock(&self.shared).jobs.pop_front()
    }

    /// Waits for the next job; `None` when the search has ended.
    pub fn job(&self) -> Option<J> {
        let mut shared = lock(&self.shared);
        loop {
            if shared.closed {
                return None;
            }
            if let Some(job) = shared.jobs.pop_front() {
                return Some(job);
            }
            shared = self.work.wait(shared).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }

    /// Lowers the h-value of a process, and wakes the process above if it waits for that.
    #[inline]
    pub fn lower(&self, entry: &MinprocEntry, h: i32) {
        entry.h.store(h, SeqCst);
        if let Some(parent) = &entry.parent
            && parent.waits.load(SeqCst)
            && h <= parent.wakes_at.load(Relaxed)
        {
            self.wake(parent);
        }
    }

    fn wake(&self, entry: &MinprocEntry) {
        let _shared = lock(&self.shared);
        entry.signal.notify_all();
    }

    /// Makes a process SOLVED, unless it was killed before.
    pub fn solve(&self, entry: &MinprocEntry, value: i32, best: u32) {
        entry.h.store(value, SeqCst);
        entry.best.store(best, Relaxed);
        if entry.flags.fetch_or(SOLVED, AcqRel) & KILLED == 0 {
            if let Some(parent) = &entry.parent {
                parent.flags.fetch_or(CHILD_SOLVED, SeqCst);
                self.wake(parent);
            }
            self.free_places(1);
        }
    }

    /// Kills a process and all that it has started; returns how many states were counted for them
    /// until now.
    pub fn kill(&self, entry: &MinprocEntry) -> usize {
        let mut held = 0;
        let places = self.kill_all(entry, &mut held);
        self.free_places(places);
        held
    }

    /// Notes that this many processes have ended.
    fn free_places(&self, places: usize) {
        if !self.by_messages {
            self.give_places(places);
        }
    }

    /// The same; returns how many places become free, and adds the states to `held`.
    fn kill_all(&self, entry: &MinprocEntry, held: &mut usize) -> usize {
        let before = entry.flags.fetch_or(KILLED, SeqCst);
        if before & (KILLED | SOLVED) != 0 {
            return 0;
        }
        *held += entry.holds(0);
        let below = std::mem::take(&mut *lock(&entry.below));
        let below = below.iter().filter_map(Weak::upgrade);
        let killed: usize = below.map(|entry| self.kill_all(&entry, held)).sum();
        self.wake(entry);
        1 + killed
    }

    /// Sleeps until `ready`, until a process below is SOLVED, or until the process is killed;
    /// `false` if the search has ended. Of the h-values below, those that fall to `wakes_at` or
    /// less wake it.
    pub fn wait(&self, entry: &Arc<MinprocEntry>, wakes_at: i32, ready: impl Fn() -> bool) -> bool {
        let mut shared = lock(&self.shared);
        entry.wakes_at.store(wakes_at, Relaxed);
        entry.waits.store(true, SeqCst);
        shared.sleepers.push(Arc::clone(entry));
        while !shared.closed && !entry.must_wake() && !ready() {
            shared = entry.signal.wait(shared).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
        entry.waits.store(false, SeqCst);
        shared.sleepers.retain(|sleeper| !Arc::ptr_eq(sleeper, entry));
        !shared.closed
    }

    /// Ends the search: no thread gets a job any more, and all sleepers are woken.
    pub fn close(&self) {
        let mut shared = lock(&self.shared);
        shared.closed = true;
        shared.sleepers.iter().for_each(|entry| entry.signal.notify_all());
        self.work.notify_all();
    }
}
