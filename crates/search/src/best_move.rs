//! The best move without its exact value.
//!
//! To play, it is enough to know that a move is better than the others. Both searches here test the
//! root's children with null windows over stored bounds, and stop when the lower bound of one child
//! is no less than the upper bounds of all others.
//!
//! - *Second-best search* (de Bruin, Pijls and Plaat 1994, section 7): the child with the highest f⁺
//!   is asked whether it is worth the next highest f⁺, u₂. Either it is, and it is the best; or its
//!   f⁺ falls, and another may be the highest.
//! - *Alpha bounding* (after Schaeffer 1986): all children are asked whether they are worth a bound.
//!   If one alone is, it is the best; if none is, the bound falls to the highest f⁺; if several are,
//!   it rises past the second highest f⁻.

use super::depth_first::alpha_beta;
use super::{Children, Place, Search, Setting};
use plyground_core::limits::Stop;
use plyground_core::value::{Bounds, INFINITY, Value, Window};

/// What proves the best move.
#[derive(Clone, Copy, Debug)]
pub(super) enum Proof {
    SecondBest,
    AlphaBounding { guess: Option<Value> },
}

/// Finds the root's best move; its value, if the proof happens to tell it.
pub(super) fn run<S: Setting>(
    search: &mut Search<'_, S>,
    root: &Place<S>,
    proof: Proof,
) -> Result<Option<Value>, Stop> {
    let Some(children) = search.expand(root)? else { return search.leaf(root).map(Some) };
    let contenders = (0..children.len()).map(|number| Contender {
        n: search.child(root, &children, number),
        bounds: Bounds::UNKNOWN,
    });
    let mut contest = Contest { contenders: contenders.collect(), search, root, children };
    let best = match proof {
        Proof::SecondBest => contest.second_best()?,
        Proof::AlphaBounding { guess } => contest.alpha_bounding(guess)?,
    };
    contest.search.best = Some(contest.children.mv(best));
    let known = contest.learn();
    Ok(known.is_exact().then_some(known.lower))
}

/// A child of the root with f⁻ and f⁺, as the root's mover sees them.
struct Contender<S: Setting> {
    n: Place<S>,
    bounds: Bounds,
}

struct Contest<'s, 't, S: Setting> {
    search: &'s mut Search<'t, S>,
    root: &'s Place<S>,
    children: Children<S>,
    contenders: Vec<Contender<S>>,
}

impl<S: Setting> Contest<'_, '_, S> {
    fn second_best(&mut self) -> Result<usize, Stop> {
        loop {
            let c = self.highest();
            let u2 = self.highest_but(c);
            if self.contenders[c].bounds.lower >= u2 {
                return Ok(c);
            }
            self.test(c, u2)?;
        }
    }

    fn alpha_bounding(&mut self, guess: Option<Value>) -> Result<usize, Stop> {
        let mut bound = self.search.guess(guess);
        loop {
            for c in 0..self.contenders.len() {
                let Bounds { lower, upper } = self.contenders[c].bounds;
                if lower < bound && bound <= upper {
                    self.test(c, bound)?;
                }
                if let Some(best) = self.proved() {
                    return Ok(best);
                }
            }
            let mut lower: Vec<Value> = self.contenders.iter().map(|c| c.bounds.lower).collect();
            lower.sort_unstable_by(|a, b| b.cmp(a));
            bound = match lower.as_slice() {
                // Several are worth the bound.
                [_, second, ..] if *second >= bound => second + 1,
                _ => self.contenders[self.highest()].bounds.upper,
            };
        }
    }

    /// Is child `c` worth `gamma` to the root's mover?
    fn test(&mut self, c: usize, gamma: Value) -> Result<(), Stop> {
        let window = Window::new(gamma - 1, gamma);
        self.search.pass(self.root, window);
        let contender = &mut self.contenders[c];
        let g = -alpha_beta(self.search, &contender.n, window.flip())?;
        if g < gamma {
            contender.bounds.upper = g;
        } else {
            contender.bounds.lower = g;
            if g > self.search.known.lower {
                self.search.best = Some(self.children.mv(c));
            }
        }
        self.learn();
        Ok(())
    }

    /// The child that no other can surpass, if there is one.
    fn proved(&self) -> Option<usize> {
        let lower = |&c: &usize| self.contenders[c].bounds.lower;
        let c = (0..self.contenders.len()).rev().max_by_key(lower)?;
        (lower(&c) >= self.highest_but(c)).then_some(c)
    }

    /// The child with the highest f⁺, the first of several.
    fn highest(&self) -> usize {
        let upper = |&c: &usize| self.contenders[c].bounds.upper;
        (0..self.contenders.len()).rev().max_by_key(upper).unwrap_or(0)
    }

    /// The highest f⁺ of all but child `c`.
    fn highest_but(&self, c: usize) -> Value {
        let others = self.contenders.iter().enumerate().filter(|(i, _)| *i != c);
        others.map(|(_, contender)| contender.bounds.upper).max().unwrap_or(-INFINITY)
    }

    /// Tells what is known of the root.
    fn learn(&mut self) -> Bounds {
        let all = self.contenders.iter().map(|contender| contender.bounds);
        let known = all.fold(Bounds { lower: -INFINITY, upper: -INFINITY }, |known, bounds| {
            Bounds { lower: known.lower.max(bounds.lower), upper: known.upper.max(bounds.upper) }
        });
        self.search.learnt(known);
        known
    }
}
