//! What a search in play knows at any moment, and the small things it does with that.

use super::history::{NO_INDEX, PlayHistory};
use super::interface::{PlayControl, Unwind};
use super::repetition::KeyStack;
use super::switches::PlaySwitches;
use super::threads::{SharedView, WatchedNode};
use super::{CHECK_INTERVAL, MAX_PLY};
use crate::parallel::NodeKind;
use crate::table::{NO_MOVE, TranspositionTable};
use plyground_core::tree::PlayTree;
use plyground_core::value::Value;

/// What the search keeps of each ply of the path from the root to the node that is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The static evaluation of the position; `None` if its side to move is in check.
    pub(super) static_eval: Option<Value>,
    /// The history index of the move that is being searched; [`NO_INDEX`] for the null move.
    pub(super) move_index: usize,
    /// The codes of the quiet moves that cut off last at this ply.
    pub(super) killers: [u16; 2],
    /// The code of a move that is left out, to see what the others are worth.
    pub(super) excluded: u16,
    /// What kind of node it is expected to be; known only where nodes are split points.
    pub(super) kind: NodeKind,
}

impl Frame {
    const EMPTY: Frame = Frame {
        static_eval: None,
        move_index: NO_INDEX,
        killers: [NO_MOVE; 2],
        excluded: NO_MOVE,
        kind: NodeKind::Pv,
    };
}

/// A search in play, on one thread.
pub(super) struct PlaySearch<'a, T: PlayTree> {
    pub(super) tree: &'a T,
    pub(super) table: &'a TranspositionTable,
    pub(super) history: &'a PlayHistory,
    /// What this thread shares with others besides the table and the histories.
    pub(super) shared: SharedView<'a, T>,
    pub(super) switches: PlaySwitches,
    pub(super) control: &'a mut dyn PlayControl<T::Move>,
    /// Are lines kept of null windows too? MTD(f) has no other windows.
    pub(super) keeps_null_window_lines: bool,
    pub(super) nodes: u64,
    /// The limits are checked when `nodes` reaches this.
    pub(super) checkpoint: u64,
    /// The depth of this iteration, and the deepest ply that was reached.
    pub(super) depth: i32,
    pub(super) deepest: usize,
    /// The value of a node that another thread has resolved, while the recursion unwinds to it.
    pub(super) resolved_value: Value,
    pub(super) keys: KeyStack,
    pub(super) frames: Vec<Frame>,
    /// The nodes of the path, as far as other threads may resolve them.
    pub(super) watched: Vec<WatchedNode>,
    /// The best line from each ply on; allocated once.
    pub(super) lines: Vec<Vec<T::Move>>,
}

impl<'a, T: PlayTree> PlaySearch<'a, T> {
    /// A search of the root of `tree` that has not begun; `game` has the keys of the positions before
    /// the root.
    pub(super) fn new(
        tree: &'a T,
        (table, history): (&'a TranspositionTable, &'a PlayHistory),
        shared: SharedView<'a, T>,
        switches: PlaySwitches,
        game: &[u64],
        control: &'a mut dyn PlayControl<T::Move>,
    ) -> Self {
        PlaySearch {
            tree,
            table,
            history,
            shared,
            switches,
            control,
            keeps_null_window_lines: false,
            nodes: 0,
            checkpoint: 0,
            depth: 0,
            deepest: 0,
            resolved_value: 0,
            keys: KeyStack::new(game, tree.key(&tree.root()), MAX_PLY),
            frames: vec![Frame::EMPTY; MAX_PLY + 4],
            watched: vec![WatchedNode::NONE; MAX_PLY + 4],
            lines: (0..MAX_PLY + 2).map(|_| Vec::with_capacity(MAX_PLY)).collect(),
        }
    }

    /// The history index of the move `back` plies before the node at `ply`.
    pub(super) fn index_before(&self, ply: usize, back: usize) -> usize {
        ply.checked_sub(back).map_or(NO_INDEX, |at| self.frames[at].move_index)
    }

    /// The line from `ply` on becomes `mv` and the line after it.
    pub(super) fn extend_line(&mut self, ply: usize, mv: T::Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        if let (Some(line), Some(below)) = (upper.last_mut(), lower.first()) {
            line.clear();
            line.push(mv);
            line.extend_from_slice(below);
        }
    }

    /// Checks the limits, and whether another thread has resolved a node on the path.
    #[cold]
    #[inline(never)]
    pub(super) fn check_limits(&mut self, ply: usize) -> Result<(), Unwind> {
        let interval = self.control.check(self.nodes)?;
        self.check_path(ply)?;
        self.checkpoint = self.nodes + interval.clamp(1, CHECK_INTERVAL);
        Ok(())
    }
}

/// A child that is to be searched.
pub(super) struct Child<'a, N> {
    pub(super) node: &'a N,
    pub(super) key: u64,
    /// The depth of its parent.
    pub(super) parent_depth: i32,
    /// Its own depth, and by how much that is reduced at first.
    pub(super) depth: i32,
    pub(super) reduction: i32,
    /// 1 for the first child of its parent, 2 for the second, and so on.
    pub(super) number: i32,
}
