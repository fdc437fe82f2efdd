//! The context that every algorithm works in, and the list of the algorithms.
//!
//! An algorithm touches a tree only through [`Search`]: it expands nodes, evaluates leaves and
//! remembers bounds there. All counting, all limits, stopping and the order of moves are in this one
//! place; an algorithm's own file holds its idea and nothing else, and what the laboratory counts is
//! the same for all of them by construction.

mod algorithm;
mod best_first;
mod best_move;
mod depth_first;
mod drivers;
mod in_flight;
mod memory;
mod options;
mod order;
mod outcome;
mod parallel;
mod place;
pub mod play;
mod probe;
pub mod table;
mod variation;

pub use algorithm::{
    Algorithm, CATALOGUE, Described, MOST_PROCESSES, ParseAlgorithmError, Partitions, Scheme,
};
pub use memory::{Memory, NoMemory, Recalled, SearchTree, SharedTree, Transpositions};
pub use options::{Options, SPAWN_HEIGHT, Update};
pub use order::{
    Decided, Functions, LearntOrder, Order, ParseFunctionsError, Ranks, StaticOrder, Trail,
};
pub use outcome::{Counts, Iteration, MemoryLock, Outcome};
pub use parallel::MOST_THREADS;
pub use place::Place;
pub use probe::{Chapter, Distinct, Event, OpenState, Paths, Probe, Status, Story, Unwatched};
pub use variation::principal_variation;

use std::marker::PhantomData;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::table::{NO_MOVE, Table};
use parallel::Crew;
use place::{Brothers, Children, Picker};
use plyground_core::limits::Stop;
use plyground_core::tree::{GameTree, MoveList};
use plyground_core::value::{Bounds, Value, Window, mate_from_node, mate_from_root};

/// What a search is set in: a tree, a probe that watches, a memory, an order of moves. One type
/// parameter carries all four through the algorithms.
pub trait Setting {
    /// The tree.
    type Tree: GameTree;
    /// Who watches.
    type Probe: Probe;
    /// What is remembered of nodes.
    type Memory: Memory;
    /// What is learnt of moves.
    type Order: Order;
}

/// The setting made of `T`, `P`, `M` and `O`.
pub struct Setup<T, P, M, O>(PhantomData<(T, P, M, O)>);

impl<T: GameTree, P: Probe, M: Memory, O: Order> Setting for Setup<T, P, M, O> {
    type Tree = T;
    type Probe = P;
    type Memory = M;
    type Order = O;
}

/// The laboratory's plain setting: no memory but `M`, the tree's own order.
type Plain<T, P, M> = Setup<T, P, M, StaticOrder>;

/// A search in progress: the context of every algorithm.
pub struct Search<'t, S: Setting> {
    tree: &'t S::Tree,
    probe: S::Probe,
    memory: S::Memory,
    order: S::Order,
    options: &'t Options,
    /// The horizon of this iteration.
    depth: u32,
    /// The value of the iteration before this one.
    guess: Option<Value>,
    started: Instant,
    evaluations: u64,
    expansions: u64,
    answered: u64,
    quiescence: u64,
    calls: u64,
    /// Limits are looked at when the counts reach these.
    leaf_checkpoint: u64,
    quiescence_checkpoint: u64,
    node_checkpoint: u64,
    answer_checkpoint: u64,
    /// The others, if this is a worker's context, and what it has drawn of the limits on leaves and
    /// visits: the counts it may come to.
    crew: Option<Arc<Crew>>,
    drawn_leaves: u64,
    drawn_visits: u64,
    /// How long workers had nothing to do.
    idle: Duration,
    /// The most entries that one process held.
    peak_process: u64,
    /// Terminal counts of a simulated search, where they are not the evaluations.
    ticks: Option<u64>,
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

/// And this often in positions of quiescence: a leaf may have many.
const QUIESCENCE_INTERVAL: u64 = 16 * INTERVAL;

