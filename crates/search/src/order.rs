//! The order of moves: the one place that decides which child is searched first.
//!
//! A tree lists the moves of a node in its own, static order. What a search has learnt may change
//! it, from the first to the last:
//!
//! 1. the best move of an earlier visit: of the previous iteration at the root, of the table below;
//! 2. the *refutation table* (Akl and Newborn 1977): for each move at the root, the path that the
//!    previous iteration found best; a node on that skeleton takes the path's move first;
//! 3. the moves that lead for a reason of the tree's own, captures that win for example;
//! 4. *killers*: the two moves that last cut off at this ply;
//! 5. the *counter-move*: what last cut off after the same move of the other side;
//! 6. the *history table* (Schaeffer 1983): the moves that were best or cut off most often anywhere,
//!    each time weighted by the square of the height.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayVec;
use bitflags::bitflags;
use thiserror::Error;

use crate::table::NO_MOVE;
use plyground_core::tree::{GameTree, MoveList};

bitflags! {
    /// The memory functions of a search, each on a switch of its own.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub struct Functions: u8 {
        /// The transposition table.
        const TABLE = 1;
        /// The history table.
        const HISTORY = 2;
        /// Killer moves.
        const KILLERS = 4;
        /// The refutation table.
        const REFUTATION = 8;
        /// Counter-moves.
        const COUNTERMOVES = 16;
        /// Enhanced transposition cut-offs: before a child is searched, the table is asked whether
        /// any child suffices.
        const ETC = 32;
    }
}

const NAMES: [(&str, Functions); 6] = [
    ("table", Functions::TABLE),
    ("history", Functions::HISTORY),
    ("killers", Functions::KILLERS),
    ("refutation", Functions::REFUTATION),
    ("countermoves", Functions::COUNTERMOVES),
    ("etc", Functions::ETC),
];

/// Why a text names no memory functions.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("memory `{text}`: {reason}")]
pub struct ParseFunctionsError {
    /// The text.
    pub text: String,
    /// What is wrong with it and what was expected.
    pub reason: String,
}

impl FromStr for Functions {
    type Err = ParseFunctionsError;

    fn from_str(text: &str) -> Result<Functions, ParseFunctionsError> {
        let wrong = |reason: String| ParseFunctionsError { text: text.into(), reason };
        match text {
            "none" => return Ok(Functions::empty()),
            "all" => return Ok(Functions::all()),
            _ => {}
        }
        let mut functions = Functions::empty();
        for part in text.split('+') {
            let Some((_, function)) = NAMES.iter().find(|(name, _)| *name == part) else {
                let names = NAMES.map(|(name, _)| name).join(", ");
                return Err(wrong(format!(
                    "`{part}` is no memory function; expected none, all, or some of {names} joined \
                     by `+`"
                )));
            };
            if functions.contains(*function) {
                return Err(wrong(format!("`{part}` is named twice")));
            }
            functions |= *function;
        }
        if functions.contains(Functions::ETC) && !functions.contains(Functions::TABLE) {
            return Err(wrong("`etc` asks the table: expected `table+etc`".into()));
        }
        Ok(functions)
    }
}

impl fmt::Display for Functions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.pad("none");
        }
        let names = NAMES.iter().filter(|(_, function)| self.contains(*function));
        f.pad(&names.map(|(name, _)| *name).collect::<Vec<_>>().join("+"))
    }
}

/// How the moves of a node are ordered, and what is learnt for it.
pub trait Order: Clone + Send {
    /// Is anything learnt at all?
    const LEARNS: bool = true;
    /// What a node knows of the path to it.
    type Trail: Copy + Send;
    /// The moves of one node, ranked, and sorted as far as they were asked for.
    type Ranks: Default;
    /// The moves of one node, sorted.
    type Sorted: Clone + Send;

    /// The trail of the root.
    fn root(&self) -> Self::Trail;
    /// The trail of the child that `mv` leads to from `node`, at `ply`.
    fn follow<T: GameTree>(
        &mut self,
        tree: &T,
        node: &T::Node,
        mv: T::Move,
        trail: Self::Trail,
        ply: u32,
    ) -> Self::Trail;
    /// Ranks the moves of `node`, which has this trail and stands at this ply; `best` is the best
    /// move of an earlier visit.
    fn rank<T: GameTree>(
        &self,
        tree: &T,
        node: &T::Node,
        moves: &T::Moves,
        at: (Self::Trail, u32),
        best: u16,
        ranks: &mut Self::Ranks,
    );
    /// The place in the tree's list of the move that comes as number `number`, asked in order.
    fn pick(ranks: &mut Self::Ranks, number: usize) -> usize;
    /// Sorts all.
    fn sort(ranks: Self::Ranks) -> Self::Sorted;
    /// The place in the tree's list of the move that comes as number `number`.
    fn place(sorted: &Self::Sorted, number: usize) -> usize;

