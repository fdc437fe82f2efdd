//! The order of moves: the one place that decides which child is searched first.
//!
//! A tree lists the moves of a node in its own, static order. A search with memory functions
//! changes that order by what it has learnt. The moves then come in this order:
//!
//! 1. the best move of an earlier visit: of the previous iteration at the root, of the table below;
//! 2. the *refutation table* (Akl and Newborn 1977): for each move at the root, the path that the
//!    previous iteration found best; a node on that skeleton takes the path's move first;
//! 3. the moves that lead the tree's own list for a reason, captures that win for example;
//! 4. *killers*: the two moves that last cut off at this ply;
//! 5. the *counter-move*: what last cut off after the same move of the other side;
//! 6. the *history table* (Schaeffer 1983): the moves that were best or cut off most often
//!    anywhere, each time weighted by the square of the height.

use arrayvec::ArrayVec;
use plyground_core::tree::{GameTree, MoveList};

use crate::memory_functions::MemoryFunctions;
use crate::table::NO_MOVE;

/// The move that decided a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DecidingMove {
    /// Its code.
    pub(crate) code: u16,
    /// Its index in history tables.
    pub(crate) history_index: usize,
    /// Is it one of the tree's leading moves? Then it comes early without being a killer.
    pub(crate) leads: bool,
    /// Did it cut off? If not, it is the best of all moves.
    pub(crate) cuts: bool,
}

/// The order of moves that memory functions make.
#[derive(Clone, Debug)]
pub(crate) struct MoveOrder {
    functions: MemoryFunctions,
    /// Is anything learnt at all?
    learns: bool,
    /// Does the order of a node depend on the path to it?
    tracks_paths: bool,
    /// How many history indices the tree has. Tables have a half of this size for each side.
    history_size: usize,
    history: Vec<u32>,
    countermoves: Vec<u16>,
    killers: Vec<[u16; 2]>,
    /// The refutation table.
    refutations: Vec<RefutationLine>,
    /// The best path found so far from the node at each ply.
    best_paths: Vec<Vec<u16>>,
    /// The best move of the previous iteration.
    first: u16,
}

/// A line of the refutation table: the path below one move at the root.
#[derive(Clone, Debug)]
struct RefutationLine {
    root: u16,
    moves: Vec<u16>,
}

/// What the order of a node's moves depends on besides the node: the path that led to it.
#[derive(Clone, Copy, Debug)]
pub struct OrderContext {
    /// The number of the line of the refutation table that the node is on.
    line: u16,
    /// The history index of the move that led to the node.
    previous: u32,
}

const NO_LINE: u16 = u16::MAX;
const NO_PREVIOUS: u32 = u32::MAX;

/// How many moves of a node are ranked; the others follow in the tree's order.
const MAX_RANKED: usize = 256;

/// Ranked moves: the rank in the upper bits, and below it how far from the end the move stands in
/// the tree's list, so that ties keep the tree's order and no two are equal.
#[derive(Clone, Debug, Default)]
pub struct Ranks(ArrayVec<u64, MAX_RANKED>);

/// The moves of one node, sorted, as their places in the tree's list. Empty where nothing is
/// learnt.
pub type Sorted = ArrayVec<u8, MAX_RANKED>;

/// The place of a move in the tree's list and whether it leads the list, for a move that is kept in the
/// order of search.
#[derive(Clone, Copy, Debug)]
pub struct KeptPlace(u16);

/// A place that is too great to be kept. Such a move is not ranked, so its number is its place.
const UNRANKED: u16 = u16::MAX >> 1;

impl KeptPlace {
    pub(crate) fn new(place: usize, leads: bool) -> KeptPlace {
        let kept = u16::try_from(place).map_or(UNRANKED, |place| place.min(UNRANKED));
        KeptPlace(kept << 1 | u16::from(leads))
    }

    /// The place of move `number` in the order of search, and whether it leads the list.
    pub(crate) fn place(self, number: usize) -> (usize, bool) {
        let kept = self.0 >> 1;
        (if kept == UNRANKED { number } else { usize::from(kept) }, self.0 & 1 == 1)
    }
}

const FIRST: u64 = 1 << 40;
const ON_SKELETON: u64 = 1 << 39;
const LEADING: u64 = 1 << 38;
const KILLER: u64 = 1 << 37;
const OLDER_KILLER: u64 = KILLER - 1;
const COUNTER: u64 = KILLER - 2;

/// All of history is halved when one move's history reaches this.
const MAX_HISTORY: u32 = 1 << 30;

