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
//! - *Counts* are kept by each context and summed at the end.
//! - *Limits* hold for all contexts together. A context draws small shares of the limits on leaves
//!   and nodes, a new one when it has used up the last. So no more are used than are allowed, and
//!   no counter is shared.
//! - *Stopping*: the first reason wins. Work that returns it stops the others too, when they next
//!   check the limits; a worker that waits for others must be woken by the algorithm itself.
//! - *Paths and the watch* are shared by all, behind locks, and a path's number means the same to
//!   every thread; a bare search locks nothing.
//! - *The memory* is shared: a table, or a stored search tree made for it.
//! - *The order of moves* is learnt by each worker for itself; worker 0's is kept.
//! - What *lists* hold is summed by the [`Team`], which knows the most that all held at once.
//! - *Idle* time is all of the threads' time except that in which they worked: a thread that starts
//!   late, or has nothing to do any more, is as idle as one that waits.

use std::io;
use std::sync::atomic::{AtomicIsize, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use plyground_core::cpu_time::thread_cpu_time;
use plyground_core::limits::Stop;
use plyground_core::memory;
use plyground_core::tree::GameTree;

use crate::catalogue::Algorithm;
use crate::context::Search;
use crate::mode::Mode;
use crate::outcome::SearchError;
use crate::tally::{INTERVAL, Tally};

/// What the contexts of one search share.
#[derive(Debug)]
pub(crate) struct Team {
    threads: u64,
    stop: OnceLock<Stop>,
    /// What is left of the limits, not yet drawn by any context.
    leaves: AtomicU64,
    visits: AtomicU64,
    open: HeldTotal,
    backup: HeldTotal,
    bytes: HeldTotal,
    /// Nanoseconds from the beginning to the end of each thread, summed.
    present: AtomicU64,
    /// Nanoseconds of those in which threads waited.
    waited: AtomicU64,
    /// Nanoseconds of CPU time of all threads but the calling one.
    cpu: AtomicU64,
}

/// What all lists together hold, and the most that they ever held. When a process is killed, both
/// the killer and the process itself report it, so for a moment the sum may be too small, even
/// negative.
#[derive(Debug, Default)]
struct HeldTotal {
    now: AtomicIsize,
    peak: AtomicIsize,
}

impl HeldTotal {
    /// Notes that a list that held `before` now holds `after`.
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

/// What the lists of one process hold: states on OPEN, entries on BACKUP, bytes.
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
            open: HeldTotal::default(),
            backup: HeldTotal::default(),
            bytes: HeldTotal::default(),
            present: AtomicU64::new(0),
            waited: AtomicU64::new(0),
            cpu: AtomicU64::new(0),
        }
    }

    /// How many threads search.
    pub(crate) fn threads(&self) -> u64 {
        self.threads
    }

    /// Stops every thread; the first reason wins.
    pub(crate) fn stop(&self, stop: Stop) {
        let _ = self.stop.set(stop);
    }

    /// Why every thread stops, if the team is stopped.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.stop.get().copied()
    }

    /// Draws a share of the leaves that may still be evaluated, 0 if none are left.
    pub(crate) fn draw_leaves(&self) -> u64 {
        self.draw(&self.leaves)
    }

    /// Draws a share of the visits that may still be made, 0 if none are left.
    pub(crate) fn draw_visits(&self) -> u64 {
        self.draw(&self.visits)
    }

    fn draw(&self, pool: &AtomicU64) -> u64 {
        let share = |left: u64| (left / (2 * self.threads)).clamp(1, INTERVAL);
        let drawn = pool.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(share(left)));
        drawn.map_or(0, share)
    }

    /// Gives back leaves that a context has drawn and not used.
    pub(crate) fn give_back_leaves(&self, rest: u64) {
        give_back(&self.leaves, rest);
    }

    /// Gives back visits that a context has drawn and not used.
    pub(crate) fn give_back_visits(&self, rest: u64) {
        give_back(&self.visits, rest);
    }

    /// Notes that the lists of one process held `before` and hold `after` now.
    pub(crate) fn holds(&self, before: Holds, after: Holds) {
        self.open.change(before.open, after.open);
        self.backup.change(before.backup, after.backup);
        self.bytes.change(before.bytes, after.bytes);
    }

    /// The bytes that all lists hold.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.now()
    }

    /// Notes that a thread has waited since then.
    pub(crate) fn has_waited(&self, since: Instant) {
        self.waited.fetch_add(since.elapsed().as_nanos() as u64, Relaxed);
    }

    /// Notes that a thread that began then has ended.
    fn was_present(&self, since: Instant) {
        self.present.fetch_add(since.elapsed().as_nanos() as u64, Relaxed);
    }

    /// Adds to `tally` what only the team knows: how long threads were idle, and the most that all
    /// lists held at once.
    fn report(&self, tally: &mut Tally, began: Instant) {
        tally.others_cpu += Duration::from_nanos(self.cpu.load(Relaxed));
        tally.idle += self.idle(began.elapsed());
        tally.peak_open = tally.peak_open.max(self.open.peak() as u64);
        tally.peak_backup = tally.peak_backup.max(self.backup.peak() as u64);
        tally.list_bytes = tally.list_bytes.max(self.bytes.peak());
    }

    /// How long the threads were idle, all together, in a search that took `time`.
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

    /// Adds what the context of thread `number` did.
    fn join(&mut self, context: Search<'t, T, M>, number: usize) {
        self.tally.join(&context.tally);
        self.failure = self.failure.or(context.failure);
        if number == 0 {
            if let Some(ticks) = context.tally.ticks {
                self.tally.ticks = Some(self.tally.ticks.unwrap_or(0) + ticks);
            }
            self.narrow_root(context.known);
            self.best = context.best.or(self.best);
            self.mode.join(context.mode);
        }
    }

    /// Why the whole team stops; the flag if no thread gave a reason.
    pub(crate) fn stop_reason(&self) -> Stop {
        self.tally.team.as_ref().and_then(|team| team.stopped()).unwrap_or(Stop::Flag)
    }

    /// Notes that the thread has waited since then.
    pub(crate) fn has_waited(&self, since: Instant) {
        self.tally.has_waited(since);
    }

    /// Stops the whole team.
    pub(crate) fn stop_team(&self, stop: Stop) {
        if let Some(team) = &self.tally.team {
            team.stop(stop);
        }
    }
}

