//! What play adds to a search: it looks deeper where it matters and leaves out what hardly can.
//!
//! The laboratory's algorithms return the minimax value of a fixed tree; a playing program has a
//! clock instead, and wants the best move it can find until then. [`think`] deepens with one of two
//! drivers, PVS or MTD(f), over the function `node` of this file, which is one story in numbered
//! steps. Each step has a [switch](PlaySwitches). What a step is worth was measured by leaving it out:
//! the figure beside it is the score of the whole against the rest, in 60 games of chess at 8,000
//! nodes a move. By chance alone that is within 12 of 50, so the smaller figures prove nothing.
//!
//! All is generic over the tree: chess brings null moves, checks and captures by the hooks of
//! [`PlayTree`], Othello has none of them and keeps the rest.

mod history;
mod move_picker;
mod multi_probcut;
mod repetition;
mod root;
mod root_log;
mod switches;
mod table_access;
mod threads;

pub use history::Learnt;
pub use root::{Driver, Finish, Iteration, Line, Request, RootMove, Told, Watch};
pub use switches::PlaySwitches;
pub use threads::think;

use std::sync::LazyLock;

use arrayvec::ArrayVec;

use crate::table::{NO_MOVE, Table};
use history::NO_SLOT;
use move_picker::{Context, Picker, Stage};
use plyground_core::tree::PlayTree;
use plyground_core::value::{Bounds, INFINITY, LEAST_MATE, MATE, Value, Window};
use repetition::Path;
use root::Break;
use threads::{Hand, Open};

/// No line goes deeper.
pub const LONGEST_LINE: usize = 128;

/// Limits are looked at no less often than this, in nodes.
pub const INTERVAL: u64 = 1024;

// Margins are in hundredths of the tree's unit: of a pawn, of a disc.

/// Reverse futility: to this depth, and so much a ply.
const REVERSE_DEPTH: i32 = 7;
const REVERSE_MARGIN: Value = 85;
/// Razoring: to this depth, and so much a ply.
const RAZOR_DEPTH: i32 = 3;
const RAZOR_MARGIN: Value = 260;
/// Futility: to this depth, so much and so much a ply.
const FUTILITY_DEPTH: i32 = 7;
const FUTILITY_BASE: Value = 140;
const FUTILITY_MARGIN: Value = 110;
/// Late moves are left out to this depth.
const LATE_DEPTH: i32 = 7;
/// Moves that lose so much a ply are left out to this depth: quiet ones, and others.
const EXCHANGE_DEPTH: i32 = 7;
const QUIET_LOSS: Value = 60;
const NOISY_LOSS: Value = 95;
/// A table's move is tried for singularity from this depth on.
const SINGULAR_DEPTH: i32 = 7;
/// A node without a table's move hesitates from this depth on.
const HESITATION_DEPTH: i32 = 4;
/// Near the rule of fifty moves the table, which knows no clocks, is not believed.
const STALE: u32 = 85;

/// What the search keeps of each ply of the path.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// What the position is worth at first sight; `None` if its side to move is threatened.
    stand: Option<Value>,
    /// The slot of the move that is being searched; of none, if it is the null move.
    slot: usize,
    /// Quiet moves that last cut off here.
    killers: [u16; 2],
    /// A move that is left out, to see what the others are worth.
    excluded: u16,
}

impl Frame {
    const EMPTY: Frame =
        Frame { stand: None, slot: NO_SLOT, killers: [NO_MOVE; 2], excluded: NO_MOVE };
}

/// A selective search in progress.
struct Play<'a, T: PlayTree> {
    tree: &'a T,
    table: &'a Table,
    learnt: &'a Learnt,
    hand: Hand<'a, T::Move>,
    switches: PlaySwitches,
    watch: &'a mut dyn Watch<T::Move>,
    /// Lines are kept of null windows too: MTD(f) has no others.
    traces: bool,
    nodes: u64,
    /// The limits are looked at when the nodes reach this.
    checkpoint: u64,
    /// The depth of this iteration, and the deepest ply it came to.
    depth: i32,
    deepest: usize,
    /// The value of a node that another thread has settled, on the way back to it.
    value: Value,
    path: Path,
    frames: Vec<Frame>,
    /// The nodes of the path, for other threads to settle.
    opens: Vec<Open>,
    /// The best line from each ply on; allocated once.
    lines: Vec<Vec<T::Move>>,
}