impl MoveOrder {
    /// An order that has learnt nothing yet, for a tree with `history_size` history indices. With
    /// `deepening`, an iteration begins with the best move of the one before.
    pub(crate) fn new(
        functions: MemoryFunctions,
        deepening: bool,
        history_size: usize,
    ) -> MoveOrder {
        let halves = |function, n: usize| if functions.contains(function) { 2 * n } else { 0 };
        MoveOrder {
            functions,
            learns: deepening || !functions.is_empty(),
            tracks_paths: functions
                .intersects(MemoryFunctions::COUNTERMOVES | MemoryFunctions::REFUTATION),
            history_size,
            history: vec![0; halves(MemoryFunctions::HISTORY, history_size)],
            countermoves: vec![NO_MOVE; halves(MemoryFunctions::COUNTERMOVES, history_size)],
            killers: Vec::new(),
            refutations: Vec::new(),
            best_paths: Vec::new(),
            first: NO_MOVE,
        }
    }

    fn has(&self, function: MemoryFunctions) -> bool {
        self.functions.contains(function)
    }

    /// The place in the tables of a move at `ply`: each side has one half.
    fn index(&self, ply: u32, history_index: usize) -> usize {
        history_index + if ply.is_multiple_of(2) { 0 } else { self.history_size }
    }

    /// The refutation table's move at a node.
    fn refutation(&self, context: OrderContext, ply: u32) -> u16 {
        let line = self.refutations.get(context.line as usize);
        let mv = line.and_then(|line| line.moves.get((ply as usize).wrapping_sub(1)));
        mv.copied().unwrap_or(NO_MOVE)
    }

    fn countermove(&self, context: OrderContext, ply: u32) -> u16 {
        if context.previous == NO_PREVIOUS || !self.has(MemoryFunctions::COUNTERMOVES) {
            return NO_MOVE;
        }
        self.countermoves[self.index(ply, context.previous as usize)]
    }

    /// The context of the root.
    pub(crate) fn root(&self) -> OrderContext {
        OrderContext { line: NO_LINE, previous: NO_PREVIOUS }
    }

    /// Does anything in this search depend on which moves were good?
    #[inline]
    pub(crate) fn learns(&self) -> bool {
        self.learns
    }

    /// The context of the child that `mv` leads to from `node`, at `ply`.
    #[inline]
    pub(crate) fn follow<T: GameTree>(
        &mut self,
        tree: &T,
        node: &T::Node,
        mv: T::Move,
        context: OrderContext,
        ply: u32,
    ) -> OrderContext {
        if !self.tracks_paths {
            return context;
        }
        let previous = match self.has(MemoryFunctions::COUNTERMOVES) {
            true => tree.history_index(node, mv) as u32,
            false => NO_PREVIOUS,
        };
        if !self.has(MemoryFunctions::REFUTATION) {
            return OrderContext { line: NO_LINE, previous };
        }
        let below = ply as usize + 1;
        if self.best_paths.len() <= below {
            self.best_paths.resize(below + 1, Vec::new());
        }
        self.best_paths[below].clear();
        let line = if ply == 0 {
            let root = tree.code(mv);
            let found = self.refutations.iter().position(|line| line.root == root);
            found.unwrap_or_else(|| {
                self.refutations.push(RefutationLine { root, moves: Vec::new() });
                self.refutations.len() - 1
            }) as u16
        } else if context.line != NO_LINE && tree.code(mv) == self.refutation(context, ply) {
            context.line
        } else {
            NO_LINE
        };
        OrderContext { line, previous }
    }

    /// Ranks the moves of `node`, which has this context and ply; `best` is the best move of an
    /// earlier visit. Where nothing is learnt the ranks stay empty, which means the tree's order.
    #[inline]
    pub(crate) fn rank<T: GameTree>(
        &self,
        tree: &T,
        node: &T::Node,
        moves: &T::Moves,
        (context, ply): (OrderContext, u32),
        best: u16,
        ranks: &mut Ranks,
    ) {
        if !self.learns {
            return;
        }
        let best = if ply == 0 && self.first != NO_MOVE { self.first } else { best };
        let refutation = self.refutation(context, ply);
        let [killer, older] = self.killers.get(ply as usize).copied().unwrap_or([NO_MOVE; 2]);
        let counter = self.countermove(context, ply);
        let leading = moves.leading();
        let history = self.has(MemoryFunctions::HISTORY);
        for place in 0..moves.len().min(MAX_RANKED) {
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
            ranks.0.push(rank << 8 | (MAX_RANKED - 1 - place) as u64);
        }
    }

