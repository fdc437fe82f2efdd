//! Alpha-beta by several threads: ABDADA, young brothers wait, PVSplit, mandatory work first.
//!
//! Each has a serial form, and with one thread it *is* that form: PVS, MTD(f) for the two that
//! drive it, alpha-beta for mandatory work first. With more threads they differ in what they share:
//!
//! - **Young brothers wait** (Feldmann, Monien, Mysliwietz and Vornberger 1989): at any node, once
//!   the first child has been searched, its siblings may be shared with threads that have no work.
//! - **PVSplit** (Campbell 1981; Marsland and Campbell 1982): the same, but only at the nodes of
//!   the leftmost path, where all threads work together; what is shared is searched serially.
//! - **Mandatory work first** (Akl, Barnard and Doran 1982): see [`mandatory`].
//! - **ABDADA** (Weill 1996): see [`abdada`].
//!
//! The first three use [split points](plyground_core::split_points) and need no memory. ABDADA's
//! threads share nothing but a memory, and MTD(f) cannot do without one: where no table is asked
//! for, the memory is a stored search tree with locks, exact on any tree. ABDADA with one thread is
//! PVS and has none.

pub(super) mod abdada;
mod mandatory;
mod siblings;

use std::num::NonZeroUsize;

use plyground_core::split_points::{EndOnDrop, SplitPoints};

use super::MAX_THREADS;
use super::team::together;
use crate::drivers::mtd_f;
use crate::prelude::*;
use siblings::Worker;

/// What the threads share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    /// Young brothers wait: the siblings of a first child that has been searched.
    YoungBrothers,
    /// The same for MTD(f).
    YoungBrothersMtdF,
    /// The siblings of the principal variation.
    PvSplit,
    /// What has to be searched in any case, then the rest.
    MandatoryFirst,
}

/// Searches with several threads that share work at split points.
pub(super) fn search_together<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    root: &SearchNode<T, M>,
    threads: NonZeroUsize,
    scheme: Scheme,
) -> Result<Value, Stop> {
    let guess = search.guess(None);
    let threads = threads.get().min(MAX_THREADS);
    let root = std::sync::Mutex::new(root.clone());
    let root = || root.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
    let splits = SplitPoints::new();
    let results = together(search, threads, |number, context| {
        context.set_process(number as u32 + 1);
        let mut worker = Worker { splits: &splits, split: None, scheme };
        if number > 0 {
            worker.help(context);
            return Ok(None);
        }
        let end = EndOnDrop(&splits);
        let value = first(context, &root(), guess, &mut worker);
        drop(end);
        value.map(Some)
    });
    of_first(results)
}

/// The result of worker 0, which searches the root.
fn of_first(results: Vec<Result<Option<Value>, Stop>>) -> Result<Value, Stop> {
    match results.into_iter().next() {
        Some(Ok(Some(value))) => Ok(value),
        Some(Err(stop)) => Err(stop),
        _ => unreachable!("worker 0 has the root"),
    }
}

/// Searches the root, in the calling thread.
fn first<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    root: &SearchNode<T, M>,
    guess: Value,
    worker: &mut Worker<'_, T, M>,
) -> Result<Value, Stop> {
    // Without a memory there is no MTD(f), and nothing is compiled for it.
    if M::RICH && worker.scheme == Scheme::YoungBrothersMtdF {
        return mtd_f(search, root, guess, |search, root, window| {
            worker.node(search, root, window, true)
        });
    }
    worker.node(search, root, Window::FULL, true)
}