impl<'t, S: Setting> Search<'t, S> {
    fn new(
        tree: &'t S::Tree,
        options: &'t Options,
        probe: S::Probe,
        memory: S::Memory,
        order: S::Order,
    ) -> Self {
        let mut search = Search {
            tree,
            probe,
            memory,
            order,
            options,
            depth: options.depth,
            guess: None,
            started: Instant::now(),
            evaluations: 0,
            expansions: 0,
            answered: 0,
            quiescence: 0,
            calls: 0,
            leaf_checkpoint: 0,
            quiescence_checkpoint: 0,
            node_checkpoint: 0,
            answer_checkpoint: 0,
            crew: None,
            drawn_leaves: 0,
            drawn_visits: 0,
            idle: Duration::ZERO,
            peak_process: 0,
            ticks: None,
            list_bytes: 0,
            peak_open: 0,
            peak_backup: 0,
            peak_stored: 0,
            known: Bounds::UNKNOWN,
            best: None,
            lock: None,
        };
        search.known = search.widest();
        search
    }

    /// The root.
    fn root(&mut self) -> Place<S> {
        let node = self.tree.root();
        Place {
            height: self.depth,
            ply: 0,
            mark: self.probe.root(),
            slot: self.memory.root(|| self.tree.key(&node)),
            trail: self.order.root(),
            node,
        }
    }

    /// What every depth-first algorithm does at a node: the memory may answer for it, it may be a
    /// leaf; else `interior` searches its children, within a window that is narrowed to what is
    /// already known, and what that shows is remembered.
    ///
    /// Inlined into the loop over the children, so that a leaf costs no call.
    #[inline(always)]
    fn visit(
        &mut self,
        at: &Place<S>,
        window: Window,
        interior: impl FnOnce(&mut Self, &Place<S>, &mut Brothers<S>, Window) -> Result<Value, Stop>,
    ) -> Result<Value, Stop> {
        let recalled = self.recall(at);
        let known = recalled.bounds;
        if let Some(value) = self.answer(at, known, window)? {
            return Ok(value);
        }
        let mut brothers = Brothers::none();
        if !self.expand_into(at, recalled.best, &mut brothers)? {
            let value = self.leaf(at)?;
            self.remember(at, Bounds::exact(value), NO_MOVE);
            return Ok(value);
        }
        if let Some(value) = self.answer_of_children(at, &brothers, window.beta)? {
            return Ok(value);
        }
        let clipped = Window::new(window.alpha.max(known.lower), window.beta.min(known.upper));
        let value = interior(self, at, &mut brothers, clipped)?;
        self.settle(at, &brothers, recalled, clipped, value);
        Ok(value)
    }

    /// Fills `brothers`, which is empty, with the children of `at`; `false` if it is a leaf. A list
    /// of moves is large for some games: depth-first searches fill it where it stays.
    #[inline(always)]
    fn expand_into(
        &mut self,
        at: &Place<S>,
        best: u16,
        brothers: &mut Brothers<S>,
    ) -> Result<bool, Stop> {
        if at.height == 0 {
            return Ok(false);
        }
        self.tree.moves(&at.node, &mut brothers.moves);
        if brothers.moves.is_empty() {
            return Ok(false);
        }
        self.count_expansion(at)?;
        let Brothers { moves, ranks, .. } = brothers;
        self.order.rank(self.tree, &at.node, moves, (at.trail, at.ply), best, ranks);
        Ok(true)
    }

    /// The children of `at`, sorted, to be kept; `None` if it is a leaf.
    #[inline(always)]
    fn expand(&mut self, at: &Place<S>) -> Result<Option<Children<S>>, Stop> {
        let Some(children) = self.generate(at) else { return Ok(None) };
        self.count_expansion(at)?;
        Ok(Some(children))
    }

    /// The children of `at` without counting it as expanded: for an algorithm that has to know how
    /// many there would be.
    #[inline(always)]
    fn generate(&self, at: &Place<S>) -> Option<Children<S>> {
        if at.height == 0 {
            return None;
        }
        let mut moves = <S::Tree as GameTree>::Moves::default();
        self.tree.moves(&at.node, &mut moves);
        if moves.is_empty() {
            return None;
        }
        let mut ranks = <S::Order as Order>::Ranks::default();
        let best = self.memory.recall(at.slot, at.height).best;
        self.order.rank(self.tree, &at.node, &moves, (at.trail, at.ply), best, &mut ranks);
        Some(Children { moves, sorted: S::Order::sort(ranks) })
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
        if picker.next == picker.brothers.moves.len() {
            return None;
        }
        picker.current = S::Order::pick(&mut picker.brothers.ranks, picker.next);
        picker.next += 1;
        Some(self.child_at(at, &picker.brothers.moves, picker.current))
    }

    /// Child `number` of `at`.
    #[inline(always)]
    fn child(&mut self, at: &Place<S>, children: &Children<S>, number: usize) -> Place<S> {
        self.child_at(at, &children.moves, children.place(number))
    }

