//! Split points: nodes whose remaining brothers several threads search together.
//!
//! *Young brothers wait*: the eldest son of a node is searched by one thread; only if it does not cut
//! off are its brothers work that others may join. The thread that came to the node opens a
//! [`Split`] and works there itself; threads without work wait at the board of open splits,
//! [`Splits`], and are called. A brother that cuts off makes the whole split pointless: its flag is
//! raised, and everybody who works below looks at the flags on the way up from where he is. Who has
//! opened a split stays until its last worker has left; until then he helps at splits below his own
//! (the *helpful master*), where he cannot be kept longer than he would have to wait.
//!
//! Nobody waits for what cannot come, and no call is lost: all that a waiting thread asks for (an
//! open split with work, the last worker of its own split gone, the end) changes under the board's
//! one lock, and whoever changes it calls everybody. The flags and the number of idle threads are
//! read without the lock and decide only whether work goes on or is offered: relaxed loads are
//! enough, since an old answer costs time alone. What workers find out is in the split's `work`, which
//! brings its own lock.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A node whose brothers are shared.
#[derive(Debug)]
pub struct Split<W> {
    /// What there is to do, and what has come of it.
    pub work: W,
    above: Option<Arc<Split<W>>>,
    /// Nothing here is worth doing any more.
    cut: AtomicBool,
    /// Somebody left without finishing: what was found is not all.
    broken: AtomicBool,
}

impl<W> Split<W> {
    /// Nobody needs to go on here.
    pub fn cut(&self) {
        self.cut.store(true, Relaxed);
    }

    /// Was it cut, or a split that it is part of?
    pub fn is_cut(&self) -> bool {
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

    /// Is something missing of what was to be found?
    pub fn is_broken(&self) -> bool {
        self.broken.load(Relaxed)
    }

    fn is_below(&self, other: &Split<W>) -> bool {
        let mut split = self;
        while let Some(above) = &split.above {
            if std::ptr::eq(&**above, other) {
                return true;
            }
            split = above;
        }
        false
    }
}

/// A split on the board.
#[derive(Debug)]
struct Open<W> {
    split: Arc<Split<W>>,
    /// The next brother that nobody has taken, and how many there are.
    next: usize,
    brothers: usize,
    workers: usize,
}

#[derive(Debug)]
struct State<W> {
    open: Vec<Open<W>>,
    ended: bool,
}

impl<W> State<W> {
    fn find(&mut self, split: &Arc<Split<W>>) -> Option<&mut Open<W>> {
        self.open.iter_mut().find(|open| Arc::ptr_eq(&open.split, split))
    }
}

/// The board of open splits.
#[derive(Debug)]
pub struct Splits<W> {
    state: Mutex<State<W>>,
    call: Condvar,
    idle: AtomicUsize,
}

/// A brother that a thread has taken. Dropped before it is [done](Job::done), it breaks its split:
/// so a thread that is stopped, or panics, keeps nobody waiting.
pub struct Job<'s, W> {
    splits: &'s Splits<W>,
    /// Where.
    pub split: Arc<Split<W>>,
    /// Which brother.
    pub number: usize,
    done: bool,
}

impl<W> Job<'_, W> {
    /// It is searched; the next brother, if there is one left and it is worth it.
    pub fn done(mut self) -> Option<Self> {
        let mut state = self.splits.lock();
        if let Some(open) = state.find(&self.split)
            && open.next < open.brothers
            && !open.split.cut.load(Relaxed)
        {
            self.number = open.next;
            open.next += 1;
            drop(state);
            return Some(self);
        }
        drop(state);
        self.done = true;
        None
    }
}

impl<W> Drop for Job<'_, W> {
    fn drop(&mut self) {
        if !self.done {
            // A split that is cut lacks nothing; of another, the rest need not be done.
            if !self.split.cut.swap(true, Relaxed) {
                self.split.broken.store(true, Relaxed);
            }
        }
        let mut state = self.splits.lock();
        if let Some(open) = state.find(&self.split) {
            open.workers -= 1;
            if open.workers == 0 {
                self.splits.call.notify_all();
            }
        }
    }
}

/// Ends the work when it is dropped: nobody waits for a thread that is gone.
pub struct End<'s, W>(pub &'s Splits<W>);

impl<W> Drop for End<'_, W> {
    fn drop(&mut self) {
        self.0.lock().ended = true;
        self.0.call.notify_all();
    }
}

impl<W> Splits<W> {
    /// An empty board.
    pub fn new() -> Self {
        Splits {
            state: Mutex::new(State { open: Vec::new(), ended: false }),
            call: Condvar::new(),
            idle: AtomicUsize::new(0),
        }
    }

