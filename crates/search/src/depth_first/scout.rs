//! Scout (Pearl 1980).
//!
//! EVAL evaluates the first child of a node; each brother is first TESTed: a MAX node evaluates
//! child c if TEST(c > v), a MIN node if not TEST(c ≥ v). From the mover's view both ask whether the
//! child is better than what there is, and values are whole numbers, so one TEST serves: n > v.
//! Nothing but the answer comes back from a TEST, and EVAL takes no window.

use crate::{Brothers, Event, Place, Search, Setting, for_max};
use plyground_core::limits::Stop;
use plyground_core::value::{INFINITY, Value, Window};

/// EVAL: the value of `n` for its mover.
#[inline(always)]
pub(crate) fn eval<S: Setting>(search: &mut Search<'_, S>, n: &Place<S>) -> Result<Value, Stop> {
    search.visit(n, Window::FULL, eval_interior)
}

fn eval_interior<S: Setting>(
    search: &mut Search<'_, S>,
    n: &Place<S>,
    brothers: &mut Brothers<S>,
    window: Window,
) -> Result<Value, Stop> {
    search.enter(n, Window::FULL);
    let mut picker = brothers.picker();
    let mut v = -INFINITY;
    while let Some(c) = search.next_child(n, &mut picker) {
        // The first child is evaluated. -c > v  ⇔  c < -v  ⇔  not c > -v - 1
        if v == -INFINITY || !test(search, &c, -v - 1)? {
            v = -eval(search, &c)?;
            search.improve(n, &mut picker, v, window.alpha);
        }
    }
    search.leave(n, v)
}

/// TEST: is `n` worth more than `v` to its mover?
#[inline(always)]
fn test<S: Setting>(search: &mut Search<'_, S>, n: &Place<S>, v: Value) -> Result<bool, Stop> {
    Ok(search.visit(n, Window::above(v), test_interior)? > v)
}

/// Any value in the window that says yes or no: nothing else is known.
fn test_interior<S: Setting>(
    search: &mut Search<'_, S>,
    n: &Place<S>,
    brothers: &mut Brothers<S>,
    window: Window,
) -> Result<Value, Stop> {
    let v = window.alpha;
    search.tell(n.mark, || Event::Test { than: for_max(n.ply, v) });
    let mut picker = brothers.picker();
    while let Some(c) = search.next_child(n, &mut picker) {
        if !test(search, &c, -v - 1)? {
            search.improve(n, &mut picker, v + 1, v);
            return Ok(v + 1);
        }
    }
    Ok(v)
}
