//! Hands out the moves of a node in stages, and does the work of a stage only when it is reached: the
//! table's move before any move is generated; captures that lose nothing; quiet moves, killers and the
//! counter-move first and the others by their histories; captures that lose. Most nodes cut off early,
//! and never pay for the later stages.

use arrayvec::ArrayVec;

use super::history::PlayHistory;
use plyground_core::tree::{MoveList, PlayTree};

/// The stage that a picker is in, or that a move comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// The table's move.
    Table,
    /// All moves in the tree's own order: the only other stage if generation is not staged.
    All,
    /// Generates the noisy moves.
    GenerateNoisy,
    /// Noisy moves that lose nothing.
    GoodNoisy,
    /// Generates the quiet moves.
    GenerateQuiet,
    /// Quiet moves.
    Quiet,
    /// Noisy moves that lose.
    BadNoisy,
}

/// What a picker knows of the path to its node.
#[derive(Clone, Copy, Debug)]
pub(super) struct PickerContext {
    pub(super) ply: usize,
    /// The history indices of the last two moves, the last one first.
    pub(super) before: [usize; 2],
    /// The codes of two killers and the counter-move.
    pub(super) refutations: [u16; 3],
}

/// The moves of one node.
pub(super) struct MovePicker<T: PlayTree> {
    stage: Stage,
    staged: bool,
    /// The table's move.
    first: Option<T::Move>,
    noisy: T::Moves,
    next_noisy: usize,
    quiet: T::Moves,
    /// The scores of the quiet moves; [`TAKEN`] for those that were handed out.
    scores: ArrayVec<i32, MAX_SCORED>,
    /// How many of the scored quiet moves were handed out.
    taken: usize,
    /// The next quiet move that was not scored.
    next_unscored: usize,
}

/// How many quiet moves are scored. Othello and chess have fewer at every node; where a game has more,
/// the others come after these, in the tree's own order.
const MAX_SCORED: usize = 256;

/// The score of a killer or counter-move, far above every history.
const REFUTATION: i32 = 1 << 20;

/// The greatest [`quiet_score`](PlayTree::quiet_score), on either side of 0.
const MAX_QUIET_SCORE: i32 = 500_000;

const TAKEN: i32 = i32::MIN;

impl<T: PlayTree> MovePicker<T> {
    /// Begins with `first`, a legal move, if there is one.
    #[inline]
    pub(super) fn new(first: Option<T::Move>, staged: bool) -> Self {
        MovePicker {
            stage: Stage::Table,
            staged,
            first,
            noisy: Default::default(),
            next_noisy: 0,
            quiet: Default::default(),
            scores: ArrayVec::new(),
            taken: 0,
            next_unscored: MAX_SCORED,
        }
    }

    /// The next move, and the stage it comes from.
    #[inline]
    pub(super) fn next(
        &mut self,
        tree: &T,
        node: &T::Node,
        history: &PlayHistory,
        context: PickerContext,
    ) -> Option<(T::Move, Stage)> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = if self.staged {
                        Stage::GenerateNoisy
                    } else {
                        self.generate_all(tree, node)
                    };
                    if let Some(first) = self.first {
                        return Some((first, Stage::Table));
                    }
                }
                Stage::All => {
                    let mv = self.noisy_below(self.noisy.len())?;
                    let quiet = tree.is_quiet(node, mv);
                    return Some((mv, if quiet { Stage::Quiet } else { Stage::GoodNoisy }));
                }
                Stage::GenerateNoisy => {
                    tree.noisy_moves(node, &mut self.noisy);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.noisy_below(self.noisy.leading()) {
                    Some(mv) => return Some((mv, Stage::GoodNoisy)),
                    None => self.stage = Stage::GenerateQuiet,
                },
                Stage::GenerateQuiet => {
                    tree.quiet_moves(node, &mut self.quiet);
                    self.score_quiet(tree, node, history, context);
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match self.best_quiet() {
                    Some(mv) => return Some((mv, Stage::Quiet)),
                    None => self.stage = Stage::BadNoisy,
                },
                Stage::BadNoisy => {
                    return self.noisy_below(self.noisy.len()).map(|mv| (mv, Stage::BadNoisy));
                }
            }
        }
    }

    #[cold]
    fn generate_all(&mut self, tree: &T, node: &T::Node) -> Stage {
        tree.moves(node, &mut self.noisy);
        Stage::All
    }

    /// The next noisy move before index `end`, but for the table's move.
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
    fn score_quiet(
        &mut self,
        tree: &T,
        node: &T::Node,
        history: &PlayHistory,
        context: PickerContext,
    ) {
        for index in 0..self.quiet.len().min(MAX_SCORED) {
            let mv = self.quiet.at(index);
            let code = tree.code(mv);
            if Some(mv) == self.first {
                self.scores.push(TAKEN);
                continue;
            }
            let score =
                if let Some(rank) = context.refutations.iter().position(|&known| known == code) {
                    REFUTATION - rank as i32
                } else {
                    let quiet_score = tree.quiet_score(node, mv);
                    debug_assert!(quiet_score.abs() <= MAX_QUIET_SCORE);
                    let index = tree.history_index(node, mv);
                    history.score(context.ply, context.before, index) + quiet_score
                };
            // The index makes scores differ: of equals the first has the greatest, so they come in the
            // tree's own order.
            let score = score * MAX_SCORED as i32 + (MAX_SCORED - 1 - index) as i32;
            self.scores.push(score);
        }
        self.taken += usize::from(self.scores.contains(&TAKEN));
    }

    /// The quiet move with the best score of those that are left. Most nodes cut off after a few quiet
    /// moves: choosing the best one each time is cheaper than sorting.
    #[inline]
    fn best_quiet(&mut self) -> Option<T::Move> {
        if self.taken == self.scores.len() {
            return self.unscored_quiet();
        }
        let best = self.scores.iter().copied().fold(TAKEN, i32::max);
        let index = MAX_SCORED - 1 - (best & (MAX_SCORED as i32 - 1)) as usize;
        self.taken += 1;
        self.scores[index] = TAKEN;
        Some(self.quiet.at(index))
    }

    #[inline]
    fn unscored_quiet(&mut self) -> Option<T::Move> {
        while self.next_unscored < self.quiet.len() {
            let mv = self.quiet.at(self.next_unscored);
            self.next_unscored += 1;
            if Some(mv) != self.first {
                return Some(mv);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests;
