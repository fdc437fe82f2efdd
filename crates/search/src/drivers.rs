//! Drivers: loops over the memory test that differ only in the windows they ask with.
//!
//! The memory test is alpha-beta on a search tree that is already there (S-alpha-beta in de Bruin,
//! Pijls and Plaat 1994, figure 5; Plaat's MT): every node carries the bounds f⁻ and f⁺ of earlier
//! visits. They answer for the node if they can, else they narrow the window; what the search then
//! shows is stored in them. That is what the context's `visit` does, so here it is [`alpha_beta`] in
//! a setting with a memory.
//!
//! SSS-2, Dual-2, SSS-0, SSS-4 and SSS-B are from the same paper (sections 4 and 5), MTD(f) from
//! Plaat's later work. f⁻(r) and f⁺(r) are what is known of the root.

use super::depth_first::alpha_beta;
use super::{Algorithm, Memory, Place, Search, Setting};
use plyground_core::limits::Stop;
use plyground_core::tree::GameTree;
use plyground_core::value::{Bounds, INFINITY, Value, Window};

/// Runs a driver.
pub(super) fn run<S: Setting>(
    search: &mut Search<'_, S>,
    root: &Place<S>,
    algorithm: &Algorithm,
) -> Result<Value, Stop> {
    let mut driver = Driver { search, root, test: alpha_beta, known: Bounds::UNKNOWN };
    match *algorithm {
        Algorithm::Sss2 => driver.sss_2(),
        Algorithm::Dual2 => driver.dual_2(),
        Algorithm::Sss0 { guess } => driver.sss_0(guess),
        Algorithm::Sss4 { step } => driver.sss_4(step),
        Algorithm::SssB => driver.sss_b(),
        Algorithm::MtdF { guess } => {
            let guess = driver.search.guess(guess);
            driver.mtd_f(guess)
        }
        _ => unreachable!("{algorithm} is not a driver"),
    }
}

/// MTD(f) from a guess, with another memory test than the usual one.
pub(super) fn mtd_f<'t, S: Setting>(
    search: &mut Search<'t, S>,
    root: &Place<S>,
    guess: Value,
    test: impl FnMut(&mut Search<'t, S>, &Place<S>, Window) -> Result<Value, Stop>,
) -> Result<Value, Stop> {
    Driver { search, root, test, known: Bounds::UNKNOWN }.mtd_f(guess)
}

struct Driver<'s, 't, S: Setting, F> {
    search: &'s mut Search<'t, S>,
    root: &'s Place<S>,
    /// The memory test.
    test: F,
    /// f⁻(r) and f⁺(r). A table may lose the root's; a driver does not.
    known: Bounds,
}

impl<'t, S: Setting, F> Driver<'_, 't, S, F>
where
    F: FnMut(&mut Search<'t, S>, &Place<S>, Window) -> Result<Value, Stop>,
{
    /// One call of the memory test on the root, and what it teaches.
    fn call(&mut self, alpha: Value, beta: Value) -> Result<Value, Stop> {
        let window = Window { alpha, beta };
        self.search.pass(self.root, window);
        let g = (self.test)(self.search, self.root, window)?;
        let stored = match S::Memory::SHARED {
            true => Bounds::UNKNOWN,
            false => self.search.memory.recall(self.root.slot, self.root.height).bounds,
        };
        let lower = if g > alpha { g } else { stored.lower };
        let upper = if g < beta { g } else { stored.upper };
        self.known.lower = self.known.lower.max(lower);
        self.known.upper = self.known.upper.min(upper);
        self.search.learnt(self.known);
        Ok(g)
    }

    fn sss_2(&mut self) -> Result<Value, Stop> {
        let mut g = INFINITY;
        loop {
            let gamma = g;
            g = self.call(gamma - 1, gamma)?;
            if g == gamma {
                return Ok(g);
            }
        }
    }

    fn dual_2(&mut self) -> Result<Value, Stop> {
        let mut g = -INFINITY;
        loop {
            let gamma = g;
            g = self.call(gamma, gamma + 1)?;
            if g == gamma {
                return Ok(g);
            }
        }
    }

    fn sss_0(&mut self, guess: Option<Value>) -> Result<Value, Stop> {
        let mut g = self.search.guess(guess);
        loop {
            let gamma = g;
            g = self.call(gamma - 1, gamma + 1)?;
            if g == gamma {
                return Ok(g);
            }
        }
    }

    fn sss_4(&mut self, step: Value) -> Result<Value, Stop> {
        let mut g = INFINITY;
        loop {
            let gamma = g;
            g = self.call(gamma - 1, gamma + 1)?;
            g = (g - step).max(self.known.lower);
            if g == gamma {
                return Ok(g);
            }
        }
    }

    /// Bisection between the least possible value - 1 and the greatest + 1.
    fn sss_b(&mut self) -> Result<Value, Stop> {
        let range = self.search.tree.value_range();
        loop {
            let lower = self.known.lower.max(range.start() - 1);
            let upper = self.known.upper.min(range.end() + 1);
            let gamma = (lower + upper).div_euclid(2);
            let g = self.call(gamma - 1, gamma + 1)?;
            if g == gamma {
                return Ok(g);
            }
        }
    }

    fn mtd_f(&mut self, guess: Value) -> Result<Value, Stop> {
        let mut g = guess;
        let (mut lower, mut upper) = (-INFINITY, INFINITY);
        while lower < upper {
            let beta = if g == lower { g + 1 } else { g };
            g = self.call(beta - 1, beta)?;
            if g < beta {
                upper = g;
            } else {
                lower = g;
            }
        }
        Ok(g)
    }
}
