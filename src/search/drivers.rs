//! Drivers: loops over the memory test that differ only in the windows they ask with.
//!
//! SSS-2, Dual-2, SSS-0, SSS-4 and SSS-B are from de Bruin, Pijls and Plaat 1994 (sections 4 and 5),
//! MTD(f) from Plaat's later work. f⁻(r) and f⁺(r) are the stored bounds of the root.

use super::depth_first::memory_test;
use super::{Algorithm, Place, Search, Setting};
use crate::limits::Stop;
use crate::value::{Bounds, INFINITY, Value, Window};

/// Runs a driver.
pub(super) fn run<S: Setting>(
    search: &mut Search<'_, S>,
    root: &Place<S>,
    algorithm: &Algorithm,
) -> Result<Value, Stop> {
    let guess_or = |guess: Option<Value>, s: &Search<'_, S>| guess.or(s.options.guess).unwrap_or(0);
    match *algorithm {
        Algorithm::Sss2 => sss_2(search, root),
        Algorithm::Dual2 => dual_2(search, root),
        Algorithm::Sss0 { guess } => sss_0(search, root, guess_or(guess, search)),
        Algorithm::Sss4 { step } => sss_4(search, root, step),
        Algorithm::SssB => sss_b(search, root),
        Algorithm::MtdF { guess } => mtd_f(search, root, guess_or(guess, search)),
        _ => unreachable!("{algorithm} is not a driver"),
    }
}

/// One call of S-alpha-beta on the root, and what it teaches.
fn call<S: Setting>(
    search: &mut Search<'_, S>,
    root: &Place<S>,
    alpha: Value,
    beta: Value,
) -> Result<Value, Stop> {
    let window = Window { alpha, beta };
    search.pass(root, window);
    let g = memory_test(search, root, window)?;
    let bounds = stored(search, root);
    search.learnt(bounds);
    Ok(g)
}

/// f⁻(r) and f⁺(r)
fn stored<S: Setting>(search: &Search<'_, S>, root: &Place<S>) -> Bounds {
    use super::Memory;
    search.memory.bounds(root.slot)
}

fn sss_2<S: Setting>(search: &mut Search<'_, S>, root: &Place<S>) -> Result<Value, Stop> {
    let mut g = INFINITY;
    loop {
        let gamma = g;
        g = call(search, root, gamma - 1, gamma)?;
        if g == gamma {
            return Ok(g);
        }
    }
}

fn dual_2<S: Setting>(search: &mut Search<'_, S>, root: &Place<S>) -> Result<Value, Stop> {
    let mut g = -INFINITY;
    loop {
        let gamma = g;
        g = call(search, root, gamma, gamma + 1)?;
        if g == gamma {
            return Ok(g);
        }
    }
}

fn sss_0<S: Setting>(
    search: &mut Search<'_, S>,
    root: &Place<S>,
    guess: Value,
) -> Result<Value, Stop> {
    let mut g = guess;
    loop {
        let gamma = g;
        g = call(search, root, gamma - 1, gamma + 1)?;
        if g == gamma {
            return Ok(g);
        }
    }
}

fn sss_4<S: Setting>(
    search: &mut Search<'_, S>,
    root: &Place<S>,
    step: Value,
) -> Result<Value, Stop> {
    let mut g = INFINITY;
    loop {
        let gamma = g;
        g = call(search, root, gamma - 1, gamma + 1)?;
        g = (g - step).max(stored(search, root).lower);
        if g == gamma {
            return Ok(g);
        }
    }
}

/// Bisection between the least possible value - 1 and the greatest + 1.
fn sss_b<S: Setting>(search: &mut Search<'_, S>, root: &Place<S>) -> Result<Value, Stop> {
    use crate::tree::GameTree;
    let range = search.tree.value_range();
    let ends = Bounds { lower: range.start() - 1, upper: range.end() + 1 };
    loop {
        let known = stored(search, root);
        let (lower, upper) = (known.lower.max(ends.lower), known.upper.min(ends.upper));
        let gamma = (lower + upper).div_euclid(2);
        let g = call(search, root, gamma - 1, gamma + 1)?;
        if g == gamma {
            return Ok(g);
        }
    }
}

fn mtd_f<S: Setting>(
    search: &mut Search<'_, S>,
    root: &Place<S>,
    guess: Value,
) -> Result<Value, Stop> {
    let mut g = guess;
    let (mut lower, mut upper) = (-INFINITY, INFINITY);
    while lower < upper {
        let beta = if g == lower { g + 1 } else { g };
        g = call(search, root, beta - 1, beta)?;
        if g < beta {
            upper = g;
        } else {
            lower = g;
        }
    }
    Ok(g)
}
