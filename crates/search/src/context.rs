//! The context that every algorithm works in.
//!
//! An algorithm touches a tree only through [`Search`]: it expands nodes, evaluates leaves and
//! remembers bounds there. Counting, limits, stopping and the order of moves are all in this one
//! place. So an algorithm's own file holds its idea and nothing else, and what the laboratory
//! counts is the same for all of them by construction.

mod leaf;
mod visit;

use plyground_core::limits::Stop;
use plyground_core::tree::{GameTree, MoveList};
use plyground_core::value::{Bounds, Value, Window, mate_from_node, mate_from_root};

use crate::factors::{GuessFrom, Store};
use crate::memory::Recalled;
use crate::memory_functions::MemoryFunctions;
use crate::mode::Mode;
use crate::node::{Children, Picker, SearchNode, Siblings};
use crate::order::DecidingMove;
use crate::outcome::{Counts, Outcome, SearchError};
use crate::spec::{SearchSpec, Update};
use crate::table::NO_MOVE;
use crate::tally::Tally;
use crate::trace::Event;

/// A search in progress: the context in which every algorithm works.
pub struct Search<'t, T: GameTree, M: Mode> {
    pub(crate) tree: &'t T,
    pub(crate) mode: M,
    pub(crate) tally: Tally,
    pub(crate) spec: &'t SearchSpec,
    /// The horizon of this iteration.
    pub(crate) depth: u32,
    /// The value of the iteration before this one.
    pub(crate) guess: Option<Value>,
    /// The value of the iteration before that one, whose depth has the parity of this one.
    same_parity: Option<Value>,
    /// What is known of the root's value.
    pub(crate) known: Bounds,
    /// What an algorithm that proves no value takes it to be.
    pub(crate) estimate: Option<Value>,
    /// The root's best move so far.
    pub(crate) best: Option<T::Move>,
    /// Where a memory-bounded algorithm could not continue.
    pub(crate) failure: Option<SearchError>,
}

impl<'t, T: GameTree, M: Mode> Search<'t, T, M> {
    pub(crate) fn new(tree: &'t T, spec: &'t SearchSpec, mode: M) -> Self {
        let mut tally = Tally::new(spec.limits().clone());
        tally.fixed_bytes = mode.bytes();
        Search::with_tally(tree, spec, mode, tally)
    }

    pub(crate) fn with_tally(tree: &'t T, spec: &'t SearchSpec, mode: M, tally: Tally) -> Self {
        let depth = spec.depth();
        let mut search = Search {
            tree,
            mode,
            tally,
            spec,
            depth,
            guess: None,
            same_parity: None,
            known: Bounds::UNKNOWN,
            estimate: None,
            best: None,
            failure: None,
        };
        search.known = search.widest();
        search
    }

