//! The root of a selective search: deepening, and the two drivers that deepen.

use std::collections::VecDeque;

use super::root_log::{Entry, Find};
use super::threads::{Hand, Open};
use super::{Below, Frame, LONGEST_LINE, Learnt, Path, Play, PlaySwitches, hundredths, reduction};
use crate::table::Table;
use plyground_core::limits::Stop;
use plyground_core::tree::PlayTree;
use plyground_core::value::{INFINITY, Value, Window};

/// How the root's value is closed in on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Driver {
    /// Principal variation search in an aspiration window.
    #[default]
    Pvs,
    /// Null windows from the value of the iteration before.
    MtdF,
}

/// What to think about, besides the tree.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a, M> {
    /// The steps to take.
    pub switches: PlaySwitches,
    /// The driver.
    pub driver: Driver,
    /// No deeper than this.
    pub depth: u32,
    /// How many of the best moves are wanted, each with its value.
    pub lines: usize,
    /// The moves to choose from, all legal, in the order to begin with.
    pub moves: &'a [M],
    /// The keys of the game's positions before the root.
    pub game: &'a [u64],
}

/// What a value tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// The value itself.
    Exact,
    /// The value is at least this.
    AtLeast,
    /// The value is at most this.
    AtMost,
}

/// One of the best lines, as it is found.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a, M> {
    /// The depth of the iteration.
    pub depth: u32,
    /// The deepest ply it came to.
    pub deepest: u32,
    /// Which line: 0 is the best.
    pub number: usize,
    /// Its value.
    pub value: Value,
    /// What the value tells.
    pub told: Told,
    /// All nodes so far.
    pub nodes: u64,
    /// The moves, walked out by the search.
    pub moves: &'a [M],
}

/// An iteration that is over.
#[derive(Clone, Copy, Debug)]
pub struct Iteration<M> {
    /// Its depth.
    pub depth: u32,
    /// Its best move.
    pub best: M,
    /// What that is worth.
    pub value: Value,
    /// All nodes so far.
    pub nodes: u64,
}

/// Who watches over a search: looks at the clock, hears of lines, says when it is enough.
pub trait Watch<M> {
    /// Is it time to stop at once? If not, in how many nodes to ask again: at most
    /// [`INTERVAL`](super::INTERVAL).
    fn check(&mut self, nodes: u64) -> Result<u64, Stop>;
    /// A line was found.
    fn line(&mut self, line: Line<'_, M>);
    /// Shall there be another iteration?
    fn goes_on(&mut self, iteration: Iteration<M>) -> bool;
}

/// A move at the root, and what is known of it.
#[derive(Clone, Debug)]
pub struct RootMove<M> {
    /// The move.
    pub mv: M,
    /// Its value, when it was last among the best.
    pub value: Value,
    /// What that value tells.
    pub told: Told,
    /// The line that begins with it.
    pub line: Vec<M>,
}

/// What came of thinking.
#[derive(Clone, Debug)]
pub struct Finish<M> {
    /// The moves, the best ones first.
    pub moves: Vec<RootMove<M>>,
    /// The last iteration that came to its end.
    pub depth: u32,
    /// The deepest ply.
    pub deepest: u32,
    /// All nodes, those of quiescence included.
    pub nodes: u64,
    /// Why it ended before the depth that was asked for, if it did.
    pub stopped: Option<Stop>,
}

/// Why a search goes back before it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Break {
    /// All is to end.
    Stop(Stop),
    /// Another thread has settled the node at this ply.
    Settled(u8),
}

impl From<Stop> for Break {
    fn from(stop: Stop) -> Break {
        Break::Stop(stop)
    }
}

/// The first aspiration window reaches so far on both sides, in hundredths.
const ASPIRATION: Value = 18;
/// Iterations before this one have the whole window.
const ASPIRATION_DEPTH: u32 = 5;
/// MTD(f) gives up closing in after so many null windows: with selective search the bounds need
/// not meet.
const MOST_PASSES: u32 = 60;

