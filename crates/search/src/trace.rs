//! Watching a search: every step as an event, for traces, drawings and pages.
//!
//! A search that is watched tells everything it does to a [`Watch`]. [`Trace`] is the one that writes
//! it all down. A node is known by the number of its path; the root's is 0.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use plyground_core::value::{Bounds, Value, Window};

/// Hears of everything that a search does. Values are from MAX's view.
pub trait Watch: Send {
    /// The children of the path `parent` have got numbers: `width` of them, from `first` on.
    fn children(&mut self, parent: u32, first: u32, width: usize);
    /// A leaf was evaluated by `process` (0 is the search itself), for the first time or again.
    fn leaf(&mut self, process: u32, at: u32, value: Value, first_time: bool);
    /// Something else happened.
    fn event(&mut self, process: u32, at: u32, event: Event);
}

/// The handle by which a search reaches its watch. All threads of a search share one.
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
        /// with this value
        value: Value,
    },
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
        state: OpenState,
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
    /// LIVE or SOLVED
    pub status: OpenStatus,
    /// h, the merit
    pub merit: Value,
    /// Only false for a node that ITERSSS* has set aside.
    pub active: bool,
}

/// Writes down what happens.
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

/// What a [`Trace`] has written down.
#[derive(Debug)]
pub struct TraceLog {
    /// Whether events are kept besides the first visits of leaves.
    detailed: bool,
    /// Of every path its parent and which child it is.
    paths: Vec<(u32, u32)>,
    visited: Vec<(u32, Value)>,
    events: Vec<(u32, Event)>,
    /// The process that was heard of last.
    process: u32,
}

impl Trace {
    /// A trace of the leaves alone, in the order of their first visits.
    pub fn of_leaves() -> Trace {
        Trace::new(false)
    }

    /// A trace with every step.
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

    /// What has been written down so far.
    pub fn read(&self) -> MutexGuard<'_, TraceLog> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TraceLog {
    /// The leaves in the order of first visit: the child numbers that lead there, and the value from
    /// MAX's view.
    pub fn visited(&self) -> impl Iterator<Item = (Vec<usize>, Value)> + '_ {
        self.visited.iter().map(|&(at, value)| (self.steps(at), value))
    }

    /// Everything that happened, in order: where, and what.
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

    fn hear(&mut self, process: u32, at: u32, event: Event) {
        if std::mem::replace(&mut self.process, process) != process && process > 0 {
            self.events.push((0, Event::Turn { process }));
        }
        self.events.push((at, event));
    }
}

impl Watch for TraceLog {
    fn children(&mut self, parent: u32, first: u32, width: usize) {
        // Threads may tell of their paths in another order than the paths were numbered in.
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
            self.hear(process, at, Event::Evaluated { value });
        }
    }

    fn event(&mut self, process: u32, at: u32, event: Event) {
        if self.detailed {
            self.hear(process, at, event);
        }
    }
}
