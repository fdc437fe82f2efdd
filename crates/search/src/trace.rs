//! Watching a search: every step as an event, for traces, drawings and pages.
//!
//! A search that is watched reports every step to a [`Watch`]. [`Trace`] is a watch that records
//! them. A node is known by the number of its path; the root's is 0.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use plyground_core::value::{Bounds, Value, Window};

/// Receives every step of a search. Values are from MAX's view; `process` is the number of the
/// process that took the step in a parallel search, and 0 in a serial one.
pub trait Watch: Send {
    /// The `width` children of the path `parent` have got numbers, from `first` on.
    fn children(&mut self, parent: u32, first: u32, width: usize);
    /// The node at the path `at` was expanded: counted as a visit that is no leaf. A watch that does
    /// not count may ignore it.
    fn expanded(&mut self, _at: u32) {}
    /// The leaf at the path `at` was evaluated, for the first time or again.
    fn leaf(&mut self, process: u32, at: u32, value: Value, first_time: bool);
    /// Any other step at the path `at`.
    fn event(&mut self, process: u32, at: u32, event: Event);
}

/// The handle through which a search reaches its [`Watch`]. All threads of a search share one.
pub type Watcher = Arc<Mutex<dyn Watch>>;

/// The status of a state on OPEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenStatus {
    /// Not yet searched.
    Live,
    /// Searched: its merit is what it contributes.
    Solved,
}

/// A step of a search, in the papers' words. Values are from MAX's view.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A leaf is evaluated.
    Evaluated {
        /// Its value.
        value: Value,
    },
    /// A node above the leaves is judged at first sight.
    Judged {
        /// What it seems to be worth.
        value: Value,
    },
    /// A proof search asks whether the root is worth so much.
    Question {
        /// The value that it asks about.
        at_least: Value,
    },
    /// A best-first search has chosen the node to expand.
    Chosen {
        /// Why it is this one.
        why: &'static str,
    },
    /// A node has new proof and disproof numbers.
    Proof {
        /// The least number of leaves that would prove it, as far as is known; `None` for ∞.
        proof: Option<u32>,
        /// The least number of leaves that would disprove it; `None` for ∞.
        disproof: Option<u32>,
    },
    /// The value that a best-first search backs up to a node.
    Backed {
        /// The value.
        value: Value,
        /// How many times the node has been visited.
        visits: u64,
    },
    /// With deepening, the search begins anew from the root, to another depth.
    Iteration {
        /// The depth.
        depth: u32,
    },
    /// A driver calls the search below the root once more.
    Pass {
        /// The window of the call.
        window: Window,
    },
    /// A depth-first search enters a node.
    Enter {
        /// The window of the search.
        window: Window,
    },
    /// Scout tests whether a node is worth more (or, for MIN, less) than a value.
    Test {
        /// The value that the node is compared with.
        than: Value,
    },
    /// The stored bounds answer for the node.
    Answered {
        /// f⁻ and f⁺.
        bounds: Bounds,
    },
    /// The node's bounds are stored.
    Stored {
        /// f⁻ and f⁺.
        bounds: Bounds,
    },
    /// A depth-first search leaves a node.
    Leave {
        /// The value that it returns.
        value: Value,
    },
    /// The first state of OPEN is taken.
    Taken {
        /// The state.
        state: OpenState,
        /// What the operator does with it.
        action: &'static str,
    },
    /// A resumed MAX node pushes its next partition.
    Resumed {
        /// The merit of the new states.
        merit: Value,
    },
    /// A node becomes INACTIVE for want of memory, or ACTIVE again.
    Activity {
        /// `true` for INACTIVE to ACTIVE, `false` for the reverse.
        active: bool,
    },
    /// In a parallel search, another process takes the next steps.
    Turn {
        /// Its number, from 1.
        process: u32,
    },
    /// In a simulated parallel search, the next tick begins.
    Tick {
        /// The number of terminal counts, this one included.
        count: u64,
    },
    /// A new process takes over some children of a node.
    Spawned {
        /// Its number.
        process: u32,
        /// How many children it takes, and the number of the first.
        children: (usize, usize),
    },
    /// A process is killed: its work is no longer needed.
    Killed {
        /// Its number.
        process: u32,
    },
    /// The process waits for others.
    Waits,
    /// The whole of OPEN after a step, best first.
    Open {
        /// Its states.
        states: Vec<OpenState>,
    },
}