/// What one thread does: depth after depth until the watch says so.
pub(super) fn deepen<T: PlayTree>(
    tree: &T,
    table: &Table,
    learnt: &Learnt,
    request: Request<'_, T::Move>,
    hand: Hand<'_, T::Move>,
    watch: &mut dyn Watch<T::Move>,
) -> Finish<T::Move> {
    let root = tree.root();
    let fresh = |&mv: &T::Move| RootMove { mv, value: 0, told: Told::AtMost, line: vec![mv] };
    let mut moves: Vec<RootMove<T::Move>> = request.moves.iter().map(fresh).collect();
    let mut play = Play {
        tree,
        table,
        learnt,
        hand,
        switches: request.switches,
        watch,
        traces: request.driver == Driver::MtdF,
        nodes: 0,
        checkpoint: 0,
        depth: 0,
        deepest: 0,
        value: 0,
        path: Path::new(request.game, tree.key(&root), LONGEST_LINE),
        frames: vec![Frame::EMPTY; LONGEST_LINE + 4],
        opens: vec![Open::NEVER; LONGEST_LINE + 4],
        lines: (0..LONGEST_LINE + 2).map(|_| Vec::with_capacity(LONGEST_LINE)).collect(),
    };
    let mut done = 0;
    let mut stopped = None;
    let wanted = request.lines.clamp(1, moves.len().max(1));
    'iterations: for depth in 1..=request.depth.min(LONGEST_LINE as u32) {
        if moves.is_empty() {
            break;
        }
        play.depth = depth as i32;
        for number in 0..wanted {
            if let Err(stop) = play.iterate(&root, &mut moves[number..], number, request.driver) {
                stopped = Some(stop);
                break 'iterations;
            }
        }
        // What came later may be worth more: windows of different lines see different values.
        let found: Vec<T::Move> = moves[..wanted].iter().map(|found| found.mv).collect();
        moves[..wanted].sort_by_key(|mv| -mv.value);
        for (number, &mv) in found.iter().enumerate() {
            if moves[number].mv != mv {
                play.report(&moves[number..], number, None);
            }
        }
        done = depth;
        let (best, value) = (moves[0].mv, moves[0].value);
        if !play.watch.goes_on(Iteration { depth, best, value, nodes: play.nodes }) {
            break;
        }
    }
    Finish { moves, depth: done, deepest: play.deepest as u32, nodes: play.nodes, stopped }
}

