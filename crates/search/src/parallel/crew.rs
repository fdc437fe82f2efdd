//! The walls of parallel search: one search, several contexts.
//!
//! An algorithm touches a tree only through a [`Search`], and a thread needs one of its own.
//! [`together`] makes them of one search, runs the same work in each, and joins them again:
//!
//! ```text
//! let results = together(search, threads, |number, context| my_search(context, number));
//! ```
//!
//! Worker 0 is the calling thread, the others are threads that end before `together` returns. Their
//! setting is [`Worker<S>`], a context of theirs a `Search<Worker<S>>`:
//!
//! - *Counts* are each context's own and summed at the end.
//! - *Limits* hold for all together. Of leaves and nodes a context draws small shares, when it has
//!   used up what it has; so never more are used than are allowed, and nobody shares a counter.
//! - *Stopping*: the first reason wins. A work that returns it stops the others too, at their next
//!   look at the limits; one that waits for others must be woken by the algorithm itself.
//! - *The probe* is one for all, behind a lock, and a mark means the same to everybody; an
//!   unwatched search locks nothing.
//! - *The memory* is cloned: a table is shared by all its clones.
//! - *The order of moves* is learnt by each for itself; worker 0's is kept.
//! - What *lists* hold is summed by the [`Crew`], which knows the most that all held at once.
//! - *Idle* is all of the threads' time but that in which they worked: a thread that comes late, or
//!   has nothing to do any more, is idle as one that waits is.

use std::io;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicIsize, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Distinct, Event, INTERVAL, Place, Probe, Search, Setting};
use plyground_core::limits::Stop;
use plyground_core::value::Value;

/// The setting of a worker's context: its probe is shared.
pub(crate) struct Worker<S>(PhantomData<S>);

impl<S: Setting> Setting for Worker<S> {
    type Tree = S::Tree;
    type Probe = Shared<S::Probe>;
    type Memory = S::Memory;
    type Order = S::Order;
}

impl<S: Setting> Place<S> {
    /// The same node in a worker's context.
    pub(crate) fn for_worker(&self) -> Place<Worker<S>> {
        let Place { ref node, height, ply, mark, slot, trail } = *self;
        Place { node: node.clone(), height, ply, mark, slot, trail }
    }
}

/// What the contexts of one search have in common.
#[derive(Debug)]
pub(crate) struct Crew {
    threads: u64,
    stop: OnceLock<Stop>,
    /// What is left of the limits, not yet drawn by anybody.
    leaves: AtomicU64,
    visits: AtomicU64,
    open: Held,
    backup: Held,
    bytes: Held,
    /// Nanoseconds from everybody's begin to his end, and those of them in which he waited.
    present: AtomicU64,
    waited: AtomicU64,
}

/// So much is held by all lists together, and the most that ever was. A process that is killed is
/// counted by two: for a moment the sum may then be too small, even negative.
#[derive(Debug, Default)]
struct Held {
    now: AtomicIsize,
    peak: AtomicIsize,
}

impl Held {
    /// One list that held `before` now holds `after`.
    fn change(&self, before: usize, after: usize) {
        let change = after as isize - before as isize;
        if change != 0 {
            let now = self.now.fetch_add(change, Relaxed) + change;
            if now > self.peak.load(Relaxed) {
                self.peak.fetch_max(now, Relaxed);
            }
        }
    }

    fn now(&self) -> usize {
        self.now.load(Relaxed).max(0) as usize
    }

    fn peak(&self) -> usize {
        self.peak.load(Relaxed) as usize
    }
}

/// What one process's lists hold: states, entries, bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Holds {
    pub(crate) open: usize,
    pub(crate) backup: usize,
    pub(crate) bytes: usize,
}

impl Crew {
    fn of<S: Setting>(search: &Search<'_, S>, threads: usize) -> Crew {
        let limits = &search.options.limits;
        let left =
            |most: Option<u64>, used| most.map_or(u64::MAX, |most| most.saturating_sub(used));
        Crew {
            threads: threads as u64,
            stop: OnceLock::new(),
            leaves: AtomicU64::new(left(limits.leaves, search.evaluations)),
            visits: AtomicU64::new(left(limits.nodes, search.visits())),
            open: Held::default(),
            backup: Held::default(),
            bytes: Held::default(),
            present: AtomicU64::new(0),
            waited: AtomicU64::new(0),
        }
    }

    /// Everybody stops; the first reason wins.
    pub(crate) fn stop(&self, stop: Stop) {
        let _ = self.stop.set(stop);
    }