    /// The node at `ply` has found a better move than it had.
    fn improve(&mut self, ply: u32, code: impl FnOnce() -> u16);
    /// The search of a node, which has this trail, ply and height, is over.
    fn settle(&mut self, at: (Self::Trail, u32, u32), decided: Option<Decided>);
    /// An iteration is over, `first` is its move: the next one begins with it.
    fn next_iteration(&mut self, first: u16);
}

/// The move that a node was decided by.
#[derive(Clone, Copy, Debug)]
pub struct Decided {
    /// Its code.
    pub code: u16,
    /// Its slot of history.
    pub slot: usize,
    /// Is it one of the tree's leading moves? Then it needs no help to come early.
    pub leads: bool,
    /// Did it cut off, or is it the best of all?
    pub cuts: bool,
}

/// The tree's own order; learns nothing and costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct StaticOrder;

impl Order for StaticOrder {
    const LEARNS: bool = false;
    type Trail = ();
    type Ranks = ();
    type Sorted = ();
    #[inline(always)]
    fn root(&self) {}
    #[inline(always)]
    fn follow<T: GameTree>(&mut self, _: &T, _: &T::Node, _: T::Move, (): (), _: u32) {}
    #[inline(always)]
    fn rank<T: GameTree>(
        &self,
        _: &T,
        _: &T::Node,
        _: &T::Moves,
        _: ((), u32),
        _: u16,
        (): &mut (),
    ) {
    }
    #[inline(always)]
    fn pick((): &mut (), number: usize) -> usize {
        number
    }
    #[inline(always)]
    fn sort((): ()) {}
    #[inline(always)]
    fn place((): &(), number: usize) -> usize {
        number
    }
    #[inline(always)]
    fn improve(&mut self, _: u32, _: impl FnOnce() -> u16) {}
    #[inline(always)]
    fn settle(&mut self, _: ((), u32, u32), _: Option<Decided>) {}
    fn next_iteration(&mut self, _: u16) {}
}

/// The order that memory functions make.
#[derive(Clone, Debug)]
pub struct LearntOrder {
    functions: Functions,
    /// Slots of one side; tables have two such halves.
    slots: usize,
    history: Vec<u32>,
    counters: Vec<u16>,
    killers: Vec<[u16; 2]>,
    /// The refutation table.
    lines: Vec<Line>,
    /// The best path found so far from the node at each ply.
    paths: Vec<Vec<u16>>,
    /// The best move of the previous iteration.
    first: u16,
}

/// The path below one move at the root.
#[derive(Clone, Debug)]
struct Line {
    root: u16,
    moves: Vec<u16>,
}

/// What [`LearntOrder`] knows of the path to a node.
#[derive(Clone, Copy, Debug)]
pub struct Trail {
    /// The number of the refutation table's line that the node lies on.
    line: u16,
    /// The slot of the move that led here.
    previous: u32,
}

const NO_LINE: u16 = u16::MAX;
const NO_SLOT: u32 = u32::MAX;

/// Moves that can be ranked; those of a wider node follow in the tree's order.
const WIDEST: usize = 256;

/// Ranked moves: the rank in the upper bits, and below it how far from the end the move stands in
/// the tree's list, so that ties keep the tree's order and no two are equal.
#[derive(Clone, Debug, Default)]
pub struct Ranks(ArrayVec<u64, WIDEST>);

const FIRST: u64 = 1 << 40;
const ON_SKELETON: u64 = 1 << 39;
const LEADING: u64 = 1 << 38;
const KILLER: u64 = 1 << 37;
const OLDER_KILLER: u64 = KILLER - 1;
const COUNTER: u64 = KILLER - 2;

/// History is halved when a slot comes to this.
const MOST_HISTORY: u32 = 1 << 30;

impl LearntOrder {
    /// Knows nothing yet; for trees with so many slots of history.
    pub fn new(functions: Functions, slots: usize) -> LearntOrder {
        let halves = |function, n: usize| if functions.contains(function) { 2 * n } else { 0 };
        LearntOrder {
            functions,
            slots,
            history: vec![0; halves(Functions::HISTORY, slots)],
            counters: vec![NO_MOVE; halves(Functions::COUNTERMOVES, slots)],
            killers: Vec::new(),
            lines: Vec::new(),
            paths: Vec::new(),
            first: NO_MOVE,
        }
    }

    fn has(&self, function: Functions) -> bool {
        self.functions.contains(function)
    }

    /// The slot of a move at `ply`, with a half of the tables for each side.
    fn index(&self, ply: u32, slot: usize) -> usize {
        slot + if ply.is_multiple_of(2) { 0 } else { self.slots }
    }

