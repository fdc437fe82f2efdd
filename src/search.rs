//! The context that every algorithm works in, and the list of the algorithms.
//!
//! An algorithm touches a tree only through [`Search`]: it expands nodes, evaluates leaves and
//! remembers bounds there. All counting, all limits, stopping and the order of moves are in this one
//! place; an algorithm's own file holds its idea and nothing else, and what the laboratory counts is
//! the same for all of them by construction.

mod algorithm;
mod best_first;
mod depth_first;
mod drivers;
mod memory;
mod probe;
mod variation;

pub use algorithm::{Algorithm, CATALOGUE, Described, ParseAlgorithmError, Partitions};
pub use memory::{Memory, NoMemory, SearchTree};
pub use probe::{Chapter, Distinct, Event, OpenState, Paths, Probe, Status, Story, Unwatched};
pub use variation::principal_variation;

use std::marker::PhantomData;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::limits::{Limits, Stop};
use crate::tree::{GameTree, MoveList};
use crate::value::{Bounds, Value, Window};

/// What a search is set in: a tree, a probe that watches, a memory. One type parameter carries all
/// three through the algorithms.
pub trait Setting {
    /// The tree.
    type Tree: GameTree;
    /// Who watches.
    type Probe: Probe;
    /// What is remembered.
    type Memory: Memory;
}

/// The setting made of `T`, `P` and `M`.
pub struct Setup<T, P, M>(PhantomData<(T, P, M)>);

impl<T: GameTree, P: Probe, M: Memory> Setting for Setup<T, P, M> {
    type Tree = T;
    type Probe = P;
    type Memory = M;
}

/// How stored bounds are updated when the memory test leaves a node: the solution-tree paper does
/// not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Update {
    /// From the value returned, by the window clipped to the bounds: SSS-2 then visits exactly the
    /// leaves of SSS*, in the same order.
    #[default]
    Clipped,
    /// Both bounds are recomputed from the children: the paper's Maxsearch, which visits a subset.
    Maxsearch,
}

/// What to search, besides the tree and the algorithm.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The horizon: nodes at this ply are leaves.
    pub depth: u32,
    /// What may stop the search.
    pub limits: Limits,
    /// How the memory test updates bounds.
    pub update: Update,
    /// The value of an earlier search, for algorithms that start from a guess and were given none.
    pub guess: Option<Value>,
}

impl Options {
    /// A search to this depth without limits.
    pub fn to_depth(depth: u32) -> Options {
        Options { depth, ..Options::default() }
    }
}

/// A node on its way through a search: the position, how far the horizon is, where it stands.
pub struct Place<S: Setting> {
    node: <S::Tree as GameTree>::Node,
    height: u32,
    ply: u32,
    mark: <S::Probe as Probe>::Mark,
    slot: <S::Memory as Memory>::Slot,
}

/// The children of an expanded node, in the order in which they are searched.
pub struct Brothers<S: Setting> {
    moves: <S::Tree as GameTree>::Moves,
}

impl<S: Setting> Brothers<S> {
    /// An empty list, to be filled in place.
    #[inline(always)]
    fn none() -> Self {
        Brothers { moves: Default::default() }
    }

    /// How many there are.
    #[inline]
    fn len(&self) -> usize {
        self.moves.len()
    }

    /// Hands them out one after the other.
    #[inline]
    fn picker(&self) -> Picker<'_, S> {
        Picker { brothers: self, next: 0 }
    }
}

/// Hands out the children of a node one after the other.
struct Picker<'b, S: Setting> {
    brothers: &'b Brothers<S>,
    next: usize,
}

impl<S: Setting> Picker<'_, S> {
    /// The move to the child that was handed out last.
    #[inline]
    fn current(&self) -> <S::Tree as GameTree>::Move {
        self.brothers.moves.get(self.next - 1)
    }
}

/// What a search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Distinct leaves evaluated (NBP). Where no probe tells paths apart, all evaluations.
    pub leaves: u64,
    /// Evaluations of leaves.
    pub evaluations: u64,
    /// Distinct interior nodes expanded. Where no probe tells paths apart, all expansions.
    pub interior: u64,
    /// All entries into nodes.
    pub visits: u64,
    /// The most states that were on OPEN after a step of the operator.
    pub peak_open: u64,
    /// The most entries that were on BACKUP.
    pub peak_backup: u64,
    /// The most nodes with stored bounds.
    pub peak_stored: u64,
}

/// What came of a search.
#[derive(Clone, Debug)]
pub struct Outcome<M> {
    /// The root's value for MAX, unless the search was stopped before it was known.
    pub value: Option<Value>,
    /// What is known of it in any case.
    pub bounds: Bounds,
    /// A move that achieves the value, or the best so far.
    pub best: Option<M>,
    /// Why the search stopped early, if it did.
    pub stopped: Option<Stop>,
    /// What it did.
    pub counts: Counts,
    /// How long it took.
    pub time: Duration,
}

