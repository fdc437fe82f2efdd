//! The watch that records a search for the page, with what was counted at each step.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use plyground_core::limits::StopFlag;
use plyground_core::value::Value;
use plyground_search::{Event, OpenState, Watch, Watcher};

/// The most states of OPEN that are kept with one step.
const MOST_OPEN: usize = 200;

/// The most states of OPEN that are kept in all; after them a step keeps a few.
const OPEN_BUDGET: usize = 400_000;
const FEW_OPEN: usize = 20;

/// What was counted up to a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct StepCounts {
    pub(super) leaves: u64,
    pub(super) visits: u64,
    /// States on OPEN and nodes with stored bounds, now.
    pub(super) memory: u64,
}

/// OPEN after a step, as far as it is kept.
#[derive(Clone, Debug)]
pub(super) struct KeptOpen {
    /// The process whose list it is.
    pub(super) process: u32,
    pub(super) states: Vec<OpenState>,
    pub(super) all: usize,
}

/// A step of the search.
#[derive(Clone, Debug)]
pub(super) struct RecordedStep {
    pub(super) process: u32,
    /// The path of the node that it concerns.
    pub(super) at: u32,
    pub(super) event: Event,
    pub(super) counts: StepCounts,
    /// The lists that it changed: of its own process, and of those that it wakes.
    pub(super) open: Vec<KeptOpen>,
}

/// Everything that a search did.
pub(super) struct Recorder {
    /// For every path its parent, and which child of the parent it is.
    pub(super) paths: Vec<(u32, u32)>,
    /// For every path with known children the first of them, and how many there are.
    pub(super) children: HashMap<u32, (u32, usize)>,
    pub(super) steps: Vec<RecordedStep>,
    counts: StepCounts,
    /// The size of each process's OPEN, and the nodes with stored bounds.
    open: HashMap<u32, usize>,
    stored: HashSet<u32>,
    /// States of OPEN that are kept.
    kept: usize,
    most: usize,
    cut_short: bool,
    /// Raised when there are too many steps.
    full: Option<StopFlag>,
}

impl Recorder {
    pub(super) fn new(most: usize, full: Option<StopFlag>) -> Arc<Mutex<Recorder>> {
        Arc::new(Mutex::new(Recorder {
            paths: vec![(0, 0)],
            children: HashMap::new(),
            steps: Vec::new(),
            counts: StepCounts::default(),
            open: HashMap::new(),
            stored: HashSet::new(),
            kept: 0,
            most,
            cut_short: false,
            full,
        }))
    }

    pub(super) fn watcher(recorder: &Arc<Mutex<Recorder>>) -> Watcher {
        Arc::clone(recorder) as Watcher
    }

    pub(super) fn read(recorder: &Arc<Mutex<Recorder>>) -> MutexGuard<'_, Recorder> {
        recorder.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Had the search more steps than are kept?
    pub(super) fn is_cut_short(&self) -> bool {
        self.cut_short
    }

    /// The counts of the whole search. What was expanded last may have had no step of its own.
    pub(super) fn last_counts(&self) -> StepCounts {
        self.counts
    }

    /// The path of a state on OPEN; that of its parent if it has no number yet.
    pub(super) fn path_of(&self, state: &OpenState) -> u32 {
        let Some(child) = state.child else { return state.path };
        match self.children.get(&state.path) {
            Some(&(first, width)) if child < width => first + child as u32,
            _ => state.path,
        }
    }

    /// Sets the last step's counts to those of now.
    fn refresh(&mut self) {
        self.counts.memory = (self.open.values().sum::<usize>() + self.stored.len()) as u64;
        if let Some(last) = self.steps.last_mut() {
            last.counts = self.counts;
        }
    }

    fn record(&mut self, process: u32, at: u32, event: Event) {
        if self.steps.len() >= self.most {
            self.cut_short = true;
            if let Some(full) = &self.full {
                full.raise();
            }
            return;
        }
        let counts = self.counts;
        self.steps.push(RecordedStep { process, at, event, counts, open: Vec::new() });
        self.refresh();
    }
}

impl Watch for Recorder {
    fn children(&mut self, parent: u32, first: u32, width: usize) {
        if self.cut_short {
            return;
        }
        // Threads may report their paths in another order than the paths were numbered in.
        let end = first as usize + width;
        if self.paths.len() < end {
            self.paths.resize(end, (0, 0));
        }
        for child in 0..width {
            self.paths[first as usize + child] = (parent, child as u32);
        }
        self.children.insert(parent, (first, width));
    }

    fn expanded(&mut self, _at: u32) {
        self.counts.visits += 1;
        // A state that was taken from OPEN is expanded after its event; a node that a depth-first search
        // enters, before. The last expansions of all belong to the last step.
        if self.steps.last().is_some_and(|step| matches!(step.event, Event::Taken { .. })) {
            self.refresh();
        }
    }

    fn leaf(&mut self, process: u32, at: u32, value: Value, first_time: bool) {
        self.counts.leaves += u64::from(first_time);
        self.counts.visits += 1;
        self.record(process, at, Event::Evaluated { value });
    }

    fn event(&mut self, process: u32, at: u32, event: Event) {
        match event {
            Event::Open { mut states } => {
                self.open.insert(process, states.len());
                let room = if self.kept < OPEN_BUDGET { MOST_OPEN } else { FEW_OPEN };
                let all = states.len();
                states.truncate(room);
                self.kept += states.len();
                if !self.cut_short
                    && let Some(last) = self.steps.last_mut()
                {
                    last.open.retain(|open| open.process != process);
                    last.open.push(KeptOpen { process, states, all });
                }
                self.refresh();
            }
            event => {
                let visits = matches!(event, Event::Answered { .. } | Event::Judged { .. });
                self.counts.visits += u64::from(visits);
                match event {
                    Event::Stored { .. } => drop(self.stored.insert(at)),
                    Event::Iteration { .. } => self.open.clear(),
                    _ => {}
                }
                self.record(process, at, event);
            }
        }
    }
}