    /// Nothing panics while it holds the lock, so what is behind it is sound.
    fn lock(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does anybody wait for work?
    #[inline]
    pub fn has_idle(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    /// Opens a split with so many brothers, at least one, below `above`; the first is the opener's.
    pub fn open(&self, above: Option<&Arc<Split<W>>>, work: W, brothers: usize) -> Job<'_, W> {
        let (cut, broken) = (AtomicBool::new(false), AtomicBool::new(false));
        let split = Arc::new(Split { work, above: above.cloned(), cut, broken });
        let open = Open { split: Arc::clone(&split), next: 1, brothers, workers: 1 };
        self.lock().open.push(open);
        self.call.notify_all();
        Job { splits: self, split, number: 0, done: false }
    }

    /// A brother to search, for a thread that has nothing to do; it waits until there is one. Who
    /// has opened `own` gets only what is below it, and `None` when its last worker has left: then it
    /// is off the board. A helper, who has opened nothing, gets `None` at the end.
    pub fn next(&self, own: Option<&Arc<Split<W>>>) -> Option<Job<'_, W>> {
        let mut state = self.lock();
        loop {
            match own {
                Some(own) => {
                    let place = state.open.iter().position(|open| Arc::ptr_eq(&open.split, own));
                    match place {
                        Some(place) if state.open[place].workers > 0 => {}
                        Some(place) => {
                            state.open.remove(place);
                            return None;
                        }
                        None => return None,
                    }
                }
                None if state.ended => return None,
                None => {}
            }
            let wanted = |open: &&mut Open<W>| {
                open.next < open.brothers
                    && own.is_none_or(|own| open.split.is_below(own))
                    && !open.split.is_cut()
            };
            if let Some(open) = state.open.iter_mut().find(wanted) {
                open.workers += 1;
                open.next += 1;
                let (split, number) = (Arc::clone(&open.split), open.next - 1);
                return Some(Job { splits: self, split, number, done: false });
            }
            self.idle.fetch_add(1, Relaxed);
            state = self.call.wait(state).unwrap_or_else(PoisonError::into_inner);
            self.idle.fetch_sub(1, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;
    use crate::tree::mix;

    /// Sums the numbers below a node: a tree of splits, all of whose brothers count.
    struct Sum {
        seed: u64,
        height: u32,
        sum: AtomicU64,
    }

    const WIDTH: usize = 5;

    fn node(splits: &Splits<Sum>, above: Option<&Arc<Split<Sum>>>, seed: u64, height: u32) -> u64 {
        if height == 0 || above.is_some_and(|above| above.is_cut()) {
            return seed % 100;
        }
        let work = Sum { seed, height, sum: AtomicU64::new(0) };
        let job = splits.open(above, work, WIDTH);
        let own = Arc::clone(&job.split);
        help(splits, job);
        while let Some(job) = splits.next(Some(&own)) {
            help(splits, job);
        }
        own.work.sum.load(Relaxed)
    }

    fn help(splits: &Splits<Sum>, job: Job<'_, Sum>) {
        let mut next = Some(job);
        while let Some(job) = next {
            let split = Arc::clone(&job.split);
            let Sum { seed, height, ref sum } = split.work;
            let seed = mix(seed, job.number as u64);
            sum.fetch_add(node(splits, Some(&split), seed, height - 1), Relaxed);
            next = job.done();
        }
    }

    fn run(threads: usize, seed: u64, height: u32) -> u64 {
        let splits = Splits::new();
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|| {
                    while let Some(job) = splits.next(None) {
                        help(&splits, job);
                    }
                });
            }
            let _end = End(&splits);
            let sum = node(&splits, None, seed, height);
            assert!(splits.lock().open.is_empty());
            sum
        })
    }

    #[test]
    fn all_work_is_done_once_by_any_number_of_threads() {
        for seed in 0..200 {
            let height = 1 + seed as u32 % 4;
            let alone = run(1, seed, height);
            for threads in [2, 3, 8] {
                assert_eq!(run(threads, seed, height), alone, "{threads} threads, seed {seed}");
            }
        }
    }

    /// A job that is dropped breaks its split, and nobody waits for it.
    #[test]
    fn who_leaves_without_a_word_breaks_the_split() {
        let splits = Splits::new();
        let job = splits.open(None, Sum { seed: 0, height: 1, sum: AtomicU64::new(0) }, 3);
        let own = Arc::clone(&job.split);
        std::thread::scope(|scope| {
            let helper = scope.spawn(|| {
                let job = splits.next(None).unwrap();
                assert_eq!(job.number, 1);
                drop(job);
            });
            helper.join().unwrap();
        });
        assert!(own.is_broken() && own.is_cut());
        assert!(job.done().is_none());
        assert!(splits.next(Some(&own)).is_none());
    }
}
