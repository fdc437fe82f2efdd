//! Hands out the moves of a node in stages, and does the work of a stage only when it is reached:
//! the table's move before any move is generated; captures that lose nothing; quiet moves, killers
//! and the counter-move first and the others by what was learnt of them; captures that lose.

use arrayvec::ArrayVec;

use super::learnt::Learnt;
use crate::tree::{GameTree, MoveList};

/// Where the picker is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// The table's move.
    Table,
    /// All moves in the tree's own order: without stages there is no other.
    All,
    /// Generates what is not quiet.
    ListNoisy,
    /// What is not quiet and loses nothing.
    Winning,
    /// Generates the quiet moves.
    ListQuiet,
    /// Quiet moves.
    Quiet,
    /// What is not quiet and loses.
    Losing,
}

/// What a picker knows of the path to its node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Context {
    pub(super) ply: usize,
    /// The slots of the last two moves.
    pub(super) before: [usize; 2],
    /// The codes of two killers and the counter-move.
    pub(super) refutations: [u16; 3],
}

/// The moves of one node.
pub(super) struct Picker<T: GameTree> {
    stage: Stage,
    staged: bool,
    first: Option<T::Move>,
    noisy: T::Moves,
    next_noisy: usize,
    quiet: T::Moves,
    /// Of the quiet moves; taken ones have the least.
    scores: ArrayVec<i32, WIDEST>,
    /// How many quiet moves have been handed out.
    taken: usize,
}

/// Quiet moves that can be scored: no game here has more.
const WIDEST: usize = 256;

/// A refutation's score, far above every history.
const REFUTES: i32 = 1 << 20;

const TAKEN: i32 = i32::MIN;

impl<T: GameTree> Picker<T> {
    /// Begins with `first`, a legal move.
    #[inline]
    pub(super) fn new(first: Option<T::Move>, staged: bool) -> Self {
        Picker {
            stage: Stage::Table,
            staged,
            first,
            noisy: Default::default(),
            next_noisy: 0,
            quiet: Default::default(),
            scores: ArrayVec::new(),
            taken: 0,
        }
    }

    /// The next move, and the stage it comes from.
    #[inline]
    pub(super) fn next(
        &mut self,
        tree: &T,
        node: &T::Node,
        learnt: &Learnt,
        context: Context,
    ) -> Option<(T::Move, Stage)> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage =
                        if self.staged { Stage::ListNoisy } else { self.list_all(tree, node) };
                    if let Some(first) = self.first {
                        return Some((first, Stage::Table));
                    }
                }
                Stage::All => {
                    let mv = self.noisy_below(self.noisy.len())?;
                    let stage = if tree.is_quiet(node, mv) { Stage::Quiet } else { Stage::Winning };
                    return Some((mv, stage));
                }
                Stage::ListNoisy => {
                    tree.noisy_moves(node, &mut self.noisy);
                    self.stage = Stage::Winning;
                }
                Stage::Winning => match self.noisy_below(self.noisy.leading()) {
                    Some(mv) => return Some((mv, Stage::Winning)),
                    None => self.stage = Stage::ListQuiet,
                },
                Stage::ListQuiet => {
                    tree.quiet_moves(node, &mut self.quiet);
                    self.score(tree, node, learnt, context);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.best_quiet() {
                    Some(mv) => return Some((mv, Stage::Quiet)),
                    None => self.stage = Stage::Losing,
                },
                Stage::Losing => {
                    return self.noisy_below(self.noisy.len()).map(|mv| (mv, Stage::Losing));
                }
            }
        }
    }

    #[cold]
    fn list_all(&mut self, tree: &T, node: &T::Node) -> Stage {
        tree.moves(node, &mut self.noisy);
        Stage::All
    }

    #[inline]
    fn noisy_below(&mut self, end: usize) -> Option<T::Move> {
        while self.next_noisy < end {
            let mv = self.noisy.get(self.next_noisy);
            self.next_noisy += 1;
            if Some(mv) != self.first {
                return Some(mv);
            }
        }
        None
    }

    #[inline]
    fn score(&mut self, tree: &T, node: &T::Node, learnt: &Learnt, context: Context) {
        for place in 0..self.quiet.len().min(WIDEST) {
            let mv = self.quiet.get(place);
            let code = tree.code(mv);
            if Some(mv) == self.first {
                self.scores.push(TAKEN);
                continue;
            }
            let score =
                if let Some(rank) = context.refutations.iter().position(|&known| known == code) {
                    REFUTES - rank as i32
                } else {
                    let slot = tree.slot(node, mv);
                    learnt.history(context.ply, context.before, slot) + tree.promise(node, mv)
                };
            // Of equals the first is the greatest: the tree's own order.
            let score = score * WIDEST as i32 + (WIDEST - 1 - place) as i32;
            self.scores.push(score);
        }
        self.taken += usize::from(self.scores.contains(&TAKEN));
    }

    /// Most nodes are left after a few quiet moves: choosing the best one each time is cheaper than
    /// sorting.
    #[inline]
    fn best_quiet(&mut self) -> Option<T::Move> {
        if self.taken == self.scores.len() {
            return None;
        }
        let best = self.scores.iter().copied().fold(TAKEN, i32::max);
        let place = WIDEST - 1 - (best & (WIDEST as i32 - 1)) as usize;
        self.taken += 1;
        self.scores[place] = TAKEN;
        Some(self.quiet.get(place))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Board, Chess, Evaluator};
    use crate::search::selective::learnt::NO_SLOT;
    use crate::table::NO_MOVE;

    /// Whatever the table and the killers say, every move comes once.
    #[test]
    fn every_move_comes_once() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        ] {
            let board = Board::from_fen(fen).unwrap();
            let tree = Chess::new(board, Evaluator::default());
            let node = tree.root();
            let learnt = Learnt::new(Chess::<Evaluator>::SLOTS);
            let legal: Vec<_> = board.moves().into_iter().collect();
            let firsts = legal.iter().map(|&mv| Some(mv)).chain([None]);
            for (first, staged) in firsts.flat_map(|first| [(first, true), (first, false)]) {
                let killers = [legal[0].code(), NO_MOVE, legal[3].code()];
                let context = Context { ply: 1, before: [NO_SLOT; 2], refutations: killers };
                let mut picker = Picker::<Chess>::new(first, staged);
                let mut picked = Vec::new();
                let mut last = Stage::Table;
                while let Some((mv, stage)) = picker.next(&tree, &node, &learnt, context) {
                    assert!(stage >= last || !staged);
                    last = stage;
                    picked.push(mv);
                }
                assert!(first.is_none_or(|first| picked[0] == first));
                picked.sort();
                let mut all = legal.clone();
                all.sort();
                assert_eq!(picked, all);
            }
        }
    }
}
