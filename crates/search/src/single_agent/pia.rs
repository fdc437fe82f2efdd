//! PIA*, parallel iterative A* (Huang and Davis 1989).
//!
//! A* by several processes, in phases. In each phase the best states on OPEN are dealt to the processes,
//! which expand them; when all have done so, the successors are stored, and the next phase begins. With
//! one process this is A*, state for state. With more, a state may be expanded that A* would never come
//! to, for all of a phase are taken before any of it is expanded. Memory is that of A*.
//!
//! The paper deals out the states below a threshold, which is the least f. Here a phase takes the states
//! of the least f, at most [`PORTION`] for each process, and if those are fewer than the processes, the
//! best of the others, so that nobody is idle. With one process it takes a single state, as A* does. A
//! goal that is not the best state of its phase stays on OPEN.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};

use super::depth_first::Done;
use super::processes::{SharedSolutions, locked, step_done};
use super::stored_graph::{Selected, StoredGraph, Successor};
use super::{SpaceAlgorithm, SpaceSearch};
use crate::parallel::scheduler::{Process, Scheme, Step, StepDone};
use crate::single_agent::prelude::*;

/// The most states that a process expands in one phase, if there are several processes. More make
/// phases longer and waiting rarer, but the last phase expands more in vain.
const PORTION: usize = 16;

/// Parallel iterative A*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pia {
    /// N, the number of processes.
    pub threads: NonZeroUsize,
}

impl SpaceAlgorithm for Pia {
    const ENTRY: CatalogueEntry = CatalogueEntry {
        id: "pia",
        usage: "pia:N",
        name: "PIA*(N)",
        about: "A* by N processes: the best states of OPEN are expanded together, in phases",
        paper: "Huang and Davis 1989",
        examples: &["pia:1", "pia:2", "pia:8"],
        serial: Some("a-star"),
        ..CatalogueEntry::SERIAL
    };

    fn parse(parameters: &mut Parameters<'_>) -> Result<Pia, String> {
        Ok(Pia { threads: parameters.processes("a number of processes, as in `pia:4`")? })
    }

    fn threads(&self) -> Option<NonZeroUsize> {
        Some(self.threads)
    }

    fn with_threads(&self, threads: NonZeroUsize) -> Pia {
        Pia { threads }
    }

    fn run<S: StateSpace>(&self, search: &mut SpaceSearch<'_, S>) -> Result<(), Stop> {
        let phases = Phases::new(search.space, self.threads.get());
        let result = search.run_scheme(&phases, self.threads.get(), &phases.solutions);
        search.stores(phases.stored.load(SeqCst) as u64, 0);
        let out_of_memory = locked(&phases.shared).out_of_memory;
        if out_of_memory { Err(Stop::Memory) } else { result }
    }
}

/// The work of one phase.
struct Phase<S: StateSpace> {
    graph: StoredGraph<S>,
    /// The processes that have begun: threads do not all start at once.
    members: Vec<usize>,
    /// What each process is to expand, and has not taken yet.
    dealt: Vec<Vec<Selected<S>>>,
    /// What each process has generated.
    generated: Vec<Vec<Successor<S>>>,
    /// How many processes still expand states of this phase.
    busy: usize,
    out_of_memory: bool,
}

/// What all processes share.
struct Phases<'s, S: StateSpace> {
    space: &'s S,
    shared: Mutex<Phase<S>>,
    /// The number of the phase, which processes wait for.
    phase: AtomicU64,
    stored: AtomicUsize,
    bytes: AtomicUsize,
    solutions: SharedSolutions<S>,
}

/// One process.
struct Expander<S: StateSpace> {
    number: usize,
    /// The phase that it has taken its states from.
    phase: u64,
    states: Vec<Selected<S>>,
    successors: Vec<Successor<S>>,
}

