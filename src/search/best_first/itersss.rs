//! ITERSSS*(M): SSS* in M entries of memory (Bhattacharya and Bagchi 1986; 1990, section 5, with one
//! process).
//!
//! SSS*, but a node whose children do not fit is set aside: it becomes INACTIVE. OPEN's first state
//! is the best ACTIVE one. When a MIN node x, a child of x′, is SOLVED, all states below x′ with no
//! more merit are dropped; if INACTIVE ones with more merit remain, the deepest becomes ACTIVE again
//! and x goes back on OPEN, else x′ is SOLVED.
//!
//! As printed it can lock up on trees of varying shape. Mended: a LIVE MAX node is tested like the
//! MIN node before it and may be set aside too; a node that was taken up again, and the first child
//! it leads to, expands without the test; where no state is ACTIVE, the deepest INACTIVE one (ties
//! leftmost) is taken up. M may then be exceeded by a few entries, which is only done where M is
//! enough by the paper's formula, M ≥ ⌈d/2⌉(b - 1) + 1; with less the memory is locked, and that is
//! said.

use super::contest::{NOTHING, State};
use super::solution_tree::{BlockId, Min, SolutionTree, TOP};
use super::teller::{Side, Teller};
use crate::limits::Stop;
use crate::search::{Children, Event, MemoryLock, Place, Search, Setting};
use crate::value::{Bounds, INFINITY, Value};

const TELLER: Teller = Teller::of(Side::Max);

/// The value of the root for its mover.
pub(super) fn itersss<S: Setting>(
    search: &mut Search<'_, S>,
    root: &Place<S>,
    entries: usize,
) -> Result<Value, Stop> {
    let Some(brothers) = search.generate(root) else { return search.leaf_once(root) };
    search.holds(1, 0, 0)?;
    let n = root.again();
    let mut iter = IterSss {
        search,
        tree: SolutionTree::new(None),
        entries: entries as u64,
        widest: 0,
        path: vec![TOP],
    };
    let result = iter.start(n, brothers).and_then(|()| iter.run());
    if result.is_err()
        && let State::Expanded(root) = iter.tree.block(TOP).state(0)
    {
        let upper = iter.tree.upper_bound(root, -INFINITY);
        iter.search.learnt(Bounds { upper, ..Bounds::UNKNOWN });
    }
    result
}

struct IterSss<'s, 't, S: Setting> {
    search: &'s mut Search<'t, S>,
    tree: SolutionTree<S>,
    /// M
    entries: u64,
    /// The most children of a MAX node met so far: b.
    widest: usize,
    /// The blocks from the top down to the one in hand.
    path: Vec<BlockId>,
}

impl<S: Setting> IterSss<'_, '_, S> {
    fn start(&mut self, root: Place<S>, brothers: Children<S>) -> Result<(), Stop> {
        if !self.fits(brothers.len()) && !self.may_exceed() {
            return self.locked();
        }
        self.expand_max(TOP, 0, (root, brothers), INFINITY)
    }

    fn run(&mut self) -> Result<Value, Stop> {
        let mut h = INFINITY;
        loop {
            let block = self.path[self.path.len() - 1];
            let b = self.tree.block_mut(block);
            let (best, merit) = b.best();
            // As for PS*: the lowest block that holds the best state of all.
            if merit != h {
                if block != TOP {
                    self.tree.report_up(block, merit);
                    self.path.pop();
                    continue;
                }
                h = merit;
                if h == NOTHING {
                    self.break_deadlock()?;
                    continue;
                }
            }
            if let Some(slot) = best
                && let State::Expanded(below) = b.state(slot)
            {
                self.path.push(below);
                continue;
            }
            self.tell_open();
            let Some(slot) = best else {
                self.live_min(block)?;
                continue;
            };
            match self.tree.block(block).state(slot) {
                State::SolvedMax => self.solved_max(block, slot)?,
                State::SolvedMin if block == TOP => {
                    TELLER.solved_root(self.search, h);
                    return Ok(h);
                }
                State::SolvedMin => self.solved_min(block, slot),
                State::LiveMin(_) => self.expand_min_again(block, slot)?,
                State::LiveMax(_) => self.expand_max_again(block, slot)?,
                State::Gone | State::Expanded(_) => {
                    unreachable!("a state that has left OPEN is never the best")
                }
            }
        }
    }

