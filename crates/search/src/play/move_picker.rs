//! Hands out the moves of a node in stages, and does the work of a stage only when it is reached:
//! the table's move before any move is generated; captures that lose nothing; quiet moves, killers
//! and the counter-move first and the others by what was learnt of them; captures that lose.

use arrayvec::ArrayVec;

use super::history::Learnt;
use plyground_core::tree::{MoveList, PlayTree};

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
pub(super) struct Picker<T: PlayTree> {
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

impl<T: PlayTree> Picker<T> {
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
            let mv = self.noisy.at(self.next_noisy);
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
            let mv = self.quiet.at(place);
            let code = tree.code(mv);
            if Some(mv) == self.first {
                self.scores.push(TAKEN);
                continue;
            }
            let score =
                if let Some(rank) = context.refutations.iter().position(|&known| known == code) {
                    REFUTES - rank as i32
                } else {
                    let slot = tree.history_index(node, mv);
                    learnt.history(context.ply, context.before, slot) + tree.quiet_score(node, mv)
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
        Some(self.quiet.at(place))
    }
}
