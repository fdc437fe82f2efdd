//! Probes: who watches a search.
//!
//! A search reports what it does to a probe. [`Unwatched`] is nothing at run time; [`Paths`] tells
//! the leaves of different paths apart and counts them; [`Story`] writes everything down, for traces
//! and drawings.

use plyground_core::tree::{PathTree, ROOT};
use plyground_core::value::{Bounds, Value, Window};

/// Watches a search. A mark is the probe's own name for a path from the root.
pub trait Probe: Send {
    /// What the probe knows a node by.
    type Mark: Copy + Send;
    /// Does it listen to [`tell`](Probe::tell)? An algorithm then takes every step singly.
    const LISTENS: bool = false;
    /// Does it watch at all?
    const WATCHES: bool = true;
    /// Is the search's time of interest while it watches? If not, a search need not have code of its
    /// own that leaves out every memory function.
    const TIMED: bool = false;
    /// The mark of the root.
    fn root(&mut self) -> Self::Mark;
    /// The mark of child `index` of `width`.
    fn below(&mut self, parent: Self::Mark, index: usize, width: usize) -> Self::Mark;
    /// An interior node is expanded.
    fn interior(&mut self, at: Self::Mark);
    /// A leaf is evaluated; `value` is from MAX's view.
    fn leaf(&mut self, at: Self::Mark, value: Value);
    /// Something happens that only a story wants to know.
    fn tell(&mut self, at: Self::Mark, event: impl FnOnce() -> Event<Self::Mark>);
    /// An iteration is over: what is seen from now on is seen for the first time.
    fn next_iteration(&mut self);
    /// In a parallel search, this process reports from now on; 0 is the search itself.
    #[inline]
    fn set_speaker(&mut self, _process: u32) {}
    /// A probe of the same kind that has seen nothing.
    fn blank(&self) -> Self;
    /// Distinct leaves and distinct interior nodes, if this probe tells them apart, summed over
    /// iterations.
    fn distinct(&self) -> Option<Distinct>;
}

/// Nodes counted by their paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Distinct {
    /// Leaves evaluated at least once: the papers' NBP, the number of bottom positions.
    pub leaves: u64,
    /// Interior nodes expanded at least once.
    pub interior: u64,
}

/// The status of a state on OPEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Not yet searched.
    Live,
    /// Searched: its merit is what it contributes.
    Solved,
}

/// A step of a search, in the papers' words. Values are from MAX's view.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<Mark> {
    /// A driver calls the search below the root once more.
    Pass {
        /// with this window
        window: Window,
    },
    /// A depth-first search enters a node.
    Enter {
        /// with this window
        window: Window,
    },
    /// Scout asks whether a node is worth more (or, for MIN, less) than a value.
    Test {
        /// the value asked about
        than: Value,
    },
    /// The stored bounds answer for the node.
    Answered {
        /// f⁻ and f⁺
        bounds: Bounds,
    },
    /// The node's bounds are stored.
    Stored {
        /// f⁻ and f⁺
        bounds: Bounds,
    },
    /// A depth-first search leaves a node.
    Leave {
        /// with this value
        value: Value,
    },
    /// The first state of OPEN is taken.
    Taken {
        /// the state
        state: OpenState<Mark>,
        /// what the operator does with it
        action: &'static str,
    },
    /// A resumed MAX node pushes its next partition.
    Resumed {
        /// the merit of the new states
        merit: Value,
    },
    /// A node is set aside or taken up again for want of memory.
    Activity {
        /// INACTIVE to ACTIVE (`true`) or the reverse
        active: bool,
    },
    /// In a parallel search, this process goes on.
    Turn {
        /// its number, from 1
        process: u32,
    },
    /// In a simulated parallel search, time goes on.
    Tick {
        /// terminal counts, this one included
        count: u64,
    },
    /// A process is given what is below a node.
    Spawned {
        /// its number
        process: u32,
        /// how many children of the node it takes, and which is the first
        children: (usize, usize),
    },
    /// A process is no longer needed.
    Killed {
        /// its number
        process: u32,
    },
    /// The process has nothing to do until others come on.
    Waits,
    /// The whole of OPEN after a step, best first.
    Open {
        /// node (or the child of it with a number), status, merit
        states: Vec<OpenState<Mark>>,
    },
}

/// A state on OPEN as a story shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpenState<Mark> {
    /// The node, or the parent of the node.
    pub mark: Mark,
    /// Which child of `mark`, if it is not `mark` itself.
    pub child: Option<usize>,
    /// LIVE or SOLVED
    pub status: Status,
    /// h, the merit
    pub merit: Value,
    /// Only false for a node that ITERSSS* has set aside.
    pub active: bool,
}