impl<T: PlayTree> Play<'_, T> {
    /// One iteration for the best of `moves`, which comes to their front.
    fn iterate(
        &mut self,
        root: &T::Node,
        moves: &mut [RootMove<T::Move>],
        number: usize,
        driver: Driver,
    ) -> Result<(), Stop> {
        match driver {
            Driver::Pvs => self.aspire(root, moves, number),
            Driver::MtdF => self.close_in(root, moves, number),
        }
    }

    /// PVS with a window around the last value, which is opened on the side where it fails.
    fn aspire(
        &mut self,
        root: &T::Node,
        moves: &mut [RootMove<T::Move>],
        number: usize,
    ) -> Result<(), Stop> {
        let mut width = hundredths::<T>(ASPIRATION);
        let mut window = Window::FULL;
        if self.switches.aspiration && self.depth as u32 >= ASPIRATION_DEPTH {
            let guess = moves[0].value;
            window = Window::new(guess - width, guess + width);
        }
        loop {
            let value = self.root(root, moves, window)?;
            width = width.saturating_mul(3);
            let open = |end: Value| end.abs() > hundredths::<T>(1_500);
            if value <= window.alpha {
                self.report(moves, number, Some((value, Told::AtMost)));
                let alpha = value.saturating_sub(width);
                window.beta = (window.alpha + window.beta) / 2;
                window.alpha = if open(alpha) { -INFINITY } else { alpha };
            } else if value >= window.beta {
                moves[0].told = Told::AtLeast;
                self.report(moves, number, None);
                let beta = value.saturating_add(width);
                window.beta = if open(beta) { INFINITY } else { beta };
            } else {
                moves[0].told = Told::Exact;
                // Where another thread has settled a node, the line ends.
                if self.hand.is_one_of_many() {
                    self.walk_out(root, &mut moves[0].line);
                }
                self.report(moves, number, None);
                return Ok(());
            }
        }
    }

    /// MTD(f): null windows from the last value on until the bounds meet.
    fn close_in(
        &mut self,
        root: &T::Node,
        moves: &mut [RootMove<T::Move>],
        number: usize,
    ) -> Result<(), Stop> {
        let (mut lower, mut upper) = (-INFINITY, INFINITY);
        let mut value = moves[0].value;
        for _ in 0..MOST_PASSES {
            let beta = if value == lower { value + 1 } else { value };
            value = self.root(root, moves, Window::above(beta - 1))?;
            if value < beta {
                upper = value;
                self.report(moves, number, Some((value, Told::AtMost)));
            } else {
                lower = value;
                moves[0].told = Told::AtLeast;
                self.report(moves, number, None);
            }
            if lower >= upper {
                break;
            }
        }
        moves[0].value = value;
        moves[0].told = Told::Exact;
        self.walk_out(root, &mut moves[0].line);
        self.report(moves, number, None);
        Ok(())
    }

    /// Where null windows were answered by the table, their lines end; the search's own best moves
    /// that stand there go on with them, as far as they do not go round in circles.
    fn walk_out(&self, root: &T::Node, line: &mut Vec<T::Move>) {
        let tree = self.tree;
        let mut node = root.clone();
        let mut keys = vec![tree.key(&node)];
        for &mv in line.iter() {
            node = tree.child(&node, mv);
            keys.push(tree.key(&node));
        }
        while line.len() < self.depth as usize && !tree.is_drawn(&node) {
            let Some(stored) = self.recall(tree.key(&node), line.len()) else { return };
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

    /// One pass over the moves of the root; one that is better than the window's lower end comes to
    /// the front.
    fn root(
        &mut self,
        root: &T::Node,
        moves: &mut [RootMove<T::Move>],
        window: Window,
    ) -> Result<Value, Stop> {
        let tree = self.tree;
        let beta = window.beta;
        let mut queue: VecDeque<(T::Move, i32, bool)> =
            (1..).zip(moves.iter()).map(|(number, found)| (found.mv, number, false)).collect();
        let mut pass = Pass { moves, alpha: window.alpha, best: -INFINITY };
        let threatened = tree.in_check(root);
        self.frames[0].stand = (!threatened).then(|| tree.static_eval(root));
        let depth = self.depth;
        while let Some((mv, number, again)) = queue.pop_front() {
            if let Some(value) = self.hand.enter(None, &mut |find| pass.note(find)) {
                return Ok(value);
            }
            if pass.alpha >= beta {
                break;
            }
            let child = tree.child(root, mv);
            let key = tree.key(&child);
            // Moves that other threads are searching come last.
            if number > 1 && !again && self.is_in_flight(key, depth) {
                queue.push_back((mv, number, true));
                continue;
            }
            self.frames[0].slot = tree.history_index(root, mv);
            let mut reduced = 0;
            let quiet = tree.is_quiet(root, mv) && !threatened && !tree.in_check(&child);
            if self.switches.late_move_reductions && depth >= 3 && number > 3 && quiet {
                reduced = (reduction(depth, number) - 1).clamp(0, depth - 2);
            }
            let window = Window { alpha: pass.alpha, beta };
            let below = Below { child: &child, key, depth, next: depth - 1, reduced, number };
            let searched = if beta > pass.alpha + 1 {
                self.below::<true>(&below, window, 1)
            } else {
                self.below::<false>(&below, window, 1)
            };
            let value = match searched {
                Ok(value) => value,
                Err(why) => {
                    let over = self.hand.enter(None, &mut |find| pass.note(find));
                    match why {
                        Break::Stop(stop) => return Err(stop),
                        Break::Settled(_) => return Ok(over.unwrap_or(pass.best)),
                    }
                }
            };
            pass.best = pass.best.max(value);
            if value > pass.alpha {
                let line = std::iter::once(mv).chain(self.lines[1].iter().copied()).collect();
                let find = Entry::Found(Find { mv, value, line });
                if let Some(value) = self.hand.enter(Some(find), &mut |find| pass.note(find)) {
                    return Ok(value);
                }
            }
        }
        let end = Entry::Over(pass.best);
        let over = self.hand.enter(Some(end), &mut |find| pass.note(find));
        Ok(over.unwrap_or(pass.best))
    }

    /// Tells the watch of the first of `moves`, or of a bound that its search has shown.
    fn report(&mut self, moves: &[RootMove<T::Move>], number: usize, bound: Option<(Value, Told)>) {
        let best = &moves[0];
        let (value, told) = bound.unwrap_or((best.value, best.told));
        self.watch.line(Line {
            depth: self.depth as u32,
            deepest: self.deepest as u32,
            number,
            value,
            told,
            nodes: self.nodes,
            moves: &best.line,
        });
    }
}

/// A pass over the root's moves.
struct Pass<'a, M> {
    moves: &'a mut [RootMove<M>],
    alpha: Value,
    best: Value,
}

impl<M: Copy + PartialEq> Pass<'_, M> {
    /// A better move was found.
    fn note(&mut self, find: &Find<M>) {
        self.alpha = self.alpha.max(find.value);
        self.best = self.best.max(find.value);
        let Some(place) = self.moves.iter().position(|found| found.mv == find.mv) else { return };
        let found = &mut self.moves[place];
        (found.value, found.told) = (find.value, Told::AtLeast);
        found.line.clone_from(&find.line);
        self.moves[..=place].rotate_right(1);
    }
}