    /// Do `sons` entries fit in the place of the state in hand?
    fn fits(&mut self, sons: usize) -> bool {
        self.widest = self.widest.max(sons);
        self.tree.open - 1 + sons as u64 <= self.entries
    }

    /// ⌈d/2⌉(b - 1) + 1
    fn enough(&self) -> u64 {
        u64::from(self.search.depth.div_ceil(2)) * (self.widest as u64 - 1) + 1
    }

    fn may_exceed(&self) -> bool {
        self.entries >= self.enough()
    }

    fn locked(&mut self) -> Result<(), Stop> {
        self.search.lock = Some(MemoryLock {
            entries: self.entries,
            held: self.tree.open,
            inactive: self.tree.inactive(TOP),
            width: self.widest as u64,
            depth: self.search.depth,
            least: self.enough(),
        });
        Err(Stop::Locked)
    }

    fn live_min(&mut self, block: BlockId) -> Result<(), Stop> {
        let b = self.tree.block(block);
        let h = b.high;
        let (Some((max, brothers)), Some(child)) = (&b.max, b.fresh_child()) else { return Ok(()) };
        let n = self.search.child(max, brothers, child);
        let Some(brothers) = self.search.generate(&n) else {
            TELLER.live(self.search, &n, h, "evaluate");
            let v = -self.search.leaf_once(&n)?;
            self.tree.block_mut(block).open_leaf(v.min(h));
            return Ok(());
        };
        let first = self.search.child(&n, &brothers, 0);
        let sons = self.search.generate(&first);
        if self.is_too_wide(sons.as_ref()) {
            self.search.tell(n.mark, || Event::Activity { active: false });
            let min = Min::new(n, brothers);
            self.tree.block_mut(block).open_slot(State::LiveMin(h), NOTHING, min);
            return Ok(());
        }
        TELLER.live(self.search, &n, h, "push its first child");
        self.search.count_expansion(&n)?;
        let min = Min::new(n, brothers);
        let slot = self.tree.block_mut(block).open_slot(State::SolvedMax, h, min);
        self.live_max(block, slot, first, sons, h)
    }

    fn is_too_wide(&mut self, sons: Option<&Children<S>>) -> bool {
        sons.is_some_and(|sons| !self.fits(sons.len()))
    }

    /// The MAX node `n` at a slot: a leaf, or expanded without a test.
    fn live_max(
        &mut self,
        block: BlockId,
        slot: usize,
        n: Place<S>,
        sons: Option<Children<S>>,
        h: Value,
    ) -> Result<(), Stop> {
        if let Some(sons) = sons {
            return self.expand_max(block, slot, (n, sons), h);
        }
        TELLER.live(self.search, &n, h, "evaluate");
        let s = self.search.leaf_once(&n)?.min(h);
        let b = self.tree.block_mut(block);
        if s < h
            && let Some(min) = b.min_mut(slot)
        {
            min.answer = min.brother;
        }
        b.set(slot, State::SolvedMax, s);
        Ok(())
    }

    fn expand_max(
        &mut self,
        block: BlockId,
        slot: usize,
        max: (Place<S>, Children<S>),
        h: Value,
    ) -> Result<(), Stop> {
        TELLER.live(self.search, &max.0, h, "push its children");
        self.search.count_expansion(&max.0)?;
        let size = max.1.len();
        let below = self.tree.push(block, slot, max, h, size);
        self.path.push(below);
        self.search.holds(self.tree.open, 0, self.tree.bytes())
    }