    /// The move of the skeleton at a node.
    fn refutation(&self, trail: Trail, ply: u32) -> u16 {
        let line = self.lines.get(trail.line as usize);
        let mv = line.and_then(|line| line.moves.get((ply as usize).wrapping_sub(1)));
        mv.copied().unwrap_or(NO_MOVE)
    }

    fn counter(&self, trail: Trail, ply: u32) -> u16 {
        if trail.previous == NO_SLOT || !self.has(Functions::COUNTERMOVES) {
            return NO_MOVE;
        }
        self.counters[self.index(ply, trail.previous as usize)]
    }
}

impl Order for LearntOrder {
    type Trail = Trail;
    type Ranks = Ranks;
    type Sorted = ArrayVec<u8, WIDEST>;

    fn root(&self) -> Trail {
        Trail { line: NO_LINE, previous: NO_SLOT }
    }

    #[inline]
    fn follow<T: GameTree>(
        &mut self,
        tree: &T,
        node: &T::Node,
        mv: T::Move,
        trail: Trail,
        ply: u32,
    ) -> Trail {
        let previous = match self.has(Functions::COUNTERMOVES) {
            true => tree.history_index(node, mv) as u32,
            false => NO_SLOT,
        };
        if !self.has(Functions::REFUTATION) {
            return Trail { line: NO_LINE, previous };
        }
        let below = ply as usize + 1;
        if self.paths.len() <= below {
            self.paths.resize(below + 1, Vec::new());
        }
        self.paths[below].clear();
        let line = if ply == 0 {
            let root = tree.code(mv);
            let found = self.lines.iter().position(|line| line.root == root);
            found.unwrap_or_else(|| {
                self.lines.push(Line { root, moves: Vec::new() });
                self.lines.len() - 1
            }) as u16
        } else if trail.line != NO_LINE && tree.code(mv) == self.refutation(trail, ply) {
            trail.line
        } else {
            NO_LINE
        };
        Trail { line, previous }
    }

    #[inline]
    fn rank<T: GameTree>(
        &self,
        tree: &T,
        node: &T::Node,
        moves: &T::Moves,
        (trail, ply): (Trail, u32),
        best: u16,
        ranks: &mut Ranks,
    ) {
        let best = if ply == 0 && self.first != NO_MOVE { self.first } else { best };
        let refutation = self.refutation(trail, ply);
        let [killer, older] = self.killers.get(ply as usize).copied().unwrap_or([NO_MOVE; 2]);
        let counter = self.counter(trail, ply);
        let leading = moves.leading();
        let history = self.has(Functions::HISTORY);
        for place in 0..moves.len().min(WIDEST) {
            let mv = moves.at(place);
            let code = tree.code(mv);
            let rank = if code == best {
                FIRST
            } else if code == refutation {
                ON_SKELETON
            } else if place < leading {
                LEADING
            } else if code == killer {
                KILLER
            } else if code == older {
                OLDER_KILLER
            } else if code == counter {
                COUNTER
            } else if history {
                u64::from(self.history[self.index(ply, tree.history_index(node, mv))])
            } else {
                0
            };
            ranks.0.push(rank << 8 | (WIDEST - 1 - place) as u64);
        }
    }

    #[inline]
    fn pick(ranks: &mut Ranks, number: usize) -> usize {
        let ranks = &mut ranks.0;
        match number {
            // Most nodes that are cut off are so by their first move.
            0 => {
                let best = (0..ranks.len()).max_by_key(|&i| ranks[i]).unwrap_or(0);
                if let Some(head) = ranks.get_mut(..=best) {
                    head.rotate_right(1);
                }
            }
            1 if !ranks[1..].is_sorted_by(|a, b| a > b) => {
                ranks[1..].sort_unstable_by(|a, b| b.cmp(a));
            }
            _ => {}
        }
        ranks.get(number).map_or(number, |&ranked| place_of(ranked))
    }

    fn sort(mut ranks: Ranks) -> ArrayVec<u8, WIDEST> {
        ranks.0.sort_unstable_by(|a, b| b.cmp(a));
        ranks.0.iter().map(|&ranked| place_of(ranked) as u8).collect()
    }

    #[inline]
    fn place(sorted: &ArrayVec<u8, WIDEST>, number: usize) -> usize {
        sorted.get(number).map_or(number, |&place| usize::from(place))
    }

    #[inline]
    fn improve(&mut self, ply: u32, code: impl FnOnce() -> u16) {
        if !self.has(Functions::REFUTATION) {
            return;
        }
        let ply = ply as usize;
        // The root's own path is not needed, and the child's was made when the child was entered.
        if let Some([path, below]) = self.paths.get_mut(ply..ply + 2) {
            path.clear();
            path.push(code());
            path.extend_from_slice(below);
        }
    }