/// Is there memory for the threads of an algorithm?
pub fn check_threads(algorithm: &Algorithm) -> Result<(), SearchError> {
    algorithm.threads().map_or(Ok(()), check_stacks)
}

/// Is there memory for the stacks of this many threads, one of which is there already?
fn check_stacks(threads: usize) -> Result<(), SearchError> {
    memory::check_threads(threads - 1, STACK)
        .map_err(|shortage| SearchError::Stacks { threads, shortage })
}

/// Does `work` in `threads` contexts of `search` and joins them; worker 0 is the calling thread.
/// The results are returned by number. Where there is no memory for the threads, or the system gives
/// fewer, the search fails: with fewer threads it would be another one than it is taken for.
pub(crate) fn together<'t, T: GameTree, M: Mode, R: Send>(
    search: &mut Search<'t, T, M>,
    threads: usize,
    work: impl Fn(usize, &mut Search<'t, T, M>) -> Result<R, Stop> + Sync,
) -> Vec<Result<R, Stop>> {
    let began = Instant::now();
    if let Err(error) = check_stacks(threads) {
        search.failure = Some(error);
        return vec![Err(Stop::Memory)];
    }
    search.tally.start_cpu_clock();
    let team = Arc::new(Team::of(&search.tally, threads));
    let contexts = (0..threads).map(|_| search.fork(&team)).collect();
    let (contexts, started) = run_team(&team, began, contexts, work);
    if started < threads {
        search.failure = Some(SearchError::Threads { threads, started });
    }
    team.report(&mut search.tally, began);
    let finish = |(number, (context, result))| {
        search.join(context, number);
        result
    };
    contexts.into_iter().enumerate().filter_map(finish).collect()
}

/// As [`together`], for searches whose contexts are no more than their tallies. Not generic: it is
/// compiled once.
pub(crate) fn together_counted(
    tally: &mut Tally,
    threads: usize,
    work: &(dyn Fn(usize, &mut Tally) -> Result<(), Stop> + Sync),
) -> Result<(), Stop> {
    let began = Instant::now();
    if let Err(error) = check_stacks(threads) {
        tally.refused_threads = Some(error);
        return Err(Stop::Memory);
    }
    tally.start_cpu_clock();
    let team = Arc::new(Team::of(tally, threads));
    let contexts = (0..threads).map(|_| tally.fork(&team)).collect();
    let (contexts, started) = run_team(&team, began, contexts, work);
    if started < threads {
        tally.refused_threads = Some(SearchError::Threads { threads, started });
    }
    team.report(tally, began);
    contexts.iter().for_each(|(context, _)| tally.join(context));
    // The first reason to stop is everybody's.
    team.stopped().map_or(Ok(()), Err)
}