    /// The child of `at` that stands at `place` in the tree's list.
    #[inline(always)]
    fn child_at(
        &mut self,
        at: &Place<S>,
        moves: &<S::Tree as GameTree>::Moves,
        place: usize,
    ) -> Place<S> {
        let (mv, width) = (moves.at(place), moves.len());
        let node = self.tree.child(&at.node, mv);
        Place {
            height: at.height - 1,
            ply: at.ply + 1,
            mark: self.probe.below(at.mark, place, width),
            slot: self.memory.below(at.slot, place, width, || self.tree.key(&node)),
            trail: self.order.follow(self.tree, &at.node, mv, at.trail, at.ply),
            node,
        }
    }

    /// What the leaf `at` is worth to its mover.
    #[inline(always)]
    fn leaf(&mut self, at: &Place<S>) -> Result<Value, Stop> {
        if self.evaluations >= self.leaf_checkpoint || self.quiescence >= self.quiescence_checkpoint
        {
            self.check_leaf_limit()?;
        }
        self.evaluations += 1;
        let mut value = self.tree.quiesce(&at.node, Window::FULL, &mut self.quiescence);
        if S::Tree::MATES {
            value = mate_from_root(value, at.ply);
        }
        self.probe.leaf(at.mark, for_max(at.ply, value));
        Ok(value)
    }

    /// The same for an algorithm that does not ask the memory before: the leaf may have been reached
    /// another way.
    #[inline(always)]
    fn leaf_once(&mut self, at: &Place<S>) -> Result<Value, Stop> {
        if !S::Memory::SHARED {
            return self.leaf(at);
        }
        let known = self.recall(at).bounds;
        if let Some(value) = self.answer(at, known, Window::FULL)? {
            return Ok(value);
        }
        let value = self.leaf(at)?;
        self.remember(at, Bounds::exact(value), NO_MOVE);
        Ok(value)
    }

    #[cold]
    #[inline(never)]
    fn check_leaf_limit(&mut self) -> Result<(), Stop> {
        if self.options.limits.leaves.is_some() && self.evaluations >= self.leaves_allowed() {
            return Err(Stop::Leaves);
        }
        self.check_limits()
    }

    /// The evaluations that this context may come to, by the limit on leaves.
    fn leaves_allowed(&mut self) -> u64 {
        let Some(crew) = &self.crew else { return self.options.limits.leaves.unwrap_or(u64::MAX) };
        if self.evaluations >= self.drawn_leaves {
            self.drawn_leaves = self.evaluations + crew.draw_leaves();
        }
        self.drawn_leaves
    }

    /// The visits that this context may come to, by the limit on nodes.
    fn visits_allowed(&mut self) -> u64 {
        let Some(crew) = &self.crew else { return self.options.limits.nodes.unwrap_or(u64::MAX) };
        let visits = self.evaluations + self.expansions + self.answered;
        if visits >= self.drawn_visits {
            self.drawn_visits = visits + crew.draw_visits();
        }
        self.drawn_visits
    }

