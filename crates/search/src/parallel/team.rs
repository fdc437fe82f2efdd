//! One search, several threads: the team.
//!
//! An algorithm touches a tree only through a [`Search`], and a thread needs one of its own.
//! [`together`] makes them of one search, runs the same work in each, and joins them again:
//!
//! ```text
//! let results = together(search, threads, |number, context| my_search(context, number));
//! ```
//!
//! Worker 0 is the calling thread, the others are threads that end before `together` returns.
//!
//! - *Counts* are each context's own and summed at the end.
//! - *Limits* hold for all together. Of leaves and nodes a context draws small shares, when it has
//!   used up what it has; so never more are used than are allowed, and no counter is shared.
//! - *Stopping*: the first reason wins. A work that returns it stops the others too, at their next
//!   look at the limits; one that waits for others must be woken by the algorithm itself.
//! - *Paths and the watch* are one for all, behind locks, and a path's number means the same to every
//!   thread; a bare search locks nothing.
//! - *The memory* is shared: a table, or a stored search tree made for it.
//! - *The order of moves* is learnt by each for itself; worker 0's is kept.
//! - What *lists* hold is summed by the [`Team`], which knows the most that all held at once.
//! - *Idle* is all of the threads' time but that in which they worked: a thread that comes late, or
//!   has nothing to do any more, is idle as one that waits is.

