//! SSS-2 on an explicit solution tree (de Bruin, Pijls and Plaat 1994, figure 4).
//!
//! *expand* builds a max solution tree with a value below γ if there is one; *diminish* turns the
//! current tree into one with a lower value. The game value is reached when diminish fails. The
//! printed code lost some primes: an expanded MAX node takes the maximum of its children's values,
//! a leaf in diminish keeps γ, and g is γ again where no sibling succeeds.

use crate::prelude::*;

/// SSS-2 with expand and diminish on an explicit solution tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sss2Tree;

impl SearchAlgorithm for Sss2Tree {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "sss-2-tree",
        usage: "sss-2-tree",
        name: "SSS-2 (solution tree)",
        about: "expand and diminish on an explicit max solution tree",
        paper: "de Bruin, Pijls and Plaat 1994, figure 4",
        examples: &["sss-2-tree"],
        revisits: false,
        ..CatalogueEntry::SERIAL
    };

    fn parse(_: &mut Parameters<'_>) -> Result<Sss2Tree, String> {
        Ok(Sss2Tree)
    }

    fn run<T: GameTree, M: Mode>(
        &self,
        search: &mut Search<'_, T, M>,
        root: &SearchNode<T, M>,
    ) -> Result<Option<Value>, Stop> {
        sss_2(search, root).map(Some)
    }
}

/// A max solution tree: a node with what is below it.
struct Solution<T: GameTree, M: Mode> {
    /// g, the value of the tree.
    g: Value,
    below: Below<T, M>,
}

enum Below<T: GameTree, M: Mode> {
    Leaf,
    /// All children of a MAX node.
    Max(Vec<Solution<T, M>>),
    /// The single child of a MIN node in the tree.
    Min(Box<Single<T, M>>),
}

/// A child by its number, with its solution tree.
type Numbered<T, M> = (usize, Solution<T, M>);

struct Single<T: GameTree, M: Mode> {
    n: SearchNode<T, M>,
    siblings: Children<T, M>,
    /// The child's number.
    number: usize,
    child: Solution<T, M>,
}

/// The value of the root for its mover, MAX.
pub(super) fn sss_2<T: GameTree, M: Mode>(
    search: &mut Search<'_, T, M>,
    root: &SearchNode<T, M>,
) -> Result<Value, Stop> {
    let mut builder = Builder { search, nodes: 0, root: None };
    builder.pass(INFINITY);
    let r = root.clone();
    let mut t = builder.expand(r, INFINITY)?.expect("every value is below infinity");
    loop {
        let gamma = t.g;
        builder.search.narrow_root(Bounds { upper: gamma, ..Bounds::UNKNOWN });
        builder.pass(gamma);
        if !builder.diminish(&mut t, gamma)? {
            builder.best_at_root(&t);
            return Ok(gamma);
        }
    }
}

struct Builder<'s, 't, T: GameTree, M: Mode> {
    search: &'s mut Search<'t, T, M>,
    /// The number of nodes of the solution tree T.
    nodes: u64,
    /// The root's children, once it is expanded.
    root: Option<Children<T, M>>,
}

impl<T: GameTree, M: Mode> Builder<'_, '_, T, M> {
    fn pass(&mut self, gamma: Value) {
        let window = Window::new(gamma - 1, gamma);
        self.search.pass(window);
    }

    /// A max solution tree below `n` with a value less than γ, if there is one.
    fn expand(
        &mut self,
        n: SearchNode<T, M>,
        gamma: Value,
    ) -> Result<Option<Solution<T, M>>, Stop> {
        let max = n.ply.is_multiple_of(2);
        let Some(siblings) = self.search.expand(&n)? else {
            let v = self.search.leaf_once(&n)?;
            let g = if max { v } else { -v };
            return if g < gamma { self.attach(g, Below::Leaf).map(Some) } else { Ok(None) };
        };
        let window = Window::new(gamma - 1, gamma);
        self.search.enter(&n, if max { window } else { window.flip() });
        if max {
            let mut children = Vec::with_capacity(siblings.len());
            for number in 0..siblings.len() {
                let c = self.search.child(&n, &siblings, number);
                let Some(child) = self.expand(c, gamma)? else {
                    self.search.decide(&n, &siblings, number);
                    children.iter().for_each(|child| self.detach(child));
                    return Ok(None);
                };
                children.push(child);
            }
            if n.ply == 0 {
                self.root = Some(siblings);
            }
            return self.attach(greatest(&children), Below::Max(children)).map(Some);
        }
        let Some((number, child)) = self.first_below(&n, &siblings, 0, gamma)? else {
            return Ok(None);
        };
        let g = child.g;
        self.attach(g, Below::Min(Box::new(Single { n, siblings, number, child }))).map(Some)
    }

    /// The first child of the MIN node `n`, from number `from` on, with a value less than γ.
    fn first_below(
        &mut self,
        n: &SearchNode<T, M>,
        siblings: &Children<T, M>,
        from: usize,
        gamma: Value,
    ) -> Result<Option<Numbered<T, M>>, Stop> {
        for number in from..siblings.len() {
            let c = self.search.child(n, siblings, number);
            if let Some(child) = self.expand(c, gamma)? {
                self.search.decide(n, siblings, number);
                return Ok(Some((number, child)));
            }
        }
        Ok(None)
    }

    /// Turns `t`, whose value is γ, into a tree with a lower value; `false` if there is none.
    fn diminish(&mut self, t: &mut Solution<T, M>, gamma: Value) -> Result<bool, Stop> {
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
                        self.first_below(&single.n, &single.siblings, from, gamma)?
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

    fn attach(&mut self, g: Value, below: Below<T, M>) -> Result<Solution<T, M>, Stop> {
        self.nodes += 1;
        let peak = &mut self.search.tally.peak_stored;
        *peak = (*peak).max(self.nodes);
        let bytes =
            self.nodes as usize * (size_of::<Solution<T, M>>() + size_of::<Single<T, M>>() / 2);
        self.search.holds(0, 0, bytes)?;
        Ok(Solution { g, below })
    }

    fn detach(&mut self, solution: &Solution<T, M>) {
        self.nodes -= 1;
        match &solution.below {
            Below::Leaf => {}
            Below::Max(children) => children.iter().for_each(|c| self.detach(c)),
            Below::Min(single) => self.detach(&single.child),
        }
    }

    /// The child that could not be diminished is the best.
    fn best_at_root(&mut self, t: &Solution<T, M>) {
        let (Below::Max(children), Some(siblings)) = (&t.below, &self.root) else { return };
        if let Some(best) = children.iter().position(|c| c.g == t.g) {
            self.search.best = Some(siblings.mv(best));
        }
    }
}

fn greatest<T: GameTree, M: Mode>(children: &[Solution<T, M>]) -> Value {
    children.iter().map(|c| c.g).max().unwrap_or(-INFINITY)
}
