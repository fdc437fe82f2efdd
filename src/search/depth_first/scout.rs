//! Scout (Pearl 1980).
//!
//! EVAL evaluates the first child of a node; each brother is first TESTed: a MAX node evaluates
//! child c if TEST(c > v), a MIN node if not TEST(c ≥ v). From the mover's view both ask whether the
//! child is better than what there is, and values are whole numbers, so one TEST serves: n > v.
//! Nothing but the answer comes back from a TEST, and EVAL takes no window.

use crate::limits::Stop;
use crate::search::{Brothers, Event, Place, Search, Setting, for_max};
use crate::value::{Value, Window};

/// EVAL: the value of `n` for its mover.
#[inline(always)]
pub(in crate::search) fn eval<S: Setting>(
    search: &mut Search<'_, S>,
    n: &Place<S>,
) -> Result<Value, Stop> {
    let mut brothers = Brothers::none();
    if search.expand_into(n, &mut brothers)? {
        eval_interior(search, n, &brothers)
    } else {
        search.leaf(n)
    }
}

fn eval_interior<S: Setting>(
    search: &mut Search<'_, S>,
    n: &Place<S>,
    brothers: &Brothers<S>,
) -> Result<Value, Stop> {
    search.enter(n, Window::FULL);
    let mut picker = brothers.picker();
    let mut v: Option<Value> = None;
    while let Some(c) = search.next_child(n, &mut picker) {
        // -c > v  ⇔  c < -v  ⇔  not c > -v - 1
        let better = match v {
            None => true,
            Some(v) => !test(search, &c, -v - 1)?,
        };
        if better {
            let merit = -eval(search, &c)?;
            v = Some(merit);
            search.sure_of(n, &picker, merit);
        }
    }
    search.leave(n, v.expect("an expanded node has children"))
}

/// TEST: is `n` worth more than `v` to its mover?
#[inline(always)]
fn test<S: Setting>(search: &mut Search<'_, S>, n: &Place<S>, v: Value) -> Result<bool, Stop> {
    let mut brothers = Brothers::none();
    if search.expand_into(n, &mut brothers)? {
        test_interior(search, n, &brothers, v)
    } else {
        Ok(search.leaf(n)? > v)
    }
}

fn test_interior<S: Setting>(
    search: &mut Search<'_, S>,
    n: &Place<S>,
    brothers: &Brothers<S>,
    v: Value,
) -> Result<bool, Stop> {
    search.tell(n.mark, || Event::Test { than: for_max(n.ply, v) });
    let mut picker = brothers.picker();
    while let Some(c) = search.next_child(n, &mut picker) {
        if !test(search, &c, -v - 1)? {
            return Ok(true);
        }
    }
    Ok(false)
}
