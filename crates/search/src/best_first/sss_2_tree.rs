//! SSS-2 on an explicit solution tree (de Bruin, Pijls and Plaat 1994, figure 4).
//!
//! *expand* builds a max solution tree with a value below γ if there is one; *diminish* turns the
//! tree in hand into one with a lower value. The game value is reached when diminish fails. The
//! printed code lost some primes: an expanded MAX node takes the maximum of its children's values,
//! a leaf in diminish keeps γ, and g is γ again where no brother succeeds.

use crate::{Children, Place, Search, Setting};
use plyground_core::limits::Stop;
use plyground_core::value::{Bounds, INFINITY, Value, Window};

/// A max solution tree: a node with what is below it.
struct Solution<S: Setting> {
    /// g, the value of the tree.
    g: Value,
    below: Below<S>,
}

enum Below<S: Setting> {
    Leaf,
    /// All children of a MAX node.
    Max(Vec<Solution<S>>),
    /// The single child of a MIN node in the tree.
    Min(Box<Single<S>>),
}

struct Single<S: Setting> {
    n: Place<S>,
    brothers: Children<S>,
    /// The child's number.
    number: usize,
    child: Solution<S>,
}

/// The value of the root for its mover, MAX.
pub(super) fn sss_2<S: Setting>(
    search: &mut Search<'_, S>,
    root: &Place<S>,
) -> Result<Value, Stop> {
    let mut builder = Builder { search, nodes: 0, root: None };
    builder.pass(root, INFINITY);
    let r = root.again();
    let mut t = builder.expand(r, INFINITY)?.expect("every value is below infinity");
    loop {
        let gamma = t.g;
        builder.search.learnt(Bounds { upper: gamma, ..Bounds::UNKNOWN });
        builder.pass(root, gamma);
        if !builder.diminish(&mut t, gamma)? {
            builder.best_at_root(&t);
            return Ok(gamma);
        }
    }
}

struct Builder<'s, 't, S: Setting> {
    search: &'s mut Search<'t, S>,
    /// In the solution tree T.
    nodes: u64,
    /// The root's children, once it is expanded.
    root: Option<Children<S>>,
}

impl<S: Setting> Builder<'_, '_, S> {
    fn pass(&mut self, root: &Place<S>, gamma: Value) {
        let window = Window::new(gamma - 1, gamma);
        self.search.pass(root, window);
    }

    /// A max solution tree below `n` with a value less than γ, if there is one.
    fn expand(&mut self, n: Place<S>, gamma: Value) -> Result<Option<Solution<S>>, Stop> {
        let max = n.ply.is_multiple_of(2);
        let Some(brothers) = self.search.expand(&n)? else {
            let v = self.search.leaf_once(&n)?;
            let g = if max { v } else { -v };
            return if g < gamma { self.attach(g, Below::Leaf).map(Some) } else { Ok(None) };
        };
        let window = Window::new(gamma - 1, gamma);
        self.search.enter(&n, if max { window } else { window.flip() });
        if max {
            let mut children = Vec::with_capacity(brothers.len());
            for number in 0..brothers.len() {
                let c = self.search.child(&n, &brothers, number);
                let Some(child) = self.expand(c, gamma)? else {
                    self.search.decide(&n, &brothers, number);
                    children.iter().for_each(|child| self.detach(child));
                    return Ok(None);
                };
                children.push(child);
            }
            if n.ply == 0 {
                self.root = Some(brothers);
            }
            return self.attach(greatest(&children), Below::Max(children)).map(Some);
        }
        let Some((number, child)) = self.first_below(&n, &brothers, 0, gamma)? else {
            return Ok(None);
        };
        let g = child.g;
        self.attach(g, Below::Min(Box::new(Single { n, brothers, number, child }))).map(Some)
    }

    /// The first child of the MIN node `n`, from number `from` on, with a value less than γ.
    fn first_below(
        &mut self,
        n: &Place<S>,
        brothers: &Children<S>,
        from: usize,
        gamma: Value,
    ) -> Result<Option<(usize, Solution<S>)>, Stop> {
        for number in from..brothers.len() {
            let c = self.search.child(n, brothers, number);
            if let Some(child) = self.expand(c, gamma)? {
                self.search.decide(n, brothers, number);
                return Ok(Some((number, child)));
            }
        }
        Ok(None)
    }

    /// Turns `t`, whose value is γ, into a tree with a lower value; `false` if there is none.
    fn diminish(&mut self, t: &mut Solution<S>, gamma: Value) -> Result<bool, Stop> {
        match &mut t.below {
            Below::Leaf => return Ok(false),
            Below::Max(children) => {
                for c in children.iter_mut().filter(|c| c.g == gamma) {
                    if !self.diminish(c, gamma)? {
                        return Ok(false);
                    }
                }
                t.g = greatest(children);
            }
            Below::Min(single) => {
                if !self.diminish(&mut single.child, gamma)? {
                    let from = single.number + 1;
                    let Some((number, child)) =
                        self.first_below(&single.n, &single.brothers, from, gamma)?
                    else {
                        return Ok(false);
                    };
                    self.detach(&single.child);
                    (single.number, single.child) = (number, child);
                }
                t.g = single.child.g;
            }
        }
        Ok(true)
    }

    fn attach(&mut self, g: Value, below: Below<S>) -> Result<Solution<S>, Stop> {
        self.nodes += 1;
        self.search.peak_stored = self.search.peak_stored.max(self.nodes);
        let bytes = self.nodes as usize * (size_of::<Solution<S>>() + size_of::<Single<S>>() / 2);
        self.search.holds(0, 0, bytes)?;
        Ok(Solution { g, below })
    }

    fn detach(&mut self, solution: &Solution<S>) {
        self.nodes -= 1;
        match &solution.below {
            Below::Leaf => {}
            Below::Max(children) => children.iter().for_each(|c| self.detach(c)),
            Below::Min(single) => self.detach(&single.child),
        }
    }

    /// The child that could not be diminished is the best.
    fn best_at_root(&mut self, t: &Solution<S>) {
        let (Below::Max(children), Some(brothers)) = (&t.below, &self.root) else { return };
        if let Some(best) = children.iter().position(|c| c.g == t.g) {
            self.search.best = Some(brothers.mv(best));
        }
    }
}

fn greatest<S: Setting>(children: &[Solution<S>]) -> Value {
    children.iter().map(|c| c.g).max().unwrap_or(-INFINITY)
}
