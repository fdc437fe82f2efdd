//! The calls of the root, one after the other: a search has one, a driver of the memory test several.
//!
//! These are the loops of the serial drivers (see `drivers.rs`) with a pause between two calls, so that
//! any processor can make the next one.

use plyground_core::value::{Bounds, INFINITY, Value, Window};

/// Which calls the root gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::parallel) enum RootSearch {
    /// One, with the whole window or a given one.
    Once,
    /// Null windows from a guess: MTD(f).
    MtdF,
    /// Null windows from +∞ down: SSS-2.
    Sss2,
    /// Null windows from -∞ up: Dual-2.
    Dual2,
}

/// The sequence of calls as far as it has come.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootCalls {
    search: RootSearch,
    /// What the last call returned, or the guess.
    g: Value,
    /// What the calls have proved.
    known: Bounds,
    /// The window of the call in progress, or of the next.
    pub(super) window: Window,
}

impl RootCalls {
    pub(super) fn new(search: RootSearch, window: Window, guess: Value) -> RootCalls {
        let g = match search {
            RootSearch::Once | RootSearch::MtdF => guess,
            RootSearch::Sss2 => INFINITY,
            RootSearch::Dual2 => -INFINITY,
        };
        let mut calls = RootCalls { search, g, known: Bounds::UNKNOWN, window };
        calls.set_window();
        calls
    }

    /// Is every call one of the memory test, which a driver counts?
    pub(super) fn is_driven(&self) -> bool {
        self.search != RootSearch::Once
    }

    /// Notes what the call returned. The value of the root, if it is known now; else another call is
    /// to be made.
    pub(super) fn returned(&mut self, g: Value) -> Option<Value> {
        let Window { alpha, beta } = self.window;
        if g > alpha {
            self.known.lower = self.known.lower.max(g);
        }
        if g < beta {
            self.known.upper = self.known.upper.min(g);
        }
        let before = std::mem::replace(&mut self.g, g);
        let done = match self.search {
            // Outside its window the value stays unknown.
            RootSearch::Once => self.known.is_exact(),
            RootSearch::MtdF => self.known.lower >= self.known.upper,
            RootSearch::Sss2 | RootSearch::Dual2 => g == before,
        };
        self.set_window();
        done.then_some(g)
    }

    /// What the calls have proved.
    pub(super) fn known(&self) -> Bounds {
        self.known
    }

    fn set_window(&mut self) {
        let g = self.g;
        self.window = match self.search {
            RootSearch::Once => self.window,
            RootSearch::MtdF => {
                let beta = if g == self.known.lower { g + 1 } else { g };
                Window::new(beta - 1, beta)
            }
            RootSearch::Sss2 => Window::new(g - 1, g),
            RootSearch::Dual2 => Window::new(g, g + 1),
        };
    }
}