    /// The place in the tree's list of move `number` in the order of search. Numbers must be asked
    /// for in sequence: no more is sorted than is asked for.
    #[inline]
    pub(crate) fn pick(ranks: &mut Ranks, number: usize) -> usize {
        let ranks = &mut ranks.0;
        if ranks.is_empty() {
            return number;
        }
        match number {
            // Most cut-offs come from the first move, so only that one is found at first.
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

    /// Sorts all moves.
    pub(crate) fn sort(mut ranks: Ranks) -> Sorted {
        ranks.0.sort_unstable_by(|a, b| b.cmp(a));
        ranks.0.iter().map(|&ranked| place_of(ranked) as u8).collect()
    }

    /// The place in the tree's list of move `number` in the order of search.
    #[inline]
    pub(crate) fn place(sorted: &Sorted, number: usize) -> usize {
        sorted.get(number).map_or(number, |&place| usize::from(place))
    }

    /// The node at `ply` has found a better move than it had.
    #[inline]
    pub(crate) fn improve(&mut self, ply: u32, code: impl FnOnce() -> u16) {
        if !self.has(MemoryFunctions::REFUTATION) {
            return;
        }
        let ply = ply as usize;
        // The root's own path is not needed; the child's was begun when the child was entered.
        if let Some([path, below]) = self.best_paths.get_mut(ply..ply + 2) {
            path.clear();
            path.push(code());
            path.extend_from_slice(below);
        }
    }

    /// Learns from a finished search of a node with this context, ply and height.
    #[inline]
    pub(crate) fn settle(
        &mut self,
        (context, ply, height): (OrderContext, u32, u32),
        decided: Option<DecidingMove>,
    ) {
        if !self.learns {
            return;
        }
        if ply == 1
            && let Some(line) = self.refutations.get_mut(context.line as usize)
            && let Some(path) = self.best_paths.get(1)
        {
            line.moves.clone_from(path);
        }
        let Some(DecidingMove { code, history_index, leads, cuts }) = decided else { return };
        let index = self.index(ply, history_index);
        if self.has(MemoryFunctions::HISTORY) {
            self.history[index] += height * height;
            if self.history[index] >= MAX_HISTORY {
                self.history.iter_mut().for_each(|h| *h /= 2);
            }
        }
        if !cuts || leads {
            return;
        }
        if self.has(MemoryFunctions::KILLERS) {
            let ply = ply as usize;
            if self.killers.len() <= ply {
                self.killers.resize(ply + 1, [NO_MOVE; 2]);
            }
            let killers = &mut self.killers[ply];
            if killers[0] != code {
                *killers = [code, killers[0]];
            }
        }
        if self.has(MemoryFunctions::COUNTERMOVES) && context.previous != NO_PREVIOUS {
            let index = self.index(ply, context.previous as usize);
            self.countermoves[index] = code;
        }
    }

    /// Begins the next iteration with the move `first`, the best of the one before.
    pub(crate) fn next_iteration(&mut self, first: u16) {
        self.first = first;
        // Later iterations weigh more than earlier ones.
        self.history.iter_mut().for_each(|h| *h /= 2);
    }
}

/// The place of a ranked move in the tree's list.
#[inline]
fn place_of(ranked: u64) -> usize {
    MAX_RANKED - 1 - (ranked & 0xFF) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use plyground_core::tree::Explicit;

    /// The order in which `order` would search the children of the root.
    fn sequence(order: &MoveOrder, tree: &Explicit, best: u16) -> Vec<usize> {
        let root = tree.root();
        let mut moves = Default::default();
        tree.moves(&root, &mut moves);
        let mut ranks = Ranks::default();
        order.rank(tree, &root, &moves, (order.root(), 0), best, &mut ranks);
        let sorted = MoveOrder::sort(ranks.clone());
        let picked: Vec<usize> =
            (0..moves.len()).map(|number| MoveOrder::pick(&mut ranks, number)).collect();
        let placed: Vec<usize> =
            (0..moves.len()).map(|number| MoveOrder::place(&sorted, number)).collect();
        assert_eq!(picked, placed);
        picked
    }

    #[test]
    fn best_then_killers_then_history() {
        let tree: Explicit = "(1 2 3 4 5 6)".parse().unwrap();
        let mut order = MoveOrder::new(MemoryFunctions::all(), true, Explicit::HISTORY_SIZE);
        assert_eq!(sequence(&order, &tree, NO_MOVE), [0, 1, 2, 3, 4, 5]);
        let mut decide = |code: u16, height, cuts| {
            let decided = DecidingMove { code, history_index: code.into(), leads: false, cuts };
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
    fn places_are_kept() {
        for place in [0, 1, 255, 256, 32_766, 32_767, 40_000, 70_000] {
            for leads in [false, true] {
                // A move that is not ranked has its place as its number.
                let number = if place < MAX_RANKED { 7 } else { place };
                assert_eq!(KeptPlace::new(place, leads).place(number), (place, leads));
            }
        }
    }

    #[test]
    fn a_node_wider_than_can_be_ranked_keeps_the_rest_in_place() {
        let list: Vec<String> = (0..300).map(|i| i.to_string()).collect();
        let tree: Explicit = format!("({})", list.join(" ")).parse().unwrap();
        let order = MoveOrder::new(MemoryFunctions::all(), true, Explicit::HISTORY_SIZE);
        let mut expected: Vec<usize> = (0..300).collect();
        expected[..=200].rotate_right(1);
        assert_eq!(sequence(&order, &tree, 200), expected);
    }
}