impl<'s, S: StateSpace> Phases<'s, S> {
    fn new(space: &'s S, processes: usize) -> Phases<'s, S> {
        let phase = Phase {
            graph: StoredGraph::new(space),
            members: Vec::new(),
            dealt: (0..processes).map(|_| Vec::new()).collect(),
            generated: (0..processes).map(|_| Vec::new()).collect(),
            busy: 0,
            out_of_memory: false,
        };
        Phases {
            space,
            shared: Mutex::new(phase),
            phase: AtomicU64::new(0),
            stored: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
            solutions: SharedSolutions::new(),
        }
    }

    /// Stores what was generated in a phase.
    fn collect(&self, phase: &mut Phase<S>) -> Result<(), Stop> {
        let Phase { graph, generated, .. } = phase;
        for successors in generated {
            graph.reserve(self.space, successors.len())?;
            successors.drain(..).for_each(|successor| graph.insert(self.space, successor));
        }
        Ok(())
    }

    /// Begins the next phase, unless the best state is a goal or there is none.
    fn deal(&self, phase: &mut Phase<S>) {
        let processes = phase.members.len();
        let most = if processes == 1 { 1 } else { PORTION * processes };
        let mut goals = Vec::new();
        let mut taken = 0;
        let mut least = None;
        while taken < most
            && phase
                .graph
                .least_f()
                .is_some_and(|f| *least.get_or_insert(f) == f || taken < processes)
            && let Some(selected) = phase.graph.select()
        {
            if self.space.is_goal(&selected.state) {
                if taken == 0 && goals.is_empty() {
                    let path = phase.graph.path(selected.index);
                    self.solutions.add(selected.g, path);
                    break;
                }
                goals.push((selected.index, selected.f));
                continue;
            }
            let member = phase.members[taken % processes];
            phase.dealt[member].push(selected);
            taken += 1;
        }
        goals.into_iter().for_each(|(index, f)| phase.graph.put_back(index, f));
        self.stored.store(phase.graph.len(), SeqCst);
        self.bytes.store(phase.graph.bytes(), SeqCst);
        self.solutions.raise_lower_bound(least.unwrap_or(0));
        phase.busy = taken.min(processes);
        if taken == 0 {
            self.solutions.end();
        }
        self.phase.fetch_add(1, SeqCst);
    }

    /// Hands in what a process has generated. The last one stores it all and begins the next phase.
    fn hand_in(&self, process: &mut Expander<S>) {
        let mut phase = locked(&self.shared);
        phase.generated[process.number].append(&mut process.successors);
        phase.busy -= 1;
        if phase.busy == 0 {
            match self.collect(&mut phase) {
                Ok(()) => self.deal(&mut phase),
                Err(_) => {
                    phase.out_of_memory = true;
                    self.solutions.end();
                }
            }
        }
    }
}

impl<S: StateSpace> Scheme for Phases<'_, S> {
    fn start(&self, number: usize) -> Box<dyn Process + '_> {
        locked(&self.shared).members.push(number);
        let (states, successors) = (Vec::new(), Vec::new());
        Box::new((self, Expander { number, phase: 0, states, successors }))
    }

    fn set_tick(&self, tick: u64) {
        self.solutions.set_tick(tick);
    }

    fn bytes(&self) -> usize {
        self.bytes.load(SeqCst)
    }
}

impl<S: StateSpace> Process for (&Phases<'_, S>, Expander<S>) {
    fn step(&mut self, budget: u64) -> StepDone {
        let (phases, process) = self;
        if phases.solutions.is_over() {
            return step_done(Step::Ended, Done::default());
        }
        if process.states.is_empty() {
            if phases.phase.load(SeqCst) == 0 {
                let mut phase = locked(&phases.shared);
                if phases.phase.load(SeqCst) == 0 {
                    phases.deal(&mut phase);
                }
            }
            let phase = phases.phase.load(SeqCst);
            if phase > process.phase {
                process.phase = phase;
                process.states.append(&mut locked(&phases.shared).dealt[process.number]);
                // The best is the last, which is taken first.
                process.states.reverse();
            }
            if process.states.is_empty() {
                return step_done(Step::Idle, Done::default());
            }
        }
        let mut done = Done::default();
        while done.expanded < budget
            && let Some(Selected { index, g, state, action, .. }) = process.states.pop()
        {
            done.expanded += 1;
            for action in phases.space.actions(&state, action) {
                let (child, cost) = phases.space.successor(&state, action);
                process.successors.push((index, action, child, g + cost));
                done.generated += 1;
            }
        }
        if process.states.is_empty() {
            phases.hand_in(process);
        }
        step_done(Step::Worked, done)
    }
}