    /// Why everybody stops, if they do.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.stop.get().copied()
    }

    /// More leaves that a context may evaluate, 0 if none are left.
    pub(crate) fn draw_leaves(&self) -> u64 {
        self.draw(&self.leaves)
    }

    /// More visits that a context may make, 0 if none are left.
    pub(crate) fn draw_visits(&self) -> u64 {
        self.draw(&self.visits)
    }

    fn draw(&self, pool: &AtomicU64) -> u64 {
        let share = |left: u64| (left / (2 * self.threads)).clamp(1, INTERVAL);
        let drawn = pool.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(share(left)));
        drawn.map_or(0, share)
    }

    /// The lists of one process held `before` and hold `after` now.
    pub(crate) fn holds(&self, before: Holds, after: Holds) {
        self.open.change(before.open, after.open);
        self.backup.change(before.backup, after.backup);
        self.bytes.change(before.bytes, after.bytes);
    }

    /// The bytes that all lists hold.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.now()
    }

    /// Somebody has waited since then.
    pub(crate) fn has_waited(&self, since: Instant) {
        self.waited.fetch_add(since.elapsed().as_nanos() as u64, Relaxed);
    }

    /// Somebody who began then has come to his end.
    fn was_present(&self, since: Instant) {
        self.present.fetch_add(since.elapsed().as_nanos() as u64, Relaxed);
    }

    /// How long all together did not work, if it has taken so long.
    fn idle(&self, time: Duration) -> Duration {
        let waited = Duration::from_nanos(self.waited.load(Relaxed));
        let present = Duration::from_nanos(self.present.load(Relaxed));
        (time * self.threads as u32 + waited).saturating_sub(present)
    }
}

impl<'t, S: Setting> Search<'t, S> {
    /// A context of the same search for a worker, with counts of its own.
    fn fork(&self, crew: &Arc<Crew>, probe: Shared<S::Probe>) -> Search<'t, Worker<S>> {
        let (memory, order) = (self.memory.clone(), self.order.clone());
        let mut context = Search::new(self.tree, self.options, probe, memory, order);
        context.depth = self.depth;
        context.guess = self.guess;
        context.started = self.started;
        context.crew = Some(Arc::clone(crew));
        context
    }

    /// Takes in what a worker did.
    fn join(&mut self, context: Search<'t, Worker<S>>, number: usize) {
        self.evaluations += context.evaluations;
        self.expansions += context.expansions;
        self.answered += context.answered;
        self.quiescence += context.quiescence;
        self.calls += context.calls;
        self.peak_process = self.peak_process.max(context.peak_process);
        self.lock = self.lock.or(context.lock);
        if number == 0 {
            if let Some(ticks) = context.ticks {
                self.ticks = Some(self.ticks.unwrap_or(0) + ticks);
            }
            self.learnt(context.known);
            self.best = context.best.or(self.best);
            self.order = context.order;
        }
    }

    /// A context goes to sleep: what it has drawn and not used is for others.
    pub(crate) fn give_back_shares(&mut self) {
        if let Some(crew) = &self.crew {
            let visits = self.visits();
            let give = |pool: &AtomicU64, drawn: &mut u64, used: u64| {
                let rest = drawn.saturating_sub(used);
                if rest > 0 {
                    pool.fetch_add(rest, Relaxed);
                    *drawn = used;
                }
            };
            give(&crew.leaves, &mut self.drawn_leaves, self.evaluations);
            give(&crew.visits, &mut self.drawn_visits, visits);
            // It draws again before it counts again.
            self.leaf_checkpoint = 0;
            self.node_checkpoint = 0;
            self.answer_checkpoint = 0;
        }
    }
}

