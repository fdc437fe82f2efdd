//! ABDADA (Weill 1996), as Kerrigan simplified it: all threads search the root, each for itself, and
//! have nothing in common but the memory.
//!
//! At every node the eldest son is searched at once. A brother that another thread is searching is put
//! off until the others have been; by then the memory may well answer for him, and if not he is searched
//! all the same. So nobody ever waits, and a thread that is slow keeps nobody from his work. The search
//! is over when the calling thread has the value.
//!
//! The threads have to meet somewhere. So two and more of them have a memory even where none is asked
//! for, as with `--memory none`: a stored search tree that keeps the bounds of
//! the nodes high enough for a thread, and their counts are those of a search with a memory. One thread
//! meets nobody: it is plain PVS and keeps nothing.

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

/// What the threads drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::parallel) enum Drives {
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
    drives: Drives,
) -> Result<Value, Stop> {
    let guess = search.guess(None);
    let threads = threads.get().min(MAX_THREADS);
    let root = std::sync::Mutex::new(root.clone());
    let root = || root.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
    let board = Board::new();
    of_first(together(search, threads, |number, context| {
        context.set_process(number as u32 + 1);
        work(context, &root(), drives, guess, &board, number)
    }))
}

/// What the threads have in common besides the memory.
struct Board {
    in_flight: InFlight,
    /// The calling thread has the value.
    ended: AtomicBool,
}

impl Board {
    fn new() -> Board {
        Board { in_flight: InFlight::new(), ended: AtomicBool::new(false) }
    }
}

/// Ends the search, be it by a panic.
struct Ended<'b>(&'b AtomicBool);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// What thread `number` does; 0 is the calling one.
fn work<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    root: &SearchNode<T, M>,
    drives: Drives,
    guess: Value,
    board: &Board,
    number: usize,
) -> Result<Option<Value>, Stop> {
    let ended = (number == 0).then(|| Ended(&board.ended));
    // Without a memory there is no MTD(f), and nothing is compiled for it.
    let value = if M::RICH && drives == Drives::MtdF {
        mtd_f(search, root, guess, |search, root, window| node(search, root, window, board))
    } else {
        node(search, root, Window::FULL, board)
    };
    drop(ended);
    match value {
        _ if number == 0 => value.map(Some),
        // It was told to stop because the value is there: nobody else is to.
        Err(Stop::Flag) if board.ended.load(Relaxed) => Ok(None),
        Err(stop) => Err(stop),
        Ok(_) => Ok(None),
    }
}

/// The value of `n` for its mover if it is inside the window, else a bound on it.
fn node<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
    window: Window,
    board: &Board,
) -> Result<Value, Stop> {
    // The root is not answered for by what others have found: the best move would be missing.
    if n.ply == 0 {
        let (mut siblings, best) = (Siblings::none(), search.recall(n).best);
        if search.expand_into(n, best, &mut siblings)? {
            let value = interior(search, n, &mut siblings, window, board)?;
            let recalled = Recalled { bounds: Bounds::UNKNOWN, best };
            search.settle(n, &siblings, recalled, window, value);
            return Ok(value);
        }
    }
    search.visit(n, window, |search, n, siblings, window| {
        interior(search, n, siblings, window, board)
    })
}

fn interior<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    n: &SearchNode<T, M>,
    siblings: &mut Siblings<T, M>,
    window: Window,
    board: &Board,
) -> Result<Value, Stop> {
    if board.ended.load(Relaxed) {
        return Err(Stop::Flag);
    }
    search.enter(n, window);
    let Window { alpha: lower, beta } = window;
    // Next to the horizon asking costs more than searching.
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
        if asks && !eldest && !again && board.in_flight.contains(key, c.height) {
            put_off.push_back(picker.current);
            continue;
        }
        if asks {
            board.in_flight.set(key, c.height, true);
        }
        let alpha = lower.max(best);
        let merit = if eldest {
            -node(search, &c, window.flip(), board)?
        } else {
            let merit = -node(search, &c, Window::above(alpha).flip(), board)?;
            if merit <= alpha || merit >= beta {
                merit
            } else {
                merit.max(-node(search, &c, Window::new(merit, beta).flip(), board)?)
            }
        };
        if asks {
            board.in_flight.set(key, c.height, false);
        }
        if merit > best {
            best = merit;
            search.improve(n, &mut picker, best, alpha);
        }
    }
    search.leave(n, best)
}
