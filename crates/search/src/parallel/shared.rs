//! Alpha-beta by several threads: ABDADA, young brothers wait, PVSplit, mandatory work first.
//!
//! Each has a serial form, and with one thread it *is* that form: PVS, MTD(f) for the two that drive
//! it, alpha-beta for mandatory work first. With more they differ in what they give to others:
//!
//! - **Young brothers wait** (Feldmann, Monien, Mysliwietz and Vornberger 1989): at any node, once
//!   the eldest son has been searched, its brothers may be shared with threads that have no work.
//! - **PVSplit** (Campbell 1981; Marsland and Campbell 1982): the same at the nodes of the leftmost
//!   path alone, where everybody comes together; what is given away is searched serially.
//! - **Mandatory work first** (Akl, Barnard and Doran 1982): see [`mandatory`].
//! - **ABDADA** (Weill 1996): see [`abdada`].
//!
//! The first three meet at [split points](plyground_core::split_points) and need no memory. ABDADA's
//! threads have nothing in common but a memory, and MTD(f) is nothing without one: where no table is asked for, not
//! even any memory, it is a [search tree](crate::SharedTree) with a lock, exact on any tree.
//! ABDADA with one thread is PVS and has none.

mod abdada;
mod brothers;
mod mandatory;

use std::num::NonZeroUsize;

use super::MOST_THREADS;
use super::crew::{Worker, together};
use crate::algorithm::Scheme;
use crate::depth_first::{alpha_beta, pvs};
use crate::drivers::mtd_f;
use crate::{Memory, Place, Search, Setting};
use abdada::Board;
use brothers::Hand;
use plyground_core::limits::Stop;
use plyground_core::split_points::{EndOnDrop, SplitPoints};
use plyground_core::value::{Value, Window};

/// Runs an algorithm of this family.
pub(crate) fn run<S: Setting>(
    search: &mut Search<'_, S>,
    root: &Place<S>,
    scheme: Scheme,
    threads: NonZeroUsize,
) -> Result<Value, Stop> {
    let guess = search.guess(None);
    if threads == NonZeroUsize::MIN {
        return match scheme {
            Scheme::Abdada | Scheme::YoungBrothers | Scheme::PvSplit => {
                pvs(search, root, Window::FULL)
            }
            Scheme::MandatoryFirst => alpha_beta(search, root, Window::FULL),
            Scheme::AbdadaMtdF | Scheme::YoungBrothersMtdF => {
                mtd_f(search, root, guess, alpha_beta)
            }
        };
    }
    let threads = threads.get().min(MOST_THREADS);
    let root = std::sync::Mutex::new(root.for_worker());
    let root = || root.lock().unwrap_or_else(std::sync::PoisonError::into_inner).again();
    let results = if matches!(scheme, Scheme::Abdada | Scheme::AbdadaMtdF) {
        let board = Board::new();
        together(search, threads, |number, context| {
            context.set_speaker(number as u32 + 1);
            abdada::work(context, &root(), scheme, guess, &board, number)
        })
    } else {
        let splits = SplitPoints::new();
        together(search, threads, |number, context| {
            context.set_speaker(number as u32 + 1);
            let mut hand = Hand { splits: &splits, split: None, scheme };
            if number > 0 {
                hand.help(context);
                return Ok(None);
            }
            let end = EndOnDrop(&splits);
            let value = first(context, &root(), guess, &mut hand);
            drop(end);
            value.map(Some)
        })
    };
    match results.into_iter().next() {
        Some(Ok(Some(value))) => Ok(value),
        Some(Err(stop)) => Err(stop),
        _ => unreachable!("worker 0 has the root"),
    }
}

/// What the calling thread does: the root.
fn first<S: Setting>(
    search: &mut Search<'_, Worker<S>>,
    root: &Place<Worker<S>>,
    guess: Value,
    hand: &mut Hand<'_, Worker<S>>,
) -> Result<Value, Stop> {
    // Without a memory there is no MTD(f), and nothing is compiled for it.
    if S::Memory::KEEPS && hand.scheme == Scheme::YoungBrothersMtdF {
        return mtd_f(search, root, guess, |search, root, window| {
            hand.node(search, root, window, true)
        });
    }
    hand.node(search, root, Window::FULL, true)
}
