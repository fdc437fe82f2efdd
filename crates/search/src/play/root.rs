//! The root of a search in play: iterative deepening, and the two drivers that an iteration may have.

use std::collections::VecDeque;

use super::history::PlayHistory;
use super::interface::{
    BoundKind, PlayControl, PlayDriver, PlayIteration, PlayLine, PlayOutcome, PlayRequest,
    RootMove, Unwind,
};
use super::mate_line::{is_shortest, plies_to_mate};
use super::root_log::{NewBest, RootEvent};
use super::split::{Sibling, SplitState};
use super::state::{Child, PlaySearch};
use super::threads::SharedView;
use super::{MAX_PLY, hundredths, reduction};
use crate::table::TranspositionTable;
use plyground_core::limits::Stop;
use plyground_core::tree::PlayTree;
use plyground_core::value::{INFINITY, Value, Window};

/// How far the first aspiration window reaches on both sides, in hundredths of the tree's unit.
const ASPIRATION_WIDTH: Value = 18;
/// Iterations before this one have the full window.
const ASPIRATION_DEPTH: u32 = 5;
/// How many null windows MTD(f) tries at most: with selective search the bounds need not meet.
const MAX_PASSES: u32 = 60;

/// What one thread does: it searches to depth `first` and deeper until the control or the request ends it.
pub(super) fn iterative_deepening<T: PlayTree>(
    tree: &T,
    memory: (&TranspositionTable, &PlayHistory),
    request: PlayRequest<'_, T::Move>,
    first: u32,
    shared: SharedView<'_, T>,
    control: &mut dyn PlayControl<T::Move>,
) -> PlayOutcome<T::Move> {
    let root = tree.root();
    let unknown =
        |&mv: &T::Move| RootMove { mv, value: 0, bound: BoundKind::AtMost, line: vec![mv] };
    let mut moves: Vec<RootMove<T::Move>> = request.moves.iter().map(unknown).collect();
    let PlayRequest { switches, driver, game, .. } = request;
    let mut search = PlaySearch::new(tree, memory, shared, switches, game, control);
    search.keeps_null_window_lines = driver == PlayDriver::MtdF;
    let mut finished = 0;
    let mut stopped = None;
    let wanted = request.lines.clamp(1, moves.len().max(1));
    'iterations: for depth in first..=request.depth.min(MAX_PLY as u32) {
        if moves.is_empty() {
            break;
        }
        search.depth = depth as i32;
        for number in 0..wanted {
            if let Err(stop) = search.iterate(&root, &mut moves[number..], number, driver) {
                stopped = Some(stop);
                break 'iterations;
            }
        }
        // A later line may be worth more than an earlier one: windows of different lines see different
        // values.
        let found: Vec<T::Move> = moves[..wanted].iter().map(|found| found.mv).collect();
        moves[..wanted].sort_by_key(|mv| -mv.value);
        for (number, &mv) in found.iter().enumerate() {
            if moves[number].mv != mv {
                search.report(&moves[number..], number, None);
            }
        }
        finished = depth;
        let (best, value) = (moves[0].mv, moves[0].value);
        let iteration = PlayIteration { depth, best, value, nodes: search.nodes };
        if !search.control.continues_after(iteration) {
            break;
        }
        // Deeper iterations would find the same mates again.
        let settled = |found: &RootMove<T::Move>| {
            plies_to_mate::<T>(found.value).is_some_and(|plies| is_shortest(depth, plies))
        };
        if moves[..wanted].iter().all(settled) {
            break;
        }
    }
    let (deepest, nodes) = (search.deepest as u32, search.nodes);
    PlayOutcome { moves, depth: finished, deepest, nodes, stopped }
}