/// A state on OPEN as a trace shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpenState {
    /// The path of the node, or of the node's parent.
    pub path: u32,
    /// Which child of `path`, if it is not `path` itself.
    pub child: Option<usize>,
    /// LIVE or SOLVED.
    pub status: OpenStatus,
    /// h, the merit: the most that the node can contribute.
    pub merit: Value,
    /// `false` only for a node that ITERSSS* has made INACTIVE.
    pub active: bool,
}

/// A watch that records the steps of a search. Clones share one record.
///
/// ```
/// use plyground_core::tree::Explicit;
/// use plyground_search::{SearchSpec, Trace, Workspace, search_in};
///
/// let tree: Explicit = "((3 12 8) (2 4 6) (14 5 2))".parse()?;
/// let trace = Trace::of_leaves();
/// let spec = SearchSpec::new(&"alpha-beta".parse()?, 2);
/// search_in(&mut Workspace::new(), &tree, &spec, Some(trace.watcher()))?;
/// let visited: Vec<_> = trace.read().visited().map(|(steps, _)| steps).collect();
/// assert_eq!(visited, [[0, 0], [0, 1], [0, 2], [1, 0], [2, 0], [2, 1], [2, 2]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trace(Arc<Mutex<TraceLog>>);

/// What a [`Trace`] has recorded.
#[derive(Debug)]
pub struct TraceLog {
    /// Are events recorded besides the first visits of leaves?
    detailed: bool,
    /// For every path its parent, and which child of the parent it is.
    paths: Vec<(u32, u32)>,
    visited: Vec<(u32, Value)>,
    events: Vec<(u32, Event)>,
    /// The process of the last event.
    process: u32,
}

impl Trace {
    /// A trace of nothing but the leaves, in the order of their first visits.
    pub fn of_leaves() -> Trace {
        Trace::new(false)
    }

    /// A trace of every step.
    pub fn of_everything() -> Trace {
        Trace::new(true)
    }

    fn new(detailed: bool) -> Trace {
        let (paths, visited, events) = (vec![(0, 0)], Vec::new(), Vec::new());
        Trace(Arc::new(Mutex::new(TraceLog { detailed, paths, visited, events, process: 0 })))
    }

    /// The handle to give to a search.
    pub fn watcher(&self) -> Watcher {
        Arc::clone(&self.0) as Watcher
    }

    /// What has been recorded so far. A search that is still running waits while this is held.
    pub fn read(&self) -> MutexGuard<'_, TraceLog> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TraceLog {
    /// The leaves in the order of their first visits: the child numbers that lead there, and the
    /// value from MAX's view.
    pub fn visited(&self) -> impl Iterator<Item = (Vec<usize>, Value)> + '_ {
        self.visited.iter().map(|&(at, value)| (self.steps(at), value))
    }

    /// All events in order, each with the child numbers that lead to its node.
    pub fn events(&self) -> impl Iterator<Item = (Vec<usize>, &Event)> + '_ {
        self.events.iter().map(|(at, event)| (self.steps(*at), event))
    }

    /// The child numbers that lead to a path.
    pub fn steps(&self, mut path: u32) -> Vec<usize> {
        let mut steps = Vec::new();
        while let (true, Some(&(parent, child))) = (path != 0, self.paths.get(path as usize)) {
            steps.push(child as usize);
            path = parent;
        }
        steps.reverse();
        steps
    }

    fn record(&mut self, process: u32, at: u32, event: Event) {
        if std::mem::replace(&mut self.process, process) != process && process > 0 {
            self.events.push((0, Event::Turn { process }));
        }
        self.events.push((at, event));
    }
}

impl Watch for TraceLog {
    fn children(&mut self, parent: u32, first: u32, width: usize) {
        // Threads may report their paths in another order than the paths were numbered in.
        let end = first as usize + width;
        if self.paths.len() < end {
            self.paths.resize(end, (0, 0));
        }
        for child in 0..width {
            self.paths[first as usize + child] = (parent, child as u32);
        }
    }

    fn leaf(&mut self, process: u32, at: u32, value: Value, first_time: bool) {
        if first_time {
            self.visited.push((at, value));
        }
        if self.detailed {
            self.record(process, at, Event::Evaluated { value });
        }
    }

    fn event(&mut self, process: u32, at: u32, event: Event) {
        if self.detailed {
            self.record(process, at, event);
        }
    }
}
