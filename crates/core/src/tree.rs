//! The trait that carries every tree, and the trees that can be written down or generated.
//!
//! [`GameTree`] is implemented on the *tree* (the rules and whatever the evaluation needs), not on a
//! position: a synthetic tree is then as natural as a board, and weights read from a file live in
//! `&self`.

mod explicit;
mod path;
mod swapped;
mod synthetic;

pub use explicit::{Explicit, ParseTreeError, TreeNode};
pub use path::{PathTree, ROOT};
pub use swapped::{Run, Swapped};
pub use synthetic::{
    ChildNumbers, MAX_DEPTH, MAX_WIDTH, Ordering, Synthetic, SyntheticError, SyntheticNode, mix,
};

use std::fmt;
use std::ops::RangeInclusive;

use crate::value::{Value, Window};

/// A game tree of two players who move alternately.
///
/// The root is at ply 0, and whoever moves there is MAX. A node without moves is a leaf at any
/// depth; so is every node at the search's horizon.
pub trait GameTree: Sync {
    /// A position, cheap to copy: children are made from it, never undone.
    type Node: Clone + Send;
    /// A move; for a tree that has none of its own, the child's number.
    type Move: Copy + Eq + Send + Sync + fmt::Debug;
    /// The moves of one node in the tree's own (static) order.
    type Moves: MoveList<Move = Self::Move>;

    /// The position at ply 0.
    fn root(&self) -> Self::Node;

    /// Fills `moves`, which arrives empty, with the moves of `node`. No moves means that the game is
    /// over.
    fn moves(&self, node: &Self::Node, moves: &mut Self::Moves);

    /// The position after `mv`.
    fn child(&self, node: &Self::Node, mv: Self::Move) -> Self::Node;

    /// What `node` is worth for the side to move, within ±[`MAX_LEAF`](crate::value::MAX_LEAF);
    /// exact where the game is over.
    fn evaluate(&self, node: &Self::Node) -> Value;

    /// The least and the greatest value that a leaf may have, from the view of the root's mover.
    /// Bisection starts from these ends, and a search that is stopped falls back on them.
    fn value_range(&self) -> RangeInclusive<Value>;

    /// A hash of all that the rest of the game depends on. Nodes with the same key, reached by
    /// whatever moves, are taken for the same: transpositions.
    fn key(&self, node: &Self::Node) -> u64;

    /// A number for a move, another one for every move of a node: what tables keep of it.
    fn code(&self, mv: Self::Move) -> u16;

    /// Do the nodes have much in common: transpositions, moves that are good at many nodes? In a tree
    /// where every node is unlike all others, memory functions have nothing to learn, and a search
    /// makes none.
    const TRANSPOSES: bool = true;

    /// Do values tell how far a won game is from its end? Then a finished game is worth
    /// -[`MATE`](crate::value::MATE) to the side that has lost it, however deep in the tree it is
    /// reached, and a search adds the plies from the root.
    const MATES: bool = false;

    /// How many slots a table of the moves' histories has.
    const SLOTS: usize = 1 << 16;

    /// The slot of a move: moves that do the same at different nodes share it. Less than
    /// [`SLOTS`](GameTree::SLOTS).
    #[inline]
    fn slot(&self, _node: &Self::Node, mv: Self::Move) -> usize {
        self.code(mv) as usize
    }

    /// What `node` is worth if only the window matters: what [`evaluate`](GameTree::evaluate) says if
    /// that is the full window, and outside a narrower one a bound will do. Adds the positions looked
    /// at beyond `node` to `nodes`.
    #[inline]
    fn quiesce(&self, node: &Self::Node, _window: Window, _nodes: &mut u64) -> Value {
        self.evaluate(node)
    }

    // What follows serves play alone: the laboratory's algorithms ask for none of it.

    /// As [`quiesce`](GameTree::quiesce), but free to look at more where the window asks for it: play
    /// need not see the same leaf twice.
    #[inline]
    fn quiesce_in_play(&self, node: &Self::Node, window: Window, nodes: &mut u64) -> Value {
        self.quiesce(node, window, nodes)
    }