impl<T: PlayTree> PlaySearch<'_, T> {
    /// One iteration for the best of `moves`, which comes to their front.
    fn iterate(
        &mut self,
        root: &T::Node,
        moves: &mut [RootMove<T::Move>],
        number: usize,
        driver: PlayDriver,
    ) -> Result<(), Stop> {
        match driver {
            PlayDriver::Pvs => self.aspiration_pvs(root, moves, number),
            PlayDriver::MtdF => self.mtd_f(root, moves, number),
        }
    }

    /// PVS with a window around the value of the last iteration, which is widened on the side where the
    /// search fails.
    fn aspiration_pvs(
        &mut self,
        root: &T::Node,
        moves: &mut [RootMove<T::Move>],
        number: usize,
    ) -> Result<(), Stop> {
        let mut width = hundredths::<T>(ASPIRATION_WIDTH);
        let mut window = Window::FULL;
        if self.switches.aspiration && self.depth as u32 >= ASPIRATION_DEPTH {
            let guess = moves[0].value;
            window = Window::new(guess - width, guess + width);
        }
        loop {
            let value = self.search_root(root, moves, window)?;
            width = width.saturating_mul(3);
            let is_far = |end: Value| end.abs() > hundredths::<T>(1_500);
            if value <= window.alpha {
                self.report(moves, number, Some((value, BoundKind::AtMost)));
                let alpha = value.saturating_sub(width);
                window.beta = (window.alpha + window.beta) / 2;
                window.alpha = if is_far(alpha) { -INFINITY } else { alpha };
            } else if value >= window.beta {
                moves[0].bound = BoundKind::AtLeast;
                self.report(moves, number, None);
                let beta = value.saturating_add(width);
                window.beta = if is_far(beta) { INFINITY } else { beta };
            } else {
                moves[0].bound = BoundKind::Exact;
                // The line ends where another thread has resolved a node.
                if self.shared.has_others() {
                    self.complete_line(root, &mut moves[0].line);
                }
                self.complete_mate(root, value, &mut moves[0].line);
                self.report(moves, number, None);
                return Ok(());
            }
        }
    }

    /// MTD(f): null windows, the first at the value of the last iteration, until the bounds meet.
    fn mtd_f(
        &mut self,
        root: &T::Node,
        moves: &mut [RootMove<T::Move>],
        number: usize,
    ) -> Result<(), Stop> {
        let (mut lower, mut upper) = (-INFINITY, INFINITY);
        let mut value = moves[0].value;
        for _ in 0..MAX_PASSES {
            let beta = if value == lower { value + 1 } else { value };
            value = self.search_root(root, moves, Window::above(beta - 1))?;
            if value < beta {
                upper = value;
                self.report(moves, number, Some((value, BoundKind::AtMost)));
            } else {
                lower = value;
                moves[0].bound = BoundKind::AtLeast;
                self.report(moves, number, None);
            }
            if lower >= upper {
                break;
            }
        }
        moves[0].value = value;
        moves[0].bound = BoundKind::Exact;
        self.complete_line(root, &mut moves[0].line);
        self.complete_mate(root, value, &mut moves[0].line);
        self.report(moves, number, None);
        Ok(())
    }

    /// Completes a line from the table. A line ends where the table answered a null window; the best
    /// moves that the table has from there on continue it, as long as no position comes again.
    fn complete_line(&self, root: &T::Node, line: &mut Vec<T::Move>) {
        let tree = self.tree;
        let mut node = root.clone();
        let mut keys = vec![tree.key(&node)];
        for &mv in line.iter() {
            node = tree.child(&node, mv);
            keys.push(tree.key(&node));
        }
        while line.len() < self.depth as usize && !tree.is_drawn(&node) {
            let Some(stored) = self.probe_table(tree.key(&node), line.len()) else { return };
            let Some(mv) = tree.find_move(&node, stored.best) else { return };
            node = tree.child(&node, mv);
            let key = tree.key(&node);
            if keys.contains(&key) {
                return;
            }
            keys.push(key);
            line.push(mv);
        }
    }

    /// One pass over the moves of the root. A move that is better than the window's lower end comes to
    /// the front.
    fn search_root(
        &mut self,
        root: &T::Node,
        moves: &mut [RootMove<T::Move>],
        window: Window,
    ) -> Result<Value, Stop> {
        let tree = self.tree;
        let beta = window.beta;
        let mut queue: VecDeque<(T::Move, i32, bool)> =
            (1..).zip(moves.iter()).map(|(number, found)| (found.mv, number, false)).collect();
        let mut siblings = Vec::new();
        let mut pass = RootPass { moves, alpha: window.alpha, best: -INFINITY };
        let in_check = tree.in_check(root);
        self.frames[0].static_eval = (!in_check).then(|| tree.static_eval(root));
        let depth = self.depth;
        while let Some((mv, number, again)) = queue.pop_front() {
            if let Some(value) = self.shared.sync_root(None, &mut |found| pass.note(found)) {
                return Ok(value);
            }
            if pass.alpha >= beta {
                break;
            }
            let child = tree.child(root, mv);
            let key = tree.key(&child);
            // Moves that other threads are searching are deferred: they come last.
            if number > 1 && !again && self.is_in_flight(key, depth) {
                queue.push_back((mv, number, true));
                continue;
            }
            self.frames[0].move_index = tree.history_index(root, mv);
            let mut reduced = 0;
            let quiet = tree.is_quiet(root, mv) && !in_check && !tree.in_check(&child);
            if self.switches.late_move_reductions && depth >= 3 && number > 3 && quiet {
                reduced = (reduction(depth, number) - 1).clamp(0, depth - 2);
            }
            if number > 1 && (!siblings.is_empty() || self.shares(depth, 0, number)) {
                let index = self.frames[0].move_index;
                let (depth, reduction) = (depth - 1, reduced);
                let tried_before = 0;
                siblings.push(Sibling {
                    mv,
                    index,
                    is_quiet: quiet,
                    depth,
                    reduction,
                    number,
                    tried_before,
                });
                continue;
            }
            let window = Window { alpha: pass.alpha, beta };
            let child = Child {
                node: &child,
                key,
                parent_depth: depth,
                depth: depth - 1,
                reduction: reduced,
                number,
            };
            let searched = if beta > pass.alpha + 1 {
                self.search_child::<true>(&child, window, 1)
            } else {
                self.search_child::<false>(&child, window, 1)
            };
            let value = match searched {
                Ok(value) => value,
                Err(why) => {
                    let over = self.shared.sync_root(None, &mut |found| pass.note(found));
                    match why {
                        Unwind::Stop(stop) => return Err(stop),
                        Unwind::Resolved(_) => return Ok(over.unwrap_or(pass.best)),
                        // A thread that helped has failed: what was found until now counts.
                        Unwind::Cut => return Err(Stop::Flag),
                    }
                }
            };
            if let Some(value) = self.note_at_root(&mut pass, mv, value) {
                return Ok(value);
            }
        }
        if !siblings.is_empty() {
            let window = Window { alpha: pass.alpha, beta };
            let is_pv = beta > pass.alpha + 1;
            let state = SplitState { window, best: pass.best, depth, ply: 0, is_pv };
            let (top, end) = self.split(root, siblings, state);
            // What was found before the end counts.
            if let Some((top, value)) = top {
                self.note_at_root(&mut pass, top.mv, value);
            }
            match end {
                Err(Unwind::Stop(stop)) => return Err(stop),
                Err(_) => return Err(Stop::Flag),
                Ok(()) => {}
            }
        }
        let end = RootEvent::PassOver(pass.best);
        let over = self.shared.sync_root(Some(end), &mut |found| pass.note(found));
        Ok(over.unwrap_or(pass.best))
    }

    /// A move of the root has this value: tells the other threads if it is better than those before, and
    /// returns the value of the pass if that is over.
    fn note_at_root(
        &mut self,
        pass: &mut RootPass<'_, T::Move>,
        mv: T::Move,
        value: Value,
    ) -> Option<Value> {
        pass.best = pass.best.max(value);
        if value <= pass.alpha {
            return None;
        }
        let line = std::iter::once(mv).chain(self.lines[1].iter().copied()).collect();
        let found = RootEvent::NewBest(NewBest { mv, value, line });
        self.shared.sync_root(Some(found), &mut |found| pass.note(found))
    }

    /// Reports the line of the first of `moves`, or a bound that its search has shown.
    fn report(
        &mut self,
        moves: &[RootMove<T::Move>],
        number: usize,
        shown: Option<(Value, BoundKind)>,
    ) {
        let best = &moves[0];
        let (value, bound) = shown.unwrap_or((best.value, best.bound));
        self.control.on_line(PlayLine {
            depth: self.depth as u32,
            deepest: self.deepest as u32,
            number,
            value,
            bound,
            nodes: self.nodes,
            moves: &best.line,
        });
    }
}

/// A pass over the root's moves.
struct RootPass<'a, M> {
    moves: &'a mut [RootMove<M>],
    alpha: Value,
    best: Value,
}

impl<M: Copy + PartialEq> RootPass<'_, M> {
    /// A better move was found: it comes to the front.
    fn note(&mut self, best: &NewBest<M>) {
        self.alpha = self.alpha.max(best.value);
        self.best = self.best.max(best.value);
        let Some(index) = self.moves.iter().position(|found| found.mv == best.mv) else { return };
        let found = &mut self.moves[index];
        (found.value, found.bound) = (best.value, BoundKind::AtLeast);
        found.line.clone_from(&best.line);
        self.moves[..=index].rotate_right(1);
    }
}