    /// Stops the search if a limit is reached, else says when to look again: no later than any
    /// limit that depends on the counts can be reached.
    #[cold]
    #[inline(never)]
    fn check_limits(&mut self) -> Result<(), Stop> {
        let limits = &self.options.limits;
        if let Some(stop) = self.crew.as_ref().and_then(|crew| crew.stopped()) {
            return Err(stop);
        }
        let mut interval = INTERVAL;
        if limits.nodes.is_some() {
            let (visits, most) = (self.visits(), self.visits_allowed());
            if visits >= most {
                return Err(Stop::Nodes);
            }
            // Leaves, expansions and answers are counted apart, each may use a third of what is left.
            interval = interval.min((most - visits) / 3);
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
        self.answer_checkpoint = self.answered + interval;
        if limits.leaves.is_some() {
            interval = interval.min(self.leaves_allowed().saturating_sub(self.evaluations));
        }
        self.leaf_checkpoint = self.evaluations + interval;
        self.quiescence_checkpoint = self.quiescence + QUIESCENCE_INTERVAL;
        Ok(())
    }

    fn check_bytes(&self) -> Result<(), Stop> {
        let lists = self.crew.as_ref().map_or(self.list_bytes, |crew| crew.bytes());
        let held = self.memory.bytes() + lists;
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

    /// The move handed out last is the best at `at` so far, worth `value`; `alpha` is the lower end
    /// of the window. At the root, what the mover can be sure of is worth keeping: it is what
    /// remains if the search is stopped.
    #[inline(always)]
    fn improve(&mut self, at: &Place<S>, picker: &mut Picker<'_, S>, value: Value, alpha: Value) {
        if value > alpha {
            if S::Order::LEARNS {
                picker.brothers.best = Some(picker.current);
            }
            if at.ply == 0 {
                self.best = Some(picker.current());
                self.known.lower = self.known.lower.max(value);
            }
        }
        self.order.improve(at.ply, || self.tree.code(picker.current()));
    }

    /// Where an algorithm starts that was told to start from `first`: from the value of the
    /// iteration before this one, if there was one.
    fn guess(&self, first: Option<Value>) -> Value {
        let earlier = if self.options.deepening { self.guess.or(first) } else { first };
        earlier.or(self.options.guess).unwrap_or(0)
    }

    /// A driver or a best-first algorithm has learnt this of the root.
    fn learnt(&mut self, bounds: Bounds) {
        self.known.lower = self.known.lower.max(bounds.lower);
        self.known.upper = self.known.upper.min(bounds.upper);
    }

    /// What the memory knows of `at`.
    #[inline(always)]
    fn recall(&self, at: &Place<S>) -> Recalled {
        let mut recalled = self.memory.recall(at.slot, at.height);
        if S::Tree::MATES && S::Memory::SHARED {
            recalled.bounds.lower = mate_from_root(recalled.bounds.lower, at.ply);
            recalled.bounds.upper = mate_from_root(recalled.bounds.upper, at.ply);
        }
        recalled
    }

    /// The bounds `known` answer for `at` if the window allows; that is a visit too.
    #[inline]
    fn answer(
        &mut self,
        at: &Place<S>,
        known: Bounds,
        window: Window,
    ) -> Result<Option<Value>, Stop> {
        let answer = if known.lower >= window.beta {
            known.lower
        } else if known.upper <= window.alpha || known.is_exact() {
            known.upper
        } else {
            return Ok(None);
        };
        self.count_answer()?;
        self.probe.tell(at.mark, || Event::Answered { bounds: bounds_for_max(at.ply, known) });
        Ok(Some(answer))
    }

    /// Counts a node that the memory answers for.
    #[inline]
    fn count_answer(&mut self) -> Result<(), Stop> {
        if self.answered >= self.answer_checkpoint {
            self.check_limits()?;
        }
        self.answered += 1;
        Ok(())
    }

    /// Enhanced transposition cut-offs (Plaat and others 1996): does the table know a child that is
    /// enough for a cut-off?
    #[inline(always)]
    fn answer_of_children(
        &mut self,
        at: &Place<S>,
        brothers: &Brothers<S>,
        beta: Value,
    ) -> Result<Option<Value>, Stop> {
        // Where the children are leaves, asking costs as much as searching.
        if !S::Memory::SHARED || !self.options.memory.contains(Functions::ETC) || at.height < 2 {
            return Ok(None);
        }
        for place in 0..brothers.moves.len() {
            let child = self.child_at(at, &brothers.moves, place);
            let enough = -self.recall(&child).bounds.upper;
            if enough >= beta {
                self.count_answer()?;
                if at.ply == 0 {
                    self.best = Some(brothers.moves.at(place));
                }
                return Ok(Some(enough));
            }
        }
        Ok(None)
    }

    /// Remembers what is known of a node, and its best move.
    #[inline(always)]
    fn remember(&mut self, at: &Place<S>, bounds: Bounds, best: u16) {
        if !S::Memory::KEEPS {
            return;
        }
        let mut kept = bounds;
        if S::Tree::MATES && S::Memory::SHARED {
            kept.lower = mate_from_node(kept.lower, at.ply);
            kept.upper = mate_from_node(kept.upper, at.ply);
        }
        self.memory.store(at.slot, at.height, kept, best);
        self.probe.tell(at.mark, || Event::Stored { bounds: bounds_for_max(at.ply, bounds) });
    }

    /// Remembers what a search of the interior node `at` has shown: `value` came back from the
    /// window `clipped`, which was already narrowed to what was `recalled`.
    #[inline(always)]
    fn settle(
        &mut self,
        at: &Place<S>,
        brothers: &Brothers<S>,
        recalled: Recalled,
        clipped: Window,
        value: Value,
    ) {
        let Recalled { bounds: known, mut best } = recalled;
        let moves = &brothers.moves;
        if S::Order::LEARNS {
            let cuts = value >= clipped.beta;
            let decided = brothers.best.map(|place| self.decided(at, moves, place, cuts));
            self.order.settle((at.trail, at.ply, at.height), decided);
            best = decided.map_or(best, |decided| decided.code);
        }
        let bounds = match self.options.update {
            Update::Maxsearch if !S::Memory::SHARED => {
                self.memory.of_children(at.slot, moves.len())
            }
            _ => Bounds {
                lower: if value > clipped.alpha { value } else { known.lower },
                upper: if value < clipped.beta { value } else { known.upper },
            },
        };
        self.remember(at, bounds, best);
    }

    /// The move that decides `at`, by its place in the tree's list.
    #[inline(always)]
    fn decided(
        &self,
        at: &Place<S>,
        moves: &<S::Tree as GameTree>::Moves,
        place: usize,
        cuts: bool,
    ) -> Decided {
        let mv = moves.at(place);
        let (code, slot) = (self.tree.code(mv), self.tree.history_index(&at.node, mv));
        Decided { code, slot, leads: place < moves.leading(), cuts }
    }

    /// A best-first algorithm finds that child `number` decides `at`. It keeps its bounds itself: of
    /// the memory it uses the moves, and the values of leaves.
    #[inline(always)]
    fn decide(&mut self, at: &Place<S>, children: &Children<S>, number: usize) {
        let decided = self.decided(at, &children.moves, children.place(number), true);
        self.order.improve(at.ply, || decided.code);
        self.order.settle((at.trail, at.ply, at.height), Some(decided));
        self.memory.store(at.slot, at.height, Bounds::UNKNOWN, decided.code);
    }

    /// For the story: this process speaks from now on.
    #[inline]
    fn set_speaker(&mut self, process: u32) {
        self.probe.set_speaker(process);
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

    /// The search below the root is called once more.
    fn pass(&mut self, root: &Place<S>, window: Window) {
        self.calls += 1;
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

    /// The next iteration goes to `depth`, and begins with what the last one found.
    fn begin_iteration(&mut self, depth: u32, last: &Outcome<<S::Tree as GameTree>::Move>) {
        self.depth = depth;
        self.guess = last.value.or(self.guess);
        self.probe.next_iteration();
        self.memory.change_horizon();
        self.order.next_iteration(last.best.map_or(NO_MOVE, |mv| self.tree.code(mv)));
        self.known = self.widest();
        self.best = None;
    }

    /// What is known of the root's value before it is searched.
    fn widest(&self) -> Bounds {
        let range = self.tree.value_range();
        Bounds { lower: *range.start(), upper: *range.end() }
    }

    /// What can be told of the search at this moment.
    fn outcome(&self, depth: u32) -> Outcome<<S::Tree as GameTree>::Move> {
        Outcome {
            value: None,
            bounds: self.known,
            best: self.best,
            stopped: None,
            depth,
            counts: self.counts(),
            time: self.started.elapsed(),
            idle: self.idle,
            peak_process: self.peak_process,
            terminal_count: self.terminal_count(),
            iterations: Vec::new(),
        }
    }

    /// A serial search evaluates one leaf at a time.
    fn terminal_count(&self) -> Option<u64> {
        self.options.simulate.then(|| self.ticks.unwrap_or(self.evaluations))
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
            quiescence: self.quiescence,
            peak_open: self.peak_open,
            peak_backup: self.peak_backup,
            peak_stored: self.peak_stored.max(self.memory.stored()),
            peak_bytes: (self.memory.bytes() + self.list_bytes) as u64,
            calls: self.calls,
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
/// use plyground_search::{Algorithm, Options, Paths, search};
/// use plyground_core::tree::Explicit;
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
    let stores = algorithm.stores_bounds();
    let plain = options.memory.is_empty() && !options.deepening;
    // Constants decide first: what they rule out is not compiled.
    if T::TRANSPOSES {
        if P::TIMED && plain {
            return without_functions(tree, algorithm, options, probe);
        }
        let order = LearntOrder::new(options.memory, T::HISTORY_SIZE);
        if algorithm.shares_bounds() && !options.memory.contains(Functions::TABLE) {
            let memory = algorithm.shared_tree(options);
            return iterate::<Setup<T, P, _, _>>(tree, algorithm, options, probe, memory, order);
        }
        if stores && !options.memory.contains(Functions::TABLE) {
            let memory = SearchTree::default();
            return iterate::<Setup<T, P, _, _>>(tree, algorithm, options, probe, memory, order);
        }
        let table = options.memory.contains(Functions::TABLE).then(|| Table::new(options.table));
        let memory = Transpositions(table.as_ref());
        iterate::<Setup<T, P, _, _>>(tree, algorithm, options, probe, memory, order)
    } else {
        without_functions(tree, algorithm, options, probe)
    }
}

/// A search with the tree's own order, and with no memory but what the algorithm is made of.
fn without_functions<T: GameTree, P: Probe>(
    tree: &T,
    algorithm: &Algorithm,
    options: &Options,
    probe: P,
) -> Finished<T, P> {
    if algorithm.shares_bounds() {
        let memory = algorithm.shared_tree(options);
        iterate::<Plain<T, P, _>>(tree, algorithm, options, probe, memory, StaticOrder)
    } else if algorithm.stores_bounds() {
        let memory = SearchTree::default();
        iterate::<Plain<T, P, _>>(tree, algorithm, options, probe, memory, StaticOrder)
    } else {
        iterate::<Plain<T, P, _>>(tree, algorithm, options, probe, NoMemory, StaticOrder)
    }
}

type Finished<T, P> = Result<(Outcome<<T as GameTree>::Move>, P), MemoryLock>;

/// One search below the root, by the family that `algorithm` belongs to; `None` if it tells no value.
///
/// Constants decide first: drivers work on stored bounds and the stored search tree is for drivers,
/// so for half of the settings half of the algorithms are not compiled.
fn family<S: Setting>(
    search: &mut Search<'_, S>,
    root: &Place<S>,
    algorithm: &Algorithm,
) -> Result<Option<Value>, Stop> {
    if let Algorithm::Shared { scheme, threads } = *algorithm
        && (S::Memory::SHARED || !S::Memory::KEEPS || S::Memory::CONCURRENT)
    {
        return parallel::shared::run(search, root, scheme, threads).map(Some);
    }
    if S::Memory::KEEPS && !S::Memory::CONCURRENT {
        if let Some(proof) = algorithm.best_move() {
            return best_move::run(search, root, proof);
        }
        if algorithm.stores_bounds() {
            return drivers::run(search, root, algorithm).map(Some);
        }
    }
    if S::Memory::SHARED || !S::Memory::KEEPS {
        if algorithm.is_parallel_best_first() {
            return parallel::run(search, root, algorithm).map(Some);
        }
        if algorithm.is_best_first() {
            return best_first::run(search, root, algorithm).map(Some);
        }
        return depth_first::run(search, root, algorithm).map(Some);
    }
    unreachable!("{algorithm} does not work on this memory")
}

/// One search to the depth asked for or, with deepening, one to each depth up to it.
fn iterate<S: Setting>(
    tree: &S::Tree,
    algorithm: &Algorithm,
    options: &Options,
    probe: S::Probe,
    memory: S::Memory,
    order: S::Order,
) -> Finished<S::Tree, S::Probe> {
    let mut search = Search::<S>::new(tree, options, probe, memory, order);
    let first = if options.deepening { options.depth.min(1) } else { options.depth };
    let mut outcome = search.outcome(first.saturating_sub(1));
    for depth in first..=options.depth {
        if depth > first {
            search.begin_iteration(depth, &outcome);
        }
        search.depth = depth;
        let root = search.root();
        let result = family(&mut search, &root, algorithm);
        if let Some(lock) = search.lock {
            return Err(lock);
        }
        let before = outcome;
        outcome = search.outcome(depth);
        outcome.iterations = before.iterations;
        match result {
            Ok(value) => {
                outcome.value = value;
                outcome.bounds = value.map_or(outcome.bounds, Bounds::exact);
                let Outcome { best, time, .. } = outcome;
                let visits = outcome.counts.visits;
                outcome.iterations.push(Iteration { depth, value, best, visits, time });
            }
            Err(stop) => {
                outcome.stopped = Some(stop);
                outcome.best = outcome.best.or(before.best);
                outcome.depth = before.depth;
                if depth < options.depth {
                    outcome.bounds = search.widest();
                }
                break;
            }
        }
    }
    Ok((outcome, search.probe))
}