    /// What the margins of a selective search count in: a pawn, a disc.
    const UNIT: Value = 100;

    /// Is a position that comes again on the path a draw?
    const REPEATS: bool = false;

    /// How many plies back a position could be the same as `node`.
    #[inline]
    fn reversible(&self, _node: &Self::Node) -> u32 {
        0
    }

    /// Is the game drawn at `node` by a rule that no list of moves shows?
    #[inline]
    fn is_drawn(&self, _node: &Self::Node) -> bool {
        false
    }

    /// Must the side to move answer a threat to the game itself, a check?
    #[inline]
    fn is_threatened(&self, _node: &Self::Node) -> bool {
        false
    }

    /// Will the other side be [threatened](GameTree::is_threatened) after a move?
    #[inline]
    fn threatens(&self, node: &Self::Node, mv: Self::Move) -> bool {
        self.is_threatened(&self.child(node, mv))
    }

    /// Does the side to move have a single move? `false` is always allowed.
    #[inline]
    fn is_forced(&self, _node: &Self::Node) -> bool {
        false
    }

    /// The position if the side to move did nothing; `None` where that is against the rules, or
    /// where doing nothing may well be better than any move.
    #[inline]
    fn null_move(&self, _node: &Self::Node) -> Option<Self::Node> {
        None
    }

    /// What `node` is worth at first sight, for a side to move that is not threatened.
    #[inline]
    fn stand(&self, node: &Self::Node) -> Value {
        self.evaluate(node)
    }

    /// The move of `node` with this code, if there is one.
    fn find_move(&self, node: &Self::Node, code: u16) -> Option<Self::Move> {
        let mut moves = Self::Moves::default();
        self.moves(node, &mut moves);
        (0..moves.len()).map(|place| moves.get(place)).find(|&mv| self.code(mv) == code)
    }

    /// Does a move leave the balance as it is, as no capture does?
    #[inline]
    fn is_quiet(&self, _node: &Self::Node, _mv: Self::Move) -> bool {
        true
    }

    /// Fills `moves`, which arrives empty, with the moves that are not quiet: those that
    /// [lead](MoveList::leading) lose nothing.
    #[inline]
    fn noisy_moves(&self, _node: &Self::Node, _moves: &mut Self::Moves) {}

    /// Fills `moves`, which arrives empty, with the quiet moves.
    #[inline]
    fn quiet_moves(&self, node: &Self::Node, moves: &mut Self::Moves) {
        self.moves(node, moves);
    }

    /// How promising a quiet move looks, within a few thousand of 0: searches add what they learn.
    #[inline]
    fn promise(&self, _node: &Self::Node, _mv: Self::Move) -> i32 {
        0
    }

    /// How shallow searches of `node` foretell one of `depth` plies, the shallowest first; none where
    /// nobody knows, or where the end of the game is so near that nothing should be left to chance.
    #[inline]
    fn forecasts(&self, _node: &Self::Node, _depth: u32) -> &[Forecast] {
        &[]
    }

    /// Does a move lose more than `most`, at first sight?
    #[inline]
    fn loses(&self, _node: &Self::Node, _mv: Self::Move, _most: Value) -> bool {
        false
    }
}

/// What a shallow search of a node foretells of a deeper one: about `slope` times its value, plus
/// `offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The depth of the shallow search.
    pub depth: u32,
    /// What its value is multiplied with: above 0.
    pub slope: f32,
    /// What is added then.
    pub offset: f32,
    /// By how much this is wrong: the standard deviation.
    pub error: f32,
}

/// The moves of a node: a list whose order the tree chose.
pub trait MoveList: Default + Clone + Send {
    /// What the list holds.
    type Move: Copy;
    /// How many moves there are.
    fn len(&self) -> usize;
    /// The move at `index < len()`.
    fn get(&self, index: usize) -> Self::Move;
    /// How many moves at the front are there for a reason that no memory of other nodes outweighs
    /// (a capture that wins, say): they stay in front of all but the best move of the table.
    #[inline]
    fn leading(&self) -> usize {
        0
    }
    /// Are there none?
    #[inline]
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