use std::io;
use std::sync::atomic::{AtomicIsize, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use plyground_core::limits::Stop;
use plyground_core::tree::GameTree;

use crate::context::Search;
use crate::mode::Mode;
use crate::tally::{INTERVAL, Tally};

/// What the contexts of one search have in common.
#[derive(Debug)]
pub(crate) struct Team {
    threads: u64,
    stop: OnceLock<Stop>,
    /// What is left of the limits, not yet drawn by any context.
    leaves: AtomicU64,
    visits: AtomicU64,
    open: Held,
    backup: Held,
    bytes: Held,
    /// Nanoseconds from each thread's begin to its end, and those of them in which it waited.
    present: AtomicU64,
    waited: AtomicU64,
}

/// What all lists together hold, and the most that they ever did. A process that is killed is counted
/// by two: for a moment the sum may then be too small, even negative.
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

impl Team {
    fn of(tally: &Tally, threads: usize) -> Team {
        let limits = tally.limits();
        let left =
            |most: Option<u64>, used| most.map_or(u64::MAX, |most| most.saturating_sub(used));
        Team {
            threads: threads as u64,
            stop: OnceLock::new(),
            leaves: AtomicU64::new(left(limits.leaves, tally.evaluations)),
            visits: AtomicU64::new(left(limits.nodes, tally.visits())),
            open: Held::default(),
            backup: Held::default(),
            bytes: Held::default(),
            present: AtomicU64::new(0),
            waited: AtomicU64::new(0),
        }
    }

    /// Every thread stops; the first reason wins.
    pub(crate) fn stop(&self, stop: Stop) {
        let _ = self.stop.set(stop);
    }

    /// Why every thread stops, if they do.
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

    /// A context does not need these leaves now.
    pub(crate) fn give_back_leaves(&self, rest: u64) {
        give_back(&self.leaves, rest);
    }

    /// A context does not need these visits now.
    pub(crate) fn give_back_visits(&self, rest: u64) {
        give_back(&self.visits, rest);
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

    /// A thread has waited since then.
    pub(crate) fn has_waited(&self, since: Instant) {
        self.waited.fetch_add(since.elapsed().as_nanos() as u64, Relaxed);
    }

    /// A thread that began then has come to its end.
    fn was_present(&self, since: Instant) {
        self.present.fetch_add(since.elapsed().as_nanos() as u64, Relaxed);
    }

    /// How long all together did not work, if it has taken this long.
    fn idle(&self, time: Duration) -> Duration {
        let waited = Duration::from_nanos(self.waited.load(Relaxed));
        let present = Duration::from_nanos(self.present.load(Relaxed));
        (time * self.threads as u32 + waited).saturating_sub(present)
    }
}

fn give_back(pool: &AtomicU64, rest: u64) {
    if rest > 0 {
        pool.fetch_add(rest, Relaxed);
    }
}

impl<'t, T: GameTree, M: Mode> Search<'t, T, M> {
    /// A context of the same search for a thread of `team`, with counts of its own.
    fn fork(&mut self, team: &Arc<Team>) -> Search<'t, T, M> {
        let tally = self.tally.fork(team);
        let mut context = Search::with_tally(self.tree, self.spec, self.mode.fork(), tally);
        context.depth = self.depth;
        context.guess = self.guess;
        context
    }

    /// Takes in what the context of thread `number` did.
    fn join(&mut self, context: Search<'t, T, M>, number: usize) {
        self.tally.join(&context.tally);
        self.lock = self.lock.or(context.lock);
        if number == 0 {
            if let Some(ticks) = context.tally.ticks {
                self.tally.ticks = Some(self.tally.ticks.unwrap_or(0) + ticks);
            }
            self.narrow_root(context.known);
            self.best = context.best.or(self.best);
            self.mode.join(context.mode);
        }
    }

    /// Why the whole team stops; a flag if nobody said.
    pub(crate) fn stop_reason(&self) -> Stop {
        self.tally.team.as_ref().and_then(|team| team.stopped()).unwrap_or(Stop::Flag)
    }

    /// The thread has waited since then.
    pub(crate) fn has_waited(&self, since: Instant) {
        if let Some(team) = &self.tally.team {
            team.has_waited(since);
        }
    }

    /// Stops the whole team.
    pub(crate) fn stop_team(&self, stop: Stop) {
        if let Some(team) = &self.tally.team {
            team.stop(stop);
        }
    }
}

/// Does `work` in `threads` contexts of `search` and joins them; worker 0 is the calling thread. The
/// results are returned by number. Where the system gives fewer threads, there are fewer.
pub(crate) fn together<'t, T: GameTree, M: Mode, R: Send>(
    search: &mut Search<'t, T, M>,
    threads: usize,
    work: impl Fn(usize, &mut Search<'t, T, M>) -> Result<R, Stop> + Sync,
) -> Vec<Result<R, Stop>> {
    let began = Instant::now();
    let team = Arc::new(Team::of(&search.tally, threads));
    let run = |number: usize, context: &mut Search<'t, T, M>| {
        // The calling thread has called the others before.
        let since = if number == 0 { began } else { Instant::now() };
        let alarm = Alarm(&team);
        let result = work(number, context);
        if let Err(stop) = result {
            team.stop(stop);
        }
        drop(alarm);
        team.was_present(since);
        result
    };
    let mut contexts: Vec<_> = (0..threads).map(|_| (search.fork(&team), None)).collect();
    let run = &run;
    on_threads(contexts.iter_mut().enumerate().map(|(number, (context, result))| {
        Box::new(move || *result = Some(run(number, context))) as Work<'_>
    }));
    search.tally.idle += team.idle(began.elapsed());
    let tally = &mut search.tally;
    tally.peak_open = tally.peak_open.max(team.open.peak() as u64);
    tally.peak_backup = tally.peak_backup.max(team.backup.peak() as u64);
    tally.list_bytes = tally.list_bytes.max(team.bytes.peak());
    let finish = |(number, (context, result))| {
        search.join(context, number);
        result
    };
    contexts.into_iter().enumerate().filter_map(finish).collect()
}

type Work<'w> = Box<dyn FnOnce() + Send + 'w>;

/// Does each work on a thread of its own, the first on the calling one; the last ones not at all if
/// the system gives no more threads. Not generic: spawning threads is a lot of code.
fn on_threads<'w>(mut work: impl Iterator<Item = Work<'w>>) {
    let own = work.next();
    spawn_all(own, work.collect());
}

fn spawn_all(own: Option<Work<'_>>, others: Vec<Work<'_>>) {
    thread::scope(|scope| {
        let start = |work| -> io::Result<_> { thread::Builder::new().spawn_scoped(scope, work) };
        let handles: Vec<_> = others.into_iter().map_while(|work| start(work).ok()).collect();
        if let Some(own) = own {
            own();
        }
        for handle in handles {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
    });
}

/// Stops the whole team if a worker panics: else others might wait for it.
struct Alarm<'c>(&'c Team);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop(Stop::Flag);
        }
    }
}
