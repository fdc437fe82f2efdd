//! A process of PARSSS*, PARITERSSS* or parallel PS*: the operator on a local OPEN, one turn at a
//! time.
//!
//! What a process searches are some children of a MAX node: all of the root's, for the first one; one
//! MIN node, in PARSSS*; a partition. Its OPEN is a [`SolutionTree`], in which what it has given away
//! to others keeps its slot. The rules are those of PS* (see `best_first/phased.rs`) with what M
//! entries of memory ask for (ITERSSS*, see `parallel.rs`), and with this for the SOLVED MIN node x
//! with the parent i that stands first on OPEN: processes below i with no more merit than x are
//! killed; if others are left, x stays where it is and the process waits.
//!
//! A turn goes on until a LIVE leaf stands first on OPEN and no more leaves may be evaluated in it
//! (the leaf is put back), until the process must wait, or until it ends. A thread takes turns
//! without end, a simulation takes them in ticks.

use std::sync::Arc;

use super::minproc::{Desk, Minproc};
use super::{Job, Rules, TRACE};
use crate::best_first::frames::{FrameId, TOP};
use crate::best_first::sharing::Fresh;
use crate::best_first::solution_tree::SolutionTree;
use crate::best_first::winner_tree::{NOTHING, State};
use crate::parallel::team::Holds;
use crate::prelude::*;

/// Why a turn is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    /// A LIVE leaf stands first on OPEN, and no more may be evaluated.
    Leaf,
    /// Nothing can be done before others come on.
    Waits,
    /// The process is SOLVED, or was killed.
    Ended,
}

/// What a process needs to take a turn.
pub(super) struct Turn<'a, 't, T: GameTree, M: Mode> {
    pub(super) search: &'a mut Search<'t, T, M>,
    pub(super) minproc: &'a Minproc<Job<T, M>>,
    pub(super) rules: &'a Rules,
    /// How many leaves it may evaluate.
    pub(super) leaves: u64,
    /// Has anything been done?
    pub(super) changed: bool,
}

impl<T: GameTree, M: Mode> Turn<'_, '_, T, M> {
    pub(super) fn leaf(&mut self, n: &SearchNode<T, M>) -> Result<Value, Stop> {
        let before = self.search.tally.evaluations;
        let value = self.search.leaf_once(n)?;
        // What the table answers takes no time.
        self.leaves -= self.search.tally.evaluations - before;
        Ok(value)
    }
}

pub(super) struct Process<T: GameTree, M: Mode> {
    pub(super) desk: Arc<Desk>,
    pub(super) tree: SolutionTree<T, M>,
    /// The blocks from the top down to the one in hand, each with its effective low.
    pub(super) path: Vec<(FrameId, Value)>,
    /// The merit of the state in hand.
    pub(super) hi: Value,
    /// What others search below this one.
    pub(super) away: Vec<Away>,
    /// What stands at the desk as its h-value, and why, if the reason is not FIRST's choice.
    pub(super) published: Value,
    pub(super) witness: Option<Witness>,
    /// May there be something to give away? The blocks where LIVE MIN nodes may be.
    pub(super) unshared: bool,
    pub(super) fresh: Vec<Fresh>,
    /// How many of those there were when they were last looked through.
    pub(super) looked_through: usize,
    /// Where it waits: the processes below this block must come to this merit.
    pub(super) waits: Option<(FrameId, Value)>,
    /// The most children of a MAX node met so far: b.
    pub(super) widest: usize,
    /// The child, of those it searches, that is best so far.
    pub(super) best: usize,
    pub(super) held: Holds,
}

/// A state that another process works on.
pub(super) struct Away {
    pub(super) desk: Arc<Desk>,
    pub(super) block: FrameId,
    pub(super) slot: usize,
    /// Is it a partition, or a single MIN node?
    pub(super) partition: bool,
}

/// Why an h-value has not fallen with FIRST's choice.
pub(super) enum Witness {
    /// A process below has as much.
    Process(Arc<Desk>),
    /// A partition not yet begun may be worth as much: its block, and when that was pushed.
    Partition(FrameId, u64),
}

impl<T: GameTree, M: Mode> Process<T, M> {
    /// A process that begins with `job`.
    pub(super) fn new(
        job: Job<T, M>,
        turn: &mut Turn<'_, '_, T, M>,
    ) -> Result<Process<T, M>, Stop> {
        let Job { max, children, desk } = job;
        let (high, low) = (desk.h(), desk.low());
        let (first, n) = (desk.is_first(), children.len());
        let mut process = Process {
            tree: SolutionTree::new(None),
            path: vec![(TOP, low)],
            hi: high,
            away: Vec::new(),
            published: high,
            witness: None,
            unshared: false,
            fresh: Vec::new(),
            looked_through: 0,
            waits: None,
            widest: max.1.len(),
            best: children.start,
            held: Holds::default(),
            desk,
        };
        // The first process has just expanded its node, and all are in its first partition or left.
        let size = if first { turn.rules.partitions.size(n, 0) } else { n };
        if first {
            TRACE.live(turn.search, &max.0, high, "push its partition");
            if !process.fits(turn, n) && !process.may_exceed(turn) {
                return Err(process.locked(turn));
            }
            turn.search.count_expansion(&max.0, n)?;
        }
        let height = max.0.height;
        let below = process.tree.push_some(TOP, 0, max, children, high, size);
        process.enter(turn, below, height)?;
        Ok(process)
    }