/// ITERSSS* came to a point where its memory was full and nothing on OPEN could go on.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "memory locks: M = {entries} entries, {held} held ({inactive} of them INACTIVE) and none can go \
     on; M = {least} is enough for width {width} and depth {depth}, and the least where the tree is \
     uniform"
)]
pub struct MemoryLock {
    /// M
    pub entries: u64,
    /// Entries in use.
    pub held: u64,
    /// How many of them were set aside.
    pub inactive: u64,
    /// The widest node met so far.
    pub width: u64,
    /// The depth of the search.
    pub depth: u32,
    /// ⌈d/2⌉(b - 1) + 1 for that width and depth: on a uniform tree the least M.
    pub least: u64,
}

/// A search in progress: the context of every algorithm.
pub struct Search<'t, S: Setting> {
    tree: &'t S::Tree,
    probe: S::Probe,
    memory: S::Memory,
    options: &'t Options,
    started: Instant,
    evaluations: u64,
    expansions: u64,
    answered: u64,
    /// Limits are looked at when the counts reach these.
    leaf_checkpoint: u64,
    node_checkpoint: u64,
    /// Bytes held by the lists of a best-first algorithm.
    list_bytes: usize,
    peak_open: u64,
    peak_backup: u64,
    /// Nodes of a solution tree that an algorithm keeps for itself.
    peak_stored: u64,
    known: Bounds,
    best: Option<<S::Tree as GameTree>::Move>,
    lock: Option<MemoryLock>,
}

/// Limits that cannot be told from the counts are looked at this often, in nodes.
const INTERVAL: u64 = 1024;

impl<'t, S: Setting> Search<'t, S> {
    fn new(tree: &'t S::Tree, options: &'t Options, probe: S::Probe, memory: S::Memory) -> Self {
        let range = tree.value_range();
        Search {
            tree,
            probe,
            memory,
            options,
            started: Instant::now(),
            evaluations: 0,
            expansions: 0,
            answered: 0,
            leaf_checkpoint: 0,
            node_checkpoint: 0,
            list_bytes: 0,
            peak_open: 0,
            peak_backup: 0,
            peak_stored: 0,
            known: Bounds { lower: *range.start(), upper: *range.end() },
            best: None,
            lock: None,
        }
    }

    /// The root.
    fn root(&mut self) -> Place<S> {
        Place {
            node: self.tree.root(),
            height: self.options.depth,
            ply: 0,
            mark: self.probe.root(),
            slot: self.memory.root(),
        }
    }

    /// The children of `at`, or `None` if it is a leaf.
    #[inline(always)]
    fn expand(&mut self, at: &Place<S>) -> Result<Option<Brothers<S>>, Stop> {
        let mut brothers = Brothers::none();
        Ok(if self.expand_into(at, &mut brothers)? { Some(brothers) } else { None })
    }

    /// Fills `brothers`, which is empty, with the children of `at`; `false` if it is a leaf. A list
    /// of moves is large for some games: depth-first searches fill it where it stays.
    #[inline(always)]
    fn expand_into(&mut self, at: &Place<S>, brothers: &mut Brothers<S>) -> Result<bool, Stop> {
        if at.height == 0 {
            return Ok(false);
        }
        self.tree.moves(&at.node, &mut brothers.moves);
        if brothers.moves.is_empty() {
            return Ok(false);
        }
        self.count_expansion(at)?;
        Ok(true)
    }

    /// The children of `at` without counting it as expanded: for an algorithm that has to know how
    /// many there would be.
    #[inline(always)]
    fn generate(&self, at: &Place<S>) -> Option<Brothers<S>> {
        if at.height == 0 {
            return None;
        }
        let mut moves = <S::Tree as GameTree>::Moves::default();
        self.tree.moves(&at.node, &mut moves);
        if moves.is_empty() { None } else { Some(Brothers { moves }) }
    }

    /// Counts `at` as expanded.
    #[inline(always)]
    fn count_expansion(&mut self, at: &Place<S>) -> Result<(), Stop> {
        if self.expansions >= self.node_checkpoint {
            self.check_limits()?;
        }
        self.expansions += 1;
        self.probe.interior(at.mark);
        Ok(())
    }

    /// The next child of `at`, an expanded node.
    #[inline(always)]
    fn next_child(&mut self, at: &Place<S>, picker: &mut Picker<'_, S>) -> Option<Place<S>> {
        if picker.next == picker.brothers.len() {
            return None;
        }
        picker.next += 1;
        Some(self.child(at, picker.brothers, picker.next - 1))
    }