    /// The tree.
    pub fn tree(&self) -> &'t T {
        self.tree
    }

    /// The root.
    pub(crate) fn root(&mut self) -> SearchNode<T, M> {
        let node = self.tree.root();
        let tag = self.mode.root(self.tree, &node);
        SearchNode { node, height: self.depth, ply: 0, tag }
    }

    /// Fills `siblings`, which is empty, with the children of `at`; `false` if it is a leaf. For
    /// some games a list of moves is large, so depth-first searches fill it in place.
    #[inline(always)]
    pub(crate) fn expand_into(
        &mut self,
        at: &SearchNode<T, M>,
        best: u16,
        siblings: &mut Siblings<T, M>,
    ) -> Result<bool, Stop> {
        if at.height == 0 {
            return Ok(false);
        }
        self.tree.moves(&at.node, &mut siblings.moves);
        if siblings.moves.is_empty() {
            return Ok(false);
        }
        self.count_expansion(at, siblings.moves.len())?;
        let Siblings { moves, ranks, .. } = siblings;
        self.mode.rank(self.tree, at, moves, best, ranks);
        Ok(true)
    }

    /// The children of `at`, sorted, for an algorithm that keeps them; `None` if it is a leaf.
    #[inline(always)]
    pub fn expand(&mut self, at: &SearchNode<T, M>) -> Result<Option<Children<T, M>>, Stop> {
        let Some(children) = self.generate(at) else { return Ok(None) };
        self.count_expansion(at, children.len())?;
        Ok(Some(children))
    }

    /// The children of `at` without counting it as expanded, for an algorithm that has to know
    /// first how many there are.
    #[inline(always)]
    pub(crate) fn generate(&self, at: &SearchNode<T, M>) -> Option<Children<T, M>> {
        let Siblings { moves, ranks, .. } = self.generate_siblings(at)?;
        Some(Children { moves, sorted: M::sort(ranks) })
    }

    /// The same for a search that visits them one after the other.
    #[inline(always)]
    pub(crate) fn generate_siblings(&self, at: &SearchNode<T, M>) -> Option<Siblings<T, M>> {
        if at.height == 0 {
            return None;
        }
        let mut siblings: Siblings<T, M> = Siblings::none();
        self.tree.moves(&at.node, &mut siblings.moves);
        if siblings.moves.is_empty() {
            return None;
        }
        let best = self.mode.recall(at.tag, at.height).best;
        let Siblings { moves, ranks, .. } = &mut siblings;
        self.mode.rank(self.tree, at, moves, best, ranks);
        Some(siblings)
    }

    /// Counts `at`, which has `width` children, as expanded.
    #[inline(always)]
    pub(crate) fn count_expansion(
        &mut self,
        at: &SearchNode<T, M>,
        width: usize,
    ) -> Result<(), Stop> {
        let Search { mode, tally, .. } = self;
        tally.count_expansion(|| mode.bytes())?;
        tally.children += width as u64;
        mode.expanded(at.tag, width);
        Ok(())
    }

    /// The next child of `at`, an expanded node.
    #[inline(always)]
    pub fn next_child(
        &mut self,
        at: &SearchNode<T, M>,
        picker: &mut Picker<'_, T, M>,
    ) -> Option<SearchNode<T, M>> {
        if picker.next == picker.siblings.moves.len() {
            return None;
        }
        picker.current = M::pick(&mut picker.siblings.ranks, picker.next);
        picker.next += 1;
        Some(self.child_at(at, &picker.siblings.moves, picker.current))
    }

    /// Child `number` of `at`.
    #[inline(always)]
    pub fn child(
        &mut self,
        at: &SearchNode<T, M>,
        children: &Children<T, M>,
        number: usize,
    ) -> SearchNode<T, M> {
        self.child_at(at, &children.moves, children.place(number))
    }

    /// The child of `at` at `place` in the tree's list.
    #[inline(always)]
    pub(crate) fn child_at(
        &mut self,
        at: &SearchNode<T, M>,
        moves: &T::Moves,
        place: usize,
    ) -> SearchNode<T, M> {
        self.child_after(at, moves.at(place), (place, moves.len()))
    }

    /// The child of `at` after `mv`, the move at `place` in the tree's list of `width` moves.
    #[inline(always)]
    pub(crate) fn child_after(
        &mut self,
        at: &SearchNode<T, M>,
        mv: T::Move,
        (place, width): (usize, usize),
    ) -> SearchNode<T, M> {
        let node = self.tree.child(&at.node, mv);
        let tag = self.mode.below(self.tree, at, mv, (place, width), &node);
        SearchNode { node, height: at.height - 1, ply: at.ply + 1, tag }
    }

    /// Notes that a best-first algorithm now holds this many states on OPEN, entries on BACKUP, and
    /// bytes.
    #[inline]
    pub(crate) fn holds(&mut self, open: u64, backup: u64, bytes: usize) -> Result<(), Stop> {
        let Search { mode, tally, .. } = self;
        tally.holds(open, backup, bytes, || mode.bytes())
    }

    /// The bytes that the search may still take, beside lists of `held` bytes.
    pub(crate) fn bytes_left(&self, held: usize) -> usize {
        let most = self.tally.limits().bytes.unwrap_or(usize::MAX);
        most.saturating_sub(self.mode.bytes() + held)
    }

    /// Stops the search if it holds more bytes than it may.
    pub(crate) fn check_bytes(&self) -> Result<(), Stop> {
        self.tally.check_bytes(self.mode.bytes())
    }

    /// Notes that the move handed out last is the best at `at` so far, worth `value`; `alpha` is
    /// the lower end of the window. At the root the best move and its value are kept: they are the
    /// outcome if the search is stopped.
    #[inline(always)]
    pub fn improve(
        &mut self,
        at: &SearchNode<T, M>,
        picker: &mut Picker<'_, T, M>,
        value: Value,
        alpha: Value,
    ) {
        if value > alpha {
            if M::RICH {
                picker.siblings.best = Some(picker.current);
            }
            if at.ply == 0 {
                self.best = Some(picker.current());
                self.known.lower = self.known.lower.max(value);
            }
        }
        self.mode.improve(at.ply, || self.tree.code(picker.current()));
    }

    /// The guess that an algorithm starts from: the value of the iteration before this one, or of the
    /// one before that if the spec says so, if there was one, else its parameter `first`, else the guess of the spec, else 0.
    pub(crate) fn guess(&self, first: Option<Value>) -> Value {
        let before = match self.spec.factors().guess {
            GuessFrom::Previous => self.guess,
            GuessFrom::Parity => self.same_parity.or(self.guess),
        };
        let earlier = if self.spec.deepening() { before.or(first) } else { first };
        earlier.or(self.spec.guess()).unwrap_or(0)
    }

    /// Narrows what is known of the root's value to `bounds` too.
    pub(crate) fn narrow_root(&mut self, bounds: Bounds) {
        self.known.lower = self.known.lower.max(bounds.lower);
        self.known.upper = self.known.upper.min(bounds.upper);
    }

    /// What the memory knows of `at`.
    #[inline(always)]
    pub(crate) fn recall(&self, at: &SearchNode<T, M>) -> Recalled {
        let mut recalled = self.mode.recall(at.tag, at.height);
        if T::MATES && self.mode.has_table() {
            recalled.bounds.lower = mate_from_root(recalled.bounds.lower, at.ply);
            recalled.bounds.upper = mate_from_root(recalled.bounds.upper, at.ply);
        }
        recalled
    }

    /// Lets the bounds `known` answer for `at` if the window allows; an answer counts as a visit.
    #[inline]
    fn answer(
        &mut self,
        at: &SearchNode<T, M>,
        known: Bounds,
        window: Window,
    ) -> Result<Option<Value>, Stop> {
        let Some(answer) = known.answer_within(window) else { return Ok(None) };
        self.count_answered(at, known)?;
        Ok(Some(answer))
    }

    /// Counts a node that bounds in the memory answer for.
    #[inline]
    pub(crate) fn count_answered(
        &mut self,
        at: &SearchNode<T, M>,
        known: Bounds,
    ) -> Result<(), Stop> {
        self.count_answer()?;
        self.emit(at, || Event::Answered { bounds: bounds_for_max(at.ply, known) });
        Ok(())
    }

    /// Counts a node that the memory answers for.
    #[inline]
    pub(crate) fn count_answer(&mut self) -> Result<(), Stop> {
        let Search { mode, tally, .. } = self;
        tally.count_answer(|| mode.bytes())
    }

    /// Enhanced transposition cut-offs (Plaat and others 1996): lets the table answer for `at` if
    /// it knows a child that is enough for a cut-off.
    #[inline(always)]
    fn answer_from_children(
        &mut self,
        at: &SearchNode<T, M>,
        siblings: &Siblings<T, M>,
        beta: Value,
    ) -> Result<Option<Value>, Stop> {
        // Where the children are leaves, a look in the table costs as much as a search.
        let asks = M::RICH && self.mode.has_table() && at.height >= 2;
        if !asks || !self.spec.memory().contains(MemoryFunctions::ETC) {
            return Ok(None);
        }
        for place in 0..siblings.moves.len() {
            let child = self.child_at(at, &siblings.moves, place);
            let enough = -self.recall(&child).bounds.upper;
            if enough >= beta {
                self.count_answer()?;
                if at.ply == 0 {
                    self.best = Some(siblings.moves.at(place));
                }
                return Ok(Some(enough));
            }
        }
        Ok(None)
    }

    /// Remembers what is known of a node, and its best move.
    #[inline(always)]
    fn remember(&mut self, at: &SearchNode<T, M>, bounds: Bounds, best: u16) {
        if !self.mode.has_memory() {
            return;
        }
        let mut kept = bounds;
        if T::MATES && self.mode.has_table() {
            kept.lower = mate_from_node(kept.lower, at.ply);
            kept.upper = mate_from_node(kept.upper, at.ply);
        }
        self.mode.store(at.tag, at.height, kept, best);
        self.emit(at, || Event::Stored { bounds: bounds_for_max(at.ply, bounds) });
    }

    /// Remembers the result of a search of the interior node `at`: `value` came back from the
    /// window `clipped`, which was already narrowed to what was `recalled`. Returns the root's best
    /// move if the bounds of its children have named it.
    #[inline(always)]
    pub(crate) fn settle(
        &mut self,
        at: &SearchNode<T, M>,
        siblings: &Siblings<T, M>,
        recalled: Recalled,
        clipped: Window,
        value: Value,
    ) -> Option<T::Move> {
        if !M::RICH && !M::KEEPS.is_bounds() {
            return None;
        }
        let Recalled { bounds: known, mut best } = recalled;
        let moves = &siblings.moves;
        if self.mode.learns() {
            let cuts = value >= clipped.beta;
            let decided = siblings.best.map(|place| self.decided(at, moves, place, cuts));
            self.mode.settle(at.tag, at.ply, at.height, decided);
            best = decided.map_or(best, |decided| decided.code);
        }
        let bounds = match self.spec.update() {
            Update::Maxsearch => self.mode.bounds_from_children(at.tag, moves.len()),
            Update::Clipped => Bounds {
                lower: if value > clipped.alpha { value } else { known.lower },
                upper: if value < clipped.beta { value } else { known.upper },
            },
        };
        // The children may make the root's value known in a call that no child answered: then nothing
        // has named the move that has the value.
        let mut named = None;
        if at.ply == 0 && self.spec.update() == Update::Maxsearch && bounds.is_exact() {
            let mut has_value = |&place: &usize| {
                let child = self.child_at(at, moves, place);
                -self.recall(&child).bounds.upper == bounds.lower
            };
            named = (0..moves.len()).find(&mut has_value).map(|place| moves.at(place));
            self.best = named.or(self.best);
        }
        self.remember(at, bounds, best);
        if M::RICH && self.spec.factors().store == Store::Relevant {
            // Processors that make the calls of the root themselves do not narrow them to its bounds.
            let narrows = self.spec.algorithm().threads().is_none();
            self.mode.forget_irrelevant(at.tag, at.ply, narrows);
        }
        named
    }

    /// The move that decides `at`, given its place in the tree's list.
    #[inline(always)]
    fn decided(
        &self,
        at: &SearchNode<T, M>,
        moves: &T::Moves,
        place: usize,
        cuts: bool,
    ) -> DecidingMove {
        let mv = moves.at(place);
        let (code, history_index) = (self.tree.code(mv), self.tree.history_index(&at.node, mv));
        DecidingMove { code, history_index, leads: place < moves.leading(), cuts }
    }

    /// Notes that child `number` decides `at`, for a best-first algorithm. Such an algorithm keeps
    /// its bounds itself: from the memory it uses only the moves, and the values of leaves.
    #[inline(always)]
    pub(crate) fn decide(
        &mut self,
        at: &SearchNode<T, M>,
        children: &Children<T, M>,
        number: usize,
    ) {
        if !M::RICH || !self.mode.learns() {
            return;
        }
        let place = children.place(number);
        let leads = place < children.moves.leading();
        self.decide_by(at, children.moves.at(place), leads);
    }

    /// Notes that `mv`, which leads the tree's list or not, decides `at`.
    pub(crate) fn decide_by(&mut self, at: &SearchNode<T, M>, mv: T::Move, leads: bool) {
        if !M::RICH || !self.mode.learns() {
            return;
        }
        let (code, history_index) = (self.tree.code(mv), self.tree.history_index(&at.node, mv));
        let decided = DecidingMove { code, history_index, leads, cuts: true };
        self.mode.improve(at.ply, || decided.code);
        self.mode.settle(at.tag, at.ply, at.height, Some(decided));
        self.mode.store(at.tag, at.height, Bounds::UNKNOWN, decided.code);
    }

    /// Is there a watch? An algorithm then takes every step singly.
    #[inline(always)]
    pub(crate) fn is_watched(&self) -> bool {
        self.mode.is_watched()
    }

    /// For a watch: events belong to this process from now on.
    #[inline]
    pub(crate) fn set_process(&mut self, process: u32) {
        self.mode.set_process(process);
    }

    /// For a watch: reports an event at a node.
    #[inline(always)]
    pub(crate) fn emit(&mut self, at: &SearchNode<T, M>, event: impl FnOnce() -> Event) {
        self.mode.emit(M::path(at.tag), event);
    }

    /// For a watch: reports an event of the search as a whole.
    #[inline(always)]
    pub(crate) fn emit_at_root(&mut self, event: impl FnOnce() -> Event) {
        self.mode.emit(0, event);
    }

    /// Counts a search that is made again with another window.
    #[inline(always)]
    pub(crate) fn search_again(&mut self) {
        self.tally.researches += 1;
    }

    /// Counts one more call of the search below the root.
    pub(crate) fn pass(&mut self, window: Window) {
        self.tally.calls += 1;
        self.emit_at_root(|| Event::Pass { window });
    }

    /// For a watch: a depth-first search enters `at`.
    #[inline]
    pub fn enter(&mut self, at: &SearchNode<T, M>, window: Window) {
        self.emit(at, || Event::Enter { window: window_for_max(at.ply, window) });
    }

    /// For a watch: a depth-first search leaves `at`.
    #[inline]
    pub fn leave(&mut self, at: &SearchNode<T, M>, value: Value) -> Result<Value, Stop> {
        self.emit(at, || Event::Leave { value: for_max(at.ply, value) });
        Ok(value)
    }

    /// Begins the iteration to `depth` with what the last one found.
    pub(crate) fn begin_iteration(&mut self, depth: u32, last: &Outcome<T::Move>) {
        self.depth = depth;
        self.same_parity = self.guess;
        self.guess = last.value.or(self.guess);
        self.mode.next_iteration(last.best.map_or(NO_MOVE, |mv| self.tree.code(mv)));
        self.known = self.widest();
        self.estimate = None;
        self.best = None;
    }

    /// What is known of the root's value before it is searched.
    pub(crate) fn widest(&self) -> Bounds {
        let range = self.tree.value_range();
        Bounds { lower: *range.start(), upper: *range.end() }
    }

    /// The outcome as far as it is known at this moment.
    pub(crate) fn outcome(&mut self, depth: u32) -> Outcome<T::Move> {
        let (time, cpu) = (self.tally.time(), self.tally.cpu_time());
        let counts = self.counts();
        // Counting what a table holds is no part of the search, and takes long where the table is large.
        self.tally.leave_out_since(time, cpu);
        let tally = &self.tally;
        let simulated = self.spec.simulate();
        let expansions = tally.expansions as f64;
        Outcome {
            value: None,
            bounds: self.known,
            estimate: self.estimate,
            proved: None,
            best: self.best,
            stopped: None,
            depth,
            counts,
            width: (tally.children > 0).then(|| tally.children as f64 / expansions),
            time,
            cpu,
            idle: tally.idle,
            peak_process: tally.peak_process,
            // A serial search evaluates one leaf at a time.
            terminal_count: simulated.then(|| tally.ticks.unwrap_or(tally.evaluations)),
            idle_share: simulated.then(|| tally.idle_share(self.spec.algorithm().threads())),
            iterations: Vec::new(),
        }
    }

    fn counts(&mut self) -> Counts {
        let distinct = self.mode.distinct();
        let tally = &self.tally;
        // Where no path is taken twice, every node is distinct. And a stored search tree answers
        // for a leaf that it has seen, so that every evaluation is of a distinct leaf.
        let once = !self.spec.algorithm().entry().revisits;
        let expanded = self.mode.expanded_nodes();
        let stores = expanded.is_some() && !self.spec.has_leaf_bounds();
        let all_leaves = (once || stores).then_some(tally.evaluations);
        let all_interior = if once { Some(tally.expansions) } else { expanded };
        Counts {
            leaves: distinct.map(|distinct| distinct.leaves).or(all_leaves),
            evaluations: tally.evaluations,
            interior: distinct.map(|distinct| distinct.interior).or(all_interior),
            visits: tally.visits(),
            quiescence: tally.quiescence,
            peak_open: tally.peak_open,
            peak_backup: tally.peak_backup,
            peak_stored: tally.peak_stored.max(self.mode.stored()),
            peak_bytes: (self.mode.bytes() + tally.list_bytes) as u64,
            calls: tally.calls,
            researches: tally.researches,
        }
    }
}

/// A value of the mover at `ply`, from MAX's view.
#[inline]
pub(crate) fn for_max(ply: u32, value: Value) -> Value {
    if ply.is_multiple_of(2) { value } else { -value }
}

fn window_for_max(ply: u32, window: Window) -> Window {
    if ply.is_multiple_of(2) { window } else { window.flip() }
}

fn bounds_for_max(ply: u32, bounds: Bounds) -> Bounds {
    if ply.is_multiple_of(2) { bounds } else { bounds.flip() }
}