    /// One turn.
    pub(super) fn run(&mut self, turn: &mut Turn<'_, '_, T, M>) -> Result<Pause, Stop> {
        self.waits = None;
        loop {
            if self.desk.is_disturbed() {
                if self.desk.is_killed() {
                    return Ok(Pause::Ended);
                }
                self.take_in(turn);
            }
            let (block, low) = self.path[self.path.len() - 1];
            let b = self.tree.frame_mut(block);
            let (best, merit) = b.best();
            if merit != self.hi {
                // As for PS*: the lowest block that holds the best state of all.
                if block != TOP {
                    self.tree.frames.report_up(block, merit);
                    self.path.pop();
                    continue;
                }
                self.hi = merit;
                self.look_at_low();
            }
            // Asked each time: one that has waited for this may be woken for another reason.
            if merit == NOTHING {
                if self.nothing_is_active(turn)? {
                    return Ok(Pause::Waits);
                }
                continue;
            }
            let x = best.map(|slot| (slot, self.tree.frame(block).state(slot)));
            if let Some((_, State::Expanded(below))) = x {
                self.descend(below);
                continue;
            }
            // x is FIRST's choice.
            self.publish(turn, merit);
            if turn.leaves == 0 && self.is_live_leaf(turn, block, x) {
                return Ok(Pause::Leaf);
            }
            if self.unshared && turn.minproc.free() > 0 {
                let slot = x.map_or_else(|| self.tree.frame(block).opened(), |(slot, _)| slot);
                if self.share(turn, Some((block, slot))) {
                    continue;
                }
            }
            self.emit_open(turn);
            match x {
                None => self.live_min(turn, block, None, low)?,
                Some((slot, State::LiveMin(_))) if self.tree.nodes(block).min(slot).is_none() => {
                    self.live_min(turn, block, Some(slot), low)?;
                }
                Some((slot, state @ (State::LiveMin(_) | State::LiveMax(_)))) => {
                    self.take_up_again(turn, block, slot, state, low)?;
                }
                Some((slot, State::SolvedMax)) => self.solved_max(turn, block, slot, low)?,
                Some((_, State::SolvedMin)) if block == TOP => {
                    self.solved(turn, merit);
                    return Ok(Pause::Ended);
                }
                Some((slot, State::SolvedMin | State::Returned(_))) => {
                    if self.solved_min(turn, block, slot)? {
                        return Ok(Pause::Waits);
                    }
                }
                Some((_, State::Gone | State::Away | State::Expanded(_))) => {
                    unreachable!("what has left OPEN is never the best")
                }
            }
            turn.changed = true;
        }
    }

    #[inline]
    pub(super) fn descend(&mut self, below: FrameId) {
        let low = self.path[self.path.len() - 1].1.max(self.tree.frame(below).low);
        self.path.push((below, low));
    }

    /// Whoever is above may have raised low.
    fn look_at_low(&mut self) {
        let low = self.desk.low();
        if low > self.path[0].1 {
            self.path[0].1 = low;
            self.away.iter().for_each(|away| away.desk.raise_low(low));
        }
    }

    /// Is x, the first of OPEN, a LIVE leaf? `None` stands for the next fresh child of `block`.
    fn is_live_leaf(
        &mut self,
        turn: &mut Turn<'_, '_, T, M>,
        block: FrameId,
        x: Option<(usize, State)>,
    ) -> bool {
        let (b, nodes) = (self.tree.frame(block), self.tree.nodes(block));
        let (parent, child) = match x {
            Some((slot, State::LiveMax(_))) => match nodes.min(slot) {
                Some(min) => ((&min.n, &min.children), min.child),
                None => return false,
            },
            Some((slot, State::LiveMin(_))) if nodes.min(slot).is_some() => return false,
            None | Some((_, State::LiveMin(_))) => {
                let slot = x.map_or(b.opened(), |(slot, _)| slot);
                match &nodes.max {
                    Some((max, children)) => ((max, children), b.child_of(slot)),
                    None => return false,
                }
            }
            Some(_) => return false,
        };
        let n = turn.search.child(parent.0, parent.1, child);
        turn.search.generate(&n).is_none()
    }

    /// Its node is SOLVED.
    fn solved(&mut self, turn: &mut Turn<'_, '_, T, M>, value: Value) {
        for away in self.away.drain(..) {
            turn.kill(&away.desk);
        }
        // Before the process above has the node again.
        self.leave(turn);
        if self.desk.is_first() {
            TRACE.solved_root(turn.search, value);
        }
        turn.minproc.solve(&self.desk, value, self.best as u32);
    }

    /// The search stops: what can the first process's node be worth at most?
    pub(super) fn upper_bound(&self) -> Value {
        let own = match self.tree.frame(TOP).state(0) {
            State::Expanded(root) => self.tree.frames.upper_bound(root, -INFINITY),
            _ => INFINITY,
        };
        self.away.iter().map(|away| away.desk.h()).fold(own, Value::max)
    }

    #[inline]
    fn emit_open(&mut self, turn: &mut Turn<'_, '_, T, M>) {
        if turn.search.is_watched() {
            let tree = &self.tree;
            turn.search.emit_at_root(|| tree.listed());
        }
    }
}