    /// Child `index` of `at`.
    #[inline(always)]
    fn child(&mut self, at: &Place<S>, brothers: &Brothers<S>, index: usize) -> Place<S> {
        let width = brothers.len();
        Place {
            node: self.tree.child(&at.node, brothers.moves.get(index)),
            height: at.height - 1,
            ply: at.ply + 1,
            mark: self.probe.below(at.mark, index, width),
            slot: self.memory.below(at.slot, index, width),
        }
    }

    /// What the leaf `at` is worth to its mover.
    #[inline(always)]
    fn leaf(&mut self, at: &Place<S>) -> Result<Value, Stop> {
        if self.evaluations >= self.leaf_checkpoint {
            self.check_leaf_limit()?;
        }
        self.evaluations += 1;
        let value = self.tree.evaluate(&at.node);
        self.probe.leaf(at.mark, for_max(at.ply, value));
        Ok(value)
    }

    #[cold]
    #[inline(never)]
    fn check_leaf_limit(&mut self) -> Result<(), Stop> {
        if self.options.limits.leaves.is_some_and(|most| self.evaluations >= most) {
            return Err(Stop::Leaves);
        }
        self.check_limits()
    }

    /// Stops the search if a limit is reached, else says when to look again: no later than any
    /// limit that depends on the counts can be reached.
    #[cold]
    #[inline(never)]
    fn check_limits(&mut self) -> Result<(), Stop> {
        let limits = &self.options.limits;
        let mut interval = INTERVAL;
        if let Some(most) = limits.nodes {
            let visits = self.visits();
            if visits >= most {
                return Err(Stop::Nodes);
            }
            // Leaves and expansions are counted apart, each may use half of what is left.
            interval = interval.min((most - visits) / 2);
        }
        if limits.flag.is_raised() {
            return Err(Stop::Flag);
        }
        if limits.time.is_some_and(|most| self.started.elapsed() >= most) {
            return Err(Stop::Time);
        }
        if limits.bytes.is_some() {
            self.check_bytes()?;
            interval = interval.min(16);
        }
        self.node_checkpoint = self.expansions + interval;
        let leaves_left =
            limits.leaves.map_or(u64::MAX, |most| most.saturating_sub(self.evaluations));
        self.leaf_checkpoint = self.evaluations + interval.min(leaves_left);
        Ok(())
    }

    fn check_bytes(&self) -> Result<(), Stop> {
        let held = self.memory.bytes() + self.list_bytes;
        match self.options.limits.bytes {
            Some(most) if held > most => Err(Stop::Bytes),
            _ => Ok(()),
        }
    }

    fn visits(&self) -> u64 {
        self.evaluations + self.expansions + self.answered
    }

    /// A best-first algorithm now holds so many states, entries and bytes.
    #[inline]
    fn holds(&mut self, open: u64, backup: u64, bytes: usize) -> Result<(), Stop> {
        self.peak_open = self.peak_open.max(open);
        self.peak_backup = self.peak_backup.max(backup);
        if bytes > self.list_bytes {
            self.list_bytes = bytes;
            self.check_bytes()?;
        }
        Ok(())
    }

    /// The mover at `at` can be sure of `value` by the move handed out last. At the root that is
    /// worth keeping: it is what remains if the search is stopped.
    #[inline(always)]
    fn sure_of(&mut self, at: &Place<S>, picker: &Picker<'_, S>, value: Value) {
        if at.ply == 0 {
            self.best = Some(picker.current());
            self.known.lower = self.known.lower.max(value);
        }
    }

    /// A driver or a best-first algorithm has learnt this of the root.
    fn learnt(&mut self, bounds: Bounds) {
        self.known.lower = self.known.lower.max(bounds.lower);
        self.known.upper = self.known.upper.min(bounds.upper);
    }

    /// What the memory knows of `at`; counted as a visit if that is all there is to do.
    #[inline]
    fn bounds(&mut self, at: &Place<S>, window: Window) -> (Bounds, Option<Value>) {
        let known = self.memory.bounds(at.slot);
        let answer = if known.lower >= window.beta {
            Some(known.lower)
        } else if known.upper <= window.alpha || known.is_exact() {
            Some(known.upper)
        } else {
            None
        };
        if answer.is_some() {
            self.answered += 1;
            self.probe.tell(at.mark, || Event::Answered { bounds: bounds_for_max(at.ply, known) });
        }
        (known, answer)
    }

    /// Remembers a leaf's value.
    #[inline]
    fn remember(&mut self, at: &Place<S>, bounds: Bounds) {
        self.memory.store(at.slot, bounds);
        self.probe.tell(at.mark, || Event::Stored { bounds: bounds_for_max(at.ply, bounds) });
    }