/// A child that is to be searched.
struct Below<'a, N> {
    child: &'a N,
    key: u64,
    /// The depth of its parent.
    depth: i32,
    /// Its own depth, and what it loses of that at first.
    next: i32,
    reduced: i32,
    /// It is the first child, the second, …
    number: i32,
}

impl<T: PlayTree> Play<'_, T> {
    /// What `node`, at `ply` below the root, is worth to its mover if searched `depth` plies and
    /// more where it matters. Outside the window the value is a bound. `PV` says that the window may
    /// be wider than one value.
    fn node<const PV: bool>(
        &mut self,
        node: &T::Node,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Result<Value, Break> {
        match self.story::<PV>(node, window, depth, ply) {
            Err(Break::Settled(at)) if usize::from(at) == ply => {
                self.lines[ply].clear();
                Ok(self.value)
            }
            result => result,
        }
    }

    /// How that is found out, step by step.
    #[inline(always)]
    fn story<const PV: bool>(
        &mut self,
        node: &T::Node,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Result<Value, Break> {
        let Window { mut alpha, mut beta } = window;
        let mut depth = depth;
        let tree = self.tree;
        self.lines[ply].clear();

        // 1. Count the node, and look at the clock now and then.
        self.nodes += 1;
        if self.nodes >= self.checkpoint {
            self.check(ply)?;
        }
        self.deepest = self.deepest.max(ply);

        // 2. Draws that no list of moves shows, and mates that come too late to matter.
        if T::REPEATS && self.path.repeats(tree.reversible(node)) || tree.is_drawn(node) {
            return Ok(0);
        }
        if T::MATES {
            alpha = alpha.max(ply as Value - MATE);
            beta = beta.min(MATE - 1 - ply as Value);
            if alpha >= beta {
                return Ok(alpha);
            }
        }

        // 3. Extensions: a ply more for a side in check (52 %), as long as the path is not twice as
        //    long as it should be, and one for a side without a choice.
        let threatened = tree.in_check(node);
        if (ply as i32) < 2 * self.depth {
            depth += i32::from(threatened && self.switches.check_extension);
        }
        if self.switches.one_reply_extension && (ply as i32) < self.depth {
            depth += i32::from(tree.is_forced(node));
        }
        depth = depth.max(0);

        // 4. The table: what was found at this depth or a greater one counts. Not on the principal
        //    variation, which is to be walked out.
        let excluded = self.frames[ply].excluded;
        let key = tree.key(node);
        let stored = self.recall(key, ply);
        let fresh = !T::REPEATS || tree.reversible(node) < STALE;
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

        let is_open = excluded == NO_MOVE && fresh;
        self.open(key, Window { alpha, beta }, depth, ply, is_open);

        // 5. The horizon: captures are played out.
        if depth == 0 || ply + 1 >= LONGEST_LINE {
            let value = self.quiesce(node, Window { alpha, beta }, ply);
            if depth == 0 {
                self.remember(key, 0, value, (alpha, beta), known, NO_MOVE, ply);
            }
            return Ok(value);
        }
        let first = stored
            .filter(|stored| stored.best != NO_MOVE && excluded == NO_MOVE)
            .and_then(|stored| tree.find_move(node, stored.best));

        // 6. What the position is worth at first sight, or better, by the table; and whether that is
        //    more than two plies ago.
        let stand = match (threatened, stored) {
            (true, _) => None,
            (_, None) => Some(tree.static_eval(node)),
            (_, Some(stored)) => {
                let Bounds { lower, upper } = stored.bounds;
                Some(tree.static_eval(node).max(lower.min(upper)).min(upper))
            }
        };
        self.frames[ply].stand = stand;
        self.frames[ply + 2].killers = [NO_MOVE; 2];
        let earlier = if ply >= 2 { self.frames[ply - 2].stand } else { None };
        let improving = stand > earlier && earlier.is_some();

        let mut mate_threatens = false;
        if !PV
            && excluded == NO_MOVE
            && beta.abs() < LEAST_MATE
            && let Some(stand) = stand
        {
            // 7. Reverse futility: so far above the window that no answer will spoil it (50 %).
            if self.switches.reverse_futility && depth <= REVERSE_DEPTH {
                let margin = hundredths::<T>(REVERSE_MARGIN * (depth - i32::from(improving)));
                if stand - margin >= beta && stand < LEAST_MATE {
                    return Ok((stand + beta) / 2);
                }
            }

            // 8. Razoring: so far below that only captures could help (52 %).
            if self.switches.razoring
                && depth <= RAZOR_DEPTH
                && stand + hundredths::<T>(RAZOR_MARGIN * depth) <= alpha
            {
                let value = self.quiesce(node, Window::above(alpha), ply);
                if value <= alpha {
                    return Ok(value);
                }
            }

            // 9. Null move: if the other side may move twice and the window is still reached, one
            //    move will reach it too (58 %). Not twice in a row, and not in zugzwang's endings. If
            //    doing nothing is answered with mate, there is a threat to look at: a ply more (52 %,
            //    600 games).
            if self.switches.null_move
                && depth >= 2
                && stand >= beta
                && self.frames[ply - 1].slot != NO_SLOT
                && let Some(passed) = tree.null_move(node)
            {
                self.table.prefetch(tree.key(&passed));
                let surplus = (stand - beta) / hundredths::<T>(200);
                let reduced = depth - 4 - depth / 4 - surplus.min(3);
                self.frames[ply].slot = NO_SLOT;
                let barrier = self.path.close();
                self.path.push(tree.key(&passed));
                let below = Window::above(beta - 1).flip();
                let searched = self.node::<false>(&passed, below, reduced, ply + 1);
                self.path.pop();
                self.path.reopen(barrier);
                let value = -searched?;
                if value >= beta {
                    return Ok(if value >= LEAST_MATE { beta } else { value });
                }
                mate_threatens = self.switches.mate_threats && value <= -LEAST_MATE;
            }
        }

        // 10. Multi-probcut: a shallower search is so far beyond the window that this one will hardly
        //     come back into it (62 %, 120 games of Othello at 20,000 nodes a move; chess has no
        //     forecasts).
        if self.switches.multi_probcut
            && !PV
            && excluded == NO_MOVE
            && let Some(value) = self.foretell(node, beta, depth, ply)?
        {
            // The best move of the shallow search, if it had one, is better than none.
            let best = self.recall(key, ply).map_or(NO_MOVE, |shallow| shallow.best);
            self.remember(key, depth, value, (alpha, beta), known, best, ply);
            return Ok(value);
        }

        // 11. Hesitation: where the table has no move to begin with, a shallower search is cheap,
        //     and leaves one (58 %).
        if self.switches.internal_iterative_reduction
            && first.is_none()
            && depth >= HESITATION_DEPTH
            && !threatened
        {
            depth -= 1;
        }
        if mate_threatens && (ply as i32) < 2 * self.depth {
            depth += 1;
        }

        // 12. Singularity: if all others are much worse than the table's move, that one is searched
        //     a ply deeper (52 %).
        let mut singular = 0;
        if self.switches.singular_extension
            && depth >= SINGULAR_DEPTH
            && (ply as i32) < 2 * self.depth
            && let (Some(stored), Some(_)) = (stored, first)
            && i32::from(stored.height) >= depth - 3
            && stored.bounds.lower.abs() < LEAST_MATE
        {
            let bound = stored.bounds.lower - hundredths::<T>(2 * depth);
            self.frames[ply].excluded = stored.best;
            let window = Window::above(bound - 1);
            let searched = self.node::<false>(node, window, (depth - 1) / 2, ply);
            self.frames[ply].excluded = NO_MOVE;
            self.frames[ply].stand = stand;
            let value = searched?;
            if value < bound {
                singular = 1;
            } else if !PV && bound >= beta {
                // Without its best move it is good enough already.
                return Ok(bound);
            }
        }

        self.open(key, Window { alpha, beta }, depth, ply, is_open);
        let before = [self.slot_before(ply, 1), self.slot_before(ply, 2)];
        let [killer, older] = self.frames[ply].killers;
        let counter = self.learnt.counter(ply, before[0]);
        let context = Context { ply, before, refutations: [killer, older, counter] };
        let mut picker = Picker::<T>::new(first, self.switches.staged_move_generation);
        let mut tried: ArrayVec<usize, 64> = ArrayVec::new();
        let mut best = -INFINITY;
        let mut best_code = stored.map_or(NO_MOVE, |stored| stored.best);
        let lowest = alpha;
        let mut count = 0;
        // Moves that other threads are searching, with their numbers: they come last.
        let mut put_off: ArrayVec<(T::Move, Stage, i32), 8> = ArrayVec::new();
        loop {
            let (mv, stage, number, again) = match picker.next(tree, node, self.learnt, context) {
                Some((mv, _)) if tree.code(mv) == excluded => continue,
                Some((mv, stage)) => {
                    count += 1;
                    (mv, stage, count, false)
                }
                None => match put_off.pop_at(0) {
                    Some((mv, stage, number)) => (mv, stage, number, true),
                    None => break,
                },
            };
            let code = tree.code(mv);
            let quiet = stage == Stage::Quiet || stage == Stage::Table && tree.is_quiet(node, mv);

            // 13. Near the horizon, leave out what comes late (70 %), cannot reach the window (45 %,
            //     with narrower margins than now), or loses material (52 %): never the first move,
            //     no check, and nothing where a mate threatens.
            let checks = tree.gives_check(node, mv);
            let prunes = best > -LEAST_MATE && number > 1 && !threatened && !checks;
            let prunes_quiet = prunes && quiet && !PV;
            let late = 3 + depth * depth / if improving { 1 } else { 2 };
            if prunes_quiet
                && self.switches.late_move_pruning
                && depth <= LATE_DEPTH
                && number > late
            {
                continue;
            }
            let slot = tree.history_index(node, mv);
            let history = if quiet { self.learnt.history(ply, before, slot) } else { 0 };
            let margin = FUTILITY_BASE + FUTILITY_MARGIN * depth + history / 128;
            let hopeless = |stand: Value| stand + hundredths::<T>(margin) <= alpha;
            if prunes_quiet
                && self.switches.futility
                && depth <= FUTILITY_DEPTH
                && stand.is_some_and(hopeless)
            {
                continue;
            }
            let most = if quiet { QUIET_LOSS } else { NOISY_LOSS } * depth;
            if prunes
                && self.switches.see_pruning
                && depth <= EXCHANGE_DEPTH
                && (quiet || stage == Stage::Losing)
                && tree.see_below(node, mv, hundredths::<T>(most))
            {
                continue;
            }

            let child = tree.child(node, mv);
            self.table.prefetch(tree.key(&child));

            // 14. Reductions: quiet moves that come late are searched less deep, the less the better
            //     they did elsewhere (57 %).
            let mut reduced = 0;
            if self.switches.late_move_reductions && depth >= 3 && number > 1 + i32::from(PV) {
                if quiet {
                    reduced = reduction(depth, number) - i32::from(PV) + i32::from(!improving);
                    reduced -= i32::from(context.refutations.contains(&code));
                    reduced -= i32::from(threatened || checks);
                    reduced -= history / 5_000;
                } else if stage == Stage::Losing {
                    reduced = 1;
                }
                reduced = reduced.clamp(0, depth - 2);
            }

            // 15. Search it: the first move with the whole window, others only to see whether they
            //     are better; if they are, again without reduction, and with the whole window.
            let next = depth - 1 + if stage == Stage::Table { singular } else { 0 };
            let below = tree.key(&child);
            if number > 1
                && !again
                && self.is_in_flight(below, depth)
                && put_off.try_push((mv, stage, number)).is_ok()
            {
                continue;
            }
            // Another thread may have found out meanwhile, of this move or of all of them.
            if again
                && let Some(value) = self.found_by_another(below, alpha, next - reduced, ply + 1)
            {
                best = best.max(value);
                continue;
            }
            if number > 1
                && let Some(value) = self.settled(ply)
            {
                self.lines[ply].clear();
                return Ok(value);
            }
            self.frames[ply].slot = slot;
            let below = Below { child: &child, key: below, depth, next, reduced, number };
            let value = self.below::<PV>(&below, Window { alpha, beta }, ply + 1)?;

            if value > best {
                best = value;
                if self.traces || PV && value > alpha {
                    self.extend_line(ply, mv);
                }
                if value > alpha {
                    alpha = value;
                    best_code = code;
                    if value >= beta {
                        if quiet {
                            self.learn(ply, depth, before, slot, code, &tried);
                        }
                        break;
                    }
                }
            }
            if quiet {
                let _ = tried.try_push(slot);
            }
        }

        // 16. No move at all: the game is over. If only one was left out, nothing is known.
        if count == 0 {
            if excluded != NO_MOVE {
                return Ok(alpha);
            }
            return Ok(self.ends(node, ply));
        }

        // 17. Remember.
        if excluded == NO_MOVE {
            self.remember(key, depth, best, (lowest, beta), known, best_code, ply);
        }
        Ok(best)
    }

    /// What a child is worth to its parent's mover; other threads see that it is being searched.
    #[inline(always)]
    fn below<const PV: bool>(
        &mut self,
        below: &Below<'_, T::Node>,
        window: Window,
        ply: usize,
    ) -> Result<Value, Break> {
        self.set_in_flight(below.key, below.depth, true);
        self.path.push(below.key);
        let searched = self.searches::<PV>(below, window, ply);
        self.path.pop();
        self.set_in_flight(below.key, below.depth, false);
        searched
    }

    #[inline(always)]
    fn searches<const PV: bool>(
        &mut self,
        below: &Below<'_, T::Node>,
        window: Window,
        ply: usize,
    ) -> Result<Value, Break> {
        let &Below { child, next, reduced, number, .. } = below;
        let Window { alpha, beta } = window;
        let null = Window::above(alpha).flip();
        let mut value = 0;
        if number > 1 || !PV {
            value = -self.node::<false>(child, null, next - reduced, ply)?;
            if value > alpha && reduced > 0 {
                value = -self.node::<false>(child, null, next, ply)?;
            }
        }
        if PV && (number == 1 || value > alpha && value < beta) {
            value = -self.node::<true>(child, window.flip(), next, ply)?;
        }
        Ok(value)
    }
}

/// A margin in the tree's unit.
#[inline]
fn hundredths<T: PlayTree>(margin: Value) -> Value {
    margin * T::UNIT / 100
}

/// How many plies a late move loses at first: more the later it comes and the deeper the search.
#[inline]
fn reduction(depth: i32, number: i32) -> i32 {
    static TABLE: LazyLock<Vec<[i8; 64]>> = LazyLock::new(|| {
        let ln = |n: usize| (n.max(1) as f64).ln();
        let entry = |depth, number| (0.35 + ln(depth) * ln(number) / 2.3) as i8;
        (0..64).map(|depth| std::array::from_fn(|number| entry(depth, number))).collect()
    });
    i32::from(TABLE[depth.clamp(0, 63) as usize][number.clamp(0, 63) as usize])
}