    #[inline]
    fn settle(&mut self, (trail, ply, height): (Trail, u32, u32), decided: Option<Decided>) {
        if ply == 1
            && let Some(line) = self.lines.get_mut(trail.line as usize)
            && let Some(path) = self.paths.get(1)
        {
            line.moves.clone_from(path);
        }
        let Some(Decided { code, slot, leads, cuts }) = decided else { return };
        let index = self.index(ply, slot);
        if self.has(Functions::HISTORY) {
            self.history[index] += height * height;
            if self.history[index] >= MOST_HISTORY {
                self.history.iter_mut().for_each(|h| *h /= 2);
            }
        }
        if !cuts || leads {
            return;
        }
        if self.has(Functions::KILLERS) {
            let ply = ply as usize;
            if self.killers.len() <= ply {
                self.killers.resize(ply + 1, [NO_MOVE; 2]);
            }
            let killers = &mut self.killers[ply];
            if killers[0] != code {
                *killers = [code, killers[0]];
            }
        }
        if self.has(Functions::COUNTERMOVES) && trail.previous != NO_SLOT {
            let index = self.index(ply, trail.previous as usize);
            self.counters[index] = code;
        }
    }

    fn next_iteration(&mut self, first: u16) {
        self.first = first;
        // What the last iterations have shown weighs more than what the first ones did.
        self.history.iter_mut().for_each(|h| *h /= 2);
    }
}

/// The place in the tree's list that a ranked move stands at.
#[inline]
fn place_of(ranked: u64) -> usize {
    WIDEST - 1 - (ranked & 0xFF) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_core::tree::Explicit;

    #[test]
    fn functions_read_back() {
        for text in ["none", "table", "history", "table+history", "table+killers+etc"] {
            assert_eq!(text.parse::<Functions>().unwrap().to_string(), text);
        }
        assert_eq!("all".parse::<Functions>().unwrap(), Functions::all());
        let all = "table+history+killers+refutation+countermoves+etc";
        assert_eq!(Functions::all().to_string(), all);
        for (wrong, expected) in [
            ("", "`` is no memory function"),
            ("tables", "expected none, all, or some of table, history"),
            ("table+table", "twice"),
            ("none+table", "`none` is no memory function"),
            ("etc", "`table+etc`"),
        ] {
            let message = wrong.parse::<Functions>().unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
    }

    /// The order in which `order` would search the children of the root.
    fn sequence(order: &LearntOrder, tree: &Explicit, best: u16) -> Vec<usize> {
        let root = tree.root();
        let mut moves = Default::default();
        tree.moves(&root, &mut moves);
        let mut ranks = Ranks::default();
        order.rank(tree, &root, &moves, (order.root(), 0), best, &mut ranks);
        let sorted = LearntOrder::sort(ranks.clone());
        let picked: Vec<usize> =
            (0..moves.len()).map(|number| LearntOrder::pick(&mut ranks, number)).collect();
        let placed: Vec<usize> =
            (0..moves.len()).map(|number| LearntOrder::place(&sorted, number)).collect();
        assert_eq!(picked, placed);
        picked
    }

    #[test]
    fn best_then_killers_then_history() {
        let tree: Explicit = "(1 2 3 4 5 6)".parse().unwrap();
        let mut order = LearntOrder::new(Functions::all(), Explicit::HISTORY_SIZE);
        assert_eq!(sequence(&order, &tree, NO_MOVE), [0, 1, 2, 3, 4, 5]);
        let mut decide = |code: u16, height, cuts| {
            let decided = Decided { code, slot: code.into(), leads: false, cuts };
            order.settle((order.root(), 0, height), Some(decided));
        };
        decide(2, 3, false);
        decide(3, 4, false);
        decide(5, 1, true);
        assert_eq!(sequence(&order, &tree, NO_MOVE), [5, 3, 2, 0, 1, 4]);
        assert_eq!(sequence(&order, &tree, 1), [1, 5, 3, 2, 0, 4]);
        order.next_iteration(4);
        assert_eq!(sequence(&order, &tree, 1), [4, 5, 3, 2, 0, 1]);
    }

    #[test]
    fn a_node_wider_than_can_be_ranked_keeps_the_rest_in_place() {
        let list: Vec<String> = (0..300).map(|i| i.to_string()).collect();
        let tree: Explicit = format!("({})", list.join(" ")).parse().unwrap();
        let order = LearntOrder::new(Functions::all(), Explicit::HISTORY_SIZE);
        let mut expected: Vec<usize> = (0..300).collect();
        expected[..=200].rotate_right(1);
        assert_eq!(sequence(&order, &tree, 200), expected);
    }
}