/// Nobody watches: this probe compiles to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Probe for Unwatched {
    type Mark = ();
    const WATCHES: bool = false;
    const TIMED: bool = true;
    #[inline(always)]
    fn root(&mut self) {}
    #[inline(always)]
    fn below(&mut self, (): (), _: usize, _: usize) {}
    #[inline(always)]
    fn interior(&mut self, (): ()) {}
    #[inline(always)]
    fn leaf(&mut self, (): (), _: Value) {}
    #[inline(always)]
    fn tell(&mut self, (): (), _: impl FnOnce() -> Event<()>) {}
    fn next_iteration(&mut self) {}
    fn blank(&self) -> Unwatched {
        Unwatched
    }
    fn distinct(&self) -> Option<Distinct> {
        None
    }
}

/// Tells paths apart and counts them.
#[derive(Clone, Debug)]
pub struct Paths {
    seen: PathTree<bool>,
    distinct: Distinct,
}

impl Default for Paths {
    fn default() -> Self {
        Paths { seen: PathTree::new(), distinct: Distinct::default() }
    }
}

impl Paths {
    /// A probe that has seen nothing yet.
    pub fn new() -> Paths {
        Paths::default()
    }

    /// Is this the first time?
    #[inline]
    fn first_time(&mut self, at: u32) -> bool {
        !std::mem::replace(self.seen.get_mut(at), true)
    }
}

impl Probe for Paths {
    type Mark = u32;

    fn root(&mut self) -> u32 {
        ROOT
    }

    #[inline]
    fn below(&mut self, parent: u32, index: usize, width: usize) -> u32 {
        self.seen.below(parent, index, width)
    }

    #[inline]
    fn interior(&mut self, at: u32) {
        if self.first_time(at) {
            self.distinct.interior += 1;
        }
    }

    #[inline]
    fn leaf(&mut self, at: u32, _: Value) {
        if self.first_time(at) {
            self.distinct.leaves += 1;
        }
    }

    #[inline(always)]
    fn tell(&mut self, _: u32, _: impl FnOnce() -> Event<u32>) {}

    fn next_iteration(&mut self) {
        self.seen.data_mut().for_each(|seen| *seen = false);
    }

    fn blank(&self) -> Paths {
        Paths::new()
    }

    fn distinct(&self) -> Option<Distinct> {
        Some(self.distinct)
    }
}

/// Writes down everything that happens.
#[derive(Clone, Debug, Default)]
pub struct Story {
    paths: Paths,
    /// Whether events are kept besides the leaves.
    detailed: bool,
    visited: Vec<(u32, Value)>,
    chapters: Vec<(u32, Chapter)>,
}

/// One entry of a [`Story`].
#[derive(Clone, Debug, PartialEq)]
pub enum Chapter {
    /// A leaf was evaluated.
    Leaf(Value),
    /// Something else happened.
    Event(Event<u32>),
}

impl Story {
    /// A story of the leaves alone, in the order of their first visits.
    pub fn of_leaves() -> Story {
        Story::default()
    }

    /// A story with every step.
    pub fn of_everything() -> Story {
        Story { detailed: true, ..Story::default() }
    }

    /// The leaves in the order of first visit: the child numbers that lead there, and the value
    /// from MAX's view.
    pub fn visited(&self) -> impl Iterator<Item = (Vec<usize>, Value)> + '_ {
        self.visited.iter().map(|&(at, value)| (self.steps(at), value))
    }

    /// Everything that happened, in order.
    pub fn chapters(&self) -> impl Iterator<Item = (Vec<usize>, &Chapter)> + '_ {
        self.chapters.iter().map(|(at, chapter)| (self.steps(*at), chapter))
    }

    /// The child numbers that lead to a mark.
    pub fn steps(&self, mark: u32) -> Vec<usize> {
        self.paths.seen.steps(mark)
    }
}

impl Probe for Story {
    type Mark = u32;
    const LISTENS: bool = true;

    fn root(&mut self) -> u32 {
        ROOT
    }

    fn below(&mut self, parent: u32, index: usize, width: usize) -> u32 {
        self.paths.below(parent, index, width)
    }

    fn interior(&mut self, at: u32) {
        self.paths.interior(at);
    }

    fn leaf(&mut self, at: u32, value: Value) {
        if self.paths.first_time(at) {
            self.paths.distinct.leaves += 1;
            self.visited.push((at, value));
        }
        if self.detailed {
            self.chapters.push((at, Chapter::Leaf(value)));
        }
    }

    fn tell(&mut self, at: u32, event: impl FnOnce() -> Event<u32>) {
        if self.detailed {
            self.chapters.push((at, Chapter::Event(event())));
        }
    }

    fn next_iteration(&mut self) {
        self.paths.next_iteration();
    }

    fn blank(&self) -> Story {
        Story { detailed: self.detailed, ..Story::default() }
    }

    fn distinct(&self) -> Option<Distinct> {
        self.paths.distinct()
    }
}