    /// Remembers what a search of the interior node `at` has shown: `value` came back from the
    /// window `clipped`, which was already narrowed to the bounds `known`.
    #[inline]
    fn refine(
        &mut self,
        at: &Place<S>,
        brothers: &Brothers<S>,
        known: Bounds,
        clipped: Window,
        value: Value,
    ) {
        let bounds = match self.options.update {
            Update::Clipped => Bounds {
                lower: if value > clipped.alpha { value } else { known.lower },
                upper: if value < clipped.beta { value } else { known.upper },
            },
            Update::Maxsearch => self.memory.of_children(at.slot, brothers.len()),
        };
        self.remember(at, bounds);
    }

    /// For the story: something happens at a mark.
    #[inline]
    fn tell(
        &mut self,
        at: <S::Probe as Probe>::Mark,
        event: impl FnOnce() -> Event<<S::Probe as Probe>::Mark>,
    ) {
        self.probe.tell(at, event);
    }

    /// For the story: the search below the root is called once more.
    fn pass(&mut self, root: &Place<S>, window: Window) {
        self.tell(root.mark, || Event::Pass { window });
    }

    /// For the story: a depth-first search enters `at`.
    #[inline]
    fn enter(&mut self, at: &Place<S>, window: Window) {
        self.probe.tell(at.mark, || Event::Enter { window: window_for_max(at.ply, window) });
    }

    /// For the story: a depth-first search leaves `at`.
    #[inline]
    fn leave(&mut self, at: &Place<S>, value: Value) -> Result<Value, Stop> {
        self.probe.tell(at.mark, || Event::Leave { value: for_max(at.ply, value) });
        Ok(value)
    }

    fn counts(&self) -> Counts {
        let distinct = self
            .probe
            .distinct()
            .unwrap_or(Distinct { leaves: self.evaluations, interior: self.expansions });
        Counts {
            leaves: distinct.leaves,
            evaluations: self.evaluations,
            interior: distinct.interior,
            visits: self.visits(),
            peak_open: self.peak_open,
            peak_backup: self.peak_backup,
            peak_stored: self.peak_stored.max(self.memory.stored()),
        }
    }
}

/// A value of the mover at `ply`, from MAX's view.
#[inline]
fn for_max(ply: u32, value: Value) -> Value {
    if ply.is_multiple_of(2) { value } else { -value }
}

fn window_for_max(ply: u32, window: Window) -> Window {
    if ply.is_multiple_of(2) { window } else { window.flip() }
}

fn bounds_for_max(ply: u32, bounds: Bounds) -> Bounds {
    if ply.is_multiple_of(2) { bounds } else { bounds.flip() }
}

/// Searches `tree` with `algorithm` while `probe` watches. The one error is a memory-bounded
/// algorithm that cannot go on; a limit that is reached is an outcome.
///
/// ```
/// use plyground::search::{Algorithm, Options, Paths, search};
/// use plyground::tree::Explicit;
///
/// let tree: Explicit = "((3 12 8) (2 4 6) (14 5 2))".parse()?;
/// let sss: Algorithm = "sss".parse()?;
/// let (outcome, _) = search(&tree, &sss, &Options::to_depth(2), Paths::new())?;
/// assert_eq!(outcome.value, Some(3));
/// assert_eq!(outcome.best, Some(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn search<T: GameTree, P: Probe>(
    tree: &T,
    algorithm: &Algorithm,
    options: &Options,
    probe: P,
) -> Result<(Outcome<T::Move>, P), MemoryLock> {
    if algorithm.stores_bounds() {
        let context =
            Search::<Setup<T, P, SearchTree>>::new(tree, options, probe, SearchTree::default());
        finish(context, |s, root| drivers::run(s, root, algorithm))
    } else {
        let context = Search::<Setup<T, P, NoMemory>>::new(tree, options, probe, NoMemory);
        finish(context, |s, root| match algorithm {
            _ if algorithm.is_best_first() => best_first::run(s, root, algorithm),
            _ => depth_first::run(s, root, algorithm),
        })
    }
}

type Finished<T, P> = Result<(Outcome<<T as GameTree>::Move>, P), MemoryLock>;

fn finish<S: Setting>(
    mut search: Search<'_, S>,
    run: impl FnOnce(&mut Search<'_, S>, &Place<S>) -> Result<Value, Stop>,
) -> Finished<S::Tree, S::Probe> {
    let root = search.root();
    let result = run(&mut search, &root);
    if let Some(lock) = search.lock {
        return Err(lock);
    }
    let outcome = Outcome {
        value: result.ok(),
        bounds: result.map_or(search.known, Bounds::exact),
        best: search.best,
        stopped: result.err(),
        counts: search.counts(),
        time: search.started.elapsed(),
    };
    Ok((outcome, search.probe))
}