/// Does `work` in these contexts, each on a thread of its own, the first on the calling one. Returns the
/// contexts with their results, and how many threads the system has started; if those are too few, the
/// team is stopped.
fn run_team<C: Send, R: Send>(
    team: &Team,
    began: Instant,
    contexts: Vec<C>,
    work: impl Fn(usize, &mut C) -> Result<R, Stop> + Sync,
) -> (Vec<(C, TeamResult<R>)>, usize) {
    let run = |number: usize, context: &mut C| {
        // The calling thread has been at work since it began to start the others.
        let since = if number == 0 { began } else { Instant::now() };
        let stop_on_panic = StopOnPanic(team);
        let result = work(number, context);
        if let Err(stop) = result {
            team.stop(stop);
        }
        drop(stop_on_panic);
        team.was_present(since);
        // A thread's clock begins with the thread; the calling one is counted by its search.
        if number > 0
            && let Some(cpu) = thread_cpu_time()
        {
            team.cpu.fetch_add(cpu.as_nanos() as u64, Relaxed);
        }
        result
    };
    let run = &run;
    let mut contexts: Vec<_> = contexts.into_iter().map(|context| (context, None)).collect();
    let work = contexts.iter_mut().enumerate().map(|(number, (context, result))| {
        Box::new(move || *result = Some(run(number, context))) as Work<'_>
    });
    let started = on_threads(work, || team.stop(Stop::Memory));
    (contexts, started)
}

/// The result of a context's work; `None` if it got no thread.
type TeamResult<R> = Option<Result<R, Stop>>;

type Work<'w> = Box<dyn FnOnce() + Send + 'w>;

/// The stack of a thread, the same as that of threads that do not say.
const STACK: usize = 2 << 20;

/// Runs each piece of work on a thread of its own, the first on the calling one. If the system gives no
/// more threads, the last ones are not run, and `too_few` is called before the first piece begins.
/// Returns how many were run. Not generic over the search: spawning threads is a lot of code.
fn on_threads<'w>(mut work: impl Iterator<Item = Work<'w>>, too_few: impl FnOnce()) -> usize {
    let own = work.next();
    spawn_all(own, work.collect(), Box::new(too_few))
}

fn spawn_all(
    own: Option<Work<'_>>,
    others: Vec<Work<'_>>,
    too_few: Box<dyn FnOnce() + '_>,
) -> usize {
    let wanted = others.len();
    thread::scope(|scope| {
        let start = |work| -> io::Result<_> { memory::thread(STACK)?.spawn_scoped(scope, work) };
        let handles: Vec<_> = others.into_iter().map_while(|work| start(work).ok()).collect();
        let started = handles.len();
        if started < wanted {
            too_few();
        }
        if let Some(own) = own {
            own();
        }
        for handle in handles {
            handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
        1 + started
    })
}

/// Stops the whole team if a worker panics: otherwise others might wait for it.
struct StopOnPanic<'c>(&'c Team);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop(Stop::Flag);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_core::limits::Limits;

    /// A thread draws half of what would be its part, so that none is left without while others have plenty.
    #[test]
    fn a_thread_draws_half_of_its_part() {
        let team =
            |leaves| Team::of(&Tally::new(Limits { leaves: Some(leaves), ..Limits::default() }), 4);
        let part = team(800);
        assert_eq!([part.draw_leaves(), part.draw_leaves()], [100, 87]);
        let little = team(3);
        let drawn: Vec<u64> = (0..5).map(|_| little.draw_leaves()).collect();
        assert_eq!(drawn, [1, 1, 1, 0, 0]);
        little.give_back_leaves(2);
        assert_eq!((little.draw_leaves(), little.draw_leaves()), (1, 1));
        assert_eq!(team(1 << 40).draw_leaves(), INTERVAL);
        // Nothing limits the visits.
        assert_eq!(part.draw_visits(), INTERVAL);
    }
}
