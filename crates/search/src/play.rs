//! Playing search: it looks deeper where it matters and leaves out what hardly can.
//!
//! The laboratory's algorithms return the minimax value of a fixed tree. A playing program has a clock
//! instead, and wants the best move that it can find in the time. [`think`] deepens with one of two
//! drivers, PVS or MTD(f), over the function `search_node` of this file, which is told in numbered
//! steps. Each step has a [switch](PlaySwitches). What a step is worth was measured by leaving it out:
//! the figure beside it is the score of the whole against the rest, in 60 games of chess at 8,000 nodes
//! a move. By chance alone that is within 12 of 50, so the smaller figures prove nothing.
//!
//! Everything is generic over the tree: chess brings null moves, checks and captures by the functions of
//! [`PlayTree`], Othello has none of them and keeps the rest.
//!
//! - `root`: iterative deepening and the drivers; `interface`: what goes in and comes out
//! - `state`: what one search knows; `table_access`, `leaf`, `repetition`: parts of a step
//! - `move_picker` and `history`: in which order moves are tried; `correction`: how far the static
//!   evaluation was off
//! - `multi_probcut`: the one step that is long enough for a file of its own
//! - `threads`, `root_log`, `split`: several threads on one search

mod correction;
mod history;
mod interface;
mod leaf;
mod mate_line;
mod move_picker;
mod multi_probcut;
mod repetition;
mod root;
mod root_log;
#[cfg(test)]
#[path = "play/root_log/tests.rs"]
mod root_log_tests;
mod split;
mod state;
mod switches;
mod table_access;
mod threads;

pub use history::PlayHistory;
pub use interface::{
    BoundKind, PlayControl, PlayDriver, PlayIteration, PlayLine, PlayOutcome, PlayRequest, RootMove,
};
pub use switches::{PlayScheme, PlaySwitches};
pub use threads::think;

use std::sync::LazyLock;

use arrayvec::ArrayVec;

use crate::sync;
use crate::table::NO_MOVE;
use history::NO_INDEX;
use interface::Unwind;
use move_picker::{MovePicker, PickerContext, Stage};
use plyground_core::tree::PlayTree;
use plyground_core::value::{Bounds, INFINITY, LEAST_MATE, MATE, Value, Window};
use split::{Sibling, SplitState};
use state::{Child, PlaySearch};

/// The greatest distance from the root, in plies.
pub const MAX_PLY: usize = 128;

/// The limits are checked at least once in this number of nodes.
pub const CHECK_INTERVAL: u64 = 1024;

// Margins are in hundredths of the tree's unit: of a pawn, of a disc. Depths are the greatest at which
// a step applies, or the least where the name says so.

/// Reverse futility: its depth, and its margin a ply.
const REVERSE_FUTILITY_DEPTH: i32 = 7;
const REVERSE_FUTILITY_MARGIN: Value = 85;
/// Razoring: its depth, and its margin a ply.
const RAZORING_DEPTH: i32 = 3;
const RAZORING_MARGIN: Value = 260;
/// Futility: its depth, a fixed margin, and what is added to that a ply.
const FUTILITY_DEPTH: i32 = 7;
const FUTILITY_BASE: Value = 140;
const FUTILITY_MARGIN: Value = 110;
/// Late move pruning: its depth.
const LATE_MOVE_PRUNING_DEPTH: i32 = 7;
/// Pruning by static exchange evaluation: its depth, and what quiet and noisy moves may lose a ply.
const SEE_PRUNING_DEPTH: i32 = 7;
const SEE_QUIET_MARGIN: Value = 60;
const SEE_NOISY_MARGIN: Value = 95;
/// Singular extension: its least depth.
const SINGULAR_LEAST_DEPTH: i32 = 7;
/// Internal iterative reduction: its least depth.
const INTERNAL_ITERATIVE_REDUCTION_LEAST_DEPTH: i32 = 4;
/// After this number of reversible plies the table, which knows no clocks, is not believed: the rule of
/// fifty moves is near.
const STALE_PLIES: u32 = 85;