/// Does `work` in `threads` contexts of `search` and joins them; worker 0 is the calling thread. What
/// came of each is returned by number. Where the system gives fewer threads, there are fewer.
pub(crate) fn together<'t, S: Setting, R: Send>(
    search: &mut Search<'t, S>,
    threads: usize,
    work: impl Fn(usize, &mut Search<'t, Worker<S>>) -> Result<R, Stop> + Sync,
) -> Vec<Result<R, Stop>> {
    let began = Instant::now();
    let crew = Arc::new(Crew::of(search, threads));
    let blank = search.probe.blank();
    let probe = Shared::new(std::mem::replace(&mut search.probe, blank));
    let run = |number: usize, mut context: Search<'t, Worker<S>>| {
        // The calling thread has called the others before.
        let since = if number == 0 { began } else { Instant::now() };
        let alarm = Alarm(&crew);
        let result = work(number, &mut context);
        if let Err(stop) = result {
            crew.stop(stop);
        }
        drop(alarm);
        crew.was_present(since);
        (result, context)
    };
    let own = search.fork(&crew, probe.again());
    let forks: Vec<_> = (1..threads).map(|_| search.fork(&crew, probe.again())).collect();
    let done: Vec<_> = thread::scope(|scope| {
        let run = &run;
        let start = |(i, context)| -> io::Result<_> {
            thread::Builder::new().spawn_scoped(scope, move || run(i + 1, context))
        };
        let handles: Vec<_> = forks.into_iter().enumerate().map_while(|f| start(f).ok()).collect();
        let mut done = vec![run(0, own)];
        for handle in handles {
            done.push(handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        done
    });
    search.idle += crew.idle(began.elapsed());
    let finish = |(number, (result, context))| {
        search.join(context, number);
        result
    };
    let results = done.into_iter().enumerate().map(finish).collect();
    search.probe = probe.take();
    search.peak_open = search.peak_open.max(crew.open.peak() as u64);
    search.peak_backup = search.peak_backup.max(crew.backup.peak() as u64);
    search.list_bytes = search.list_bytes.max(crew.bytes.peak());
    results
}

/// Stops everybody if a worker panics: else they might wait for it.
struct Alarm<'c>(&'c Crew);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop(Stop::Flag);
        }
    }
}

/// A probe that several contexts report to. A story hears which process is speaking.
pub struct Shared<P> {
    watched: Arc<Mutex<Watched<P>>>,
    /// What an unwatched search asks for marks.
    own: P,
    process: u32,
}

struct Watched<P> {
    probe: P,
    /// The process that spoke last.
    speaker: u32,
}

impl<P: Probe> Shared<P> {
    fn new(probe: P) -> Self {
        let own = probe.blank();
        Shared { watched: Arc::new(Mutex::new(Watched { probe, speaker: 0 })), own, process: 0 }
    }

    fn again(&self) -> Self {
        Shared { watched: Arc::clone(&self.watched), own: self.own.blank(), process: self.process }
    }

    fn lock(&self) -> MutexGuard<'_, Watched<P>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same for one who says something that belongs to the story.
    fn lock_to_speak(&self) -> MutexGuard<'_, Watched<P>> {
        let mut watched = self.lock();
        let process = self.process;
        if P::LISTENS && std::mem::replace(&mut watched.speaker, process) != process && process > 0
        {
            let root = watched.probe.root();
            watched.probe.tell(root, || Event::Turn { process });
        }
        watched
    }

    fn take(&self) -> P {
        std::mem::replace(&mut self.lock().probe, self.own.blank())
    }
}

impl<P: Probe> Probe for Shared<P> {
    type Mark = P::Mark;
    const LISTENS: bool = P::LISTENS;
    const WATCHES: bool = P::WATCHES;
    const TIMED: bool = P::TIMED;

    #[inline(always)]
    fn root(&mut self) -> P::Mark {
        if P::WATCHES { self.lock().probe.root() } else { self.own.root() }
    }

    #[inline(always)]
    fn below(&mut self, parent: P::Mark, index: usize, width: usize) -> P::Mark {
        if P::WATCHES {
            self.lock().probe.below(parent, index, width)
        } else {
            self.own.below(parent, index, width)
        }
    }

    #[inline(always)]
    fn interior(&mut self, at: P::Mark) {
        if P::WATCHES {
            self.lock().probe.interior(at);
        }
    }

    #[inline(always)]
    fn leaf(&mut self, at: P::Mark, value: Value) {
        if P::WATCHES {
            self.lock_to_speak().probe.leaf(at, value);
        }
    }

    #[inline(always)]
    fn tell(&mut self, at: P::Mark, event: impl FnOnce() -> Event<P::Mark>) {
        if P::LISTENS {
            self.lock_to_speak().probe.tell(at, event);
        }
    }

    #[inline]
    fn set_speaker(&mut self, process: u32) {
        self.process = process;
    }

    fn next_iteration(&mut self) {
        self.lock().probe.next_iteration();
    }

    fn blank(&self) -> Self {
        Shared::new(self.own.blank())
    }

    fn distinct(&self) -> Option<Distinct> {
        self.lock().probe.distinct()
    }
}
