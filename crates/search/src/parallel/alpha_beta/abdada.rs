//! ABDADA (Weill 1996), as Kerrigan simplified it: all threads search the root, each by itself, and
//! share nothing but the memory.
//!
//! At every node the first child is searched at once. A sibling that another thread is searching is
//! put off until the others have been searched. By then the memory may well answer for it; if not,
//! it is searched all the same. So no thread ever waits, and a slow thread does not keep the others
//! from their work. The search ends when the calling thread has the value.
//!
//! The threads work together only through the memory. So two or more of them have one even where
//! none is asked for, as with `--memory none`: a stored search tree that keeps the bounds of the
//! nodes high enough for a thread, and their counts are those of a search with a memory. One thread
//! alone is plain PVS and keeps nothing.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::super::MAX_THREADS;
use super::super::team::together;
use super::of_first;
use crate::drivers::mtd_f;
use crate::in_flight::InFlight;
use crate::memory::Recalled;
use crate::prelude::*;

/// How each thread searches the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::parallel) enum RootSearch {
    /// One search with the whole window.
    Pvs,
    /// Null windows from a guess.
    MtdF,
}

/// Searches with several threads.
pub(in crate::parallel) fn search_together<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    root: &SearchNode<T, M>,
    threads: NonZeroUsize,
    root_search: RootSearch,
) -> Result<Value, Stop> {
    let guess = search.guess(None);
    let threads = threads.get().min(MAX_THREADS);
    let root = std::sync::Mutex::new(root.clone());
    let root = || root.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
    let shared = SharedState::new();
    of_first(together(search, threads, |number, context| {
        context.set_process(number as u32 + 1);
        work(context, &root(), root_search, guess, &shared, number)
    }))
}

/// What the threads share besides the memory.
struct SharedState {
    in_flight: InFlight,
    /// The calling thread has the value.
    ended: AtomicBool,
}

impl SharedState {
    fn new() -> SharedState {
        SharedState { in_flight: InFlight::new(), ended: AtomicBool::new(false) }
    }
}

/// Ends the search when it is dropped, also by a panic.
struct SetOnDrop<'b>(&'b AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// What thread `number` does; 0 is the calling one.
fn work<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    root: &SearchNode<T, M>,
    root_search: RootSearch,
    guess: Value,
    shared: &SharedState,
    number: usize,
) -> Result<Option<Value>, Stop> {
    let ended = (number == 0).then(|| SetOnDrop(&shared.ended));
    // Without a memory there is no MTD(f), and nothing is compiled for it.
    let value = if M::RICH && root_search == RootSearch::MtdF {
        mtd_f(search, root, guess, |search, root, window| node(search, root, window, shared))
    } else {
        node(search, root, Window::FULL, shared)
    };
    drop(ended);
    match value {
        _ if number == 0 => value.map(Some),
        // It stopped because the calling thread has the value; that is no reason for others to
        // stop.
        Err(Stop::Flag) if shared.ended.load(Relaxed) => Ok(None),
        Err(stop) => Err(stop),
        Ok(_) => Ok(None),
    }
}

/// The value of `n` for its mover if it is inside the window, else a bound on it.
fn node<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
    window: Window,
    shared: &SharedState,
) -> Result<Value, Stop> {
    // The memory must not answer for the root, because the best move would then be missing.
    if n.ply == 0 {
        let (mut siblings, best) = (Siblings::none(), search.recall(n).best);
        if search.expand_into(n, best, &mut siblings)? {
            let value = interior(search, n, &mut siblings, window, shared)?;
            let recalled = Recalled { bounds: Bounds::UNKNOWN, best };
            search.settle(n, &siblings, recalled, window, value);
            return Ok(value);
        }
    }
    search.visit(n, window, |search, n, siblings, window| {
        interior(search, n, siblings, window, shared)
    })
}

fn interior<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
    siblings: &mut Siblings<T, M>,
    window: Window,
    shared: &SharedState,
) -> Result<Value, Stop> {
    if shared.ended.load(Relaxed) {
        return Err(Stop::Flag);
    }
    search.enter(n, window);
    let Window { alpha: lower, beta } = window;
    // Next to the horizon, asking costs more than searching.
    let asks = n.height >= search.spec.spawn_height().max(2);
    let mut put_off = VecDeque::new();
    let mut picker = siblings.picker();
    let mut best = -INFINITY;
    while best < beta {
        let eldest = picker.next == 0;
        let (c, again) = if let Some(c) = search.next_child(n, &mut picker) {
            (c, false)
        } else if let Some(place) = put_off.pop_front() {
            picker.current = place;
            (search.child_at(n, &picker.siblings.moves, place), true)
        } else {
            break;
        };
        let key = if asks { search.tree.key(&c.node) } else { 0 };
        if asks && !eldest && !again && shared.in_flight.contains(key, c.height) {
            put_off.push_back(picker.current);
            continue;
        }
        if asks {
            shared.in_flight.set(key, c.height, true);
        }
        let alpha = lower.max(best);
        let merit = if eldest {
            -node(search, &c, window.flip(), shared)?
        } else {
            let merit = -node(search, &c, Window::above(alpha).flip(), shared)?;
            if merit <= alpha || merit >= beta {
                merit
            } else {
                search.search_again();
                merit.max(-node(search, &c, Window::new(merit, beta).flip(), shared)?)
            }
        };
        if asks {
            shared.in_flight.set(key, c.height, false);
        }
        if merit > best {
            best = merit;
            search.improve(n, &mut picker, best, alpha);
        }
    }
    search.leave(n, best)
}