impl<T: PlayTree> PlaySearch<'_, T> {
    /// What `node`, at `ply` below the root, is worth to its mover if searched `depth` plies and
    /// more where it matters. Outside the window the value is a bound. `PV` says that the node is on
    /// the principal variation: its window may be wider than one value.
    fn search<const PV: bool>(
        &mut self,
        node: &T::Node,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Result<Value, Unwind> {
        match self.search_node::<PV>(node, window, depth, ply) {
            Err(Unwind::Resolved(at)) if usize::from(at) == ply => {
                self.lines[ply].clear();
                Ok(self.resolved_value)
            }
            result => result,
        }
    }

    /// The steps of that search.
    #[inline(always)]
    fn search_node<const PV: bool>(
        &mut self,
        node: &T::Node,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Result<Value, Unwind> {
        let Window { mut alpha, mut beta } = window;
        let mut depth = depth;
        let tree = self.tree;
        self.lines[ply].clear();

        // 1. Count the node, and check the limits now and then.
        self.nodes += 1;
        if self.nodes >= self.checkpoint {
            self.check_limits(ply)?;
        }
        self.deepest = self.deepest.max(ply);

        // 2. Draws that no list of moves shows; and mate distance pruning: a mate that comes later than
        //    one already found does not matter.
        if T::REPEATS && self.keys.is_repetition(tree.reversible(node)) || tree.is_drawn(node) {
            return Ok(0);
        }
        if T::MATES {
            alpha = alpha.max(ply as Value - MATE);
            beta = beta.min(MATE - 1 - ply as Value);
            if alpha >= beta {
                return Ok(alpha);
            }
        }

        // 3. Extensions: a ply more for a side in check (52 %), as long as the path is not twice as long
        //    as the iteration is deep, and a ply for a side with one reply.
        let in_check = tree.in_check(node);
        if (ply as i32) < 2 * self.depth {
            depth += i32::from(in_check && self.switches.check_extension);
        }
        if self.switches.one_reply_extension && (ply as i32) < self.depth {
            depth += i32::from(tree.is_forced(node));
        }
        depth = depth.max(0);

        // 4. The table: what was found at this depth or a greater one counts. Not on the principal
        //    variation, of which the whole line is wanted.
        let excluded = self.frames[ply].excluded;
        let key = tree.key(node);
        let stored = self.probe_table(key, ply);
        let fresh = !T::REPEATS || tree.reversible(node) < STALE_PLIES;
        let mut known = Bounds::UNKNOWN;
        if let Some(stored) = stored
            && excluded == NO_MOVE
            && i32::from(stored.height) >= depth
            && fresh
        {
            let Bounds { lower, upper } = stored.bounds;
            if !PV && lower >= beta {
                return Ok(lower);
            }
            if !PV && (upper <= alpha || lower == upper) {
                return Ok(upper);
            }
            if i32::from(stored.height) == depth {
                known = stored.bounds;
            }
        }

        let may_resolve = excluded == NO_MOVE && fresh;
        self.watch::<PV>(key, Window { alpha, beta }, depth, ply, may_resolve);

        // 5. The horizon: quiescence search.
        if depth == 0 || ply + 1 >= MAX_PLY {
            let value = self.quiesce(node, Window { alpha, beta }, ply);
            if depth == 0 {
                self.store_in_table(key, 0, value, (alpha, beta), known, NO_MOVE, ply);
            }
            return Ok(value);
        }
        let first = stored
            .filter(|stored| stored.best != NO_MOVE && excluded == NO_MOVE)
            .and_then(|stored| tree.find_move(node, stored.best));

        // 6. The static evaluation, corrected by what was learnt of positions like this one, and within
        //    the bounds of the table, which knows better; and whether the side to move is improving:
        //    whether it is more than two plies ago.
        let corrected = if in_check { None } else { Some(self.corrected_eval(node, ply)) };
        let static_eval = match (corrected, stored) {
            (Some((eval, _)), Some(stored)) => {
                let Bounds { lower, upper } = stored.bounds;
                Some(eval.max(lower.min(upper)).min(upper))
            }
            _ => corrected.map(|(eval, _)| eval),
        };
        self.frames[ply].static_eval = static_eval;
        self.frames[ply + 2].killers = [NO_MOVE; 2];
        let earlier = if ply >= 2 { self.frames[ply - 2].static_eval } else { None };
        let improving = static_eval > earlier && earlier.is_some();

        let mut mate_threat = false;
        if !PV
            && excluded == NO_MOVE
            && beta.abs() < LEAST_MATE
            && let Some(eval) = static_eval
        {
            // 7. Reverse futility pruning: the position is so far above the window that no reply will
            //    bring it back (50 %).
            if self.switches.reverse_futility && depth <= REVERSE_FUTILITY_DEPTH {
                let margin =
                    hundredths::<T>(REVERSE_FUTILITY_MARGIN * (depth - i32::from(improving)));
                if eval - margin >= beta && eval < LEAST_MATE {
                    return Ok((eval + beta) / 2);
                }
            }

            // 8. Razoring: the position is so far below the window that only captures could help
            //    (52 %).
            if self.switches.razoring
                && depth <= RAZORING_DEPTH
                && eval + hundredths::<T>(RAZORING_MARGIN * depth) <= alpha
            {
                let value = self.quiesce(node, Window::above(alpha), ply);
                if value <= alpha {
                    return Ok(value);
                }
            }

            // 9. Null move: if the other side may move twice in a row and the value is still above the
            //    window, a real move will be above it too (58 %). Not after another null move, and
            //    not in endings with zugzwang. If the null move is answered with mate, there is a
            //    threat to look at: a ply more (52 %, 600 games).
            if self.switches.null_move
                && depth >= 2
                && eval >= beta
                && self.frames[ply - 1].move_index != NO_INDEX
                && let Some(passed) = tree.null_move(node)
            {
                self.table.prefetch(tree.key(&passed));
                let surplus = (eval - beta) / hundredths::<T>(200);
                let reduced = depth - 4 - depth / 4 - surplus.min(3);
                self.frames[ply].move_index = NO_INDEX;
                let barrier = self.keys.raise_barrier();
                self.keys.push(tree.key(&passed));
                let below = Window::above(beta - 1).flip();
                let searched = self.search::<false>(&passed, below, reduced, ply + 1);
                self.keys.pop();
                self.keys.lower_barrier(barrier);
                let value = -searched?;
                if value >= beta {
                    return Ok(if value >= LEAST_MATE { beta } else { value });
                }
                mate_threat = self.switches.mate_threats && value <= -LEAST_MATE;
            }
        }

        // 10. Multi-probcut: the value of a shallower search is so far beyond the window that the value
        //     of this one will hardly come back into it (62 %, 120 games of Othello at 20,000 nodes a
        //     move; chess has no forecasts).
        if self.switches.multi_probcut
            && !PV
            && excluded == NO_MOVE
            && let Some(value) = self.multi_probcut(node, beta, depth, ply)?
        {
            // The best move of the shallow search, if it had one, is better than none.
            let best = self.probe_table(key, ply).map_or(NO_MOVE, |shallow| shallow.best);
            self.store_in_table(key, depth, value, (alpha, beta), known, best, ply);
            return Ok(value);
        }

        // 11. Internal iterative reduction: where the table has no move to begin with, a shallower
        //     search is cheap, and leaves one for the next time (58 %).
        if self.switches.internal_iterative_reduction
            && first.is_none()
            && depth >= INTERNAL_ITERATIVE_REDUCTION_LEAST_DEPTH
            && !in_check
        {
            depth -= 1;
        }
        if mate_threat && (ply as i32) < 2 * self.depth {
            depth += 1;
        }

        // 12. Singular extension: if all other moves are much worse than the table's, that one is
        //     searched a ply deeper (52 %).
        let mut extension = 0;
        if self.switches.singular_extension
            && depth >= SINGULAR_LEAST_DEPTH
            && (ply as i32) < 2 * self.depth
            && let (Some(stored), Some(_)) = (stored, first)
            && i32::from(stored.height) >= depth - 3
            && stored.bounds.lower.abs() < LEAST_MATE
        {
            let bound = stored.bounds.lower - hundredths::<T>(2 * depth);
            self.frames[ply].excluded = stored.best;
            let window = Window::above(bound - 1);
            let searched = self.search::<false>(node, window, (depth - 1) / 2, ply);
            self.frames[ply].excluded = NO_MOVE;
            self.frames[ply].static_eval = static_eval;
            let value = searched?;
            if value < bound {
                extension = 1;
            } else if !PV && bound >= beta {
                // Multi-cut: the node is above the window even without its best move.
                return Ok(bound);
            }
        }

        self.watch::<PV>(key, Window { alpha, beta }, depth, ply, may_resolve);
        let before = [self.index_before(ply, 1), self.index_before(ply, 2)];
        let [killer, older] = self.frames[ply].killers;
        let counter_move = self.history.counter_move(ply, before[0]);
        let context = PickerContext { ply, before, refutations: [killer, older, counter_move] };
        let mut picker = MovePicker::<T>::new(first, self.switches.staged_move_generation);
        let mut tried: ArrayVec<usize, 64> = ArrayVec::new();
        let mut best = -INFINITY;
        let mut best_code = stored.map_or(NO_MOVE, |stored| stored.best);
        let (mut best_index, mut best_is_quiet) = (NO_INDEX, true);
        let lowest = alpha;
        let mut count = 0;
        // Moves that other threads are searching, with their numbers: they are deferred, and come last.
        let mut deferred: ArrayVec<(T::Move, Stage, i32), 8> = ArrayVec::new();
        // Moves that are searched together with other threads, at a split point.
        let mut siblings: Vec<Sibling<T::Move>> = Vec::new();
        loop {
            let (mv, stage, number, again) = match picker.next(tree, node, self.history, context) {
                Some((mv, _)) if tree.code(mv) == excluded => continue,
                Some((mv, stage)) => {
                    count += 1;
                    (mv, stage, count, false)
                }
                None => match deferred.pop_at(0) {
                    Some((mv, stage, number)) => (mv, stage, number, true),
                    None => break,
                },
            };
            let code = tree.code(mv);
            let quiet = stage == Stage::Quiet || stage == Stage::Table && tree.is_quiet(node, mv);

            // 13. Pruning near the horizon: late moves (70 %), moves that cannot reach the window
            //     (futility; 45 %, with narrower margins than now), and moves that lose material by
            //     static exchange evaluation (52 %). Never the first move, never in check, never a move
            //     that gives check, and not before there is a move that is not mated.
            //     Whether a move gives check is asked last, because it costs most.
            let prunes = best > -LEAST_MATE && number > 1 && !in_check;
            let prunes_quiet = prunes && quiet && !PV;
            let late = 3 + depth * depth / if improving { 1 } else { 2 };
            if prunes_quiet
                && self.switches.late_move_pruning
                && depth <= LATE_MOVE_PRUNING_DEPTH
                && number > late
                && !tree.gives_check(node, mv)
            {
                continue;
            }
            let index = tree.history_index(node, mv);
            let history = if quiet { self.history.score(ply, before, index) } else { 0 };
            let margin = FUTILITY_BASE + FUTILITY_MARGIN * depth + history / 128;
            let is_futile = |eval: Value| eval + hundredths::<T>(margin) <= alpha;
            if prunes_quiet
                && self.switches.futility
                && depth <= FUTILITY_DEPTH
                && static_eval.is_some_and(is_futile)
                && !tree.gives_check(node, mv)
            {
                continue;
            }
            let loss = if quiet { SEE_QUIET_MARGIN } else { SEE_NOISY_MARGIN } * depth;
            if prunes
                && self.switches.see_pruning
                && depth <= SEE_PRUNING_DEPTH
                && (quiet || stage == Stage::BadNoisy)
                && tree.see_below(node, mv, hundredths::<T>(loss))
                && !tree.gives_check(node, mv)
            {
                continue;
            }

            let child = tree.child(node, mv);
            self.table.prefetch(tree.key(&child));

            // 14. Late move reductions: quiet moves that come late are searched less deep, and those
            //     with good histories are reduced less (57 %).
            let mut reduced = 0;
            if self.switches.late_move_reductions && depth >= 3 && number > 1 + i32::from(PV) {
                if quiet {
                    reduced = reduction(depth, number) - i32::from(PV) + i32::from(!improving);
                    reduced -= i32::from(context.refutations.contains(&code));
                    reduced -= i32::from(in_check || tree.in_check(&child));
                    reduced -= history / 5_000;
                } else if stage == Stage::BadNoisy {
                    reduced = 1;
                }
                reduced = reduced.clamp(0, depth - 2);
            }

            // 15. Principal variation search: the first move is searched with the whole window, others
            //     with a null window, to see whether they are better; one that is better is searched
            //     again without its reduction, and then with the whole window.
            let child_depth = depth - 1 + if stage == Stage::Table { extension } else { 0 };
            let child_key = tree.key(&child);
            if number > 1 && self.shared.has_others() {
                if !siblings.is_empty() || self.shares(depth, ply, number) {
                    let (depth, reduction, tried_before) = (child_depth, reduced, tried.len());
                    let is_quiet = quiet;
                    siblings.push(Sibling {
                        mv,
                        index,
                        is_quiet,
                        depth,
                        reduction,
                        number,
                        tried_before,
                    });
                    if quiet {
                        let _ = tried.try_push(index);
                    }
                    continue;
                }
                if !again
                    && self.is_in_flight(child_key, depth)
                    && deferred.try_push((mv, stage, number)).is_ok()
                {
                    continue;
                }
                // Another thread may have searched this move meanwhile, or the whole node.
                if again
                    && let Some(value) =
                        self.found_by_another(child_key, alpha, child_depth - reduced, ply + 1)
                {
                    best = best.max(value);
                    continue;
                }
                if let Some(value) = self.resolved(ply) {
                    self.lines[ply].clear();
                    return Ok(value);
                }
            }
            self.frames[ply].move_index = index;
            let child = Child {
                node: &child,
                key: child_key,
                parent_depth: depth,
                depth: child_depth,
                reduction: reduced,
                number,
            };
            let value = self.search_child::<PV>(&child, Window { alpha, beta }, ply + 1)?;

            if value > best {
                best = value;
                if self.keeps_null_window_lines || PV && value > alpha {
                    self.extend_line(ply, mv);
                }
                if value > alpha {
                    alpha = value;
                    (best_code, best_index, best_is_quiet) = (code, index, quiet);
                    if value >= beta {
                        break;
                    }
                }
            }
            if quiet {
                let _ = tried.try_push(index);
            }
        }

        if !siblings.is_empty() {
            let window = Window { alpha, beta };
            let state = SplitState { window, best, depth, ply, is_pv: PV };
            let (top, end) = self.split(node, siblings, state);
            end?;
            if let Some((top, value)) = top {
                best = value;
                if self.keeps_null_window_lines || PV && value > alpha {
                    self.extend_line(ply, top.mv);
                }
                if value > alpha {
                    best_code = tree.code(top.mv);
                    (best_index, best_is_quiet) = (top.index, top.is_quiet);
                    tried.truncate(top.tried_before);
                }
            }
        }
        if best >= beta && best_is_quiet {
            self.update_history(ply, depth, before, best_index, best_code, &tried);
        }

        // 16. No move at all: the game is over. If the only move was excluded, nothing is known.
        if count == 0 {
            if excluded != NO_MOVE {
                return Ok(alpha);
            }
            return Ok(self.evaluate(node, ply));
        }

        // 17. Store the result in the table, and learn how far the static evaluation was off, where the
        //     value says so and no capture explains it.
        if excluded == NO_MOVE {
            if let Some((eval, Some(keys))) = corrected
                && best_is_quiet
                && best.abs() < LEAST_MATE
                && (best > lowest || best < eval)
                && (best < beta || best > eval)
            {
                self.history.correct(ply, keys, best - eval, depth);
            }
            self.store_in_table(key, depth, best, (lowest, beta), known, best_code, ply);
        }
        Ok(best)
    }

    /// What a child is worth to its parent's mover; other threads see that it is being searched.
    #[inline(always)]
    fn search_child<const PV: bool>(
        &mut self,
        child: &Child<'_, T::Node>,
        window: Window,
        ply: usize,
    ) -> Result<Value, Unwind> {
        self.set_in_flight(child.key, child.parent_depth, true);
        self.keys.push(child.key);
        let searched = self.principal_variation_search::<PV>(child, window, ply);
        self.keys.pop();
        self.set_in_flight(child.key, child.parent_depth, false);
        searched
    }

    /// The searches of a child that step 15 tells of.
    #[inline(always)]
    fn principal_variation_search<const PV: bool>(
        &mut self,
        child: &Child<'_, T::Node>,
        window: Window,
        ply: usize,
    ) -> Result<Value, Unwind> {
        let &Child { node, depth, reduction, number, .. } = child;
        let Window { alpha, beta } = window;
        let null = Window::above(alpha).flip();
        let mut value = 0;
        if number > 1 || !PV {
            value = -self.search::<false>(node, null, depth - reduction, ply)?;
            if value > alpha && reduction > 0 {
                value = -self.search::<false>(node, null, depth, ply)?;
            }
        }
        if PV && (number == 1 || value > alpha && value < beta) {
            value = -self.search::<true>(node, window.flip(), depth, ply)?;
        }
        Ok(value)
    }
}

/// A margin in hundredths of the tree's unit, as a value.
#[inline]
fn hundredths<T: PlayTree>(margin: Value) -> Value {
    margin * T::UNIT / 100
}

/// By how many plies a late move is reduced at first: the later it comes and the deeper the search,
/// the more.
#[inline]
fn reduction(depth: i32, number: i32) -> i32 {
    static TABLE: LazyLock<Vec<[i8; 64]>> = LazyLock::new(|| {
        let ln = |n: usize| (n.max(1) as f64).ln();
        let entry = |depth, number| (0.35 + ln(depth) * ln(number) / 2.3) as i8;
        (0..64).map(|depth| std::array::from_fn(|number| entry(depth, number))).collect()
    });
    i32::from(TABLE[depth.clamp(0, 63) as usize][number.clamp(0, 63) as usize])
}