    fn solved_max(&mut self, block: BlockId, slot: usize) -> Result<(), Stop> {
        let b = self.tree.block_mut(block);
        let h = b.merit(slot);
        let Some(min) = b.min_mut(slot) else {
            // The root: the MIN node that stands above it is SOLVED too.
            b.set(slot, State::SolvedMin, h);
            return Ok(());
        };
        let goes_on = min.brother + 1 < min.brothers.len();
        TELLER.solved_max(self.search, min, h, goes_on);
        if !goes_on {
            b.set(slot, State::SolvedMin, h);
            return Ok(());
        }
        min.brother += 1;
        let next = self.search.child(&min.n, &min.brothers, min.brother);
        let sons = self.search.generate(&next);
        if self.is_too_wide(sons.as_ref()) {
            self.search.tell(next.mark, || Event::Activity { active: false });
            self.tree.set_aside(block, slot, State::LiveMax(h));
            return Ok(());
        }
        self.live_max(block, slot, next, sons, h)
    }

    fn solved_min(&mut self, block: BlockId, slot: usize) {
        let b = self.tree.block(block);
        let h = b.merit(slot);
        if let Some((max, _)) = &b.max {
            let action = "drop what has no more merit below its parent";
            TELLER.solved_min(self.search, max, b.child_of(slot), h, action);
        }
        if let (2, Some((_, brothers))) = (self.path.len(), &b.max) {
            self.search.best = Some(brothers.mv(b.child_of(slot)));
            self.search.learnt(Bounds { lower: h, ..Bounds::UNKNOWN });
        }
        self.tree.drop_no_better(block, Some(slot), h);
        match self.tree.deepest_inactive(block) {
            None => {
                let b = self.tree.block(block);
                if let Some((max, brothers)) = &b.max {
                    self.search.decide(max, brothers, b.child_of(slot));
                }
                self.tree.learn(block, self.search);
                self.tree.solve(block, h);
                self.path.pop();
            }
            Some((y, slot)) => self.reactivate(y, slot),
        }
    }

    fn reactivate(&mut self, block: BlockId, slot: usize) {
        if let Some(min) = self.tree.block(block).min(slot) {
            self.search.tell(min.n.mark, || Event::Activity { active: true });
        }
        self.tree.take_up(block, slot);
        self.tree.report_up_to_top(block);
        self.path.truncate(1);
    }

    /// A MIN node that was set aside is the best again.
    fn expand_min_again(&mut self, block: BlockId, slot: usize) -> Result<(), Stop> {
        if let Some(min) = self.tree.block(block).min(slot) {
            self.search.count_expansion(&min.n)?;
        }
        self.expand_max_again(block, slot)
    }

    /// The child of a MIN node that was set aside, or that led to setting it aside: it expands
    /// without the test, if M is enough by the formula.
    fn expand_max_again(&mut self, block: BlockId, slot: usize) -> Result<(), Stop> {
        let b = self.tree.block(block);
        let h = b.merit(slot);
        let min = b.min(slot).expect("only interior MIN nodes are set aside");
        let n = self.search.child(&min.n, &min.brothers, min.brother);
        let sons = self.search.generate(&n);
        if self.is_too_wide(sons.as_ref()) && !self.may_exceed() {
            return self.locked();
        }
        self.live_max(block, slot, n, sons, h)
    }

    /// With no ACTIVE state left, takes up the deepest INACTIVE one.
    fn break_deadlock(&mut self) -> Result<(), Stop> {
        match self.tree.deepest_inactive(TOP) {
            Some((block, slot)) if self.may_exceed() => {
                self.reactivate(block, slot);
                Ok(())
            }
            _ => self.locked(),
        }
    }

    fn tell_open(&mut self) {
        use crate::search::Probe;
        let (tree, root) = (&self.tree, self.search.probe.root());
        self.search.tell(root, || tree.listed(root));
    }
}
